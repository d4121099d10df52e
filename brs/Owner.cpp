//===- brs/Owner.cpp - Which loop makes an array anew ---------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/Owner.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

namespace busfare::brs {
using namespace skeleton;

namespace {

struct Search {
  struct Wanted {
    const Array *array = nullptr;
    std::optional<std::vector<const Loop *>> around; ///< The loops around all accesses so far; nothing: none was seen.
  };
  llvm::DenseMap<llvm::StringRef, Wanted> wanted;
  std::vector<const Loop *> path;

  void walk(const Block &block) {
    for (const Node &node : block) {
      if (auto *access = std::get_if<Access>(&node.kind)) {
        auto found = wanted.find(access->array);
        if (found == wanted.end()) continue;
        std::optional<std::vector<const Loop *>> &common = found->second.around;
        if (!common) common = path;
        else
          common->erase(std::mismatch(common->begin(), common->end(), path.begin(), path.end()).first, common->end());
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
      search.wanted.try_emplace(array.name, Search::Wanted{&array, std::nullopt});
  std::map<std::string, std::string> owners;
  if (search.wanted.empty()) return owners;
  search.walk(function.body);
  for (const auto &[array, around] : llvm::make_second_range(search.wanted)) {
    if (!around) continue;
    const std::string &name = array->name;
    const Location &declared = array->location;
    for (auto loop = around->rbegin(); loop != around->rend(); ++loop) {
      const Location &begin = (*loop)->location;
      // Places can be compared only within one function's text: both reached through as many calls (Inline puts
      // `callee@LINE:` before names, once for each).
      size_t calls = size_t(std::count(name.begin(), name.end(), '@'));
      // A loop of a caller is around the call, and each call has a fresh one.
      bool isCallers = (*loop)->context.size() < calls;
      bool isBefore = (*loop)->context.size() == calls && begin.isKnown() && begin.file == declared.file &&
                      std::tie(begin.line, begin.column) < std::tie(declared.line, declared.column);
      if (!isBefore && !isCallers) continue;
      owners[name] = (*loop)->index;
      break;
    }
  }
  return owners;
}

} // namespace busfare::brs
