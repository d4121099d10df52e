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

#include "clang-plugin/port/OtherSettings.h"
#include "clang-plugin/port/Units.h"
#include "clang-plugin/units/CrossUnit.h"
#include "clang-plugin/units/LinkLines.h"
#include "clang-plugin/walk/Extract.h"
#include "skeleton/Directive.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::frontend::port {

namespace {

/// One source that is open.
struct OpenUnit {
  size_t source;
  clang::ASTContext &context;
  const skeleton::Program &program;
  const UnitReadings &readings;
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
  ProgramReading linked(const std::vector<size_t> &members, const std::vector<unsigned> &uses,
                        std::optional<size_t> overSettings) const;
  void link(const std::vector<size_t> &members, const std::vector<unsigned> &uses);
};

} // namespace

/// Which program of those that the sources are, and which of its readings over settings.
struct PlaceOfReading {
  size_t program, reading;
};
/// Read again with other settings, does it say the same?
static bool isSameAt(const std::vector<std::string> &words, std::vector<Source> sources, const OpenOptions &options,
                     PlaceOfReading place, const skeleton::Program &program);

/// What the last readings of the units are told of each other.
llvm::Error Opener::readOthers() {
  std::vector<std::string> tags = tagsOf(sources);
  std::vector<UnitTask> tasks;
  for (size_t k = 0; k < sources.size(); ++k) tasks.push_back(firstReading(sources[k], tags[k], sources.size()));
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

ProgramReading Opener::linked(const std::vector<size_t> &members, const std::vector<unsigned> &uses,
                              std::optional<size_t> overSettings) const {
  auto over = [&](const OpenUnit &unit) {
    return overSettings && *overSettings < unit.readings.overSettings.size()
               ? &unit.readings.overSettings[*overSettings]
               : nullptr;
  };
  std::vector<const skeleton::Program *> parts;
  for (size_t member : members) {
    const UnitReadings::OverSettings *one = over(units[member]);
    parts.push_back(one ? &one->program : &units[member].program);
  }
  std::vector<skeleton::LinkedNames> names(1);
  ProgramReading result{parts.size() == 1 ? *parts.front() : skeleton::link(parts, &names), {}};
  if (options.trustsDirectives) skeleton::trustDirectives(result.skeletons);
  for (size_t k = 0; k < members.size(); ++k) {
    const OpenUnit &unit = units[members[k]];
    const UnitReadings::OverSettings *one = over(unit);
    ProgramUnit own{sources[unit.source].file, &unit.context,
                    inProgramNames(*parts[k], one ? one->points : unit.readings.points, names[k]), uses[members[k]] > 1,
                    unit.readings.settings};
    for (const skeleton::Constant &constant : parts[k]->constants)
      if (constant.isSetting && !names[k].constants.count(constant.symbol)) own.symbols.insert(constant.symbol);
    result.units.push_back(std::move(own));
  }
  return result;
}

/// A symbol of the settings that is also a name of some unit's own would be taken for it.
static bool isTakenOtherwise(const skeleton::Program &program, const std::string &setting) {
  return llvm::any_of(program.functions, [&](const skeleton::Function &function) {
    bool isTaken = llvm::any_of(function.parameters, [&](const auto &one) { return one.name == setting; });
    skeleton::forEachNode(function.body, [&](const skeleton::Node &node) {
      if (const auto *loop = std::get_if<skeleton::Loop>(&node.kind)) isTaken |= loop->index == setting;
      if (const auto *define = std::get_if<skeleton::Define>(&node.kind)) isTaken |= define->symbol == setting;
    });
    return isTaken;
  });
}

void Opener::link(const std::vector<size_t> &members, const std::vector<unsigned> &uses) {
  std::vector<ProgramReading> overSettings;
  size_t readings = 0;
  for (size_t member : members) readings = std::max(readings, units[member].readings.overSettings.size());
  for (size_t k = 0; k < readings; ++k) overSettings.push_back(linked(members, uses, k));
  std::vector<skeleton::Program> programs;
  for (const ProgramReading &reading : overSettings) programs.push_back(reading.skeletons);
  auto holdsForOthers = [programs, all = sources.vec(), options = options,
                         place = result.programs.size()](size_t which) {
    const skeleton::Program &program = programs[which];
    const bool isClear = llvm::none_of(program.constants, [&](const skeleton::Constant &constant) {
      return constant.isSetting && isTakenOtherwise(program, constant.symbol);
    });
    return isClear && isSameAt(otherSettings(program), all, options, {place, which}, program);
  };
  result.programs.push_back(openProgram(linked(members, uses, std::nullopt), std::move(overSettings), holdsForOthers));
}

static bool isSameAt(const std::vector<std::string> &words, std::vector<Source> sources, const OpenOptions &options,
                     PlaceOfReading place, const skeleton::Program &program) {
  for (Source &source : sources) llvm::append_range(source.arguments, words);
  bool isSame = false;
  llvm::Error error = withPrograms(sources, options, [&](OpenSources &open) -> llvm::Error {
    if (!open.failures.empty() || place.program >= open.programs.size()) return llvm::Error::success();
    const skeleton::Program *other = open.programs[place.program]->overSettings(place.reading);
    isSame = other && saySame(program, *other);
    return llvm::Error::success();
  });
  if (error) llvm::consumeError(std::move(error));
  return isSame;
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
      [&](clang::ASTContext &context, const skeleton::Program &program, const UnitReadings &readings) {
        wasRead = true;
        units.push_back({next, context, program, readings});
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
