//===- skeleton/ExprAtoms.cpp - min, max, floor division, modulo ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Building the atoms that are not symbols, simplified so that equal things meet
// as equal Exprs as often as that is cheap:
//
//   floorDiv(4*i + r + 6, 4)     i + floor((r + 2) / 4) + 1
//   floorDiv(2*i + 1, 4)         floor(i / 2)
//   mod(8*k + j mod 16, 4)       j mod 4
//   min(n, min(m, n + 1))        min(m, n)
//
// Does not unify min(a, b) with a + b - max(a, b), nor 4*floor(n / 4) + n mod 4 with n.
//
//===----------------------------------------------------------------------===//
#include "skeleton/ExprForm.h"
#include <numeric>

using namespace busfare::skeleton;

namespace {

void measure(const Expr &expr, unsigned depth, unsigned &deepest, unsigned &atoms) {
  deepest = std::max(deepest, depth);
  for (const Term &term : expr.sum())
    for (const Atom &atom : term.factors) {
      ++atoms;
      for (const Expr &arg : atom.args) measure(arg, depth + 1, deepest, atoms);
    }
}

bool isTooLarge(llvm::ArrayRef<Expr> args) {
  unsigned deepest = 0, atoms = 0;
  for (const Expr &arg : args) measure(arg, 1, deepest, atoms);
  return deepest > maxNesting || atoms > maxAtoms;
}

Expr makeAtom(Atom::Kind kind, std::vector<Expr> args, int64_t divisor = 0) {
  if (isTooLarge(args)) return Expr::poisoned();
  Atom atom;
  atom.kind = kind;
  atom.args = std::move(args);
  atom.divisor = divisor;
  return exprOf(atom);
}

/// The atom if the Expr is one atom of this kind plus a constant, which is stored.
const Atom *asAtomPlus(const Expr &expr, Atom::Kind kind, int64_t &constant) {
  llvm::ArrayRef<Term> sum = expr.sum();
  constant = 0;
  if (sum.size() == 2 && sum[1].factors.empty()) constant = sum[1].coefficient;
  else if (sum.size() != 1) return nullptr;
  if (sum[0].coefficient != 1 || sum[0].factors.size() != 1 || sum[0].factors[0].kind != kind) return nullptr;
  return &sum[0].factors[0];
}

/// Whether a <= b for all values, as far as a glance tells.
bool isAtMost(const Expr &a, const Expr &b) {
  if (std::optional<int64_t> difference = (b - a).constant()) return *difference >= 0;
  int64_t constant = 0;
  if (const Atom *atom = asAtomPlus(b, Atom::Kind::Max, constant))
    for (const Expr &arg : atom->args)
      if (std::optional<int64_t> difference = (arg + constant - a).constant(); difference && *difference >= 0)
        return true;
  if (const Atom *atom = asAtomPlus(a, Atom::Kind::Min, constant))
    for (const Expr &arg : atom->args)
      if (std::optional<int64_t> difference = (b - (arg + constant)).constant(); difference && *difference >= 0)
        return true;
  return false;
}

/// The operands of a min or max; those of a nested one of the same kind take its place.
void collectOperands(const Expr &expr, Atom::Kind kind, std::vector<Expr> &out) {
  int64_t constant = 0;
  if (const Atom *atom = asAtomPlus(expr, kind, constant)) {
    for (const Expr &arg : atom->args) out.push_back(arg + constant);
    return;
  }
  out.push_back(expr);
}

Expr extremum(Atom::Kind kind, const Expr &a, const Expr &b) {
  if (a.isPoisoned() || b.isPoisoned()) return Expr::poisoned();
  std::vector<Expr> operands;
  collectOperands(a, kind, operands);
  collectOperands(b, kind, operands);
  // An operand goes if another one beats it; of two that beat each other the earlier stays.
  auto beats = [&](const Expr &x, const Expr &y) { return kind == Atom::Kind::Min ? isAtMost(x, y) : isAtMost(y, x); };
  std::vector<Expr> kept;
  for (const Expr &operand : operands) {
    if (operand.isPoisoned()) return Expr::poisoned();
    if (std::any_of(kept.begin(), kept.end(), [&](const Expr &k) { return beats(k, operand); })) continue;
    std::erase_if(kept, [&](const Expr &k) { return beats(operand, k); });
    kept.push_back(operand);
  }
  if (kept.size() == 1) return kept.front();
  std::sort(kept.begin(), kept.end());
  return makeAtom(kind, std::move(kept));
}

/// dividend == divisor * quotient + rest, with every coefficient of rest in [0, divisor).
struct Split {
  Expr quotient, rest;
  int64_t restConstant = 0;
  int64_t gcd = 0; ///< Of the coefficients of rest, its constant left out, and the divisor.
};

Split split(const Expr &dividend, int64_t divisor) {
  Split result;
  result.gcd = divisor;
  for (const Term &term : dividend.sum()) {
    int64_t quotient = floorDivide(term.coefficient, divisor);
    Term rest = term;
    rest.coefficient = floorRemainder(term.coefficient, divisor);
    if (quotient != 0) {
      Term whole = term;
      whole.coefficient = quotient;
      result.quotient = result.quotient + exprOf(whole);
    }
    if (rest.factors.empty()) result.restConstant = rest.coefficient;
    else if (rest.coefficient != 0) result.gcd = std::gcd(result.gcd, rest.coefficient);
    if (rest.coefficient != 0) result.rest = result.rest + exprOf(rest);
  }
  return result;
}

/// rest without its constant, divided by gcd, plus constant.
Expr divideThrough(const Split &split, int64_t constant) {
  Expr result = constant;
  for (Term term : split.rest.sum())
    if (!term.factors.empty()) {
      term.coefficient /= split.gcd;
      result = result + exprOf(term);
    }
  return result;
}

/// Whether rest, whose coefficients are not negative, is surely below the divisor: a sum of modulos is.
bool isBelow(const Expr &rest, int64_t divisor) {
  __int128 most = 0;
  for (const Term &term : rest.sum()) {
    if (term.factors.empty()) {
      most += term.coefficient;
      continue;
    }
    if (term.factors.size() != 1 || term.factors[0].kind != Atom::Kind::Mod) return false;
    most += __int128(term.coefficient) * (term.factors[0].divisor - 1);
  }
  return most < divisor;
}

/// Replaces `x mod c` by x where c is a multiple of divisor: the same value modulo divisor.
Expr dropInnerModulos(const Expr &expr, int64_t divisor) {
  Expr result;
  for (const Term &term : expr.sum()) {
    Expr product = term.coefficient;
    for (const Atom &atom : term.factors)
      product = product * (atom.kind == Atom::Kind::Mod && atom.divisor % divisor == 0 ? atom.args[0] : exprOf(atom));
    result = result + product;
  }
  return result;
}

bool hasInnerModulo(const Expr &expr, int64_t divisor) {
  for (const Term &term : expr.sum())
    for (const Atom &atom : term.factors)
      if (atom.kind == Atom::Kind::Mod && atom.divisor % divisor == 0) return true;
  return false;
}

} // namespace

