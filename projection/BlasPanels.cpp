//===- projection/BlasPanels.cpp - A BLAS call by panels of whole columns -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/BlasPanels.h"
#include <algorithm>

namespace busfare::projection {
namespace {

struct Range {
  int64_t from = 0, count = 0;
  int64_t end() const { return from + count; }
};

std::vector<Range> rangesOf(int64_t length, int64_t width, int64_t first) {
  std::vector<Range> ranges;
  for (int64_t at = 0; at < length; at += ranges.back().count)
    ranges.push_back({at, std::min(ranges.empty() ? first : width, length - at)});
  return ranges;
}

class Scheduler {
public:
  Scheduler(const TiledCall &call, int64_t width, int64_t firstWidth, const std::vector<bool> &onHost, bool readsResult)
      : call(call), width(width), firstWidth(firstWidth), onHost(onHost), readsResult(readsResult) {}
  PanelSchedule product();
  PanelSchedule update();
  PanelSchedule solve();

private:
  void bring(unsigned operand, Range rows, Range columns) {
    const bool isResult = operand + 1 == onHost.size();
    if (onHost[operand] && (!isResult || readsResult))
      schedule.in.push_back({operand, rows.from, columns.from, rows.count, columns.count});
  }
  PanelStep &step(BlasKind work, int64_t m, int64_t n, int64_t k, BlockAt a, BlockAt b, BlockAt c) {
    PanelStep made;
    made.work = work;
    made.m = m;
    made.n = n;
    made.k = k;
    made.a = a;
    made.b = b;
    made.c = c;
    made.copiesIn = schedule.in.size();
    schedule.steps.push_back(made);
    return schedule.steps.back();
  }
  /// The last step made completes it.
  void send(unsigned operand, Range rows, Range columns, bool hasDiagonal = false) {
    if (onHost[operand])
      schedule.steps.back().out = Panel{operand, rows.from, columns.from, rows.count, columns.count, hasDiagonal};
  }
  void updateColumns(Range columns, Range summed, bool isFirst);
  PanelSchedule updateByRows();
  void solveAsItComes(Range columns);

