//===- clang-plugin/units/CrossUnit.cpp - Calls followed from unit to unit -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CrossUnit.h"
#include "clang-plugin/records/RecordUses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <tuple>

namespace busfare::frontend {

std::vector<std::string> tagsOf(llvm::ArrayRef<Source> sources) {
  std::vector<std::string> tags;
  std::set<std::string> taken;
  for (const Source &source : sources) {
    std::string base = llvm::sys::path::stem(source.file).str();
    for (char &c : base)
      if (!llvm::isAlnum(c)) c = '_';
    std::string tag = base;
    for (unsigned k = 2; !taken.insert(tag).second; ++k) tag = base + "_" + std::to_string(k);
    tags.push_back(tag);
  }
  return tags;
}

namespace {

using Interfaces = std::map<std::string, std::string>; ///< By symbol, as JSON.

class Follower {
public:
  Follower(llvm::ArrayRef<Source> sources, llvm::ArrayRef<std::string> tags, const skeleton::Resolved &resolved,
           std::vector<UnitText> &texts, const FollowOptions &options)
      : sources(sources), tags(tags), resolved(resolved), texts(texts), options(options), alone(sources.size()),
        base(sources.size()), given(sources.size()), readings(sources.size()), isAlone(sources.size()),
        isUnread(sources.size()), records(agreedRecords()), ranks(sources.size()) {
    rankUnits();
    for (size_t unit = 0; unit < sources.size(); ++unit)
      isUnread[unit] = texts[unit].parsed && (texts[unit].isSurvey || !resolved.followed[unit].empty());
  }

  llvm::Error run() {
    if (llvm::Error error = readMains()) return error;
    for (std::vector<size_t> pending = unitsToRead(); !pending.empty() && !timeIsUp; pending = unitsToRead()) {
      giveUp(pending);
      if (llvm::Error error = readAgain(ready(pending))) return error;
    }
    if (timeIsUp) keepWhatFits();
    return llvm::Error::success();
  }

private:
  /// Units that call each other are read in turns. Who has been read so often, the first time included, is told no more
  /// news: calls of what still changes stay opaque.
  static constexpr unsigned mostReadings = 7;

  llvm::ArrayRef<Source> sources;
  llvm::ArrayRef<std::string> tags;
  const skeleton::Resolved &resolved;
  std::vector<UnitText> &texts;
  const FollowOptions &options;
  /// Of units that were read again: what they said by themselves, if they were ever read so.
  std::vector<std::optional<UnitText>> alone;
  std::vector<Interfaces> base; ///< What it was told then: of a main, what runs outside of it.
  std::vector<Interfaces> given; ///< With which each unit was last read.
  std::vector<unsigned> readings;
  std::vector<bool> isAlone; ///< Units that can only be read by themselves.
  /// Units that others are told nothing of yet: they were only surveyed, or read, by a compiler's plugin, with nothing
  /// known of their callees. What comes of both must be the same.
  std::vector<bool> isUnread;
  std::vector<std::string> records; ///< What holds of each unit's records, as JSON; the same at all its readings.
  std::set<std::string> givenUp; ///< Symbols that stay opaque.
  std::vector<size_t> ranks; ///< By unit: callees have lower ones, but for calls that close a circle.
  bool timeIsUp = false;

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
    return agreeOnRecords(said, symbols, resolved, runsOutside, options.followsPointers);
  }

  /// From the units with a main on, depth first, callees before callers.
  void rankUnits() {
    std::vector<bool> seen(sources.size());
    size_t next = 0;
    auto visit = [&](auto &self, size_t unit) -> void {
      if (unit >= sources.size() || seen[unit]) return;
      seen[unit] = true;
      for (const std::string &symbol : resolved.followed[unit]) self(self, resolved.definers[unit].at(symbol));
      ranks[unit] = next++;
    };
    for (bool withMain : {true, false})
      for (size_t unit = 0; unit < sources.size(); ++unit)
        if (texts[unit].symbols.hasMain == withMain) visit(visit, unit);
  }

