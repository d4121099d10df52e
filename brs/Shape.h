//===- brs/Shape.h - The dimensions of flattened arrays -------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Recovers the dimensions of arrays that are subscripted flat (Maslov 1992;
// Grosser et al., Optimistic delinearization, ICS 2015):
//
//   a[(i*n + j)*m + k], j in 0..n-1, k in 0..m-1   ->  a[i][j][k], extents ? x n x m
//   a[(i - 1)*w + j + 1], 0 <= j <= w - 2          ->  a[i - 1][j + 1], extents ? x w
//   a[(w + 4)*i + j - lo], lo <= j <= w            ->  a[i][j - lo], extents ? x w + 4, if -3 <= lo (ShapeProof)
//
// The candidates are the strides that indices have in the subscripts. A shape is
// taken only if it is valid for every access to the array in the function: the inner
// subscripts provably stay inside their extents for all iterations, which makes the
// split unique. Otherwise the array stays one-dimensional, with a Finding (BF017) if
// there was a candidate. The outermost extent follows from the declared size, if that is
// a number of rows (48 elements in rows of 8; n*m in rows of m), else from the rows that
// the accesses name.
//
// Loops that walk such an array flat (a[k], k in 0..n*m-1: fill, copy, sum) do not
// veto the shape. Where the extents are numbers their subscripts are divided
// (a[k / 512][k mod 512]); otherwise they are not known any more (`lossy`), and the
// accesses keep the element's number (Access::flat) for runs of whole rows (DenseRuns.h):
// the caller can still ask the function before about the dependences of such loops.
// Nor do accesses of loops that stay on the host, if the flat array knows no bounds of them
// either: a walk back through a table, `while (i > 0 && j > 0) { .. t[i*n + j] .. }`.
//
// Does not handle: strides that are products of a symbol and an unknown value.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_SHAPE_H
#define BUSFARE_BRS_SHAPE_H

#include "brs/Bounds.h"
#include "skeleton/Skeleton.h"
#include <map>
#include <set>

namespace busfare::brs {

struct Shaped {
  skeleton::Function function;
  std::vector<skeleton::Finding> findings;
  std::set<std::string> lossy; ///< Arrays of which some known flat subscript became unknown.
  /// All elements of arrays whose size is no number of rows: 48, in rows of n. Their first extent is what the accesses
  /// name, or open.
  std::map<std::string, skeleton::Expr> elements;
  /// Conditions (each >= 0) on the caller's values that nobody proved, and the arrays whose shapes need them.
  std::vector<skeleton::Expr> assumed;
  std::set<std::string> assumedShapes;
};

/// What a shape may rest on.
enum class ShapeProof {
  Strict, ///< The loops' bounds, the guards and the facts.
  Assumed, ///< The same for what the program owns; for pointers that a root is given also conditions on values that it
           ///< is given (RowAssumptions.h). Whoever asks for it must list them.
};

/// The function (after Inline) with every flat array in its recovered shape.
Shaped recoverShapes(const skeleton::Program &program, const skeleton::Function &function, const Context &context,
                     ShapeProof proof = ShapeProof::Strict);

} // namespace busfare::brs

#endif
