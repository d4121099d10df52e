//===- test/projection/NestsTest.cpp - Every parallel nest is in the answer ===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/NestAnswers.h"
#include "projection/Project.h"
#include "skeleton/Parse.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <chrono>
#include <random>

using namespace busfare;
using namespace busfare::projection;

namespace {

Report reportOf(const std::string &text, std::vector<std::pair<std::string, int64_t>> parameters = {}) {
  auto program = skeleton::parse("skeleton 1\nunit \"t.c\"\n" + text, "t.skel");
  if (!program) {
    ADD_FAILURE() << llvm::toString(program.takeError()) << text;
    return {};
  }
  ProjectOptions options;
  options.machines.push_back(llvm::cantFail(loadMachine("a100-pcie4")));
  options.parameters = std::move(parameters);
  llvm::Expected<Report> report = project(*program, options);
  if (!report) {
    ADD_FAILURE() << llvm::toString(report.takeError()) << text;
    return {};
  }
  return std::move(*report);
}

const NestAnswer *nestAt(const Report &report, unsigned line) {
  auto found = llvm::find_if(report.nests, [&](const NestAnswer &nest) { return nest.location.line == line; });
  return found == report.nests.end() ? nullptr : &*found;
}

/// A kernel of so many elements, run once, before a loop of so many turns in which something hot happens.
std::string programWith(const std::string &hot, const std::string &others = "", unsigned elements = 1000000,
                        unsigned turns = 100) {
  return others + llvm::formatv("function main() at 1:1 {{\n array a : f64[{0}] heap\n array b : f64[{0}] heap\n"
                                "for i = 0 .. {0} - 1 at 2:3 {{ ops convert 1 write a[i] }\n"
                                "for t = 0 .. {1} - 1 at 3:3 {{ {2} }\n"
                                "host io \"printf\" at 9:3 {{ read a[0] read b[0] }\n}\n",
                                elements, turns, hot)
                      .str();
}

const char *triad =
    "function triad(param n, array x, array y) at 20:1 { array x : f64[n] parameter array y : f64[n] parameter\n"
    "for i = 0 .. n - 1 at 21:3 { read x[i] read y[i] ops fp64.fma 2 write x[i] } }\n";

TEST(Nests, KernelsStandOnceMostWorkFirst) {
  Report report = reportOf(programWith("call triad(1000000, &a, &b) at 4:5", triad));
  ASSERT_EQ(report.nests.size(), 2u);
  EXPECT_EQ(report.nests[0].location.line, 21u);
  EXPECT_EQ(report.nests[0].in, "kernel");
  EXPECT_GT(report.nests[0].share, 0.9);
  EXPECT_EQ(report.nests[0].function, "triad");
  EXPECT_NEAR(report.nests[0].share + report.nests[1].share, 1, 1e-4);
  EXPECT_TRUE(report.unpriced.empty());
  EXPECT_FALSE(report.program.isMostlyUnpriced);
}

// `s->run(s)`: nothing is seen of what it does; triad is called by nobody else.
TEST(Nests, WhatACallThroughAPointerMayRunIsJudgedAlone) {
  Report report =
      reportOf(programWith("host opaque \"s->run\" at 4:5 { may read a[?] may write a[?] may read b[?] }", triad));
  const NestAnswer *nest = nestAt(report, 21);
  ASSERT_TRUE(nest);
  EXPECT_EQ(nest->in, "alone");
  EXPECT_FALSE(nest->isCounted);
  EXPECT_TRUE(nest->verdict.has_value());
  EXPECT_NE(nest->reason.find("s->run"), std::string::npos) << nest->reason;
  ASSERT_EQ(report.unpriced.size(), 1u);
  EXPECT_NE(report.unpriced[0].give.find("--function triad"), std::string::npos);
  EXPECT_TRUE(report.program.isMostlyUnpriced);
  for (const RegionReport &region : report.regions) EXPECT_EQ(region.on.front().second.verdict, Verdict::Measure);
}

TEST(Nests, WhatNobodyCallsTurnsNoVerdict) {
  Report report = reportOf(programWith("for i = 0 .. 999999 at 4:5 { read a[i] ops fp64.fma 2 write b[i] }", triad));
  const NestAnswer *nest = nestAt(report, 21);
  ASSERT_TRUE(nest);
  EXPECT_EQ(nest->in, "alone");
  EXPECT_NE(nest->reason.find("nobody is seen to call"), std::string::npos) << nest->reason;
  EXPECT_FALSE(report.program.isMostlyUnpriced);
}

// The caller does not know what it passes; alone the loop is parallel.
TEST(Nests, WhatTheRootCannotSayIsSaidFromTheFunction) {
  Report report =
      reportOf(programWith("call triad(1000000, &u, &v) at 4:5",
                           std::string("global array u : f64[?] pointee global array v : f64[?] pointee\n") + triad));
  const NestAnswer *nest = nestAt(report, 21);
  ASSERT_TRUE(nest);
  EXPECT_NE(nest->in, "kept");
  EXPECT_GT(nest->share, 0.9);
}

TEST(Nests, ASerialNestWithAnExampleIsPriced) {
  Report report = reportOf(programWith("for i = 1 .. 999999 at 4:5 { read b[i - 1] ops fp64.add 1 write b[i] }"));
  EXPECT_FALSE(nestAt(report, 4));
  EXPECT_FALSE(report.program.isMostlyUnpriced);
  EXPECT_GT(report.program.serialWork, 0);
  ASSERT_EQ(report.serial.size(), 1u);
  EXPECT_EQ(report.serial[0].location.line, 4u);
  EXPECT_GT(report.serial[0].share, 0.9);
  EXPECT_NE(report.serial[0].reason.find("b[i] -> b[i - 1]"), std::string::npos) << report.serial[0].reason;
}

// One line for a nest, at its outermost loop, with the reason of the loop that does the work. The time loop around is
// no part of it.
TEST(Nests, ASerialNestIsOneWithTheLoopsInIt) {
  Report report = reportOf(programWith(
      "for i = 1 .. 999 at 4:5 { for j = 0 .. 999 at 5:7 { read b[1000*i + j - 1] ops fp64.add 1 write b[1000*i + j] } }\n"
      "for k = 0 .. 999 at 6:5 { read a[k] ops fp64.add 1 write a[k] }"));
  ASSERT_EQ(report.serial.size(), 1u);
  EXPECT_EQ(report.serial[0].location.line, 4u);
  EXPECT_NE(report.serial[0].reason.find("b[1000*i + j - 1]"), std::string::npos) << report.serial[0].reason;
}

// So it is where the inner loops' own indices choose no element, as a pointer that walks does not.
TEST(Nests, ASerialNestHoldsLoopsThatOnlyCount) {
  Report report = reportOf(programWith("for i = 1 .. 999 at 4:5 { for s = 0 .. 8 at 5:7 { read b[i - 1] ops fp64.add 4 "
                                       "write b[i] } }"));
  ASSERT_EQ(report.serial.size(), 1u);
  EXPECT_EQ(report.serial[0].location.line, 4u);
}

// What a size decides that somebody gave is decided; what an assumed one does may be either way.
TEST(Nests, ABranchThatAGivenSizeDoesNotTakeDoesNothing) {
  const std::string text =
      "function main(param kind) at 1:1 {\n array a : f64[1000000] heap\n"
      "if kind - 1 >= 0 at 2:3 { for i = 1 .. 999999 at 3:5 { read a[i - 1] ops fp64.add 1 write a[i] } }\n"
      "else { for j = 1 .. 999999 at 4:5 { read a[j - 1] ops fp64.add 1 write a[j] } }\n"
      "host io \"printf\" at 9:3 { read a[0] }\n}\n";
  EXPECT_EQ(reportOf(text).serial.size(), 2u);
  Report given = reportOf(text, {{"kind", 0}});
  ASSERT_EQ(given.serial.size(), 1u);
  EXPECT_EQ(given.serial[0].location.line, 4u);
}

TEST(Nests, SizesThatAShareRestsOnAreKept) {
  const std::string text = "function main(param n) at 1:1 {\n array a : f64[n] heap\n"
                           "for i = 1 .. n - 1 at 3:5 { read a[i - 1] ops fp64.add 1 write a[i] }\n"
                           "host io \"printf\" at 9:3 { read a[0] }\n}\n";
  Report open = reportOf(text);
  ASSERT_EQ(open.serial.size(), 1u);
  EXPECT_EQ(open.serial[0].assumed, std::vector<std::string>{"main::n = 1024"});
  Report given = reportOf(text, {{"n", 4096}});
  ASSERT_EQ(given.serial.size(), 1u);
  EXPECT_TRUE(given.serial[0].assumed.empty());
}

TEST(Nests, OneThatOnlyCopiesIsKeptWithTheReason) {
  Report report = reportOf(
      "function main() at 1:1 {\n array a : f64[1000] heap\n array b : f64[1000] heap\n"
      "for i = 0 .. 999 algorithm at 2:3 { read a[i] write b[i] }\nhost io \"printf\" at 3:3 { read b[0] }\n}\n");
  const NestAnswer *nest = nestAt(report, 2);
  ASSERT_TRUE(nest);
  EXPECT_EQ(nest->in, "kept");
  EXPECT_NE(nest->reason.find("copied"), std::string::npos) << nest->reason;
}

// s->run may be of it, and nobody knows whether its loop is parallel: the call's target is opaque in turn.
TEST(Nests, WhatMayRunAndIsOpenItselfIsNotPricedEither) {
  Report report = reportOf(
      programWith("host opaque \"s->run\" at 4:5 { may read a[?] may write a[?] }",
                  "function sweep(param n, array x) at 20:1 { array x : f64[n] parameter\n"
                  "for i = 0 .. n - 1 at 21:3 { host opaque \"visit\" at 22:5 { read x[i] may write x[?] } } }\n"));
  ASSERT_EQ(report.unpriced.size(), 1u);
  EXPECT_EQ(report.unpriced[0].location.line, 21u);
  EXPECT_TRUE(report.program.isMostlyUnpriced);
}

TEST(Nests, WithoutTimeNothingIsClaimed) {
  auto program = skeleton::parse(
      "skeleton 1\nunit \"t.c\"\n" + programWith("call triad(1000000, &a, &b) at 4:5", triad), "t.skel");
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
  ProjectOptions options;
  options.machines.push_back(llvm::cantFail(loadMachine("a100-pcie4")));
  options.deadline = skeleton::Deadline(std::chrono::steady_clock::now());
  llvm::Expected<Report> report = project(*program, options);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  EXPECT_TRUE(report->regions.empty());
  EXPECT_TRUE(report->program.isMostlyUnpriced);
  ASSERT_EQ(report->unpriced.size(), 1u);
  EXPECT_NE(report->unpriced[0].reason.find("--time-limit"), std::string::npos);
  ASSERT_FALSE(report->coverage.notAnalysed.empty());
  EXPECT_NE(report->coverage.notAnalysed[0].second.find("--time-limit"), std::string::npos);
}

// A header's nest in two programs is one, with the work of both.
TEST(Nests, SeveralProgramsHaveANestOnce) {
  Report both;
  skeleton::Location place;
  place.line = 7;
  both.nests = {
      {place, "f", "i", "kept", 2, true}, {place, "f", "i", "kernel", 3, true}, {place, "f", "i", "alone", 9, false}};
  rankNestsInPlace(both);
  ASSERT_EQ(both.nests.size(), 1u);
  EXPECT_EQ(both.nests[0].in, "kernel");
  EXPECT_EQ(both.nests[0].work, 5);
  EXPECT_EQ(both.nests[0].share, 1);
}

// Whatever the small kernels beside it are: most of the work is in a loop that cannot be followed.
TEST(Nests, NoVerdictRestsOnTheSmallerPart) {
  std::mt19937 random(46);
  unsigned verdicts = 0;
  for (unsigned k = 0; k < 200; ++k) {
    const unsigned elements = 1000 << random() % 12, turns = 1 + random() % 200;
    const bool isCall = random() % 2;
    const std::string kernel = random() % 2 ? "for j = 0 .. 15 at 4:5 { read c[j] ops fp64.add 1 update s + }"
                                            : "for j = 0 .. 999 at 4:5 { read b[j] ops fp64.mul 2 write c[j] }";
    const std::string hot =
        isCall
            ? "host opaque \"s->run\" at 5:5 { may read a[?] may write a[?] }"
            : llvm::formatv(
                  "for i = 0 .. {0} - 1 at 5:5 { for j = 0 .. 99 at 6:7 { read a[?] ops fp64.fma {1} may write a[?] } }",
                  elements, 1 + random() % 20)
                  .str();
    std::string text = programWith(kernel + "\n" + hot, triad, elements, turns);
    text.replace(text.find("array b : f64"), 0, "array s : f64 local array c : f64[1000] heap\n");
    Report report = reportOf(text);
    for (const RegionReport &region : report.regions) {
      ++verdicts;
      EXPECT_EQ(region.on.front().second.verdict, Verdict::Measure) << text;
      EXPECT_TRUE(region.on.front().second.isOfLittle) << text;
    }
    EXPECT_TRUE(report.program.isMostlyUnpriced) << text;
    EXPECT_FALSE(report.unpriced.empty()) << text;
  }
  EXPECT_GT(verdicts, 100u);
}

} // namespace
