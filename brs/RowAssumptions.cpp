//===- brs/RowAssumptions.cpp - What only the caller knows of rows --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/RowAssumptions.h"
#include "skeleton/Polynomial.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::brs {
using namespace skeleton;

namespace {

/// The Exprs that must all be >= 0 for this one to be: a smallest of several is a conjunction. False if they are no
/// conjunction, or cannot be said of the caller's values.
bool addParts(const Expr &condition, const std::set<std::string> &varying, std::vector<Expr> &parts) {
  for (const Term &term : condition.sum()) {
    bool isSmallest = term.factors.size() == 1 && ((term.factors[0].kind == Atom::Kind::Min && term.coefficient == 1) ||
                                                   (term.factors[0].kind == Atom::Kind::Max && term.coefficient == -1));
    if (!isSmallest) continue;
    Expr rest = condition - exprOf(term);
    return llvm::all_of(term.factors[0].args, [&](const Expr &choice) {
      return addParts(rest + Expr(term.coefficient) * choice, varying, parts);
    });
  }
  if (condition.isPoisoned() || !condition.isAffine() ||
      llvm::any_of(condition.symbols(), [&](const std::string &symbol) { return varying.count(symbol) != 0; }))
    return false;
  parts.push_back(condition);
  return true;
}

} // namespace

Context RowAssumptions::with(Context facts) const {
  for (const Expr &condition : assumed) facts.assume(condition);
  return facts;
}

bool RowAssumptions::assumeInside(const Expr &subscript, const Expr &extent, const PresburgerSet &runs,
                                  const std::set<std::string> &varying, const Context &facts) {
  PresburgerSet values = intersect(elementAt({subscript}), runs);
  bool precise = true;
  for (const std::string &symbol : varying) values = values.projectOut(symbol, &precise);
  if (!precise || !values.isKnown()) return false;
  PresburgerSet known = conditionOn(values.names(), with(facts));
  std::optional<PresburgerSet::Bound> lowest = values.lowerBound(0, known), highest = values.upperBound(0, known);
  std::vector<Expr> needed;
  if (!lowest || !highest || !addParts(lowest->value, varying, needed) ||
      !addParts(extent - 1 - highest->value, varying, needed))
    return false;

  Context all = with(facts);
  std::set<Expr> names = runs.names();
  for (const Expr &condition : needed)
    for (const std::string &symbol : condition.symbols()) names.insert(Expr::symbol(symbol));
  PresburgerSet then = intersect(runs, conditionOn(names, all));
  std::vector<Expr> fresh;
  for (const Expr &condition : needed) {
    if (intersect(then, nonNegative(-condition - 1)).isEmpty() == Answer::Yes)
      continue; // Where it does not hold nothing runs.
    all.assume(condition);
    fresh.push_back(condition);
    then = intersect(then, nonNegative(condition));
  }
  auto leavesChoice = [&](const Expr &condition) {
    return intersect(then, nonNegative(condition - 1)).isEmpty() == Answer::No;
  };
  if (then.isEmpty() != Answer::No || !llvm::all_of(fresh, leavesChoice)) return false;
  assumed.insert(assumed.end(), fresh.begin(), fresh.end());
  return true;
}

void RowAssumptions::simplifyInPlace(const Context &facts) {
  for (size_t k = assumed.size(); k-- > 0;) {
    Context others = facts;
    for (size_t other = 0; other < assumed.size(); ++other)
      if (other != k) others.assume(assumed[other]);
    if (isNonNegative(assumed[k], others) == Answer::Yes) assumed.erase(assumed.begin() + long(k));
  }
}

Sides sidesOf(const Expr &nonNegative) {
  Expr left, right;
  int64_t number = 0;
  for (const Term &term : nonNegative.sum())
    if (term.factors.empty()) number = term.coefficient;
    else if (term.coefficient > 0) right = right + exprOf(term);
    else left = left - exprOf(term);
  if (number > 0 && !left.isZero()) right = right + number;
  else left = left - number;
  return {left, right};
}

std::string conditionText(const Expr &nonNegative) {
  const auto [left, right] = sidesOf(nonNegative);
  return toString(left) + " <= " + toString(right);
}

} // namespace busfare::brs
