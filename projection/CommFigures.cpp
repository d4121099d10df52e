//===- projection/CommFigures.cpp - Figures 8 and 9 of Groves et al. ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/CommFigures.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <functional>

namespace busfare::projection {

namespace {

/// One curve, or map, of a figure: of a port and a size, what a message takes and what the port gains.
struct Curve {
  const char *name;
  std::function<std::pair<double, double>(const Network &, const WholePort &, double bytes)> at;
};

const double unknown = std::nan("");
constexpr double nearlyAll = 0.95;

} // namespace

static bool has(llvm::ArrayRef<SweepAxis> axes, llvm::StringRef name) {
  return llvm::any_of(axes, [&](const SweepAxis &axis) { return axis.name == name; });
}

static std::vector<SweepAxis> axesWithDefaults(llvm::ArrayRef<SweepAxis> given, bool shares) {
  std::vector<SweepAxis> axes = given.vec();
  if (!has(axes, "bytes")) {
    SweepAxis bytes{"bytes", {}};
    for (double size = 8; size <= 16777216; size *= 2) bytes.values.push_back(size);
    axes.insert(axes.begin(), std::move(bytes));
  }
  if (shares && !has(axes, "comm-share")) {
    SweepAxis share{"comm-share", {}};
    for (int tenth = 1; tenth <= 9; ++tenth) share.values.push_back(tenth / 10.0);
    axes.push_back(std::move(share));
  }
  return axes;
}

/// A row for each machine, curve and combination of the axes' values.
static llvm::Expected<SweepTable> sweepCurves(llvm::ArrayRef<Machine> machines, llvm::ArrayRef<SweepAxis> axes,
                                              llvm::StringRef column, llvm::ArrayRef<Curve> curves) {
  llvm::Expected<std::vector<size_t>> places =
      placesOf(axes, {"bytes", "comm-share", "launch", "compute-speedup"}, "comm");
  if (!places) return places.takeError();
  if (llvm::Error error = needNetworks(machines)) return error;
  SweepTable all;
  for (const Machine &machine : machines)
    for (const Curve &curve : curves) {
      llvm::Expected<SweepTable> one =
          sweepFunction(machine, axes, {"message_s", "speedup"},
                        [&](const Machine &each, llvm::ArrayRef<double> values, llvm::MutableArrayRef<double> out) {
                          WholePort port;
                          port.large = LargeMessages::Add;
                          double *const members[] = {nullptr, &port.communication, &port.launch, &port.computeSpeedup};
                          for (size_t i = 1; i < places->size(); ++i)
                            if ((*places)[i] < axes.size()) *members[i] = values[(*places)[i]];
                          std::tie(out[0], out[1]) = curve.at(*each.network, port, values[(*places)[0]]);
                        });
      if (!one) return one;
      if (all.columns.empty()) {
        all.columns = one->columns;
        all.columns.insert(all.columns.begin(), {column.str(), true});
        all.machineColumn = 1;
      }
      if (double(all.rows() + one->rows()) > mostRows)
        return llvm::createStringError("the ranges have too many combinations for all curves of the figure");
      all.texts.push_back(curve.name);
      all.texts.push_back(machine.name);
      const size_t width = one->columns.size();
      for (size_t row = 0; row < one->rows(); ++row) {
        const double *cells = &one->cells[row * width];
        all.cells.push_back(double(all.texts.size() - 2));
        all.cells.push_back(double(all.texts.size() - 1));
        all.cells.insert(all.cells.end(), cells + 1, cells + width);
      }
    }
  all.plotted = "speedup";
  return all;
}

static std::pair<double, double> single(const Network &network, const WholePort &port, PutOrGet operation, double bytes,
                                        bool scaled) {
  const double ratio = messageRatio(network, port, operation, Initiator::Host, bytes);
  return {singleTime(network, operation, Initiator::Host, bytes, port.large) + port.launch,
          scaled ? scaledSpeedup(port, ratio) : fixedSpeedup(port, ratio)};
}

static std::pair<double, double> pipelined(const Network &network, WholePort port, PipelinedUnit unit, double bytes) {
  port.unit = unit;
  std::optional<double> time = pipelinedTime(network, Initiator::Host, bytes, unit);
  std::optional<double> ratio = pipelinedRatio(network, port, Initiator::Host, bytes, messagesOfABatch);
  if (!time || !ratio) return {unknown, unknown};
  return {*time + port.launch / messagesOfABatch, fixedSpeedup(port, *ratio)};
}

/// Of the rows whose text in `column` is `name`.
static double meanSpeedup(const SweepTable &table, llvm::StringRef name) {
  const size_t width = table.columns.size();
  double sum = 0, count = 0;
  for (size_t row = 0; row < table.rows(); ++row)
    if (table.texts[size_t(table.cells[row * width])] == name) {
      sum += table.cells[row * width + width - 1];
      ++count;
    }
  return sum / count;
}

llvm::Expected<SweepTable> sweepFigure8(llvm::ArrayRef<Machine> machines, llvm::ArrayRef<SweepAxis> axes,
                                        PutOrGet operation) {
  const Curve curves[] = {{"fixed", [&](const Network &network, const WholePort &port,
                                        double bytes) { return single(network, port, operation, bytes, false); }},
                          {"scaled", [&](const Network &network, const WholePort &port, double bytes) {
                             return single(network, port, operation, bytes, true);
                           }}};
  llvm::Expected<SweepTable> table = sweepCurves(machines, axesWithDefaults(axes, true), "problem", curves);
  if (table)
    table->notes.push_back(llvm::formatv(
        "Figure 8 of Groves et al.: single {0}s started by the host. Means of this grid: {1:f2}x of the problem as it "
        "is, {2:f2}x of one that grows with the computing; the paper, which does not print its grid, has 1.2x and 2.6x.",
        toString(operation), meanSpeedup(*table, "fixed"), meanSpeedup(*table, "scaled")));
  return table;
}

/// "1,048,576 B": the least size from which on all rows of the first machine's curve have 95 % of the best there can
/// be.
static std::string reached(const SweepTable &table, llvm::StringRef name, double ceiling) {
  const size_t width = table.columns.size(), bytes = table.column("bytes");
  std::optional<double> from;
  for (size_t row = 0; row < table.rows(); ++row) {
    auto text = [&](size_t column) -> const std::string & {
      return table.texts[size_t(table.cells[row * width + column])];
    };
    if (text(0) != name || text(1) != table.texts[size_t(table.cells[1])]) continue;
    const double speedup = table.cells[row * width + width - 1];
    if (std::isnan(speedup)) return "no law of them is known";
    if (speedup < nearlyAll * ceiling) from.reset();
    else if (!from) from = table.cells[row * width + bytes];
  }
  return from ? llvm::formatv("from {0} B on", uint64_t(*from)).str() : "at none of these sizes";
}

llvm::Expected<SweepTable> sweepFigure9(llvm::ArrayRef<Machine> machines, llvm::ArrayRef<SweepAxis> axes,
                                        PutOrGet operation) {
  const Curve curves[] = {
      {"single", [&](const Network &network, const WholePort &port,
                     double bytes) { return single(network, port, operation, bytes, false); }},
      {"pipelined per byte", [](const Network &network, const WholePort &port,
                                double bytes) { return pipelined(network, port, PipelinedUnit::PerByte, bytes); }},
      {"pipelined per message", [](const Network &network, const WholePort &port, double bytes) {
         return pipelined(network, port, PipelinedUnit::PerMessage, bytes);
       }}};
  llvm::Expected<SweepTable> table = sweepCurves(machines, axesWithDefaults(axes, false), "messages", curves);
  if (!table) return table;
  table->notes.push_back(llvm::formatv(
      "Figure 9 of Groves et al.: {0}s started by the host. Pipelined by both readings of Table II: ns per "
      "byte, as its text and Figure 5 have it, and ns per message, which the paper's 100 B needs.",
      toString(operation)));
  // Several shares, launches or ratios have a ceiling each.
  if (!has(axes, "comm-share") && !has(axes, "launch") && !has(axes, "compute-speedup"))
    for (const Curve &curve : curves)
      table->notes.push_back(llvm::formatv("{0} on {1}: 95 % of the ceiling of {2:f1}x {3}.", curve.name,
                                           machines.front().name, fixedSpeedup(WholePort(), 1),
                                           reached(*table, curve.name, fixedSpeedup(WholePort(), 1))));
  return table;
}

} // namespace busfare::projection
