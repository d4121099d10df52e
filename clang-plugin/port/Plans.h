//===- clang-plugin/port/Plans.h - The plans of one root -----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A port asks for one plan after the other: without a loop that OpenMP has no words
// for, without one that does not pay, with statements that one thread of the device
// runs. What was planned before is not planned again, and what points into a plan goes
// on doing so.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_PLANS_H
#define BUSFARE_CLANG_PLUGIN_PORT_PLANS_H

#include "clang-plugin/port/WholeStatements.h"
#include "projection/OneThread.h"
#include "projection/Price.h"
#include <memory>

namespace busfare::frontend::port {

/// Statements of the root described that are kernels of one thread, by their first node.
struct MovedStatements {
  projection::Runs runs;
  std::map<const skeleton::Node *, std::vector<std::string>> ownArrays; ///< StatementRun::ownArrays.
};

class Plans {
public:
  Plans(const skeleton::Program &program, std::unique_ptr<projection::Root> described);

  /// limits are about the loops of the root described.
  void make(const brs::PlanLimits &limits, const MovedStatements &moved = {});
  /// With the transfers made last: the root described, or a copy in which statements have moved.
  const projection::Root &current() const { return *now->root; }
  const projection::Root &described() const { return *versions.at({}).root; }
  /// What the plan for a region of the current root is if its kernels may run in these chunks.
  projection::Plan planInChunks(const brs::Region &region, projection::RegionChunks chunks,
                                const projection::Machine &machine, const projection::PriceOptions &options,
                                const skeleton::RealValues &values, const projection::TripOverrides &overrides);
  /// The loop of the root described that a loop of the current one is; null: it stands for statements that moved.
  const skeleton::Loop *loopOf(const skeleton::Loop *here) const;
  /// The first of the statements that a loop of the current root stands for; null: it is a loop of the program's.
  const skeleton::Node *movedIn(const skeleton::Loop *here) const;

private:
  struct Version {
    std::unique_ptr<projection::Root> root;
    projection::OneThreadCopy copy;
    std::map<const skeleton::Loop *, const skeleton::Loop *> original; ///< OneThreadCopy::loops the other way.
    brs::PlanLimits limits; ///< Of root->transfers.
    std::map<brs::PlanLimits, brs::TransferAnalysis> others;
    bool isPlanned = false;
  };
  const skeleton::Program &program;
  std::map<projection::Runs, Version> versions;
  Version *now = nullptr;

  Version &versionWith(const MovedStatements &moved);
};

} // namespace busfare::frontend::port

#endif
