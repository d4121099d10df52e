//===- projection/JudgeParts.h - What a judgement is made of --------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Shared by Judge.cpp, which prices a region and gives the verdict, JudgeThresholds.cpp,
// which says where the sign of a gain changes, and JudgeGuard.cpp, which makes one condition of that. Every figure and
// every threshold is read off gainAt: the plan that is written, held fixed, at other sizes and step counts.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_JUDGEPARTS_H
#define BUSFARE_PROJECTION_JUDGEPARTS_H

#include "projection/Judge.h"
#include "projection/WhereItPays.h"

namespace busfare::projection {

/// Beyond these each size is not looked at by itself.
constexpr size_t manyKernels = 24, manySizes = 4;

/// A size that --param sets, by the name that it takes: that of a function called in several places is one size.
struct OpenSize {
  std::string name; ///< scopedName.
  std::vector<std::string> symbols;
  double today = 0;
  double effect = 0; ///< ParameterValue::effect.
};

class Judge::Impl {
public:
  explicit Impl(const Judgement &question)
      : q(question), values(q.sizes.realValues()), pricer(q.root, q.region, q.machine, q.options, q.mixes, q.prices) {
    if (q.options.cpuTime && q.measured)
      pricer.measuredAt(q.measured->sizes.realValues(), iterationsOf(q.region, q.measured->iterations));
    else if (q.options.cpuTime) pricer.measuredAt(values, iterationsOf(q.region, q.iterations));
    planned = pricer.chosenAt(values, iterationsOf(q.region, q.iterations));
    today = planAt(values, q.iterations);
    if (q.wantsThresholds) open = findOpenSizes();
  }
  MachineAnswer price();
  RegionGain gain() const { return gainPartsOf(today); }
  void settle(const OtherRegions &around, MachineAnswer &answer);
  Guard guard(const MachineAnswer &answer) const; // JudgeGuard.cpp
  const Mix *plan() const { return planned; }

private:
  struct GuardSize;
  const Judgement q;
  OtherRegions others;
  skeleton::RealValues values;
  mutable PlanPricer pricer; ///< Remembers prices.
  const Mix *planned = nullptr; ///< Null: the region as described.
  RegionCost today;             ///< Of that plan.
  std::vector<OpenSize> open;

  bool isLarge() const { return q.region.kernels.size() > manyKernels; }
  bool fits(const RegionCost &cost) const { return cost.deviceBytes <= q.machine.gpu.dramBytes; }
  RegionGain gainPartsOf(const RegionCost &cost) const;
  /// What the region adds to what is paid once; 0 if the number of runs is open.
  double addedStart(const RegionCost &cost, const RegionGain &parts) const;
  Interval gainAt(const RegionCost &cost) const {
    const RegionGain parts = gainPartsOf(cost);
    return gainOf(parts, q.options.runs.value_or(1), addedStart(cost, parts));
  }

  RegionCost describedAt(const skeleton::RealValues &at, std::optional<double> iterations) const {
    return pricer.describedAt(at, iterationsOf(q.region, iterations));
  }
  /// Of the plan that is best at today's sizes.
  RegionCost planAt(const skeleton::RealValues &at, std::optional<double> iterations) const {
    return pricer.at(at, iterationsOf(q.region, iterations), planned);
  }
  /// Of the plan that is best there.
  RegionCost bestAt(const skeleton::RealValues &at, std::optional<double> iterations) const {
    return pricer.at(at, iterationsOf(q.region, iterations));
  }
  void fillMixes(MachineAnswer &answer) const;
  /// Those that a price rests on, the most of it first.
  std::vector<OpenSize> findOpenSizes() const;
  double effectOf(const OpenSize &size) const;
  skeleton::RealValues with(const OpenSize &size, double value) const;
  /// Nothing: it cannot be had there.
  using GainAt = llvm::function_ref<std::optional<double>(const skeleton::RealValues &at, bool isLarger)>;
  Stretches stretchesOf(const OpenSize *only, double below, GainAt gain) const;
  std::optional<SizeBreakEven> nearestOf(const Stretches &stretches, const OpenSize *only) const;
  PaysOff whereSizesPay(const OpenSize *only, MachineAnswer &answer) const;
  skeleton::RealValues scaled(double factor, bool assumedOnly) const;
  bool hasAssumed() const;
  void fillThresholds(MachineAnswer &answer) const;
  /// steps: how many of the time loop pay.
  void fillIterations(MachineAnswer &answer, Stretches &steps) const;
  void fillSizeBreakEven(MachineAnswer &answer) const;
  void fillVerdict(MachineAnswer &answer, const RegionCost &cost) const;
  /// "n = 100, m = 7": a point of the box; empty: all of them pay.
  std::string whatDoesNotPay(llvm::ArrayRef<GuardSize> sizes, llvm::ArrayRef<GuardTerm> box) const;
  std::string assumedSizes() const;
  std::string widestModel(const RegionCost &cost) const;
};

} // namespace busfare::projection

#endif
