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

namespace busfare::skeleton {

static bool areKnown(const Extents &extents) {
  return llvm::all_of(extents, [](const auto &extent) { return extent && !extent->isPoisoned(); });
}

/// push_back, reserve: the memory may have another size behind it. (What resize and realloc do has an allocation beside
/// it.)
static bool mayGiveOther(const HostStatement &host, const std::string &name, const Location &allocated) {
  return host.reason == HostReason::Allocation && host.location != allocated &&
         llvm::any_of(host.body, [&](const Node &node) {
           const auto *access = std::get_if<Access>(&node.kind);
           return access && access->array == name && access->kind != AccessKind::Read;
         });
}

/// What all memory behind the name is: allocated once, whenever the root runs, and touched by nobody before.
static const Allocate *onlyAllocation(const Block &body, const std::string &name) {
  unsigned count = 0;
  bool isTouchedBefore = false, isOther = false;
  Location allocated;
  forEachNode(body, [&](const Node &node) {
    if (const auto *allocate = std::get_if<Allocate>(&node.kind); allocate && allocate->array == name)
      ++count, allocated = allocate->location;
    if (const auto *access = std::get_if<Access>(&node.kind)) isTouchedBefore |= count == 0 && access->array == name;
    if (const auto *host = std::get_if<HostStatement>(&node.kind)) isOther |= mayGiveOther(*host, name, allocated);
  });
  if (count != 1 || isTouchedBefore || isOther) return nullptr;
  for (const Node &node : body)
    if (const auto *allocate = std::get_if<Allocate>(&node.kind); allocate && allocate->array == name) return allocate;
  return nullptr;
}

void Inliner::takeAllocatedExtents(const Block &body) {
  std::set<std::string> rotated;
  for (const Names &group : rotatedTogether(body)) rotated.insert(group.begin(), group.end());
  for (Array &array : result.function.arrays) {
    if (array.storage != Storage::Heap || areKnown(array.extents) || rotated.count(array.name) ||
        confused.count(array.name) || allocatedAsOther.count(array.name))
      continue;
    const Allocate *allocate = onlyAllocation(body, array.name);
    if (allocate && areKnown(allocate->extents) && allocate->extents.size() == array.extents.size())
      array.extents = allocate->extents;
  }
}

} // namespace busfare::skeleton
