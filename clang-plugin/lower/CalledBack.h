//===- clang-plugin/lower/CalledBack.h - Pointers that code called back may set -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Unseen code may be given functions of this unit and call them: by their address, as lambdas, as virtual methods. What
// those, and the functions that they call, store into pointers is seen here, and no unseen call is taken to leave it
// alone.
//
//   static void swap(struct grid *g) { double *t = g->u; g->u = g->v; g->v = t; }
//   every(10, swap, g);                                     u, v
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_LOWER_CALLED_BACK_H
#define BUSFARE_CLANG_PLUGIN_LOWER_CALLED_BACK_H

#include "clang/AST/ASTContext.h"
#include <set>
#include <string>

namespace busfare::frontend {

struct CalledBack {
  std::set<std::string> pointers; ///< Names of fields and global variables that may be set.
  bool setsAny = false; ///< One of the functions is not in this unit.

  /// variable: as the walk names it, `g->u` or a global.
  bool maySet(const std::string &variable) const;
};

CalledBack calledBackIn(clang::ASTContext &context);

} // namespace busfare::frontend

#endif
