//===- test/skeleton/ExprTest.cpp -----------------------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "skeleton/Expr.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace busfare::skeleton;

namespace {

Expr sym(const char *name) { return Expr::symbol(name); }

constexpr int64_t smallest = std::numeric_limits<int64_t>::min(), largest = std::numeric_limits<int64_t>::max();

TEST(Expr, NormalFormPrintsInOneWay) {
  Expr i = sym("i"), j = sym("j"), n = sym("n");
  EXPECT_EQ(toString(i * n + 4), "i*n + 4");
  EXPECT_EQ(toString(4 + n * i), "i*n + 4");
  EXPECT_EQ(toString((i * n + 4).substitute({{"i", n - 1}})), "n*n - n + 4");
  EXPECT_EQ(toString(4 * i * n + max(0, j - 1)), "4*i*n + max(0, j - 1)");
  EXPECT_EQ(toString(-i - 3), "-i - 3");
  EXPECT_EQ(toString(i - i), "0");
  EXPECT_EQ(toString(Expr(smallest)), "-9223372036854775808");
  EXPECT_EQ(toString(floorDiv(n, 2)), "floor(n / 2)");
  EXPECT_EQ(toString(floorDiv(n + 1, 2)), "floor((n + 1) / 2)");
  EXPECT_EQ(toString(mod(n, 32)), "n mod 32");
  EXPECT_EQ(toString(2 * mod(n + 1, 32)), "2*((n + 1) mod 32)");
  EXPECT_EQ(toString(i - mod(n, 32)), "i - (n mod 32)");
  EXPECT_EQ(toString(sym("v.size()") + 1), "`v.size()` + 1");
}

TEST(Expr, NamesAreQuotedOnlyWhereNeeded) {
  for (const char *plain : {"i", "n.2", "Grid::step", "f@40:u", "f@40:u#2", "_x9", "std::a::b"})
    EXPECT_EQ(quoteName(plain), plain);
  for (const char *odd : {"", "9a", "a b", "v.size()", "a..b", "a.", "min", "mod", "a:b", "x#", "g->nx", "\xc3\xa9"})
    EXPECT_EQ(quoteName(odd), "`" + std::string(odd) + "`");
  EXPECT_EQ(quoteName("a`b\\"), "`a\\`b\\\\`");
}

TEST(Expr, MinAndMax) {
  Expr m = sym("m"), n = sym("n");
  EXPECT_EQ(min(n, n + 1), n);
  EXPECT_EQ(max(n, n + 1), n + 1);
  EXPECT_EQ(min(n, n), n);
  EXPECT_EQ(min(3, 5), Expr(3));
  EXPECT_EQ(min(n, min(m, n + 1)), min(m, n));
  EXPECT_EQ(min(min(m, n), min(n, m)), min(n, m));
  EXPECT_EQ(min(n, max(n, m)), n);
  EXPECT_EQ(max(n, min(n, m)), n);
  EXPECT_EQ(min(min(m, n) + 1, n + 3), min(m + 1, n + 1));
}

TEST(Expr, FloorDivAndModSplitOffMultiples) {
  Expr i = sym("i"), r = sym("r"), n = sym("n");
  EXPECT_EQ(floorDiv(4 * i + r, 4), i + floorDiv(r, 4));
  EXPECT_EQ(floorDiv(4 * i, 4), i);
  EXPECT_EQ(floorDiv(-7, 4), Expr(-2));
  EXPECT_EQ(mod(-7, 4), Expr(1));
  EXPECT_EQ(mod(4 * i + r, 4), mod(r, 4));
  EXPECT_EQ(mod(n * 8 + 5, 4), Expr(1));
  EXPECT_EQ(floorDiv(2 * i + 1, 4), floorDiv(i, 2));
  EXPECT_EQ(floorDiv(floorDiv(n, 2), 3), floorDiv(n, 6));
  EXPECT_EQ(floorDiv(mod(n, 4), 4), Expr(0));
  EXPECT_EQ(mod(mod(n, 8), 4), mod(n, 4));
  EXPECT_EQ(mod(mod(n, 4), 8), mod(n, 4));
  EXPECT_EQ(floorDiv(4 * i + mod(r, 4), 4), i);
  EXPECT_EQ(floorDiv(n, 1), n);
  EXPECT_TRUE(floorDiv(n, 0).isPoisoned());
  EXPECT_TRUE(mod(n, -2).isPoisoned());
}

TEST(Expr, CoefficientOf) {
  Expr i = sym("i"), j = sym("j"), n = sym("n");
  Expr e = 3 * i * n + 2 * i + j - 1;
  EXPECT_EQ(e.coefficientOf("i"), 3 * n + 2);
  EXPECT_EQ(e.without("i"), j - 1);
  EXPECT_EQ(e.coefficientOf("k"), Expr(0));
  EXPECT_FALSE((i * i).coefficientOf("i"));
  EXPECT_FALSE((i + min(i, n)).coefficientOf("i"));
  EXPECT_FALSE(Expr::poisoned().coefficientOf("i"));
  EXPECT_TRUE((i + 2 * n).isAffine());
  EXPECT_FALSE((i * n).isAffine());
  EXPECT_FALSE(mod(n, 2).isAffine());
  EXPECT_EQ(min(i, n * j).symbols(), (std::set<std::string>{"i", "j", "n"}));
  EXPECT_EQ(i.asSymbol(), "i");
  EXPECT_FALSE((2 * i).asSymbol());
}

TEST(Expr, OverflowPoisons) {
  Expr n = sym("n");
  EXPECT_TRUE((Expr(largest) + 1).isPoisoned());
  EXPECT_TRUE((Expr(largest) * 2 * n).isPoisoned());
  EXPECT_TRUE((-Expr(smallest)).isPoisoned());
  EXPECT_TRUE(((Expr(largest) + 1) - largest).isPoisoned());
  EXPECT_TRUE(min(n, Expr::poisoned()).isPoisoned());
  EXPECT_TRUE(n.substitute({{"n", Expr::poisoned()}}).isPoisoned());
  EXPECT_FALSE(Expr::poisoned().evaluate({}));
  EXPECT_EQ((n * n - n * n + 1).evaluate({}), 1);
  EXPECT_FALSE((n * n).evaluate({{"n", int64_t(1) << 32}}));
  // On the way past 64 bits, but not at the end.
  EXPECT_EQ((n * n - sym("m")).evaluate({{"n", 3037000500}, {"m", 3037000500}}), 9223372033963249500);
  EXPECT_FALSE(n.evaluate({}));
}

TEST(Expr, GrowthIsBounded) {
  Expr e = sym("a") + sym("b") + 1;
  for (int k = 0; k < 40; ++k) e = e * e;
  EXPECT_TRUE(e.isPoisoned());
  Expr d = sym("a");
  for (int k = 0; k < 1000; ++k) d = floorDiv(d + sym("b"), 2);
  EXPECT_TRUE(d.isPoisoned());
  Expr wide;
  for (int k = 0; k < 5000; ++k) wide = wide + Expr::symbol("s" + std::to_string(k));
  EXPECT_TRUE(wide.isPoisoned());
}

/// Builds an Expr by random operations beside its value, computed by the definition of each.
class Property : public testing::TestWithParam<int> {
protected:
  std::mt19937 random{unsigned(GetParam())};
  Values values;

