//===- test/projection/SharesTest.cpp - Shares against counting ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Shares.h"
#include "gtest/gtest.h"
#include <random>

using namespace busfare;
using namespace busfare::projection;
using skeleton::Expr;

namespace {

skeleton::Loop loopOver(int64_t lower, int64_t step, int64_t trips) {
  skeleton::Loop loop;
  loop.index = "i";
  loop.lower = lower;
  loop.step = step;
  loop.upper = lower + step * (trips - 1);
  return loop;
}

/// The definition: the mean over all iterations.
double counted(const skeleton::Loop &loop, int64_t trips, const skeleton::Condition &condition,
               skeleton::RealValues values) {
  double sum = 0;
  for (int64_t k = 0; k < trips; ++k) {
    values["i"] = double(loop.lower.constant().value() + loop.step * k);
    sum += shareOf(condition, values);
  }
  return sum / double(trips);
}

TEST(Shares, AreWhatCountingGives) {
  std::mt19937 random(4711);
  auto any = [&](int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(random); };
  const Expr i = Expr::symbol("i"), n = Expr::symbol("n");
  auto anyExpr = [&]() -> Expr {
    const Expr linear = any(-3, 3) * i + any(-1, 1) * n + any(-20, 20);
    switch (any(0, 4)) {
    case 0: return mod(linear, any(2, 9)) - any(0, 4);
    case 1: return any(0, 3) - mod(i + any(0, 5), any(2, 7));
    case 2: return mod(i, any(2, 5)) * mod(2 * i, any(3, 4)) - any(0, 3);
    case 3: return any(0, 40) - i * i + any(0, 3) * n; // neither linear nor periodic
    default: return linear;
    }
  };
  for (int round = 0; round < 3000; ++round) {
    skeleton::Condition condition;
    condition.exact = true;
    for (int64_t k = any(1, 3); k > 0; --k) {
      std::vector<Expr> conjunction;
      for (int64_t l = any(1, 3); l > 0; --l) conjunction.push_back(anyExpr());
      condition.anyOf.push_back(conjunction);
    }
    const int64_t trips = any(1, 60);
    const skeleton::Loop loop = loopOver(any(-10, 10), any(0, 1) ? any(1, 3) : -any(1, 3), trips);
    const skeleton::RealValues values = {{"n", double(any(0, 12))}};
    ASSERT_NEAR(shareOver(&loop, condition, values, {}), counted(loop, trips, condition, values), 1e-12)
        << "round " << round;
  }
}

TEST(Shares, OfABillionIterations) {
  const Expr i = Expr::symbol("i");
  skeleton::Condition condition;
  condition.exact = true;
  condition.anyOf = {{i - 10, 19 - i}, {-mod(i, 1000)}, {i - 999999999}};
  const skeleton::Loop loop = loopOver(0, 1, 1000000000);
  EXPECT_DOUBLE_EQ(shareOver(&loop, condition, {}, {}), (10 + 1000000 + 1) / 1e9);
}

} // namespace
