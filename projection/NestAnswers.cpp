//===- projection/NestAnswers.cpp - Every parallel nest, and what is not priced ===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/NestAnswers.h"
#include "brs/Dependence.h"
#include "projection/Describe.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

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
        if (!at.region) at.region = &region;
        at.staysOnHost &= kernel.staysOnHost;
      }
  return kernels;
}

/// What would let a nest be priced that is not, for the reason: only what does. The hint independent does not say where
/// a pointer leads, and a dependence of which there is an example it cannot deny.
std::string giveFor(const std::string &function, const std::string &reason, bool isAlone) {
  llvm::StringRef why(reason);
  if (isAlone) return "--function " + function;
  if (isOfUnknownPointer(why)) return "a function of its own for the loop, with the pointer as its parameter";
  if (why.contains(sharedByThreads)) return "a parallel region of its own for the loop (omp parallel for)";
  if (why.contains("is not seen")) return "the source of what is called there";
  if (why.contains(brs::notExcluded) || why.contains(brs::anyElement))
    return "the hint independent before the loop, if it is, or busfare measure, which times it";
  return "busfare measure, which times it";
}

void addMissing(llvm::ArrayRef<std::string> from, std::vector<std::string> &to) {
  for (const std::string &one : from)
    if (!llvm::is_contained(to, one)) to.push_back(one);
}

/// Several programs may have one nest (a header's): it is one, as it stands where it does most, with the work of all.
template <class Nest> void mergePlaces(std::vector<Nest> &nests) {
  std::map<Location, size_t> places;
  std::vector<Nest> merged;
  for (Nest &nest : nests) {
    auto [place, isNew] = places.try_emplace(nest.location, merged.size());
    if (isNew) {
      merged.push_back(std::move(nest));
      continue;
    }
    Nest &known = merged[place->second];
    const double work = (known.isCounted ? known.work : 0) + (nest.isCounted ? nest.work : 0);
    if (std::tuple(nest.isCounted, nest.work) > std::tuple(known.isCounted, known.work)) known = std::move(nest);
    if (known.isCounted) known.work = work;
  }
  nests = std::move(merged);
}

} // namespace

void addAlone(const Root &root, FoundNests &found) {
  for (const brs::Region &region : root.transfers.regions)
    for (const brs::Kernel &kernel : region.kernels) {
      const Location &place = kernel.loop->location;
      found.kernelsAround.try_emplace(place, place);
      forEachNode(kernel.loop->body, [&](const Node &node) {
        if (auto *loop = std::get_if<Loop>(&node.kind)) found.kernelsAround.try_emplace(loop->location, place);
      });
      found.alone.try_emplace(place, AloneAnswer{root.name, "", functionOf(root, *kernel.loop), indexOf(*kernel.loop)});
    }
}

void judgeInPlace(llvm::ArrayRef<RegionReport> regions, const std::string &root, FoundNests &found) {
  for (const RegionReport &region : regions) {
    const MachineAnswer &answer = region.on.front().second;
    for (const KernelReport &kernel : answer.kernels)
      if (auto judged = found.alone.find(kernel.location);
          judged != found.alone.end() && judged->second.root == root && judged->second.region.empty()) {
        judged->second.region = region.id;
        judged->second.verdict = answer.verdict;
        judged->second.speedup = answer.speedup.with;
      }
  }
}

void rankNestsInPlace(Report &report) {
  mergePlaces(report.nests);
  mergePlaces(report.unpriced);
  mergePlaces(report.serial);
  double known = 0;
  for (const NestAnswer &nest : report.nests) known += nest.isCounted ? nest.work : 0;
  for (const UnpricedReport &nest : report.unpriced)
    if (nest.isCounted &&
        llvm::none_of(report.nests, [&](const NestAnswer &other) { return other.location == nest.location; }))
      known += nest.work;
  known += report.program.serialWork;
  auto share = [&](auto &nest) { nest.share = nest.isCounted && known > 0 ? nest.work / known : 0; };
  llvm::for_each(report.nests, share);
  llvm::for_each(report.unpriced, share);
  llvm::for_each(report.serial, share);
  auto isBefore = [](const auto &a, const auto &b) {
    return a.work != b.work ? a.work > b.work : a.location < b.location;
  };
  llvm::sort(report.nests, isBefore);
  llvm::sort(report.unpriced, isBefore);
  llvm::sort(report.serial, isBefore);
}

