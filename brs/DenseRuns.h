//===- brs/DenseRuns.h - Runs without gaps that several loops make --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A flat subscript whose strides are symbols names no set that is affine, but often the
// loops together leave no gaps: each stride is at most as long as what the smaller ones
// cover.
//
//   for k = 1 .. d { for j = 0 .. m - 1 { write a[d*j + k + off] } }
//     strides 1 and d; k covers d elements      a[off + 1 : off + d*m]
//
// As for a shape (Shape.h), but where the run begins need not be known.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_DENSERUNS_H
#define BUSFARE_BRS_DENSERUNS_H

#include "brs/Presburger.h"
#include "skeleton/Skeleton.h"

namespace busfare::brs {

/// The elements with this subscript over all iterations of the loops (outermost first), precisely; nothing if that is no
/// such run. Loops that depend on each other, or may stop early, make none.
std::optional<PresburgerSet> denseRun(const skeleton::Expr &subscript, llvm::ArrayRef<const skeleton::Loop *> loops,
                                      const Context &facts);

} // namespace busfare::brs

#endif
