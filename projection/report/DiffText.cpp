//===- projection/report/DiffText.cpp - What changed, for people ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Text and Markdown are two ways to set the same parts: a title, what it is about, and
// a line for each thing that changed.
//
//===----------------------------------------------------------------------===//

#include "projection/report/DiffWriters.h"
#include "projection/report/Figures.h"
#include "projection/report/Page.h"
#include "projection/report/PlanText.h"
#include "projection/report/Printable.h"
#include "skeleton/Finding.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace busfare::projection {

namespace {

/// How a foreign name is set: as it is, or as code.
using Setting = std::string (*)(StringRef);

struct Item {
  std::string what;
  std::vector<std::string> details;
};

struct Part {
  std::string title;
  std::vector<Item> items;
};

std::string spoken(const SpeedupSummary &speedup) {
  auto factor = [](const std::optional<double> &value) { return value ? formatFactor(*value) : std::string("-"); };
  return factor(speedup.value) + " (" + factor(speedup.low) + " to " + factor(speedup.high) + ")";
}

std::string joined(const std::vector<std::string> &names, Setting set) {
  std::vector<std::string> shown;
  for (const std::string &name : names) shown.push_back(set(name));
  return llvm::join(shown, ", ");
}

std::string placeOf(const skeleton::Location &location) {
  return location.isKnown() ? skeleton::toString(location) : location.file.str();
}

Part machinesPart(const ReportDiff &diff, Setting set) {
  Part part{"Machines", {}};
  if (!diff.onlyOld.empty()) part.items.push_back({"only before: " + joined(diff.onlyOld, set), {}});
  if (!diff.onlyNew.empty()) part.items.push_back({"only now: " + joined(diff.onlyNew, set), {}});
  if (diff.machines.empty())
    part.items.push_back({"none is in both reports: verdicts and speedups are not compared", {}});
  else if (!part.items.empty()) part.items.push_back({"compared on " + joined(diff.machines, set), {}});
  if (!diff.bytesAreMoved && !part.items.empty())
    part.items.push_back(
        {"bytes are those of the sections: what copies move depends on the first machine, which is another one", {}});
  return part;
}

/// What is told of a region that stands in one report only.
std::vector<std::string> answersOf(const RegionSummary &region, Setting set) {
  std::vector<std::string> lines;
  for (const auto &[machine, answer] : region.on)
    lines.push_back(toString(answer.verdict).str() + " on " + set(machine) + ": " + spoken(answer.speedup));
  return lines;
}

std::vector<std::string> changesOf(const RegionDiff &region, bool bytesAreMoved, Setting set) {
  std::vector<std::string> lines;
  for (const AnswerDiff &answer : region.on) {
    const std::string figures =
        " on " + set(answer.machine) + ": " + spoken(answer.before.speedup) + " -> " + spoken(answer.after.speedup);
    if (answer.flipped())
      lines.push_back(toString(answer.before.verdict).str() + " -> " + toString(answer.after.verdict).str() + figures);
    else if (answer.trend == Trend::Faster || answer.trend == Trend::Slower)
      lines.push_back(toString(answer.trend).str() + figures);
  }
  if (region.bytesBefore != region.bytesAfter)
    lines.push_back((bytesAreMoved ? "moved over the bus: " : "of sections that cross the bus: ") +
                    formatExact(region.bytesBefore) + " -> " + formatExact(region.bytesAfter) + " bytes (" +
                    formatGrowth(region.bytesBefore, region.bytesAfter) + ")");
  for (const SizeDiff &size : region.sizes)
    lines.push_back(set(size.name) + ": " + std::to_string(size.before) + " -> " + std::to_string(size.after));
  if (region.structureChanged) lines.push_back("its structure changed");
  return lines;
}

Part regionsPart(const ReportDiff &diff, Setting set) {
  Part part{"Regions", {}};
  for (const RegionDiff &region : diff.regions) {
    if (!region.changed()) continue;
    const std::string name = set(region.either().id);
    if (region.isNew()) part.items.push_back({"new: " + name, answersOf(*region.after, set)});
    else if (region.isGone()) part.items.push_back({"gone: " + name, answersOf(*region.before, set)});
    else
      part.items.push_back(
          {name + (region.before->id == region.after->id ? "" : " (was " + set(region.before->id) + ")"),
           changesOf(region, diff.bytesAreMoved, set)});
  }
  return part;
}

Part loopsPart(const ReportDiff &diff, Setting set) {
  static const std::pair<LoopDiff::Kind, StringRef> kinds[] = {{LoopDiff::Kind::Lost, "no longer parallel: "},
                                                               {LoopDiff::Kind::Gained, "now parallel: "},
                                                               {LoopDiff::Kind::New, "new: "},
                                                               {LoopDiff::Kind::Gone, "gone: "}};
  Part part{"Loops", {}};
  for (const auto &[kind, word] : kinds)
    for (const LoopDiff &one : diff.loops) {
      if (one.kind != kind) continue;
      const LoopSummary &loop = one.either();
      std::string what = word.str() + set(placeOf(loop.location)) +
                         (loop.function.empty() ? "" : " in " + set(loop.function)) +
                         (loop.index.empty() ? "" : ", over " + set(spelled(loop.index)));
      if (kind == LoopDiff::Kind::New || kind == LoopDiff::Kind::Gone)
        what += loop.parallel ? ", parallel" : ", not parallel";
      Item item{what, {}};
      if (!loop.reason.empty() && kind != LoopDiff::Kind::Gone) item.details.push_back(set(loop.reason));
      part.items.push_back(std::move(item));
    }
  return part;
}

Part findingsPart(const ReportDiff &diff, Setting set) {
  Part part{"Findings", {}};
  for (const RuleDiff &rule : diff.rules) {
    const skeleton::Rule *known = skeleton::findRule(rule.rule);
    Item item{set(rule.rule) + (known ? ", " + skeleton::ruleTitle(*known).str() : "") + ": " +
                  std::to_string(rule.before) + " -> " + std::to_string(rule.after) + " (" +
                  std::to_string(rule.fresh.size()) + " new, " + std::to_string(rule.gone.size()) + " gone)",
              {}};
    for (const FindingSummary &finding : rule.fresh)
      item.details.push_back("new: " + set(placeOf(finding.location) + ": " + finding.message));
    for (const FindingSummary &finding : rule.gone)
      item.details.push_back("gone: " + set(placeOf(finding.location) + ": " + finding.message));
    part.items.push_back(std::move(item));
  }
  return part;
}

std::vector<Part> partsOf(const ReportDiff &diff, Setting set) {
  std::vector<Part> parts = {machinesPart(diff, set), regionsPart(diff, set), loopsPart(diff, set),
                             findingsPart(diff, set)};
  if (diff.failedBefore != diff.failedAfter)
    parts.push_back({"Units that could not be parsed",
                     {{std::to_string(diff.failedBefore) + " -> " + std::to_string(diff.failedAfter), {}}}});
  if (diff.oldVersion != diff.newVersion)
    parts.push_back(
        {"busfare",
         {{set(diff.oldVersion) + " -> " + set(diff.newVersion) + ": figures may differ for that alone", {}}}});
  llvm::erase_if(parts, [](const Part &part) { return part.items.empty(); });
  return parts;
}

/// At most so many lines of each list.
void writeParts(const std::vector<Part> &parts, size_t most, Page &page) {
  auto rest = [&](size_t count, unsigned indent) {
    if (count > most) page.paragraph("... and " + std::to_string(count - most) + " more", indent, indent);
  };
  for (const Part &part : parts) {
    page.heading(part.title);
    for (const Item &item : llvm::ArrayRef(part.items).take_front(most)) {
      page.paragraph(item.what, 2, 4);
      for (const std::string &detail : llvm::ArrayRef(item.details).take_front(most)) page.paragraph(detail, 6, 8);
      rest(item.details.size(), 6);
    }
    rest(part.items.size(), 2);
    page.line();
  }
}

} // namespace

