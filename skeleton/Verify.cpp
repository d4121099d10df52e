//===- skeleton/Verify.cpp - Whether a skeleton means anything ------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One walk over each function with the symbols in scope. The first complaint is
// kept; later ones are ignored.
//
//===----------------------------------------------------------------------===//
#include "skeleton/Verify.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>
#include <set>

using namespace busfare::skeleton;

namespace {

std::string quoted(llvm::StringRef name) { return "'" + name.str() + "'"; }

class Verifier {
public:
  explicit Verifier(const Program &program) : program(program) {}
  std::string complaint;

  void run() {
    for (const Constant &constant : program.constants) {
      check(constants.insert(constant.symbol).second && !constant.symbol.empty(), constant.location,
            "constant " + quoted(constant.symbol) + " is stated twice");
      check(!constant.isSetting || constant.value > 0, constant.location,
            "constant " + quoted(constant.symbol) + " is one that builds set, and not positive");
    }
    llvm::StringSet<> globals, functions;
    for (const Array &global : program.globals) {
      check(globals.insert(global.name).second, global.location,
            "global array " + quoted(global.name) + " is declared twice");
      scope = constants;
      array(global);
    }
    for (const Function &each : program.functions) {
      function = nullptr;
      check(functions.insert(each.name).second, each.location, "function " + quoted(each.name) + " is there twice");
      runFunction(each);
    }
  }

  void runFunction(const Function &each) {
    for (const Constant &constant : program.constants) constants.insert(constant.symbol);
    function = &each;
    bodies.clear();
    arrays = ArrayTable(program, each);
    verifyFunction();
  }

private:
  const Program &program;
  const Function *function = nullptr;
  std::set<const Block *> bodies; ///< Of host statements of the function, that have been looked at.
  ArrayTable arrays; ///< Of the function.
  llvm::StringSet<> constants;
  llvm::StringSet<> defined; ///< Every symbol of the function, to find double ones.
  llvm::StringSet<> scope;   ///< Symbols that may be used here.

  void check(bool holds, const Location &location, const std::string &message) {
    if (holds || !complaint.empty()) return;
    Location place = location;
    if (!place.isKnown() && function) place = function->location;
    std::string where = toString(place);
    complaint =
        (where.empty() ? "" : where + ": ") + (function ? "function " + quoted(function->name) + ": " : "") + message;
  }

  void expr(const Expr &e, const Location &location) {
    check(!e.isPoisoned(), location, "a formula overflows 64 bits or is too long");
    if (!complaint.empty()) return;
    for (const std::string &symbol : e.symbols())
      check(scope.contains(symbol), location,
            "symbol " + quoted(symbol) +
                " is not known here: it is no param, constant, enclosing loop's index or "
                "symbol defined before");
  }

  void expr(const std::optional<Expr> &e, const Location &location) {
    if (e) expr(*e, location);
  }

  void loaded(const Rare<Loaded> &from, const Location &location) {
    if (!from) return;
    check(from->scale != 0, location, "0 times a value is 0");
    const Array *array = findDeclared(from->array, location);
    expr(from->offset, location);
    for (const Expr &subscript : from->element) expr(subscript, location);
    check(from->element.empty() || !array || from->element.size() == array->extents.size(), location,
          "what is loaded from " + quoted(from->array) + " has another number of subscripts than the array");
  }

  const Array *findDeclared(llvm::StringRef name, const Location &location) {
    const Array *found = function ? arrays.find(name) : nullptr;
    if (!function)
      for (const Array &global : program.globals)
        if (global.name == name) found = &global;
    check(found, location, "array " + quoted(name) + " is not declared");
    return found;
  }

