//===- clang-plugin/lower/CallQueries.h - What kind of call is it? -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Questions about calls and callees that decide which part of the walk takes them.
//
//   std::sort(v.begin(), v.end(), less);   isLoopingCall
//   v.push_back(3);                        changesHandle
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_LOWER_CALL_QUERIES_H
#define BUSFARE_CLANG_PLUGIN_LOWER_CALL_QUERIES_H

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include <vector>

namespace busfare::frontend {

/// The call operators of a class that have a body; of a template its instances.
std::vector<const clang::CXXMethodDecl *> callOperatorsOf(const clang::CXXRecordDecl *record);
/// The one to walk that takes so many arguments, if it is plain which: of a generic lambda the one instance that fits.
/// Else null.
const clang::CXXMethodDecl *callOperatorOf(const clang::CXXRecordDecl *record, size_t arguments);
/// Of the lambdas that the call may run by way of a std::function that it calls, or is given (HeldFunctions.cpp).
std::vector<const clang::CXXMethodDecl *> lambdasHeldBy(const clang::CallExpr *call);

/// A function of the C library of which it is known what it does: no variable changes that its arguments do not name.
bool isModelledFunction(llvm::StringRef name);

/// An algorithm of the standard library, or a parallel_for and its like, that the walk turns into a loop.
bool isLoopingCall(const clang::CallExpr *expr);
bool isParallelFor(const clang::CallExpr *expr);

/// A lambda that changes what it holds by value: each call finds what the one before left.
bool keepsState(const clang::CXXRecordDecl *lambda);

/// A lambda's call operator, or a function that is given a lambda.
bool mustWalkInPlace(const clang::FunctionDecl *callee);
/// The one local variable that all returns of the function give, null pointers aside; null if there is none.
const clang::VarDecl *returnedVariable(const clang::FunctionDecl *definition);
bool hasPointerFields(const clang::RecordDecl *record);
/// Does a value of the type lead to a struct, or to a number or pointer that may be a field of one?
bool mayLeadToFields(clang::QualType type);
/// The struct that a summary speaks of at this position (ExtraFormal::position); null if it is none.
clang::QualType recordAt(const clang::FunctionDecl *function, int position);
/// Is it a copy of the caller's?
bool isCopyAt(const clang::FunctionDecl *function, int position);
/// A member function or operator that may give a container other memory, another size, or move an iterator.
bool changesHandle(const clang::CallExpr *expr);

} // namespace busfare::frontend

#endif