std::string diffStatement(const ReportDiff &diff) {
  if (diff.isEmpty()) {
    const bool isWithin = llvm::any_of(diff.regions, [](const RegionDiff &region) {
      return llvm::any_of(region.on, [](const AnswerDiff &answer) { return answer.trend == Trend::Within; });
    });
    return isWithin ? "nothing changed, but for speedups within their intervals" : "nothing changed";
  }
  std::vector<std::string> said;
  auto say = [&said](size_t count, const char *noun, StringRef what) {
    if (count) said.push_back(formatPlural(count, noun) + " " + what.str());
  };
  auto regions = [&](auto is) { return llvm::count_if(diff.regions, is); };
  auto loops = [&](LoopDiff::Kind kind) {
    return llvm::count_if(diff.loops, [kind](const LoopDiff &loop) { return loop.kind == kind; });
  };
  if (!diff.onlyOld.empty() || !diff.onlyNew.empty())
    said.push_back(diff.machines.empty() ? "no machine in common" : "other machines");
  say(regions([](const RegionDiff &region) { return region.isNew(); }), "region", "new");
  say(regions([](const RegionDiff &region) { return region.isGone(); }), "region", "gone");
  say(regions([](const RegionDiff &region) { return !region.isNew() && !region.isGone() && region.changed(); }),
      "region", "changed");
  size_t flips = 0;
  for (const RegionDiff &region : diff.regions)
    flips += llvm::count_if(region.on, [](const AnswerDiff &answer) { return answer.flipped(); });
  say(flips, "verdict", "flipped");
  say(loops(LoopDiff::Kind::Lost), "loop", "no longer parallel");
  say(loops(LoopDiff::Kind::Gained), "loop", "now parallel");
  say(loops(LoopDiff::Kind::New), "loop", "new");
  say(loops(LoopDiff::Kind::Gone), "loop", "gone");
  size_t fresh = 0, gone = 0;
  for (const RuleDiff &rule : diff.rules) {
    fresh += rule.fresh.size();
    gone += rule.gone.size();
  }
  say(fresh, "finding", "new");
  say(gone, "finding", "gone");
  if (diff.failedBefore != diff.failedAfter)
    said.push_back("units that could not be parsed: " + std::to_string(diff.failedBefore) + " -> " +
                   std::to_string(diff.failedAfter));
  return llvm::join(said, "; ");
}

