//===- brs/Section.cpp - Bounded regular sections ------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Boxes go to Presburger sets and back, so every operation is as tight as the boxes
// can say; what is too hard falls back on the operands.
//
//===----------------------------------------------------------------------===//

#include "brs/Section.h"
#include "brs/ElementSet.h"
#include "brs/Presburger.h"
#include <algorithm>

using namespace busfare::skeleton;

namespace busfare::brs {

namespace {

unsigned rankOf(const SectionSet &a, const SectionSet &b) {
  if (!a.boxes.empty()) return unsigned(a.boxes.front().ranges.size());
  return b.boxes.empty() ? 0 : unsigned(b.boxes.front().ranges.size());
}

/// The known part of the representation, restricted to nothing; null when the set is `whole` or too hard.
PresburgerSet presburger(const SectionSet &set, unsigned rank) {
  if (set.whole) return {};
  PresburgerSet result = PresburgerSet::empty(rank);
  for (const Section &box : set.boxes) {
    std::vector<DimensionRange> ranges;
    for (const Range &range : box.ranges) ranges.push_back({range.lower, range.upper, range.step});
    if (ranges.size() != rank) return {};
    result = unite(result, boxOf(ranges));
  }
  return result;
}

ElementSet elements(PresburgerSet set, bool exact) {
  return ElementSet(std::make_shared<const PresburgerSet>(std::move(set)), exact);
}

/// The same elements with the facts on their products of symbols.
PresburgerSet under(const PresburgerSet &set, const Context &context) {
  return intersect(set, conditionOn(set.names(), context));
}

/// Every element of inner in outer, wherever the context holds?
bool surelyHolds(const PresburgerSet &outer, const PresburgerSet &inner, const Context &context) {
  std::set<Expr> names = inner.names(), more = outer.names();
  names.insert(more.begin(), more.end());
  return intersect(inner, conditionOn(names, context)).isSubsetOf(outer) == Answer::Yes;
}

/// The box around both, with the common stride if their lower bounds fit it.
Section around(const Section &a, const Section &b, const Context &context) {
  Section result;
  for (size_t d = 0; d < a.ranges.size(); ++d) {
    const Range &x = a.ranges[d], &y = b.ranges[d];
    Range range{smallest(x.lower, y.lower, context), largest(x.upper, y.upper, context), 1};
    Expr shift = x.lower - y.lower;
    if (x.step == y.step && x.step > 1 && mod(shift, x.step).isZero()) range.step = x.step;
    result.ranges.push_back(range);
  }
  return result;
}

/// How little joining two boxes adds: the number of dimensions in which they differ.
unsigned distance(const Section &a, const Section &b) {
  unsigned result = 0;
  for (size_t d = 0; d < a.ranges.size(); ++d) result += !(a.ranges[d] == b.ranges[d]);
  return result;
}

/// Joins the closest pairs until few enough are left.
void reduceInPlace(SectionSet &set, const Context &context) {
  while (set.boxes.size() > SectionSet::maxBoxes) {
    size_t first = 0, second = 1;
    unsigned best = ~0u;
    for (size_t a = 0; a < set.boxes.size(); ++a)
      for (size_t b = a + 1; b < set.boxes.size(); ++b)
        if (unsigned d = distance(set.boxes[a], set.boxes[b]); d < best) {
          best = d;
          first = a;
          second = b;
        }
    set.boxes[first] = around(set.boxes[first], set.boxes[second], context);
    set.boxes.erase(set.boxes.begin() + long(second));
    set.exact = false;
  }
}

/// `whole` wins; its box, if either side knows the extents.
SectionSet wholeOf(const SectionSet &a, const SectionSet &b) {
  SectionSet result = a.whole ? a : b;
  if (a.whole && b.whole && result.boxes.empty()) result = b;
  result.exact = false;
  return result;
}

SectionSet nothing(bool exact = true) {
  SectionSet result;
  result.exact = exact;
  return result;
}

/// Boxes of a list that no other holds; exact if the list was.
std::vector<Section> withoutContained(std::vector<Section> boxes, const Context &context) {
  for (size_t k = 0; k < boxes.size();) {
    bool held = false;
    for (size_t other = 0; other < boxes.size() && !held; ++other)
      held = other != k && (boxes[other] == boxes[k] ||
                            surelyHolds(presburger({{boxes[other]}}, unsigned(boxes[k].ranges.size())),
                                        presburger({{boxes[k]}}, unsigned(boxes[k].ranges.size())), context));
    if (held) boxes.erase(boxes.begin() + long(k));
    else ++k;
  }
  return boxes;
}

} // namespace

//===----------------------------------------------------------------------===//
// May sets
//===----------------------------------------------------------------------===//

SectionSet unite(const SectionSet &a, const SectionSet &b, const Context &context) {
  if (a.whole || b.whole) return wholeOf(a, b);
  bool exact = a.exact && b.exact;
  SectionSet list = a;
  list.exact = exact;
  for (const Section &box : b.boxes)
    if (std::find(list.boxes.begin(), list.boxes.end(), box) == list.boxes.end()) list.boxes.push_back(box);
  if (list.boxes.size() < 2) return list;
  unsigned rank = rankOf(a, b);
  PresburgerSet both = presburger(list, rank);
  if (both.isKnown()) {
    SectionSet joined = elements(both.coalesce(), true).toSections({}, context);
    if (joined.exact && !joined.whole) {
      joined.exact = exact;
      return joined;
    }
  }
  list.boxes = withoutContained(list.boxes, context);
  reduceInPlace(list, context);
  return list;
}

SectionSet intersect(const SectionSet &a, const SectionSet &b, const Context &context) {
  if (a.isSurelyEmpty() || b.isSurelyEmpty()) return nothing(a.isSurelyEmpty() ? a.exact : b.exact);
  SectionSet fallback = a.whole ? b : a; // Either operand holds the intersection.
  fallback.exact = false;
  if (a.whole || b.whole) return fallback;
  PresburgerSet both = intersect(presburger(a, rankOf(a, b)), presburger(b, rankOf(a, b)));
  if (!both.isKnown()) return fallback;
  SectionSet result = elements(both.coalesce(), a.exact && b.exact).toSections({}, context);
  return result.whole ? fallback : result;
}

SectionSet subtract(const SectionSet &may, const SectionSet &must, const Context &context) {
  if (may.isSurelyEmpty() || must.boxes.empty() || must.whole) {
    SectionSet result = may; // A must set that is "whole" names no elements.
    result.exact = may.exact && must.exact && !must.whole;
    return result;
  }
  SectionSet fallback = may;
  fallback.exact = false;
  if (may.whole) return fallback;
  PresburgerSet rest = subtract(presburger(may, rankOf(may, must)), presburger(must, rankOf(may, must)));
  if (!rest.isKnown()) return fallback;
  SectionSet result = elements(rest.coalesce(), may.exact && must.exact).toSections({}, context);
  return result.whole ? fallback : result;
}

//===----------------------------------------------------------------------===//
// Must sets
//===----------------------------------------------------------------------===//

SectionSet uniteMust(const SectionSet &a, const SectionSet &b, const Context &context) {
  SectionSet list = a.whole ? nothing(false) : a;
  list.exact = a.exact && b.exact && !a.whole && !b.whole;
  if (!b.whole)
    for (const Section &box : b.boxes)
      if (std::find(list.boxes.begin(), list.boxes.end(), box) == list.boxes.end()) list.boxes.push_back(box);
  if (list.boxes.size() < 2) return list;
  PresburgerSet both = presburger(list, unsigned(list.boxes.front().ranges.size()));
  if (both.isKnown()) {
    SectionSet joined = elements(both.coalesce(), true).toSections({}, context);
    if (joined.exact && !joined.whole) {
      joined.exact = list.exact;
      return joined;
    }
  }
  list.boxes = withoutContained(list.boxes, context);
  if (list.boxes.size() > SectionSet::maxBoxes) {
    list.boxes.resize(SectionSet::maxBoxes);
    list.exact = false;
  }
  return list;
}

SectionSet intersectMust(const SectionSet &a, const SectionSet &b, const Context &context) {
  if (a.whole || b.whole || a.boxes.empty() || b.boxes.empty())
    return nothing(a.exact && b.exact && !a.whole && !b.whole);
  PresburgerSet both = intersect(presburger(a, rankOf(a, b)), presburger(b, rankOf(a, b)));
  if (!both.isKnown()) return nothing(false);
  return elements(both.coalesce(), a.exact && b.exact).toSectionsInside(context);
}

SectionSet subtractMust(const SectionSet &must, const SectionSet &may, const Context &context) {
  if (must.whole || may.whole) return nothing(false);
  if (must.boxes.empty() || may.boxes.empty()) {
    SectionSet result = must;
    result.exact = must.exact && may.exact;
    return result;
  }
  PresburgerSet rest = subtract(presburger(must, rankOf(must, may)), presburger(may, rankOf(must, may)));
  if (!rest.isKnown()) return nothing(false);
  return elements(rest.coalesce(), must.exact && may.exact).toSectionsInside(context);
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

Answer contains(const SectionSet &outer, const SectionSet &inner, const Context &context) {
  auto isBoxOfOuter = [&](const Section &box) {
    return std::find(outer.boxes.begin(), outer.boxes.end(), box) != outer.boxes.end();
  };
  if (!inner.whole && std::all_of(inner.boxes.begin(), inner.boxes.end(), isBoxOfOuter)) return Answer::Yes;
  if (isProvablyEmpty(inner, context)) return Answer::Yes;
  if (outer.whole || inner.whole) return Answer::Unknown;
  PresburgerSet large = presburger(outer, rankOf(outer, inner)), small = presburger(inner, rankOf(outer, inner));
  if (surelyHolds(large, small, context)) return Answer::Yes;
  // Surely not: for all values of the symbols some element is missing, so the values for which none is are impossible.
  PresburgerSet missing = under(subtract(small, large), context).condition();
  PresburgerSet possible = subtract(conditionOf(context, small.names()), missing);
  return missing.isKnown() && possible.isEmpty() == Answer::Yes ? Answer::No : Answer::Unknown;
}

std::optional<Section> hull(const SectionSet &set, const Context &context) {
  if (set.boxes.empty()) return std::nullopt;
  Section result = set.boxes.front();
  for (size_t k = 1; k < set.boxes.size(); ++k) result = around(result, set.boxes[k], context);
  return result;
}

std::optional<InsideArray> insideArray(const SectionSet &boxes, const std::vector<std::optional<Expr>> &extents,
                                       const Context &context) {
  Section inside, whole;
  bool isCut = false, leavesRow = false;
  for (size_t d = 0; d < extents.size(); ++d) {
    bool mayPass = false;
    auto note = [&](const Expr &left) {
      Answer stays = isNonNegative(left, context);
      mayPass |= stays != Answer::Yes;
      leavesRow |= stays == Answer::No && d > 0;
    };
    Range own{0, extents[d] ? *extents[d] - 1 : Expr(0), 1}, around = own;
    for (const Section &box : boxes.boxes) {
      if (!extents[d] || box.ranges.size() != extents.size()) return std::nullopt;
      note(box.ranges[d].lower);
      note(own.upper - box.ranges[d].upper);
      around.lower = min(around.lower, box.ranges[d].lower);
      around.upper = max(around.upper, box.ranges[d].upper);
    }
    isCut |= mayPass;
    inside.ranges.push_back(mayPass ? own : around);
    whole.ranges.push_back(own);
  }
  if (!isCut) return std::nullopt;
  return InsideArray{leavesRow ? whole : inside, leavesRow};
}

void keepInsideInPlace(SectionSet &boxes, const std::vector<std::optional<Expr>> &extents, const Context &context) {
  if (!extents.empty() && extents[0])
    std::erase_if(boxes.boxes, [&](const Section &box) {
      return !box.ranges.empty() && (isNonNegative(box.ranges[0].lower - *extents[0], context) == Answer::Yes ||
                                     isNonNegative(-box.ranges[0].upper - 1, context) == Answer::Yes);
    });
  std::optional<InsideArray> inside = boxes.exact || boxes.whole ? std::nullopt : insideArray(boxes, extents, context);
  if (!inside) return;
  if (inside->leavesRow) {
    boxes.boxes = {inside->box};
    return;
  }
  for (Section &box : boxes.boxes)
    for (size_t d = 0; d < box.ranges.size(); ++d) {
      Range &range = box.ranges[d];
      Expr lower = largest(range.lower, inside->box.ranges[d].lower, context);
      if (!(lower == range.lower)) range.step = 1; // Where the stride goes on from is not known.
      range.lower = lower;
      range.upper = smallest(range.upper, inside->box.ranges[d].upper, context);
    }
}

bool isProvablyEmpty(const SectionSet &set, const Context &context) {
  if (set.whole) return false;
  if (set.boxes.empty()) return true;
  unsigned rank = unsigned(set.boxes.front().ranges.size());
  return rank > 0 && under(presburger(set, rank), context).isEmpty() == Answer::Yes;
}

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

Expr count(const Section &box) {
  Expr result = 1;
  for (const Range &range : box.ranges) {
    Expr span = range.upper - range.lower;
    if (std::optional<int64_t> known = span.constant(); known && *known < 0) return 0;
    result = result * (floorDiv(span, range.step) + 1);
  }
  return result;
}

namespace {

/// The elements in all boxes of the subset, if that is provably one box that is not empty, or provably none.
std::optional<Expr> countOverlap(const std::vector<Section> &boxes, unsigned subset, const Context &context) {
  SectionSet common;
  for (size_t k = 0; k < boxes.size(); ++k) {
    if (!(subset >> k & 1)) continue;
    SectionSet one{{boxes[k]}};
    common = common.boxes.empty() ? one : intersect(common, one, context);
    if (common.boxes.empty()) return Expr(0);
    if (common.boxes.size() != 1 || !common.exact) return std::nullopt;
  }
  for (const Range &range : common.boxes.front().ranges)
    if (isAtMost(range.lower, range.upper + range.step, context) != Answer::Yes) return std::nullopt;
  return count(common.boxes.front());
}

/// Is the first of two bounds the lower one at usual sizes? Both hold at any; one of them is said.
bool isUsuallyLess(const Expr &a, const Expr &b) {
  std::set<std::string> symbols = a.symbols();
  symbols.merge(b.symbols());
  bool isLess = true;
  for (double growth : {1.0, 1.25, 0.8}) {
    RealValues values;
    double size = 1000;
    for (const std::string &symbol : symbols) values[symbol] = size *= growth;
    const std::optional<double> of = a.evaluateReal(values), other = b.evaluateReal(values);
    isLess &= of && other && *of >= 0 && *of < *other;
  }
  return isLess;
}

/// Where it is not known at which sizes boxes overlap: all of them added up, or the box around them, which stencils
/// fill but for a few corners.
Expr countOfOverlapping(const SectionSet &set, const Expr &sum, const Context &context) {
  const std::optional<Section> around = hull(set, context);
  if (!around) return sum;
  const Expr all = count(*around);
  return !all.isPoisoned() && isUsuallyLess(all, sum) ? all : sum;
}

} // namespace

std::optional<Expr> countAtMost(const SectionSet &set, const Context &context) {
  if (set.whole && set.boxes.empty()) return std::nullopt;
  Expr sum, exact;
  bool overlapsKnown = set.boxes.size() <= SectionSet::maxBoxes;
  for (const Section &box : set.boxes) sum = sum + count(box);
  if (set.boxes.size() < 2) return sum;
  for (unsigned subset = 1; overlapsKnown && subset < 1u << set.boxes.size(); ++subset) {
    bool single = (subset & (subset - 1)) == 0;
    std::optional<Expr> common;
    for (size_t k = 0; single && k < set.boxes.size(); ++k)
      if (subset == 1u << k) common = count(set.boxes[k]);
    if (!single) common = countOverlap(set.boxes, subset, context);
    overlapsKnown = common.has_value();
    if (common) exact = __builtin_popcount(subset) % 2 ? exact + *common : exact - *common;
  }
  return overlapsKnown && !exact.isPoisoned() ? exact : countOfOverlapping(set, sum, context);
}

std::string toString(const SectionSet &set) {
  if (set.boxes.empty()) return set.whole ? "(whole)" : "(empty)";
  std::string result;
  for (const Section &box : set.boxes) {
    if (!result.empty()) result += " u ";
    if (box.ranges.empty()) result += "[]";
    for (const Range &range : box.ranges)
      result += "[" + toString(range.lower) + ":" + toString(range.upper) + ":" + std::to_string(range.step) + "]";
  }
  return result;
}

std::optional<std::vector<Section>> apart(const SectionSet &set, const Context &context) {
  auto only = [](const Section &box) {
    SectionSet one;
    one.boxes = {box};
    return one;
  };
  std::vector<Section> done;
  for (const Section &box : set.boxes) {
    SectionSet rest = only(box);
    for (const Section &earlier : done) {
      if (isProvablyEmpty(intersect(rest, only(earlier), context), context)) continue;
      rest = subtract(rest, only(earlier), context);
      if (!rest.exact || rest.whole) return std::nullopt;
    }
    done.insert(done.end(), rest.boxes.begin(), rest.boxes.end());
  }
  return done;
}

} // namespace busfare::brs
