//===- test/skeleton/OracleTest.cpp - The yardstick itself ----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Oracle.h"
#include "Generate.h"
#include "skeleton/Inline.h"
#include "skeleton/Parse.h"
#include "skeleton/Print.h"
#include "skeleton/Verify.h"
#include "gtest/gtest.h"

using namespace busfare::skeleton;
using namespace busfare::test;

namespace {

struct Execution {
  Program program;
  Trace trace;

  /// The body of a function of n with arrays a[n], b[n], m[n][n] and a scalar s.
  explicit Execution(const std::string &body, Values values = {{"n", 4}}, unsigned seed = 1) {
    std::string text =
        "skeleton 1\nfunction f(param n, array a, array b, array m, array s) {\n array a : f64[n]\n array b : f64[n]\n"
        " array m : f64[n][n]\n array s : f64\n" +
        body + "}\n";
    llvm::Expected<Program> parsed = parse(text, "t.skel");
    if (!parsed) {
      ADD_FAILURE() << llvm::toString(parsed.takeError());
      return;
    }
    program = std::move(*parsed);
    EXPECT_EQ(llvm::toString(verify(program)), "");
    OracleOptions options;
    options.values = values;
    options.seed = seed;
    llvm::Expected<Trace> ran = runSkeleton(program, program.functions[0], options);
    if (!ran) {
      problem = llvm::toString(ran.takeError());
      return;
    }
    trace = std::move(*ran);
  }
  std::string problem;