void writeDiffText(const ReportDiff &diff, llvm::raw_ostream &os, const TextStyle &style) {
  Page page(os, style.width, style.colour);
  if (diff.isEmpty()) {
    page.paragraph(diffStatement(diff));
    return;
  }
  page.paragraph(diffStatement(diff));
  page.paragraph(printable(diff.oldFile) + " -> " + printable(diff.newFile));
  page.line();
  writeParts(partsOf(diff, printable), std::string::npos, page);
}

void writeSinceBaseline(const ReportDiff &diff, llvm::raw_ostream &os, const TextStyle &style) {
  Page page(os, style.width, style.colour);
  page.line();
  page.title("Since the baseline");
  page.paragraph(printable(diff.oldFile) + ": " + diffStatement(diff) + ".");
  if (diff.isEmpty()) return;
  page.line();
  constexpr size_t most = 5;
  writeParts(partsOf(diff, printable), most, page);
}

void writeDiffMarkdown(const ReportDiff &diff, llvm::raw_ostream &os) {
  os << "## busfare: " << diffStatement(diff) << "\n\n"
     << codeSpan(diff.oldFile) << " -> " << codeSpan(diff.newFile) << '\n';
  if (diff.isEmpty()) return;
  for (const Part &part : partsOf(diff, codeSpan)) {
    os << "\n### " << part.title << "\n\n";
    for (const Item &item : part.items) {
      os << "- " << item.what << '\n';
      for (const std::string &detail : item.details) os << "  - " << detail << '\n';
    }
  }
}

} // namespace busfare::projection