  int64_t pick(int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(random); }
  static int64_t floorOf(int64_t a, int64_t b) { return int64_t(std::floor(double(a) / double(b))); }

  std::pair<Expr, int64_t> build(int depth) {
    if (depth == 0 || pick(0, 5) == 0) {
      if (pick(0, 2) == 0) {
        int64_t constant = pick(-6, 6);
        return {constant, constant};
      }
      std::string name(1, char('a' + pick(0, 3)));
      return {Expr::symbol(name), values.at(name)};
    }
    auto [a, x] = build(depth - 1);
    auto [b, y] = build(depth - 1);
    int64_t divisor = pick(1, 9);
    switch (pick(0, 6)) {
    case 0: return {a + b, x + y};
    case 1: return {a - b, x - y};
    case 2: return std::abs(x) < 1000 && std::abs(y) < 1000 ? std::pair(a * b, x * y) : std::pair(-a, -x);
    case 3: return {min(a, b), std::min(x, y)};
    case 4: return {max(a, b), std::max(x, y)};
    case 5: return {floorDiv(a, divisor), floorOf(x, divisor)};
    default: return {mod(a, divisor), x - divisor * floorOf(x, divisor)};
    }
  }
};

TEST_P(Property, ValuesFollowTheDefinitions) {
  for (int round = 0; round < 2000; ++round) {
    for (char name = 'a'; name <= 'd'; ++name) values[std::string(1, name)] = pick(-9, 9);
    auto [expr, value] = build(4);
    if (expr.isPoisoned()) continue;
    ASSERT_EQ(expr.evaluate(values), value) << toString(expr);
    RealValues reals(values.begin(), values.end());
    ASSERT_NEAR(*expr.evaluateReal(reals), double(value), 1e-6) << toString(expr);

    // c*a + rest, where that form exists.
    if (std::optional<Expr> c = expr.coefficientOf("a")) {
      ASSERT_EQ(*c * Expr::symbol("a") + expr.without("a"), expr);
      ASSERT_FALSE(c->mentions("a") || expr.without("a").mentions("a"));
    }
    // Substituting values one after the other gives the constant.
    Expr constant = expr;
    for (const auto &[name, v] : values) constant = constant.substitute({{name, v}});
    ASSERT_EQ(constant.constant(), value) << toString(expr);
    // All at once, to each other's names: a swap.
    Expr swapped = expr.substitute({{"a", Expr::symbol("b")}, {"b", Expr::symbol("a")}});
    Values other = values;
    std::swap(other["a"], other["b"]);
    ASSERT_EQ(swapped.evaluate(other), value) << toString(expr);
    ASSERT_EQ(expr - expr, Expr(0));
    ASSERT_TRUE(std::is_sorted(expr.sum().begin(), expr.sum().end(),
                               [](const Term &s, const Term &t) { return s.factors.size() > t.factors.size(); }));
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Property, testing::Range(0, 8));

TEST(Expr, Distance) {
  Expr n = sym("n"), i = sym("i");
  EXPECT_EQ(distance(n * i + 3, n * i + 1), 2);
  EXPECT_EQ(distance(7, -2), 9);
  EXPECT_EQ(distance(n, n), 0);
  EXPECT_EQ(distance(n, n + 4), -4);
  EXPECT_EQ(distance(max(n, 3) + 1, max(n, 3)), 1);
  EXPECT_EQ(distance(n, 2 * n), std::nullopt);
  EXPECT_EQ(distance(n + i, n), std::nullopt);
  EXPECT_EQ(distance(n, 0), std::nullopt);
  EXPECT_EQ(distance(0, n), std::nullopt);
  EXPECT_EQ(distance(Expr::poisoned(), Expr::poisoned()), std::nullopt);
  EXPECT_EQ(distance(INT64_MAX, -1), std::nullopt);
}

TEST(Expr, CopiesAreWhatTheyWere) {
  Expr a = sym("a") + 1, copy = a;
  a = a * a;
  EXPECT_EQ(toString(copy), "a + 1");
  EXPECT_EQ(toString(a), "a*a + 2*a + 1");
  copy = Expr::poisoned();
  EXPECT_TRUE(copy.isPoisoned() && !copy.isZero() && copy.sum().empty());
  EXPECT_TRUE(Expr(0).isZero() && !Expr(0).isPoisoned() && (sym("a") - sym("a")).isZero());
  for (int64_t value : {-3, -2, -1, 1, 2, 16, 17}) EXPECT_EQ(Expr(value).constant(), value);
}

TEST(Expr, TheOrderIsTotal) {
  std::vector<Expr> some = {0,
                            1,
                            -1,
                            sym("a"),
                            2 * sym("a"),
                            sym("a") + 1,
                            sym("a") * sym("b"),
                            min(sym("a"), 3),
                            max(sym("a"), 3),
                            floorDiv(sym("a"), 3),
                            mod(sym("a"), 3),
                            Expr::poisoned()};
  for (const Expr &x : some)
    for (const Expr &y : some) {
      EXPECT_EQ(x == y, &x == &y);
      EXPECT_EQ((x <=> y) == 0, &x == &y);
      EXPECT_EQ((x <=> y) < 0, (y <=> x) > 0);
    }
}

} // namespace
