//===- clang-plugin/walk/TriedLoop.cpp - What trials have shown of inner loops -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TriedLoop.h"

namespace busfare::frontend {

Walker::TriedLoop &Walker::TriedLoop::meet(const Key &key) {
  std::unique_ptr<TriedLoop> &one = inside[key];
  if (!one) one = std::make_unique<TriedLoop>();
  one->isUnclear |= one->isMet;
  one->isMet = true;
  return *one;
}

void Walker::TriedLoop::beginWalk() {
  for (auto &[key, one] : inside) one->isMet = false;
}

/// Do the steps mean the same in each walk around? What a walk around makes has a name that another may give to
/// something else.
bool Walker::holdInEachWalk(const Steps &steps) const {
  if (st.frames.empty()) return false;
  const Frame &outermost = st.frames.front();
  auto isOlder = [&](const Symbolic &expr) {
    return !expr.isPoisoned() && llvm::all_of(expr.symbols(), [&](const std::string &symbol) {
      auto facts = st.symbols.find(symbol);
      return facts != st.symbols.end() && facts->second.serial <= outermost.mark;
    });
  };
  auto areOlder = [&](const auto &changes) {
    return llvm::all_of(changes, [&](const auto &one) { return isOlder(one.second); });
  };
  auto isOldObject = [&](const std::string &name) {
    return llvm::is_contained(llvm::ArrayRef(st.objectOrder).take_front(outermost.objects), name);
  };
  const bool movesNames = !steps.rotation.empty() || !steps.followers.empty() || !steps.alternation.empty() ||
                          !steps.rotated.empty() || !steps.following.empty();
  return !movesNames && areOlder(steps.integers) && areOlder(steps.beforeBody) && areOlder(steps.toggles) &&
         steps.afterBody.empty() && steps.pointersAfterBody.empty() &&
         llvm::all_of(steps.pointers, [&](const auto &one) { return llvm::all_of(one.second, isOlder); }) &&
         llvm::all_of(steps.targets, [&](const auto &one) { return llvm::all_of(one.second, isOldObject); });
}

/// The steps of a walk before, if this loop takes them over; `changed` is then what they are of.
std::optional<Walker::Steps> Walker::stepsTriedBefore(const TriedLoop &loop, std::set<std::string> &changed,
                                                      Location location) {
  const bool isAlike = trialDepth > 0
                           ? std::includes(loop.changed.begin(), loop.changed.end(), changed.begin(), changed.end())
                           : loop.changed == changed; // the walk for good is not to take more for changed than is
  if (!loop.steps || loop.isUnclear || !isAlike || !holdInEachWalk(*loop.steps)) return std::nullopt;
  changed = loop.changed;
  readCarried(changed, location);
  Steps steps = *loop.steps;
  steps.tables = st.env.tables;
  return steps;
}

} // namespace busfare::frontend