Expr busfare::skeleton::min(const Expr &a, const Expr &b) { return extremum(Atom::Kind::Min, a, b); }
Expr busfare::skeleton::max(const Expr &a, const Expr &b) { return extremum(Atom::Kind::Max, a, b); }

Expr busfare::skeleton::floorDiv(const Expr &dividend, int64_t divisor) {
  if (dividend.isPoisoned() || divisor <= 0) return Expr::poisoned();
  if (divisor == 1) return dividend;
  Split parts = split(dividend, divisor);
  if (parts.rest.isPoisoned() || parts.quotient.isPoisoned()) return Expr::poisoned();
  if (isBelow(parts.rest, divisor)) return parts.quotient;
  // floor((g*x + c) / (g*d)) == floor((x + floor(c / g)) / d)
  if (parts.gcd > 1)
    return parts.quotient + floorDiv(divideThrough(parts, parts.restConstant / parts.gcd), divisor / parts.gcd);
  // floor((floor(x / a) + c) / d) == floor((x + a*c) / (a*d))
  int64_t constant = 0;
  if (const Atom *inner = asAtomPlus(parts.rest, Atom::Kind::FloorDiv, constant)) {
    int64_t product = 0, shift = 0;
    if (!__builtin_mul_overflow(inner->divisor, divisor, &product) &&
        !__builtin_mul_overflow(inner->divisor, constant, &shift)) {
      Expr joined = inner->args[0] + shift;
      if (!joined.isPoisoned()) return parts.quotient + floorDiv(joined, product);
    }
  }
  return parts.quotient + makeAtom(Atom::Kind::FloorDiv, {parts.rest}, divisor);
}

Expr busfare::skeleton::mod(const Expr &dividend, int64_t divisor) {
  if (dividend.isPoisoned() || divisor <= 0) return Expr::poisoned();
  if (divisor == 1) return 0;
  if (hasInnerModulo(dividend, divisor)) {
    Expr plain = dropInnerModulos(dividend, divisor);
    if (!plain.isPoisoned()) return mod(plain, divisor);
  }
  Split parts = split(dividend, divisor);
  if (parts.rest.isPoisoned()) return Expr::poisoned();
  if (isBelow(parts.rest, divisor)) return parts.rest;
  // (g*x + c) mod (g*d) == g*((x + floor(c / g)) mod d) + c mod g
  if (parts.gcd > 1)
    return Expr(parts.gcd) * mod(divideThrough(parts, parts.restConstant / parts.gcd), divisor / parts.gcd) +
           parts.restConstant % parts.gcd;
  return makeAtom(Atom::Kind::Mod, {parts.rest}, divisor);
}
