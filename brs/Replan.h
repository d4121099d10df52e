//===- brs/Replan.h - Transfers of a plan that is little different --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// If a kernel stays on the host, or a statement moves to the device, the copies of arrays
// that it does not touch are what they were:
//
//   region: kernels K1 (u, v), K2 (v, w), K3 (w, x); now without K3
//     u, v: as known;  w, x: planned again
//
// That holds for prices. A region that begins or ends elsewhere may have other facts at its entry
// (Region::runs), so ported code is planned from nothing.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_REPLAN_H
#define BUSFARE_BRS_REPLAN_H

#include "brs/Transfers.h"
#include <map>

namespace busfare::brs {

struct KnownPlan {
  const Region &region;          ///< Planned before, of this function or of one that it is a copy of.
  std::set<std::string> changed; ///< Arrays that are touched on another side now.
  /// The loops of the region's function in the one to plan for; empty: they are the same function.
  std::map<const skeleton::Loop *, const skeleton::Loop *> loops;
};

/// analyseTransfers with these limits, asking again only about the arrays that changed.
TransferAnalysis replanTransfers(const skeleton::Program &program, const skeleton::Function &function,
                                 const DependenceAnalysis &dependence, const Context &context, bool isProgram,
                                 const PlanLimits &limits, EffectsMemo *memo, const KnownPlan &known);

} // namespace busfare::brs

#endif
