//===- brs/Section.h - Bounded regular sections --------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A bounded regular section (Havlak and Kennedy 1991) is a box with strides: for
// each dimension lower:upper:step, bounds inclusive, bounds symbolic.
//
//   a[0:n-1:1][1:m-2:1]      the interior columns of an n x m array
//   count:  n*(m-2)
//
// A SectionSet is a short list of boxes (at most `maxBoxes`; when more are needed
// the closest pair is merged and `exact` cleared). What a SectionSet means depends
// on the side it stands on: a may set contains everything that is touched, a must
// set holds nothing that is not surely touched; `exact` says it is both.
//
// Operations are conservative for may sets (round out) unless the name says
// `Must` (round in). Order of symbolic bounds is decided under a Context (Bounds.h).
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_SECTION_H
#define BUSFARE_BRS_SECTION_H

#include "brs/Bounds.h"
#include "skeleton/Expr.h"
#include <optional>
#include <string>
#include <vector>

namespace busfare::brs {

/// One dimension: lower, lower + step, ..., upper. Empty if upper < lower.
struct Range {
  skeleton::Expr lower, upper; ///< Inclusive; upper is hit exactly when step divides upper - lower.
  int64_t step = 1;            ///< Positive.
  bool operator==(const Range &) const = default;
};

/// One box: the product of its ranges. Rank 0 (a scalar) is one element.
struct Section {
  std::vector<Range> ranges;
  bool operator==(const Section &) const = default;
};

/// The union of at most maxBoxes boxes of one rank; no boxes = empty.
struct SectionSet {
  static constexpr unsigned maxBoxes = 4;
  std::vector<Section> boxes;
  bool exact = true;  ///< Precisely the touched elements, not only a bound.
  bool whole = false; ///< Not known: the whole array, whatever its size. boxes then holds the extents' box if they are
                      ///< known, else nothing.
  bool operator==(const SectionSet &) const = default;

  bool isSurelyEmpty() const { return boxes.empty() && !whole; }
};

/// Number of elements of a box, as an Expr (0 clipped only where the order is provable).
skeleton::Expr count(const Section &box);
/// Number of elements of the union. Exact (inclusion-exclusion) when the boxes' overlaps are provable, otherwise an
/// upper bound: their sum, or the count of the box around them if that is the lower one at usual sizes. Nothing for
/// `whole` without known extents.
std::optional<skeleton::Expr> countAtMost(const SectionSet &set, const Context &context);

SectionSet unite(const SectionSet &a, const SectionSet &b, const Context &context);
SectionSet intersect(const SectionSet &a, const SectionSet &b, const Context &context);
/// May-minus-must: everything of `may` that is not surely in `must`, rounded out; what is no box stays whole.
SectionSet subtract(const SectionSet &may, const SectionSet &must, const Context &context);
/// Union of two must sets: merges boxes only where the merged box is precisely their union; drops boxes over the limit.
SectionSet uniteMust(const SectionSet &a, const SectionSet &b, const Context &context);
/// Elements surely in both.
SectionSet intersectMust(const SectionSet &a, const SectionSet &b, const Context &context);
/// Must-minus-may: what surely remains of `must` after `may` is taken out, rounded in.
SectionSet subtractMust(const SectionSet &must, const SectionSet &may, const Context &context);
/// yes: outer surely holds all of inner. no: surely not. unknown otherwise.
Answer contains(const SectionSet &outer, const SectionSet &inner, const Context &context);
/// Boxes with the same elements, no two of which overlap; nothing if that cannot be proved.
std::optional<std::vector<Section>> apart(const SectionSet &set, const Context &context);
/// The smallest single box around the set; nothing if no bounds are known.
std::optional<Section> hull(const SectionSet &set, const Context &context);
/// What the array has of boxes that may pass its ends: a bound of what is touched can reach beyond the array where a
/// loop's bound and the array's extent agree only by value.
struct InsideArray {
  Section box; ///< The array's own range in the dimensions that may be passed.
  /// An inner dimension is surely passed: a program that leaves a row touches the next one, so the box is the whole
  /// array.
  bool leavesRow = false;
};
/// Nothing if the boxes surely stay inside.
std::optional<InsideArray>
insideArray(const SectionSet &boxes, const std::vector<std::optional<skeleton::Expr>> &extents, const Context &context);
/// The boxes without what lies outside of the array by insideArray, and without those that begin behind its end or end
/// before its start; they hold all elements they held that the array has.
void keepInsideInPlace(SectionSet &boxes, const std::vector<std::optional<skeleton::Expr>> &extents,
                       const Context &context);
/// True only if there is provably no element.
bool isProvablyEmpty(const SectionSet &set, const Context &context);

/// `[0:n-1:1][1:m-2:1]`, boxes joined by ` u `; `[]` for a scalar; `(empty)`; `(whole)`.
std::string toString(const SectionSet &set);

} // namespace busfare::brs

#endif
