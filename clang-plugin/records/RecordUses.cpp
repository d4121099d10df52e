//===- clang-plugin/records/RecordUses.cpp - How much memory a record's pointers lead to -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RecordUses.h"
#include "skeleton/Parse.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetOperations.h"
#include "llvm/Support/FormatVariadic.h"
#include <tuple>

namespace busfare::frontend {

using Fields = llvm::json::Object;
using List = llvm::json::Array;

//===--- As JSON ----------------------------------------------------------===//

llvm::json::Value toJson(const RecordUses &uses) {
  List records;
  for (const auto &[key, record] : uses.records) {
    List pointers;
    for (const auto &[name, pointer] : record.pointers)
      pointers.push_back(
          Fields{{"field", name},
                 {"used", pointer.isUsed},
                 {"lost", pointer.isLost},
                 {"counts", pointer.counts ? llvm::json::Value(List(*pointer.counts)) : llvm::json::Value(nullptr)},
                 {"alone", List(pointer.changesAlone)}});
    List targets;
    for (const auto &[name, target] : record.targets)
      targets.push_back(Fields{{"field", name}, {"lost", target.isLost}, {"symbols", List(target.symbols)}});
    List shared;
    for (const auto &[name, other, otherName] : record.sharedTargets) shared.push_back(List{name, other, otherName});
    records.push_back(Fields{{"record", key},
                             {"pointers", std::move(pointers)},
                             {"targets", std::move(targets)},
                             {"shared", std::move(shared)},
                             {"loose", List(record.loose)}});
  }
  List overriders;
  for (const auto &[method, symbols] : uses.overriders)
    overriders.push_back(Fields{{"method", method}, {"symbols", List(symbols)}});
  return Fields{{"symbol", recordUsesSymbol},
                {"closed", uses.isClosed},
                {"undefined", List(uses.undefined)},
                {"records", std::move(records)},
                {"overriders", std::move(overriders)}};
}

static std::set<std::string> namesIn(const List *list) {
  std::set<std::string> names;
  if (list)
    for (const llvm::json::Value &one : *list) names.insert(one.getAsString().value_or("").str());
  return names;
}

/// Of a list of lists of names.
static void forEachList(const List *list, llvm::function_ref<void(std::vector<std::string>)> take) {
  if (list)
    for (const llvm::json::Value &one : *list)
      if (const List *parts = one.getAsArray()) {
        std::vector<std::string> names;
        for (const llvm::json::Value &part : *parts) names.push_back(part.getAsString().value_or("").str());
        take(std::move(names));
      }
}

/// Nothing: it cannot be read, and then it may say anything.
static std::optional<RecordUses> recordUsesFrom(const std::string &text) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  const Fields *object = value->getAsObject();
  const List *records = object ? object->getArray("records") : nullptr;
  if (!records) return std::nullopt;
  RecordUses uses;
  uses.isClosed = object->getBoolean("closed").value_or(false);
  uses.undefined = namesIn(object->getArray("undefined"));
  if (const List *overriders = object->getArray("overriders"))
    for (const llvm::json::Value &one : *overriders)
      if (const Fields *method = one.getAsObject())
        uses.overriders[method->getString("method").value_or("").str()] = namesIn(method->getArray("symbols"));
  for (const llvm::json::Value &each : *records) {
    const Fields *record = each.getAsObject();
    const List *pointers = record ? record->getArray("pointers") : nullptr,
               *targets = record ? record->getArray("targets") : nullptr;
    if (!pointers || !targets) return std::nullopt;
    RecordUse &use = uses.records[record->getString("record").value_or("").str()];
    use.loose = namesIn(record->getArray("loose"));
    bool isReadable = true;
    forEachList(record->getArray("shared"), [&](std::vector<std::string> names) {
      isReadable &= names.size() == 3;
      if (names.size() == 3) use.sharedTargets.insert({names[0], names[1], names[2]});
    });
    if (!isReadable) return std::nullopt;
    for (const llvm::json::Value &one : *targets) {
      const Fields *field = one.getAsObject();
      if (!field) return std::nullopt;
      use.targets[field->getString("field").value_or("").str()] = {namesIn(field->getArray("symbols")),
                                                                   field->getBoolean("lost").value_or(true)};
    }
    for (const llvm::json::Value &one : *pointers) {
      const Fields *field = one.getAsObject();
      if (!field) return std::nullopt;
      PointerUse &pointer = use.pointers[field->getString("field").value_or("").str()];
      pointer.isUsed = field->getBoolean("used").value_or(true);
      pointer.isLost = field->getBoolean("lost").value_or(true);
      if (const List *counts = field->getArray("counts")) pointer.counts = namesIn(counts);
      pointer.changesAlone = namesIn(field->getArray("alone"));
    }
  }
  return uses;
}

