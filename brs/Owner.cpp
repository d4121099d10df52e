//===- brs/Owner.cpp - Which loop makes an array anew ---------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/Owner.h"
#include <algorithm>

namespace busfare::brs {
using namespace skeleton;

namespace {

struct Search {
  std::map<std::string, const Array *> wanted;
  std::vector<const Loop *> path;
  std::map<std::string, std::vector<const Loop *>> around; ///< The loops around all accesses so far.

  void walk(const Block &block) {
    for (const Node &node : block) {
      if (auto *access = std::get_if<Access>(&node.kind)) {
        if (!wanted.count(access->array))
          continue;
        auto [entry, isFirst] = around.try_emplace(access->array, path);
        auto &common = entry->second;
        auto end = std::mismatch(common.begin(), common.end(), path.begin(), path.end()).first;
        common.erase(end, common.end());
      } else if (auto *loop = std::get_if<Loop>(&node.kind)) {
        path.push_back(loop);
        walk(loop->body);
        path.pop_back();
      } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
        walk(branch->then);
        walk(branch->otherwise);
      } else if (auto *host = std::get_if<HostStatement>(&node.kind)) {
        walk(host->body);
      }
    }
  }
};

} // namespace

std::map<std::string, std::string> ownerLoops(const Function &function) {
  Search search;
  for (const Array &array : function.arrays)
    if (array.perIteration && array.location.isKnown())
      search.wanted.emplace(array.name, &array);
  std::map<std::string, std::string> owners;
  if (search.wanted.empty())
    return owners;
  search.walk(function.body);
  for (const auto &[name, loops] : search.around) {
    const Location &declared = search.wanted.at(name)->location;
    for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
      const Location &begin = (*loop)->location;
      // Places can be compared only within one function's text: both reached through as many calls (Inline puts
      // `callee@LINE:` before names, once for each).
      size_t calls = size_t(std::count(name.begin(), name.end(), '@'));
      bool isBefore = (*loop)->context.size() == calls && begin.isKnown() && begin.file == declared.file &&
                      std::tie(begin.line, begin.column) < std::tie(declared.line, declared.column);
      if (!isBefore)
        continue;
      owners[name] = (*loop)->index;
      break;
    }
  }
  return owners;
}

} // namespace busfare::brs
