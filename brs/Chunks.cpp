//===- brs/Chunks.cpp - Kernels' outer loops in pieces --------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/Chunks.h"
#include "brs/Chain.h"
#include "brs/Domain.h"
#include "brs/Effects.h"
#include "brs/Presburger.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace busfare::brs {
using namespace skeleton;

namespace {

/// Iterations that a chunk in the middle is away from both ends, at least: what happens only there is told apart.
constexpr int64_t fromTheEnds = 8;
constexpr const char *tooHard = "what its chunks complete could not be told within the effort allowed";

/// The levels (rank 1) of one array in one iteration; the loop's index is a symbol.
struct Levels {
  ChunkedArray *chunked = nullptr;
  const Array *declared = nullptr;
  PresburgerSet read, written;
  PresburgerSet brings;    ///< Of read: no earlier iteration needs them.
  PresburgerSet completes; ///< What is copied back behind the iteration.
};

ElementSet asElements(PresburgerSet set, bool exact = true) {
  return ElementSet(std::make_shared<const PresburgerSet>(std::move(set)), exact);
}

/// Why the region's kernels do not run once each, with copies before and behind them; empty if they do.
std::string whyNotOnce(const Region &region) {
  if (region.kernels.empty()) return "there is no kernel";
  for (const Kernel &kernel : region.kernels) {
    if (!kernel.serialLoops.empty()) return "the kernel is launched again and again on data that stays on the device";
    if (!kernel.guards.empty()) return "the kernel runs only under a condition";
  }
  for (const ArrayTransfers &array : region.arrays)
    for (const auto *list : {&array.h2d, &array.d2h})
      if (llvm::any_of(*list, [](const Crossing &crossing) { return !crossing.loops.empty(); }))
        return array.name + " crosses more than once";
  return "";
}

class Splitter {
public:
  Splitter(const Region &region, const std::vector<const Loop *> &loops, Context facts)
      : region(region), loop(*loops.front()), index(loop.index), other(loop.index + "'"), runs(iterationsOf(loop).may),
        facts(std::move(facts)), several(this->facts) {
    several.assume(upper() - lower() - step() * 2);
    result.loop = &loop;
    result.loops = loops;
    result.first = index + ".first";
    result.last = index + ".last";
  }
  ChunkedKernel run(const Program &program, const Function &function, const Effects &effects);

private:
  const Region &region;
  const Loop &loop;
  const std::string index, other; ///< Other: the index of another iteration.
  const PresburgerSet runs;
  Context facts, several; ///< Several: the loop runs three times or more.
  std::vector<Levels> arrays;
  ChunkedKernel result;

  Expr lower() const { return loop.step > 0 ? loop.lower : loop.upper; }
  Expr upper() const { return loop.step > 0 ? loop.upper : loop.lower; }
  Expr step() const { return std::abs(loop.step); }
  Context inTheMiddle() const;
  /// The union over the other iterations at which the Expr of both indices is >= 0.
  PresburgerSet overOthers(const PresburgerSet &levels, const Expr &atLeastZero) const;
  PresburgerSet overEarlier(const PresburgerSet &levels, const Expr &than) const {
    return overOthers(levels, than - Expr::symbol(other) - step());
  }
  PresburgerSet overLater(const PresburgerSet &levels) const {
    return overOthers(levels, Expr::symbol(other) - Expr::symbol(index) - step());
  }
  PresburgerSet overChunk(const PresburgerSet &levels, const Expr &first, const Expr &last) const;
  /// The iterations (rank 1), not after this one, whose levels `of` meet these.
  PresburgerSet earlierThatMeet(const PresburgerSet &of, const PresburgerSet &levels) const;
  bool isSameForAll(const PresburgerSet &levels) const;
  SectionSet sectionOf(const PresburgerSet &levels, const Levels &one, const std::vector<Crossing> &crossings,
                       const Context &context) const;

