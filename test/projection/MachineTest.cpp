//===- test/projection/MachineTest.cpp - Machine files and what is wrong with them ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Machine.h"
#include "Near.h"
#include "projection/Link.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

using namespace busfare::projection;
using busfare::test::relative;

namespace {

std::string textOf(llvm::StringRef name) {
  auto machine = loadMachine(name);
  if (!machine) {
    ADD_FAILURE() << llvm::toString(machine.takeError());
    return "";
  }
  return llvm::formatv("{0:2}", toJson(*machine)).str();
}

std::string errorOf(llvm::StringRef text) {
  auto machine = parseMachine(text, "m.json");
  if (machine) return "";
  return llvm::toString(machine.takeError());
}

std::string replaced(std::string text, llvm::StringRef from, llvm::StringRef to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from.str();
  return text.replace(at, from.size(), to);
}

TEST(Machine, BuiltinOnesAreThereAndEveryNumberHasASource) {
  for (const std::string &name : builtinMachineNames()) {
    auto machine = loadMachine(name);
    ASSERT_TRUE(bool(machine)) << llvm::toString(machine.takeError());
    EXPECT_EQ(machine->name, name);
    llvm::json::Value json = toJson(*machine);
    for (const char *part : {"host", "link", "gpu", "errors"})
      for (const auto &entry : *json.getAsObject()->getObject(part))
        if (const auto *quantity = entry.second.getAsObject()) {
          EXPECT_FALSE(quantity->getString("source")->empty()) << name << " " << entry.first.str();
        }
  }
}

/// A slip of a unit is a thousand or a million: no number of any machine is that far from what such machines have.
TEST(Machine, BuiltinNumbersHaveTheRightUnits) {
  for (const std::string &name : builtinMachineNames()) {
    SCOPED_TRACE(name);
    Machine m = llvm::cantFail(loadMachine(name));
    auto within = [](const Quantity &quantity, double least, double most) {
      EXPECT_TRUE(quantity >= least && quantity <= most) << quantity.value;
    };
    for (const Quantity *clock : {&m.host.clock, &m.gpu.clock}) within(*clock, 0.5e9, 5e9);
    for (const Quantity *bandwidth : {&m.link.pinnedH2dBandwidth, &m.link.pinnedD2hBandwidth,
                                      &m.link.pageableH2dBandwidth, &m.link.pageableD2hBandwidth})
      within(*bandwidth, 1e9, 3e12);
    for (const Quantity *latency : {&m.link.pinnedH2dLatency, &m.link.pinnedD2hLatency, &m.link.pageableH2dLatency,
                                    &m.link.pageableD2hLatency, &m.gpu.launchLatency})
      within(*latency, 0.5e-6, 50e-6);
    within(m.gpu.dramLatency, 0.2e-6, 2e-6);
    within(m.host.forkJoin, 0.2e-6, 100e-6);
    // What is reached is no more than the peak, and at least a third of it.
    if (m.gpu.peakDramBandwidth) within(m.gpu.dramBandwidth, *m.gpu.peakDramBandwidth / 3, *m.gpu.peakDramBandwidth);
    if (m.host.peakDramBandwidth && m.link.kind != LinkKind::Unified)
      within(m.host.dramBandwidth, *m.host.peakDramBandwidth / 3, *m.host.peakDramBandwidth);
    if (std::optional<double> peak = linkBandwidth(m.link))
      for (const Quantity *bandwidth : {&m.link.pinnedH2dBandwidth, &m.link.pinnedD2hBandwidth})
        within(*bandwidth, *peak / 3, *peak);
    // Nearer caches are faster, and smaller.
    EXPECT_LT(m.host.l1Bytes, m.host.l2Bytes);
    EXPECT_LT(m.host.l2Bytes, m.host.lastLevelBytes);
    EXPECT_GE(m.host.l2Bandwidth, m.host.lastLevelBandwidth);
    EXPECT_GT(m.gpu.l2Bandwidth, m.gpu.dramBandwidth);
    // A core's own cache: no core takes more than two lines of 64 B a cycle, at twice the clock that is given.
    within(m.host.l2Bandwidth, 4 * m.host.clock, 2 * 128 * m.host.clock);
    EXPECT_LE(m.gpu.fp64PerCycle, m.gpu.fp32PerCycle);
  }
}

/// Peaks that datasheets print, in TFLOP/s, double and single precision, against clock, units and multiprocessors.
TEST(Machine, PeaksOfDatasheets) {
  const std::tuple<const char *, double, double> peaks[] = {
      {"c2050-pcie2", 0.515, 1.03},     {"gtx680-pcie2", 0.135, 3.25},
      {"gtx-titan-pcie3", 1.57, 4.71},  {"k20-pcie2", 1.17, 3.52},
      {"titan-k20x-pcie2", 1.31, 3.94}, {"p100-pcie3", 4.76, 9.53},
      {"v100-pcie3", 7.07, 14.13},      {"summit-v100-nvlink2", 7.83, 15.67},
      {"a100-pcie4", 9.75, 19.49},      {"h100-pcie5", 25.6, 51.2},
      {"h100-sxm5", 33.5, 66.9},        {"h200-pcie5", 33.5, 66.9},
      {"l40s-pcie4", 1.43, 91.6},       {"b200", 37.2, 74.5},
      {"mi210-pcie4", 22.6, 22.6},      {"mi250x-if", 23.9, 23.9},
      {"mi300a", 61.3, 122.6}};
  for (const auto &[name, fp64, fp32] : peaks) {
    Machine m = llvm::cantFail(loadMachine(name));
    double each = 2e-12 * m.gpu.multiprocessors * m.gpu.clock;
    EXPECT_NEAR_TO(each * m.gpu.fp64PerCycle, fp64, relative(0.01)) << name;
    EXPECT_NEAR_TO(each * m.gpu.fp32PerCycle, fp32, relative(0.01)) << name;
  }
}

/// Out of the box, transfers of these machines follow what was measured on such hardware.
TEST(Machine, SomeHaveSweeps) {
  for (const char *name : {"v100-32gb-pcie3", "ac922-v100-nvlink2"}) {
    Machine m = llvm::cantFail(loadMachine(name));
    for (Direction direction : {Direction::ToDevice, Direction::ToHost}) {
      const TransferCurve *curve = findCurve(m.link, direction, HostMemory::Pinned);
      ASSERT_TRUE(curve) << name;
      EXPECT_GE(curve->points.size(), 20u);
      for (const TransferPoint &point : curve->rising)
        EXPECT_NEAR_TO(transferTime(m.link, direction, HostMemory::Pinned, point.bytes), point.time, relative(1e-9))
            << name << " " << point.bytes;
    }
  }
}

TEST(Machine, TextIsReadBack) {
  for (const std::string &name : builtinMachineNames()) {
    std::string text = textOf(name);
    auto again = parseMachine(text, "m.json");
    ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
    EXPECT_EQ(llvm::formatv("{0:2}", toJson(*again)).str(), text);
  }
}

TEST(Machine, PublishedParameters) {
  auto fx = loadMachine("fx5600-pcie1");
  ASSERT_TRUE(bool(fx));
  EXPECT_DOUBLE_EQ(fx->link.pinnedH2dLatency, 10e-6);
  EXPECT_DOUBLE_EQ(fx->link.pinnedD2hBandwidth, 2.8e9);
  EXPECT_DOUBLE_EQ(fx->gpu.multiprocessors, 16);
}

TEST(Machine, ErrorsNameThePlace) {
  std::string text = textOf("fx5600-pcie1");
  EXPECT_NE(errorOf("{").find("m.json: not JSON"), std::string::npos);
  EXPECT_EQ(errorOf("[]"), "m.json: machine: expected an object, found []");
  EXPECT_NE(errorOf("{}").find("m.json: name: missing"), std::string::npos);
  EXPECT_EQ(errorOf(replaced(text, "\"multiprocessors\"", "\"processors\"")),
            "m.json: gpu.multiprocessors: missing\n"
            "m.json: gpu.processors: no such number; 'busfare machines a100-pcie4' shows all there are");
}

TEST(Machine, NumbersMustBePossible) {
  llvm::json::Value json = toJson(llvm::cantFail(loadMachine("fx5600-pcie1")));
  auto with = [&](llvm::json::Value value) {
    llvm::json::Value copy = json;
    (*(*copy.getAsObject()->getObject("gpu")).getObject("dram_bandwidth_bytes_per_s"))["value"] = std::move(value);
    return errorOf(llvm::formatv("{0}", copy).str());
  };
  EXPECT_EQ(with(-3), "m.json: gpu.dram_bandwidth_bytes_per_s: expected a positive number, found -3");
  EXPECT_EQ(with(0), "m.json: gpu.dram_bandwidth_bytes_per_s: expected a positive number, found 0");
  EXPECT_EQ(with("fast"), "m.json: gpu.dram_bandwidth_bytes_per_s: expected a positive number, found \"fast\"");
  EXPECT_EQ(with(6e10), "");
}

/// The text of a machine with one entry of a part replaced, or added.
std::string with(llvm::StringRef name, llvm::StringRef part, llvm::StringRef key, llvm::json::Value value) {
  llvm::json::Value json = toJson(llvm::cantFail(loadMachine(name)));
  (*json.getAsObject()->getObject(part))[llvm::json::ObjectKey(key.str())] = std::move(value);
  return llvm::formatv("{0}", json).str();
}

const Gap *findGap(const std::vector<Gap> &gaps, llvm::StringRef key) {
  for (const Gap &gap : gaps)
    if (gap.key == key) return &gap;
  return nullptr;
}

TEST(Machine, UnknownIsAbsentAndSaid) {
  llvm::json::Value unknown = llvm::json::Object{{"kind", "unknown"}, {"source", "two datasheets"}};
  auto machine = parseMachine(with("fx5600-pcie1", "link", "gap_h2d_s", unknown), "m.json");
  ASSERT_TRUE(bool(machine)) << llvm::toString(machine.takeError());
  EXPECT_FALSE(bool(machine->link.gapH2d));
  std::vector<Gap> gaps = gapsOf(*machine);
  const Gap *gap = findGap(gaps, "link.gap_h2d_s");
  ASSERT_TRUE(gap);
  EXPECT_EQ(gap->searched, "two datasheets");
  EXPECT_NE(gap->consequence.find("pinned_h2d_latency_s"), std::string::npos);
  // What is needed for every projection cannot be unknown, and unknown has no value.
  EXPECT_EQ(errorOf(with("fx5600-pcie1", "gpu", "dram_bytes", unknown)),
            "m.json: gpu.dram_bytes: unknown, but nothing can be projected without it; assume a number and say why");
  EXPECT_EQ(errorOf(with("fx5600-pcie1", "link", "gap_h2d_s",
                         llvm::json::Object{{"kind", "unknown"}, {"source", "x"}, {"value", 1}})),
            "m.json: link.gap_h2d_s: is unknown, yet has a value, 1");
  EXPECT_EQ(errorOf(with("fx5600-pcie1", "link", "gap_h2d_s", llvm::json::Object{{"kind", "unknown"}, {"source", ""}})),
            "m.json: link.gap_h2d_s.source: expected where it was looked for, found \"\"");
}

TEST(Machine, DefaultsAreSaidAndDoNotCoverWhatIsGiven) {
  auto machine = parseMachine(
      with("fx5600-pcie1", "link", "max_payload_bytes", llvm::json::Object{{"kind", "unknown"}, {"source", "lspci"}}),
      "m.json");
  ASSERT_TRUE(bool(machine)) << llvm::toString(machine.takeError());
  EXPECT_EQ(machine->link.maxPayload, 128);
  EXPECT_TRUE(machine->link.maxPayload.isDefault);
  std::vector<Gap> gaps = gapsOf(*machine);
  const Gap *gap = findGap(gaps, "link.max_payload_bytes");
  ASSERT_TRUE(gap);
  EXPECT_NE(gap->consequence.find("128 is taken"), std::string::npos) << gap->consequence;
  EXPECT_EQ(gap->searched, "lspci");
  auto given = parseMachine(with("fx5600-pcie1", "link", "max_payload_bytes",
                                 llvm::json::Object{{"value", 256}, {"kind", "measured"}, {"source", "lspci"}}),
                            "m.json");
  ASSERT_TRUE(bool(given));
  EXPECT_EQ(given->link.maxPayload, 256);
  EXPECT_FALSE(findGap(gapsOf(*given), "link.max_payload_bytes"));
}

TEST(Machine, WhatConcernsOtherLinksIsNoGap) {
  auto nvlink = parseMachine(with("fx5600-pcie1", "link", "kind", "nvlink"), "m.json");
  ASSERT_TRUE(bool(nvlink));
  EXPECT_FALSE(findGap(gapsOf(*nvlink), "link.pcie_generation"));
  EXPECT_TRUE(findGap(gapsOf(*nvlink), "link.flit_bytes"));
  EXPECT_TRUE(findGap(gapsOf(*nvlink), "link.lane_rate_bits_per_s"));
  EXPECT_EQ(errorOf(with("fx5600-pcie1", "link", "kind", "agp")),
            "m.json: link.kind: expected pcie, nvlink, c2c, infinity-fabric or unified, found \"agp\"");
}

llvm::json::Value sweep(llvm::json::Array points) {
  return llvm::json::Array{llvm::json::Object{{"direction", "h2d"},
                                              {"memory", "pageable"},
                                              {"kind", "measured"},
                                              {"source", "a test"},
                                              {"points", std::move(points)}}};
}

TEST(Machine, MeasuredTransfersAreReadAndWritten) {
  using llvm::json::Array;
  std::string text = with("fx5600-pcie1", "link", "measured", sweep(Array{Array{1024, 3e-6}, Array{1048576, 9e-5}}));
  auto machine = parseMachine(text, "m.json");
  ASSERT_TRUE(bool(machine)) << llvm::toString(machine.takeError());
  ASSERT_EQ(machine->link.measured.size(), 1u);
  EXPECT_EQ(machine->link.measured[0].memory, HostMemory::Pageable);
  EXPECT_EQ(machine->link.measured[0].points[1].bytes, 1048576);
  EXPECT_EQ(llvm::formatv("{0}", toJson(*machine)).str(), text);
  auto wrong = [&](llvm::json::Value value) {
    return errorOf(with("fx5600-pcie1", "link", "measured", std::move(value)));
  };
  EXPECT_EQ(wrong(sweep(Array{Array{1024, 3e-6}, Array{2048, -1}})),
            "m.json: link.measured[0].points[1]: expected [bytes, seconds], found [2048,-1]\n"
            "m.json: link.measured[0].points: expected two sizes or more, found 1");
  EXPECT_EQ(wrong("fast"), "m.json: link.measured: expected a list, found \"fast\"");
  EXPECT_NE(wrong(Array{llvm::json::Object{}}).find("m.json: link.measured[0].direction: missing"), std::string::npos);
}

TEST(Machine, NetworkIsAllOrNothing) {
  std::string text = textOf("fx5600-pcie1");
  std::string error = errorOf(replaced(text, "\"errors\":", "\"network\": {\"name\": \"wire\"},\n  \"errors\":"));
  EXPECT_NE(error.find("m.json: network.latency_s: missing\n"), std::string::npos) << error;
  EXPECT_NE(error.find("m.json: network.launch_s: missing"), std::string::npos) << error;
  EXPECT_TRUE(findGap(gapsOf(llvm::cantFail(loadMachine("fx5600-pcie1"))), "network"));
}

TEST(Machine, PeersAreReadAndWritten) {
  auto textWith = [](const std::string &peer) {
    return replaced(textOf("fx5600-pcie1"), "\"errors\":", "\"peer\": " + peer + ",\n  \"errors\":");
  };
  const std::string curve =
      R"("measured": [{"kind": "measured", "source": "a test", "points": [[1024, 3e-6], [1048576, 9e-5]]}])";
  auto machine = parseMachine(textWith(R"({"name": "bridge", "kind": "nvlink", )" + curve + "}"), "m.json");
  ASSERT_TRUE(bool(machine)) << llvm::toString(machine.takeError());
  ASSERT_TRUE(machine->peer);
  EXPECT_EQ(machine->peer->kind, PeerKind::NvLink);
  EXPECT_EQ(machine->peer->measured.at(0).direction, Direction::Peer);
  EXPECT_TRUE(machine->peer->latency.isDefault) << "left to the sweep";
  auto again = parseMachine(llvm::formatv("{0}", toJson(*machine)).str(), "m.json");
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(llvm::formatv("{0}", toJson(*again)).str(), llvm::formatv("{0}", toJson(*machine)).str());
  EXPECT_TRUE(findGap(gapsOf(*machine), "peer.slowdown"));
  EXPECT_TRUE(findGap(gapsOf(llvm::cantFail(loadMachine("fx5600-pcie1"))), "peer"));
  EXPECT_EQ(errorOf(textWith(R"({"name": "bridge"})")), "m.json: peer.kind: missing\nm.json: peer.latency_s: missing\n"
                                                        "m.json: peer.bandwidth_bytes_per_s: missing");
  EXPECT_EQ(errorOf(textWith(R"({"name": "bridge", "kind": "ethernet", )" + curve + "}")),
            "m.json: peer.kind: expected pcie, nvlink, nvswitch or infinity-fabric, found \"ethernet\"");
  EXPECT_EQ(errorOf(textWith(R"({"name": "bridge", "kind": "pcie", "links": 3, )" + curve + "}")),
            "m.json: peer.links: no such number; 'busfare machines a100-pcie4' shows all there are");
  const std::string withDirection = replaced(curve, "{\"kind\"", "{\"direction\": \"h2d\", \"kind\"");
  EXPECT_NE(
      errorOf(textWith(R"({"name": "bridge", "kind": "pcie", )" + withDirection + "}"))
          .find("m.json: peer.measured[0].direction: not known; there are while_reverse_busy, kind, source, points"),
      std::string::npos);
}

TEST(Machine, TilesAreReadAndWritten) {
  Machine machine = llvm::cantFail(loadMachine("v100-pcie3"));
  EXPECT_TRUE(machine.tiles.empty());
  machine.tiles.push_back({"dgemm", SourceKind::Measured, "a run", {{1024, 4.5e-4}, {2048, 2.5e-3}}});
  std::string text = llvm::formatv("{0:2}", toJson(machine)).str();
  Machine again = llvm::cantFail(parseMachine(text, "m.json"));
  ASSERT_EQ(again.tiles.size(), 1u);
  EXPECT_EQ(again.tiles[0].routine, "dgemm");
  ASSERT_EQ(again.tiles[0].points.size(), 2u);
  EXPECT_EQ(again.tiles[0].points[1].tile, 2048);
  EXPECT_EQ(again.tiles[0].points[1].time, 2.5e-3);
  auto errorOfTiles = [&](const char *tiles) {
    llvm::json::Value value = toJson(machine);
    (*value.getAsObject())["blas_tiles"] = llvm::cantFail(llvm::json::parse(tiles));
    llvm::Expected<Machine> read = parseMachine(llvm::formatv("{0}", value).str(), "m.json");
    return read ? std::string() : llvm::toString(read.takeError());
  };
  EXPECT_EQ(errorOfTiles("3"), "m.json: blas_tiles: expected a list, found 3");
  EXPECT_EQ(errorOfTiles(R"([{"routine": "dgemm", "kind": "measured", "source": "a run", "points": [[1.5, 1]]}])"),
            "m.json: blas_tiles[0].points[0]: expected [tile, seconds], found [1.5,1]");
  EXPECT_EQ(errorOfTiles(R"([{"kind": "guessed", "source": "a run", "points": [[2, 1]]}])"),
            "m.json: blas_tiles[0].routine: expected text, found nothing");
}

TEST(Machine, UnknownNameListsThose) {
  auto machine = loadMachine("v100");
  ASSERT_FALSE(bool(machine));
  std::string message = llvm::toString(machine.takeError());
  EXPECT_NE(message.find("a100-pcie4, "), std::string::npos) << message;
  auto missing = loadMachine("no/such.json");
  ASSERT_FALSE(bool(missing));
  EXPECT_NE(llvm::toString(missing.takeError()).find("no/such.json: "), std::string::npos);
}

} // namespace
