//===- clang-plugin/records/StdFunctions.h - What a std::function is made from -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What is put into a std::function, where it can be seen, and holds nothing of its own:
//
//   std::function<void(double *, int)> step = scale;         a function
//   step = [](double *a, int n) { a[n] = 0; };               a lambda that captures nothing
//   step = Shift();                                          an object of an empty class
//   other.step = step;                                       what another one holds
//
// Does not handle: lambdas that capture, member pointers, what std::bind and std::move give.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_RECORDS_STD_FUNCTIONS_H
#define BUSFARE_CLANG_PLUGIN_RECORDS_STD_FUNCTIONS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

namespace busfare::frontend {

bool isStdFunction(clang::QualType type);

/// `void(double *, int)` of a std::function; null if it is none.
const clang::FunctionProtoType *signatureOf(clang::QualType type);

struct PutIn {
  const clang::FunctionDecl *function = nullptr; ///< It calls this one.
  const clang::Expr *object = nullptr;           ///< The lambda or the empty object whose call operator that is.
  const clang::Expr *copied = nullptr;           ///< Or what this one holds, of the same type.
};

/// What a std::function of the type is given by this value; neither function nor copied: it is empty. Nothing: that is
/// not known.
std::optional<PutIn> putInto(clang::QualType type, const clang::Expr *value, const clang::ASTContext &context);

/// Does a call with these arguments reach the function as they are, and its result come back so? Numbers, pointers and
/// references.
bool isCalledAsIs(const clang::FunctionDecl *function, const clang::FunctionProtoType &signature,
                  const clang::ASTContext &context);

} // namespace busfare::frontend

#endif
