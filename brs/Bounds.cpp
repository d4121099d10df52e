//===- brs/Bounds.cpp - The order of symbolic values ---------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/Bounds.h"
#include "brs/Presburger.h"
#include "llvm/ADT/STLExtras.h"

using namespace busfare::skeleton;

namespace busfare::brs {

namespace {

/// The largest constant c with a fact `symbol - c >= 0`; cheap, for the common case.
std::optional<int64_t> statedLowerBound(const Context &context, const std::string &symbol) {
  std::optional<int64_t> best;
  for (const Expr &fact : context.facts) {
    llvm::ArrayRef<Term> sum = fact.sum();
    if (fact.isPoisoned() || sum.empty() || sum.size() > 2 || sum[0].factors.size() != 1 || sum[0].coefficient != 1 ||
        sum[0].factors[0].kind != Atom::Kind::Symbol || sum[0].factors[0].name != symbol)
      continue;
    if (sum.size() == 2 && (!sum[1].factors.empty() || sum[1].coefficient == INT64_MIN)) continue;
    int64_t bound = sum.size() == 2 ? -sum[1].coefficient : 0;
    best = best ? std::max(*best, bound) : bound;
  }
  return best;
}

/// All coefficients positive, all symbols at least 0: the value at the lower bounds is the least.
bool isPlainlyNonNegative(const Expr &expr, const Context &context) {
  Values least;
  for (const Term &term : expr.sum()) {
    if (term.factors.empty()) continue;
    if (term.coefficient < 0) return false;
    for (const Atom &atom : term.factors) {
      if (atom.kind != Atom::Kind::Symbol) return false;
      std::optional<int64_t> bound = statedLowerBound(context, atom.name);
      if (!bound || *bound < 0) return false;
      least[atom.name] = *bound;
    }
  }
  std::optional<int64_t> value = expr.evaluate(least);
  return value && *value >= 0;
}

} // namespace

Answer isNonNegative(const Expr &expr, const Context &context) {
  if (expr.isPoisoned()) return Answer::Unknown;
  if (std::optional<int64_t> value = expr.constant()) return *value >= 0 ? Answer::Yes : Answer::No;
  if (isPlainlyNonNegative(expr, context)) return Answer::Yes;
  PresburgerSet negative = nonNegative(-expr - 1), positive = nonNegative(expr);
  PresburgerSet known = conditionOn(positive.names(), context);
  if (intersect(known, negative).isEmpty() == Answer::Yes) return Answer::Yes;
  if (intersect(known, positive).isEmpty() == Answer::Yes) return Answer::No;
  return Answer::Unknown;
}

Expr largest(const Expr &a, const Expr &b, const Context &context) {
  if (isAtMost(a, b, context) == Answer::Yes) return b;
  return isAtMost(b, a, context) == Answer::Yes ? a : max(a, b);
}

Expr smallest(const Expr &a, const Expr &b, const Context &context) {
  if (isAtMost(a, b, context) == Answer::Yes) return a;
  return isAtMost(b, a, context) == Answer::Yes ? b : min(a, b);
}

static bool isChoice(const Atom &atom) { return atom.kind == Atom::Kind::Min || atom.kind == Atom::Kind::Max; }
static bool hasChoiceInProduct(const Term &term) {
  return term.factors.size() > 1 && llvm::any_of(term.factors, isChoice);
}
bool hasChoiceInProduct(const Expr &expr) {
  return llvm::any_of(expr.sum(), [](const Term &term) { return hasChoiceInProduct(term); });
}

Expr decideProducts(const Expr &expr, const Context &context) {
  Expr result;
  for (const Term &term : expr.sum()) {
    Expr product = term.coefficient;
    for (const Atom &atom : term.factors) {
      Expr factor = exprOf(atom);
      if (isChoice(atom) && hasChoiceInProduct(term)) {
        factor = atom.args.front();
        for (const Expr &other : llvm::ArrayRef(atom.args).drop_front())
          factor = atom.kind == Atom::Kind::Max ? largest(factor, other, context) : smallest(factor, other, context);
      }
      product = product * factor;
    }
    result = result + product;
  }
  return result;
}

} // namespace busfare::brs
