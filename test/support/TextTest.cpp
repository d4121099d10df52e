//===- test/support/TextTest.cpp - Unindented and golden text ---------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "test/support/Text.h"
#include <cstdlib>
#include <gtest/gtest-spi.h>

using namespace busfare::test;

namespace {
TEST(Text, UnindentTakesWhatAllLinesShare) {
  EXPECT_EQ(unindent(R"(
      a
        b

      c
  )"),
            "a\n  b\n\nc\n");
  EXPECT_EQ(unindent(""), "");
  EXPECT_EQ(unindent("x"), "x\n");
  EXPECT_EQ(unindent("\n  x"), "x\n");
}

TEST(Text, FirstDifferenceNamesTheLine) {
  EXPECT_EQ(firstDifference("a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(firstDifference("a\nb\n", "a\nc\n"), "line 2: expected \"b\", found \"c\"");
  EXPECT_EQ(firstDifference("a\nb\n", "a\n"), "line 2: expected \"b\", found the end");
  EXPECT_EQ(firstDifference("a\n", "a\nb\n"), "line 2: expected the end, found \"b\"");
  EXPECT_NE(firstDifference("a\n", "a"), "");
}

TEST(Text, GoldenFailsOnAnyDifference) {
  if (std::getenv("BUSFARE_UPDATE_GOLDENS")) GTEST_SKIP() << "goldens are being written";
  expectGolden("support/golden/two-lines.txt", "first\nsecond\n");
  EXPECT_NONFATAL_FAILURE(expectGolden("support/golden/two-lines.txt", "first\n"), "line 2");
  EXPECT_NONFATAL_FAILURE(expectGolden("support/golden/none.txt", ""), "is missing");
}
} // namespace
