//===- test/projection/TransferTest.cpp - The linear transfer model against published figures ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Link.h"
#include "gtest/gtest.h"

using namespace busfare::projection;

namespace {

/// GROPHECY++ (Meng et al.), Table I: bytes in and out that follow from the codes, how many arrays, and the measured
/// transfer in ms.
struct Row {
  const char *application;
  double in, out;
  int arraysIn, arraysOut;
  double measured;
};

constexpr double cells(double side) { return 4 * side * side; }
const Row rows[] = {
    {"HotSpot 512", 2 * cells(512), cells(512), 2, 1, 1.2},
    {"HotSpot 1024", 2 * cells(1024), cells(1024), 2, 1, 4.6},
    {"SRAD 1024", cells(1024), cells(1024), 1, 1, 4.0},
    {"SRAD 2048", cells(2048), cells(2048), 1, 1, 13.0},
    {"SRAD 4096", cells(4096), cells(4096), 1, 1, 49.0},
    {"CFD 97K", 68.0 * 97152, 20.0 * 97152, 3, 1, 3.2},
    {"CFD 193K", 68.0 * 193536, 20.0 * 193536, 3, 1, 6.2},
    {"CFD 233K", 68.0 * 232704, 20.0 * 232704, 3, 1, 7.4},
    {"Stassuij", 8860372, 4325376, 5, 1, 4.9},
};

TEST(Transfer, TableOneWithinEightPercentOnAverage) {
  Machine machine = llvm::cantFail(loadMachine("fx5600-pcie1"));
  double sum = 0;
  for (const Row &row : rows) {
    double predicted = transferTime(machine.link, Direction::ToDevice, HostMemory::Pinned, row.in, row.arraysIn) +
                       transferTime(machine.link, Direction::ToHost, HostMemory::Pinned, row.out, row.arraysOut);
    double error = std::abs(predicted / (row.measured * 1e-3) - 1);
    EXPECT_LT(error, 0.30) << row.application << ": " << predicted * 1e3 << " ms";
    sum += error;
  }
  EXPECT_LE(sum / std::size(rows), 0.08);
}

TEST(Transfer, LimitsAndMonotony) {
  Machine machine = llvm::cantFail(loadMachine("a100-pcie4"));
  for (Direction direction : {Direction::ToDevice, Direction::ToHost})
    for (HostMemory memory : {HostMemory::Pinned, HostMemory::Pageable}) {
      double latency = transferTime(machine.link, direction, memory, 0);
      EXPECT_GT(latency, 0);
      EXPECT_EQ(transferTime(machine.link, direction, memory, 0, 0), 0);
      double before = latency;
      for (double bytes = 1; bytes < 1e10; bytes *= 3) {
        double now = transferTime(machine.link, direction, memory, bytes);
        EXPECT_GT(now, before);
        EXPECT_LT(now, transferTime(machine.link, direction, memory, bytes, 2));
        before = now;
      }
    }
}

TEST(Transfer, OneMebibyteByHand) {
  Machine machine = llvm::cantFail(loadMachine("fx5600-pcie1"));
  EXPECT_NEAR(transferTime(machine.link, Direction::ToDevice, HostMemory::Pinned, 1048576), 384.49e-6, 0.01e-6);
}

} // namespace
