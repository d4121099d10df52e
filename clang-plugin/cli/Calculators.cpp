//===- clang-plugin/cli/Calculators.cpp - transfer and overlap -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The commands that price what the command line says, without a program.
//
//===----------------------------------------------------------------------===//

#include "projection/report/Calculators.h"
#include "Commands.h"
#include "Figures.h"
#include "projection/Peer.h"
#include "llvm/Support/raw_ostream.h"

using llvm::StringRef;
using namespace busfare::projection;

namespace busfare::frontend {

/// The one machine of a calculator, and no inputs.
static llvm::Expected<Machine> machineOf(const Options &options) {
  if (!options.inputs.empty())
    return llvm::createStringError(options.command + " reads no files, found '" + options.inputs.front() +
                                   "'; see `busfare help " + options.command + "`");
  if (options.machines.size() > 1)
    return llvm::createStringError(options.command + " is about one --machine, found " +
                                   std::to_string(options.machines.size()));
  return loadMachine(options.machines.empty() ? StringRef(defaultMachine) : StringRef(options.machines.front()));
}

static llvm::Expected<TransferQuestion> transferQuestionOf(const Options &options) {
  std::optional<std::string> sizes = givenFigure(options, "--bytes");
  if (!sizes) return llvm::createStringError("transfer wants --bytes N[,N...]; see `busfare help transfer`");
  llvm::Expected<std::vector<double>> bytes = parseByteList("--bytes", *sizes);
  if (!bytes) return bytes.takeError();
  TransferQuestion question{
      *bytes, {Direction::ToDevice, Direction::ToHost}, {HostMemory::Pinned, HostMemory::Pageable}, false};
  if (auto direction = givenFigure(options, "--direction")) {
    llvm::Expected<Direction> one = parseDirection(*direction);
    if (!one) return one.takeError();
    question.directions = {*one};
  }
  if (auto memory = givenFigure(options, "--memory")) {
    if (*memory != "pinned" && *memory != "pageable")
      return llvm::createStringError("--memory wants pinned or pageable, not '" + *memory + "'");
    question.memories = {*memory == "pinned" ? HostMemory::Pinned : HostMemory::Pageable};
  }
  if (auto reverse = givenFigure(options, "--reverse")) {
    if (*reverse != "idle" && *reverse != "busy")
      return llvm::createStringError("--reverse wants idle or busy, not '" + *reverse + "'");
    question.whileReverseBusy = *reverse == "busy";
    if (question.whileReverseBusy && question.directions.front() == Direction::OnDevice)
      return llvm::createStringError(
          "--reverse busy is about h2d, d2h and peer; a copy within the device, d2d, has no other direction");
  }
  return question;
}

Outcome runTransfer(const Options &options) {
  llvm::Expected<TransferQuestion> question = transferQuestionOf(options);
  if (!question) return badInput(options, question.takeError());
  llvm::Expected<Machine> machine = machineOf(options);
  if (!machine) return badInput(options, machine.takeError());
  if (question->directions.front() == Direction::Peer)
    if (llvm::Error error = needPeer(*machine)) return badInput(options, std::move(error));
  TransferAnswer answer = answerTransfers(*machine, *question);
  Outcome outcome;
  llvm::raw_string_ostream os(outcome.output);
  if (options.format == Format::Json) writeTransfersJson(answer, {BUSFARE_VERSION}, os);
  else writeTransfersText(answer, os);
  return outcome;
}

namespace {
struct OverlapFigures {
  std::optional<double> h2d, d2h, kernel, mappedH2d, mappedD2h, streams, split, flops, dramBytes;
};
} // namespace

static llvm::Expected<OverlapFigures> overlapFiguresOf(const Options &options) {
  OverlapFigures figures;
  using Reader = llvm::Expected<std::optional<double>> (*)(const Options &, StringRef);
  struct Entry {
    const char *name;
    Reader read;
    std::optional<double> OverlapFigures::*member;
  };
  for (const Entry &entry : {Entry{"--h2d", bytesOf, &OverlapFigures::h2d},
                             {"--d2h", bytesOf, &OverlapFigures::d2h},
                             {"--kernel", secondsOf, &OverlapFigures::kernel},
                             {"--mapped-h2d", bytesOf, &OverlapFigures::mappedH2d},
                             {"--mapped-d2h", bytesOf, &OverlapFigures::mappedD2h},
                             {"--streams", countOf, &OverlapFigures::streams},
                             {"--split", countOf, &OverlapFigures::split},
                             {"--flops", numberOf, &OverlapFigures::flops},
                             {"--dram-bytes", bytesOf, &OverlapFigures::dramBytes}}) {
    if (!givenFigure(options, entry.name)) continue;
    llvm::Expected<std::optional<double>> value = entry.read(options, entry.name);
    if (!value) return value.takeError();
    figures.*entry.member = *value;
  }
  const char *missing = !figures.h2d ? "--h2d BYTES" : !figures.d2h ? "--d2h BYTES" : nullptr;
  if (missing) return llvm::createStringError(std::string("overlap wants ") + missing + "; see `busfare help overlap`");
  if (figures.flops.has_value() != figures.dramBytes.has_value())
    return llvm::createStringError("--flops and --dram-bytes go together: a roofline needs both");
  if (!figures.kernel && !figures.flops)
    return llvm::createStringError("overlap wants --kernel SECONDS, or --flops and --dram-bytes for the roofline's");
  if (figures.streams && figures.split && *figures.streams > *figures.split)
    return llvm::createStringError("--streams is more than --split, the extent of the loop that is split");
  return figures;
}

Outcome runOverlap(const Options &options) {
  llvm::Expected<OverlapFigures> figures = overlapFiguresOf(options);
  if (!figures) return badInput(options, figures.takeError());
  llvm::Expected<Machine> machine = machineOf(options);
  if (!machine) return badInput(options, machine.takeError());
  std::optional<Roofline> roofline;
  if (figures->flops) roofline = Roofline{*figures->flops, *figures->dramBytes};
  OverlapQuestion question{*figures->h2d, *figures->d2h,
                           figures->kernel ? *figures->kernel : rooflineTime(machine->gpu, *roofline),
                           figures->mappedH2d.value_or(*figures->h2d), figures->mappedD2h.value_or(*figures->d2h)};
  OverlapAnswer answer = answerOverlap(*machine, question, roofline, figures->streams, figures->split);
  Outcome outcome;
  llvm::raw_string_ostream os(outcome.output);
  if (options.format == Format::Json) writeOverlapJson(*machine, question, answer, {BUSFARE_VERSION}, os);
  else writeOverlapText(*machine, question, answer, os);
  return outcome;
}

} // namespace busfare::frontend
