//===- projection/BlasTiles.h - A BLAS call as steps on square tiles ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Cuts the operands of a BLAS call into square tiles of side T (vectors into pieces of
// length T; a rest is a smaller tile) and says in which order the device works on them:
//
//   gemm, 2 x 2 tiles of C, 2 tiles of the summed dimension:
//     C00 += A00 B00   C01 += A00 B01   C00 += A01 B10   C01 += A01 B11   C1* likewise
//
// A product runs over the rows of the result, then the summed dimension, then the columns:
// a row of tiles of C stays until it is complete, and each tile comes in when it is first
// needed. Of the six orders this is the nearest to CoCoPeLia's own measured calls
// (Anastasiadis et al., section III). A triangular solve looks left: a row of tiles of B is
// updated by those that are solved, and then solved itself. The model (BlasPipeline.h) plays
// these steps through, and libbusfare-blas runs them.
//
// Matrices are column-major, as in Fortran. Does not handle: calls without work (a dimension
// that is 0), which whoever makes the call answers at once.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_BLASTILES_H
#define BUSFARE_PROJECTION_BLASTILES_H

#include <cstdint>
#include <optional>
#include <vector>

namespace busfare::projection {

enum class BlasKind {
  Axpy, ///< y = y + a x
  Dot,  ///< x . y
  Gemv, ///< y = a op(A) x + b y
  Gemm, ///< C = a op(A) op(B) + b C
  Syrk, ///< C = a A A' + b C or a A' A + b C, one triangle of C
  Trsm, ///< B = a op(A)^-1 B or a B op(A)^-1, A a triangle
};

/// axpy, dot, ...
const char *nameOf(BlasKind kind);
/// 1 vectors, 2 a matrix and vectors, 3 matrices.
unsigned levelOf(BlasKind kind);

/// What decides which tiles there are and which work on which.
struct TiledCall {
  BlasKind kind = BlasKind::Gemm;
  /// As in BLAS: axpy and dot have n; gemv m and n of the stored A; gemm m, n, k; syrk n and k; trsm m and n of B.
  int64_t m = 1, n = 1, k = 1;
  bool transposesA = false, transposesB = false;
  bool isLower = true;      ///< The triangle: of C in syrk, of the stored A in trsm.
  bool isLeft = true;       ///< trsm: op(A) stands left of B.
  bool scalesAlone = false; ///< alpha is 0, or nothing is summed: only beta times the result, in trsm zero.
};

struct TiledOperand {
  int64_t rows = 1, columns = 1;
  bool isVector = false;
  bool isTriangle = false; ///< Tiles on one side of the diagonal are never touched.
};

/// As they stand in the call, the result last: x y; A x y; A B C; A C; A B. The result of dot is none of them.
std::vector<TiledOperand> operandsOf(const TiledCall &call);

/// The box that tiles cut, of which a rank-k update and a solve (of order m or n) compute a half.
std::vector<double> dimensionsOf(const TiledCall &call);
/// 1, or 0.5 of a rank-k update and of a solve.
double computedPart(BlasKind kind);
/// Fused multiply-adds of the whole call; of one that only scales one for each element.
double multiplicationsOf(const TiledCall &call);

struct TileAt {
  unsigned operand = 0;        ///< Of operandsOf.
  int64_t row = 0, column = 0; ///< In tiles.
  friend bool operator==(const TileAt &, const TileAt &) = default;
};

/// One kernel on whole tiles.
struct TileStep {
  BlasKind work = BlasKind::Gemm; ///< A rank-k update also runs gemm, off the diagonal, and so does a solve.
  int64_t m = 1, n = 1, k = 1;    ///< Of this kernel.
  std::optional<TileAt> a, b;     ///< Absent where nothing is read: k is 0.
  TileAt c;                       ///< What it changes; of dot y, which it reads.
  bool transposesA = false, transposesB = false;
  bool isFirst = true;    ///< The first on c, which applies beta (in a solve alpha).
  bool isLast = true;     ///< c is complete.
  bool subtracts = false; ///< The update of a solve: c = c - a b.
  /// Fused multiply-adds.
  double multiplications() const;
};

/// How many steps there are, without making them.
double stepsOf(const TiledCall &call, int64_t tile);
std::vector<TileStep> tileSteps(const TiledCall &call, int64_t tile);

} // namespace busfare::projection

#endif
