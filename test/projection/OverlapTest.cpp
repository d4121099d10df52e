//===- test/projection/OverlapTest.cpp - Strategies of overlap against van Werkhoven's figures ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Overlap.h"
#include "Near.h"
#include "gtest/gtest.h"
#include <random>

using namespace busfare::projection;
using namespace busfare::test;

namespace {

/// 1024 x 1024 x 42 doubles: a variable of van Werkhoven's ocean model.
constexpr double variable = 1024.0 * 1024 * 42 * 8;
const OverlapQuestion state{2 * variable, 3 * variable, 20e-3, 2 * variable, 3 * variable};
const OverlapQuestion buoydiff{2 * variable, 2 * variable, 60e-3, 2 * variable, 2 * variable};

OverlapDevice deviceOf(llvm::StringRef name) { return overlapDeviceOf(llvm::cantFail(loadMachine(name))); }

void expectMilliseconds(double seconds, double expected) { EXPECT_TRUE(isNear(seconds * 1e3, expected, printed(4))); }

TEST(Overlap, EquationsOnTheTitan) {
  OverlapDevice titan = deviceOf("gtx-titan-pcie3");
  const double ofState[] = {105.2853, 143.0835, 23.4084, 142.6073, 85.7615, 83.7801};
  const double ofBuoydiff[] = {117.3648, 116.1153, 62.7436, 114.6868, 62.7436, 60.0184};
  expectMilliseconds(explicitTime(titan, state), 162.3950);
  expectMilliseconds(explicitTime(titan, buoydiff), 174.4745);
  for (unsigned number = 1; number <= 6; ++number) {
    SCOPED_TRACE(number);
    expectMilliseconds(equationTime(number, titan, state, 42), ofState[number - 1]);
    expectMilliseconds(equationTime(number, titan, buoydiff, 42), ofBuoydiff[number - 1]);
  }
  expectMilliseconds(hybridTime(titan, state, 42), 159.0791);
  expectMilliseconds(hybridTime(titan, buoydiff, 42), 107.8739);
}

TEST(Overlap, MappedMemoryPaysForEveryAccess) {
  OverlapDevice titan = deviceOf("gtx-titan-pcie3");
  OverlapQuestion again = buoydiff;
  again.mappedH2dBytes = 2 * buoydiff.h2dBytes;
  expectMilliseconds(equationTime(6, titan, again, 1), 117.2484);
  again.mappedH2dBytes = 3 * buoydiff.h2dBytes;
  expectMilliseconds(equationTime(6, titan, again, 1), 175.8634);
}

/// Table VII: state() is best on all three devices with mapped memory, buoydiff(), whose inputs are read several times,
/// with hybrid on the GTX 680 and the Titan, with streams on the K20.
TEST(Overlap, ClassificationOnThreeDevices) {
  OverlapQuestion again = buoydiff;
  again.mappedH2dBytes = 3 * buoydiff.h2dBytes;
  const std::pair<const char *, const char *> published[] = {
      {"gtx680-pcie2", "hybrid"}, {"gtx-titan-pcie3", "hybrid"}, {"k20-pcie2", "streams"}};
  for (const auto &[name, strategy] : published) {
    Machine machine = llvm::cantFail(loadMachine(name));
    EXPECT_EQ(answerOverlap(machine, state, std::nullopt, 42, 42).strategy, "mapped") << name;
    EXPECT_EQ(answerOverlap(machine, again, std::nullopt, 42, 42).strategy, strategy) << name;
  }
}

TEST(Overlap, WhichEquationHolds) {
  EXPECT_EQ(applicableEquation(deviceOf("gtx680-pcie2"), state, 42), 2u);
  EXPECT_EQ(applicableEquation(deviceOf("gtx-titan-pcie3"), state, 42), 4u);
  EXPECT_EQ(applicableEquation(deviceOf("k20-pcie2"), state, 42), 5u);
  OverlapQuestion slow = state;
  slow.kernel = 1;
  EXPECT_EQ(applicableEquation(deviceOf("gtx680-pcie2"), slow, 42), 1u);
  EXPECT_EQ(applicableEquation(deviceOf("gtx-titan-pcie3"), slow, 42), 3u);
  EXPECT_EQ(applicableEquation(deviceOf("k20-pcie2"), slow, 42), 5u);
}

/// Its own conditions, against the equations: without gaps and latencies they are exact.
TEST(Overlap, ASecondEngineHelpsWhereFiveIsFaster) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> exponent(0, 1);
  unsigned helps = 0;
  for (int round = 0; round < 2000; ++round) {
    OverlapDevice device;
    device.in.gapPerByte = device.out.gapPerByte = 1e-10;
    OverlapQuestion q{1e6 * std::pow(100, exponent(random)), 1e6 * std::pow(100, exponent(random)),
                      1e-4 * std::pow(1000, exponent(random)), 0, 0};
    double n = double(2 + random() % 30), one = std::max(equationTime(3, device, q, n), equationTime(4, device, q, n));
    bool isFaster = equationTime(5, device, q, n) < one * (1 - 1e-9);
    EXPECT_EQ(secondEngineHelps(device, q, n), isFaster)
        << q.h2dBytes << " " << q.d2hBytes << " " << q.kernel << " " << n;
    helps += isFaster;
  }
  EXPECT_GT(helps, 200u);
  EXPECT_LT(helps, 1800u);
  OverlapQuestion back = state;
  EXPECT_TRUE(secondEngineHelps(deviceOf("gtx-titan-pcie3"), back, 42));
  back.d2hBytes = 0;
  EXPECT_FALSE(secondEngineHelps(deviceOf("gtx-titan-pcie3"), back, 42)) << "one direction needs one engine";
}

