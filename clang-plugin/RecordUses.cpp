//===- clang-plugin/RecordUses.cpp - How much memory a record's pointers lead to ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/RecordUses.h"
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
      pointers.push_back(Fields{{"field", name},
                                {"used", pointer.isUsed},
                                {"lost", pointer.isLost},
                                {"counts", pointer.counts ? llvm::json::Value(List(*pointer.counts)) : llvm::json::Value(nullptr)},
                                {"alone", List(pointer.changesAlone)}});
    List targets;
    for (const auto &[name, target] : record.targets)
      targets.push_back(Fields{{"field", name}, {"lost", target.isLost}, {"symbols", List(target.symbols)}});
    records.push_back(Fields{{"record", key}, {"pointers", std::move(pointers)}, {"targets", std::move(targets)}, {"loose", List(record.loose)}});
  }
  List overriders;
  for (const auto &[method, symbols] : uses.overriders)
    overriders.push_back(Fields{{"method", method}, {"symbols", List(symbols)}});
  return Fields{{"symbol", recordUsesSymbol}, {"closed", uses.isClosed}, {"undefined", List(uses.undefined)}, {"records", std::move(records)},
                {"overriders", std::move(overriders)}};
}

static std::set<std::string> namesIn(const List *list) {
  std::set<std::string> names;
  if (list)
    for (const llvm::json::Value &one : *list)
      names.insert(one.getAsString().value_or("").str());
  return names;
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
  if (!records)
    return std::nullopt;
  RecordUses uses;
  uses.isClosed = object->getBoolean("closed").value_or(false);
  uses.undefined = namesIn(object->getArray("undefined"));
  if (const List *overriders = object->getArray("overriders"))
    for (const llvm::json::Value &one : *overriders)
      if (const Fields *method = one.getAsObject())
        uses.overriders[method->getString("method").value_or("").str()] = namesIn(method->getArray("symbols"));
  for (const llvm::json::Value &each : *records) {
    const Fields *record = each.getAsObject();
    const List *pointers = record ? record->getArray("pointers") : nullptr, *targets = record ? record->getArray("targets") : nullptr;
    if (!pointers || !targets)
      return std::nullopt;
    RecordUse &use = uses.records[record->getString("record").value_or("").str()];
    use.loose = namesIn(record->getArray("loose"));
    for (const llvm::json::Value &one : *targets) {
      const Fields *field = one.getAsObject();
      if (!field)
        return std::nullopt;
      use.targets[field->getString("field").value_or("").str()] = {namesIn(field->getArray("symbols")), field->getBoolean("lost").value_or(true)};
    }
    for (const llvm::json::Value &one : *pointers) {
      const Fields *field = one.getAsObject();
      if (!field)
        return std::nullopt;
      PointerUse &pointer = use.pointers[field->getString("field").value_or("").str()];
      pointer.isUsed = field->getBoolean("used").value_or(true);
      pointer.isLost = field->getBoolean("lost").value_or(true);
      if (const List *counts = field->getArray("counts"))
        pointer.counts = namesIn(counts);
      pointer.changesAlone = namesIn(field->getArray("alone"));
    }
  }
  return uses;
}

llvm::json::Value toJson(const RecordFacts &facts) {
  List counts, fields, methods;
  for (const auto &[field, count] : facts.counts)
    counts.push_back(List{field.first, field.second, count});
  for (const auto &[field, symbol] : facts.targets.fields)
    fields.push_back(List{field.first, field.second, symbol});
  for (const auto &[method, symbol] : facts.targets.methods)
    methods.push_back(List{method, "", symbol});
  return Fields{{"symbol", recordFactsSymbol}, {"counts", std::move(counts)}, {"fields", std::move(fields)}, {"methods", std::move(methods)}};
}

