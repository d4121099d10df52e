//===- brs/RowAssumptions.h - What only the caller knows of rows ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Whether a subscript stays in its row can depend on values that the caller gives:
//
//   for j = lo .. hi { read a[i*(hi + 4) + j - lo] }     rows of hi + 4 hold if lo >= -3
//
// Such a condition is made from the subscript's bounds over all iterations, and is
// assumed as noalias(a,b) is: always listed, never silently (the optimistic part of
// Grosser et al., ICS 2015, where code checks it at run time). One set of conditions
// serves all arrays of a function, so they agree.
//
// Not assumed: what is not affine, what contradicts the facts or leaves a value no
// choice (an offset that would have to be 0 is an offset, not a row's start), and
// what keeps the access from running.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_ROWASSUMPTIONS_H
#define BUSFARE_BRS_ROWASSUMPTIONS_H

#include "brs/Bounds.h"
#include "brs/Presburger.h"
#include <set>
#include <string>
#include <vector>

namespace busfare::brs {

class RowAssumptions {
public:
  /// Each >= 0; none follows from the facts that were given.
  const std::vector<skeleton::Expr> &conditions() const { return assumed; }
  /// The facts and the conditions.
  Context with(Context facts) const;

  /// Assumes what is needed for 0 <= subscript < extent wherever `runs` holds; false, and nothing assumed, if that
  /// makes no sense. `varying`: the symbols that change from one iteration to the next; a caller knows none of them.
  bool assumeInside(const skeleton::Expr &subscript, const skeleton::Expr &extent, const PresburgerSet &runs,
                    const std::set<std::string> &varying, const Context &facts);

  /// Without those that follow from the others.
  void simplifyInPlace(const Context &facts);

private:
  std::vector<skeleton::Expr> assumed;
};

/// The sides of left <= right that say the same, without negative terms as far as there can be none.
struct Sides {
  skeleton::Expr left, right;
};
Sides sidesOf(const skeleton::Expr &nonNegative);

/// The condition as people write it: `-3 <= lo`, `depth + lo <= 3`.
std::string conditionText(const skeleton::Expr &nonNegative);

} // namespace busfare::brs

#endif