double bruteForce(const std::function<double(double)> &timeOf, double most) {
  double best = 1;
  for (double n = 2; n <= most; ++n)
    if (timeOf(n) < timeOf(best)) best = n;
  return best;
}

TEST(Overlap, NumberOfStreamsAsPublishedAndByBruteForce) {
  OverlapDevice titan = deviceOf("gtx-titan-pcie3");
  const std::pair<unsigned, double> published[] = {{1, 148}, {2, 62}, {5, 171}, {4, 2}};
  for (const auto &[number, streams] : published) {
    auto time = [&, number = number](double n) { return equationTime(number, titan, state, n); };
    EXPECT_EQ(std::round(*streamsByFormula(number, titan, state)), streams) << number;
    EXPECT_EQ(bruteForce(time, 4000), streams) << number;
    EXPECT_EQ(bestStreams(time, 4000), streams) << number;
    EXPECT_EQ(bestStreams(time, 42), std::min(42.0, streams)) << "clamped to the loop that is split";
  }
  auto three = [&](double n) { return equationTime(3, titan, state, n); };
  EXPECT_EQ(streamsByFormula(3, titan, state), std::nullopt);
  EXPECT_EQ(bestStreams(three, 4000), 4000) << "(3) has no optimum";
}

OverlapDevice randomDevice(std::mt19937 &random) {
  std::uniform_real_distribution<double> log(0, 1);
  auto way = [&] {
    OverlapWay w;
    w.latency = 2e-6 * std::pow(10, log(random));
    w.gapPerByte = 1e-11 * std::pow(30, log(random));
    w.slowdown = 1 + log(random);
    if (random() % 2) w.gapPerByteBusy = w.gapPerByte * w.slowdown;
    if (random() % 2) w.gapPerByteMapped = w.gapPerByte * w.slowdown * (1 + log(random));
    w.gap = 1e-6 * std::pow(10, log(random));
    return w;
  };
  OverlapDevice device{way(), way(), unsigned(1 + random() % 2), random() % 3 == 0, 5e-6};
  return device;
}

OverlapQuestion randomQuestion(std::mt19937 &random) {
  std::uniform_real_distribution<double> log(0, 1);
  auto bytes = [&] { return random() % 8 == 0 ? 0 : std::floor(1e4 * std::pow(1e5, log(random))); };
  OverlapQuestion q{bytes(), bytes(), 1e-5 * std::pow(1e4, log(random)), 0, 0};
  q.mappedH2dBytes = q.h2dBytes * double(1 + random() % 3);
  q.mappedD2hBytes = q.d2hBytes;
  return q;
}

TEST(Overlap, BestNumberIsThatOfBruteForceEverywhere) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    OverlapDevice device = randomDevice(random);
    OverlapQuestion q = randomQuestion(random);
    double most = 1 + double(random() % 300);
    for (const std::function<double(double)> &time :
         {std::function<double(double)>([&](double n) { return streamsTime(device, q, n); }),
          std::function<double(double)>([&](double n) { return hybridTime(device, q, n); })}) {
      double brute = bruteForce(time, most), ours = bestStreams(time, most);
      EXPECT_LE(time(ours), time(brute) * (1 + 1e-12))
          << "round " << round << ": " << ours << " and " << brute << " of " << most;
    }
  }
}

