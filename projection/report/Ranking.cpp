//===- projection/report/Ranking.cpp - Which regions to read about first --===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/Ranking.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include <tuple>

namespace busfare::projection {

RankedRegion rankedAs(const Report &report, const RegionReport &region) {
  RankedRegion ranked{&region, region.on.empty() ? nullptr : &region.on.front().second, region.location,
                      region.function, std::nullopt};
  double most = 0;
  for (const NestAnswer &nest : report.nests) {
    // Also one that the plan keeps on the host: it is the region's all the same.
    const bool isKernel = ranked.answer && llvm::any_of(ranked.answer->kernels, [&](const KernelReport &kernel) {
                            return kernel.location == nest.location;
                          });
    if ((nest.region != region.id || nest.in != "kernel") && !(isKernel && nest.in != "alone")) continue;
    if (!nest.isCounted) continue;
    ranked.share = ranked.share.value_or(0) + nest.share;
    if (nest.work > most) most = nest.work, ranked.hottest = nest.location, ranked.function = nest.function;
  }
  if (most > 0 || !ranked.answer) return ranked;
  for (const KernelReport &kernel : ranked.answer->kernels)
    if (kernel.time * kernel.launches > most && kernel.location.isKnown())
      most = kernel.time * kernel.launches, ranked.hottest = kernel.location, ranked.function = kernel.function;
  return ranked;
}

std::vector<RankedRegion> rankRegions(const Report &report) {
  std::vector<RankedRegion> all;
  for (const RegionReport &region : report.regions)
    if (!region.on.empty()) all.push_back(rankedAs(report, region));
  auto key = [](const RankedRegion &one) {
    const MachineAnswer &answer = *one.answer;
    // What may gain nothing is looked for by what it does.
    const double weight = answer.verdict == Verdict::Port      ? answer.gain.value
                          : answer.verdict == Verdict::Measure ? std::max(0.0, answer.gain.high)
                                                               : 0;
    return std::tuple(answer.verdict == Verdict::Port      ? 0
                      : answer.verdict == Verdict::Measure ? 1
                                                           : 2,
                      -weight, -one.share.value_or(0), -answer.time.cpu);
  };
  llvm::stable_sort(all, [&](const RankedRegion &a, const RankedRegion &b) { return key(a) < key(b); });
  return all;
}

std::string nameOf(const RankedRegion &ranked) {
  return llvm::sys::path::filename(ranked.hottest.file.str()).str() + ":" + std::to_string(ranked.hottest.line) +
         (ranked.function.empty() ? "" : ", in " + ranked.function);
}

std::vector<std::pair<std::string, ParameterValue>> sizesThatCount(const RegionReport &region, ParameterSource source) {
  std::vector<std::pair<std::string, ParameterValue>> sizes;
  for (const auto &entry : region.parameters)
    if (entry.second.source == source && entry.second.effect != 0.0) sizes.push_back(entry);
  llvm::stable_sort(
      sizes, [](const auto &a, const auto &b) { return a.second.effect.value_or(0) > b.second.effect.value_or(0); });
  return sizes;
}

} // namespace busfare::projection
