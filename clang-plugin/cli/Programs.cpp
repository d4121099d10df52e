//===- clang-plugin/cli/Programs.cpp - The command line's programs -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Programs.h"
#include "clang-plugin/rehearsal/Rehearsal.h"
#include "clang-plugin/units/Threads.h"
#include "clang-plugin/units/Worker.h"
#include "projection/Profile.h"
#include "skeleton/Directive.h"
#include "skeleton/Link.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <unistd.h>

using llvm::StringRef;
using namespace busfare::projection;

namespace busfare::frontend {

/// Bad input, unless a compiler that runs beside us will say so itself.
static Outcome badSource(const Options &options, llvm::Error error) {
  Outcome outcome = badInput(options, std::move(error));
  if (options.runsBesideCompiler) return {Done, "", {}};
  return outcome;
}

//===--- Reading ----------------------------------------------------------===//

static void showProgress(const Options &options, size_t i, size_t count, StringRef file, bool again) {
  if (count < 2 || options.quiet || options.noProgress) return;
  std::string number = again ? "once more" : std::to_string(i + 1) + "/" + std::to_string(count);
  if (llvm::sys::Process::StandardErrIsDisplayed())
    llvm::errs() << "\r\033[K[" << number << "] " << file.take_back(60) << (i + 1 == count && !again ? "\r\033[K" : "");
  else llvm::errs() << '[' << number << "] " << file << '\n';
}

/// Takes away the line that says "once more".
static void endProgress(const Options &options) {
  if (!options.quiet && !options.noProgress && llvm::sys::Process::StandardErrIsDisplayed()) llvm::errs() << "\r\033[K";
}

unsigned jobsOf(const Options &options) { return options.jobs ? options.jobs : coreCount(); }

std::string cacheFolderOf(const Options &options) {
  return options.noCache ? "" : options.cacheFolder.empty() ? defaultCacheFolder() : options.cacheFolder;
}

static ReadOptions readOptionsOf(const Options &options) {
  ReadOptions result;
  result.jobs = jobsOf(options);
  result.limits.seconds = options.unitSeconds.value_or(result.limits.seconds);
  if (options.unitGigabytes) result.limits.memoryBytes = uint64_t(*options.unitGigabytes * double(1 << 30));
  constexpr double forReading = 0.6;
  result.limits.deadline = options.deadline(forReading);
  const std::string folder = cacheFolderOf(options);
  result.cache = folder.empty() ? nullptr : std::make_shared<Cache>(folder);
  result.guessFolders = !options.hasCompilerArguments && options.buildPath.empty();
  return result;
}

std::string someOf(llvm::ArrayRef<std::string> names) {
  return llvm::join(names.take_front(5), ", ") + (names.size() > 5 ? ", ..." : "");
}

/// The compiler's errors, the first twenty; then a line of ours for each way to fail.
static void reportFailed(const ReadResult &read, Outcome &outcome) {
  size_t all = read.units.size() + read.failed.size();
  size_t shown = 0;
  for (const Diagnostic &diagnostic : read.errors)
    if (shown++ < 20) {
      std::string place = toString(diagnostic.location);
      if (place.empty()) place = diagnostic.location.file;
      outcome.messages.push_back((place.empty() ? "" : place + ": ") + "error: " + diagnostic.message);
    }
  if (shown > 20) outcome.messages.push_back("... and " + std::to_string(shown - 20) + " more errors");
  std::vector<std::string> unparsed, late, headers;
  for (const FailedUnit &unit : read.failed)
    if (unit.cause == FailedUnit::Cause::Busfare) {
      outcome.messages.push_back("busfare: " + unit.file + " is not analysed: " + unit.why);
    } else if (unit.cause == FailedUnit::Cause::Time) {
      late.push_back(unit.file);
    } else {
      unparsed.push_back(unit.file);
      if (!unit.missingHeader.empty() && !llvm::is_contained(headers, unit.missingHeader))
        headers.push_back(unit.missingHeader);
    }
  if (!late.empty())
    outcome.messages.push_back("busfare: " + std::to_string(late.size()) + " of " + std::to_string(all) +
                               " units are not analysed, " + readingTimeIsUp + ": " + someOf(late));
  if (!unparsed.empty())
    outcome.messages.push_back("busfare: " + std::to_string(unparsed.size()) + " of " + std::to_string(all) +
                               " units could not be parsed: " + someOf(unparsed));
  if (!headers.empty())
    outcome.messages.push_back("busfare: not found: " + someOf(headers) +
                               "; `-- -I FOLDER` says where they are, or `-p BUILD` with a "
                               "compile_commands.json");
}

/// A limit that the user may set, and nobody's mistake.
static bool isOfLimit(const FailedUnit &unit) { return StringRef(unit.why).contains("(--unit-"); }

/// All failed: 2 if the compiler would fail, too, or a limit is too small; else the fault is ours.
static int exitCodeOf(const ReadResult &read) {
  const bool isWhole = llvm::all_of(read.units, [](const ReadUnit &unit) { return unit.leftOut.empty(); });
  if (read.failed.empty()) return isWhole ? Done : PartlyParsed;
  if (!read.units.empty()) return PartlyParsed;
  return llvm::all_of(
             read.failed,
             [](const FailedUnit &unit) { return unit.cause == FailedUnit::Cause::Busfare && !isOfLimit(unit); })
             ? OwnFault
             : BadInput;
}

void settle(const Options &options, const ReadResult &read, Outcome &outcome) {
  if (read.cache) read.cache->prune(options.cacheBytes.value_or(defaultCacheBytes));
  if (options.runsBesideCompiler) return;
  if (!read.failed.empty()) reportFailed(read, outcome);
  for (const ReadUnit &unit : read.units)
    for (const auto &[function, why] : unit.leftOut)
      outcome.messages.push_back("busfare: " + unit.file + ": " + function + " is left out: " + why);
  outcome.exitCode = exitCodeOf(read);
}

/// Ctrl-C: what there is by then is reported. A second one ends at once.
static void endEarly(int) {
  static const char message[] =
      "\nbusfare: interrupted: what has been read is reported in a moment; once more to end at once\n";
  skeleton::Deadline::interrupt();
  std::signal(SIGINT, SIG_DFL);
  (void)!write(STDERR_FILENO, message, sizeof message - 1);
}

bool readInputs(const Options &options, ReadResult &result, Outcome &outcome) {
  if (!options.runsBesideCompiler && options.command == "analyze")
    if (std::signal(SIGINT, endEarly) == SIG_IGN) // by whoever started it
      std::signal(SIGINT, SIG_IGN);
  if (options.inputs.empty() && options.buildPath.empty()) {
    outcome = badInput(options, llvm::createStringError(llvm::inconvertibleErrorCode(),
                                                        "%s wants a source; see `busfare help %s`",
                                                        options.command.c_str(), options.command.c_str()));
    return false;
  }
  if (options.hasCompilerArguments && options.inputs.empty()) {
    outcome = badInput(
        options,
        llvm::createStringError("flags behind `--` stand in place of those of -p " + options.buildPath +
                                ": name the sources that they are for, or add to the build's with --extra-arg=FLAG"));
    return false;
  }
  llvm::Expected<std::vector<Source>> sources = sourcesOf(options);
  if (!sources) {
    outcome = badSource(options, sources.takeError());
    return false;
  }
  const bool isRun = options.command == "verify" || options.command == "measure";
  if (options.hasProgramArguments && !isRun) {
    const auto given =
        llvm::find_if(llvm::reverse(options.given), [](const auto &one) { return one.first == "--args"; });
    for (Source &source : *sources)
      if (!source.isSkeleton) source.arguments.push_back(programArgumentsFlag + given->second);
  }
  size_t count = sources->size();
  llvm::Expected<ReadResult> units = readUnits(*sources, readOptionsOf(options), [&](size_t i, bool again) {
    showProgress(options, i, count, (*sources)[i].file, again);
  });
  if (count > 1) endProgress(options);
  if (!units) {
    outcome = badSource(options, units.takeError());
    return false;
  }
  result = std::move(*units);
  if (options.trustsDirectives)
    for (ReadUnit &unit : result.units) skeleton::trustDirectives(unit.program);
  if (options.runsBesideCompiler) return !result.units.empty();
  if (std::string note = flagsNote(*sources); !note.empty() && !options.quiet)
    outcome.messages.push_back("busfare: " + note);
  for (const Source &source : *sources)
    if (!source.note.empty()) outcome.messages.push_back("busfare: " + source.file + " " + source.note);
  for (const std::string &note : result.notes) outcome.messages.push_back("busfare: " + note);
  if (!result.guessedFolders.empty())
    outcome.messages.push_back("busfare: headers were looked for, and found in " + someOf(result.guessedFolders) +
                               "; `-p BUILD` or `-- -I FOLDER` says it for sure");
  if (result.units.empty()) settle(options, result, outcome);
  return !result.units.empty();
}

//===--- What is asked of them --------------------------------------------===//

llvm::Expected<ProjectOptions> projectOptionsOf(const Options &options) {
  ProjectOptions result;
  std::vector<std::string> names = options.machines;
  if (names.empty()) names.push_back(defaultMachine.str());
  for (const std::string &name : names) {
    llvm::Expected<Machine> machine = loadMachine(name);
    if (!machine) return machine.takeError();
    for (const Machine &known : result.machines)
      if (known.name == machine->name)
        return llvm::createStringError(llvm::inconvertibleErrorCode(), "--machine: two machines are called '%s'",
                                       known.name.c_str());
    result.machines.push_back(std::move(*machine));
  }
  if (!options.host.empty()) {
    llvm::Expected<Machine> host = loadMachine(options.host);
    if (!host) return llvm::createStringError("--host: " + llvm::toString(host.takeError()));
    result.commonHost = std::move(*host);
  } else if (result.machines.size() > 1) {
    result.commonHost = result.machines.front();
  }
  result.functions = options.functions;
  result.parameters = options.parameters;
  result.iterations = options.iterations;
  result.runs = options.runs;
  result.manyRuns = options.manyRuns;
  result.threads = options.threads;
  result.processes = options.processes;
  result.cpuTimes = options.cpuTimes;
  if (!options.profile.empty()) {
    llvm::Expected<Profile> profile = loadProfile(options.profile);
    if (!profile) return llvm::createStringError("--profile " + llvm::toString(profile.takeError()));
    result.profile = std::make_shared<const Profile>(std::move(*profile));
  }
  result.strict = options.strict;
  constexpr std::chrono::seconds toLookAtWhatWasRead{10};
  result.deadline = options.deadline(1, toLookAtWhatWasRead);
  return result;
}

std::optional<std::vector<std::string>> functionsIn(const skeleton::Program &program,
                                                    const std::vector<std::string> &wanted) {
  if (wanted.empty()) return wanted;
  std::vector<std::string> found;
  for (const std::string &name : wanted)
    if (skeleton::findFunction(program, name)) found.push_back(name);
  if (found.empty()) return std::nullopt;
  return found;
}

llvm::Error checkFunctions(const ReadResult &read, const std::vector<std::string> &wanted) {
  for (const std::string &name : wanted) {
    if (llvm::any_of(read.units, [&](const ReadUnit &unit) { return skeleton::findFunction(unit.program, name); }))
      continue;
    std::vector<StringRef> names;
    for (const ReadUnit &unit : read.units)
      for (const skeleton::Function &function : unit.program.functions) names.push_back(function.name);
    std::string hint = names.empty() ? "there is none"
                                     : "there are " + llvm::join(llvm::ArrayRef(names).take_front(12), ", ") +
                                           (names.size() > 12 ? ", ..." : "");
    if (StringRef guess = closest(name, names); !guess.empty()) hint = "did you mean '" + guess.str() + "'?";
    return llvm::createStringError(llvm::inconvertibleErrorCode(), "--function: no function '%s'; %s", name.c_str(),
                                   hint.c_str());
  }
  return llvm::Error::success();
}

skeleton::Program programOf(const ReadResult &read, const std::vector<size_t> &members) {
  if (members.size() == 1) return read.units[members.front()].program;
  std::vector<const skeleton::Program *> units;
  for (size_t unit : members) units.push_back(&read.units[unit].program);
  return skeleton::link(units);
}

std::optional<std::vector<skeleton::Program>> readPrograms(const Options &options, Outcome &outcome) {
  ReadResult units;
  if (!readInputs(options, units, outcome)) return std::nullopt;
  if (llvm::Error error = checkFunctions(units, options.functions)) {
    outcome = badInput(options, std::move(error));
    return std::nullopt;
  }
  std::vector<skeleton::Program> programs;
  for (const std::vector<size_t> &members : units.programs) {
    skeleton::Program program = programOf(units, members);
    if (functionsIn(program, options.functions)) programs.push_back(std::move(program));
  }
  settle(options, units, outcome);
  return programs;
}

} // namespace busfare::frontend
