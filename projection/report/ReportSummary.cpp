//===- projection/report/ReportSummary.cpp - What two reports differ in ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/ReportSummary.h"
#include "projection/report/JsonParts.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

namespace busfare::projection {

/// As JSON has it: what is no number is not there.
static std::optional<double> finite(double value) { return std::isfinite(value) ? std::optional(value) : std::nullopt; }

static skeleton::Location readable(const skeleton::Location &location) {
  return {readable(location.file.str()), location.line, location.column};
}

static void addBytes(const std::optional<DirectionReport> &direction, RegionSummary &region) {
  if (!direction) return;
  region.sectionBytes = llvm::SaturatingMultiplyAdd(direction->bytes, direction->count, region.sectionBytes);
  region.movedBytes = llvm::SaturatingMultiplyAdd(direction->movedBytes, direction->count, region.movedBytes);
}

static RegionSummary summarize(const RegionReport &report) {
  RegionSummary region;
  region.id = readable(report.id);
  region.fingerprint = readable(report.fingerprint);
  region.function = readable(report.function);
  region.location = readable(report.location);
  for (const ArrayReport &array : report.arrays) {
    addBytes(array.h2d, region);
    addBytes(array.d2h, region);
  }
  for (const auto &[name, value] : report.parameters) region.sizes[readable(name)] = value.value;
  if (!report.on.empty()) region.iterations = report.on.front().second.iterations.count;
  for (const auto &[machine, answer] : report.on) {
    const Interval &speedup = answer.speedup.with;
    region.on[readable(machine)] = {answer.verdict,
                                    {finite(speedup.value), finite(speedup.low), finite(speedup.high)},
                                    finite(std::min(answer.time.cpu, answer.time.cpuAllCores)),
                                    finite(answer.time.total)};
  }
  return region;
}

ReportSummary summarize(const Report &report) {
  ReportSummary summary;
  summary.version = readable(report.version);
  for (const MachineReport &machine : report.machines) summary.machines.push_back(readable(machine.name));
  for (const RegionReport &region : report.regions) summary.regions.push_back(summarize(region));
  for (const LoopReport &loop : report.loops)
    summary.loops.push_back({readable(loop.location), readable(loop.function), readable(loop.index), loop.depth,
                             loop.parallel, readable(loop.reason)});
  for (const skeleton::Finding &finding : report.findings)
    summary.findings.push_back({skeleton::ruleId(finding.rule).str(), skeleton::toString(finding.level).str(),
                                readable(finding.location), readable(finding.message)});
  summary.files = report.coverage.files;
  summary.failedFiles = report.coverage.failedFiles;
  return summary;
}

} // namespace busfare::projection