  void array(const Array &a) {
    check(!a.name.empty(), a.location, "an array has no name");
    check(a.type.bytes > 0, a.location, "an element of array " + quoted(a.name) + " has no bytes");
    for (const std::optional<Expr> &extent : a.extents) expr(extent, a.location);
    if (a.remade) {
      check(a.storage == Storage::Parameter && a.extents.size() == 1, a.location,
            "array " + quoted(a.name) + " is no list that is passed in but remade");
      expr(a.remade->then, a.location);
      expr(a.remade->entry, a.location);
    }
    if (!a.insteadOf.empty()) findDeclared(a.insteadOf, a.location);
    check(a.mayBe.empty() || a.storage == Storage::Alias, a.location,
          "array " + quoted(a.name) + " is no alias but may be others");
    check((a.likely.empty() && !a.isFixed) || a.storage == Storage::Alias, a.location,
          "array " + quoted(a.name) + " is no alias but is said to lead somewhere");
    check(a.likely.empty() || a.mayBe.empty(), a.location,
          "array " + quoted(a.name) + " may be others or anything, not both");
    for (const std::vector<std::string> *others : {&a.mayBe, &a.likely})
      for (const std::string &other : *others) findDeclared(other, a.location);
  }

  void define(llvm::StringRef symbol, const Location &location) {
    check(!symbol.empty(), location, "a symbol has no name");
    check(defined.insert(symbol).second, location, "symbol " + quoted(symbol) + " already has a meaning");
  }

  /// Every symbol the body defines, so that extents may name it.
  void collectSymbols(const Block &block) {
    for (const Node &node : block) {
      if (const auto *loop = std::get_if<Loop>(&node.kind)) {
        define(loop->index, loop->location);
        collectSymbols(loop->body);
      } else if (const auto *branch = std::get_if<Branch>(&node.kind)) {
        collectSymbols(branch->then);
        collectSymbols(branch->otherwise);
      } else if (const auto *definition = std::get_if<Define>(&node.kind)) {
        define(definition->symbol, definition->location);
      }
    }
  }

  void verifyFunction() {
    check(!function->name.empty(), function->location, "a function has no name");
    defined = constants;
    // A symbol and an array may share a name: a field's value on entry, and its memory.
    llvm::StringSet<> values, parameters, arrays;
    for (const Parameter &parameter : function->parameters) {
      llvm::StringSet<> &names = parameter.kind == Parameter::Kind::Value ? values : parameters;
      check(names.insert(parameter.name).second || parameter.kind == Parameter::Kind::Other, function->location,
            "parameter " + quoted(parameter.name) + " is there twice");
      // A parameter hides a constant of its name.
      if (parameter.kind == Parameter::Kind::Value) defined.insert(parameter.name);
    }
    scope = defined;
    llvm::StringSet<> symbolsAtEntry = scope;
    collectSymbols(function->body);
    scope = defined;
    for (const Array &declared : function->arrays) {
      check(arrays.insert(declared.name).second, declared.location,
            "array " + quoted(declared.name) + " is declared twice");
      array(declared);
    }
    for (const Parameter &parameter : function->parameters)
      check(parameter.kind != Parameter::Kind::Array || arrays.contains(parameter.name), function->location,
            "array parameter " + quoted(parameter.name) + " is not declared in the body");
    scope = symbolsAtEntry;
    steady(function->steady, function->location);
    for (const Expr &value : function->nonNegative) expr(value, function->location);
    block(function->body);
  }

  void block(const Block &body) {
    std::vector<std::string> added;
    for (const Node &node : body) {
      if (!complaint.empty()) return;
      std::visit([&](const auto &kind) { statement(kind); }, node.kind);
      if (const auto *definition = std::get_if<Define>(&node.kind);
          definition && scope.insert(definition->symbol).second)
        added.push_back(definition->symbol);
    }
    for (const std::string &symbol : added) scope.erase(symbol);
  }

  void steady(llvm::ArrayRef<SteadyElement> elements, const Location &location) {
    for (const SteadyElement &one : elements) {
      const Array *array = findDeclared(one.array, location);
      check(!array || array->extents.size() == one.subscripts.size(), location,
            "array " + quoted(one.array) + " has another number of dimensions than the subscripts of what is steady");
      for (const std::optional<Expr> &subscript : one.subscripts) expr(subscript, location);
    }
  }

