//===- clang-plugin/cli/MeasureCommand.cpp - busfare measure -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Puts timers and counters into the program's sources (port/Measure.h), builds it with and
// without them as verify builds, runs each once with the user's arguments, and writes what
// was measured as a profile (projection/Profile.h).
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "clang-plugin/lower/ResourceFolder.h"
#include "clang-plugin/port/Port.h"
#include "clang-plugin/units/Threads.h"
#include "clang-plugin/verify/Builds.h"
#include "projection/Describe.h"
#include "projection/Profile.h"
#include "projection/report/MeasureWriters.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using llvm::StringRef;

namespace busfare::frontend {

namespace {

/// What the program's counters and timers held at its end.
struct Measurements {
  std::map<unsigned, uint64_t> counts;
  struct Time {
    uint64_t times = 0;
    double seconds = 0;
  };
  std::map<unsigned, Time> times;
  struct Value {
    uint64_t times = 0;
    int64_t least = 0, most = 0;
    double sum = 0;
  };
  std::map<unsigned, Value> values;
};

} // namespace

static llvm::Error wrong(const std::string &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), "%s", message.c_str());
}

/// Nothing: the program left no file, or half of one.
static std::optional<Measurements> readMeasurements(StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer) return std::nullopt;
  Measurements result;
  llvm::SmallVector<StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n', -1, false);
  bool isWhole = false;
  for (StringRef line : lines) {
    llvm::SmallVector<StringRef> words;
    line.split(words, ' ');
    unsigned id = 0;
    isWhole = line == "end";
    if (words.size() < 3 || words[1].getAsInteger(10, id)) continue;
    if (words[0] == "count") {
      words[2].getAsInteger(10, result.counts[id]);
    } else if (words[0] == "time" && words.size() == 4) {
      words[2].getAsInteger(10, result.times[id].times);
      words[3].getAsDouble(result.times[id].seconds);
    } else if (words[0] == "value" && words.size() == 6) {
      Measurements::Value &value = result.values[id];
      words[2].getAsInteger(10, value.times);
      words[3].getAsInteger(10, value.least);
      words[4].getAsInteger(10, value.most);
      words[5].getAsDouble(value.sum);
    }
  }
  return isWhole ? std::optional(result) : std::nullopt;
}

/// The rows of what was measured, by the functions of the program.
static void addRows(const skeleton::Program &program, const port::MeasuredProgram &measured, const Measurements &run,
                    projection::Profile &profile) {
  std::map<std::string, projection::ProfiledFunction> functions;
  auto rowOf = [&](const std::string &name) -> projection::ProfiledFunction & {
    projection::ProfiledFunction &row = functions[name];
    if (row.name.empty()) {
      const skeleton::Function *function = skeleton::findFunction(program, name);
      row.name = name;
      row.file = function->location.file.str();
      row.fingerprint = projection::fingerprintOf(function->body);
    }
    return row;
  };
  auto countOf = [&](unsigned id) {
    auto found = run.counts.find(id);
    return found == run.counts.end() ? uint64_t(0) : found->second;
  };
  for (const port::MeasuredCounts &one : measured.counts) {
    uint64_t first = countOf(one.first), second = countOf(one.first + 1);
    if (one.isLoop) rowOf(one.function).loops.push_back({one.number, one.line, first, second});
    else rowOf(one.function).branches.push_back({one.number, one.line, first, second});
  }
  for (const port::MeasuredTime &one : measured.times) {
    auto found = run.times.find(one.id);
    Measurements::Time time = found == run.times.end() ? Measurements::Time() : found->second;
    if (!one.region.empty())
      profile.regions.push_back({one.region, one.function, one.fingerprint, time.times, time.seconds});
    else rowOf(one.function).nests.push_back({one.number, one.line, time.times, time.seconds});
  }
  for (const port::MeasuredSize &one : measured.sizes)
    if (auto found = run.values.find(one.id); found != run.values.end()) {
      const Measurements::Value &value = found->second;
      rowOf(one.function)
          .sizes.push_back(
              {one.name, int64_t(std::llround(value.sum / double(value.times))), value.least, value.most, value.times});
    }
  for (auto &[name, row] : functions) profile.functions.push_back(std::move(row));
}

