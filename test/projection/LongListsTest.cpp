//===- test/projection/LongListsTest.cpp - Lists that nobody would read ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/LongLists.h"
#include "gtest/gtest.h"

using namespace busfare::projection;

namespace {

using Lines = std::vector<std::string>;

TEST(LongLists, AFewStatementsAreSaidOneByOne) {
  EXPECT_EQ(spokenStatements({{{"a.c", 3, 5}, "printf"}, {{"b.c", 9, 1}, "time"}}),
            (Lines{"a.c:3:5: printf", "b.c:9:1: time"}));
}

TEST(LongLists, ManyStatementsAreSaidFileByFile) {
  std::vector<HostStatementReport> statements;
  for (unsigned line = 10; line < 40; line += 3) statements.push_back({{"input.cpp", line, 3}, "stream"});
  statements.push_back({{"main.cpp", 7, 3}, "exit"});
  for (unsigned column : {3, 9}) statements.push_back({{"input.cpp", 20, column}, "stod"});
  statements.push_back({{"input.cpp", 60, 3}, "stod"});
  EXPECT_EQ(spokenStatements(statements),
            (Lines{"input.cpp: stream (lines 10 to 37, 10 places), stod (lines 20, 60)", "main.cpp: exit (line 7)"}));
}

TEST(LongLists, ManyNamesAreCounted) {
  Lines names;
  for (char c = 'a'; c <= 'p'; ++c) names.push_back(std::string("f::") + c);
  EXPECT_EQ(spokenNames(names, "x"),
            "f::a, f::b, f::c, f::d, f::e, f::f, f::g, f::h, f::i, f::j, f::k, f::l, f::m, f::n, f::o, f::p");
  names.insert(names.end(), {"f::a.2", "f::a.3", "g::q", "g::r"});
  EXPECT_EQ(
      spokenNames(names, "`busfare sizes`"),
      "f::a (3 of that name), f::b, f::c, f::d, f::e, f::f, f::g, f::h, f::i, f::j, f::k, f::l, f::m, f::n, f::o, f::p, "
      "and 2 more, which `busfare sizes` lists");
}

} // namespace
