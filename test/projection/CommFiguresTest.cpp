//===- test/projection/CommFiguresTest.cpp - Figures 8 and 9 of Groves et al. ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the paper says of its figures, read off the series; and the networks of other
// machines against the measurements that they were derived from.
//
//===----------------------------------------------------------------------===//

#include "projection/CommFigures.h"
#include "Near.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace busfare::projection;
using busfare::test::absolute;
using busfare::test::relative;

namespace {

Machine machineOf(const char *name) { return llvm::cantFail(loadMachine(name)); }

/// The speedup of a curve at the values of some axes; -1 if there is no such row.
double speedupOf(const SweepTable &table, llvm::StringRef curve, std::vector<std::pair<const char *, double>> at) {
  const size_t width = table.columns.size();
  for (size_t row = 0; row < table.rows(); ++row) {
    const double *cells = &table.cells[row * width];
    bool fits = table.texts[size_t(cells[0])] == curve;
    for (const auto &[name, value] : at) fits &= std::fabs(cells[table.column(name)] - value) < 1e-9 * value;
    if (fits) return cells[table.column("speedup")];
  }
  return -1;
}

TEST(CommFigures, NineHasTheLandmarksOfThePaper) {
  Machine summit = machineOf("summit-v100-nvlink2");
  SweepTable table = llvm::cantFail(sweepFigure9(summit, SweepAxis{"bytes", {8, 100, 10000, 1e6, 1e7}}, PutOrGet::Get));
  // 0.8x at 8 B; near the ceiling of 2.5x from 1 MB on with single messages, from 100 B on if Table II is per message.
  EXPECT_NEAR_TO(speedupOf(table, "single", {{"bytes", 8}}), 0.784, absolute(5e-4));
  EXPECT_NEAR_TO(speedupOf(table, "single", {{"bytes", 1e6}}), 2.47, absolute(5e-3));
  EXPECT_LT(speedupOf(table, "single", {{"bytes", 10000}}), 0.95 * 2.5);
  EXPECT_GE(speedupOf(table, "pipelined per message", {{"bytes", 100}}), 0.95 * 2.5);
  EXPECT_LT(speedupOf(table, "pipelined per byte", {{"bytes", 100}}), 0.95 * 2.5);
  for (const char *curve : {"pipelined per byte", "pipelined per message"})
    EXPECT_NEAR_TO(speedupOf(table, curve, {{"bytes", 1e7}}), 2.5, absolute(0.01)) << curve;
  EXPECT_EQ(table.plotted, "speedup");
  ASSERT_EQ(table.notes.size(), 4u);
  EXPECT_EQ(table.notes[1], "single on summit-v100-nvlink2: 95 % of the ceiling of 2.5x from 1000000 B on.");
  EXPECT_EQ(table.notes[3], "pipelined per message on summit-v100-nvlink2: 95 % of the ceiling of 2.5x from 100 B on.");
}

TEST(CommFigures, EightFixedAndScaled) {
  Machine summit = machineOf("summit-v100-nvlink2");
  SweepTable table = llvm::cantFail(sweepFigure8(summit, {}, PutOrGet::Get));
  EXPECT_EQ(table.rows(), 2u * 22 * 9) << "8 B to 16 MiB, 10 % to 90 %";
  for (double bytes : {8.0, 8192.0, 16777216.0})
    for (double share : {0.1, 0.5, 0.9}) {
      const double fixed = speedupOf(table, "fixed", {{"bytes", bytes}, {"comm-share", share}}),
                   scaled = speedupOf(table, "scaled", {{"bytes", bytes}, {"comm-share", share}});
      ASSERT_GT(fixed, 0);
      EXPECT_GT(scaled, fixed) << "more computing hides messages";
      EXPECT_LE(fixed, 1 / ((1 - share) / 5 + share) + 1e-9) << "Amdahl";
      EXPECT_LE(scaled, 5 + 1e-9);
    }
  // The column of 25 % is figure 9's curve of single messages.
  std::vector<SweepAxis> quarter{{"bytes", {8, 65536}}, {"comm-share", {0.25}}};
  SweepTable eight = llvm::cantFail(sweepFigure8(summit, quarter, PutOrGet::Get)),
             nine = llvm::cantFail(sweepFigure9(summit, quarter.front(), PutOrGet::Get));
  for (double bytes : {8.0, 65536.0})
    EXPECT_EQ(speedupOf(eight, "fixed", {{"bytes", bytes}}), speedupOf(nine, "single", {{"bytes", bytes}}));
}

TEST(CommFigures, LaunchesAreAnAxis) {
  Machine summit = machineOf("summit-v100-nvlink2");
  SweepTable table = llvm::cantFail(sweepFigure9(summit, {{"bytes", {8}}, {"launch", {5e-6, 2e-6}}}, PutOrGet::Get));
  // "from a slowdown of 0.8x to a speedup near 1.3x"
  EXPECT_NEAR_TO(speedupOf(table, "single", {{"launch", 5e-6}}), 0.784, absolute(5e-4));
  EXPECT_NEAR_TO(speedupOf(table, "single", {{"launch", 2e-6}}), 1.253, absolute(5e-4));
  EXPECT_EQ(table.notes.size(), 1u) << "each launch has a ceiling of its own";
}

TEST(CommFigures, WithoutLawsThereAreNoPipelinedSpeedups) {
  SweepTable table = llvm::cantFail(sweepFigure9(machineOf("mi300a"), SweepAxis{"bytes", {8}}, PutOrGet::Put));
  EXPECT_GT(speedupOf(table, "single", {{"bytes", 8}}), 0);
  EXPECT_TRUE(std::isnan(speedupOf(table, "pipelined per byte", {{"bytes", 8}})));
  EXPECT_NE(table.notes[2].find("no law of them is known"), std::string::npos) << table.notes[2];
}

TEST(CommFigures, WhatIsRefused) {
  auto errorOf = [](llvm::Expected<SweepTable> table) {
    return table ? std::string("no error") : llvm::toString(table.takeError());
  };
  EXPECT_EQ(errorOf(sweepFigure8(machineOf("fx5600-pcie1"), {}, PutOrGet::Put)),
            "fx5600-pcie1: expected a part network, which messages between nodes need, found none");
  EXPECT_EQ(errorOf(sweepFigure9(machineOf("mi300a"), SweepAxis{"n", {8}}, PutOrGet::Put)),
            "--range n: comm has no such range; there are bytes, comm-share, launch, compute-speedup");
}

/// Measured without a switch, of which the files add 280 ns twice.
TEST(Networks, NdrGivesBackWhatItWasDerivedFrom) {
  Machine machine = machineOf("h100-sxm5");
  ASSERT_TRUE(machine.network);
  const Network &network = *machine.network;
  auto withoutSwitch = [&](double time) { return 1e6 * (time - 2 * 280e-9); };
  EXPECT_NEAR_TO(withoutSwitch(singleTime(network, PutOrGet::Get, Initiator::Host, 8)), 3.35, absolute(0.005));
  EXPECT_NEAR_TO(withoutSwitch(hostToHostTime(network, PutOrGet::Get, 8)), 2.55, absolute(0.005));
  EXPECT_NEAR_TO(withoutSwitch(hostToHostTime(network, PutOrGet::Put, 8)), 2 * 1.44, absolute(0.005));
  EXPECT_NEAR_TO(withoutSwitch(singleTime(network, PutOrGet::Put, Initiator::Device, 8)), 12.60, absolute(0.005));
  EXPECT_NEAR_TO(withoutSwitch(singleTime(network, PutOrGet::Get, Initiator::Device, 8)), 14.06, absolute(0.005));
  // 4 KiB in 3.79 us at 200 Gbit/s.
  Network slower = network;
  slower.bandwidth.value = 25e9;
  EXPECT_NEAR_TO(withoutSwitch(singleTime(slower, PutOrGet::Get, Initiator::Host, 4096)), 3.79, absolute(0.01));
}

/// Half of a ping-pong: 2.86 us of 8 B between two Grace Hopper, 1.65 between two nodes of Zen cores.
TEST(Networks, SlingshotGivesBackWhatItWasDerivedFrom) {
  Machine grace = machineOf("gh200-c2c"), zen = machineOf("mi300a");
  ASSERT_TRUE(grace.network && zen.network);
  EXPECT_NEAR_TO(5e5 * singleTime(*grace.network, PutOrGet::Put, Initiator::Host, 8), 2.86, absolute(0.005));
  EXPECT_NEAR_TO(5e5 * hostToHostTime(*zen.network, PutOrGet::Put, 8), 1.65, absolute(0.005));
  // One memory: devices are as near to the network as hosts.
  EXPECT_EQ(singleTime(*zen.network, PutOrGet::Put, Initiator::Host, 8),
            hostToHostTime(*zen.network, PutOrGet::Put, 8));
}

} // namespace
