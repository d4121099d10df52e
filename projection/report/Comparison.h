//===- projection/report/Comparison.h - Machines side by side -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The regions of one report with several machines, or of several reports, in absolute times
// and against one host, that of the first report's first machine:
//
//                     machine       GPU, total  speedup       10 to 90 %  verdict
//   jacobi.c:12, simulate: 1.2 s on the host
//                     a100-pcie4         36 ms      33x     20x to 55x    port
//                     h100-pcie5         21 ms      57x     31x to 99x    port
//
// Regions of several reports are paired as `diff` pairs them. Where they have other sizes the
// times are of another problem, which is said and no speedup is given.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_COMPARISON_H
#define BUSFARE_PROJECTION_REPORT_COMPARISON_H

#include "projection/report/ReportSummary.h"
#include "projection/report/Writers.h"

namespace busfare::projection {

/// A region on one machine of one report.
struct ComparedAnswer {
  size_t report = 0; ///< Comparison::files.
  std::string machine;
  std::optional<double> total; ///< s, of the GPU with its transfers.
  SpeedupSummary speedup;      ///< Over the common host; no figures where the problem is another one.
  Verdict verdict = Verdict::Measure;
  bool isOwnHost = false; ///< Whose host is the common one: only then does the verdict follow from the speedup.
  std::string otherSizes; ///< "n = 8192, 4096 in the first": then the problem is another one.
};

struct ComparedRegion {
  std::string id, function;
  skeleton::Location location;
  std::optional<double> host; ///< s; of the report and machine where the region comes first.
  std::vector<ComparedAnswer> answers;
};

struct Comparison {
  std::string version;
  std::vector<std::string> files;
  std::string hostOf;                  ///< The machine whose host it is.
  std::vector<ComparedRegion> regions; ///< Those that take the host longest come first.
};

Comparison sideBySide(llvm::ArrayRef<ReportSummary> reports);

void writeComparisonText(const Comparison &comparison, llvm::raw_ostream &os, const TextStyle &style = {});
void writeComparisonMarkdown(const Comparison &comparison, llvm::raw_ostream &os);
void writeComparisonJson(const Comparison &comparison, llvm::raw_ostream &os);
void writeComparisonCsv(const Comparison &comparison, llvm::raw_ostream &os);

} // namespace busfare::projection

#endif
