//===- test/runtime-bench/BlasExecuteTest.cpp - BLAS by tiles and panels, on the host as a device ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Random calls, cut into tiles and run in orders that the events allow, against the host's
// BLAS; that a lost wait is noticed; that the virtual clock says what the model says.
//
//===----------------------------------------------------------------------===//

#include "BlasProblem.h"
#include "Near.h"
#include "projection/BlasPipeline.h"
#include "runtime-bench/blas/RunTiles.h"
#include "runtime-bench/blas/Select.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace busfare;
using namespace busfare::test;

namespace {

/// BUSFARE_BLAS_PROBLEMS=N runs N problems; the promise is held with 10,000 and more, by hand.
unsigned problems() {
  const char *text = std::getenv("BUSFARE_BLAS_PROBLEMS");
  return text ? unsigned(std::atoi(text)) : 3000;
}

const HostBlas &hostBlas() {
  static const HostBlas blas;
  return blas;
}

/// A device that forgets every `every`-th wait.
class Forgetful : public HostDevice {
public:
  Forgetful(HostDeviceOptions options, unsigned every) : HostDevice(hostBlas(), std::move(options)), every(every) {}
  using HostDevice::wait;
  void wait(Queue queue, Event event) override {
    if (++count % every != 0) HostDevice::wait(queue, event);
  }

private:
  unsigned every, count = 0;
};

/// Empty if the result is right.
std::string runOne(BlasProblem &problem, HostDevice &device, const BlasSetting &setting) {
  const Call call = problem.on(device, setting.places);
  Ran ran;
  {
    TileMemory memory(device);
    memory.limit(setting.limit);
    Staging staging(device);
    if (problem.hasWork()) ran = runIn(call, setting, device, memory, staging);
  }
  problem.collect(device);
  if (ran.status != Status::Ok) return "status " + std::to_string(int(ran.status));
  return problem.wrong(hostBlas());
}

TEST(BlasExecute, RandomProblemsAgainstTheHostsBlas) {
  ASSERT_TRUE(hostBlas().isThere()) << "libopenblas0-pthread is not installed";
  unsigned failed = 0;
  for (unsigned seed = 1; seed <= problems() && failed < 5; ++seed) {
    BlasProblem problem(seed, 48);
    const BlasSetting setting = settingOf(seed, problem.operandCount());
    HostDevice device(hostBlas(), setting.options);
    const std::string words = problem.words();
    if (const std::string what = runOne(problem, device, setting); !what.empty()) {
      ++failed;
      ADD_FAILURE() << "seed " << seed << ", tile " << setting.tile << ", limit " << setting.limit << ", first panel "
                    << setting.firstPanel << ": " << words << ": " << what;
    }
    EXPECT_EQ(device.allocatedBytes(), 0u) << "memory of the device is lost";
  }
}

/// A test of the test: with waits left out, results are wrong in some order.
TEST(BlasExecute, AForgottenWaitIsNoticed) {
  unsigned noticed = 0;
  for (unsigned seed = 1; seed <= 300; ++seed) {
    BlasProblem problem(seed, 48);
    BlasSetting setting = settingOf(seed, problem.operandCount());
    setting.options.threads = false;
    Forgetful device(setting.options, 3);
    noticed += !runOne(problem, device, setting).empty();
  }
  EXPECT_GT(noticed, 30u);
}

TEST(BlasExecute, TooLittleMemoryIsSaid) {
  BlasProblem problem(1, 48);
  for (unsigned seed = 2;
       problem.call.shape.kind != BlasKind::Gemm || !problem.hasWork() || problem.call.shape.scalesAlone; ++seed)
    problem = BlasProblem(seed, 48);
  HostDeviceOptions options;
  options.memoryBytes = 100;
  HostDevice device(hostBlas(), options);
  TileMemory memory(device);
  Staging staging(device);
  const Ran ran = executeTiles(problem.call, 8, device, memory, staging);
  EXPECT_EQ(ran.status, Status::OutOfMemory);
  EXPECT_EQ(ran.bytesOut, 0u);
}

/// A device whose memory cannot be page-locked, or whose kernels fail.
class Faulty : public HostDevice {
public:
  Faulty(bool hasPinned, int failsAt) : HostDevice(hostBlas(), {}), hasPinned(hasPinned), failsAt(failsAt) {}
  void *allocatePinned(size_t bytes) override { return hasPinned ? HostDevice::allocatePinned(bytes) : nullptr; }
  void run(const TileKernel &kernel) override {
    TileKernel wrong = kernel;
    if (failsAt >= 0 && count++ == failsAt) wrong.m = int64_t(1) << 40; // no BLAS takes it
    HostDevice::run(wrong);
  }

private:
  bool hasPinned;
  int failsAt, count = 0;
};

/// Whoever is told that nothing came back may do the call elsewhere: the result must be as it was then.
TEST(BlasExecute, WhatFailsEarlyHasWrittenNothing) {
  for (bool byPanels : {false, true})
    for (int failsAt : {-1, 0, 3}) {
      Faulty device(failsAt >= 0, failsAt);
      std::vector<double> a(144, 1), b(144, 1), c(144, 5);
      const Call call = gemm(Element::D, 'N', 'N', 12, 12, 12, 1, a.data(), 12, b.data(), 12, 1, c.data(), 12).call;
      TileMemory memory(device);
      Staging staging(device);
      BlasSetting setting;
      setting.tile = 4;
      setting.firstPanel = byPanels ? 4 : 0;
      const Ran ran = runIn(call, setting, device, memory, staging);
      EXPECT_EQ(ran.status, failsAt < 0 ? Status::OutOfMemory : Status::InvalidArgument);
      if (ran.bytesOut == 0) EXPECT_EQ(c, std::vector<double>(144, 5));
      EXPECT_EQ(failsAt < 0 && ran.bytesOut > 0, false) << "without pinned memory nothing begins";
      // The next call is as if nothing had been.
      if (failsAt >= 0) {
        std::fill(c.begin(), c.end(), 5);
        EXPECT_EQ(runIn(call, setting, device, memory, staging).status, Status::Ok);
        EXPECT_EQ(c, std::vector<double>(144, 17));
      }
    }
}

/// A product or an update in pinned memory, played by the device's clock and by the model.
void expectTheModelsTime(const Asked &asked, int64_t tile, const HostDeviceOptions &options, HostDevice &device,
                         double tileTime) {
  TileMemory memory(device);
  Staging staging(device);
  const Ran ran = executeTiles(asked.call, tile, device, memory, staging);
  ASSERT_EQ(ran.status, Status::Ok);
  const projection::BlasCall model = modelled(asked.call, placesOf(asked.call, device));
  const std::optional<double> projected = projection::pipelineTime(model, options.rates.link, {double(tile), tileTime});
  ASSERT_TRUE(projected);
  EXPECT_NEAR_TO(device.virtualTime(), *projected, relative(0.03))
      << asked.call.name() << " tile " << tile << " tile time " << tileTime;
}

TEST(BlasExecute, TheVirtualClockSaysWhatTheModelSays) {
  constexpr int64_t side = 96;
  for (double tileTime : {1e-5, 3e-4, 3e-3})
    for (int64_t tile : {16, 24, 40, 96}) {
      HostDeviceOptions options;
      options.rates.link = {5e-6, 1e7, 1.3, 4e-6, 1.2e7, 1.4};
      options.rates.kernel = [=](const TileKernel &kernel) {
        projection::TileStep step;
        step.work = kernel.work;
        step.m = kernel.m;
        step.n = kernel.n;
        step.k = kernel.work == BlasKind::Trsm ? (kernel.side == 'L' ? kernel.m : kernel.n) : kernel.k;
        const bool isVector = kernel.work == BlasKind::Axpy || kernel.work == BlasKind::Dot;
        if (kernel.work == BlasKind::Gemv) step.k = kernel.n;
        return tileTime * step.multiplications() /
               std::pow(double(tile), isVector                        ? 1
                                      : kernel.work == BlasKind::Gemv ? 2
                                                                      : 3);
      };
      HostDevice device(hostBlas(), options);
      std::vector<double *> matrices;
      for (int i = 0; i < 3; ++i) {
        matrices.push_back(static_cast<double *>(device.allocatePinned(side * side * sizeof(double))));
        for (int64_t e = 0; e < side * side; ++e) matrices.back()[e] = e % (side + 1) == 0 ? 2 : 1e-3;
      }
      double *a = matrices[0], *b = matrices[1], *c = matrices[2], sum = 0;
      const Element d = Element::D;
      for (const Asked &asked :
           {gemm(d, 'N', 'T', side, side, side, 1, a, side, b, side, 1, c, side),
            gemm(d, 'N', 'N', side, side, side, 1, a, side, b, side, 0, c, side),
            gemv(d, 'N', side, side, 1, a, side, b, 1, 1, c, 1), axpy(d, side * side, 2, a, 1, b, 1),
            dot(d, false, side * side, a, 1, b, 1, &sum), trsm(d, 'L', 'L', 'N', 'N', side, side, 1, a, side, b, side)})
        if (asked.call.shape.kind != BlasKind::Dot) // its sums come back too, which the model leaves out
          expectTheModelsTime(asked, tile, options, device, tileTime);
      for (double *matrix : matrices) device.releasePinned(matrix);
    }
}

TEST(BlasExecute, TenThousandCallsLoseNothing) {
  HostDevice device(hostBlas(), {});
  TileMemory memory(device);
  Staging staging(device);
  std::vector<double> a(64, 1), b(64, 1), c(64, 0);
  size_t after = 0;
  for (int i = 0; i < 10000; ++i) {
    const int64_t side = 1 + i % 8;
    ASSERT_EQ(
        executeTiles(gemm(Element::D, 'N', 'N', side, side, side, 1, a.data(), 8, b.data(), 8, 0, c.data(), 8).call, 3,
                     device, memory, staging)
            .status,
        Status::Ok);
    if (i == 100) after = device.allocatedBytes();
  }
  EXPECT_EQ(device.allocatedBytes(), after) << "what tiles need is kept, and no more";
}

} // namespace
