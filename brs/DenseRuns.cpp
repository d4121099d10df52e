//===- brs/DenseRuns.cpp - Runs without gaps that several loops make ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/DenseRuns.h"
#include "skeleton/Polynomial.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace busfare::skeleton;

namespace busfare::brs {

namespace {

/// What one index adds to the subscript: stride >= 1, as often as the loop turns.
struct Stride {
  Expr length, count;
};

/// Does it hold wherever the condition and the facts do?
bool surelyNonNegative(const Expr &expr, const PresburgerSet &condition, const Context &facts) {
  if (std::optional<int64_t> constant = expr.constant()) return *constant >= 0;
  PresburgerSet wrong = intersect(condition, nonNegative(-expr - 1));
  if (!wrong.isKnown()) return false;
  return intersect(wrong, conditionOn(wrong.names(), facts)).isEmpty() == Answer::Yes;
}

/// Elements without gaps, if the condition (that every loop turns) holds; else none.
struct Run {
  Expr first, last;
  PresburgerSet condition;
};

std::optional<Run> runOf(const Expr &subscript, llvm::ArrayRef<const Loop *> loops, const Context &facts) {
  auto mentionsIndex = [&](const Expr &expr) {
    return expr.isPoisoned() || llvm::any_of(loops, [&](const Loop *loop) { return expr.mentions(loop->index); });
  };
  PresburgerSet runs = PresburgerSet::universe(0);
  for (const Loop *loop : loops) {
    if (loop->mayExitEarly || std::abs(loop->step) != 1 || mentionsIndex(loop->lower) || mentionsIndex(loop->upper))
      return std::nullopt;
    runs = intersect(runs, nonNegative(spanOf(*loop)));
    if (!runs.isKnown()) return std::nullopt;
  }
  Expr first = subscript;
  std::vector<Stride> strides;
  for (const Loop *loop : loops) {
    const std::optional<Expr> factor = first.coefficientOf(loop->index);
    if (!factor || mentionsIndex(*factor)) return std::nullopt;
    const Expr &least = loop->step > 0 ? loop->lower : loop->upper, &most = loop->step > 0 ? loop->upper : loop->lower;
    const bool rises = surelyNonNegative(*factor, runs, facts);
    if (!rises && !surelyNonNegative(-*factor, runs, facts)) return std::nullopt;
    first = first + *factor * ((rises ? least : most) - Expr::symbol(loop->index));
    if (!factor->isZero()) strides.push_back({rises ? *factor : -*factor, most - least + 1});
  }
  if (mentionsIndex(first)) return std::nullopt;
  Expr span(0);
  while (!strides.empty()) {
    auto next = llvm::find_if(strides,
                              [&](const Stride &one) { return surelyNonNegative(span + 1 - one.length, runs, facts); });
    if (next == strides.end()) return std::nullopt;
    span = span + next->length * (next->count - 1);
    strides.erase(next);
  }
  const Expr last = first + span;
  if (first.isPoisoned() || last.isPoisoned()) return std::nullopt;
  return Run{first, last, runs};
}

/// The rows from the run's first element to its last, in the array's shape; nothing if it begins or ends within a row.
std::vector<DimensionRange> rowsOf(const Run &run, const Array &array) {
  Expr row(1);
  std::vector<DimensionRange> ranges;
  for (const std::optional<Expr> &extent : llvm::drop_begin(array.extents)) {
    if (!extent) return {};
    row = row * *extent;
    ranges.push_back({Expr(0), *extent - 1, 1});
  }
  const std::optional<Expr> first = divideExactly(run.first, row), behind = divideExactly(run.last + 1, row);
  if (row.isPoisoned() || !first || !behind) return {};
  ranges.insert(ranges.begin(), {*first, *behind - 1, 1});
  return ranges;
}

} // namespace

std::optional<PresburgerSet> denseRun(const Access &access, const Array &array, llvm::ArrayRef<const Loop *> loops,
                                      const Context &facts) {
  const bool isFlat = bool(access.flat);
  if (!isFlat && (access.subscripts.size() != 1 || !access.subscripts[0].value)) return std::nullopt;
  const std::optional<Run> run = runOf(isFlat ? *access.flat : *access.subscripts[0].value, loops, facts);
  if (!run) return std::nullopt;
  const std::vector<DimensionRange> ranges =
      isFlat ? rowsOf(*run, array) : std::vector<DimensionRange>{{run->first, run->last, 1}};
  if (ranges.empty()) return std::nullopt;
  PresburgerSet result = boxOf(ranges);
  if (!isFlat || loops.size() > 1) // of one loop that does not turn the rows are none
    result = intersect(result, run->condition);
  return result.isKnown() ? std::optional(result) : std::nullopt;
}

} // namespace busfare::brs
