//===- brs/Handlers.cpp - Handlers that are assumed not to run ------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/Handlers.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::brs {
using namespace skeleton;

namespace {

using Found = std::vector<Location>;

bool isHandler(const HostStatement &host) { return host.reason == HostReason::Handler; }
bool isThrow(const HostStatement &host) { return host.reason == HostReason::NoReturn && host.what == "throw"; }

template <class Is> void collect(const Node &node, const Is &is, Found &found) {
  forEachNode(llvm::ArrayRef(node), [&](const Node &inside) {
    auto *host = std::get_if<HostStatement>(&inside.kind);
    if (host && is(*host) && !llvm::is_contained(found, host->location)) // a function is called many times
      found.push_back(host->location);
  });
}

bool holds(const Node &node, const Loop &wanted) {
  bool isThere = false;
  forEachNode(llvm::ArrayRef(node), [&](const Node &inside) { isThere |= std::get_if<Loop>(&inside.kind) == &wanted; });
  return isThere;
}

/// True once the loop is reached.
bool collectBefore(llvm::ArrayRef<Node> block, const Loop &wanted, Found &found) {
  for (const Node &node : block) {
    auto *branch = std::get_if<Branch>(&node.kind);
    if (branch && holds(node, wanted)) {
      const bool isThen = llvm::any_of(branch->then, [&](const Node &inside) { return holds(inside, wanted); });
      return collectBefore(isThen ? branch->then : branch->otherwise, wanted, found);
    }
    collect(node, isHandler, found); // of a loop around it, from the iteration before
    if (holds(node, wanted)) return true;
  }
  return false;
}

} // namespace

std::vector<Location> handlersIn(const Function &function) {
  Found found;
  for (const Node &node : function.body) collect(node, isHandler, found);
  return found;
}

std::vector<Location> throwsIn(const Function &function) {
  Found found;
  for (const Node &node : function.body) collect(node, isThrow, found);
  return found;
}

std::vector<Location> handlersBefore(const Function &function, const Loop &loop) {
  Found found;
  collectBefore(function.body, loop, found);
  return found;
}

std::string unthrown(const Location &handler) { return "unthrown(" + toString(handler) + ")"; }

bool isUnthrown(llvm::StringRef assumption) { return assumption.starts_with("unthrown("); }

} // namespace busfare::brs
