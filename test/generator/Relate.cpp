//===- test/generator/Relate.cpp - Which node is which statement -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/generator/Relate.h"
#include <algorithm>

namespace busfare::generator {
using namespace skeleton;

Relation::Relation(const Program &program, const Run &run, const skeleton::Program &unit, const projection::Root &root,
                   int call)
    : program(program), run(run), unit(unit), root(root) {
  for (const Function &f : program.functions) number(f.body);
  callOfPath[0] = call;
  pathOfCall[call] = 0;
  for (unsigned p = 1; p < root.paths.size(); ++p) {
    auto caller = callOfPath.find(root.paths[p].caller);
    if (caller == callOfPath.end()) continue;
    for (size_t c = 1; c < run.calls.size(); ++c)
      if (run.calls[c].parent == caller->second && run.calls[c].line == int(root.paths[p].call.line)) {
        callOfPath[p] = int(c);
        pathOfCall[int(c)] = p;
      }
  }
  for (const skeleton::Constant &constant : unit.constants) sizes.try_emplace(constant.symbol, constant.value);
  for (const Variable &v : program.variables)
    if (v.kind == Variable::Kind::GlobalScalar) sizes[v.name] = v.initial;
  visit(root.function.body, std::nullopt, {});
}

void Relation::number(const std::vector<Statement> &body) {
  for (const Statement &s : body) {
    statements[s.line] = &s;
    number(s.body);
    number(s.otherwise);
  }
}

const Statement *Relation::statementAt(int line) const {
  auto found = statements.find(line);
  return found == statements.end() ? nullptr : found->second;
}

std::optional<Key> Relation::keyOf(const Node &node) const {
  Location location = locationOf(node);
  auto call = callOfPath.find(node.path);
  if (!location.isKnown() || call == callOfPath.end()) return std::nullopt;
  return Key(call->second, int(location.line));
}

std::string Relation::nameOf(int call, int variable) const {
  const Variable &v = program.variables[size_t(variable)];
  if (v.isGlobal()) return v.name;
  auto path = pathOfCall.find(call);
  if (path == pathOfCall.end()) return {};
  const auto &arrays = root.paths[path->second].arrays;
  auto found = arrays.find(v.name);
  return found == arrays.end() ? std::string() : found->second.array;
}

/// The function that the line stands in.
static size_t functionAt(const Program &program, int line) {
  size_t found = program.functions.size();
  for (size_t f = 0; f < program.functions.size(); ++f) {
    const Function &one = program.functions[f];
    if (one.line != 0 && one.line <= line &&
        (found == program.functions.size() || one.line > program.functions[found].line))
      found = f;
  }
  return found;
}

/// Nothing but names that change places under a condition: no statement of the program.
static bool onlyExchanges(const Branch &branch) {
  return branch.otherwise.empty() && !branch.then.empty() &&
         std::all_of(branch.then.begin(), branch.then.end(),
                     [](const Node &node) { return std::holds_alternative<Rotate>(node.kind); });
}

void Relation::noteExchange(const Block &block, size_t place, const Exchange &exchange, std::optional<Key> around) {
  std::optional<Key> next;
  for (size_t k = place + 1; k < block.size() && !next; ++k) {
    const auto *branch = std::get_if<Branch>(&block[k].kind);
    if (!std::holds_alternative<Rotate>(block[k].kind) && !(branch && onlyExchanges(*branch))) next = keyOf(block[k]);
  }
  if (next) rotationsBefore[*next].push_back(exchange);
  else if (around) rotationsAtEnd[*around].push_back(exchange);
}

void Relation::visit(const Block &block, std::optional<Key> around, const Arms &within) {
  for (size_t i = 0; i < block.size(); ++i) {
    const Node &node = block[i];
    arms[&node] = within;
    nodesAt[{node.path, locationOf(node)}].push_back(&node);
    if (std::optional<Key> key = keyOf(node)) {
      const size_t own = key->first == 0 ? program.functions.size() - 1 : size_t(run.calls[size_t(key->first)].callee);
      const size_t at = functionAt(program, key->second);
      holdsInPlace |=
          at != own && at != program.functions.size(); // a conversion at the top of the file touches nothing
    }
    if (auto *loop = std::get_if<Loop>(&node.kind)) {
      std::optional<Key> key = keyOf(node);
      if (key) {
        loops[*key].push_back(loop);
        keys[loop] = *key;
      }
      visit(loop->body, key, within);
    } else if (auto *branch = std::get_if<Branch>(&node.kind); branch && onlyExchanges(*branch)) {
      for (const Node &exchange : branch->then)
        noteExchange(block, i, {&std::get<Rotate>(exchange.kind), &branch->condition}, around);
    } else if (branch) {
      for (bool isThen : {true, false}) {
        Arms inside = within;
        inside.push_back({branch, isThen});
        visit(isThen ? branch->then : branch->otherwise, around, inside);
      }
    } else if (auto *rotation = std::get_if<Rotate>(&node.kind)) {
      noteExchange(block, i, {rotation, nullptr}, around);
    }
  }
}

/// Whether the condition holds now; nothing if that cannot be told.
static std::optional<bool> holds(const Condition &condition, const Values &values) {
  if (!condition.exact) return std::nullopt;
  for (const std::vector<Expr> &all : condition.anyOf) {
    bool isTrue = true;
    for (const Expr &fact : all) {
      std::optional<int64_t> value = fact.evaluate(values);
      if (!value) return std::nullopt;
      isTrue &= *value >= 0;
    }
    if (isTrue) return true;
  }
  return false;
}

std::optional<bool> Relation::runsNow(const Node &node, const Values &values) const {
  auto place = arms.find(&node);
  if (place == arms.end()) return true;
  const Arms &own = place->second;
  const auto &others = nodesAt.at({node.path, locationOf(node)});
  auto isElsewhere = [&](const Node *other) { // on the other side of a branch
    const Arms &theirs = arms.at(other);
    for (size_t k = 0; k < std::min(own.size(), theirs.size()) && own[k].branch == theirs[k].branch; ++k)
      if (own[k].isThen != theirs[k].isThen) return true;
    return false;
  };
  // The branches of a switch lie in each other, all of them where the switch stands.
  const bool isInItsSwitch =
      std::any_of(own.begin(), own.end(), [&](const Arm &arm) { return arm.branch->location == locationOf(node); });
  if (!isInItsSwitch && std::none_of(others.begin(), others.end(), isElsewhere)) return true;
  std::optional<bool> all = true;
  for (const Arm &arm : own) {
    std::optional<bool> holding = holds(arm.branch->condition, values);
    if (holding && *holding != arm.isThen) return false;
    if (!holding) all = std::nullopt;
  }
  return all;
}

std::string Point::nameOf(int object) const {
  for (const auto &[name, denoted] : objects)
    if (denoted == object) return name;
  return {};
}

Follow::Follow(const Relation &relation) : relation(relation) { now.values = relation.sizes; }

void Follow::rotate(const Relation::Exchange &exchange) {
  std::map<std::string, int> before = now.objects;
  std::optional<bool> happens = exchange.when ? holds(*exchange.when, now.values) : true;
  if (happens && !*happens) return;
  for (const auto &[first, second] : exchange.moves->moves) {
    if (!happens) {
      now.objects.erase(first);
      continue;
    }
    auto found = before.find(second);
    if (found != before.end()) now.objects[first] = found->second;
  }
}

void Follow::step(const Record &record) {
  switch (record.kind) {
  case Record::Kind::Create:
    if (std::string name = relation.nameOf(record.call, record.variable); !name.empty())
      now.objects[name] = record.object;
    break;
  case Record::Kind::Enter:
    if (auto found = relation.rotationsBefore.find(keyOf(record)); found != relation.rotationsBefore.end())
      for (const Relation::Exchange &exchange : found->second) rotate(exchange);
    break;
  case Record::Kind::Iterate:
    if (auto found = relation.loops.find(keyOf(record)); found != relation.loops.end())
      for (const Loop *loop : found->second)
        if (std::optional<int64_t> lower = loop->lower.evaluate(now.values))
          now.values[loop->index] = *lower + record.offset * loop->step;
    break;
  case Record::Kind::EndIteration:
    if (auto found = relation.rotationsAtEnd.find(keyOf(record)); found != relation.rotationsAtEnd.end())
      for (const Relation::Exchange &exchange : found->second) rotate(exchange);
    break;
  case Record::Kind::Leave:
    if (auto found = relation.loops.find(keyOf(record)); found != relation.loops.end())
      for (const Loop *loop : found->second) now.values.erase(loop->index);
    break;
  default: break;
  }
}

std::optional<std::vector<int64_t>> extentsOf(const std::vector<std::optional<Expr>> &extents, int64_t size,
                                              const Values &values) {
  std::vector<int64_t> result(extents.size());
  int64_t row = 1;
  for (size_t d = extents.size(); d-- > 0;) {
    std::optional<int64_t> value = extents[d] ? extents[d]->evaluate(values) : std::nullopt;
    if (!value && d == 0 && row > 0) value = (size + row - 1) / row; // the last row may be cut short
    if (!value || *value <= 0) return std::nullopt;
    result[d] = *value;
    row *= *value;
  }
  return result;
}

std::optional<std::vector<int64_t>> elementAt(const Array &array, int64_t offset, const Values &values) {
  std::vector<int64_t> element(array.extents.size());
  for (size_t d = array.extents.size(); d-- > 1;) {
    std::optional<int64_t> extent = array.extents[d] ? array.extents[d]->evaluate(values) : std::nullopt;
    if (!extent || *extent <= 0) return std::nullopt;
    element[d] = offset % *extent;
    offset /= *extent;
  }
  if (!element.empty()) element[0] = offset;
  return element;
}

} // namespace busfare::generator
