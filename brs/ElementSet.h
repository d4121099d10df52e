//===- brs/ElementSet.h - Sets of array elements -------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A set of elements of one array, as a Presburger set over the array's dimensions
// with the program's symbols (sizes, indices of enclosing loops) as parameters.
//
//   touched = accessed elements of a[i][i+1], i in 0..n-1
//           = { [x, y] : y = x + 1 and 0 <= x < n }       exact
//   toSections(touched)  ->  a[0:n-1:1][1:n:1]            not exact (a diagonal's box)
//
// Products of symbols (`n*m`) enter as fresh parameters named after the product.
// A product of a loop index and a symbol is not Presburger: such a subscript makes
// a may set the whole dimension, and a must set empty. An operation that exceeds
// the effort allowed (Presburger.h) does the same: the answers stay safe.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_ELEMENTSET_H
#define BUSFARE_BRS_ELEMENTSET_H

#include "brs/Section.h"
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace busfare::brs {

class PresburgerSet; // brs/Presburger.h: a careful wrapper of isl_set

/// A value type; copying shares the representation.
class ElementSet {
public:
  ElementSet() = default; ///< The empty set of unknown rank: neutral for unite.
  static ElementSet empty(unsigned rank);
  /// All elements of the array, whatever its extents; not exact.
  static ElementSet whole(unsigned rank);
  explicit ElementSet(std::shared_ptr<const PresburgerSet> set, bool exact)
      : ElementSet(std::move(set), exact, exact) {}
  ElementSet(std::shared_ptr<const PresburgerSet> set, bool exact, bool tight);

  bool exact = true; ///< Precisely the set meant, not only a bound of it.
  /// Of what a program touches: exact, but for conditions that data decide; no smaller set holds whatever the data are.
  bool tight = true;
  const PresburgerSet *representation() const { return set.get(); }

  bool isProvablyEmpty() const;
  /// As boxes, rounded out (may) under the context. Bounds are the tightest per dimension; `exact` is kept only if the
  /// boxes hold precisely the elements. extents clip a whole dimension.
  SectionSet toSections(const std::vector<std::optional<skeleton::Expr>> &extents, const Context &context) const;
  /// As boxes, rounded in (must): only boxes that lie entirely inside.
  SectionSet toSectionsInside(const Context &context) const;

private:
  std::shared_ptr<const PresburgerSet> set;
};

ElementSet unite(const ElementSet &a, const ElementSet &b);
ElementSet intersect(const ElementSet &a, const ElementSet &b);
/// a minus b; exact if both are.
ElementSet subtract(const ElementSet &a, const ElementSet &b);
/// Is a surely a subset of b (for all symbol values)?
bool isSurelySubset(const ElementSet &a, const ElementSet &b);
/// The union over all values of the symbol that the set's own constraints allow.
ElementSet projectOut(const ElementSet &set, const std::string &symbol);
/// The part of a for which the context's facts hold (all of it if that cannot be computed).
ElementSet restrictTo(const ElementSet &a, const Context &context);
/// The same of the facts on its symbols and on the names. Others say nothing of these elements, and make every set that
/// comes of them harder; but they may be wanted where the set is compared with one of other symbols.
ElementSet restrictToRelated(const ElementSet &a, const Context &context, std::set<skeleton::Expr> names = {});

/// The same for must sets: what cannot be computed is left out.
ElementSet uniteMust(const ElementSet &a, const ElementSet &b);
ElementSet intersectMust(const ElementSet &a, const ElementSet &b);
ElementSet subtractMust(const ElementSet &must, const ElementSet &may);

/// The boxes as a set; everything if they cannot be said as one.
ElementSet elementsOf(const SectionSet &sections, unsigned rank);
/// Those of an array of these extents; nothing if one is not known.
std::optional<ElementSet> allElements(llvm::ArrayRef<std::optional<skeleton::Expr>> extents);
/// The same as a must set: boxes that cannot be said are left out, `whole` names nothing.
ElementSet elementsInside(const SectionSet &sections, unsigned rank);

} // namespace busfare::brs

#endif
