//===- skeleton/Link.cpp - Skeletons of several units as one program ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// First the names: externals keep theirs, then what is static gets what is left. Then
// every unit's functions are written in those names.
//
//===----------------------------------------------------------------------===//
#include "skeleton/Link.h"
#include "skeleton/SharedBodies.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include <map>
#include <set>

using namespace busfare::skeleton;

namespace {

using NameMap = std::map<std::string, std::string>;

/// One unit's names in the program.
struct UnitNames {
  NameMap functions, globals;
  std::set<const Function *> dropped;      ///< Inline functions that are there already.
  std::map<std::string, Array> seenOtherwise; ///< Globals of another rank or type here, by their names in the program.
  Substitution constants; ///< Those that mean something else in the program.
};

std::string fileName(const Program &unit) {
  return unit.units.empty() ? "" : llvm::sys::path::filename(unit.units.front()).str();
}

/// Writes one function in the program's names.
class Renamer {
public:
  /// others: globals that the function's unit does not name.
  Renamer(const Function &function, const UnitNames &names, const std::vector<const Array *> &others)
      : names(names), others(others) {
    for (const Array &array : function.arrays) own.insert(array.name);
    for (const Parameter &parameter : function.parameters) own.insert(parameter.name);
  }

  void rename(Function &function) {
    function.name = names.functions.at(function.name);
    for (Array &array : function.arrays) {
      llvm::for_each(array.mayBe, [&](std::string &name) { arrayName(name); });
      llvm::for_each(array.likely, [&](std::string &name) { arrayName(name); });
      for (std::optional<Expr> &extent : array.extents) expr(extent);
      if (array.remade) {
        expr(array.remade->then);
        expr(array.remade->entry);
      }
    }
    hints(function.hints);
    steady(function.steady);
    for (Expr &value : function.nonNegative) expr(value);
    block(function.body);
  }

private:
  const UnitNames &names;
  const std::vector<const Array *> &others;
  std::set<std::string> own; ///< Names that hide globals.

  void arrayName(std::string &name) const {
    auto found = own.count(name) ? names.globals.end() : names.globals.find(name);
    if (found != names.globals.end()) name = found->second;
  }
  void list(std::vector<std::string> &list) const {
    llvm::for_each(list, [&](std::string &name) { arrayName(name); });
  }
  void expr(Expr &expr) const {
    if (!names.constants.empty()) expr = expr.substitute(names.constants);
  }
  void expr(std::optional<Expr> &some) const {
    if (some) expr(*some);
  }
  void loaded(Rare<Loaded> &from) const {
    if (!from) return;
    arrayName(from->array);
    expr(from->offset);
    for (Expr &subscript : from->element) expr(subscript);
  }
  void steady(std::vector<SteadyElement> &elements) const {
    for (SteadyElement &one : elements) {
      bool isOwn = own.count(one.array) != 0;
      arrayName(one.array);
      if (auto otherwise = names.seenOtherwise.find(one.array); !isOwn && otherwise != names.seenOtherwise.end())
        one.subscripts.assign(otherwise->second.extents.size(), std::nullopt);
      for (std::optional<Expr> &subscript : one.subscripts) expr(subscript);
    }
  }
  void hints(Hints &hints) const {
    list(hints.temporaries);
    llvm::for_each(hints.noalias, [&](std::vector<std::string> &group) { list(group); });
    for (auto &[name, low, high] : hints.ranges) {
      arrayName(name);
      expr(low);
      expr(high);
    }
  }

  void block(Block &nodes) const {
    Block out;
    out.reserve(nodes.size());
    for (Node &node : nodes) {
      std::visit([&](auto &kind) { statement(kind); }, node.kind);
      const auto *access = std::get_if<Access>(&node.kind);
      auto otherwise =
          access && !own.count(access->array) ? names.seenOtherwise.find(access->array) : names.seenOtherwise.end();
      if (otherwise == names.seenOtherwise.end()) out.push_back(std::move(node));
      else touchSomewhere(*access, otherwise->second, out);
    }
    nodes = std::move(out);
  }

  /// Any element of an array that this unit sees in another shape.
  static void touchSomewhere(const Access &access, const Array &array, Block &out) {
    for (AccessKind kind : {AccessKind::Read, AccessKind::Write}) {
      if (kind != access.kind && access.kind != AccessKind::Update) continue;
      Access touch;
      touch.kind = kind;
      touch.array = array.name;
      touch.subscripts.resize(array.extents.size());
      touch.may = true;
      touch.location = access.location;
      out.push_back(std::move(touch));
    }
  }

