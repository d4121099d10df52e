//===- skeleton/Link.h - Skeletons of several units as one program --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a linker does with objects, done with skeletons: calls find the functions of
// other units by their symbols, external arrays of one name are one array, and what
// is static stays its unit's own.
//
//   unit "main.c": function main() { call step(&u) }      static helper
//   unit "step.c": function step(array u) { call helper(&u) }   static helper
//   ->  main, step, helper, `helper (step.c)`; step calls the latter
//
// An inline function that several units have is kept once, if it takes the same
// parameters everywhere. External arrays whose ranks or element types differ are one
// array still: accesses of the units that see it otherwise may touch any element.
// What is not followed (opaque calls, recursion) may call the other units, and so
// touch their globals.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_SKELETON_LINK_H
#define BUSFARE_SKELETON_LINK_H

#include "skeleton/Skeleton.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace busfare::skeleton {

/// What one unit's names became in the program.
struct LinkedNames {
  std::map<std::string, std::string> functions, globals; ///< A name that is not there stayed as it was.
  std::set<std::string> dropped;   ///< Inline functions, by the unit's names, that another unit gave.
  std::set<std::string> otherwise; ///< Globals that the unit sees in another shape, by the program's names.
  Substitution constants;          ///< Those that mean something else in the program.
};

/// Units that belong to one program, so that no external function is defined twice; of two that are, the first is
/// taken. The result has no imports.
Program link(llvm::ArrayRef<const Program *> units, std::vector<LinkedNames> *names = nullptr);

} // namespace busfare::skeleton

#endif
