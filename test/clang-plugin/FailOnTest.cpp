//===- test/clang-plugin/FailOnTest.cpp - When a gate closes --------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/cli/FailOn.h"
#include "test/projection/SummarySample.h"
#include <gtest/gtest.h>

using namespace busfare::frontend;
using namespace busfare::projection;

namespace {

using Reasons = std::vector<std::string>;

FailCondition condition(const std::string &text) { return llvm::cantFail(parseFailCondition(text)); }

Reasons reasons(const std::string &text, const ReportSummary &before, const ReportSummary &after) {
  const ReportDiff diff = compare(before, after);
  return llvm::cantFail(judge({condition(text)}, after, &diff)).front().reasons;
}

Reasons reasons(const std::string &text, const ReportSummary &report) {
  return llvm::cantFail(judge({condition(text)}, report, nullptr)).front().reasons;
}

TEST(FailOn, EveryConditionIsRead) {
  for (const char *text : {"port", "keep", "measure", "BF014", "speedup<2", "low >= 1", "high>3x", "flip", " worse ",
                           "new-port", "bytes>10%", "bytes > 0.5 %", "lost-parallel", "new-finding", "new-unknown"}) {
    llvm::Expected<FailCondition> read = parseFailCondition(text);
    EXPECT_TRUE(bool(read)) << text << ": " << llvm::toString(read.takeError());
  }
  EXPECT_EQ(condition("bytes > 0.5 %").bound, 0.5);
  for (const char *text : {"", "slow", "bytes", "bytes>10", "bytes>%", "bytes<10%", "bytes>-1%", "bytes>nan%",
                           "bytes>=1%", "speedup", "new", "BF999"}) {
    llvm::Expected<FailCondition> read = parseFailCondition(text);
    EXPECT_FALSE(bool(read)) << text;
    llvm::consumeError(read.takeError());
  }
}

TEST(FailOn, OfAReportEveryReasonIsThere) {
  const ReportSummary report = test::summarySample();
  EXPECT_EQ(reasons("port", report), Reasons{"region step.c:12:main is told 'port' on a100-pcie4"});
  EXPECT_EQ(reasons("measure", report), Reasons());
  EXPECT_EQ(reasons("speedup<5", report),
            (Reasons{"region step.c:12:main has 3.0x on a100-pcie4", "region norm.c:40:norm has 0.50x on a100-pcie4"}));
  EXPECT_EQ(reasons("low>=2", report), Reasons{"region step.c:12:main has 2.0x on a100-pcie4"});
  EXPECT_EQ(reasons("BF008", report), Reasons{"src/step.c:9:5: remark: nothing binds n: 1024 is assumed [BF008]"});
}

TEST(FailOn, WhatDidNotChangeClosesNoGate) {
  const ReportSummary report = test::summarySample();
  for (const char *text : {"new-port", "flip", "worse", "bytes>0%", "lost-parallel", "new-finding", "new-unknown"})
    EXPECT_EQ(reasons(text, report, report), Reasons()) << text;
}

TEST(FailOn, VerdictsThatFlip) {
  const ReportSummary before = test::summarySample();
  ReportSummary after = before;
  after.regions[1].on["a100-pcie4"] = {Verdict::Port, {2, 1.5, 3}};
  const Reasons flipped{
      "region norm.c:40:norm: keep -> port on a100-pcie4, 0.50x (0.40x to 0.70x) -> 2.0x (1.5x to 3.0x)"};
  EXPECT_EQ(reasons("flip", before, after), flipped);
  EXPECT_EQ(reasons("new-port", before, after), flipped);
  EXPECT_EQ(reasons("worse", before, after), Reasons());
  EXPECT_EQ(reasons("flip", after, before).size(), 1u);
  EXPECT_EQ(reasons("new-port", after, before), Reasons());
  EXPECT_EQ(reasons("worse", after, before).size(), 1u);
  after = before;
  after.regions.push_back(test::regionOf("src/dot.c", 4, "dot", "77aa"));
  EXPECT_EQ(reasons("new-port", before, after),
            Reasons{"region dot.c:4:dot is new: port on a100-pcie4, 3.0x (2.0x to 4.0x)"});
  EXPECT_EQ(reasons("flip", before, after), Reasons());
  EXPECT_EQ(reasons("new-port", after, before), Reasons());
}

TEST(FailOn, SpeedupsBelowTheOldLowEnd) {
  const ReportSummary before = test::summarySample();
  ReportSummary after = before;
  auto now = [&](double value) {
    after.regions[0].on["a100-pcie4"].speedup = {value, value - 1, value + 1};
    return reasons("worse", before, after).size();
  };
  EXPECT_EQ(now(2.01), 0u);
  EXPECT_EQ(now(2), 0u);
  EXPECT_EQ(now(1.99), 1u);
}

TEST(FailOn, BytesThatGrowByMore) {
  const ReportSummary before = test::summarySample();
  ReportSummary after = before;
  after.regions[0].movedBytes = 1100;
  EXPECT_EQ(reasons("bytes>10%", before, after), Reasons());
  EXPECT_EQ(reasons("bytes>9.9%", before, after),
            Reasons{"region step.c:12:main: 1,000 -> 1,100 bytes cross the bus (+10 %)"});
  EXPECT_EQ(reasons("bytes>0%", after, before), Reasons());
  ReportSummary none = before;
  none.regions[0].movedBytes = 0;
  EXPECT_EQ(reasons("bytes>500%", none, before).size(), 1u);
}

TEST(FailOn, LoopsAndFindings) {
  const ReportSummary before = test::summarySample();
  ReportSummary after = before;
  after.loops[2].parallel = false;
  after.loops[2].reason = "u[j] -> u[j-1]";
  after.loops.erase(after.loops.begin() + 3); // gone is not lost
  after.findings.push_back(test::findingOf("BF007", "src/step.c", 13, "the loop over j is serial"));
  after.findings.push_back(test::findingOf("BF001", "src/step.c", 14, "subscript depends on memory"));
  EXPECT_EQ(reasons("lost-parallel", before, after),
            Reasons{"src/step.c:13:3: the loop over j is no longer parallel: u[j] -> u[j-1]"});
  EXPECT_EQ(reasons("new-finding", before, after).size(), 2u);
  EXPECT_EQ(reasons("new-unknown", before, after),
            Reasons{"src/step.c:14:5: remark: subscript depends on memory [BF001]"});
  EXPECT_EQ(reasons("new-finding", after, before), Reasons());
}

TEST(FailOn, WithoutACommonMachineVerdictsCannotPass) {
  const ReportSummary before = test::summarySample();
  ReportSummary after = before;
  after.machines = {"lab"};
  const ReportDiff diff = compare(before, after);
  for (const char *text : {"new-port", "flip", "worse"}) {
    llvm::Expected<std::vector<Judgement>> judged = judge({condition(text)}, after, &diff);
    ASSERT_FALSE(bool(judged)) << text;
    EXPECT_NE(llvm::toString(judged.takeError()).find("no machine in common"), std::string::npos);
  }
  EXPECT_EQ(reasons("bytes>0%", before, after), Reasons());
}

TEST(FailOn, MessagesAreCappedAndPrintable) {
  Outcome outcome;
  tell({{condition("flip"), {}}}, outcome);
  EXPECT_EQ(outcome.exitCode, Done);
  tell({{condition("flip"), Reasons(23, "a\nb")}}, outcome);
  EXPECT_EQ(outcome.exitCode, ConditionHeld);
  ASSERT_EQ(outcome.messages.size(), 21u);
  EXPECT_EQ(outcome.messages[0], "busfare: --fail-on flip: a\\nb");
  EXPECT_EQ(outcome.messages[20], "busfare: --fail-on flip: ... and 3 more");
  outcome = {};
  tell({{condition("flip"), Reasons(20, "a")}}, outcome);
  EXPECT_EQ(outcome.messages.size(), 20u);
}

} // namespace
