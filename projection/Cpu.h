//===- projection/Cpu.h - First model of CPU time ------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Prices a loop nest on the host, as written: the largest of what its resources need on
// the cores in use, plus the fork and join of a parallel loop.
//
//   issue   instructions / rate; vector instructions if the innermost loop is parallel and
//           every access in it moves by 0 or 1 elements
//   l2, last_level, dram   bytes that the level nearer to the core has no room for
//           (footprints with layer conditions, Reference.h) / bandwidth
//
// DRAM delivers at least the distinct bytes (written ones twice: they are read first),
// once for all the executions in a row if they fit into the last level. Of what does not fit
// into a level a share stays there, none of what is twice as large.
//
//   HotSpot 512 x 512 as published (four divisions a cell), 8 threads on 4 cores of 2 GHz:
//     262144 cells * 4 divisions * 18 cycles / 8e9 cycles a second = 2.4 ms (measured: about 2.3)
//
// Does not model: prefetching failures, NUMA placement, false sharing, uneven threads.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_CPU_H
#define BUSFARE_PROJECTION_CPU_H

#include "projection/Machine.h"
#include "projection/Reference.h"
#include "projection/Terms.h"

namespace busfare::projection {

struct CpuQuestion {
  const Activity &activity;
  double readBytes = 0, writtenBytes = 0; ///< Distinct bytes.
  bool innermostParallel = false;         ///< The innermost loops may be vectorised.
  double threads = 1;                     ///< In use.
  double executions = 1;                  ///< How often in a row it runs on the same data.
  bool wantsTerms = false;                ///< CpuPrice::terms.
};

struct CpuPrice {
  double time = 0; ///< Of one execution.
  std::string limitedBy;
  std::vector<TimeTerm> terms; ///< If they are asked for: each resource, then fork and join.
};

CpuPrice priceOnCpu(const CpuQuestion &question, const Host &host);

} // namespace busfare::projection

#endif