  void statement(Loop &loop) const {
    expr(loop.lower);
    expr(loop.upper);
    if (loop.hints) hints(*loop.hints);
    if (loop.steady) steady(*loop.steady);
    if (loop.directive) {
      list(loop.directive->privates);
      list(loop.directive->firstprivates);
      list(loop.directive->lastprivates);
      for (auto &reduction : loop.directive->reductions) arrayName(reduction.second);
    }
    block(loop.body);
  }
  void statement(Branch &branch) const {
    for (std::vector<Expr> &conjunction : branch.condition.anyOf)
      for (Expr &one : conjunction) expr(one);
    block(branch.then);
    block(branch.otherwise);
  }
  void statement(Access &access) const {
    arrayName(access.array);
    for (Subscript &subscript : access.subscripts) {
      expr(subscript.value);
      expr(subscript.atLeast);
      expr(subscript.atMost);
      loaded(subscript.from);
    }
    if (access.value) expr(*access.value);
  }
  void statement(Operations &) const {}
  void statement(Define &define) const {
    expr(define.atLeast);
    expr(define.atMost);
    expr(define.value);
    expr(define.usually);
    if (define.quotient) {
      expr(define.quotient->dividend);
      expr(define.quotient->divisor);
    }
    loaded(define.from);
  }
  void statement(Call &call) const {
    if (auto found = names.functions.find(call.callee); found != names.functions.end()) call.callee = found->second;
    for (auto &argument : call.arguments) {
      if (auto *array = std::get_if<ArrayArgument>(&argument)) {
        arrayName(array->array);
        expr(array->offset);
        for (Expr &subscript : array->row) expr(subscript);
        for (Expr &count : array->counts) expr(count);
      } else {
        expr(std::get<ValueArgument>(argument).value);
      }
    }
    for (Exposure &one : call.exposed) arrayName(one.array);
  }
  void statement(Allocate &allocate) const {
    arrayName(allocate.array);
    for (std::optional<Expr> &extent : allocate.extents) expr(extent);
  }
  void statement(Free &freed) const { arrayName(freed.array); }
  /// What is not followed may call functions of the other units; what a wait is for may have been begun in one.
  void statement(HostStatement &host) const {
    if (!host.body.empty()) block(host.body.edit());
    if (host.message) expr(host.message->bytes);
    if (host.library) {
      for (auto &[name, value] : host.library->dimensions) expr(value);
      for (auto &[name, array] : host.library->operands) arrayName(array);
    }
    if (!touchesExposed(host)) return;
    Access update;
    update.kind = AccessKind::Update;
    update.location = host.location;
    for (const Array *other : others) touchSomewhere(update, *other, host.body.edit());
  }
  void statement(End &) const {}
  void statement(Rotate &rotate) const {
    for (auto &[first, second] : rotate.moves) {
      arrayName(first);
      arrayName(second);
    }
  }
};

class Linker {
public:
  explicit Linker(llvm::ArrayRef<const Program *> units) : units(units), names(units.size()) {}

  Program run() {
    nameConstants();
    nameExternals();
    nameStatics();
    for (size_t u = 0; u < units.size(); ++u) addUnit(u);
    result.typesMix = llvm::any_of(units, [](const Program *unit) { return unit->typesMix; });
    return std::move(result);
  }

  std::vector<LinkedNames> namesOfUnits() const {
    std::vector<LinkedNames> all;
    for (const UnitNames &unit : names) {
      LinkedNames &own = all.emplace_back();
      own.functions = unit.functions;
      own.globals = unit.globals;
      own.constants = unit.constants;
      for (const Function *function : unit.dropped) own.dropped.insert(function->name);
      for (const auto &[name, array] : unit.seenOtherwise) own.otherwise.insert(name);
    }
    return all;
  }

private:
  llvm::ArrayRef<const Program *> units;
  std::vector<UnitNames> names;
  Program result;
  std::set<std::string> functionNames, globalNames;
  std::map<std::string, const Function *> bySymbol;
  NameMap nameOfSymbol;

  /// helper, `helper (step.c)`, `helper (step.c, 2)`
  static std::string unusedName(const std::string &name, const Program &unit, std::set<std::string> &taken) {
    std::string made = name, file = fileName(unit);
    for (unsigned n = 1; !taken.insert(made).second; ++n)
      made = name + " (" + file +
             (n > 1          ? (file.empty() ? "" : ", ") + std::to_string(n)
              : file.empty() ? "2"
                             : "") +
             ")";
    return made;
  }

  static bool isSameInline(const Function &a, const Function &b) {
    return a.linkage == Linkage::Inline && b.linkage == Linkage::Inline && a.parameters == b.parameters;
  }

