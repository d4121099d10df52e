//===- projection/GpuDemand.h - What a launch asks of a GPU ---------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What one launch asks of each resource of a GPU, and the seconds that follow. The terms
// are the same seconds with their formulas:
//
//   dramBytes 3145728, 1.4e12 B/s     dram 2.25 us = bytes from DRAM / gpu.dram_bandwidth_bytes_per_s
//
// For Gpu.cpp alone, which finds the demand of each mapping.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_GPUDEMAND_H
#define BUSFARE_PROJECTION_GPUDEMAND_H

#include "projection/Terms.h"
#include <array>
#include <utility>

namespace busfare::projection {

/// Of one launch. Instructions are those of threads, not of warps.
struct GpuDemand {
  double threads = 0, blocks = 0;
  double blocksAtOnce = 1; ///< That the device runs at a time.
  double dramBytes = 0, l2Bytes = 0;
  bool fitsL2 = false;     ///< dramBytes are the distinct bytes: all of them fit into L2.
  double accesses = 0;     ///< Loads and stores issued.
  double replayed = 0; ///< The same, counted again for each further line of the cache that a warp's accesses need.
  double turns = 0; ///< Iterations of loops inside threads.
  double fp32 = 0, fp64 = 0, special = 0, ownIntegers = 0; ///< Instructions of the code's own.
  double rounds = 1; ///< How often a thread waits for loads before it can go on.
};

/// Seconds of each resource; the last is the schedulers, by the name of what there is most of.
using GpuTimes = std::array<std::pair<const char *, double>, 9>;
GpuTimes timesOf(const GpuDemand &demand, const Gpu &gpu);

/// The launch and every resource that takes time.
std::vector<TimeTerm> termsOf(const GpuDemand &demand, const GpuTimes &times, const Gpu &gpu);

} // namespace busfare::projection

#endif
