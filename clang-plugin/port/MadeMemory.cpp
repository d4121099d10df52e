//===- clang-plugin/port/MadeMemory.cpp - Where an array surely has memory -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A program may allocate an array on some ways only, and ask again before it uses it:
//
//   double *u = NULL;
//   if (kind == 1) u = malloc(n * 8);
//   for (i = 0; i < n; i++) out[i] = kind == 1 ? u[i] : i;
//
// The copy in front of the kernel would not ask: what the device gets of u is read there, memory or not. So a kernel,
// and each copy of the array, must stand where the allocation has surely run: on the same side of all branches around
// that, or of others with equal conditions.
//
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/RegionWriter.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::frontend::port {
using namespace skeleton;

namespace {

struct Side {
  const Branch *branch;
  bool isThen;
};
bool isSame(const Side &a, const Side &b) {
  const Condition &one = a.branch->condition, &other = b.branch->condition;
  return a.isThen == b.isThen && (a.branch == b.branch || (one.exact && other.exact && one.anyOf == other.anyOf));
}
using Way = std::vector<Side>;

class MadeMemory {
public:
  /// asks(node, after): is the memory needed there, in front of the node or behind it?
  MadeMemory(const std::string &array, llvm::function_ref<bool(const Node &, bool)> asks) : array(array), asks(asks) {}

  /// The first node that asks where no memory need be.
  const Node *lacking(llvm::ArrayRef<Node> block) {
    for (const Node &node : block) {
      if (asks(node, false) && !isMade()) return &node;
      if (const auto *allocate = std::get_if<Allocate>(&node.kind); allocate && allocate->array == array)
        made.push_back(way);
      if (const auto *freed = std::get_if<Free>(&node.kind); freed && freed->array == array)
        llvm::erase_if(made, [&](const Way &one) { return leadsHere(one); });
      if (const auto *loop = std::get_if<Loop>(&node.kind))
        if (const Node *found = lacking(loop->body)) return found;
      if (const auto *branch = std::get_if<Branch>(&node.kind))
        if (const Node *found = inBranch(*branch)) return found;
      if (asks(node, true) && !isMade()) return &node;
    }
    return nullptr;
  }

private:
  const std::string &array;
  llvm::function_ref<bool(const Node &, bool)> asks;
  std::vector<Way> made; ///< The sides of branches on which it has been, in order.
  Way way;

  bool leadsHere(const Way &one) const {
    return llvm::all_of(
        one, [&](const Side &side) { return llvm::any_of(way, [&](const Side &here) { return isSame(side, here); }); });
  }

  bool isMade() const {
    return llvm::any_of(made, [&](const Way &one) { return leadsHere(one); });
  }

  const Node *inBranch(const Branch &branch) {
    bool onSide[2];
    for (bool isThen : {true, false}) {
      const Block &side = isThen ? branch.then : branch.otherwise;
      way.push_back({&branch, isThen});
      if (const Node *found = lacking(side)) return found;
      onSide[isThen] = surelyEnds(side) || isMade();
      way.pop_back();
    }
    if (onSide[0] && onSide[1]) made.push_back(way);
    return nullptr;
  }
};

} // namespace

bool RegionWriter::hasMemory(const brs::ArrayTransfers &array) {
  // Globals and what callers have may have had memory before: `if (!buffer) buffer = malloc(...)`.
  const Array *known = q.root.arrays.find(array.name);
  bool isAllocated = false;
  forEachNode(q.root.function.body, [&](const Node &node) {
    const auto *one = std::get_if<Allocate>(&node.kind);
    isAllocated |= one && one->array == array.name;
  });
  if (!isAllocated || !known || known->storage != Storage::Heap) return true;
  const std::vector<const Loop *> kernels = kernelsThatTouch(array.name);
  auto asks = [&](const Node &node, bool after) {
    auto isHere = [&](const brs::Crossing &crossing) { return crossing.node == &node && crossing.after == after; };
    const auto *loop = std::get_if<Loop>(&node.kind);
    return (loop && !after && llvm::is_contained(kernels, loop)) || llvm::any_of(array.h2d, isHere) ||
           llvm::any_of(array.d2h, isHere);
  };
  const Node *lacking = MadeMemory(array.name, asks).lacking(q.root.function.body);
  return !lacking || fail(array.name + " need not have memory at " + toString(locationOf(*lacking)) +
                              ": it is allocated on some ways only",
                          locationOf(*lacking), kernels);
}

} // namespace busfare::frontend::port