  Interfaces wanted(size_t unit) const {
    Interfaces result;
    if (isAlone[unit] || !texts[unit].parsed) return result;
    for (const std::string &symbol : resolved.followed[unit]) {
      size_t definer = resolved.definers[unit].at(symbol);
      if (definer >= texts.size() || !isTold(definer) || givenUp.count(symbol)) continue;
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
          if (auto known = texts[other].interfaces.find(symbol);
              other != unit && isTold(other) && known != texts[other].interfaces.end())
            result.insert(*known);
    }
    if (texts[unit].symbols.hasMain)
      for (size_t other = 0; other < texts.size(); ++other)
        if (auto known = texts[other].variables.find(outsideMainSymbol);
            known != texts[other].variables.end() && other != unit && isLinkedWith(other, unit))
          result.insert({known->first + std::to_string(other), known->second});
    return result;
  }

  /// May others be told what its functions do?
  bool isTold(size_t unit) const { return texts[unit].parsed && !isUnread[unit]; }

  /// Are they in one program, or does the first use what one of the second's programs defines? Nothing needs to call a
  /// unit whose objects are made before main.
  bool isLinkedWith(size_t other, size_t unit) const {
    auto isUsed = [&](size_t one) {
      return one == other ||
             llvm::any_of(resolved.definers[other], [&](const auto &used) { return used.second == one; });
    };
    return llvm::any_of(resolved.programs, [&](const std::vector<size_t> &program) {
      return llvm::is_contained(program, unit) && llvm::any_of(program, isUsed);
    });
  }

  std::vector<size_t> unitsToRead() const {
    std::vector<size_t> pending;
    for (size_t unit = 0; unit < sources.size(); ++unit)
      if (isUnread[unit] || wanted(unit) != given[unit]) pending.push_back(unit);
    return pending;
  }

  /// Those whose callees are settled; if units call each other in a circle, the few of it that have been read least,
  /// callees first: what is said of them is news for the others.
  std::vector<size_t> ready(const std::vector<size_t> &pending) const {
    std::vector<size_t> result;
    for (size_t unit : pending)
      if (llvm::none_of(resolved.followed[unit], [&](const std::string &symbol) {
            return llvm::is_contained(pending, resolved.definers[unit].at(symbol));
          }))
        result.push_back(unit);
    if (!result.empty()) return result;
    result = pending;
    llvm::sort(result, [&](size_t a, size_t b) {
      return std::tuple(readings[a], ranks[a]) < std::tuple(readings[b], ranks[b]);
    });
    result.resize(std::min<size_t>(result.size(), 2 * std::max(options.jobs, 1u)));
    return result;
  }

  void giveUp(const std::vector<size_t> &pending) {
    for (size_t unit : pending) {
      if (readings[unit] < mostReadings) continue;
      Interfaces now = wanted(unit);
      for (const auto &[symbol, interface] : now)
        if (auto known = given[unit].find(symbol); known == given[unit].end() || known->second != interface)
          givenUp.insert(symbol);
    }
  }

  /// What of it runs before main and behind it.
  static Interfaces outsideMainOf(const Interfaces &all) {
    Interfaces result;
    for (const auto &[symbol, interface] : all)
      if (llvm::StringRef(symbol).starts_with(outsideMainSymbol)) result.insert({symbol, interface});
    return result;
  }

  /// A main is never read without what runs outside of it in other units: that is no help, it has to be known.
  llvm::Error readMains() {
    std::vector<size_t> mains;
    for (size_t unit = 0; unit < sources.size(); ++unit)
      if (!texts[unit].isSurvey && !outsideMainOf(wanted(unit)).empty()) mains.push_back(unit);
    if (llvm::Error error = readAgain(mains, true)) return error;
    for (size_t unit : mains) {
      readings[unit] = 0;
      alone[unit].reset();
      base[unit] = given[unit];
    }
    return llvm::Error::success();
  }

