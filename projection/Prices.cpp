//===- projection/Prices.cpp - A projection's answers at other settings ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Prices.h"
#include "projection/JudgeTogether.h"
#include "projection/Link.h"
#include "projection/Overlap.h"
#include "projection/PlanTimeline.h"
#include "projection/ProjectParts.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

namespace busfare::projection {
using namespace skeleton;

namespace {

/// Kernels priced on a machine, over all settings: a second or two.
constexpr double mostPriced = 30000;
/// Answers in the table: 1 MB of them in a page.
constexpr size_t mostAnswers = 4500;
/// Of a root, however many there are.
constexpr double leastSettings = 8;
/// Sizes that are varied alone.
constexpr size_t mostSizes = 4;
/// From today's, both ways, in powers of two.
constexpr int farBelow = 5, farAbove = 6;

/// Powers of two around a value, and the values at which something changes.
std::vector<uint64_t> stopsAround(double today, llvm::ArrayRef<PaysOff> pays, llvm::StringRef size, bool byTen) {
  std::set<uint64_t> stops;
  const double base = byTen ? 10 : 2, middle = std::round(std::log(std::max(1.0, today)) / std::log(base));
  const int below = byTen ? 2 : farBelow, above = byTen ? 3 : farAbove;
  for (int power = -below; power <= above; ++power)
    if (double value = std::pow(base, middle + power); value >= 1 && value < 1e15) stops.insert(uint64_t(value));
  if (today >= 1) stops.insert(uint64_t(today));
  const double least = double(*stops.begin()), most = double(*stops.rbegin());
  for (const PaysOff &one : pays)
    for (const auto &[from, to] : one.intervals) {
      if (one.size != size) continue;
      for (double end : {from ? *from : 0, from ? *from - 1 : 0, to ? *to : 0, to ? *to + 1 : 0})
        if (end >= least && end <= most) stops.insert(uint64_t(end));
    }
  return {stops.begin(), stops.end()};
}

class TableOfPrices {
public:
  explicit TableOfPrices(const PriceQuestion &question) : q(question), table(std::make_shared<PriceTable>()) {
    table->root = q.root.name;
    for (const RegionReport &region : q.regions) table->regions.push_back(region.id);
    for (const Machine &machine : q.options.machines) addMachine(machine, 1);
    constexpr size_t few = 3;
    if (q.options.machines.size() <= few)
      for (double factor : {0.5, 2.0})
        for (const Machine &machine : q.options.machines) addMachine(withLink(machine, factor), factor);
  }

  std::shared_ptr<const PriceTable> fill() {
    addSizes();
    addSteps();
    addRuns();
    addTimelines();
    fitStops();
    for (size_t size = 0; size < table->sizes.size(); ++size)
      for (size_t steps = 0; steps < table->steps.size(); ++steps)
        for (size_t runs = 0; runs < table->runs.size(); ++runs) {
          const unsigned changed = (size > 0) + (steps > 0) + (runs > 0);
          if (changed > table->mostChanged) continue;
          if (std::optional<PricedSetting> setting = priceAt(size, steps, runs))
            table->settings.push_back(std::move(*setting));
        }
    return table;
  }

private:
  const PriceQuestion &q;
  std::shared_ptr<PriceTable> table;
  std::vector<Machine> machines;

  void addMachine(Machine machine, double link) {
    table->machines.push_back(
        {machine.name, link, machine.gpu.dramBandwidth, machine.link.pinnedH2dBandwidth, peakFlops(machine.gpu)});
    machines.push_back(std::move(machine));
  }

  /// What matters least goes first, until the settings take neither too long nor too much room.
  void fitStops() {
    while (isTooMuch() && table->mostChanged > 1) --table->mostChanged;
    if (isTooMuch() && table->machines.size() > q.options.machines.size()) {
      table->machines.resize(q.options.machines.size());
      machines.resize(q.options.machines.size());
    }
    for (auto drop : {+[](PriceTable &all) { all.runs.resize(1); }, +[](PriceTable &all) { all.steps.resize(1); },
                      +[](PriceTable &all) {
                        llvm::erase_if(all.sizes, [&](const SizeStop &one) {
                          return !one.varies.empty() && one.varies != all.sizes[1].varies;
                        });
                      }})
      if (isTooMuch()) drop(*table);
    while (isTooMuch() && table->sizes.size() > 1) // every second one, the report's aside
      for (size_t at = 1; at < table->sizes.size(); ++at) table->sizes.erase(table->sizes.begin() + at);
  }

