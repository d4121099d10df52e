//===- clang-plugin/port/Open.cpp - Sources, read and opened together ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Several sources are first read as analyze reads them, which settles what each is told of
// the others (CrossUnit.h). Then they are read once more, one inside the other, so that
// all are open at once:
//
//   main.c, step.c  ->  [step.c is read; main.c with what step.c says of step()]  ->  one program
//
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/Units.h"
#include "clang-plugin/units/CrossUnit.h"
#include "clang-plugin/units/LinkLines.h"
#include "clang-plugin/walk/Extract.h"
#include "skeleton/Directive.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::frontend::port {

namespace {

/// One source that is open.
struct OpenUnit {
  size_t source;
  clang::ASTContext &context;
  const skeleton::Program &program;
  const UnitPoints &points;
};

class Opener {
public:
  Opener(llvm::ArrayRef<Source> sources, const OpenOptions &options, llvm::function_ref<llvm::Error(OpenSources &)> use)
      : sources(sources), options(options), use(use), others(sources.size()), symbols(sources.size()),
        lost(sources.size()) {}

  llvm::Error readOthers();
  llvm::Error open(size_t next);

private:
  llvm::ArrayRef<Source> sources;
  const OpenOptions &options;
  llvm::function_ref<llvm::Error(OpenSources &)> use;
  std::vector<OtherUnits> others;
  std::vector<skeleton::UnitSymbols> symbols;
  std::vector<std::string> lost; ///< Why a unit could not be read by a process of its own; mostly empty.
  std::vector<OpenUnit> units;
  OpenSources result;

  std::vector<std::vector<size_t>> programs() const;
  void link(const std::vector<size_t> &members, const std::vector<unsigned> &uses);
};

} // namespace

/// What the last readings of the units are told of each other.
llvm::Error Opener::readOthers() {
  std::vector<std::string> tags = tagsOf(sources);
  std::vector<UnitTask> tasks;
  for (size_t k = 0; k < sources.size(); ++k) tasks.push_back({&sources[k], tags[k], ""});
  UnitReader reader(options.jobs, {}, nullptr); // this process reads them all once more in any case
  auto read = [&](llvm::ArrayRef<UnitTask> some) { return reader.read(some); };
  llvm::Expected<std::vector<UnitText>> texts = read(tasks);
  if (!texts) return texts.takeError();
  for (size_t k = 0; k < sources.size(); ++k) {
    lost[k] = (*texts)[k].lost;
    symbols[k] = (*texts)[k].parsed ? (*texts)[k].symbols : skeleton::UnitSymbols();
    symbols[k].file = sources[k].file;
  }
  if (llvm::Error error = followAcrossUnits(sources, tags, skeleton::resolve(symbols, linkedBuildOf(sources)), *texts,
                                            {read, {}, false}))
    return error;
  for (size_t k = 0; k < sources.size(); ++k) {
    others[k].tag = tags[k];
    if (llvm::Expected<llvm::json::Value> list =
            llvm::json::parse((*texts)[k].given.empty() ? "[]" : (*texts)[k].given))
      others[k].interfaces = std::move(*list->getAsArray());
    else llvm::consumeError(list.takeError());
  }
  return llvm::Error::success();
}

static std::string failureOf(const Source &source, const ExtractResult &extracted) {
  for (const Diagnostic &diagnostic : extracted.diagnostics)
    if (diagnostic.level == skeleton::Level::Error)
      return toString(diagnostic.location) + ": error: " + diagnostic.message;
  return source.file + ": cannot be parsed";
}

/// Places in `units`.
std::vector<std::vector<size_t>> Opener::programs() const {
  std::vector<size_t> all;
  std::vector<skeleton::UnitSymbols> read;
  std::vector<std::optional<size_t>> places(sources.size());
  for (size_t k = 0; k < units.size(); ++k) {
    all.push_back(k);
    places[units[k].source] = k;
    read.push_back(symbols[units[k].source]);
  }
  if (units.size() < 2 || options.grouping == Grouping::One)
    return units.empty() ? std::vector<std::vector<size_t>>() : std::vector<std::vector<size_t>>{all};
  return skeleton::resolve(read, skeleton::moved(linkedBuildOf(sources), places)).programs;
}

void Opener::link(const std::vector<size_t> &members, const std::vector<unsigned> &uses) {
  std::vector<const skeleton::Program *> parts;
  for (size_t member : members) parts.push_back(&units[member].program);
  std::vector<skeleton::LinkedNames> names(1);
  skeleton::Program program = parts.size() == 1 ? *parts.front() : skeleton::link(parts, &names);
  if (options.trustsDirectives) skeleton::trustDirectives(program);
  std::vector<ProgramUnit> own;
  for (size_t k = 0; k < members.size(); ++k) {
    const OpenUnit &unit = units[members[k]];
    own.push_back({sources[unit.source].file, &unit.context, inProgramNames(unit.program, unit.points, names[k]),
                   uses[members[k]] > 1});
  }
  result.programs.push_back(openProgram(std::move(program), std::move(own)));
}

llvm::Error Opener::open(size_t next) {
  if (next == sources.size()) {
    std::vector<std::vector<size_t>> groups = programs();
    std::vector<unsigned> uses(units.size());
    for (const std::vector<size_t> &members : groups)
      for (size_t member : members) ++uses[member];
    for (const std::vector<size_t> &members : groups) link(members, uses);
    return use(result);
  }
  const Source &source = sources[next];
  if (!lost[next].empty()) { // this process would not survive it either
    result.failures.push_back(source.file + ": " + lost[next]);
    return open(next + 1);
  }
  llvm::Error failure = llvm::Error::success();
  bool wasRead = false;
  others[next].wantsPoints = true;
  ExtractResult extracted = extractUnit(
      source.file, source.arguments, source.directory,
      [&](clang::ASTContext &context, const skeleton::Program &program, const UnitPoints &points) {
        wasRead = true;
        units.push_back({next, context, program, points});
        failure = llvm::joinErrors(std::move(failure), open(next + 1));
      },
      others[next]);
  if (wasRead) return failure;
  result.failures.push_back(failureOf(source, extracted));
  return llvm::joinErrors(std::move(failure), open(next + 1));
}

llvm::Error withPrograms(llvm::ArrayRef<Source> sources, const OpenOptions &options,
                         llvm::function_ref<llvm::Error(OpenSources &)> use) {
  Opener opener(sources, options, use);
  if (sources.size() > 1)
    if (llvm::Error error = opener.readOthers()) return error;
  return opener.open(0);
}

llvm::Error withUnit(const Source &source, llvm::function_ref<llvm::Error(OpenProgram &)> use) {
  return withPrograms(source, {}, [&](OpenSources &open) -> llvm::Error {
    if (!open.failures.empty())
      return llvm::createStringError(llvm::inconvertibleErrorCode(), "%s", open.failures.front().c_str());
    return use(*open.programs.front());
  });
}

} // namespace busfare::frontend::port
