//===- clang-plugin/lower/TypeMixing.h - Is memory looked at as two types? -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// C (6.5) and C++ ([basic.lval]) have it that a value is read as the type that it was
// written as, or as bytes. So a load of an int through a pointer of which nothing is known
// reaches no array of doubles. Code that keeps to this by the letter converts no pointer
// to one type of numbers into a pointer to another:
//
//   int bits = *(int *)&x;     x a float: the types of this unit mix
//   char *at = (char *)field;  bytes: they do not
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_LOWER_TYPE_MIXING_H
#define BUSFARE_CLANG_PLUGIN_LOWER_TYPE_MIXING_H

#include "clang/AST/DeclBase.h"
#include "llvm/ADT/ArrayRef.h"

namespace busfare::frontend {

/// Does some code below these declarations, outside of the system's headers, convert pointers so?
bool mixTypes(llvm::ArrayRef<const clang::Decl *> decls, const clang::ASTContext &context);

} // namespace busfare::frontend

#endif
