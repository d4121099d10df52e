//===- test/runtime-bench/BlasOnGpu.cpp - The random problems on a GPU ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   build/test/blas_on_gpu 10000 [LONGEST [FIRST SEED]]
//
// What BlasExecuteTest does on the host as a device, on the GPU of the machine: random calls
// against the host's BLAS. 0: all are right; 1: some are wrong, a line each; 2: no GPU, or no BLAS.
//
//===----------------------------------------------------------------------===//

#include "BlasProblem.h"
#include "runtime-bench/blas/CudaDevice.h"
#include "runtime-bench/blas/RunTiles.h"
#include <cstdio>
#include <cstdlib>

using namespace busfare::test;

int main(int argc, char **argv) {
  auto number = [&](int argument, int otherwise) { return argc > argument ? std::atoi(argv[argument]) : otherwise; };
  const unsigned problems = unsigned(number(1, 10000)), first = unsigned(number(3, 1));
  const int64_t longest = number(2, 48);
  const HostBlas host;
  std::string why;
  std::unique_ptr<Device> device = cudaDevice(0, why);
  if (!host.isThere() || !device) {
    std::fprintf(stderr, "blas_on_gpu: %s\n", device ? "no BLAS is found for the host" : why.c_str());
    return 2;
  }
  TileMemory memory(*device);
  Staging staging(*device);
  unsigned wrong = 0, run = 0;
  for (unsigned seed = first; seed < first + problems && wrong < 20; ++seed) {
    BlasProblem problem(seed, longest);
    BlasSetting setting = settingOf(seed, problem.operandCount());
    setting.tile = std::max<int64_t>(1, setting.tile * longest / 48);
    setting.firstPanel = setting.firstPanel * longest / 48;
    setting.limit = setting.limit * size_t(longest * longest) / (48 * 48);
    memory.limit(setting.limit);
    const std::string words = problem.words();
    const Call call = problem.on(*device, setting.places);
    Ran ran;
    if (problem.hasWork()) ran = runIn(call, setting, *device, memory, staging);
    problem.collect(*device);
    const std::string what =
        ran.status != Status::Ok ? "status " + std::to_string(int(ran.status)) : problem.wrong(host);
    ++run;
    if (what.empty()) continue;
    ++wrong;
    std::printf("seed %u, tile %lld, limit %zu: %s: %s\n", seed, static_cast<long long>(setting.tile), setting.limit,
                words.c_str(), what.c_str());
  }
  std::printf("%s: %u problems up to %lld, %u wrong\n", device->name().c_str(), run, static_cast<long long>(longest),
              wrong);
  return wrong != 0;
}
