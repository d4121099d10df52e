//===- test/projection/BlasTest.cpp - CoCoPeLia's equations on both testbeds ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The equations of Anastasiadis et al. with the parameters of their Table II, worked
// out by hand; limits of tiles and of the device's memory.
//
//===----------------------------------------------------------------------===//

#include "Near.h"
#include "projection/BlasPipeline.h"
#include "gtest/gtest.h"

using namespace busfare::projection;
using busfare::test::relative;

namespace {

constexpr double ms = 1e-3;
const TileLink testbed1{2.4e-6, 3.15e9, 1.07, 2.2e-6, 3.29e9, 1.16}; // K40, PCIe 2 x8
const TileLink testbed2{2.5e-6, 12.18e9, 1.27, 2.5e-6, 12.98e9, 1.41}; // V100, PCIe 3 x16
constexpr double mebi = 1 << 20;

BlasCall gemm(double side, std::vector<std::string> onDevice = {}, double beta = 1) {
  return llvm::cantFail(blasCall("dgemm", side, side, side, onDevice, beta));
}

TileTimes timesOf(const BlasCall &call, const TileLink &link, double tile, double time) {
  return tileTimes(call, link, {tile, time}, {tile, time});
}

TEST(Blas, DaxpyOnBothTestbeds) {
  BlasCall call = llvm::cantFail(blasCall("daxpy", std::nullopt, 64 * mebi, std::nullopt, {}));
  TileTimes two = timesOf(call, testbed2, 4 * mebi, 1 * ms), one = timesOf(call, testbed1, 4 * mebi, 1 * ms);
  EXPECT_NEAR_TO(two.baseline, 94.4113 * ms, relative(1e-6));
  EXPECT_NEAR_TO(two.location, 91.8237 * ms, relative(1e-6));
  EXPECT_NEAR_TO(two.bidirectional, 103.4587 * ms, relative(1e-6));
  EXPECT_NEAR_TO(one.baseline, 362.3495 * ms, relative(1e-6));
  EXPECT_NEAR_TO(one.location, 352.1483 * ms, relative(1e-6));
  EXPECT_NEAR_TO(one.bidirectional, 363.7605 * ms, relative(1e-6));
  EXPECT_NEAR_TO(two.over, 6.2904 * ms, relative(1e-5));
  EXPECT_FALSE(two.reuse) << "no tile of a vector is needed twice";
}

TEST(Blas, DgemmOnBothTestbeds) {
  TileTimes two = timesOf(gemm(8192), testbed2, 2048, 2.5 * ms), one = timesOf(gemm(8192), testbed1, 2048, 2.5 * ms);
  EXPECT_EQ(two.subkernels, 64);
  EXPECT_EQ(two.fetches, 45);
  EXPECT_NEAR_TO(two.over, 9.0478 * ms, relative(1e-5));
  EXPECT_NEAR_TO(two.baseline, 539.680 * ms, relative(1e-6));
  EXPECT_NEAR_TO(two.location, 534.504 * ms, relative(1e-6));
  EXPECT_NEAR_TO(two.bidirectional, 583.371 * ms, relative(1e-6));
  EXPECT_NEAR_TO(*two.reuse, 182.442 * ms, relative(3e-6)); // six digits are given
  EXPECT_NEAR_TO(one.baseline, 2078.787 * ms, relative(1e-6));
  EXPECT_NEAR_TO(one.location, 2058.384 * ms, relative(1e-6));
  EXPECT_NEAR_TO(one.bidirectional, 2107.155 * ms, relative(1e-6));
  EXPECT_NEAR_TO(*one.reuse, 569.1219 * ms, relative(1e-6));
}

/// Operands on the device have no first tile to leave out, whatever the printed equation says.
TEST(Blas, OperandsOnTheDeviceCountForNothing) {
  TileTimes times = timesOf(gemm(8192, {"A", "b"}), testbed2, 2048, 2.5 * ms);
  EXPECT_EQ(times.fetches, 15);
  EXPECT_NEAR_TO(*times.reuse, 169.2057 * ms, relative(1e-6));
  TileTimes none = timesOf(gemm(8192, {"A", "B", "C"}), testbed2, 2048, 2.5 * ms);
  EXPECT_NEAR_TO(*none.reuse, 64 * 2.5 * ms, relative(1e-12));
  EXPECT_NEAR_TO(none.location, 64 * 2.5 * ms, relative(1e-12));
}

TEST(Blas, FetchesAreAtMostTheSubkernels) {
  TileTimes times = timesOf(gemm(4096), testbed2, 2048, 2.5 * ms);
  EXPECT_EQ(times.subkernels, 8);
  EXPECT_EQ(times.fetches, 8);
  double in = 2.5e-6 + 2048.0 * 2048 * 8 / 12.18e9, out = 2.5e-6 + 2048.0 * 2048 * 8 / 12.98e9;
  EXPECT_NEAR_TO(*times.reuse, 8 * in + 3 * in + out, relative(1e-12));
}

TEST(Blas, ZeroBetaDoesNotReadTheResult) {
  BlasCall call = gemm(8192, {}, 0);
  EXPECT_FALSE(call.operands[2].comesIn);
  EXPECT_TRUE(call.operands[2].goesBack);
  EXPECT_LT(*timesOf(call, testbed2, 2048, 2.5 * ms).reuse, *timesOf(gemm(8192), testbed2, 2048, 2.5 * ms).reuse);
}

/// Tiles of a matrix and of a vector have different bytes.
TEST(Blas, GemvTilesAreEachTheirOwn) {
  BlasCall call = llvm::cantFail(blasCall("sgemv", 8192.0, 4096.0, std::nullopt, {}));
  TileTimes times = timesOf(call, testbed2, 1024, 1 * ms);
  EXPECT_EQ(times.subkernels, 32);
  double matrix = 2.5e-6 + 1024.0 * 1024 * 4 / 12.18e9, vector = 2.5e-6 + 1024 * 4 / 12.18e9;
  EXPECT_NEAR_TO(times.in, matrix + 2 * vector, relative(1e-12));
  EXPECT_NEAR_TO(times.out, 2.5e-6 + 1024 * 4 / 12.98e9, relative(1e-12));
  EXPECT_EQ(call.deviceBytes(), 4 * (8192.0 * 4096 + 4096 + 8192));
}

/// Van Werkhoven's equation (5), worked out: kernels dominate, n = 64 streams.
TEST(Blas, CsoIsEquationFive) {
  TileTimes times = timesOf(gemm(8192), testbed2, 2048, 25 * ms);
  double bytes = 8192.0 * 8192 * 8;
  double in = 2.5e-6 + 3 * bytes / 64 / 12.18e9, out = 2.5e-6 + bytes / 64 / 12.98e9;
  EXPECT_NEAR_TO(times.cso, in + 64 * 25 * ms + out, relative(1e-12));
  // The kernel's time comes from the largest tile, in proportion to the work.
  TileTimes better = tileTimes(gemm(8192), testbed2, {2048, 25 * ms}, {4096, 100 * ms});
  EXPECT_NEAR_TO(better.cso, in + 8 * 100 * ms + out, relative(1e-12));
}

TEST(Blas, OrderOfTheEquations) {
  for (double tile : {512.0, 1000.0, 2048.0, 3000.0})
    for (double time : {1e-5, 1e-3, 1e-1})
      for (const TileLink &link : {testbed1, testbed2}) {
        TileTimes times = timesOf(gemm(8192), link, tile, time);
        EXPECT_LE(times.location, times.baseline * (1 + 1e-12));
        EXPECT_LE(times.location, times.bidirectional * (1 + 1e-12));
        EXPECT_LE(*times.reuse, times.bidirectional * (1 + 1e-12));
        EXPECT_GE(*times.reuse, times.subkernels * time);
      }
}

Machine machineWith(double bytes) {
  Machine machine = llvm::cantFail(loadMachine("a100-pcie4"));
  machine.gpu.dramBytes.value = bytes;
  return machine;
}

TEST(Blas, TheTileWithTheLeastTimeIsSelected) {
  Machine machine = machineWith(16e9);
  // Half as large tiles take an eighth; the middle one is made a little too good.
  std::vector<TileTime> given = {{4096, 64 * ms}, {1024, 1 * ms}, {2048, 7 * ms}, {8192, 500 * ms}};
  BlasAnswer answer = llvm::cantFail(selectTile(gemm(8192), machine, given));
  ASSERT_EQ(answer.tiles.size(), 3u);
  EXPECT_EQ(answer.tooLarge, 1u) << "8192 is more than 8192 / 1.5";
  EXPECT_EQ(answer.tiles[0].tile, 1024);
  ASSERT_TRUE(answer.selected && answer.bestByEquation && answer.bestInPipeline);
  for (const TileTimes &times : answer.tiles) {
    EXPECT_LE(*answer.tiles[*answer.bestByEquation].reuse, *times.reuse);
    EXPECT_LE(*answer.tiles[*answer.selected].pipeline, *times.pipeline);
  }
  EXPECT_EQ(answer.tiles[*answer.bestByEquation].tile, 2048);
  EXPECT_EQ(answer.selected, answer.bestInPipeline) << "of a product the best played through";
}

/// Equation (5) lets two large tiles a side look cheap (18.5 against 23.9 ms); played through, their copies have
/// nothing to hide behind (23.6 against 21.7 ms).
TEST(Blas, TheRecommendedTileIsTheOneThatIsBestPlayedThrough) {
  Machine machine = machineWith(16e9);
  std::vector<TileTime> given = {{512, 0.04375 * ms}, {1536, 1.18125 * ms}};
  BlasAnswer answer = llvm::cantFail(selectTile(gemm(3072), machine, given));
  const TileTimes &small = answer.tiles[0], &large = answer.tiles[1];
  EXPECT_LT(*large.reuse, *small.reuse);
  EXPECT_LT(*small.pipeline, *large.pipeline);
  EXPECT_EQ(answer.bestByEquation, 1u);
  EXPECT_EQ(answer.selected, 0u);
}

/// Copies hide everything else: small vectors are as good as larger ones, and more of them are no use.
TEST(Blas, OfVectorsThatAreAsGoodTheLargestIsRecommended) {
  Machine machine = machineWith(16e9);
  std::vector<TileTime> given;
  for (double tile = 1 << 18; tile <= 1 << 25; tile *= 2) given.push_back({tile, tile * 3 * 8 / 800e9});
  BlasAnswer answer = llvm::cantFail(
      selectTile(llvm::cantFail(blasCall("daxpy", std::nullopt, 1 << 26, std::nullopt, {})), machine, given));
  ASSERT_TRUE(answer.selected && answer.bestInPipeline);
  double least = *answer.tiles[*answer.bestInPipeline].pipeline;
  EXPECT_LE(*answer.tiles[*answer.selected].pipeline, 1.01 * least);
  EXPECT_GE(*answer.selected, *answer.bestInPipeline);
  for (size_t i = *answer.selected + 1; i < answer.tiles.size(); ++i)
    EXPECT_GT(*answer.tiles[i].pipeline, 1.01 * least) << answer.tiles[i].tile;
}

TEST(Blas, Limits) {
  EXPECT_EQ(largestTile(gemm(8192)), 5461);
  auto none = selectTile(gemm(8192), machineWith(16e9), {{6000, 1 * ms}});
  ASSERT_FALSE(none);
  EXPECT_EQ(llvm::toString(none.takeError()),
            "no tile of at most 5461, the smallest dimension over 1.5: the smallest given is 6000");
  BlasAnswer large = llvm::cantFail(selectTile(gemm(8192), machineWith(1e9)));
  EXPECT_FALSE(large.fits);
  EXPECT_FALSE(large.selected);
  BlasAnswer small = llvm::cantFail(selectTile(gemm(100), machineWith(1e9)));
  ASSERT_EQ(small.tiles.size(), 1u);
  EXPECT_EQ(small.tiles[0].tile, 66);
}

/// Kernels that take no time: what is left are copies, of which 12 come in one after the other, slowed down by those
/// out.
TEST(Blas, QueuesByHand) {
  double in = 2.5e-6 + 2048.0 * 2048 * 8 / 12.18e9, out = 2.5e-6 + 2048.0 * 2048 * 8 / 12.98e9;
  TileLink alone = testbed2;
  alone.slowdownIn = alone.slowdownOut = 1;
  // The last of them is A's, which the second row of C, two tiles, waits for.
  EXPECT_NEAR_TO(*pipelineTime(gemm(4096), alone, {2048, 1e-12}), 12 * in + 2 * out, relative(1e-6));
  // Nothing on the host: kernels alone. A rest of half a tile takes half the time for each dimension.
  EXPECT_NEAR_TO(*pipelineTime(gemm(4096, {"A", "B", "C"}), testbed2, {2048, 3 * ms}), 8 * 3 * ms, relative(1e-9));
  EXPECT_NEAR_TO(*pipelineTime(gemm(3072, {"A", "B", "C"}), testbed2, {2048, 8 * ms}), 27 * ms, relative(1e-9));
  // Long kernels hide all but the first copies and the last.
  EXPECT_NEAR_TO(*pipelineTime(gemm(4096), testbed2, {2048, 1}), 3 * in + 8 + out, relative(1e-9));
  // One vector in, the next in while the first goes out, ...: x and y come in slower from the second tile on.
  BlasCall axpy = llvm::cantFail(blasCall("daxpy", std::nullopt, 2048.0 * 2048 * 4, std::nullopt, {}));
  double simulated = *pipelineTime(axpy, testbed2, {2048.0 * 2048, 1e-12});
  EXPECT_GT(simulated, 8 * in + out);
  EXPECT_LT(simulated, 8 * in * 1.27 + out * 1.41);
  EXPECT_FALSE(pipelineTime(gemm(16384), testbed2, {64, 1 * ms})) << "too many";
}

TEST(Blas, QueuesAreWithinTheirBounds) {
  for (double tile : {700.0, 1024.0, 2048.0, 3000.0})
    for (double time : {1e-4, 1e-3, 1e-2})
      for (const TileLink &link : {testbed1, testbed2}) {
        BlasCall call = gemm(6000);
        TileTimes times = timesOf(call, link, tile, time);
        double simulated = *pipelineTime(call, link, {tile, time});
        double copies = 3 * 6000.0 * 6000 * 8 / link.bandwidthIn;
        EXPECT_GE(simulated, std::max(times.subkernels * time, copies));
        double pieces = std::ceil(6000 / tile);
        EXPECT_LE(simulated, times.subkernels * time + copies * link.slowdownIn +
                                 copies / 3 * link.bandwidthIn / link.bandwidthOut * link.slowdownOut +
                                 4 * pieces * pieces * 1e-5);
      }
}

TEST(Blas, ModelledKernelsGrowWithTheirTiles) {
  Machine machine = llvm::cantFail(loadMachine("a100-pcie4"));
  for (const char *routine : {"daxpy", "sgemv", "dgemm", "sgemm"}) {
    llvm::StringRef name = routine;
    BlasCall call =
        llvm::cantFail(blasCall(name, name.ends_with("axpy") ? std::nullopt : std::optional(16384.0), 16384.0,
                                name.ends_with("gemm") ? std::optional(16384.0) : std::nullopt, {}));
    double before = 0;
    for (double tile = 64; tile <= 8192; tile += 64) {
      double now = modelledTileTime(call, machine.gpu, tile);
      EXPECT_GE(now, before) << routine << " " << tile;
      before = now;
    }
    EXPECT_GE(before, machine.gpu.launchLatency);
  }
}

TEST(Blas, ErrorsNameWhatThereIs) {
  auto message = [](auto call) { return call ? std::string("none") : llvm::toString(call.takeError()); };
  EXPECT_EQ(message(blasCall("dtrmm", 1.0, 1.0, std::nullopt, {})),
            "no routine 'dtrmm'; there are axpy, dot, gemv, gemm, syrk, trsm, each behind s, d, c or z");
  EXPECT_EQ(message(blasCall("dgemm", 1.0, 1.0, std::nullopt, {})), "dgemm wants --k");
  EXPECT_EQ(message(blasCall("daxpy", 1.0, 1.0, std::nullopt, {})), "daxpy has no dimension --m");
  EXPECT_EQ(message(blasCall("daxpy", std::nullopt, 1.0, std::nullopt, {"A"})),
            "--on-device: daxpy has no operand 'A'; there are x, y");
  EXPECT_EQ(message(blasCall("", std::nullopt, 1.0, std::nullopt, {})),
            "no routine ''; there are axpy, dot, gemv, gemm, syrk, trsm, each behind s, d, c or z");
}

} // namespace
