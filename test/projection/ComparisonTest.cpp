//===- test/projection/ComparisonTest.cpp - Machines side by side ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/Comparison.h"
#include "gtest/gtest.h"

namespace busfare::projection {
namespace {

RegionSummary regionOf(std::string id, std::string fingerprint, int64_t n) {
  RegionSummary region;
  region.id = std::move(id);
  region.fingerprint = std::move(fingerprint);
  region.function = "f";
  region.location.file = "a.c";
  region.sizes["f::n"] = n;
  return region;
}

ReportSummary reportOf(std::string file, std::vector<std::string> machines, std::vector<RegionSummary> regions) {
  ReportSummary report;
  report.file = std::move(file);
  report.machines = std::move(machines);
  report.regions = std::move(regions);
  return report;
}

/// 8 s on its host and 2 s with the GPU on one machine, 2 s and 1 s on the other: 4x and 2x by themselves, 4x and 8x
/// over one host.
TEST(Comparison, SpeedupsAreOverOneHost) {
  RegionSummary region = regionOf("a.c:1:f", "1", 100);
  region.on["slow-host"] = {Verdict::Port, {4, 3, 5}, 8, 2};
  region.on["fast-host"] = {Verdict::Measure, {2, 1, 3}, 2, 1};
  const ReportSummary report = reportOf("one.json", {"slow-host", "fast-host"}, {region});
  const Comparison comparison = sideBySide(report);
  EXPECT_EQ(comparison.hostOf, "slow-host");
  ASSERT_EQ(comparison.regions.size(), 1u);
  const std::vector<ComparedAnswer> &answers = comparison.regions[0].answers;
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(answers[0].speedup, (SpeedupSummary{4, 3, 5}));
  EXPECT_TRUE(answers[0].isOwnHost);
  EXPECT_EQ(answers[1].speedup, (SpeedupSummary{8, 4, 12}));
  EXPECT_FALSE(answers[1].isOwnHost);
}

TEST(Comparison, RegionsOfSeveralReportsArePaired) {
  RegionSummary here = regionOf("a.c:1:f", "1", 100), there = regionOf("a.c:9:f", "1", 100),
                alone = regionOf("b.c:3:g", "2", 7);
  here.on["m"] = {Verdict::Port, {4, 3, 5}, 8, 2};
  there.on["k"] = {Verdict::Port, {16, 8, 32}, 8, 0.5};
  alone.on["k"] = {Verdict::Keep, {0.5, 0.25, 0.75}, 20, 40};
  const std::vector<ReportSummary> reports{reportOf("one.json", {"m"}, {here}),
                                           reportOf("two.json", {"k"}, {there, alone})};
  const Comparison comparison = sideBySide(reports);
  ASSERT_EQ(comparison.regions.size(), 2u);
  // What takes the host longest comes first.
  EXPECT_EQ(comparison.regions[0].id, "b.c:3:g");
  ASSERT_EQ(comparison.regions[1].answers.size(), 2u);
  EXPECT_EQ(comparison.regions[1].answers[1].report, 1u);
  EXPECT_EQ(comparison.regions[1].answers[1].speedup.value, 16);
}

TEST(Comparison, TimesOfAnotherProblemAreNoSpeedup) {
  RegionSummary here = regionOf("a.c:1:f", "1", 100), there = regionOf("a.c:1:f", "1", 200);
  here.on["m"] = {Verdict::Port, {4, 3, 5}, 8, 2};
  there.on["k"] = {Verdict::Port, {4, 3, 5}, 16, 4};
  const std::vector<ReportSummary> reports{reportOf("one.json", {"m"}, {here}), reportOf("two.json", {"k"}, {there})};
  const ComparedAnswer answer = sideBySide(reports).regions[0].answers[1];
  EXPECT_EQ(answer.otherSizes, "f::n = 200, 100 in the first report");
  EXPECT_FALSE(answer.speedup.value);
  EXPECT_EQ(answer.total, 4);
}

TEST(Comparison, ReportsWithoutTimesHaveNoSpeedup) {
  RegionSummary region = regionOf("a.c:1:f", "1", 100);
  region.on["m"] = {Verdict::Port, {4, 3, 5}, std::nullopt, std::nullopt};
  const Comparison comparison = sideBySide(reportOf("old.json", {"m"}, {region}));
  EXPECT_FALSE(comparison.regions[0].answers[0].speedup.value);
  std::string text;
  llvm::raw_string_ostream os(text);
  writeComparisonText(comparison, os);
  EXPECT_NE(text.find("a.c:1:f: no time of the host"), std::string::npos);
}

TEST(Comparison, NothingToCompareIsSaid) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writeComparisonText(sideBySide({}), os);
  EXPECT_NE(text.find("No region is in the reports."), std::string::npos);
}

} // namespace
} // namespace busfare::projection
