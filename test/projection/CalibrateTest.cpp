//===- test/projection/CalibrateTest.cpp - Machine files from measurements ===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tables as busfare-bench writes them, with round figures, and what becomes of each.
//
//===----------------------------------------------------------------------===//

#include "projection/Calibrate.h"
#include "Near.h"
#include "projection/Link.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace busfare::projection;
using busfare::test::relative;

namespace {

const char *const columns =
    "test,direction,memory,bytes,pieces,repeats,min_s,mean_s,median_s,stddev_s,bandwidth_GBps\n";

std::string hostTable() {
  return std::string(
             "# busfare-bench host 1\n# processor: A Processor 1\n# cores: 8\n# threads: 16\n# vector_bytes: 32\n# fused: 1\n"
             "# l1_bytes: 32768\n# l2_bytes: 0\n# last_level_bytes: 16777216\n") +
         columns +
         "clock,,,100,1,5,2.5e-10,2.6e-10,2.6e-10,1e-12,\n"   // 4 GHz
         "fma,,,100,1,5,1.6e-11,1.7e-11,1.7e-11,1e-13,\n"     // 62.5 GFLOP/s: 15.6 a cycle, two pipes of 4 lanes of 2
         "fma,,,100,16,5,2.1e-12,2.2e-12,2.2e-12,1e-13,\n"
         "divide,,,100,1,5,1e-9,1.1e-9,1.1e-9,2e-10,\n"       // 4 cycles
         "special,,,100,1,5,5e-9,5e-9,5e-9,0,\n"              // 20 cycles
         "read,,l1,16384,1,5,6.4e-8,6.5e-8,6.5e-8,1e-9,256\n" // 64 B a cycle: two vectors
         "read,,l2,100000,1,5,9e-7,1e-6,1e-6,1e-9,100\n"
         "read,,last_level,400000,1,5,9e-6,1e-5,1e-5,1e-9,40\n"
         "triad,,dram,1000000000,1,5,9e-2,1e-1,1e-1,1e-3,10\n"
         "copy,,dram,1000000000,1,5,9e-2,1e-1,1e-1,1e-3,10\n"
         "triad,,dram,1000000000,16,5,1.9e-2,2e-2,2e-2,1e-3,50\n"
         "fork,,,0,16,5,1e-6,2e-6,2e-6,5e-7,\n";
}

/// Minimum, mean and median.
std::string thrice(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.12e", seconds);
  return std::string(text) + "," + text + "," + text;
}

std::string linkTable() {
  std::string text =
      std::string(
          "# busfare-bench link 1\n# device: A Device, compute capability 8.0, 108 SMs at up to 1410 MHz\n# driver: CUDA 13\n") +
      columns + "empty_sync,,,0,1,5,1e-6,1e-6,1e-6,0,\nlaunch_sync,,,0,1,5,4e-6,5e-6,5e-6,0,\n";
  for (double bytes : {1.0, 1e6, 5e8})
    for (const char *way : {"h2d,pinned", "d2h,pinned", "h2d,pageable", "d2h,pageable"})
      text += std::string("copy,") + way + "," + std::to_string(uint64_t(bytes)) + ",1,5," +
              thrice(5e-6 + bytes / 20e9) + ",0,1\n";
  for (int pieces : {1, 5})
    text +=
        "split,h2d,pinned,1000000," + std::to_string(pieces) + ",5," + thrice(60e-6 + (pieces - 1) * 2e-6) + ",0,1\n";
  return text + "device_triad,,device,1000000,1,5,1e-6,1e-6,1e-6,0,3000\n" +
         "device_triad,,device,100000000,1,5,2e-4,2e-4,2e-4,0,1500\n";
}

Calibration calibrated(std::vector<std::string> texts) {
  std::vector<ProbeTable> tables;
  for (const std::string &text : texts) tables.push_back(llvm::cantFail(readProbe(text, "t.csv")));
  return llvm::cantFail(calibrate(llvm::cantFail(loadMachine("a100-pcie4")), tables, "mine", "a run"));
}

TEST(Calibrate, TheHostsNumbers) {
  Calibration result = calibrated({hostTable()});
  const Host &host = result.machine.host;
  EXPECT_EQ(result.machine.name, "mine");
  EXPECT_EQ(host.name, "A Processor 1");
  EXPECT_EQ(host.cores, 8);
  EXPECT_EQ(host.threads, 16);
  EXPECT_EQ(host.simdBytes, 32);
  EXPECT_EQ(host.fusedMultiplyAdd, 1);
  EXPECT_NEAR_TO(host.clock, 4e9, relative(1e-12));
  EXPECT_EQ(host.vectorPipes, 2);
  EXPECT_EQ(host.loadsPerCycle, 2);
  EXPECT_NEAR_TO(host.divideCycles, 4, relative(1e-12));
  EXPECT_NEAR_TO(host.specialCycles, 20, relative(1e-12));
  EXPECT_EQ(host.l1Bytes, 32768);
  EXPECT_NEAR_TO(host.l2Bandwidth, 100e9, relative(1e-12));
  EXPECT_NEAR_TO(host.lastLevelBandwidth, 40e9, relative(1e-12));
  EXPECT_NEAR_TO(host.dramBandwidth, 50e9, relative(1e-12)) << "all threads";
  EXPECT_NEAR_TO(host.dramBandwidthCore, 10e9, relative(1e-12)) << "one";
  EXPECT_NEAR_TO(host.forkJoin, 2e-6, relative(1e-12));
  EXPECT_EQ(host.clock.kind, SourceKind::Measured);
  EXPECT_EQ(host.clock.source, "a run: a chain of additions, one a cycle");
  EXPECT_EQ(host.vectorPipes.kind, SourceKind::Derived);
  EXPECT_FALSE(host.peakDramBandwidth) << "that of another machine says nothing";
}

TEST(Calibrate, WhatIsNotMeasuredStays) {
  Machine like = llvm::cantFail(loadMachine("a100-pcie4"));
  Calibration result = calibrated({hostTable()});
  EXPECT_EQ(result.machine.host.l2Bytes, like.host.l2Bytes) << "the kernel does not say it";
  EXPECT_EQ(result.machine.host.l2Bytes.source, like.host.l2Bytes.source);
  EXPECT_EQ(result.machine.link.pinnedH2dBandwidth, like.link.pinnedH2dBandwidth);
  EXPECT_EQ(result.machine.gpu.name, like.gpu.name);
  EXPECT_EQ(result.machine.description, "A Processor 1 with A100 PCIe 40GB: host measured, link and GPU as a100-pcie4");
}

TEST(Calibrate, TheLinksNumbers) {
  Calibration result = calibrated({hostTable(), linkTable()});
  const Machine &machine = result.machine;
  EXPECT_EQ(machine.gpu.name, "A Device");
  // GROPHECY++: alpha = t(1 byte), beta = t(largest) / largest.
  EXPECT_NEAR_TO(machine.link.pinnedH2dLatency, 5e-6 + 1 / 20e9, relative(1e-9));
  EXPECT_NEAR_TO(machine.link.pageableD2hBandwidth, 5e8 / (5e-6 + 5e8 / 20e9), relative(1e-9));
  ASSERT_TRUE(machine.link.gapH2d);
  EXPECT_NEAR_TO(*machine.link.gapH2d, 2e-6, relative(1e-6));
  EXPECT_FALSE(machine.link.gapD2h) << "nothing was split that way";
  EXPECT_NEAR_TO(machine.gpu.launchLatency, 5e-6, relative(1e-12));
  EXPECT_NEAR_TO(machine.gpu.dramBandwidth, 3e8 / 2e-4, relative(1e-12)) << "the largest, not what L2 holds";
  EXPECT_EQ(machine.link.measured.size(), 4u);
  ASSERT_TRUE(findCurve(machine.link, Direction::ToHost, HostMemory::Pageable));
  EXPECT_NEAR_TO(transferTime(machine.link, Direction::ToDevice, HostMemory::Pinned, 1e6), 5e-6 + 1e6 / 20e9,
                 relative(1e-6));
}

TEST(Calibrate, WhatTheDriverAndTheSystemSay) {
  std::string table = linkTable();
  const std::string driver = "# driver: CUDA 13\n";
  table.insert(table.find(driver),
               "# memory: 40000000000 bytes, 5120-bit bus at 1215 MHz, L2 41943040 bytes\n"
               "# link: PCI 0000:00:06.0, 2.5 GT/s PCIe now of 16.0 GT/s PCIe, width 8 of 16, 3 copy engines\n");
  const Machine machine = calibrated({table}).machine;
  EXPECT_EQ(machine.gpu.multiprocessors, 108);
  EXPECT_EQ(machine.gpu.clock, 1410e6);
  EXPECT_EQ(machine.gpu.dramBytes, 4e10);
  EXPECT_EQ(machine.gpu.l2Bytes, 41943040);
  ASSERT_TRUE(machine.gpu.peakDramBandwidth);
  EXPECT_NEAR_TO(*machine.gpu.peakDramBandwidth, 1555.2e9, relative(1e-12)) << "what NVIDIA prints of an A100 40 GB";
  ASSERT_TRUE(machine.link.pcieGeneration && machine.link.lanes);
  EXPECT_EQ(*machine.link.pcieGeneration, 4) << "an idle link is slower";
  EXPECT_EQ(*machine.link.lanes, 16);
  EXPECT_EQ(machine.link.name, "PCIe 4 x16");
}

TEST(Calibrate, BusyLinksAndTheMemorysLatency) {
  const Machine machine = calibrated({linkTable() + "copy_alone,h2d,pinned,500000000,1,5," + thrice(0.02) + ",0,1\n" +
                                      "copy_busy,h2d,pinned,500000000,1,5," + thrice(0.025) + ",0,1\n" +
                                      "copy_busy,d2h,pinned,500000000,1,5," + thrice(0.025) + ",0,1\n" +
                                      "device_chase,,device,1000000,100,5," + thrice(2e-7) + ",0,\n" +
                                      "device_chase,,device,500000000,100,5," + thrice(4e-7) + ",0,\n"})
                              .machine;
  ASSERT_TRUE(machine.link.slowdownH2d);
  EXPECT_NEAR_TO(*machine.link.slowdownH2d, 1.25, relative(1e-9));
  EXPECT_EQ(machine.link.slowdownD2h.value(), llvm::cantFail(loadMachine("a100-pcie4")).link.slowdownD2h.value())
      << "nothing to hold it against";
  EXPECT_NEAR_TO(machine.gpu.dramLatency, 4e-7, relative(1e-9)) << "not L2's";
}

TEST(Calibrate, StartAndTiles) {
  const std::string device = "# device: A Device, compute capability 8.0, 108 SMs at up to 1410 MHz\n";
  const Machine machine =
      calibrated({"# busfare-bench start 1\n" + device + columns + "driver,,,0,1,1," + thrice(0.2) + ",0,\n" +
                      "context,,,0,1,1," + thrice(0.1) + ",0,\n" + "device_alloc,,device,4096,1,5," + thrice(5e-5) +
                      ",0,\n" + "device_alloc,,device,100000000,1,5," + thrice(2e-4) + ",0,\n" +
                      "host_register,,pinned,100000000,1,5," + thrice(4e-3) + ",0,\n",
                  "# busfare-bench tiles 1\n" + device + columns + "dgemm,,device,524288,256,5," + thrice(2e-5) +
                      ",0,\n" + "dgemm,,device,2097152,512,5," + thrice(3e-5) + ",0,\n" +
                      "daxpy,,device,524288,65536,5," + thrice(1e-5) + ",0,\n"})
          .machine;
  EXPECT_NEAR_TO(machine.gpu.contextStart, 0.3, relative(1e-9));
  EXPECT_NEAR_TO(machine.gpu.allocation, 2e-4, relative(1e-9));
  EXPECT_NEAR_TO(machine.gpu.pinning, 4e-11, relative(1e-9));
  ASSERT_EQ(machine.tiles.size(), 2u);
  EXPECT_EQ(machine.tiles[0].routine, "daxpy");
  ASSERT_EQ(machine.tiles[1].points.size(), 2u);
}

/// What comes out is a machine file that can be read.
TEST(Calibrate, TheResultIsAMachineFile) {
  Calibration result = calibrated({hostTable(), linkTable()});
  std::string text = llvm::formatv("{0:2}", toJson(result.machine)).str();
  llvm::Expected<Machine> again = parseMachine(text, "mine.json");
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(again->host.clock, result.machine.host.clock);
  EXPECT_EQ(again->link.measured.size(), 4u);
  EXPECT_EQ(again->gpu.launchLatency.kind, SourceKind::Measured);
}

TEST(Calibrate, TheNoiseIsSaid) {
  Calibration result = calibrated({hostTable()});
  EXPECT_NEAR_TO(result.worstNoise, 5e-7 / 2e-6, relative(1e-9));
  EXPECT_EQ(result.noisiest, "fork");
  EXPECT_GT(result.noise, 0);
  EXPECT_LT(result.noise, result.worstNoise);
}

TEST(Calibrate, WhatIsWrongWithATable) {
  auto message = [](const std::string &text) {
    llvm::Expected<ProbeTable> table = readProbe(text, "t.csv");
    return table ? std::string("none") : llvm::toString(table.takeError());
  };
  EXPECT_EQ(message("a,b\n"), "t.csv:1: expected the names of the columns (test,direction,memory,...), found 'a,b'");
  EXPECT_EQ(message(columns),
            "t.csv:1: expected a table of busfare-bench, which begins with '# busfare-bench', found none");
  EXPECT_EQ(message("# busfare-bench fly 1\n"),
            "t.csv:1: expected a table of host, link, start or tiles, found 'fly 1'");
  std::string head = std::string("# busfare-bench host 1\n") + columns;
  EXPECT_EQ(message(head + "clock,1,2\n"), "t.csv:3: expected 11 columns, found 3");
  EXPECT_EQ(message(head + "clock,,,x,1,5,1,1,1,0,\n"), "t.csv:3: expected a number in column 4, found 'x'");
  EXPECT_EQ(message(head + "clock,,,1,1,5,0,1,1,0,\n"),
            "t.csv:3: expected times above 0, the median no less than the minimum, found 0 and 1");
  ProbeTable empty = llvm::cantFail(readProbe(head, "t.csv"));
  llvm::Expected<Calibration> none = calibrate(llvm::cantFail(loadMachine("a100-pcie4")), empty, "mine", "a run");
  ASSERT_FALSE(none);
  EXPECT_EQ(llvm::toString(none.takeError()), "the tables hold nothing that a machine file has");
}

} // namespace
