//===- brs/Touch.cpp - Which side of the bus touches some arrays -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/Touch.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::brs {
using namespace skeleton;

void TouchIndex::add(const Block &block, const Node *in, bool isHost) {
  for (const Node &node : block) {
    auto addBelow = [&](const Block &below) {
      around[&node] = in;
      add(below, &node, isHost || std::holds_alternative<HostStatement>(node.kind));
    };
    if (auto *access = std::get_if<Access>(&node.kind)) {
      byName[access->array].push_back(
          {in, access->kind != AccessKind::Read, !typesMix && !isHost && readsValue(*access), overwrites(*access)});
    } else if (auto *allocate = std::get_if<Allocate>(&node.kind)) {
      byName[allocate->array].push_back({in, true, false});
    } else if (auto *freed = std::get_if<Free>(&node.kind)) {
      byName[freed->array].push_back({in, true, false});
    } else if (std::holds_alternative<Call>(node.kind)) {
      calls.push_back({in, true, false});
    } else if (auto *host = std::get_if<HostStatement>(&node.kind)) {
      addBelow(host->body);
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      addBelow(branch->then);
      addBelow(branch->otherwise);
    } else if (auto *loop = std::get_if<Loop>(&node.kind)) {
      addBelow(loop->body);
    }
  }
}

Touches::Touches(const TouchIndex &index, const ArrayTable &arrays, const KernelLoops &kernels,
                 const std::vector<std::string> &group)
    : arrays(arrays), group(group.begin(), group.end()) {
  auto mark = [&](const TouchIndex::Place &place) {
    Touch touch{true, false, place.writes, false, place.overwrites};
    for (const Node *node = place.in; node; node = index.around.lookup(node)) {
      if (auto *loop = std::get_if<Loop>(&node->kind); loop && kernels.count(loop))
        touch = {false, true, false, place.writes, place.overwrites};
      if (!known[node].join(touch)) break; // nor does it add anything further out
    }
  };
  typesMix = index.typesMix;
  for (const auto &entry : index.byName)
    for (bool isValue : {false, true})
      if (mayBeOne(entry.getKey(), isValue))
        for (const TouchIndex::Place &place : entry.getValue())
          if (place.isValue == isValue) mark(place);
  llvm::for_each(index.calls, mark);
}

bool Touches::mayBeOne(llvm::StringRef name, bool isValue) const {
  const Array *array = arrays.find(name);
  if (!array || isOne(name)) return true; // not known: it may be anything
  if (array->storage != Storage::Alias) return false;
  auto isMeant = [&](const std::string &other) {
    const Array *object = arrays.find(other);
    return isOne(other) && (!object || (!isOnlyNamed(*object) && (!isValue || mayBeOfType(array->type, object->type))));
  };
  return array->mayBe.empty() ? llvm::any_of(group, isMeant) : llvm::any_of(array->mayBe, isMeant);
}

Touch Touches::of(const Node &node) const {
  auto onHost = [&](const std::string &name, bool writes, bool isValue = false, bool overwritesOne = false) {
    bool touches = mayBeOne(name, isValue);
    return Touch{touches, false, touches && writes, false, touches && overwritesOne};
  };
  if (auto *access = std::get_if<Access>(&node.kind))
    return onHost(access->array, access->kind != AccessKind::Read, !typesMix && readsValue(*access),
                  overwrites(*access));
  if (auto *allocate = std::get_if<Allocate>(&node.kind)) return onHost(allocate->array, true);
  if (auto *freed = std::get_if<Free>(&node.kind)) return onHost(freed->array, true);
  if (std::holds_alternative<Call>(node.kind)) return {true, false, true, false, false};
  return known.lookup(&node);
}

Touch Touches::ofAll(const Block &block) const {
  Touch all;
  for (const Node &node : block) all.join(of(node));
  return all;
}

/// Does the host touch the arrays beside the node, but under a condition, or between kernels of a loop?
bool Touches::isHostElsewhere(const Block &block, const Node &node) const {
  return llvm::any_of(block, [&](const Node &other) {
    Touch touch = of(other);
    return &other != &node && !std::holds_alternative<Branch>(other.kind) && touch.host && !touch.device;
  });
}

bool Touches::isAloneOnHost(const Block &block, const Node &node) const {
  Touch own = of(node);
  return own.host && !own.device && !isHostElsewhere(block, node);
}

bool Touches::hasHostOnOneSide(const Block &block, const Node &node) const {
  const auto *branch = std::get_if<Branch>(&node.kind);
  if (!branch || branch->isRest) return false;
  const Touch then = ofAll(branch->then), otherwise = ofAll(branch->otherwise);
  auto isHosts = [](const Touch &touch) { return touch.host && !touch.device; };
  auto isDevices = [](const Touch &touch) { return touch.device && !touch.host; };
  const double taken = branch->condition.probability;
  return ((isHosts(then) && isDevices(otherwise) && taken <= 0.5) ||
          (isDevices(then) && isHosts(otherwise) && taken >= 0.5)) &&
         !isHostElsewhere(block, node);
}

} // namespace busfare::brs
