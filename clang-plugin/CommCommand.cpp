//===- clang-plugin/CommCommand.cpp - busfare comm ------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reads the options of `busfare comm`; Groves' model (projection/Messages.h) does
// the rest.
//
//===----------------------------------------------------------------------===//

#include "clang-plugin/Commands.h"
#include "clang-plugin/Figures.h"
#include "clang-plugin/Values.h"
#include "projection/report/CommWriters.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace busfare::projection;

namespace busfare::frontend {

/// Names of the built-in machines that have a network.
static std::vector<std::string> networked() {
  std::vector<std::string> names;
  for (const std::string &name : builtinMachineNames()) {
    llvm::Expected<Machine> machine = loadMachine(name);
    if (!machine)
      llvm::consumeError(machine.takeError());
    else if (machine->network)
      names.push_back(name);
  }
  return names;
}

static llvm::Expected<CommReport> commReport(const Options &options) {
  std::optional<std::string> bytes = givenFigure(options, "--bytes");
  if (!bytes)
    return llvm::createStringError("comm wants the sizes of messages: --bytes 8,65536; see `busfare help comm`");
  llvm::Expected<std::vector<double>> sizes = parseByteList("--bytes", *bytes);
  if (!sizes)
    return sizes.takeError();
  // The default machine has no network; the first that has one stands in.
  Options chosen = options;
  std::vector<std::string> names = networked();
  if (chosen.machines.empty() && !names.empty())
    chosen.machines.push_back(names.front());
  llvm::Expected<Machine> machine = machineOf(chosen);
  if (!machine)
    return machine.takeError();
  if (!machine->network)
    return llvm::createStringError(machine->name + ": expected a part network, which messages between nodes need, found none; machines with one: " +
                                   llvm::join(names, ", "));
  WholePort port;
  port.launch = machine->network->launch;
  port.computeSpeedup = computeRatio(*machine);
  double other = 2e-6, batch = 10000;
  std::pair<const char *, std::pair<double *, Bounds>> numbers[] = {{"--comm-share", {&port.communication, {0, 1}}},
                                                                    {"--overlapped", {&port.overlapped, {0, 1}}},
                                                                    {"--compute-speedup", {&port.computeSpeedup, {1e-6, 1e9}}},
                                                                    {"--batch", {&batch, {1, 1e12, true}}}};
  for (const auto &[name, place] : numbers) {
    llvm::Expected<std::optional<double>> value = numberOf(options, name, place.second);
    if (!value)
      return value.takeError();
    if (*value)
      *place.first = **value;
  }
  std::pair<const char *, double *> times[] = {{"--launch", &port.launch}, {"--other-launch", &other}};
  for (const auto &[name, place] : times) {
    llvm::Expected<std::optional<double>> value = secondsOf(options, name);
    if (!value)
      return value.takeError();
    if (*value)
      *place = **value;
  }
  bool given = givenFigure(options, "--compute-speedup").has_value();
  return CommReport{BUSFARE_VERSION, machine->name, machine->network->name, given, priceMessages(*machine->network, *sizes, port, other, batch)};
}

Outcome runComm(const Options &options) {
  if (!options.inputs.empty())
    return {BadInput, "", {"busfare: comm reads no file: the sizes of messages are given with --bytes; see `busfare help comm`"}};
  llvm::Expected<CommReport> report = commReport(options);
  if (!report)
    return badInput(options, report.takeError());
  Outcome outcome;
  llvm::raw_string_ostream os(outcome.output);
  if (options.format == Format::Json)
    writeCommJson(*report, os);
  else
    writeCommText(*report, os);
  return outcome;
}

} // namespace busfare::frontend
