//===- projection/Plan.h - How a region's data and kernel meet ------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Picks the fastest of the strategies of Overlap.h for one region at given sizes, from
// what its sections say: bytes, what chunks of its kernel's outer loop can share out
// (brs/Chunks.h), and how often its threads reach for each element.
//
//   buoydiff(), 1024 x 1024 x 42 doubles, GTX Titan:  explicit copies 119 ms, streams by
//   equation (4) 114 ms, hybrid 106 ms; mapped 176 ms, because each input is read three
//   times: hybrid
//
// The equations get the latency and the time per byte that the region's own copies have
// (Copies.h), so that one stream costs what explicit copies cost. Each further stream costs
// a gap for each array, or a copy's latency where the gap is not known, and a launch.
//
// Only a region whose kernels are launched once has other strategies than explicit copies:
// what stays on the device over many launches is not streamed. Several kernels go through
// the chunks one behind the other (brs/Chain.h), and each stream launches all of them.
// Chunks are kept large enough to fill the device. Does not model: unified memory that migrates (managed).
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_PLAN_H
#define BUSFARE_PROJECTION_PLAN_H

#include "projection/Overlap.h"
#include <string>
#include <vector>

namespace busfare::projection {

enum class Strategy { Explicit, Streams, Mapped, Hybrid };
llvm::StringRef toString(Strategy strategy);

/// The copies of one direction.
struct PlannedWay {
  double time = 0, pageableTime = 0; ///< s of all copies, from pinned and from pageable memory.
  double bytes = 0;                  ///< That they move.
  double copies = 0;                 ///< Copy operations of explicit copies.
  /// Of bytes, what cannot be shared out among chunks: needed before the first, or complete only after the last.
  double whole = 0;
  double accessedBytes = 0;          ///< That the kernel's threads load, or store, of these arrays.
};

struct PlanQuestion {
  PlannedWay in, out;
  double kernels = 0;       ///< s of all launches.
  bool runsOnce = false;    ///< Each kernel once, all of them between the copies.
  double launches = 1;      ///< Of a chunk: one a kernel.
  double mostChunks = 1;    ///< Into which the kernels can be cut; 1: they cannot.
  std::string whyNoChunks;  ///< brs::ChunkedKernel::whyNot.
  /// Loads and stores of neighbouring threads are neighbours, and no array is reached through another.
  bool isRegular = false;
  bool comesBothWays = false; ///< Some array is copied in and back.
  double pinning = 0; ///< s to pin what is copied, shared out among the runs of the region; 0: that is not counted.
};

/// One strategy that was priced.
struct PricedStrategy {
  Strategy strategy = Strategy::Explicit;
  double streams = 1;
  double time = 0; ///< s of kernels and transfers.
};

struct Plan {
  PricedStrategy best;
  HostMemory memory = HostMemory::Pinned;
  std::vector<PricedStrategy> priced; ///< All that were, explicit copies first.
  unsigned equation = 0; ///< That streams were priced by; 0: they were not.
  double fullOverlap = 0, zeroOverlap = 0; ///< Bounds of every strategy.
  std::string whyNoStreams, whyNotMapped, whyNoHybrid; ///< Empty where they were priced.

  double explicitTime() const { return priced.empty() ? best.time : priced.front().time; }
};

Plan planOf(const Machine &machine, const PlanQuestion &question);

/// One sentence: why this plan.
std::string reasonOf(const Plan &plan, const Machine &machine, const PlanQuestion &question);

} // namespace busfare::projection

#endif
