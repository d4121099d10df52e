//===- test/runtime-bench/StatisticsTest.cpp - Summaries of timings --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "runtime-bench/Statistics.h"
#include "test/support/Near.h"

using namespace busfare::test;

namespace {
TEST(Statistics, OfAnEvenNumberOfValues) {
  const Statistics s = summarise({3, 1, 2, 10});
  EXPECT_EQ(s.min, 1);
  EXPECT_NEAR_TO(s.mean, 4.0, absolute(1e-12));
  EXPECT_EQ(s.median, 2.5);
  // Squares of -1, -3, -2, 6 sum to 50; of a sample, so over 3.
  EXPECT_NEAR_TO(s.stddev, std::sqrt(50.0 / 3), relative(1e-12));
}

TEST(Statistics, OfAnOddNumberOfValues) { EXPECT_EQ(summarise({9, 1, 5}).median, 5); }

TEST(Statistics, OfOneValueAndOfNone) {
  const Statistics one = summarise({7});
  EXPECT_EQ(one.min, 7);
  EXPECT_EQ(one.mean, 7);
  EXPECT_EQ(one.median, 7);
  EXPECT_EQ(one.stddev, 0);
  EXPECT_EQ(summarise({}).mean, 0);
}

TEST(Statistics, ADisturbedRunMovesTheMeanNotTheMedian) {
  const Statistics s = summarise({1, 1, 1, 1, 100});
  EXPECT_EQ(s.median, 1);
  EXPECT_GT(s.mean, 20);
}
} // namespace
