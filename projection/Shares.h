//===- projection/Shares.h - How often a branch is taken -----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_SHARES_H
#define BUSFARE_PROJECTION_SHARES_H

#include "brs/Transfers.h"
#include "projection/Work.h"
#include "skeleton/Skeleton.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace busfare::projection {

/// The share of executions of a branch that take its `then` part.
double shareOf(const skeleton::Condition &condition, const skeleton::RealValues &values);

/// The same on average over the innermost of the loops whose index decides it, if one does: `t % 100 == 0` holds one
/// time in a hundred.
double shareOver(llvm::ArrayRef<const skeleton::Loop *> loops, const skeleton::Condition &condition,
                 const skeleton::RealValues &values, const TripOverrides &overrides = {});

/// The share of the iterations of all these loops in which all these sides run: where indices decide it, or a run has
/// shown it. What sizes or data decide otherwise is taken to hold.
double shareAtMost(llvm::ArrayRef<brs::Guard> guards, llvm::ArrayRef<const skeleton::Loop *> loops,
                   const skeleton::RealValues &values, const TripOverrides &overrides = {});
/// Those that rest on nothing but these sizes.
std::vector<brs::Guard> decidedBy(const std::set<std::string> &given, llvm::ArrayRef<brs::Guard> guards);
/// Of guards that sizes decide: 1 if these sides run, else 0.
double shareOfDecided(llvm::ArrayRef<brs::Guard> guards, const skeleton::RealValues &values);
/// What data decide by its probability; but what is never expected is taken to hold.
double shareExpected(llvm::ArrayRef<brs::Guard> guards, llvm::ArrayRef<const skeleton::Loop *> loops,
                     const skeleton::RealValues &values, const TripOverrides &overrides = {});

/// Does the symbol stand in what decides the branch?
bool mentions(const skeleton::Condition &condition, llvm::StringRef symbol);

} // namespace busfare::projection

#endif
