//===- clang-plugin/cli/PortCommand.cpp - busfare port -------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "clang-plugin/port/Port.h"
#include "clang-plugin/units/Threads.h"
#include "skeleton/Json.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include <set>

namespace busfare::frontend {
using namespace port;
using llvm::StringRef;
namespace json = llvm::json;
namespace path = llvm::sys::path;

template <class... Values> static llvm::Error wrong(const char *format, const Values &...values) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), format, values...);
}

//===--- What is asked ----------------------------------------------------===//

static llvm::Expected<PortOptions> portOptionsOf(const Options &options) {
  if (options.machines.size() > 1) return wrong("port is for one --machine: the plan depends on it");
  llvm::Expected<projection::Machine> machine =
      projection::loadMachine(options.machines.empty() ? projection::defaultMachine.str() : options.machines.front());
  if (!machine) return machine.takeError();
  PortOptions result;
  result.machine = std::move(*machine);
  result.functions = options.functions;
  result.parameters = options.parameters;
  result.iterations = options.iterations;
  result.variant = options.variant == "present"   ? Variant::Present
                   : options.variant == "watched" ? Variant::Watched
                   : options.variant == "ordered" ? Variant::Ordered
                                                  : Variant::Plain;
  result.kernels = kernelsOf(options.kernels, WhichKernels::Planned);
  result.oneThread = options.oneThread;
  result.plan = planOf(options.plan);
  result.chunks = options.chunks;
  result.guards = options.guards;
  result.runs = options.runs;
  result.manyRuns = options.manyRuns;
  result.threads = options.threads;
  return result;
}

static json::Value toJson(const std::optional<double> &bound) {
  return bound ? json::Value(*bound) : json::Value(nullptr);
}

static json::Object toJson(const PortedGuard &guard) {
  json::Array anyOf;
  for (const std::vector<projection::GuardTerm> &row : guard.guard.anyOf) {
    json::Array terms;
    for (const projection::GuardTerm &term : row)
      terms.push_back(json::Object{{"size", term.size}, {"from", toJson(term.from)}, {"to", toJson(term.to)}});
    anyOf.push_back(std::move(terms));
  }
  return json::Object{{"unit", guard.location.file.str()},  {"root", guard.root},
                      {"location", toJson(guard.location)}, {"flag", guard.flag},
                      {"condition", guard.condition},       {"any_of", std::move(anyOf)},
                      {"about", guard.guard.isAbout},       {"as_reported", guard.isReports}};
}

/// Units to port, each file once: a patch cannot change it in two ways.
static llvm::Expected<std::vector<Source>> unitsOf(const Options &options, std::vector<std::string> &messages) {
  if (options.inputs.empty() && options.buildPath.empty()) return wrong("port wants a source; see `busfare help port`");
  llvm::Expected<std::vector<Source>> sources = sourcesOf(options);
  if (!sources) return sources.takeError();
  std::vector<Source> units;
  std::set<std::pair<std::string, std::string>> seen;
  for (Source &source : *sources) {
    if (source.isSkeleton) return wrong("%s is a skeleton: there is no source in it to port", source.file.c_str());
    if (seen.insert({source.directory, source.file}).second) units.push_back(std::move(source));
    else
      messages.push_back("busfare: " + source.file + " is compiled more than once; it is ported for its first flags");
  }
  if (options.format == Format::Text && units.size() > 1)
    return wrong("the source of %zu units does not go into one output; ask for --format patch, or port them one by one",
                 units.size());
  return units;
}

static std::string absolute(const Source &source) {
  llvm::SmallString<256> file(source.file);
  if (!source.directory.empty()) llvm::sys::fs::make_absolute(source.directory, file);
  llvm::sys::fs::make_absolute(file);
  path::remove_dots(file, true);
  return file.str().str();
}

/// Relative to the current directory if it lies below that: `patch -p1` is run there.
static std::string patchName(const Source &source) {
  std::string file = absolute(source);
  llvm::SmallString<256> here;
  if (!llvm::sys::fs::current_path(here) && StringRef(file).starts_with((here + "/").str()))
    return file.substr(here.size() + 1);
  return file;
}

//===--- JSON -------------------------------------------------------------===//

static const char *directionOf(bool toDevice) { return toDevice ? "h2d" : "d2h"; }

