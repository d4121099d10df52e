//===- projection/report/Diff.cpp - What changed between two reports ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/Diff.h"
#include "projection/report/Figures.h"
#include "projection/report/LoopPairs.h"
#include "projection/report/Pairing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <set>

using llvm::StringRef;

namespace busfare::projection {

StringRef toString(Trend trend) {
  switch (trend) {
  case Trend::Same: return "same";
  case Trend::Within: return "within";
  case Trend::Faster: return "faster";
  case Trend::Slower: return "slower";
  }
  return "";
}

StringRef toString(LoopDiff::Kind kind) {
  switch (kind) {
  case LoopDiff::Kind::Lost: return "lost";
  case LoopDiff::Kind::Gained: return "gained";
  case LoopDiff::Kind::New: return "new";
  case LoopDiff::Kind::Gone: return "gone";
  }
  return "";
}

bool RegionDiff::changed() const {
  return isNew() || isGone() || structureChanged || bytesBefore != bytesAfter || !sizes.empty() ||
         llvm::any_of(on, [](const AnswerDiff &answer) {
           return answer.flipped() || answer.trend == Trend::Faster || answer.trend == Trend::Slower;
         });
}

bool ReportDiff::isEmpty() const {
  return onlyOld.empty() && onlyNew.empty() && loops.empty() && rules.empty() && failedBefore == failedAfter &&
         llvm::none_of(regions, [](const RegionDiff &region) { return region.changed(); });
}

std::string formatGrowth(uint64_t before, uint64_t after) {
  if (before == 0) return after == 0 ? "none" : "from none";
  const double ratio = double(after) / double(before), growth = ratio - 1;
  constexpr double most = 2; // beyond which nobody reads per cent
  if (growth > most) return formatFactor(ratio);
  if (after > 0 && ratio < 0.005) // which would be rounded to nothing left
    return "to less than 1 %";
  constexpr double least = 0.0005;
  const std::string sign = growth < 0 ? "-" : "+";
  return std::abs(growth) < least && before != after ? sign + "0.1 % at most" : sign + formatPercent(std::abs(growth));
}

//===--- Regions ----------------------------------------------------------===//

static std::set<std::string> filesOf(const ReportSummary &report) {
  std::set<std::string> files;
  for (const RegionSummary &region : report.regions) files.insert(region.location.file.str());
  for (const LoopSummary &loop : report.loops) files.insert(loop.location.file.str());
  return files;
}

static Pairing<RegionSummary> pairRegions(const ReportSummary &before, const ReportSummary &after) {
  Pairing<RegionSummary> pairs(before.regions, after.regions);
  using Key = std::optional<std::string>;
  pairs.by([](const RegionSummary &one, bool) -> Key {
    return keyOf({one.fingerprint, one.location.file.str(), one.function});
  });
  pairs.by([](const RegionSummary &one, bool) -> Key { return keyOf({one.fingerprint, one.function}); });
  pairs.by([](const RegionSummary &one, bool) -> Key { return keyOf({one.fingerprint, one.location.file.str()}); });
  pairs.by([](const RegionSummary &one, bool) -> Key { return one.fingerprint; });
  pairs.by([](const RegionSummary &one, bool) -> Key { return keyOf({one.location.file.str(), one.id}); });
  pairs.by([](const RegionSummary &one, bool) -> Key { return keyOf({one.location.file.str(), one.function}); });
  // Only a file that is gone can have become another one.
  const std::set<std::string> oldFiles = filesOf(before), newFiles = filesOf(after);
  auto stays = [&](const RegionSummary &one, bool isOld) {
    return (isOld ? newFiles : oldFiles).count(one.location.file.str()) > 0;
  };
  pairs.by([&](const RegionSummary &one, bool isOld) -> Key { return stays(one, isOld) ? Key() : Key(one.id); });
  pairs.by([&](const RegionSummary &one, bool isOld) -> Key { return stays(one, isOld) ? Key() : Key(one.function); });
  return pairs;
}

std::vector<std::optional<size_t>> partnersOf(const ReportSummary &before, const ReportSummary &after) {
  const Pairing<RegionSummary> pairs = pairRegions(before, after);
  std::vector<std::optional<size_t>> partners;
  for (size_t j = 0; j < after.regions.size(); ++j) partners.push_back(pairs.oldOf(j));
  return partners;
}

static bool isOutside(const std::optional<double> &value, const SpeedupSummary &interval) {
  return value && ((interval.low && *value < *interval.low) || (interval.high && *value > *interval.high));
}

static Trend trendOf(const SpeedupSummary &before, const SpeedupSummary &after) {
  if (before == after) return Trend::Same;
  if (!before.value || !after.value || *before.value == *after.value ||
      (!isOutside(after.value, before) && !isOutside(before.value, after)))
    return Trend::Within;
  return *after.value > *before.value ? Trend::Faster : Trend::Slower;
}

static void addSizes(RegionDiff &diff) {
  for (const auto &[name, value] : diff.before->sizes)
    if (auto found = diff.after->sizes.find(name); found != diff.after->sizes.end() && found->second != value)
      diff.sizes.push_back({name, value, found->second});
  auto whole = [](uint64_t count) { return int64_t(std::min<uint64_t>(count, std::numeric_limits<int64_t>::max())); };
  if (diff.before->iterations != diff.after->iterations)
    diff.sizes.push_back({"iterations", whole(diff.before->iterations), whole(diff.after->iterations)});
}

static RegionDiff compare(const RegionSummary &before, const RegionSummary &after, const ReportDiff &report) {
  RegionDiff diff;
  diff.before = before;
  diff.after = after;
  diff.bytesBefore = report.bytesAreMoved ? before.movedBytes : before.sectionBytes;
  diff.bytesAfter = report.bytesAreMoved ? after.movedBytes : after.sectionBytes;
  diff.structureChanged = before.fingerprint != after.fingerprint;
  for (const std::string &machine : report.machines) {
    auto left = before.on.find(machine), right = after.on.find(machine);
    if (left != before.on.end() && right != after.on.end())
      diff.on.push_back({machine, left->second, right->second, trendOf(left->second.speedup, right->second.speedup)});
  }
  addSizes(diff);
  return diff;
}

static void compareRegions(const ReportSummary &before, const ReportSummary &after, ReportDiff &diff) {
  const Pairing<RegionSummary> pairs = pairRegions(before, after);
  for (size_t j = 0; j < after.regions.size(); ++j)
    if (std::optional<size_t> i = pairs.oldOf(j))
      diff.regions.push_back(compare(before.regions[*i], after.regions[j], diff));
    else diff.regions.emplace_back().after = after.regions[j];
  for (size_t i = 0; i < before.regions.size(); ++i)
    if (!pairs.newOf(i)) diff.regions.emplace_back().before = before.regions[i];
}

//===--- Loops and findings -----------------------------------------------===//

static void compareLoops(const ReportSummary &before, const ReportSummary &after, ReportDiff &diff) {
  const Pairing<LoopSummary> pairs = pairLoops(before.loops, after.loops);
  for (size_t j = 0; j < after.loops.size(); ++j) {
    const LoopSummary &loop = after.loops[j];
    std::optional<size_t> i = pairs.oldOf(j);
    if (!i) diff.loops.push_back({LoopDiff::Kind::New, std::nullopt, loop});
    else if (before.loops[*i].parallel != loop.parallel)
      diff.loops.push_back({loop.parallel ? LoopDiff::Kind::Gained : LoopDiff::Kind::Lost, before.loops[*i], loop});
  }
  for (size_t i = 0; i < before.loops.size(); ++i)
    if (!pairs.newOf(i)) diff.loops.push_back({LoopDiff::Kind::Gone, before.loops[i], std::nullopt});
}

/// A finding's words without the numbers in them, those of symbols too (`i.2` is the second `i`), and without places:
/// `jacobi.c:60:5`, also of a file that has another name by now.
static std::string wordsOf(StringRef message) {
  std::string words;
  while (!message.empty()) {
    StringRef word = message.take_until([](char c) { return c == ' '; });
    message = message.drop_front(std::min(word.size() + 1, message.size()));
    const size_t colon = word.find(':');
    if (colon != StringRef::npos && colon + 1 < word.size() && llvm::isDigit(word[colon + 1])) {
      words += "@ ";
      continue;
    }
    bool inName = false;
    for (size_t i = 0; i < word.size(); ++i) {
      const char c = word[i];
      if (c == '.' && inName && i + 1 < word.size() && llvm::isDigit(word[i + 1])) {
        i += word.drop_front(i + 1).take_while(llvm::isDigit).size();
        continue;
      }
      if (!llvm::isDigit(c) || inName) words += c;
      else if (!StringRef(words).ends_with("#")) words += '#';
      inName = llvm::isAlpha(c) || c == '_' || (inName && llvm::isDigit(c));
    }
    words += ' ';
  }
  return words;
}

static void compareFindings(const ReportSummary &before, const ReportSummary &after, ReportDiff &diff) {
  Pairing<FindingSummary> pairs(before.findings, after.findings);
  using Key = std::optional<std::string>;
  pairs.by([](const FindingSummary &one, bool) -> Key {
    return keyOf({one.rule, one.message, one.location.file.str(), std::to_string(one.location.line),
                  std::to_string(one.location.column)});
  });
  pairs.by(
      [](const FindingSummary &one, bool) -> Key { return keyOf({one.rule, one.message, one.location.file.str()}); });
  pairs.by([](const FindingSummary &one, bool) -> Key {
    return keyOf({one.rule, wordsOf(one.message), one.location.file.str()});
  });
  pairs.by([](const FindingSummary &one, bool) -> Key { return keyOf({one.rule, wordsOf(one.message)}); });
  std::map<std::string, RuleDiff> rules;
  for (size_t i = 0; i < before.findings.size(); ++i) {
    RuleDiff &rule = rules[before.findings[i].rule];
    ++rule.before;
    if (!pairs.newOf(i)) rule.gone.push_back(before.findings[i]);
  }
  for (size_t j = 0; j < after.findings.size(); ++j) {
    RuleDiff &rule = rules[after.findings[j].rule];
    ++rule.after;
    if (!pairs.oldOf(j)) rule.fresh.push_back(after.findings[j]);
  }
  for (auto &[id, rule] : rules)
    if (!rule.gone.empty() || !rule.fresh.empty()) {
      rule.rule = id;
      diff.rules.push_back(std::move(rule));
    }
}

ReportDiff compare(const ReportSummary &before, const ReportSummary &after) {
  ReportDiff diff;
  diff.oldFile = before.file;
  diff.newFile = after.file;
  diff.oldVersion = before.version;
  diff.newVersion = after.version;
  diff.failedBefore = before.failedFiles;
  diff.failedAfter = after.failedFiles;
  for (const std::string &machine : before.machines)
    (llvm::is_contained(after.machines, machine) ? diff.machines : diff.onlyOld).push_back(machine);
  for (const std::string &machine : after.machines)
    if (!llvm::is_contained(before.machines, machine)) diff.onlyNew.push_back(machine);
  diff.bytesAreMoved =
      !before.machines.empty() && !after.machines.empty() && before.machines.front() == after.machines.front();
  compareRegions(before, after, diff);
  compareLoops(before, after, diff);
  compareFindings(before, after, diff);
  return diff;
}

} // namespace busfare::projection
