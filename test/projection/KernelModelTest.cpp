//===- test/projection/KernelModelTest.cpp - References, mappings, prices ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Near.h"
#include "projection/Cpu.h"
#include "projection/Gpu.h"
#include "projection/Mapping.h"
#include "projection/Registers.h"
#include "skeleton/Parse.h"
#include "gtest/gtest.h"

using namespace busfare;
using namespace busfare::projection;
using namespace busfare::skeleton;

namespace {

struct Nest {
  Program program;
  const Function &function() const { return program.functions[0]; }
  const Loop &loop() const { return std::get<Loop>(function().body[0].kind); }
  const Loop &inner() const { return std::get<Loop>(loop().body[0].kind); }
  ArrayTable arrays() const { return ArrayTable(program, function()); }
  Activity activity(const RealValues &values = {}) const {
    Work work = workOf(loop(), values);
    std::vector<Reference> references = referencesOf(arrays(), work, values);
    return {std::move(work), std::move(references)};
  }
  unsigned registers() const { return registersOf(arrays(), loop()); }
};

Nest nestOf(llvm::StringRef arrays, llvm::StringRef body) {
  std::string text = ("skeleton 1\nfunction f() {\n" + arrays + "\n" + body + "\n}\n").str();
  auto program = parse(text, "t.skel");
  if (!program) {
    ADD_FAILURE() << llvm::toString(program.takeError());
    return {};
  }
  return {*program};
}

const char *stencilArrays = "array u : f32[1024][1024] parameter\narray v : f32[1024][1024] parameter";
const char *stencilBody = R"(for i = 1 .. 1022 { for j = 1 .. 1022 {
  read u[i][j] read u[i][j - 1] read u[i][j + 1] read u[i - 1][j] read u[i + 1][j] ops fp32.add 4 fp32.mul 1 write v[i][j] } })";

std::vector<Reference> referencesIn(const Nest &nest) { return nest.activity().references; }

TEST(Reference, NeighboursAreOneReference) {
  Nest nest = nestOf(stencilArrays, stencilBody);
  std::vector<Reference> references = referencesIn(nest);
  ASSERT_EQ(references.size(), 2u);
  EXPECT_EQ(references[0].array, "u");
  EXPECT_EQ(references[0].places.size(), 5u);
  EXPECT_EQ(references[0].strideOf(nest.loop()), 1024);
  EXPECT_EQ(references[0].strideOf(nest.inner()), 1);
  EXPECT_TRUE(references[1].writes);
  EXPECT_FALSE(references[1].reads);
}

TEST(Reference, WhatAnIterationWroteIsNotReadAgain) {
  Nest nest = nestOf("array a : f64[100] parameter", "for i = 0 .. 99 { write a[i] read a[i] read a[i] }");
  std::vector<Reference> references = referencesIn(nest);
  ASSERT_EQ(references.size(), 1u);
  ASSERT_EQ(references[0].places.size(), 1u);
  EXPECT_FALSE(references[0].places[0].reads);
}

TEST(Reference, AValueFromMemoryJumps) {
  Nest nest = nestOf("array x : f64[1000] parameter\narray k : i32[100] parameter",
                     "for i = 0 .. 99 { read k[i] define p because \"k[i]\" read x[p] }");
  RealValues values{{"p", 3}};
  std::vector<Reference> references = nest.activity(values).references;
  ASSERT_EQ(references.size(), 2u);
  EXPECT_TRUE(references[1].dependsOn(nest.loop()));
  EXPECT_NE(references[1].strideOf(nest.loop()), 1);
}

TEST(Footprint, TileOfAStencilHasItsHalo) {
  Nest nest = nestOf("array t : f32[1024][1024] parameter",
                     "for i = 1 .. 1022 { for j = 1 .. 1022 { read t[i][j] read t[i][j - 1] read t[i][j + 1] } }");
  std::vector<Reference> references = referencesIn(nest);
  ASSERT_EQ(references.size(), 1u);
  Tile tile{{&nest.inner(), 32}, {&nest.loop(), 8}};
  EXPECT_DOUBLE_EQ(footprint(references[0], tile, 4, 1e9), 34 * 8 * 4);
}

TEST(Footprint, RowsThatDoNotFitAreReadAgain) {
  Nest nest = nestOf("array a : f64[64] parameter\narray b : f64[100000] parameter",
                     "for t = 0 .. 9 { for j = 0 .. 99999 { read b[j] } }");
  std::vector<Reference> references = referencesIn(nest);
  ASSERT_EQ(references.size(), 1u);
  EXPECT_DOUBLE_EQ(footprint(references[0], {}, 64, 1e6), 800000);
  EXPECT_DOUBLE_EQ(footprint(references[0], {}, 64, 1e5), 8000000);
}

