//===- test/clang-plugin/JournaledMapTest.cpp -----------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/values/JournaledMap.h"
#include "gtest/gtest.h"
#include <string>

using Map = busfare::frontend::JournaledMap<std::string, int>;

static std::map<std::string, int> contentsOf(const Map &map) { return {map.begin(), map.end()}; }

TEST(JournaledMap, GoesBackToEachMarkInTurn) {
  Map map;
  map["kept"] = 1;
  const size_t outer = map.open();
  map["kept"] = 2;
  map["made"] = 3;
  const auto inBetween = contentsOf(map);
  const size_t inner = map.open();
  map["kept"] = 4;
  map["kept"] = 5; // twice
  map["made"] = 6;
  map["more"] = 7;
  map.backTo(inner);
  EXPECT_EQ(contentsOf(map), inBetween);
  map.backTo(outer);
  EXPECT_EQ(contentsOf(map), (std::map<std::string, int>{{"kept", 1}}));
}

TEST(JournaledMap, WhatIsSetOutsideOfMarksStays) {
  Map map;
  map.backTo(map.open());
  map["a"] = 1;
  const size_t mark = map.open();
  map["b"] = 2;
  map.backTo(mark);
  map["a"] = 3;
  EXPECT_EQ(contentsOf(map), (std::map<std::string, int>{{"a", 3}}));
}
