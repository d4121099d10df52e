//===- clang-plugin/values/Ranges.cpp - What is known of values while walking -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Ranges.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <numeric>

using namespace busfare::skeleton;

namespace busfare::frontend {

/// coefficient times factors, as an Expr.
/// The atom as an Expr, its arguments changed by `change`.
static skeleton::Expr rebuild(const Atom &atom, llvm::function_ref<skeleton::Expr(const skeleton::Expr &)> change) {
  switch (atom.kind) {
  case Atom::Kind::Symbol: return skeleton::Expr::symbol(atom.name);
  case Atom::Kind::Min: {
    skeleton::Expr smallest = change(atom.args[0]);
    for (const skeleton::Expr &arg : atom.args) smallest = min(smallest, change(arg));
    return smallest;
  }
  case Atom::Kind::Max: {
    skeleton::Expr largest = change(atom.args[0]);
    for (const skeleton::Expr &arg : atom.args) largest = max(largest, change(arg));
    return largest;
  }
  case Atom::Kind::FloorDiv: return floorDiv(change(atom.args[0]), atom.divisor);
  case Atom::Kind::Mod: return mod(change(atom.args[0]), atom.divisor);
  }
  return skeleton::Expr::poisoned();
}

static skeleton::Expr monomial(int64_t coefficient, llvm::ArrayRef<Atom> factors) {
  skeleton::Expr product(coefficient);
  for (const Atom &atom : factors) product = product * rebuild(atom, [](const skeleton::Expr &arg) { return arg; });
  return product;
}

/// Of the first symbol within the first floor division of the Expr.
static int64_t firstCoefficient(const skeleton::Expr &expr) {
  for (const Term &term : expr.sum())
    for (const Atom &atom : term.factors)
      if (atom.kind == Atom::Kind::FloorDiv)
        for (const Term &inner : atom.args[0].sum())
          if (!inner.factors.empty()) return inner.coefficient;
  return 0;
}

skeleton::Expr withRisingFloors(const skeleton::Expr &expr) {
  if (expr.isPoisoned()) return expr;
  skeleton::Expr result;
  for (const Term &term : expr.sum()) {
    skeleton::Expr product(term.coefficient);
    for (const Atom &atom : term.factors) {
      skeleton::Expr value = rebuild(atom, withRisingFloors);
      if (atom.kind == Atom::Kind::FloorDiv) {
        // Coefficients inside are kept between 0 and the divisor: of x and of d - x, the smaller is the one to show.
        skeleton::Expr other =
            -floorDiv(skeleton::Expr(atom.divisor - 1) - withRisingFloors(atom.args[0]), atom.divisor);
        if (firstCoefficient(other) < firstCoefficient(value)) value = other;
      }
      product = product * value;
    }
    result = result + product;
  }
  return result;
}

void Ranges::assume(const skeleton::Expr &fact) {
  // 16*x - 1 >= 0 says x - 1 >= 0: between integers, the common factor goes and the rest is rounded down.
  int64_t factor = 0, constant = 0;
  if (!fact.isPoisoned())
    for (const Term &term : fact.sum()) {
      if (term.factors.empty()) constant = term.coefficient;
      else factor = std::gcd(factor, term.coefficient);
    }
  if (factor <= 1) return add(fact);
  skeleton::Expr reduced = floorDiv(skeleton::Expr(constant), factor);
  for (const Term &term : fact.sum())
    if (!term.factors.empty()) reduced = reduced + monomial(term.coefficient / factor, term.factors);
  add(reduced);
}

static bool isSymbol(const Term &term) {
  return term.factors.size() == 1 && term.factors.front().kind == Atom::Kind::Symbol;
}

void Ranges::add(const skeleton::Expr &fact) {
  const size_t place = facts.size();
  facts.push_back(fact);
  bool hasOthers = false;
  if (!fact.isPoisoned())
    for (const Term &term : fact.sum())
      if (isSymbol(term)) bySymbol[term.factors.front().name].push_back(place);
      else hasOthers |= !term.factors.empty();
  if (hasOthers) ofOthers.push_back(place);
}

void Ranges::forget(size_t mark) {
  for (; facts.size() > mark; facts.pop_back()) {
    const size_t place = facts.size() - 1;
    if (!facts.back().isPoisoned())
      for (const Term &term : facts.back().sum())
        if (isSymbol(term)) bySymbol.find(term.factors.front().name)->second.pop_back();
    if (!ofOthers.empty() && ofOthers.back() == place) ofOthers.pop_back();
  }
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
  // A min or max alone in its term: replace it by its arguments. A remainder is at most its divisor less 1.
  for (const Term &term : expr.sum()) {
    if (term.factors.size() != 1) continue;
    const Atom &atom = term.factors[0];
    if (atom.kind == Atom::Kind::Mod && term.coefficient < 0)
      if (prove(expr - monomial(term.coefficient, term.factors) +
                    skeleton::Expr(term.coefficient) * skeleton::Expr(atom.divisor - 1),
                depth - 1))
        return true;
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
  if (bad->factors.empty()) {
    for (const skeleton::Expr &fact : facts)
      if (proveWith(fact, expr, *bad, depth)) return true;
    return false;
  }
  const std::vector<size_t> *places = &ofOthers;
  if (isSymbol(*bad)) {
    auto known = bySymbol.find(bad->factors.front().name);
    if (known == bySymbol.end()) return false;
    places = &known->second;
  }
  for (size_t place : *places)
    if (proveWith(facts[place], expr, *bad, depth)) return true;
  return false;
}

bool Ranges::proveWith(const skeleton::Expr &fact, const skeleton::Expr &expr, const Term &bad, unsigned depth) const {
  if (fact.isPoisoned()) return false;
  for (const Term &term : fact.sum()) {
    bool matches = (term.coefficient > 0) == (bad.coefficient > 0) && bad.coefficient % term.coefficient == 0 &&
                   term.factors == bad.factors;
    if (matches && prove(expr - skeleton::Expr(bad.coefficient / term.coefficient) * fact, depth - 1)) return true;
  }
  return false;
}

} // namespace busfare::frontend
