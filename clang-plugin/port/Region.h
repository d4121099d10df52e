//===- clang-plugin/port/Region.h - One region of one root, ported -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Puts a region's plan into the functions it runs through: device memory for each
// array while it is needed, the copies where the plan has them, the kernels. What
// the plan takes for granted (its loops run, arrays do not overlap) is tested where
// the region begins; if it does not hold, everything stays on the host. What cannot be
// tested there the plan has to do without.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_REGION_H
#define BUSFARE_CLANG_PLUGIN_PORT_REGION_H

#include "clang-plugin/port/Instances.h"
#include "clang-plugin/port/Port.h"
#include "clang-plugin/port/WholeStatements.h"
#include "projection/Work.h"

namespace busfare::frontend::port {

struct RegionQuestion {
  const skeleton::Program &program;
  const projection::Root &root;
  const brs::Region &region;
  const PortOptions &options;
  const skeleton::RealValues &values;
  const projection::TripOverrides &overrides;
  unsigned number = 1; ///< Of the region in the unit: part of names.
  /// The statements that loops of the root stand for, as kernels of one thread.
  std::map<const skeleton::Loop *, const StatementRun *> oneThread = {};
  const projection::Guard *guard = nullptr; ///< To be tested where it begins.
  bool isReportsGuard = true;               ///< PortedGuard::isReports.
  const brs::ChunkedKernel *chunked = nullptr; ///< Its kernel runs in chunks, as tasks; null: it has explicit copies.
  unsigned chunks = 0;                         ///< So many, if there are iterations enough.
};

/// Why a region, or some of its kernels, cannot be ported.
struct Refusal {
  std::string reason;
  skeleton::Location at;
  std::vector<const skeleton::Loop *> kernels; ///< Without these it may go; empty: it cannot.
  std::map<const skeleton::Loop *, std::string> reasons; ///< Of those that have one of their own.
  bool isTheirOwn = false; ///< In no other plan could these kernels go, either.
  bool isOfGuard = false; ///< Without its guard it may go.
  std::vector<skeleton::Expr> doubted; ///< Or: it may go by a plan that does not take these for granted.
};

/// Changes `instances` and adds to the unit's lists; after a Refusal both are to be set back.
std::optional<Refusal> portRegion(const RegionQuestion &question, Instances &instances, PortedProgram &unit);

} // namespace busfare::frontend::port

#endif
