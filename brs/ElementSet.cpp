//===- brs/ElementSet.cpp - Sets of array elements -----------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/ElementSet.h"
#include "brs/Presburger.h"

using namespace busfare::skeleton;

namespace busfare::brs {

namespace {

ElementSet make(PresburgerSet set, bool exact) {
  return ElementSet(std::make_shared<const PresburgerSet>(std::move(set)), exact);
}

} // namespace

ElementSet::ElementSet(std::shared_ptr<const PresburgerSet> set, bool exact, bool tight)
    : exact(exact), tight(exact || tight), set(std::move(set)) {}

ElementSet ElementSet::empty(unsigned rank) { return make(PresburgerSet::empty(rank), true); }
ElementSet ElementSet::whole(unsigned rank) { return make(PresburgerSet::universe(rank), rank == 0); }

bool ElementSet::isProvablyEmpty() const { return !set || set->isEmpty() == Answer::Yes; }

ElementSet unite(const ElementSet &a, const ElementSet &b) {
  if (!a.representation() || !b.representation()) return a.representation() ? a : b;
  PresburgerSet both = unite(*a.representation(), *b.representation()).coalesce();
  unsigned rank = a.representation()->rank();
  return both.isKnown() ? make(both, a.exact && b.exact) : ElementSet::whole(rank);
}

ElementSet intersect(const ElementSet &a, const ElementSet &b) {
  if (!a.representation() || !b.representation()) return {};
  PresburgerSet both = intersect(*a.representation(), *b.representation());
  if (both.isKnown()) return make(both.coalesce(), a.exact && b.exact);
  ElementSet result = a; // Either operand contains the intersection.
  result.exact = false;
  return result;
}

ElementSet subtract(const ElementSet &a, const ElementSet &b) {
  if (!a.representation() || !b.representation()) return a;
  PresburgerSet rest = subtract(*a.representation(), *b.representation());
  if (rest.isKnown()) return make(rest.coalesce(), a.exact && b.exact);
  ElementSet result = a;
  result.exact = false;
  return result;
}

bool isSurelySubset(const ElementSet &a, const ElementSet &b) {
  if (!a.representation() || !b.representation()) return a.isProvablyEmpty();
  return a.representation()->isSubsetOf(*b.representation()) == Answer::Yes;
}

ElementSet projectOut(const ElementSet &set, const std::string &symbol) {
  if (!set.representation()) return set;
  bool precise = true;
  PresburgerSet result = set.representation()->projectOut(symbol, &precise);
  if (!result.isKnown()) return ElementSet::whole(set.representation()->rank());
  return make(result.coalesce(), set.exact && precise);
}

ElementSet elementsOf(const SectionSet &sections, unsigned rank) {
  if (sections.whole) return ElementSet::whole(rank);
  PresburgerSet result = PresburgerSet::empty(rank);
  for (const Section &box : sections.boxes) {
    std::vector<DimensionRange> ranges;
    for (const Range &range : box.ranges) ranges.push_back({range.lower, range.upper, range.step});
    result = unite(result, boxOf(ranges));
  }
  return result.isKnown() ? make(result.coalesce(), sections.exact) : ElementSet::whole(rank);
}

std::optional<ElementSet> allElements(llvm::ArrayRef<std::optional<skeleton::Expr>> extents) {
  Section box;
  for (const std::optional<skeleton::Expr> &extent : extents) {
    if (!extent) return std::nullopt;
    box.ranges.push_back({0, *extent - 1, 1});
  }
  return elementsOf(SectionSet{{box}, true, false}, extents.size());
}

} // namespace busfare::brs
