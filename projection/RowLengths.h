//===- projection/RowLengths.h - How long the rows of a sparse matrix are ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A loop over one row of a matrix in compressed rows runs from one value that is read to
// the next one:
//
//   for k = ptr[r] .. ptr[r + 1] - 1 { val[k] }     double val[5*n*n]; int ptr[n*n + 1];
//
// No size of the program says how often it turns, but all rows together fill what the
// loop goes through: here 5*n*n elements in n*n rows, 5 each on average. Where that is
// known the end of a row is its beginning and so much, and known as well as the extents
// are. Where it is not, one value stays open, the end: the beginning is taken to be 0, so
// that the end says how many elements a row has.
//
// Not handled: beginnings and ends in arrays of their own, rows in structs, lengths that
// differ much from row to row.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_ROWLENGTHS_H
#define BUSFARE_PROJECTION_ROWLENGTHS_H

#include "projection/Sizes.h"

namespace busfare::projection {

/// Gives the beginnings of rows, and their ends where the extents tell, values in place of assumed ones.
void bindRowLengths(const skeleton::Program &program, const skeleton::Function &root, Sizes &sizes);

} // namespace busfare::projection

#endif
