//===- clang-plugin/lower/StatementFacts.h - What stands in a statement --===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Answers that the text of a statement gives, each found once: a walk asks them for every loop, on each trial and for
// each variable.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_LOWER_STATEMENT_FACTS_H
#define BUSFARE_CLANG_PLUGIN_LOWER_STATEMENT_FACTS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"
#include <vector>

namespace busfare::frontend {

class StatementFacts {
public:
  /// The variables that are named anywhere in it, each once.
  const std::vector<const clang::VarDecl *> &namedIn(const clang::Stmt *stmt);
  /// Does the statement surely set one of these variables before anything in it reads one?
  bool setsFirst(const clang::Stmt *stmt, llvm::function_ref<bool(const clang::VarDecl *)> isIt);
  /// Is a pointer chosen there by what an iteration's number may decide (`t % 2 ? u : v`)?
  bool mayChooseInTurn(const clang::Stmt *stmt);

private:
  llvm::DenseMap<const clang::Stmt *, std::vector<const clang::VarDecl *>> named;
  llvm::DenseMap<const clang::Stmt *, bool> inTurn;
};

} // namespace busfare::frontend

#endif
