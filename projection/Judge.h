//===- projection/Judge.h - Interval, break-even and verdict -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Turns the cost of a region into an answer: the speedup with its interval, from how
// many iterations and at what sizes it pays off, and port, keep or measure.
//
//   errors: kernel 30 %, transfer 8 %, CPU 35 %; the GPU side is 0.4 ms kernel, 1.2 ms bus
//   sigma^2 = (0.30*0.25)^2 + (0.08*0.75)^2 + 0.35^2;  low = S / (1 + 1.2816 sigma)
//
// Independent errors add in quadrature; 1.2816 standard deviations hold the 10th to the
// 90th percentile. The same interval in seconds, less what a process pays once, is the gain
// (Gain.h): the verdict is port when its low end is above 0, keep when its high end is below, else measure;
// an assumed size keeps it only if sizes 16 times smaller and larger agree. Of the mixes that
// keep kernels on the host the cheapest takes the place of the region as described, if it is cheaper (PlanPricer).
// Break-evens are of that plan, which is the one that is written, held fixed as a size or the steps change.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_JUDGE_H
#define BUSFARE_PROJECTION_JUDGE_H

#include "projection/Gain.h"
#include "projection/Guard.h"
#include "projection/Mixes.h"
#include "projection/Price.h"
#include "projection/Sizes.h"
#include "projection/report/Report.h"

namespace busfare::projection {

/// Where a host time was measured.
struct MeasuredAt {
  const Sizes &sizes;
  std::optional<double> iterations;
};

struct Judgement {
  const skeleton::Program &program;
  const Root &root;
  const brs::Region &region;
  const Sizes &sizes;
  const Machine &machine;
  PriceOptions options;
  /// The time loop's count, if the user or nothing binds it; nothing = what its bounds say.
  std::optional<double> iterations;
  bool iterationsAssumed = false;
  llvm::ArrayRef<Mix> mixes = {}; ///< Of the region.
  KernelPrices &prices;           ///< Of the machine.
  bool wantsThresholds =
      true;    ///< Where it pays, and where other divisions do: they take most of the time, and a verdict needs none.
  const MeasuredAt *measured = nullptr; ///< Of options.cpuTime; null: at these sizes.
};

/// What the verdict on one region takes from those beside it in the process.
struct OtherRegions {
  bool payContext = false; ///< Some are ported, and pay for the device's context,
  ObjectStarts objects;    ///< and for these objects.
  bool setPays = true;     ///< The 10th percentile of what the process gains with all that are ported is above 0.
};

/// In two steps: prices first, of all regions of a process, then what they amount to, given which of them are ported
/// (Gain.h). Whatever is given must outlive it.
class Judge {
public:
  explicit Judge(const Judgement &question);
  Judge(Judge &&);
  ~Judge();
  MachineAnswer price();
  RegionGain gain() const;
  /// Fills in break-evens, gain and verdict.
  void settle(const OtherRegions &around, MachineAnswer &answer);
  /// The break-evens that settle has filled in, as one condition.
  Guard guard(const MachineAnswer &answer) const;
  /// The division of the work that is priced; null: the region as described.
  const Mix *plan() const;

private:
  class Impl;
  std::unique_ptr<Impl> impl;
};

/// The overrides that give the region's outermost time loop this many iterations.
TripOverrides iterationsOf(const brs::Region &region, std::optional<double> iterations);

} // namespace busfare::projection

#endif
