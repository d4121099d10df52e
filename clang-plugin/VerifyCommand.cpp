//===- clang-plugin/VerifyCommand.cpp - busfare verify --------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ports every unit in the variants that a verification needs and hands them to
// verify/. Sizes that the source leaves open are known once the program has run; the
// plan is then made again with them, and if it copies otherwise than the first one,
// the port for those sizes is verified instead.
//
//===----------------------------------------------------------------------===//

#include "clang-plugin/Commands.h"
#include "clang-plugin/port/Port.h"
#include "clang-plugin/verify/Tools.h"
#include "clang-plugin/verify/Verify.h"
#include "projection/Sizes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <cstdlib>
#include <set>

using llvm::StringRef;

namespace busfare::frontend {

using Parameters = std::vector<std::pair<std::string, int64_t>>;

namespace {
/// One unit's port, without its text.
struct UnitPlan {
  std::vector<port::PlannedCopy> copies;
  std::vector<port::PortedArray> arrays;
  std::vector<std::string> assumedSizes;
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
                                                                                   llvm::ArrayRef<Source> sources) {
  std::vector<std::optional<std::vector<std::string>>> roots(sources.size(), std::vector<std::string>());
  if (options.functions.empty() || sources.size() == 1) {
    for (auto &each : roots)
      each = options.functions;
    return roots;
  }
  std::set<std::string> found;
  for (size_t i = 0; i < sources.size(); ++i) {
    llvm::Expected<ReadResult> read = readUnits(sources[i], [](size_t, StringRef) {});
    if (!read)
      return read.takeError();
    for (const std::string &name : options.functions)
      if (!read->units.empty() && skeleton::findFunction(read->units.front().program, name)) {
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

static void takeCopies(const port::PortedUnit &unit, size_t index, verify::Subject &subject) {
  for (const port::PlannedCopy &copy : unit.copies)
    subject.copies.push_back({int(copy.id + copiesAUnit * index), copy.root, copy.array, copy.toDevice, copy.exact, copy.at});
}

static llvm::Expected<Ported> portAll(const Options &options, llvm::ArrayRef<Source> sources, const Parameters &parameters) {
  port::PortOptions portOptions;
  llvm::Expected<projection::Machine> machine =
      projection::loadMachine(options.machines.empty() ? projection::defaultMachine.str() : options.machines.front());
  if (!machine)
    return machine.takeError();
  portOptions.machine = std::move(*machine);
  portOptions.parameters = parameters;
  portOptions.iterations = options.iterations;
  auto roots = rootsOf(options, sources);
  if (!roots)
    return roots.takeError();
  Ported result;
  for (size_t i = 0; i < sources.size(); ++i) {
    const Source &source = sources[i];
    verify::Unit unit{source.file, source.directory, source.arguments, "", "", ""};
    UnitPlan plan;
    if ((*roots)[i]) {
      portOptions.functions = *(*roots)[i];
      for (auto [variant, text] : {std::pair(port::Variant::Plain, &unit.plain), std::pair(port::Variant::Watched, &unit.watched),
                                   std::pair(port::Variant::Ordered, &unit.ordered)}) {
        portOptions.variant = variant;
        llvm::Expected<port::PortedUnit> ported = port::portUnit(source, portOptions);
        if (!ported)
          return ported.takeError();
        if (!ported->kernels.empty())
          *text = std::move(ported->text);
        if (variant != port::Variant::Watched)
          continue;
        *text = renumbered(std::move(*text), i);
        takeCopies(*ported, i, result.subject);
        plan = {ported->copies, ported->arrays, ported->assumedSizes};
        llvm::append_range(result.subject.findings, ported->findings);
      }
    }
    result.subject.units.push_back(std::move(unit));
    result.plans.push_back(std::move(plan));
  }
  return result;
}

//===--- The plan with the run's sizes ------------------------------------------===//

static std::vector<verify::PlannedBytes> plannedBytes(llvm::ArrayRef<UnitPlan> plans) {
  std::vector<verify::PlannedBytes> rows;
  for (const UnitPlan &plan : plans)
    for (const port::PortedArray &array : plan.arrays)
      for (bool toDevice : {true, false}) {
        double bytes = toDevice ? array.h2dBytes : array.d2hBytes;
        bool copied = llvm::any_of(plan.copies, [&](const port::PlannedCopy &copy) {
          return copy.root == array.root && copy.array == array.name && copy.toDevice == toDevice;
        });
        if (bytes == 0 && !copied)
          continue;
        rows.push_back({array.root, array.name, toDevice, uint64_t(std::llround(bytes)), ""});
      }
  return rows;
}

/// The sizes that the plan had to assume, as they were. Those that changed from one time to the next cannot be one number.
static Parameters parametersOf(const Options &options, const Ported &ported, const verify::Record &record) {
  Parameters parameters = options.parameters;
  for (const verify::ValueRecord &value : record.values) {
    std::string name = projection::scopedName(value.root, value.symbol);
    bool open = llvm::any_of(ported.plans, [&](const UnitPlan &plan) { return llvm::is_contained(plan.assumedSizes, name); });
    bool given = llvm::any_of(parameters, [&](const auto &known) { return known.first == name; });
    if (open && !given && value.least == value.most)
      parameters.emplace_back(name, value.value);
  }
  return parameters;
}

static bool sameTexts(const Ported &a, const Ported &b) {
  return llvm::equal(a.subject.units, b.subject.units, [](const verify::Unit &x, const verify::Unit &y) {
    return x.plain == y.plain && x.watched == y.watched && x.ordered == y.ordered;
  });
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

/// Verifies; if the plan for the sizes that ran copies otherwise, `again` is what to verify instead.
static llvm::Expected<verify::VerifyReport> verifyPorted(const Options &options, llvm::ArrayRef<Source> sources, Ported &ported,
                                                         std::optional<Ported> &again) {
  ported.subject.plan = [&](const verify::Record &record) -> llvm::Expected<std::vector<verify::PlannedBytes>> {
    bool open = llvm::any_of(ported.plans, [](const UnitPlan &plan) { return !plan.assumedSizes.empty(); });
    if (!open || record.values.empty())
      return plannedBytes(ported.plans);
    llvm::Expected<Ported> bound = portAll(options, sources, parametersOf(options, ported, record));
    if (!bound)
      return bound.takeError();
    std::vector<verify::PlannedBytes> rows = plannedBytes(bound->plans);
    if (!sameTexts(ported, *bound))
      again = std::move(*bound);
    return rows;
  };
  return verify::verify(ported.subject, settingsOf(options));
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
  llvm::Expected<Ported> ported = portAll(options, *sources, options.parameters);
  if (!ported)
    return ported.takeError();
  bool any = llvm::any_of(ported->subject.units, [](const verify::Unit &unit) { return !unit.watched.empty(); });
  if (!any) {
    verify::VerifyReport report;
    report.findings = ported->subject.findings;
    report.notes.push_back("no loop was ported: there is nothing to verify");
    return report;
  }
  std::optional<Ported> again;
  llvm::Expected<verify::VerifyReport> report = verifyPorted(options, *sources, *ported, again);
  if (!report || !again)
    return report;
  std::optional<Ported> third;
  report = verifyPorted(options, *sources, *again, third);
  if (report)
    report->notes.push_back("for the sizes of this run the plan copies otherwise than for unknown ones: what is verified is the "
                            "port that --param with these sizes gives");
  return report;
}

Outcome runVerify(const Options &options) {
  llvm::Expected<verify::VerifyReport> report = verifySources(options);
  if (!report)
    return badInput(options, report.takeError());
  return {report->passed() ? Done : ConditionHeld, written(options, *report), {}};
}

} // namespace busfare::frontend