llvm::json::Value toJson(const RecordFacts &facts) {
  List counts, fields, methods;
  for (const auto &[field, count] : facts.counts) counts.push_back(List{field.first, field.second, count});
  for (const auto &[field, symbols] : facts.targets.fields) {
    List one{field.first, field.second};
    llvm::append_range(one, symbols);
    fields.push_back(std::move(one));
  }
  for (const auto &[method, symbols] : facts.targets.methods) {
    List one{method};
    llvm::append_range(one, symbols);
    methods.push_back(std::move(one));
  }
  return Fields{{"symbol", recordFactsSymbol},
                {"counts", std::move(counts)},
                {"fields", std::move(fields)},
                {"methods", std::move(methods)}};
}

RecordFacts recordFactsFrom(const Fields &object) {
  RecordFacts facts;
  auto read = [&](const char *key, size_t least, llvm::function_ref<void(llvm::ArrayRef<std::string>)> take) {
    forEachList(object.getArray(key), [&](std::vector<std::string> names) {
      if (names.size() >= least) take(names);
    });
  };
  auto all = [](llvm::ArrayRef<std::string> names) { return std::set<std::string>(names.begin(), names.end()); };
  read("counts", 3, [&](llvm::ArrayRef<std::string> names) { facts.counts[{names[0], names[1]}] = names[2]; });
  read("fields", 3, [&](llvm::ArrayRef<std::string> names) {
    facts.targets.fields[{names[0], names[1]}] = all(names.drop_front(2));
  });
  read("methods", 2,
       [&](llvm::ArrayRef<std::string> names) { facts.targets.methods[names[0]] = all(names.drop_front(1)); });
  return facts;
}

std::set<std::string> targetsIn(const std::string &text) {
  std::set<std::string> symbols;
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return symbols;
  }
  if (const Fields *object = value->getAsObject()) {
    const RecordFacts facts = recordFactsFrom(*object);
    for (const auto &[field, targets] : facts.targets.fields) symbols.insert(targets.begin(), targets.end());
    for (const auto &[method, targets] : facts.targets.methods) symbols.insert(targets.begin(), targets.end());
  }
  return symbols;
}

//===--- What all units agree on ------------------------------------------===//

static void joinInto(RecordUse &all, const RecordUse &one) {
  all.loose.insert(one.loose.begin(), one.loose.end());
  all.sharedTargets.insert(one.sharedTargets.begin(), one.sharedTargets.end());
  for (const auto &[name, target] : one.targets) {
    TargetUse &joined = all.targets[name];
    joined.isLost |= target.isLost;
    joined.symbols.insert(target.symbols.begin(), target.symbols.end());
  }
  for (const auto &[name, pointer] : one.pointers) {
    PointerUse &joined = all.pointers[name];
    joined.isUsed |= pointer.isUsed;
    joined.isLost |= pointer.isLost;
    joined.changesAlone.insert(pointer.changesAlone.begin(), pointer.changesAlone.end());
    if (!pointer.counts) continue;
    if (!joined.counts) joined.counts = pointer.counts;
    else llvm::set_intersect(*joined.counts, *pointer.counts);
  }
}

/// The shortest formula that nothing contradicts; of several as short, the first by its letters.
static std::optional<std::string> countOf(const RecordUse &record, const PointerUse &pointer) {
  std::optional<std::string> best;
  if (pointer.isLost || !pointer.counts) return best;
  for (const std::string &text : *pointer.counts) {
    llvm::Expected<skeleton::Expr> formula = skeleton::parseExpr(text);
    if (!formula) {
      llvm::consumeError(formula.takeError());
      continue;
    }
    bool holds = llvm::none_of(formula->symbols(), [&](const std::string &field) {
      return record.loose.count(field) || pointer.changesAlone.count(field);
    });
    if (holds && (!best || std::tuple(text.size(), text) < std::tuple(best->size(), *best))) best = text;
  }
  return best;
}

/// Without its fields.
static llvm::StringRef nameOf(llvm::StringRef key) { return key.split('{').first; }

namespace {
/// The units of all programs that are asked for.
class Agreement {
public:
  Agreement(llvm::ArrayRef<const std::string *> units, llvm::ArrayRef<skeleton::UnitSymbols> symbols) {
    for (size_t k = 0; k < units.size(); ++k) {
      said.push_back(units[k] ? recordUsesFrom(*units[k]) : std::nullopt);
      for (const skeleton::UnitSymbols::Function &function : symbols[k].functions)
        if (function.linkage != skeleton::Linkage::Static) defined.insert(function.symbol);
      if (!said.back()) continue;
      for (const auto &[key, record] : said.back()->records) joinInto(all[key], record);
      for (const auto &[method, symbols] : said.back()->overriders)
        overriders[method].insert(symbols.begin(), symbols.end());
    }
  }

