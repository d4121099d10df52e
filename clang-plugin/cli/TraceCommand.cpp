//===- clang-plugin/cli/TraceCommand.cpp - busfare trace -----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reads the options of `busfare trace`, and lets AHEAD (projection/Estimate.h) do
// the rest.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Values.h"
#include "projection/CopyModels.h"
#include "projection/report/TraceWriters.h"
#include "llvm/Support/raw_ostream.h"

using namespace busfare::projection;

namespace busfare::frontend {

Outcome runTrace(const Options &options) {
  if (options.inputs.size() != 1)
    return {BadInput,
            "",
            {"busfare: trace wants one file, as `nsys export --type sqlite` writes it; see `busfare help trace`"}};
  TraceReport report;
  report.version = BUSFARE_VERSION;
  report.file = options.inputs.front();
  report.measured = textOf(options, "--measured").str();
  llvm::StringRef to = textOf(options, "--to"), from = textOf(options, "--from");
  if (to.empty())
    return {
        BadInput, "", {"busfare: trace wants the machine to run on: --to NAME|FILE; `busfare machines` lists them"}};
  llvm::Expected<Machine> target = loadMachine(to);
  if (!target) return badInput(options, target.takeError());
  std::optional<Machine> source;
  if (!from.empty()) {
    llvm::Expected<Machine> machine = loadMachine(from);
    if (!machine) return badInput(options, machine.takeError());
    source = std::move(*machine);
    report.from = source->name;
  }
  report.to = target->name;
  std::optional<TransferModel> model;
  if (llvm::StringRef name = textOf(options, "--model"); !name.empty()) {
    for (TransferModel each : transferModels)
      if (each != TransferModel::Staged && name == toString(each)) // It speaks of pageable memory only.
        model = each;
    if (!model)
      return {
          BadInput, "", {"busfare: --model wants linear, loggp, packets, peak or envelope, not '" + name.str() + "'"}};
  }
  llvm::Expected<CopyModels> models = copyModelsOf(*target, source ? &*source : nullptr, model);
  if (!models) return badInput(options, models.takeError());
  report.model = models->used;
  report.latencyFromSource = models->latencyFromSource;
  llvm::Expected<Estimate> estimated = estimate(report.file, models->models, report.measured);
  if (!estimated) return badInput(options, estimated.takeError());
  report.estimate = std::move(*estimated);
  if (const TraceSource &found = report.estimate.source; found.withoutTime > 0 && report.estimate.byKind.empty() &&
                                                         report.estimate.kernels == 0 && report.estimate.fills == 0)
    return badInput(options, llvm::createStringError(
                                 report.file + ": no operation has a time: " +
                                 (found.withoutTime == 1 ? "its only one ends"
                                                         : "all " + std::to_string(found.withoutTime) + " end") +
                                 " before " + (found.withoutTime == 1 ? "it starts" : "they start")));
  Outcome outcome;
  llvm::raw_string_ostream os(outcome.output);
  if (options.format == Format::Json) writeTraceJson(report, os);
  else if (options.format == Format::Csv) writeTraceCsv(report, os);
  else writeTraceText(report, os);
  return outcome;
}

} // namespace busfare::frontend
