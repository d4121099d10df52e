//===- test/projection/PublishedTest.cpp - GROPHECY++'s applications ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// CFD, HotSpot, SRAD and Stassuij from skeleton text to times on the machine of
// GROPHECY++ (Meng et al., Table I): the bytes that cross exactly, transfers and
// kernels within the paper's own accuracy. No constant is fitted to one kernel.
//
//===----------------------------------------------------------------------===//

#include "Near.h"
#include "projection/Papers.h"
#include "skeleton/Parse.h"
#include "gtest/gtest.h"

using namespace busfare;
using namespace busfare::projection;
using busfare::test::relative;

namespace {

/// The only region, on the machine of the paper.
std::optional<RegionReport> regionOf(const GrophecyRow &row, int iterations) {
  llvm::Expected<RegionReport> region = grophecyRegion(row, iterations);
  if (region) return *region;
  ADD_FAILURE() << llvm::toString(region.takeError());
  return std::nullopt;
}

TEST(Published, BytesAreExact) {
  for (const GrophecyRow &row : grophecyTable()) {
    SCOPED_TRACE(row.name);
    std::optional<RegionReport> region = regionOf(row, 1);
    ASSERT_TRUE(region);
    EXPECT_EQ(region->h2dBytes, row.in);
    EXPECT_EQ(region->d2hBytes, row.out);
  }
}

TEST(Published, BytesDoNotDependOnTheIterations) {
  for (const GrophecyRow &row : grophecyTable()) {
    SCOPED_TRACE(row.name);
    std::optional<RegionReport> region = regionOf(row, 10);
    ASSERT_TRUE(region);
    EXPECT_EQ(region->h2dBytes, row.in);
    EXPECT_EQ(region->d2hBytes, row.out);
  }
}

TEST(Published, TransfersWithinEightPercent) {
  double sum = 0;
  int rows = 0;
  for (const GrophecyRow &row : grophecyTable()) {
    std::optional<RegionReport> region = regionOf(row, 1);
    ASSERT_TRUE(region);
    const TimeReport &time = region->on[0].second.time;
    double ms = 1e3 * (time.h2d + time.d2h);
    if (row.transfer == 0) {
      EXPECT_LT(ms, 0.1) << row.name;
      continue;
    }
    sum += std::abs(ms / row.transfer - 1);
    ++rows;
  }
  EXPECT_LE(sum / rows, 0.08);
}

/// GROPHECY's kernel predictions are off by 15 % on average. Stassuij is left out: how many elements its sparse rows
/// have is not published.
TEST(Published, KernelsWithinFifteenPercent) {
  double sum = 0;
  int rows = 0;
  for (const GrophecyRow &row : grophecyTable()) {
    if (std::string(row.program) == "stassuij") continue;
    std::optional<RegionReport> region = regionOf(row, 10);
    ASSERT_TRUE(region);
    double ms = 1e3 * region->on[0].second.time.kernel / 10;
    RecordProperty(row.name, std::to_string(ms));
    if (row.kernel == 0) {
      EXPECT_LT(ms, 0.1) << row.name;
      continue;
    }
    EXPECT_NEAR(ms / row.kernel, 1, 0.35) << row.name;
    sum += std::abs(ms / row.kernel - 1);
    ++rows;
  }
  EXPECT_EQ(rows, 8);
  EXPECT_LE(sum / rows, 0.15);
}

TEST(Published, StassuijLosesByItsTransfers) {
  std::optional<RegionReport> region = regionOf(grophecyTable()[9], 1);
  ASSERT_TRUE(region);
  const MachineAnswer &answer = region->on[0].second;
  EXPECT_GT(answer.time.h2d + answer.time.d2h, answer.time.kernel);
  // The rows' length is not known: no verdict may rest on what is assumed.
  EXPECT_EQ(answer.verdict, Verdict::Measure);
  EXPECT_FALSE(region->assumptions.empty());
}

/// HotSpot's code of that time divides four times a cell; 8 threads on 4 cores took about 2.3 ms for 512 x 512.
TEST(Published, HotSpotOnTheHost) {
  auto program = skeleton::parse(R"(skeleton 1
unit "hotspot.c"
function step(array result, array temp, array power) {
  array result : f32[512][512] parameter restrict
  array temp : f32[512][512] parameter const restrict
  array power : f32[512][512] parameter const restrict
  for r = 1 .. 510 at 2:3 omp(parallel for) {
    for c = 1 .. 510 at 3:5 {
      read temp[r][c] read temp[r - 1][c] read temp[r + 1][c] read temp[r][c - 1] read temp[r][c + 1] read power[r][c]
      ops fp32.add 9 fp32.mul 2 fp32.div 4 compare 4
      if ? probability 0 { read temp[r][c] }
      write result[r][c]
    }
  }
}
)",
                                 "hotspot.skel");
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
  ProjectOptions options;
  options.machines.push_back(llvm::cantFail(loadMachine("fx5600-pcie1")));
  auto report = project(*program, options);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  ASSERT_EQ(report->regions.size(), 1u);
  const TimeReport &time = report->regions[0].on[0].second.time;
  EXPECT_EQ(time.threads, 8u);
  EXPECT_TRUE(test::isNear(time.cpu, 2.3e-3, relative(0.4))) << time.cpuLimitedBy;
}

/// `busfare papers`: nothing that is claimed fails, every paper is there, and what is not claimed says why.
TEST(Published, EveryClaimedFigureHolds) {
  std::vector<PaperRow> rows = paperRows();
  std::map<std::string, int> papers;
  for (const PaperRow &row : rows) {
    papers[row.paper] += row.claimed;
    if (row.claimed)
      EXPECT_TRUE(row.holds()) << row.paper << ": " << row.item << ": " << (row.ours ? *row.ours : -1) << ", published "
                               << row.published;
    else EXPECT_FALSE(row.why.empty()) << row.item;
  }
  EXPECT_EQ(papers.size(), 5u);
}

TEST(Published, RowsFailWhenTheyShould) {
  PaperTable table("a paper");
  table.claim("within", "ms", 10, 10.9, {0.1, 0});
  table.claim("outside", "ms", 10, 11.1, {0.1, 0});
  table.claim("missing", "ms", 10, std::nullopt, {0.1, 0});
  table.claim("printed as 0.4", "", 0.4, 0.449, printed(1));
  table.claim("printed as 0.5", "", 0.4, 0.451, printed(1));
  table.claim("less is better", "%", 10, 3, {0, 0, true});
  table.claim("more is not", "%", 10, 11, {0, 0, true});
  const bool expected[] = {true, false, false, true, false, true, false};
  for (size_t i = 0; i < table.rows.size(); ++i) EXPECT_EQ(table.rows[i].holds(), expected[i]) << table.rows[i].item;
  EXPECT_NEAR(*table.rows[0].error(), 0.09, 1e-12);
}

} // namespace
