//===- clang-plugin/cli/VerifyCommand.cpp - busfare verify ---------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ports the program in the variants that a verification needs and hands its units to
// verify/. Sizes that the source leaves open are known once the program has run: what
// the port's copies then move is what the run is held against.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "PlannedBytes.h"
#include "clang-plugin/lower/ResourceFolder.h"
#include "clang-plugin/units/Threads.h"
#include "clang-plugin/verify/Tools.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <set>

using llvm::StringRef;

namespace busfare::frontend {

namespace {
struct Ported {
  verify::Subject subject;
  port::PortedProgram watched; ///< The port that the watched run uses.
};
} // namespace

static llvm::Error wrong(const std::string &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), "%s", message.c_str());
}

static llvm::Expected<Ported> portAll(const Options &options, llvm::ArrayRef<Source> sources,
                                      port::OpenProgram &program) {
  port::PortOptions portOptions;
  llvm::Expected<projection::Machine> machine =
      projection::loadMachine(options.machines.empty() ? projection::defaultMachine.str() : options.machines.front());
  if (!machine) return machine.takeError();
  portOptions.machine = std::move(*machine);
  portOptions.parameters = options.parameters;
  portOptions.iterations = options.iterations;
  portOptions.functions = options.functions;
  // A small problem would keep most of them on the host: here each is to be proved.
  portOptions.kernels = port::kernelsOf(options.kernels, port::WhichKernels::All);
  portOptions.oneThread = options.oneThread;
  portOptions.plan = port::planOf(options.plan);
  portOptions.chunks = options.chunks;
  portOptions.guards = options.guards;
  portOptions.runs = options.runs;
  portOptions.manyRuns = options.manyRuns;
  portOptions.threads = options.threads;
  for (const std::string &name : options.functions)
    if (!skeleton::findFunction(program.program(), name)) return wrong("--function: no function '" + name + "'");
  Ported result;
  for (const Source &source : sources) {
    verify::Unit &unit =
        result.subject.units.emplace_back(verify::Unit{source.file, source.directory, source.arguments, "", "", ""});
    llvm::append_range(unit.arguments, options.rebuildWords);
  }
  for (auto [variant, text] : {std::pair(port::Variant::Plain, &verify::Unit::plain),
                               std::pair(port::Variant::Watched, &verify::Unit::watched),
                               std::pair(port::Variant::Ordered, &verify::Unit::ordered)}) {
    portOptions.variant = variant;
    llvm::Expected<port::PortedProgram> ported = program.port(portOptions);
    if (!ported) return ported.takeError();
    for (size_t i = 0; i < sources.size(); ++i)
      if (!ported->files[i].edits.empty()) result.subject.units[i].*text = std::move(ported->files[i].text);
    result.subject.orderedHasThreads |= ported->hasThreads;
    result.subject.reordersSums |= ported->reordersSums;
    if (variant == port::Variant::Watched) result.watched = std::move(*ported);
  }
  addCopies(result.watched, result.subject.copies);
  for (const port::PortedGuard &guard : result.watched.guards)
    result.subject.guards.push_back({int(guard.region), guard.root, guard.condition, guard.location});
  for (const port::GuardedConstruct &one : result.watched.guarded)
    result.subject.guarded.push_back({int(one.id), one.root, one.what, one.at});
  for (const port::PortedStreams &one : result.watched.streams)
    result.subject.streams.push_back({int(one.region), one.root, one.location, one.chunks});
  for (const port::TaskDependence &one : result.watched.dependences)
    result.subject.dependences.push_back({int(one.id), one.root, one.what, one.at, one.surelyMatters});
  result.subject.guardsAll = result.watched.guards.size() == result.watched.regions;
  result.subject.findings = result.watched.findings;
  result.subject.reordersSums |=
      llvm::any_of(result.watched.kernels, [](const port::PortedKernel &k) { return k.reordersSums; });
  return result;
}

static verify::Settings settingsOf(const Options &options) {
  verify::Settings settings;
  settings.arguments = options.programArguments;
  settings.mutants = options.mutants;
  settings.tolerance = options.tolerance.value_or(verify::defaultTolerance);
  settings.timeLimit = options.timeLimit;
  settings.keepFolder = options.keepFolder;
  const std::string resources = resourceFolder();
  settings.llvmLibrary = llvm::sys::path::parent_path(llvm::sys::path::parent_path(resources)).str();
  if (!options.quiet && !options.noProgress)
    settings.progress = [](StringRef what) { llvm::errs() << "busfare: " << what << '\n'; };
  return settings;
}

static std::string written(const Options &options, const verify::VerifyReport &report) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const char *off = std::getenv("NO_COLOR");
  bool colour = options.output.empty() && llvm::sys::Process::StandardOutIsDisplayed() && !(off && *off);
  if (options.format == Format::Json) verify::writeJson(report, os);
  else verify::writeText(report, os, colour);
  return text;
}

static llvm::Expected<verify::VerifyReport> verifyProgram(const Options &options, llvm::ArrayRef<Source> sources,
                                                          port::OpenProgram &program) {
  llvm::Expected<Ported> ported = portAll(options, sources, program);
  if (!ported) return ported.takeError();
  bool any = llvm::any_of(ported->subject.units, [](const verify::Unit &unit) { return !unit.watched.empty(); });
  if (!any) {
    verify::VerifyReport report;
    report.findings = ported->subject.findings;
    report.notes.push_back("no loop was ported: there is nothing to verify" +
                           std::string(report.findings.empty() ? "; `busfare loops` says why none is a kernel" : ""));
    return report;
  }
  ported->subject.plan = [&](const verify::Record &record) {
    return plannedBytes(program, ported->watched, options.parameters, record);
  };
  return verify::verify(ported->subject, settingsOf(options));
}

static llvm::Expected<verify::VerifyReport> verifySources(const Options &options) {
  if (options.inputs.empty() && options.buildPath.empty())
    return wrong("verify wants a source; see `busfare help verify`");
  llvm::Expected<std::vector<Source>> sources = sourcesOf(options);
  if (!sources) return sources.takeError();
  for (const Source &source : *sources)
    if (source.isSkeleton)
      return wrong("'" + source.file + "' is a skeleton: verify builds and runs the sources themselves");
  // Before any work is done for nothing.
  verify::Settings settings = settingsOf(options);
  if (llvm::Expected<verify::Tools> tools = verify::findTools(settings.llvmLibrary, settings.watch); !tools)
    return tools.takeError();
  std::optional<verify::VerifyReport> report;
  unsigned jobs = options.jobs ? options.jobs : coreCount();
  const port::OpenOptions openOptions{port::Grouping::One, jobs, options.trustsDirectives};
  llvm::Error error = port::withPrograms(*sources, openOptions, [&](port::OpenSources &open) -> llvm::Error {
    if (!open.failures.empty()) return wrong(open.failures.front());
    llvm::Expected<verify::VerifyReport> made = verifyProgram(options, *sources, *open.programs.front());
    if (!made) return made.takeError();
    report = std::move(*made);
    return llvm::Error::success();
  });
  if (error) return error;
  return std::move(*report);
}

Outcome runVerify(const Options &options) {
  llvm::Expected<verify::VerifyReport> report = verifySources(options);
  if (!report) return badInput(options, report.takeError());
  return {report->passed() ? Done : ConditionHeld, written(options, *report), {}};
}

} // namespace busfare::frontend
