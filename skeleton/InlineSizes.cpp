//===- skeleton/InlineSizes.cpp - Sizes that only a callee can name -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Memory that a callee allocates belongs to the caller's name, which may not be able to say
// how much it is (the callee read it from memory). With the calls substituted it can:
//
//   array list : i32[?] heap ... call setup(&list)     where setup has   define m ... alloc list[m]
//   ->  array list : i32[`setup@7:m`]
//
//===----------------------------------------------------------------------===//

#include "skeleton/Inliner.h"
#include "skeleton/Rotation.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

namespace busfare::skeleton {

static bool areKnown(const Extents &extents) {
  return llvm::all_of(extents, [](const auto &extent) { return extent && !extent->isPoisoned(); });
}

namespace {

/// What the body does with the memory behind a name.
struct Memory {
  const Allocate *allocate = nullptr; ///< The last.
  unsigned count = 0; ///< Of allocations.
  bool isSure = false; ///< The last runs whenever the root does.
  bool isTouchedBefore = false; ///< Before the first.
  bool isOther = false; ///< push_back, reserve: it may have another size behind them. (What resize and realloc do has
                        ///< an allocation beside it.)
};

} // namespace

static llvm::StringMap<Memory> memoryIn(const Block &body) {
  llvm::StringMap<Memory> all;
  forEachNode(body, [&](const Node &node) {
    if (const auto *allocate = std::get_if<Allocate>(&node.kind)) {
      Memory &memory = all[allocate->array];
      ++memory.count;
      memory.allocate = allocate;
    }
    const auto *host = std::get_if<HostStatement>(&node.kind);
    if (host && host->reason == HostReason::Allocation)
      for (const Node &inner : host->body)
        if (const auto *access = std::get_if<Access>(&inner.kind); access && access->kind != AccessKind::Read) {
          Memory &memory = all[access->array];
          memory.isOther |= !memory.allocate || host->location != memory.allocate->location;
        }
    if (const auto *access = std::get_if<Access>(&node.kind)) {
      Memory &memory = all[access->array];
      memory.isTouchedBefore |= memory.count == 0;
    }
  });
  for (const Node &node : body)
    if (const auto *allocate = std::get_if<Allocate>(&node.kind)) all[allocate->array].isSure = true;
  return all;
}

void Inliner::takeAllocatedExtents(const Block &body) {
  std::set<std::string> rotated;
  for (const Names &group : rotatedTogether(body)) rotated.insert(group.begin(), group.end());
  llvm::StringMap<Memory> memory = memoryIn(body);
  for (Array &array : result.function.arrays) {
    if (array.storage != Storage::Heap || areKnown(array.extents) || rotated.count(array.name) ||
        confused.count(array.name) || allocatedAsOther.count(array.name))
      continue;
    const Memory &made = memory[array.name];
    // All memory behind the name: allocated once, whenever the root runs, and touched by nobody before.
    if (made.count != 1 || !made.isSure || made.isTouchedBefore || made.isOther) continue;
    if (areKnown(made.allocate->extents) && made.allocate->extents.size() == array.extents.size())
      array.extents = made.allocate->extents;
  }
}

} // namespace busfare::skeleton
