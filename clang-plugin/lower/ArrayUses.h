//===- clang-plugin/lower/ArrayUses.h - Pointers that functions use as arrays -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A pointer to structs: does it lead to one of them, or to an array? By what the code does with it, with copies of it,
// and by what the functions in sight do to which it is handed. Each body is looked through once, however often that is
// asked.
//
//   void sum(struct atom *all, struct box *in) { for (...) in->total += all[i].mass; }     all, not in
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_LOWER_ARRAY_USES_H
#define BUSFARE_CLANG_PLUGIN_LOWER_ARRAY_USES_H

#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace busfare::frontend {

class ArrayUses {
public:
  /// Of a variable: does this function treat what it points to as an array?
  bool isArrayIn(const clang::VarDecl *pointer, const clang::FunctionDecl *function);
  /// Of a formal that points to structs: is it one of them that the function wants, and no array?
  bool isOneStruct(const clang::ParmVarDecl *formal);

private:
  /// What one body does with pointers that it names.
  struct Body {
    llvm::DenseSet<const clang::VarDecl *> stepped; ///< Subscripted, moved on, or kept by an assignment.
    llvm::DenseMap<const clang::VarDecl *, llvm::SmallVector<const clang::VarDecl *, 2>> copies;       ///< -> those.
    llvm::DenseMap<const clang::VarDecl *, llvm::SmallVector<const clang::ParmVarDecl *, 2>> handedTo; ///< -> these.
  };
  const Body &usesIn(const clang::Stmt *body);
  bool isArray(const clang::VarDecl *pointer, const clang::Stmt *body, llvm::DenseSet<const clang::VarDecl *> &seen);

  llvm::DenseMap<const clang::Stmt *, std::unique_ptr<Body>> bodies;
};

} // namespace busfare::frontend

#endif
