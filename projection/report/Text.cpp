//===- projection/report/Text.cpp - The report that people read -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The first screen (FirstScreen.h): what to do, what it rests on, what would change it. Then,
// of the only region, of --top N, or of all with --details, in the order of a reader's questions: does it pay, and from
// when on (Statements.cpp); what crosses; which kernels; where the time goes; what would change the answer; what stays
// on the host and why; what was assumed; what next; and what was not looked at. 80 columns, ASCII.
//
//===----------------------------------------------------------------------===//

#include "projection/report/CallWriters.h"
#include "projection/report/CommandLines.h"
#include "projection/report/Figures.h"
#include "projection/report/FirstScreen.h"
#include "projection/report/FormulaText.h"
#include "projection/report/KernelText.h"
#include "projection/report/LongLists.h"
#include "projection/report/LoopText.h"
#include "projection/report/NestText.h"
#include "projection/report/Page.h"
#include "projection/report/PlanText.h"
#include "projection/report/TextParts.h"
#include "projection/report/Writers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <cmath>
#include <set>

using llvm::StringRef;

namespace busfare::projection {

using skeleton::toString;

/// A place within the region's own file is its line; elsewhere the whole place.
static std::string shortPlace(const skeleton::Location &location, StringRef file) {
  if (!location.isKnown()) return "";
  if (location.file.empty() || location.file.str() == file) return "line " + std::to_string(location.line);
  return shortFile(location.file.str(), file) + ":" + std::to_string(location.line);
}

static Colour colourOf(Verdict verdict) {
  switch (verdict) {
  case Verdict::Port: return Colour::Good;
  case Verdict::Keep: return Colour::Bad;
  case Verdict::Measure: return Colour::Unsure;
  }
  return Colour::Plain;
}

static StringRef spoken(Verdict verdict) {
  return verdict == Verdict::Port ? "PORT" : verdict == Verdict::Keep ? "KEEP ON THE HOST" : "MEASURE FIRST";
}

static std::string spoken(const Interval &interval) {
  return formatFactor(interval.value) + " (" + formatFactor(interval.low) + " to " + formatFactor(interval.high) + ")";
}

//===--- What crosses -----------------------------------------------------===//

/// Do they read the same? They may stand at different places.
static bool looksAlike(const CrossingReport &a, const CrossingReport &b) {
  return a.section == b.section && a.formula == b.formula && a.bytes == b.bytes && a.movedBytes == b.movedBytes &&
         a.count == b.count && a.copies == b.copies && a.summed == b.summed && a.exact == b.exact &&
         a.because == b.because && a.cause == b.cause && a.formulaIsBound == b.formulaIsBound;
}

/// Small parts of one array that are copied for one reason, one after the other: `fields[0]`, `fields[1]`, ... They
/// read as one.
static std::vector<CrossingReport> joinedParts(llvm::ArrayRef<CrossingReport> crossings) {
  std::vector<CrossingReport> joined;
  std::vector<size_t> parts;
  for (const CrossingReport &crossing : crossings) {
    CrossingReport alike = crossing;
    auto isPart = [&](const CrossingReport &other) {
      alike.section = other.section, alike.formula = other.formula, alike.bytes = other.bytes,
      alike.movedBytes = other.movedBytes;
      auto isNumber = [](const CrossingReport &one) {
        return StringRef(one.formula).find_first_not_of("0123456789") == StringRef::npos && one.movedBytes == one.bytes;
      };
      return isNumber(crossing) && isNumber(other) && crossing.section != other.section && looksAlike(alike, other);
    };
    if (joined.empty() || !isPart(joined.back())) {
      joined.push_back(crossing);
      parts.push_back(1);
      continue;
    }
    CrossingReport &whole = joined.back();
    constexpr size_t mostParts = 3;
    if (++parts.back() <= mostParts) whole.section += " u " + crossing.section;
    else if (parts.back() == mostParts + 1) whole.section += " u ...";
    whole.bytes += crossing.bytes;
    whole.movedBytes += crossing.movedBytes;
    whole.formula = std::to_string(whole.bytes);
  }
  return joined;
}

static void crossingRows(Table &table, const ArrayReport &array, StringRef direction, const DirectionReport &all,
                         StringRef file) {
  const std::vector<CrossingReport> crossings = joinedParts(all.crossings);
  for (size_t i = 0; i < crossings.size(); ++i) {
    const CrossingReport &crossing = crossings[i];
    auto isLike = [&](const CrossingReport &other) { return looksAlike(crossing, other); };
    if (llvm::any_of(llvm::ArrayRef(crossings).take_front(i), isLike)) continue;
    size_t alike = llvm::count_if(crossings, isLike);
    std::string formula = spokenSize(crossing, array.elementBytes);
    const bool isSum = crossing.summed > 1; // each time another size
    table.row({array.name, direction.str(), formatSize(alike * (isSum ? crossing.summed : crossing.count)) + "x",
               (isSum ? "sum " : "") + StringRef(crossing.exact || crossing.count == 0 ? "" : "<= ").str() +
                   formatBytes(crossing.bytes),
               spokenFormula(crossing.section)});
    if (crossing.count == 0) {
      table.note("in no iteration, at these sizes or in the run of the profile" +
                 spokenCause(crossing, direction == "h2d", shortPlace(crossing.because, file)));
      continue;
    }
    bool isNumber = StringRef(crossing.formula).find_first_not_of("0123456789") == StringRef::npos;
    std::string note = crossing.exact ? "" : "at most ";
    note += isNumber || crossing.formulaIsBound ? "" : formula + (isSum ? ", in all " : " = ");
    note += formatExact(crossing.bytes) + " bytes";
    if (crossing.formulaIsBound) // what boxes share is counted by it more than once
      note += ", below " + formula;
    note += spokenCause(crossing, direction == "h2d", shortPlace(crossing.because, file));
    if (alike > 1) note += ", at " + std::to_string(alike) + " places";
    if (crossing.movedBytes != crossing.bytes)
      note +=
          "; the copy moves " + formatBytes(crossing.movedBytes) + " (" + formatExact(crossing.movedBytes) + " bytes)";
    if (crossing.copies > crossing.summed)
      note += (crossing.cause == brs::Cause::Read || crossing.movedBytes != crossing.bytes ? " in " : "; in ") +
              formatSize(crossing.copies) + " copies";
    table.note(note);
  }
}

constexpr size_t manyArrays = 12;

static uint64_t moved(const std::optional<DirectionReport> &direction) {
  return direction ? direction->movedBytes * direction->count : 0;
}
static uint64_t moved(const ArrayReport &array) { return moved(array.h2d) + moved(array.d2h); }

/// In the report's order; where there are many, those that move most first.
static std::vector<const ArrayReport *> inOrder(const std::vector<ArrayReport> &arrays) {
  std::vector<const ArrayReport *> order;
  for (const ArrayReport &array : arrays) order.push_back(&array);
  if (arrays.size() > manyArrays)
    llvm::stable_sort(order, [&](const ArrayReport *a, const ArrayReport *b) { return moved(*a) > moved(*b); });
  return order;
}

static void writeCrossings(const RegionReport &region, const MachineAnswer &answer, Page &page) {
  page.heading(region.arrays.size() > manyArrays ? "What crosses the bus, most bytes first" : "What crosses the bus");
  Table table({{"array"}, {"way"}, {"times", Align::Right}, {"bytes", Align::Right}, {"section (bounds inclusive)"}});
  std::vector<std::string> temporaries, little;
  for (const ArrayReport *one : inOrder(region.arrays)) {
    const ArrayReport &array = *one;
    // Of many arrays those that hardly move anything are named together.
    constexpr uint64_t ofAll = 1000;
    if (region.arrays.size() > manyArrays && moved(array) > 0 &&
        moved(array) < (region.h2dBytes + region.d2hBytes) / ofAll) {
      little.push_back(array.name + " (" + (array.h2d ? formatBytes(moved(array.h2d)) + " in" : "") +
                       (array.h2d && array.d2h ? ", " : "") +
                       (array.d2h ? formatBytes(moved(array.d2h)) + " back" : "") + ")");
      continue;
    }
    if (array.h2d) crossingRows(table, array, "h2d", *array.h2d, region.location.file);
    if (array.d2h) crossingRows(table, array, "d2h", *array.d2h, region.location.file);
    if (array.temporary) temporaries.push_back(array.name);
  }
  if (table.empty()) page.paragraph("No array crosses.", 2, 2);
  else page.table(table);
  if (!little.empty()) page.paragraph("And little of: " + llvm::join(little, ", ") + ".", 2, 4);
  auto both = [](uint64_t bytes) {
    return formatBytes(bytes) + (bytes < 1024 ? "" : " (" + formatExact(bytes) + " bytes)");
  };
  page.paragraph("In all: h2d " + both(region.h2dBytes) + ", d2h " + both(region.d2hBytes) +
                     "; the device holds at most " + formatBytes(region.deviceBytes) +
                     (answer.fits ? "." : ", which does not fit."),
                 2, 4);
  if (auto plan = llvm::find_if(answer.mixes, [](const MixReport &mix) { return mix.isPlan; });
      plan != answer.mixes.end()) {
    uint64_t in = 0, out = 0;
    for (const MovedBytes &array : plan->arrays) in += array.h2d, out += array.d2h;
    const std::string division =
        plan->kind == "kernels-on-host"
            ? "That is with every kernel on the device. The plan keeps " + std::to_string(plan->places.size()) +
                  " of " + formatPlural(answer.kernels.size(), "kernel") + " on the host"
            : "That is with every statement between kernels on the host. In the plan one thread of the device does " +
                  std::to_string(plan->places.size()) + " of them";
    page.paragraph(division + ", and moves h2d " + both(in) + ", d2h " + both(out) + ".", 2, 4);
  }
  if (!temporaries.empty()) page.paragraph("Never cross (temporary): " + llvm::join(temporaries, ", ") + ".", 2, 4);
  if (!region.scalars.empty()) {
    std::vector<std::string> names;
    for (const ScalarReport &scalar : region.scalars) {
      std::string name = spelled(scalar.name).str() + (scalar.direction == "h2d"   ? ""
                                                       : scalar.direction == "d2h" ? " (comes back)"
                                                                                   : " (in and back)");
      if (!llvm::is_contained(names, name)) names.push_back(name);
    }
    page.paragraph("Scalars, as kernel arguments: " + llvm::join(names, ", ") + ".", 2, 4);
  }
  page.line();
}

//===--- Kernels and times ------------------------------------------------===//

/// A line of at most `room` marks, one at least for anything above zero; `>` ends one that is cut off.
static std::string bar(double value, double longest, size_t room) {
  if (!(value > 0) || !(longest > 0) || !std::isfinite(value)) return "";
  if (value > longest) return std::string(room, '#') + " >";
  return std::string(std::max<size_t>(1, size_t(std::lround(value / longest * double(room)))), '#');
}

static void writeTimes(const MachineAnswer &answer, Page &page) {
  const TimeReport &time = answer.time;
  page.heading("Where the time goes");
  std::string written = "host, as written, " + formatPlural(time.threads, "thread");
  std::string all = "host, same loops on " + (time.cores ? "its " + formatPlural(time.cores, "core") : "all its cores");
  std::vector<std::pair<std::string, double>> lines = {{written, time.cpu}};
  if (time.cpuAllCores > 0 && time.cpuAllCores != time.cpu) lines.push_back({all, time.cpuAllCores});
  lines.insert(lines.end(), {{"GPU, kernels", time.kernel}, {"GPU, h2d", time.h2d}, {"GPU, d2h", time.d2h}});
  if (time.host > time.total / 1000) lines.push_back({"GPU, host code in between", time.host});
  lines.push_back({answer.plan.strategy == "explicit" ? "GPU, total" : "GPU, total, overlapped", time.total});
  // One slow host thread would shrink everything else to a mark: its bar is cut off instead.
  std::vector<double> sorted;
  for (const auto &[label, value] : lines) sorted.push_back(std::isfinite(value) ? value : 0);
  llvm::sort(sorted);
  double longest = std::min(sorted.back(), 4 * sorted[sorted.size() - 2]);
  Table table({{""}, {"", Align::Right}, {""}});
  for (const auto &[label, value] : lines) table.row({label, formatTime(value), bar(value, longest, 28)});
  if (time.startup > 0)
    table.row({"GPU, start-up, once", formatTime(time.startup),
               answer.runs ? "counted in the gain and the verdict" : "paid by enough calls"});
  page.table(table);
  std::string notes;
  if (time.cpuMeasured) notes = "The host time was given, not modelled.";
  else if (!time.cpuLimitedBy.empty())
    notes = "The host is limited by " +
            (time.cpuLimitedBy == "dram" ? "memory bandwidth" : spokenLimit(time.cpuLimitedBy).str()) + ".";
  if (!notes.empty()) page.paragraph(notes, 2, 2);
  page.line();
}

//===--- One region -------------------------------------------------------===//

void writeAnswerFirst(const RegionReport &region, StringRef machine, const MachineAnswer &answer, bool isSaid,
                      Page &page) {
  if (!isSaid) page.paragraph(breakEvenStatement(region, answer));
  std::string figures = formatFactor(answer.speedup.with.value) + " on " + machine.str() + ", transfers included (" +
                        formatFactor(answer.speedup.with.low) + " to " + formatFactor(answer.speedup.with.high) +
                        ", 10th to 90th percentile).";
  if (!answer.why.empty()) figures += " " + sentence(answer.why);
  page.paragraph(figures, 0, 0, spoken(answer.verdict).str() + ":", colourOf(answer.verdict));
  page.paragraph((answer.time.host > 0 ? "Kernels and what stays on the host, without transfers: "
                                       : "Kernels alone, without transfers: ") +
                 formatFactor(answer.speedup.kernelOnly) +
                 ". Against the code as written: " + formatFactor(answer.speedup.asWritten) + ".");
  if (!answer.flip.empty()) page.paragraph(sentence(answer.flip), 0, 0, "What would change this:", Colour::Bold);
  page.line();
}

static void writeOtherMachines(const RegionReport &region, StringRef commonHost, Page &page) {
  if (region.on.size() < 2 && commonHost.empty()) return;
  page.heading("On each machine");
  std::vector<Table::Column> columns{{"machine"},
                                     {"verdict"},
                                     {"its host", Align::Right},
                                     {"GPU", Align::Right},
                                     {"gain", Align::Right},
                                     {"speedup", Align::Right}};
  if (!commonHost.empty()) columns.push_back({"common", Align::Right});
  Table table(columns);
  for (const auto &[name, answer] : region.on) {
    const double host =
        answer.time.cpuAllCores > 0 ? std::min(answer.time.cpu, answer.time.cpuAllCores) : answer.time.cpu;
    std::vector<std::string> cells{name,
                                   toString(answer.verdict).str(),
                                   formatTime(host),
                                   formatTime(answer.time.total),
                                   formatTime(answer.gain.value),
                                   formatFactor(answer.speedup.with.value)};
    if (!commonHost.empty())
      cells.push_back(answer.time.total > 0 ? formatFactor(region.commonBaseline / answer.time.total) : "");
    table.row(std::move(cells));
  }
  page.table(table);
  if (!commonHost.empty())
    page.paragraph("common: against one host, that of " + commonHost.str() + ", which takes " +
                       formatTime(region.commonBaseline) + "; speedup: against each machine's own.",
                   2, 2);
  page.line();
}

static void writeParameters(const RegionReport &region, Page &page) {
  if (region.parameters.empty() && region.assumptions.empty()) return;
  page.heading("Sizes and assumptions");
  // The most trusted first; those that are taken to be the same for the same reason in one paragraph.
  std::map<std::pair<ParameterSource, int64_t>, std::vector<std::string>> alike;
  for (const auto &[name, value] : region.parameters) alike[{value.source, value.value}].push_back(name);
  for (const auto &[how, names] : alike)
    page.paragraph(spokenNames(names, "`busfare sizes`"), 2, 4,
                   std::to_string(how.second) + " (" + toString(how.first).str() + "):");
  for (const std::string &assumption : spokenAssumptions(region.assumptions)) {
    // A size that is assumed stands among the sizes already.
    StringRef name = StringRef(assumption).split(" = ").first;
    if (StringRef(assumption).ends_with(" assumed") && region.parameters.count(name.str())) continue;
    page.paragraph("- " + assumption, 2, 4);
  }
  page.line();
}

static void writeRegion(const RankedRegion &ranked, StringRef commonHost, bool isSaid, Page &page) {
  const RegionReport &region = *ranked.region;
  // Named after what does most in it; it begins where its id says.
  const bool isHottestFirst = ranked.hottest == region.location;
  page.title("Region " + (isHottestFirst ? region.id : nameOf(ranked)));
  if (!isHottestFirst)
    page.paragraph("It begins at line " + std::to_string(region.location.line) + " of " + region.location.file.str() +
                   "; its id is " + region.id + ".");
  const std::string file = region.location.file.str(), folder = llvm::sys::path::parent_path(file).str();
  const bool areElsewhere =
      !region.on.empty() && llvm::any_of(region.on.front().second.kernels, [&](const KernelReport &kernel) {
        return kernel.location.file.str() != file;
      });
  if (!folder.empty() && folder != "." && areElsewhere)
    page.paragraph("Files named without a folder are in " + folder + ".");
  if (!region.on.empty()) writeAnswerFirst(region, region.on.front().first, region.on.front().second, isSaid, page);
  static const MachineAnswer none;
  const MachineAnswer &answer = region.on.empty() ? none : region.on.front().second;
  writeCrossings(region, answer, page);
  writeKernels(region, answer, page);
  if (!region.on.empty()) {
    writeTimes(answer, page);
    writePlan(region, answer, page);
  }
  writeOtherMachines(region, commonHost, page);
  if (!region.hostStatements.empty()) {
    page.heading("On the host, between the kernels");
    for (const std::string &statement : spokenStatements(region.hostStatements)) page.paragraph("- " + statement, 2, 4);
    page.line();
  }
  writeParameters(region, page);
}

//===--- The whole program ------------------------------------------------===//

/// Outermost loops of their functions with no parallel loop in or around them.
static std::vector<const LoopReport *> serialNests(const std::vector<LoopReport> &loops) {
  std::vector<const LoopReport *> result;
  for (const LoopReport &loop : loops)
    if (loop.depth == 0 && !loop.parallel && !loop.holdsParallel && !loop.insideParallel) result.push_back(&loop);
  return result;
}

static void writeSerialNests(const Report &report, Page &page) {
  std::vector<const LoopReport *> nests = serialNests(report.loops);
  if (nests.empty()) return;
  page.heading("Nests that stay on the host");
  for (const LoopReport *loop : nests) {
    std::string what = loop->index.empty() ? "" : " (over " + spelled(loop->index).str() + ")";
    page.paragraph(toString(loop->location) + what + ": " + (loop->reason.empty() ? "not parallel" : loop->reason), 2,
                   4);
    for (const DependenceReport &dependence : loop->dependences) {
      // The reason usually is the first dependence's example already.
      if (!dependence.example.empty() && !StringRef(loop->reason).contains(dependence.example))
        page.paragraph(dependence.kind + " dependence on " + dependence.array + ": " + dependence.example, 6, 8);
      break;
    }
  }
  page.line();
}

/// "lines 137 and 159", or with their files.
static std::string spoken(const std::vector<skeleton::Location> &places) {
  const bool oneFile =
      llvm::all_of(places, [&](const skeleton::Location &place) { return place.file == places.front().file; });
  std::vector<std::string> words;
  for (const skeleton::Location &place : places)
    words.push_back(oneFile ? std::to_string(place.line) : place.file.str() + ":" + std::to_string(place.line));
  constexpr size_t most = 6;
  const size_t others = words.size() > most ? words.size() - most : 0;
  words.resize(words.size() - others);
  std::string last = others ? std::to_string(others) + " more" : words.back();
  if (!others) words.pop_back();
  return (oneFile ? std::string(places.size() > 1 ? "lines " : "line ") : "") + llvm::join(words, ", ") +
         (words.empty() ? "" : " and ") + last + (oneFile ? " of " + places.front().file.str() : "");
}

/// What a root's regions would be, in a line each.
static void writeSupposed(const std::vector<RegionReport> &regions, Page &page) {
  if (regions.empty()) page.paragraph("there would be no region worth a plan.", 2, 4);
  for (const RegionReport &region : regions) {
    if (region.on.empty()) continue;
    const MachineAnswer &answer = region.on.front().second;
    page.paragraph(region.id + ": " + spoken(answer.verdict).str() + ", " + spoken(answer.speedup.with) + "; " +
                       std::to_string(answer.kernels.size()) + (answer.kernels.size() == 1 ? " kernel" : " kernels") +
                       ", in " + formatBytes(region.h2dBytes) + ", out " + formatBytes(region.d2hBytes) + ".",
                   2, 4);
  }
  page.line();
}

static void writeDistinct(const Report &report, Page &page) {
  for (const DistinctReport &one : report.distinct) {
    page.heading("If the pointers are distinct");
    page.paragraph("Where these lead is not known: " + spokenNames(one.pointers, "--format json") +
                   ". Did each lead to memory of its own, from " + one.root + ":");
    writeSupposed(one.regions, page);
  }
}

static void writeBelieved(const Report &report, Page &page) {
  for (const BelievedReport &one : report.believed) {
    page.heading("If the directives hold");
    page.paragraph(
        "OpenMP says of the " + std::string(one.directives.size() > 1 ? "loops" : "loop") + " at " +
        spoken(one.directives) +
        " that iterations are independent, which is neither proved nor refuted. Were it believed (--trust-directives):");
    writeSupposed(one.regions, page);
  }
}

/// `BF007 (2), BF012`
static std::string rulesOf(const std::vector<skeleton::Finding> &findings) {
  std::map<skeleton::Rule, unsigned> counts;
  for (const skeleton::Finding &finding : findings) ++counts[finding.rule];
  std::string text;
  for (const auto &[rule, count] : counts)
    text += (text.empty() ? "" : ", ") + skeleton::ruleId(rule).str() +
            (count > 1 ? " (" + std::to_string(count) + ")" : "");
  return text;
}

/// All of a few findings; of many the first three of each rule, a dozen warnings, and how many more there are.
static void writeFindings(const std::vector<skeleton::Finding> &findings,
                          const std::vector<skeleton::Finding> &suppressed, Page &page) {
  if (findings.empty() && suppressed.empty()) return;
  page.heading("Findings");
  bool many = findings.size() > 24;
  std::map<std::pair<skeleton::Rule, bool>, unsigned> shown;
  std::map<skeleton::Rule, unsigned> hidden;
  for (const skeleton::Finding &finding : findings) {
    bool isWarning = finding.level >= skeleton::Level::Warning;
    unsigned &already = shown[{finding.rule, isWarning}];
    if (many && already == (isWarning ? 12 : 3)) {
      ++hidden[finding.rule];
      continue;
    }
    ++already;
    page.paragraph(toString(finding), 0, 4);
  }
  for (const auto &[rule, number] : hidden)
    page.paragraph("... and " + std::to_string(number) + " more of " + skeleton::ruleId(rule).str() + " (" +
                       skeleton::ruleTitle(rule).str() + "); --format json lists all",
                   0, 4);
  if (!suppressed.empty())
    page.paragraph(formatPlural(suppressed.size(), "finding") + " suppressed by hints: " + rulesOf(suppressed), 0, 4);
  page.line();
}

void writeCoverage(const CoverageReport &coverage, Page &page) {
  page.heading("Coverage");
  if (coverage.functionsLeftOut)
    page.paragraph(formatPlural(coverage.functionsLeftOut, "function") +
                       " left out, by a mistake of busfare's: calls of " +
                       (coverage.functionsLeftOut == 1 ? "it" : "them") +
                       " may do anything, and nothing is said of what is inside.",
                   2, 2);
  std::string text = formatPlural(coverage.files, "file");
  if (coverage.failedFiles) text += " (" + std::to_string(coverage.failedFiles) + " could not be parsed)";
  text += ", " + formatPlural(coverage.functions, "function") + ", " + formatPlural(coverage.loops, "loop");
  if (coverage.loops)
    text +=
        ": a verdict for " + (coverage.loopsWithVerdict >= coverage.loops ? std::string("every loop")
                                                                          : std::to_string(coverage.loopsWithVerdict));
  if (coverage.outermostNests)
    text += "; exact sections for " + std::to_string(coverage.nestsExact) + " of " +
            formatPlural(coverage.outermostNests, "outermost nest") +
            (coverage.nestsTight > coverage.nestsExact
                 ? " (" + std::to_string(coverage.nestsTight) + " but for what data decide)"
                 : std::string()) +
            ", known bounds for " + std::to_string(coverage.nestsBounded);
  if (coverage.nestsWithHostCode) text += "; I/O or opaque calls in " + std::to_string(coverage.nestsWithHostCode);
  page.paragraph(text + ".", 2, 2);
  if (!coverage.programsFrom.empty()) page.paragraph("Programs: " + coverage.programsFrom + ".", 2, 2);
  if (coverage.notAnalysed.empty()) page.paragraph("Nothing was left out.", 2, 2);
  else page.paragraph("Not analysed:", 2, 2);
  constexpr size_t most = 10;
  for (const auto &[what, why] : llvm::ArrayRef(coverage.notAnalysed).take_front(most))
    page.paragraph("- " + what + ": " + why, 2, 4);
  if (coverage.notAnalysed.size() > most)
    page.paragraph("- and " + std::to_string(coverage.notAnalysed.size() - most) + " more; --format json lists all", 2,
                   4);
  if (coverage.suggestions.empty()) return;
  page.paragraph("What would help most:", 2, 2);
  for (const std::string &suggestion : coverage.suggestions) page.paragraph("- " + suggestion, 2, 4);
}

std::string emptyStatement(const Report &report) {
  std::string in = formatPlural(report.coverage.files, "file");
  if (report.coverage.loops == 0 && report.loops.empty()) return "No loops in " + in + ": nothing to move to a GPU.";
  if (!report.nests.empty())
    return llvm::any_of(report.nests, [](const NestAnswer &nest) { return nest.in == "alone"; })
               ? "No region: no root's plan has a kernel; what its functions have alone stands above."
               : "No region: the parallel loops stay on the host, for the reasons above.";
  if (report.program.isMostlyUnpriced)
    return "No region: what may have one could not be analysed, for the reasons above.";
  bool anyParallel = llvm::any_of(report.loops, [](const LoopReport &loop) { return loop.parallel; });
  return "No region: " +
         std::string(anyParallel ? "no parallel loop is reached that a GPU can run and that does more than copy."
                                 : "no loop is parallel, so there is no kernel.");
}

void writeText(const Report &report, llvm::raw_ostream &os, const TextStyle &style) {
  Page page(os, style.width, style.colour);
  std::vector<std::string> machines;
  for (const MachineReport &machine : report.machines)
    machines.push_back(machine.description.empty() ? machine.name : machine.name + " (" + machine.description + ")");
  page.paragraph("busfare " + report.version + (machines.empty() ? "" : ", for " + llvm::join(machines, " and ")), 0,
                 2);
  page.line();

  const std::vector<RankedRegion> ranked = rankRegions(report);
  if (report.program.isMostlyUnpriced) {
    writeMissing(report, page);
    writeUnpriced(report, page);
  }
  writeFirstScreen(report, ranked, style.details ? ranked.size() : style.top, page);
  if (style.details) writeNests(report, page);
  size_t detailed = style.details ? ranked.size() : style.top ? style.top : ranked.size() == 1;
  std::vector<RankedRegion> order(ranked.begin(), ranked.begin() + std::min(detailed, ranked.size()));
  if (style.details) // as the source has them
    llvm::stable_sort(order, [](const RankedRegion &a, const RankedRegion &b) { return a.region < b.region; });
  for (const RankedRegion &one : order) writeRegion(one, report.commonHost, !style.details && ranked.size() == 1, page);
  page.title(report.regions.empty()   ? emptyStatement(report)
             : programsOf(report) > 1 ? "The whole programs"
                                      : "The whole program");
  if (!report.regions.empty()) writePrograms(report, page);
  page.line();
  if (style.details || report.programs.size() <= 1) {
    writeBelieved(report, page);
    writeDistinct(report, page);
    writeMessages(report.messages, page);
    writeLibraryCalls(report.libraryCalls, page);
  }
  if (style.details || ranked.size() <= 1) writeSerialNests(report, page);
  if (style.details) writeFindings(report.findings, report.suppressed, page);
  else writeFindingCounts(report, page);
  if (!report.nextCommands.empty()) {
    page.heading("Next");
    for (const std::string &line : commandLines(report.nextCommands, report.sources)) os << "  " << line << '\n';
    page.line();
  }
  writeCoverage(report.coverage, page);
}

void writeBrief(const Report &report, llvm::raw_ostream &os) {
  for (const RegionReport &region : report.regions) {
    if (region.on.empty()) continue;
    for (const auto &[machine, answer] : region.on)
      os << toString(region.location) << ": remark: " << region.function << ": " << toString(answer.verdict)
         << (answer.verdict == Verdict::Measure ? " first" : "") << ", " << spoken(answer.speedup.with) << " on "
         << machine << ". " << breakEvenStatement(region, answer) << '\n';
  }
}

//===--- loops and sections -----------------------------------------------===//

void writeLoopsText(const Report &report, llvm::raw_ostream &os, const TextStyle &style) {
  Page page(os, style.width, style.colour);
  if (report.loops.empty()) page.paragraph("No loops in " + formatPlural(report.coverage.files, "file") + ".");
  std::set<std::string> files;
  for (const LoopReport &loop : report.loops) files.insert(loop.location.file);
  for (size_t i = 0; i < report.loops.size();) {
    const std::string &function = report.loops[i].function, &file = report.loops[i].location.file;
    page.heading(function + (file.empty() ? "" : " (" + file + ")"));
    Table table({{"line", Align::Right}, {"loop"}, {"parallel"}, {"needs, or why not"}});
    for (; i < report.loops.size() && report.loops[i].function == function && report.loops[i].location.file == file;
         ++i) {
      const LoopReport &loop = report.loops[i];
      std::string what = treatment(loop);
      if (what.empty() || !loop.parallel) what = loop.reason;
      // Indented by dots, as the table's cells are wrapped at blanks.
      table.row({std::to_string(loop.location.line),
                 std::string(2 * loop.depth, '.') + (loop.index.empty() ? "loop" : spelled(loop.index).str()),
                 loop.parallel ? "yes" : "no", what});
    }
    page.table(table);
    page.line();
  }
  writeFindings(report.findings, report.suppressed, page);
  writeCoverage(report.coverage, page);
}

/// The variable of a substituted callee, `checksum@79:sum`, as that function spells it.
static StringRef withoutCalls(StringRef name) { return name.contains('@') ? name.rsplit(':').second : name; }

static std::string certainty(const SectionLine &section) {
  return section.exact ? "exact" : section.access == "must-write" ? "at least" : "at most";
}

void writeSectionsText(const SectionsReport &report, llvm::raw_ostream &os, const TextStyle &style) {
  Page page(os, style.width, style.colour);
  if (report.sections.empty()) page.paragraph("No array is touched by a loop nest.");
  for (size_t i = 0; i < report.sections.size();) {
    const SectionLine &first = report.sections[i];
    bool isFunction = first.scope == "function";
    page.heading((isFunction ? "function " : "nest in ") + first.function +
                 (first.location.isKnown() ? " at " + toString(first.location) : ""));
    // Accesses of one array that share a section share a row: read, live-in.
    std::vector<std::vector<std::string>> rows;
    for (; i < report.sections.size() && report.sections[i].function == first.function &&
           report.sections[i].location == first.location && report.sections[i].scope == first.scope;
         ++i) {
      const SectionLine &line = report.sections[i];
      std::vector<std::string> row = {withoutCalls(line.array).str(), line.access, certainty(line),
                                      line.section == "[]" ? "(scalar)" : line.section};
      auto same = llvm::find_if(
          rows, [&](const auto &known) { return known[0] == row[0] && known[2] == row[2] && known[3] == row[3]; });
      if (same == rows.end()) rows.push_back(std::move(row));
      else (*same)[1] += ", " + line.access;
    }
    Table table({{"array"}, {"access"}, {""}, {"section (bounds inclusive)"}});
    for (std::vector<std::string> &row : rows) table.row(std::move(row));
    page.table(table);
    page.line();
  }
  writeFindings(report.findings, report.suppressed, page);
}

} // namespace busfare::projection
