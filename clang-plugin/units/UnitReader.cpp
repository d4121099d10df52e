//===- clang-plugin/units/UnitReader.cpp - Units read, or known from before -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "UnitReader.h"
#include "Identity.h"
#include "LeftSources.h"
#include "Threads.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"

using llvm::StringRef;

namespace busfare::frontend {

/// What Clang's driver takes from the environment for where headers are and what the flags mean.
static std::string environment() {
  std::string all;
  for (const char *name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "SDKROOT", "COMPILER_PATH",
                           "GCC_EXEC_PREFIX", "CCC_OVERRIDE_OPTIONS", "CLANG_CONFIG_FILE_SYSTEM_DIR",
                           "CLANG_CONFIG_FILE_USER_DIR", "CLANG_NO_DEFAULT_CONFIG", "HOME"})
    all += std::string(name) + "=" + llvm::sys::Process::GetEnv(name).value_or("?") + "\n";
  return all;
}

static std::string keyOf(const UnitTask &task) {
  llvm::SmallString<256> here(task.source->directory);
  if (here.empty()) (void)llvm::sys::fs::current_path(here);
  static const std::string around = environment();
  std::vector<StringRef> texts = {
      task.surveys ? "survey" : "unit", programIdentity(), around, here, task.source->file, task.tag, task.interfaces};
  for (const std::string &argument : task.source->arguments) texts.push_back(argument);
  return keyOf(texts);
}

//===--- Readings ---------------------------------------------------------===//

// The readings of a unit as a text: for each a line `reading`, then one a question and answer.
static constexpr StringRef beginning = "reading";
static constexpr size_t mostReadings = 8;

static std::string spelled(const FileAnswers &answers) {
  std::string text = beginning.str() + "\n";
  for (const auto &[question, answer] : answers) text += answer + " " + question + "\n";
  return text;
}

static std::vector<FileAnswers> readingsIn(StringRef text) {
  std::vector<FileAnswers> all;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    if (line == beginning) {
      all.emplace_back();
    } else if (!all.empty()) {
      auto [answer, question] = line.split(' ');
      all.back()[question.str()] = answer.str();
    }
  }
  return all;
}

static std::string keyOfReading(StringRef unit, const FileAnswers &answers) {
  return keyOf({"reading", unit, spelled(answers)});
}

std::optional<std::string> UnitReader::known(const std::string &key) {
  std::optional<std::string> readings = cache->load(key);
  if (!readings) return std::nullopt;
  for (const FileAnswers &answers : readingsIn(*readings))
    if (disk.areStill(answers))
      if (std::optional<std::string> text = cache->load(keyOfReading(key, answers))) return text;
  return std::nullopt;
}

void UnitReader::keep(const std::string &key, const FileAnswers &answers, const std::string &text) {
  // A line break in a path would end a line.
  if (llvm::any_of(answers, [](const auto &one) { return StringRef(one.first).contains('\n'); })) return;
  std::string readings = spelled(answers);
  std::vector<FileAnswers> before = readingsIn(cache->load(key).value_or(""));
  size_t count = 1;
  for (const FileAnswers &one : before)
    if (one != answers && count++ < mostReadings) readings += spelled(one);
  cache->store(keyOfReading(key, answers), text);
  cache->store(key, readings);
}

//===--- Units that a build has left --------------------------------------===//

/// Tags are known only now.
static std::string tagged(std::string text, StringRef tag) {
  const std::string from = std::string("@") + tagOfLeftUnits, to = "@" + tag.str();
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

std::optional<UnitText> UnitReader::leftReading(const UnitTask &task) {
  const Source &source = *task.source;
  if (!source.left) return std::nullopt;
  const bool isHere = hasSource(source);
  // With what other units say of it it has to be read again.
  if (isHere && !task.interfaces.empty()) return std::nullopt;
  if (!isHere) {
    withoutSource.insert(source.file);
    return unitOf(task.interfaces.empty() ? UnitAnswer{tagged(source.left->text, task.tag), ""}
                                          : UnitAnswer{"", "its source is not here"});
  }
  const bool isSame =
      !ownPluginId().empty() && source.left->plugin == ownPluginId() && disk.areStill(source.left->asked);
  const bool isWhole = isSame && !source.left->lacksOpenMP;
  (isWhole ? asLeft : isSame ? withoutDirectives : changed).insert(source.file);
  return isWhole ? std::optional(unitOf({tagged(source.left->text, task.tag), ""})) : std::nullopt;
}

std::string UnitReader::note() const {
  const size_t all = asLeft.size() + changed.size() + withoutDirectives.size() + withoutSource.size();
  if (all == 0) return "";
  std::string text = std::to_string(asLeft.size()) + " of " + std::to_string(all) + " units are as the build left them";
  if (!changed.empty())
    text += "; " + std::to_string(changed.size()) +
            " were read again, for they, what they include or their flags changed, or another busfare left them";
  if (!withoutDirectives.empty())
    text += "; " + std::to_string(withoutDirectives.size()) +
            " were read again with -fopenmp, for they have directives and were compiled without it";
  if (!withoutSource.empty())
    text += "; the sources of " + std::to_string(withoutSource.size()) +
            " are not here as they were compiled: their calls of other units are not followed";
  return text;
}

//===--- All --------------------------------------------------------------===//

llvm::Expected<std::vector<UnitText>> UnitReader::read(llvm::ArrayRef<UnitTask> tasks,
                                                       llvm::function_ref<void(size_t)> before) {
  std::vector<UnitText> units(tasks.size());
  std::vector<std::string> keys(tasks.size());
  std::vector<char> isKnown(tasks.size()); // not bool: threads write to them
  for (size_t i = 0; i < tasks.size(); ++i)
    if (std::optional<UnitText> left = leftReading(tasks[i])) {
      units[i] = std::move(*left);
      isKnown[i] = true;
    }
  if (cache)
    forEachOnOwnThread(tasks.size(), jobs, [&](size_t i) {
      if (isKnown[i]) return;
      keys[i] = keyOf(tasks[i]);
      std::optional<std::string> text = known(keys[i]);
      if (!text) return;
      units[i] = unitOf({std::move(*text), ""});
      isKnown[i] = units[i].lost.empty();
    });
  std::vector<size_t> places;
  std::vector<UnitTask> rest;
  for (size_t i = 0; i < tasks.size(); ++i)
    if (!isKnown[i]) {
      places.push_back(i);
      rest.push_back(tasks[i]);
    }
  if (rest.empty()) return units;
  llvm::Expected<std::vector<UnitAnswer>> answers = readInWorkers(rest, jobs, limits, [&](size_t k) {
    if (before) before(places[k]);
  });
  if (!answers) return answers.takeError();
  for (size_t k = 0; k < rest.size(); ++k) {
    UnitAnswer &answer = (*answers)[k];
    std::optional<FileAnswers> asked = takeFiles(answer);
    UnitText &unit = units[places[k]] = unitOf(answer);
    if (cache && asked && unit.lost.empty()) keep(keys[places[k]], *asked, answer.text);
    answer = {};
  }
  return units;
}

} // namespace busfare::frontend
