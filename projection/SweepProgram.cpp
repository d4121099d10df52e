//===- projection/SweepProgram.cpp - A program over ranges of its sizes ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every region of every root is priced (Price.h) at the combinations of sizes; see
// Sweep.h for what is not priced but computed from prices.
//
//===----------------------------------------------------------------------===//

#include "projection/Describe.h"
#include "projection/JudgeTogether.h"
#include "projection/ProjectParts.h"
#include "projection/Sweep.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <algorithm>
#include <array>
#include <cmath>

namespace busfare::projection {
namespace {

/// What of a region's cost is kept: cpu, kernel, h2d, d2h, host, the device's side in all, as the plan overlaps it,
/// what is paid once, and the time on the host that all machines are compared with.
using Parts = std::array<double, 8>;
constexpr const char *partNames[] = {"cpu_s", "kernel_s", "h2d_s", "d2h_s", "host_s", "total_s"};

Parts partsOf(const RegionCost &cost, double common) {
  return {cost.baseline(), cost.kernels, cost.h2d, cost.d2h, cost.host, cost.total(), cost.startup, common};
}

/// Combinations of sizes that are priced for a region on a machine; beyond that a grid of about as many is.
constexpr double mostPriced = 4096;
/// Where what is not priced is held against a price.
constexpr size_t checks = 64;

/// Where a value lies between two knots: the lower one, and how far towards the upper.
struct Place {
  size_t knot = 0;
  double weight = 0;
};

/// Indices of at most `most` of the values, the first and the last among them, evenly spread.
std::vector<size_t> spread(size_t count, size_t most) {
  std::vector<size_t> kept;
  for (size_t i = 0; i < most; ++i) {
    size_t index = most > 1 ? (i * (count - 1) + (most - 1) / 2) / (most - 1) : 0;
    if (kept.empty() || index > kept.back()) kept.push_back(index);
  }
  return kept;
}

/// Of each value; `logarithmic` measures distances in the logarithm.
std::vector<Place> placesBetween(llvm::ArrayRef<double> values, llvm::ArrayRef<size_t> knots, bool logarithmic) {
  std::vector<Place> places(values.size());
  size_t knot = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    while (knot + 2 < knots.size() && i >= knots[knot + 1]) ++knot;
    places[i].knot = knot;
    if (knots.size() == 1 || i == knots[knot]) continue;
    double low = values[knots[knot]], high = values[knots[knot + 1]];
    places[i].weight = low == high   ? 0
                       : logarithmic ? std::log(values[i] / low) / std::log(high / low)
                                     : (values[i] - low) / (high - low);
  }
  return places;
}

/// Between two costs: geometric where both are positive, as costs are powers of sizes.
double between(double low, double high, double weight) {
  if (weight == 0) return low;
  return low > 0 && high > 0 ? std::exp(std::log(low) + weight * (std::log(high) - std::log(low)))
                             : low + weight * (high - low);
}

double totalOf(const Parts &parts) { return parts[5]; }
double speedupOver(double host, const Parts &parts) {
  return totalOf(parts) > 0 ? host / totalOf(parts) : std::nan("");
}
/// As in a report: of all runs, less what is paid once; of one call, where nobody says how many there are.
double gainOf(const Parts &parts, std::optional<double> runs) {
  return runs.value_or(1) * (parts[0] - totalOf(parts)) - (runs ? parts[6] : 0);
}

using Visit = llvm::function_ref<void(llvm::ArrayRef<double> sizes, double count, const Parts &parts)>;

/// A time of a region on the host, and the sizes at which it was measured: at others it grows as the model does.
struct MeasuredHost {
  double seconds = 0;
  const Sizes &sizes;
};

/// One region on one machine.
class RegionSweep {
public:
  RegionSweep(const skeleton::Program &program, const Root &root, const brs::Region &region, const Machine &machine,
              const ProjectOptions &options, llvm::ArrayRef<Mix> mixes, llvm::ArrayRef<SweepAxis> sizes,
              llvm::ArrayRef<double> counts, const MatchedProfile *profile, const std::optional<MeasuredHost> &measured)
      : program(program), root(root), region(region), machine(machine), options(options), mixes(mixes), sizes(sizes),
        counts(counts), profile(profile), measured(measured),
        priceOptions{options.threads, measured ? std::optional(measured->seconds) : std::nullopt,
                     runsOf(root, options)},
        prices(machine, false), compared(machine), comparedPrices(compared, false) {
    if (options.commonHost) compared.host = options.commonHost->host;
  }

