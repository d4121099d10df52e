//===- skeleton/InlineOutput.cpp - Long functions that only print ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A function that writes whole fields to a file, element by element, often is the longest of
// the program, is called everywhere, and has nothing to move: what it computes goes into its own
// memory, and from there into the file. Long ones (a dump of everything for debugging) become
// one statement of the host that may read what they read:
//
//   call dump(&u, &v)      host io "dump" { may read u[?]; may read v[?] }
//
//===----------------------------------------------------------------------===//

#include "skeleton/Inliner.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"

using namespace busfare::skeleton;

/// Shorter ones are followed statement by statement.
static constexpr size_t leastNodes = 200;

/// Does a loop of the block do output?
static bool printsInLoops(llvm::ArrayRef<Node> block, bool isInLoop = false) {
  return llvm::any_of(block, [&](const Node &node) {
    if (const auto *host = std::get_if<HostStatement>(&node.kind))
      return isInLoop && host->reason == HostReason::InputOutput;
    if (const auto *loop = std::get_if<Loop>(&node.kind)) return printsInLoops(loop->body, true);
    const auto *branch = std::get_if<Branch>(&node.kind);
    return branch && (printsInLoops(branch->then, isInLoop) || printsInLoops(branch->otherwise, isInLoop));
  });
}

/// If the body of a call does nothing for its callers but print, at length, replaces it by a statement that says so.
/// Called behind the substitution, so that all names are those of the result; `frame` is the callee's.
void Inliner::foldOutput(const Call &call, const Frame &frame, Block &body) {
  size_t size = 0;
  std::map<std::string, Location> read;
  Block defines;
  bool isOutput = true;
  // What is declared by the callee, or by those that it calls, ends with the call. An alias is only a name.
  auto isOwn = [&](const std::string &name) {
    const Array *array = declared(name);
    return array && llvm::StringRef(name).starts_with(frame.prefix) &&
           (array->storage == Storage::Local || array->storage == Storage::Heap);
  };
  forEachNode(body, [&](const Node &node) {
    ++size;
    if (const auto *access = std::get_if<Access>(&node.kind)) {
      if (isOwn(access->array)) return;
      isOutput &= access->kind == AccessKind::Read;
      read.try_emplace(access->array, access->location);
    } else if (const auto *allocate = std::get_if<Allocate>(&node.kind)) {
      isOutput &= isOwn(allocate->array);
    } else if (const auto *freed = std::get_if<Free>(&node.kind)) {
      isOutput &= isOwn(freed->array);
    } else if (const auto *host = std::get_if<HostStatement>(&node.kind)) {
      isOutput &= !touchesExposed(*host) && !host->message && !host->library;
    } else if (const auto *define = std::get_if<Define>(&node.kind)) {
      defines.emplace_back(
          Define{define->symbol, {}, {}, {}, define->reason, define->location}); // extents speak of them
    } else {
      isOutput &= std::holds_alternative<Loop>(node.kind) || std::holds_alternative<Branch>(node.kind) ||
                  std::holds_alternative<Operations>(node.kind);
    }
  });
  if (!isOutput || size < leastNodes || !printsInLoops(body)) return;
  HostStatement host;
  host.reason = HostReason::InputOutput;
  host.what = call.callee;
  host.location = call.location;
  Touched touched;
  for (const auto &[name, location] : read) mayTouch(host, touched, name, true, frame);
  for (Node &node : host.body.edit()) {
    Access &access = std::get<Access>(node.kind);
    if (auto where = read.find(access.array); where != read.end()) access.location = where->second;
  }
  const size_t kept = defines.size() + 1 + host.body.size();
  nodes -= std::min(nodes, size > kept ? size - kept : 0);
  for (CallPath &path : llvm::MutableArrayRef(result.paths).drop_front(frame.path)) path.isFolded = true;
  defines.emplace_back(std::move(host));
  body = std::move(defines);
}
