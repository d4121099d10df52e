//===- projection/JudgeThresholds.cpp - From where on it pays off ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Describe.h"
#include "projection/JudgeParts.h"
#include "llvm/ADT/STLExtras.h"
#include <array>
#include <cmath>

namespace busfare::projection {
using namespace skeleton;

/// Sizes so many times today's are looked at; all together are not looked at down to where nobody computes.
static constexpr double farAway = 1024, farBelow = 64;
/// Time steps that are looked at, and so many that what a step costs is all that counts.
static constexpr double mostSteps = 1e12, manySteps = 1e9;

RealValues Judge::Impl::scaled(double factor, bool assumedOnly) const {
  RealValues at = values;
  for (const auto &[symbol, parameter] : q.sizes.bySymbol) {
    bool assumed = q.sizes.isAssumed(symbol);
    if (q.sizes.choicesOnly.count(symbol)) continue;
    if (parameter.source != ParameterSource::Constant && (assumed || !assumedOnly))
      at[symbol] = std::max(1.0, std::round(at[symbol] * factor));
  }
  return at;
}

bool Judge::Impl::hasAssumed() const {
  return llvm::any_of(q.sizes.bySymbol, [&](const auto &entry) { return q.sizes.isAssumed(entry.first); });
}

void Judge::Impl::fillIterations(MachineAnswer &answer, Stretches &steps) const {
  IterationsReport &report = answer.iterations;
  if (q.region.timeLoops.empty()) {
    RegionCost once = planAt(values, std::nullopt);
    report.limitSpeedup = once.speedup();
    if (fits(once) && gainAt(once).value > 0) report.breakEven = 1;
    return;
  }
  const Loop &loop = *q.region.timeLoops.front();
  report.loop = llvm::StringRef(loop.index).rsplit(':').second.str();
  if (report.loop.empty()) report.loop = loop.index;
  report.loop += " at line " + std::to_string(loop.location.line);
  report.count = uint64_t(std::llround(q.iterations ? *q.iterations : tripsOf(loop, values)));
  report.assumed = q.iterationsAssumed;
  RegionCost many = planAt(values, manySteps), twice = planAt(values, 2 * manySteps);
  const double cpuStep = twice.baseline() - many.baseline(), gpuStep = twice.total() - many.total();
  report.limitSpeedup = report.mostSpeedup = gpuStep > 0 ? cpuStep / gpuStep : 0;
  steps = whereItPays({1, 1, mostSteps, isLarge() ? 64.0 : 4.0, true, isLarge() ? 0 : looksAround}, [&](double count) {
    const RegionCost cost = planAt(values, count);
    report.mostSpeedup = std::max(report.mostSpeedup, cost.speedup());
    return std::optional(fits(cost) ? gainAt(cost).value : -1);
  });
  if (!steps.empty()) report.breakEven = steps.front().from ? uint64_t(*steps.front().from) : 1;
}

RealValues Judge::Impl::with(const OpenSize &size, double value) const {
  RealValues at = values;
  for (const std::string &symbol : size.symbols) at[symbol] = value;
  return at;
}

double Judge::Impl::effectOf(const OpenSize &size) const {
  const TripOverrides overrides = iterationsOf(q.region, q.iterations);
  auto prices = [&](const RealValues &at) {
    const RegionCost cost = pricer.withoutHost(at, overrides);
    return std::array<double, 2>{cost.total(), cost.baseline()};
  };
  const std::array<double, 2> before = prices(values);
  double effect = 0;
  // Far away: what is the least of two sizes matters from somewhere on.
  for (double factor : {farBelow, 1 / farBelow}) {
    const double other = std::max(1.0, std::round(size.today * factor));
    if (other == size.today) continue;
    const std::array<double, 2> after = prices(with(size, other));
    const double times = std::abs(std::log(other / std::max(1.0, size.today)));
    for (size_t k = 0; k < before.size(); ++k) {
      constexpr double rounding = 1e-9;
      if (std::abs(after[k] - before[k]) <= rounding * std::max(after[k], before[k])) continue;
      const bool isPower = before[k] > 0 && after[k] > 0 && std::isfinite(after[k] / before[k]) && times > 0;
      effect = std::max(effect, isPower ? std::abs(std::log(after[k] / before[k])) / times : 1);
    }
  }
  return effect;
}

std::vector<OpenSize> Judge::Impl::findOpenSizes() const {
  std::vector<OpenSize> found;
  for (const auto &[symbol, parameter] : q.sizes.bySymbol) {
    if (parameter.source == ParameterSource::Constant || q.sizes.choicesOnly.count(symbol)) continue;
    std::string name = scopedName(q.root.name, symbol);
    auto known = llvm::find_if(found, [&](const OpenSize &size) { return size.name == name; });
    if (known == found.end()) found.push_back({std::move(name), {symbol}, values.at(symbol)});
    else known->symbols.push_back(symbol);
  }
  for (OpenSize &size : found) size.effect = effectOf(size);
  llvm::erase_if(found, [](const OpenSize &size) { return size.effect == 0; });
  llvm::stable_sort(found, [](const OpenSize &a, const OpenSize &b) { return a.effect > b.effect; });
  return found;
}

/// Where the gain is above 0 as all sizes vary together, or one of them alone.
Stretches Judge::Impl::stretchesOf(const OpenSize *only, double below, GainAt gain) const {
  // A region of many kernels takes long to price.
  const double step = isLarge() ? 4 : 2;
  const int looks = isLarge() ? 0 : looksAround;
  if (!only)
    return whereItPays({1, 1 / below, farAway, step, false, looks},
                       [&](double factor) { return gain(scaled(factor, false), factor > 1); });
  return whereItPays({only->today, 1, only->today * farAway, step, true, looks},
                     [&](double size) { return gain(with(*only, size), size > only->today); });
}

std::optional<SizeBreakEven> Judge::Impl::nearestOf(const Stretches &stretches, const OpenSize *only) const {
  const double today = only ? only->today : 1;
  const std::optional<double> nearest = nearestEnd(stretches, today);
  if (!nearest) return std::nullopt;
  return SizeBreakEven{only ? only->name : "", *nearest / today,
                       only ? std::optional(std::llround(*nearest)) : std::nullopt};
}

PaysOff Judge::Impl::whereSizesPay(const OpenSize *only, MachineAnswer &answer) const {
  const Stretches stretches =
      stretchesOf(only, farBelow, [&](const RealValues &at, bool isLarger) -> std::optional<double> {
        const RegionCost cost = planAt(at, q.iterations);
        if (fits(cost)) return gainAt(cost).value;
        return isLarger ? std::nullopt : std::optional(-1.0); // where today's does not fit it may pay below
      });
  PaysOff pays{only ? only->name : "", {}};
  for (const Stretch &stretch : stretches)
    pays.intervals.emplace_back(stretch.from, stretch.to), pays.isAbout |= stretch.isAbout;
  if (std::optional<SizeBreakEven> nearest = nearestOf(stretches, only); nearest && answer.sizeBreakEven.empty())
    answer.sizeBreakEven.push_back(std::move(*nearest));
  return pays;
}

void Judge::Impl::fillSizeBreakEven(MachineAnswer &answer) const {
  if (open.size() > 1) answer.paysOff.push_back(whereSizesPay(nullptr, answer));
  if (open.size() > 1 && (open.size() > manySizes || isLarge())) return;
  for (const OpenSize &size : open)
    if (size.today >= 1) answer.paysOff.push_back(whereSizesPay(&size, answer));
}

/// Prices the mixes, the cheapest first; of those that a report speaks of, where they become it or cease to be.
void Judge::Impl::fillMixes(MachineAnswer &answer) const {
  const TripOverrides overrides = iterationsOf(q.region, q.iterations);
  const RegionCost described = describedAt(values, q.iterations);
  answer.asDescribed = described.total();
  std::vector<std::pair<double, MixPricer *>> mixes;
  for (const std::unique_ptr<MixPricer> &one : pricer.mixes())
    mixes.emplace_back(one->at(values, overrides, described).total(), one.get());
  llvm::stable_sort(mixes, [](const auto &a, const auto &b) { return a.first < b.first; });
  const OpenSize *only = open.size() == 1 && open.front().today >= 1 ? &open.front() : nullptr;
  for (const auto &[time, one] : mixes) {
    const Mix &mix = one->mix();
    MixReport report;
    report.kind = toString(mix.kind).str();
    report.places = mix.places;
    report.calls = mix.calls;
    for (const std::string &array : mix.arrays) report.because.push_back(withoutPaths(array));
    report.time = time;
    for (const MixBytes &bytes : one->bytesAt(values, overrides))
      report.arrays.push_back({withoutPaths(bytes.array), whole(bytes.h2d), whole(bytes.d2h)});
    report.isPlan = report.emitted = &mix == planned;
    const bool isSpokenOf = report.isPlan || answer.mixes.size() < mixesSpokenOf;
    if (isSpokenOf && !open.empty())
      report.flipsAt =
          nearestOf(stretchesOf(only, farAway,
                                [&, one = one](const RealValues &at, bool) {
                                  const RegionCost without = describedAt(at, q.iterations);
                                  return std::optional(without.total() - one->at(at, overrides, without).total());
                                }),
                    only);
    answer.mixes.push_back(std::move(report));
  }
}

void Judge::Impl::fillThresholds(MachineAnswer &answer) const {
  Stretches stretches;
  fillIterations(answer, stretches);
  fillSizeBreakEven(answer);
  PaysOff steps{"iterations", {}}, calls{"calls", {}};
  for (const Stretch &stretch : stretches)
    steps.intervals.emplace_back(stretch.from.value_or(1), stretch.to), steps.isAbout |= stretch.isAbout;
  if (!q.region.timeLoops.empty()) answer.paysOff.push_back(std::move(steps));
  if (!q.options.runs) {
    if (fits(today) && answer.gain.value > 0)
      calls.intervals.emplace_back(std::floor(today.startup / answer.gain.value) + 1, std::nullopt);
    answer.paysOff.push_back(std::move(calls));
  }
}

} // namespace busfare::projection
