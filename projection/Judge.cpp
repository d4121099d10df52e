//===- projection/Judge.cpp - Interval, break-even and verdict -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Describe.h"
#include "projection/JudgeParts.h"
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

constexpr double tenthPercentile = 1.2816; ///< Standard deviations from the middle of a normal distribution.

/// Is the time that a speedup is against one that was measured? All cores' never is.
bool isMeasured(const RegionCost &cost, bool cpuMeasured) { return cpuMeasured && cost.cpu <= cost.cpuAllCores; }

Interval intervalOf(const RegionCost &cost, const ModelErrors &errors, bool cpuMeasured) {
  double value = cost.speedup(), total = cost.total();
  if (total <= 0) return {value, value, value};
  // Where they overlap each may be what counts, but no more than all of it.
  double kernel = errors.kernel * std::min(1.0, cost.kernels / total),
         bus = errors.transfer * std::min(1.0, (cost.h2d + cost.d2h) / total);
  double cpu = isMeasured(cost, cpuMeasured) ? 0 : double(errors.cpu);
  double sigma = std::sqrt(kernel * kernel + bus * bus + cpu * cpu);
  return {value, value / (1 + tenthPercentile * sigma), value * (1 + tenthPercentile * sigma)};
}

Verdict verdictOf(const Interval &gain) {
  return gain.low > 0 ? Verdict::Port : gain.high < 0 ? Verdict::Keep : Verdict::Measure;
}

std::string percent(double share) { return llvm::formatv("{0:f0} %", 100 * share).str(); }

} // namespace

RegionGain Judge::Impl::gainPartsOf(const RegionCost &cost) const {
  const Interval speedup = intervalOf(cost, q.machine.errors, q.options.cpuTime.has_value());
  RegionGain gain{cost.baseline(), cost.total(), speedup.value > 0 ? speedup.high / speedup.value : 1, {}};
  for (const auto &[name, seconds] : cost.objects) gain.objects[*name] += seconds;
  // Of a plan that keeps all of it on the host the two differ by rounding, which enough steps would add up.
  constexpr double rounding = 1e-9;
  if (std::abs(gain.baseline - gain.total) <= rounding * gain.baseline) gain.total = gain.baseline;
  gain.canBePorted = cost.total() > 0 && fits(cost);
  return gain;
}

double Judge::Impl::addedStart(const RegionCost &cost, const RegionGain &parts) const {
  return q.options.runs ? (others.payContext ? 0 : cost.context) + startOf(parts.objects, others.objects) : 0;
}

/// In words: the first few, those first on which the price rests most.
std::string Judge::Impl::assumedSizes() const {
  constexpr size_t few = 6;
  std::vector<std::string> sizes;
  auto add = [&](const std::string &symbol, const std::string &name) {
    if (std::string size = name + " = " + std::to_string(q.sizes.bySymbol.at(symbol).value);
        q.sizes.isAssumed(symbol) && !llvm::is_contained(sizes, size))
      sizes.push_back(std::move(size));
  };
  for (const OpenSize &size : open)
    for (const std::string &symbol : size.symbols) add(symbol, size.name);
  if (!q.wantsThresholds) // nobody asked which of them count
    for (const auto &[symbol, parameter] : q.sizes.bySymbol) add(symbol, scopedName(q.root.name, symbol));
  size_t more = sizes.size() > few + 1 ? sizes.size() - few : 0;
  sizes.resize(sizes.size() - more);
  // Of many small ones none may count alone.
  if (sizes.empty()) return "all assumed sizes together";
  return "assumed sizes (" + llvm::join(sizes, ", ") + (more ? " and " + std::to_string(more) + " more" : "") + ")";
}

