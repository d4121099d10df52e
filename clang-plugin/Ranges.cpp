//===- clang-plugin/Ranges.cpp - What is known of values while walking ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Ranges.h"

using namespace busfare::skeleton;

namespace busfare::frontend {

/// coefficient times factors, as an Expr.
static skeleton::Expr monomial(int64_t coefficient, llvm::ArrayRef<Atom> factors) {
  skeleton::Expr product(coefficient);
  for (const Atom &atom : factors) {
    switch (atom.kind) {
    case Atom::Kind::Symbol: product = product * skeleton::Expr::symbol(atom.name); break;
    case Atom::Kind::Min: {
      skeleton::Expr smallest = atom.args[0];
      for (const skeleton::Expr &arg : atom.args) smallest = min(smallest, arg);
      product = product * smallest;
      break;
    }
    case Atom::Kind::Max: {
      skeleton::Expr largest = atom.args[0];
      for (const skeleton::Expr &arg : atom.args) largest = max(largest, arg);
      product = product * largest;
      break;
    }
    case Atom::Kind::FloorDiv: product = product * floorDiv(atom.args[0], atom.divisor); break;
    case Atom::Kind::Mod: product = product * mod(atom.args[0], atom.divisor); break;
    }
  }
  return product;
}

bool Ranges::isFactorNonNegative(const Atom &atom) const {
  switch (atom.kind) {
  case Atom::Kind::Symbol:
    if (nonNegative.count(atom.name)) return true;
    return prove(skeleton::Expr::symbol(atom.name), 1);
  case Atom::Kind::Mod: return true;
  case Atom::Kind::FloorDiv: return prove(atom.args[0], 1);
  case Atom::Kind::Max:
    for (const skeleton::Expr &arg : atom.args)
      if (prove(arg, 1)) return true;
    return false;
  case Atom::Kind::Min:
    for (const skeleton::Expr &arg : atom.args)
      if (!prove(arg, 1)) return false;
    return true;
  }
  return false;
}

bool Ranges::prove(const skeleton::Expr &expr, unsigned depth) const {
  if (expr.isPoisoned()) return false;
  const Term *bad = nullptr;
  for (const Term &term : expr.sum()) {
    if (term.coefficient > 0 && term.factors.empty()) continue;
    if (term.coefficient > 0) {
      bool fine = true;
      for (const Atom &atom : term.factors)
        fine = fine && (atom.kind == Atom::Kind::Symbol ? nonNegative.count(atom.name) != 0
                                                        : depth > 0 && isFactorNonNegative(atom));
      if (fine) continue;
    }
    if (!bad || !term.factors.empty()) bad = bad && !bad->factors.empty() ? bad : &term;
  }
  if (!bad) return true;
  if (depth == 0) return false;
  // A min or max alone in its term: replace it by its arguments.
  for (const Term &term : expr.sum()) {
    if (term.factors.size() != 1) continue;
    const Atom &atom = term.factors[0];
    if (atom.kind != Atom::Kind::Min && atom.kind != Atom::Kind::Max) continue;
    skeleton::Expr rest = expr - monomial(term.coefficient, term.factors);
    bool any = (atom.kind == Atom::Kind::Max) == (term.coefficient > 0); // one argument suffices
    bool holds = !any;
    for (const skeleton::Expr &arg : atom.args) {
      bool one = prove(rest + skeleton::Expr(term.coefficient) * arg, depth - 1);
      holds = any ? holds || one : holds && one;
    }
    if (holds) return true;
  }
  // expr = fact * k + rest with rest provable.
  for (const skeleton::Expr &fact : facts) {
    for (const Term &term : fact.sum()) {
      bool matches = term.factors == bad->factors && (term.coefficient > 0) == (bad->coefficient > 0);
      if (!matches || bad->coefficient % term.coefficient != 0) continue;
      int64_t times = bad->coefficient / term.coefficient;
      if (prove(expr - skeleton::Expr(times) * fact, depth - 1)) return true;
    }
  }
  return false;
}

} // namespace busfare::frontend