TEST(Footprint, ColumnsTouchALineForEachElement) {
  Nest nest = nestOf("array a : f64[4096][4096] parameter", "for i = 0 .. 4095 { read a[i][0] }");
  std::vector<Reference> references = referencesIn(nest);
  EXPECT_DOUBLE_EQ(footprint(references[0], {}, 64, 1e9), 4096 * 64);
}

KernelPrice priceOf(const Nest &nest, const Gpu &gpu, double footprintBytes = 0) {
  std::vector<const Loop *> parallel{&nest.loop()};
  if (auto *inner = std::get_if<Loop>(&nest.loop().body[0].kind)) parallel.push_back(inner);
  return priceKernel({nest.loop(), parallel, nest.activity(), nest.registers(), footprintBytes}, gpu);
}

Gpu gpuOf(const char *name) { return llvm::cantFail(loadMachine(name)).gpu; }

TEST(Kernel, ContiguousIndexBecomesX) {
  const char *arrays = "array a : f64[2048][2048] parameter\narray b : f64[2048][2048] parameter";
  Nest rows = nestOf(arrays, "for i = 0 .. 2047 { for j = 0 .. 2047 { read a[i][j] write b[i][j] } }");
  Nest columns = nestOf(arrays, "for i = 0 .. 2047 { for j = 0 .. 2047 { read a[j][i] write b[j][i] } }");
  for (const char *machine : {"fx5600-pcie1", "a100-pcie4"}) {
    KernelPrice byRows = priceOf(rows, gpuOf(machine)), byColumns = priceOf(columns, gpuOf(machine));
    EXPECT_EQ(byRows.threadIndex, "j");
    EXPECT_EQ(byColumns.threadIndex, "i");
    EXPECT_NEAR(byRows.time / byColumns.time, 1, 0.02);
    EXPECT_TRUE(byRows.coalesced);
  }
}

TEST(Kernel, WithoutCachesUnalignedNeighboursCostATransactionEach) {
  KernelPrice price = priceOf(nestOf(stencilArrays, stencilBody), gpuOf("fx5600-pcie1"));
  double cells = 1022.0 * 1022;
  EXPECT_NEAR(price.dramBytes / cells, 4 + 4 + 4 + 32 + 32 + 4, 0.5);
  EXPECT_FALSE(price.coalesced);
  EXPECT_EQ(price.limitedBy, "dram");
}

TEST(Kernel, WithCachesNeighboursAreFree) {
  KernelPrice price = priceOf(nestOf(stencilArrays, stencilBody), gpuOf("a100-pcie4"), 2 * 4 * 1024 * 1024);
  EXPECT_NEAR(price.dramBytes, 2 * 4 * 1024 * 1024, 1);
  EXPECT_TRUE(price.coalesced);
}

TEST(Kernel, CoalescedIsAboutNeighbouringThreads) {
  // Threads a row apart that walk along their rows use what each piece brings; one instruction's pieces are still
  // apart.
  const char *arrays = "array a : f64[500][500] parameter";
  Gpu gpu = gpuOf("a100-pcie4");
  auto alongOuter = [&](const char *body) {
    Nest nest = nestOf(arrays, body);
    return priceKernel({nest.loop(), {&nest.loop()}, nest.activity(), nest.registers(), 0}, gpu);
  };
  KernelPrice rows = alongOuter("for i = 0 .. 499 { for j = 1 .. 499 { read a[i][j - 1] write a[i][j] } }");
  KernelPrice columns = alongOuter("for i = 0 .. 499 { for j = 1 .. 499 { read a[j - 1][i] write a[j][i] } }");
  EXPECT_FALSE(rows.coalesced);
  EXPECT_TRUE(rows.regular);
  EXPECT_TRUE(columns.coalesced);
  EXPECT_TRUE(columns.regular);
  EXPECT_TRUE(alongOuter("for i = 0 .. 499 { for j = 0 .. 499 { read a[j][0] } }").coalesced); // one element for all
  EXPECT_TRUE(alongOuter("for i = 0 .. 249 { read a[0][2*i] }").coalesced);
  EXPECT_FALSE(alongOuter("for i = 0 .. 124 { read a[0][3*i] }").coalesced);
}

