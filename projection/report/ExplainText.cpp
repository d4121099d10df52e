//===- projection/report/ExplainText.cpp - One nest, for people ------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/ExplainWriters.h"
#include "projection/report/Figures.h"
#include "projection/report/FormulaText.h"
#include "projection/report/Page.h"
#include "projection/report/PlanText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using llvm::StringRef;

namespace busfare::projection {

using skeleton::toString;

static std::string lineOf(const skeleton::Location &location) {
  return location.file.str() + ":" + std::to_string(location.line);
}

/// Within the nest's file its line alone.
static std::string lineOf(const skeleton::Location &location, const skeleton::Location &nest) {
  return location.file == nest.file ? "line " + std::to_string(location.line) : lineOf(location);
}

static std::string number(double value) {
  return value >= 0 && value < 1e15 && value == std::floor(value) ? formatExact(uint64_t(value)) : formatCount(value);
}

static std::string bytes(double value) {
  std::string exact = number(value) + " B";
  return value < 1024 ? exact : exact + " (" + formatBytes(uint64_t(std::llround(value))) + ")";
}

/// "4*n*m = 8,388,608 B (8.0 MiB)"; of a formula that is a number already the number.
static std::string formulaAndBytes(StringRef formula, double value) {
  bool isNumber = formula.find_first_not_of("0123456789") == StringRef::npos;
  return (isNumber ? "" : spokenFormula(formula) + " = ") + bytes(value);
}

//===--- Where and why ------------------------------------------------------===//

static void writeHead(const ExplainedNest &nest, Page &page) {
  std::string index;
  for (const ExplainedLoop &loop : nest.loops)
    if (!loop.isAround && loop.loop.location == nest.location) index = spelled(loop.loop.index).str();
  page.title(lineOf(nest.location) + ", the loop" + (index.empty() ? "" : " over " + index) + " in " + nest.function);
  if (nest.isKernel) {
    double launches = nest.on.empty() ? 0 : nest.on.front().launch.launches;
    page.paragraph("A kernel of the region " + nest.region + ", launched " +
                   (launches == 1 ? "once" : formatMean(launches) + " times") + ".");
  } else {
    page.paragraph(sentence(nest.whyOnHost), 0, 0, "Stays on the host:", Colour::Bold);
    if (!nest.kernelsInside.empty())
      page.paragraph(
          "In it are kernels, launched once in each of its iterations: " + llvm::join(nest.kernelsInside, ", ") + ".");
  }
  if (!nest.context.empty())
    page.paragraph("Reached from " + nest.root + " by " + llvm::join(nest.context, " > ") + ".");
  else if (nest.root != nest.function) page.paragraph("Part of " + nest.root + ".");
  page.line();
}

static std::string needsOf(const LoopReport &loop) {
  std::vector<std::string> parts;
  for (const NeedReport &need : loop.needs)
    parts.push_back(need.kind + "(" + (need.op.empty() || need.op == "induction" ? "" : need.op + ": ") +
                    spelled(need.name).str() + ")");
  return llvm::join(parts, ", ");
}

static void writeLoops(const ExplainedNest &nest, Page &page) {
  page.heading("Its loops");
  Table table({{"loop"}, {"at"}, {"from .. to"}, {"trips"}, {"in all", Align::Right}, {"parallel"}});
  for (const ExplainedLoop &one : nest.loops) {
    const LoopReport &loop = one.loop;
    std::string range = one.lower + " .. " + one.upper + (one.step == 1 ? "" : " by " + std::to_string(one.step));
    table.row({loop.index.empty() ? "loop" : spelled(loop.index).str(), lineOf(loop.location, nest.location), range,
               one.trips, number(one.iterations), loop.parallel ? "yes" : "no"});
    std::string treatment = needsOf(loop);
    if (one.isAround) table.note(nest.isKernel ? "around the kernel: each iteration launches it" : "around it");
    if (loop.parallel && !treatment.empty()) table.note("after " + treatment);
    if (loop.parallel && treatment.empty() && !loop.reason.empty()) table.note(loop.reason);
    if (!loop.parallel && !loop.reason.empty()) table.note(loop.reason);
    for (const DependenceReport &dependence : loop.dependences)
      if (!loop.parallel && !dependence.example.empty() && !StringRef(loop.reason).contains(dependence.example))
        table.note(dependence.kind + " dependence on " + dependence.array + ": " + dependence.example);
  }
  page.table(table);
  std::vector<std::string> assumed;
  for (const ExplainedLoop &one : nest.loops)
    for (const std::string &assumption : one.loop.assuming)
      if (!llvm::is_contained(assumed, assumption)) assumed.push_back(assumption);
  if (!assumed.empty()) page.paragraph("Assumed for that: " + llvm::join(withPairsTogether(assumed), ", ") + ".", 2, 4);
  for (const ExplainedBranch &branch : nest.branches)
    page.paragraph("The branch at " + lineOf(branch.location, nest.location) + " is taken " +
                       formatPercent(branch.share) + " of the time" +
                       (branch.source == "assumed" ? ", which is assumed: no size decides it." : "."),
                   2, 4);
  page.line();
}

//===--- What it touches and computes ----------------------------------------===//

static void writeSections(const ExplainedNest &nest, Page &page) {
  page.heading(nest.isKernel ? "What one launch touches" : "What it touches");
  Table table({{"array"}, {"access"}, {""}, {"section (bounds inclusive)"}});
  for (const ExplainedSection &section : nest.sections) {
    table.row({section.array, section.access, section.exact ? "exact" : "at most", section.section});
    if (section.bytes) table.note(formulaAndBytes(section.formula, *section.bytes));
    else
      table.note(section.formula.empty() ? "its size is not known" : section.formula + ", of which no number is known");
  }
  if (table.empty()) page.paragraph("No array.", 2, 2);
  else page.table(table);
  page.line();
}

static void writeOperations(const ExplainedNest &nest, Page &page) {
  if (nest.operations.empty()) return;
  page.heading(nest.isKernel ? "What one launch computes" : "What it computes");
  Table table({{"operation"}, {"how many", Align::Right}, {"formula"}});
  for (const ExplainedOperation &operation : nest.operations)
    table.row({operation.name, number(operation.count),
               operation.formula.empty() ? "summed over its iterations" : operation.formula});
  page.table(table);
  page.line();
}

//===--- Times ----------------------------------------------------------------===//

/// Parameters are listed once, behind everything.
using Parameters = std::vector<TermInput>;

static void collect(const TimeTerm &term, Parameters &parameters) {
  for (const TermInput &input : term.inputs)
    if (input.kind != "counted" && llvm::none_of(parameters, [&](const TermInput &known) {
          return known.name == input.name && known.value == input.value && known.source == input.source;
        }))
      parameters.push_back(input);
}

static void writeTerms(const std::vector<TimeTerm> &terms, Page &page, Parameters &parameters) {
  Table table({{"limit"}, {"time", Align::Right}, {"= formula, in numbers"}});
  for (const TimeTerm &term : terms) {
    table.row({term.name, formatTime(term.time),
               formulaInNumbers(term) + (term.decides   ? "  <- decides"
                                         : term.isAdded ? "  (added)"
                                                        : "")});
    std::string words = spelledFormula(term);
    for (const TermInput &input : term.inputs)
      if (input.kind == "counted" && !input.source.empty() && (term.decides || term.isAdded))
        words += "; " + input.name + ": " + input.source;
    table.note(words);
    collect(term, parameters);
  }
  page.table(table);
}

static void writeKernelTime(const ExplainedOnMachine &on, Page &page, Parameters &parameters) {
  const KernelReport &launch = on.launch;
  page.heading("One launch on " + on.machine + ": " + formatTime(launch.time) + " (" + formatTime(launch.timeLow) +
               " to " + formatTime(launch.timeHigh) + ")");
  std::string text = "The launch, and the longest of what its resources need.";
  if (launch.blockThreads)
    text += " Of the ports tried the best has " + formatPlural(launch.blockThreads, "thread") + " a block along " +
            spelled(launch.threadIndex).str() + (launch.addsUp ? ", which add up" : "") +
            (launch.coalesced ? ", coalesced" : ", not coalesced") + ", " + spokenOccupancy(launch) + ".";
  if (on.terms.differs)
    text +=
        " Launches do different amounts of work: the terms are those of one that stands for the most of them, the time above is the mean.";
  page.paragraph(text, 2, 2);
  writeTerms(on.terms.kernel, page, parameters);
  page.line();
}

static void writeCpuTime(const ExplainedOnMachine &on, const TimeReport *time, Page &page, Parameters &parameters) {
  double launches = on.launch.launches;
  page.heading("The same on the host: " + formatTime(launches > 0 ? on.terms.cpuTime / launches : 0) + " as written");
  if (time && time->cpuMeasured)
    page.paragraph("The region's host time was given (" + formatTime(time->cpu) + "), so this model decides nothing.",
                   2, 2);
  page.paragraph("The longest of these, a launch's worth of work" +
                     std::string(time ? ", on " + formatPlural(time->threads, "thread") : "") + ":",
                 2, 2);
  writeTerms(on.terms.cpu, page, parameters);
  if (on.terms.allCoresTime != on.terms.cpuTime && launches > 0) {
    page.paragraph("On all cores, " + formatTime(on.terms.allCoresTime / launches) + ":", 2, 2);
    writeTerms(on.terms.allCores, page, parameters);
  }
  page.line();
}

static void writeCopies(const ExplainedNest &nest, const ExplainedOnMachine &on, Page &page, Parameters &parameters) {
  page.heading("What crosses the bus for it, on " + on.machine);
  Table table({{"array"}, {"way"}, {"times", Align::Right}, {"takes", Align::Right}, {"section (bounds inclusive)"}});
  for (const ExplainedCopy &copy : on.copies) {
    const CrossingReport &crossing = copy.crossing;
    table.row({copy.array, copy.direction, formatSize(crossing.count) + "x", formatTime(copy.time.time),
               spokenFormula(crossing.section)});
    std::string note =
        (crossing.exact ? "" : "at most ") +
        (crossing.formulaIsBound ? bytes(double(crossing.bytes)) + ", below " + spokenFormula(crossing.formula)
                                 : formulaAndBytes(crossing.formula, double(crossing.bytes)));
    note += spokenCause(crossing, copy.direction == "h2d",
                        crossing.because.isKnown() ? lineOf(crossing.because, nest.location) : "");
    if (crossing.at.isKnown()) note += "; copied at " + lineOf(crossing.at, nest.location);
    table.note(note);
    table.note("time = " + formulaInNumbers(copy.time) + ", which is " + spelledFormula(copy.time));
    collect(copy.time, parameters);
  }
  if (table.empty()) page.paragraph("Nothing: its arrays are made, used and left on the device by the region.", 2, 2);
  else page.table(table);
  page.line();
}

static void writeParameters(const Parameters &parameters, Page &page) {
  if (parameters.empty()) return;
  page.heading("Numbers of the machines");
  Table table({{"number"}, {"value", Align::Right}, {"kind"}});
  for (const TermInput &input : parameters) {
    table.row({input.name, formatInput(input), input.kind});
    if (!input.source.empty()) table.note(input.source);
  }
  page.table(table);
  page.line();
}

//===--- The region -------------------------------------------------------------===//

static void writeRegionAnswer(const RegionReport &region, Page &page) {
  page.title("Its region, " + region.id);
  for (const auto &[machine, answer] : region.on) {
    page.paragraph(breakEvenStatement(region, answer));
    std::string verdict = answer.verdict == Verdict::Port   ? "PORT"
                          : answer.verdict == Verdict::Keep ? "KEEP ON THE HOST"
                                                            : "MEASURE FIRST";
    page.paragraph(formatFactor(answer.speedup.with.value) + " on " + machine + " (" +
                       formatFactor(answer.speedup.with.low) + " to " + formatFactor(answer.speedup.with.high) +
                       "): host " + formatTime(answer.time.cpu) + " as written, " +
                       formatTime(answer.time.cpuAllCores) + " on all cores; kernels " +
                       formatTime(answer.time.kernel) + ", h2d " + formatTime(answer.time.h2d) + ", d2h " +
                       formatTime(answer.time.d2h) + ", host code in between " + formatTime(answer.time.host) +
                       ", together " + formatTime(answer.time.total) + "; start-up " + formatTime(answer.time.startup) +
                       ". " + sentence(answer.why),
                   0, 0, verdict + ":", Colour::Bold);
    page.paragraph(answer.flip.empty() ? "No size or count that is assumed." : sentence(answer.flip), 0, 0,
                   "What would change this:", Colour::Bold);
    page.line();
    writePlan(region, answer, page);
  }
  if (region.parameters.empty() && region.assumptions.empty()) return;
  page.heading("Its sizes and assumptions");
  Table sizes({{"size"}, {"value", Align::Right}, {"from"}});
  for (const auto &[name, value] : region.parameters)
    sizes.row({name, number(double(value.value)), toString(value.source).str()});
  page.table(sizes);
  for (const std::string &assumption : spokenAssumptions(region.assumptions))
    if (!StringRef(assumption).ends_with(" assumed")) page.paragraph("- " + assumption, 2, 4);
  page.line();
}

void writeExplanationText(const Explanation &explanation, llvm::raw_ostream &os, const TextStyle &style) {
  Page page(os, style.width, style.colour);
  for (const ExplainedNest &nest : explanation.nests) {
    auto region = llvm::find_if(explanation.regions, [&](const RegionReport &one) { return one.id == nest.region; });
    writeHead(nest, page);
    writeLoops(nest, page);
    writeSections(nest, page);
    writeOperations(nest, page);
    Parameters parameters;
    for (size_t m = 0; m < nest.on.size(); ++m) {
      writeCopies(nest, nest.on[m], page, parameters);
      writeKernelTime(nest.on[m], page, parameters);
      writeCpuTime(nest.on[m], region == explanation.regions.end() ? nullptr : &region->on[m].second.time, page,
                   parameters);
    }
    writeParameters(parameters, page);
  }
  for (const RegionReport &region : explanation.regions) writeRegionAnswer(region, page);
  if (explanation.findings.empty()) return;
  page.heading("Findings");
  for (const skeleton::Finding &finding : explanation.findings) page.paragraph(toString(finding), 0, 4);
}

std::string nearestStatement(const Explanation &explanation) {
  std::string text = "no loop at " + explanation.file + ":" + std::to_string(explanation.line);
  if (explanation.nearest.empty())
    return text + ": none of the sources that were read has a loop in a file of that name";
  std::vector<std::string> names;
  for (const auto &[location, function] : explanation.nearest)
    names.push_back(lineOf(location) + " (in " + function + ")");
  return text + "; the nearest " + (names.size() == 1 ? "is " : "are ") + llvm::join(names, ", ");
}

} // namespace busfare::projection