  llvm::Error readAgain(const std::vector<size_t> &pending, bool onlyOutsideMain = false) {
    std::vector<size_t> units;
    std::vector<UnitTask> tasks;
    std::vector<Interfaces> interfaces;
    for (size_t unit : pending) {
      Interfaces told = onlyOutsideMain ? outsideMainOf(wanted(unit)) : wanted(unit);
      if (isUnread[unit] && !texts[unit].isSurvey && told == given[unit]) { // it was read so
        isUnread[unit] = false;
        continue;
      }
      std::string list;
      for (const auto &[symbol, interface] : told) list += (list.empty() ? "[" : ",") + interface;
      units.push_back(unit);
      tasks.push_back({&sources[unit], tags[unit], list.empty() ? list : list + "]"});
      interfaces.push_back(std::move(told));
    }
    if (units.empty()) return llvm::Error::success();
    llvm::Expected<std::vector<UnitText>> again = options.read(tasks);
    if (!again) return again.takeError();
    for (size_t k = 0; k < units.size(); ++k) {
      size_t unit = units[k];
      ++readings[unit];
      bool isRead = (*again)[k].lost.empty() && (*again)[k].parsed;
      if ((*again)[k].lost == readingTimeIsUp) {
        timeIsUp = true;
        continue;
      }
      // What a main takes for granted may not be so; and where no whole reading is, there is none to go back to.
      if (!isRead && (onlyOutsideMain || interfaces[k].empty())) {
        texts[unit] = std::move((*again)[k]);
        texts[unit].parsed = false;
        isUnread[unit] = false;
        continue;
      }
      if (!isRead) {
        isAlone[unit] = true; // better opaque calls than no unit
        isUnread[unit] = texts[unit].isSurvey;
        continue;
      }
      if (!texts[unit].isSurvey && given[unit] == base[unit]) alone[unit] = std::move(texts[unit]);
      texts[unit] = std::move((*again)[k]);
      texts[unit].given = std::move(tasks[k].interfaces);
      given[unit] = std::move(interfaces[k]);
      isUnread[unit] = onlyOutsideMain && !resolved.followed[unit].empty();
    }
    return llvm::Error::success();
  }

  /// Units that were read with what others say no more go back to what they said by themselves, where all calls of
  /// other units are opaque, or are lost if they have said nothing then; until no more of them are told something that
  /// is not so.
  void keepWhatFits() {
    auto fits = [&](size_t unit) {
      const Interfaces now = wanted(unit);
      return llvm::all_of(given[unit], [&](const auto &one) {
        auto said = now.find(one.first);
        return said != now.end() && said->second == one.second;
      });
    };
    auto lose = [&](size_t unit) { texts[unit].lost = readingTimeIsUp, texts[unit].parsed = false; };
    for (size_t unit = 0; unit < sources.size(); ++unit)
      if (texts[unit].parsed && texts[unit].isSurvey) lose(unit);
      else isUnread[unit] = false;
    for (bool isSettled = false; !isSettled;) {
      isSettled = true;
      for (size_t unit = 0; unit < sources.size(); ++unit) {
        if (!texts[unit].parsed || fits(unit)) continue;
        isSettled = false;
        if (alone[unit]) {
          texts[unit] = std::move(*alone[unit]);
          alone[unit].reset();
          given[unit] = base[unit];
        } else {
          lose(unit);
        }
      }
    }
    for (size_t unit = 0; unit < sources.size(); ++unit)
      if (texts[unit].parsed && outsideMainOf(wanted(unit)) != outsideMainOf(given[unit])) lose(unit);
  }
};

} // namespace

llvm::Error followAcrossUnits(llvm::ArrayRef<Source> sources, llvm::ArrayRef<std::string> tags,
                              const skeleton::Resolved &resolved, std::vector<UnitText> &texts,
                              const FollowOptions &options) {
  return Follower(sources, tags, resolved, texts, options).run();
}

} // namespace busfare::frontend