  bool isWhole(size_t unit) const {
    return unit < said.size() && said[unit] && said[unit]->isClosed &&
           llvm::all_of(said[unit]->undefined, [&](const std::string &symbol) { return defined.count(symbol) != 0; });
  }

  /// Of the fields that the unit uses. members: of its programs.
  RecordFacts factsFor(size_t unit, const std::set<size_t> &members) const {
    std::map<std::string, std::set<std::string>> keys; ///< Of each name; two, and it is not one record.
    for (size_t member : members)
      for (const auto &[key, record] : said[member]->records) keys[nameOf(key).str()].insert(key);
    RecordFacts facts;
    for (const auto &[method, symbols] : overriders)
      if (symbols.size() <= maxKnownTargets) facts.targets.methods[method] = symbols;
    for (const auto &[key, record] : said[unit]->records) {
      if (keys[nameOf(key).str()].size() != 1) continue;
      const RecordUse &joined = all.at(key);
      for (const auto &[field, target] : joined.targets)
        if (std::optional<std::set<std::string>> symbols = targetsOf({key, field}, keys))
          facts.targets.fields[{key, field}] = *symbols;
      for (const auto &[field, pointer] : record.pointers)
        if (pointer.isUsed)
          if (std::optional<std::string> count = countOf(joined, joined.pointers.at(field)))
            facts.counts[{key, field}] = *count;
    }
    return facts;
  }

private:
  using Field = std::pair<std::string, std::string>; ///< Of a record, by its key.

  /// What may be in the field, by way of all fields that casts make one with it; nothing: anything, too much, or only
  /// null.
  std::optional<std::set<std::string>> targetsOf(const Field &field,
                                                 const std::map<std::string, std::set<std::string>> &keys) const {
    std::set<std::string> symbols;
    std::set<Field> seen{field};
    for (std::vector<Field> open{field}; !open.empty();) {
      const auto [key, name] = open.back();
      open.pop_back();
      auto known = keys.find(nameOf(key).str());
      if (known == keys.end() || known->second.size() != 1 || known->second.count(key) == 0) return std::nullopt;
      const RecordUse &record = all.at(key);
      if (auto target = record.targets.find(name); target != record.targets.end()) {
        if (target->second.isLost) return std::nullopt;
        symbols.insert(target->second.symbols.begin(), target->second.symbols.end());
      }
      for (const auto &[own, other, otherName] : record.sharedTargets)
        if (own == name && seen.insert({other, otherName}).second) open.push_back({other, otherName});
    }
    if (symbols.empty() || symbols.size() > maxKnownTargets) return std::nullopt;
    return symbols;
  }

  std::vector<std::optional<RecordUses>> said;
  std::map<std::string, RecordUse> all;
  std::map<std::string, std::set<std::string>> overriders;
  std::set<std::string> defined;
};
} // namespace

std::vector<std::string> agreeOnRecords(llvm::ArrayRef<const std::string *> units,
                                        llvm::ArrayRef<skeleton::UnitSymbols> symbols,
                                        const skeleton::Resolved &resolved, const std::vector<bool> &runsOutsideMain,
                                        bool withTargets) {
  Agreement agreement(units, symbols);
  std::vector<std::string> result(units.size());
  auto hasOne = [&](const std::vector<size_t> &program) {
    return llvm::any_of(program, [&](size_t one) { return one < units.size() && symbols[one].hasMain; });
  };
  const bool isOnly = llvm::count_if(symbols, [](const skeleton::UnitSymbols &one) { return one.hasMain; }) == 1;
  auto only = llvm::find_if(resolved.programs, hasOne);
  for (size_t unit = 0; unit < units.size(); ++unit) {
    std::set<size_t> members;
    bool hasMain = true; // each of its programs
    for (const std::vector<size_t> &program : resolved.programs) {
      if (!llvm::is_contained(program, unit)) continue;
      members.insert(program.begin(), program.end());
      hasMain &= isOnly || hasOne(program);
      if (isOnly && only != resolved.programs.end()) members.insert(only->begin(), only->end());
    }
    for (size_t other = 0; other < units.size(); ++other) // nothing needs to call what runs before main
      if (runsOutsideMain[other]) members.insert(other);
    members.insert(unit);
    if (!hasMain || !llvm::all_of(members, [&](size_t one) { return agreement.isWhole(one); })) continue;
    RecordFacts facts = agreement.factsFor(unit, members);
    if (!withTargets) facts.targets = {};
    if (!facts.isEmpty()) result[unit] = llvm::formatv("{0}", toJson(facts)).str();
  }
  return result;
}

} // namespace busfare::frontend