TEST(Kernel, AFieldOfEachStructIsNotCoalesced) {
  Gpu gpu = gpuOf("a100-pcie4");
  Nest field = nestOf("array a : struct<24>[500] parameter", "for i = 0 .. 499 { read a[i] part 8 + 8 }");
  Nest whole = nestOf("array a : f64[500] parameter", "for i = 0 .. 499 { read a[i] }");
  EXPECT_FALSE(priceOf(field, gpu).coalesced);
  EXPECT_TRUE(priceOf(whole, gpu).coalesced);
}

TEST(Kernel, FewBlocksLeaveMultiprocessorsIdle) {
  Gpu gpu = gpuOf("a100-pcie4");
  auto price = [&](int n) {
    return priceOf(
        nestOf("array a : f64[4194304] parameter", "for i = 0 .. " + std::to_string(n - 1) + " { write a[i] }"), gpu);
  };
  KernelPrice few = price(1024), many = price(1 << 22);
  EXPECT_DOUBLE_EQ(few.busyMultiprocessors, std::ceil(1024.0 / few.blockThreads));
  EXPECT_DOUBLE_EQ(few.occupancy, few.blockThreads / gpu.maxThreadsPerMultiprocessor);
  EXPECT_DOUBLE_EQ(many.busyMultiprocessors, gpu.multiprocessors);
  EXPECT_DOUBLE_EQ(many.occupancy, 1);
}

TEST(Kernel, AKernelIsNeverFasterThanItsLaunch) {
  Nest nest = nestOf("array a : f64[8] parameter", "for i = 0 .. 0 { write a[i] }");
  Gpu gpu = gpuOf("a100-pcie4");
  KernelPrice price = priceOf(nest, gpu);
  EXPECT_GE(price.time, gpu.launchLatency);
  EXPECT_EQ(price.limitedBy, "launch");
  Nest none = nestOf("array a : f64[8] parameter", "for i = 0 .. -1 { write a[i] }");
  EXPECT_DOUBLE_EQ(priceOf(none, gpu).time, gpu.launchLatency);
}

TEST(Kernel, MoreIterationsAreNeverFaster) {
  for (const char *machine : {"fx5600-pcie1", "a100-pcie4"}) {
    double before = 0;
    for (int n = 1; n <= 1 << 22; n *= 4) {
      Nest nest = nestOf("array a : f64[4194304] parameter",
                         "for i = 0 .. " + std::to_string(n - 1) + " { read a[i] ops fp64.fma 8 write a[i] }");
      double time = priceOf(nest, gpuOf(machine), 8.0 * n).time;
      EXPECT_GE(time, before) << machine << " " << n;
      before = time;
    }
  }
}

TEST(Kernel, LargeStreamsReachTheMemorysBandwidth) {
  Nest nest = nestOf("array a : f64[67108864] parameter\narray b : f64[67108864] parameter",
                     "for i = 0 .. 67108863 { read a[i] ops fp64.mul 1 write b[i] }");
  Gpu gpu = gpuOf("a100-pcie4");
  KernelPrice price = priceOf(nest, gpu, 2.0 * 8 * 67108864);
  EXPECT_NEAR(price.time, 2.0 * 8 * 67108864 / gpu.dramBandwidth, 0.02 * price.time);
}

TEST(Kernel, ArithmeticTakesOver) {
  Nest nest =
      nestOf("array a : f64[1048576] parameter", "for i = 0 .. 1048575 { read a[i] ops fp64.fma 5000 write a[i] }");
  Gpu gpu = gpuOf("a100-pcie4");
  KernelPrice price = priceOf(nest, gpu, 2.0 * 8 * 1048576);
  EXPECT_EQ(price.limitedBy, "fp64");
  EXPECT_DOUBLE_EQ(price.flops, 1e4 * 1048576);
  // No faster than the datasheet's 9.7 TFLOP/s.
  EXPECT_GE(price.time, price.flops / 9.75e12);
}

TEST(Kernel, SerialLoopGoesInsideTheThreads) {
  const char *arrays =
      "array a : f64[512][512] parameter\narray b : f64[512][512] parameter\narray c : f64[512][512] parameter";
  Nest nest = nestOf(arrays, R"(for i = 0 .. 511 { for k = 0 .. 511 { read a[i][k]
    for j = 0 .. 511 { read b[k][j] ops fp64.fma 1 update c[i][j] + } } })");
  Gpu gpu = gpuOf("a100-pcie4");
  Activity activity = nest.activity();
  KernelQuestion question{nest.loop(), {&nest.loop()}, activity, nest.registers(), 3.0 * 8 * 512 * 512};
  KernelPrice alone = priceKernel(question, gpu);
  question.isParallel = [](const Loop &loop) { return loop.index != "k"; };
  KernelPrice both = priceKernel(question, gpu);
  EXPECT_EQ(alone.threads, 512);
  EXPECT_EQ(both.threads, 512 * 512);
  EXPECT_EQ(both.threadIndex, "j");
  EXPECT_LT(both.time, alone.time);
}

