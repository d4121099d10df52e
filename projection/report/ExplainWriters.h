//===- projection/report/ExplainWriters.h - One nest, as text and JSON ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The text of one nest goes the way a reader doubts it: where it is, why it may run in
// parallel, what it touches, what crosses for it, what it computes, and then each time
// with its formula; the parameters with their sources stand at its end.
//
//   jacobi2d.c:30, the loop over i in sweep
//   ===========================================================================
//   A kernel of the region jacobi2d.c:66:main, launched 100 times.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_EXPLAINWRITERS_H
#define BUSFARE_PROJECTION_REPORT_EXPLAINWRITERS_H

#include "projection/report/Explanation.h"
#include "projection/report/Writers.h"

namespace busfare::projection {

void writeExplanationText(const Explanation &explanation, llvm::raw_ostream &os, const TextStyle &style = {});
void writeExplanationJson(const Explanation &explanation, llvm::raw_ostream &os);

/// Why a line has no explanation: "no loop at a.c:3; the nearest are a.c:10 (over i, in main), ...".
std::string nearestStatement(const Explanation &explanation);

} // namespace busfare::projection

#endif
