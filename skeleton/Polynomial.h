//===- skeleton/Polynomial.h - Dividing formulas -------------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Division of polynomials with remainder, by the leading term of the divisor:
//
//   i*n + 2*i + j  /  n + 2   ->  quotient i, remainder j
//   n*m            /  m       ->  quotient n, remainder 0
//
// quotient * divisor + remainder is always the dividend; which of the possible
// splits comes out depends on the order of terms and says nothing about ranges.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_SKELETON_POLYNOMIAL_H
#define BUSFARE_SKELETON_POLYNOMIAL_H

#include "skeleton/Expr.h"

namespace busfare::skeleton {

struct Division {
  Expr quotient, remainder;
};

/// A constant divisor leaves a constant part between -divisor/2 and divisor/2.
Division divide(const Expr &dividend, const Expr &divisor);

/// The quotient, if nothing remains.
std::optional<Expr> divideExactly(const Expr &dividend, const Expr &divisor);

/// The polynomial made of one term.
Expr exprOf(const Term &term);

} // namespace busfare::skeleton

#endif
