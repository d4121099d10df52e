//===- clang-plugin/values/NameLists.cpp - Lists of names that are shared -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NameLists.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::frontend {

NameList NameLists::of(std::vector<std::string> names) {
  llvm::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names.empty() ? nullptr : &*all.insert(std::move(names)).first;
}

NameList NameLists::unite(NameList a, NameList b) {
  if (!a || !b || a == b) return a ? a : b;
  if (std::less<>()(b, a)) std::swap(a, b);
  auto [known, isNew] = united.try_emplace({a, b});
  if (isNew) {
    std::vector<std::string> both = *a;
    both.insert(both.end(), b->begin(), b->end());
    const NameList result = of(std::move(both));
    known->second = result;
  }
  return known->second;
}

} // namespace busfare::frontend