RecordFacts recordFactsFrom(const Fields &object) {
  RecordFacts facts;
  auto read = [&](const char *key, llvm::function_ref<void(std::string, std::string, std::string)> take) {
    if (const List *list = object.getArray(key))
      for (const llvm::json::Value &one : *list) {
        const List *parts = one.getAsArray();
        if (parts && parts->size() == 3 && llvm::all_of(*parts, [](const llvm::json::Value &part) { return part.getAsString().has_value(); }))
          take((*parts)[0].getAsString()->str(), (*parts)[1].getAsString()->str(), (*parts)[2].getAsString()->str());
      }
  };
  read("counts", [&](std::string record, std::string field, std::string count) { facts.counts[{record, field}] = count; });
  read("fields", [&](std::string record, std::string field, std::string symbol) { facts.targets.fields[{record, field}] = symbol; });
  read("methods", [&](std::string method, const std::string &, std::string symbol) { facts.targets.methods[method] = symbol; });
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
    for (const auto &[field, symbol] : facts.targets.fields)
      symbols.insert(symbol);
    for (const auto &[method, symbol] : facts.targets.methods)
      symbols.insert(symbol);
  }
  return symbols;
}

//===--- What all units agree on ------------------------------------------===//

static void joinInto(RecordUse &all, const RecordUse &one) {
  all.loose.insert(one.loose.begin(), one.loose.end());
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
    if (!pointer.counts)
      continue;
    if (!joined.counts)
      joined.counts = pointer.counts;
    else
      llvm::set_intersect(*joined.counts, *pointer.counts);
  }
}

/// The shortest formula that nothing contradicts; of several as short, the first by its letters.
static std::optional<std::string> countOf(const RecordUse &record, const PointerUse &pointer) {
  std::optional<std::string> best;
  if (pointer.isLost || !pointer.counts)
    return best;
  for (const std::string &text : *pointer.counts) {
    llvm::Expected<skeleton::Expr> formula = skeleton::parseExpr(text);
    if (!formula) {
      llvm::consumeError(formula.takeError());
      continue;
    }
    bool holds = llvm::none_of(formula->symbols(), [&](const std::string &field) {
      return record.loose.count(field) || pointer.changesAlone.count(field);
    });
    if (holds && (!best || std::tuple(text.size(), text) < std::tuple(best->size(), *best)))
      best = text;
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
        if (function.linkage != skeleton::Linkage::Static)
          defined.insert(function.symbol);
      if (!said.back())
        continue;
      for (const auto &[key, record] : said.back()->records)
        joinInto(all[key], record);
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
      for (const auto &[key, record] : said[member]->records)
        keys[nameOf(key).str()].insert(key);
    RecordFacts facts;
    for (const auto &[method, symbols] : overriders)
      if (symbols.size() == 1)
        facts.targets.methods[method] = *symbols.begin();
    for (const auto &[key, record] : said[unit]->records) {
      if (keys[nameOf(key).str()].size() != 1)
        continue;
      const RecordUse &joined = all.at(key);
      for (const auto &[field, target] : joined.targets)
        if (!target.isLost && target.symbols.size() == 1)
          facts.targets.fields[{key, field}] = *target.symbols.begin();
      for (const auto &[field, pointer] : record.pointers)
        if (pointer.isUsed)
          if (std::optional<std::string> count = countOf(joined, joined.pointers.at(field)))
            facts.counts[{key, field}] = *count;
    }
    return facts;
  }

private:
  std::vector<std::optional<RecordUses>> said;
  std::map<std::string, RecordUse> all;
  std::map<std::string, std::set<std::string>> overriders;
  std::set<std::string> defined;
};
} // namespace

std::vector<std::string> agreeOnRecords(llvm::ArrayRef<const std::string *> units, llvm::ArrayRef<skeleton::UnitSymbols> symbols,
                                        const skeleton::Resolved &resolved, const std::vector<bool> &runsOutsideMain) {
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
      if (!llvm::is_contained(program, unit))
        continue;
      members.insert(program.begin(), program.end());
      hasMain &= isOnly || hasOne(program);
      if (isOnly && only != resolved.programs.end())
        members.insert(only->begin(), only->end());
    }
    for (size_t other = 0; other < units.size(); ++other) // nothing needs to call what runs before main
      if (runsOutsideMain[other])
        members.insert(other);
    members.insert(unit);
    if (!hasMain || !llvm::all_of(members, [&](size_t one) { return agreement.isWhole(one); }))
      continue;
    if (RecordFacts facts = agreement.factsFor(unit, members); !facts.isEmpty())
      result[unit] = llvm::formatv("{0}", toJson(facts)).str();
  }
  return result;
}

} // namespace busfare::frontend
