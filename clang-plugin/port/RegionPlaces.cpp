//===- clang-plugin/port/RegionPlaces.cpp - One node, one place ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The plan speaks of nodes of the skeleton, the port writes beside statements of the
// source. One statement may hold several nodes, of which some run only sometimes, and
// one node's statement may be met in several ways:
//
//   c ? (d[5] = 1) : (d[6] = 2);                 a copy of d[5] belongs inside
//   switch (k) { case 1: d[3] = 1; case 2: d[4] = 2; }
//                                                behind d[4] = 2 whoever began at case 1
//                                                wants d[3:2], who began at case 2 d[4:1]
//
// Both are refused here, and the plan is made again. Where all ways want the same, one
// place serves them all.
//
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/RegionWriter.h"

namespace busfare::frontend::port {
using namespace skeleton;

/// Does what stands beside the place's statement run whenever the node does, and only then, as far as branches decide?
/// Each branch around the node must begin before the statement: then it is a side of it, or stands behind a jump out of
/// it.
bool RegionWriter::runsWith(const Node &node, const Place &place) {
  for (const Node *at = &node;;) {
    auto position = positions.find(at);
    if (position == positions.end()) return false;
    auto owner = owners.find(position->second.block);
    if (owner == owners.end()) return true;
    at = owner->second;
    if (at->path != place.path) // the call runs whenever its statement does, or is asked for itself
      return true;
    const auto *branch = std::get_if<Branch>(&at->kind);
    if (!branch || branch->isRest) continue;
    const Spot *spot = place.source->spotAt(branch->location);
    if (!spot || spot->begin >= place.spot->begin) return false;
  }
}

/// Is the node in the other one's block, or in what stands there?
bool RegionWriter::isBeside(const Node &node, const Node &other) const {
  const Block *own = positions.at(&other).block;
  for (const Node *at = &node;;) {
    const Block *block = positions.at(at).block;
    if (block == own) return true;
    auto owner = owners.find(block);
    if (owner == owners.end()) return false;
    at = owner->second;
  }
}

/// Are all nodes that the place's statement stands for beside the node? isLike: of another one, it does not matter.
bool RegionWriter::isOneWay(const Node &node, const Place &place, llvm::function_ref<bool(const Node &other)> isLike) {
  auto [known, isNew] = nodesAt.try_emplace(place.path);
  if (isNew)
    for (const auto &[other, position] : positions) {
      const auto *access = std::get_if<Access>(&other->kind);
      const Array *array = access ? findArray(q.program, q.root.function, access->array) : nullptr;
      // Sizes are read wherever they are wanted first.
      const bool isOfSize = std::holds_alternative<Define>(other->kind) ||
                            (access && access->kind == AccessKind::Read && array && array->isScalar());
      if (other->path != place.path || isOfSize || std::holds_alternative<Operations>(other->kind)) continue;
      if (std::optional<unsigned> offset = place.source->offsetAt(locationOf(*other)))
        known->second.emplace(*offset, other);
    }
  if (!positions.count(&node)) return false;
  for (auto other = known->second.lower_bound(place.spot->begin);
       other != known->second.end() && other->first < place.spot->end; ++other)
    if (!isBeside(*other->second, node) && !(isLike && isLike(*other->second))) return false;
  return true;
}

} // namespace busfare::frontend::port
