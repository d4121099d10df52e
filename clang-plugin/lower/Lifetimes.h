//===- clang-plugin/lower/Lifetimes.h - Whether beginnings and ends matter -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Questions about types: does what a class says for construction, copies and destruction do more than the
// compiler's own would, so that the walk must follow it?
//
//   struct log { ~log() { puts("done"); } };   destructorMatters
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_LOWER_LIFETIMES_H
#define BUSFARE_CLANG_PLUGIN_LOWER_LIFETIMES_H

#include "clang/AST/Stmt.h"
#include "clang/AST/Type.h"

namespace busfare::frontend {

/// Does something happen when an object of this type goes, other than that its memory is given back?
bool destructorMatters(clang::QualType type);
/// Does a constructor of the class, or of a part of it, do more than fill the object?
bool constructorMatters(clang::QualType type);
/// Does an assignment operator of the class, or of a part of it, or what constructs copies, do what the compiler's
/// would not? isStrict: none that somebody wrote, whatever it does.
bool copyingMatters(clang::QualType type, bool isStrict = false);
/// Does calling what the type says, a deleter, do more than give memory back?
bool callMatters(clang::QualType type);
/// A shared_ptr, or what holds one.
bool holdsShared(clang::QualType type);
/// A declaration, a temporary or a `delete` after which such a destructor runs.
bool endsObject(const clang::Stmt *stmt);

} // namespace busfare::frontend

#endif
