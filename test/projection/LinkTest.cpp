//===- test/projection/LinkTest.cpp - Transfers under every model ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Link.h"
#include "Near.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace busfare::projection;
using namespace busfare::test;

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

//===--- Packets, flits, peaks --------------------------------------------===//

Quantity given(double value) { return {value, SourceKind::Assumed, "a test", false, {}}; }
MaybeQuantity maybe(double value) { return {given(value), {}}; }

/// A link as in AHEAD, section IV: overheads of 12 bytes, packets of 256.
Link aheadPcie(double generation) {
  Link link = llvm::cantFail(loadMachine("fx5600-pcie1")).link;
  link.kind = LinkKind::Pcie;
  link.pcieGeneration = maybe(generation);
  link.lanes = maybe(16);
  link.maxPayload = given(256);
  link.maxReadRequest = given(512);
  link.readCompletionBoundary = given(64);
  link.completionOverhead = link.writeOverhead = given(12);
  return link;
}

Link nvlink(double links) {
  Link link = aheadPcie(1);
  link.kind = LinkKind::NvLink;
  link.links = maybe(links);
  link.lanes = maybe(8);
  link.laneRate = maybe(25e9);
  return link;
}

TEST(Transfer, PublishedWireBytes) {
  Link link = aheadPcie(3);
  EXPECT_EQ(wireBytes(link, Direction::ToDevice, 4096), 5388);
  EXPECT_EQ(wireBytes(link, Direction::ToHost, 4096), 4288);
  EXPECT_EQ(wireBytes(link, Direction::ToDevice, 1048576), 1245708);
  EXPECT_EQ(wireBytes(link, Direction::ToHost, 1048576), 1097728);
  EXPECT_EQ(wireBytes(nvlink(2), Direction::ToDevice, 1048576), 1114128);
  EXPECT_EQ(wireBytes(nvlink(2), Direction::ToHost, 1048576), 1114112);
  EXPECT_EQ(wireBytes(link, Direction::OnDevice, 4096), std::nullopt);
}

TEST(Transfer, LinkBandwidths) {
  const double published[] = {4.00e9, 8.00e9, 15.754e9, 31.508e9, 63.015e9};
  for (int generation = 1; generation <= 5; ++generation)
    EXPECT_NEAR_TO(*linkBandwidth(aheadPcie(generation)), published[generation - 1], relative(5e-5));
  EXPECT_NEAR_TO(*linkBandwidth(aheadPcie(6)), 16 * 64e9 / 8 * 242 / 256, relative(1e-12));
  EXPECT_EQ(linkBandwidth(aheadPcie(7)), std::nullopt);
  EXPECT_EQ(linkBandwidth(aheadPcie(2.5)), std::nullopt);
  EXPECT_DOUBLE_EQ(*linkBandwidth(nvlink(2)), 50e9) << "Summit";
  Link c2c = aheadPcie(1);
  c2c.kind = LinkKind::C2c;
  EXPECT_EQ(linkBandwidth(c2c), std::nullopt);
  c2c.peakBandwidth = maybe(450e9);
  EXPECT_EQ(linkBandwidth(c2c), 450e9);
}

TEST(Transfer, FlitsFillMostOfNvLinkAndFlitModeNeedsNoFraming) {
  Link link = nvlink(2);
  EXPECT_NEAR_TO(1e9 / *wireBytes(link, Direction::ToHost, 1e9), 0.941, printed(3));
  Link six = llvm::cantFail(loadMachine("fx5600-pcie1")).link, five = six;
  six.pcieGeneration = maybe(6);
  five.pcieGeneration = maybe(5);
  EXPECT_EQ(*wireBytes(five, Direction::ToHost, 1280), 1280 + 10 * 24);
  EXPECT_EQ(*wireBytes(six, Direction::ToHost, 1280), 1280 + 10 * 16);
}

