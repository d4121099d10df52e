//===- clang-plugin/lower/Patterns.h - What is no code yet ---------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   template <class T> T twice(T x) { return 2 * x; }     a pattern
//   twice(1.0)                                            an instance of it, which runs
//
// Patterns are most of what the headers of C++'s library say. A visitor that goes through the whole unit and
// visits instances may leave them out.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_LOWER_PATTERNS_H
#define BUSFARE_CLANG_PLUGIN_LOWER_PATTERNS_H

#include "clang/AST/DeclCXX.h"

namespace busfare::frontend {

/// A function or class of a template, or inside of one. The template itself is none: its instances are found by it.
inline bool isPattern(const clang::Decl *decl) {
  if (const auto *function = llvm::dyn_cast_or_null<clang::FunctionDecl>(decl)) return function->isDependentContext();
  const auto *record = llvm::dyn_cast_or_null<clang::CXXRecordDecl>(decl);
  return record && record->isDependentContext();
}

} // namespace busfare::frontend

#endif
