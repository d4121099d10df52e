//===- projection/report/NestText.h - Which loops do the work ------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a reader wants to know before any region: is the answer about the loops that matter?
//
//   MEASURE FIRST: what does most of the work is not priced, or how much it does is not known.
//   Not priced: force.c:40 (over i, in lj; 94 % of the work): ...
//
//   Most of the work: force.c:40 (over i, in lj) 94 %, main.c:12 (over i) 5 %.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_NESTTEXT_H
#define BUSFARE_PROJECTION_REPORT_NESTTEXT_H

#include "projection/report/Page.h"
#include "projection/report/Report.h"

namespace busfare::projection {

/// Which units could not be read, and which functions are called and not there: nothing of them is priced, and nobody
/// could say what it does.
void writeMissing(const Report &report, Page &page);

/// That most of the work is not priced: which loops, why, and what to give.
void writeUnpriced(const Report &report, Page &page);

void writeNests(const Report &report, Page &page);

} // namespace busfare::projection

#endif
