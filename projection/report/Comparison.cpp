//===- projection/report/Comparison.cpp - Machines side by side -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/Comparison.h"
#include "projection/report/Diff.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

namespace busfare::projection {

/// What the two do not agree on; empty: the same problem.
static std::string otherSizes(const RegionSummary &first, const RegionSummary &other) {
  std::string text;
  auto say = [&](const std::string &name, int64_t here, int64_t there) {
    if (here != there)
      text += (text.empty() ? "" : "; ") + name + " = " + std::to_string(here) + ", " + std::to_string(there) +
              " in the first report";
  };
  for (const auto &[name, value] : other.sizes)
    if (auto found = first.sizes.find(name); found != first.sizes.end()) say(name, value, found->second);
  say("time steps", int64_t(other.iterations), int64_t(first.iterations));
  return text;
}

static SpeedupSummary scaled(const SpeedupSummary &speedup, double factor) {
  auto times = [&](const std::optional<double> &value) {
    return value ? std::optional(*value * factor) : std::nullopt;
  };
  return {times(speedup.value), times(speedup.low), times(speedup.high)};
}

static void add(const RegionSummary &region, const RegionSummary &first, size_t report,
                llvm::ArrayRef<std::string> machines, ComparedRegion &compared) {
  for (const std::string &machine : machines) {
    const auto found = region.on.find(machine);
    if (found == region.on.end()) continue;
    const AnswerSummary &answer = found->second;
    ComparedAnswer &added = compared.answers.emplace_back();
    added.report = report;
    added.machine = machine;
    added.total = answer.total;
    added.verdict = answer.verdict;
    added.otherSizes = report == 0 ? "" : otherSizes(first, region);
    if (!compared.host && compared.answers.size() == 1) compared.host = answer.host;
    if (!compared.host || !answer.host || *answer.host <= 0) continue;
    added.isOwnHost = std::fabs(*answer.host - *compared.host) <= 1e-9 * *compared.host;
    if (added.otherSizes.empty()) added.speedup = scaled(answer.speedup, *compared.host / *answer.host);
  }
}

Comparison sideBySide(llvm::ArrayRef<ReportSummary> reports) {
  Comparison comparison;
  // All regions so far, each as the report has it where it comes first.
  ReportSummary known;
  for (size_t k = 0; k < reports.size(); ++k) {
    const ReportSummary &report = reports[k];
    comparison.files.push_back(report.file);
    comparison.version = report.version;
    if (comparison.hostOf.empty() && !report.machines.empty()) comparison.hostOf = report.machines.front();
    const std::vector<std::optional<size_t>> partners = partnersOf(known, report);
    for (size_t j = 0; j < report.regions.size(); ++j) {
      const RegionSummary &region = report.regions[j];
      size_t place = partners[j].value_or(known.regions.size());
      if (!partners[j]) {
        known.regions.push_back(region);
        comparison.regions.push_back({region.id, region.function, region.location, std::nullopt, {}});
      }
      add(region, known.regions[place], k, report.machines, comparison.regions[place]);
    }
  }
  llvm::stable_sort(comparison.regions, [](const ComparedRegion &a, const ComparedRegion &b) {
    return a.host.value_or(0) > b.host.value_or(0);
  });
  return comparison;
}

} // namespace busfare::projection