  void nameConstants() {
    std::map<std::string, int64_t> values;
    for (size_t u = 0; u < units.size(); ++u)
      for (const Constant &constant : units[u]->constants) {
        auto [known, isNew] = values.try_emplace(constant.symbol, constant.value);
        if (isNew) result.constants.push_back(constant);
        else if (known->second != constant.value) names[u].constants[constant.symbol] = constant.value;
      }
  }

  void nameExternals() {
    // What is called and not there keeps its name, too, so that nothing static takes it.
    for (const Program *unit : units)
      for (const Function &function : unit->functions)
        forEachNode(function.body, [&](const Node &node) {
          if (const auto *call = std::get_if<Call>(&node.kind); call && !findFunction(*unit, call->callee))
            functionNames.insert(call->callee);
        });
    std::set<std::string> taken;
    for (size_t u = 0; u < units.size(); ++u) {
      for (const Function &function : units[u]->functions) {
        if (function.linkage == Linkage::Static) continue;
        auto [known, isNew] = bySymbol.try_emplace(symbolOf(function), &function);
        if (isNew) {
          nameOfSymbol[known->first] = names[u].functions[function.name] = unusedName(function.name, *units[u], taken);
        } else if (isSameInline(*known->second, function)) {
          names[u].functions[function.name] = nameOfSymbol.at(known->first);
          names[u].dropped.insert(&function);
        }
      }
      for (const Array &global : units[u]->globals)
        if (!global.isStatic) addExternal(u, global);
    }
    functionNames.insert(taken.begin(), taken.end());
    for (size_t u = 0; u < units.size(); ++u) addImports(u);
  }

  /// What unit u calls and does not define.
  void addImports(size_t u) {
    NameMap imports;
    for (const Import &import : units[u]->imports) imports[import.name] = import.symbol;
    for (const Function &function : units[u]->functions)
      forEachNode(function.body, [&](const Node &node) {
        const auto *call = std::get_if<Call>(&node.kind);
        if (!call || findFunction(*units[u], call->callee)) return;
        auto import = imports.find(call->callee);
        auto known = nameOfSymbol.find(import == imports.end() ? call->callee : import->second);
        if (known != nameOfSymbol.end()) names[u].functions[call->callee] = known->second;
      });
  }

  void addExternal(size_t u, const Array &global) {
    globalNames.insert(global.name);
    auto known = llvm::find_if(result.globals, [&](const Array &array) { return array.name == global.name; });
    if (known == result.globals.end()) {
      result.globals.push_back(global);
      return;
    }
    if (known->type != global.type || known->extents.size() != global.extents.size()) return; // seen when all are known
    for (size_t d = 0; d < global.extents.size(); ++d)
      if (!known->extents[d] && global.extents[d]) {
        known->extents[d] = global.extents[d];
        known->location = global.location;
      }
    known->isConst &= global.isConst;
    known->isPointee |= global.isPointee;
    known->isSteady |= global.isSteady;
    known->isSized &= global.isSized;
  }

  void nameStatics() {
    for (size_t u = 0; u < units.size(); ++u) {
      const Program &unit = *units[u];
      for (const Function &function : unit.functions)
        if (!names[u].functions.count(function.name))
          names[u].functions[function.name] = unusedName(function.name, unit, functionNames);
      for (const Array &global : unit.globals) {
        if (global.isStatic) {
          Array copy = global;
          copy.name = names[u].globals[global.name] = unusedName(global.name, unit, globalNames);
          result.globals.push_back(std::move(copy));
          continue;
        }
        const Array &known =
            *llvm::find_if(result.globals, [&](const Array &array) { return array.name == global.name; });
        if (known.type != global.type || known.extents.size() != global.extents.size())
          names[u].seenOtherwise[known.name] = known;
      }
    }
  }

  void addUnit(size_t u) {
    const Program &unit = *units[u];
    for (const std::string &file : unit.units)
      if (!llvm::is_contained(result.units, file)) result.units.push_back(file);
    std::set<std::string> named;
    for (const Array &global : unit.globals)
      named.insert(global.isStatic ? names[u].globals.at(global.name) : global.name);
    std::vector<const Array *> others;
    for (const Array &global : result.globals)
      if (!named.count(global.name) && !global.isConst) others.push_back(&global);
    for (const Function &function : unit.functions) {
      if (names[u].dropped.count(&function)) continue;
      Function copy = function;
      Renamer(function, names[u], others).rename(copy);
      shareBodies(copy);
      result.functions.push_back(std::move(copy));
    }
    result.findings.insert(result.findings.end(), unit.findings.begin(), unit.findings.end());
  }
};

} // namespace

Program busfare::skeleton::link(llvm::ArrayRef<const Program *> units, std::vector<LinkedNames> *names) {
  Linker linker(units);
  Program program = linker.run();
  if (names) *names = linker.namesOfUnits();
  return program;
}