TEST(Kernel, SerialLoopStaysOutsideIfThreadsDepend) {
  Nest nest = nestOf("array a : f64[512][514] parameter", R"(for i = 0 .. 511 { for k = 0 .. 511 {
    for j = 1 .. 512 { read a[i][j - 1] ops fp64.add 1 write a[i][j] } } })");
  Activity activity = nest.activity();
  KernelQuestion question{nest.loop(), {&nest.loop()}, activity, nest.registers(), 0};
  question.isParallel = [](const Loop &loop) { return loop.index != "k"; };
  EXPECT_EQ(priceKernel(question, gpuOf("a100-pcie4")).threads, 512);
}

/// Rows of `a` added up into `y`, whose elements are of that type; or its columns.
Nest sums(const std::string &type, const std::string &element) {
  return nestOf("array a : f64[2048][2048] parameter\narray y : " + type + "[2048] parameter",
                "for i = 0 .. 2047 { for j = 0 .. 2047 { read a" + element +
                    " read y[i] ops fp64.add 1 write y[i] } }");
}

TEST(Kernel, LoadsDoNotPassStoresThatMayBeToTheirElements) {
  Gpu gpu = gpuOf("a100-pcie4");
  auto timeOf = [&](const Nest &nest) {
    Activity activity = nest.activity();
    KernelPrice price = priceKernel({nest.loop(), {&nest.loop()}, activity, nest.registers(), 8.0 * 2048 * 2048}, gpu);
    EXPECT_EQ(price.limitedBy, "latency");
    return price.time - gpu.launchLatency;
  };
  // No double lies in an array of integers.
  EXPECT_NEAR(timeOf(sums("f64", "[j][i]")) / timeOf(sums("i64", "[j][i]")), 4, 0.01);
  // One by one: a load from DRAM for each of the 2048 turns.
  EXPECT_NEAR(timeOf(sums("f64", "[j][i]")), 2048 * gpu.dramLatency, 0.01 * 2048 * gpu.dramLatency);
}

TEST(Kernel, ABlockAddsUpARow) {
  for (const char *element : {"[i][j]", "[j][i]"}) {
    Nest nest = sums("f64", element);
    Gpu gpu = gpuOf("a100-pcie4");
    Activity activity = nest.activity();
    KernelQuestion question{nest.loop(), {&nest.loop()}, activity, nest.registers(), 8.0 * 2048 * 2048};
    KernelPrice alone = priceKernel(question, gpu);
    EXPECT_FALSE(alone.addsUp);
    question.addsUp = [&](const Loop &loop) { return &loop == &nest.inner(); };
    KernelPrice shared = priceKernel(question, gpu);
    EXPECT_TRUE(shared.addsUp);
    EXPECT_EQ(shared.threadIndex, "j");
    EXPECT_EQ(shared.threads, 2048.0 * shared.blockThreads);
    EXPECT_EQ(shared.flops, alone.flops);
    EXPECT_LT(shared.time, alone.time / 10);
    EXPECT_GE(shared.time, gpu.launchLatency + 8.0 * 2048 * 2048 / gpu.dramBandwidth);
    EXPECT_EQ(shared.coalesced, element[1] == 'i');
  }
}

TEST(Kernel, ShortSumsAreAThreadsOwn) {
  Nest nest = nestOf("array a : f64[1000000][4] parameter\narray y : f64[1000000] parameter",
                     "for i = 0 .. 999999 { for j = 0 .. 3 { read a[i][j] read y[i] ops fp64.add 1 write y[i] } }");
  Activity activity = nest.activity();
  KernelQuestion question{nest.loop(), {&nest.loop()}, activity, nest.registers(), 8.0 * 5000000};
  question.addsUp = [&](const Loop &loop) { return &loop == &nest.inner(); };
  EXPECT_FALSE(priceKernel(question, gpuOf("a100-pcie4")).addsUp);
}

TEST(Occupancy, Limits) {
  Gpu gpu = gpuOf("a100-pcie4");
  EXPECT_EQ(residentThreads(gpu, 256, 32), 2048u);
  EXPECT_EQ(residentThreads(gpu, 256, 64), 1024u);
  EXPECT_EQ(residentThreads(gpu, 32, 16), 32u * 32); // blocks
  EXPECT_EQ(residentThreads(gpu, 256, 10000), 256u); // one block always runs
}

