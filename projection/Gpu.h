//===- projection/Gpu.h - First model of kernel time ---------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Prices one launch of a kernel: launch latency plus the largest of what its resources
// need (GROPHECY, and the roofline with Little's law):
//
//   dram      bytes from DRAM / bandwidth
//   l2        bytes from L2 / bandwidth
//   fp32, fp64, special, integer, load_store   instructions / rate
//   latency   bytes / (bytes in flight / latency of a load): too few threads to fill the pipe
//
// The parallel loop that needs the fewest DRAM sectors becomes threadIdx.x. Blocks are
// 256 threads; references that neighbouring threads share are read once a block (staged
// in shared memory, or kept by L1), a stencil group with its halo. Without caches for
// global data every block's footprint comes from DRAM; with them DRAM delivers the
// kernel's compulsory footprint if that fits in L2, else what the blocks ask for.
// Times are stretched by the tail of the last wave of blocks.
//
// Does not model: bank conflicts, divergence beyond branch shares, fusion, tensor units.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_GPU_H
#define BUSFARE_PROJECTION_GPU_H

#include "projection/Machine.h"
#include "projection/Reference.h"

namespace busfare::projection {

struct KernelQuestion {
  const skeleton::Program &program;
  const skeleton::Function &function;
  const skeleton::Loop &loop;
  std::vector<const skeleton::Loop *> parallelLoops;
  skeleton::RealValues values; ///< Of everything outside the loop.
  double footprintBytes = 0;   ///< Distinct bytes the launch reads and writes, at least.
};

struct KernelPrice {
  double time = 0; ///< Launch included.
  std::string limitedBy;
  double flops = 0, dramBytes = 0;
  double threads = 0;
  unsigned blockThreads = 0;
  double occupancy = 0;
  std::string threadIndex;
  bool coalesced = true;
};

KernelPrice priceKernel(const KernelQuestion &question, const Gpu &gpu);

/// Registers a thread is taken to need: a base, and two for each array and each scalar it works with.
unsigned registersOf(const skeleton::Loop &kernel);

/// Threads resident on one multiprocessor.
unsigned residentThreads(const Gpu &gpu, unsigned blockThreads, unsigned registers);

} // namespace busfare::projection

#endif
