//===- test/support/NearTest.cpp - The tolerance helper refuses ------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "test/support/Near.h"
#include <gtest/gtest-spi.h>
#include <limits>

using namespace busfare::test;

namespace {
const double nan = std::numeric_limits<double>::quiet_NaN();
const double infinity = std::numeric_limits<double>::infinity();

TEST(Near, RelativeIsAShareOfTheExpectedValue) {
  EXPECT_TRUE(isNear(108, 100, relative(0.08)));
  EXPECT_TRUE(isNear(92, 100, relative(0.08)));
  EXPECT_TRUE(isNear(-92, -100, relative(0.08)));
  EXPECT_FALSE(isNear(108.1, 100, relative(0.08)));
  EXPECT_FALSE(isNear(91.9, 100, relative(0.08)));
  // 100 is within 8 % of 92.6 but not the other way round: the share is of the second argument.
  EXPECT_FALSE(isNear(100, 92, relative(0.08)));
}

TEST(Near, RelativeAboutZeroAcceptsZeroAlone) {
  EXPECT_TRUE(isNear(0, 0, relative(0.5)));
  EXPECT_FALSE(isNear(1e-300, 0, relative(0.5)));
}

TEST(Near, AbsoluteIsAnAmount) {
  EXPECT_TRUE(isNear(3e-6, 0, absolute(3e-6)));
  EXPECT_FALSE(isNear(3.1e-6, 0, absolute(3e-6)));
  EXPECT_FALSE(isNear(1e-3, 2e-3, absolute(0.9e-3)));
}

TEST(Near, PrintedIsHalfAUnitOfTheLastDigit) {
  EXPECT_TRUE(isNear(8.45, 8.5, printed(1)));
  EXPECT_TRUE(isNear(1.853, 1.9, printed(1)));
  EXPECT_FALSE(isNear(8.449, 8.5, printed(1)));
  EXPECT_FALSE(isNear(1.96, 1.9, printed(1)));
  EXPECT_TRUE(isNear(344.4, 344, printed(0)));
  EXPECT_FALSE(isNear(344.6, 344, printed(0)));
}

TEST(Near, EndsBelongToTheIntervalUpToRounding) {
  EXPECT_TRUE(isNear(0.3, 0.1 + 0.2, absolute(0)));
  EXPECT_FALSE(isNear(0.3 + 1e-14, 0.3, absolute(0)));
}

TEST(Near, NothingIsNearWhatIsNoNumber) {
  EXPECT_FALSE(isNear(nan, 1, relative(10)));
  EXPECT_FALSE(isNear(1, nan, relative(10)));
  EXPECT_FALSE(isNear(nan, nan, absolute(infinity)));
  EXPECT_FALSE(isNear(infinity, 1, relative(10)));
  EXPECT_FALSE(isNear(1, infinity, relative(10)));
  EXPECT_FALSE(isNear(-infinity, infinity, relative(10)));
  EXPECT_TRUE(isNear(infinity, infinity, relative(0)));
}

TEST(Near, FailureFailsTheTestAndSaysBothValues) {
  EXPECT_NONFATAL_FAILURE(EXPECT_NEAR_TO(1.3, 1.2, relative(0.05)),
                          "1.3, expected 1.2: 0.1 apart (8.33 %), allowed 0.06");
  EXPECT_NONFATAL_FAILURE(EXPECT_NEAR_TO(1.3, 2.6 / 2 + 1, absolute(0.5)), "1.3 against 2.6 / 2 + 1");
  EXPECT_NONFATAL_FAILURE(EXPECT_NEAR_TO(nan, 1.0, relative(1)), "expected 1");
}
} // namespace
