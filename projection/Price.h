//===- projection/Price.h - What a region costs on one machine -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Adds up a region at given sizes: its kernels on the GPU, its transfers, what stays on
// the host, and the whole of it on the CPU, as written and on all cores.
//
//   S = T_cpu / (sum of launches * T_kernel + sum of transfers + T_host)
//
// (GROPHECY++, section III). Transfers are the sum over arrays. A region whose kernels run once has
// the fastest of the strategies of Plan.h, with which kernel and transfers overlap. BLAS
// calls between kernels stay on the host on both sides, at the time of LibraryWork.h.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_PRICE_H
#define BUSFARE_PROJECTION_PRICE_H

#include "projection/Copies.h"
#include "projection/KernelPrices.h"
#include "projection/Machine.h"
#include "projection/Plan.h"
#include "projection/Root.h"
#include "projection/Work.h"
#include <map>

namespace busfare::projection {

/// All copies of one array in one direction.
struct CopyCost {
  const std::string *array = nullptr;
  Direction direction = Direction::ToDevice;
  double time = 0, pageableTime = 0; ///< s of all of them, from or to pinned and pageable memory.
  double count = 0;                  ///< How often.
};

struct RegionCost {
  double cpu = 0, cpuAllCores = 0; ///< Of the whole region.
  double host = 0;                 ///< Of what stays on the host.
  double kernels = 0, h2d = 0, d2h = 0;
  double startup = 0; ///< Paid once: context and objects.
  double context = 0; ///< Of the device.
  std::vector<std::pair<const std::string *, double>> objects; ///< Each array's allocation and pinning.
  double deviceBytes = 0;
  unsigned threads = 1;
  std::string cpuLimitedBy;
  std::vector<KernelCost> perKernel;
  std::vector<CopyCost> perCopy;
  PlanQuestion planned; ///< What plan answers.
  Plan plan;
  double pinning = 0; ///< Of objects, if host memory is pinned; what it would be, if not.

  /// With everything one after the other; of copies from pinned or pageable memory, the faster.
  double explicitTotal() const { return plan.explicitTime() + host; }
  double total() const { return plan.best.time + host; }
  double baseline() const { return cpuAllCores < cpu ? cpuAllCores : cpu; }
  double speedup() const { return total() > 0 ? baseline() / total() : 0; }
};

struct PriceOptions {
  unsigned threads = 0;            ///< 0 = what the code says.
  std::optional<double> cpuTime;   ///< Measured, in place of the model's.
  std::optional<double> runs =
      {}; ///< Of a region in a process; nothing: any number, and what is paid once is left out.
};

/// Loops of a function that were made from another one's, and which they were there.
using DescribedLoops = std::map<const skeleton::Loop *, const skeleton::Loop *>;

/// Prices one region on one machine, at many sizes and iteration counts. Whatever is given must outlive it.
class RegionPricer {
public:
  /// prices: shared by the divisions of one region's work; described: where its loops are not the region's own.
  RegionPricer(const Root &root, const brs::Region &region, const Machine &machine, const PriceOptions &options,
               KernelPrices &prices, DescribedLoops described = {});
  RegionCost at(const skeleton::RealValues &values, const TripOverrides &overrides);
  /// The same without what stays on the host, which takes long to price and is on both sides.
  RegionCost withoutHost(const skeleton::RealValues &values, const TripOverrides &overrides) {
    return priceAt(values, overrides, 0);
  }
  /// Leaves the loop out of the host's time; whoever asks adds what it takes.
  void leaveOut(const skeleton::Loop &loop) { loopsElsewhere.insert(&loop), findLeftOut(); }
  /// PriceOptions::cpuTime was measured at these sizes: at others it grows as the model does.
  void measuredAt(const skeleton::RealValues &values, const TripOverrides &overrides);

private:
  const Root &root;
  const brs::Region &region;
  const Machine &machine;
  const PriceOptions &options;
  KernelPrices &prices;
  const DescribedLoops described;
  double modelledCpu = 0; ///< s of the code as written, where cpuTime was measured; 0: that is not known.
  LeftOut leftOut; ///< Of the region's nodes: what is not the host's.
  KernelPrices::HostPrices *hostPrices = nullptr; ///< With these left out.
  brs::KernelLoops loopsElsewhere; ///< Loops of leaveOut.
  /// What copies cost before, by what it depends on: most depend on few of the sizes that change.
  struct Key {
    const brs::Crossing *what;
    skeleton::RealValues values; ///< Of its symbols.
    std::vector<double> trips;   ///< Overrides of the loops around it; -1 = none.
    auto operator<=>(const Key &) const = default;
  };
  /// Of kernels on both sides of one branch, by number: the guards that say so. Sizes or data decide which side runs.
  std::map<const brs::Kernel *, std::vector<size_t>> exclusiveGuards;
  std::map<Key, CrossingCost> knownCrossings;
  std::set<std::string> crossing; ///< Names of the arrays that do.

  const PricedKernel &kernelPrice(const brs::Kernel &kernel, const skeleton::RealValues &values,
                                  const TripOverrides &overrides);
  unsigned threadsOf(const brs::Kernel &kernel) const;
  KernelCost costOfKernel(const brs::Kernel &kernel, const PricedKernel &priced) const;
  const CrossingCost &crossingCost(const brs::ArrayTransfers &array, const brs::Crossing &crossing, Direction direction,
                                   const skeleton::RealValues &values, const TripOverrides &overrides);
  void findLeftOut();
  double hostTime(const skeleton::RealValues &values, const TripOverrides &overrides);
  void findExclusive();
  RegionCost priceAt(const skeleton::RealValues &values, const TripOverrides &overrides, double host);
  void addCopies(const skeleton::RealValues &values, const TripOverrides &overrides, RegionCost &cost);
  PlanQuestion planQuestion(const RegionCost &cost, const skeleton::RealValues &values, const TripOverrides &overrides);
};

/// One execution of the loop on the host, by one thread; s.
double priceOnHost(const Root &root, const skeleton::Loop &loop, const skeleton::RealValues &values,
                   const TripOverrides &overrides, const Host &host, const LeftOut &leftOut = {});

/// CPU time of the root outside its regions.
double priceOutside(const Root &root, const skeleton::RealValues &values, const Machine &machine);

} // namespace busfare::projection

#endif
