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

/// Lengths of the pieces of a dimension.
std::vector<double> piecesOf(double length, double tile) {
  std::vector<double> pieces;
  for (double at = 0; at < length; at += tile)
    pieces.push_back(std::min(tile, length - at));
  return pieces;
}

class Builder {
public:
  Builder(const BlasCall &call, const TileLink &link, TileTime tile) : call(call), link(link), tile(tile) {}
  Queues build();

private:
  /// A piece of an operand, which comes in when it is first needed.
  void need(size_t operand, size_t piece, double elements);
  void run(double work, size_t result, double elements, bool isComplete);
  const BlasCall &call;
  const TileLink &link;
  TileTime tile;
  std::vector<std::vector<bool>> here;
  Queues queues;
};

void Builder::need(size_t operand, size_t piece, double elements) {
  std::vector<bool> &pieces = here[operand];
  if (pieces.size() <= piece)
    pieces.resize(piece + 1);
  if (pieces[piece] || !call.operands[operand].comesIn)
    return;
  pieces[piece] = true;
  queues.copiesIn.push_back(link.latencyIn + elements * call.elementBytes / link.bandwidthIn);
}

void Builder::run(double work, size_t result, double elements, bool isComplete) {
  bool goesBack = isComplete && call.operands[result].goesBack;
  double whole = std::pow(tile.tile, double(call.dimensions.size()));
  queues.kernels.push_back({tile.time * work / whole, queues.copiesIn.size(),
                            goesBack ? link.latencyOut + elements * call.elementBytes / link.bandwidthOut : 0});
}

Queues Builder::build() {
  here.resize(call.operands.size());
  std::vector<std::vector<double>> pieces;
  for (double dimension : call.dimensions)
    pieces.push_back(piecesOf(dimension, tile.tile));
  if (call.level == 1) {
    for (size_t i = 0; i < pieces[0].size(); ++i) {
      need(0, i, pieces[0][i]);
      need(1, i, pieces[0][i]);
      run(pieces[0][i], 1, pieces[0][i], true);
    }
    return std::move(queues);
  }
  const std::vector<double> &rows = pieces[0], &columns = pieces[1];
  const std::vector<double> &summed = call.level == 3 ? pieces[2] : columns;
  for (size_t i = 0; i < rows.size(); ++i)
    for (size_t l = 0; l < summed.size(); ++l)
      for (size_t j = 0; j < (call.level == 3 ? columns.size() : 1); ++j) {
        // A matrix times a matrix, or a vector: B and C then have one column.
        double width = call.level == 3 ? columns[j] : 1;
        need(0, i * summed.size() + l, rows[i] * summed[l]);
        need(1, l * columns.size() + j, summed[l] * width);
        need(2, i * columns.size() + j, rows[i] * width);
        run(rows[i] * summed[l] * width, 2, rows[i] * width, l + 1 == summed.size());
      }
  return std::move(queues);
}

/// The end of all three queues.
double play(const Queues &queues, const TileLink &link) {
  std::vector<double> copiesOut;
  double now = 0, in = 0, kernel = 0, out = 0; // what is left of each; 0: none runs
  size_t nextIn = 0, doneIn = 0, nextKernel = 0, nextOut = 0;
  while (true) {
    if (in == 0 && nextIn < queues.copiesIn.size())
      in = queues.copiesIn[nextIn++];
    if (kernel == 0 && nextKernel < queues.kernels.size() && queues.kernels[nextKernel].copiesIn <= doneIn)
      kernel = queues.kernels[nextKernel].time;
    if (out == 0 && nextOut < copiesOut.size())
      out = copiesOut[nextOut++];
    if (in == 0 && kernel == 0 && out == 0)
      return now;
    bool both = in > 0 && out > 0;
    double slowIn = both ? link.slowdownIn : 1, slowOut = both ? link.slowdownOut : 1, step = INFINITY;
    for (double left : {in * slowIn, kernel, out * slowOut})
      step = left > 0 ? std::min(step, left) : step;
    now += step;
    // What ends within the rounding of the step ends with it.
    auto advance = [&](double &left, double slow) {
      bool runs = left > 0;
      left = left * slow <= step * (1 + 1e-12) ? 0 : left - step / slow;
      return runs && left == 0;
    };
    doneIn += advance(in, slowIn);
    advance(out, slowOut);
    if (advance(kernel, 1)) {
      if (double copy = queues.kernels[nextKernel].copyOut; copy > 0)
        copiesOut.push_back(copy);
      ++nextKernel;
    }
  }
}

} // namespace

std::optional<double> pipelineTime(const BlasCall &call, const TileLink &link, TileTime tile) {
  double subkernels = 1;
  for (double dimension : call.dimensions)
    subkernels *= std::ceil(dimension / tile.tile);
  if (subkernels > mostSubkernels || tile.time <= 0)
    return std::nullopt;
  return play(Builder(call, link, tile).build(), link);
}

} // namespace busfare::projection
