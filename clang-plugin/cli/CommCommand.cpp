//===- clang-plugin/cli/CommCommand.cpp - busfare comm -------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reads the options of `busfare comm`, and the sources if it is given some; Groves'
// model (projection/Messages.h) does the rest.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Figures.h"
#include "HintErrors.h"
#include "Programs.h"
#include "Values.h"
#include "projection/FoundCalls.h"
#include "projection/report/CommWriters.h"
#include "projection/report/Join.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace busfare::projection;

namespace busfare::frontend {

/// Names of the built-in machines that have a network.
static std::vector<std::string> networked() {
  std::vector<std::string> names;
  for (const std::string &name : builtinMachineNames()) {
    llvm::Expected<Machine> machine = loadMachine(name);
    if (!machine) llvm::consumeError(machine.takeError());
    else if (machine->network) names.push_back(name);
  }
  return names;
}

namespace {

/// What the options say of a port.
struct PortOptions {
  WholePort port;
  double otherLaunch = 2e-6, batch = messagesOfABatch;
  bool ratioGiven = false, shareGiven = false;
};

} // namespace

/// The one machine; the default has no network.
static llvm::Expected<Machine> networkedMachine(Options &options) {
  std::vector<std::string> names = networked();
  if (options.machines.empty()) options.machines.push_back(defaultNetworkMachine.str());
  llvm::Expected<Machine> machine = machineOf(options);
  if (machine && !machine->network)
    return llvm::createStringError(
        machine->name +
        ": expected a part network, which messages between nodes need, found none; machines with one: " +
        llvm::join(names, ", "));
  return machine;
}

static llvm::Expected<PortOptions> portOptionsOf(const Options &options, const Machine &machine) {
  PortOptions result;
  WholePort &port = result.port;
  port.launch = machine.network->launch;
  port.computeSpeedup = computeRatio(machine);
  std::pair<const char *, std::pair<double *, Bounds>> numbers[] = {
      {"--comm-share", {&port.communication, {0, 1}}},
      {"--overlapped", {&port.overlapped, {0, 1}}},
      {"--compute-speedup", {&port.computeSpeedup, {1e-6, 1e9}}},
      {"--batch", {&result.batch, {1, 1e12, true}}}};
  for (const auto &[name, place] : numbers) {
    llvm::Expected<std::optional<double>> value = numberOf(options, name, place.second);
    if (!value) return value.takeError();
    if (*value) *place.first = **value;
  }
  std::pair<const char *, double *> times[] = {{"--launch", &port.launch}, {"--other-launch", &result.otherLaunch}};
  for (const auto &[name, place] : times) {
    llvm::Expected<std::optional<double>> value = secondsOf(options, name);
    if (!value) return value.takeError();
    if (*value) *place = **value;
  }
  llvm::Expected<PipelinedUnit> unit = pipeliningOf(options);
  if (!unit) return unit.takeError();
  port.unit = *unit;
  result.ratioGiven = givenFigure(options, "--compute-speedup").has_value();
  result.shareGiven = givenFigure(options, "--comm-share").has_value();
  return result;
}

/// --collective broadcast,allreduce
static llvm::Expected<std::vector<skeleton::MessageKind>> collectivesOf(const Options &options) {
  std::vector<skeleton::MessageKind> kinds;
  std::optional<std::string> given = givenFigure(options, "--collective");
  llvm::SmallVector<llvm::StringRef> names;
  if (given) llvm::StringRef(*given).split(names, ',');
  for (llvm::StringRef name : names) {
    std::vector<std::string> known;
    std::optional<skeleton::MessageKind> found;
    for (auto kind = skeleton::MessageKind::Send; kind <= skeleton::MessageKind::Wait;
         kind = skeleton::MessageKind(int(kind) + 1)) {
      if (!isCollective(kind)) continue;
      known.push_back(skeleton::toString(kind));
      if (known.back() == name.trim()) found = kind;
    }
    if (!found)
      return llvm::createStringError("--collective: expected one of " + llvm::join(known, ", ") + ", found '" +
                                     name.trim() + "'");
    kinds.push_back(*found);
  }
  return kinds;
}

static llvm::Expected<CommReport> commReport(Options options) {
  std::optional<std::string> bytes = givenFigure(options, "--bytes");
  if (!bytes)
    return llvm::createStringError(
        "comm wants sources, or the sizes of messages: --bytes 8,65536; see `busfare help comm`");
  llvm::Expected<std::vector<double>> sizes = parseByteList("--bytes", *bytes);
  if (!sizes) return sizes.takeError();
  llvm::Expected<Machine> machine = networkedMachine(options);
  if (!machine) return machine.takeError();
  llvm::Expected<PortOptions> port = portOptionsOf(options, *machine);
  if (!port) return port.takeError();
  llvm::Expected<std::vector<skeleton::MessageKind>> collectives = collectivesOf(options);
  if (!collectives) return collectives.takeError();
  CommAnswer answer = priceMessages(*machine->network, *sizes, port->port, port->otherLaunch, port->batch);
  answer.processesAssumed = options.processes == 0;
  answer.collectives = priceCollectives(*machine->network, *collectives, *sizes,
                                        options.processes ? options.processes : assumedProcesses, port->port);
  return CommReport{BUSFARE_VERSION, machine->name, machine->network->name, port->ratioGiven, std::move(answer)};
}

/// The messages of all programs that the inputs make. Its findings go to the outcome where they end it.
static llvm::Expected<Report> projected(const Options &options, Outcome &outcome) {
  llvm::Expected<ProjectOptions> projectOptions = projectOptionsOf(options);
  if (!projectOptions) return projectOptions.takeError();
  std::optional<std::vector<skeleton::Program>> programs = readPrograms(options, outcome);
  if (!programs) return Report();
  projectOptions->allowUnknownParameters = programs->size() > 1;
  std::vector<Report> reports;
  for (const skeleton::Program &program : *programs) {
    ProjectOptions own = *projectOptions;
    llvm::erase_if(own.functions, [&](const std::string &name) { return !skeleton::findFunction(program, name); });
    llvm::Expected<Report> report = project(program, own);
    if (!report) return report.takeError();
    reports.push_back(std::move(*report));
  }
  Report all = joinReports(std::move(reports));
  refuseHints(all.findings, options, outcome);
  return all;
}

static llvm::Expected<ProgramCommReport> programReport(Options options, Outcome &outcome) {
  if (givenFigure(options, "--bytes"))
    return llvm::createStringError("comm takes the sizes of messages from sources or from --bytes, not both");
  if (givenFigure(options, "--collective"))
    return llvm::createStringError(
        "--collective goes with --bytes; of sources the collectives are those that they call");
  llvm::Expected<Machine> machine = networkedMachine(options);
  if (!machine) return machine.takeError();
  llvm::Expected<PortOptions> port = portOptionsOf(options, *machine);
  if (!port) return port.takeError();
  llvm::Expected<Report> program = projected(options, outcome);
  if (!program) return program.takeError();
  ProgramCommReport report;
  report.version = BUSFARE_VERSION;
  report.machine = machine->name;
  report.network = machine->network->name;
  report.ratioGiven = port->ratioGiven;
  report.shareGiven = port->shareGiven;
  report.cpu = program->program.cpu;
  report.messages = std::move(program->messages);
  report.unit = port->port.unit;
  // The report has them by the default reading.
  for (MessageReport &message : report.messages)
    for (MessagePriceReport &price : message.prices)
      if (price.pipelined && message.bytes)
        price.pipelined = pipelinedTime(
            *machine->network, price.initiator == toString(Initiator::Host) ? Initiator::Host : Initiator::Device,
            double(*message.bytes), report.unit);
  std::vector<CountedMessage> counted = countedMessages(report.messages);
  double betweenHosts = timeBetweenHosts(*machine->network, port->port, counted);
  if (!port->shareGiven && betweenHosts + report.cpu > 0)
    port->port.communication = betweenHosts / (betweenHosts + report.cpu);
  report.port = priceProgram(*machine->network, counted, port->port, port->otherLaunch, port->batch);
  report.advice = adviceOn(*machine->network, port->port, report.messages);
  std::set<std::string> assumed;
  for (const RegionReport &region : program->regions)
    assumed.insert(region.assumptions.begin(), region.assumptions.end());
  report.assumptions.assign(assumed.begin(), assumed.end());
  return report;
}

/// `busfare comm SRC...`
static Outcome commOfSources(const Options &options) {
  Outcome outcome;
  llvm::Expected<ProgramCommReport> report = programReport(options, outcome);
  if (!report) return badInput(options, report.takeError());
  if (outcome.exitCode == BadInput || outcome.exitCode == OwnFault) return outcome;
  llvm::raw_string_ostream os(outcome.output);
  if (options.format == Format::Json) writeProgramCommJson(*report, os);
  else writeProgramCommText(*report, os);
  return outcome;
}

Outcome runComm(const Options &options) {
  if (!options.inputs.empty() || !options.buildPath.empty()) return commOfSources(options);
  llvm::Expected<CommReport> report = commReport(options);
  if (!report) return badInput(options, report.takeError());
  Outcome outcome;
  llvm::raw_string_ostream os(outcome.output);
  if (options.format == Format::Json) writeCommJson(*report, os);
  else writeCommText(*report, os);
  return outcome;
}

} // namespace busfare::frontend
