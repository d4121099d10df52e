//===- projection/report/Markdown.cpp - A report for a merge request ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/Markdown.h"
#include "projection/report/Figures.h"
#include "projection/report/FirstScreen.h"
#include "projection/report/FormulaText.h"
#include "projection/report/KernelText.h"
#include "projection/report/PlanText.h"
#include "projection/report/Printable.h"
#include "projection/report/TextParts.h"
#include <set>

using llvm::StringRef;

namespace busfare::projection {

std::string markdownText(StringRef text) {
  const std::string shown = printable(text);
  if (shown.find('@') != std::string::npos) // a mention is one however it is escaped, but in code
    return codeSpan(text);
  std::string escaped;
  for (char c : shown) {
    if (StringRef("\\`*_[]<>&|~#").contains(c)) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string tableCell(StringRef name) {
  std::string text;
  for (char c : codeSpan(name)) text += c == '|' ? std::string("\\|") : std::string(1, c);
  return text;
}

namespace {

/// In a table even code ends at a pipe.
/// What is written on a page without an edge, by lines.
template <class Write> std::vector<std::string> linesOf(Write write) {
  std::string text;
  llvm::raw_string_ostream os(text);
  constexpr unsigned noEdge = 1u << 20;
  Page page(os, noEdge, false);
  write(page);
  std::vector<std::string> lines;
  for (StringRef rest = text; !rest.empty();) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    if (!line.trim().empty()) lines.push_back(line.trim().str());
  }
  return lines;
}

void paragraphs(const std::vector<std::string> &lines, llvm::raw_ostream &os) {
  for (StringRef line : lines)
    if (line.consume_front("- ")) os << "- " << markdownText(line) << '\n';
    else os << markdownText(line) << "\n\n";
}

/// The lines of the first screen below one of its headings.
void writeBelow(const std::vector<std::string> &screen, StringRef heading, llvm::raw_ostream &os) {
  auto at = llvm::find(screen, heading);
  if (at == screen.end()) return;
  os << "\n**" << heading << "**\n\n";
  for (++at; at != screen.end() && StringRef(*at).starts_with("- "); ++at)
    os << "- " << markdownText(StringRef(*at).drop_front(2)) << '\n';
}

void writeTable(llvm::ArrayRef<RankedRegion> ranked, size_t most, llvm::raw_ostream &os) {
  os << "| verdict | loops | of the work | speedup | 10 to 90 % | gain |\n| --- | --- | ---: | ---: | ---: | ---: |\n";
  for (const RankedRegion &one : ranked.take_front(most)) {
    const MachineAnswer &answer = *one.answer;
    os << "| " << toString(answer.verdict) << " | " << tableCell(nameOf(one)) << " | "
       << (one.share ? formatPercent(*one.share) : "") << " | " << formatFactor(answer.speedup.with.value) << " | "
       << formatFactor(answer.speedup.with.low) << " to " << formatFactor(answer.speedup.with.high) << " | "
       << formatTime(answer.gain.value) << " |\n";
  }
  if (ranked.size() > most) os << "\nand " << formatPlural(ranked.size() - most, "more region") << "\n";
}

void writeCopies(const RegionReport &region, llvm::raw_ostream &os) {
  os << "| array | way | times | bytes | section | because |\n| --- | --- | ---: | ---: | --- | --- |\n";
  for (const ArrayReport &array : region.arrays)
    for (const auto &[way, direction] : {std::pair("in", &array.h2d), {"out", &array.d2h}})
      if (*direction)
        for (const CrossingReport &crossing : (*direction)->crossings) {
          const std::string place = crossing.because.isKnown() ? "line " + std::to_string(crossing.because.line) : "";
          const std::string cause = spokenCause(crossing, StringRef(way) == "in", place);
          os << "| " << tableCell(array.name) << " | " << way << " | " << formatSize(crossing.count) << " | "
             << (crossing.exact ? "" : "at most ") << formatBytes(crossing.bytes) << " | "
             << tableCell(spokenFormula(crossing.section)) << " | "
             << markdownText(StringRef(cause).drop_while([](char c) { return c == ',' || c == ' '; })) << " |\n";
        }
}

void writeKernelTable(const MachineAnswer &answer, size_t most, llvm::raw_ostream &os) {
  os << "| kernel | launches | each | limited by | where |\n| --- | ---: | ---: | --- | --- |\n";
  for (const KernelReport &kernel : llvm::ArrayRef(answer.kernels).take_front(most))
    os << "| " << tableCell(kernel.id) << " | " << formatMean(kernel.launches) << " | " << formatTime(kernel.time)
       << " | " << markdownText(spokenLimit(kernel.limitedBy)) << " | " << (kernel.staysOnHost ? "host" : "device")
       << " |\n";
  if (answer.kernels.size() > most) os << "\nand " << formatPlural(answer.kernels.size() - most, "more kernel") << "\n";
}

/// The lines that a port of the region changes or adds to.
void writeLines(const RegionReport &region, const MachineAnswer &answer, llvm::raw_ostream &os) {
  std::set<std::pair<std::string, unsigned>> lines;
  for (const KernelReport &kernel : answer.kernels)
    if (!kernel.staysOnHost) lines.emplace(kernel.location.file.str(), kernel.location.line);
  for (const ArrayReport &array : region.arrays)
    for (const std::optional<DirectionReport> *direction : {&array.h2d, &array.d2h})
      if (*direction)
        for (const CrossingReport &crossing : (*direction)->crossings)
          if (crossing.at.isKnown()) lines.emplace(crossing.at.file.str(), crossing.at.line);
  os << "\nLines that a port changes, kernels and copies: ";
  constexpr size_t most = 40;
  size_t count = 0;
  for (const auto &[file, line] : lines)
    if (count++ < most) os << (count > 1 ? ", " : "") << codeSpan(file + ":" + std::to_string(line));
  os << (lines.size() > most ? " and " + std::to_string(lines.size() - most) + " more" : "") << ".\n\n";
}

/// A path from letters, digits, dots and dashes needs no escaping in a link.
void writePlots(llvm::ArrayRef<PlotLink> plots, llvm::raw_ostream &os) {
  for (const PlotLink &plot : plots) os << "![" << markdownText(plot.title) << "](" << plot.path << ")\n\n";
}

void writeOne(const RankedRegion &one, StringRef machine, bool inFull, llvm::ArrayRef<PlotLink> plots,
              llvm::raw_ostream &os) {
  const RegionReport &region = *one.region;
  const MachineAnswer &answer = *one.answer;
  constexpr size_t few = 12;
  paragraphs(linesOf([&](Page &page) { writeAnswerFirst(region, machine, answer, false, page); }), os);
  if (inFull) paragraphs(linesOf([&](Page &page) { writePlan(region, answer, page); }), os);
  writePlots(plots, os);
  writeCopies(region, os);
  os << '\n';
  writeKernelTable(answer, inFull ? answer.kernels.size() : few, os);
  if (inFull) writeLines(region, answer, os);
  const std::vector<std::string> assumptions = spokenAssumptions(region.assumptions);
  if (!assumptions.empty()) os << "\nIt assumes:\n\n";
  for (const std::string &assumption : assumptions) os << "- " << markdownText(assumption) << '\n';
}

const char *const method = R"(## Method

Sections of arrays are bounded regular sections (Havlak and Kennedy, 1991) of each loop nest; what crosses the bus follows from what the
device reads before it writes it, and what is read afterwards. Transfers are linear in their bytes, or lie between measured points
(GROPHECY++: Boyer, Meng, Kumaran, 2013); how copies and kernels overlap is by van Werkhoven, Maassen, Seinstra and Bal (2014) and CoCoPeLia
(Anastasiadis et al., 2021). Kernels and the host have roofline models over footprints of the same sections. Speedups are intervals from the
10th to the 90th percentile of the models' errors; a verdict is for what a process gains, start-up included.
)";

} // namespace

void writeMarkdown(const Report &report, bool inFull, const PlotLinks &plots, llvm::raw_ostream &os) {
  const std::vector<RankedRegion> ranked = rankRegions(report);
  const std::vector<std::string> screen = linesOf([&](Page &page) { writeFirstScreen(report, ranked, 0, page); });
  const StringRef machine = report.machines.empty() ? StringRef() : StringRef(report.machines.front().name);
  os << (inFull ? "# Proposal: loops for a GPU\n\n" : "## busfare\n\n");
  os << "**"
     << markdownText(ranked.empty()   ? emptyStatement(report)
                     : screen.empty() ? ""
                                      : screen.front())
     << "**\n\n";
  if (ranked.empty()) return;
  constexpr size_t mostRows = 12;
  writeTable(ranked, inFull ? ranked.size() : mostRows, os);
  writeBelow(screen, "What it rests on", os);
  writeBelow(screen, "What would change it", os);
  os << '\n';
  for (const RankedRegion &one : llvm::ArrayRef(ranked).take_front(inFull ? ranked.size() : mostRows)) {
    if (inFull) os << "## " << codeSpan(nameOf(one)) << "\n\n";
    else // a blank line, so that what is inside is Markdown
      os << "<details><summary><code>" << xmlText(nameOf(one)) << "</code></summary>\n\n";
    const auto drawn = plots.find(one.region->id);
    writeOne(one, machine, inFull, drawn == plots.end() ? llvm::ArrayRef<PlotLink>() : llvm::ArrayRef(drawn->second),
             os);
    os << (inFull ? "\n" : "\n</details>\n");
  }
  if (!inFull) return;
  os << "## What was looked at\n\n";
  paragraphs(linesOf([&](Page &page) { writeCoverage(report.coverage, page); }), os);
  os << method;
}

} // namespace busfare::projection