  const TiledCall &call;
  int64_t width, firstWidth;
  const std::vector<bool> &onHost;
  bool readsResult;
  PanelSchedule schedule;
};

PanelSchedule Scheduler::product() {
  const Range allRows{0, call.m}, allSummed{0, call.k};
  bool isFirst = true;
  for (const Range &j : rangesOf(call.n, width, firstWidth)) {
    bring(1, allSummed, j);
    bring(2, allRows, j);
    const bool comesBit = isFirst && onHost[0];
    for (const Range &part :
         rangesOf(call.transposesA ? call.m : call.k, comesBit ? width : INT64_MAX, comesBit ? width : INT64_MAX)) {
      if (comesBit) bring(0, {0, call.transposesA ? call.k : call.m}, part);
      // Panels of A are rows of the result where A is transposed, else summands.
      PanelStep &made = call.transposesA ? step(BlasKind::Gemm, part.count, j.count, call.k, {0, 0, part.from},
                                                {1, 0, j.from}, {2, part.from, j.from})
                                         : step(BlasKind::Gemm, call.m, j.count, part.count, {0, 0, part.from},
                                                {1, part.from, j.from}, {2, 0, j.from});
      made.transposesA = call.transposesA;
      made.isFirst = call.transposesA || part.from == 0;
    }
    send(2, allRows, j);
    isFirst = false;
  }
  return std::move(schedule);
}

/// Columns of the triangle, for a part of what is summed: its block on the diagonal, and what lies beside.
void Scheduler::updateColumns(Range columns, Range summed, bool isFirst) {
  auto of = [&](int64_t row) { return call.transposesA ? BlockAt{0, summed.from, row} : BlockAt{0, row, summed.from}; };
  auto set = [&](PanelStep &made) {
    made.transposesA = call.transposesA;
    made.transposesB = !call.transposesA;
    made.isFirst = isFirst;
  };
  const Range beside = call.isLower ? Range{columns.end(), call.n - columns.end()} : Range{0, columns.from};
  if (beside.count > 0)
    set(step(BlasKind::Gemm, beside.count, columns.count, summed.count, of(beside.from), of(columns.from),
             {1, beside.from, columns.from}));
  set(step(BlasKind::Syrk, columns.count, columns.count, summed.count, of(columns.from), {},
           {1, columns.from, columns.from}));
}

PanelSchedule Scheduler::updateByRows() {
  // Each panel of A adds to all of the result: it comes with the first, and goes with the last.
  const int64_t summed = onHost[0] ? width : INT64_MAX;
  const std::vector<Range> panels = rangesOf(call.k, summed, summed), columns = rangesOf(call.n, width, width);
  for (size_t l = 0; l < panels.size(); ++l) {
    bring(0, {0, call.n}, panels[l]);
    const bool isLast = l + 1 == panels.size();
    if (l > 0 && !isLast) {
      PanelStep &made = step(BlasKind::Syrk, call.n, call.n, panels[l].count, {0, 0, panels[l].from}, {}, {1, 0, 0});
      made.isFirst = false;
      continue;
    }
    for (const Range &j : columns) {
      const Range rows = call.isLower ? Range{j.from, call.n - j.from} : Range{0, j.end()};
      if (l == 0) bring(1, rows, j);
      updateColumns(j, panels[l], l == 0);
      if (isLast) send(1, rows, j, true);
    }
  }
  return std::move(schedule);
}

PanelSchedule Scheduler::update() {
  if (!call.transposesA) return updateByRows();
  // A panel of A with those that are there gives a panel of the result: of a lower triangle from the last column on.
  std::vector<Range> panels = rangesOf(call.n, width, width);
  if (call.isLower) std::reverse(panels.begin(), panels.end());
  for (const Range &j : panels) {
    const Range rows = call.isLower ? Range{j.from, call.n - j.from} : Range{0, j.end()};
    bring(0, {0, call.k}, j);
    bring(1, rows, j);
    updateColumns(j, {0, call.k}, true);
    send(1, rows, j, true);
  }
  return std::move(schedule);
}

/// The first columns are solved while the panels of the triangle come in.
void Scheduler::solveAsItComes(Range columns) {
  std::vector<Range> panels = rangesOf(call.m, width, width);
  const bool goesDown = call.isLower != call.transposesA;
  if (!goesDown) std::reverse(panels.begin(), panels.end());
  for (const Range &l : panels) {
    bring(0, call.isLower ? Range{l.from, call.m - l.from} : Range{0, l.end()}, l);
    const Range beside = call.isLower ? Range{l.end(), call.m - l.end()} : Range{0, l.from};
    const bool isFirst = l.from == panels.front().from;
    // As it stands, a panel of the triangle updates the rows that are not solved yet; transposed, those that are update
    // it.
    if (call.transposesA && beside.count > 0) {
      PanelStep &made = step(BlasKind::Gemm, l.count, columns.count, beside.count, {0, beside.from, l.from},
                             {1, beside.from, columns.from}, {1, l.from, columns.from});
      made.transposesA = made.subtracts = true;
    }
    PanelStep &solved =
        step(BlasKind::Trsm, l.count, columns.count, l.count, {0, l.from, l.from}, {}, {1, l.from, columns.from});
    solved.transposesA = call.transposesA;
    // alpha was applied by what came first: of rows that were updated by their updates.
    solved.isFirst = isFirst;
    if (!call.transposesA && beside.count > 0) {
      PanelStep &made = step(BlasKind::Gemm, beside.count, columns.count, l.count, {0, beside.from, l.from},
                             {1, l.from, columns.from}, {1, beside.from, columns.from});
      made.subtracts = true;
      made.isFirst = isFirst;
    }
  }
}

PanelSchedule Scheduler::solve() {
  const Range allRows{0, call.m};
  bool isFirst = true;
  for (const Range &j : rangesOf(call.n, width, firstWidth)) {
    bring(1, allRows, j);
    if (isFirst && onHost[0]) {
      solveAsItComes(j);
    } else {
      PanelStep &made = step(BlasKind::Trsm, call.m, j.count, call.m, {0, 0, 0}, {}, {1, 0, j.from});
      made.transposesA = call.transposesA;
    }
    send(1, allRows, j);
    isFirst = false;
  }
  return std::move(schedule);
}

} // namespace

double PanelStep::multiplications() const {
  TileStep step;
  step.work = work;
  step.m = m;
  step.n = n;
  step.k = k;
  return step.multiplications();
}

std::optional<PanelSchedule> panelSchedule(const TiledCall &call, int64_t width, int64_t firstWidth,
                                           const std::vector<bool> &onHost, bool readsResult) {
  Scheduler scheduler(call, width, firstWidth, onHost, readsResult);
  if (call.scalesAlone) return std::nullopt;
  switch (call.kind) {
  case BlasKind::Gemm:
    if (!call.transposesB) return scheduler.product();
    return std::nullopt;
  case BlasKind::Syrk: return scheduler.update();
  case BlasKind::Trsm:
    if (call.isLeft) return scheduler.solve();
    return std::nullopt;
  case BlasKind::Axpy:
  case BlasKind::Dot:
  case BlasKind::Gemv: return std::nullopt;
  }
  return std::nullopt;
}

} // namespace busfare::projection