  void statement(const Loop &loop) {
    check(loop.step != 0, loop.location, "the step of loop " + quoted(loop.index) + " is 0");
    expr(loop.lower, loop.location);
    expr(loop.upper, loop.location);
    if (loop.steady) steady(*loop.steady, loop.location);
    check(!loop.endsInside || loop.mayExitEarly, loop.location, "jumps end a loop that does not end early");
    bool isNew = scope.insert(loop.index).second;
    block(loop.body);
    if (isNew) scope.erase(loop.index);
  }

  void statement(const Branch &branch) {
    const Condition &condition = branch.condition;
    check(!condition.exact || !condition.anyOf.empty(), branch.location, "an exact condition says nothing");
    check(!branch.isRest || branch.otherwise.empty(), branch.location, "what follows a jump has no other side");
    check(condition.probability >= 0 && condition.probability <= 1, branch.location,
          "a probability lies between 0 and 1");
    for (const std::vector<Expr> &conjunction : condition.anyOf)
      for (const Expr &e : conjunction) expr(e, branch.location);
    block(branch.then);
    block(branch.otherwise);
  }

  void statement(const Access &access) {
    const Array *array = findDeclared(access.array, access.location);
    if (!array) return;
    check(access.subscripts.size() == array->extents.size(), access.location,
          "array " + quoted(access.array) + " has " + std::to_string(array->extents.size()) + " dimensions, but " +
              std::to_string(access.subscripts.size()) + " subscripts are given");
    check(access.kind == AccessKind::Read || !array->isConst, access.location,
          "array " + quoted(access.array) + " is const, but written");
    check((access.kind == AccessKind::Update) == (access.op != ReductionOp::None), access.location,
          access.kind == AccessKind::Update ? "an update of " + quoted(access.array) + " lacks its operator"
                                            : "only an update has an operator");
    for (const Subscript &subscript : access.subscripts) {
      expr(subscript.value, access.location);
      expr(subscript.atLeast, access.location);
      expr(subscript.atMost, access.location);
      loaded(subscript.from, access.location);
    }
    check(!access.part.bytes || (array->type.kind == ElementType::Kind::Struct &&
                                 uint64_t(access.part.offset) + access.part.bytes <= array->type.bytes),
          access.location, "a part lies inside an element that is a struct");
    check(!access.value || access.kind == AccessKind::Write, access.location, "only a write has a value");
    if (access.value) expr(*access.value, access.location);
  }

  void statement(const Operations &operations) {
    for (const auto &[operation, count] : operations.counts) {
      check(std::isfinite(count) && count >= 0, Location(),
            "the count of " + toString(operation) + " is no number of operations");
      size_t same = llvm::count_if(operations.counts, [&](const auto &other) { return other.first == operation; });
      check(same == 1, Location(), "operation " + toString(operation) + " is counted twice in one place");
    }
  }

  void statement(const Define &definition) {
    expr(definition.atLeast, definition.location);
    expr(definition.atMost, definition.location);
    expr(definition.value, definition.location);
    expr(definition.usually, definition.location);
    if (definition.quotient) {
      expr(definition.quotient->dividend, definition.location);
      expr(definition.quotient->divisor, definition.location);
    }
    loaded(definition.from, definition.location);
  }

