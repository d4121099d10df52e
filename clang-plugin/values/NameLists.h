//===- clang-plugin/values/NameLists.h - Lists of names that are shared --===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Sorted lists of names, each kept once. A call that is not seen may leave hundreds of pointers anywhere, each of them
// likely at one of the same hundreds of arrays: they share the list, and to unite two that were united before costs a
// look into a table.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_VALUES_NAME_LISTS_H
#define BUSFARE_CLANG_PLUGIN_VALUES_NAME_LISTS_H

#include "llvm/ADT/DenseMap.h"
#include <set>
#include <string>
#include <vector>

namespace busfare::frontend {

/// In order, each name once. Lists of one NameLists are equal only if they are the same; null: the empty one.
using NameList = const std::vector<std::string> *;

class NameLists {
public:
  /// The list of these names, whatever their order.
  NameList of(std::vector<std::string> names);
  /// What is in either.
  NameList unite(NameList a, NameList b);

private:
  std::set<std::vector<std::string>> all;
  llvm::DenseMap<std::pair<NameList, NameList>, NameList> united; ///< The lesser address first.
};

} // namespace busfare::frontend

#endif
