//===- test/projection/SweepTest.cpp - Ranges, tables, and programs over them ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Sweep.h"
#include "Near.h"
#include "skeleton/Parse.h"
#include "gtest/gtest.h"

using namespace busfare;
using namespace busfare::projection;
using busfare::test::relative;

namespace {

std::vector<double> valuesOf(const char *text) { return llvm::cantFail(parseAxis(text)).values; }

TEST(Sweep, Ranges) {
  EXPECT_EQ(valuesOf("n=1:5"), (std::vector<double>{1, 2, 3, 4, 5}));
  EXPECT_EQ(valuesOf("n=1:64").size(), 64u) << "by one";
  EXPECT_EQ(valuesOf("n=1:65"), (std::vector<double>{1, 2, 4, 8, 16, 32, 64})) << "by powers of two";
  EXPECT_EQ(valuesOf("n=1Ki:4Ki:x2"), (std::vector<double>{1024, 2048, 4096}));
  EXPECT_EQ(valuesOf("bytes=1KiB:2KiB:x2"), (std::vector<double>{1024, 2048}));
  EXPECT_EQ(valuesOf("n=1k,1K,1M,1G,1T,1Ki,1Mi,1Gi,1Ti"),
            (std::vector<double>{1e3, 1e3, 1e6, 1e9, 1e12, 1024, 1048576, 1073741824, 1099511627776}));
  EXPECT_EQ(valuesOf("n=1:1000:x10"), (std::vector<double>{1, 10, 100, 1000})) << "the upper end belongs to it";
  EXPECT_EQ(valuesOf("n=100:1000:+400"), (std::vector<double>{100, 500, 900}));
  EXPECT_EQ(valuesOf("f=0.1:0.3:+0.1").size(), 3u) << "errors of the step do not lose the end";
  EXPECT_EQ(valuesOf("n=7"), (std::vector<double>{7}));
  EXPECT_EQ(valuesOf("n=5,1"), (std::vector<double>{5, 1}));
  EXPECT_EQ(valuesOf("n=3:3"), (std::vector<double>{3}));
}

Machine machineOf(const char *name) { return llvm::cantFail(loadMachine(name)); }

TEST(Sweep, TheLastAxisRunsFastest) {
  std::vector<Machine> machines = {machineOf("a100-pcie4"), machineOf("fx5600-pcie1")};
  std::vector<SweepAxis> axes = {{"a", {1, 2}}, {"b", {10, 20, 30}}};
  SweepTable table =
      llvm::cantFail(sweepFunction(machines, axes, {std::string("sum")},
                                   [](const Machine &, llvm::ArrayRef<double> values,
                                      llvm::MutableArrayRef<double> out) { out[0] = values[0] + values[1]; }));
  EXPECT_EQ(table.rows(), 12u);
  EXPECT_EQ(std::vector<double>(table.cells.begin(), table.cells.begin() + 16),
            (std::vector<double>{0, 1, 10, 11, 0, 1, 20, 21, 0, 1, 30, 31, 0, 2, 10, 12}));
  EXPECT_EQ(table.cells[6 * 4], 1) << "the second machine";
  axes[0].values.resize(5000, 1);
  axes[1].values.resize(5000, 1);
  EXPECT_FALSE(bool(llvm::expectedToOptional(sweepFunction(
      machines, axes, {}, [](const Machine &, llvm::ArrayRef<double>, llvm::MutableArrayRef<double>) {}))));
}

/// `time` of the table's row is what the model of Link.h says; blas, overlap and messages likewise are the
/// calculators'.
TEST(Sweep, CalculatorsSayWhatTheyAlwaysSay) {
  std::vector<Machine> machines = {machineOf("v100-pcie3")};
  SweepTable transfer =
      llvm::cantFail(sweepTransfer(machines, {{"bytes", {1, 1e6}}}, Direction::ToHost, HostMemory::Pinned));
  EXPECT_EQ(transfer.cells[transfer.columns.size() + transfer.column("time_s")],
            transferTime(machines[0].link, Direction::ToHost, HostMemory::Pinned, 1e6));
  SweepTable overlap =
      llvm::cantFail(sweepOverlap(machines, {{"kernel", {1e-3}}, {"streams", {1, 8}}}, {1e7, 1e7, 0, 1e7, 1e7}, 32));
  OverlapQuestion question{1e7, 1e7, 1e-3, 1e7, 1e7};
  OverlapDevice device = overlapDeviceOf(machines[0]);
  EXPECT_EQ(overlap.cells[overlap.columns.size() + overlap.column("streams_s")], streamsTime(device, question, 8));
  EXPECT_EQ(overlap.cells[overlap.column("explicit_s")], explicitTime(device, question));
  SweepTable blas = llvm::cantFail(sweepBlas(machines, {{"size", {4096}}, {"tile", {1024, 4000}}}, "dgemm", {}, 1));
  BlasCall call = llvm::cantFail(blasCall("dgemm", 4096.0, 4096.0, 4096.0, {}));
  TileTime tile{1024, modelledTileTime(call, machines[0].gpu, 1024)};
  EXPECT_EQ(blas.cells[blas.column("reuse_s")], *tileTimes(call, tileLinkOf(machines[0].link), tile, tile).reuse);
  EXPECT_TRUE(std::isnan(blas.cells[blas.columns.size() + blas.column("reuse_s")])) << "the tile is too large";
}

const char *const smooth = R"(skeleton 1
unit "smooth.c"
function smooth(array u, array v, param n, param m, param steps) {
  array u : f64[n*m] parameter restrict
  array v : f64[n*m] parameter restrict
  for t = 0 .. steps - 1 at 4:3 {
    for i = 1 .. n - 2 at 5:3 {
      for j = 0 .. m - 1 at 6:3 {
        read u[i*m + j] read u[i*m + j + 1]
        ops fp64.add 1
        write v[i*m + j]
      }
    }
    for a = 1 .. n - 2 at 7:3 {
      for b = 0 .. m - 1 at 8:3 {
        read v[a*m + b]
        write u[a*m + b]
      }
    }
  }
}
)";

