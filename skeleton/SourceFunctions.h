//===- skeleton/SourceFunctions.h - Functions as a reader counts them -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Units that include one header have a copy each of its static and inline functions, which are one function to a reader, as
// the instances of a template are:
//
//   clamp (a.c), clamp.2 (b.c)       both of grid.h:12: the second is not new
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_SKELETON_SOURCEFUNCTIONS_H
#define BUSFARE_SKELETON_SOURCEFUNCTIONS_H

#include "skeleton/Skeleton.h"
#include <set>

namespace busfare::skeleton {

class SourceFunctions {
public:
  /// No function of this name at this place was asked for before. What has no place is always new.
  bool isNew(const Function &function) {
    // Units that are linked add their names, and a unit numbers overloads as it meets them.
    llvm::StringRef name = llvm::StringRef(function.name).split(" (").first;
    if (llvm::StringRef base = name.rtrim("0123456789"); base.size() < name.size() && base.ends_with("."))
      name = base.drop_back();
    return !function.location.isKnown() || seen.insert({name.str(), function.location}).second;
  }

private:
  std::set<std::pair<std::string, Location>> seen;
};

} // namespace busfare::skeleton

#endif
