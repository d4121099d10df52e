//===- projection/BlasPanels.h - A BLAS call by panels of whole columns ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A square tile of a column-major matrix is many short rows for the bus. Where all operands
// fit into the device's memory they can cross as panels of whole columns, which lie in one
// piece, and a kernel can work on as much as has arrived:
//
//   C = A B, panels of T columns, the first W wide:
//     B0 C0 A0 | C0 += A0 B0[0]    while A1 comes: a result is begun before A is there
//           A1 | C0 += A1 B0[1]
//     B1 C1    | C1 += A B1        all of A: one large kernel
//
// On an H100 over PCIe 5, tiles of 2048 x 2048 doubles out of a matrix of 8192 rows cross at
// 30 GB/s, whole columns at 55. A second way beside CoCoPeLia's tiles (BlasTiles.h), which
// are what there is where memory is short.
//
// Handles products whose B is not transposed, rank-k updates, and solves from the left: the
// others need rows.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_BLASPANELS_H
#define BUSFARE_PROJECTION_BLASPANELS_H

#include "projection/BlasTiles.h"
#include <cstddef>

namespace busfare::projection {

/// Of an operand, in elements; of a triangle the rows that hold some of it.
struct Panel {
  unsigned operand = 0;
  int64_t row = 0, column = 0, rows = 0, columns = 0;
  bool hasDiagonal =
      false; ///< Of a triangular result: its first (lower) or last (upper) `columns` rows are a triangle.
};

/// Where a block begins, in elements.
struct BlockAt {
  unsigned operand = 0;
  int64_t row = 0, column = 0;
};

struct PanelStep {
  BlasKind work = BlasKind::Gemm;
  int64_t m = 1, n = 1, k = 1; ///< As in TileStep.
  BlockAt a, b, c;             ///< A rank-k update and a solve have no b.
  bool transposesA = false, transposesB = false;
  bool isFirst = true; ///< The first on c, which applies beta (in a solve alpha).
  bool subtracts = false;
  size_t copiesIn = 0;      ///< So many of the copies in must be over.
  std::optional<Panel> out; ///< What is complete with it.
  double multiplications() const;
};

struct PanelSchedule {
  std::vector<Panel> in;
  std::vector<PanelStep> steps;
};

/// Panels of `width` columns, the first of the result of `firstWidth`. onHost: of each operand. readsResult: beta is
/// not 0. Nothing where it has no such way. Calls that only scale have none.
std::optional<PanelSchedule> panelSchedule(const TiledCall &call, int64_t width, int64_t firstWidth,
                                           const std::vector<bool> &onHost, bool readsResult);

} // namespace busfare::projection

#endif
