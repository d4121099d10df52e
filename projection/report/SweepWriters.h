//===- projection/report/SweepWriters.h - Tables and plots of a sweep -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What `busfare sweep` prints: all rows as CSV or JSON; as text a plot of one column
// over the first axis, a letter a machine, and the rows of it:
//
//   speedup over n (other ranges at their first value)
//     12 |                        a a
//        |                   a a
//      1 |-----------a-a---------------- 1x
//        +------------------------------
//         1024                       1048576
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_SWEEPWRITERS_H
#define BUSFARE_PROJECTION_REPORT_SWEEPWRITERS_H

#include "projection/Sweep.h"
#include "projection/report/Writers.h"

namespace busfare::projection {

struct SweepReport {
  std::string version;
  SweepTable table;
};

void writeSweepText(const SweepReport &report, llvm::raw_ostream &os, const TextStyle &style = {});
/// {"columns": [...], "rows": [[...], ...]}
void writeSweepJson(const SweepReport &report, llvm::raw_ostream &os);
/// What web/src/svg.js is asked: the plot as a drawing. Error: the first range has a single value, or nothing has a
/// finite one.
llvm::Error writeSweepQuestion(const SweepReport &report, llvm::raw_ostream &os);
void writeSweepCsv(const SweepReport &report, llvm::raw_ostream &os);

} // namespace busfare::projection

#endif
