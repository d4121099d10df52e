//===- projection/report/LoopPairs.h - The same loop in two reports -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A loop is known by its file and function, and there by its place among the others:
// lines move, and say nothing. The loops of a function are aligned as two texts are, a
// loop's letter being its index, as spelled, and its depth: as many as possible, and among those
// alignments one that keeps most verdicts. What is left between two that fit is paired
// if there are as many on both sides and of one depth.
//
//   old  t  . i  . . j           new  t  . k  . . j  . m
//   t with t, i with k (its index was renamed), j with j; m is new
//
// Functions whose file is gone, or that are in another one now, are found by their
// name, if at least half of their loops fit.
//
// Limit: which of several loops over i with one verdict was taken out nobody can say.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_LOOPPAIRS_H
#define BUSFARE_PROJECTION_REPORT_LOOPPAIRS_H

#include "projection/report/Pairing.h"
#include "projection/report/ReportSummary.h"

namespace busfare::projection {

Pairing<LoopSummary> pairLoops(llvm::ArrayRef<LoopSummary> before, llvm::ArrayRef<LoopSummary> after);

} // namespace busfare::projection

#endif
