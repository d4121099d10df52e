//===- test/skeleton/LinkTest.cpp - Units made one program ----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "skeleton/Link.h"
#include "skeleton/Inline.h"
#include "skeleton/Parse.h"
#include "skeleton/Print.h"
#include "skeleton/Verify.h"
#include "gmock/gmock.h"

using namespace busfare::skeleton;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

namespace {

/// The units' skeletons, linked; each `skeleton 1` begins one.
Program linked(std::vector<std::string> texts, std::vector<LinkedNames> *names = nullptr) {
  std::vector<Program> units;
  for (const std::string &text : texts) {
    llvm::Expected<Program> unit = parse("skeleton 1 " + text, "t.skel");
    if (!unit) {
      ADD_FAILURE() << llvm::toString(unit.takeError());
      return {};
    }
    EXPECT_EQ(llvm::toString(verify(*unit)), "") << text;
    units.push_back(std::move(*unit));
  }
  std::vector<const Program *> pointers;
  for (const Program &unit : units) pointers.push_back(&unit);
  Program result = link(pointers, names);
  EXPECT_EQ(llvm::toString(verify(result)), "") << print(result);
  return result;
}

std::vector<std::string> namesOf(const Program &program) {
  std::vector<std::string> names;
  for (const Function &function : program.functions) names.push_back(function.name);
  return names;
}

TEST(Link, CallsFindTheFunctionsOfOtherUnits) {
  Program program = linked({R"(unit "main.c" function main() at ? { array u : f64[10] at ? call step(10, &u) at ? })",
                            R"(unit "step.c" function step(param n, array x) at ? { array x : f64[n] at ?
                               for i = 0 .. n - 1 at ? { write x[i] at ? } })"});
  EXPECT_THAT(program.units, ElementsAre("main.c", "step.c"));
  Inlined whole = llvm::cantFail(substituteCalls(program, "main"));
  EXPECT_TRUE(whole.findings.empty()); // nothing is opaque
}

TEST(Link, StaticsOfOneNameStayApart) {
  Program program = linked({R"(unit "src/main.c" global array a : f64[4] static at ?
                               function helper() static at ? { write a[0] at ? }
                               function main() at ? { call helper() at ? call step() at ? })",
                            R"(unit "src/step.c" global array a : i32[8] static at ?
                               function helper() static at ? { write a[7] at ? }
                               function step() at ? { call helper() at ? })"});
  EXPECT_THAT(namesOf(program), ElementsAre("helper", "main", "helper (step.c)", "step"));
  std::string text = print(program);
  EXPECT_THAT(text, HasSubstr("global array a : f64[4] static"));
  EXPECT_THAT(text, HasSubstr("global array `a (step.c)` : i32[8] static"));
  EXPECT_THAT(text, HasSubstr("write `a (step.c)`[7]"));
  EXPECT_THAT(text, HasSubstr("call `helper (step.c)`()"));
}

TEST(Link, ItTellsWhatNamesBecame) {
  std::vector<LinkedNames> names;
  linked({R"(unit "main.c" global array a : f64[4] static at ? global array u : f64[4] at ?
             function helper() static at ? { write a[0] at ? }
             function main() at ? { call helper() at ? })",
          R"(unit "step.c" global array a : i32[8] static at ? global array u : i32[8] at ?
             function helper() static at ? { write a[7] at ? })"},
         &names);
  ASSERT_EQ(names.size(), 2u);
  EXPECT_EQ(names[0].functions.at("helper"), "helper");
  EXPECT_EQ(names[1].functions.at("helper"), "helper (step.c)");
  EXPECT_EQ(names[1].globals.at("a"), "a (step.c)");
  EXPECT_THAT(names[1].otherwise, testing::ElementsAre("u"));
  EXPECT_TRUE(names[0].otherwise.empty());
}

TEST(Link, AStaticDoesNotTakeTheNameOfWhatIsNotSeen) {
  Program program =
      linked({R"(unit "a.c" function main() at ? { call helper() at ? call step() at ? })",
              R"(unit "b.c" function helper() static at ? {} function step() at ? { call helper() at ? })"});
  EXPECT_THAT(namesOf(program), ElementsAre("main", "helper (b.c)", "step"));
  EXPECT_THAT(print(program), HasSubstr("call helper()"));
}

TEST(Link, SymbolsTellOverloadsApart) {
  Program program =
      linked({R"(unit "a.cpp" import f.2 symbol "_Z1fd"
                               function f(param n) symbol "_Z1fi" at ? {}
                               function main() at ? { array x : f64 at ? call f(3) at ? call f.2(&x) at ? })",
              R"(unit "b.cpp" function f(array x) symbol "_Z1fd" at ? { array x : f64 at ? read x at ? })"});
  EXPECT_THAT(namesOf(program), ElementsAre("f", "main", "f (b.cpp)"));
  EXPECT_THAT(print(program), HasSubstr("call f(3) at ?\n  call `f (b.cpp)`(&x) at ?"));
  EXPECT_TRUE(program.imports.empty());
}

