//===- brs/Residency.h - Where the valid copy of an array is --------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Walks a region in execution order with two must sets per array: the elements
// surely current on the host and those surely current on the device. A kernel
// needs what it reads (upward-exposed) on the device, a host statement needs it
// on the host; where it is missing a copy is planned.
//
//   state u: host all, device none        kernel reads u[0:n-1], writes v[1:n-2]
//   -> h2d u[0:n-1];  u: device [0:n-1];  v: device [1:n-2], host all but [1:n-2]
//
// A copy moves whole boxes, so all of the box must be current on the side it
// comes from. If it is not, the region is walked again with the box brought to
// the device at its entry, where the host still has everything; if that does not
// help either, or takes too long, whole arrays are copied (WholeArrays.h); an array of
// unknown size cannot be, so the kernels that touch it stay on the host.
//
// A serial loop that only one side touches (for this array) is one step. One
// that both touch is walked to a fixed point of the must sets; before it, what its
// first iteration needs and no iteration invalidates is copied once. A branch that one
// side touches is one step too, unless it is what follows a jump (Branch::isRest), or it
// stands in a loop and is all that the host touches there: then the copies stand inside it. So do
// those of a branch of which one side is the device's and the other, not taken more often, the host's.
//
// The arrays of one rotation (`rotate u <- v, v <- u`) are followed together, by
// name: what a name denotes changes, the plan speaks of the name. Behind a loop in which
// they change places an open number of times a name is current where any iteration, the
// first one apart, leaves it so.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_RESIDENCY_H
#define BUSFARE_BRS_RESIDENCY_H

#include "brs/Effects.h"
#include "brs/Kernels.h"
#include "brs/Touch.h"
#include "brs/Transfers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <memory>
#include <set>

namespace busfare::brs {

/// Effects of nodes of a region, in the order in which they were asked for; 0 = of both sides, others see
/// Residency.cpp.
using EffectsOfNodes = llvm::MapVector<std::pair<const skeleton::Node *, unsigned>, std::unique_ptr<Effects>>;

/// Everything the walk asks about; lives as long as the walk.
struct ResidencyQuestion {
  const skeleton::Program &program;
  const skeleton::Function &function;
  const skeleton::ArrayTable &arrays; ///< Of the function.
  const TouchIndex &touches;
  const RegionSpan &region;
  const KernelLoops &kernels;
  /// Values that someone reads after the region, by name at its exit.
  std::map<std::string, ElementSet> liveAfter;
  std::map<std::string, Reason> liveBecause; ///< The first such read.
  /// Elements without a defined value at the region's entry (fresh memory): current everywhere.
  std::map<std::string, ElementSet> undefinedBefore;
  EffectsMemo *memo = nullptr; ///< Of the function's loops; null: nothing is kept.
  /// Of nodes of the region, for all groups of names.
  EffectsOfNodes *effects = nullptr;
};

struct ArrayCrossings {
  std::vector<Crossing> h2d, d2h;
};

struct ResidencyPlan {
  std::map<std::string, ArrayCrossings> arrays;
  /// Names that no sound plan was found for; their kernels must stay on the host.
  std::set<std::string> unplaceable;
  /// Names that are copied as a whole because which of their elements must cross could not be told (WholeArrays.h).
  std::set<std::string> copiedWhole;
};

/// The branches of the nest that are inside the region.
std::vector<Guard> guardsOf(const RegionSpan &region, const Nest &nest);

/// Which names are rotated into one another in a region; found by one walk over it.
class Rotations {
public:
  explicit Rotations(const RegionSpan &region);
  /// `name` among them.
  std::vector<std::string> of(const std::string &name) const;

private:
  std::vector<std::vector<std::string>> groups;
  llvm::StringMap<unsigned> groupOf;
};

/// Plans the copies of one group of names (a rotation, or one array).
ResidencyPlan planResidency(const ResidencyQuestion &question, const std::vector<std::string> &names);

} // namespace busfare::brs

#endif
