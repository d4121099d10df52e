//===- clang-plugin/Types.h - Clang's types, at the door ------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The one place that turns a QualType into what a skeleton needs: the element
// type and size, and which of the classes below a variable falls into. For
// `double A[100][n]` the innermost element is f64 and classOf is Array.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_TYPES_H
#define BUSFARE_CLANG_PLUGIN_TYPES_H

#include "skeleton/Skeleton.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Type.h"

namespace busfare::frontend {

enum class TypeClass {
  Integer, ///< Integers, enumerations, bool: followed symbolically.
  Pointer, ///< Pointers to objects.
  Array,   ///< Arrays of known or variable size.
  Record,  ///< Structs, classes, unions.
  Data,    ///< Floating point, complex: held in memory.
  Other,   ///< Function pointers, void, member pointers.
};

TypeClass classOf(clang::QualType type);
/// Below all array types; qualifiers dropped.
clang::QualType innermost(clang::QualType type, const clang::ASTContext &context);
/// Bytes of a complete type of fixed size; 0 if it has none.
uint64_t bytesOf(clang::QualType type, const clang::ASTContext &context);
skeleton::ElementType elementTypeOf(clang::QualType type, const clang::ASTContext &context);
/// std::complex<float>, <double>.
bool isStdComplex(clang::QualType type);
bool isLongDouble(clang::QualType type);

} // namespace busfare::frontend

#endif
