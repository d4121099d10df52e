//===- test/projection/CallersSizesTest.cpp -------------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/CallersSizes.h"
#include "projection/Project.h"
#include "skeleton/Parse.h"
#include "gmock/gmock.h"

using namespace busfare;
using namespace busfare::projection;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

namespace {

skeleton::Program programOf(const std::string &functions) {
  return llvm::cantFail(skeleton::parse("skeleton 1\nunit \"t.c\"\n" + functions, "t.skel"));
}
CallersSizes sizesOf(const std::string &functions) { return callersSizes(programOf(functions)); }

const std::string gather = "function gather(param m, array x) at 1 {\narray x : f64[?]\n"
                           "for i = 0 .. m - 1 at 2 { read x[?] at 3 }\n}\n";

std::string mainWith(const std::string &body) {
  return "function main() at 9 {\narray a : f64[100] local\narray b : f64[?] local\n" + body + "}\n";
}

TEST(CallersSizes, AllCallsMustKnow) {
  EXPECT_THAT(sizesOf(gather + mainWith("call gather(5, &a) at 10\ncall gather(6, &a + 3) at 11\n")),
              UnorderedElementsAre(Pair("gather", "x")));
  EXPECT_THAT(sizesOf(gather + mainWith("call gather(5, &a) at 10\ncall gather(6, &b) at 11\n")), IsEmpty());
  EXPECT_THAT(sizesOf(gather + mainWith("call gather(5, &?) at 10\n")), IsEmpty());
}

TEST(CallersSizes, NobodyCallsIt) {
  EXPECT_THAT(sizesOf(gather + mainWith("")), IsEmpty());
  EXPECT_THAT(sizesOf("function main(array x) at 1 {\narray x : f64[?]\n}\n"), IsEmpty());
}

TEST(CallersSizes, OthersMayCallALibrary) {
  const std::string user = "function user() at 9 {\narray a : f64[100] local\ncall gather(5, &a) at 10\n}\n";
  EXPECT_THAT(sizesOf(gather + user), IsEmpty());
  std::string own = gather;
  own.replace(own.find(" at 1"), 0, " static");
  EXPECT_THAT(sizesOf(own + user), UnorderedElementsAre(Pair("gather", "x")));
}

TEST(CallersSizes, ThroughCallersAndRecursion) {
  const std::string middle =
      "function middle(param m, array y) at 5 {\narray y : f64[?]\ncall gather(m, &y) at 6\ncall middle(m, &y) at 7\n}\n";
  EXPECT_THAT(sizesOf(gather + middle + mainWith("call middle(5, &a) at 10\n")),
              UnorderedElementsAre(Pair("gather", "x"), Pair("middle", "y")));
  EXPECT_THAT(sizesOf(gather + middle + mainWith("call middle(5, &b) at 10\n")), IsEmpty());
  EXPECT_THAT(sizesOf(gather + middle + mainWith("")), IsEmpty()) << "what only calls itself is given nothing";
}

TEST(CallersSizes, AnAliasOfArraysThatAreKnown) {
  const std::string both =
      "array c : f64[7] local\narray p : f64[?] alias may-be(a, c)\narray q : f64[?] alias may-be(a, b)\narray r : f64[?] alias\n";
  EXPECT_THAT(sizesOf(gather + mainWith(both + "call gather(5, &p) at 10\n")),
              UnorderedElementsAre(Pair("gather", "x")));
  EXPECT_THAT(sizesOf(gather + mainWith(both + "call gather(5, &q) at 10\n")), IsEmpty());
  EXPECT_THAT(sizesOf(gather + mainWith(both + "call gather(5, &r) at 10\n")), IsEmpty());
}

TEST(CallersSizes, MemoryThatTheFunctionPutsThere) {
  std::string grows =
      "function grow(array x by-reference) at 1 {\narray x : f64[?]\nalloc x[?] at 2\nfor i = 0 .. 9 at 3 { write x[?] at 4 }\n}\n";
  EXPECT_THAT(sizesOf(grows + mainWith("call grow(&a) at 10\n")), IsEmpty());
  grows.replace(grows.find("alloc x[?] at 2\n"), 16, "");
  EXPECT_THAT(sizesOf(grows + mainWith("call grow(&a) at 10\n")), UnorderedElementsAre(Pair("grow", "x")));
}

TEST(CallersSizes, BoundsNests) {
  ProjectOptions options;
  options.machines.push_back(llvm::cantFail(loadMachine(defaultMachine)));
  auto isBounded = [&](const std::string &given) {
    skeleton::Program program = programOf(gather + mainWith("call gather(5, &" + given + ") at 10\n"));
    Report report = llvm::cantFail(projectLoops(program, options));
    return report.coverage.nests.size() == 1 && report.coverage.nests[0].bounded && !report.coverage.nests[0].exact;
  };
  EXPECT_TRUE(isBounded("a"));
  EXPECT_FALSE(isBounded("b"));
}

} // namespace
