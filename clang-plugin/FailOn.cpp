//===- clang-plugin/FailOn.cpp - Conditions that turn into exit code 1 ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/FailOn.h"
#include "projection/report/Figures.h"
#include "skeleton/Finding.h"
#include <cmath>

using llvm::StringRef;

namespace busfare::frontend {

using Kind = FailCondition::Kind;

llvm::Expected<FailCondition> parseFailCondition(StringRef text) {
  FailCondition condition;
  condition.text = text.str();
  StringRef word = text.trim();
  if (word == "port" || word == "keep" || word == "measure") {
    condition.word = word.str();
    return condition;
  }
  if (skeleton::findRule(word)) {
    condition.kind = Kind::Rule;
    condition.word = word.str();
    return condition;
  }
  size_t at = word.find_first_of("<>");
  StringRef figure = word.take_front(at).trim(), rest = at == StringRef::npos ? "" : word.drop_front(at);
  size_t width = rest.size() > 1 && rest[1] == '=' ? 2 : 1;
  StringRef number = rest.drop_front(std::min(width, rest.size())).trim();
  number.consume_back("x");
  bool known = figure == "speedup" || figure == "low" || figure == "high";
  if (!known || rest.empty() || number.getAsDouble(condition.bound) || !std::isfinite(condition.bound))
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "--fail-on: '%s' is no condition; try port, keep, measure, speedup<2, low>=1, high<1 or a "
                                   "rule such as BF014",
                                   condition.text.c_str());
  condition.kind = figure == "speedup" ? Kind::Speedup : figure == "low" ? Kind::Low : Kind::High;
  condition.compare = rest.take_front(width).str();
  return condition;
}

static bool holds(double value, StringRef compare, double bound) {
  if (compare == "<")
    return value < bound;
  if (compare == "<=")
    return value <= bound;
  return compare == ">" ? value > bound : value >= bound;
}

std::string holdsBecause(const FailCondition &condition, const projection::Report &report) {
  if (condition.kind == Kind::Rule) {
    for (const skeleton::Finding &finding : report.findings)
      if (skeleton::ruleId(finding.rule) == condition.word)
        return skeleton::toString(finding);
    return "";
  }
  for (const projection::RegionReport &region : report.regions)
    for (const auto &[machine, answer] : region.on) {
      if (condition.kind == Kind::Verdict) {
        if (projection::toString(answer.verdict) == condition.word)
          return "region " + region.id + " is told '" + condition.word + "' on " + machine;
        continue;
      }
      const projection::Interval &speedup = answer.speedup.with;
      double value = condition.kind == Kind::Speedup ? speedup.value : condition.kind == Kind::Low ? speedup.low : speedup.high;
      if (holds(value, condition.compare, condition.bound))
        return "region " + region.id + " has " + projection::formatFactor(value) + " on " + machine;
    }
  return "";
}

} // namespace busfare::frontend