  void statement(const Call &call) {
    for (const auto &argument : call.arguments) {
      if (const auto *array = std::get_if<ArrayArgument>(&argument)) {
        if (!array->array.empty()) findDeclared(array->array, call.location);
        expr(array->offset, call.location);
        for (const Expr &subscript : array->row) expr(subscript, call.location);
        for (const Expr &count : array->counts) expr(count, call.location);
        const Array *rows = array->row.empty() || !function ? nullptr : findArray(program, *function, array->array);
        check(array->row.empty() || (rows && rows->rows != Rows::None && rows->extents.size() == array->row.size() + 1),
              call.location, "a row is given of '" + array->array + "', which is no table of rows of that depth");
      } else {
        expr(std::get<ValueArgument>(argument).value, call.location);
      }
    }
    for (const Exposure &one : call.exposed) findDeclared(one.array, call.location);
    const Function *callee = findFunction(program, call.callee);
    if (!callee) return;
    check(call.arguments.size() == callee->parameters.size(), call.location,
          quoted(call.callee) + " takes " + std::to_string(callee->parameters.size()) + " arguments, but " +
              std::to_string(call.arguments.size()) + " are given");
    for (size_t k = 0; complaint.empty() && k < call.arguments.size(); ++k) {
      const Parameter &parameter = callee->parameters[k];
      bool isArray = std::holds_alternative<ArrayArgument>(call.arguments[k]);
      if (parameter.kind != Parameter::Kind::Other)
        check(isArray == (parameter.kind == Parameter::Kind::Array), call.location,
              "argument " + std::to_string(k + 1) + " of " + quoted(call.callee) + " must be " +
                  (isArray ? "a value" : "an array") + " for " + quoted(parameter.name));
    }
  }

  void statement(const Allocate &allocate) {
    const Array *array = findDeclared(allocate.array, allocate.location);
    check(!array || array->extents.size() == allocate.extents.size(), allocate.location,
          "array " + quoted(allocate.array) + " is allocated with another number of dimensions than declared");
    for (const std::optional<Expr> &extent : allocate.extents) expr(extent, allocate.location);
  }

  void statement(const Free &free) { findDeclared(free.array, free.location); }

  void statement(const HostStatement &host) {
    for (const Node &node : host.body)
      check(std::holds_alternative<Access>(node.kind), host.location, "a host statement holds accesses only");
    check(host.reason != HostReason::Handler || host.body.empty(), host.location,
          "a handler that is assumed not to run touches nothing");
    if (host.message) {
      check(host.reason == HostReason::Message, host.location, "only a host statement of reason message is one");
      check(!host.message->bytes || host.message->kind != MessageKind::Wait, host.location,
            "a wait has no bytes of its own");
      expr(host.message->bytes, host.location);
    }
    if (host.library) {
      check(host.reason == HostReason::Library, host.location,
            "only a host statement of reason library is a library call");
      llvm::StringSet<> names;
      for (const auto &[name, value] : host.library->dimensions) {
        check(names.insert(name).second, host.location, "dimension " + quoted(name) + " is there twice");
        expr(value, host.location);
      }
      for (const auto &[name, array] : host.library->operands) {
        check(names.insert(name).second, host.location, "operand " + quoted(name) + " is there twice");
        findDeclared(array, host.location);
      }
    }
    if (!host.body.empty() && bodies.insert(host.body.identity()).second) block(host.body);
  }

  void statement(const End &end) { check(!end.what.empty(), end.location, "an end says how the program ends"); }

  void statement(const Rotate &rotate) {
    llvm::StringSet<> targets, sources;
    for (const auto &[to, from] : rotate.moves) {
      const Array *target = findDeclared(to, rotate.location), *source = findDeclared(from, rotate.location);
      check(targets.insert(to).second && sources.insert(from).second, rotate.location,
            "a name stands twice on one side of a rotation");
      if (target && source)
        check(target->extents.size() == source->extents.size() && target->type == source->type, rotate.location,
              "a rotation exchanges " + quoted(to) + " and " + quoted(from) + ", which are not alike");
    }
    for (const auto &[to, from] : rotate.moves)
      check(sources.contains(to), rotate.location, "a rotation loses what " + quoted(to) + " denoted");
  }
};

} // namespace

static llvm::Error errorOf(const Verifier &verifier) {
  if (verifier.complaint.empty()) return llvm::Error::success();
  return llvm::createStringError(llvm::inconvertibleErrorCode(), verifier.complaint);
}

llvm::Error busfare::skeleton::verify(const Program &program) {
  Verifier verifier(program);
  verifier.run();
  return errorOf(verifier);
}

llvm::Error busfare::skeleton::verify(const Program &program, const Function &function) {
  Verifier verifier(program);
  verifier.runFunction(function);
  return errorOf(verifier);
}
