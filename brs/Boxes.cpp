//===- brs/Boxes.cpp - From sets of elements to boxes --------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// First one box around everything. If it holds more than the set, the boxes around the
// set's convex pieces, each grown as far as it stays inside the set; if few of them are
// precisely the set, they are the answer, otherwise the one box is, not exact. The one
// box is also taken if only sizes below 16 make a difference: boxes that all but
// overlap would be copied twice.
//
//   { x = 0 or x = n - 1 }            [0:0:1] u [n-1:n-1:1]     exact
//   { (x, y) : 0 <= y <= x < n }      [0:n-1:1][0:n-1:1]        not exact
//
//===----------------------------------------------------------------------===//

#include "brs/ElementSet.h"
#include "brs/PresburgerMemo.h"
#include <algorithm>

using namespace busfare::skeleton;

namespace busfare::brs {

namespace {

/// More pieces than this are not tried one by one.
constexpr size_t maxPieces = 12;

PresburgerSet setOf(const Section &box) {
  std::vector<DimensionRange> ranges;
  for (const Range &range : box.ranges) ranges.push_back({range.lower, range.upper, range.step});
  return boxOf(ranges);
}

PresburgerSet setOf(const std::vector<Section> &boxes, unsigned rank) {
  PresburgerSet result = PresburgerSet::empty(rank);
  for (const Section &box : boxes) result = unite(result, setOf(box));
  return result;
}

bool holdsAll(const PresburgerSet &outer, const PresburgerSet &inner) { return inner.isSubsetOf(outer) == Answer::Yes; }

class BoxFinder {
public:
  BoxFinder(const PresburgerSet &set, const std::vector<std::optional<Expr>> &extents, const Context &facts)
      : rank(set.rank()), extents(extents), context(conditionOn(namesOf(set, extents), facts)),
        set(intersect(set, context).coalesce()) {
    if (!this->set.isKnown()) this->set = set;
  }

  /// The box around one part of the set; nothing if a bound is not known and no extent helps.
  std::optional<Section> boxAround(const PresburgerSet &part) const {
    Section box;
    bool strided = false;
    for (unsigned d = 0; d < rank; ++d) {
      std::optional<PresburgerSet::Bound> lower = part.lowerBound(d, context), upper = part.upperBound(d, context);
      bool known = d < extents.size() && extents[d];
      if ((!lower || !upper) && !known) return std::nullopt;
      // An unknown bound is the array's.
      Range range{lower ? lower->value : Expr(0), upper ? upper->value : *extents[d] - 1, 1};
      int64_t stride = part.stride(d);
      if (stride > 1 && lower && lower->tight && !(range.lower == range.upper)) {
        range.step = stride;
        strided = true;
      }
      box.ranges.push_back(range);
    }
    // Whatever the bounds came from: the box must hold the part.
    PresburgerSet inside = intersect(part, context);
    if (holdsAll(setOf(box), inside)) return box;
    for (Range &range : box.ranges) range.step = 1;
    return strided && holdsAll(setOf(box), inside) ? std::optional<Section>(box) : std::nullopt;
  }

  bool isInside(const Section &box) const { return holdsAll(set, intersect(setOf(box), context)); }
  /// Only for small sizes does the box hold more than the set: a[i - 1] and a[i + 1] leave a gap in three elements.
  bool isInsideWhenLarge(const Section &box) const {
    PresburgerSet large = setOf(box);
    for (const Expr &name : set.names()) large = intersect(large, nonNegative(name - 16));
    return holdsAll(set, intersect(large, context));
  }
  bool isAll(const std::vector<Section> &boxes) const { return holdsAll(intersect(setOf(boxes, rank), context), set); }

  /// Boxes around the pieces, those that lie inside the set grown and without repeats; nothing if a piece has no box
  /// or `onlyInside` is false and one is not inside.
  std::optional<std::vector<Section>> boxesOfPieces(bool skipOthers) const {
    std::optional<std::vector<PresburgerSet>> pieces = set.pieces();
    if (!pieces || pieces->size() > maxPieces) return std::nullopt;
    std::vector<Section> boxes;
    for (const PresburgerSet &piece : *pieces) {
      std::optional<Section> box = boxAround(piece);
      if (box && isInside(*box)) boxes.push_back(*box);
      else if (!skipOthers) return std::nullopt;
    }
    for (Section &box : boxes) grow(box, boxes);
    return withoutRepeats(boxes);
  }

  const unsigned rank;
  const std::vector<std::optional<Expr>> extents;
  PresburgerSet context, set;

private:
  static std::set<Expr> namesOf(const PresburgerSet &set, const std::vector<std::optional<Expr>> &extents) {
    std::set<Expr> names = set.names();
    for (const std::optional<Expr> &extent : extents)
      if (extent) {
        for (const std::string &symbol : extent->symbols()) names.insert(Expr::symbol(symbol));
        for (const Term &term : extent->sum())
          if (term.factors.size() > 1) {
            Expr product = 1;
            for (const Atom &atom : term.factors)
              product = product * (atom.kind == Atom::Kind::Symbol ? Expr::symbol(atom.name) : Expr(0));
            if (!product.isZero()) names.insert(product);
          }
      }
    return names;
  }