static llvm::Expected<projection::Profile> measureProgram(const Options &options, const verify::Tools &tools,
                                                          llvm::ArrayRef<Source> sources, port::OpenProgram &program) {
  for (const std::string &name : options.functions)
    if (!skeleton::findFunction(program.program(), name)) return wrong("--function: no function '" + name + "'");
  llvm::Expected<port::MeasuredProgram> measured = program.measure(options.functions);
  if (!measured) return measured.takeError();
  verify::Subject subject;
  for (size_t k = 0; k < sources.size(); ++k) {
    subject.units.push_back({sources[k].file, sources[k].directory, sources[k].arguments, "", "", ""});
    subject.units.back().measured = measured->texts[k];
  }
  llvm::SmallString<128> folder(options.keepFolder);
  std::error_code code = folder.empty() ? llvm::sys::fs::createUniqueDirectory("busfare-measure", folder)
                                        : llvm::sys::fs::create_directories(folder);
  if (!code) code = llvm::sys::fs::make_absolute(folder);
  if (code) return wrong("cannot make a folder for the builds: " + code.message());
  auto remove = llvm::make_scope_exit([&] {
    if (options.keepFolder.empty()) llvm::sys::fs::remove_directories(folder);
  });
  std::vector<verify::Program> programs =
      verify::buildAll(subject, tools, folder, {verify::Build::Plain, verify::Build::Measured});
  for (const verify::Program &built : programs)
    if (!built.failure.empty())
      return wrong(std::string(built.build == verify::Build::Plain ? "the program does not compile: "
                                                                   : "the program with timers does not compile: ") +
                   built.failure);
  verify::Invocation run;
  run.limit = options.timeLimit.value_or(3600);
  run.words = {programs[0].path};
  llvm::append_range(run.words, options.programArguments);
  verify::Finished original = verify::run(run, folder);
  if (!original.started || original.timedOut || original.signal)
    return wrong("the program: " + verify::failureOf(original));
  std::string file = (folder + "/measurements").str();
  run.words.front() = programs[1].path;
  run.environment = {{"BUSFARE_MEASURE", file},
                     {"BUSFARE_MEASURE_COUNTERS", std::to_string(2 * measured->counts.size() + 1)}};
  verify::Finished timed = verify::run(run, folder);
  std::optional<Measurements> measurements = readMeasurements(file);
  if (!timed.started || timed.timedOut || timed.signal || !measurements)
    return wrong("the program with timers: " + (verify::failureOf(timed).empty()
                                                    ? "it left no measurements (it ends by _exit?)"
                                                    : verify::failureOf(timed)));
  projection::Profile profile;
  for (const Source &source : sources) profile.sources.push_back(source.file);
  profile.arguments = options.programArguments;
  profile.seconds = timed.seconds;
  profile.originalSeconds = original.seconds;
  profile.exitCode = timed.exitCode;
  profile.notes = measured->notes;
  if (timed.exitCode != original.exitCode)
    profile.notes.push_back("the program ended with exit code " + std::to_string(original.exitCode) +
                            ", with timers with " + std::to_string(timed.exitCode));
  addRows(program.program(), *measured, *measurements, profile);
  return profile;
}

static llvm::Expected<projection::Profile> measureSources(const Options &options) {
  if (options.inputs.empty() && options.buildPath.empty())
    return wrong("measure wants a source; see `busfare help measure`");
  llvm::Expected<std::vector<Source>> sources = sourcesOf(options);
  if (!sources) return sources.takeError();
  for (const Source &source : *sources)
    if (source.isSkeleton)
      return wrong("'" + source.file + "' is a skeleton: measure builds and runs the sources themselves");
  const std::string resources = resourceFolder();
  llvm::Expected<verify::Tools> tools =
      verify::findMeasureTools(llvm::sys::path::parent_path(llvm::sys::path::parent_path(resources)));
  if (!tools) return tools.takeError();
  std::optional<projection::Profile> profile;
  unsigned jobs = options.jobs ? options.jobs : coreCount();
  const port::OpenOptions openOptions{port::Grouping::One, jobs, options.trustsDirectives};
  llvm::Error error = port::withPrograms(*sources, openOptions, [&](port::OpenSources &open) -> llvm::Error {
    if (!open.failures.empty()) return wrong(open.failures.front());
    llvm::Expected<projection::Profile> made = measureProgram(options, *tools, *sources, *open.programs.front());
    if (!made) return made.takeError();
    profile = std::move(*made);
    return llvm::Error::success();
  });
  if (error) return error;
  return std::move(*profile);
}

Outcome runMeasure(const Options &options) {
  llvm::Expected<projection::Profile> profile = measureSources(options);
  if (!profile) return badInput(options, profile.takeError());
  Outcome outcome;
  std::string json = llvm::formatv("{0:2}\n", projection::toJson(*profile)).str();
  if (options.format == Format::Json) {
    outcome.output = json;
    return outcome;
  }
  // The profile is for the machine; what stands in it for people.
  llvm::raw_string_ostream text(outcome.output);
  projection::writeProfileText(*profile, text);
  return outcome;
}

} // namespace busfare::frontend
