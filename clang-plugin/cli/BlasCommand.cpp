//===- clang-plugin/cli/BlasCommand.cpp - busfare blas -------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reads the options of `busfare blas` and a table of measured tiles; CoCoPeLia
// (projection/Blas.h) does the rest.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Figures.h"
#include "HintErrors.h"
#include "Programs.h"
#include "Values.h"
#include "projection/Sweep.h"
#include "projection/report/BlasResidencyWriters.h"
#include "projection/report/BlasWriters.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using llvm::StringRef;
using namespace busfare::projection;

namespace busfare::frontend {

static constexpr Bounds sizes{1, 1e12, true}, times{1e-12, 1e6};

static bool isTile(std::optional<double> tile, std::optional<double> time) {
  return tile && time && *tile >= sizes.least && *tile <= sizes.most && *tile == std::floor(*tile) &&
         *time >= times.least && *time <= times.most;
}

/// {"2048": 0.0025, ...}
static llvm::Expected<std::vector<TileTime>> tilesOfJson(StringRef file, StringRef text) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value) return llvm::createStringError(file + ": " + llvm::toString(value.takeError()));
  const llvm::json::Object *object = value->getAsObject();
  if (!object) return llvm::createStringError(file + ": expected an object of tiles and seconds");
  std::vector<TileTime> tiles;
  for (const auto &[key, time] : *object) {
    std::optional<double> tile = numberIn(key), seconds = time.getAsNumber();
    if (!isTile(tile, seconds))
      return llvm::createStringError(file + ": expected a tile and its positive seconds, found \"" + StringRef(key) +
                                     "\"");
    tiles.push_back({*tile, *seconds});
  }
  return tiles;
}

/// Lines `2048,0.0025`; empty ones, those that begin with #, and a first line of words are passed over.
static llvm::Expected<std::vector<TileTime>> tilesOfCsv(StringRef file, StringRef text) {
  std::vector<TileTime> tiles;
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (size_t i = 0; i < lines.size(); ++i) {
    StringRef line = lines[i].trim();
    if (line.empty() || line.starts_with("#")) continue;
    auto [first, second] = line.split(',');
    std::optional<double> tile = numberIn(first), seconds = numberIn(second);
    if (i == 0 && !tile && !seconds) continue;
    if (!isTile(tile, seconds))
      return llvm::createStringError(file + ":" + llvm::Twine(i + 1) + ": expected TILE,SECONDS, found '" +
                                     line.take_front(40) + "'");
    tiles.push_back({*tile, *seconds});
  }
  return tiles;
}

static llvm::Expected<std::vector<double>> tileTimesOf(const Options &options) {
  std::vector<double> seconds;
  for (const std::string &word : wordsOf(options, "--tile-time")) {
    llvm::Expected<double> one = parseSeconds("--tile-time", word);
    if (!one) return one.takeError();
    if (*one < times.least || *one > times.most)
      return llvm::createStringError("--tile-time wants seconds from 1e-12 to 1e6, not '" + word + "'");
    seconds.push_back(*one);
  }
  return seconds;
}

static llvm::Expected<std::vector<TileTime>> tilesOf(const Options &options) {
  StringRef file = textOf(options, "--tile-table");
  llvm::Expected<std::vector<double>> sides = numbersOf(options, "--tile", sizes);
  if (!sides) return sides.takeError();
  llvm::Expected<std::vector<double>> seconds = tileTimesOf(options);
  if (!seconds) return seconds.takeError();
  if (!file.empty()) {
    if (!seconds->empty() || !sides->empty())
      return llvm::createStringError("--tile-table has the tiles: leave --tile and --tile-time out");
    auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/true);
    if (!buffer) return llvm::createStringError(file + ": " + buffer.getError().message());
    StringRef text = (*buffer)->getBuffer();
    llvm::Expected<std::vector<TileTime>> tiles =
        text.ltrim().starts_with("{") ? tilesOfJson(file, text) : tilesOfCsv(file, text);
    if (tiles && tiles->empty()) return llvm::createStringError(file + ": no tile in it");
    return tiles;
  }
  if (!seconds->empty() && seconds->size() != sides->size())
    return llvm::createStringError("--tile and --tile-time want as many numbers each, found " +
                                   llvm::Twine(sides->size()) + " and " + llvm::Twine(seconds->size()));
  std::vector<TileTime> tiles;
  for (size_t i = 0; i < sides->size(); ++i) tiles.push_back({(*sides)[i], seconds->empty() ? 0 : (*seconds)[i]});
  return tiles;
}

