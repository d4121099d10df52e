//===- projection/BlasPipeline.cpp - A tiled call, subkernel by subkernel -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/BlasPipeline.h"
#include <algorithm>
#include <cmath>

namespace busfare::projection {
namespace {

/// A kernel, with how many copies in must be over before it starts, and the copy out that follows it (0: none).
struct Subkernel {
  double time = 0;
  size_t copiesIn = 0;
  double copyOut = 0;
};

struct Queues {
  std::vector<double> copiesIn;
  std::vector<Subkernel> kernels;
};

class Builder {
public:
  Builder(const BlasCall &call, const TileLink &link, TileTime tile)
      : call(call), link(link), tile(tile), shapes(operandsOf(call.tiled)) {}
  Queues build();

private:
  double elements(const TileAt &at) const;
  /// A piece of an operand, which comes in when it is first needed.
  void need(const TileAt &at);
  const BlasCall &call;
  const TileLink &link;
  TileTime tile;
  std::vector<TiledOperand> shapes;
  std::vector<std::vector<bool>> here; ///< By operand; tiles by columns.
  Queues queues;
};

double Builder::elements(const TileAt &at) const {
  auto length = [&](int64_t whole, int64_t index) {
    return std::min(tile.tile, double(whole) - double(index) * tile.tile);
  };
  return length(shapes[at.operand].rows, at.row) * length(shapes[at.operand].columns, at.column);
}

void Builder::need(const TileAt &at) {
  std::vector<bool> &pieces = here[at.operand];
  size_t piece = size_t(at.row) + size_t(at.column) * size_t(std::ceil(double(shapes[at.operand].rows) / tile.tile));
  if (pieces.size() <= piece) pieces.resize(piece + 1);
  if (pieces[piece] || !call.operands[at.operand].comesIn) return;
  pieces[piece] = true;
  queues.copiesIn.push_back(link.latencyIn + elements(at) * call.elementBytes / link.bandwidthIn);
}

Queues Builder::build() {
  here.resize(shapes.size());
  const double whole = std::pow(tile.tile, double(call.dimensions.size()));
  for (const TileStep &step : tileSteps(call.tiled, int64_t(tile.tile))) {
    if (step.a) need(*step.a);
    if (step.b) need(*step.b);
    need(step.c);
    bool goesBack = step.isLast && call.operands[step.c.operand].goesBack;
    queues.kernels.push_back(
        {tile.time * step.multiplications() / whole, queues.copiesIn.size(),
         goesBack ? link.latencyOut + elements(step.c) * call.elementBytes / link.bandwidthOut : 0});
  }
  return std::move(queues);
}

/// When the host has handed over each of them: in the order of the kernels, each behind its copies in and before its
/// copy out.
struct Issued {
  std::vector<double> in, kernel, out;
  Issued(const Queues &queues, double each) {
    double now = 0;
    for (const Subkernel &subkernel : queues.kernels) {
      while (in.size() < subkernel.copiesIn) in.push_back(now += each);
      kernel.push_back(now += each);
      out.push_back(subkernel.copyOut > 0 ? now += each : now);
    }
  }
};

/// A queue: what is left of what runs, and what is next.
struct Lane {
  double left = 0;
  size_t next = 0;
};

/// The end of all three queues.
double play(const Queues &queues, const TileLink &link) {
  const Issued issued(queues, link.issue);
  std::vector<std::pair<double, double>> copiesOut; // how long, and when it was handed over
  Lane in, kernel, out;
  double now = 0;
  size_t doneIn = 0;
  while (true) {
    double wake = INFINITY; // what is ready but for the host
    auto start = [&](Lane &lane, double time, double from) {
      if (from > now) {
        wake = std::min(wake, from);
        return;
      }
      lane.left = time;
      ++lane.next;
    };
    if (in.left == 0 && in.next < queues.copiesIn.size()) start(in, queues.copiesIn[in.next], issued.in[in.next]);
    if (kernel.left == 0 && kernel.next < queues.kernels.size() && queues.kernels[kernel.next].copiesIn <= doneIn)
      start(kernel, queues.kernels[kernel.next].time, issued.kernel[kernel.next]);
    if (out.left == 0 && out.next < copiesOut.size()) start(out, copiesOut[out.next].first, copiesOut[out.next].second);
    if (in.left == 0 && kernel.left == 0 && out.left == 0 && wake == INFINITY) return now;
    bool both = in.left > 0 && out.left > 0;
    double slowIn = both ? link.slowdownIn : 1, slowOut = both ? link.slowdownOut : 1, step = wake - now;
    for (double left : {in.left * slowIn, kernel.left, out.left * slowOut})
      step = left > 0 ? std::min(step, left) : step;
    now = step == wake - now ? wake : now + step;
    // What ends within the rounding of the step ends with it.
    auto advance = [&](Lane &lane, double slow) {
      bool runs = lane.left > 0;
      lane.left = lane.left * slow <= step * (1 + 1e-12) ? 0 : lane.left - step / slow;
      return runs && lane.left == 0;
    };
    doneIn += advance(in, slowIn);
    advance(out, slowOut);
    if (advance(kernel, 1))
      if (double copy = queues.kernels[kernel.next - 1].copyOut; copy > 0)
        copiesOut.push_back({copy, issued.out[kernel.next - 1]});
  }
}

} // namespace

std::optional<double> pipelineTime(const BlasCall &call, const TileLink &link, TileTime tile) {
  if (stepsOf(call.tiled, int64_t(tile.tile)) > mostSubkernels || tile.time <= 0) return std::nullopt;
  return play(Builder(call, link, tile).build(), link);
}

double panelTime(const PanelSchedule &schedule, double elementBytes, const TileLink &link,
                 llvm::function_ref<double(const PanelStep &)> kernelTime) {
  Queues queues;
  auto bytesOf = [&](const Panel &panel) { return double(panel.rows) * double(panel.columns) * elementBytes; };
  for (const Panel &panel : schedule.in) queues.copiesIn.push_back(link.latencyIn + bytesOf(panel) / link.bandwidthIn);
  for (const PanelStep &step : schedule.steps)
    queues.kernels.push_back(
        {kernelTime(step), step.copiesIn, step.out ? link.latencyOut + bytesOf(*step.out) / link.bandwidthOut : 0});
  return play(queues, link);
}

} // namespace busfare::projection
