//===- clang-plugin/cli/FailOn.cpp - Conditions that turn into exit code 1 -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FailOn.h"
#include "projection/report/Figures.h"
#include "projection/report/Junit.h"
#include "projection/report/PlanText.h"
#include "projection/report/Printable.h"
#include "skeleton/Finding.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using llvm::StringRef;
using namespace busfare::projection;

namespace busfare::frontend {

using Kind = FailCondition::Kind;

static constexpr std::pair<StringRef, Kind> changes[] = {
    {"new-port", Kind::NewPort},
    {"flip", Kind::Flip},
    {"worse", Kind::Worse},
    {"lost-parallel", Kind::LostParallel},
    {"new-finding", Kind::NewFinding},
    {"new-unknown", Kind::NewUnknown},
};

/// `bytes>10%`; false if it is none.
static bool readGrowth(StringRef text, FailCondition &condition) {
  text = text.trim();
  if (!text.consume_front("bytes")) return false;
  text = text.ltrim();
  double percent;
  if (!text.consume_front(">") || !text.consume_back("%") || text.trim().getAsDouble(percent) ||
      !std::isfinite(percent) || percent < 0)
    return false;
  condition.kind = Kind::Bytes;
  condition.compare = ">";
  condition.bound = percent;
  return true;
}

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
  if (const auto *change = llvm::find_if(changes, [&](const auto &one) { return one.first == word; });
      change != std::end(changes)) {
    condition.kind = change->second;
    return condition;
  }
  if (readGrowth(word, condition)) return condition;
  size_t at = word.find_first_of("<>");
  StringRef figure = word.take_front(at).trim(), rest = at == StringRef::npos ? "" : word.drop_front(at);
  size_t width = rest.size() > 1 && rest[1] == '=' ? 2 : 1;
  StringRef number = rest.drop_front(std::min(width, rest.size())).trim();
  number.consume_back("x");
  bool known = figure == "speedup" || figure == "low" || figure == "high";
  if (!known || rest.empty() || number.getAsDouble(condition.bound) || !std::isfinite(condition.bound))
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        "--fail-on: '%s' is no condition; try port, keep, measure, speedup<2, low>=1, high<1 or a "
        "rule such as BF014; of what changed new-port, flip, worse, bytes>10%%, lost-parallel, "
        "new-finding or new-unknown",
        condition.text.c_str());
  condition.kind = figure == "speedup" ? Kind::Speedup : figure == "low" ? Kind::Low : Kind::High;
  condition.compare = rest.take_front(width).str();
  return condition;
}

static bool holds(double value, StringRef compare, double bound) {
  if (compare == "<") return value < bound;
  if (compare == "<=") return value <= bound;
  return compare == ">" ? value > bound : value >= bound;
}

static std::string spoken(const FindingSummary &finding) {
  return skeleton::toString(finding.location) + (finding.location.isKnown() ? ": " : "") + finding.level + ": " +
         finding.message + " [" + finding.rule + "]";
}

static std::vector<std::string> reasonsOf(const FailCondition &condition, const ReportSummary &report) {
  std::vector<std::string> reasons;
  if (condition.kind == Kind::Rule) {
    for (const FindingSummary &finding : report.findings)
      if (finding.rule == condition.word) reasons.push_back(spoken(finding));
    return reasons;
  }
  for (const RegionSummary &region : report.regions)
    for (const std::string &machine : report.machines) {
      auto found = region.on.find(machine);
      if (found == region.on.end()) continue;
      const AnswerSummary &answer = found->second;
      if (condition.kind == Kind::Verdict) {
        if (toString(answer.verdict) == condition.word)
          reasons.push_back("region " + region.id + " is told '" + condition.word + "' on " + machine);
        continue;
      }
      const SpeedupSummary &speedup = answer.speedup;
      std::optional<double> value = condition.kind == Kind::Speedup ? speedup.value
                                    : condition.kind == Kind::Low   ? speedup.low
                                                                    : speedup.high;
      if (value && holds(*value, condition.compare, condition.bound))
        reasons.push_back("region " + region.id + " has " + formatFactor(*value) + " on " + machine);
    }
  return reasons;
}

//===--- What changed -----------------------------------------------------===//

/// Does the rule say that something is not known, or was assumed?
static bool isUnknown(StringRef id) {
  using skeleton::Rule;
  const Rule *rule = skeleton::findRule(id);
  if (!rule) // of another version: it may be
    return true;
  static constexpr Rule known[] = {
      Rule::InputOutput, Rule::EarlyExit,      Rule::NotParallel,      Rule::DirectiveRefuted, Rule::HintMalformed,
      Rule::HintUnused,  Rule::HintRefuted,    Rule::HintTaken,        Rule::VolatileAccess,   Rule::AtomicOperation,
      Rule::LongDouble,  Rule::ThreadIdentity, Rule::AllocationInLoop, Rule::ExchangedNames,   Rule::ClockRead,
      Rule::NoReturn,    Rule::NotPorted,      Rule::FlattenedRows,    Rule::Message,          Rule::LibraryCall};
  return !llvm::is_contained(known, *rule);
}

static std::string spoken(const SpeedupSummary &speedup) {
  auto factor = [](const std::optional<double> &value) { return value ? formatFactor(*value) : std::string("-"); };
  return factor(speedup.value) + " (" + factor(speedup.low) + " to " + factor(speedup.high) + ")";
}

