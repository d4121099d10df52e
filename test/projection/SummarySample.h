//===- test/projection/SummarySample.h - Small reports to compare ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A report of one program as `diff` sees it, of which tests change what they are about.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_TEST_PROJECTION_SUMMARYSAMPLE_H
#define BUSFARE_TEST_PROJECTION_SUMMARYSAMPLE_H

#include "projection/report/ReportSummary.h"
#include "llvm/Support/Path.h"

namespace busfare::projection::test {

inline RegionSummary regionOf(std::string file, unsigned line, std::string function, std::string fingerprint,
                              Verdict verdict = Verdict::Port, SpeedupSummary speedup = {3, 2, 4},
                              uint64_t bytes = 1000) {
  RegionSummary region;
  region.id = llvm::sys::path::filename(file).str() + ":" + std::to_string(line) + ":" + function;
  region.fingerprint = std::move(fingerprint);
  region.function = std::move(function);
  region.location = {file, line, 3};
  region.sectionBytes = bytes - bytes / 10;
  region.movedBytes = bytes;
  region.sizes = {{region.function + "::n", 64}};
  region.iterations = 10;
  region.on["a100-pcie4"] = {verdict, speedup};
  return region;
}

inline LoopSummary loopOf(std::string file, unsigned line, std::string function, std::string index, unsigned depth,
                          bool parallel) {
  return {{file, line, 3}, std::move(function), std::move(index), depth, parallel, parallel ? "" : "a[i] -> a[i-1]"};
}

inline FindingSummary findingOf(std::string rule, std::string file, unsigned line, std::string message) {
  return {std::move(rule), "remark", {file, line, 5}, std::move(message)};
}

inline ReportSummary summarySample() {
  ReportSummary report;
  report.file = "old.json";
  report.version = "0.1.0";
  report.machines = {"a100-pcie4"};
  report.regions = {regionOf("src/step.c", 12, "main", "6f1d"),
                    regionOf("src/norm.c", 40, "norm", "aa01", Verdict::Keep, {0.5, 0.4, 0.7})};
  report.loops = {loopOf("src/step.c", 10, "main", "t", 0, false), loopOf("src/step.c", 12, "main", "i", 1, true),
                  loopOf("src/step.c", 13, "main", "j", 2, true), loopOf("src/norm.c", 40, "norm", "i", 0, true)};
  report.findings = {
      findingOf("BF007", "src/step.c", 10, "the loop over t is serial: step.c:14:5 reads what step.c:13:7 wrote"),
      findingOf("BF008", "src/step.c", 9, "nothing binds n: 1024 is assumed")};
  report.files = 2;
  return report;
}

} // namespace busfare::projection::test

#endif
