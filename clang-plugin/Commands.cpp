//===- clang-plugin/Commands.cpp - The commands that read programs --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/Commands.h"
#include "clang-plugin/Driver.h"
#include "clang-plugin/FailOn.h"
#include "clang-plugin/Programs.h"
#include "clang-plugin/Threads.h"
#include "projection/Coverage.h"
#include "projection/Profile.h"
#include "projection/Project.h"
#include "projection/report/Join.h"
#include "projection/report/MeasureWriters.h"
#include "projection/report/Writers.h"
#include "clang-plugin/HintErrors.h"
#include "skeleton/Hints.h"
#include "skeleton/Json.h"
#include "skeleton/Link.h"
#include "skeleton/Print.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <functional>
#include <map>
#include <set>

using llvm::StringRef;
using namespace busfare::projection;

namespace busfare::frontend {

Outcome badInput(const Options &options, llvm::Error error) {
  // Beside a compiler, what is wrong with the source is the compiler's to say; the caller keeps usage errors apart.
  return {BadInput, "", {"busfare: " + llvm::toString(std::move(error))}};
}

/// Bad input, unless a compiler that runs beside us will say so itself.
static Outcome badSource(const Options &options, llvm::Error error) {
  Outcome outcome = badInput(options, std::move(error));
  if (options.runsBesideCompiler)
    return {Done, "", {}};
  return outcome;
}

//===--- Reading ----------------------------------------------------------===//

static void showProgress(const Options &options, size_t i, size_t count, StringRef file, bool again) {
  if (count < 2 || options.quiet || options.noProgress)
    return;
  std::string number = again ? "again" : std::to_string(i + 1) + "/" + std::to_string(count);
  if (llvm::sys::Process::StandardErrIsDisplayed())
    llvm::errs() << "\r\033[K[" << number << "] " << file.take_back(60) << (i + 1 == count && !again ? "\r\033[K" : "");
  else
    llvm::errs() << '[' << number << "] " << file << '\n';
}

/// Takes away the line that says "again".
static void endProgress(const Options &options) {
  if (!options.quiet && !options.noProgress && llvm::sys::Process::StandardErrIsDisplayed())
    llvm::errs() << "\r\033[K";
}

static unsigned jobsOf(const Options &options) { return options.jobs ? options.jobs : coreCount(); }

static ReadOptions readOptionsOf(const Options &options) {
  ReadOptions result;
  result.jobs = jobsOf(options);
  result.limits.seconds = options.unitSeconds.value_or(result.limits.seconds);
  if (options.unitGigabytes)
    result.limits.memoryBytes = uint64_t(*options.unitGigabytes * double(1 << 30));
  result.guessFolders = !options.hasCompilerArguments && options.buildPath.empty();
  return result;
}

/// "a, b, c, d, e, ..."
static std::string someOf(llvm::ArrayRef<std::string> names) {
  return llvm::join(names.take_front(5), ", ") + (names.size() > 5 ? ", ..." : "");
}

/// The compiler's errors, the first twenty; then a line of ours for each way to fail.
static void reportFailed(const ReadResult &read, Outcome &outcome) {
  size_t all = read.units.size() + read.failed.size();
  size_t shown = 0;
  for (const Diagnostic &diagnostic : read.errors)
    if (shown++ < 20) {
      std::string place = toString(diagnostic.location);
      if (place.empty())
        place = diagnostic.location.file;
      outcome.messages.push_back((place.empty() ? "" : place + ": ") + "error: " + diagnostic.message);
    }
  if (shown > 20)
    outcome.messages.push_back("... and " + std::to_string(shown - 20) + " more errors");
  std::vector<std::string> unparsed, headers;
  for (const FailedUnit &unit : read.failed)
    if (unit.isOurFault) {
      outcome.messages.push_back("busfare: " + unit.file + " is not analysed: " + unit.why);
    } else {
      unparsed.push_back(unit.file);
      if (!unit.missingHeader.empty() && !llvm::is_contained(headers, unit.missingHeader))
        headers.push_back(unit.missingHeader);
    }
  if (!unparsed.empty())
    outcome.messages.push_back("busfare: " + std::to_string(unparsed.size()) + " of " + std::to_string(all) +
                               " units could not be parsed: " + someOf(unparsed));
  if (!headers.empty())
    outcome.messages.push_back("busfare: not found: " + someOf(headers) + "; `-- -I FOLDER` says where they are, or `-p BUILD` with a "
                               "compile_commands.json");
}

/// All failed: 2 if the compiler would fail, too; else the fault is ours.
static int exitCodeOf(const ReadResult &read) {
  if (read.failed.empty())
    return Done;
  if (!read.units.empty())
    return PartlyParsed;
  return llvm::all_of(read.failed, [](const FailedUnit &unit) { return unit.isOurFault; }) ? OwnFault : BadInput;
}

/// Says what failed so far, and sets the exit code.
static void settle(const Options &options, const ReadResult &read, Outcome &outcome) {
  if (options.runsBesideCompiler)
    return;
  if (!read.failed.empty())
    reportFailed(read, outcome);
  outcome.exitCode = exitCodeOf(read);
}

/// Reads everything the command line names. False: outcome says why not. If true, `settle` has to be called at the end.
static bool read(const Options &options, ReadResult &result, Outcome &outcome) {
  if (options.inputs.empty() && options.buildPath.empty()) {
    outcome = badInput(options, llvm::createStringError(llvm::inconvertibleErrorCode(),
                                                        "%s wants a source; see `busfare help %s`", options.command.c_str(),
                                                        options.command.c_str()));
    return false;
  }
  llvm::Expected<std::vector<Source>> sources = sourcesOf(options);
  if (!sources) {
    outcome = badSource(options, sources.takeError());
    return false;
  }
  size_t count = sources->size();
  llvm::Expected<ReadResult> units =
      readUnits(*sources, readOptionsOf(options), [&](size_t i, bool again) { showProgress(options, i, count, (*sources)[i].file, again); });
  if (count > 1)
    endProgress(options);
  if (!units) {
    outcome = badSource(options, units.takeError());
    return false;
  }
  result = std::move(*units);
  if (options.runsBesideCompiler)
    return !result.units.empty();
  for (const Source &source : *sources)
    if (!source.note.empty())
      outcome.messages.push_back("busfare: " + source.file + " " + source.note);
  for (const std::string &note : result.notes)
    outcome.messages.push_back("busfare: " + note);
  if (!result.guessedFolders.empty())
    outcome.messages.push_back("busfare: headers were looked for, and found in " + someOf(result.guessedFolders) +
                               "; `-p BUILD` or `-- -I FOLDER` says it for sure");
  if (result.units.empty())
    settle(options, result, outcome);
  return !result.units.empty();
}

//===--- Projecting -------------------------------------------------------===//

llvm::Expected<ProjectOptions> projectOptionsOf(const Options &options) {
  ProjectOptions result;
  std::vector<std::string> names = options.machines;
  if (names.empty())
    names.push_back(defaultMachine.str());
  for (const std::string &name : names) {
    llvm::Expected<Machine> machine = loadMachine(name);
    if (!machine)
      return machine.takeError();
    for (const Machine &known : result.machines)
      if (known.name == machine->name)
        return llvm::createStringError(llvm::inconvertibleErrorCode(), "--machine: two machines are called '%s'", known.name.c_str());
    result.machines.push_back(std::move(*machine));
  }
  result.functions = options.functions;
  result.parameters = options.parameters;
  result.iterations = options.iterations;
  result.threads = options.threads;
  result.processes = options.processes;
  result.cpuTimes = options.cpuTimes;
  if (!options.profile.empty()) {
    llvm::Expected<Profile> profile = loadProfile(options.profile);
    if (!profile)
      return llvm::createStringError("--profile " + llvm::toString(profile.takeError()));
    result.profile = std::make_shared<const Profile>(std::move(*profile));
  }
  result.strict = options.strict;
  return result;
}

/// --function for one program of several: those it has. Nothing if it has none of them.
static std::optional<std::vector<std::string>> functionsIn(const skeleton::Program &program, const std::vector<std::string> &wanted) {
  if (wanted.empty())
    return wanted;
  std::vector<std::string> found;
  for (const std::string &name : wanted)
    if (skeleton::findFunction(program, name))
      found.push_back(name);
  if (found.empty())
    return std::nullopt;
  return found;
}

/// A --function that no unit has.
static llvm::Error checkFunctions(const ReadResult &read, const std::vector<std::string> &wanted) {
  for (const std::string &name : wanted) {
    if (llvm::any_of(read.units, [&](const ReadUnit &unit) { return skeleton::findFunction(unit.program, name); }))
      continue;
    std::vector<StringRef> names;
    for (const ReadUnit &unit : read.units)
      for (const skeleton::Function &function : unit.program.functions)
        names.push_back(function.name);
    std::string hint = names.empty() ? "there is none"
                                     : "there are " + llvm::join(llvm::ArrayRef(names).take_front(12), ", ") +
                                           (names.size() > 12 ? ", ..." : "");
    if (StringRef guess = closest(name, names); !guess.empty())
      hint = "did you mean '" + guess.str() + "'?";
    return llvm::createStringError(llvm::inconvertibleErrorCode(), "--function: no function '%s'; %s", name.c_str(), hint.c_str());
  }
  return llvm::Error::success();
}

using Projector = llvm::Expected<Report> (*)(const skeleton::Program &, const ProjectOptions &);

/// The units of one program as one.
static skeleton::Program programOf(const ReadResult &read, const std::vector<size_t> &members) {
  if (members.size() == 1)
    return read.units[members.front()].program;
  std::vector<const skeleton::Program *> units;
  for (size_t unit : members)
    units.push_back(&read.units[unit].program);
  return skeleton::link(units);
}

std::optional<std::vector<skeleton::Program>> readPrograms(const Options &options, Outcome &outcome) {
  ReadResult units;
  if (!read(options, units, outcome))
    return std::nullopt;
  if (llvm::Error error = checkFunctions(units, options.functions)) {
    outcome = badInput(options, std::move(error));
    return std::nullopt;
  }
  std::vector<skeleton::Program> programs;
  for (const std::vector<size_t> &members : units.programs) {
    skeleton::Program program = programOf(units, members);
    if (functionsIn(program, options.functions))
      programs.push_back(std::move(program));
  }
  settle(options, units, outcome);
  return programs;
}

/// Leaves out the programs whose analysis crashed, and the units that are then in none.
static void dropCrashed(ReadResult &read, const std::vector<std::string> &crashes) {
  std::vector<std::string> why(read.units.size());
  std::vector<bool> isKept(read.units.size());
  std::vector<std::vector<size_t>> programs;
  for (size_t i = 0; i < read.programs.size(); ++i) {
    for (size_t unit : read.programs[i])
      if (crashes[i].empty())
        isKept[unit] = true;
      else
        why[unit] = crashes[i];
    if (crashes[i].empty())
      programs.push_back(read.programs[i]);
  }
  std::vector<ReadUnit> units;
  std::vector<size_t> places(read.units.size());
  for (size_t unit = 0; unit < read.units.size(); ++unit)
    if (isKept[unit]) {
      places[unit] = units.size();
      units.push_back(std::move(read.units[unit]));
    } else {
      read.failed.push_back({read.units[unit].file, "analysing it ended by " + why[unit] + ", which is busfare's mistake", true, ""});
    }
  for (std::vector<size_t> &program : programs)
    for (size_t &unit : program)
      unit = places[unit];
  read.units = std::move(units);
  read.programs = std::move(programs);
}

/// What project makes of each program that has one of the functions (nothing of the others), each from a fresh state. The
/// units of one on which it crashes go to those that failed. Errors: the first program's.
template <class Result>
static llvm::Expected<std::vector<std::optional<Result>>>
projectEach(ReadResult &read, const ProjectOptions &options, unsigned jobs,
            llvm::function_ref<llvm::Expected<Result>(const skeleton::Program &, const ProjectOptions &)> project) {
  if (llvm::Error error = checkFunctions(read, options.functions))
    return error;
  size_t count = read.programs.size();
  std::vector<std::optional<Result>> results(count);
  std::vector<std::string> errors(count);
  std::vector<std::string> crashes = forEachOnOwnThread(count, jobs, [&](size_t i) {
    skeleton::Program program = programOf(read, read.programs[i]);
    std::optional<std::vector<std::string>> functions = functionsIn(program, options.functions);
    if (!functions)
      return;
    ProjectOptions own = options;
    own.functions = *functions;
    own.allowUnknownParameters = count > 1;
    llvm::Expected<Result> result = project(program, own);
    if (result)
      results[i] = std::move(*result);
    else
      errors[i] = llvm::toString(result.takeError());
  });
  for (const std::string &error : errors)
    if (!error.empty())
      return llvm::createStringError(error);
  std::vector<std::optional<Result>> kept;
  for (size_t i = 0; i < count; ++i)
    if (crashes[i].empty())
      kept.push_back(std::move(results[i]));
  dropCrashed(read, crashes);
  return kept;
}

/// What of the units was not analysed, and why.
static void addLosses(const ReadResult &read, CoverageReport &coverage) {
  coverage.files += read.failed.size();
  coverage.failedFiles = read.failed.size();
  for (const FailedUnit &unit : read.failed)
    coverage.notAnalysed.emplace_back(unit.file, unit.why);
  for (const FailedUnit &unit : read.failed)
    coverage.filesWithoutHeaders += !unit.missingHeader.empty();
  coverage.guessedFolders = read.guessedFolders;
}

/// Loops of the source that have no verdict: they stand in code that is not followed, or that never runs.
static void addUnreadLoops(const ReadResult &read, Report &report) {
  // Two loops of one macro stand in one place.
  std::set<std::pair<std::string, unsigned>> known;
  for (const LoopReport &loop : report.loops)
    known.emplace(loop.location.file.str(), loop.location.line);
  for (const ReadUnit &unit : read.units) {
    std::vector<std::string> lines;
    for (const skeleton::Location &loop : unit.loops)
      if (known.emplace(loop.file.str(), loop.line).second)
        lines.push_back(loop.file.str() == unit.file ? "line " + std::to_string(loop.line) : loop.file.str() + ":" + std::to_string(loop.line));
    if (lines.empty())
      continue;
    report.coverage.loopsNotRead += lines.size();
    report.coverage.notAnalysed.emplace_back(unit.file + ": " + (lines.size() == 1 ? "a loop" : std::to_string(lines.size()) + " loops") + " (" +
                                                 someOf(lines) + ")",
                                             "no verdict: in code that is not followed, or that never runs");
  }
}

/// Every unit projected, joined into one report.
static llvm::Expected<Report> projectUnits(ReadResult &read, const ProjectOptions &options, unsigned jobs, Projector projector) {
  auto projected = projectEach<Report>(read, options, jobs, projector);
  if (!projected)
    return projected.takeError();
  std::vector<Report> reports;
  std::map<std::string, size_t> unknown;
  std::set<size_t> counted; ///< Units.
  for (size_t i = 0; i < read.programs.size(); ++i) {
    if (!(*projected)[i])
      continue;
    Report &report = *(*projected)[i];
    report.coverage.files = 0;
    for (size_t unit : read.programs[i]) {
      if (!counted.insert(unit).second)
        continue;
      ++report.coverage.files;
      for (const auto &[function, why] : read.units[unit].leftOut)
        report.coverage.notAnalysed.emplace_back(read.units[unit].file + ": " + function, why);
    }
    for (const std::string &name : report.unknownParameters)
      ++unknown[name];
    reports.push_back(std::move(report));
  }
  for (const auto &[name, count] : unknown)
    if (count == reports.size())
      return llvm::createStringError(llvm::inconvertibleErrorCode(), "--param %s: no size of this name in any unit", name.c_str());
  Report all = joinReports(std::move(reports));
  all.version = BUSFARE_VERSION;
  addLosses(read, all.coverage);
  if (options.functions.empty())
    addUnreadLoops(read, all);
  summariseCoverageInPlace(all);
  return all;
}

//===--- Next commands, as this command line would have them --------------===//

static std::string quoted(StringRef word) {
  if (!word.empty() && word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+=:,@%-") == StringRef::npos)
    return word.str();
  std::string result = "'";
  for (char c : word)
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

/// `busfare analyze FILE --param n=N` with this command line's inputs, machines and flags.
static std::string completed(StringRef command, const Options &options) {
  if (!command.consume_front("busfare "))
    return command.str();
  auto [verb, tail] = command.split(' ');
  size_t own = tail.find(" --");
  StringRef rest = own == StringRef::npos ? "" : tail.drop_front(own);
  std::string line = "busfare " + (verb == "analyze" ? options.command : verb.str());
  // The place that is explained; a file that is read alone is said by it.
  bool isPlace = verb == "explain";
  if (isPlace)
    line += " " + quoted(tail.take_front(own));
  bool saysFile = isPlace && options.inputs.size() == 1 && options.buildPath.empty() && tail.starts_with(options.inputs.front() + ":");
  for (const std::string &input : options.inputs)
    if (!saysFile)
      line += " " + quoted(input);
  if (!options.buildPath.empty())
    line += " -p " + quoted(options.buildPath);
  if (verb == "analyze" || isPlace) {
    for (const std::string &machine : options.machines)
      line += " --machine " + quoted(machine);
    if (!rest.contains("--function"))
      for (const std::string &function : options.functions)
        line += " --function " + quoted(function);
    for (const auto &[name, value] : options.parameters)
      line += " --param " + quoted(name + "=" + std::to_string(value));
    if (options.iterations && !rest.contains("--iterations"))
      line += " --iterations " + std::to_string(*options.iterations);
  }
  line += rest;
  if (!options.compilerArguments.empty()) {
    line += " --";
    for (const std::string &argument : options.compilerArguments)
      line += " " + quoted(argument);
  }
  return line;
}

//===--- The commands -----------------------------------------------------===//

static TextStyle textStyle(const Options &options) {
  const char *off = std::getenv("NO_COLOR"), *terminal = std::getenv("TERM");
  TextStyle style;
  style.colour = options.output.empty() && llvm::sys::Process::StandardOutIsDisplayed() && !(off && *off) &&
                 !(terminal && StringRef(terminal) == "dumb");
  return style;
}

template <class Write> static std::string written(Write write) {
  std::string text;
  llvm::raw_string_ostream os(text);
  write(os);
  return text;
}

/// Reads, projects, and lets `write` put the report into the outcome.
static Outcome projectAndWrite(const Options &options, Projector projector,
                               llvm::function_ref<std::string(const Report &)> write) {
  Outcome outcome;
  llvm::Expected<ProjectOptions> projectOptions = projectOptionsOf(options);
  if (!projectOptions)
    return badInput(options, projectOptions.takeError());
  ReadResult units;
  if (!read(options, units, outcome))
    return outcome;
  llvm::Expected<Report> report = projectUnits(units, *projectOptions, jobsOf(options), projector);
  if (!report)
    return badInput(options, report.takeError());
  settle(options, units, outcome);
  if (!options.runsBesideCompiler)
    for (const std::string &note : profileNotes(options.profile, report->profileRows))
      outcome.messages.push_back("busfare: --profile " + note);
  for (std::string &command : report->nextCommands)
    command = completed(command, options);
  outcome.output = write(*report);
  refuseHints(report->findings, options, outcome);
  for (const FailCondition &condition : options.failOn) {
    std::string because = holdsBecause(condition, *report);
    if (because.empty())
      continue;
    outcome.messages.push_back("busfare: --fail-on " + condition.text + ": " + because);
    outcome.exitCode = ConditionHeld;
  }
  return outcome;
}

Outcome runAnalyze(const Options &options) {
  return projectAndWrite(options, project, [&](const Report &report) {
    return written([&](llvm::raw_ostream &os) {
      if (options.format == Format::Json)
        writeJson(report, os);
      else if (options.quiet)
        writeBrief(report, os);
      else
        writeText(report, os, textStyle(options));
    });
  });
}

Outcome runLoops(const Options &options) {
  return projectAndWrite(options, projectLoops, [&](const Report &report) {
    return written([&](llvm::raw_ostream &os) {
      if (options.format == Format::Json)
        writeLoopsJson(report, os);
      else
        writeLoopsText(report, os, textStyle(options));
    });
  });
}

/// What a stage says of each program that the inputs make; nothing if the outcome says why.
template <class Line, class Stage>
static std::optional<std::vector<std::optional<std::vector<Line>>>> linesOf(const Options &options, Stage stage, ReadResult &units,
                                                                            Outcome &outcome) {
  llvm::Expected<ProjectOptions> projectOptions = projectOptionsOf(options);
  if (!projectOptions) {
    outcome = badInput(options, projectOptions.takeError());
    return std::nullopt;
  }
  if (!read(options, units, outcome))
    return std::nullopt;
  auto lines = projectEach<std::vector<Line>>(units, *projectOptions, jobsOf(options), stage);
  if (!lines) {
    outcome = badInput(options, lines.takeError());
    return std::nullopt;
  }
  settle(options, units, outcome);
  return std::move(*lines);
}

Outcome runSections(const Options &options) {
  Outcome outcome;
  ReadResult units;
  auto lines = linesOf<SectionLine>(options, projectSections, units, outcome);
  if (!lines)
    return outcome;
  SectionsReport report;
  report.version = BUSFARE_VERSION;
  for (size_t i = 0; i < units.programs.size(); ++i)
    if ((*lines)[i]) {
      skeleton::Program program = programOf(units, units.programs[i]);
      llvm::append_range(report.sections, *(*lines)[i]);
      std::vector<skeleton::Finding> findings = program.findings;
      llvm::append_range(findings, skeleton::checkHintNames(program));
      llvm::append_range(report.suppressed, skeleton::takeIgnored(program, findings));
      llvm::append_range(report.findings, findings);
    }
  sortFindings(report.findings);
  sortFindings(report.suppressed);
  refuseHints(report.findings, options, outcome);
  outcome.output = written([&](llvm::raw_ostream &os) {
    if (options.format == Format::Json)
      writeSectionsJson(report, os);
    else
      writeSectionsText(report, os, textStyle(options));
  });
  return outcome;
}

/// Of --param: a name that is none of the sizes.
static llvm::Error refuseUnknownSizes(const std::vector<std::pair<std::string, int64_t>> &given, const std::vector<SizeLine> &sizes) {
  std::set<std::string> known;
  for (const SizeLine &size : sizes)
    if (size.source != ParameterSource::Caller)
      known.insert(size.name);
  for (const auto &[name, value] : given)
    if (!known.count(name) && llvm::none_of(known, [&, &bare = name](const std::string &one) { return StringRef(one).ends_with("::" + bare); }))
      return llvm::createStringError("--param " + name + ": no size of this name" +
                                     (known.empty() ? std::string("; none is open") : "; there are " + llvm::join(known, ", ")));
  return llvm::Error::success();
}

Outcome runSizes(const Options &options) {
  Outcome outcome;
  ReadResult units;
  auto lines = linesOf<SizeLine>(options, projectSizes, units, outcome);
  if (!lines)
    return outcome;
  SizesReport report;
  report.version = BUSFARE_VERSION;
  for (size_t i = 0; i < units.programs.size(); ++i)
    if ((*lines)[i])
      llvm::append_range(report.sizes, *(*lines)[i]);
  if (llvm::Error unknown = refuseUnknownSizes(options.parameters, report.sizes))
    return badInput(options, std::move(unknown));
  outcome.output = written([&](llvm::raw_ostream &os) {
    if (options.format == Format::Json)
      writeSizesJson(report, os);
    else
      writeSizesText(report, os, textStyle(options));
  });
  return outcome;
}

Outcome runExtract(const Options &options) {
  Outcome outcome;
  ReadResult units;
  if (!read(options, units, outcome))
    return outcome;
  settle(options, units, outcome);
  for (const ReadUnit &unit : units.units)
    refuseHints(unit.program.findings, options, outcome);
  for (const ReadUnit &unit : units.units)
    for (const auto &[function, why] : unit.leftOut)
      outcome.messages.push_back("busfare: " + unit.file + ": " + function + " is left out: " + why);
  if (options.format == Format::Text) {
    for (const ReadUnit &unit : units.units)
      outcome.output += skeleton::print(unit.program);
    return outcome;
  }
  llvm::json::Array skeletons;
  for (const ReadUnit &unit : units.units)
    skeletons.push_back(skeleton::toJson(unit.program));
  llvm::json::Value all = llvm::json::Object{{"schema_version", 1},
                                             {"output", "skeletons"},
                                             {"tool", llvm::json::Object{{"name", "busfare"}, {"version", BUSFARE_VERSION}}},
                                             {"skeletons", std::move(skeletons)}};
  outcome.output = llvm::formatv("{0:2}\n", all).str();
  return outcome;
}

} // namespace busfare::frontend
