//===- clang-plugin/walk/Interface.cpp - What callers in other units know -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each member of Summary has its writer and its reader beside each other.
//
//===----------------------------------------------------------------------===//
#include "Interface.h"
#include "skeleton/Parse.h"
#include "clang/AST/Mangle.h"
#include "clang/Basic/TargetInfo.h"

namespace busfare::frontend {

using Fields = llvm::json::Object;
using List = llvm::json::Array;
using Json = llvm::json::Value;
using Key = std::pair<int, std::string>;

//===--- Names of globals -------------------------------------------------===//

/// `grid` of `grid.u[]` and `grid->n`, as far as it names a variable of the unit.
static size_t variableLength(llvm::StringRef path) { return std::min(path.find_first_of(".-["), path.size()); }

static std::string tagged(const Unit &unit, int position, const std::string &path) {
  if (position != -2) return path;
  size_t length = variableLength(path);
  auto known = unit.globalNames.find(path.substr(0, length));
  bool isStatic = known != unit.globalNames.end() && !known->second->isExternallyVisible();
  return isStatic ? path.substr(0, length) + "@" + unit.tag + path.substr(length) : path;
}

static std::string untagged(const Unit &unit, int position, llvm::StringRef path) {
  size_t length = variableLength(path);
  llvm::StringRef name = path.take_front(length);
  if (position == -2 && name.consume_back("@" + unit.tag)) return name.str() + path.drop_front(length).str();
  return path.str();
}

//===--- Parts ------------------------------------------------------------===//

namespace {

class Writer {
public:
  explicit Writer(const Unit &unit) : unit(unit) {}

  Json key(const Key &key) const { return List{key.first, tagged(unit, key.first, key.second)}; }
  Json formula(const std::optional<Symbolic> &formula) const {
    return formula && !formula->isPoisoned() ? Json(toString(*formula)) : Json(nullptr);
  }
  Json formulas(const std::vector<std::optional<Symbolic>> &all) const {
    List list;
    for (const auto &one : all) list.push_back(formula(one));
    return list;
  }
  template <class Keys> Json keys(const Keys &all) const {
    List list;
    for (const Key &one : all) list.push_back(key(one));
    return list;
  }
  Json parameter(const skeleton::Parameter &parameter) const {
    return List{int(parameter.kind), parameter.name, parameter.byReference};
  }
  /// Rows that lead into each other, or to known places, mean something in their function alone.
  static bool isPlain(const RowState &state) { return !state.first && !state.origin && state.stride.empty(); }
  Json rows(const RowState &state) const {
    return Fields{{"kind", int(state.kind)}, {"whole", state.isWhole}, {"length", formula(state.length)}};
  }

private:
  const Unit &unit;
};

/// What cannot be read sets `failed`, and nothing of the interface counts then.
class Reader {
public:
  explicit Reader(Unit &unit) : unit(unit) {}
  bool failed = false;

