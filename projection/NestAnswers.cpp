//===- projection/NestAnswers.cpp - Every parallel nest, and what is not priced ===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/NestAnswers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cmath>

namespace busfare::projection {
using namespace skeleton;

namespace {

/// A share below this of the work of all nests cannot turn an answer.
constexpr double littleWork = 0.01;

/// Of a region's kernels those at a place.
struct KernelAt {
  const RegionReport *region = nullptr;
  bool staysOnHost = true; ///< All of them.
};

std::map<Location, KernelAt> kernelsOf(const Report &report) {
  std::map<Location, KernelAt> kernels;
  for (const RegionReport &region : report.regions)
    if (!region.on.empty())
      for (const KernelReport &kernel : region.on.front().second.kernels) {
        KernelAt &at = kernels[kernel.location];
        if (!at.region)
          at.region = &region;
        at.staysOnHost &= kernel.staysOnHost;
      }
  return kernels;
}

/// What would let a nest be priced that is not, for the reason.
std::string giveFor(const std::string &function, const std::string &reason, bool isAlone) {
  llvm::StringRef why(reason);
  if (isAlone)
    return "--function " + function + (why.contains("denotes is not known") || why.contains("may be") ? ", or the hint independent before the loop" : "");
  if (why.contains("denotes is not known") || why.contains("subscript"))
    return "the hint independent before the loop, if it is";
  if (why.contains("is not seen"))
    return "the source of what is called there";
  return "busfare measure, which times it";
}

} // namespace

void rankNestsInPlace(Report &report) {
  double known = 0;
  for (const NestAnswer &nest : report.nests)
    known += nest.isCounted ? nest.work : 0;
  for (const UnpricedReport &nest : report.unpriced)
    if (nest.isCounted && llvm::none_of(report.nests, [&](const NestAnswer &other) { return other.location == nest.location; }))
      known += nest.work;
  known += report.program.serialWork;
  auto share = [&](auto &nest) { nest.share = nest.isCounted && known > 0 ? nest.work / known : 0; };
  llvm::for_each(report.nests, share);
  llvm::for_each(report.unpriced, share);
  auto isBefore = [](const auto &a, const auto &b) { return a.work != b.work ? a.work > b.work : a.location < b.location; };
  llvm::sort(report.nests, isBefore);
  llvm::sort(report.unpriced, isBefore);
}

void answerNestsInPlace(const FoundNests &found, Report &report) {
  const std::map<Location, KernelAt> kernels = kernelsOf(report);
  double priced = 0, unpriced = 0;
  bool isOpen = false; // how much is not priced is not known
  std::map<Location, NestAnswer> alone;
  std::map<Location, UnpricedReport> open;
  for (const auto &[location, nest] : found.ofRoots) {
    const double notPriced = nest.of(NestStanding::Open);
    NestAnswer answer{location, nest.function, nest.index, "", nest.total(), true, 0, std::nullopt, {1, 1, 1}, "", nest.reason};
    if (auto kernel = kernels.find(location); kernel != kernels.end()) {
      const MachineAnswer &region = kernel->second.region->on.front().second;
      answer.in = kernel->second.staysOnHost ? "kept" : "kernel";
      answer.region = kernel->second.region->id;
      answer.verdict = region.verdict;
      answer.speedup = region.speedup.with;
      answer.reason = kernel->second.staysOnHost ? "a kernel that the plan keeps on the host, where it is cheaper with its copies" : "";
      if (nest.of(NestStanding::Open) > 0)
        answer.reason += (answer.reason.empty() ? "in other calls: " : "; in other calls: ") + nest.reason;
      priced += nest.total();
      report.nests.push_back(std::move(answer));
    } else if (auto around = found.kernelsAround.find(location); nest.has(NestStanding::Open) && around != found.kernelsAround.end()) {
      const AloneAnswer &judged = found.alone.at(around->second);
      NestAnswer &sum = alone.try_emplace(around->second, NestAnswer{around->second, judged.function, judged.index, "alone", 0, true, 0, judged.verdict,
                                                                     judged.speedup, judged.region, nest.reason}).first->second;
      sum.work += nest.total();
      if (location == around->second)
        sum.reason = nest.reason;
      unpriced += notPriced;
      priced += nest.total() - notPriced;
    } else if (nest.has(NestStanding::Parallel)) {
      answer.in = "kept";
      priced += nest.total();
      report.nests.push_back(std::move(answer));
    } else {
      if (nest.has(NestStanding::Open)) {
        UnpricedReport &sum = open.try_emplace(nest.outermost, UnpricedReport{nest.outermost, nest.function, nest.index, nest.reason,
                                                                              giveFor(nest.function, nest.reason, false)}).first->second;
        sum.work += nest.total();
      }
      unpriced += notPriced;
      priced += nest.total() - notPriced;
      report.program.serialWork += nest.of(NestStanding::Serial);
    }
  }
  for (auto &[location, nest] : alone) {
    report.unpriced.push_back({location, nest.function, nest.index, nest.reason, giveFor(found.alone.at(location).root, nest.reason, true), nest.work});
    report.nests.push_back(std::move(nest));
  }
  for (auto &[location, nest] : open)
    report.unpriced.push_back(std::move(nest));
  for (const auto &[location, unseen] : found.unseen) {
    auto judged = found.alone.find(location);
    if (judged == found.alone.end() || found.ofRoots.count(location))
      continue;
    const NestOfSource &nest = unseen.nest;
    report.nests.push_back({location, nest.function, nest.index, "alone", unseen.mayRun ? nest.total() : 0, false, 0, judged->second.verdict, judged->second.speedup,
                            judged->second.region, unseen.why});
    if (!unseen.mayRun)
      continue;
    report.unpriced.push_back({location, nest.function, nest.index, unseen.why, giveFor(judged->second.root, unseen.why, true), nest.total(), 0, false});
    isOpen = true;
  }
  rankNestsInPlace(report);
  llvm::erase_if(report.unpriced, [](const UnpricedReport &nest) { return nest.isCounted && nest.share < littleWork; });
  report.program.unpricedShare = priced + unpriced > 0 ? unpriced / (priced + unpriced) : 0;
  report.program.isMostlyUnpriced = isOpen || unpriced > priced;
  if (!report.program.isMostlyUnpriced)
    return;
  for (RegionReport &region : report.regions)
    for (auto &[machine, answer] : region.on) {
      answer.isOfLittle = true;
      if (answer.verdict == Verdict::Measure)
        continue;
      answer.verdict = Verdict::Measure;
      answer.flip = "what is not priced, which may be most of the work";
    }
  for (NestAnswer &nest : report.nests)
    if (nest.in != "alone" && nest.verdict)
      nest.verdict = Verdict::Measure;
}

} // namespace busfare::projection
