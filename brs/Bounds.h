//===- brs/Bounds.h - The order of symbolic values -----------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What is known of the symbols of a function, and what follows from it: is
// n - 1 >= 0? Three-valued: yes, no, unknown.
//
//   Context c;  c.assume(n - 1);          // n >= 1
//   isNonNegative(n*m - n, c)             // unknown: m may be 0
//   c.assume(m - 1);
//   isNonNegative(n*m - n, c)             // yes
//
// Facts come from extents (an array that exists has at least one element), from
// loops (inside `for i = a .. b`: a <= i <= b), from guards and from the user.
// Affine questions go to isl; products of symbols are treated as monomials whose
// order follows from that of their factors.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_BOUNDS_H
#define BUSFARE_BRS_BOUNDS_H

#include "skeleton/Expr.h"
#include <optional>
#include <vector>

namespace busfare::brs {

enum class Answer { No, Yes, Unknown };

/// Facts about symbols, each an Expr that is >= 0. A value: copy it to add local facts.
struct Context {
  std::vector<skeleton::Expr> facts;
  void assume(skeleton::Expr nonNegative) { facts.push_back(std::move(nonNegative)); }
};

/// Is expr >= 0 for all values of its symbols that satisfy the context?
/// Yes: always; No: never (expr < 0 always); Unknown otherwise.
Answer isNonNegative(const skeleton::Expr &expr, const Context &context);
inline Answer isAtMost(const skeleton::Expr &a, const skeleton::Expr &b, const Context &context) {
  return isNonNegative(b - a, context);
}
/// The larger, if the order is provable; otherwise max(a, b).
skeleton::Expr largest(const skeleton::Expr &a, const skeleton::Expr &b, const Context &context);
skeleton::Expr smallest(const skeleton::Expr &a, const skeleton::Expr &b, const Context &context);
/// expr with each minimum and maximum in a product replaced by the one of its parts that it is, where the context
/// decides: of i*max(0, n) with 1 <= n it makes i*n. (Counters that go on from loop to loop are spelled so, and no
/// Presburger set says them.)
bool hasChoiceInProduct(const skeleton::Expr &expr);
skeleton::Expr decideProducts(const skeleton::Expr &expr, const Context &context);

} // namespace busfare::brs

#endif