TEST(Transfer, PacketsByHand) {
  Machine machine = llvm::cantFail(loadMachine("fx5600-pcie1"));
  auto time = [&](TransferModel model, HostMemory memory) {
    return *modelledTime(machine, model, Direction::ToDevice, memory, 1048576);
  };
  // 24 + 512 + 16384 completions of 84 bytes, at 4 GB/s.
  EXPECT_NEAR_TO(time(TransferModel::Packets, HostMemory::Pinned), 10e-6 + (536 + 16384 * 84) / 4e9, relative(1e-12));
  EXPECT_NEAR_TO(time(TransferModel::Packets, HostMemory::Pageable),
                 9.2686e-6 + (536 + 16384 * 84) / 4e9 + 2 * 1048576 / 10.66e9, relative(1e-12));
  EXPECT_NEAR_TO(time(TransferModel::Peak, HostMemory::Pinned), 10e-6 + 1048576 / 4e9, relative(1e-12));
  EXPECT_NEAR_TO(time(TransferModel::Envelope, HostMemory::Pinned), 1048576 / 4e9, relative(1e-12));
}

/// Pageable copies at 6 GB/s through pieces of 512 KiB, which the link moves at its pinned bandwidth.
TEST(Transfer, StagedByHand) {
  Machine machine = llvm::cantFail(loadMachine("v100-pcie3"));
  auto time = [&](double bytes) {
    return *modelledTime(machine, TransferModel::Staged, Direction::ToDevice, HostMemory::Pageable, bytes);
  };
  double pinned = machine.link.pinnedH2dBandwidth;
  EXPECT_NEAR_TO(time(65536), 10e-6 + 65536 / 6e9 + 65536 / pinned, relative(1e-12));
  EXPECT_NEAR_TO(time(524288), 10e-6 + 524288 / 6e9 + 524288 / pinned, relative(1e-12));
  EXPECT_NEAR_TO(time(1 << 24), 10e-6 + (1 << 24) / 6e9 + 524288 / pinned, relative(1e-12));
  machine.link.stagingPiece.value = 65536;
  EXPECT_NEAR_TO(time(1 << 24), 10e-6 + (1 << 24) / 6e9 + 65536 / pinned, relative(1e-12));
  EXPECT_EQ(modelledTime(machine, TransferModel::Staged, Direction::ToDevice, HostMemory::Pinned, 65536), std::nullopt);
  EXPECT_EQ(whyNot(machine, TransferModel::Staged, Direction::ToDevice), "");
}

/// A host that copies faster than the link: its copies show only in the first piece, at half of its memory's bandwidth.
TEST(Transfer, StagedBehindASlowLink) {
  Machine machine = llvm::cantFail(loadMachine("v100-pcie3"));
  machine.link.pageableD2hBandwidth.value = machine.link.pinnedD2hBandwidth;
  machine.host.peakDramBandwidth = maybe(100e9);
  EXPECT_NEAR_TO(*modelledTime(machine, TransferModel::Staged, Direction::ToHost, HostMemory::Pageable, 1 << 20),
                 10e-6 + (1 << 20) / machine.link.pinnedD2hBandwidth + 524288 / 50e9, relative(1e-12));
}

/// Measured bandwidths that the packets' defaults come near to: CoCoPeLia's testbeds, van Werkhoven's GTX Titan.
TEST(Transfer, PacketsAgainstMeasuredBandwidths) {
  for (const char *name : {"gtx-titan-pcie3", "v100-pcie3", "k40-pcie2x8"}) {
    Machine machine = llvm::cantFail(loadMachine(name));
    auto error = [&](Direction direction, double bandwidth) {
      double bytes = 1 << 28,
             time = *modelledTime(machine, TransferModel::Packets, direction, HostMemory::Pinned, bytes);
      return bytes / time / bandwidth - 1;
    };
    double in = error(Direction::ToDevice, machine.link.pinnedH2dBandwidth),
           out = error(Direction::ToHost, machine.link.pinnedD2hBandwidth);
    EXPECT_GT(in, -0.035) << name;
    EXPECT_LT(in, 0.0) << name;
    EXPECT_GT(out, 0.02) << name;
    EXPECT_LT(out, 0.052) << name;
  }
}