TEST(Registers, LiveScalarsCount) {
  const char *arrays =
      "array a : f64[8] parameter\narray x : f64 local per-iteration\narray y : f64 local per-iteration";
  Nest one = nestOf(arrays, "for i = 0 .. 7 { write x read x write y read y }");
  Nest two = nestOf(arrays, "for i = 0 .. 7 { write x write y read x read y }");
  EXPECT_EQ(two.registers(), one.registers() + 2);
}

CpuPrice cpuOf(const Nest &nest, double threads, double bytes, bool vector = true) {
  return priceOnCpu({nest.activity(), bytes / 2, bytes / 2, vector, threads, 1},
                    llvm::cantFail(loadMachine("a100-pcie4")).host);
}

TEST(Cpu, StreamsDrawTheMemorysBandwidth) {
  Nest nest = nestOf("array a : f64[134217728] parameter\narray b : f64[134217728] parameter",
                     "for i = 0 .. 134217727 { read a[i] ops fp64.mul 1 write b[i] }");
  Host host = llvm::cantFail(loadMachine("a100-pcie4")).host;
  CpuPrice all = cpuOf(nest, host.threads, 2.0 * 8 * 134217728);
  EXPECT_EQ(all.limitedBy, "dram");
  EXPECT_NEAR(all.time, 3.0 * 8 * 134217728 / host.dramBandwidth + host.forkJoin, 0.02 * all.time);
}

/// Where a level of the caches ends, and from there to twice its size, the time of an element rises step by step.
TEST(Cpu, NoCliffBetweenTheLevels) {
  const Host host = llvm::cantFail(loadMachine("a100-pcie4")).host;
  auto perElement = [&](double length, double executions) {
    const std::string n = std::to_string(int64_t(length));
    Nest nest = nestOf(("array a : f64[" + n + "] parameter\narray b : f64[" + n + "] parameter").c_str(),
                       ("for i = 0 .. " + n + " - 1 { read a[i] ops fp64.mul 1 write b[i] }").c_str());
    return (priceOnCpu({nest.activity(), 8 * length, 8 * length, true, 1, executions}, host).time) / length;
  };
  for (double level : {double(host.l1Bytes), double(host.l2Bytes), double(host.lastLevelBytes)}) {
    double before = perElement(level / 16 * 0.9, 100);
    for (double size = 0.9; size < 2.2; size += 0.02) {
      const double now = perElement(level / 16 * size, 100);
      EXPECT_LT(now, 1.1 * before) << size << " of " << level << " bytes";
      EXPECT_GT(now, 0.95 * before) << size << " of " << level << " bytes";
      before = now;
    }
  }
  // What is in memory anyway takes as long however often it runs; what stays does not.
  const double elements = double(host.lastLevelBytes) / 16;
  EXPECT_DOUBLE_EQ(perElement(2.1 * elements, 100), perElement(2.1 * elements, 1));
  EXPECT_LT(perElement(1.5 * elements, 100), perElement(1.5 * elements, 1));
}

TEST(Cpu, MoreCoresAreNotSlowerOnLargeWork) {
  Nest nest =
      nestOf("array a : f64[16777216] parameter", "for i = 0 .. 16777215 { read a[i] ops fp64.fma 50 write a[i] }");
  double before = 1e9;
  for (double threads : {1.0, 2.0, 8.0, 64.0, 128.0}) {
    double time = cpuOf(nest, threads, 2.0 * 8 * 16777216).time;
    EXPECT_LE(time, before);
    before = time;
  }
}

TEST(Cpu, VectorsHelpContiguousLoopsAlone) {
  const char *arrays = "array a : f32[4096][4096] parameter";
  Nest rows = nestOf(arrays, "for i = 0 .. 63 { for j = 0 .. 63 { read a[i][j] ops fp32.fma 20 write a[i][j] } }");
  Nest columns = nestOf(arrays, "for i = 0 .. 63 { for j = 0 .. 63 { read a[j][i] ops fp32.fma 20 write a[j][i] } }");
  EXPECT_LT(cpuOf(rows, 1, 32768).time, 0.5 * cpuOf(rows, 1, 32768, false).time);
  EXPECT_DOUBLE_EQ(cpuOf(columns, 1, 32768).time, cpuOf(columns, 1, 32768, false).time);
}

} // namespace
