//===- clang-plugin/CrossUnit.cpp - Calls followed from unit to unit ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/CrossUnit.h"
#include "clang-plugin/RecordUses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

namespace busfare::frontend {

std::vector<std::string> tagsOf(llvm::ArrayRef<Source> sources) {
  std::vector<std::string> tags;
  std::set<std::string> taken;
  for (const Source &source : sources) {
    std::string base = llvm::sys::path::stem(source.file).str();
    for (char &c : base)
      if (!llvm::isAlnum(c))
        c = '_';
    std::string tag = base;
    for (unsigned k = 2; !taken.insert(tag).second; ++k)
      tag = base + "_" + std::to_string(k);
    tags.push_back(tag);
  }
  return tags;
}

namespace {

using Interfaces = std::map<std::string, std::string>; ///< By symbol, as JSON.

class Follower {
public:
  Follower(llvm::ArrayRef<Source> sources, llvm::ArrayRef<std::string> tags, const skeleton::Resolved &resolved,
           std::vector<UnitText> &texts, ReadTasks read)
      : sources(sources), tags(tags), resolved(resolved), texts(texts), read(read), given(sources.size()),
        readings(sources.size()), isAlone(sources.size()), records(agreedRecords()) {}

  llvm::Error run() {
    for (std::vector<size_t> pending = unitsToRead(); !pending.empty(); pending = unitsToRead()) {
      giveUp(pending);
      if (llvm::Error error = readAgain(ready(pending)))
        return error;
    }
    return llvm::Error::success();
  }

private:
  /// Units that call each other are read in turns. Who has been read so often is told no more news: calls of what still
  /// changes stay opaque.
  static constexpr unsigned mostReadings = 6;

  llvm::ArrayRef<Source> sources;
  llvm::ArrayRef<std::string> tags;
  const skeleton::Resolved &resolved;
  std::vector<UnitText> &texts;
  ReadTasks read;
  std::vector<Interfaces> given;  ///< With which each unit was last read.
  std::vector<unsigned> readings;
  std::vector<bool> isAlone;      ///< Units that can only be read by themselves.
  std::vector<std::string> records; ///< What holds of each unit's records, as JSON; the same at all its readings.
  std::set<std::string> givenUp;  ///< Symbols that stay opaque.

  std::vector<std::string> agreedRecords() const {
    std::vector<const std::string *> said;
    std::vector<skeleton::UnitSymbols> symbols;
    std::vector<bool> runsOutside;
    for (const UnitText &text : texts) {
      auto uses = text.variables.find(recordUsesSymbol);
      said.push_back(text.parsed && text.lost.empty() && uses != text.variables.end() ? &uses->second : nullptr);
      symbols.push_back(text.symbols);
      runsOutside.push_back(text.variables.count(outsideMainSymbol) != 0);
    }
    return agreeOnRecords(said, symbols, resolved, runsOutside);
  }

  Interfaces wanted(size_t unit) const {
    Interfaces result;
    if (isAlone[unit] || !texts[unit].parsed)
      return result;
    for (const std::string &symbol : resolved.followed[unit]) {
      size_t definer = resolved.definers[unit].at(symbol);
      if (definer >= texts.size() || !texts[definer].parsed || givenUp.count(symbol))
        continue;
      if (auto known = texts[definer].interfaces.find(symbol); known != texts[definer].interfaces.end())
        result.insert(*known);
    }
    for (const auto &[symbol, definer] : resolved.definers[unit])
      if (definer < texts.size() && texts[definer].parsed)
        if (auto known = texts[definer].variables.find(symbol); known != texts[definer].variables.end())
          result.insert(*known);
    if (!records[unit].empty()) {
      result.insert({recordFactsSymbol, records[unit]});
      for (const std::string &symbol : targetsIn(records[unit])) // it has not called them by their names before
        for (size_t other = 0; other < texts.size() && !result.count(symbol) && !givenUp.count(symbol); ++other)
          if (auto known = texts[other].interfaces.find(symbol); other != unit && texts[other].parsed && known != texts[other].interfaces.end())
            result.insert(*known);
    }
    if (texts[unit].symbols.hasMain)
      for (size_t other = 0; other < texts.size(); ++other)
        if (auto known = texts[other].variables.find(outsideMainSymbol); known != texts[other].variables.end() && other != unit && isLinkedWith(other, unit))
          result.insert({known->first + std::to_string(other), known->second});
    return result;
  }

  /// Are they in one program, or does the first use what one of the second's programs defines? Nothing needs to call a
  /// unit whose objects are made before main.
  bool isLinkedWith(size_t other, size_t unit) const {
    auto isUsed = [&](size_t one) {
      return one == other || llvm::any_of(resolved.definers[other], [&](const auto &used) { return used.second == one; });
    };
    return llvm::any_of(resolved.programs, [&](const std::vector<size_t> &program) {
      return llvm::is_contained(program, unit) && llvm::any_of(program, isUsed);
    });
  }

  std::vector<size_t> unitsToRead() const {
    std::vector<size_t> pending;
    for (size_t unit = 0; unit < sources.size(); ++unit)
      if (wanted(unit) != given[unit])
        pending.push_back(unit);
    return pending;
  }

  /// Those whose callees are settled; all, if units call each other in a circle.
  std::vector<size_t> ready(const std::vector<size_t> &pending) const {
    std::vector<size_t> result;
    for (size_t unit : pending)
      if (llvm::none_of(resolved.followed[unit], [&](const std::string &symbol) {
            return llvm::is_contained(pending, resolved.definers[unit].at(symbol));
          }))
        result.push_back(unit);
    return result.empty() ? pending : result;
  }

  void giveUp(const std::vector<size_t> &pending) {
    for (size_t unit : pending) {
      if (readings[unit] < mostReadings)
        continue;
      Interfaces now = wanted(unit);
      for (const auto &[symbol, interface] : now)
        if (auto known = given[unit].find(symbol); known == given[unit].end() || known->second != interface)
          givenUp.insert(symbol);
    }
  }

  llvm::Error readAgain(const std::vector<size_t> &units) {
    std::vector<UnitTask> tasks;
    std::vector<Interfaces> interfaces;
    for (size_t unit : units) {
      interfaces.push_back(wanted(unit));
      std::string list;
      for (const auto &[symbol, interface] : interfaces.back())
        list += (list.empty() ? "[" : ",") + interface;
      tasks.push_back({&sources[unit], tags[unit], list.empty() ? list : list + "]"});
    }
    llvm::Expected<std::vector<UnitText>> again = read(tasks);
    if (!again)
      return again.takeError();
    for (size_t k = 0; k < units.size(); ++k) {
      size_t unit = units[k];
      ++readings[unit];
      bool isRead = (*again)[k].lost.empty() && (*again)[k].parsed;
      if (!isRead && !interfaces[k].empty()) {
        isAlone[unit] = true; // better opaque calls than no unit
        continue;
      }
      texts[unit] = std::move((*again)[k]);
      texts[unit].given = std::move(tasks[k].interfaces);
      given[unit] = std::move(interfaces[k]);
    }
    return llvm::Error::success();
  }
};

} // namespace

llvm::Error followAcrossUnits(llvm::ArrayRef<Source> sources, llvm::ArrayRef<std::string> tags, const skeleton::Resolved &resolved,
                              std::vector<UnitText> &texts, ReadTasks read) {
  return Follower(sources, tags, resolved, texts, read).run();
}

} // namespace busfare::frontend
