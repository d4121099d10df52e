//===- projection/Judge.cpp - Interval, break-even and verdict -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Judge.h"
#include "projection/Describe.h"
#include "projection/WhereItPays.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <cmath>

namespace busfare::projection {
using namespace skeleton;

namespace {

uint64_t whole(double value) { return value <= 0 ? 0 : uint64_t(std::llround(value)); }

/// Sizes so many times today's are looked at; all together are not looked at down to where nobody computes.
constexpr double farAway = 1024, farBelow = 64;
/// Beyond these each size is not looked at by itself.
constexpr size_t manyKernels = 24, manySizes = 4;
constexpr double tenthPercentile = 1.2816; ///< Standard deviations from the middle of a normal distribution.

/// Is the time that a speedup is against one that was measured? All cores' never is.
bool isMeasured(const RegionCost &cost, bool cpuMeasured) { return cpuMeasured && cost.cpu <= cost.cpuAllCores; }

Interval intervalOf(const RegionCost &cost, const ModelErrors &errors, bool cpuMeasured) {
  double value = cost.speedup(), total = cost.total();
  if (total <= 0)
    return {value, value, value};
  // Where they overlap each may be what counts, but no more than all of it.
  double kernel = errors.kernel * std::min(1.0, cost.kernels / total), bus = errors.transfer * std::min(1.0, (cost.h2d + cost.d2h) / total);
  double cpu = isMeasured(cost, cpuMeasured) ? 0 : double(errors.cpu);
  double sigma = std::sqrt(kernel * kernel + bus * bus + cpu * cpu);
  return {value, value / (1 + tenthPercentile * sigma), value * (1 + tenthPercentile * sigma)};
}

Verdict verdictOf(const Interval &gain) { return gain.low > 0 ? Verdict::Port : gain.high < 0 ? Verdict::Keep : Verdict::Measure; }

std::string percent(double share) { return llvm::formatv("{0:f0} %", 100 * share).str(); }

} // namespace

class Judge::Impl {
public:
  explicit Impl(const Judgement &question)
      : q(question), values(q.sizes.realValues()), pricer(q.root, q.region, q.machine, q.options, q.mixes, q.prices) {
    if (q.options.cpuTime && q.measured)
      pricer.measuredAt(q.measured->sizes.realValues(), iterationsOf(q.region, q.measured->iterations));
    else if (q.options.cpuTime)
      pricer.measuredAt(values, iterationsOf(q.region, q.iterations));
    planned = pricer.chosenAt(values, iterationsOf(q.region, q.iterations));
    today = planAt(values, q.iterations);
  }
  MachineAnswer price();
  RegionGain gain() const { return gainPartsOf(today); }
  void settle(const OtherRegions &around, MachineAnswer &answer);

private:
  const Judgement q;
  OtherRegions others;
  RealValues values;
  mutable PlanPricer pricer; ///< Remembers prices.
  const Mix *planned = nullptr; ///< Null: the region as described.
  RegionCost today;             ///< Of that plan.

  RegionGain gainPartsOf(const RegionCost &cost) const;
  /// What the region adds to what is paid once; 0 if the number of runs is open.
  double addedStart(const RegionCost &cost, const RegionGain &parts) const;
  Interval gainAt(const RegionCost &cost) const {
    const RegionGain parts = gainPartsOf(cost);
    return gainOf(parts, q.options.runs.value_or(1), addedStart(cost, parts));
  }