ProjectOptions optionsOf(const char *machine) {
  ProjectOptions options;
  options.machines.push_back(machineOf(machine));
  return options;
}

TEST(Sweep, RowsOfAProgramAreItsProjections) {
  skeleton::Program program = llvm::cantFail(skeleton::parse(smooth, "smooth.skel"));
  ProjectOptions options = optionsOf("fx5600-pcie1");
  SweepTable table = llvm::cantFail(
      sweepProgram(program, options, {{"n", {100, 1000}}, {"m", {64, 500}}, {"iterations", {1, 3, 50, 1000}}}));
  ASSERT_EQ(table.rows(), 16u);
  ASSERT_EQ(table.notes.size(), 1u);
  EXPECT_EQ(table.notes[0].find("gain: of one call"), 0u) << table.notes[0];
  for (size_t row = 0; row < table.rows(); ++row) {
    auto cell = [&](const char *name) { return table.cells[row * table.columns.size() + table.column(name)]; };
    ProjectOptions one = options;
    one.parameters = {{"n", int64_t(cell("n"))}, {"m", int64_t(cell("m"))}};
    one.iterations = uint64_t(cell("iterations"));
    Report report = llvm::cantFail(project(program, one));
    ASSERT_EQ(report.regions.size(), 1u);
    const TimeReport &time = report.regions[0].on[0].second.time;
    EXPECT_NEAR_TO(cell("kernel_s"), time.kernel, relative(1e-9));
    EXPECT_NEAR_TO(cell("h2d_s"), time.h2d, relative(1e-9));
    EXPECT_NEAR_TO(cell("d2h_s"), time.d2h, relative(1e-9));
    EXPECT_NEAR_TO(cell("cpu_s"), std::min(time.cpu, time.cpuAllCores), relative(1e-9));
    EXPECT_NEAR_TO(cell("gain_s"), report.regions[0].on[0].second.gain.value, relative(1e-9));
  }
}

/// A time that was measured is the host's at the sizes at which it was, and grows as the model does elsewhere.
TEST(Sweep, TheHostsTimeIsTheMeasuredOne) {
  const skeleton::Program program = llvm::cantFail(skeleton::parse(smooth, "smooth.skel"));
  ProjectOptions options = optionsOf("a100-pcie4");
  options.parameters = {{"n", 1000}, {"m", 500}, {"steps", 10}};
  const std::vector<SweepAxis> axes = {{"n", {1000, 4000}}};
  const SweepTable modelled = llvm::cantFail(sweepProgram(program, options, axes));
  ProjectOptions measured = options;
  measured.cpuTimes = {{"4", 0.5}};
  const SweepTable table = llvm::cantFail(sweepProgram(program, measured, axes));
  const Report report = llvm::cantFail(project(program, measured));
  const TimeReport &time = report.regions[0].on[0].second.time;
  auto cpu = [](const SweepTable &one, size_t row) {
    return one.cells[row * one.columns.size() + one.column("cpu_s")];
  };
  EXPECT_NEAR_TO(cpu(table, 0), std::min(time.cpu, time.cpuAllCores), relative(1e-9));
  EXPECT_NEAR_TO(cpu(table, 1) / cpu(table, 0), cpu(modelled, 1) / cpu(modelled, 0), relative(0.2));
  EXPECT_GT(cpu(table, 0), 2 * cpu(modelled, 0)) << "or the test shows nothing";
  measured.cpuTimes = {{"nowhere.c:1", 0.5}};
  llvm::Expected<SweepTable> unknown = sweepProgram(program, measured, axes);
  ASSERT_FALSE(bool(unknown));
  EXPECT_EQ(llvm::toString(unknown.takeError()), "--cpu-time nowhere.c:1: no region of this name or line");
}

