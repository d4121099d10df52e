//===- clang-plugin/walk/PrivateGlobals.h - Statics that unseen code cannot reach -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A file-scope static belongs to its unit. Code that is not seen can touch it only
// through a pointer that got out, or by calling back into the unit:
//
//   static double (*u)[N];        // malloc'd; no function but main names it
//   if (timing) timer_start(3);   // not seen: u names the same memory afterwards,
//                                 // and what lies there was neither read nor written
//
// Unseen code may enter every function that has external linkage or whose address is
// taken (main excepted: a program starts once), and whatever those call. A pointer
// that is assigned, passed or compared is followed through variables and parameters;
// stored anywhere else, returned or captured, it is out. Does not handle: variables
// of functions (`static` in a body), pointers that go through another static.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_WALK_PRIVATE_GLOBALS_H
#define BUSFARE_CLANG_PLUGIN_WALK_PRIVATE_GLOBALS_H

#include "clang/AST/Decl.h"
#include "llvm/ADT/ArrayRef.h"
#include <set>

namespace busfare::frontend {

/// Canonical declarations, each in the sets whose promise holds for it.
struct PrivateGlobals {
  std::set<const clang::VarDecl *> values;   ///< Unseen code cannot change the variable.
  std::set<const clang::VarDecl *> contents; ///< Nor read it: of an array or a struct, any part of it.
  std::set<const clang::VarDecl *> behind; ///< Of a pointer: unseen code cannot touch the memory it points to either.
  std::set<const clang::VarDecl *> direct; ///< Nothing points to it or a part of it: only its name reaches it.
};

PrivateGlobals findPrivateGlobals(llvm::ArrayRef<const clang::FunctionDecl *> functions,
                                  llvm::ArrayRef<const clang::VarDecl *> globals, clang::ASTContext &context);

} // namespace busfare::frontend

#endif
