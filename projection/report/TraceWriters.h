//===- projection/report/TraceWriters.h - A trace's estimate as text ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What `busfare trace` prints. The text begins
//
//   app.sqlite on v100-pcie3
//   ===========================================================================
//   Transfers took 530 ms of 1.54 s of GPU time (34 %); there they take 212 ms.
//
// and goes on with the kinds of copies, their sizes, the timeline, and what to do.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_TRACEWRITERS_H
#define BUSFARE_PROJECTION_REPORT_TRACEWRITERS_H

#include "projection/Estimate.h"
#include "projection/report/Writers.h"

namespace busfare::projection {

struct TraceReport {
  std::string version;
  std::string file, to, from, measured; ///< Of `from` and `measured`: empty if not given.
  std::string model; ///< Of the pinned copies.
  bool latencyFromSource = false;
  Estimate estimate;
};

void writeTraceText(const TraceReport &report, llvm::raw_ostream &os, const TextStyle &style = {});
void writeTraceJson(const TraceReport &report, llvm::raw_ostream &os);
/// One line a kind, memory and size of copies, with a header.
void writeTraceCsv(const TraceReport &report, llvm::raw_ostream &os);

} // namespace busfare::projection

#endif