void answerNestsInPlace(const FoundNests &found, Report &report) {
  const std::map<Location, KernelAt> kernels = kernelsOf(report);
  double priced = 0, unpriced = 0;
  bool isOpen = false; // how much is not priced is not known
  std::map<Location, NestAnswer> alone;
  std::map<Location, UnpricedReport> open;
  struct SerialSum {
    SerialNest nest;
    double most = 0; ///< s of the loop that the reason is of.
  };
  std::map<Location, SerialSum> serial;
  for (const auto &[location, nest] : found.ofRoots) {
    const double notPriced = nest.of(NestStanding::Open);
    NestAnswer answer{location, nest.function, nest.index, "", nest.total(), true,
                      0,        std::nullopt,  {1, 1, 1},  "", nest.reason,  nest.assumed};
    if (auto kernel = kernels.find(location); kernel != kernels.end()) {
      const MachineAnswer &region = kernel->second.region->on.front().second;
      answer.in = kernel->second.staysOnHost ? "kept" : "kernel";
      answer.region = kernel->second.region->id;
      answer.verdict = region.verdict;
      answer.speedup = region.speedup.with;
      answer.reason = kernel->second.staysOnHost
                          ? "a kernel that the plan keeps on the host, where it is cheaper with its copies"
                          : "";
      if (nest.of(NestStanding::Open) > 0)
        answer.reason += (answer.reason.empty() ? "in other calls: " : "; in other calls: ") + nest.reason;
      priced += nest.total();
      report.nests.push_back(std::move(answer));
    } else if (auto around = found.kernelsAround.find(location);
               nest.has(NestStanding::Open) && around != found.kernelsAround.end()) {
      const AloneAnswer &judged = found.alone.at(around->second);
      NestAnswer &sum =
          alone
              .try_emplace(around->second, NestAnswer{around->second, judged.function, judged.index, "alone", 0, true,
                                                      0, judged.verdict, judged.speedup, judged.region, nest.reason})
              .first->second;
      sum.work += nest.total();
      addMissing(nest.assumed, sum.assumed);
      if (location == around->second) sum.reason = nest.reason;
      unpriced += notPriced;
      priced += nest.total() - notPriced;
    } else if (nest.has(NestStanding::Parallel)) {
      answer.in = "kept";
      priced += nest.total();
      report.nests.push_back(std::move(answer));
    } else {
      if (nest.has(NestStanding::Open)) {
        UnpricedReport &sum =
            open.try_emplace(nest.outermost, UnpricedReport{nest.outermost, nest.function, nest.reason,
                                                            giveFor(nest.function, nest.reason, false)})
                .first->second;
        sum.work += notPriced;
        addMissing(nest.assumed, sum.assumed);
      }
      unpriced += notPriced;
      priced += nest.total() - notPriced;
      report.program.serialWork += nest.of(NestStanding::Serial);
      if (const double work = nest.of(NestStanding::Serial); work > 0) {
        SerialSum &sum = serial[nest.outermost];
        sum.nest.location = nest.outermost;
        sum.nest.work += work;
        addMissing(nest.assumed, sum.nest.assumed);
        if (work > sum.most) sum.most = work, sum.nest.function = nest.function, sum.nest.reason = nest.reason;
      }
    }
  }
  for (auto &[location, nest] : alone) {
    report.unpriced.push_back({location, nest.function, nest.reason,
                               giveFor(found.alone.at(location).root, nest.reason, true), nest.work, 0, true,
                               nest.assumed});
    report.nests.push_back(std::move(nest));
  }
  for (auto &[location, nest] : open) report.unpriced.push_back(std::move(nest));
  for (auto &[location, sum] : serial) report.serial.push_back(std::move(sum.nest));
  for (const auto &[location, unseen] : found.unseen) {
    if (found.ofRoots.count(location)) continue;
    const NestOfSource &nest = unseen.nest;
    auto judged = found.alone.find(location);
    const bool isAlone = judged != found.alone.end();
    if (isAlone)
      report.nests.push_back({location, nest.function, nest.index, "alone", unseen.mayRun ? nest.total() : 0, false, 0,
                              judged->second.verdict, judged->second.speedup, judged->second.region, unseen.why});
    if (!unseen.mayRun || !(isAlone || nest.has(NestStanding::Open))) continue;
    const std::string give =
        giveFor(isAlone ? judged->second.root : nest.function, isAlone ? unseen.why : nest.reason, isAlone);
    report.unpriced.push_back(
        {location, nest.function, isAlone ? unseen.why : nest.reason, give, nest.total(), 0, false});
    isOpen = true;
  }
  for (const UnjudgedFunction &function : found.unjudged) {
    report.unpriced.push_back({function.location, function.name, function.why,
                               "--function " + function.name + ", which has all the time for it", 0, 0, false});
    isOpen = true;
  }
  rankNestsInPlace(report);
  llvm::erase_if(report.unpriced, [](const UnpricedReport &nest) { return nest.isCounted && nest.share < littleWork; });
  llvm::erase_if(report.serial, [](const SerialNest &nest) { return nest.share < littleWork; });
  report.program.unpricedShare = priced + unpriced > 0 ? unpriced / (priced + unpriced) : 0;
  report.program.isMostlyUnpriced = isOpen || unpriced > priced;
  if (!report.program.isMostlyUnpriced) return;
  for (RegionReport &region : report.regions)
    for (auto &[machine, answer] : region.on) {
      answer.isOfLittle = true;
      if (answer.verdict == Verdict::Measure) continue;
      answer.verdict = Verdict::Measure;
      answer.flip = "what is not priced, which may be most of the work";
    }
  for (NestAnswer &nest : report.nests)
    if (nest.in != "alone" && nest.verdict) nest.verdict = Verdict::Measure;
}

} // namespace busfare::projection
