//===- runtime-bench/blas/Select.cpp - Where a call runs, and its tile ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime-bench/blas/Select.h"
#include "projection/BlasPipeline.h"
#include "projection/BlasRate.h"
#include "projection/LibraryWork.h"
#include "runtime-bench/blas/RunPanels.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace busfare::blas {

using projection::BlasCall;
using projection::Machine;
using projection::tileSeconds;
using projection::TileTime;

BlasCall modelled(const Call &call, const std::vector<Where> &places) {
  BlasCall model = projection::blasCall(call.name(), call.shape);
  for (size_t i = 0; i < places.size(); ++i) {
    const bool isOnHost = places[i] != Where::OnDevice;
    model.operands[i].comesIn = isOnHost && call.operands[i].isRead;
    model.operands[i].goesBack = isOnHost && call.operands[i].isWritten;
  }
  return model;
}

/// A solve of `rows` unknowns: a time for each row, since it waits for those before, and the multiplications at a rate;
/// both by least squares of the relative error over the table of square ones.
static std::optional<double> solveSeconds(const std::vector<TileTime> &table, double rows, double multiplications) {
  double rr = 0, rw = 0, ww = 0, r1 = 0, w1 = 0;
  for (const TileTime &each : table) {
    const double r = each.tile / each.time, w = std::pow(each.tile, 3) / 2 / each.time;
    rr += r * r;
    rw += r * w;
    ww += w * w;
    r1 += r;
    w1 += w;
  }
  const double determinant = rr * ww - rw * rw;
  if (table.size() < 2 || determinant <= 0) return std::nullopt;
  const double perRow = (r1 * ww - w1 * rw) / determinant, perMultiplication = (rr * w1 - rw * r1) / determinant;
  if (perRow < 0 || perMultiplication <= 0) return std::nullopt;
  return perRow * rows + perMultiplication * multiplications;
}

/// Of a kernel of any shape: at the rate of a cube of as much work.
static double stepSeconds(const BlasCall &call, const Machine &machine, const projection::PanelStep &step) {
  const double work = step.multiplications(), side = std::cbrt(double(step.m) * double(step.n) * double(step.k));
  BlasCall kernel = call;
  kernel.routine = call.routine.substr(0, 1) + nameOf(step.work);
  kernel.dimensions = {side, side, side};
  kernel.part = projection::computedPart(step.work);
  if (step.work == BlasKind::Trsm)
    if (std::optional<double> seconds =
            solveSeconds(projection::tilesOf(machine, kernel.routine), double(step.m), work))
      return *seconds;
  return tileSeconds(kernel, machine, side) * work / std::pow(side, 3);
}

static std::vector<int64_t> tilesWorthTrying(const BlasCall &call, size_t memoryBytes) {
  const double longest = *std::max_element(call.dimensions.begin(), call.dimensions.end());
  std::set<int64_t> tiles;
  if (call.level == 1) {
    for (int64_t tile = 1 << 18; double(tile) < longest && tile <= 1 << 26; tile *= 2) tiles.insert(tile);
    tiles.insert(int64_t(std::min(longest, double(1 << 26))));
    return {tiles.begin(), tiles.end()};
  }
  // A tile that divides a dimension leaves no small rest; multiples of 128 are what kernels are made for.
  for (double dimension : call.dimensions)
    for (int parts = 1; parts <= 32; ++parts) tiles.insert(int64_t(std::ceil(dimension / parts / 128) * 128));
  for (int64_t usual : {512, 768, 1024, 1536, 2048, 3072, 4096}) tiles.insert(usual);
  const double most = std::sqrt(double(memoryBytes) / 8 / call.elementBytes);
  std::vector<int64_t> worth;
  for (int64_t tile : tiles)
    if (tile >= std::min(512.0, std::ceil(longest / 128) * 128) && double(tile) < longest + 128 &&
        double(tile) <= std::min(8192.0, most))
      worth.push_back(tile);
  if (worth.empty()) worth.push_back(std::max<int64_t>(1, int64_t(std::min(longest, most))));
  return worth;
}

