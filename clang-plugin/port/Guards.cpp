//===- clang-plugin/port/Guards.cpp - Which guard each region of a plan gets -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/Guards.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::frontend::port {
using namespace skeleton;

llvm::Expected<std::vector<projection::RegionGuard>> Guards::judge(bool isAsPlanned) {
  return projection::guardsOf({program, plans.current(), sizes, options.machine, options.iterations, options.runs,
                               options.manyRuns, options.threads, isAsPlanned});
}

llvm::Error Guards::readReported() {
  plans.make({});
  llvm::Expected<std::vector<projection::RegionGuard>> guards = judge(true);
  if (!guards) return guards.takeError();
  reported = std::move(*guards);
  return llvm::Error::success();
}

/// The region of the report whose kernels on the device are all ported, these among them.
const projection::RegionGuard *Guards::sameAs(const brs::Region &region) const {
  std::set<const Loop *> ported;
  for (const brs::Region &one : plans.current().transfers.regions)
    for (const brs::Kernel &kernel : one.kernels) ported.insert(plans.loopOf(kernel.loop));
  for (const projection::RegionGuard &one : reported) {
    const bool holdsThese = llvm::all_of(region.kernels, [&](const brs::Kernel &kernel) {
      const Loop *loop = plans.loopOf(kernel.loop); // null: statements that have moved
      return !loop || one.kernels.count(loop) != 0;
    });
    if (holdsThese && llvm::all_of(one.kernels, [&](const Loop *loop) { return ported.count(loop) != 0; })) return &one;
  }
  return nullptr;
}

llvm::Expected<std::vector<SettledGuard>> Guards::ofCurrent(const brs::PlanLimits &limits,
                                                            const projection::Runs &moved) {
  projection::Runs asReported;
  for (const projection::RegionGuard &one : reported) asReported.insert(one.moved.begin(), one.moved.end());
  const bool isSameRest = limits.doubted.empty() && asReported == moved;
  std::optional<std::vector<projection::RegionGuard>> written;
  std::vector<SettledGuard> guards;
  for (const auto &[k, region] : llvm::enumerate(plans.current().transfers.regions)) {
    if (const projection::RegionGuard *same = isSameRest ? sameAs(region) : nullptr) {
      guards.push_back({same->guard, true});
      continue;
    }
    if (!written) {
      llvm::Expected<std::vector<projection::RegionGuard>> own = judge(false);
      if (!own) return own.takeError();
      written = std::move(*own);
    }
    guards.push_back({(*written)[k].guard, false});
  }
  return guards;
}

} // namespace busfare::frontend::port
