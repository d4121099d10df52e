//===- clang-plugin/units/Driver.cpp - From sources to programs ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "CrossUnit.h"
#include "LinkLines.h"
#include "Threads.h"
#include "clang-plugin/records/RecordUses.h"
#include "skeleton/InBounds.h"
#include "skeleton/Parse.h"
#include "skeleton/Verify.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include <map>
#include <optional>
#include <set>

using llvm::StringRef;

namespace busfare::frontend {

//===--- Skeletons --------------------------------------------------------===//

/// Several skeletons may stand in one file, one behind the other, as `extract a.c b.c` leaves them. Each part keeps
/// its line numbers by the empty lines before it.
static std::vector<std::string> partsOf(StringRef text) {
  std::vector<std::string> parts;
  std::string blank, current;
  bool begun = false;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    StringRef word = line.trim();
    if (word.consume_front("skeleton") && word.trim() == "1" && begun) {
      parts.push_back(std::move(current));
      current = blank;
      begun = false;
    }
    begun |= line.trim().starts_with("skeleton");
    current += line.str() + "\n";
    blank += "\n";
    text = rest;
  }
  parts.push_back(std::move(current));
  return parts;
}

static llvm::Error readSkeletons(StringRef file, std::vector<ReadUnit> &units) {
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer = openText(file);
  if (!buffer) return buffer.takeError();
  for (const std::string &part : partsOf((*buffer)->getBuffer())) {
    llvm::Expected<skeleton::Program> program = skeleton::parse(part, file);
    if (!program) return program.takeError();
    if (llvm::Error error = skeleton::verify(*program)) return error;
    if (llvm::Error error = skeleton::refuseOutOfBounds(*program)) return error;
    units.push_back({file.str(), std::move(*program), {}, {}, digestOf(part)});
  }
  return llvm::Error::success();
}

//===--- Headers that are not found ---------------------------------------===//

/// `heat.h` of "'heat.h' file not found" (or "... with <angled> include"); empty of any other message.
static StringRef missingHeader(const UnitText &unit) {
  for (const Diagnostic &error : unit.errors) {
    auto [quoted, rest] = StringRef(error.message).split(" file not found");
    if (quoted.size() < error.message.size() && quoted.consume_front("'") && quoted.consume_back("'")) return quoted;
  }
  return "";
}

namespace {
/// The files below the folders of the command line, by their last name.
class HeaderIndex {
public:
  /// The folder from which `header` is found, the nearest to the unit; empty if there is none.
  std::string folderOf(StringRef header, const Source &source) {
    auto [entry, isNew] = roots.try_emplace(source.root);
    if (isNew)
      forEachFileBelow(source.root, [&](StringRef file) {
        entry->second[llvm::sys::path::filename(file).str()].push_back(file.str());
      });
    auto known = entry->second.find(llvm::sys::path::filename(header).str());
    std::string best;
    size_t bestCommon = 0;
    if (known == entry->second.end()) return best;
    for (StringRef folder : known->second) {
      if (!folder.consume_back(header) || !folder.consume_back("/")) continue;
      size_t common =
          std::mismatch(folder.begin(), folder.end(), source.file.begin(), source.file.end()).first - folder.begin();
      if (best.empty() || common > bestCommon) {
        best = folder.str();
        bestCommon = common;
      }
    }
    return best;
  }

private:
  std::map<std::string, std::map<std::string, std::vector<std::string>>> roots;
};
} // namespace

/// Reads again, with one more folder each, what lacks a header that is there, until nothing more is found.
static llvm::Error findHeaders(std::vector<Source> &sources, llvm::ArrayRef<std::string> tags,
                               std::vector<UnitText> &texts, UnitReader &reader, std::vector<std::string> &guessed) {
  constexpr unsigned mostRounds = 16;
  HeaderIndex index;
  std::set<std::string> all;
  for (unsigned round = 0; round < mostRounds; ++round) {
    std::vector<size_t> again;
    for (size_t i = 0; i < sources.size(); ++i) {
      StringRef header = sources[i].root.empty() ? StringRef() : missingHeader(texts[i]);
      std::string folder = header.empty() ? "" : index.folderOf(header, sources[i]);
      if (folder.empty() || llvm::is_contained(sources[i].arguments, "-I" + folder)) continue;
      sources[i].arguments.push_back("-I" + folder);
      all.insert(folder);
      again.push_back(i);
    }
    if (again.empty()) break;
    std::vector<UnitTask> some;
    for (size_t i : again) some.push_back(firstReading(sources[i], tags[i], sources.size()));
    llvm::Expected<std::vector<UnitText>> more = reader.read(some);
    if (!more) return more.takeError();
    for (size_t k = 0; k < again.size(); ++k) texts[again[k]] = std::move((*more)[k]);
  }
  guessed.assign(all.begin(), all.end());
  return llvm::Error::success();
}

