//===- projection/BlasTiles.cpp - A BLAS call as steps on square tiles ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/BlasTiles.h"
#include <algorithm>
#include <cmath>
#include <tuple>

namespace busfare::projection {
namespace {

/// Tiles along a dimension.
struct Cut {
  int64_t length = 0, tile = 1;
  int64_t count() const { return (length + tile - 1) / tile; }
  int64_t size(int64_t index) const { return std::min(tile, length - index * tile); }
};

/// Where the tile that stands at (row, column) of op(X) is stored.
TileAt stored(unsigned operand, bool transposes, int64_t row, int64_t column) {
  return transposes ? TileAt{operand, column, row} : TileAt{operand, row, column};
}

using Steps = std::vector<TileStep>;

Steps vectorSteps(const TiledCall &call, int64_t tile) {
  Steps steps;
  Cut cut{call.n, tile};
  for (int64_t i = 0; i < cut.count(); ++i) {
    TileStep step;
    step.work = call.kind;
    step.n = cut.size(i);
    step.a = TileAt{0, i, 0};
    step.c = TileAt{1, i, 0};
    steps.push_back(step);
  }
  return steps;
}

/// Products of matrices, and with a vector, which is a matrix of one column.
Steps productSteps(const TiledCall &call, int64_t tile) {
  const bool isVector = call.kind == BlasKind::Gemv;
  const int64_t results = isVector && call.transposesA ? call.n : call.m,
                inner = isVector ? (call.transposesA ? call.m : call.n) : call.k;
  const Cut rows{results, tile}, columns{isVector ? 1 : call.n, tile}, summed{call.scalesAlone ? 0 : inner, tile};
  Steps steps;
  for (int64_t i = 0; i < rows.count(); ++i)
    for (int64_t l = 0; l < std::max<int64_t>(1, summed.count()); ++l)
      for (int64_t j = 0; j < columns.count(); ++j) {
        TileStep step;
        step.m = rows.size(i);
        step.n = columns.size(j);
        step.k = 0;
        step.c = TileAt{2, i, j};
        step.isFirst = l == 0;
        step.isLast = l + 1 >= summed.count();
        if (summed.count() > 0) {
          step.work = call.kind;
          step.k = summed.size(l);
          step.a = stored(0, call.transposesA, i, l);
          step.b = stored(1, call.transposesB, l, j);
          step.transposesA = call.transposesA;
          step.transposesB = call.transposesB;
        }
        steps.push_back(step);
      }
  return steps;
}

Steps rankSteps(const TiledCall &call, int64_t tile) {
  const Cut side{call.n, tile}, summed{call.scalesAlone ? 0 : call.k, tile};
  Steps steps;
  for (int64_t i = 0; i < side.count(); ++i)
    for (int64_t l = 0; l < std::max<int64_t>(1, summed.count()); ++l)
      for (int64_t j = call.isLower ? 0 : i; j < (call.isLower ? i + 1 : side.count()); ++j) {
        TileStep step;
        step.work = i == j ? BlasKind::Syrk : BlasKind::Gemm;
        step.m = side.size(i);
        step.n = side.size(j);
        step.k = 0;
        step.c = TileAt{1, i, j};
        step.isFirst = l == 0;
        step.isLast = l + 1 >= summed.count();
        step.transposesA = call.transposesA;
        step.transposesB = !call.transposesA;
        if (summed.count() > 0) {
          step.k = summed.size(l);
          step.a = stored(0, call.transposesA, i, l);
          if (i != j) step.b = stored(0, call.transposesA, j, l);
        }
        steps.push_back(step);
      }
  return steps;
}

/// Rows of tiles of B if A stands left, else columns: each is updated by those that are solved, then solved.
Steps solveSteps(const TiledCall &call, int64_t tile) {
  const Cut rows{call.m, tile}, columns{call.n, tile};
  const Cut &along = call.isLeft ? rows : columns, &across = call.isLeft ? columns : rows;
  // Is op(A) a lower triangle? From the left that goes down, from the right up.
  const bool forward = (call.isLower != call.transposesA) == call.isLeft;
  auto at = [&](int64_t s, int64_t other) { return call.isLeft ? TileAt{1, s, other} : TileAt{1, other, s}; };
  Steps steps;
  for (int64_t number = 0; number < along.count(); ++number) {
    const int64_t s = forward ? number : along.count() - 1 - number;
    for (int64_t before = 0; before <= number; ++before) {
      const int64_t l = forward ? before : along.count() - 1 - before;
      for (int64_t other = 0; other < across.count(); ++other) {
        TileStep step;
        step.m = call.isLeft ? rows.size(s) : rows.size(other);
        step.n = call.isLeft ? columns.size(other) : columns.size(s);
        step.c = at(s, other);
        step.isFirst = before == 0;
        step.isLast = before == number;
        step.k = 0;
        if (call.scalesAlone) {
          step.isFirst = step.isLast = true;
          if (before == 0) steps.push_back(step);
          continue;
        }
        step.k = along.size(l);
        if (step.isLast) {
          step.work = BlasKind::Trsm;
          step.a = TileAt{0, s, s};
        } else {
          step.subtracts = true;
          step.a = call.isLeft ? stored(0, call.transposesA, s, l) : at(l, other);
          step.b = call.isLeft ? at(l, other) : stored(0, call.transposesA, l, s);
        }
        (call.isLeft || step.isLast ? step.transposesA : step.transposesB) = call.transposesA;
        steps.push_back(step);
      }
    }
  }
  return steps;
}

} // namespace

const char *nameOf(BlasKind kind) {
  static const char *const names[] = {"axpy", "dot", "gemv", "gemm", "syrk", "trsm"};
  return names[int(kind)];
}

unsigned levelOf(BlasKind kind) { return kind <= BlasKind::Dot ? 1 : kind == BlasKind::Gemv ? 2 : 3; }

double computedPart(BlasKind kind) { return kind == BlasKind::Syrk || kind == BlasKind::Trsm ? 0.5 : 1; }

std::vector<double> dimensionsOf(const TiledCall &call) {
  const auto m = double(call.m), n = double(call.n), k = double(call.k);
  switch (call.kind) {
  case BlasKind::Axpy:
  case BlasKind::Dot: return {n};
  case BlasKind::Gemv: return {m, n};
  case BlasKind::Gemm: return {m, n, k};
  case BlasKind::Syrk: return {n, n, k};
  case BlasKind::Trsm: return call.isLeft ? std::vector{m, m, n} : std::vector{n, n, m};
  }
  return {};
}

double multiplicationsOf(const TiledCall &call) {
  if (call.scalesAlone) {
    const TiledOperand result = operandsOf(call).back();
    return double(result.rows) * double(result.isTriangle ? result.columns + 1 : result.columns) /
           (result.isTriangle ? 2 : 1);
  }
  TileStep whole;
  whole.work = call.kind;
  whole.m = call.m;
  whole.n = call.n;
  whole.k = call.kind == BlasKind::Gemv   ? call.n
            : call.kind == BlasKind::Trsm ? (call.isLeft ? call.m : call.n)
                                          : call.k;
  return whole.multiplications();
}

std::vector<TiledOperand> operandsOf(const TiledCall &call) {
  const auto &[m, n, k] = std::tie(call.m, call.n, call.k);
  switch (call.kind) {
  case BlasKind::Axpy:
  case BlasKind::Dot: return {{n, 1, true}, {n, 1, true}};
  case BlasKind::Gemv: return {{m, n}, {call.transposesA ? m : n, 1, true}, {call.transposesA ? n : m, 1, true}};
  case BlasKind::Gemm:
    return {{call.transposesA ? k : m, call.transposesA ? m : k},
            {call.transposesB ? n : k, call.transposesB ? k : n},
            {m, n}};
  case BlasKind::Syrk: return {{call.transposesA ? k : n, call.transposesA ? n : k}, {n, n, false, true}};
  case BlasKind::Trsm: {
    const int64_t order = call.isLeft ? m : n;
    return {{order, order, false, true}, {m, n}};
  }
  }
  return {};
}

double TileStep::multiplications() const {
  switch (work) {
  case BlasKind::Axpy:
  case BlasKind::Dot: return double(n);
  case BlasKind::Gemv: return double(m) * double(k);
  case BlasKind::Gemm: return double(m) * double(n) * double(k);
  case BlasKind::Syrk: return double(n) * double(n + 1) / 2 * double(k);
  case BlasKind::Trsm: return double(m) * double(n) * double(k + 1) / 2;
  }
  return 0;
}

double stepsOf(const TiledCall &call, int64_t tile) {
  auto count = [&](int64_t length) { return std::ceil(double(length) / double(tile)); };
  const double summed = call.scalesAlone ? 1 : std::max(1.0, count(call.k));
  switch (call.kind) {
  case BlasKind::Axpy:
  case BlasKind::Dot: return count(call.n);
  case BlasKind::Gemv:
    return call.scalesAlone ? count(call.transposesA ? call.n : call.m) : count(call.m) * count(call.n);
  case BlasKind::Gemm: return count(call.m) * count(call.n) * summed;
  case BlasKind::Syrk: return count(call.n) * (count(call.n) + 1) / 2 * summed;
  case BlasKind::Trsm: {
    const double along = count(call.isLeft ? call.m : call.n);
    return (call.scalesAlone ? along : along * (along + 1) / 2) * count(call.isLeft ? call.n : call.m);
  }
  }
  return 0;
}

std::vector<TileStep> tileSteps(const TiledCall &call, int64_t tile) {
  switch (call.kind) {
  case BlasKind::Axpy:
  case BlasKind::Dot: return vectorSteps(call, tile);
  case BlasKind::Gemv:
  case BlasKind::Gemm: return productSteps(call, tile);
  case BlasKind::Syrk: return rankSteps(call, tile);
  case BlasKind::Trsm: return solveSteps(call, tile);
  }
  return {};
}

} // namespace busfare::projection
