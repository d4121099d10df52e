//===- skeleton/SharedWork.h - Loops that threads of the host share --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A parallel region that threads share by hand is one loop over its threads, in which a
// statement of the host says so. Whatever runs in it, in functions that it calls too, is
// run by several threads at a time:
//
//   for thread = 0 .. threads - 1 { host threads "..."  call work(&a, thread) }
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_SKELETON_SHARED_WORK_H
#define BUSFARE_SKELETON_SHARED_WORK_H

#include "skeleton/Skeleton.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::skeleton {

inline bool isSharedByThreads(const Block &block) {
  return llvm::any_of(block, [](const Node &node) {
    auto *host = std::get_if<HostStatement>(&node.kind);
    return host && host->reason == HostReason::Threads;
  });
}

} // namespace busfare::skeleton

#endif
