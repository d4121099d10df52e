//===- projection/KernelPrices.h - What kernels cost, each once ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The time of all launches of a kernel on one machine's GPU, and of the same work on its
// host. A region is priced many times: under each division of its work between host and
// device, at each size where it may begin to pay. Most of its kernels depend on few of the
// sizes that change, and are the same kernel in all divisions, so each is priced once:
//
//   13 divisions of 80 kernels at 20 sizes: 20,800 questions, some 1,700 answers
//
// What the host does between them is the same in all divisions that only leave kernels to
// it, and is remembered here, too.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_KERNELPRICES_H
#define BUSFARE_PROJECTION_KERNELPRICES_H

#include "projection/Machine.h"
#include "projection/Reference.h"
#include "projection/Root.h"
#include "projection/Terms.h"
#include "projection/Work.h"
#include <compare>
#include <map>
#include <string>
#include <vector>

namespace busfare::projection {

struct KernelCost {
  const brs::Kernel *kernel = nullptr;
  double launches = 0;
  double time = 0; ///< Of one launch, on average.
  std::string limitedBy, threadIndex;
  bool addsUp = false; ///< KernelPrice's.
  double flops = 0, dramBytes = 0, occupancy = 0, busyMultiprocessors = 0;
  unsigned blockThreads = 0;
  bool coalesced = true, regular = true;
  double wavesOfThreads = 0; ///< Threads over those that the device runs at a time.
  /// Bytes that its threads load and store of arrays that cross, where nothing keeps an element but a register.
  double loadedBytes = 0, storedBytes = 0;
  bool isIndirect = false; ///< Some of them are reached through other arrays.
  double cpu = 0, cpuAllCores = 0; ///< s of all launches' work on the host, as written and on all cores.
  /// Of one launch, if they are asked for; of launches that differ, of the one that stands for the most of them.
  std::vector<TimeTerm> terms, cpuTerms, allCoresTerms;
  bool differs = false; ///< Launches do not all do the same work.
};

/// Of one array that a kernel's threads reach, in all launches: KernelCost's loadedBytes and storedBytes, whether it
/// crosses or not.
struct AccessedBytes {
  std::string array;
  double loaded = 0, stored = 0;
  bool isIndirect = false;
};

struct PricedKernel {
  KernelCost cost; ///< Its kernel and the bytes of arrays that cross are left out: they are the region's.
  std::vector<AccessedBytes> accessed;
  std::string cpuLimitedBy;
};

/// What a kernel's price is asked for.
struct LaunchesQuestion {
  const Root &root;
  const brs::Kernel &kernel;
  /// The loop that it is in the region described, under which its price is remembered.
  const skeleton::Loop *described = nullptr;
  double share = 1; ///< Of the iterations around it, those in which it runs.
  double threads = 1; ///< Of the code as written.
};

/// Of one machine. Not for several threads at a time. Loops and nodes that it is asked about are remembered by their
/// addresses: they must outlive it.
class KernelPrices {
public:
  KernelPrices(const Machine &machine, bool wantsTerms) : machine(machine), wantsTerms(wantsTerms) {}
  bool hasTerms() const { return wantsTerms; }
  /// Of what the host does but for these nodes, by sizes and overrides; for whoever prices it to fill.
  using HostPrices = std::map<std::pair<skeleton::RealValues, TripOverrides>, double>;
  HostPrices &ofHost(const LeftOut &leftOut) { return knownHost[leftOut]; }
  /// Stays where it is as long as this does.
  const PricedKernel &of(const LaunchesQuestion &question, const skeleton::RealValues &values,
                         const TripOverrides &overrides);

private:
  struct Key {
    const skeleton::Loop *loop;
    size_t parallel; ///< How many loops become threads: under other divisions it may be fewer.
    skeleton::RealValues values;  ///< Of its symbols.
    std::vector<double> trips;    ///< Overrides of the loops around it; -1 = none.
    double share, threads;
    auto operator<=>(const Key &) const = default;
  };
  const Machine &machine;
  bool wantsTerms;
  std::map<Key, PricedKernel> known;
  std::map<LeftOut, HostPrices> knownHost;

  PricedKernel priceLibrary(const skeleton::LibraryCall &call, const LaunchesQuestion &question,
                            const skeleton::RealValues &values, const TripOverrides &overrides) const;
  PricedKernel price(const LaunchesQuestion &question, const skeleton::RealValues &values,
                     const TripOverrides &overrides) const;
};

/// The part of `values` that these symbols are.
skeleton::RealValues valuesOf(const std::vector<std::string> &symbols, const skeleton::RealValues &values);
/// The overrides of these loops; -1 = none.
std::vector<double> tripsOf(const std::vector<const skeleton::Loop *> &loops, const TripOverrides &overrides);

} // namespace busfare::projection

#endif