  RegionCost describedAt(const RealValues &at, std::optional<double> iterations) const {
    return pricer.describedAt(at, iterationsOf(q.region, iterations));
  }
  /// Of the plan that is best at today's sizes.
  RegionCost planAt(const RealValues &at, std::optional<double> iterations) const {
    return pricer.at(at, iterationsOf(q.region, iterations), planned);
  }
  /// Of the plan that is best there.
  RegionCost bestAt(const RealValues &at, std::optional<double> iterations) const {
    return pricer.at(at, iterationsOf(q.region, iterations));
  }
  void fillMixes(MachineAnswer &answer) const;
  std::vector<std::string> openSizes() const;
  /// Nothing: it cannot be had there.
  using GainAt = llvm::function_ref<std::optional<double>(const RealValues &at, bool isLarger)>;
  Stretches stretchesOf(const std::string *only, double below, GainAt gain) const;
  std::optional<SizeBreakEven> nearestOf(const Stretches &stretches, const std::string *only) const;
  PaysOff whereSizesPay(const std::string *only, MachineAnswer &answer) const;
  RealValues scaled(double factor, bool assumedOnly) const;
  bool hasScalable(bool assumedOnly) const;
  void fillThresholds(MachineAnswer &answer) const;
  void fillIterations(MachineAnswer &answer) const;
  void fillSizeBreakEven(MachineAnswer &answer) const;
  void fillVerdict(MachineAnswer &answer, const RegionCost &cost) const;
  std::string assumedSizes() const;
  std::string widestModel(const RegionCost &cost) const;
};

RealValues Judge::Impl::scaled(double factor, bool assumedOnly) const {
  RealValues at = values;
  for (const auto &[symbol, parameter] : q.sizes.bySymbol) {
    bool assumed = q.sizes.isAssumed(symbol);
    if (q.sizes.choicesOnly.count(symbol))
      continue;
    if (parameter.source != ParameterSource::Constant && (assumed || !assumedOnly))
      at[symbol] = std::max(1.0, std::round(at[symbol] * factor));
  }
  return at;
}

bool Judge::Impl::hasScalable(bool assumedOnly) const {
  return llvm::any_of(q.sizes.bySymbol, [&](const auto &entry) {
    return q.sizes.isAssumed(entry.first) || (!assumedOnly && entry.second.source != ParameterSource::Constant &&
                                              !q.sizes.choicesOnly.count(entry.first));
  });
}

RegionGain Judge::Impl::gainPartsOf(const RegionCost &cost) const {
  const Interval speedup = intervalOf(cost, q.machine.errors, q.options.cpuTime.has_value());
  RegionGain gain{cost.baseline(), cost.total(), speedup.value > 0 ? speedup.high / speedup.value : 1, {}};
  for (const auto &[name, seconds] : cost.objects)
    gain.objects[*name] += seconds;
  gain.canBePorted = cost.total() > 0 && cost.deviceBytes <= q.machine.gpu.dramBytes;
  return gain;
}

double Judge::Impl::addedStart(const RegionCost &cost, const RegionGain &parts) const {
  return q.options.runs ? (others.payContext ? 0 : cost.context) + startOf(parts.objects, others.objects) : 0;
}

void Judge::Impl::fillIterations(MachineAnswer &answer) const {
  IterationsReport &report = answer.iterations;
  if (q.region.timeLoops.empty()) {
    RegionCost once = planAt(values, std::nullopt);
    report.limitSpeedup = once.speedup();
    if (gainAt(once).value > 0)
      report.breakEven = 1;
    return;
  }
  const Loop &loop = *q.region.timeLoops.front();
  report.loop = llvm::StringRef(loop.index).rsplit(':').second.str();
  if (report.loop.empty())
    report.loop = loop.index;
  report.loop += " at line " + std::to_string(loop.location.line);
  report.count = uint64_t(std::llround(q.iterations ? *q.iterations : tripsOf(loop, values)));
  report.assumed = q.iterationsAssumed;
  // Both sides are linear in the count, up to what stays in the CPU's caches from one step to the next.
  RegionCost few = planAt(values, 10), many = planAt(values, 20), one = planAt(values, 1);
  const double runs = q.options.runs.value_or(1);
  double cpuStep = runs * (many.baseline() - few.baseline()) / 10, gpuStep = runs * (many.total() - few.total()) / 10;
  report.limitSpeedup = gpuStep > 0 ? cpuStep / gpuStep : 0;
  // It goes from that of one step to the limit.
  report.mostSpeedup = std::max(one.speedup(), report.limitSpeedup);
  if (gainAt(one).value > 0) {
    report.breakEven = 1;
    return;
  }
  if (cpuStep <= gpuStep)
    return;
  double missing = 10 * (cpuStep - gpuStep) - gainAt(few).value; // what no step earns
  constexpr double most = 1e12; // beyond, the steps differ by rounding
  double count = std::floor(missing / (cpuStep - gpuStep)) + 1;
  if (count > most)
    return;
  report.breakEven = uint64_t(std::max(2.0, count));
}

std::vector<std::string> Judge::Impl::openSizes() const {
  std::vector<std::string> open;
  for (const auto &[symbol, parameter] : q.sizes.bySymbol)
    if (parameter.source != ParameterSource::Constant && !q.sizes.choicesOnly.count(symbol))
      open.push_back(symbol);
  return open;
}

/// Where the gain is above 0 as all sizes vary together, or one of them alone.
Stretches Judge::Impl::stretchesOf(const std::string *only, double below, GainAt gain) const {
  // A region of many kernels takes long to price.
  const double step = q.region.kernels.size() > manyKernels ? 4 : 2;
  if (!only)
    return whereItPays({1, 1 / below, farAway, step, false}, [&](double factor) { return gain(scaled(factor, false), factor > 1); });
  const double today = values.at(*only);
  return whereItPays({today, 1, today * farAway, step, true}, [&](double size) {
    RealValues at = values;
    at[*only] = size;
    return gain(at, size > today);
  });
}

std::optional<SizeBreakEven> Judge::Impl::nearestOf(const Stretches &stretches, const std::string *only) const {
  const double today = only ? values.at(*only) : 1;
  const std::optional<double> nearest = nearestEnd(stretches, today);
  if (!nearest)
    return std::nullopt;
  return SizeBreakEven{only ? scopedName(q.root.name, *only) : "", *nearest / today, only ? std::optional(std::llround(*nearest)) : std::nullopt};
}

PaysOff Judge::Impl::whereSizesPay(const std::string *only, MachineAnswer &answer) const {
  const Stretches stretches = stretchesOf(only, farBelow, [&](const RealValues &at, bool isLarger) -> std::optional<double> {
    const RegionCost cost = planAt(at, q.iterations);
    const bool fits = cost.deviceBytes <= q.machine.gpu.dramBytes;
    return fits || !isLarger ? std::optional(gainAt(cost).value) : std::nullopt;
  });
  PaysOff pays{only ? scopedName(q.root.name, *only) : "", {}};
  for (const Stretch &stretch : stretches)
    pays.intervals.emplace_back(stretch.from, stretch.to);
  if (std::optional<SizeBreakEven> nearest = nearestOf(stretches, only); nearest && answer.sizeBreakEven.empty())
    answer.sizeBreakEven.push_back(std::move(*nearest));
  return pays;
}

void Judge::Impl::fillSizeBreakEven(MachineAnswer &answer) const {
  const std::vector<std::string> open = openSizes();
  if (open.size() != 1 && hasScalable(false))
    answer.paysOff.push_back(whereSizesPay(nullptr, answer));
  if (open.size() > 1 && (open.size() > manySizes || q.region.kernels.size() > manyKernels))
    return;
  for (const std::string &size : open)
    if (values.at(size) >= 1)
      answer.paysOff.push_back(whereSizesPay(&size, answer));
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
  const std::vector<std::string> open = openSizes();
  const std::string *only = open.size() == 1 && values.at(open[0]) >= 1 ? &open[0] : nullptr;
  for (const auto &[time, one] : mixes) {
    const Mix &mix = one->mix();
    MixReport report;
    report.kind = toString(mix.kind).str();
    report.places = mix.places;
    for (const std::string &array : mix.arrays)
      report.because.push_back(withoutPaths(array));
    report.time = time;
    for (const MixBytes &bytes : one->bytesAt(values, overrides))
      report.arrays.push_back({withoutPaths(bytes.array), whole(bytes.h2d), whole(bytes.d2h)});
    report.isPlan = report.emitted = &mix == planned;
    const bool isSpokenOf = report.isPlan || answer.mixes.size() < mixesSpokenOf;
    if (q.wantsThresholds && isSpokenOf && hasScalable(false))
      report.flipsAt = nearestOf(stretchesOf(only, farAway, [&, one = one](const RealValues &at, bool) {
        const RegionCost without = describedAt(at, q.iterations);
        return std::optional(without.total() - one->at(at, overrides, without).total());
      }), only);
    answer.mixes.push_back(std::move(report));
  }
}

/// The first few, each name once: a function called in ten places has each of its sizes ten times.
std::string Judge::Impl::assumedSizes() const {
  constexpr size_t few = 6;
  std::vector<std::string> sizes;
  for (const auto &[symbol, parameter] : q.sizes.bySymbol)
    if (q.sizes.isAssumed(symbol)) {
      std::string size = scopedName(q.root.name, symbol) + " = " + std::to_string(parameter.value);
      if (!llvm::is_contained(sizes, size))
        sizes.push_back(std::move(size));
    }
  size_t more = sizes.size() > few + 1 ? sizes.size() - few : 0;
  sizes.resize(sizes.size() - more);
  return llvm::join(sizes, ", ") + (more ? " and " + std::to_string(more) + " more" : "");
}

/// Of an interval around 1, the model whose error makes most of it.
std::string Judge::Impl::widestModel(const RegionCost &cost) const {
  const ModelErrors &errors = q.machine.errors;
  double total = cost.total();
  double kernel = errors.kernel * std::min(1.0, cost.kernels / total), bus = errors.transfer * std::min(1.0, (cost.h2d + cost.d2h) / total);
  double cpu = isMeasured(cost, q.options.cpuTime.has_value()) ? 0 : double(errors.cpu);
  if (cpu >= kernel && cpu >= bus)
    return "the host's time, which is modelled (one standard deviation: " + percent(errors.cpu) + "): `busfare measure` or --cpu-time replaces it";
  if (kernel >= bus)
    return "the kernels' time, whose model is off by " + percent(errors.kernel) + " (one standard deviation)";
  return "the transfers' time, whose model is off by " + percent(errors.transfer) + " (one standard deviation): calibrate the machine file";
}

void Judge::Impl::fillVerdict(MachineAnswer &answer, const RegionCost &cost) const {
  auto verdictAt = [&](const RegionCost &at) {
    const Verdict verdict = verdictOf(gainAt(at));
    return verdict == Verdict::Port && !others.setPays ? Verdict::Measure : verdict;
  };
  answer.verdict = verdictAt(cost);
  double bus = cost.h2d + cost.d2h, total = cost.total();
  if (total <= 0) {
    answer.why = "nothing runs at these sizes";
    answer.verdict = Verdict::Keep;
    return;
  }
  double all = bus + cost.kernels + cost.host, busShare = bus / all;
  const char *leading = busShare > 0.5 ? "transfers take" : cost.host > cost.kernels ? "what stays on the host takes" : "kernels take";
  double leadingShare = busShare > 0.5 ? busShare : std::max(cost.host, cost.kernels) / all;
  answer.why = std::string(leading) + " " + percent(leadingShare) + " of the time on the device's side";
  if (cost.plan.best.strategy != Strategy::Explicit)
    answer.why += ", one after the other";
  if (const double saved = q.options.runs.value_or(1) * (cost.baseline() - total); saved > 0 && answer.gain.value <= 0)
    answer.why = std::string(answer.startupShared ? "what its arrays cost once decides; " : "the start-up decides; ") + answer.why;
  if (!answer.fits) {
    answer.verdict = Verdict::Keep;
    answer.why = "the arrays do not fit into the device's memory";
    return;
  }
  constexpr double day = 86400;
  if (std::min(cost.cpu, cost.total()) > day && hasScalable(true)) {
    answer.verdict = Verdict::Measure;
    answer.flip = "a run of " + llvm::formatv("{0:f0}", cost.cpu / day).str() + " days is nobody's: it rests on assumed sizes (" + assumedSizes() + ")";
    return;
  }
  if (q.iterationsAssumed && !q.region.timeLoops.empty()) {
    // A verdict must not rest on a count that nobody gave.
    RegionCost limit = bestAt(values, 1000);
    Verdict later = verdictAt(limit);
    if (later != answer.verdict) {
      answer.flip = "the time loop's count: " + toString(answer.verdict).str() + " at 1, " + toString(later).str() + " at 1000";
      answer.verdict = Verdict::Measure;
      return;
    }
  }
  if (answer.verdict == Verdict::Measure)
    answer.flip = widestModel(cost);
  if (!hasScalable(true))
    return;
  for (double factor : {1.0 / 16, 1.0 / 4, 4.0, 16.0}) {
    RegionCost other = bestAt(scaled(factor, true), q.iterations);
    Verdict there = verdictAt(other);
    if (there == answer.verdict)
      continue;
    answer.flip = "assumed sizes (" + assumedSizes() + "): " + toString(answer.verdict).str() + " here, " + toString(there).str() +
                  (factor < 1 ? llvm::formatv(" at 1/{0}", std::llround(1 / factor)).str()
                              : llvm::formatv(" at {0} times", std::llround(factor)).str()) +
                  " of them";
    answer.verdict = Verdict::Measure;
    return;
  }
}

/// Everything of it but the sections, which are the region's.
static PlanReport describePlan(const RegionCost &cost, const Machine &machine) {
  const Plan &plan = cost.plan;
  PlanReport report;
  report.strategy = toString(plan.best.strategy).str();
  report.streams = unsigned(plan.best.streams);
  report.memory = toString(plan.memory).str();
  report.because = withoutPaths(reasonOf(plan, machine, cost.planned));
  report.equation = plan.equation ? std::to_string(plan.equation) : "";
  report.time = plan.best.time;
  report.explicitTime = plan.explicitTime();
  report.fullOverlap = plan.fullOverlap;
  report.zeroOverlap = plan.zeroOverlap;
  for (const PricedStrategy &priced : plan.priced)
    if (priced.strategy != plan.best.strategy)
      report.alternatives.push_back({toString(priced.strategy).str(), unsigned(priced.streams), priced.time, ""});
  for (auto [strategy, why] : {std::pair(Strategy::Streams, &plan.whyNoStreams), {Strategy::Mapped, &plan.whyNotMapped}, {Strategy::Hybrid, &plan.whyNoHybrid}})
    if (!why->empty())
      report.alternatives.push_back({toString(strategy).str(), 1, 0, withoutPaths(*why)});
  report.pinning = cost.pinning;
  const PlanQuestion &planned = cost.planned;
  report.savedByPinning = planned.in.pageableTime + planned.out.pageableTime - planned.in.time - planned.out.time;
  return report;
}

MachineAnswer Judge::Impl::price() {
  MachineAnswer answer;
  fillMixes(answer);
  const RegionCost &cost = today;
  answer.time.cpu = cost.cpu;
  answer.time.cpuAllCores = cost.cpuAllCores;
  answer.time.threads = cost.threads;
  answer.time.cores = unsigned(q.machine.host.cores);
  answer.time.kernel = cost.kernels;
  answer.time.h2d = cost.h2d;
  answer.time.d2h = cost.d2h;
  answer.time.host = cost.host;
  answer.time.startup = cost.startup;
  answer.time.total = cost.total();
  answer.time.cpuLimitedBy = cost.cpuLimitedBy;
  answer.time.cpuMeasured = q.options.cpuTime.has_value();
  answer.speedup.with = intervalOf(cost, q.machine.errors, answer.time.cpuMeasured);
  double inside = cost.kernels + cost.host;
  answer.speedup.kernelOnly = inside > 0 ? cost.baseline() / inside : 0;
  answer.speedup.asWritten = cost.total() > 0 ? cost.cpu / cost.total() : 0;
  answer.speedup.withExplicit = cost.explicitTotal() > 0 ? cost.baseline() / cost.explicitTotal() : 0;
  answer.plan = describePlan(cost, q.machine);
  answer.fits = cost.deviceBytes <= q.machine.gpu.dramBytes;
  std::map<std::string, unsigned> seen;
  const RegionCost described = describedAt(values, q.iterations);
  for (const KernelCost &kernel : described.perKernel) {
    const Loop &loop = *kernel.kernel->loop;
    KernelReport report;
    report.location = loop.location;
    report.id = llvm::sys::path::filename(loop.location.file).str() + ":" + std::to_string(loop.location.line);
    if (unsigned again = seen[report.id]++)
      report.id += "#" + std::to_string(again + 1);
    report.context = loop.context;
    report.function = loop.context.empty() ? q.root.name : llvm::StringRef(loop.context.back()).split(" (").first.str();
    report.launches = kernel.launches;
    for (const Loop *parallel : kernel.kernel->parallelLoops) {
      report.parallelLoops.emplace_back(parallel->location.line, indexOf(*parallel));
      if (parallel->index == kernel.threadIndex)
        report.threadIndex = indexOf(*parallel);
    }
    report.time = kernel.time;
    report.timeLow = kernel.time / (1 + tenthPercentile * q.machine.errors.kernel);
    report.timeHigh = kernel.time * (1 + tenthPercentile * q.machine.errors.kernel);
    report.limitedBy = kernel.limitedBy;
    report.flops = kernel.flops;
    report.dramBytes = kernel.dramBytes;
    report.blockThreads = kernel.blockThreads;
    report.addsUp = kernel.addsUp;
    report.occupancy = kernel.occupancy;
    report.busyMultiprocessors = kernel.busyMultiprocessors;
    report.multiprocessors = q.machine.gpu.multiprocessors;
    if (report.threadIndex.empty()) {
      llvm::StringRef x(kernel.threadIndex);
      report.threadIndex = x.rsplit(':').second.empty() ? kernel.threadIndex : x.rsplit(':').second.str();
    }
    report.coalesced = kernel.coalesced;
    report.staysOnHost = planned && planned->kept.count(&loop);
    answer.kernels.push_back(std::move(report));
    if (q.prices.hasTerms())
      answer.kernelTerms.push_back({kernel.terms, kernel.cpuTerms, kernel.allCoresTerms, kernel.differs, kernel.cpu, kernel.cpuAllCores});
  }
  return answer;
}

void Judge::Impl::settle(const OtherRegions &around, MachineAnswer &answer) {
  others = around;
  const RegionCost &cost = today;
  if (q.options.runs)
    answer.runs = whole(*q.options.runs);
  answer.gain = gainAt(cost);
  answer.startupAdded = addedStart(cost, gainPartsOf(cost));
  answer.startupShared = others.payContext;
  if (q.wantsThresholds)
    fillThresholds(answer);
  fillVerdict(answer, cost);
}

void Judge::Impl::fillThresholds(MachineAnswer &answer) const {
  fillIterations(answer);
  fillSizeBreakEven(answer);
  PaysOff steps{"iterations", {}}, calls{"calls", {}};
  if (answer.iterations.breakEven)
    steps.intervals.emplace_back(double(*answer.iterations.breakEven), std::nullopt);
  if (!q.region.timeLoops.empty())
    answer.paysOff.push_back(std::move(steps));
  if (!q.options.runs) {
    if (answer.gain.value > 0)
      calls.intervals.emplace_back(std::floor(today.startup / answer.gain.value) + 1, std::nullopt);
    answer.paysOff.push_back(std::move(calls));
  }
}

Judge::Judge(const Judgement &question) : impl(std::make_unique<Impl>(question)) {}
Judge::Judge(Judge &&) = default;
Judge::~Judge() = default;
MachineAnswer Judge::price() { return impl->price(); }
RegionGain Judge::gain() const { return impl->gain(); }
void Judge::settle(const OtherRegions &around, MachineAnswer &answer) { impl->settle(around, answer); }

TripOverrides iterationsOf(const brs::Region &region, std::optional<double> iterations) {
  TripOverrides overrides;
  if (!iterations || region.timeLoops.empty())
    return overrides;
  // Of two loops of so many steps behind each other (first one way of computing, then another) both are meant.
  const Loop &first = *region.timeLoops.front();
  std::set<const Loop *> inside;
  forEachNode(first.body, [&](const Node &node) { inside.insert(std::get_if<Loop>(&node.kind)); });
  for (const Loop *loop : region.timeLoops)
    if (loop == &first || (!inside.count(loop) && !loop->upper.constant() && loop->lower == first.lower && loop->upper == first.upper))
      overrides[loop] = *iterations;
  return overrides;
}

} // namespace busfare::projection
