//===- projection/BlasRate.cpp - BLAS whose operands are on the device ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/BlasRate.h"
#include "projection/LibraryWork.h"
#include <algorithm>
#include <cmath>

namespace busfare::projection {

/// Of a table, at any tile: by the rate at which work is done, which changes slowly.
static double interpolated(const std::vector<TileTime> &table, double tile, double power) {
  auto after = std::find_if(table.begin(), table.end(), [&](const TileTime &each) { return each.tile >= tile; });
  auto rate = [&](const TileTime &each) { return std::pow(each.tile, power) / each.time; };
  double work = std::pow(tile, power);
  if (after == table.begin())
    return std::max(work / rate(*after), after->time * tile / after->tile); // small ones are latency
  if (after == table.end()) return work / rate(table.back());
  const TileTime &before = *std::prev(after);
  double share = (tile - before.tile) / (after->tile - before.tile);
  return work / (rate(before) + share * (rate(*after) - rate(before)));
}

double tileSeconds(const BlasCall &call, const Machine &machine, double side) {
  const char type = call.routine.front();
  // Of a triangle half the multiplications are made, and the table has the time of those.
  std::vector<std::pair<std::string, double>> known = {{call.routine, 1 / call.part}};
  if (call.level == 3)
    known.insert(known.end(), {{std::string(1, type) + "gemm", 1}, {type == 'z' ? "dgemm" : "sgemm", 4}});
  for (const auto &[routine, factor] : known)
    if (std::vector<TileTime> table = tilesOf(machine, routine); !table.empty())
      return factor * interpolated(table, side, double(call.dimensions.size()));
  return modelledTileTime(call, machine.gpu, side);
}

std::optional<double> libraryTimeOnDevice(const skeleton::LibraryCall &library, const skeleton::RealValues &values,
                                          const Machine &machine) {
  std::optional<double> sizes[3];
  for (const auto &[name, expr] : library.dimensions) {
    const std::optional<double> value = expr ? expr->evaluateReal(values) : std::nullopt;
    if (!value) return std::nullopt;
    sizes[name == "m" ? 0 : name == "n" ? 1 : 2] = std::max(0.0, *value);
  }
  llvm::Expected<BlasCall> call =
      blasCall(library.routine, sizes[0], sizes[1], sizes[2], {}, library.overwrites ? 0 : 1);
  if (!call) {
    llvm::consumeError(call.takeError()); // not modelled
    return std::nullopt;
  }
  const llvm::StringRef kind = llvm::StringRef(library.routine).drop_front();
  const bool isSolve = kind == "trsm";
  if (kind == "dot" || library.operands.size() != call->operands.size() ||
      (isSolve && tilesOf(machine, library.routine).empty()))
    return std::nullopt;
  double box = 1;
  for (double dimension : call->dimensions) box *= dimension;
  const double side = std::pow(box, 1 / double(call->dimensions.size()));
  const double least = machine.gpu.launchLatency;
  if (side < 1) return least;
  const double bytes = libraryWork(library, values).bytes.value_or(0);
  return std::max(call->part * tileSeconds(*call, machine, side), least + bytes / machine.gpu.dramBandwidth);
}

} // namespace busfare::projection