/// Of a process that runs it 30 times the start-up is in it; over another host the same device is as much faster as
/// that is slower.
TEST(Sweep, GainsHaveTheStartUpAndSpeedupsACommonHost) {
  skeleton::Program program = llvm::cantFail(skeleton::parse(smooth, "smooth.skel"));
  ProjectOptions options = optionsOf("a100-pcie4");
  options.machines.push_back(machineOf("fx5600-pcie1"));
  options.commonHost = options.machines.front();
  options.runs = 30;
  options.parameters = {{"m", 500}, {"steps", 10}};
  const SweepTable table = llvm::cantFail(sweepProgram(program, options, {{"n", {1000, 4000}}}));
  ASSERT_EQ(table.rows(), 4u);
  auto cell = [&](size_t row, const char *name) {
    return table.cells[row * table.columns.size() + table.column(name)];
  };
  for (size_t row = 0; row < table.rows(); ++row) {
    ProjectOptions one = options;
    one.parameters.emplace_back("n", int64_t(cell(row, "n")));
    const Report report = llvm::cantFail(project(program, one));
    const MachineAnswer &first = report.regions[0].on[0].second, &own = report.regions[0].on[row / 2].second;
    EXPECT_NEAR_TO(cell(row, "gain_s"), own.gain.value, relative(1e-9));
    EXPECT_LT(cell(row, "gain_s"), 30 * (cell(row, "cpu_s") - cell(row, "total_s")) - 0.1);
    EXPECT_NEAR_TO(cell(row, "speedup_common"), std::min(first.time.cpu, first.time.cpuAllCores) / own.time.total,
                   relative(1e-9));
  }
}

/// 10001 sizes, of which 4096 are priced: the others lie between them, and every one is near its own price.
TEST(Sweep, WhatIsNotPricedIsInterpolated) {
  skeleton::Program program = llvm::cantFail(skeleton::parse(smooth, "smooth.skel"));
  ProjectOptions options = optionsOf("a100-pcie4");
  options.parameters = {{"m", 64}, {"steps", 10}};
  SweepAxis axis = llvm::cantFail(parseAxis("n=10000:20000:+1"));
  SweepTable table = llvm::cantFail(sweepProgram(program, options, {axis}));
  ASSERT_EQ(table.rows(), 10001u);
  ASSERT_EQ(table.notes.size(), 2u);
  EXPECT_EQ(table.notes[0].find("Priced at 4096 of 10001"), 0u) << table.notes[0];
  for (size_t row : {0ul, 17ul, 4321ul, 10000ul}) {
    SweepTable one = llvm::cantFail(sweepProgram(program, options, {{"n", {axis.values[row]}}}));
    double interpolated = table.cells[row * table.columns.size() + table.column("total_s")];
    EXPECT_NEAR_TO(interpolated, one.cells[one.column("total_s")], relative(0.02));
  }
}

TEST(Sweep, Errors) {
  skeleton::Program program = llvm::cantFail(skeleton::parse(smooth, "smooth.skel"));
  auto message = [&](std::vector<SweepAxis> axes) {
    llvm::Expected<SweepTable> table = sweepProgram(program, optionsOf("a100-pcie4"), axes);
    return table ? std::string("none") : llvm::toString(table.takeError());
  };
  EXPECT_EQ(message({{"q", {1}}}), "--range q: no size of this name; there are smooth::m, smooth::n, smooth::steps");
  EXPECT_EQ(message({{"n", {1.5}}}), "--range n: a size or a count is a whole number, not 1.5");
  EXPECT_EQ(message({{"n", {5}}, {"n", {6}}}), "--range n is given twice");
}

} // namespace
