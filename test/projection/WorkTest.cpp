//===- test/projection/WorkTest.cpp - Counting work without running it ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Shares.h"
#include "skeleton/Parse.h"
#include "gtest/gtest.h"

using namespace busfare;
using namespace busfare::projection;

namespace {

skeleton::Program parsed(llvm::StringRef body) {
  auto program = skeleton::parse(("skeleton 1\nunit \"t.c\"\nfunction f(param n, param m, array a) {\n"
                                  "array a : f64[n] parameter\n" +
                                  body + "\n}\n")
                                     .str(),
                                 "t.skel");
  if (!program) {
    ADD_FAILURE() << llvm::toString(program.takeError());
    return {};
  }
  return std::move(*program);
}

double readsOf(llvm::StringRef body, double n, double m = 1) {
  skeleton::Program program = parsed(body);
  if (program.functions.empty()) return -1;
  Work work = workOf(program.functions[0].body, {{"n", n}, {"m", m}});
  double sum = 0;
  for (const AccessCount &access : work.accesses) sum += access.count;
  return sum;
}

TEST(Work, RectanglesAreExact) {
  EXPECT_DOUBLE_EQ(readsOf("for i = 0 .. n - 1 { for j = 1 .. m - 2 { read a[0] } }", 1000, 500), 1000 * 498);
  EXPECT_DOUBLE_EQ(readsOf("for i = 0 .. n - 1 step 3 { read a[0] }", 10), 4);
  EXPECT_DOUBLE_EQ(readsOf("for i = n .. 1 step -2 { read a[0] }", 10), 5);
  EXPECT_DOUBLE_EQ(readsOf("for i = n .. 3 { read a[0] }", 4), 0);
}

TEST(Work, TrianglesAgreeWithCounting) {
  for (double n : {2.0, 3.0, 7.0, 40.0, 1000.0}) {
    EXPECT_NEAR(readsOf("for i = 0 .. n - 1 { for j = 0 .. i { read a[0] } }", n), n * (n + 1) / 2, 1e-6 * n * n);
    double pyramid = 0;
    for (double i = 0; i < n; ++i) pyramid += i * (i + 1) / 2;
    EXPECT_NEAR(readsOf("for i = 0 .. n - 1 { for j = 0 .. i { for k = 0 .. j - 1 { read a[0] } } }", n), pyramid,
                0.01 * pyramid + 1);
  }
}

TEST(Work, BranchesTakeTheirShare) {
  EXPECT_DOUBLE_EQ(readsOf("for i = 0 .. n - 1 { if ? probability 0.25 { read a[0] } }", 100), 25);
  EXPECT_DOUBLE_EQ(readsOf("if n - 5 >= 0 { read a[0] } else { read a[1] read a[2] }", 4), 2);
}

TEST(Work, OperationsAndFlops) {
  skeleton::Program program = parsed("for i = 0 .. n - 1 { ops fp64.fma 2 fp32.add 1 int 3 }");
  Work work = workOf(program.functions[0].body, {{"n", 10}, {"m", 1}});
  EXPECT_DOUBLE_EQ(work.flops(), 10 * (2 * 2 + 1));
  EXPECT_DOUBLE_EQ(work.of(skeleton::Operation::Integer), 30);
}

TEST(Work, HostStatementsWithOneBodyAreCountedEachInItsLoops) {
  skeleton::Program program = parsed("reach 1 { may read a[?] } for i = 0 .. n - 1 { host opaque \"f\" reaching 1 }\n"
                                     "for j = 0 .. m - 1 { host opaque \"g\" reaching 1 }");
  Work work = workOf(program.functions[0].body, {{"n", 10}, {"m", 3}});
  ASSERT_EQ(work.accesses.size(), 2u);
  EXPECT_DOUBLE_EQ(work.accesses[0].count, 10);
  EXPECT_DOUBLE_EQ(work.accesses[1].count, 3);
  EXPECT_NE(work.accesses[0].loops, work.accesses[1].loops);
}

TEST(Work, OverridesReplaceTheBounds) {
  skeleton::Program program = parsed("for t = 0 .. 99 { for i = 0 .. n - 1 { read a[0] } }");
  const auto &loop = std::get<skeleton::Loop>(program.functions[0].body[0].kind);
  Work work = workOf(program.functions[0].body, {{"n", 10}, {"m", 1}}, {{&loop, 7}});
  EXPECT_DOUBLE_EQ(work.accesses.at(0).count, 70);
}

TEST(Work, SamplesWeighTheIterations) {
  skeleton::Program program = parsed("for i = 0 .. n - 1 { for j = i .. n - 1 { read a[j] } }");
  const auto &outer = std::get<skeleton::Loop>(program.functions[0].body[0].kind);
  const auto &inner = std::get<skeleton::Loop>(outer.body[0].kind);
  double weights = 0;
  sampleIterations({&outer, &inner}, {{"n", 100}}, {},
                   [&](const skeleton::RealValues &, double weight) { weights += weight; });
  EXPECT_NEAR(weights, 5050, 1);
}

TEST(Work, OnlyMeasuredSharesCountForWhatIsAtMost) {
  auto shares = [](llvm::StringRef condition, bool then) {
    skeleton::Program program = parsed(("for i = 0 .. n - 1 { if ? " + condition + " { read a[i] } }").str());
    const auto &loop = std::get<skeleton::Loop>(program.functions[0].body[0].kind);
    const brs::Guard guard{std::get<skeleton::Branch>(loop.body[0].kind).condition, then};
    return std::pair(shareAtMost(guard, {&loop}, {{"n", 10}}), shareExpected(guard, {&loop}, {{"n", 10}}));
  };
  EXPECT_EQ(shares("probability 0.25", true), std::pair(1.0, 0.25));
  EXPECT_EQ(shares("probability 0.25 measured", true), std::pair(0.25, 0.25));
  EXPECT_EQ(shares("probability 0.25 measured", false), std::pair(0.75, 0.75));
  EXPECT_EQ(shares("probability 0 measured", true), std::pair(0.0, 0.0));
}

} // namespace