  /// Costs at every combination of sizes and every count.
  llvm::Error run(Visit visit, std::vector<std::string> &notes);

private:
  llvm::Expected<std::vector<Parts>> priceAt(llvm::ArrayRef<double> values, llvm::ArrayRef<size_t> which) const;
  llvm::Error placeCounts();
  llvm::Error bisect(llvm::ArrayRef<double> values, size_t low, size_t high);
  void placeSizes();
  llvm::Error priceGrid();
  void interpolate(llvm::ArrayRef<size_t> index, std::vector<Parts> &atKnots) const;
  Parts atCount(const std::vector<Parts> &atKnots, size_t count) const;

  const skeleton::Program &program;
  const Root &root;
  const brs::Region &region;
  const Machine &machine;
  const ProjectOptions &options;
  llvm::ArrayRef<Mix> mixes; ///< Of the region.
  llvm::ArrayRef<SweepAxis> sizes;
  llvm::ArrayRef<double> counts; ///< Of the time loop, rising; one NaN: as the program has it.
  const MatchedProfile *profile;
  const std::optional<MeasuredHost> &measured;
  PriceOptions priceOptions;
  mutable KernelPrices prices; ///< Of all sizes.
  Machine compared;            ///< With the host that all machines are compared with.
  mutable KernelPrices comparedPrices;
  std::vector<size_t> countKnots; ///< Which counts are priced: the costs are linear between them.
  std::vector<Place> countPlaces;
  std::vector<std::vector<double>> knots; ///< Of each axis of sizes.
  std::vector<std::vector<Place>> places;
  std::vector<Parts> grid; ///< Of each combination of knots, the last axis fastest, at each of countKnots.
  bool everySize = true;
};

llvm::Expected<std::vector<Parts>> RegionSweep::priceAt(llvm::ArrayRef<double> values,
                                                        llvm::ArrayRef<size_t> which) const {
  ProjectOptions here = options;
  for (size_t i = 0; i < sizes.size(); ++i) here.parameters.emplace_back(sizes[i].name, int64_t(values[i]));
  llvm::Expected<Sizes> bound = sizesFor(program, root, here, profile);
  if (!bound) return bound.takeError();
  skeleton::RealValues real = bound->realValues();
  PlanPricer pricer(root, region, machine, priceOptions, mixes, prices);
  RegionPricer common(root, region, compared, priceOptions, comparedPrices);
  if (measured) {
    const skeleton::RealValues there = measured->sizes.realValues();
    const TripOverrides trips = iterationsOf(region, options.iterations);
    pricer.measuredAt(there, trips);
    common.measuredAt(there, trips);
  }
  std::vector<Parts> parts;
  for (size_t count : which) {
    const TripOverrides overrides =
        iterationsOf(region, std::isnan(counts[count]) ? std::nullopt : std::optional(counts[count]));
    parts.push_back(
        partsOf(pricer.at(real, overrides), options.commonHost ? common.at(real, overrides).baseline() : 0));
  }
  return parts;
}

/// Calls visit with the place and the values of every combination, the last axis fastest.
llvm::Error forEach(llvm::ArrayRef<std::vector<double>> axes,
                    llvm::function_ref<llvm::Error(llvm::ArrayRef<size_t>, llvm::ArrayRef<double>)> visit) {
  std::vector<size_t> at(axes.size());
  std::vector<double> values(axes.size());
  for (bool more = true; more;) {
    for (size_t i = 0; i < axes.size(); ++i) values[i] = axes[i][at[i]];
    if (llvm::Error error = visit(at, values)) return error;
    size_t i = axes.size();
    while (i && ++at[i - 1] == axes[i - 1].size()) at[--i] = 0;
    more = i > 0;
  }
  return llvm::Error::success();
}

/// Keeps the middle of two counts as a knot if the line between them misses it, and goes on in both halves.
llvm::Error RegionSweep::bisect(llvm::ArrayRef<double> values, size_t low, size_t high) {
  if (high - low < 2) return llvm::Error::success();
  size_t middle = (low + high) / 2;
  llvm::Expected<std::vector<Parts>> parts = priceAt(values, {low, middle, high});
  if (!parts) return parts.takeError();
  double weight = (counts[middle] - counts[low]) / (counts[high] - counts[low]);
  bool onLine = true;
  for (size_t i = 0; i < std::tuple_size<Parts>::value; ++i) {
    double line = (*parts)[0][i] + weight * ((*parts)[2][i] - (*parts)[0][i]);
    onLine &= std::fabs((*parts)[1][i] - line) <= 1e-9 * std::fabs(line) + 1e-15;
  }
  if (onLine) return llvm::Error::success();
  countKnots.push_back(middle);
  if (llvm::Error error = bisect(values, low, middle)) return error;
  return bisect(values, middle, high);
}

/// Where the costs bend with the count, at the first, a middle and the last sizes.
llvm::Error RegionSweep::placeCounts() {
  constexpr size_t priceAll = 4;
  for (size_t i = 0; i < counts.size() && (i == 0 || counts.size() <= priceAll); ++i) countKnots.push_back(i);
  if (counts.size() > priceAll) {
    countKnots.push_back(counts.size() - 1);
    for (double share : {0.0, 0.5, 1.0}) {
      std::vector<double> values;
      for (const SweepAxis &axis : sizes) values.push_back(axis.values[size_t(share * double(axis.values.size() - 1))]);
      if (llvm::Error error = bisect(values, 0, counts.size() - 1)) return error;
    }
  }
  llvm::sort(countKnots);
  countKnots.erase(std::unique(countKnots.begin(), countKnots.end()), countKnots.end());
  countPlaces = placesBetween(counts, countKnots, false);
  return llvm::Error::success();
}

/// As many knots on each axis, so that their combinations are at most mostPriced; all of a short one.
void RegionSweep::placeSizes() {
  std::vector<size_t> order(sizes.size()), allowed(sizes.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  llvm::stable_sort(order, [&](size_t a, size_t b) { return sizes[a].values.size() < sizes[b].values.size(); });
  double left = mostPriced;
  size_t open = sizes.size();
  for (size_t i : order) {
    double share = std::floor(std::pow(left, 1.0 / double(open--)) + 1e-9);
    allowed[i] = size_t(std::max(2.0, std::min(share, double(sizes[i].values.size()))));
    left = std::max(1.0, left / double(allowed[i]));
  }
  for (size_t i = 0; i < sizes.size(); ++i) {
    llvm::ArrayRef<double> values = sizes[i].values;
    // Interpolation wants rising values; others are all priced.
    bool rises = std::is_sorted(values.begin(), values.end()) &&
                 std::adjacent_find(values.begin(), values.end()) == values.end();
    std::vector<size_t> kept = spread(values.size(), rises ? allowed[i] : values.size());
    everySize &= kept.size() == values.size();
    places.push_back(placesBetween(values, kept, values.front() > 0));
    knots.emplace_back();
    for (size_t index : kept) knots.back().push_back(values[index]);
  }
}

llvm::Error RegionSweep::priceGrid() {
  return forEach(knots, [&](llvm::ArrayRef<size_t>, llvm::ArrayRef<double> values) -> llvm::Error {
    llvm::Expected<std::vector<Parts>> parts = priceAt(values, countKnots);
    if (!parts) return parts.takeError();
    llvm::append_range(grid, *parts);
    return llvm::Error::success();
  });
}

/// The corners of the cell around a point, folded axis by axis, the last one first.
void RegionSweep::interpolate(llvm::ArrayRef<size_t> index, std::vector<Parts> &atKnots) const {
  constexpr size_t mostAxes = 6;
  assert(sizes.size() <= mostAxes && "sweepProgram refuses more");
  std::array<const Parts *, 1 << mostAxes> corners;
  std::array<double, 1 << mostAxes> folded;
  size_t count = size_t(1) << sizes.size();
  for (size_t corner = 0; corner < count; ++corner) {
    size_t cell = 0;
    for (size_t axis = 0; axis < sizes.size(); ++axis) {
      size_t knot = places[axis][index[axis]].knot + ((corner >> (sizes.size() - 1 - axis)) & 1);
      cell = cell * knots[axis].size() + std::min(knot, knots[axis].size() - 1);
    }
    corners[corner] = &grid[cell * countKnots.size()];
  }
  for (size_t knot = 0; knot < countKnots.size(); ++knot)
    for (size_t part = 0; part < std::tuple_size<Parts>::value; ++part) {
      for (size_t corner = 0; corner < count; ++corner) folded[corner] = corners[corner][knot][part];
      for (size_t axis = sizes.size(), left = count / 2; axis-- > 0; left /= 2)
        for (size_t i = 0; i < left; ++i)
          folded[i] = between(folded[2 * i], folded[2 * i + 1], places[axis][index[axis]].weight);
      atKnots[knot][part] = folded[0];
    }
}

Parts RegionSweep::atCount(const std::vector<Parts> &atKnots, size_t count) const {
  const Place &place = countPlaces[count];
  Parts parts = atKnots[place.knot];
  if (place.weight > 0)
    for (size_t i = 0; i < parts.size(); ++i) parts[i] += place.weight * (atKnots[place.knot + 1][i] - parts[i]);
  return parts;
}

llvm::Error RegionSweep::run(Visit visit, std::vector<std::string> &notes) {
  if (llvm::Error error = placeCounts()) return error;
  placeSizes();
  if (llvm::Error error = priceGrid()) return error;
  std::vector<std::vector<double>> all;
  double combinations = 1, worst = 0;
  for (const SweepAxis &axis : sizes) {
    all.push_back(axis.values);
    combinations *= double(axis.values.size());
  }
  std::vector<Parts> atKnots(countKnots.size());
  bool isExact = everySize && countKnots.size() == counts.size();
  size_t seen = 0, checked = 0, every = std::max<size_t>(1, size_t(combinations) / checks);
  llvm::Error error = forEach(all, [&](llvm::ArrayRef<size_t> index, llvm::ArrayRef<double> values) -> llvm::Error {
    interpolate(index, atKnots);
    for (size_t count = 0; count < counts.size(); ++count) visit(values, counts[count], atCount(atKnots, count));
    if (isExact || seen++ % every != every / 2) return llvm::Error::success();
    size_t count = checked++ * 7919 % counts.size(); // spread over them
    llvm::Expected<std::vector<Parts>> exact = priceAt(values, {count});
    if (!exact) return exact.takeError();
    double real = totalOf(exact->front());
    worst = real > 0 ? std::max(worst, std::fabs(totalOf(atCount(atKnots, count)) / real - 1)) : worst;
    return llvm::Error::success();
  });
  if (error || isExact || (everySize && worst < 1e-6)) return error;
  double priced = 1;
  for (const std::vector<double> &axis : knots) priced *= double(axis.size());
  notes.push_back(
      llvm::formatv(
          "Priced at {0} of {1} combinations of sizes on {2}, interpolated between them: off by at most {3} % at {4} others.",
          size_t(priced), size_t(combinations), machine.name, llvm::format("%.2g", 100 * worst), checked)
          .str());
  return llvm::Error::success();
}

/// The axes less iterations, and the counts of it.
std::vector<SweepAxis> splitIterations(llvm::ArrayRef<SweepAxis> axes, std::vector<double> &counts) {
  std::vector<SweepAxis> sizes;
  for (const SweepAxis &axis : axes)
    if (axis.name == "iterations") {
      counts = axis.values;
      llvm::sort(counts);
      counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    } else {
      sizes.push_back(axis);
    }
  return sizes;
}

llvm::Error checkAxes(llvm::ArrayRef<SweepAxis> axes, size_t perCombination) {
  double rows = double(perCombination);
  for (size_t i = 0; i < axes.size(); ++i) {
    rows *= double(axes[i].values.size());
    for (double value : axes[i].values)
      if (value != std::floor(value) || value < 0 || value > 1e15)
        return llvm::createStringError("--range " + axes[i].name + ": a size or a count is a whole number, not " +
                                       llvm::formatv("{0}", llvm::json::Value(value)).str());
    for (size_t j = 0; j < i; ++j)
      if (axes[j].name == axes[i].name) return llvm::createStringError("--range " + axes[i].name + " is given twice");
  }
  if (axes.size() > 7)
    return llvm::createStringError("at most six sizes and the iterations can be swept, found " +
                                   llvm::Twine(axes.size()) + " ranges");
  if (rows > mostRows)
    return llvm::createStringError("the ranges have " + llvm::Twine(std::to_string(int64_t(rows))) +
                                   " combinations; at most " + llvm::Twine(int64_t(mostRows)) + " are computed");
  return llvm::Error::success();
}

} // namespace

llvm::Expected<SweepTable> sweepProgram(const skeleton::Program &swept, const ProjectOptions &options,
                                        llvm::ArrayRef<SweepAxis> axes) {
  std::optional<MatchedProfile> profile;
  skeleton::Program shared;
  if (options.profile) {
    profile.emplace(*options.profile, swept);
    shared = profile->withShares(swept);
  }
  const skeleton::Program &program = profile ? shared : swept;
  const MatchedProfile *const ofRun = profile ? &*profile : nullptr;
  std::set<std::string> usedTimes;
  std::vector<double> counts = {options.iterations ? double(*options.iterations) : std::nan("")};
  std::vector<SweepAxis> sizes = splitIterations(axes, counts);
  llvm::Expected<std::vector<std::string>> names = rootsOf(program, options);
  if (!names) return names.takeError();
  SweepTable table;
  table.columns = {{"region", true}, {"machine", true}};
  table.machineColumn = 1;
  for (const SweepAxis &axis : sizes) table.columns.push_back({axis.name, false});
  bool hasCounts = !std::isnan(counts.front());
  if (hasCounts) table.columns.push_back({"iterations", false});
  for (const char *name : partNames) table.columns.push_back({name, false});
  table.columns.push_back({"speedup", false});
  if (options.commonHost) table.columns.push_back({"speedup_common", false});
  table.columns.push_back({"gain_s", false});
  table.plotted = "speedup";
  for (const Machine &machine : options.machines) table.texts.push_back(machine.name);
  std::set<std::string> usedAxes, knownNames;
  bool anyTimeLoop = false, isOpen = false;
  for (const std::string &name : *names) {
    // Shapes are assumed as in a projection, if neither the first sizes nor the last ones speak against them.
    ProjectOptions corner = options, middle = options, last = options;
    for (const SweepAxis &axis : sizes) {
      corner.parameters.emplace_back(axis.name, int64_t(axis.values.front()));
      middle.parameters.emplace_back(axis.name, int64_t(axis.values[axis.values.size() / 2]));
      last.parameters.emplace_back(axis.name, int64_t(axis.values.back()));
    }
    llvm::Expected<std::unique_ptr<Root>> root = analyseFor(program, name, Depth::Transfers, corner);
    if (root && !(*root)->assumed.empty()) root = analyseFor(program, name, Depth::Transfers, last);
    if (!root) return root.takeError();
    llvm::Expected<Sizes> bound = bindSizes(program, **root, corner.parameters);
    if (!bound) return bound.takeError();
    llvm::Expected<Sizes> known = sizesFor(program, **root, corner, ofRun);
    if (!known) return known.takeError();
    takeGiven(**root, known->given());
    std::vector<std::string> unknownHere = unknownParameters(program, (*root)->function, *bound, corner.parameters);
    for (const SweepAxis &axis : sizes)
      if (!llvm::is_contained(unknownHere, axis.name)) usedAxes.insert(axis.name);
    for (const auto &[symbol, value] : bound->bySymbol)
      if (value.source != ParameterSource::Constant) knownNames.insert(scopedName(name, symbol));
    if (llvm::Error error =
            checkAxes(axes, std::max<size_t>(1, (*root)->transfers.regions.size()) * options.machines.size()))
      return error;
    llvm::Expected<Sizes> halfway = sizesFor(program, **root, middle, ofRun);
    if (!halfway) return halfway.takeError();
    llvm::Expected<Sizes> today = sizesFor(program, **root, options, ofRun);
    if (!today) return today.takeError();
    ProjectOptions asRun = options; // --param says of the sweep, not of the run, what n is
    asRun.parameters.clear();
    llvm::Expected<Sizes> inRun = ofRun ? sizesFor(program, **root, asRun, ofRun) : *today;
    if (!inRun) return inRun.takeError();
    const std::optional<double> runs = runsOf(**root, options);
    isOpen |= !runs;
    std::optional<double> count = std::isnan(counts.back()) ? std::nullopt : std::optional(counts[counts.size() / 2]);
    for (const brs::Region &region : (*root)->transfers.regions) {
      // What stays on the host is looked for in the middle of the ranges, and chosen anew at each size.
      KernelPrices prices(options.machines.front(), false);
      const std::vector<Mix> mixes = mixesOf({program,
                                              **root,
                                              region,
                                              options.machines.front(),
                                              {options.threads, std::nullopt, runs},
                                              halfway->realValues(),
                                              iterationsOf(region, count)},
                                             prices);
      anyTimeLoop |= !region.timeLoops.empty();
      table.texts.push_back(name + ": " + skeleton::toString(region.kernels.front().loop->location));
      double regionText = double(table.texts.size() - 1);
      const RegionReport described =
          describeRegion(**root, region, *today, iterationsOf(region, options.iterations), options.machines.front());
      std::optional<MeasuredHost> measured;
      if (std::optional<double> seconds =
              ofRun ? ofRun->timeOf(described.function, described.fingerprint) : std::nullopt)
        measured.emplace(MeasuredHost{*seconds, *inRun});
      for (const auto &[wanted, seconds] : options.cpuTimes)
        if (isRegion(wanted, described.id)) {
          measured.emplace(MeasuredHost{seconds, *today});
          usedTimes.insert(wanted);
        }
      if (measured)
        table.notes.push_back(llvm::formatv("{0}: the host's time is the measured {1} s, and at other sizes and counts "
                                            "than those it was measured at as many times that as the model says.",
                                            described.id, llvm::format("%.4g", measured->seconds))
                                  .str());
      for (size_t m = 0; m < options.machines.size(); ++m) {
        RegionSweep sweep(program, **root, region, options.machines[m], options, mixes, sizes, counts, ofRun, measured);
        auto take = [&](llvm::ArrayRef<double> values, double count, const Parts &parts) {
          table.cells.push_back(regionText);
          table.cells.push_back(double(m));
          table.cells.insert(table.cells.end(), values.begin(), values.end());
          if (hasCounts) table.cells.push_back(count);
          table.cells.insert(table.cells.end(), parts.begin(), parts.begin() + std::size(partNames));
          table.cells.push_back(speedupOver(parts[0], parts));
          if (options.commonHost) table.cells.push_back(speedupOver(parts[7], parts));
          table.cells.push_back(gainOf(parts, runs));
        };
        if (llvm::Error error = sweep.run(take, table.notes)) return error;
      }
    }
  }
  for (const SweepAxis &axis : sizes)
    if (!usedAxes.count(axis.name))
      return llvm::createStringError("--range " + axis.name + ": no size of this name; " +
                                     (knownNames.empty()
                                          ? "none is open"
                                          : "there are " + llvm::join(knownNames.begin(), knownNames.end(), ", ")));
  for (const auto &[wanted, seconds] : options.cpuTimes)
    if (!usedTimes.count(wanted) && !table.cells.empty())
      return llvm::createStringError("--cpu-time " + wanted + ": no region of this name or line");
  if (table.cells.empty())
    return llvm::createStringError("no loop nest that could run on a GPU: there is nothing to sweep");
  table.notes.push_back(isOpen ? "gain: of one call, start-up left out, as how many there are is open (--runs)."
                               : "gain: of a process, start-up included.");
  if (options.commonHost)
    table.notes.push_back("speedup: over each machine's own host; common: over one host, that of " +
                          options.commonHost->name + ".");
  if (hasCounts && !anyTimeLoop) table.notes.push_back("No region has a time loop: iterations change nothing.");
  return table;
}

} // namespace busfare::projection
