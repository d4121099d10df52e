//===- projection/report/FirstScreen.h - What to do, before any detail ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What fits a screen, of one program or of a tree of them:
//
//   PORT 2 of 9 regions in 4 programs: 3.5 s gained (2.4 s to 5.0 s), start-up included.
//
//   What to do
//     PORT solve.c:88, in smooth (71 % of the work): gains 3.1 s (2.2 s to 4.4 s)
//         Pays off from 3 time steps on; at today's 100 time steps: 6.1x, ...
//     KEEP main.c:9, in fill (2 % of the work): would lose 251 ms (...)
//     and 6 more to keep; --top 9 lists all
//
//   What it rests on
//     ...
//   What would change it
//     ...
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_FIRSTSCREEN_H
#define BUSFARE_PROJECTION_REPORT_FIRSTSCREEN_H

#include "projection/report/Page.h"
#include "projection/report/Ranking.h"

namespace busfare::projection {

/// ranked: of the report. top: so many of them; 0: what fits.
void writeFirstScreen(const Report &report, llvm::ArrayRef<RankedRegion> ranked, size_t top, Page &page);

/// How many programs the report is of: those with a main, where there is one.
size_t programsOf(const Report &report);

/// The Amdahl figure of each program, the one with most work first.
void writePrograms(const Report &report, Page &page);

/// How many findings there are of each rule.
void writeFindingCounts(const Report &report, Page &page);

} // namespace busfare::projection

#endif
