//===- clang-plugin/port/LoopForm.h - Loops as OpenMP wants them ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// OpenMP's canonical loop form: `for (i = a; i < b; i += c)` with an integer index
// that the body leaves alone.
//
//   for (size_t i = 0; n > i; i++)   variable i, from 0, to n, step 1
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_LOOPFORM_H
#define BUSFARE_CLANG_PLUGIN_PORT_LOOPFORM_H

#include "clang-plugin/port/FunctionSource.h"
#include "clang/AST/Expr.h"
#include <optional>

namespace busfare::frontend::port {

struct CanonicalLoop {
  const clang::ForStmt *stmt = nullptr;
  const clang::ValueDecl *variable = nullptr; ///< Canonical declaration.
  bool isDeclared = false;                    ///< In the loop's head.
  const clang::Expr *from = nullptr, *to = nullptr;
  clang::BinaryOperatorKind order = clang::BO_LT; ///< As if written `variable order to`.
  int64_t step = 1;                               ///< Not 0.
  bool beginsSimply = true; ///< isSimple of the first value alone.
  bool isSimple = true; ///< The bounds are numbers and plain variables: the device can compute them.
};

std::optional<CanonicalLoop> canonicalForm(const clang::ForStmt *loop, clang::ASTContext &context);

/// The index behind the loop, as C.
std::string finalValue(const CanonicalLoop &loop, const FunctionSource &source);

bool mentions(const clang::Stmt *stmt, const clang::ValueDecl *variable);
/// A jump in its body leads out of it. OpenMP allows none there, even where it is known to be never taken.
bool isLeftByJump(const clang::ForStmt *loop);
/// The function mentions the variable outside the loop (null: anywhere), other than in loops that set it first.
bool isUsedElsewhere(const clang::VarDecl *variable, const clang::Stmt *loop, const clang::FunctionDecl *function);
/// Something in the loop assigns a field of this name.
bool isFieldWritten(const clang::MemberExpr *field, const clang::Stmt *loop);

/// A directive on the statement says `private(variable)`: behind it the variable holds what it held before.
bool isPrivateByClause(const clang::Stmt *stmt, const clang::ValueDecl *variable);

} // namespace busfare::frontend::port

#endif
