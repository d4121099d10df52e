//===- clang-plugin/VerifyCommand.cpp - busfare verify --------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ports every unit in the variants that a verification needs and hands them to
// verify/. Sizes that the source leaves open are known once the program has run: what
// the port's copies then move is what the run is held against.
//
//===----------------------------------------------------------------------===//

#include "clang-plugin/Commands.h"
#include "clang-plugin/PlannedBytes.h"
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
/// One unit, and its port that the watched run uses; without that there is nothing to port in it.
struct UnitPlan {
  port::OpenUnit *unit = nullptr;
  std::optional<port::PortedUnit> watched;
};

struct Ported {
  verify::Subject subject;
  std::vector<UnitPlan> plans; ///< By unit.
};
} // namespace

static llvm::Error wrong(const std::string &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), "%s", message.c_str());
}

/// Which of the wanted roots each unit has; without any wanted, all units take part.
static llvm::Expected<std::vector<std::optional<std::vector<std::string>>>> rootsOf(const Options &options,
                                                                                   llvm::ArrayRef<port::OpenUnit *> units) {
  std::vector<std::optional<std::vector<std::string>>> roots(units.size(), std::vector<std::string>());
  if (options.functions.empty())
    return roots;
  std::set<std::string> found;
  for (size_t i = 0; i < units.size(); ++i) {
    for (const std::string &name : options.functions)
      if (skeleton::findFunction(units[i]->program(), name)) {
        roots[i]->push_back(name);
        found.insert(name);
      }
    if (roots[i]->empty())
      roots[i] = std::nullopt;
  }
  for (const std::string &name : options.functions)
    if (!found.count(name))
      return wrong("--function: no function '" + name + "'");
  return roots;
}

/// Numbers of copies are a unit's own: those of the i-th unit are moved up by 1000 * i.
static constexpr int copiesAUnit = 1000;

static std::string renumbered(std::string text, size_t unit) {
  if (unit == 0)
    return text;
  size_t prototype = text.find("busfare_copy(");
  size_t end = prototype == std::string::npos ? prototype : text.find('\n', prototype);
  if (end == std::string::npos)
    return text;
  return text.insert(end + 1, "#define busfare_copy(copy, elements) (busfare_copy)((copy) + " + std::to_string(copiesAUnit * unit) +
                                  ", elements)\n");
}

static llvm::Expected<Ported> portAll(const Options &options, llvm::ArrayRef<Source> sources, llvm::ArrayRef<port::OpenUnit *> units) {
  port::PortOptions portOptions;
  llvm::Expected<projection::Machine> machine =
      projection::loadMachine(options.machines.empty() ? projection::defaultMachine.str() : options.machines.front());
  if (!machine)
    return machine.takeError();
  portOptions.machine = std::move(*machine);
  portOptions.parameters = options.parameters;
  portOptions.iterations = options.iterations;
  auto roots = rootsOf(options, units);
  if (!roots)
    return roots.takeError();
  Ported result;
  for (size_t i = 0; i < sources.size(); ++i) {
    const Source &source = sources[i];
    verify::Unit unit{source.file, source.directory, source.arguments, "", "", ""};
    UnitPlan plan{units[i], std::nullopt};
    if ((*roots)[i]) {
      portOptions.functions = *(*roots)[i];
      for (auto [variant, text] : {std::pair(port::Variant::Plain, &unit.plain), std::pair(port::Variant::Watched, &unit.watched),
                                   std::pair(port::Variant::Ordered, &unit.ordered)}) {
        portOptions.variant = variant;
        llvm::Expected<port::PortedUnit> ported = units[i]->port(portOptions);
        if (!ported)
          return ported.takeError();
        if (!ported->edits.empty())
          *text = std::move(ported->text);
        if (variant != port::Variant::Watched)
          continue;
        *text = renumbered(std::move(*text), i);
        addCopies(*ported, int(copiesAUnit * i), result.subject.copies);
        llvm::append_range(result.subject.findings, ported->findings);
        result.subject.reordersSums |= llvm::any_of(ported->kernels, [](const port::PortedKernel &k) { return k.reordersSums; });
        plan.watched = std::move(*ported);
      }
    }
    result.subject.units.push_back(std::move(unit));
    result.plans.push_back(std::move(plan));
  }
  return result;
}

