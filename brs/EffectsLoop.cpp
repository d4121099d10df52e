//===- brs/EffectsLoop.cpp - Effects over all iterations of a loop --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/EffectsWalk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

namespace busfare::brs::effects {

/// Defines of this loop's body, but not of loops in it: those were eliminated there.
static void collectDefines(const Block &block, std::vector<const Define *> &defines) {
  for (const Node &node : block) {
    if (auto *define = std::get_if<Define>(&node.kind)) {
      defines.push_back(define);
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      collectDefines(branch->then, defines);
      collectDefines(branch->otherwise, defines);
    }
  }
}

/// A value that data decide, in a subscript, may leave nothing of the bounds: then the set is a whole dimension for
/// want of a better answer.
static bool isBounded(const PresburgerSet &set) {
  PresburgerSet anywhere = PresburgerSet::universe(0);
  for (unsigned d = 0; set.isKnown() && d < set.rank(); ++d)
    if (!set.lowerBound(d, anywhere) || !set.upperBound(d, anywhere)) return false;
  return set.isKnown();
}

/// A symbol defined in the body has another value in each iteration: any that its range allows.
void Walk::eliminateDefines(Piece &body, const Loop &loop) const {
  std::vector<const Define *> defines;
  collectDefines(loop.body, defines);
  for (const Define *define : llvm::reverse(defines)) {
    Expr symbol = Expr::symbol(define->symbol);
    PresburgerSet range = PresburgerSet::universe(0);
    auto narrow = [&](const PresburgerSet &by) {
      if (PresburgerSet both = intersect(range, by); both.isKnown()) range = both;
    };
    if (define->atLeast) narrow(nonNegative(symbol - *define->atLeast));
    if (define->atMost) narrow(nonNegative(*define->atMost - symbol));
    if (define->value) narrow(equalZero(symbol - *define->value));
    for (auto &[number, sets] : body.arrays) {
      if (!sets.mention(define->symbol)) continue;
      unsigned rank = sets.rank;
      auto any = [&](const May &may) {
        if (!may.set.mentions(define->symbol)) return may;
        bool precise = true;
        PresburgerSet some = intersect(may.set, range).projectOut(define->symbol, &precise);
        bool tight = may.tight && precise && (define->value || isBounded(some));
        return May(std::move(some), may.exact && define->value && precise, tight, rank);
      };
      auto all = [&](const PresburgerSet &set) {
        if (!set.mentions(define->symbol)) return set;
        PresburgerSet result = set.forAll(define->symbol, range);
        sets.mustExact &= result.isKnown();
        return must(std::move(result), rank);
      };
      if (!define->value && sets.mustWrite.mentions(define->symbol)) sets.mustExact = false;
      sets.read = any(sets.read);
      sets.write = any(sets.write);
      sets.exposed = any(sets.exposed);
      sets.mustWrite = all(sets.mustWrite);
      sets.defined = all(sets.defined);
    }
  }
}

/// The body's sets by names on entry of the loop, given that each iteration permutes them: iteration number k sees them
/// permuted k times, so the sets are split by k modulo the order of the permutation.
Piece Walk::turned(const Piece &body, const Loop &loop) const {
  std::vector<Permutation> powers{{}}; // powers[k]: what each name denotes in iteration number k
  bool known = llvm::none_of(body.exitNames, [](const auto &entry) { return entry.second.empty(); });
  if (known) {
    std::map<std::string, std::string> now = body.exitNames;
    while (!now.empty() && powers.size() <= 8) {
      powers.emplace_back(now.begin(), now.end());
      std::map<std::string, std::string> next = now;
      for (const auto &[name, source] : body.exitNames) {
        auto found = now.find(source);
        next[name] = found == now.end() ? source : found->second;
      }
      for (auto it = next.begin(); it != next.end();) it = it->first == it->second ? next.erase(it) : std::next(it);
      now = std::move(next);
    }
    known = powers.size() <= 8;
  }
  Piece result;
  int64_t step = std::abs(loop.step), order = powers.size();
  Expr distance = loop.step > 0 ? Expr::symbol(loop.index) - loop.lower : loop.lower - Expr::symbol(loop.index);
  for (const auto &[number, sets] : body.arrays) {
    const std::string &name = declared.nameOf(number);
    if (!body.exitNames.count(name)) {
      result.arrays.emplace(number, sets);
      continue;
    }
    if (!known) {
      for (const std::string &possible : groups.at(name)) addMaybe(setsOf(result, possible), sets);
      continue;
    }
    for (int64_t turn = 0; turn < order; ++turn) {
      std::string entry = name;
      for (const auto &[first, second] : powers[turn])
        if (first == name) entry = second;
      PresburgerSet when = congruent(distance, order * step, turn * step);
      Sets part = sets;
      auto narrowed = [&](const May &may) {
        PresburgerSet narrow = intersect(may.set, when);
        return narrow.isKnown() ? May(narrow, may.exact, may.tight, sets.rank) : May(may.set, false, sets.rank);
      };
      part.read = narrowed(sets.read);
      part.write = narrowed(sets.write);
      part.exposed = narrowed(sets.exposed);
      auto surely = [&](const PresburgerSet &set) {
        PresburgerSet narrow = intersect(set, when);
        part.mustExact &= narrow.isKnown();
        return must(std::move(narrow), sets.rank);
      };
      part.mustWrite = surely(sets.mustWrite);
      part.defined = surely(sets.defined);
      // Different turns are different iterations, so they do not hide each other here.
      Sets &sum = setsOf(result, entry);
      sum.read = unite(sum.read, part.read, sets.rank);
      sum.write = unite(sum.write, part.write, sets.rank);
      sum.exposed = unite(sum.exposed, part.exposed, sets.rank);
      bool isAll = addSurely(sum.mustWrite, part.mustWrite);
      addSurely(sum.defined, part.defined);
      sum.mustExact &= part.mustExact && isAll;
      addLocations(sum.readAt, sets.readAt);
      addLocations(sum.writtenAt, sets.writtenAt);
      addLocations(sum.exposedAt, sets.exposedAt);
    }
  }
  return result;
}

/// The order of products with the index (`i*n` in a[i*n + j]), which go when the index goes.
PresburgerSet Walk::factsOnProducts(const PresburgerSet &set, const std::string &index) const {
  if (!set.mayHaveProducts()) return PresburgerSet::universe(0);
  std::set<Expr> names = set.names();
  bool any = llvm::any_of(names, [&](const Expr &name) { return !name.asSymbol() && name.mentions(index); });
  if (!any) return PresburgerSet::universe(0);
  // Inner loops that ran say more of signs: 0 <= j < m leaves m >= 1.
  Context context = facts;
  std::set<std::string> symbols;
  for (const Expr &name : names)
    if (!name.asSymbol()) symbols.merge(name.symbols());
  for (const std::string &symbol : symbols)
    if (intersect(set, nonNegative(-Expr::symbol(symbol) - 1)).isEmpty() == Answer::Yes)
      context.assume(Expr::symbol(symbol));
  PresburgerSet known = conditionOn(names, context);
  return known.isKnown() ? known : PresburgerSet::universe(0);
}

/// The union over all iterations; an iteration is not exposed to what earlier ones surely wrote.
void Walk::overIterations(Sets &sets, const Loop &loop, const Iterations &iterations) const {
  unsigned rank = sets.rank;
  const std::string &index = loop.index;
  auto any = [&](const May &may) {
    PresburgerSet inside = intersect(may.set, iterations.may);
    inside = intersect(inside, factsOnProducts(inside, index));
    bool precise = true;
    PresburgerSet over = inside.isKnown() ? inside.projectOut(index, &precise) : may.set.projectOut(index);
    precise &= inside.isKnown();
    return May(over.coalesce(), may.exact && iterations.exact && precise, may.tight && iterations.tight && precise,
               rank);
  };
  bool precise = true; // of the last answer of surely: it is no less than all
  auto surely = [&](const PresburgerSet &set, const PresburgerSet &when, llvm::StringRef symbol) {
    precise = true;
    PresburgerSet over = intersect(set, when).projectOut(symbol, &precise).coalesce();
    precise &= over.isKnown();
    return precise ? over : PresburgerSet::empty(rank);
  };
  if (!sets.exposed.isEmpty() && sets.defined.isEmpty() != Answer::Yes) {
    // Earlier in execution order: on the step, from the first iteration on, before this one.
    std::string earlier = index + "'";
    Expr before = Expr::symbol(earlier), now = Expr::symbol(index);
    Expr fromStart = loop.step > 0 ? before - loop.lower : loop.lower - before;
    Expr toNow = (loop.step > 0 ? now - before : before - now) - Expr(std::abs(loop.step));
    PresburgerSet when =
        intersect(intersect(nonNegative(fromStart), nonNegative(toNow)), congruent(fromStart, std::abs(loop.step), 0));
    PresburgerSet hidden = surely(sets.defined.rename(index, earlier), when, earlier);
    PresburgerSet left = subtract(sets.exposed.set, hidden);
    if (left.isKnown()) sets.exposed = May(left, sets.exposed.exact && sets.mustExact && precise, rank);
    else sets.exposed.exact = false;
  }
  if (!sets.mustExact && !sets.write.isEmpty())
    sets.exposed.exact = false; // An earlier iteration's write that is not sure may have come first.
  sets.exposed = any(sets.exposed);
  if (sets.exposed.isEmpty()) sets.exposedAt.clear();
  sets.read = any(sets.read);
  sets.write = any(sets.write);
  PresburgerSet written = surely(sets.mustWrite, iterations.must, index);
  bool isAll = precise;
  bool nothingWritten = sets.writtenAt.empty() && sets.defined.isEmpty() == Answer::Yes;
  sets.mustExact &= nothingWritten || (iterations.exact && sets.write.exact && isAll);
  sets.mustWrite = std::move(written);
  sets.defined = surely(sets.defined, iterations.must, index);
}

std::shared_ptr<const Piece> Walk::ofLoop(const Loop &loop) {
  bool outsideKernel = std::exchange(inKernel, inKernel || (side.kernels && side.kernels->count(&loop)));
  auto leave = llvm::make_scope_exit([&] { inKernel = outsideKernel; });
  return kept(&loop, kernelsInside(&loop, {loop.body}), [&] { return overLoop(loop); });
}

Piece Walk::overLoop(const Loop &loop) {
  Context outside = std::exchange(facts, Nest(facts).inside(loop).contextInside());
  auto leave = llvm::make_scope_exit([&] { facts = std::move(outside); });
  Piece body = ofBlock(loop.body);
  // What each iteration makes anew is gone outside.
  if (auto made = declared.madeInLoop.find(loop.index); made != declared.madeInLoop.end())
    for (Number number : made->second) body.arrays.erase(number);
  if (effortIsSpent() && body.exitNames.empty()) {
    for (auto &[number, sets] : body.arrays) sets.widen();
    return body;
  }
  eliminateDefines(body, loop);
  Iterations iterations = iterationsOf(loop);
  Piece turns = body.exitNames.empty() ? Piece() : turned(body, loop);
  Piece &result = body.exitNames.empty() ? body : turns;
  for (auto &[number, sets] : result.arrays) overIterations(sets, loop, iterations);
  if (body.exitNames.empty()) {
    closeRuns(body, loop);
    return body;
  }
  if (std::optional<Permutation> total = permutationOf(Block{Node(loop)})) {
    result.exitNames.insert(total->begin(), total->end());
  } else {
    for (const auto &entry : body.exitNames)
      for (const std::string &name : groups.at(entry.first)) result.exitNames[name] = "";
  }
  return result;
}

} // namespace busfare::brs::effects
