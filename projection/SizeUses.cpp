//===- projection/SizeUses.cpp - Every size of a root, and what it sizes --===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/SizeUses.h"
#include "projection/Describe.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

namespace busfare::projection {
using namespace skeleton;

namespace {

struct Use {
  std::set<std::string> arrays; ///< Whose extents hold it.
  unsigned loops = 0, conditions = 0;
  Location first; ///< Of the first loop, for what has no place of its own.
};

/// Who uses each symbol.
class Uses {
public:
  explicit Uses(const Root &root) {
    for (const Array &array : root.function.arrays) extents(array.name, array.extents);
    for (const auto &[array, elements] : root.elements) extents(array, {elements});
    walk(root.function.body);
  }
  std::map<std::string, Use> bySymbol;
  std::map<std::string, const Define *> defined;

private:
  void extents(const std::string &array, const std::vector<std::optional<Expr>> &list) {
    for (const std::optional<Expr> &extent : list)
      if (extent)
        for (const std::string &symbol : extent->symbols()) bySymbol[symbol].arrays.insert(array);
  }

  void walk(const Block &block) {
    for (const Node &node : block) {
      if (auto *loop = std::get_if<Loop>(&node.kind)) {
        std::set<std::string> symbols = loop->lower.symbols();
        symbols.merge(loop->upper.symbols());
        for (const std::string &symbol : symbols) {
          Use &use = bySymbol[symbol];
          if (!use.loops++) use.first = loop->location;
        }
        walk(loop->body);
      } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
        std::set<std::string> symbols;
        for (const std::vector<Expr> &facts : branch->condition.anyOf)
          for (const Expr &fact : facts) symbols.merge(fact.symbols());
        for (const std::string &symbol : symbols) ++bySymbol[symbol].conditions;
        walk(branch->then);
        walk(branch->otherwise);
      } else if (auto *define = std::get_if<Define>(&node.kind)) {
        defined.emplace(define->symbol, define);
      } else if (auto *allocate = std::get_if<Allocate>(&node.kind)) {
        extents(allocate->array, allocate->extents);
      } else if (auto *host = std::get_if<HostStatement>(&node.kind)) {
        walk(host->body);
      }
    }
  }
};

/// What callers pass for value parameters, function by function down from the root. Values of symbols that a called
/// function defines itself are not followed further down.
class PassedValues {
public:
  PassedValues(const Program &program, const Values &values, std::vector<SizeLine> &lines)
      : program(program), values(values), lines(lines) {}

  void from(const Function &caller, const Substitution &known) { walk(caller, caller.body, known); }

private:
  const Program &program;
  const Values &values;
  std::vector<SizeLine> &lines;
  std::set<std::string> around; ///< Functions that are being followed: recursion ends there.

  void call(const Function &caller, const Call &call, const Substitution &known) {
    const Function *callee = findFunction(program, call.callee);
    if (!callee || !around.insert(call.callee).second) return;
    Substitution inside;
    size_t next = 0;
    for (const Parameter &parameter : callee->parameters) {
      if (next >= call.arguments.size()) break;
      auto *passed = std::get_if<ValueArgument>(&call.arguments[next++]);
      if (!passed || !passed->value || parameter.kind != Parameter::Kind::Value) continue;
      Expr value = passed->value->substitute(known);
      inside.insert({parameter.name, value});
      note(caller, call, *callee, parameter.name, *passed->value, value);
    }
    from(*callee, inside);
    around.erase(call.callee);
  }

  void note(const Function &caller, const Call &call, const Function &callee, const std::string &name,
            const Expr &written, const Expr &value) {
    std::optional<int64_t> number = value.evaluate(values);
    SizeLine line;
    line.root = lines.empty() ? caller.name : lines.front().root;
    line.name = callee.name + "::" + name;
    line.value = number;
    line.source = ParameterSource::Caller;
    line.location = call.location;
    line.text = toString(written);
    auto isSame = [&](const SizeLine &other) {
      return other.source == ParameterSource::Caller && other.name == line.name && other.value == line.value &&
             (number || other.text == line.text);
    };
    if (llvm::none_of(lines, isSame)) lines.push_back(std::move(line));
  }

  void walk(const Function &caller, const Block &block, const Substitution &known) {
    for (const Node &node : block) {
      if (auto *one = std::get_if<Call>(&node.kind)) call(caller, *one, known);
      else if (auto *loop = std::get_if<Loop>(&node.kind)) walk(caller, loop->body, known);
      else if (auto *branch = std::get_if<Branch>(&node.kind)) {
        walk(caller, branch->then, known);
        walk(caller, branch->otherwise, known);
      }
    }
  }
};

} // namespace

std::vector<SizeLine> sizesOf(const Program &program, const Root &root, const Sizes &sizes) {
  Uses uses(root);
  std::vector<SizeLine> lines;
  for (const auto &[symbol, parameter] : sizes.bySymbol) {
    const Use &use = uses.bySymbol[symbol];
    SizeLine line;
    line.root = root.name;
    line.name = scopedName(root.name, symbol);
    line.value = parameter.value;
    line.source = parameter.source;
    if (auto define = uses.defined.find(symbol); define != uses.defined.end()) {
      line.location = define->second->location;
      auto reason = sizes.reasons.find(symbol);
      line.text = reason == sizes.reasons.end() ? define->second->reason : reason->second;
    } else if (auto constant = llvm::find_if(program.constants, [&](const Constant &c) { return c.symbol == symbol; });
               constant != program.constants.end()) {
      line.location = constant->location;
    } else {
      line.location = use.loops ? use.first : root.function.location;
    }
    for (const std::string &array : use.arrays) line.arrays.push_back(withoutPaths(array));
    line.loops = sizes.choicesOnly.count(symbol) ? 0 : use.loops; // where a row begins sizes nothing
    line.conditions = use.conditions;
    lines.push_back(std::move(line));
  }
  auto weight = [](const SizeLine &line) { return line.arrays.empty() && !line.loops ? line.conditions ? 1 : 2 : 0; };
  llvm::stable_sort(lines, [&](const SizeLine &a, const SizeLine &b) {
    return std::tuple(weight(a), a.source == ParameterSource::Assumed, a.name) <
           std::tuple(weight(b), b.source == ParameterSource::Assumed, b.name);
  });
  if (const Function *written = findFunction(program, root.name))
    PassedValues(program, sizes.values(), lines).from(*written, {});
  return lines;
}

} // namespace busfare::projection