static verify::Settings settingsOf(const Options &options) {
  verify::Settings settings;
  settings.arguments = options.programArguments;
  settings.mutants = options.mutants;
  settings.tolerance = options.tolerance.value_or(verify::defaultTolerance);
  settings.timeLimit = options.timeLimit;
  settings.keepFolder = options.keepFolder;
  StringRef resources = BUSFARE_RESOURCE_DIR;
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
  if (options.format == Format::Json)
    verify::writeJson(report, os);
  else
    verify::writeText(report, os, colour);
  return text;
}

static llvm::Expected<verify::VerifyReport> verifyUnits(const Options &options, llvm::ArrayRef<Source> sources,
                                                        llvm::ArrayRef<port::OpenUnit *> units) {
  llvm::Expected<Ported> ported = portAll(options, sources, units);
  if (!ported)
    return ported.takeError();
  bool any = llvm::any_of(ported->subject.units, [](const verify::Unit &unit) { return !unit.watched.empty(); });
  if (!any) {
    verify::VerifyReport report;
    report.findings = ported->subject.findings;
    report.notes.push_back("no loop was ported: there is nothing to verify");
    return report;
  }
  ported->subject.plan = [&](const verify::Record &record) -> llvm::Expected<std::vector<verify::PlannedBytes>> {
    std::vector<verify::PlannedBytes> all;
    for (size_t i = 0; i < ported->plans.size(); ++i) {
      const UnitPlan &plan = ported->plans[i];
      if (!plan.watched)
        continue;
      auto rows = plannedBytes(*plan.unit, *plan.watched, int(copiesAUnit * i), options.parameters, record);
      if (!rows)
        return rows.takeError();
      all.insert(all.end(), rows->begin(), rows->end());
    }
    return all;
  };
  return verify::verify(ported->subject, settingsOf(options));
}

/// Opens the sources behind those that are open already, one inside the other, and calls `use` when all are.
static llvm::Error withUnits(llvm::ArrayRef<Source> sources, std::vector<port::OpenUnit *> &open,
                             llvm::function_ref<llvm::Error()> use) {
  if (open.size() == sources.size())
    return use();
  return port::withUnit(sources[open.size()], [&](port::OpenUnit &unit) {
    open.push_back(&unit);
    return withUnits(sources, open, use);
  });
}

static llvm::Expected<verify::VerifyReport> verifySources(const Options &options) {
  if (options.inputs.empty() && options.buildPath.empty())
    return wrong("verify wants a source; see `busfare help verify`");
  llvm::Expected<std::vector<Source>> sources = sourcesOf(options);
  if (!sources)
    return sources.takeError();
  for (const Source &source : *sources)
    if (source.isSkeleton)
      return wrong("'" + source.file + "' is a skeleton: verify builds and runs the sources themselves");
  // Before any work is done for nothing.
  verify::Settings settings = settingsOf(options);
  if (llvm::Expected<verify::Tools> tools = verify::findTools(settings.llvmLibrary, settings.watch); !tools)
    return tools.takeError();
  std::vector<port::OpenUnit *> open;
  std::optional<verify::VerifyReport> report;
  llvm::Error error = withUnits(*sources, open, [&]() -> llvm::Error {
    llvm::Expected<verify::VerifyReport> made = verifyUnits(options, *sources, open);
    if (!made)
      return made.takeError();
    report = std::move(*made);
    return llvm::Error::success();
  });
  if (error)
    return error;
  return std::move(*report);
}

Outcome runVerify(const Options &options) {
  llvm::Expected<verify::VerifyReport> report = verifySources(options);
  if (!report)
    return badInput(options, report.takeError());
  return {report->passed() ? Done : ConditionHeld, written(options, *report), {}};
}

} // namespace busfare::frontend
