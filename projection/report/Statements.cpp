//===- projection/report/Statements.cpp - When it pays off, in a sentence -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   Pays off for n > 3100, or from 7 time steps on; at today's 1 time step: 0.41x.
//   Never pays off, however many time steps: 0.83x at the most.
//   Pays off as it stands: 3.2x.
//
// A region without a time loop can only be repeated as a whole on data that stays
// on the device: its break-even is worded so.
//
//===----------------------------------------------------------------------===//

#include "projection/report/Figures.h"
#include "projection/report/Writers.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

namespace busfare::projection {

/// Where today's sizes pay off, larger ones usually are behind a crossing below today's, and the other way round.
static std::string sizeCondition(const SizeBreakEven &size, bool paysToday) {
  bool above = (size.factor < 1) == paysToday;
  if (!size.parameter.empty() && size.value)
    return "for " + size.parameter + (above ? " > " : " < ") + formatSize(uint64_t(*size.value));
  return (size.parameter.empty() ? "for sizes " : "for " + size.parameter + " ") + (above ? "above " : "below ") +
         formatFactor(size.factor) + " today's";
}

/// "today's n = 4096 and 100 time steps", as far as the conditions speak of them.
static std::string today(const RegionReport &region, const MachineAnswer &answer, bool speaksOfSteps) {
  std::vector<std::string> parts;
  for (const SizeBreakEven &size : answer.sizeBreakEven) {
    auto bound = region.parameters.find(size.parameter);
    if (bound == region.parameters.end())
      bound = region.parameters.find(region.function + "::" + size.parameter);
    if (bound != region.parameters.end())
      parts.push_back(size.parameter + " = " + formatSize(uint64_t(bound->second.value)));
  }
  bool hasSteps = speaksOfSteps && !answer.iterations.loop.empty();
  if (hasSteps)
    parts.push_back(formatPlural(answer.iterations.count, "time step"));
  if (parts.empty())
    return "as it stands";
  return (answer.iterations.assumed && hasSteps ? "at the assumed " : "at today's ") + llvm::join(parts, " and ");
}

std::string breakEvenStatement(const RegionReport &region, const MachineAnswer &answer) {
  const IterationsReport &iterations = answer.iterations;
  bool hasSteps = !iterations.loop.empty();
  double speedup = answer.speedup.with.value;
  std::vector<std::string> conditions;
  for (const SizeBreakEven &size : answer.sizeBreakEven)
    conditions.push_back(sizeCondition(size, speedup > 1));
  std::string now = formatFactor(speedup);
  if (answer.time.total <= 0)
    return "Nothing runs at these sizes: bounds leave its loops no turn.";
  if (answer.isOfLittle)
    return "Of the loops in this region, which may be little of the program's work: " + now + " " + today(region, answer, true) + ".";

  if (!iterations.breakEven) {
    if (!hasSteps && speedup > 1)
      return "Pays off only if something else has paid the start-up of " + formatTime(answer.time.startup) + " already; then " +
             today(region, answer, false) + ": " + now + ".";
    double most = std::max(iterations.mostSpeedup, speedup);
    std::string limit = formatFactor(std::isfinite(most) ? most : speedup);
    std::string never = hasSteps ? "however many time steps (at most " + limit + ")" : "";
    if (conditions.empty() && !hasSteps)
      return "Never pays off at these sizes: " + now + ".";
    if (conditions.empty())
      return "Never pays off at these sizes, " + never + "; " + today(region, answer, true) + ": " + now + ".";
    return "Pays off " + llvm::join(conditions, ", or ") + "; at today's sizes " +
           (hasSteps ? "never, " + never + "." : "it does not: " + now + ".");
  }

  uint64_t from = *iterations.breakEven;
  if (from <= 1 && conditions.empty())
    return hasSteps ? "Pays off from the first time step on; " + today(region, answer, true) + ": " + now + "."
                    : "Pays off as it stands: " + now + ".";
  if (hasSteps && from > 1) // else any number of them does
    conditions.push_back("from " + formatSize(from) + " time steps on");
  else if (from > 1)
    conditions.push_back("if it is repeated " + formatSize(from) + " times on data that stays on the device");
  std::string sentence = "Pays off " + llvm::join(conditions, ", or ") + "; " + today(region, answer, true) + ": " + now;
  // Break-even counts the start-up, the speedup does not: say so where they seem to disagree.
  if (from > iterations.count && speedup > 1)
    sentence += " (" + formatTime(answer.time.startup) + " of start-up not counted)";
  return sentence + ".";
}

} // namespace busfare::projection
