//===- projection/report/FirstScreen.cpp - What to do, before any detail --===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/FirstScreen.h"
#include "projection/report/Figures.h"
#include "projection/report/FormulaText.h"
#include "projection/report/LongLists.h"
#include "projection/report/NestText.h"
#include "projection/report/PlanText.h"
#include "projection/report/Writers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <cmath>
#include <map>
#include <set>

using llvm::StringRef;

namespace busfare::projection {

/// Regions that are listed unless --top says how many; those of them that are to stay; those beside loops without a
/// price.
constexpr size_t fits = 5, keepsThatFit = 3, fitsBesideOpen = 3;

static std::string file(const std::string &path) { return llvm::sys::path::filename(path).str(); }

static size_t countOf(llvm::ArrayRef<RankedRegion> ranked, Verdict verdict) {
  return llvm::count_if(ranked, [&](const RankedRegion &one) { return one.answer->verdict == verdict; });
}

static bool hasMain(const ProgramReport &program) { return program.hasMain; }

/// Where there is a program with a main, the others are what it leaves alone.
size_t programsOf(const Report &report) {
  const size_t mains = size_t(llvm::count_if(report.programs, hasMain));
  return mains ? mains : report.programs.size();
}

/// "9 regions in 4 programs"
static std::string regionsOf(const Report &report, size_t regions) {
  const size_t programs = programsOf(report);
  return formatPlural(regions, "region") + (programs > 1 ? " in " + formatPlural(programs, "program") : "");
}

/// Where a gain lies, without a sign: "(2.2 s to 4.4 s)", of losses likewise; "(between a loss of 1 s and a gain of 4
/// s)".
static std::string spokenRange(const Interval &gain) {
  const auto size = [](double time) { return formatTime(time < 0 ? -time : time + 0.0); };
  if (gain.low < 0 && gain.high > 0)
    return "(between a loss of " + size(gain.low) + " and a gain of " + size(gain.high) + ")";
  const bool isLoss = gain.high <= 0;
  return "(" + size(isLoss ? gain.high : gain.low) + " to " + size(isLoss ? gain.low : gain.high) + ")";
}

/// "gains 3.1 s (2.2 s to 4.4 s)"; "a call", where nobody says how many there are.
static std::string gainOf(const MachineAnswer &answer) {
  const Interval &gain = answer.gain;
  if (!answer.fits) return "does not fit";
  if (!std::isfinite(gain.value)) return "gains nothing";
  const bool isLoss = gain.value < 0 || (gain.value == 0 && gain.high <= 0);
  return (isLoss ? "would lose " + formatTime(gain.value == 0 ? 0 : -gain.value) : "gains " + formatTime(gain.value)) +
         " " + spokenRange(gain) + (answer.runs ? "" : " a call, start-up left out");
}

/// What all that is told to port gains. Of several regions it is no sum of theirs, for they share a start-up: it is the
/// programs'.
static std::optional<Interval> gainOfPorts(const Report &report, llvm::ArrayRef<RankedRegion> ranked) {
  std::vector<const MachineAnswer *> ports;
  for (const RankedRegion &one : ranked)
    if (one.answer->verdict == Verdict::Port) ports.push_back(one.answer);
  if (llvm::any_of(ports, [](const MachineAnswer *one) { return !one->runs; })) return std::nullopt;
  if (ports.size() == 1) return ports.front()->gain;
  Interval sum;
  for (const ProgramReport &program : report.programs)
    if (program.offloadedShare > 0 && program.speedup.low > 0) {
      sum.value += program.cpu - program.cpu / program.speedup.value;
      sum.low += program.cpu - program.cpu / program.speedup.low;
      sum.high += program.cpu - program.cpu / program.speedup.high;
    }
  return sum;
}

static void writeHeadline(const Report &report, llvm::ArrayRef<RankedRegion> ranked, Page &page) {
  const size_t ports = countOf(ranked, Verdict::Port), unsure = countOf(ranked, Verdict::Measure);
  if (ports > 0) {
    std::string text =
        ranked.size() == 1 ? "its only region" : std::to_string(ports) + " of " + regionsOf(report, ranked.size());
    if (const std::optional<Interval> gain = gainOfPorts(report, ranked))
      text += ": " + formatTime(gain->value) + " gained " + spokenRange(*gain) + ", start-up included";
    return page.paragraph(text + ".", 0, 0, "PORT", Colour::Good);
  }
  if (unsure > 0)
    return page.paragraph((ranked.size() == 1
                               ? "whether its only region pays"
                               : "whether " + (unsure == ranked.size() ? "the " : std::to_string(unsure) + " of ") +
                                     regionsOf(report, ranked.size()) + (unsure == 1 ? " pays" : " pay")) +
                              " depends on what is not known yet.",
                          0, 0, "MEASURE FIRST:", Colour::Unsure);
  if (!ranked.empty())
    page.paragraph((ranked.size() == 1 ? std::string("its only region does not gain")
                                       : "none of " + regionsOf(report, ranked.size()) + " gains") +
                       " what its copies and the start-up of the device cost.",
                   0, 0, "KEEP ON THE HOST:", Colour::Bad);
}

static StringRef spoken(Verdict verdict) {
  return verdict == Verdict::Port ? "PORT" : verdict == Verdict::Keep ? "KEEP" : "MEASURE";
}

static void writeRegion(const Report &report, const RankedRegion &one, llvm::ArrayRef<RankedRegion> shown, Page &page) {
  const MachineAnswer &answer = *one.answer;
  // Files of one name, in folders of several programs.
  const bool isAmbiguous = llvm::any_of(shown, [&](const RankedRegion &other) {
    return nameOf(other) == nameOf(one) && other.hottest.file != one.hottest.file;
  });
  const std::string folder = isAmbiguous ? llvm::sys::path::parent_path(one.hottest.file.str()).str() + "/" : "";
  const std::string share = one.share && *one.share >= 0.005 ? " (" + formatPercent(*one.share) + " of the work)" : "";
  const bool isApart = one.region->function != "main" && llvm::any_of(report.programs, hasMain);
  page.paragraph(folder + nameOf(one) + share + (isApart ? ", which no main here calls" : "") + ": " + gainOf(answer) +
                     ".",
                 2, 6, spoken(answer.verdict),
                 answer.verdict == Verdict::Port   ? Colour::Good
                 : answer.verdict == Verdict::Keep ? Colour::Bad
                                                   : Colour::Unsure);
  page.paragraph(breakEvenStatement(*one.region, answer), 6, 6);
  if (answer.verdict == Verdict::Keep && answer.fits && !answer.why.empty()) page.paragraph(sentence(answer.why), 6, 6);
}

/// A loop that is in no region.
struct Outside {
  skeleton::Location location;
  std::string function, reason;
  double share;
  const char *word;
  std::vector<std::string> assumed;
};
constexpr size_t mostOutside = 3; ///< That are listed.

/// Those that do much: the reader looks for them among the regions. Most work first.
static std::vector<Outside> loopsOutside(const Report &report, llvm::ArrayRef<RankedRegion> shown) {
  std::set<skeleton::Location> said;
  if (report.program.isMostlyUnpriced)
    for (const UnpricedReport &nest : report.unpriced) said.insert(nest.location);
  for (const RankedRegion &one : shown)
    for (const KernelReport &kernel : one.answer->kernels) said.insert(kernel.location);
  // What does more than the regions do is worth a line, and where nothing else is listed all is, however little it
  // does.
  constexpr double much = 0.05, little = 0.005;
  double least = shown.empty() ? 0 : little;
  for (const RankedRegion &one : shown) least = std::max(least, one.share.value_or(0));
  least = std::min(least, much);
  std::vector<Outside> all;
  auto add = [&](const auto &nest, const char *word) {
    if (nest.isCounted && nest.share >= least && !nest.reason.empty() && said.insert(nest.location).second)
      all.push_back({nest.location, nest.function, nest.reason, nest.share, word, nest.assumed});
  };
  for (const NestAnswer &nest : report.nests)
    if (nest.in != "kernel") add(nest, nest.in == "alone" ? "NOT IN A PLAN" : "STAYS");
  for (const UnpricedReport &nest : report.unpriced) add(nest, "NOT IN A PLAN");
  for (const SerialNest &nest : report.serial)
    if (nest.share >= much) add(nest, "STAYS");
  llvm::stable_sort(all, [](const Outside &a, const Outside &b) { return a.share > b.share; });
  return all;
}

/// Regions that do little are not the answer to whether the program gains.
static void writeHowMuch(const Report &report, llvm::ArrayRef<RankedRegion> ranked, llvm::ArrayRef<RankedRegion> shown,
                         Page &page) {
  if (llvm::none_of(ranked, [](const RankedRegion &one) { return one.share.has_value(); })) return;
  double share = 0;
  for (const RankedRegion &one : ranked) share += one.share.value_or(0);
  const std::vector<Outside> outside = loopsOutside(report, shown);
  if (share >= 0.5 || outside.empty() || outside.front().share <= share) return;
  page.paragraph((ranked.size() == 1 ? "That region does " : "These regions do ") +
                 (share < 0.001 ? std::string("next to nothing") : formatPercent(share)) +
                 " of the work that is modelled; what does more stays on the host, for the reasons below.");
}

static void writeList(const Report &report, llvm::ArrayRef<RankedRegion> ranked, llvm::ArrayRef<RankedRegion> shown,
                      Page &page) {
  if (shown.empty() && ranked.empty() && loopsOutside(report, shown).empty()) return;
  page.heading(shown.empty()                                            ? "Where the work is"
               : shown.size() > 1 && countOf(ranked, Verdict::Port) > 1 ? "What to do, the largest gain first"
                                                                        : "What to do");
  const std::vector<Outside> outside = loopsOutside(report, shown);
  llvm::ArrayRef<Outside> rest = llvm::ArrayRef(outside).take_front(mostOutside);
  auto writeNext = [&] {
    const Outside &nest = rest.front();
    page.paragraph(file(nest.location.file.str()) + ":" + std::to_string(nest.location.line) + ", in " + nest.function +
                       " (" + formatPercent(nest.share) + " of the work): " +
                       (StringRef(nest.reason).contains(" -> ") ? "iterations depend on each other: " : "") +
                       nest.reason + ".",
                   2, 6, nest.word);
    rest = rest.drop_front();
  };
  for (const RankedRegion &one : shown) {
    // What is told to port comes first; among the others stands what does more.
    while (!rest.empty() && one.answer->verdict != Verdict::Port && rest.front().share > one.share.value_or(0))
      writeNext();
    writeRegion(report, one, shown, page);
  }
  if (ranked.size() > shown.size()) {
    std::vector<std::string> kinds;
    for (Verdict verdict : {Verdict::Port, Verdict::Measure, Verdict::Keep})
      if (size_t more = countOf(ranked, verdict) - countOf(shown, verdict))
        kinds.push_back(std::to_string(more) + (verdict == Verdict::Port      ? " to port"
                                                : verdict == Verdict::Measure ? " to measure"
                                                                              : " to keep"));
    page.paragraph("and " + llvm::join(kinds, ", ") + "; --top " + std::to_string(ranked.size()) + " lists all", 2, 4);
  }
  while (!rest.empty()) writeNext();
  if (outside.size() > mostOutside)
    page.paragraph("and " + formatPlural(outside.size() - mostOutside, "more loop") +
                       " in no region; --format json lists all",
                   2, 4);
  double together = 0;
  for (const Outside &nest : outside) together += nest.share;
  if (shown.empty() && !outside.empty() && together < 0.5 && !report.program.isMostlyUnpriced)
    page.paragraph("Together they do " + formatPercent(together) +
                       " of what is modelled, at these sizes; the rest is in loops that are not parallel to us.",
                   2, 2);
  page.line();
}

/// Three at the most.
static std::vector<std::string> firstOf(std::vector<std::string> list) {
  list.resize(std::min<size_t>(list.size(), 3));
  return list;
}

/// What a number stands for, before its name where the source has none for it:
///
///   solve::i.trips, 8   "8 turns of the loop over i in solve (solve::i.trips)"
///   solve::n, 8         "solve::n = 8"
static std::string spokenParameter(const std::string &name, const std::string &value) {
  StringRef loop = name;
  if (!loop.consume_back("trips") || !(loop.consume_back(".") || loop.ends_with("::"))) return name + " = " + value;
  const auto [function, index] = loop.rsplit("::");
  if (function == loop) return name + " = " + value;
  return value + " turns of " + (index.empty() ? "a loop" : "the loop over " + spelled(index).str()) + " in " +
         function.str() + " (" + name + ")";
}

/// "n = 1024" of each region's sizes from this source that its price rests on, the steepest first.
static std::vector<std::string> sizesOf(llvm::ArrayRef<RankedRegion> shown, ParameterSource source) {
  std::map<std::string, double> effects;
  for (const RankedRegion &one : shown)
    for (const auto &[name, value] : sizesThatCount(*one.region, source)) {
      double &effect = effects[spokenParameter(name, value.value < 0 ? std::to_string(value.value)
                                                                     : formatSize(uint64_t(value.value)))];
      effect = std::max(effect, value.effect.value_or(0));
    }
  std::vector<std::pair<std::string, double>> order(effects.begin(), effects.end());
  llvm::stable_sort(order, [](const auto &a, const auto &b) { return a.second > b.second; });
  std::vector<std::string> texts;
  for (const auto &[text, effect] : order) texts.push_back(text);
  return texts;
}

/// What the shares rest on of the loops that are listed beside the regions, too.
static void addSizesOfLoops(const Report &report, llvm::ArrayRef<RankedRegion> shown,
                            std::vector<std::string> &assumed) {
  auto add = [&](llvm::ArrayRef<std::string> sizes) {
    for (const std::string &size : sizes)
      if (!llvm::is_contained(assumed, size)) assumed.push_back(size);
  };
  if (report.program.isMostlyUnpriced)
    for (const UnpricedReport &nest : llvm::ArrayRef(report.unpriced).take_front(mostOutside)) add(nest.assumed);
  const std::vector<Outside> outside = loopsOutside(report, shown);
  for (const Outside &nest : llvm::ArrayRef(outside).take_front(mostOutside)) add(nest.assumed);
}

/// The host that is compared with, where it is not the program as it stands.
static std::string hostOf(llvm::ArrayRef<RankedRegion> shown) {
  constexpr double muchSlower = 1.5;
  std::vector<std::string> factors;
  unsigned cores = 0, threads = 1;
  for (const RankedRegion &one : shown) {
    const MachineAnswer &answer = *one.answer;
    if (answer.time.cores < 2 || !(answer.speedup.asWritten > muchSlower * answer.speedup.with.value)) continue;
    cores = answer.time.cores;
    threads = answer.time.threads;
    factors.push_back(
        formatFactor(answer.speedup.asWritten) +
        (shown.size() > 1 ? " at " + file(one.hottest.file.str()) + ":" + std::to_string(one.hottest.line) : ""));
  }
  if (factors.empty()) return "";
  return "The host is taken to run these loops on all its " + formatPlural(cores, "core") +
         "; against the code as written, on " + formatPlural(threads, "thread") + ": " +
         llvm::join(firstOf(factors), ", ") + ".";
}

static void writeGrounds(const Report &report, llvm::ArrayRef<RankedRegion> shown, Page &page) {
  std::vector<std::string> assumed = sizesOf(shown, ParameterSource::Assumed);
  addSizesOfLoops(report, shown, assumed);
  const std::vector<std::string> declared = sizesOf(shown, ParameterSource::Declared);
  if (shown.empty() && assumed.empty()) return;
  std::set<std::string> found;
  bool isMeasured = false, isOpen = false;
  for (const RankedRegion &one : shown) {
    isMeasured |= one.answer->time.cpuMeasured;
    isOpen |= !one.answer->runs;
    for (const std::string &assumption : spokenAssumptions(one.region->assumptions))
      if (!StringRef(assumption).ends_with(" assumed")) found.insert(assumption);
  }
  const std::vector<std::string> others(found.begin(), found.end());
  page.heading("What it rests on");
  if (!assumed.empty())
    page.paragraph("- Sizes that nobody gave: " + llvm::join(firstOf(assumed), ", ") +
                       (assumed.size() > 3
                            ? " and " + std::to_string(assumed.size() - 3) + " more (`busfare sizes` lists them)"
                            : "") +
                       ". Give yours with --param NAME=N, or --args.",
                   2, 4);
  if (!declared.empty())
    page.paragraph(
        "- " +
            std::string(report.programs.size() > 1 ? "The programs' own defaults: " : "The program's own defaults: ") +
            llvm::join(firstOf(declared), ", ") +
            (declared.size() > 3 ? " and " + std::to_string(declared.size() - 3) + " more (`busfare sizes` lists them)"
                                 : "") +
            ".",
        2, 4);
  for (const std::string &other : firstOf(others)) page.paragraph("- " + other, 2, 4);
  if (others.size() > 3)
    page.paragraph("- and " + formatPlural(others.size() - 3, "more assumption") + "; --details lists all", 2, 4);
  if (shown.empty()) return page.line();
  if (const std::string host = hostOf(shown); !host.empty()) page.paragraph("- " + host, 2, 4);
  page.paragraph("- " + std::string(isMeasured ? "A host time that was given; the device's is" : "Times that are") +
                     " modelled; the two figures in brackets are meant to hold eight of ten." +
                     (isOpen ? " How often a process calls a region is open (--runs)." : ""),
                 2, 4);
  page.line();
  std::vector<std::string> flips;
  for (const RankedRegion &one : shown)
    if (!one.answer->flip.empty())
      flips.push_back(shown.size() > 1 ? nameOf(one) + ": " + one.answer->flip + "." : sentence(one.answer->flip));
  if (flips.empty()) return;
  page.heading("What would change it");
  for (const std::string &flip : llvm::ArrayRef(flips).take_front(3)) page.paragraph("- " + flip, 2, 4);
  if (flips.size() > 3)
    page.paragraph("- and likewise " + formatPlural(flips.size() - 3, "more region") + "; --details says what", 2, 4);
  page.line();
}

void writeFirstScreen(const Report &report, llvm::ArrayRef<RankedRegion> ranked, size_t top, Page &page) {
  std::vector<RankedRegion> shown;
  size_t keeps = 0;
  for (const RankedRegion &one : ranked) {
    const bool isKeep = one.answer->verdict == Verdict::Keep;
    if (top ? shown.size() < top
            : shown.size() < (report.program.isMostlyUnpriced ? fitsBesideOpen : fits) &&
                  (!isKeep || keeps < keepsThatFit))
      shown.push_back(one), keeps += isKeep;
  }
  if (!report.program.isMostlyUnpriced && !ranked.empty()) {
    writeHeadline(report, ranked, page);
    writeHowMuch(report, ranked, shown, page);
    page.line();
  }
  if (!report.program.isMostlyUnpriced) writeMissing(report, page);
  if (ranked.empty() && report.nests.empty() && report.serial.empty()) return;
  writeList(report, ranked, shown, page);
  writeGrounds(report, shown, page);
}

void writePrograms(const Report &report, Page &page) {
  std::vector<std::string> stay, unpriced, apart;
  std::vector<const ProgramReport *> programs;
  const bool isAnyMain = llvm::any_of(report.programs, hasMain);
  for (const ProgramReport &program : report.programs) {
    if (isAnyMain && !program.hasMain && program.offloadedShare == 0) apart.push_back(file(program.name));
    else programs.push_back(&program);
  }
  llvm::stable_sort(programs,
                    [](const ProgramReport *a, const ProgramReport *b) { return a->cpuAsWritten > b->cpuAsWritten; });
  for (const ProgramReport *program : programs) {
    const std::string name = programs.size() > 1 ? file(program->name) + ": " : "";
    if (program->isMostlyUnpriced) unpriced.push_back(file(program->name));
    else if (program->offloadedShare > 0)
      page.paragraph(name + formatFactor(program->speedup.value) + " (" + formatFactor(program->speedup.low) + " to " +
                         formatFactor(program->speedup.high) + "), with " + formatPercent(program->offloadedShare) +
                         " of the time of the code as written in regions told to port.",
                     0, 2);
    else stay.push_back(file(program->name));
    if (program->libraries > 0)
      page.paragraph((name.empty() ? "Library" : name + "library") + " calls that stay on the host take " +
                         formatTime(program->libraries) + " of the " + formatTime(program->cpu) + " modelled there.",
                     0, 2);
  }
  if (programs.size() == 1 && !stay.empty())
    page.paragraph("No region is told to port: the program stays as fast as it is.");
  else if (!stay.empty())
    page.paragraph("As fast as now, with no region told to port: " + spokenNames(stay, "--format json") + ".", 0, 2);
  if (programs.size() == 1 && !unpriced.empty()) page.paragraph("Not said: most of its work is not priced.");
  else if (!unpriced.empty())
    page.paragraph("Not said, as most of the work is not priced: " + spokenNames(unpriced, "--format json") + ".", 0,
                   2);
  if (!apart.empty())
    page.paragraph("No main here calls what is in " + spokenNames(apart, "--format json") +
                       "; it is judged by itself, and nothing there is told to port.",
                   0, 2);
}

void writeFindingCounts(const Report &report, Page &page) {
  if (report.findings.empty() && report.suppressed.empty()) return;
  page.heading("Findings");
  std::map<skeleton::Rule, size_t> counts;
  std::vector<const skeleton::Finding *> errors;
  for (const skeleton::Finding &finding : report.findings) {
    ++counts[finding.rule];
    if (finding.level >= skeleton::Level::Warning) errors.push_back(&finding);
  }
  // What is wrong stands in full; the rest is counted.
  for (const skeleton::Finding *finding : llvm::ArrayRef(errors).take_front(5))
    page.paragraph(skeleton::toString(*finding), 2, 4);
  if (errors.size() > 5) page.paragraph("and " + formatPlural(errors.size() - 5, "more warning"), 2, 4);
  std::vector<std::pair<skeleton::Rule, size_t>> rules(counts.begin(), counts.end());
  llvm::stable_sort(rules, [](const auto &a, const auto &b) { return a.second > b.second; });
  Table table({{"rule"}, {"", Align::Right}, {""}});
  constexpr size_t mostRules = 6;
  for (const auto &[rule, count] : llvm::ArrayRef(rules).take_front(mostRules))
    table.row({skeleton::ruleId(rule).str(), std::to_string(count), skeleton::ruleTitle(rule).str()});
  page.table(table);
  std::string rest =
      rules.size() > mostRules ? "and " + formatPlural(rules.size() - mostRules, "more rule") + "; " : "";
  if (!report.suppressed.empty()) rest += formatPlural(report.suppressed.size(), "finding") + " suppressed by hints; ";
  page.paragraph(rest + "--details lists places, `busfare help RULE` says what helps", 2, 4);
  page.line();
}

} // namespace busfare::projection
