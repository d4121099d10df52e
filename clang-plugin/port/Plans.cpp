//===- clang-plugin/port/Plans.cpp - The plans of one root ---------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/Plans.h"

namespace busfare::frontend::port {
using namespace skeleton;

Plans::Plans(const Program &program, std::unique_ptr<projection::Root> described) : program(program) {
  now = &versions[{}];
  now->root = std::move(described);
  now->isPlanned = true;
}

Plans::Version &Plans::versionWith(const MovedStatements &moved) {
  auto [entry, isNew] = versions.try_emplace(moved.runs);
  Version &version = entry->second;
  if (!isNew) return version;
  const projection::Root &from = described();
  version.root = std::make_unique<projection::Root>();
  projection::Root &root = *version.root;
  root.name = from.name;
  root.paths = from.paths;
  root.context = from.context;
  root.elements = from.elements;
  root.assumed = from.assumed;
  version.copy = projection::copyWithRuns(program, from, moved.runs, root);
  for (const auto &[before, here] : version.copy.loops) version.original[here] = before;
  for (const auto &[loop, first] : version.copy.once) {
    auto verdict =
        llvm::find_if(root.dependence.loops, [loop = loop](const brs::LoopVerdict &one) { return one.loop == loop; });
    if (auto own = moved.ownArrays.find(first); own != moved.ownArrays.end())
      for (const std::string &array : own->second) verdict->needs.push_back({brs::Need::Kind::ArrayPrivate, array, ""});
  }
  return version;
}

/// Plans are moved in and out as a whole, so that what points to their regions and copies goes on doing so.
void Plans::make(const brs::PlanLimits &limits, const MovedStatements &moved) {
  now = &versionWith(moved);
  if (now->isPlanned && now->limits == limits) return;
  projection::Root &root = *now->root;
  if (now->isPlanned) now->others[now->limits] = std::move(root.transfers);
  if (auto known = now->others.find(limits); known != now->others.end()) {
    root.transfers = std::move(known->second);
  } else {
    brs::PlanLimits here = limits;
    if (!moved.runs.empty()) {
      here.onHost.clear();
      for (const Loop *loop : limits.onHost) here.onHost.insert(now->copy.loops.at(loop));
      for (const auto &[loop, first] : now->copy.once) here.onDevice.insert(loop);
    }
    projection::planTransfers(program, root, here);
    for (const brs::Region &region : root.transfers.regions)
      root.chunks[&region].kernel.whyNot = "what pays is decided by explicit copies";
  }
  now->limits = limits;
  now->isPlanned = true;
}

projection::Plan Plans::planInChunks(const brs::Region &region, projection::RegionChunks chunks,
                                     const projection::Machine &machine, const projection::PriceOptions &options,
                                     const RealValues &values, const projection::TripOverrides &overrides) {
  projection::Root &root = *now->root;
  std::swap(root.chunks[&region], chunks);
  projection::KernelPrices prices(machine, false);
  projection::Plan plan =
      projection::RegionPricer(root, region, machine, options, prices).withoutHost(values, overrides).plan;
  std::swap(root.chunks[&region], chunks);
  return plan;
}

const Loop *Plans::loopOf(const Loop *here) const {
  if (now->original.empty()) return here;
  auto found = now->original.find(here);
  return found == now->original.end() ? nullptr : found->second;
}

const Node *Plans::movedIn(const Loop *here) const {
  auto found = now->copy.once.find(here);
  return found == now->copy.once.end() ? nullptr : found->second;
}

} // namespace busfare::frontend::port
