//===- test/projection/BlasRateTest.cpp - BLAS on the device's operands ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/BlasRate.h"
#include "Near.h"
#include "projection/LibraryWork.h"
#include "gtest/gtest.h"

using namespace busfare;
using namespace busfare::projection;
using namespace busfare::test;

namespace {

skeleton::LibraryCall product(int64_t m, int64_t n, int64_t k) {
  return {"dgemm", {{"m", m}, {"n", n}, {"k", k}}, {{"A", "a"}, {"B", "b"}, {"C", "c"}}, true};
}

TEST(BlasRate, ACubeOfTheTableTakesWhatTheTableSays) {
  const Machine machine = llvm::cantFail(loadMachine("h100-sxm5"));
  const std::vector<TileTime> table = tilesOf(machine, "dgemm");
  ASSERT_GT(table.size(), 2u);
  for (const TileTime &each : table) {
    const auto side = int64_t(each.tile);
    EXPECT_NEAR_TO(*libraryTimeOnDevice(product(side, side, side), {}, machine), each.time, relative(0.05)) << side;
  }
}

TEST(BlasRate, MoreWorkIsNeverFaster) {
  const Machine machine = llvm::cantFail(loadMachine("h100-sxm5"));
  double before = 0;
  for (int64_t side = 1; side <= 16384; side *= 2) {
    const double now = *libraryTimeOnDevice(product(side, side, side), {}, machine);
    EXPECT_GE(now, before) << side;
    before = now;
  }
}

TEST(BlasRate, NoFasterThanMemoryDelivers) {
  const Machine machine = llvm::cantFail(loadMachine("h100-sxm5"));
  const skeleton::LibraryCall thin = product(1 << 24, 8, 8);
  EXPECT_GE(*libraryTimeOnDevice(thin, {}, machine), *libraryWork(thin, {}).bytes / machine.gpu.dramBandwidth);
}

TEST(BlasRate, WhatIsNotKnownHasNoTime) {
  Machine machine = llvm::cantFail(loadMachine("h100-sxm5"));
  skeleton::LibraryCall call = product(100, 100, 100);
  call.dimensions[1].second.reset();
  EXPECT_FALSE(libraryTimeOnDevice(call, {}, machine));
  call = product(100, 100, 100);
  call.dimensions[1].second = skeleton::Expr::symbol("n");
  EXPECT_FALSE(libraryTimeOnDevice(call, {}, machine));
  EXPECT_TRUE(libraryTimeOnDevice(call, {{"n", 7}}, machine));
  EXPECT_EQ(*libraryTimeOnDevice(call, {{"n", 0}}, machine), machine.gpu.launchLatency);
  call.operands.pop_back();
  EXPECT_FALSE(libraryTimeOnDevice(call, {{"n", 7}}, machine));
  // A solve is no product; one that was not timed has no stand-in.
  const skeleton::LibraryCall solve{"dtrsm", {{"m", 512}, {"n", 512}}, {{"A", "a"}, {"B", "b"}}, false};
  std::erase_if(machine.tiles, [](const TileTable &table) { return table.routine == "dtrsm"; });
  EXPECT_FALSE(libraryTimeOnDevice(solve, {}, machine));
}

} // namespace