TEST(Transfer, WhatCannotBeComputedIsSaid) {
  Machine machine = llvm::cantFail(loadMachine("fx5600-pcie1"));
  machine.link.kind = std::nullopt;
  EXPECT_EQ(modelledTime(machine, TransferModel::Packets, Direction::ToDevice, HostMemory::Pinned, 1), std::nullopt);
  EXPECT_EQ(whyNot(machine, TransferModel::Peak, Direction::ToDevice), "link.kind is not given");
  EXPECT_EQ(whyNot(machine, TransferModel::Linear, Direction::ToDevice), "");
  machine.link.kind = LinkKind::InfinityFabric;
  EXPECT_EQ(whyNot(machine, TransferModel::Envelope, Direction::ToHost),
            "link.peak_bandwidth_bytes_per_s is not known");
  machine.link.peakBandwidth = maybe(36e9);
  EXPECT_EQ(whyNot(machine, TransferModel::Packets, Direction::ToHost),
            "no packets are published for links of kind infinity-fabric");
  EXPECT_EQ(whyNot(machine, TransferModel::Packets, Direction::OnDevice),
            "a copy within the device does not use the link");
}

TEST(Transfer, MoreBytesAreNeverFasterUnderAnyModelOnAnyMachine) {
  for (const std::string &name : builtinMachineNames()) {
    Machine machine = llvm::cantFail(loadMachine(name));
    for (TransferModel model : transferModels)
      for (Direction direction : {Direction::ToDevice, Direction::ToHost, Direction::OnDevice, Direction::Peer})
        for (HostMemory memory : {HostMemory::Pinned, HostMemory::Pageable}) {
          double before = 0;
          for (double bytes = 0; bytes < 1e11; bytes = std::floor(bytes * 1.1) + 1) {
            std::optional<double> time = modelledTime(machine, model, direction, memory, bytes);
            if (!time) break;
            ASSERT_GE(*time, before) << name << " " << toString(model).str() << " " << bytes;
            before = *time;
          }
        }
  }
}

TEST(Transfer, PeakIsABound) {
  for (const std::string &name : builtinMachineNames()) {
    Machine machine = llvm::cantFail(loadMachine(name));
    for (Direction direction : {Direction::ToDevice, Direction::ToHost}) {
      auto time = [&](TransferModel model) { return modelledTime(machine, model, direction, HostMemory::Pinned, 1e8); };
      ASSERT_TRUE(time(TransferModel::Envelope)) << name;
      EXPECT_LT(*time(TransferModel::Envelope), *time(TransferModel::Linear)) << name;
      EXPECT_LT(*time(TransferModel::Envelope), *time(TransferModel::Peak)) << name;
      if (time(TransferModel::Packets)) EXPECT_LT(*time(TransferModel::Peak), *time(TransferModel::Packets)) << name;
    }
  }
}

//===--- Measured sweeps --------------------------------------------------===//

/// A machine whose file leaves the pinned numbers to a sweep h2d: 5 us + bytes / 10 GB/s, twice as long while the
/// reverse direction is busy.
Machine sweptMachine() {
  llvm::json::Value json = toJson(llvm::cantFail(loadMachine("fx5600-pcie1")));
  llvm::json::Object &link = *json.getAsObject()->getObject("link");
  link.erase("pinned_h2d_latency_s");
  link.erase("pinned_h2d_bandwidth_bytes_per_s");
  llvm::json::Array curves;
  for (bool busy : {false, true}) {
    llvm::json::Array points;
    for (double bytes = 1024; bytes <= 64 << 20; bytes *= 4)
      points.push_back(llvm::json::Array{bytes, (5e-6 + bytes / 10e9) * (busy ? 2 : 1)});
    llvm::json::Object curve{{"direction", "h2d"},
                             {"memory", "pinned"},
                             {"kind", "measured"},
                             {"source", "a test"},
                             {"points", std::move(points)}};
    if (busy) curve["while_reverse_busy"] = true;
    curves.push_back(std::move(curve));
  }
  link["measured"] = std::move(curves);
  return llvm::cantFail(parseMachine(llvm::formatv("{0}", json).str(), "m.json"));
}

