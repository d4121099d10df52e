//===- brs/Domain.cpp - The iterations under which a statement runs ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/Domain.h"
#include "brs/EndingFacts.h"
#include "skeleton/Visit.h"
#include <algorithm>

using namespace busfare::skeleton;

namespace busfare::brs {

namespace {

/// Narrows `may` by a condition that surely holds; one that cannot be expressed is left out.
bool narrow(PresburgerSet &set, const PresburgerSet &condition) {
  PresburgerSet both = intersect(set, condition);
  if (!both.isKnown()) return false;
  set = both;
  return true;
}

/// The parts of a sum of minima that hold as facts: max(a, b) <= i gives a <= i and b <= i.
void assumeAtLeast(Context &context, const Expr &value, const Expr &bound) {
  if (bound.sum().size() == 1 && bound.sum()[0].factors.size() == 1 && bound.sum()[0].coefficient == 1 &&
      bound.sum()[0].factors[0].kind == Atom::Kind::Max) {
    for (const Expr &part : bound.sum()[0].factors[0].args) assumeAtLeast(context, value, part);
    return;
  }
  context.assume(value - bound);
}
void assumeAtMost(Context &context, const Expr &value, const Expr &bound) {
  if (bound.sum().size() == 1 && bound.sum()[0].factors.size() == 1 && bound.sum()[0].coefficient == 1 &&
      bound.sum()[0].factors[0].kind == Atom::Kind::Min) {
    for (const Expr &part : bound.sum()[0].factors[0].args) assumeAtMost(context, value, part);
    return;
  }
  context.assume(bound - value);
}

PresburgerSet conjunction(const std::vector<Expr> &parts, bool &exact) {
  PresburgerSet result = PresburgerSet::universe(0);
  for (const Expr &part : parts)
    if (!narrow(result, nonNegative(part))) exact = false;
  return result;
}

} // namespace

Nest Nest::inside(const Loop &loop) const {
  Nest result = *this;
  result.path.push_back({&loop, nullptr, true});
  return result;
}

Nest Nest::inside(const Branch &branch, bool then) const {
  Nest result = *this;
  result.path.push_back({nullptr, &branch, then});
  return result;
}

std::vector<const Loop *> Nest::loops() const {
  std::vector<const Loop *> result;
  for (const NestStep &step : path)
    if (step.loop) result.push_back(step.loop);
  return result;
}

Context Nest::contextInside() const {
  Context result = known;
  for (const NestStep &step : path) {
    if (step.loop) {
      Expr index = Expr::symbol(step.loop->index);
      bool up = step.loop->step > 0;
      assumeAtLeast(result, index, up ? step.loop->lower : step.loop->upper);
      assumeAtMost(result, index, up ? step.loop->upper : step.loop->lower);
      continue;
    }
    const Condition &condition = step.branch->condition;
    // The negation of a conjunction of several is a union: no fact. (A union of one-part conjunctions negates to
    // facts.)
    if (step.then && condition.anyOf.size() == 1)
      for (const Expr &part : condition.anyOf.front()) result.assume(part);
    if (!step.then && condition.exact)
      for (const std::vector<Expr> &all : condition.anyOf)
        if (all.size() == 1) result.assume(-all.front() - 1);
  }
  return result;
}

/// Do data alone decide when a loop that may stop early does? The exit is not in the skeleton, but the branches are
/// among which it stood: if each of them depends on data, it does.
static bool stopsOnData(const Loop &loop) {
  bool depends = false, isKnown = false;
  forEachNode(loop.body, [&](const Node &node) {
    if (auto *branch = std::get_if<Branch>(&node.kind)) (branch->condition.exact ? isKnown : depends) = true;
  });
  return depends && !isKnown;
}

Iterations iterationsOf(const Loop &loop) {
  Iterations result;
  PresburgerSet all = PresburgerSet::universe(0);
  bool exact = true;
  Expr index = Expr::symbol(loop.index);
  bool up = loop.step > 0;
  exact &= narrow(all, nonNegative(up ? index - loop.lower : loop.lower - index));
  exact &= narrow(all, nonNegative(up ? loop.upper - index : index - loop.upper));
  int64_t step = up ? loop.step : -loop.step;
  if (step != 1) exact &= narrow(all, congruent(index - loop.lower, step, 0));
  result.may = all.isKnown() ? all : PresburgerSet::universe(0);
  result.exact = exact && !loop.mayExitEarly;
  result.tight = exact && (!loop.mayExitEarly || stopsOnData(loop));
  result.must = result.exact ? result.may : PresburgerSet::empty(0);
  if (exact && loop.endsInside)
    result.must = intersect(result.may, nonNegative(up ? loop.lower - index : index - loop.lower));
  return result;
}

Iterations iterationsOf(const Condition &condition, bool then) {
  // Of what only data decide both sides may run at any time.
  Iterations result{PresburgerSet::universe(0), PresburgerSet::empty(0), false, !condition.exact};
  if (condition.anyOf.empty()) return result;
  PresburgerSet holds = PresburgerSet::empty(0);
  bool isSaid = true;
  for (const std::vector<Expr> &all : condition.anyOf) holds = unite(holds, conjunction(all, isSaid));
  if (!holds.isKnown()) {
    result.tight = false;
    return result;
  }
  bool exact = condition.exact && isSaid;
  if (then) return {holds, exact ? holds : PresburgerSet::empty(0), exact, isSaid};
  PresburgerSet fails = exact ? holds.complement() : PresburgerSet();
  if (fails.isKnown()) return {fails, fails, true, true};
  // The condition was narrowed to less than it says, or is only necessary: outside of it the other side surely runs.
  PresburgerSet surely = holds.complement();
  if (surely.isKnown()) result.must = surely;
  return result;
}

Iterations iterationsOf(const Nest &nest) {
  Iterations result{PresburgerSet::universe(0), PresburgerSet::universe(0), true};
  for (const NestStep &step : nest.steps()) {
    Iterations one = step.loop ? iterationsOf(*step.loop) : iterationsOf(step.branch->condition, step.then);
    bool isSaid = narrow(result.may, one.may);
    result.exact &= one.exact && isSaid;
    result.tight &= one.tight && isSaid;
    if (!narrow(result.must, one.must)) {
      result.must = PresburgerSet::empty(0);
      result.exact = false;
    }
  }
  return result;
}

std::vector<const Define *> definesIn(const Block &block) {
  std::vector<const Define *> result;
  auto add = [&](const Block &inner) {
    std::vector<const Define *> more = definesIn(inner);
    result.insert(result.end(), more.begin(), more.end());
  };
  for (const Node &node : block) {
    if (const auto *define = std::get_if<Define>(&node.kind)) result.push_back(define);
    else if (const auto *loop = std::get_if<Loop>(&node.kind)) add(loop->body);
    else if (const auto *branch = std::get_if<Branch>(&node.kind)) {
      add(branch->then);
      add(branch->otherwise);
    } else if (const auto *host = std::get_if<HostStatement>(&node.kind)) add(host->body);
  }
  return result;
}

Context factsOf(const Program &program, const Function &function) {
  Context result;
  auto add = [&](const Expr &fact) {
    if (!fact.isPoisoned() && !fact.constant() &&
        std::find(result.facts.begin(), result.facts.end(), fact) == result.facts.end())
      result.assume(fact);
  };
  auto addExtents = [&](const std::vector<Array> &arrays) {
    for (const Array &array : arrays) {
      // A perIteration array's extents may mention symbols that have other values elsewhere.
      if (array.perIteration) continue;
      for (const std::optional<Expr> &extent : array.extents)
        if (extent) add(*extent - 1);
    }
  };
  addExtents(function.arrays);
  addExtents(program.globals);
  for (const Constant &constant : program.constants) {
    add(Expr::symbol(constant.symbol) - (constant.isSetting ? 1 : constant.value));
    if (!constant.isSetting) add(Expr(constant.value) - Expr::symbol(constant.symbol));
  }
  for (const Node &node : function.body) // Straight-line defines have one value.
    if (const auto *define = std::get_if<Define>(&node.kind)) {
      Expr symbol = Expr::symbol(define->symbol);
      if (define->atLeast) add(symbol - *define->atLeast);
      if (define->atMost) add(*define->atMost - symbol);
      if (define->value) {
        add(symbol - *define->value);
        add(*define->value - symbol);
      }
    }
  llvm::for_each(endingFacts(function), add);
  return result;
}

} // namespace busfare::brs
