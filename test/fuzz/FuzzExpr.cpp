//===- test/fuzz/FuzzExpr.cpp - Formulas against the integers -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An Expr has the value of the tree it was built from, is read back from its text,
// keeps its value under substitution, is c*x + rest where it says so, and is ordered
// as small values that satisfy the facts are.
//
//===----------------------------------------------------------------------===//

#include "Formula.h"
#include "brs/Bounds.h"
#include "brs/Presburger.h"
#include "skeleton/Parse.h"

using namespace busfare::brs;
using namespace busfare::skeleton;

namespace busfare::fuzz {

namespace {

constexpr const char *names[] = {"n", "m", "i"};

/// What the Expr says must be the tree's value. That it says nothing is allowed: a step overflowed.
void checkValue(const Formula &formula, const Expr &expr, const Values &values) {
  std::optional<int64_t> found = expr.evaluate(values);
  std::optional<__int128> ideal = formula.value(values);
  if (found && ideal)
    require(*found == *ideal, [&] {
      return toString(expr) + " evaluates to " + std::to_string(*found) + " but is " + std::to_string(int64_t(*ideal)) +
             " at n, m, i = " + std::to_string(values.at("n")) + ", " + std::to_string(values.at("m")) + ", " +
             std::to_string(values.at("i"));
    });
}

void checkText(const Expr &expr) {
  std::string text = toString(expr);
  llvm::Expected<Expr> again = parseExpr(text);
  require(bool(again), [&] { return "not read back: " + llvm::toString(again.takeError()); });
  require(*again == expr, [&] { return text + " is read back as " + toString(*again); });
}

void checkForm(const Expr &expr, const Expr &other, const Values &values) {
  Expr replaced = expr.substitute({{"n", other}});
  std::optional<int64_t> inner = other.evaluate(values), before, after = replaced.evaluate(values);
  if (inner) {
    Values changed = values;
    changed["n"] = *inner;
    before = expr.evaluate(changed);
  }
  if (before && after)
    require(*before == *after, [&] {
      return toString(expr) + " with n = " + toString(other) + " became " + toString(replaced);
    });
  if (std::optional<Expr> factor = expr.coefficientOf("i")) {
    Expr rest = expr.without("i"), sum = *factor * Expr::symbol("i") + rest;
    require(!factor->mentions("i") && !rest.mentions("i") && (sum == expr || sum.isPoisoned()), [&] {
      return toString(expr) + " is not (" + toString(*factor) + ")*i + " + toString(rest);
    });
  }
  require((expr <=> other) == 0 ? expr == other : (other <=> expr) == (0 <=> (expr <=> other)),
          [&] { return "the order of " + toString(expr) + " and " + toString(other) + " is none"; });
}

template <class Action> void forSmallValues(Action action) {
  for (int64_t n = -2; n <= 5; ++n)
    for (int64_t m = -1; m <= 4; ++m)
      for (int64_t i = -2; i <= 5; ++i)
        action(Values{{"n", n}, {"m", m}, {"i", i}});
}

std::string shown(const Context &context) {
  std::string text;
  for (const Expr &fact : context.facts)
    text += (text.empty() ? " under " : ", ") + toString(fact) + " >= 0";
  return text;
}

void checkOrder(const Expr &a, const Expr &b, const Context &context) {
  Answer answer = isNonNegative(a, context);
  Expr larger = largest(a, b, context), smaller = smallest(a, b, context);
  forSmallValues([&](const Values &values) {
    for (const Expr &fact : context.facts)
      if (fact.evaluate(values).value_or(-1) < 0)
        return;
    std::optional<int64_t> x = a.evaluate(values), y = b.evaluate(values);
    if (!x || !y)
      return;
    require(answer == Answer::Unknown || (*x >= 0) == (answer == Answer::Yes), [&] {
      return toString(a) + " >= 0: " + (answer == Answer::Yes ? "yes" : "no") + shown(context) + ", but it is " +
             std::to_string(*x) + " at n, m, i = " + std::to_string(values.at("n")) + ", " +
             std::to_string(values.at("m")) + ", " + std::to_string(values.at("i"));
    });
    std::optional<int64_t> high = larger.evaluate(values), low = smaller.evaluate(values);
    require(!high || *high == std::max(*x, *y), [&] {
      return "the largest of " + toString(a) + " and " + toString(b) + shown(context) + " is not " + toString(larger);
    });
    require(!low || *low == std::min(*x, *y), [&] {
      return "the smallest of " + toString(a) + " and " + toString(b) + shown(context) + " is not " + toString(smaller);
    });
  });
}

} // namespace

void fuzzExpr(llvm::StringRef input) {
  if (input.size() > 128)
    return;
  Bytes bytes(input);
  bool large = bytes.oneIn(3);
  Formula a = Formula::decode(bytes, names, 4, large), b = Formula::decode(bytes, names, 3, large);
  Expr x = a.expr(), y = b.expr();
  if (x.isPoisoned() || y.isPoisoned())
    return;
  Values values;
  for (const char *name : names)
    values[name] = large && bytes.oneIn(4) ? INT64_MAX - bytes.below(3) : bytes.between(-6, 9);
  checkValue(a, x, values);
  checkValue(b, y, values);
  checkText(x);
  checkForm(x, y, values);
  EffortBudget budget(3);
  Context context;
  for (unsigned facts = bytes.below(4); facts > 0; --facts)
    if (Expr fact = Formula::decode(bytes, names, 2, large).expr(); !fact.isPoisoned())
      context.assume(fact);
  checkOrder(x, y, context);
}

} // namespace busfare::fuzz
