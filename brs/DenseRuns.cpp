//===- brs/DenseRuns.cpp - Runs without gaps that several loops make ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/DenseRuns.h"
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
  if (std::optional<int64_t> constant = expr.constant())
    return *constant >= 0;
  PresburgerSet wrong = intersect(condition, nonNegative(-expr - 1));
  if (!wrong.isKnown())
    return false;
  return intersect(wrong, conditionOn(wrong.names(), facts)).isEmpty() == Answer::Yes;
}

} // namespace

std::optional<PresburgerSet> denseRun(const Expr &subscript, llvm::ArrayRef<const Loop *> loops, const Context &facts) {
  auto mentionsIndex = [&](const Expr &expr) {
    return expr.isPoisoned() || llvm::any_of(loops, [&](const Loop *loop) { return expr.mentions(loop->index); });
  };
  PresburgerSet runs = PresburgerSet::universe(0);
  for (const Loop *loop : loops) {
    if (loop->mayExitEarly || std::abs(loop->step) != 1 || mentionsIndex(loop->lower) || mentionsIndex(loop->upper))
      return std::nullopt;
    runs = intersect(runs, nonNegative(loop->step > 0 ? loop->upper - loop->lower : loop->lower - loop->upper));
    if (!runs.isKnown())
      return std::nullopt;
  }
  Expr first = subscript;
  std::vector<Stride> strides;
  for (const Loop *loop : loops) {
    const std::optional<Expr> factor = first.coefficientOf(loop->index);
    if (!factor || mentionsIndex(*factor))
      return std::nullopt;
    const Expr &least = loop->step > 0 ? loop->lower : loop->upper, &most = loop->step > 0 ? loop->upper : loop->lower;
    const bool rises = surelyNonNegative(*factor, runs, facts);
    if (!rises && !surelyNonNegative(-*factor, runs, facts))
      return std::nullopt;
    first = first + *factor * ((rises ? least : most) - Expr::symbol(loop->index));
    if (!factor->isZero())
      strides.push_back({rises ? *factor : -*factor, most - least + 1});
  }
  if (mentionsIndex(first))
    return std::nullopt;
  Expr span(0);
  while (!strides.empty()) {
    auto next = llvm::find_if(strides, [&](const Stride &one) { return surelyNonNegative(span + 1 - one.length, runs, facts); });
    if (next == strides.end())
      return std::nullopt;
    span = span + next->length * (next->count - 1);
    strides.erase(next);
  }
  const Expr last = first + span;
  if (first.isPoisoned() || last.isPoisoned())
    return std::nullopt;
  PresburgerSet result = intersect(boxOf({{first, last, 1}}), runs);
  return result.isKnown() ? std::optional(result) : std::nullopt;
}

} // namespace busfare::brs