  const Loop &loop(size_t k = 0) const { return std::get<Loop>(program.functions[0].body[k].kind); }
};

TEST(Oracle, LoopsRunAsWritten) {
  EXPECT_EQ(readsIn(Execution("for i = 0 .. n - 1 step 2 { read a[i] }").trace, {0, 2, {}, {}}).at("a"),
            (Elements{{0}, {2}}));
  Execution down("for i = n - 1 .. 1 step -2 { read a[i] }");
  ASSERT_EQ(down.trace.events.size(), 2u);
  EXPECT_EQ(down.trace.events[0].element, Element{3});
  EXPECT_EQ(down.trace.events[1].element, Element{1});
  EXPECT_TRUE(Execution("for i = 3 .. 2 { read a[i] }").trace.events.empty());
  Execution triangle("for i = 0 .. n - 1 { for j = i .. n - 1 { write m[i][j] } }");
  EXPECT_EQ(triangle.trace.events.size(), 10u);
  EXPECT_EQ(triangle.trace.loops.at(&triangle.loop()).size(), 1u);
  EXPECT_EQ(triangle.trace.loops.at(&triangle.loop())[0].iterations.size(), 4u);
}

TEST(Oracle, ConditionsDecide) {
  Execution exact("for i = 0 .. n - 1 { if i >= 1 and i <= 2 { read a[i] } else { read b[i] } }");
  EXPECT_EQ(readsIn(exact.trace, exact.trace.all).at("a"), (Elements{{1}, {2}}));
  EXPECT_EQ(readsIn(exact.trace, exact.trace.all).at("b"), (Elements{{0}, {3}}));
  // A necessary condition that fails keeps `then` from running, whatever is drawn; otherwise both happen.
  bool ran = false, didNotRun = false;
  for (unsigned seed = 0; seed < 30; ++seed) {
    Execution run("if n >= 5 and ? { read a[0] } if n >= 4 and ? { read b[0] }", {{"n", 4}}, seed);
    EXPECT_FALSE(readsIn(run.trace, run.trace.all).count("a"));
    (readsIn(run.trace, run.trace.all).count("b") ? ran : didNotRun) = true;
  }
  EXPECT_TRUE(ran && didNotRun);
}

TEST(Oracle, WhatIsOpenIsDrawnWithinItsRange) {
  std::set<int64_t> seen, bounded, defined;
  bool happened = false, didNot = false;
  for (unsigned seed = 0; seed < 100; ++seed) {
    Execution run("read a[?] read b[? in 1 .. 2] define k in 2 .. 3 read m[k][0] may write s", {{"n", 4}}, seed);
    ASSERT_EQ(run.problem, "");
    seen.insert(run.trace.events[0].element[0]);
    bounded.insert(run.trace.events[1].element[0]);
    defined.insert(run.trace.events[2].element[0]);
    (run.trace.events.size() == 4 ? happened : didNot) = true;
  }
  EXPECT_EQ(seen, (std::set<int64_t>{0, 1, 2, 3}));
  EXPECT_EQ(bounded, (std::set<int64_t>{1, 2}));
  EXPECT_EQ(defined, (std::set<int64_t>{2, 3}));
  EXPECT_TRUE(happened && didNot);
}

TEST(Oracle, RotatedNamesDenoteOtherObjects) {
  Execution run("write a[0] rotate a <- b, b <- a write a[1] read b[0]");
  EXPECT_EQ(run.trace.events[1].object, "b");
  EXPECT_EQ(run.trace.events[2].object, "a");
  // By the names on entry.
  EXPECT_EQ(writesIn(run.trace, run.trace.all), (std::map<std::string, Elements>{{"a", {{0}}}, {"b", {{1}}}}));
  EXPECT_TRUE(exposedIn(run.trace, run.trace.all).empty());
  EXPECT_EQ(run.trace.namesAtEnd.at("a"), "b");
}

TEST(Oracle, ExposedReadsComeBeforeWrites) {
  Execution run("read a[0] write a[0] write a[1] read a[1] update b[2] + read b[2]");
  EXPECT_EQ(exposedIn(run.trace, run.trace.all), (std::map<std::string, Elements>{{"a", {{0}}}, {"b", {{2}}}}));
}

TEST(Oracle, ConflictsAreBetweenIterations) {
  auto conflicts = [](const std::string &body) {
    Execution run(body);
    return conflictsOf(run.trace, run.loop());
  };
  using Names = std::set<std::string>;
  EXPECT_EQ(conflicts("for i = 0 .. n - 1 { read a[i] write a[i] read b[0] }"), Names{});
  EXPECT_EQ(conflicts("for i = 1 .. n - 1 { read a[i - 1] write a[i] }"), Names{"a"});
  EXPECT_EQ(conflicts("for i = 0 .. n - 1 { write s }"), Names{"s"});
  EXPECT_EQ(conflicts("for i = 0 .. 0 { write s read s }"), Names{});
  // The inner loop carries it, the outer one does not.
  Execution run("for i = 0 .. n - 1 { for j = 1 .. n - 1 { read m[i][j - 1] write m[i][j] } }");
  EXPECT_EQ(conflictsOf(run.trace, run.loop()), Names{});
  EXPECT_EQ(conflictsOf(run.trace, std::get<Loop>(run.loop().body[0].kind)), Names{"m"});
}

TEST(Oracle, RefusesWhatCannotBeRun) {
  EXPECT_NE(Execution("read a[n]").problem.find("outside"), std::string::npos);
  EXPECT_NE(Execution("read a[0]", {}).problem.find("no value"), std::string::npos);
  EXPECT_NE(Execution("call f(n, &a, &b, &m, &s)").problem.find("call"), std::string::npos);
  EXPECT_NE(Execution("for i = 0 .. 1000000 { read s }").problem.find("too many"), std::string::npos);
}

class RandomSkeleton : public testing::TestWithParam<unsigned> {};

TEST_P(RandomSkeleton, IsWellFormedAndStaysInItsArrays) {
  for (unsigned k = 0; k < 100; ++k) {
    unsigned seed = GetParam() * 1000 + k;
    std::string text = randomSkeleton(seed);
    llvm::Expected<Program> program = parse(text, "random.skel");
    ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
    ASSERT_EQ(llvm::toString(verify(*program)), "") << text;
    EXPECT_TRUE(llvm::cantFail(parse(print(*program), "")) == *program);
    // Without calls there is nothing to substitute.
    EXPECT_TRUE(llvm::cantFail(substituteCalls(*program, "f")).function == program->functions[0]) << text;
    for (int64_t n = 3; n <= 6; ++n) {
      OracleOptions options;
      options.values = {{"n", n}, {"steps", n % 3}};
      options.seed = seed;
      llvm::Expected<Trace> trace = runSkeleton(*program, program->functions[0], options);
      std::string problem = trace ? "" : llvm::toString(trace.takeError());
      ASSERT_TRUE(problem.empty() || problem == "too many events") << problem << "\n" << text;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomSkeleton, testing::Range(0u, 5u));

} // namespace
