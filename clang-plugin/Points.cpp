//===- clang-plugin/Points.cpp - What variables hold at a place -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Points.h"
#include "Walk.h"

namespace busfare::frontend {

void Walker::notePoint(const clang::Stmt *stmt, bool after) {
  if (!unit.points || !inlining.empty()) return;
  PointFacts facts;
  if (!st.env.opaque) {
    for (const auto &[name, value] : st.entryIntegers) facts.integers[name] = value.expr;
    for (const auto &[name, pointer] : st.entryPointers)
      if (!pointer.object.empty() && !pointer.inside) facts.pointers[name] = {pointer.object, pointer.index};
  }
  for (const auto &[name, value] : st.env.integers) facts.integers[name] = value.expr;
  for (const auto &[name, pointer] : st.env.pointers) {
    facts.pointers.erase(name);
    if (!pointer.object.empty() && !pointer.inside && !pointer.null) facts.pointers[name] = {pointer.object, pointer.index};
  }
  // A loop's trial walk comes first; what its real one finds takes the place.
  FunctionPoints &points = (*unit.points)[summary.name];
  (after ? points.after : points.before)[stmt] = std::move(facts);
}

/// The symbols' last names. A fact about a symbol that the skeleton does not hold says nothing.
void Walker::renamePoints(const skeleton::Substitution &to, const std::set<std::string> &known) {
  if (!unit.points) return;
  FunctionPoints &points = (*unit.points)[summary.name];
  points.function = function;
  for (const auto &[decl, name] : st.names) points.variables[name] = decl;
  auto rename = [&](skeleton::Expr &expr) {
    for (const std::string &symbol : expr.symbols())
      if (!known.count(symbol)) return false;
    expr = expr.substitute(to);
    return !expr.isPoisoned();
  };
  for (auto *side : {&points.before, &points.after})
    for (auto &[stmt, facts] : *side) {
      for (auto entry = facts.integers.begin(); entry != facts.integers.end();)
        entry = rename(entry->second) ? std::next(entry) : facts.integers.erase(entry);
      for (auto &[name, pointer] : facts.pointers)
        for (std::optional<skeleton::Expr> &index : pointer.index)
          if (index && !rename(*index)) index.reset();
    }
}

} // namespace busfare::frontend