  const List &list(const Json *value) {
    static const List none;
    const List *found = value ? value->getAsArray() : nullptr;
    failed |= !found;
    return found ? *found : none;
  }
  std::string text(const Json &value) {
    auto found = value.getAsString();
    failed |= !found;
    return found ? found->str() : "";
  }
  int number(const Json &value) {
    auto found = value.getAsInteger();
    failed |= !found;
    return int(found.value_or(0));
  }
  bool flag(const Json &value) {
    auto found = value.getAsBoolean();
    failed |= !found;
    return found.value_or(false);
  }
  Key key(const Json &value) {
    const List &pair = list(&value);
    failed |= pair.size() != 2;
    if (pair.size() != 2) return {};
    int position = number(pair[0]);
    const std::string path = text(pair[1]);
    unit.nameFields(path);
    return {position, untagged(unit, position, path)};
  }
  std::optional<Symbolic> formula(const Json &value) {
    if (value.kind() == Json::Null) return std::nullopt;
    llvm::Expected<Symbolic> parsed = skeleton::parseExpr(text(value));
    if (parsed) return *parsed;
    llvm::consumeError(parsed.takeError());
    failed = true;
    return std::nullopt;
  }
  std::vector<std::optional<Symbolic>> formulas(const Json &value) {
    std::vector<std::optional<Symbolic>> all;
    for (const Json &one : list(&value)) all.push_back(formula(one));
    return all;
  }
  skeleton::Parameter parameter(const Json &value) {
    const List &parts = list(&value);
    failed |= parts.size() != 3;
    if (failed) return {};
    return {skeleton::Parameter::Kind(number(parts[0])), text(parts[1]), flag(parts[2])};
  }
  RowState rows(const Json &value) {
    RowState state;
    const Fields *object = value.getAsObject();
    failed |= !object || !object->get("kind") || !object->get("whole") || !object->get("length");
    if (failed) return state;
    state.kind = RowState::Kind(number(*object->get("kind")));
    state.isWhole = flag(*object->get("whole"));
    state.length = formula(*object->get("length"));
    return state;
  }

private:
  Unit &unit;
};

} // namespace

//===--- Whole summaries --------------------------------------------------===//

/// One bit each, in this order.
static std::vector<bool *> flagsOf(Summary &summary) {
  return {&summary.isRecursive, &summary.doesOpaqueThings, &summary.forgetsStatics, &summary.writesMemory,
          &summary.readsMemory, &summary.neverReturns,     &summary.forgetsTables,  &summary.freshIsWritten,
          &summary.waits,       &summary.storesAnywhere,   &summary.fillsResult};
}

/// What main finds in the global.
static Json initial(const Unit &unit, const ExtraFormal &extra) {
  std::optional<int64_t> value = extra.position == -2 ? unit.initialValueOf(extra.suffix) : std::nullopt;
  return value ? Json(*value) : Json(nullptr);
}

Json interfaceOf(const Unit &unit, const clang::FunctionDecl *function, const Summary &known) {
  Summary summary = known;
  if (summary.freshRows && !Writer::isPlain(*summary.freshRows)) return nullptr;
  for (const auto &[key, state] : summary.filledRows)
    if (!Writer::isPlain(state)) return nullptr;
  Writer write(unit);
  List parameters, formals, extras, flags, exits, usualExits, exitPointers, sharedPointers, exposed, fresh, filled,
      globals;
  for (const skeleton::Parameter &parameter : summary.function.parameters)
    parameters.push_back(write.parameter(parameter));
  for (const clang::ParmVarDecl *formal : function->parameters()) formals.push_back(int(classOf(formal->getType())));
  formals.push_back(int(classOf(function->getReturnType())));
  for (const ExtraFormal &extra : summary.extras) {
    const clang::ASTContext &context = unit.context;
    bool isInteger =
        extra.parameter.kind == skeleton::Parameter::Kind::Value && extra.type->isIntegralOrEnumerationType();
    int bits = isInteger ? int(context.getIntWidth(extra.type)) : 0;
    extras.push_back(List{write.parameter(extra.parameter), write.key({extra.position, extra.suffix}),
                          isInteger && extra.type->isUnsignedIntegerOrEnumerationType() ? -bits : bits,
                          initial(unit, extra)});
  }
  for (bool *flag : flagsOf(summary)) flags.push_back(*flag);
  for (const std::string &name : summary.writtenGlobals) {
    auto variable = unit.globalNames.find(name);
    bool isInteger = variable != unit.globalNames.end() && variable->second->getType()->isIntegralOrEnumerationType();
    globals.push_back(
        List{tagged(unit, -2, name), isInteger ? int(unit.context.getIntWidth(variable->second->getType())) : 0});
  }
  for (const auto &[key, value] : summary.exitValues) exits.push_back(List{write.key(key), write.formula(value)});
  for (const auto &[key, value] : summary.usualExits) usualExits.push_back(List{write.key(key), write.formula(value)});
  for (const auto &[key, end] : summary.exitPointers)
    exitPointers.push_back(List{write.key(key), int64_t(end.first), write.formula(end.second)});
  for (const auto &[key, other] : summary.sharedPointers)
    sharedPointers.push_back(List{write.key(key), write.key(other)});
  List lostTo;
  for (const auto &[key, all] : summary.lostTo) lostTo.push_back(List{write.key(key), write.keys(all)});
  for (const auto &[key, isConst] : summary.exposed) exposed.push_back(List{write.key(key), isConst});
  for (const auto &[name, extents] : summary.freshExtents) fresh.push_back(List{name, write.formulas(extents)});
  List counts;
  for (const auto &[name, count] : summary.freshCounts) counts.push_back(List{name, write.keys(count)});
  List leftBehind;
  for (const auto &[symbol, formal] : summary.leftBehind) leftBehind.push_back(List{symbol, int64_t(formal)});
  List ifEmpty;
  for (const auto &[name, count] : summary.elementsIfEmpty) ifEmpty.push_back(List{name, write.formula(count)});
  for (const auto &[key, state] : summary.filledRows) filled.push_back(List{write.key(key), write.rows(state)});
  List writes, named;
  for (const std::string &name : summary.namedPointers) named.push_back(tagged(unit, -2, name));
  for (bool one : summary.writesFormal) writes.push_back(one);
  return Fields{{"symbol", symbolOf(function)},
                {"name", summary.name},
                {"parameters", std::move(parameters)},
                {"formals", std::move(formals)},
                {"extras", std::move(extras)},
                {"flags", std::move(flags)},
                {"writes_formal", std::move(writes)},
                {"written_globals", std::move(globals)},
                {"named_pointers", std::move(named)},
                {"written_fields", write.keys(summary.writtenFields)},
                {"exit_values", std::move(exits)},
                {"usual_exits", std::move(usualExits)},
                {"rotated", write.keys(summary.rotated)},
                {"exposed", std::move(exposed)},
                {"copied", write.keys(summary.copied)},
                {"exit_pointers", std::move(exitPointers)},
                {"shared_pointers", std::move(sharedPointers)},
                {"null_pointers", write.keys(summary.nullPointers)},
                {"shrunk", write.keys(summary.shrunk)},
                {"written_memory", write.keys(summary.writtenMemory)},
                {"lost_pointers", write.keys(summary.lostPointers)},
                {"lost_to", std::move(lostTo)},
                {"fresh_extents", std::move(fresh)},
                {"fresh_counts", std::move(counts)},
                {"elements_if_empty", std::move(ifEmpty)},
                {"lost_tables", write.keys(summary.lostTables)},
                {"filled_rows", std::move(filled)},
                {"fresh_bytes", write.formula(summary.freshBytes)},
                {"left_behind", std::move(leftBehind)},
                {"fresh_rows", summary.freshRows ? write.rows(*summary.freshRows) : Json(nullptr)}};
}

static std::optional<Foreign> readInterface(Unit &unit, const Fields &object) {
  Reader read(unit);
  Foreign foreign;
  Summary &summary = foreign.summary;
  auto list = [&](const char *name) -> const List & { return read.list(object.get(name)); };
  auto integerOf = [&](int bits) {
    return bits == 0 ? clang::QualType() : unit.context.getIntTypeForBitwidth(unsigned(std::abs(bits)), bits > 0);
  };
  summary.state = Summary::State::Done;
  summary.name = object.getString("name").value_or("").str();
  for (const Json &one : list("parameters")) summary.function.parameters.push_back(read.parameter(one));
  for (const Json &one : list("formals")) foreign.formals.push_back(TypeClass(read.number(one)));
  for (const Json &one : list("extras")) {
    const List &parts = read.list(&one);
    if (parts.size() != 4) return std::nullopt;
    ExtraFormal extra;
    extra.parameter = read.parameter(parts[0]);
    std::tie(extra.position, extra.suffix) = read.key(parts[1]);
    extra.type = integerOf(read.number(parts[2]));
    if (extra.position == -2 && !extra.type.isNull()) unit.foreignIntegers.try_emplace(extra.suffix, extra.type);
    if (auto value = parts[3].getAsInteger(); value && extra.position == -2)
      unit.foreignInitials.try_emplace(extra.suffix, *value);
    summary.extras.push_back(std::move(extra));
  }
  const List &flags = list("flags");
  std::vector<bool *> all = flagsOf(summary);
  if (flags.size() != all.size()) return std::nullopt;
  for (size_t k = 0; k < all.size(); ++k) *all[k] = read.flag(flags[k]);
  for (const Json &one : list("writes_formal")) summary.writesFormal.push_back(read.flag(one));
  for (const Json &one : list("written_globals")) {
    const List &parts = read.list(&one);
    if (parts.size() != 2) return std::nullopt;
    std::string name = untagged(unit, -2, read.text(parts[0]));
    if (clang::QualType type = integerOf(read.number(parts[1])); !type.isNull())
      unit.foreignIntegers.try_emplace(name, type);
    summary.writtenGlobals.insert(name);
  }
  for (const Json &one : list("named_pointers")) summary.namedPointers.insert(untagged(unit, -2, read.text(one)));
  for (const Json &one : list("written_fields")) summary.writtenFields.insert(read.key(one));
  auto pairs = [&](const char *name, size_t size, llvm::function_ref<void(const List &)> take) {
    for (const Json &one : list(name)) {
      const List &parts = read.list(&one);
      if (parts.size() == size) take(parts);
      else read.failed = true;
    }
  };
  pairs("exit_values", 2, [&](const List &parts) {
    if (auto value = read.formula(parts[1])) summary.exitValues.insert({read.key(parts[0]), *value});
  });
  pairs("usual_exits", 2, [&](const List &parts) { summary.usualExits[read.key(parts[0])] = read.formula(parts[1]); });
  for (const Json &one : list("rotated")) summary.rotated.insert(read.key(one));
  pairs("exposed", 2, [&](const List &parts) { summary.exposed.insert({read.key(parts[0]), read.flag(parts[1])}); });
  for (const Json &one : list("copied")) summary.copied.insert(read.key(one));
  pairs("exit_pointers", 3, [&](const List &parts) {
    if (auto by = read.formula(parts[2]))
      summary.exitPointers[read.key(parts[0])] = {unsigned(read.number(parts[1])), *by};
  });
  pairs("shared_pointers", 2,
        [&](const List &parts) { summary.sharedPointers.insert({read.key(parts[0]), read.key(parts[1])}); });
  for (const Json &one : list("written_memory")) summary.writtenMemory.insert(read.key(one));
  for (const Json &one : list("null_pointers")) summary.nullPointers.insert(read.key(one));
  for (const Json &one : list("shrunk")) summary.shrunk.insert(read.key(one));
  for (const Json &one : list("lost_pointers")) summary.lostPointers.insert(read.key(one));
  pairs("lost_to", 2, [&](const List &parts) {
    for (const Json &one : read.list(&parts[1])) summary.lostTo[read.key(parts[0])].insert(read.key(one));
  });
  pairs("fresh_extents", 2,
        [&](const List &parts) { summary.freshExtents[read.text(parts[0])] = read.formulas(parts[1]); });
  pairs("fresh_counts", 2, [&](const List &parts) {
    for (const Json &one : read.list(&parts[1])) summary.freshCounts[read.text(parts[0])].insert(read.key(one));
  });
  pairs("elements_if_empty", 2, [&](const List &parts) {
    if (auto count = read.formula(parts[1])) summary.elementsIfEmpty.emplace(read.text(parts[0]), *count);
  });
  for (const Json &one : list("lost_tables")) summary.lostTables.insert(read.key(one));
  pairs("filled_rows", 2, [&](const List &parts) { summary.filledRows[read.key(parts[0])] = read.rows(parts[1]); });
  if (const Json *bytes = object.get("fresh_bytes")) summary.freshBytes = read.formula(*bytes);
  pairs("left_behind", 2,
        [&](const List &parts) { summary.leftBehind[read.text(parts[0])] = unsigned(read.number(parts[1])); });
  if (const Json *rows = object.get("fresh_rows"); rows && rows->kind() != Json::Null)
    summary.freshRows = read.rows(*rows);
  if (read.failed) return std::nullopt;
  return foreign;
}

Json interfaceOf(const Unit &unit, const clang::VarDecl *variable) {
  if (!variable->isExternallyVisible() || !unit.isDefinedHere(variable)) return nullptr;
  std::optional<std::set<std::string>> paths = unit.pathsSet(variable);
  if (!paths) return nullptr;
  List set;
  for (const std::string &path : *paths) set.push_back(path);
  return Fields{{"symbol", globalNameOf(variable)}, {"set", std::move(set)}};
}

Json outsideMain(const Unit &unit) {
  if (!unit.runsBeforeMain && !unit.runsAfterMain && !unit.endsLocals) return nullptr;
  return Fields{{"symbol", outsideMainSymbol},
                {"runs_before", unit.runsBeforeMain},
                {"runs_after", unit.runsAfterMain},
                {"ends_locals", unit.endsLocals}};
}

static void takeVariable(Unit &unit, const std::string &name, const List &paths) {
  std::set<std::string> &set = unit.foreignPointers[name];
  for (const Json &path : paths) set.insert(path.getAsString().value_or("").str()); // what is no path sets all
}

void takeInterfaces(Unit &unit, const List &interfaces) {
  for (const Json &one : interfaces) {
    const Fields *object = one.getAsObject();
    auto symbol = object ? object->getString("symbol") : std::nullopt;
    if (!symbol) continue;
    if (*symbol == outsideMainSymbol) {
      unit.runsBeforeMain |= object->getBoolean("runs_before").value_or(true);
      unit.runsAfterMain |= object->getBoolean("runs_after").value_or(true);
      unit.endsLocals |= object->getBoolean("ends_locals").value_or(true);
      continue;
    }
    if (*symbol == recordFactsSymbol) {
      RecordFacts facts = recordFactsFrom(*object);
      for (const auto &[field, count] : facts.counts) unit.nameFields(count);
      unit.recordCounts = std::move(facts.counts);
      unit.knownTargets = std::move(facts.targets);
      continue;
    }
    if (const List *set = object->getArray("set")) {
      takeVariable(unit, symbol->str(), *set);
      continue;
    }
    if (std::optional<Foreign> foreign = readInterface(unit, *object)) {
      foreign->symbol = symbol->str();
      unit.foreign[symbol->str()] = std::move(*foreign);
    }
  }
}

} // namespace busfare::frontend
