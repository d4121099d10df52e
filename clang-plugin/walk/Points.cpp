//===- clang-plugin/walk/Points.cpp - What variables hold at a place -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Points.h"
#include "Walk.h"

namespace busfare::frontend {

void Walker::notePoint(const clang::Stmt *stmt, bool after) {
  if (!unit.points || !inlining.empty()) return;
  PointFacts facts;
  facts.isOpaque = st.env.opaque;
  facts.forgetsStatics = st.env.forgetsStatics;
  facts.forgetsPointers = st.env.forgetsPointers;
  for (const Frame &frame : st.frames)
    if (!frame.isSwitch) facts.changedAround.insert(frame.changed.begin(), frame.changed.end());
  for (const auto &[name, value] : st.env.integers) facts.integers[name] = value.expr;
  for (const auto &[name, pointer] : st.env.pointers) {
    PointedAt &at = facts.pointers[name];
    if (!pointer.object.empty() && !pointer.inside && !pointer.null) at = {pointer.object, pointer.index};
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
  // What a variable was on entry is often seen only where it is first read.
  auto addEntryValues = [&](PointFacts &facts) {
    Environment before;
    before.opaque = facts.isOpaque;
    before.forgetsStatics = facts.forgetsStatics;
    before.forgetsPointers = facts.forgetsPointers;
    for (const auto &[name, value] : st.entryIntegers)
      if (!facts.changedAround.count(name) && !isForgotten(before, name)) facts.integers.emplace(name, value.expr);
    for (const auto &[name, pointer] : st.entryPointers)
      if (!facts.changedAround.count(name) && !isForgotten(before, name) && !isPointerForgotten(before, name) &&
          !pointer.object.empty() && !pointer.inside)
        facts.pointers.emplace(name, PointedAt{pointer.object, pointer.index});
  };
  for (auto *side : {&points.before, &points.after})
    for (auto &[stmt, facts] : *side) {
      addEntryValues(facts);
      std::erase_if(facts.pointers, [](const auto &entry) { return entry.second.object.empty(); });
      for (auto entry = facts.integers.begin(); entry != facts.integers.end();)
        entry = rename(entry->second) ? std::next(entry) : facts.integers.erase(entry);
      for (auto &[name, pointer] : facts.pointers)
        for (std::optional<skeleton::Expr> &index : pointer.index)
          if (index && !rename(*index)) index.reset();
    }
}

} // namespace busfare::frontend
