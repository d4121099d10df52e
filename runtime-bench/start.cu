//===- runtime-bench/start.cu - What a program pays before its first copy -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The driver and the context once (a process starts only once, so there is one timing
// of each), then memory by size: on the device, page-locked anew, page-locked in place.
//
//   driver,,,0,1,1,...                   until the driver has counted the devices
//   context,,,0,1,1,...                  until the first one can be used
//   device_alloc,,device,1048576,1,10,.. cudaMalloc, once it has been used before
//   host_alloc,,pinned,1048576,1,10,...  cudaHostAlloc
//   host_register,,pinned,...            cudaHostRegister of pages that were written before
//
// and device_free, host_free, host_unregister. Does not measure: a second process's start
// while one keeps the driver loaded, which is faster.
//
//===----------------------------------------------------------------------===//
#include "runtime-bench/Check.cuh"
#include "runtime-bench/Probe.h"
#include <chrono>
#include <cstdlib>
#include <cstring>

namespace {

double driverSeconds, contextSeconds;

template <class Work> double secondsOf(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

std::string chooseDeviceTimed(const Options &options) {
  int devices = 0;
  driverSeconds = secondsOf([&] { (void)cudaGetDeviceCount(&devices); });
  std::string why;
  contextSeconds = secondsOf([&] {
    why = chooseDevice(options);
    if (why.empty()) CHECK(cudaFree(nullptr));
  });
  return why;
}

void measureStart(const Options &options, Table &table) {
  table.row("driver", "", "", 0, 1, {driverSeconds}, 0);
  table.row("context", "", "", 0, 1, {contextSeconds}, 0);
  const int repeats = options.quick ? 3 : 10;
  for (size_t bytes = 4096; bytes <= options.maxBytes; bytes *= options.quick ? 64 : 8) {
    std::vector<double> alloc, free, hostAlloc, hostFree, lock, unlock;
    for (int r = 0; r <= repeats; r++) {
      void *device = nullptr, *host = nullptr;
      const double times[] = {secondsOf([&] { CHECK(cudaMalloc(&device, bytes)); }),
                              secondsOf([&] { CHECK(cudaFree(device)); }),
                              secondsOf([&] { CHECK(cudaHostAlloc(&host, bytes, cudaHostAllocDefault)); }),
                              secondsOf([&] { CHECK(cudaFreeHost(host)); })};
      void *pages = std::aligned_alloc(4096, bytes);
      if (!pages) {
        std::fprintf(stderr, "busfare-bench: no host memory for %zu bytes; --max-bytes asks for less\n", bytes);
        std::exit(2);
      }
      std::memset(pages, 1, bytes);
      const double locked = secondsOf([&] { CHECK(cudaHostRegister(pages, bytes, cudaHostRegisterDefault)); });
      const double unlocked = secondsOf([&] { CHECK(cudaHostUnregister(pages)); });
      std::free(pages);
      if (r == 0) continue; // the first of each size may fill pools
      alloc.push_back(times[0]);
      free.push_back(times[1]);
      hostAlloc.push_back(times[2]);
      hostFree.push_back(times[3]);
      lock.push_back(locked);
      unlock.push_back(unlocked);
    }
    table.row("device_alloc", "", "device", bytes, 1, alloc, 0);
    table.row("device_free", "", "device", bytes, 1, free, 0);
    table.row("host_alloc", "", "pinned", bytes, 1, hostAlloc, 0);
    table.row("host_free", "", "pinned", bytes, 1, hostFree, 0);
    table.row("host_register", "", "pinned", bytes, 1, lock, 0);
    table.row("host_unregister", "", "pinned", bytes, 1, unlock, 0);
  }
}