/// What handing over a kernel takes of the time until an empty one is over: launch_async over launch_sync of
/// `busfare-bench link`, 0.36 on an H100 and 0.45 on an H200. A copy is taken to be handed over as fast.
static constexpr double issueOfLaunch = 0.4;

static double stagedBandwidth(const Machine &machine, unsigned copyThreads) {
  return std::min(machine.host.dramBandwidth / 2, copyThreads * machine.host.dramBandwidthCore / 3);
}

double secondsToBring(size_t bytes, const Machine &machine, unsigned copyThreads) {
  const projection::TileLink link = projection::tileLinkOf(machine.link);
  return link.latencyIn + double(bytes) / std::min(link.bandwidthIn, stagedBandwidth(machine, copyThreads));
}

/// Of pinned memory. Pageable memory goes through pinned pieces, which threads of the host fill and empty: a core moves
/// a third of what it draws from memory (read, written, and the line written to read before), all together half of what
/// all draw. The same threads do both directions.
static projection::TileLink linkFor(const Call &call, const std::vector<Where> &places, const Machine &machine,
                                    unsigned copyThreads) {
  projection::TileLink link = projection::tileLinkOf(machine.link);
  double all = 0, pageable = 0;
  for (size_t i = 0; i < places.size(); ++i) {
    const double elements = double(call.operands[i].rows) * double(call.operands[i].columns);
    all += places[i] != Where::OnDevice ? elements : 0;
    pageable += places[i] == Where::Pageable ? elements : 0;
  }
  const double share = all > 0 ? pageable / all : 0;
  const double staged = stagedBandwidth(machine, copyThreads);
  auto mixed = [&](double bandwidth) { return 1 / ((1 - share) / bandwidth + share / std::min(bandwidth, staged)); };
  link.bandwidthIn = mixed(link.bandwidthIn);
  link.bandwidthOut = mixed(link.bandwidthOut);
  link.slowdownIn = std::max(link.slowdownIn, 1 + share);
  link.slowdownOut = std::max(link.slowdownOut, 1 + share);
  link.issue = machine.gpu.launchLatency * issueOfLaunch;
  return link;
}

std::optional<projection::PanelSchedule> panelsOf(const Call &call, const std::vector<Where> &places, int64_t width,
                                                  int64_t firstWidth, size_t memoryBytes) {
  if (panelBytes(call, places) > memoryBytes) return std::nullopt;
  std::vector<bool> onHost;
  for (Where where : places) onHost.push_back(where != Where::OnDevice);
  return projection::panelSchedule(call.shape, width, firstWidth, onHost, call.operands.back().isRead);
}

/// Panels, if they are faster than what was chosen.
static void tryPanels(const Call &call, const std::vector<Where> &places, const BlasCall &model,
                      const projection::TileLink &link, const Machine &machine, size_t memoryBytes, Choice &choice) {
  std::map<std::array<int64_t, 4>, double> known; // many steps are alike
  auto secondsOf = [&](const projection::PanelStep &step) {
    double &seconds = known[{int64_t(step.work), step.m, step.n, step.k}];
    if (seconds == 0) seconds = stepSeconds(model, machine, step);
    return seconds;
  };
  const int64_t columns = call.operands.back().columns;
  for (int parts : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64}) {
    const int64_t width = (columns / parts + 127) / 128 * 128;
    if (width < 128 || (parts > 1 && width < 256)) break;
    for (int64_t first : {1, 2, 4, 8}) {
      if (first > 1 && width * first > columns) break;
      std::optional<projection::PanelSchedule> schedule = panelsOf(call, places, width, width * first, memoryBytes);
      if (!schedule) return;
      const double seconds = projection::panelTime(*schedule, model.elementBytes, link, secondsOf);
      if (choice.deviceSeconds == 0 || seconds < choice.deviceSeconds) {
        choice.deviceSeconds = seconds;
        choice.byPanels = true;
        choice.tile = width;
        choice.firstWidth = width * first;
      }
    }
  }
}

