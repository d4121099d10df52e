//===- projection/report/ReportSummary.h - What two reports differ in -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The part of a report that is held against another one's: verdicts and speedups,
// bytes, loops, findings. It is made of a Report, or read from the JSON that
// `analyze --format json` wrote; of the same report both give the same value.
//
//   "verdict": "port", "speedup": {"value": 3.2, "low": 2.1, "high": 4.5}, ...
//     ->  on {"a100-pcie4": {Port, {3.2, 2.1, 4.5}}}
//
// Keys that are not compared may be there or not, so that reports of other versions
// can be read. Names are text that somebody else wrote: they may hold anything.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_REPORTSUMMARY_H
#define BUSFARE_PROJECTION_REPORT_REPORTSUMMARY_H

#include "projection/report/Report.h"
#include "llvm/Support/Error.h"

namespace busfare::projection {

/// An Interval of which JSON may know no figure.
struct SpeedupSummary {
  std::optional<double> value, low, high;
  bool operator==(const SpeedupSummary &) const = default;
};

struct AnswerSummary {
  Verdict verdict = Verdict::Measure;
  SpeedupSummary speedup;
  std::optional<double> host,
      total; ///< s: what the speedup compares with, and the GPU's with its transfers. Nothing: not in the report.
  bool operator==(const AnswerSummary &) const = default;
};

struct RegionSummary {
  std::string id, fingerprint, function;
  skeleton::Location location;
  uint64_t sectionBytes = 0; ///< Both ways, each times its count; depends on no machine.
  uint64_t movedBytes = 0;   ///< Likewise what the copies move, which the first machine decides.
  std::map<std::string, int64_t> sizes; ///< "simulate::n".
  uint64_t iterations = 1;
  std::map<std::string, AnswerSummary> on; ///< By machine.
  bool operator==(const RegionSummary &) const = default;
};

struct LoopSummary {
  skeleton::Location location;
  std::string function, index;
  unsigned depth = 0;
  bool parallel = false;
  std::string reason;
  bool operator==(const LoopSummary &) const = default;
};

struct FindingSummary {
  std::string rule, level; ///< "BF001", "remark".
  skeleton::Location location;
  std::string message;
  bool operator==(const FindingSummary &) const = default;
};

struct ReportSummary {
  std::string file;    ///< Where it was read; empty: it was not.
  std::string version; ///< Of the busfare that made it.
  std::vector<std::string> machines;
  std::vector<RegionSummary> regions;
  std::vector<LoopSummary> loops;
  std::vector<FindingSummary> findings;
  unsigned files = 0, failedFiles = 0;
  bool operator==(const ReportSummary &) const = default;
};

ReportSummary summarize(const Report &report);

/// Of what `analyze --format json` wrote. Errors: text that is damaged, or is no such report, with the place in it.
llvm::Expected<ReportSummary> parseReportSummary(llvm::StringRef text, llvm::StringRef file);
llvm::Expected<ReportSummary> loadReportSummary(llvm::StringRef file);

} // namespace busfare::projection

#endif