static json::Value toJson(llvm::ArrayRef<Source> sources, const std::vector<PortedProgram> &programs,
                          StringRef variant) {
  json::Array files, copies, kernels, arrays, guards, streams, assumed, findings;
  for (const Source &source : sources) files.push_back(source.file);
  for (const PortedProgram &program : programs) {
    for (const PlannedCopy &copy : program.copies)
      copies.push_back(json::Object{{"unit", copy.at.file.str()},
                                    {"id", int64_t(copy.id)},
                                    {"root", copy.root},
                                    {"array", copy.array},
                                    {"direction", directionOf(copy.toDevice)},
                                    {"exact", copy.exact},
                                    {"at", toJson(copy.at)},
                                    {"section", copy.section},
                                    {"moved_bytes", copy.movedBytes},
                                    {"count", copy.count}});
    for (const PortedKernel &kernel : program.kernels)
      kernels.push_back(json::Object{{"unit", kernel.location.file.str()},
                                     {"root", kernel.root},
                                     {"location", toJson(kernel.location)},
                                     {"collapse", int64_t(kernel.collapse)},
                                     {"one_thread", kernel.oneThread}});
    for (const PortedArray &array : program.arrays)
      arrays.push_back(json::Object{{"unit", array.file},
                                    {"root", array.root},
                                    {"name", array.name},
                                    {"h2d_bytes", array.h2dBytes},
                                    {"d2h_bytes", array.d2hBytes}});
    for (const PortedGuard &guard : program.guards) guards.push_back(toJson(guard));
    for (const PortedStreams &one : program.streams)
      streams.push_back(json::Object{{"unit", one.location.file.str()},
                                     {"root", one.root},
                                     {"location", toJson(one.location)},
                                     {"chunks", int64_t(one.chunks)}});
    for (const std::string &size : program.assumedSizes) assumed.push_back(size);
    for (const skeleton::Finding &finding : program.findings)
      findings.push_back(json::Object{{"rule", skeleton::ruleId(finding.rule)},
                                      {"level", skeleton::toString(finding.level)},
                                      {"location", toJson(finding.location)},
                                      {"message", finding.message}});
  }
  return json::Object{{"schema_version", 1},
                      {"output", "port"},
                      {"tool", json::Object{{"name", "busfare"}, {"version", BUSFARE_VERSION}}},
                      {"variant", variant.empty() ? "plain" : variant},
                      {"units", std::move(files)},
                      {"copies", std::move(copies)},
                      {"kernels", std::move(kernels)},
                      {"arrays", std::move(arrays)},
                      {"guards", std::move(guards)},
                      {"streams", std::move(streams)},
                      {"assumed_sizes", std::move(assumed)},
                      {"findings", std::move(findings)}};
}

//===--- The command ------------------------------------------------------===//

/// The text of each source; one that stays as it is has no edits.
static std::vector<PortedFile> filesOf(llvm::ArrayRef<Source> sources, const std::vector<PortedProgram> &programs) {
  std::vector<PortedFile> files;
  for (const Source &source : sources) {
    const PortedFile *best = nullptr;
    for (const PortedProgram &program : programs)
      for (const PortedFile &file : program.files)
        if (file.file == source.file && (!best || best->edits.empty())) best = &file;
    files.push_back(*best);
  }
  return files;
}

static std::string outputOf(const Options &options, llvm::ArrayRef<Source> sources,
                            const std::vector<PortedProgram> &programs) {
  std::string text;
  std::vector<FileEdits> changes;
  std::vector<PortedFile> files = filesOf(sources, programs);
  switch (options.format) {
  case Format::Text:
  case Format::Csv: // which Options refuses here, and so the next seven
  case Format::Markdown:
  case Format::Html:
  case Format::Svg:
  case Format::JUnit:
  case Format::Sarif:
  case Format::Github:
  case Format::Gitlab: return files.front().text;
  case Format::Json: return llvm::formatv("{0:2}\n", toJson(sources, programs, options.variant)).str();
  case Format::Patch:
    for (const auto &[source, file] : llvm::zip_equal(sources, files))
      text += unifiedDiff(patchName(source), file.original, file.text);
    return text;
  case Format::Yaml:
    for (const auto &[source, file] : llvm::zip_equal(sources, files))
      changes.push_back({absolute(source), file.edits});
    return replacementsYaml(changes);
  }
  return text;
}

Outcome runPort(const Options &options) {
  llvm::Expected<PortOptions> portOptions = portOptionsOf(options);
  if (!portOptions) return badInput(options, portOptions.takeError());
  Outcome outcome;
  llvm::Expected<std::vector<Source>> sources = unitsOf(options, outcome.messages);
  if (!sources) return badInput(options, sources.takeError());
  std::vector<Source> read;
  std::vector<PortedProgram> programs;
  auto jobs = options.jobs ? options.jobs : coreCount();
  const OpenOptions openOptions{Grouping::Resolved, jobs, options.trustsDirectives};
  llvm::Error error = withPrograms(*sources, openOptions, [&](OpenSources &open) -> llvm::Error {
    for (const std::string &failure : open.failures) outcome.messages.push_back("busfare: " + failure);
    for (const std::unique_ptr<OpenProgram> &program : open.programs) {
      llvm::Expected<PortedProgram> ported = program->port(*portOptions);
      if (!ported) return ported.takeError();
      programs.push_back(std::move(*ported));
    }
    return llvm::Error::success();
  });
  if (error) return badInput(options, std::move(error));
  for (const Source &source : *sources)
    if (llvm::any_of(programs, [&](const PortedProgram &program) {
          return llvm::any_of(program.files, [&](const PortedFile &file) { return file.file == source.file; });
        }))
      read.push_back(source);
  if (read.empty()) {
    outcome.exitCode = BadInput;
    return outcome;
  }
  for (const std::string &name : options.functions)
    if (llvm::none_of(programs, [&](const PortedProgram &program) { return llvm::is_contained(program.roots, name); }))
      return badInput(options, wrong("--function: no function '%s'", name.c_str()));
  if (portOptions->variant != Variant::Ordered) // that one holds for any size
    for (const auto &[name, value] : options.parameters)
      if (llvm::none_of(programs, [&](const PortedProgram &program) {
            return llvm::is_contained(program.knownParameters, name);
          }))
        return badInput(options, wrong("--param %s: no size of this name in any unit", name.c_str()));
  if (read.size() < sources->size()) {
    outcome.exitCode = PartlyParsed;
    outcome.messages.push_back("busfare: " + std::to_string(sources->size() - read.size()) + " of " +
                               std::to_string(sources->size()) + " units could not be ported");
  }
  if (!options.quiet)
    for (const PortedProgram &program : programs)
      for (const skeleton::Finding &finding : program.findings) outcome.messages.push_back(toString(finding));
  outcome.output = outputOf(options, read, programs);
  return outcome;
}

} // namespace busfare::frontend