TEST(Overlap, BoundsHold) {
  std::mt19937 random(11);
  for (const std::string &name : builtinMachineNames()) {
    Machine machine = llvm::cantFail(loadMachine(name));
    for (int round = 0; round < 200; ++round) {
      OverlapQuestion q = randomQuestion(random);
      OverlapAnswer answer = answerOverlap(machine, q, std::nullopt, std::nullopt, 64);
      double slack = 1 + 1e-12;
      EXPECT_LE(answer.bounds.fullOverlap, answer.explicitCopies * slack) << name;
      EXPECT_LE(answer.bounds.fullOverlap, answer.equations[answer.applies - 1] * slack) << name << " streams";
      EXPECT_LE(answer.bounds.fullOverlap, answer.hybrid * slack) << name << " hybrid";
      EXPECT_LE(answer.bounds.fullOverlap, answer.bestTime * slack) << name << " best";
      EXPECT_LE(answer.bounds.mapped, answer.equations[5] * slack) << name << " mapped";
      EXPECT_LE(answer.bestTime, answer.bounds.zeroOverlap * slack) << name;
      EXPECT_LE(answer.bounds.fullOverlap, answer.bounds.zeroOverlap * slack) << name;
      EXPECT_LE(answer.location, answer.bidirectional * slack) << name;
    }
  }
}

/// One stream is the explicit strategy: in equations (1) to (4) and, on devices that do not slow copies down, (5). Of
/// (3), (4) and (5) a largest of sums is taken, which for one chunk is the whole sum.
TEST(Overlap, OneStreamIsExplicit) {
  std::mt19937 random(3);
  for (int round = 0; round < 500; ++round) {
    OverlapDevice device = randomDevice(random);
    OverlapQuestion q = randomQuestion(random);
    double whole = explicitTime(device, q);
    for (unsigned number : {1u, 2u, 3u, 4u})
      EXPECT_TRUE(isNear(equationTime(number, device, q, 1), whole, relative(1e-12))) << number;
    device.in.gapPerByteBusy = device.in.gapPerByte;
    device.out.gapPerByteBusy = device.out.gapPerByte;
    EXPECT_TRUE(isNear(equationTime(5, device, q, 1), whole, relative(1e-12)));
    Chunks one = chunksOf(device, q, 1);
    EXPECT_TRUE(isNear(locationTime(one), whole, relative(1e-12)));
    EXPECT_TRUE(isNear(bidirectionalTime(one), whole, relative(1e-12)));
  }
}

TEST(Overlap, MoreBytesOrALongerKernelAreNeverFaster) {
  std::mt19937 random(5);
  for (int round = 0; round < 1000; ++round) {
    OverlapDevice device = randomDevice(random);
    OverlapQuestion q = randomQuestion(random), more = q;
    (round % 3 == 0 ? more.kernel : round % 3 == 1 ? more.h2dBytes : more.d2hBytes) *= 1.5;
    more.mappedH2dBytes = std::max(more.mappedH2dBytes, more.h2dBytes);
    double n = 1 + double(random() % 64);
    EXPECT_GE(explicitTime(device, more), explicitTime(device, q));
    for (unsigned number = 1; number <= 6; ++number)
      EXPECT_GE(equationTime(number, device, more, n), equationTime(number, device, q, n)) << number;
    EXPECT_GE(hybridTime(device, more, n), hybridTime(device, q, n));
    EXPECT_GE(bidirectionalTime(chunksOf(device, more, n)), bidirectionalTime(chunksOf(device, q, n)) * (1 - 1e-12));
  }
}

/// CoCoPeLia's testbeds: daxpy of 64 Mi elements in 16 tiles of 4 Mi, x and y in, y out, 1 ms a tile.
TEST(Overlap, PipelineOnCoCoPeLiasTestbeds) {
  struct Row {
    const char *machine;
    double location, bidirectional;
  };
  for (const Row &row : {Row{"k40-pcie2x8", 352.1483, 363.7605}, Row{"v100-pcie3", 91.8237, 103.4587}}) {
    OverlapDevice device = deviceOf(row.machine);
    double tile = 4.0 * (1 << 20) * 8;
    double in = device.in.latency + tile * device.in.gapPerByte,
           out = device.out.latency + tile * device.out.gapPerByte;
    Chunks chunks{2 * in, 1e-3, out, device.in.slowdown, device.out.slowdown, 16};
    EXPECT_TRUE(isNear(locationTime(chunks) * 1e3, row.location, relative(1e-6)));
    EXPECT_TRUE(isNear(bidirectionalTime(chunks) * 1e3, row.bidirectional, relative(1e-6)));
  }
}