TEST(Transfer, SweepsAreFittedAndUsed) {
  Machine machine = sweptMachine();
  EXPECT_NEAR_TO(machine.link.pinnedH2dLatency, 5e-6, relative(1e-6));
  EXPECT_NEAR_TO(machine.link.pinnedH2dBandwidth, 10e9, relative(1e-6));
  EXPECT_TRUE(machine.link.pinnedH2dLatency.isDefault);
  EXPECT_NEAR_TO(*machine.link.slowdownH2d, 2, relative(1e-6));
  EXPECT_NEAR_TO(transferTime(machine.link, Direction::ToDevice, HostMemory::Pinned, 3e6), 5e-6 + 3e6 / 10e9,
                 relative(1e-9));
  EXPECT_NEAR_TO(busyTransferTime(machine.link, Direction::ToDevice, HostMemory::Pinned, 3e6), 2 * (5e-6 + 3e6 / 10e9),
                 relative(1e-9));
  EXPECT_NEAR_TO(logGP(machine.link, Direction::ToDevice, HostMemory::Pinned).gapPerByte, 1 / 10e9, relative(1e-6));
  EXPECT_EQ(transferTime(machine.link, Direction::ToDevice, HostMemory::Pinned, 3e6, 0), 0);
  EXPECT_NEAR_TO(transferTime(machine.link, Direction::ToDevice, HostMemory::Pinned, 3e6, 3), 15e-6 + 3e6 / 10e9,
                 relative(1e-9));
  // What was fitted is not written as if it stood in the file.
  EXPECT_FALSE(toJson(machine).getAsObject()->getObject("link")->get("pinned_h2d_latency_s"));
}

/// GROPHECY++, Figures 2 and 3: pageable memory is faster only to the device, below 2 KB.
TEST(Transfer, PageableIsFasterBelowTwoKilobytesToTheDeviceAlone) {
  Machine machine = llvm::cantFail(loadMachine("fx5600-pcie1"));
  EXPECT_LT(pinningPays(machine, Direction::ToDevice, 1900).savedPerCopy, 0);
  EXPECT_EQ(pinningPays(machine, Direction::ToDevice, 1900).repetitions, std::nullopt);
  EXPECT_GT(pinningPays(machine, Direction::ToDevice, 2200).savedPerCopy, 0);
  EXPECT_GT(pinningPays(machine, Direction::ToHost, 100).savedPerCopy, 0);
}

TEST(Transfer, PinningPaysAfterSoManyCopies) {
  Machine machine = llvm::cantFail(loadMachine("fx5600-pcie1"));
  machine.gpu.allocation = given(1e-4);
  machine.gpu.pinning = given(2.5e-10);
  Pinning pinning = pinningPays(machine, Direction::ToDevice, 28e6);
  EXPECT_NEAR_TO(pinning.pinningTime, 1e-4 + 7e-3, relative(1e-12));
  EXPECT_NEAR_TO(pinning.savedPerCopy, 28e6 / 1.4e9 - 28e6 / 2.8e9, relative(1e-4)) << "10 ms";
  EXPECT_EQ(pinning.repetitions, 1);
  machine.gpu.pinning = given(25e-10);
  EXPECT_EQ(pinningPays(machine, Direction::ToDevice, 28e6).repetitions, 8) << "70.1 ms";
  machine.link.pageableH2dBandwidth = given(2.8e9);
  EXPECT_EQ(pinningPays(machine, Direction::ToDevice, 28e6).repetitions, std::nullopt);
}

} // namespace
