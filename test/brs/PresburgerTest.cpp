//===- test/brs/PresburgerTest.cpp - Sets, facts and their limits --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/Presburger.h"
#include "gtest/gtest.h"
#include <random>

using namespace busfare::brs;
using busfare::skeleton::Expr;
using busfare::skeleton::Values;

namespace {

Expr sym(const char *name) { return Expr::symbol(name); }

/// Is the point (values, coordinates) in the set?
bool holds(const PresburgerSet &set, const Values &values, std::vector<int64_t> coordinates) {
  PresburgerSet at = set;
  for (const auto &[name, value] : values) at = intersect(at, equalZero(Expr::symbol(name) - value));
  std::vector<std::optional<Expr>> point(coordinates.begin(), coordinates.end());
  return intersect(at, elementAt(point)).isEmpty() == Answer::No;
}

TEST(Presburger, ExprsMeanTheirValues) {
  Expr i = sym("i"), j = sym("j");
  std::vector<Expr> exprs = {
      i + 2 * j - 3,     max(i, j - 1),          min(i, max(j, 0)) + 1,         floorDiv(i - 1, 3),
      mod(i + j, 4) - i, floorDiv(max(i, j), 2), mod(i - 5, 3) + floorDiv(j, 2)};
  for (const Expr &expr : exprs)
    for (int64_t a = -4; a <= 4; ++a)
      for (int64_t b = -4; b <= 4; ++b) {
        int64_t value = *expr.evaluate({{"i", a}, {"j", b}});
        PresburgerSet element = elementAt({expr});
        EXPECT_TRUE(holds(element, {{"i", a}, {"j", b}}, {value})) << toString(expr);
        EXPECT_FALSE(holds(element, {{"i", a}, {"j", b}}, {value + 1})) << toString(expr);
        EXPECT_EQ(holds(nonNegative(expr), {{"i", a}, {"j", b}}, {}), value >= 0) << toString(expr);
      }
}

TEST(Presburger, ProductOfAChoiceIsTakenApart) {
  Expr a = sym("a"), b = sym("b"), n = sym("n");
  PresburgerSet element = intersect(elementAt({max(a, b) * n + 1}), nonNegative(a - b));
  EXPECT_EQ(element.isSubsetOf(elementAt({a * n + 1})), Answer::Yes);
}

TEST(Presburger, NamesWithOddCharacters) {
  Expr size = sym("v.size()"), n = sym("n");
  PresburgerSet below = intersect(nonNegative(size * n - 1), nonNegative(size - 1));
  EXPECT_TRUE(below.mentions("v.size()"));
  EXPECT_TRUE(below.names().count(size * n));
  bool precise = true;
  EXPECT_FALSE(below.projectOut("v.size()", &precise).mentions("v.size()"));
  EXPECT_FALSE(precise) << "a product went with its factor";
  PresburgerSet renamed = below.rename("v.size()", "w");
  EXPECT_FALSE(renamed.mentions("v.size()"));
  EXPECT_TRUE(renamed.names().count(sym("w") * n));
}

TEST(Presburger, NamesThatNeedEscapes) {
  for (const char *name : {"a`b", "a\\b", "\\x41", "x\n", "`", "\\", "mod", "a*b", ""}) {
    Expr odd = Expr::symbol(name), n = sym("n");
    PresburgerSet below = intersect(nonNegative(odd * n - 1), nonNegative(odd - 1));
    EXPECT_TRUE(below.mentions(name)) << name;
    EXPECT_EQ(below.names(), (std::set<Expr>{odd, odd * n})) << name;
    EXPECT_TRUE(below.projectOut(name).names().empty()) << name;
    EXPECT_EQ(below.rename(name, "w").names(), (std::set<Expr>{sym("w"), sym("w") * n})) << name;
  }
}

TEST(Presburger, ProjectionAndForAll) {
  Expr i = sym("i"), n = sym("n");
  PresburgerSet row = intersect(elementAt({i + 1}), intersect(nonNegative(i), nonNegative(n - 1 - i)));
  PresburgerSet all = row.projectOut("i");
  EXPECT_EQ(all.isEqualTo(boxOf({{Expr(1), n, 1}})), Answer::Yes);
  // 0 .. k for every k in 2 .. 5: 0 .. 2.
  Expr k = sym("k");
  PresburgerSet always = boxOf({{Expr(0), k, 1}}).forAll("k", intersect(nonNegative(k - 2), nonNegative(Expr(5) - k)));
  EXPECT_EQ(always.isEqualTo(boxOf({{Expr(0), Expr(2), 1}})), Answer::Yes);
}

TEST(Presburger, BoundsAreOneExprWherePossible) {
  Expr n = sym("n"), m = sym("m"), i = sym("i");
  PresburgerSet context = intersect(nonNegative(n - 1), nonNegative(m - 1));
  PresburgerSet set = intersect(boxOf({{max(i - 1, Expr(0)), min(i + 1, n - 1), 1}}),
                                intersect(nonNegative(i), nonNegative(n - 1 - i)));
  auto lower = set.lowerBound(0, context), upper = set.upperBound(0, context);
  ASSERT_TRUE(lower && upper);
  EXPECT_EQ(toString(lower->value), toString(max(Expr(0), i - 1)));
  EXPECT_EQ(toString(upper->value), toString(min(n - 1, i + 1)));
  EXPECT_TRUE(lower->tight && upper->tight);
  EXPECT_FALSE(PresburgerSet::universe(1).lowerBound(0, context));
  // Products come back.
  auto last = boxOf({{Expr(0), n * m - 1, 1}}).upperBound(0, context);
  ASSERT_TRUE(last);
  EXPECT_EQ(last->value, n * m - 1);
}

/// A loop of up to m iterations inside one of n that leaves out one index: min(6, m - 1) in one piece, m - 1 in the
/// other.
TEST(Presburger, ABoundThatASymbolDecidesKeepsTheSymbol) {
  // Rounds of 4000 over 4010: 3999 at t = 0, 9 at t = 1; where t has one value isl's pieces do not name it.
  Expr t = sym("t"), k = sym("k");
  PresburgerSet context = intersect(nonNegative(t), nonNegative(1 - t));
  PresburgerSet set =
      intersect(elementAt({k}), intersect(nonNegative(k), nonNegative(min(Expr(3999), 4009 - 4000 * t) - k)))
          .projectOut("k");
  auto upper = intersect(set, context).coalesce().upperBound(0, context);
  ASSERT_TRUE(upper);
  EXPECT_TRUE(upper->tight);
  EXPECT_EQ(upper->value.evaluate({{"t", 0}}), 3999);
  EXPECT_EQ(upper->value.evaluate({{"t", 1}}), 9);
  set = intersect(elementAt({k}), intersect(nonNegative(5000 - k), nonNegative(k - max(Expr(1), 4000 * t - 9))))
            .projectOut("k");
  auto lower = intersect(set, context).coalesce().lowerBound(0, context);
  ASSERT_TRUE(lower);
  EXPECT_EQ(lower->value.evaluate({{"t", 0}}), 1);
  EXPECT_EQ(lower->value.evaluate({{"t", 1}}), 3991);
}

TEST(Presburger, WhatBoundsEverywhereAndIsReachedIsTheBound) {
  // What 5*i .. 4*i + 3 reaches for i <= min(2, n - 2), and the same counted from the other end: 7 where n = 3, 11
  // where n = 4, 14 from n = 5 on.
  Expr n = sym("n"), i = sym("i"), x = sym("x");
  PresburgerSet context = nonNegative(n - 3);
  auto rows = [&](std::initializer_list<Expr> conditions) {
    PresburgerSet set = elementAt({x});
    for (const Expr &condition : conditions) set = intersect(set, nonNegative(condition));
    return set.projectOut("i").projectOut("x");
  };
  PresburgerSet set = unite(rows({i - 1, Expr(2) - i, n - 2 - i, 4 * i + 3 - x, x - 5 * i}),
                            rows({i - 6 + n, Expr(2) - i, 5 * i - 19 + x, 18 - x - 4 * i}));
  auto upper = set.upperBound(0, context);
  ASSERT_TRUE(upper);
  EXPECT_TRUE(upper->tight);
  for (int64_t size = 3; size < 9; ++size)
    EXPECT_EQ(upper->value.evaluate({{"n", size}}), std::min<int64_t>(14, 4 * size - 5)) << size;
}

TEST(Presburger, BoundsWithoutOneExprAreTight) {
  Expr n = sym("n"), m = sym("m"), j = sym("j");
  PresburgerSet context = intersect(nonNegative(n - 1), nonNegative(m - 1));
  PresburgerSet row = boxOf({{Expr(0), min(n - 1, j), 1}});
  PresburgerSet columns = intersect(nonNegative(j), nonNegative(m - 1 - j));
  PresburgerSet others = unite(nonNegative(Expr(6) - j), nonNegative(j - 8));
  PresburgerSet set = intersect(row, intersect(columns, others)).projectOut("j");
  auto upper = set.upperBound(0, context);
  ASSERT_TRUE(upper);
  EXPECT_FALSE(upper->tight);
  EXPECT_EQ(toString(upper->value), toString(min(m - 1, n - 1)));
  // Where no single value will do, only those that are needed.
  set = unite(boxOf({{Expr(0), min(Expr(3), m - 2), 1}}),
              unite(boxOf({{Expr(0), min(Expr(2), m - 1), 1}}), boxOf({{Expr(0), n - 1, 1}})));
  upper = set.upperBound(0, context);
  ASSERT_TRUE(upper);
  for (int64_t size = 1; size < 8; ++size)
    for (int64_t width = 1; width < 8; ++width)
      EXPECT_LE(*upper->value.evaluate({{"n", size}, {"m", width}}), std::max<int64_t>(3, size - 1))
          << size << " " << width;
}

TEST(Presburger, BoundsAgainstTheDefinition) {
  Expr n = sym("n"), m = sym("m");
  const Expr ends[] = {0, 3, n - 1, n + 1, m, m - n, 2 * m - 3, -n};
  std::mt19937 random(5);
  auto pick = [&] { return ends[random() % std::size(ends)]; };
  unsigned tight = 0, all = 0;
  for (unsigned round = 0; round < 150; ++round) {
    PresburgerSet set = PresburgerSet::empty(1);
    Expr common = pick();
    for (unsigned pieces = 1 + random() % 3; pieces > 0; --pieces) {
      Expr lower = random() % 2 ? common : pick();
      PresburgerSet piece = boxOf({{lower, lower + random() % 4 + (random() % 2 ? n : Expr(0)), random() % 5 ? 1 : 2}});
      set = unite(set, random() % 2 ? piece : intersect(piece, nonNegative(pick() - pick())));
    }
    Context facts;
    facts.assume(n);
    PresburgerSet context = conditionOf(facts, {n, m});
    auto lower = set.lowerBound(0, context), upper = set.upperBound(0, context);
    for (int64_t vn = 0; vn <= 4; ++vn)
      for (int64_t vm = -3; vm <= 3; ++vm) {
        Values values{{"n", vn}, {"m", vm}};
        std::optional<int64_t> least, most;
        for (int64_t x = -20; x <= 20; ++x)
          if (holds(set, values, {x})) {
            least = least.value_or(x);
            most = x;
          }
        if (!least) continue;
        for (const auto &[bound, truth, sign] : {std::tuple(lower, *least, 1), {upper, *most, -1}}) {
          ASSERT_TRUE(bound);
          int64_t value = *bound->value.evaluate(values);
          EXPECT_LE(sign * value, sign * truth) << toString(bound->value) << " n " << vn << " m " << vm;
          if (bound->tight) EXPECT_EQ(value, truth) << toString(bound->value) << " n " << vn << " m " << vm;
          tight += bound->tight;
          ++all;
        }
      }
  }
  EXPECT_GT(tight, all / 2);
}

TEST(Presburger, FlatSubscriptsAreBoundedThroughProducts) {
  Expr i = sym("i"), j = sym("j"), n = sym("n"), m = sym("m");
  Context context;
  for (const Expr &fact : {n - 1, m - 1, i, m - 1 - i, j, n - 1 - j}) context.assume(fact);
  PresburgerSet flat = elementAt({i * n + j});
  flat = intersect(flat, conditionOf(context, flat.names()));
  bool precise = true;
  flat = flat.projectOut("i", &precise).projectOut("j", &precise);
  EXPECT_FALSE(precise);
  Context sizes;
  sizes.assume(n - 1);
  sizes.assume(m - 1);
  PresburgerSet known = conditionOf(sizes, flat.names());
  auto lower = flat.lowerBound(0, known), upper = flat.upperBound(0, known);
  ASSERT_TRUE(lower && upper);
  EXPECT_EQ(toString(lower->value), "0");
  EXPECT_EQ(upper->value, m * n - 1) << toString(upper->value);
}

TEST(Presburger, WhatIsNotKnownStaysSo) {
  PresburgerSet unknown;
  PresburgerSet full = PresburgerSet::universe(1);
  EXPECT_EQ(unknown.isEmpty(), Answer::Unknown);
  EXPECT_FALSE(intersect(unknown, full).isKnown());
  EXPECT_FALSE(unite(full, unknown).isKnown());
  EXPECT_FALSE(subtract(full, unknown).isKnown());
  EXPECT_FALSE(unknown.projectOut("i").isKnown());
  EXPECT_FALSE(unknown.complement().isKnown());
  EXPECT_EQ(full.isSubsetOf(unknown), Answer::Unknown);
  EXPECT_FALSE(unknown.sample());
  EXPECT_FALSE(nonNegative(Expr::poisoned()).isKnown());
  EXPECT_FALSE(unite(PresburgerSet::universe(1), PresburgerSet::universe(2)).isKnown());
}

TEST(Presburger, SpentBudgetAnswersUnknown) {
  PresburgerSet some = boxOf({{Expr(0), Expr::symbol("n"), 1}});
  {
    EffortBudget none(-1);
    EXPECT_EQ(some.isEmpty(), Answer::Unknown);
    EXPECT_FALSE(some.complement().isKnown());
    EXPECT_TRUE(none.wasExceeded());
  }
  EXPECT_EQ(some.isEmpty(), Answer::No);
}

TEST(Presburger, StepsEndABudgetAsTheClockDoes) {
  PresburgerSet some = boxOf({{Expr(0), Expr::symbol("n"), 1}});
  auto stepsUntilSpent = [&] {
    EffortBudget budget(0.01);
    uint64_t before = stepsSoFar();
    while (!budget.wasExceeded() && stepsSoFar() < before + 100000) effortIsSpent(stepsPerNode);
    EXPECT_TRUE(budget.wasExceeded());
    return stepsSoFar() - before;
  };
  // No clock is in it, so it is the same number again.
  EXPECT_EQ(stepsUntilSpent(), stepsUntilSpent());
  EXPECT_EQ(some.isEmpty(), Answer::No);
}

TEST(Presburger, LinearConditionsSayWhatTheirFormsSay) {
  // Built at once or piece by piece: m*n is a name, and a strided range takes the other way.
  Expr i = Expr::symbol("i"), n = Expr::symbol("n"), m = Expr::symbol("m");
  PresburgerSet box = boxOf({{i - 1, m * n + 2, 1}, {n, n, 1}});
  PresburgerSet pieces = intersect(boxOf({{i - 1, max(m * n + 2, m * n + 1), 1}, {std::nullopt, std::nullopt, 1}}),
                                   boxOf({{std::nullopt, std::nullopt, 1}, {n, max(n, n - 1), 1}}));
  EXPECT_EQ(box.isEqualTo(pieces), Answer::Yes);
  EXPECT_EQ(box.isEmpty(), Answer::No);
  EXPECT_EQ(intersect(box, nonNegative(i - m * n - 4)).isEmpty(), Answer::Yes);
  EXPECT_EQ(nonNegative(Expr(-1)).isEmpty(), Answer::Yes);
}

TEST(Presburger, SetsOfOneFormAreOneSet) {
  const Expr n = Expr::symbol("n"), m = Expr::symbol("m"), k = Expr::symbol("k");
  const PresburgerSet first = boxOf({{Expr(0), n - 1, 1}}), second = boxOf({{m, Expr(9), 1}});
  const PresburgerSet both = intersect(first, second);
  // The other order, of parameters and of constraints; and by way of a name that is gone again.
  EXPECT_EQ(both.identity(), intersect(second, first).identity());
  EXPECT_EQ(both.identity(), intersect(both, nonNegative(k)).projectOut("k").identity());
  EXPECT_EQ(unite(first, second).identity(), unite(second, first).identity());
  EXPECT_NE(both.identity(), first.identity());
  EXPECT_NE(first.identity(), boxOf({{Expr(0), m - 1, 1}}).identity()) << "another name is another set";
  // A stride has no form, and is none the worse for that.
  const PresburgerSet even = boxOf({{Expr(0), n - 1, 2}});
  EXPECT_NE(even.identity(), first.identity());
  EXPECT_EQ(even.isSubsetOf(first), Answer::Yes);
  // What one analysis has found out the next one knows.
  auto stepsOf = [&] {
    const EffortBudget analysis(1);
    const uint64_t before = stepsSoFar();
    EXPECT_EQ(subtract(first, boxOf({{k, k + 6, 1}})).isSubsetOf(first), Answer::Yes);
    return stepsSoFar() - before;
  };
  const uint64_t asked = stepsOf();
  EXPECT_LT(stepsOf(), asked);
}

TEST(Presburger, TooHardIsUnknownAndTheNextQuestionIsFresh) {
  // A knapsack with awkward coefficients over many names.
  Context context;
  Expr sum;
  int64_t weights[] = {12223, 12224, 36674, 61119, 85569, 122241, 150003, 200017};
  for (unsigned k = 0; k < 8; ++k) {
    Expr x = Expr::symbol("x" + std::to_string(k));
    context.assume(x);
    sum = sum + weights[k] * x;
  }
  PresburgerSet hard = intersect(conditionOf(context), equalZero(sum - 89643481));
  PresburgerSet harder = subtract(subtract(hard, hard.rename("x0", "y0")), hard.rename("x1", "y1"));
  Answer answer = harder.isEmpty();
  (void)answer; // Whatever it is, it comes quickly and leaves no error behind.
  EXPECT_EQ(PresburgerSet::empty(1).isEmpty(), Answer::Yes);
  EXPECT_EQ(PresburgerSet::universe(1).isEmpty(), Answer::No);
}

TEST(Presburger, Sample) {
  Expr i = sym("i"), n = sym("n");
  PresburgerSet set = intersect(elementAt({i + 3}), intersect(equalZero(i - 4), equalZero(n - 7)));
  std::optional<Values> point = set.sample();
  ASSERT_TRUE(point);
  EXPECT_EQ((*point)["i"], 4);
  EXPECT_EQ((*point)["#0"], 7);
  EXPECT_FALSE(PresburgerSet::empty(1).sample());
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

TEST(Bounds, ThreeValued) {
  Expr n = sym("n"), m = sym("m");
  Context context;
  EXPECT_EQ(isNonNegative(n - 1, context), Answer::Unknown);
  context.assume(n - 1);
  EXPECT_EQ(isNonNegative(n - 1, context), Answer::Yes);
  EXPECT_EQ(isNonNegative(-n, context), Answer::No);
  EXPECT_EQ(isNonNegative(n - 2, context), Answer::Unknown);
  EXPECT_EQ(isNonNegative(n * m - n, context), Answer::Unknown);
  context.assume(m - 1);
  EXPECT_EQ(isNonNegative(n * m - n, context), Answer::Yes);
  EXPECT_EQ(isNonNegative(n * m - 1, context), Answer::Yes);
  EXPECT_EQ(isNonNegative(n * m - m - n + 1, context), Answer::Yes) << "(n - 1)*(m - 1)";
  EXPECT_EQ(isNonNegative(n * n - n, context), Answer::Yes);
  EXPECT_EQ(isNonNegative(Expr::poisoned(), context), Answer::Unknown);
}

TEST(Bounds, MinMaxFloorMod) {
  Expr n = sym("n"), i = sym("i");
  Context context;
  context.assume(n - 1);
  EXPECT_EQ(isNonNegative(max(n - 5, Expr(0)), context), Answer::Yes);
  EXPECT_EQ(isNonNegative(n - min(n, i), context), Answer::Yes);
  EXPECT_EQ(isNonNegative(n - floorDiv(n, 2) - 1, context), Answer::Yes);
  EXPECT_EQ(isNonNegative(Expr(3) - mod(i, 4), context), Answer::Yes);
  EXPECT_EQ(largest(n, Expr(1), context), n);
  EXPECT_EQ(smallest(n, Expr(1), context), Expr(1));
  EXPECT_EQ(largest(n, i, context), max(n, i));
}

/// Whatever is answered holds at every small point of the context.
TEST(Bounds, NeverWrongOnSmallValues) {
  Expr n = sym("n"), m = sym("m"), i = sym("i");
  Context context;
  for (const Expr &fact : {n - 1, m - 1, i, n - 1 - i}) context.assume(fact);
  std::vector<Expr> atoms = {n, m, i, n * m, i * m, n * n, max(i, m), Expr(1)};
  for (const Expr &a : atoms)
    for (const Expr &b : atoms)
      for (const Expr &c : atoms)
        for (int sign : {-1, 1}) {
          Expr expr = a - b + sign * c;
          Answer answer = isNonNegative(expr, context);
          if (answer == Answer::Unknown) continue;
          for (int64_t nn = 1; nn <= 4; ++nn)
            for (int64_t mm = 1; mm <= 4; ++mm)
              for (int64_t ii = 0; ii < nn; ++ii) {
                int64_t value = *expr.evaluate({{"n", nn}, {"m", mm}, {"i", ii}});
                EXPECT_EQ(value >= 0, answer == Answer::Yes)
                    << toString(expr) << " at " << nn << " " << mm << " " << ii;
              }
        }
}

} // namespace
