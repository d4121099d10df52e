//===- test/projection/BlasTilesTest.cpp - Steps and panels of BLAS calls ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every element of the result is computed once for each summand: steps and panels are held
// against the definition of the routine, element by element, at small sizes. What panels
// bring in is there before a step uses it, once.
//
//===----------------------------------------------------------------------===//

#include "projection/BlasPanels.h"
#include "projection/BlasPipeline.h"
#include "gtest/gtest.h"
#include <map>
#include <set>

using namespace busfare::projection;

namespace {

std::vector<TiledCall> calls() {
  std::vector<TiledCall> all;
  for (bool transposesA : {false, true})
    for (bool transposesB : {false, true}) {
      all.push_back({BlasKind::Gemm, 7, 5, 6, transposesA, transposesB});
      TiledCall other{BlasKind::Syrk, 1, 7, 5, transposesA};
      other.isLower = transposesB;
      all.push_back(other);
      for (bool isLeft : {false, true}) {
        other = {BlasKind::Trsm, 7, 5, 1, transposesA};
        other.isLower = transposesB;
        other.isLeft = isLeft;
        all.push_back(other);
      }
      all.push_back({BlasKind::Gemv, 7, 5, 1, transposesA});
    }
  for (size_t i = 0, count = all.size(); i < count; ++i)
    if (all[i].kind != BlasKind::Trsm || all[i].isLeft) {
      TiledCall scaled = all[i];
      scaled.scalesAlone = true;
      all.push_back(scaled);
    }
  all.push_back({BlasKind::Axpy, 1, 9});
  all.push_back({BlasKind::Dot, 1, 9});
  return all;
}

/// A multiplication of a product: which element of C, and which summand.
using Product = std::tuple<int64_t, int64_t, int64_t>;

/// How often each multiplication is made by steps that are blocks of products and updates.
template <class Step, class Corner>
void count(std::map<Product, int> &made, const Step &step, Corner cornerOf, bool isLower) {
  const auto [row, column, summed] = cornerOf(step);
  for (int64_t i = 0; i < step.m; ++i)
    for (int64_t j = 0; j < step.n; ++j)
      for (int64_t l = 0; l < step.k; ++l)
        if (step.work != BlasKind::Syrk || (isLower ? row + i >= column + j : row + i <= column + j))
          ++made[{row + i, column + j, summed + l}];
}

std::map<Product, int> wanted(const TiledCall &call) {
  std::map<Product, int> all;
  const bool isUpdate = call.kind == BlasKind::Syrk;
  for (int64_t i = 0; i < (isUpdate ? call.n : call.m); ++i)
    for (int64_t j = 0; j < call.n; ++j)
      for (int64_t l = 0; l < call.k; ++l)
        if (!isUpdate || (call.isLower ? i >= j : i <= j)) all[{i, j, l}] = 1;
  return all;
}

TEST(BlasTiles, ProductsAndUpdatesMakeEveryMultiplicationOnce) {
  for (const TiledCall &call : calls())
    if ((call.kind == BlasKind::Gemm || call.kind == BlasKind::Syrk) && !call.scalesAlone)
      for (int64_t tile : {1, 2, 3, 7, 20}) {
        std::map<Product, int> made;
        for (const TileStep &step : tileSteps(call, tile))
          count(
              made, step,
              [&](const TileStep &each) {
                const int64_t summed = call.transposesA ? each.a->row : each.a->column;
                return Product{each.c.row * tile, each.c.column * tile, summed * tile};
              },
              call.isLower);
        EXPECT_EQ(made, wanted(call)) << "tile " << tile;
      }
}

TEST(BlasTiles, FirstAndLastAreOneOfEachResult) {
  for (const TiledCall &call : calls())
    for (int64_t tile : {2, 3, 20}) {
      std::map<std::pair<int64_t, int64_t>, std::pair<int, int>> ends;
      const std::vector<TileStep> steps = tileSteps(call, tile);
      EXPECT_EQ(double(steps.size()), stepsOf(call, tile));
      for (const TileStep &step : steps) {
        auto &[first, last] = ends[{step.c.row, step.c.column}];
        EXPECT_EQ(step.isFirst, first == 0 && last == 0);
        first += step.isFirst;
        EXPECT_EQ(last, 0) << "nothing comes after the last";
        last += step.isLast;
      }
      for (const auto &[at, end] : ends) EXPECT_EQ(end, std::pair(1, 1));
    }
}

TEST(BlasTiles, StepsMakeTheMultiplicationsOfTheCall) {
  for (const TiledCall &call : calls())
    for (int64_t tile : {1, 2, 3, 20}) {
      double sum = 0;
      for (const TileStep &step : tileSteps(call, tile)) sum += step.multiplications();
      EXPECT_DOUBLE_EQ(sum, call.scalesAlone ? 0 : multiplicationsOf(call)) << nameOf(call.kind) << " tile " << tile;
    }
  EXPECT_EQ(multiplicationsOf({BlasKind::Trsm, 3, 5}), 5 * 6) << "5 columns of 1 + 2 + 3";
}

/// A solve may use only what is solved, and solves everything.
TEST(BlasTiles, SolvesLookAtWhatIsSolved) {
  for (const TiledCall &call : calls())
    if (call.kind == BlasKind::Trsm && !call.scalesAlone)
      for (int64_t tile : {1, 2, 3, 20}) {
        std::set<std::pair<int64_t, int64_t>> solved;
        for (const TileStep &step : tileSteps(call, tile)) {
          if (step.work == BlasKind::Trsm) {
            EXPECT_TRUE(solved.insert({step.c.row, step.c.column}).second);
            continue;
          }
          const TileAt &read = call.isLeft ? *step.b : *step.a, &triangle = call.isLeft ? *step.a : *step.b;
          EXPECT_TRUE(solved.contains({read.row, read.column}));
          EXPECT_FALSE(solved.contains({step.c.row, step.c.column}));
          EXPECT_TRUE(call.isLower ? triangle.row > triangle.column : triangle.row < triangle.column)
              << "of the triangle that is there";
        }
        const int64_t rows = (call.m + tile - 1) / tile, columns = (call.n + tile - 1) / tile;
        EXPECT_EQ(solved.size(), size_t(rows * columns));
      }
}

struct Element {
  unsigned operand;
  int64_t row, column;
  auto operator<=>(const Element &) const = default;
};

void mark(std::map<Element, int> &there, const Panel &panel) {
  for (int64_t i = 0; i < panel.rows; ++i)
    for (int64_t j = 0; j < panel.columns; ++j) ++there[{panel.operand, panel.row + i, panel.column + j}];
}

/// Of a block that a step reads, in the stored matrix.
bool isThere(const std::map<Element, int> &there, const BlockAt &at, int64_t rows, int64_t columns, bool transposes) {
  for (int64_t i = 0; i < (transposes ? columns : rows); ++i)
    for (int64_t j = 0; j < (transposes ? rows : columns); ++j)
      if (!there.contains({at.operand, at.row + i, at.column + j})) return false;
  return true;
}

TEST(BlasPanels, BringEverythingOnceAndBeforeItIsUsed) {
  unsigned schedules = 0;
  for (const TiledCall &call : calls())
    for (int64_t width : {1, 2, 3, 20})
      for (int64_t first : {1, 2, 4})
        for (unsigned places = 0; places < 8; ++places) {
          const std::vector<TiledOperand> operands = operandsOf(call);
          std::vector<bool> onHost;
          for (size_t i = 0; i < operands.size(); ++i) onHost.push_back(places >> i & 1);
          const std::optional<PanelSchedule> schedule = panelSchedule(call, width, width * first, onHost, true);
          if (!schedule) continue;
          ++schedules;
          std::map<Element, int> there, back;
          for (unsigned i = 0; i < operands.size(); ++i)
            if (!onHost[i]) mark(there, {i, 0, 0, operands[i].rows, operands[i].columns});
          size_t brought = 0;
          for (const PanelStep &step : schedule->steps) {
            for (; brought < step.copiesIn; ++brought) mark(there, schedule->in[brought]);
            const bool isSolve = step.work == BlasKind::Trsm, isUpdate = step.work == BlasKind::Syrk;
            if (!isSolve && !isUpdate) {
              EXPECT_TRUE(isThere(there, step.a, step.m, step.k, step.transposesA));
              EXPECT_TRUE(isThere(there, step.b, step.k, step.n, step.transposesB));
              EXPECT_TRUE(isThere(there, step.c, step.m, step.n, false));
            }
            if (isUpdate) EXPECT_TRUE(isThere(there, step.a, step.n, step.k, step.transposesA));
            if (step.out) mark(back, *step.out);
          }
          EXPECT_EQ(brought, schedule->in.size());
          for (const auto &[element, times] : there) EXPECT_EQ(times, 1);
          for (const auto &[element, times] : back) EXPECT_EQ(times, 1);
          const unsigned result = unsigned(operands.size()) - 1;
          for (int64_t i = 0; i < operands[result].rows; ++i)
            for (int64_t j = 0; j < operands[result].columns; ++j)
              if (!operands[result].isTriangle || (call.isLower ? i >= j : i <= j))
                EXPECT_EQ(back.contains({result, i, j}), onHost[result]);
        }
  EXPECT_GT(schedules, 100u);
}

TEST(BlasPanels, ProductsAndUpdatesMakeEveryMultiplicationOnce) {
  for (const TiledCall &call : calls())
    if ((call.kind == BlasKind::Gemm || call.kind == BlasKind::Syrk) && !call.scalesAlone)
      for (int64_t width : {1, 2, 3, 20})
        for (bool onHost : {false, true}) {
          const std::vector<bool> where(operandsOf(call).size(), onHost);
          const std::optional<PanelSchedule> schedule = panelSchedule(call, width, 2 * width, where, true);
          if (!schedule) continue;
          std::map<Product, int> made;
          for (const PanelStep &step : schedule->steps)
            count(
                made, step,
                [&](const PanelStep &each) {
                  return Product{each.c.row, each.c.column, call.transposesA ? each.a.row : each.a.column};
                },
                call.isLower);
          EXPECT_EQ(made, wanted(call)) << "width " << width;
        }
}

/// 4 panels of 1 s each in and out, kernels of 2 s: 1 in, 4 kernels, 1 out.
TEST(BlasPanels, TimesByHand) {
  TiledCall call{BlasKind::Gemm, 1, 4, 1};
  const std::optional<PanelSchedule> schedule = panelSchedule(call, 1, 1, {false, false, true}, true);
  ASSERT_TRUE(schedule);
  TileLink link{0, 1, 1, 0, 1, 1};
  EXPECT_DOUBLE_EQ(panelTime(*schedule, 1, link, [](const PanelStep &) { return 2.0; }), 1 + 4 * 2 + 1);
  // The host hands over a copy in, a kernel, a copy out of each panel, 3 s each: the last copy out starts after 36 s.
  link.issue = 3;
  EXPECT_DOUBLE_EQ(panelTime(*schedule, 1, link, [](const PanelStep &) { return 2.0; }), 36 + 1);
}

} // namespace
