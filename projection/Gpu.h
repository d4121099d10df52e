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
//   fp32, fp64, special, integer, load_store   instructions / rate, and all of them / issue rate
//   latency   rounds of loads a thread waits for, times the waves of threads
//
// Ports of the nest are tried and the cheapest is the answer: which parallel loops run as
// threads (also those inside a serial loop, if each thread then writes elements of its
// own, or a block adds up what its threads found), which of them is threadIdx.x, and how many threads a block has.
//
// With caches for global data, a block's footprint comes from L2 and the footprint of a
// wave of blocks from DRAM (Reference.h). Without them every load and store is paid as
// its half-warp makes it: neighbouring aligned elements are one transaction, one element
// for all is one, anything else is a transaction for each thread; only what a block
// shares element by element (matrix products) is staged in shared memory.
//
//   hotspot on a G80, a cell: 4 B each for the centre, north, south, power and the result,
//   32 B each for west and east, which are not aligned:  84 B
//
// Does not model: bank conflicts, fusion, several elements a thread, stencils staged in
// shared memory on a GPU without caches, tensor units.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_GPU_H
#define BUSFARE_PROJECTION_GPU_H

#include "projection/Machine.h"
#include "projection/Reference.h"
#include "projection/Terms.h"

namespace busfare::projection {

struct KernelQuestion {
  const skeleton::Loop &loop;
  std::vector<const skeleton::Loop *> parallelLoops;
  const Activity &activity;    ///< Of one execution of the loop.
  unsigned registers = 0;      ///< A thread's (Registers.h).
  double footprintBytes = 0;   ///< Distinct bytes the launch reads and writes, at least.
  /// May the iterations of a loop inside run in any order? Nothing: only parallelLoops may.
  std::function<bool(const skeleton::Loop &)> isParallel = nullptr;
  /// May they, but for what they add up for each iteration of the loops around? Nothing: none.
  std::function<bool(const skeleton::Loop &)> addsUp = nullptr;
  bool wantsTerms = false; ///< KernelPrice::terms.
};

struct KernelPrice {
  double time = 0;         ///< Launch included.
  double allResources = 0; ///< Sum of what each resource needs: decides between equal times.
  std::string limitedBy;
  double flops = 0, dramBytes = 0;
  double threads = 0;
  unsigned blockThreads = 0;
  double residentThreads = 0; ///< That one multiprocessor has room for.
  double occupancy = 0;       ///< Threads on a multiprocessor that works, over the most there can be.
  double busyMultiprocessors = 0; ///< Those that get a block.
  std::string threadIndex;
  bool addsUp = false;   ///< The threads of a block share the iterations of that loop and add up.
  bool coalesced = true; ///< MappingTraffic's,
  bool regular = true;   ///< and this.
  std::vector<TimeTerm> terms; ///< If they are asked for: the launch, then each resource.
};

KernelPrice priceKernel(const KernelQuestion &question, const Gpu &gpu);

/// Threads resident on one multiprocessor.
unsigned residentThreads(const Gpu &gpu, unsigned blockThreads, unsigned registers);

} // namespace busfare::projection

#endif