  Levels levelsOf(ChunkedArray &chunked, const Array *declared, const ArrayEffects *effects) const;
  void splitIn(Levels &one);
  bool isAtConstantDistance(const PresburgerSet &levels) const;
  void splitOut();
  void describe(Levels &one);
  std::optional<ChunkedArray::Frontier> frontierOf(const PresburgerSet &levels, bool isNeeded) const;
  bool isEven(const SectionSet &section) const;
  std::string whyNoUse();
};

Context Splitter::inTheMiddle() const {
  Context middle = facts;
  Expr from = Expr::symbol(result.first), to = Expr::symbol(result.last), at = Expr::symbol(index),
       away = step() * fromTheEnds;
  for (const Expr &fact :
       {from - lower() - away, to - from, upper() - to - away, at - lower() - away, upper() - at - away})
    middle.assume(fact);
  return middle;
}

PresburgerSet Splitter::overOthers(const PresburgerSet &levels, const Expr &atLeastZero) const {
  return intersect(levels.rename(index, other), nonNegative(atLeastZero)).projectOut(other);
}

PresburgerSet Splitter::overChunk(const PresburgerSet &levels, const Expr &first, const Expr &last) const {
  Expr at = Expr::symbol(index);
  return intersect(intersect(levels, nonNegative(at - first)), nonNegative(last - at)).projectOut(index).coalesce();
}

PresburgerSet Splitter::earlierThatMeet(const PresburgerSet &of, const PresburgerSet &levels) const {
  PresburgerSet pairs =
      intersect(intersect(of.rename(index, other), nonNegative(Expr::symbol(index) - Expr::symbol(other))), levels);
  return intersect(elementAt({Expr::symbol(other)}), pairs.condition()).projectOut(other);
}

bool Splitter::isSameForAll(const PresburgerSet &levels) const {
  PresburgerSet all = levels.projectOut(index), byAll = levels.forAll(index, runs);
  return intersect(all, conditionOf(several, all.names())).isSubsetOf(byAll) != Answer::No;
}

/// These levels of what crosses.
SectionSet Splitter::sectionOf(const PresburgerSet &levels, const Levels &one, const std::vector<Crossing> &crossings,
                               const Context &context) const {
  unsigned rank = one.declared->extents.size();
  ElementSet moved;
  for (const Crossing &crossing : crossings) moved = unite(moved, elementsOf(crossing.section, rank));
  bool isExact = llvm::all_of(crossings, [](const Crossing &crossing) { return crossing.section.exact; });
  return asElements(moved.representation()->whereFirstCoordinate(levels), isExact)
      .toSections(one.declared->extents, context);
}

Levels Splitter::levelsOf(ChunkedArray &chunked, const Array *declared, const ArrayEffects *effects) const {
  Levels one{&chunked,
             declared,
             PresburgerSet::empty(1),
             PresburgerSet::empty(1),
             PresburgerSet::empty(1),
             PresburgerSet::empty(1)};
  if (!effects) return one;
  auto levels = [&](const ElementSet &set) {
    return set.representation() ? intersect(set.representation()->firstCoordinate(), runs) : PresburgerSet::empty(1);
  };
  one.written = levels(effects->mayWrite).coalesce();
  one.read = unite(levels(effects->mayRead), one.written).coalesce();
  return one;
}

/// Copies go in order: what an earlier iteration needs is there already, and no later copy brings it back over a
/// result.
void Splitter::splitIn(Levels &one) {
  ChunkedArray &chunked = *one.chunked;
  if (chunked.array->h2d.empty()) return;
  one.brings = subtract(one.read, overEarlier(one.read, Expr::symbol(index))).coalesce();
  if (!one.brings.isKnown() || one.read.isPlainlyEverything())
    chunked.whyWhole = "which elements of it a chunk needs is not known";
  else if (isSameForAll(one.read)) chunked.whyWhole = "every chunk needs the same of it";
  else chunked.isSplitIn = true;
}

bool Splitter::isAtConstantDistance(const PresburgerSet &levels) const {
  Context middle = inTheMiddle();
  PresburgerSet facts = conditionOf(middle, levels.names());
  std::optional<PresburgerSet::Bound> from = levels.lowerBound(0, facts), to = levels.upperBound(0, facts);
  Expr at = Expr::symbol(index);
  return from && to && (from->value - at).constant() && (to->value - at).constant();
}

void Splitter::splitOut() {
  std::vector<Levels *> together;
  PresburgerSet joined = PresburgerSet::empty(1), waits = elementAt({Expr::symbol(index)});
  auto complete = [&](const PresburgerSet &levels) { return subtract(levels, overLater(levels)).coalesce(); };
  for (Levels &one : arrays) {
    ChunkedArray &chunked = *one.chunked;
    if (chunked.array->d2h.empty()) continue;
    if (!one.written.isKnown() || one.written.isPlainlyEverything()) {
      chunked.whyWhole = "which elements of it a chunk writes is not known";
    } else if (isSameForAll(one.written)) {
      chunked.whyWhole = "every chunk may write the same of it";
    } else if (isAtConstantDistance(one.written)) {
      together.push_back(&one);
      joined = unite(joined, one.written);
    } else {
      one.completes = complete(one.written);
      waits = unite(waits, earlierThatMeet(one.written, one.completes));
      chunked.isSplitOut = one.completes.isKnown();
      if (!chunked.isSplitOut) chunked.whyWhole = tooHard;
    }
  }
  joined = joined.coalesce();
  PresburgerSet done = complete(joined);
  if (!together.empty()) waits = unite(waits, earlierThatMeet(joined, done));
  for (Levels *one : together) {
    one->completes = done;
    one->chunked->isSplitOut = done.isKnown();
    if (!done.isKnown()) one->chunked->whyWhole = tooHard;
  }
  result.backWaits = asElements(waits.coalesce()).toSections({std::nullopt}, inTheMiddle());
}

void Splitter::describe(Levels &one) {
  ChunkedArray &chunked = *one.chunked;
  Expr first = Expr::symbol(result.first), last = Expr::symbol(result.last);
  Context middle = inTheMiddle(), atEnds = facts;
  for (const Expr &bound : {first, last}) {
    atEnds.assume(bound - lower());
    atEnds.assume(upper() - bound);
  }
  auto say = [&](const PresburgerSet &levels, const std::vector<Crossing> &crossings, const Context &context) {
    return sectionOf(levels, one, crossings, context);
  };
  if (chunked.isSplitIn) {
    const std::vector<Crossing> &crossings = chunked.array->h2d;
    PresburgerSet needs = overChunk(one.read, first, last), byAll = one.read.forAll(index, runs);
    chunked.needs = say(needs, crossings, middle);
    chunked.firstNeeds = say(overChunk(one.read, lower(), last), crossings, atEnds);
    chunked.byAll = say(intersect(byAll.isKnown() ? byAll : PresburgerSet::empty(1), one.read.projectOut(index)),
                        crossings, several);
    chunked.shared = say(intersect(needs, overEarlier(one.read, first)), crossings, middle);
    chunked.copiesIn = say(overChunk(one.brings, first, last), crossings, middle);
    chunked.neededTo = frontierOf(one.read, true);
  }
  if (chunked.isSplitOut) {
    chunked.copiesOut = say(overChunk(one.completes, first, last), chunked.array->d2h, middle);
    chunked.lastCopiesOut = say(overChunk(one.completes, first, upper()), chunked.array->d2h, atEnds);
    chunked.completeTo = frontierOf(one.written, false);
  }
}

/// Between the levels of the iterations up to `last` and those of the iterations behind it: as far as the first reach,
/// or up to where the others begin.
std::optional<ChunkedArray::Frontier> Splitter::frontierOf(const PresburgerSet &levels, bool isNeeded) const {
  const Expr last = Expr::symbol(result.last);
  Context between = facts;
  between.assume(last - lower());
  between.assume(upper() - last - step());
  auto facing = [&](const PresburgerSet &set) { return conditionOf(between, set.names()); };
  const PresburgerSet before = overChunk(levels, lower(), last), behind = overChunk(levels, last + step(), upper());
  const std::optional<PresburgerSet::Bound> highest = before.upperBound(0, facing(before)),
                                            lowest = behind.lowerBound(0, facing(behind));
  if (!highest || !lowest || highest->value.isPoisoned() || lowest->value.isPoisoned()) return std::nullopt;
  const Expr overlap = highest->value - lowest->value;
  ChunkedArray::Frontier frontier;
  frontier.level = isNeeded ? highest->value : lowest->value - 1;
  frontier.tight = isNeeded ? highest->tight : lowest->tight;
  frontier.crossesBack = isNonNegative(overlap * -1 - 1, between) != Answer::Yes;
  frontier.surelyCrossesBack = highest->tight && lowest->tight && isNonNegative(overlap, between) == Answer::Yes;
  return frontier;
}

/// As many elements wherever the chunk begins?
bool Splitter::isEven(const SectionSet &section) const {
  std::optional<Expr> elements = countAtMost(section, inTheMiddle());
  if (!elements) return true;
  // Chunks begin and end at values that the index takes, from the loop's first one in whole steps.
  const Expr number = Expr::symbol("number of " + result.first), length = Expr::symbol("length of " + result.first);
  Substitution toNumber;
  toNumber.emplace(result.first, loop.lower + number * std::abs(loop.step));
  toNumber.emplace(result.last, loop.lower + (number + length) * std::abs(loop.step));
  return !elements->substitute(toNumber).mentions("number of " + result.first);
}

std::string Splitter::whyNoUse() {
  if (effortIsSpent()) return "what its chunks touch could not be told within the effort allowed";
  std::vector<std::string> reasons;
  std::string uneven;
  bool isSplit = false;
  for (const ChunkedArray &chunked : result.arrays) {
    isSplit |= chunked.isSplitIn || chunked.isSplitOut;
    if (uneven.empty() && (!isEven(chunked.copiesIn) || !isEven(chunked.copiesOut)))
      uneven = "its chunks would copy different amounts of " + chunked.array->name;
    if (!chunked.whyWhole.empty()) reasons.push_back(chunked.array->name + ": " + chunked.whyWhole);
  }
  for (const Loop *each : result.loops) {
    bool grows = false;
    forEachNode(each->body, [&](const Node &node) {
      auto *inner = std::get_if<Loop>(&node.kind);
      grows |= inner && (inner->upper - inner->lower).mentions(each->index);
    });
    if (grows && uneven.empty())
      uneven = "its chunks would take different times: loops inside depend on " + each->index;
  }
  result.isUneven = isSplit && !uneven.empty();
  if (isSplit || !uneven.empty()) return uneven;
  return reasons.empty() ? "no array crosses" : "no array can go in pieces (" + llvm::join(reasons, "; ") + ")";
}

ChunkedKernel Splitter::run(const Program &program, const Function &function, const Effects &effects) {
  for (const ArrayTransfers &array : region.arrays)
    if (!array.temporary) result.arrays.emplace_back().array = &array;
  PresburgerSet needs = elementAt({Expr::symbol(index)});
  for (ChunkedArray &chunked : result.arrays) {
    auto found = effects.arrays.find(chunked.array->name);
    Levels one = levelsOf(chunked, findArray(program, function, chunked.array->name),
                          found == effects.arrays.end() ? nullptr : &found->second);
    splitIn(one);
    if (chunked.isSplitIn) needs = unite(needs, earlierThatMeet(one.brings, one.read)).coalesce();
    arrays.push_back(std::move(one));
  }
  splitOut();
  result.needs = asElements(needs).toSections({std::nullopt}, inTheMiddle());
  llvm::for_each(arrays, [&](Levels &one) { describe(one); });
  result.whyNot = whyNoUse();
  return std::move(result);
}

} // namespace

ChunkedKernel splitKernel(const Program &program, const Function &function, const Region &region,
                          const DependenceAnalysis &dependence, const Context &context, EffectsMemo *memo) {
  ChunkedKernel none;
  none.whyNot = whyNotOnce(region);
  if (!none.whyNot.empty()) return none;
  Context facts = context;
  for (const Expr &fact : region.runs) facts.assume(fact);
  Chain chain = chainOf(program, function, region, dependence, facts, memo);
  if (!chain.whyNot.empty()) {
    none.whyNot = std::move(chain.whyNot);
    return none;
  }
  return Splitter(region, chain.loops, std::move(facts)).run(program, function, chain.effects);
}

} // namespace busfare::brs
