//===- projection/report/Statements.cpp - When it pays off, in a sentence -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   Pays off for n > 3100, or from 7 time steps on; at today's 1 time step: 0.41x.
//   Pays off from 7219 time steps on; at today's 60 time steps: 2.4x, but the 1.62 ms that
//     it saves are less than the start-up of 252 ms.
//   Pays off from 158 calls on, which pay the start-up of 252 ms; as it stands: 2.4x.
//   Never pays off, however many time steps: 0.83x at the most.
//
// All figures are of one price function (Judge.h): where the number of runs is known, the
// start-up is in each of them; where it is open, a call is said to pay for its copies, and
// how many of them pay the start-up.
//
//===----------------------------------------------------------------------===//

#include "projection/report/Figures.h"
#include "projection/report/Ranking.h"
#include "projection/report/Writers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cmath>
#include <cstring>

using llvm::StringRef;

namespace busfare::projection {

static bool isOfSizes(const PaysOff &pays) { return pays.size != "iterations" && pays.size != "calls"; }

/// What is said of sizes: of one where there is one, else of all together, which come first.
static const PaysOff *spokenSizes(const MachineAnswer &answer) {
  return answer.paysOff.empty() || !isOfSizes(answer.paysOff.front()) ? nullptr : &answer.paysOff.front();
}

/// "10108 < n < 19359", "n > 3100"; of all sizes together, "sizes between 0.3x and 2.1x today's".
static std::string conditionOf(const PaysOff &pays,
                               const std::pair<std::optional<double>, std::optional<double>> &interval) {
  const auto &[from, to] = interval;
  const std::string about = pays.isAbout ? "about " : "";
  if (pays.size.empty()) {
    if (from && to) return "sizes between " + about + formatFactor(*from) + " and " + formatFactor(*to) + " today's";
    return "sizes " + std::string(from ? "above " : "below ") + about + formatFactor(from ? *from : *to) + " today's";
  }
  if (!from) return about + pays.size + " < " + formatSize(uint64_t(*to) + 1);
  const std::string last = formatSize(uint64_t(*from) - 1); // that does not pay
  return about + (to ? last + " < " + pays.size + " < " + formatSize(uint64_t(*to) + 1) : pays.size + " > " + last);
}

/// "for n > 3100"; empty if it pays at all sizes that were looked at, or at none.
static std::string sizeCondition(const PaysOff &pays) {
  std::vector<std::string> stretches;
  for (const auto &interval : pays.intervals)
    if (interval.first || interval.second) stretches.push_back(conditionOf(pays, interval));
  return stretches.empty() ? "" : "for " + llvm::join(stretches, " or ");
}

/// "from 17 time steps on"; empty if it pays from the first one on, or never.
static std::string stepsCondition(const MachineAnswer &answer) {
  const auto steps = llvm::find_if(answer.paysOff, [](const PaysOff &one) { return one.size == "iterations"; });
  std::vector<std::string> stretches;
  if (steps != answer.paysOff.end())
    for (const auto &[from, to] : steps->intervals) {
      const std::string first = (steps->isAbout ? "about " : "") + formatSize(uint64_t(from.value_or(1)));
      if (to) stretches.push_back("from " + first + " to " + formatSize(uint64_t(*to)) + " time steps");
      else if (from.value_or(1) > 1) stretches.push_back("from " + first + " time steps on");
    }
  return llvm::join(stretches, " or ");
}

/// "today's n = 4096 and 100 time steps", as far as the conditions speak of them.
static std::string today(const RegionReport &region, const MachineAnswer &answer, bool speaksOfSteps) {
  std::vector<std::string> parts;
  if (const PaysOff *pays = spokenSizes(answer); pays && !sizeCondition(*pays).empty()) {
    auto bound = region.parameters.find(pays->size);
    if (bound == region.parameters.end()) bound = region.parameters.find(region.function + "::" + pays->size);
    if (bound != region.parameters.end())
      parts.push_back(pays->size + " = " + formatSize(uint64_t(bound->second.value)));
  }
  bool hasSteps = speaksOfSteps && !answer.iterations.loop.empty();
  if (hasSteps) parts.push_back(formatPlural(answer.iterations.count, "time step"));
  if (parts.empty()) return "as it stands";
  return (answer.iterations.assumed && hasSteps ? "at the assumed " : "at today's ") + llvm::join(parts, " and ");
}

/// "2.4x", and what of it is left, where something is paid once.
static std::string figureOf(const MachineAnswer &answer) {
  std::string figure = formatFactor(answer.speedup.with.value);
  if (!answer.runs || answer.speedup.with.value <= 1) return figure;
  if (answer.gain.value > 0)
    return figure + ", " + formatTime(answer.gain.value) + " gained" +
           (answer.startupAdded > 0 ? ", start-up included" : "");
  return figure + ", but the " + formatTime(answer.gain.value + answer.startupAdded) +
         " that it saves are less than the " +
         (answer.startupShared ? formatTime(answer.startupAdded) + " that its arrays cost once"
                               : "start-up of " + formatTime(answer.startupAdded));
}

/// As a region of `function` has it: `n` of `function::n`.
static std::string ownName(const std::string &name, const std::string &function) {
  StringRef own = name;
  return own.consume_front(function + "::") ? own.str() : name;
}

/// The sizes of the region that nobody gave, and on which its price rests: "n = 1024".
static std::vector<std::string> openSizes(const RegionReport &region) {
  std::vector<std::string> open;
  for (const auto &[name, value] : sizesThatCount(region, ParameterSource::Assumed))
    open.push_back(ownName(name, region.function) + " = " + formatSize(uint64_t(value.value)));
  return open;
}

/// Sizes that nobody gave are nobody's today.
static std::string ofAssumed(std::string condition) {
  for (size_t at; (at = condition.find("today's")) != std::string::npos;)
    condition.replace(at, strlen("today's"), "the assumed ones");
  return condition;
}

/// Where a size is open, a verdict would be one at a number that nobody gave: what is known is from which size on it
/// pays.
static std::string statementOfOpenSizes(const RegionReport &region, const MachineAnswer &answer, PaysOff sizes) {
  const std::vector<std::string> open = openSizes(region);
  sizes.size = ownName(sizes.size, region.function);
  std::string condition = ofAssumed(sizeCondition(sizes));
  if (!sizes.size.empty() && !condition.empty()) condition = "if " + condition.substr(strlen("for "));
  const std::string at =
      answer.iterations.loop.empty() ? "" : " at " + formatPlural(answer.iterations.count, "time step");
  std::string names = open.front();
  if (open.size() > 1)
    names += open.size() == 2 ? " and " + open.back() : " and " + std::to_string(open.size() - 1) + " other sizes";
  const std::string verb = answer.runs ? "Port" : "A call pays for its copies";
  const bool paysAlways = condition.empty() && !sizes.intervals.empty();
  const std::string sentence = !condition.empty() ? verb + " " + condition
                               : paysAlways       ? verb + " at every size that was looked at"
                               : answer.runs      ? "Keep at every size that was looked at"
                                                  : "No call pays for its copies at any size that was looked at";
  return sentence + at + "; " + names + (open.size() > 1 ? " are" : " is") + " assumed: give " +
         (region.function == "main" ? "--args or " : "") + "--param " +
         StringRef(open.front()).split(" = ").first.str() + "=N. As assumed: " + figureOf(answer) + ".";
}

std::string breakEvenStatement(const RegionReport &region, const MachineAnswer &answer) {
  const IterationsReport &iterations = answer.iterations;
  const bool hasSteps = !iterations.loop.empty(), pays = answer.gain.value > 0;
  if (answer.time.total <= 0) return "Nothing runs at these sizes: bounds leave its loops no turn.";
  if (!answer.fits)
    return "Does not fit the device: its arrays take " + formatBytes(region.deviceBytes) + " there at once.";
  if (answer.isOfLittle)
    return "Of the loops in this region, which may be little of the program's work: " +
           formatFactor(answer.speedup.with.value) + " " + today(region, answer, true) + ".";
  const bool isOpen = !openSizes(region).empty();
  if (const PaysOff *sizes = spokenSizes(answer); sizes && isOpen && !iterations.assumed)
    return statementOfOpenSizes(region, answer, *sizes);
  const std::string verb = answer.runs ? "pays off" : "pays for its copies";
  std::vector<std::string> conditions;
  if (const PaysOff *sizes = spokenSizes(answer))
    if (std::string condition = sizeCondition(*sizes); !condition.empty())
      conditions.push_back(isOpen ? ofAssumed(std::move(condition)) : std::move(condition));
  if (hasSteps)
    if (std::string condition = stepsCondition(answer); !condition.empty()) conditions.push_back(std::move(condition));

  if (!answer.runs && pays) {
    // A call of a function that somebody calls: how often is the question.
    const auto calls = llvm::find_if(answer.paysOff, [](const PaysOff &one) { return one.size == "calls"; });
    const uint64_t from =
        calls != answer.paysOff.end() && !calls->intervals.empty() ? uint64_t(*calls->intervals.front().first) : 1;
    std::string sentence = from > 1 ? "Pays off from " + formatSize(from) + " calls on, which pay the start-up of " +
                                          formatTime(answer.time.startup)
                                    : "Pays off from the first call on";
    sentence += "; " + today(region, answer, true) + ": " + formatFactor(answer.speedup.with.value) + ".";
    if (!conditions.empty()) sentence += " A call " + verb + " " + llvm::join(conditions, ", or ") + ".";
    return sentence;
  }
  if (!conditions.empty()) {
    const bool isOfSteps = hasSteps && iterations.breakEven.has_value();
    std::string sentence = "P" + verb.substr(1) + " " + llvm::join(conditions, ", or ") + "; ";
    if (pays || isOfSteps) return sentence + today(region, answer, true) + ": " + figureOf(answer) + ".";
    return sentence + (isOpen ? "at the assumed sizes " : "at today's sizes ") +
           (hasSteps ? "never, however many time steps: " : "it does not: ") + figureOf(answer) + ".";
  }
  if (pays)
    return hasSteps
               ? "Pays off from the first time step on; " + today(region, answer, true) + ": " + figureOf(answer) + "."
               : "Pays off as it stands: " + figureOf(answer) + ".";
  const std::string once = answer.runs ? "Does not pay off" : "Does not pay for its copies";
  std::string never = (hasSteps ? "Never " + verb : once) + " at these sizes";
  if (hasSteps && iterations.mostSpeedup <= 1)
    never += ", however many time steps (" +
             (iterations.mostSpeedup > 0.99 ? "just under 1x" : "at most " + formatFactor(iterations.mostSpeedup)) +
             ")";
  else if (hasSteps) never += ", however many time steps";
  return never + (hasSteps ? "; " + today(region, answer, true) : "") + ": " + figureOf(answer) + ".";
}

} // namespace busfare::projection
