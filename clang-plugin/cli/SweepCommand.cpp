//===- clang-plugin/cli/SweepCommand.cpp - busfare sweep -----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reads the ranges of `busfare sweep`, and what they are swept over: a calculator by
// its name, or sources and skeletons.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Drawings.h"
#include "Figures.h"
#include "Programs.h"
#include "Values.h"
#include "projection/CommFigures.h"
#include "projection/report/SweepWriters.h"
#include "llvm/Support/raw_ostream.h"

using llvm::StringRef;
using namespace busfare::projection;

namespace busfare::frontend {

static llvm::Expected<std::vector<SweepAxis>> axesOf(const Options &options) {
  std::vector<SweepAxis> axes;
  for (const auto &[name, text] : options.figures) {
    if (name != "--range") continue;
    llvm::Expected<SweepAxis> axis = parseAxis(text);
    if (!axis) return axis.takeError();
    axes.push_back(std::move(*axis));
  }
  if (axes.empty() && !givenFigure(options, "--figure"))
    return llvm::createStringError("sweep wants a range: --range NAME=LO:HI; see `busfare help sweep`");
  return axes;
}

static llvm::Expected<SweepTable> sweepTransferOf(const Options &options, llvm::ArrayRef<Machine> machines,
                                                  llvm::ArrayRef<SweepAxis> axes) {
  StringRef direction = textOf(options, "--direction"), memory = textOf(options, "--memory");
  llvm::Expected<Direction> way = parseDirection(direction.empty() ? "h2d" : direction);
  if (!way) return way.takeError();
  if (!memory.empty() && memory != "pinned" && memory != "pageable")
    return llvm::createStringError("--memory wants pinned or pageable, not '" + memory + "'");
  return sweepTransfer(machines, axes, *way, memory == "pageable" ? HostMemory::Pageable : HostMemory::Pinned);
}

static llvm::Expected<SweepTable> sweepOverlapOf(const Options &options, llvm::ArrayRef<Machine> machines,
                                                 llvm::ArrayRef<SweepAxis> axes) {
  OverlapQuestion fixed;
  double most = assumedStreams;
  using Read = llvm::Expected<std::optional<double>> (*)(const Options &, StringRef);
  const std::tuple<const char *, Read, double *> figures[] = {{"--h2d", bytesOf, &fixed.h2dBytes},
                                                              {"--d2h", bytesOf, &fixed.d2hBytes},
                                                              {"--kernel", secondsOf, &fixed.kernel},
                                                              {"--mapped-h2d", bytesOf, &fixed.mappedH2dBytes},
                                                              {"--mapped-d2h", bytesOf, &fixed.mappedD2hBytes},
                                                              {"--split", countOf, &most}};
  for (const auto &[name, read, place] : figures) {
    if (!givenFigure(options, name)) continue;
    llvm::Expected<std::optional<double>> value = read(options, name);
    if (!value) return value.takeError();
    *place = **value;
  }
  return sweepOverlap(machines, axes, fixed, most);
}

static llvm::Expected<SweepTable> sweepBlasOf(const Options &options, llvm::ArrayRef<Machine> machines,
                                              llvm::ArrayRef<SweepAxis> axes) {
  llvm::Expected<std::optional<double>> beta = numberOf(options, "--beta", {-1e300, 1e300});
  if (!beta) return beta.takeError();
  if (options.inputs.size() != 2)
    return llvm::createStringError(
        "sweep blas wants one routine, as in `busfare sweep blas dgemm --range size=1024:8192 --range tile=256:4096`");
  return sweepBlas(machines, axes, options.inputs[1], wordsOf(options, "--on-device"), beta->value_or(1));
}

/// A published figure is a sweep of its own.
static llvm::Expected<SweepTable> sweepCommOf(const Options &options, llvm::ArrayRef<Machine> machines,
                                              llvm::ArrayRef<SweepAxis> axes) {
  std::optional<std::string> figure = givenFigure(options, "--figure");
  if (figure && *figure != "8" && *figure != "9")
    return llvm::createStringError("--figure wants 8 or 9, those of Groves et al., not '" + *figure + "'");
  llvm::Expected<PutOrGet> operation = operationOf(options, figure ? PutOrGet::Get : PutOrGet::Put);
  if (!operation) return operation.takeError();
  llvm::Expected<PipelinedUnit> unit = pipeliningOf(options);
  if (!unit) return unit.takeError();
  if (figure && givenFigure(options, "--pipelining"))
    return llvm::createStringError("--figure 9 has both readings of pipelining, 8 none: leave --pipelining out");
  return !figure          ? sweepMessages(machines, axes, *operation, *unit)
         : *figure == "8" ? sweepFigure8(machines, axes, *operation)
                          : sweepFigure9(machines, axes, *operation);
}

/// A calculator; nothing if the first word names none.
static std::optional<llvm::Expected<SweepTable>>
sweepCalculator(const Options &options, llvm::ArrayRef<Machine> machines, llvm::ArrayRef<SweepAxis> axes) {
  StringRef name = options.inputs.front();
  if (name == "blas") return sweepBlasOf(options, machines, axes);
  if (name != "transfer" && name != "overlap" && name != "comm") return std::nullopt;
  if (options.inputs.size() > 1)
    return llvm::Expected<SweepTable>(
        llvm::createStringError("sweep " + name + " reads no files, found '" + options.inputs[1] + "'"));
  return name == "transfer"  ? sweepTransferOf(options, machines, axes)
         : name == "overlap" ? sweepOverlapOf(options, machines, axes)
                             : sweepCommOf(options, machines, axes);
}

static llvm::Expected<SweepTable> sweepSources(const Options &options, llvm::ArrayRef<SweepAxis> axes,
                                               Outcome &outcome) {
  llvm::Expected<ProjectOptions> projectOptions = projectOptionsOf(options);
  if (!projectOptions) return projectOptions.takeError();
  std::optional<std::vector<skeleton::Program>> programs = readPrograms(options, outcome);
  if (!programs) return SweepTable();
  if (programs->size() != 1)
    return llvm::createStringError("sweep is about one program, found " + llvm::Twine(programs->size()) +
                                   "; name the units of one");
  return sweepProgram(programs->front(), *projectOptions, axes);
}

Outcome runSweep(const Options &options) {
  if (options.inputs.empty() && options.buildPath.empty())
    return {
        BadInput,
        "",
        {"busfare: sweep wants sources, skeletons, or transfer, overlap, blas ROUTINE, comm; see `busfare help sweep`"}};
  llvm::Expected<std::vector<SweepAxis>> axes = axesOf(options);
  if (!axes) return badInput(options, axes.takeError());
  // Messages have a default machine of their own: the other one has no network.
  const bool isComm = !options.inputs.empty() && options.inputs.front() == "comm";
  Options adjusted = options;
  if (isComm && adjusted.machines.empty()) adjusted.machines.push_back(defaultNetworkMachine.str());
  llvm::Expected<std::vector<Machine>> machines = machinesOf(adjusted);
  if (!machines) return badInput(options, machines.takeError());
  if (!isComm && givenFigure(options, "--figure"))
    return {BadInput, "", {"busfare: --figure is about sweep comm: figures 8 and 9 of Groves et al."}};
  if (options.format == Format::Svg)
    if (llvm::Error error = checkDrawing()) return badInput(options, std::move(error));
  Outcome outcome;
  std::optional<llvm::Expected<SweepTable>> calculated;
  if (!options.inputs.empty()) calculated = sweepCalculator(options, *machines, *axes);
  llvm::Expected<SweepTable> table = calculated ? std::move(*calculated) : sweepSources(options, *axes, outcome);
  if (!table) return badInput(options, table.takeError());
  if (table->columns.empty()) return outcome;
  SweepReport report{BUSFARE_VERSION, std::move(*table)};
  llvm::raw_string_ostream os(outcome.output);
  if (options.format == Format::Svg) {
    std::string question;
    llvm::raw_string_ostream text(question);
    if (llvm::Error error = writeSweepQuestion(report, text)) return badInput(options, std::move(error));
    llvm::Expected<std::vector<Drawing>> drawings = draw(question);
    if (!drawings) return badInput(options, drawings.takeError());
    outcome.output = drawings->front().svg;
  } else if (options.format == Format::Json) writeSweepJson(report, os);
  else if (options.format == Format::Csv) writeSweepCsv(report, os);
  else writeSweepText(report, os);
  return outcome;
}

} // namespace busfare::frontend
