//===- clang-plugin/port/Guards.h - Which guard each region of a plan gets -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A guard is the break-even of what is written. Where the plan has the same kernels on the
// device as the report's, that is the report's break-even; where a loop stays on the host
// because OpenMP has no words for it, or all kernels were asked for, that of the plan as it is.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_GUARDS_H
#define BUSFARE_CLANG_PLUGIN_PORT_GUARDS_H

#include "clang-plugin/port/Plans.h"
#include "clang-plugin/port/Port.h"

namespace busfare::frontend::port {

struct SettledGuard {
  projection::Guard guard;
  bool isReports = true; ///< PortedGuard::isReports.
};

class Guards {
public:
  Guards(const skeleton::Program &program, Plans &plans, const projection::Sizes &sizes, const PortOptions &options)
      : program(program), plans(plans), sizes(sizes), options(options) {}

  /// The report's, before the plan has any limits. Error: --iterations contradicts the program.
  llvm::Error readReported();
  /// Of the regions of the current plan, in their order. It takes these for granted or not, and moves these statements.
  llvm::Expected<std::vector<SettledGuard>> ofCurrent(const brs::PlanLimits &limits, const projection::Runs &moved);

private:
  const skeleton::Program &program;
  Plans &plans;
  const projection::Sizes &sizes;
  const PortOptions &options;
  std::vector<projection::RegionGuard> reported;

  llvm::Expected<std::vector<projection::RegionGuard>> judge(bool isAsPlanned);
  const projection::RegionGuard *sameAs(const brs::Region &region) const;
};

} // namespace busfare::frontend::port

#endif