/// 1 GB each way: in 100 ms alone, twice that while 80 ms out are copied, which take 1.5 times theirs: 120 ms both, in
/// which 0.6 of the input come in, then 40 ms for the rest.
TEST(Overlap, WhatIsDoneFirstSlowsNoMore) {
  OverlapDevice device;
  device.in.gapPerByte = 1e-10;
  device.out.gapPerByte = 0.8e-10;
  device.in.slowdown = 2;
  device.out.slowdown = 1.5;
  device.copyEngines = 2;
  OverlapQuestion q{1e9, 1e9, 0, 1e9, 1e9};
  EXPECT_TRUE(isNear(equationTime(5, device, q, 1e6), 0.16, relative(1e-5)));
  EXPECT_TRUE(isNear(hybridTime(device, q, 1e6), 0.16, relative(1e-5)));
  device.in.gapPerByteBusy = 1.9e-10;
  EXPECT_TRUE(isNear(equationTime(5, device, q, 1e6), 0.19, relative(1e-5))) << "measured goes first";
  q.d2hBytes = 0;
  EXPECT_TRUE(isNear(equationTime(5, device, q, 1e6), 0.1, relative(1e-5))) << "nothing comes against it";
}

TEST(Overlap, RooflineBoundsByHand) {
  Machine machine = llvm::cantFail(loadMachine("gtx-titan-pcie3"));
  // 14 x 64 x 2 x 876 MHz, 288.4 GB/s: 1 GFLOP takes 0.637 ms, 1 GB 3.467 ms.
  EXPECT_TRUE(isNear(peakFlops(machine.gpu), 1.5698e12, relative(1e-4)));
  EXPECT_TRUE(isNear(rooflineTime(machine.gpu, {1e9, 1e9}), 1e9 / 288.4e9, relative(1e-12)));
  EXPECT_TRUE(isNear(rooflineTime(machine.gpu, {1e12, 1e9}), 1e12 / peakFlops(machine.gpu), relative(1e-12)));
  OverlapQuestion q{1e8, 1e8, 0, 1e8, 1e8};
  OverlapBounds bounds = boundsOf(machine, q, Roofline{1e9, 1e9});
  double bus = 1e8 * (8.318392e-11 + 7.924734e-11);
  EXPECT_TRUE(isNear(bounds.fullOverlap, 1e8 * 8.318392e-11, relative(1e-9)))
      << "both directions and the kernel at a time";
  EXPECT_TRUE(isNear(bounds.zeroOverlap, bus + 1e9 / 288.4e9 + 9.420e-6 + 9.023e-6, relative(1e-9)));
  EXPECT_TRUE(isNear(bounds.mapped, 1e9 * 8.318392e-11, relative(1e-9)));
}

/// Each chunk starts a kernel, one more than without overlap; the whole kernel's time has its own start in it.
TEST(Overlap, ChunksStartKernels) {
  OverlapDevice device = deviceOf("v100-pcie3");
  Chunks chunks = chunksOf(device, state, 10);
  EXPECT_TRUE(isNear(chunks.kernel, 2e-3 + device.launch, relative(1e-12)));
  EXPECT_TRUE(isNear(chunks.in, device.in.latency + state.h2dBytes / 10 * device.in.gapPerByte, relative(1e-12)));
  EXPECT_EQ(chunksOf(device, state, 1).kernel, state.kernel);
}

TEST(Overlap, NothingToCopyCostsNothing) {
  OverlapDevice device = deviceOf("k20-pcie2");
  OverlapQuestion none{0, 0, 1e-3, 0, 0};
  EXPECT_EQ(explicitTime(device, none), 1e-3);
  EXPECT_EQ(equationTime(6, device, none, 1), 1e-3);
  EXPECT_EQ(bestStreams([&](double n) { return streamsTime(device, none, n); }, 32), 1)
      << "(5) is the kernel, however it is cut";
}

} // namespace
