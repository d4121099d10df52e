//===- test/clang-plugin/NameListsTest.cpp --------------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/values/NameLists.h"
#include "gtest/gtest.h"

using namespace busfare::frontend;
using Names = std::vector<std::string>;

TEST(NameLists, EqualListsAreTheSame) {
  NameLists lists;
  NameList one = lists.of({"v", "u", "v"});
  EXPECT_EQ(*one, Names({"u", "v"}));
  EXPECT_EQ(lists.of({"u", "v"}), one);
  EXPECT_NE(lists.of({"u", "w"}), one);
  EXPECT_EQ(lists.of({}), nullptr);
}

TEST(NameLists, Unions) {
  NameLists lists;
  NameList a = lists.of({"a", "c"}), b = lists.of({"b", "c"}), all = lists.of({"a", "b", "c"});
  EXPECT_EQ(lists.unite(a, b), all);
  EXPECT_EQ(lists.unite(b, a), all);
  EXPECT_EQ(lists.unite(a, all), all);
  EXPECT_EQ(lists.unite(a, a), a);
  EXPECT_EQ(lists.unite(nullptr, b), b);
  EXPECT_EQ(lists.unite(a, nullptr), a);
  EXPECT_EQ(lists.unite(nullptr, nullptr), nullptr);
}