  void grow(Section &box, const std::vector<Section> &others) const {
    PresburgerSet held = intersect(setOf(box), context);
    for (unsigned d = 0; d < rank; ++d) {
      for (const Section &other : others) {
        for (bool lower : {true, false}) {
          Section wider = box;
          (lower ? wider.ranges[d].lower : wider.ranges[d].upper) =
              lower ? other.ranges[d].lower : other.ranges[d].upper;
          if (wider == box || wider.ranges[d].step != other.ranges[d].step) continue;
          if (!holdsAll(setOf(wider), held) || !isInside(wider)) continue;
          box = wider;
          held = intersect(setOf(box), context);
        }
      }
    }
  }

  std::vector<Section> withoutRepeats(std::vector<Section> boxes) const {
    for (size_t k = 0; k < boxes.size();) {
      std::vector<Section> rest = boxes;
      rest.erase(rest.begin() + long(k));
      if (!rest.empty() && holdsAll(setOf(rest, rank), intersect(setOf(boxes[k]), context))) boxes = rest;
      else ++k;
    }
    return boxes;
  }
};

void sortBoxes(std::vector<Section> &boxes) {
  std::sort(boxes.begin(), boxes.end(), [](const Section &a, const Section &b) {
    for (size_t d = 0; d < a.ranges.size(); ++d)
      if (auto order = a.ranges[d].lower <=> b.ranges[d].lower; order != 0) return order < 0;
    return toString(SectionSet{{a}}) < toString(SectionSet{{b}});
  });
}

SectionSet unknownSections(const std::vector<std::optional<Expr>> &extents, unsigned rank) {
  SectionSet result;
  result.exact = false;
  result.whole = true;
  Section box;
  for (const std::optional<Expr> &extent : extents)
    if (extent) box.ranges.push_back({0, *extent - 1, 1});
  if (box.ranges.size() == rank) result.boxes.push_back(box);
  return result;
}

} // namespace

/// As if the set were exact.
static SectionSet boxesOf(const PresburgerSet &set, const std::vector<std::optional<Expr>> &extents,
                          const Context &context) {
  SectionSet result;
  unsigned rank = set.rank();
  BoxFinder finder(set, extents, context);
  if (finder.set.isEmpty() == Answer::Yes) return result;
  if (rank == 0) {
    result.boxes.push_back({});
    result.exact = finder.isInside({});
    return result;
  }
  std::optional<Section> around = finder.boxAround(finder.set);
  if (around && finder.isInside(*around)) {
    result.boxes.push_back(*around);
    return result;
  }
  if (around && finder.isInsideWhenLarge(*around)) {
    result.boxes.push_back(*around);
    result.exact = false;
    return result;
  }
  std::optional<std::vector<Section>> boxes = finder.boxesOfPieces(false);
  if (boxes && boxes->size() <= SectionSet::maxBoxes && finder.isAll(*boxes)) {
    result.boxes = *boxes;
    sortBoxes(result.boxes);
    return result;
  }
  if (!around) return unknownSections(extents, rank);
  result.boxes.push_back(*around);
  result.exact = false;
  return result;
}

SectionSet ElementSet::toSections(const std::vector<std::optional<Expr>> &extents, const Context &context) const {
  SectionSet result;
  if (set && !set->isKnown()) return unknownSections(extents, set->rank());
  if (set) {
    // Walks over loops ask again and again what they asked in an earlier round.
    constexpr unsigned most = 1 << 14;
    auto &boxed = form::memo().boxed;
    if (boxed.size() > most) boxed.clear();
    std::vector<form::BoxedSet> &known = boxed[set->identity()];
    auto same = llvm::find_if(
        known, [&](const form::BoxedSet &one) { return one.facts == context.facts && one.extents == extents; });
    if (same != known.end() && !effortIsSpent(1)) {
      if (same->gaveUp) form::noteGivenUpBefore();
      result = same->boxes;
    } else {
      const uint64_t before = form::questionsGivenUp();
      result = boxesOf(*set, extents, context);
      if (!effortIsSpent())
        boxed[set->identity()].push_back({*set, extents, context.facts, result, form::questionsGivenUp() != before});
    }
  }
  result.exact &= exact;
  return result;
}

SectionSet ElementSet::toSectionsInside(const Context &context) const {
  SectionSet result;
  result.exact = exact;
  if (!set || !set->isKnown()) {
    result.exact = !set && exact;
    return result;
  }
  BoxFinder finder(*set, {}, context);
  if (finder.set.isEmpty() == Answer::Yes) return result;
  unsigned rank = set->rank();
  std::optional<Section> around = rank ? finder.boxAround(finder.set) : Section();
  if (around && finder.isInside(*around)) {
    result.boxes.push_back(*around);
    return result;
  }
  if (std::optional<std::vector<Section>> boxes = finder.boxesOfPieces(true)) result.boxes = *boxes;
  if (result.boxes.size() > SectionSet::maxBoxes) result.boxes.resize(SectionSet::maxBoxes);
  sortBoxes(result.boxes);
  result.exact = exact && finder.isAll(result.boxes);
  return result;
}

} // namespace busfare::brs
