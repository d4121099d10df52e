//===- skeleton/Visit.h - Every node of a block ---------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For questions that do not care where a node stands:
//
//   forEachNode(loop.body, [&](const Node &node) {
//     if (auto *access = std::get_if<Access>(&node.kind)) names.insert(access->array);
//   });
//
// A walk that needs the loops around a node, or leaves some out, is its own.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_SKELETON_VISIT_H
#define BUSFARE_SKELETON_VISIT_H

#include "skeleton/Skeleton.h"
#include "llvm/ADT/ArrayRef.h"

namespace busfare::skeleton {

/// Calls visit on the nodes of the block and all below them, in program order, outer before inner.
template <class Visit> void forEachNode(llvm::ArrayRef<Node> block, const Visit &visit) {
  for (const Node &node : block) {
    visit(node);
    if (auto *loop = std::get_if<Loop>(&node.kind)) {
      forEachNode(loop->body, visit);
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      forEachNode(branch->then, visit);
      forEachNode(branch->otherwise, visit);
    } else if (auto *host = std::get_if<HostStatement>(&node.kind)) {
      forEachNode(host->body, visit);
    }
  }
}

/// Calls visit on the host statements of the block and below, which may be changed.
template <class Visit> void forEachHostStatement(Block &block, const Visit &visit) {
  for (Node &node : block) {
    if (auto *loop = std::get_if<Loop>(&node.kind)) {
      forEachHostStatement(loop->body, visit);
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      forEachHostStatement(branch->then, visit);
      forEachHostStatement(branch->otherwise, visit);
    } else if (auto *host = std::get_if<HostStatement>(&node.kind)) {
      visit(*host);
    }
  }
}

/// Calls visit(access, host) on the accesses of the block and below: the host statement whose body holds it, or null.
/// Several may have their body in common, so an access there is told from another by the statement, and so is its
/// place.
template <class Visit>
void forEachAccess(llvm::ArrayRef<Node> block, const Visit &visit, const HostStatement *in = nullptr) {
  for (const Node &node : block) {
    if (auto *access = std::get_if<Access>(&node.kind)) {
      visit(*access, in);
    } else if (auto *loop = std::get_if<Loop>(&node.kind)) {
      forEachAccess(loop->body, visit);
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      forEachAccess(branch->then, visit);
      forEachAccess(branch->otherwise, visit);
    } else if (auto *host = std::get_if<HostStatement>(&node.kind)) {
      forEachAccess(host->body, visit, host);
    }
  }
}

} // namespace busfare::skeleton

#endif