/// Of an interval around 1, the model whose error makes most of it.
std::string Judge::Impl::widestModel(const RegionCost &cost) const {
  const ModelErrors &errors = q.machine.errors;
  double total = cost.total();
  double kernel = errors.kernel * std::min(1.0, cost.kernels / total),
         bus = errors.transfer * std::min(1.0, (cost.h2d + cost.d2h) / total);
  double cpu = isMeasured(cost, q.options.cpuTime.has_value()) ? 0 : double(errors.cpu);
  if (cpu >= kernel && cpu >= bus)
    return "the host's time, which is modelled (one standard deviation: " + percent(errors.cpu) +
           "): `busfare measure` or --cpu-time replaces it";
  if (kernel >= bus)
    return "the kernels' time, whose model is off by " + percent(errors.kernel) + " (one standard deviation)";
  return "the transfers' time, whose model is off by " + percent(errors.transfer) +
         " (one standard deviation): calibrate the machine file";
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
  const char *leading = busShare > 0.5             ? "transfers take"
                        : cost.host > cost.kernels ? "what stays on the host takes"
                                                   : "kernels take";
  double leadingShare = busShare > 0.5 ? busShare : std::max(cost.host, cost.kernels) / all;
  answer.why = std::string(leading) + " " + percent(leadingShare) + " of the time on the device's side";
  if (cost.plan.best.strategy != Strategy::Explicit) answer.why += ", one after the other";
  if (const double saved = q.options.runs.value_or(1) * (cost.baseline() - total); saved > 0 && answer.gain.value <= 0)
    answer.why = std::string(answer.startupShared ? "what its arrays cost once decides; " : "the start-up decides; ") +
                 answer.why;
  if (!answer.fits) {
    answer.verdict = Verdict::Keep;
    answer.why = "the arrays do not fit into the device's memory";
    return;
  }
  constexpr double day = 86400;
  if (std::min(cost.cpu, cost.total()) > day && hasAssumed()) {
    answer.verdict = Verdict::Measure;
    answer.flip = "a run of " + llvm::formatv("{0:f0}", cost.cpu / day).str() + " days is nobody's: it rests on " +
                  assumedSizes();
    return;
  }
  if (q.iterationsAssumed && !q.region.timeLoops.empty()) {
    // A verdict must not rest on a count that nobody gave.
    RegionCost limit = bestAt(values, 1000);
    Verdict later = verdictAt(limit);
    if (later != answer.verdict) {
      answer.flip =
          "the time loop's count: " + toString(answer.verdict).str() + " at 1, " + toString(later).str() + " at 1000";
      answer.verdict = Verdict::Measure;
      return;
    }
  }
  if (answer.verdict == Verdict::Measure) answer.flip = widestModel(cost);
  if (!hasAssumed()) return;
  for (double factor : {1.0 / 16, 1.0 / 4, 4.0, 16.0}) {
    RegionCost other = bestAt(scaled(factor, true), q.iterations);
    Verdict there = verdictAt(other);
    if (there == answer.verdict) continue;
    answer.flip = assumedSizes() + ": " + toString(answer.verdict).str() + " here, " + toString(there).str() +
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
  for (auto [strategy, why] : {std::pair(Strategy::Streams, &plan.whyNoStreams),
                               {Strategy::Mapped, &plan.whyNotMapped},
                               {Strategy::Hybrid, &plan.whyNoHybrid}})
    if (!why->empty()) report.alternatives.push_back({toString(strategy).str(), 1, 0, withoutPaths(*why)});
  report.pinning = cost.pinning;
  const PlanQuestion &planned = cost.planned;
  report.savedByPinning = planned.in.pageableTime + planned.out.pageableTime - planned.in.time - planned.out.time;
  return report;
}

MachineAnswer Judge::Impl::price() {
  MachineAnswer answer;
  for (const OpenSize &size : open) answer.sizeEffects.emplace_back(size.name, size.effect);
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
  answer.fits = fits(cost);
  std::map<std::string, unsigned> seen;
  const RegionCost described = describedAt(values, q.iterations);
  for (const KernelCost &kernel : described.perKernel) {
    const Loop &loop = *kernel.kernel->loop;
    KernelReport report;
    report.location = loop.location;
    report.id = llvm::sys::path::filename(loop.location.file).str() + ":" + std::to_string(loop.location.line);
    if (unsigned again = seen[report.id]++) report.id += "#" + std::to_string(again + 1);
    report.context = loop.context;
    report.function = loop.context.empty() ? q.root.name : llvm::StringRef(loop.context.back()).split(" (").first.str();
    report.launches = kernel.launches;
    for (const Loop *parallel : kernel.kernel->parallelLoops) {
      report.parallelLoops.emplace_back(parallel->location.line, indexOf(*parallel));
      if (parallel->index == kernel.threadIndex) report.threadIndex = indexOf(*parallel);
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
      answer.kernelTerms.push_back(
          {kernel.terms, kernel.cpuTerms, kernel.allCoresTerms, kernel.differs, kernel.cpu, kernel.cpuAllCores});
  }
  return answer;
}

void Judge::Impl::settle(const OtherRegions &around, MachineAnswer &answer) {
  others = around;
  const RegionCost &cost = today;
  if (q.options.runs) answer.runs = whole(*q.options.runs);
  answer.gain = gainAt(cost);
  answer.startupAdded = addedStart(cost, gainPartsOf(cost));
  answer.startupShared = others.payContext;
  if (q.wantsThresholds) fillThresholds(answer);
  fillVerdict(answer, cost);
}

Judge::Judge(const Judgement &question) : impl(std::make_unique<Impl>(question)) {}
Judge::Judge(Judge &&) = default;
Judge::~Judge() = default;
MachineAnswer Judge::price() { return impl->price(); }
RegionGain Judge::gain() const { return impl->gain(); }
void Judge::settle(const OtherRegions &around, MachineAnswer &answer) { impl->settle(around, answer); }

TripOverrides iterationsOf(const brs::Region &region, std::optional<double> iterations) {
  TripOverrides overrides;
  if (!iterations || region.timeLoops.empty()) return overrides;
  // Of two loops of so many steps behind each other (first one way of computing, then another) both are meant.
  const Loop &first = *region.timeLoops.front();
  std::set<const Loop *> inside;
  forEachNode(first.body, [&](const Node &node) { inside.insert(std::get_if<Loop>(&node.kind)); });
  for (const Loop *loop : region.timeLoops)
    if (loop == &first ||
        (!inside.count(loop) && !loop->upper.constant() && loop->lower == first.lower && loop->upper == first.upper))
      overrides[loop] = *iterations;
  return overrides;
}

} // namespace busfare::projection