  bool isTooMuch() const {
    const double s = double(table->sizes.size() - 1), t = double(table->steps.size() - 1),
                 r = double(table->runs.size() - 1);
    const double settings =
        1 + s + t + r + (table->mostChanged > 1 ? s * t + s * r + t * r : 0) + (table->mostChanged > 2 ? s * t * r : 0);
    const double share = 1 / double(q.tables);
    return settings > leastSettings &&
           (settings * double(kernelsOfRoot() * machines.size()) > mostPriced * share ||
            settings * double(q.regions.size() * machines.size()) > double(mostAnswers) * share);
  }

  size_t kernelsOfRoot() const {
    size_t kernels = 0;
    for (const brs::Region &region : q.root.transfers.regions) kernels += region.kernels.size();
    return kernels;
  }

  /// Those that some region depends on and the command line can set, by the name it knows.
  std::vector<std::pair<std::string, int64_t>> openSizes() const {
    std::set<std::string> counts; // of time loops, which --iterations says
    for (const brs::Region &region : q.root.transfers.regions)
      for (const Loop *loop : region.timeLoops)
        for (const Expr &bound : {loop->lower, loop->upper})
          for (const std::string &symbol : bound.symbols()) counts.insert(scopedName(q.root.name, symbol));
    std::map<std::string, int64_t> open;
    for (const RegionReport &region : q.regions)
      for (const auto &[name, value] : region.parameters)
        if (value.source != ParameterSource::Constant && value.value >= 1 && !counts.count(name))
          open.emplace(name, value.value);
    return {open.begin(), open.end()};
  }

  void addSizes() {
    table->sizes.emplace_back();
    const std::vector<std::pair<std::string, int64_t>> open = openSizes();
    const std::vector<PaysOff> pays = q.regions.front().on.front().second.paysOff;
    if (open.size() > 1)
      for (int power = -farBelow; power <= farAbove; ++power) {
        const double factor = std::pow(2.0, power);
        SizeStop stop{"*", factor, {}};
        for (const auto &[name, value] : open)
          stop.parameters.emplace_back(name, std::max<int64_t>(1, std::llround(double(value) * factor)));
        table->sizes.push_back(std::move(stop));
      }
    if (open.size() <= mostSizes)
      for (const auto &[name, value] : open)
        for (uint64_t stop : stopsAround(double(value), pays, name, false))
          table->sizes.push_back({name, 1, {{name, int64_t(stop)}}});
  }

  void addSteps() {
    table->steps.emplace_back();
    const brs::Region *timed = nullptr;
    size_t of = 0;
    for (size_t k = 0; k < q.root.transfers.regions.size() && !timed; ++k)
      if (const brs::Region &region = q.root.transfers.regions[k]; !region.timeLoops.empty()) timed = &region, of = k;
    if (!timed) return;
    const MachineAnswer &answer = q.regions[of].on.front().second;
    for (uint64_t count : stopsAround(double(answer.iterations.count), answer.paysOff, "iterations", true)) {
      llvm::Expected<TimeSteps> steps = timeStepsOf(*timed, q.sizes, count);
      if (steps) table->steps.push_back(count);
      else llvm::consumeError(steps.takeError()); // the program runs it another number of times
    }
  }

  void addRuns() {
    table->runs.emplace_back();
    const std::optional<uint64_t> today = q.regions.front().on.front().second.runs;
    for (uint64_t runs : {1, 10, 100, 1000})
      if (!today || *today != runs) table->runs.push_back({runs, false});
    if (today) table->runs.push_back({std::nullopt, true});
  }

  /// As a projection with these options answers; nothing if it would refuse them, or analyse the program otherwise.
  std::optional<PricedSetting> priceAt(size_t size, size_t stepsAt, size_t runsAt) const {
    ProjectOptions options = q.options;
    llvm::append_range(options.parameters, table->sizes[size].parameters); // the last one counts
    if (table->steps[stepsAt]) options.iterations = table->steps[stepsAt];
    if (const RunStop &runs = table->runs[runsAt]; runsAt > 0) options.runs = runs.runs, options.manyRuns = runs.isMany;
    llvm::Expected<Sizes> sizes = sizesFor(q.program, q.root, options, q.profile);
    if (!sizes) {
      llvm::consumeError(sizes.takeError());
      return std::nullopt;
    }
    if (size > 0 && refutesAssumptions(q.program, q.root, options)) return std::nullopt;
    return settledAt({size, stepsAt, runsAt, {}}, *sizes, options);
  }

