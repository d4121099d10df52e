//===- projection/SweepProgram.cpp - A program over ranges of its sizes ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every region of every root is priced (Price.h) at the combinations of sizes; see
// Sweep.h for what is not priced but computed from prices.
//
//===----------------------------------------------------------------------===//

#include "projection/Judge.h"
#include "projection/Sweep.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <array>
#include <cmath>

namespace busfare::projection {
namespace {

/// What of a region's cost is kept: cpu, kernel, h2d, d2h, host.
using Parts = std::array<double, 5>;
constexpr const char *partNames[] = {"cpu_s", "kernel_s", "h2d_s", "d2h_s", "host_s"};

Parts partsOf(const RegionCost &cost) { return {cost.baseline(), cost.kernels, cost.h2d, cost.d2h, cost.host}; }

/// Costs that are linear in the time loop's count: fixed + count * perIteration.
struct Linear {
  Parts fixed{}, perIteration{};
  Parts at(double count) const {
    Parts parts;
    for (size_t i = 0; i < parts.size(); ++i)
      parts[i] = fixed[i] + count * perIteration[i];
    return parts;
  }
};

/// Combinations of sizes that are priced for a region on a machine; beyond that a grid of about as many is.
constexpr double mostPriced = 4096;
/// Where the interpolation between them is held against a price.
constexpr size_t checks = 64;

class RegionSweep {
public:
  RegionSweep(const skeleton::Program &program, const Root &root, const brs::Region &region, const Machine &machine, const ProjectOptions &options,
              llvm::ArrayRef<SweepAxis> sizes, llvm::ArrayRef<double> counts)
      : program(program), root(root), region(region), machine(machine), options(options), sizes(sizes), counts(counts),
        priceOptions{options.threads, std::nullopt} {}

  /// Costs at a combination of sizes, for every count; row by row.
  llvm::Error run(const std::function<void(llvm::ArrayRef<double> sizes, double count, const Parts &parts)> &visit, std::vector<std::string> &notes);

private:
  llvm::Expected<Linear> price(llvm::ArrayRef<double> values);
  llvm::Expected<std::vector<Parts>> priceEach(llvm::ArrayRef<double> values);
  llvm::Error runExactly(const std::function<void(llvm::ArrayRef<double>, double, const Parts &)> &visit);
  llvm::Error runOnGrid(const std::function<void(llvm::ArrayRef<double>, double, const Parts &)> &visit, std::vector<std::string> &notes);
  llvm::Error forEach(llvm::ArrayRef<std::vector<double>> axes, const std::function<llvm::Error(llvm::ArrayRef<size_t>, llvm::ArrayRef<double>)> &visit) const;
  std::vector<std::vector<double>> valuesOf() const;
  llvm::Expected<skeleton::RealValues> bind(llvm::ArrayRef<double> values) const;

