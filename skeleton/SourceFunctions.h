//===- skeleton/SourceFunctions.h - Functions as a reader counts them -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Units that include one header have a copy each of its static functions, which are one function to a reader. (Of its
// inline functions a linked program has one already.)
//
//   clamp (a.c), clamp.2 (b.c)       both of grid.h:12: the second is not new
//   clamp.3 (b.c)                    of grid.h:12, but over float: an instance of a template, and new
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_SKELETON_SOURCEFUNCTIONS_H
#define BUSFARE_SKELETON_SOURCEFUNCTIONS_H

#include "skeleton/Skeleton.h"
#include <set>
#include <tuple>

namespace busfare::skeleton {

/// `solve` of `mesh::solve.2`, of `solve (a.c)` and of `m->solve`.
inline llvm::StringRef unqualified(llvm::StringRef name) {
  name = name.split(" (").first;
  const size_t end = name.find_last_of(":>.");
  llvm::StringRef last = end == llvm::StringRef::npos ? name : name.substr(end + 1);
  const bool isNumber = !last.empty() && last.find_first_not_of("0123456789") == llvm::StringRef::npos;
  return isNumber && end > 0 ? unqualified(name.take_front(end)) : last;
}

class SourceFunctions {
public:
  /// No function of this name, place and types was asked for before. What has no place is always new.
  bool isNew(const Function &function) {
    if (function.linkage != Linkage::Static || !function.location.isKnown()) return true;
    // Units that are linked add their names, and a unit numbers overloads as it meets them.
    llvm::StringRef name = llvm::StringRef(function.name).split(" (").first;
    if (llvm::StringRef base = name.rtrim("0123456789"); base.size() < name.size() && base.ends_with("."))
      name = base.drop_back();
    std::vector<std::string> types;
    for (const Array &array : function.arrays) types.push_back(toString(array.type));
    return seen.emplace(name.str(), function.location, std::move(types)).second;
  }

private:
  std::set<std::tuple<std::string, Location, std::vector<std::string>>> seen;
};

} // namespace busfare::skeleton

#endif
