//===- clang-plugin/lower/Symbols.h - By what units call a function --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_LOWER_SYMBOLS_H
#define BUSFARE_CLANG_PLUGIN_LOWER_SYMBOLS_H

#include "skeleton/Skeleton.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace busfare::frontend {

/// By what other units call the function: its mangled name, which in C is its name.
std::string symbolOf(const clang::FunctionDecl *function);
skeleton::Linkage linkageOf(const clang::FunctionDecl *definition);
/// `step@/src/solve.c`: a static function, as units call it among each other (Targets.cpp).
bool isOfOneUnit(llvm::StringRef symbol);
/// By its name, or because a field that others read holds it.
bool isCalledByOthers(const clang::FunctionDecl *function);

} // namespace busfare::frontend

#endif
