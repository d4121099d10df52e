//===- brs/MustSet.cpp - Set operations that round in ---------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/ElementSet.h"
#include "brs/Presburger.h"
#include <optional>
#include <set>
#include <vector>

namespace busfare::brs {

namespace {

ElementSet wrap(PresburgerSet set, bool exact) {
  return ElementSet(std::make_shared<const PresburgerSet>(std::move(set)), exact);
}

/// The representation, if there is a known one.
const PresburgerSet *known(const ElementSet &set) {
  const PresburgerSet *representation = set.representation();
  return representation && representation->isKnown() ? representation : nullptr;
}

/// Exact, and said in full: what is not known holds some elements or other.
bool isPrecise(const ElementSet &set) { return set.exact && (!set.representation() || known(set)); }

/// A long function may write hundreds of places one by one, and every step over a set costs as much as it has pieces.
/// A must set may be any part of what is sure: more pieces than that are left out.
constexpr unsigned maxPieces = 64;
/// Likewise a hundred branches may each write as many elements as their data say: what all of them leave alone then
/// depends on a hundred numbers that nobody knows, and no copy could be told by them.
constexpr size_t maxNames = 16;

ElementSet cut(PresburgerSet set, bool exact) {
  std::set<skeleton::Expr> names = set.names();
  if (set.pieceCount() <= maxPieces && names.size() <= maxNames) return wrap(std::move(set), exact);
  std::optional<std::vector<PresburgerSet>> pieces = set.pieces();
  PresburgerSet part = PresburgerSet::empty(set.rank());
  names.clear();
  unsigned count = 0;
  for (size_t k = 0; pieces && k < pieces->size() && count < maxPieces; ++k) {
    std::set<skeleton::Expr> more = (*pieces)[k].names();
    more.insert(names.begin(), names.end());
    if (more.size() > maxNames) continue;
    PresburgerSet both = unite(part, (*pieces)[k]);
    if (!both.isKnown()) break;
    part = std::move(both);
    names = std::move(more);
    ++count;
  }
  return wrap(std::move(part), count == set.pieceCount() && exact);
}

/// What is left when nothing could be computed.
ElementSet nothingOf(const PresburgerSet &set) {
  ElementSet result = ElementSet::empty(set.rank());
  result.exact = false;
  return result;
}

} // namespace

ElementSet uniteMust(const ElementSet &a, const ElementSet &b) {
  if (!known(a) || !known(b)) {
    ElementSet result = known(a) ? a : known(b) ? b : ElementSet();
    result.exact = isPrecise(a) && isPrecise(b);
    return result;
  }
  if (known(b)->isSubsetOf(*known(a)) == Answer::Yes) return wrap(*known(a), a.exact && b.exact);
  if (known(a)->isSubsetOf(*known(b)) == Answer::Yes) return wrap(*known(b), a.exact && b.exact);
  if (known(a)->pieceCount() + known(b)->pieceCount() <= 2 * maxPieces)
    if (PresburgerSet both = uniteCoalesced(*known(a), *known(b)); both.isKnown())
      return cut(std::move(both), a.exact && b.exact);
  ElementSet result = a;
  result.exact = false;
  return result;
}

ElementSet intersectMust(const ElementSet &a, const ElementSet &b) {
  if (!known(a) || !known(b)) {
    ElementSet result;
    result.exact = isPrecise(a) && isPrecise(b);
    return result;
  }
  PresburgerSet both = intersect(*known(a), *known(b));
  return both.isKnown() ? cut(std::move(both), a.exact && b.exact) : nothingOf(*known(a));
}

ElementSet subtractMust(const ElementSet &must, const ElementSet &may) {
  if (!known(must) || !may.representation())
    return must; // nothing to take from, or nothing (the neutral empty set) to take away
  PresburgerSet left = known(may) ? subtract(*known(must), *known(may)) : PresburgerSet();
  return left.isKnown() ? cut(std::move(left), must.exact && may.exact) : nothingOf(*known(must));
}

ElementSet elementsInside(const SectionSet &sections, unsigned rank) {
  ElementSet result = ElementSet::empty(rank);
  result.exact = sections.exact;
  if (sections.whole) return result; // names no elements; never exact
  for (const Section &box : sections.boxes) {
    std::vector<DimensionRange> ranges;
    for (const Range &range : box.ranges) ranges.push_back({range.lower, range.upper, range.step});
    result = uniteMust(result, wrap(boxOf(ranges), true));
  }
  result.exact = result.exact && sections.exact;
  return result;
}

static ElementSet narrowedTo(const ElementSet &a, const PresburgerSet &condition) {
  PresburgerSet narrowed = intersect(*known(a), condition);
  return narrowed.isKnown() ? wrap(std::move(narrowed), a.exact) : a;
}

ElementSet restrictTo(const ElementSet &a, const Context &context) {
  return known(a) ? narrowedTo(a, conditionOf(context, known(a)->names())) : a;
}

ElementSet restrictToRelated(const ElementSet &a, const Context &context, std::set<skeleton::Expr> names) {
  if (!known(a)) return a;
  if (!context.facts.empty() && conditionOf(context).isEmpty() == Answer::Yes) // nothing runs there
    return wrap(PresburgerSet::empty(known(a)->rank()), a.exact);
  names.merge(known(a)->names());
  return narrowedTo(a, conditionOn(names, context));
}

} // namespace busfare::brs
