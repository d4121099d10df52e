//===- test/brs/OwnerTest.cpp - Which loop makes an array anew ------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/Owner.h"
#include "skeleton/Inline.h"
#include "skeleton/Parse.h"
#include "gtest/gtest.h"

using namespace busfare;

namespace {

using Owners = std::map<std::string, std::string>;

Owners ownersOf(llvm::StringRef text) {
  auto program = skeleton::parse(("skeleton 1\nunit \"t.c\"\n" + text).str(), "t.skel");
  if (!program) {
    ADD_FAILURE() << llvm::toString(program.takeError());
    return {};
  }
  auto inlined = skeleton::substituteCalls(*program, "f");
  if (!inlined) {
    ADD_FAILURE() << llvm::toString(inlined.takeError());
    return {};
  }
  return brs::ownerLoops(inlined->function);
}

const char *callee = R"(function g(array u) at 1:1 {
  array u : f64[8] parameter
  array t : f64[8] local at 2:3
  for i = 0 .. 7 at 3:3 { write t[i] }
  for j = 0 .. 7 at 4:3 { read t[j] write u[j] }
}
)";

TEST(Owner, TheInnermostLoopThatBeginsBeforeTheDeclaration) {
  EXPECT_EQ(ownersOf(R"(function f() at 1:1 {
    array t : f64[8] local per-iteration at 3:5
    for s = 0 .. 9 at 2:3 { for i = 0 .. 7 at 4:5 { write t[i] } for j = 0 .. 7 at 5:5 { read t[j] } }
  })"),
            (Owners{{"t", "s"}}));
}

TEST(Owner, ALocalOfACalleeIsMadeByTheLoopAroundTheCall) {
  std::string caller = R"(function f() at 10:1 {
  array u : f64[8] local at 11:3
  for s = 0 .. 9 at 12:3 { for r = 0 .. 9 at 13:5 { call g(&u) at 14:7 } }
})";
  EXPECT_EQ(ownersOf(callee + caller), (Owners{{"g@14:t", "r"}}));
  // Without a loop around it there is one such array, and no loop makes it anew.
  EXPECT_EQ(
      ownersOf(callee + std::string("function f() at 10:1 { array u : f64[8] local at 11:3 call g(&u) at 14:7 }")),
      Owners());
}

TEST(Owner, ACallInsideACallee) {
  std::string between =
      "function h(array v) at 7:1 { array v : f64[8] parameter for q = 0 .. 3 at 8:3 { call g(&v) at 8:20 } }\n";
  std::string outer = R"(function f() at 10:1 {
  array u : f64[8] local at 11:3
  for s = 0 .. 9 at 12:3 { call h(&u) at 14:7 }
})";
  Owners owners = ownersOf(callee + between + outer);
  ASSERT_EQ(owners.size(), 1u);
  EXPECT_NE(owners.begin()->second.find("q"), std::string::npos) << owners.begin()->second;
  // The call in h stands in no loop of h's: the loop around the call of h makes it.
  std::string straight = "function h(array v) at 7:1 { array v : f64[8] parameter call g(&v) at 8:20 }\n";
  owners = ownersOf(callee + straight + outer);
  ASSERT_EQ(owners.size(), 1u);
  EXPECT_EQ(owners.begin()->second, "s");
}

} // namespace
