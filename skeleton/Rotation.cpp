//===- skeleton/Rotation.cpp - What pointer swaps do to names -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "skeleton/Rotation.h"
#include <map>
#include <set>

namespace busfare::skeleton {

namespace {

using Names = std::map<std::string, std::string>;

std::string denoted(const Names &names, const std::string &name) {
  auto found = names.find(name);
  return found == names.end() ? name : found->second;
}

/// First `first`, then `second`.
Names compose(const Names &first, const Names &second) {
  Names result = first;
  for (const auto &[name, source] : second)
    result[name] = denoted(first, source);
  for (auto it = result.begin(); it != result.end();)
    it = it->first == it->second ? result.erase(it) : std::next(it);
  return result;
}

std::optional<int64_t> tripCount(const Loop &loop) {
  std::optional<int64_t> lower = loop.lower.constant(), upper = loop.upper.constant();
  if (!lower || !upper || loop.mayExitEarly)
    return std::nullopt;
  int64_t distance = 0;
  if (loop.step > 0 ? __builtin_sub_overflow(*upper, *lower, &distance) : __builtin_sub_overflow(*lower, *upper, &distance))
    return std::nullopt;
  return distance < 0 ? 0 : distance / std::abs(loop.step) + 1;
}

std::optional<Names> power(const Names &once, std::optional<int64_t> times) {
  if (once.empty())
    return once;
  if (!times)
    return std::nullopt;
  // A permutation of k names has an order of at most Landau's g(k): small for the few that code swaps.
  int64_t order = 1;
  for (Names all = once; !all.empty(); all = compose(all, once))
    if (++order > 100000)
      return std::nullopt;
  Names result;
  for (int64_t i = 0; i < *times % order; ++i)
    result = compose(result, once);
  return result;
}

std::optional<Names> namesAfter(const Block &block) {
  Names names;
  for (const Node &node : block) {
    std::optional<Names> step = Names();
    if (auto *rotation = std::get_if<Rotate>(&node.kind)) {
      for (const auto &[first, second] : rotation->moves)
        (*step)[first] = second;
    } else if (auto *loop = std::get_if<Loop>(&node.kind)) {
      step = namesAfter(loop->body);
      if (step)
        step = power(*step, loop->mayExitEarly ? std::nullopt : tripCount(*loop));
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      step = namesAfter(branch->then);
      std::optional<Names> otherwise = namesAfter(branch->otherwise);
      if (!step || !otherwise || *step != *otherwise)
        return std::nullopt;
    }
    if (!step)
      return std::nullopt;
    names = compose(names, *step);
  }
  return names;
}

void connect(llvm::ArrayRef<Node> block, std::vector<std::set<std::string>> &groups) {
  for (const Node &node : block) {
    if (auto *rotation = std::get_if<Rotate>(&node.kind)) {
      std::set<std::string> joined;
      for (const auto &[first, second] : rotation->moves)
        joined.insert({first, second});
      for (auto it = groups.begin(); it != groups.end();) {
        bool meets = false;
        for (const std::string &name : *it)
          meets |= joined.count(name) != 0;
        if (meets) {
          joined.insert(it->begin(), it->end());
          it = groups.erase(it);
        } else {
          ++it;
        }
      }
      groups.push_back(std::move(joined));
    } else if (auto *loop = std::get_if<Loop>(&node.kind)) {
      connect(loop->body, groups);
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      connect(branch->then, groups);
      connect(branch->otherwise, groups);
    }
  }
}

} // namespace

std::optional<Permutation> permutationOf(const Block &block) {
  std::optional<Names> names = namesAfter(block);
  if (!names)
    return std::nullopt;
  return Permutation(names->begin(), names->end());
}

Permutation inverse(const Permutation &permutation) {
  Names names;
  for (const auto &[name, source] : permutation)
    names[source] = name;
  return {names.begin(), names.end()};
}

std::vector<std::vector<std::string>> rotatedTogether(llvm::ArrayRef<Node> block) {
  return rotatedTogether(llvm::ArrayRef<llvm::ArrayRef<Node>>(block));
}

std::vector<std::vector<std::string>> rotatedTogether(llvm::ArrayRef<llvm::ArrayRef<Node>> parts) {
  std::vector<std::set<std::string>> groups;
  for (llvm::ArrayRef<Node> part : parts)
    connect(part, groups);
  std::vector<std::vector<std::string>> result;
  for (const std::set<std::string> &group : groups)
    result.emplace_back(group.begin(), group.end());
  return result;
}

} // namespace busfare::skeleton
