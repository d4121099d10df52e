//===- projection/Blas.cpp - A BLAS call by tiles over the bus -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Blas.h"
#include "projection/BlasPipeline.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <array>
#include <cmath>

using llvm::StringRef;

namespace busfare::projection {

double BlasCall::deviceBytes() const {
  double bytes = 0;
  for (const BlasOperand &operand : operands) bytes += operand.elements() * elementBytes;
  return bytes;
}

static constexpr StringRef types = "sdcz";

BlasCall blasCall(StringRef routine, const TiledCall &tiled) {
  static const char *const letters[] = {"xy", "xy", "Axy", "ABC", "AC", "AB"};
  BlasCall call;
  call.routine = routine.str();
  call.elementBytes = std::array{4, 8, 8, 16}[types.find(routine.front())];
  call.level = levelOf(tiled.kind);
  call.tiled = tiled;
  call.dimensions = dimensionsOf(tiled);
  call.part = computedPart(tiled.kind);
  for (const TiledOperand &shape : operandsOf(tiled))
    call.operands.push_back({std::string(1, letters[int(tiled.kind)][call.operands.size()]), double(shape.rows),
                             shape.isVector ? 0 : double(shape.columns), true, false, shape.isTriangle});
  call.operands.back().goesBack = tiled.kind != BlasKind::Dot;
  return call;
}

llvm::Expected<BlasCall> blasCall(StringRef routine, std::optional<double> m, std::optional<double> n,
                                  std::optional<double> k, llvm::ArrayRef<std::string> onDevice, double beta) {
  struct Known {
    BlasKind kind;
    bool hasM, hasK, hasBeta;
  };
  const Known all[] = {{BlasKind::Axpy, false, false, false}, {BlasKind::Dot, false, false, false},
                       {BlasKind::Gemv, true, false, true},   {BlasKind::Gemm, true, true, true},
                       {BlasKind::Syrk, false, true, true},   {BlasKind::Trsm, true, false, false}};
  auto known = llvm::find_if(
      all, [&](const Known &each) { return routine.drop_front(routine.empty() ? 0 : 1) == nameOf(each.kind); });
  if (known == std::end(all) || !types.contains(routine.front()))
    return llvm::createStringError("no routine '" + routine +
                                   "'; there are axpy, dot, gemv, gemm, syrk, trsm, each behind s, d, c or z");
  TiledCall tiled;
  tiled.kind = known->kind;
  struct Dimension {
    const char *name;
    const std::optional<double> &value;
    bool wanted;
    int64_t &tiled;
  };
  const Dimension dimensions[] = {
      {"--m", m, known->hasM, tiled.m}, {"--n", n, true, tiled.n}, {"--k", k, known->hasK, tiled.k}};
  for (const Dimension &dimension : dimensions) {
    if (dimension.wanted && !dimension.value) return llvm::createStringError(routine + " wants " + dimension.name);
    if (!dimension.wanted && dimension.value)
      return llvm::createStringError(routine + " has no dimension " + dimension.name);
    if (dimension.wanted) dimension.tiled = int64_t(*dimension.value);
  }
  BlasCall call = blasCall(routine, tiled);
  call.operands.back().comesIn = !known->hasBeta || beta != 0;
  std::vector<std::string> names;
  for (const BlasOperand &operand : call.operands) names.push_back(operand.name);
  for (const std::string &name : onDevice) {
    auto operand = llvm::find_if(
        call.operands, [&](const BlasOperand &each) { return StringRef(each.name).equals_insensitive(name); });
    if (operand == call.operands.end())
      return llvm::createStringError("--on-device: " + routine + " has no operand '" + name + "'; there are " +
                                     llvm::join(names, ", "));
    operand->comesIn = operand->goesBack = false;
  }
  return call;
}

TileLink tileLinkOf(const Link &link) {
  return {link.pinnedH2dLatency, link.pinnedH2dBandwidth, link.slowdownH2d.value().value_or(1),
          link.pinnedD2hLatency, link.pinnedD2hBandwidth, link.slowdownD2h.value().value_or(1)};
}

std::string tileRoutine(StringRef routine) {
  const bool runsProducts = routine.ends_with("syrk") || routine.ends_with("trsm");
  return runsProducts ? (routine.take_front() + "gemm").str() : routine.str();
}

std::vector<TileTime> tilesOf(const Machine &machine, StringRef routine) {
  std::vector<TileTime> tiles;
  for (const TileTable &table : machine.tiles)
    if (table.routine == routine)
      for (const TilePoint &point : table.points) tiles.push_back({point.tile, point.time});
  return tiles;
}

double largestTile(const BlasCall &call) {
  return std::floor(*std::min_element(call.dimensions.begin(), call.dimensions.end()) / 1.5);
}

/// Work of the kernel, up to a factor.
static double workOf(llvm::ArrayRef<double> dimensions) {
  double work = 1;
  for (double dimension : dimensions) work *= dimension;
  return work;
}

/// Equation (5) of van Werkhoven et al., two copy engines, with n = k streams, the latency as each one's gap, and a
/// kernel time that is linear in the work.
static double csoTime(const BlasCall &call, const TileLink &link, double subkernels, TileTime largest) {
  double bytesIn = 0, bytesOut = 0;
  for (const BlasOperand &operand : call.operands) {
    bytesIn += operand.comesIn ? operand.elements() * call.elementBytes : 0;
    bytesOut += operand.goesBack ? operand.elements() * call.elementBytes : 0;
  }
  double work = call.part * workOf(call.dimensions), ofTile = std::pow(largest.tile, double(call.dimensions.size()));
  double kernel = largest.time * work / ofTile, n = std::max(1.0, subkernels);
  auto in = [&](double bytes) { return link.latencyIn + bytes / link.bandwidthIn; };
  auto out = [&](double bytes) { return link.latencyOut + bytes / link.bandwidthOut; };
  double gapsIn = link.latencyIn * (n - 1), gapsOut = link.latencyOut * (n - 1);
  return std::max({in(bytesIn) + gapsIn + kernel / n + out(bytesOut / n), in(bytesIn / n) + kernel + out(bytesOut / n),
                   in(bytesIn / n) + kernel / n + out(bytesOut) + gapsOut});
}

TileTimes tileTimes(const BlasCall &call, const TileLink &link, TileTime tile, TileTime largest) {
  TileTimes times;
  times.tile = tile.tile;
  times.tileTime = tile.time;
  double allIn = 0, allOut = 0, fetches = 0, fetchTime = 0;
  for (const BlasOperand &operand : call.operands) {
    bool isMatrix = operand.columns > 0;
    double bytes = (isMatrix ? tile.tile * tile.tile : tile.tile) * call.elementBytes;
    double in = link.latencyIn + bytes / link.bandwidthIn, out = link.latencyOut + bytes / link.bandwidthOut;
    allIn += in;
    allOut += out;
    times.in += operand.comesIn ? in : 0;
    times.out += operand.goesBack ? out : 0;
    double tiles =
        operand.rows / tile.tile * (isMatrix ? operand.columns / tile.tile : 1) * (operand.isTriangle ? 0.5 : 1);
    if (operand.comesIn) {
      fetches += std::max(0.0, tiles - 1);
      fetchTime += std::max(0.0, tiles - 1) * in;
    }
  }
  double k = call.part * workOf(call.dimensions) / std::pow(tile.tile, double(call.dimensions.size())),
         kernel = tile.time;
  times.subkernels = k;
  double slowIn = link.slowdownIn * times.in, slowOut = link.slowdownOut * times.out;
  times.over = slowIn >= slowOut ? slowOut + (slowIn - slowOut) / link.slowdownIn
                                 : slowIn + (slowOut - slowIn) / link.slowdownOut;
  times.baseline = std::max({kernel, allIn, allOut}) * (k - 1) + allIn + kernel + allOut;
  times.location = std::max({kernel, times.in, times.out}) * (k - 1) + times.in + kernel + times.out;
  times.bidirectional = std::max(kernel, times.over) * (k - 1) + times.in + kernel + times.out;
  // With few tiles there are more of them than subkernels, each of which waits for one at most.
  times.fetches = std::min(fetches, k);
  double fetch = fetches > 0 ? fetchTime / fetches : 0;
  if (call.level > 1)
    times.reuse = std::max(fetch, kernel) * times.fetches + kernel * (k - times.fetches) + times.in + times.out;
  times.cso = csoTime(call, link, k, largest);
  return times;
}

double modelledTileTime(const BlasCall &call, const Gpu &gpu, double tile) {
  const bool isComplex = StringRef("cz").contains(call.routine.front()),
             isDouble = StringRef("dz").contains(call.routine.front());
  double perCycle =
      isDouble ? (gpu.fp64PerCycle > 0 ? gpu.fp64PerCycle.value : gpu.fp32PerCycle / 32) : gpu.fp32PerCycle.value;
  if (isComplex) perCycle /= 4; // four real multiply-adds
  double elements = 0;
  for (const BlasOperand &operand : call.operands)
    elements += (operand.columns > 0 ? tile * tile : tile) *
                (operand.goesBack || operand.name == call.operands.back().name ? 2 : 1);
  double dram = elements * call.elementBytes / gpu.dramBandwidth;
  double arithmetic = std::pow(tile, double(call.level)) / (perCycle * gpu.multiprocessors * gpu.clock);
  if (call.level == 3) {
    constexpr double side = 64; // results of one thread block
    double blocks = std::pow(std::ceil(tile / side), 2), waves = std::ceil(blocks / gpu.multiprocessors);
    arithmetic = waves * side * side * tile / (perCycle * gpu.clock);
  }
  return gpu.launchLatency + std::max(dram, arithmetic);
}

static std::vector<TileTime> usualTiles(const BlasCall &call, const Gpu &gpu) {
  bool isVector = call.level == 1;
  double step = isVector ? 1 << 18 : 256, most = isVector ? 1 << 26 : 16384;
  std::vector<TileTime> tiles;
  for (double tile = step; tile <= std::min(most, largestTile(call)); tile += step)
    tiles.push_back({tile, modelledTileTime(call, gpu, tile)});
  // A small problem is cut, too.
  if (tiles.empty() && largestTile(call) >= 1)
    tiles.push_back({largestTile(call), modelledTileTime(call, gpu, largestTile(call))});
  return tiles;
}

static size_t recommended(const BlasAnswer &answer) {
  if (!answer.bestInPipeline) return *answer.bestByEquation;
  size_t best = *answer.bestInPipeline;
  if (answer.call.level > 1) return best;
  double least = *answer.tiles[best].pipeline;
  for (size_t i = best; i < answer.tiles.size(); ++i)
    if (answer.tiles[i].pipeline && *answer.tiles[i].pipeline <= least * (1 + sameVectorTime)) best = i;
  return best;
}

llvm::Expected<BlasAnswer> selectTile(const BlasCall &call, const Machine &machine, llvm::ArrayRef<TileTime> given) {
  BlasAnswer answer;
  answer.call = call;
  answer.measured = !given.empty();
  answer.slowdownsKnown = machine.link.slowdownH2d && machine.link.slowdownD2h;
  answer.deviceBytes = call.deviceBytes();
  answer.fits = answer.deviceBytes <= machine.gpu.dramBytes;
  std::vector<TileTime> tiles = given.empty() ? usualTiles(call, machine.gpu) : given.vec();
  auto isSmaller = [](const TileTime &left, const TileTime &right) { return left.tile < right.tile; };
  llvm::stable_sort(tiles, isSmaller);
  double most = largestTile(call);
  size_t usable = llvm::partition_point(tiles, [&](const TileTime &tile) { return tile.tile <= most; }) - tiles.begin();
  answer.tooLarge = unsigned(tiles.size() - usable);
  if (usable == 0)
    return llvm::createStringError(
        "no tile of at most " + llvm::Twine(int64_t(most)) + ", the smallest dimension over 1.5" +
        (tiles.empty() ? llvm::Twine("") : ": the smallest given is " + llvm::Twine(int64_t(tiles.front().tile))));
  TileLink link = tileLinkOf(machine.link);
  for (const TileTime &tile : llvm::ArrayRef(tiles).take_front(usable)) {
    answer.tiles.push_back(tileTimes(call, link, tile, tiles.back()));
    answer.tiles.back().pipeline = pipelineTime(call, link, tile);
  }
  if (!answer.fits) return answer;
  auto timeOf = [&](const TileTimes &times) { return call.level == 3 ? *times.reuse : times.bidirectional; };
  auto best =
      std::min_element(answer.tiles.begin(), answer.tiles.end(),
                       [&](const TileTimes &left, const TileTimes &right) { return timeOf(left) < timeOf(right); });
  answer.bestByEquation = best - answer.tiles.begin();
  for (size_t i = 0; i < answer.tiles.size(); ++i)
    if (const std::optional<double> &time = answer.tiles[i].pipeline)
      if (!answer.bestInPipeline || *time < *answer.tiles[*answer.bestInPipeline].pipeline) answer.bestInPipeline = i;
  answer.selected = recommended(answer);
  return answer;
}

} // namespace busfare::projection