  std::optional<PricedSetting> settledAt(PricedSetting setting, const Sizes &sizes,
                                         const ProjectOptions &options) const {
    const std::optional<double> runs = runsOf(q.root, options);
    std::vector<std::unique_ptr<PricedRegion>> regions;
    std::vector<PricedRegion *> all;
    for (size_t k = 0; k < q.root.transfers.regions.size(); ++k) {
      const brs::Region &region = q.root.transfers.regions[k];
      llvm::Expected<TimeSteps> steps = timeStepsOf(region, sizes, options.iterations),
                                today = timeStepsOf(region, q.sizes, q.options.iterations);
      if (!steps || !today) {
        llvm::consumeError(steps.takeError());
        llvm::consumeError(today.takeError());
        return std::nullopt;
      }
      PricedRegion &priced = *regions.emplace_back(std::make_unique<PricedRegion>(region, machines, false));
      all.push_back(&priced);
      priced.mixes = mixesOf({q.program,
                              q.root,
                              region,
                              machines.front(),
                              {options.threads, std::nullopt, runs},
                              sizes.realValues(),
                              iterationsOf(region, steps->count)},
                             *priced.prices.front());
      // A host time was measured at the report's own sizes.
      const MeasuredAt measured{q.sizes, today->count};
      for (const auto &[machine, prices] : llvm::zip_equal(machines, priced.prices)) {
        priced.judges.emplace_back(Judgement{q.program,
                                             q.root,
                                             region,
                                             sizes,
                                             machine,
                                             {options.threads, q.cpuTimes[k], runs},
                                             steps->count,
                                             steps->isAssumed,
                                             priced.mixes,
                                             *prices,
                                             false,
                                             &measured});
        priced.answers.push_back(priced.judges.back().price());
      }
    }
    settleTogether(machines, runs, all);
    for (const PricedRegion *region : all)
      for (const MachineAnswer &answer : region->answers) setting.answers.push_back(pricedAnswer(answer));
    return setting;
  }

  static PricedAnswer pricedAnswer(const MachineAnswer &answer) {
    PricedAnswer priced;
    priced.verdict = answer.verdict;
    priced.speedup = answer.speedup.with;
    priced.gain = answer.gain;
    priced.time = answer.time;
    priced.kernelOnly = answer.speedup.kernelOnly;
    priced.asWritten = answer.speedup.asWritten;
    priced.strategy = answer.plan.strategy;
    priced.memory = answer.plan.memory;
    priced.streams = answer.plan.streams;
    // Explicit copies from the memory that the plan has, and from the other kind.
    const double here = answer.plan.explicitTime + answer.time.host;
    const bool isPinned = answer.plan.memory == "pinned";
    priced.explicitPinned = isPinned ? here : here - answer.plan.savedByPinning;
    priced.explicitPageable = isPinned ? here + answer.plan.savedByPinning : here;
    priced.why = answer.why;
    priced.flip = answer.flip;
    return priced;
  }

  void addTimelines() const {
    for (size_t k = 0; k < q.root.transfers.regions.size(); ++k) {
      const brs::Region &region = q.root.transfers.regions[k];
      llvm::Expected<TimeSteps> steps = timeStepsOf(region, q.sizes, q.options.iterations);
      if (!steps) {
        llvm::consumeError(steps.takeError());
        continue;
      }
      const TripOverrides overrides = iterationsOf(region, steps->count);
      const RealValues values = q.sizes.realValues();
      const std::optional<double> runs = runsOf(q.root, q.options);
      PricedRegion priced(region, q.options.machines, false);
      priced.mixes = mixesOf(
          {q.program, q.root, region, machines.front(), {q.options.threads, std::nullopt, runs}, values, overrides},
          *priced.prices.front());
      for (size_t m = 0; m < q.options.machines.size(); ++m) {
        const PriceOptions priceOptions{q.options.threads, q.cpuTimes[k], runs};
        PlanPricer pricer(q.root, region, machines[m], priceOptions, priced.mixes, *priced.prices[m]);
        table->timelines.push_back(
            timelineOf(region, pricer.at(values, overrides), machines[m], q.regions[k].on[m].second));
        table->timelines.back().region = q.regions[k].id;
      }
    }
  }
};

} // namespace

std::shared_ptr<const PriceTable> pricesOf(const PriceQuestion &question) { return TableOfPrices(question).fill(); }

Machine withLink(Machine machine, double factor) {
  Link &link = machine.link;
  for (Quantity *bandwidth :
       {&link.pinnedH2dBandwidth, &link.pinnedD2hBandwidth, &link.pageableH2dBandwidth, &link.pageableD2hBandwidth})
    bandwidth->value *= factor;
  if (link.peakBandwidth) link.peakBandwidth.known->value *= factor;
  for (MaybeQuantity *perByte :
       {&link.explicitH2dBusy, &link.explicitD2hBusy, &link.mappedH2dBusy, &link.mappedD2hBusy})
    if (*perByte) perByte->known->value /= factor;
  for (TransferCurve &curve : link.measured)
    for (std::vector<TransferPoint> *points : {&curve.points, &curve.rising})
      if (const double least = points->empty() ? 0 : points->front().time; !points->empty())
        for (TransferPoint &point : *points) point.time = least + (point.time - least) / factor;
  return machine;
}

} // namespace busfare::projection
