//===- test/projection/HintsTest.cpp - Hints, from a skeleton to a report --===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Machine.h"
#include "projection/Project.h"
#include "projection/report/Join.h"
#include "skeleton/Parse.h"
#include "gtest/gtest.h"

using namespace busfare;
using namespace busfare::projection;
using skeleton::Rule;

namespace {

llvm::Expected<Report> reportOf(const std::string &text, bool isStrict = false) {
  ProjectOptions options;
  options.strict = isStrict;
  options.machines.push_back(llvm::cantFail(loadMachine("fx5600-pcie1")));
  return project(llvm::cantFail(skeleton::parse("skeleton 1\nunit \"t.c\"\n" + text, "t.skel")), options);
}

bool mentions(const std::vector<skeleton::Finding> &findings, Rule rule) {
  for (const skeleton::Finding &finding : findings)
    if (finding.rule == rule) return true;
  return false;
}

std::string kernel(const std::string &ofFunction, const std::string &ofLoop, const std::string &body) {
  return "function f(param n, param m, array t, array x, array col, array y) at 1:1 " + ofFunction +
         " { array t : f32[n] array x : f32[100000] array col : i32[n] array y : f32[n]\n for i = 0 .. n - 1 at 2:3 " +
         ofLoop + " { " + body + " } }\n";
}

const ArrayReport &array(const Report &report, llvm::StringRef name) {
  for (const ArrayReport &one : report.regions.at(0).arrays)
    if (one.name == name) return one;
  ADD_FAILURE() << "no array " << name.str();
  return report.regions.at(0).arrays.at(0);
}

TEST(Hints, RangeNarrowsWhatCrosses) {
  std::string body = "read col[i] read x[? from col] write y[i]";
  auto whole = reportOf(kernel("", "", body)),
       part = reportOf(kernel("hints(range(col: 0, m - 1) size(m = 50))", "", body));
  ASSERT_TRUE(bool(whole)) << llvm::toString(whole.takeError());
  ASSERT_TRUE(bool(part)) << llvm::toString(part.takeError());
  EXPECT_EQ(array(*whole, "x").h2d->bytes, 400000u);
  EXPECT_EQ(array(*part, "x").h2d->bytes, 200u);
  EXPECT_FALSE(array(*part, "x").h2d->exact);
}

TEST(Hints, ATemporaryParameterCrossesInNeitherDirection) {
  std::string body = "read x[i] write t[i] read t[i] write y[i]";
  auto plain = reportOf(kernel("", "", body)), hinted = reportOf(kernel("", "hints(temporary(t))", body));
  ASSERT_TRUE(bool(plain)) << llvm::toString(plain.takeError());
  ASSERT_TRUE(bool(hinted)) << llvm::toString(hinted.takeError());
  EXPECT_TRUE(array(*plain, "t").d2h.has_value());
  EXPECT_TRUE(array(*hinted, "t").temporary);
  EXPECT_FALSE(array(*hinted, "t").h2d || array(*hinted, "t").d2h);
  std::string all;
  for (const std::string &assumption : hinted->regions[0].assumptions) all += assumption + "; ";
  EXPECT_NE(all.find("temporary(t) (taken from a hint); "), std::string::npos) << all;
  // Written in part: what is not written need not come in.
  std::string part = "read x[i] if ? { write t[i] } write y[i]";
  auto partly = reportOf(kernel("hints(temporary(t))", "", part));
  ASSERT_TRUE(bool(partly)) << llvm::toString(partly.takeError());
  EXPECT_FALSE(array(*partly, "t").h2d || array(*partly, "t").d2h);
}

TEST(Hints, AContradictedTemporaryIsCopied) {
  auto report = reportOf(kernel("hints(temporary(t))", "", "read t[i] write y[i]"));
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  EXPECT_TRUE(mentions(report->findings, Rule::HintRefuted));
  EXPECT_TRUE(array(*report, "t").h2d.has_value());
}

TEST(Hints, IndependentMakesAKernelAndIsListed) {
  std::string scatter = "read col[i] write x[? from col]";
  auto serial = reportOf(kernel("hints(noalias(col, x))", "", scatter)),
       taken = reportOf(kernel("hints(noalias(col, x))", "hints(independent)", scatter));
  ASSERT_TRUE(bool(serial) && bool(taken));
  EXPECT_TRUE(serial->regions.empty());
  ASSERT_EQ(taken->regions.size(), 1u);
  std::string all;
  for (const std::string &assumption : taken->regions[0].assumptions) all += assumption + "; ";
  EXPECT_NE(all.find("independent iterations of the loop at t.c:2:3 (taken from a hint)"), std::string::npos) << all;
  EXPECT_EQ(all.find("noalias"), std::string::npos) << all;
}

TEST(Hints, StrictTakesTheUsersWord) {
  std::string body = "read x[i] write y[i]";
  auto open = reportOf(kernel("", "", body), true);
  EXPECT_FALSE(bool(open));
  llvm::consumeError(open.takeError());
  auto said = reportOf(kernel("hints(size(n = 100) noalias(x, y))", "", body), true);
  EXPECT_TRUE(bool(said)) << llvm::toString(said.takeError());
}

TEST(Hints, SuppressedFindingsAreCounted) {
  auto report = reportOf(kernel("", "hints(ignore(BF007))", "read y[i - 1] write y[i]"));
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  EXPECT_FALSE(mentions(report->findings, Rule::NotParallel));
  ASSERT_EQ(report->suppressed.size(), 1u);
  EXPECT_EQ(report->suppressed[0].rule, Rule::NotParallel);
}

TEST(Hints, WhatOneUnitHasNoUseForMayBeAnothers) {
  auto with = [](Rule rule, unsigned line) {
    Report report;
    report.findings.push_back({rule, skeleton::Level::Note, {".busfare", line, 1}, "x"});
    return report;
  };
  Report all = joinReports({with(Rule::HintUnused, 1), with(Rule::HintTaken, 1), with(Rule::HintUnused, 2)});
  ASSERT_EQ(all.findings.size(), 2u);
  EXPECT_EQ(all.findings[0].rule, Rule::HintTaken);
  EXPECT_EQ(all.findings[1].location.line, 2u);
}

} // namespace
