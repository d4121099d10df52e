//===- brs/Polynomial.h - Dividing formulas -------------------------------===//
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
#ifndef BUSFARE_BRS_POLYNOMIAL_H
#define BUSFARE_BRS_POLYNOMIAL_H

#include "skeleton/Expr.h"

namespace busfare::brs {

struct Division {
  skeleton::Expr quotient, remainder;
};

/// A constant divisor leaves a constant part between -divisor/2 and divisor/2.
Division divide(const skeleton::Expr &dividend, const skeleton::Expr &divisor);

/// The quotient, if nothing remains.
std::optional<skeleton::Expr> divideExactly(const skeleton::Expr &dividend, const skeleton::Expr &divisor);

/// The polynomial made of one term.
skeleton::Expr exprOf(const skeleton::Term &term);

} // namespace busfare::brs

#endif
