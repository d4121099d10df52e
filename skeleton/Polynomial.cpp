//===- skeleton/Polynomial.cpp - Dividing formulas -----------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "skeleton/Polynomial.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::skeleton {

namespace {

/// term / by, if by's coefficient and all its factors are in term.
std::optional<Expr> quotientOf(const Term &term, const Term &by) {
  if (term.coefficient % by.coefficient != 0) return std::nullopt;
  std::vector<Atom> left = term.factors;
  for (const Atom &factor : by.factors) {
    auto found = llvm::find(left, factor);
    if (found == left.end()) return std::nullopt;
    left.erase(found);
  }
  Expr result = term.coefficient / by.coefficient;
  for (const Atom &factor : left) result = result * exprOf(factor);
  return result;
}

/// Of the highest degree; the first of those.
const Term &leading(const Expr &expr) {
  const Term *best = &expr.sum()[0];
  for (const Term &term : expr.sum())
    if (term.factors.size() > best->factors.size()) best = &term;
  return *best;
}

} // namespace

Expr exprOf(const Term &term) {
  Expr result = term.coefficient;
  for (const Atom &factor : term.factors) result = result * exprOf(factor);
  return result;
}

Division divide(const Expr &dividend, const Expr &divisor) {
  Division result{0, dividend};
  if (divisor.isPoisoned() || divisor.isZero() || dividend.isPoisoned()) return result;
  const Term &lead = leading(divisor);
  if (lead.coefficient == INT64_MIN || lead.coefficient == -1) return result;
  // Each round removes a term that the leading term divides; the degree in it falls, so few rounds are needed.
  for (unsigned round = 0; round < 64; ++round) {
    std::optional<Expr> part;
    for (const Term &term : result.remainder.sum())
      if ((part = quotientOf(term, lead))) break;
    if (!part) break;
    Expr remainder = result.remainder - *part * divisor;
    if (remainder.isPoisoned()) return {0, dividend};
    result = {result.quotient + *part, remainder};
  }
  // A constant: -511 = -1 * 512 + 1, as in (i - 1)*512 + j + 1.
  if (std::optional<int64_t> c = divisor.constant(); c && *c > 1 && !result.remainder.isPoisoned())
    for (const Term &term : result.remainder.sum())
      if (term.factors.empty() && term.coefficient != INT64_MIN) {
        int64_t half = term.coefficient >= 0 ? *c / 2 : -(*c / 2);
        Expr turns = (term.coefficient + half) / *c;
        return {result.quotient + turns, result.remainder - turns * divisor};
      }
  return result;
}

std::optional<Expr> divideExactly(const Expr &dividend, const Expr &divisor) {
  Division division = divide(dividend, divisor);
  if (!division.remainder.isZero()) return std::nullopt;
  return division.quotient;
}

} // namespace busfare::skeleton
