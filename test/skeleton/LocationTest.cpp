//===- test/skeleton/LocationTest.cpp - Places and what few objects have --===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "skeleton/Location.h"
#include "skeleton/Rare.h"
#include "gtest/gtest.h"
#include <vector>

using namespace busfare::skeleton;

namespace {

TEST(FileName, IsItsText) {
  std::string text = "stencil.c";
  FileName one = text, same = "stencil.c", other = "a.c", none;
  text[0] = 'x';
  EXPECT_EQ(one, same);
  EXPECT_EQ(&one.str(), &same.str());
  EXPECT_EQ(one.str(), "stencil.c");
  EXPECT_NE(one, other);
  EXPECT_TRUE(none.empty() && !one.empty());
  EXPECT_EQ(none, FileName(""));
  // By their text, not by where it is kept.
  EXPECT_TRUE(none < other && other < one && !(one < same));
}

TEST(Location, OrderAndText) {
  Location first{"a.c", 9, 1}, second{"a.c", 10, 1}, third{"b.c", 1, 1};
  EXPECT_TRUE(first < second && second < third);
  EXPECT_EQ(toString(first), "a.c:9:1");
  EXPECT_EQ(toString(Location{"", 3, 4}), "3:4");
  EXPECT_EQ(toString(Location{"a.c"}), "a.c");
}

TEST(Rare, HoldsOneOrNothing) {
  Rare<std::vector<int>> none, some = std::vector<int>{1, 2};
  EXPECT_FALSE(none);
  ASSERT_TRUE(some);
  Rare<std::vector<int>> copy = some;
  copy->push_back(3);
  EXPECT_EQ(some->size(), 2u);
  EXPECT_EQ(copy->size(), 3u);
  EXPECT_FALSE(copy == some);
  copy = some;
  EXPECT_TRUE(copy == some && !(copy == none));
  copy = none;
  EXPECT_TRUE(copy == none);
  EXPECT_FALSE(none == Rare<std::vector<int>>(std::vector<int>()));
}

} // namespace
