//===- brs/Touch.cpp - Which side of the bus touches some arrays -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/Touch.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::brs {
using namespace skeleton;

bool Touches::mayBeOne(llvm::StringRef name) const {
  if (isOne(name))
    return true;
  const Array *array = findArray(program, function, name.str());
  if (!array)
    return true; // not known: it may be anything
  if (array->storage != Storage::Alias)
    return false;
  return array->mayBe.empty() || llvm::any_of(array->mayBe, [&](const std::string &other) { return isOne(other); });
}

Touch Touches::of(const Node &node) {
  auto cached = known.find(&node);
  if (cached != known.end())
    return cached->second;
  Touch result;
  auto join = [&](const Block &block) {
    for (const Node &inner : block) {
      Touch t = of(inner);
      result.host |= t.host;
      result.device |= t.device;
      result.hostWrites |= t.hostWrites;
      result.deviceWrites |= t.deviceWrites;
    }
  };
  if (auto *access = std::get_if<Access>(&node.kind)) {
    result.host = mayBeOne(access->array);
    result.hostWrites = result.host && access->kind != AccessKind::Read;
  } else if (auto *allocate = std::get_if<Allocate>(&node.kind)) {
    result.host = result.hostWrites = mayBeOne(allocate->array);
  } else if (auto *freed = std::get_if<Free>(&node.kind)) {
    result.host = result.hostWrites = mayBeOne(freed->array);
  } else if (std::holds_alternative<Call>(node.kind)) {
    result.host = result.hostWrites = true;
  } else if (auto *host = std::get_if<HostStatement>(&node.kind)) {
    join(host->body);
  } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
    join(branch->then), join(branch->otherwise);
  } else if (auto *loop = std::get_if<Loop>(&node.kind)) {
    join(loop->body);
    if (kernels.count(loop))
      result = {false, result.host, false, result.hostWrites};
  }
  return known[&node] = result;
}

} // namespace busfare::brs
