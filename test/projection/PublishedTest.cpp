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
#include "projection/Project.h"
#include "skeleton/Parse.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <regex>

using namespace busfare;
using namespace busfare::projection;
using busfare::test::relative;

namespace {

struct Row {
  const char *name, *skeleton;
  int64_t n;
  double kernel, transfer; ///< Measured, ms; 0 = printed as "<0.1".
  uint64_t in, out;        ///< Bytes.
};

/// Elements of CFD are padded to a multiple of 192: 97046, 193474, 232536.
const Row table[] = {
    {"CFD 97K", "cfd", 97152, 1.9, 3.2, 97152 * 68, 97152 * 20},
    {"CFD 193K", "cfd", 193536, 3.2, 6.2, 193536 * 68, 193536 * 20},
    {"CFD 233K", "cfd", 232704, 3.1, 7.4, 232704 * 68, 232704 * 20},
    {"HotSpot 64", "hotspot", 64, 0, 0, 2 * 4 * 64 * 64, 4 * 64 * 64},
    {"HotSpot 512", "hotspot", 512, 0.3, 1.2, 2 * 4 * 512 * 512, 4 * 512 * 512},
    {"HotSpot 1024", "hotspot", 1024, 1.2, 4.6, 2 * 4 * 1024 * 1024, 4 * 1024 * 1024},
    {"SRAD 1024", "srad", 1024, 2.0, 4.0, 4 * 1024 * 1024, 4 * 1024 * 1024},
    {"SRAD 2048", "srad", 2048, 7.6, 13.0, 4 * 2048 * 2048, 4 * 2048 * 2048},
    {"SRAD 4096", "srad", 4096, 28.1, 49.0, 4 * 4096 * 4096, 4 * 4096 * 4096},
    {"Stassuij", "stassuij", 132, 2.4, 4.9, 8860372, 132 * 2048 * 16},
};

std::string textOf(const Row &row, int iterations) {
  std::string path = std::string(BUSFARE_SOURCE_DIR) + "/test/projection/published/" + row.skeleton + ".skel";
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return "";
  std::string text = (*buffer)->getBuffer().str();
  text = std::regex_replace(text, std::regex("@N@"), std::to_string(row.n));
  return std::regex_replace(text, std::regex("@ITERATIONS@"), std::to_string(iterations));
}

/// The only region, on the machine of the paper.
std::optional<RegionReport> regionOf(const Row &row, int iterations) {
  auto program = skeleton::parse(textOf(row, iterations), row.skeleton);
  if (!program) {
    ADD_FAILURE() << llvm::toString(program.takeError());
    return std::nullopt;
  }
  ProjectOptions options;
  options.machines.push_back(llvm::cantFail(loadMachine("fx5600-pcie1")));
  auto report = project(*program, options);
  if (!report) {
    ADD_FAILURE() << llvm::toString(report.takeError());
    return std::nullopt;
  }
  EXPECT_EQ(report->regions.size(), 1u);
  return report->regions.empty() ? std::nullopt : std::optional(report->regions[0]);
}

TEST(Published, BytesAreExact) {
  for (const Row &row : table) {
    SCOPED_TRACE(row.name);
    std::optional<RegionReport> region = regionOf(row, 1);
    ASSERT_TRUE(region);
    EXPECT_EQ(region->h2dBytes, row.in);
    EXPECT_EQ(region->d2hBytes, row.out);
  }
}

TEST(Published, BytesDoNotDependOnTheIterations) {
  for (const Row &row : table) {
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
  for (const Row &row : table) {
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
  for (const Row &row : table) {
    if (std::string(row.skeleton) == "stassuij")
      continue;
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
  std::optional<RegionReport> region = regionOf(table[9], 1);
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

} // namespace