static llvm::Expected<BlasReport> blasReport(const Options &options) {
  std::optional<double> dimensions[3];
  const char *const names[] = {"--m", "--n", "--k"};
  for (int i = 0; i < 3; ++i) {
    llvm::Expected<std::optional<double>> value = numberOf(options, names[i], sizes);
    if (!value) return value.takeError();
    dimensions[i] = *value;
  }
  llvm::Expected<std::optional<double>> beta = numberOf(options, "--beta", {-1e300, 1e300});
  if (!beta) return beta.takeError();
  llvm::Expected<BlasCall> call = blasCall(options.inputs.front(), dimensions[0], dimensions[1], dimensions[2],
                                           wordsOf(options, "--on-device"), beta->value_or(1));
  if (!call) return call.takeError();
  llvm::Expected<Machine> machine = machineOf(options);
  if (!machine) return machine.takeError();
  llvm::Expected<std::vector<TileTime>> tiles = tilesOf(options);
  if (!tiles) return tiles.takeError();
  if (tiles->empty())
    for (const TileTime &tile : tilesOf(*machine, tileRoutine(options.inputs.front())))
      if (tile.tile <= largestTile(*call)) tiles->push_back(tile);
  // Tiles without times are asked about; their kernels are modelled.
  bool modelled = !tiles->empty() && tiles->front().time == 0;
  for (TileTime &tile : *tiles)
    if (modelled) tile.time = modelledTileTime(*call, machine->gpu, tile.tile);
  llvm::Expected<BlasAnswer> answer = selectTile(*call, *machine, *tiles);
  if (!answer) return answer.takeError();
  answer->measured &= !modelled;
  return BlasReport{BUSFARE_VERSION, machine->name, std::move(*answer)};
}

/// `busfare blas --program SRC...`
static Outcome residencyOfSources(const Options &options, StringRef program) {
  Options sources = options;
  sources.inputs.insert(sources.inputs.begin(), program.str());
  llvm::Expected<ProjectOptions> projectOptions = projectOptionsOf(sources);
  if (!projectOptions) return badInput(options, projectOptions.takeError());
  if (projectOptions->machines.size() > 1)
    return {BadInput,
            "",
            {"busfare: blas is about one --machine, found " + std::to_string(projectOptions->machines.size())}};
  Outcome outcome;
  std::optional<std::vector<skeleton::Program>> programs = readPrograms(sources, outcome);
  if (!programs) return outcome;
  projectOptions->allowUnknownParameters = programs->size() > 1;
  Residency all;
  for (const skeleton::Program &one : *programs) {
    llvm::Expected<Residency> residency = findResidency(one, *projectOptions);
    if (!residency) return badInput(options, residency.takeError());
    if (all.machine.empty()) all = std::move(*residency);
    else llvm::move(residency->roots, std::back_inserter(all.roots));
  }
  if (outcome.exitCode == BadInput || outcome.exitCode == OwnFault) return outcome;
  llvm::raw_string_ostream os(outcome.output);
  if (options.format == Format::Json) writeResidencyJson(all, os);
  else writeResidencyText(all, os);
  return outcome;
}

Outcome runBlas(const Options &options) {
  if (StringRef program = textOf(options, "--program"); !program.empty()) return residencyOfSources(options, program);
  if (options.inputs.size() != 1)
    return {
        BadInput,
        "",
        {"busfare: blas wants one routine: axpy, dot, gemv, gemm, syrk or trsm behind s, d, c or z, as dgemm; see `busfare help blas`"}};
  llvm::Expected<BlasReport> report = blasReport(options);
  if (!report) return badInput(options, report.takeError());
  Outcome outcome;
  llvm::raw_string_ostream os(outcome.output);
  if (options.format == Format::Json) writeBlasJson(*report, os);
  else writeBlasText(*report, os);
  return outcome;
}

} // namespace busfare::frontend