static double hostSeconds(const Call &call, const Machine &machine) {
  projection::LibraryWork work =
      projection::libraryWork(call.name(), {double(call.shape.m), double(call.shape.n), double(call.shape.k)});
  if (call.shape.scalesAlone) {
    // The result is read, multiplied and written, or written alone.
    const double elements = projection::multiplicationsOf(call.shape);
    work = {elements, elements * double(call.bytes()) * (call.operands.back().isRead ? 2 : 1)};
  }
  return projection::libraryTime(call.name(), work, machine.host);
}

Choice choose(const Call &call, const std::vector<Where> &places, const Machine &machine, size_t memoryBytes,
              unsigned copyThreads, Cut cut) {
  const BlasCall model = modelled(call, places);
  const projection::TileLink link = linkFor(call, places, machine, copyThreads);
  Choice choice;
  // More steps than this cost more to hand over than small tiles gain.
  constexpr double mostSteps = 8192;
  double best = INFINITY;
  if (cut != Cut::Tiles) tryPanels(call, places, model, link, machine, memoryBytes, choice);
  // Columns of a square tile lie apart in pinned memory, and cross slower than the model knows, the more so where both
  // directions are busy. Of 68 products and updates in pinned memory on an H200 panels were the faster way in 63, and
  // tiles by at most 8 %; of eight solves panels were faster in one.
  const bool isPinned = std::count(places.begin(), places.end(), Where::Pinned) > 0;
  const double tilesMustWinBy = isPinned && call.shape.kind != BlasKind::Trsm ? 1.1 : 1;
  if (choice.byPanels) best = choice.deviceSeconds / tilesMustWinBy;
  for (int64_t tile : tilesWorthTrying(model, memoryBytes)) {
    if ((cut == Cut::Panels && choice.byPanels) || projection::stepsOf(call.shape, tile) > mostSteps) continue;
    std::optional<double> seconds =
        projection::pipelineTime(model, link, {double(tile), tileSeconds(model, machine, double(tile))});
    if (seconds && *seconds < best) {
      best = choice.deviceSeconds = *seconds;
      choice.tile = tile;
      choice.byPanels = false;
    }
  }
  if (choice.tile == 0) choice.tile = tilesWorthTrying(model, memoryBytes).back();
  choice.hostSeconds = hostSeconds(call, machine);
  choice.isOnDevice = choice.deviceSeconds > 0 && choice.deviceSeconds < choice.hostSeconds;
  return choice;
}

std::string machineNameFor(const std::string &deviceName) {
  auto wordsOf = [](llvm::StringRef text) {
    llvm::SmallVector<llvm::StringRef> words, all;
    text.split(words, ' ', -1, false);
    for (llvm::StringRef word : words) word.split(all, '-', -1, false);
    return all;
  };
  // H100, A100, 680: not how much memory it has, nor what many have in common.
  auto isModel = [](llvm::StringRef word) {
    return word.find_first_of("0123456789") != llvm::StringRef::npos && !word.ends_with("GB");
  };
  const llvm::SmallVector<llvm::StringRef> wanted = wordsOf(deviceName);
  std::string best = projection::defaultMachine.str();
  size_t most = 0;
  for (const std::string &name : projection::builtinMachineNames()) {
    llvm::Expected<Machine> machine = projection::loadMachine(name);
    if (!machine) {
      llvm::consumeError(machine.takeError());
      continue;
    }
    size_t shared = 0;
    bool isThatModel = false;
    for (llvm::StringRef word : wordsOf(machine->gpu.name))
      if (std::count(wanted.begin(), wanted.end(), word) > 0) {
        ++shared;
        isThatModel |= isModel(word);
      }
    // Of two cards of one name, the one whose BLAS was measured.
    shared = isThatModel ? 2 * shared + !machine->tiles.empty() : 0;
    if (shared > most) {
      most = shared;
      best = name;
    }
  }
  return best;
}

} // namespace busfare::blas
