//===- projection/Mapping.h - Which loops run as threads, and the traffic ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A mapping says which loops of a kernel are spread over threads, which of them is
// threadIdx.x, and the shape of a block; the other loops run inside a thread.
//
//   for i (parallel) { for k { for j (parallel) { c[i][j] += a[i][k]*b[k][j] } } }
//     threads i, x = i:       each thread walks rows
//     threads i and j, x = j: k runs inside the thread, legal as it writes c[i][j] alone
//
//   for i (parallel) { for j { y[i] += a[i][j]*x[j] } }
//     threads i:              each thread walks a row
//     a block an i, x = j:    its threads share the row and add up what they found
//
// From a mapping follow the bytes: of a block from L2, of a wave of blocks from DRAM.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_MAPPING_H
#define BUSFARE_PROJECTION_MAPPING_H

#include "projection/Gpu.h"

namespace busfare::projection {

struct Mapping {
  std::vector<const skeleton::Loop *> threadLoops; ///< Outermost first.
  std::vector<double> trips;                       ///< Of them, on average.
  const skeleton::Loop *x = nullptr;               ///< threadIdx.x.
  Tile block;                                      ///< Iterations of a block, for each thread loop.
  unsigned team =
      0; ///< Threads that share all iterations of x, a sum, each some of them; 0: each iteration is a thread's.

  /// Those of which each iteration is a thread's own.
  std::vector<const skeleton::Loop *> apart() const;
  double threads() const;
  unsigned blockThreads() const;
  double blocks() const;
  /// How many threads do again what stands outside a thread loop.
  double replication(const Reference &reference) const;
};

/// Loops beside each other with the same bounds (a first one sets c[i][j], a second adds to it) are run by the same
/// threads: references of the smaller one are taken to stand in the one that runs most.
void joinSiblings(const KernelQuestion &question, const Work &work, std::vector<Reference> &references);

/// The mappings worth pricing.
std::vector<Mapping> mappingsOf(const KernelQuestion &question, const Work &work,
                                const std::vector<Reference> &references, const Gpu &gpu);

struct MappingTraffic {
  double dram = 0, l2 = 0;
  bool coalesced = true; ///< No instruction makes a warp ask for more than twice the bytes that its threads need.
  bool regular = true; ///< No reference costs a block more than twice the bytes it needs: what one instruction leaves
                       ///< over, later ones of the same block use (threads a row apart that walk along their rows).
};

MappingTraffic uncachedTraffic(const std::vector<Reference> &references, const Mapping &mapping, const Gpu &gpu);
MappingTraffic cachedTraffic(const std::vector<Reference> &references, const Mapping &mapping, const Gpu &gpu,
                             unsigned residentThreads, double blocksAtOnce);

} // namespace busfare::projection

#endif