/// "region a.c:9:f, which was a.c:4:f,"; the same name is not said twice.
static std::string nameOf(const RegionDiff &region) {
  const std::string &now = region.either().id;
  return "region " + now + (region.before && region.before->id != now ? " (was " + region.before->id + ")" : "");
}

/// Of one region on the machines of both reports.
static void addVerdictReasons(Kind kind, const RegionDiff &region, std::vector<std::string> &reasons) {
  for (const AnswerDiff &answer : region.on) {
    const bool isPort = answer.after.verdict == Verdict::Port, wasPort = answer.before.verdict == Verdict::Port;
    const std::optional<double> &now = answer.after.speedup.value, &low = answer.before.speedup.low;
    const bool isBelow = now && low && *now < *low;
    const bool holds = kind == Kind::NewPort ? isPort && !wasPort
                       : kind == Kind::Flip  ? answer.flipped()
                                             : isBelow || (wasPort && !isPort);
    if (holds)
      reasons.push_back(nameOf(region) + ": " + toString(answer.before.verdict).str() + " -> " +
                        toString(answer.after.verdict).str() + " on " + answer.machine + ", " +
                        spoken(answer.before.speedup) + " -> " + spoken(answer.after.speedup));
  }
}

static std::vector<std::string> reasonsOf(const FailCondition &condition, const ReportDiff &diff) {
  std::vector<std::string> reasons;
  switch (condition.kind) {
  case Kind::NewPort:
  case Kind::Flip:
  case Kind::Worse:
    for (const RegionDiff &region : diff.regions) {
      addVerdictReasons(condition.kind, region, reasons);
      if (condition.kind != Kind::NewPort || !region.isNew()) continue;
      for (const std::string &machine : diff.machines)
        if (auto found = region.after->on.find(machine);
            found != region.after->on.end() && found->second.verdict == Verdict::Port)
          reasons.push_back(nameOf(region) + " is new: port on " + machine + ", " + spoken(found->second.speedup));
    }
    break;
  case Kind::Bytes:
    for (const RegionDiff &region : diff.regions)
      if (region.before && region.after &&
          double(region.bytesAfter) > double(region.bytesBefore) * (1 + condition.bound / 100))
        reasons.push_back(nameOf(region) + ": " + formatExact(region.bytesBefore) + " -> " +
                          formatExact(region.bytesAfter) + " bytes cross the bus (" +
                          formatGrowth(region.bytesBefore, region.bytesAfter) + ")");
    break;
  case Kind::LostParallel:
    for (const LoopDiff &loop : diff.loops)
      if (loop.kind == LoopDiff::Kind::Lost)
        reasons.push_back(skeleton::toString(loop.after->location) + ": the loop" +
                          (loop.after->index.empty() ? "" : " over " + spelled(loop.after->index).str()) +
                          " is no longer parallel" + (loop.after->reason.empty() ? "" : ": " + loop.after->reason));
    break;
  default:
    for (const RuleDiff &rule : diff.rules)
      if (condition.kind == Kind::NewFinding || isUnknown(rule.rule))
        for (const FindingSummary &finding : rule.fresh) reasons.push_back(spoken(finding));
  }
  return reasons;
}

llvm::Expected<std::vector<Judgement>> judge(llvm::ArrayRef<FailCondition> conditions, const ReportSummary &report,
                                             const ReportDiff *baseline) {
  std::vector<Judgement> judgements;
  for (const FailCondition &condition : conditions) {
    assert((baseline || !condition.needsBaseline()) && "the command line was refused");
    const bool asksMachines =
        condition.kind == Kind::NewPort || condition.kind == Kind::Flip || condition.kind == Kind::Worse;
    if (asksMachines && baseline->machines.empty())
      return llvm::createStringError("--fail-on " + condition.text +
                                     ": the reports have no machine in common, so that no verdict can be compared");
    judgements.push_back(
        {condition, condition.needsBaseline() ? reasonsOf(condition, *baseline) : reasonsOf(condition, report)});
  }
  return judgements;
}

void tell(llvm::ArrayRef<Judgement> judgements, Outcome &outcome) {
  constexpr size_t most = 20;
  for (const Judgement &one : judgements) {
    if (one.reasons.empty()) continue;
    const std::string start = "busfare: --fail-on " + one.condition.text + ": ";
    for (const std::string &reason : llvm::ArrayRef(one.reasons).take_front(most))
      outcome.messages.push_back(start + printable(reason));
    if (one.reasons.size() > most)
      outcome.messages.push_back(start + "... and " + std::to_string(one.reasons.size() - most) + " more");
    outcome.exitCode = ConditionHeld;
  }
}

std::string junitOf(llvm::ArrayRef<Judgement> judgements, const ReportSummary &report, StringRef command) {
  std::vector<JunitTest> tests;
  for (const Judgement &one : judgements) tests.push_back({one.condition.text, one.reasons});
  std::vector<std::string> notes = {
      formatPlural(report.files, "file") + ", " + formatPlural(report.regions.size(), "region") +
      (report.failedFiles ? "; " + std::to_string(report.failedFiles) + " could not be parsed" : "")};
  std::string text;
  llvm::raw_string_ostream os(text);
  writeJunit(("busfare." + command).str(), tests, notes, os);
  return text;
}

} // namespace busfare::frontend
