//===- projection/MixChanges.h - What could change sides ------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Finds, for each array that crosses inside a loop, the kernels and the host statements
// there that touch it: what Mixes.h then prices on the other side.
//
//   for t { kernel: u -> v;  v[0] = g(v[1]) }     v crosses: {v[0] = g(v[1])} or {kernel}
//
// Calls of BLAS between the kernels, all of them and each by itself. And for each loop in which something crosses all
// of its kernels: a scope that is better left to the host. A run of statements moves as a whole: it ends where
// something follows that the device cannot do, or that needs to know a value.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_MIXCHANGES_H
#define BUSFARE_PROJECTION_MIXCHANGES_H

#include "brs/Kernels.h"
#include "projection/Mixes.h"
#include <set>

namespace busfare::projection {

/// What changes sides; nothing in it: nothing is to be gained.
struct Change {
  Mix::Kind kind = Mix::Kind::KernelsOnHost;
  std::set<const skeleton::Loop *> kept;            ///< Kernels.
  Runs moved;                             ///< Statements.
  std::set<std::string> arrays;           ///< Whose copies are the reason.

  bool empty() const { return kept.empty() && moved.empty(); }
  bool isSame(const Change &other) const { return kind == other.kind && kept == other.kept && moved == other.moved; }
};

/// Without repetitions, those about the most bytes first; of several arrays also their statements together.
std::vector<Change> changesFor(const skeleton::Program &program, const Root &root, const brs::Region &region,
                               const skeleton::RealValues &values, const Machine &machine,
                               const PartsOfRun &parts = {});

/// Calls of BLAS in the region, one by one, that the device's library can run; in program order.
std::vector<Change> callsOnDevice(const Root &root, const brs::Region &region, const skeleton::RealValues &values,
                                  const Machine &machine);

/// All statements that any of these changes would move.
Runs movableStatements(const skeleton::Program &program, const Root &root, const brs::Region &region,
                       const skeleton::RealValues &values, const Machine &machine, const PartsOfRun &parts);

/// Where the region stands.
brs::RegionSpan spanOf(const brs::Region &region);

} // namespace busfare::projection

#endif
