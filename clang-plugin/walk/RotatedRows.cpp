//===- clang-plugin/walk/RotatedRows.cpp - Tables that change places -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// When tables of pointers change places (Rotations.cpp), their rows do, too, and so do
// the blocks that the pointers lead into:
//
//   double **u, **v;  ...  swap(u, v);     rotate u <- v, v <- u
//                                          rotate `u[]` <- `v[]`, `v[]` <- `u[]`
//
// Only of tables that are alike: rows of one length, known in the same way. Those of any
// others are lost, as are those of tables that a caller passed by value: its names stay.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"

namespace busfare::frontend {

using Kind = RowState::Kind;
using Moves = std::vector<std::pair<std::string, std::string>>;

/// Who comes to be called by the first table's name, and so on until the first is reached again.
static std::vector<std::string> cycleFrom(const std::string &first, const std::map<std::string, std::string> &from) {
  std::vector<std::string> cycle;
  for (auto at = from.find(first); at != from.end(); at = from.find(at->second)) {
    if (llvm::is_contained(cycle, at->first)) break;
    cycle.push_back(at->first);
  }
  return cycle;
}

/// What the pointers of these tables lead to, by table; nothing unless all are alike.
std::vector<std::string> Walker::targetsAlike(llvm::ArrayRef<std::string> tables, Location location) {
  std::vector<std::string> targets;
  std::optional<RowState> first;
  for (const std::string &table : tables) {
    if (!st.objects.count(table) || object(table).array.type.kind != skeleton::ElementType::Kind::Pointer) return {};
    if (object(table).array.storage != Storage::Local && object(table).array.storage != Storage::Heap) return {};
    RowState state = rowsState(table, table + "[]");
    bool isBlock = state.kind == Kind::Strided && state.origin;
    if (!isBlock && state.kind != Kind::Filled) return {};
    if (first && (first->kind != state.kind || first->length != state.length || first->row != state.row ||
                  first->stride != state.stride))
      return {};
    if (first && isBlock && first->origin->index != state.origin->index) return {};
    if (isBlock) targets.push_back(state.origin->object);
    else {
      Place start;
      start.at.object = table;
      start.at.index.resize(object(table).array.extents.size(), Symbolic(0));
      std::optional<Place> rows = rowsOfTable(start, "", location);
      if (!rows) return {};
      targets.push_back(rows->at.object);
    }
    if (!first) first = state;
    if (!st.objects.count(targets.back())) return {};
    const Array &one = object(targets.front()).array, &other = object(targets.back()).array;
    bool isOwn = other.storage == Storage::Local || other.storage == Storage::Heap;
    if (!isOwn || one.extents != other.extents || one.type != other.type || one.rows != other.rows) return {};
  }
  std::set<std::string> distinct(targets.begin(), targets.end());
  return distinct.size() == tables.size() ? targets : std::vector<std::string>();
}

/// What moves with the tables among `moves`, one rotation after the other; `tables` are those that take their rows with
/// them.
std::vector<Moves> Walker::movesOfRows(const Moves &moves, std::set<std::string> &tables, Location location) {
  std::vector<Moves> all;
  std::map<std::string, std::string> from(moves.begin(), moves.end());
  std::set<std::string> done;
  for (const auto &move : moves) {
    std::vector<std::string> cycle = cycleFrom(move.first, from);
    if (done.count(move.first) || cycle.size() < 2) continue;
    done.insert(cycle.begin(), cycle.end());
    std::vector<std::string> targets = targetsAlike(cycle, location);
    bool movesAlready = llvm::any_of(targets, [&](const std::string &one) { return from.count(one) != 0; });
    if (targets.empty() || movesAlready) continue;
    tables.insert(cycle.begin(), cycle.end());
    Moves rows;
    for (size_t k = 0; k < targets.size(); ++k) rows.push_back({targets[k], targets[(k + 1) % targets.size()]});
    std::vector<Moves> deeper = movesOfRows(rows, tables, location);
    llvm::sort(rows);
    all.push_back(std::move(rows));
    llvm::append_range(all, deeper);
  }
  return all;
}

} // namespace busfare::frontend
