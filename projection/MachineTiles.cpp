//===- projection/MachineTiles.cpp - Kernel times of tiles in a machine file ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/MachineTiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using llvm::StringRef;

namespace busfare::projection {

static std::string shown(const llvm::json::Value *value) {
  return value ? llvm::formatv("{0}", *value).str() : "nothing";
}

static std::optional<SourceKind> kindOf(StringRef word) {
  for (SourceKind kind : {SourceKind::Measured, SourceKind::Datasheet, SourceKind::Derived, SourceKind::Assumed})
    if (word == toString(kind)) return kind;
  return std::nullopt;
}

/// [2048, 0.0025]
static std::optional<TilePoint> readTile(const llvm::json::Value &value) {
  const llvm::json::Array *pair = value.getAsArray();
  std::optional<double> tile = pair && pair->size() == 2 ? (*pair)[0].getAsNumber() : std::nullopt;
  std::optional<double> time = pair && pair->size() == 2 ? (*pair)[1].getAsNumber() : std::nullopt;
  bool isTile =
      tile && time && *tile >= 1 && *tile <= 1e12 && *tile == std::floor(*tile) && *time >= 1e-12 && *time <= 1e6;
  return isTile ? std::optional(TilePoint{*tile, *time}) : std::nullopt;
}

static void readTable(const llvm::json::Value &value, const std::string &where, Machine &machine,
                      std::vector<std::string> &problems) {
  const llvm::json::Object *object = value.getAsObject();
  if (!object) return problems.push_back(where + ": expected an object, found " + shown(&value));
  size_t before = problems.size();
  auto text = [&](const char *key) {
    std::optional<StringRef> found = object->getString(key);
    if (!found) problems.push_back(where + "." + key + ": expected text, found " + shown(object->get(key)));
    return found.value_or("").str();
  };
  TileTable table;
  table.routine = text("routine");
  std::string kind = text("kind");
  table.source = text("source");
  std::optional<SourceKind> known = kindOf(kind);
  if (!known && problems.size() == before)
    problems.push_back(where + ".kind: expected measured, datasheet, derived or assumed, found \"" + kind + "\"");
  const llvm::json::Array *points = object->getArray("points");
  if (!points || points->empty())
    return problems.push_back(where + ".points: expected a list of [tile, seconds], found " +
                              shown(object->get("points")));
  for (size_t i = 0; i < points->size(); ++i)
    if (std::optional<TilePoint> point = readTile((*points)[i])) table.points.push_back(*point);
    else
      problems.push_back(where + ".points[" + std::to_string(i) + "]: expected [tile, seconds], found " +
                         shown(&(*points)[i]));
  for (const auto &entry : *object)
    if (!llvm::is_contained({"routine", "kind", "source", "points"}, entry.first.str()))
      problems.push_back(where + "." + entry.first.str() + ": not known; there are routine, kind, source, points");
  if (problems.size() > before) return;
  table.kind = *known;
  machine.tiles.push_back(std::move(table));
}

void readTiles(const llvm::json::Value &value, Machine &machine, std::vector<std::string> &problems) {
  const llvm::json::Array *tables = value.getAsArray();
  if (!tables) return problems.push_back(tilesKey.str() + ": expected a list, found " + shown(&value));
  for (size_t i = 0; i < tables->size(); ++i)
    readTable((*tables)[i], tilesKey.str() + "[" + std::to_string(i) + "]", machine, problems);
}

llvm::json::Value writtenTiles(const Machine &machine) {
  llvm::json::Array tables;
  for (const TileTable &table : machine.tiles) {
    llvm::json::Array points;
    for (const TilePoint &point : table.points) points.push_back(llvm::json::Array{point.tile, point.time});
    tables.push_back(llvm::json::Object{{"routine", table.routine},
                                        {"kind", toString(table.kind)},
                                        {"source", table.source},
                                        {"points", std::move(points)}});
  }
  return tables;
}

} // namespace busfare::projection
