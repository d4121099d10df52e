//===- test/projection/CurveTest.cpp - Measured points as a function of bytes ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Curve.h"
#include "gtest/gtest.h"
#include <random>

using namespace busfare::projection;

namespace {

TEST(Curve, StraightLinesBetweenThePoints) {
  std::vector<TransferPoint> rising = risingPoints({{1048576, 90e-6}, {1024, 3e-6}});
  EXPECT_EQ(timeOnCurve(rising, 1024, 2e-6), 3e-6);
  EXPECT_EQ(timeOnCurve(rising, 1048576, 2e-6), 90e-6);
  EXPECT_NEAR(timeOnCurve(rising, 524288, 2e-6), (3 + 87 * 511.0 / 1023) * 1e-6, 1e-15);
  EXPECT_NEAR(timeOnCurve(rising, 0, 2e-6), 2e-6, 1e-15);
  EXPECT_NEAR(timeOnCurve(rising, 0, 9e-6), 3e-6, 1e-15) << "no more than the first point leaves room for";
  EXPECT_NEAR(timeOnCurve(rising, 2 * 1048576, 2e-6), (90 + 87 * 1024.0 / 1023) * 1e-6, 1e-15);
}

TEST(Curve, DisagreeingPointsAreTheirMean) {
  std::vector<TransferPoint> rising = risingPoints({{1, 1}, {2, 4}, {3, 2}, {4, 3}, {5, 6}, {5, 8}});
  ASSERT_EQ(rising.size(), 5u);
  for (int i : {1, 2, 3}) EXPECT_DOUBLE_EQ(rising[i].time, 3) << i;
  EXPECT_DOUBLE_EQ(rising[4].time, 7) << "one size, timed twice";
}

TEST(Curve, MoreBytesAreNeverFasterWhateverTheNoise) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> noise(0.2, 5);
  for (int round = 0; round < 200; ++round) {
    std::vector<TransferPoint> points;
    for (double bytes = 256; bytes < 1e8; bytes *= 3) points.push_back({bytes, (1e-6 + bytes / 1e10) * noise(random)});
    std::vector<TransferPoint> rising = risingPoints(points);
    double before = 0;
    for (double bytes = 0; bytes < 1e9; bytes = bytes * 1.3 + 1) {
      double time = timeOnCurve(rising, bytes, 1e-6);
      EXPECT_GE(time, before) << bytes;
      before = time;
    }
  }
}

} // namespace
