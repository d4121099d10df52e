//===- skeleton/ExprForm.h - What the Expr sources share ------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Small pieces that Expr.cpp and ExprAtoms.cpp both need. Private to skeleton/.
//
//   floorDivide(-7, 4)          // -2
//   exprOf(Term{3, {atom}})     // 3*atom
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_SKELETON_EXPRFORM_H
#define BUSFARE_SKELETON_EXPRFORM_H

#include "skeleton/Expr.h"
#include <algorithm>
#include <iterator>

namespace busfare::skeleton {

/// A product of more factors is refused (poisoned).
inline constexpr size_t maxDegree = 16;
/// Atoms nested deeper, or an Expr with more atoms in all, are refused (poisoned): the
/// functions here recurse over the nesting and copy whole Exprs.
inline constexpr unsigned maxNesting = 32;
inline constexpr unsigned maxAtoms = 4000;

/// Rounds towards minus infinity; divisor > 0.
inline int64_t floorDivide(int64_t dividend, int64_t divisor) {
  int64_t quotient = dividend / divisor;
  return quotient * divisor > dividend ? quotient - 1 : quotient;
}

/// dividend - floorDivide(dividend, divisor) * divisor, in [0, divisor): the product alone may not fit.
inline int64_t floorRemainder(int64_t dividend, int64_t divisor) {
  int64_t remainder = dividend % divisor;
  return remainder < 0 ? remainder + divisor : remainder;
}

/// The Expr of one term.
inline Expr exprOf(const Term &term) {
  Expr result = term.coefficient;
  for (const Atom &atom : term.factors) result = result * exprOf(atom);
  return result;
}

} // namespace busfare::skeleton

#endif
