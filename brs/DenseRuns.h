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
// Of an array with rows such a run may be some of them, whole:
//
//   for k = 0 .. n*m - 1 { write c }       c[n][m] walked flat      c[0 : n - 1][0 : m - 1]
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_DENSERUNS_H
#define BUSFARE_BRS_DENSERUNS_H

#include "brs/Presburger.h"
#include "skeleton/Skeleton.h"

namespace busfare::brs {

/// The elements that the access touches over all iterations of the loops (outermost first), precisely; nothing if that
/// is no such run. Loops that depend on each other, or may stop early, make none.
std::optional<PresburgerSet> denseRun(const skeleton::Access &access, const skeleton::Array &array,
                                      llvm::ArrayRef<const skeleton::Loop *> loops, const Context &facts);

} // namespace busfare::brs

#endif