  const skeleton::Program &program;
  const Root &root;
  const brs::Region &region;
  const Machine &machine;
  const ProjectOptions &options;
  llvm::ArrayRef<SweepAxis> sizes;
  llvm::ArrayRef<double> counts; ///< Of the time loop; one NaN: as the program has it.
  PriceOptions priceOptions;
  bool isLinear = true; ///< A third count has not spoken against it.
};

llvm::Expected<skeleton::RealValues> RegionSweep::bind(llvm::ArrayRef<double> values) const {
  std::vector<std::pair<std::string, int64_t>> parameters = options.parameters;
  for (size_t i = 0; i < sizes.size(); ++i)
    parameters.emplace_back(sizes[i].name, int64_t(values[i]));
  llvm::Expected<Sizes> bound = bindSizes(program, root.function, parameters);
  if (!bound)
    return bound.takeError();
  return bound->realValues();
}

std::optional<double> countOf(double count) { return std::isnan(count) ? std::nullopt : std::optional(count); }

/// From the first and the last count; a count between them has to confirm it.
llvm::Expected<Linear> RegionSweep::price(llvm::ArrayRef<double> values) {
  llvm::Expected<skeleton::RealValues> real = bind(values);
  if (!real)
    return real.takeError();
  RegionPricer pricer(root, region, machine, priceOptions);
  double low = counts.front(), high = counts.back();
  Linear linear;
  linear.fixed = partsOf(pricer.at(*real, iterationsOf(region, countOf(low))));
  if (counts.size() == 1 || region.timeLoops.empty() || low == high)
    return linear;
  Parts last = partsOf(pricer.at(*real, iterationsOf(region, high)));
  for (size_t i = 0; i < last.size(); ++i) {
    linear.perIteration[i] = (last[i] - linear.fixed[i]) / (high - low);
    linear.fixed[i] -= low * linear.perIteration[i];
  }
  double middle = counts[counts.size() / 2];
  Parts between = partsOf(pricer.at(*real, iterationsOf(region, middle))), expected = linear.at(middle);
  for (size_t i = 0; i < between.size(); ++i)
    isLinear &= std::fabs(between[i] - expected[i]) <= 1e-9 * std::fabs(between[i]) + 1e-15;
  return linear;
}

llvm::Expected<std::vector<Parts>> RegionSweep::priceEach(llvm::ArrayRef<double> values) {
  llvm::Expected<skeleton::RealValues> real = bind(values);
  if (!real)
    return real.takeError();
  RegionPricer pricer(root, region, machine, priceOptions);
  std::vector<Parts> parts;
  for (double count : counts)
    parts.push_back(partsOf(pricer.at(*real, iterationsOf(region, countOf(count)))));
  return parts;
}

std::vector<std::vector<double>> RegionSweep::valuesOf() const {
  std::vector<std::vector<double>> values;
  for (const SweepAxis &axis : sizes)
    values.push_back(axis.values);
  return values;
}

/// Every combination, the last axis fastest.
llvm::Error RegionSweep::forEach(llvm::ArrayRef<std::vector<double>> axes,
                                 const std::function<llvm::Error(llvm::ArrayRef<size_t>, llvm::ArrayRef<double>)> &visit) const {
  std::vector<size_t> at(axes.size());
  std::vector<double> values(axes.size());
  for (bool more = true; more;) {
    for (size_t i = 0; i < axes.size(); ++i)
      values[i] = axes[i][at[i]];
    if (llvm::Error error = visit(at, values))
      return error;
    size_t i = axes.size();
    while (i && ++at[i - 1] == axes[i - 1].size())
      at[--i] = 0;
    more = i > 0;
  }
  return llvm::Error::success();
}

llvm::Error RegionSweep::runExactly(const std::function<void(llvm::ArrayRef<double>, double, const Parts &)> &visit) {
  return forEach(valuesOf(), [&](llvm::ArrayRef<size_t>, llvm::ArrayRef<double> values) -> llvm::Error {
    if (isLinear) {
      llvm::Expected<Linear> linear = price(values);
      if (!linear)
        return linear.takeError();
      if (isLinear) {
        for (double count : counts)
          visit(values, count, std::isnan(count) ? linear->fixed : linear->at(count));
        return llvm::Error::success();
      }
    }
    llvm::Expected<std::vector<Parts>> parts = priceEach(values);
    if (!parts)
      return parts.takeError();
    for (size_t i = 0; i < counts.size(); ++i)
      visit(values, counts[i], (*parts)[i]);
    return llvm::Error::success();
  });
}

/// Indices of at most `most` of the values, the first and the last among them, evenly spread.
std::vector<size_t> spread(size_t count, size_t most) {
  std::vector<size_t> kept;
  for (size_t i = 0; i < most; ++i) {
    size_t index = most > 1 ? (i * (count - 1) + (most - 1) / 2) / (most - 1) : 0;
    if (kept.empty() || index > kept.back())
      kept.push_back(index);
  }
  return kept;
}

/// Where a value lies between two knots: the lower one, and how far towards the upper, in the logarithm if all are positive.
struct Place {
  size_t knot = 0;
  double weight = 0;
};

std::vector<Place> placesBetween(llvm::ArrayRef<double> values, llvm::ArrayRef<size_t> knots) {
  std::vector<Place> places(values.size());
  bool logarithmic = llvm::all_of(values, [](double value) { return value > 0; });
  size_t knot = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    while (knot + 2 < knots.size() && i >= knots[knot + 1])
      ++knot;
    places[i].knot = knot;
    if (knots.size() == 1)
      continue;
    double low = values[knots[knot]], high = values[knots[knot + 1]];
    places[i].weight = low == high ? 0 : logarithmic ? std::log(values[i] / low) / std::log(high / low) : (values[i] - low) / (high - low);
  }
  return places;
}

/// Between two parts: geometric where both are positive, as costs are powers of sizes.
double between(double low, double high, double weight) {
  if (weight == 0)
    return low;
  return low > 0 && high > 0 ? std::exp(std::log(low) + weight * (std::log(high) - std::log(low))) : low + weight * (high - low);
}

llvm::Error RegionSweep::runOnGrid(const std::function<void(llvm::ArrayRef<double>, double, const Parts &)> &visit, std::vector<std::string> &notes) {
  // As many knots on each axis, so that their combinations are at most mostPriced.
  std::vector<std::vector<size_t>> knots;
  std::vector<std::vector<double>> at;
  std::vector<std::vector<Place>> places;
  double left = mostPriced;
  size_t open = sizes.size();
  std::vector<size_t> order(sizes.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  llvm::stable_sort(order, [&](size_t a, size_t b) { return sizes[a].values.size() < sizes[b].values.size(); });
  std::vector<size_t> allowed(sizes.size());
  for (size_t i : order) {
    double share = std::floor(std::pow(left, 1.0 / double(open--)));
    allowed[i] = size_t(std::max(2.0, std::min(share, double(sizes[i].values.size()))));
    left /= double(allowed[i]);
  }
  for (size_t i = 0; i < sizes.size(); ++i) {
    knots.push_back(spread(sizes[i].values.size(), allowed[i]));
    at.emplace_back();
    for (size_t knot : knots.back())
      at.back().push_back(sizes[i].values[knot]);
    places.push_back(placesBetween(sizes[i].values, knots.back()));
  }
  std::vector<Linear> grid;
  if (llvm::Error error = forEach(at, [&](llvm::ArrayRef<size_t>, llvm::ArrayRef<double> values) -> llvm::Error {
        llvm::Expected<Linear> linear = price(values);
        if (!linear)
          return linear.takeError();
        grid.push_back(*linear);
        return llvm::Error::success();
      }))
    return error;
  auto interpolate = [&](llvm::ArrayRef<size_t> index) {
    Linear result;
    for (Parts Linear::*member : {&Linear::fixed, &Linear::perIteration})
      for (size_t part = 0; part < std::tuple_size<Parts>::value; ++part) {
        // The corners of the cell around the point, folded axis by axis, the last one first.
        std::array<double, 64> corner;
        size_t corners = size_t(1) << sizes.size();
        for (size_t c = 0; c < corners; ++c) {
          size_t cell = 0;
          for (size_t axis = 0; axis < sizes.size(); ++axis) {
            size_t knot = places[axis][index[axis]].knot + ((c >> (sizes.size() - 1 - axis)) & 1);
            cell = cell * at[axis].size() + std::min(knot, at[axis].size() - 1);
          }
          corner[c] = (grid[cell].*member)[part];
        }
        for (size_t axis = sizes.size(); axis-- > 0;) {
          corners /= 2;
          for (size_t c = 0; c < corners; ++c)
            corner[c] = between(corner[2 * c], corner[2 * c + 1], places[axis][index[axis]].weight);
        }
        (result.*member)[part] = corner[0];
      }
    return result;
  };
  auto totalOf = [](const Parts &parts) { return parts[1] + parts[2] + parts[3] + parts[4]; };
  double rows = 1, worst = 0;
  for (const SweepAxis &axis : sizes)
    rows *= double(axis.values.size());
  size_t seen = 0, every = std::max<size_t>(1, size_t(rows) / checks);
  llvm::Error error = forEach(valuesOf(), [&](llvm::ArrayRef<size_t> index, llvm::ArrayRef<double> values) -> llvm::Error {
    Linear linear = interpolate(index);
    if (seen++ % every == every / 2) {
      llvm::Expected<Linear> exact = price(values);
      if (!exact)
        return exact.takeError();
      double count = std::isnan(counts.front()) ? 0 : counts.front();
      double real = totalOf(exact->at(count)), guess = totalOf(linear.at(count));
      worst = real > 0 ? std::max(worst, std::fabs(guess / real - 1)) : worst;
    }
    for (double count : counts)
      visit(values, count, std::isnan(count) ? linear.fixed : linear.at(count));
    return llvm::Error::success();
  });
  if (error)
    return error;
  char percent[32];
  std::snprintf(percent, sizeof percent, "%.2g %%", 100 * worst);
  notes.push_back("Priced at " + std::to_string(grid.size()) + " of " + std::to_string(size_t(rows)) + " combinations of sizes on " + machine.name +
                  ", interpolated between them: off by at most " + percent + " at " + std::to_string(checks) + " others.");
  return llvm::Error::success();
}

llvm::Error RegionSweep::run(const std::function<void(llvm::ArrayRef<double>, double, const Parts &)> &visit, std::vector<std::string> &notes) {
  double combinations = 1;
  for (const SweepAxis &axis : sizes)
    combinations *= double(axis.values.size());
  if (combinations <= mostPriced || sizes.size() > 6)
    return runExactly(visit);
  return runOnGrid(visit, notes);
}

/// The axes less iterations, and the counts of it.
std::vector<SweepAxis> splitIterations(llvm::ArrayRef<SweepAxis> axes, std::vector<double> &counts) {
  std::vector<SweepAxis> sizes;
  for (const SweepAxis &axis : axes)
    if (axis.name == "iterations")
      counts = axis.values;
    else
      sizes.push_back(axis);
  return sizes;
}

llvm::Error checkAxes(llvm::ArrayRef<SweepAxis> axes, size_t perCombination) {
  double rows = double(perCombination);
  for (size_t i = 0; i < axes.size(); ++i) {
    rows *= double(axes[i].values.size());
    for (double value : axes[i].values)
      if (value != std::floor(value) || value < 0 || value > 1e15)
        return llvm::createStringError("--range " + axes[i].name + ": a size or a count is a whole number, not " + llvm::Twine(std::to_string(value)));
    for (size_t j = 0; j < i; ++j)
      if (axes[j].name == axes[i].name)
        return llvm::createStringError("--range " + axes[i].name + " is given twice");
  }
  if (rows > mostRows)
    return llvm::createStringError("the ranges have " + llvm::Twine(std::to_string(int64_t(rows))) + " combinations; at most " + llvm::Twine(int64_t(mostRows)) + " are computed");
  return llvm::Error::success();
}

} // namespace

llvm::Expected<SweepTable> sweepProgram(const skeleton::Program &program, const ProjectOptions &options, llvm::ArrayRef<SweepAxis> axes) {
  std::vector<double> counts = {options.iterations ? double(*options.iterations) : std::nan("")};
  std::vector<SweepAxis> sizes = splitIterations(axes, counts);
  llvm::Expected<std::vector<std::string>> names = rootsOf(program, options);
  if (!names)
    return names.takeError();
  SweepTable table;
  table.columns = {{"region", true}, {"machine", true}};
  table.machineColumn = 1;
  for (const SweepAxis &axis : sizes)
    table.columns.push_back({axis.name, false});
  bool hasCounts = !std::isnan(counts.front());
  if (hasCounts)
    table.columns.push_back({"iterations", false});
  for (const char *name : partNames)
    table.columns.push_back({name, false});
  table.columns.push_back({"total_s", false});
  table.columns.push_back({"speedup", false});
  table.plotted = "speedup";
  for (const Machine &machine : options.machines)
    table.texts.push_back(machine.name);
  std::set<std::string> usedAxes;
  bool anyTimeLoop = false;
  for (const std::string &name : *names) {
    // Shapes are assumed as in a projection, if neither the first sizes nor the last ones speak against them.
    ProjectOptions corner = options, last = options;
    for (const SweepAxis &axis : sizes) {
      corner.parameters.emplace_back(axis.name, int64_t(axis.values.front()));
      last.parameters.emplace_back(axis.name, int64_t(axis.values.back()));
    }
    llvm::Expected<std::unique_ptr<Root>> root = analyseFor(program, name, Depth::Transfers, corner);
    if (root && !(*root)->assumed.empty())
      root = analyseFor(program, name, Depth::Transfers, last);
    if (!root)
      return root.takeError();
    llvm::Expected<Sizes> bound = bindSizes(program, (*root)->function, corner.parameters);
    if (!bound)
      return bound.takeError();
    std::vector<std::string> unknownHere = unknownParameters(program, (*root)->function, *bound, corner.parameters);
    for (const SweepAxis &axis : sizes)
      if (!llvm::is_contained(unknownHere, axis.name))
        usedAxes.insert(axis.name);
    if (llvm::Error error = checkAxes(axes, std::max<size_t>(1, (*root)->transfers.regions.size()) * options.machines.size()))
      return error;
    for (const brs::Region &region : (*root)->transfers.regions) {
      anyTimeLoop |= !region.timeLoops.empty();
      table.texts.push_back(name + ": " + skeleton::toString(region.kernels.front().loop->location));
      double regionText = double(table.texts.size() - 1);
      for (size_t m = 0; m < options.machines.size(); ++m) {
        RegionSweep sweep(program, **root, region, options.machines[m], options, sizes, counts);
        auto take = [&](llvm::ArrayRef<double> values, double count, const Parts &parts) {
          table.cells.push_back(regionText);
          table.cells.push_back(double(m));
          table.cells.insert(table.cells.end(), values.begin(), values.end());
          if (hasCounts)
            table.cells.push_back(count);
          table.cells.insert(table.cells.end(), parts.begin(), parts.end());
          double total = parts[1] + parts[2] + parts[3] + parts[4];
          table.cells.push_back(total);
          table.cells.push_back(total > 0 ? parts[0] / total : std::nan(""));
        };
        if (llvm::Error error = sweep.run(take, table.notes))
          return error;
      }
    }
  }
  for (const SweepAxis &axis : sizes)
    if (!usedAxes.count(axis.name))
      return llvm::createStringError("--range " + axis.name + ": no size of this name");
  if (table.cells.empty())
    return llvm::createStringError("no loop nest that could run on a GPU: there is nothing to sweep");
  if (hasCounts && !anyTimeLoop)
    table.notes.push_back("No region has a time loop: iterations change nothing.");
  return table;
}

} // namespace busfare::projection
