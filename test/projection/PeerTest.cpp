//===- test/projection/PeerTest.cpp - Copies between devices of a node ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Measured copies out as they went in, AHEAD's wire bytes of NVLink, and on every machine:
// more bytes are never faster, and nothing beats the datasheet.
//
//===----------------------------------------------------------------------===//

#include "projection/Peer.h"
#include "Near.h"
#include "projection/CopyModels.h"
#include "projection/TransferAnswer.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace busfare::projection;
using busfare::test::relative;

namespace {

Machine machineOf(const char *name) { return llvm::cantFail(loadMachine(name)); }

double modelled(const Machine &machine, TransferModel model, double bytes) {
  return modelledTime(machine, model, Direction::Peer, HostMemory::Pinned, bytes).value_or(-1);
}

TEST(Peer, ASweepIsGivenBack) {
  Machine machine = machineOf("ac922-v100-nvlink2");
  ASSERT_TRUE(machine.peer);
  ASSERT_EQ(machine.peer->measured.size(), 1u);
  // Comm|Scope: 14.77 ms of 1 GiB over three bricks.
  EXPECT_NEAR_TO(peerTime(*machine.peer, 1073741824), 0.01477, relative(1e-9));
  EXPECT_NEAR_TO(modelled(machine, TransferModel::Envelope, 1073741824), 1073741824 / 75e9, relative(1e-12));
  // The line is fitted to it: 72.7 GB/s at most.
  EXPECT_NEAR_TO(machine.peer->bandwidth.value, 72.7e9, relative(0.02));
  EXPECT_EQ(machine.peer->bandwidth.source, "fitted to peer.measured");
}

TEST(Peer, FlitsAsAheadCountsThem) {
  Machine machine = machineOf("h100-sxm5");
  ASSERT_TRUE(machine.peer);
  EXPECT_EQ(machine.peer->kind, PeerKind::NvSwitch);
  // 1 MiB is 1114112 B on the wire of a write.
  EXPECT_NEAR_TO(modelled(machine, TransferModel::Packets, 1048576), machine.peer->latency + 1114112 / 450e9,
                 relative(1e-12));
  EXPECT_NEAR_TO(modelled(machine, TransferModel::Linear, 1e9), 3.3e-6 + 1 / 376.0, relative(1e-12));
  EXPECT_NEAR_TO(modelled(machine, TransferModel::Peak, 1e9), 3.3e-6 + 1 / 450.0, relative(1e-12));
}

TEST(Peer, PacketsOfTheBusAreWrites) {
  Machine machine = machineOf("a100-pcie4");
  ASSERT_TRUE(machine.peer);
  const double lanes = 16 * 16e9 * 128 / 130 / 8;
  EXPECT_NEAR_TO(*peerPeakBandwidth(machine), lanes, relative(1e-12));
  EXPECT_NEAR_TO(modelled(machine, TransferModel::Packets, 1048576),
                 machine.peer->latency + (1048576 + 8192 * 24) / lanes, relative(1e-12));
}

TEST(Peer, WhatCannotBeComputedIsSaid) {
  Machine machine = machineOf("mi300a");
  EXPECT_EQ(whyNot(machine, TransferModel::Linear, Direction::Peer), "");
  EXPECT_EQ(whyNot(machine, TransferModel::Peak, Direction::Peer), "peer.peak_bandwidth_bytes_per_s is not known");
  EXPECT_EQ(whyNot(machine, TransferModel::Staged, Direction::Peer),
            "a copy between devices is not staged in the host's memory");
  machine.peer->peakBandwidth.known = Quantity{1e11, SourceKind::Datasheet, "a test", false, {}};
  EXPECT_EQ(whyNot(machine, TransferModel::Packets, Direction::Peer),
            "no packets are known of peers of kind infinity-fabric");
  machine.peer.reset();
  EXPECT_EQ(whyNot(machine, TransferModel::Linear, Direction::Peer), "the machine has no part peer");
  EXPECT_FALSE(modelledTime(machine, TransferModel::Linear, Direction::Peer, HostMemory::Pinned, 1));
  std::string error = llvm::toString(needPeer(machine));
  EXPECT_NE(error.find("mi300a: expected a part peer"), std::string::npos) << error;
  EXPECT_NE(error.find("a100-pcie4, ac922-v100-nvlink2"), std::string::npos) << error;
}

TEST(Peer, OnEveryMachineMoreBytesAreNeverFasterAndThePeakIsABound) {
  std::vector<std::string> names = machinesWithPeers();
  EXPECT_GE(names.size(), 8u);
  for (const std::string &name : names) {
    Machine machine = machineOf(name.c_str());
    double before = 0, busyBefore = 0;
    for (double bytes = 0; bytes < 1e11; bytes = std::floor(bytes * 1.3) + 1) {
      const double now = peerTime(*machine.peer, bytes), busy = busyPeerTime(*machine.peer, bytes);
      ASSERT_GE(now, before) << name << " " << bytes;
      ASSERT_GE(busy, busyBefore) << name << " " << bytes;
      ASSERT_GE(busy, now) << name << " " << bytes;
      if (std::optional<double> peak = peerPeakBandwidth(machine))
        ASSERT_GE(now, bytes / *peak) << name << " " << bytes;
      before = now, busyBefore = busy;
    }
  }
}

TEST(Peer, ATransferAnswerHasOneRowASize) {
  Machine machine = machineOf("v100-pcie3");
  TransferAnswer answer =
      answerTransfers(machine, {{4096, 1e8}, {Direction::Peer}, {HostMemory::Pinned, HostMemory::Pageable}, false});
  ASSERT_EQ(answer.rows.size(), 2u);
  EXPECT_EQ(memoryOf(answer.rows[0]), "device");
  EXPECT_NEAR_TO(answer.rows[1].projected, 5e-6 + 1e8 / 11.62e9, relative(1e-12));
  EXPECT_TRUE(answer.pinning.empty());
  TransferAnswer busy = answerTransfers(machine, {{1e8}, {Direction::Peer}, {HostMemory::Pinned}, true});
  EXPECT_NEAR_TO(busy.rows[0].projected, 1.225 * answer.rows[1].projected, relative(1e-12));
}

TEST(Peer, TracesTakeTheBestThereIs) {
  CopyModels sweep = llvm::cantFail(copyModelsOf(machineOf("ac922-v100-nvlink2"), nullptr));
  EXPECT_NEAR_TO(sweep.models.target(TraceKind::Peer, TraceMemory::Unknown, 1073741824), 0.01477, relative(1e-9));
  // Measured: the line; assumed: packets.
  CopyModels line = llvm::cantFail(copyModelsOf(machineOf("h100-sxm5"), nullptr));
  EXPECT_NEAR_TO(line.models.target(TraceKind::Peer, TraceMemory::Unknown, 1e9), 3.3e-6 + 1 / 376.0, relative(1e-12));
  Machine assumed = machineOf("gh200-c2c");
  CopyModels packets = llvm::cantFail(copyModelsOf(assumed, nullptr));
  EXPECT_NEAR_TO(packets.models.target(TraceKind::Peer, TraceMemory::Unknown, 1048576),
                 assumed.peer->latency + 1114112 / 150e9, relative(1e-12));
  // An assumed latency gives way to one that the source machine measured.
  Machine measured = machineOf("mi300a");
  CopyModels borrowed = llvm::cantFail(copyModelsOf(assumed, &measured));
  EXPECT_TRUE(borrowed.latencyFromSource);
  EXPECT_NEAR_TO(borrowed.models.target(TraceKind::Peer, TraceMemory::Unknown, 1048576), 7.4e-6 + 1114112 / 150e9,
                 relative(1e-12));
}

} // namespace