//===--- OpenMP -----------------------------------------------------------===//

/// Is it read with OpenMP? So is what has directives, unless it is told not to (extractUnit).
static bool usesOpenMP(const Source &source) {
  if (llvm::any_of(source.arguments, [](StringRef one) { return one.starts_with("-fopenmp"); })) return true;
  if (llvm::is_contained(source.arguments, "-fno-openmp")) return false;
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> text = openText(source.file);
  if (!text) {
    llvm::consumeError(text.takeError()); // whoever reads it will say so
    return false;
  }
  return (*text)->getBuffer().contains("pragma omp");
}

static std::vector<skeleton::UnitSymbols> symbolsOf(llvm::ArrayRef<Source> sources, llvm::ArrayRef<UnitText> texts) {
  std::vector<skeleton::UnitSymbols> all; // those that were lost included
  for (size_t k = 0; k < sources.size(); ++k) {
    all.push_back(texts[k].parsed ? texts[k].symbols : skeleton::UnitSymbols());
    all.back().file = sources[k].file;
  }
  return all;
}

/// One program is compiled with OpenMP or without: where one unit of it has directives, `_OPENMP` is defined in the
/// others, if that matters to them.
static llvm::Error agreeOnOpenMP(std::vector<Source> &sources, llvm::ArrayRef<std::string> tags,
                                 std::vector<UnitText> &texts, UnitReader &reader) {
  std::vector<bool> uses;
  for (const Source &source : sources) uses.push_back(usesOpenMP(source));
  std::set<size_t> lacking;
  for (const std::vector<size_t> &program :
       skeleton::resolve(symbolsOf(sources, texts), linkedBuildOf(sources)).programs)
    if (llvm::any_of(program, [&](size_t k) { return uses[k]; }))
      for (size_t k : program)
        if (!uses[k] && texts[k].parsed && texts[k].asksForOpenMP &&
            !llvm::is_contained(sources[k].arguments, "-fno-openmp"))
          lacking.insert(k);
  if (lacking.empty()) return llvm::Error::success();
  std::vector<Source> others;
  for (size_t k : lacking) {
    others.push_back(sources[k]);
    others.back().arguments.push_back("-fopenmp");
  }
  std::vector<UnitTask> some;
  size_t at = 0;
  for (size_t k : lacking) some.push_back(firstReading(others[at++], tags[k], sources.size()));
  llvm::Expected<std::vector<UnitText>> more = reader.read(some);
  if (!more) return more.takeError();
  at = 0;
  for (size_t k : lacking) {
    if ((*more)[at].parsed) {
      texts[k] = std::move((*more)[at]);
      sources[k] = std::move(others[at]);
    }
    ++at;
  }
  return llvm::Error::success();
}

//===--- Reading ----------------------------------------------------------===//

static FailedUnit failureOf(const Source &source, const UnitText &text) {
  if (!text.lost.empty())
    return {source.file, text.lost, text.lost == readingTimeIsUp ? FailedUnit::Cause::Time : FailedUnit::Cause::Busfare,
            ""};
  FailedUnit failed{source.file, "could not be parsed", FailedUnit::Cause::Source, missingHeader(text).str()};
  if (!failed.missingHeader.empty())
    failed.why += ": '" + failed.missingHeader +
                  "' is not found; `-- -I FOLDER` says where it is, or `-p BUILD` with a compile_commands.json";
  else if (!text.errors.empty()) failed.why += ": " + text.errors.front().message;
  return failed;
}

/// What came back as text, as programs: in parallel, for large units take a while. The symbols of those that are there
/// go into `symbols`, in the same order; into `places` by source where they are among those, or nothing.
static void addUnits(llvm::ArrayRef<Source> sources, llvm::ArrayRef<UnitText> texts, unsigned jobs, ReadResult &result,
                     std::vector<skeleton::UnitSymbols> &symbols, std::vector<std::optional<size_t>> &places) {
  places.resize(texts.size());
  std::vector<std::optional<skeleton::Program>> programs(texts.size());
  std::vector<std::string> wrong(texts.size());
  std::vector<std::string> crashes = forEachOnOwnThread(texts.size(), jobs, [&](size_t i) {
    if (!texts[i].parsed) return;
    llvm::Expected<skeleton::Program> program = skeleton::parse(texts[i].skeleton, sources[i].file);
    if (program) programs[i] = std::move(*program);
    else wrong[i] = llvm::toString(program.takeError());
  });
  for (size_t i = 0; i < texts.size(); ++i) {
    llvm::append_range(result.errors, texts[i].errors);
    if (programs[i]) {
      places[i] = result.units.size();
      result.units.push_back(
          {sources[i].file, std::move(*programs[i]), texts[i].leftOut, texts[i].loops, digestOf(texts[i].skeleton)});
      symbols.push_back(texts[i].symbols);
      symbols.back().file = sources[i].file;
    } else if (!texts[i].parsed) {
      result.failed.push_back(failureOf(sources[i], texts[i]));
    } else {
      result.failed.push_back({sources[i].file,
                               "its skeleton cannot be read back, which is busfare's mistake: " +
                                   (crashes[i].empty() ? wrong[i] : crashes[i]),
                               FailedUnit::Cause::Busfare, ""});
    }
  }
}