TEST(Link, InlineFunctionsAreThereOnce) {
  Program program = linked({R"(unit "a.c" function sq(array x) inline at ? { array x : f64 at ? read x at ? }
                               function main() at ? { array x : f64 at ? call sq(&x) at ? call g(&x) at ? })",
                            R"(unit "b.c" function sq(array x) inline at ? { array x : f64 at ? read x at ? }
                               function g(array x) at ? { array x : f64 at ? call sq(&x) at ? })"});
  EXPECT_THAT(namesOf(program), ElementsAre("sq", "main", "g"));
  // With other parameters it is another one: the calls fit their own.
  Program apart = linked({R"(unit "a.c" function sq(array x) inline at ? { array x : f64 at ? read x at ? }
                             function main() at ? { array x : f64 at ? call sq(&x) at ? call g(&x) at ? })",
                          R"(unit "b.c" function sq(array x, param n) inline at ? { array x : f64 at ? read x at ? }
                             function g(array x) at ? { array x : f64 at ? call sq(&x, 2) at ? })"});
  EXPECT_THAT(namesOf(apart), testing::UnorderedElementsAre("sq", "main", "g", "sq (b.c)"));
}

TEST(Link, ExternalArraysAreOne) {
  Program program = linked({R"(unit "a.c" global array u : f64[?] at ? function main() at ? { read u[3] at ? })",
                            R"(unit "b.c" global array u : f64[100] at ? function g() at ? { write u[1] at ? })"});
  ASSERT_EQ(program.globals.size(), 1u);
  EXPECT_EQ(toString(*program.globals[0].extents[0]), "100");
}

TEST(Link, AnArrayOfTwoShapesMayBeTouchedAnywhere) {
  Program program =
      linked({R"(unit "a.c" global array u : f64[10][10] at ? function main() at ? { read u[3][4] at ? })",
              R"(unit "b.c" global array u : f64[100] at ? function g() at ? { update u[1] + at ? })"});
  ASSERT_EQ(program.globals.size(), 1u);
  EXPECT_THAT(print(program), HasSubstr("may read u[?][?] at ?\n  may write u[?][?] at ?"));
}

TEST(Link, WhatIsNotSeenMayCallTheOtherUnits) {
  Program program =
      linked({R"(unit "a.c" global array mine : f64[5] static at ?
                               function main() at ? { array g : f64[2] at ? host opaque "unseen" at ? { may read mine[?] at ? } host io "printf" at ? })",
              R"(unit "b.c" global array grid : f64[9] static at ? function f() at ? { write grid[1] at ? })"});
  std::string text = print(program);
  EXPECT_THAT(text, HasSubstr("may read grid[?] at ?\n    may write grid[?] at ?"));
  EXPECT_EQ(llvm::StringRef(text).count("may write grid"), 1u); // not by printf
  EXPECT_EQ(llvm::StringRef(text).count("may read mine"), 1u);  // its own unit knows better
}

TEST(Link, AConstantMeansInEachUnitWhatItSays) {
  Program program =
      linked({R"(unit "a.c" constant N = 10 at ? function main() at ? { array u : f64[N] at ? read u[N - 1] at ? })",
              R"(unit "b.c" constant N = 20 at ? function g() at ? { array u : f64[N] at ? read u[N - 1] at ? })"});
  std::string text = print(program);
  EXPECT_THAT(text, HasSubstr("read u[N - 1]"));
  EXPECT_THAT(text, HasSubstr("array u : f64[20]"));
  EXPECT_THAT(text, HasSubstr("read u[19]"));
}

TEST(Link, AFunctionsOwnArrayHidesAGlobalOfAnotherUnit) {
  Program program = linked(
      {R"(unit "a.c" global array x : f64[10] static at ? function main() at ? { write x[1] at ? call g(&x) at ? })",
       R"(unit "b.c" global array x : f64[10] static at ? function f() at ? { write x[1] at ? }
                               function g(array x) at ? { array x : f64[?] at ? write x[2] at ? })"});
  std::string text = print(program);
  EXPECT_THAT(text, HasSubstr("write `x (b.c)`[1]"));
  EXPECT_THAT(text, HasSubstr("write x[2]"));
  EXPECT_THAT(text, Not(HasSubstr("write `x (b.c)`[2]")));
}

} // namespace
