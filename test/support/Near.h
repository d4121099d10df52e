//===- test/support/Near.h - Numbers that agree well enough ---------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Compares a model's figure with a published one. The tolerance says what it is
// of: a share of the expected value, an absolute amount, or half a unit of the
// last digit a table prints.
//
//   EXPECT_TRUE(isNear(time, 1.2e-3, relative(0.08)));   // within 8 %
//   EXPECT_TRUE(isNear(time, 0, absolute(1e-9)));
//   EXPECT_TRUE(isNear(mib, 8.5, printed(1)));           // prints as 8.5
//
// Nothing is near a NaN, nor near an infinity other than itself; a relative
// tolerance about zero accepts zero alone. Both ends belong to the interval, up to
// the rounding of a double.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_TEST_SUPPORT_NEAR_H
#define BUSFARE_TEST_SUPPORT_NEAR_H

#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>

namespace busfare::test {

/// How far a value may be from the expected one: |value - expected| <= ofExpected * |expected| + amount.
struct Tolerance {
  double ofExpected = 0; ///< A share: 0.08 is 8 %.
  double amount = 0;     ///< In the unit of the value.
};

inline Tolerance relative(double share) { return {share, 0}; }
inline Tolerance absolute(double amount) { return {0, amount}; }
/// The value, rounded to so many digits after the point, is the expected one.
inline Tolerance printed(int digits) { return {0, 0.5 * std::pow(10.0, -digits)}; }

/// Success if value lies within the tolerance; else a message with both values and how far apart they are.
inline testing::AssertionResult isNear(double value, double expected, Tolerance tolerance) {
  const double difference = std::fabs(value - expected);
  const double allowed = tolerance.ofExpected * std::fabs(expected) + tolerance.amount;
  // The subtraction above rounds by as much as one unit in the last place of either value.
  const double rounding = 4e-16 * (std::fabs(expected) + std::fabs(value));
  const bool same = value == expected; // infinities included
  if (same || (std::isfinite(value) && std::isfinite(expected) && difference <= allowed + rounding))
    return testing::AssertionSuccess() << value << " is near " << expected;
  char text[200];
  std::snprintf(text, sizeof text, "%.9g, expected %.9g: %.3g apart (%.3g %%), allowed %.3g", value, expected,
                difference, expected == 0 ? INFINITY : 100 * difference / std::fabs(expected), allowed);
  return testing::AssertionFailure() << text;
}

} // namespace busfare::test

/// value is near expected, within the Tolerance; the failure names both expressions.
#define EXPECT_NEAR_TO(value, expected, tolerance)                                                                     \
  EXPECT_TRUE(::busfare::test::isNear((value), (expected), (tolerance))) << "  " #value " against " #expected

#endif