//===--- Programs ---------------------------------------------------------===//

/// "`init` is defined in a.c and b.c, ..."
static std::string noteOf(const skeleton::Ambiguity &one, llvm::ArrayRef<skeleton::UnitSymbols> units) {
  std::string files;
  for (size_t k = 0; k < one.definers.size() && k < 3; ++k) files += (k ? " and " : "") + units[one.definers[k]].file;
  if (one.definers.size() == 1)
    return "`" + one.symbol + "` is defined in " + files + ", which not all programs with " + units[one.user].file +
           " have: a call of it is opaque";
  return "`" + one.symbol + "` is defined in " + files + (one.definers.size() > 3 ? " and others" : "") +
         "; which of them " + units[one.user].file +
         " uses is not known, and a call of it is opaque: name the units of one program";
}

static void findPrograms(llvm::ArrayRef<skeleton::UnitSymbols> symbols, const skeleton::LinkedBuild &build,
                         ReadResult &result) {
  constexpr size_t mostNotes = 5;
  skeleton::Resolved resolved = skeleton::resolve(symbols, build);
  result.programs = std::move(resolved.programs);
  std::set<std::string> noted;
  for (const skeleton::Ambiguity &one : resolved.ambiguities)
    if (noted.insert(one.symbol).second && noted.size() <= mostNotes) result.notes.push_back(noteOf(one, symbols));
  if (noted.size() > mostNotes)
    result.notes.push_back("... and " + std::to_string(noted.size() - mostNotes) +
                           " more symbols are defined in several units");
}

llvm::Expected<ReadResult> readUnits(llvm::ArrayRef<Source> sources, const ReadOptions &options,
                                     llvm::function_ref<void(size_t, bool)> before) {
  ReadResult result;
  result.cache = options.cache;
  // Skeletons first: an error in one ends it all, before work is done for nothing.
  std::vector<ReadUnit> skeletons;
  std::vector<size_t> places; ///< Of the units.
  std::vector<Source> units;
  std::vector<skeleton::UnitSymbols> symbols;
  skeleton::LinkedBuild build;
  for (size_t i = 0; i < sources.size(); ++i)
    if (!sources[i].isSkeleton) {
      places.push_back(i);
      units.push_back(sources[i]);
    } else {
      before(i, false);
      if (llvm::Error error = readSkeletons(sources[i].file, skeletons)) return error;
    }
  if (!units.empty()) {
    UnitReader reader(options.jobs, options.limits, options.cache);
    std::vector<std::string> tags = tagsOf(units);
    std::vector<UnitTask> tasks;
    for (size_t k = 0; k < units.size(); ++k) tasks.push_back(firstReading(units[k], tags[k], units.size()));
    llvm::Expected<std::vector<UnitText>> texts = reader.read(tasks, [&](size_t k) { before(places[k], false); });
    if (!texts) return texts.takeError();
    if (options.guessFolders)
      if (llvm::Error error = findHeaders(units, tags, *texts, reader, result.guessedFolders)) return error;
    if (llvm::Error error = agreeOnOpenMP(units, tags, *texts, reader)) return error;
    if (!skeletons.empty()) // who may write what behind them is not known
      for (UnitText &text : *texts) text.variables.erase(recordUsesSymbol);
    if (llvm::Error error = followAcrossUnits(
            units, tags, skeleton::resolve(symbolsOf(units, *texts), linkedBuildOf(units)), *texts,
            {[&](llvm::ArrayRef<UnitTask> some) {
               return reader.read(some, [&](size_t k) { before(places[size_t(some[k].source - units.data())], true); });
             },
             options.jobs}))
      return error;
    if (std::string note = reader.note(); !note.empty()) result.notes.push_back(std::move(note));
    std::vector<std::optional<size_t>> unitPlaces;
    addUnits(units, *texts, options.jobs, result, symbols, unitPlaces);
    build = linkedBuildOf(units);
    if (units.size() > 1) result.programsFrom = programsNote(units, build);
    build = skeleton::moved(build, unitPlaces);
  }
  for (const ReadUnit &unit : skeletons) {
    symbols.push_back(skeleton::symbolsOf(unit.program));
    symbols.back().file = unit.file;
  }
  std::move(skeletons.begin(), skeletons.end(), std::back_inserter(result.units));
  findPrograms(symbols, build, result);
  return result;
}

} // namespace busfare::frontend
