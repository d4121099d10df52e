//===- projection/report/Join.h - Reports of several units as one ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Units that were projected apart, side by side in one report. The program's
// speedup is over the sum of their host times:
//
//   a.c: 2 s at 4x, b.c: 1 s at 1x   ->   3 s / (2/4 + 1/1) s = 2x
//
// Loops of a header that several units saw are one, parallel only if all are.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_JOIN_H
#define BUSFARE_PROJECTION_REPORT_JOIN_H

#include "projection/report/Report.h"

namespace busfare::projection {

Report joinReports(std::vector<Report> reports);

/// Sorted by place, without repeats.
void sortFindings(std::vector<skeleton::Finding> &findings);

} // namespace busfare::projection

#endif
