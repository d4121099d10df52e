//===- projection/Mixes.h - Other divisions of a region's work -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A region is described with every kernel on the device and every host statement on the
// host. Where that makes an array cross inside a loop, there are two ways out: the kernels
// that touch it there stay on the host, or the statements that touch it there run on the
// device, as kernels of one thread.
//
//   for t { kernel: u -> v;  v[0] = g(v[1]);  kernel: v -> u }
//     as described: 2 copies an iteration; first kernel on the host: v in, once an iteration;
//     `v[0] = g(v[1])` by one thread of the device: none
//
// A call of BLAS between kernels is such a statement: the device has a library for it, whose
// price with all operands there is that of BlasRate.h. It is tried in regions without a loop as well,
// all calls together, and each of the first few alone.
//
// Each is the program so changed, taken through the same analysis of its transfers, and is
// priced like any region. The search goes on from the cheapest one as long as leaving more
// kernels on the host pays: those that the copies left over are for, and those that are
// slower on the device even without copies (a launch for a handful of numbers). Of a statement that is moved, scalars
// come and go as those of kernels do, which is not priced. Does not move: what only the host can do, definitions of
// sizes, what decides whether a loop or a branch with kernels in it goes on.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_MIXES_H
#define BUSFARE_PROJECTION_MIXES_H

#include "projection/OneThread.h"
#include "projection/Price.h"

namespace busfare::projection {

struct Mix {
  enum class Kind {
    KernelsOnHost,      ///< Kernels of the region are left as they are written.
    StatementsOnDevice, ///< Host statements become kernels of one thread, calls of BLAS the device's library's.
  };
  Kind kind = Kind::KernelsOnHost;
  std::vector<skeleton::Location> places; ///< Of what changes sides, sorted.
  std::vector<skeleton::Location> calls;  ///< Those of them that are calls of BLAS, sorted.
  std::vector<std::string> arrays;        ///< Whose copies in loops are the reason, sorted.
  /// What prices ask of the program so changed; its one region is given the statements of the region described. Its
  /// function is empty, and that of the root described is meant, if no statement moves.
  std::unique_ptr<Root> root;
  /// The region's kernels that stay on the host, by their loops in the region described and here.
  std::map<const skeleton::Loop *, const skeleton::Loop *> kept;
  /// The loops of the root described, in this one; empty: they are the same.
  std::map<const skeleton::Loop *, const skeleton::Loop *> loops;
  Runs moved; ///< Of the root described.

  const brs::Region &region() const { return root->transfers.regions.front(); }
};

llvm::StringRef toString(Mix::Kind kind);

/// What a search for mixes is about.
struct MixQuestion {
  const skeleton::Program &program;
  const Root &root;
  const brs::Region &region;
  const Machine &machine;
  PriceOptions options;
  skeleton::RealValues values;
  TripOverrides overrides;
  brs::PlanLimits limits = {}; ///< What the region's plan does without already.
  PartsOfRun parts = {};       ///< Empty: statements that can run on the device can be moved there.
};

/// Other mixes for the region: those that one array's copies suggest, the most bytes first, and a few only; then what
/// the search came to from the cheapest of them that keeps kernels on the host, each better than all before. prices: of
/// the question's machine; gets those that come up.
std::vector<Mix> mixesOf(const MixQuestion &question, KernelPrices &prices);

/// What one array moves under a mix.
struct MixBytes {
  std::string array;
  double h2d = 0, d2h = 0; ///< movedBytes, all times.
};

/// Prices a mix on one machine. Whatever is given must outlive it.
class MixPricer {
public:
  /// prices: what the region's kernels cost, whatever division was asked about before.
  MixPricer(const Mix &mix, const Machine &machine, const PriceOptions &options, KernelPrices &prices);
  /// described: the same region without the mix, at the same sizes, whose CPU times these are too.
  RegionCost at(const skeleton::RealValues &values, const TripOverrides &overrides, const RegionCost &described);
  /// The arrays that cross, by name.
  std::vector<MixBytes> bytesAt(const skeleton::RealValues &values, const TripOverrides &overrides) const;
  const Mix &mix() const { return what; }

private:
  const Mix &what;
  const Machine &machine;
  PriceOptions options;
  RegionPricer pricer;

  TripOverrides translate(const TripOverrides &overrides) const;
};

/// Prices a region as planned on one machine: as described or by one of the mixes, whichever is the cheapest at the
/// sizes asked about. Whatever is given must outlive it.
class PlanPricer {
public:
  PlanPricer(const Root &root, const brs::Region &region, const Machine &machine, const PriceOptions &options,
             llvm::ArrayRef<Mix> mixes, KernelPrices &prices);
  RegionCost at(const skeleton::RealValues &values, const TripOverrides &overrides);
  /// Of one division, whatever is the cheapest there; null: as described.
  RegionCost at(const skeleton::RealValues &values, const TripOverrides &overrides, const Mix *mix);
  /// Null: the region as described.
  const Mix *chosenAt(const skeleton::RealValues &values, const TripOverrides &overrides);
  RegionCost describedAt(const skeleton::RealValues &values, const TripOverrides &overrides) {
    return described.at(values, overrides);
  }
  RegionCost withoutHost(const skeleton::RealValues &values, const TripOverrides &overrides) {
    return described.withoutHost(values, overrides);
  }
  void measuredAt(const skeleton::RealValues &values, const TripOverrides &overrides) {
    described.measuredAt(values, overrides);
  }
  llvm::ArrayRef<std::unique_ptr<MixPricer>> mixes() const { return pricers; }

private:
  RegionPricer described;
  std::vector<std::unique_ptr<MixPricer>> pricers; ///< Of all mixes, in their order.

  std::pair<RegionCost, const Mix *> cheapestAt(const skeleton::RealValues &values, const TripOverrides &overrides);
};

} // namespace busfare::projection

#endif
