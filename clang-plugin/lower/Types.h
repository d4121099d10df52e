//===- clang-plugin/lower/Types.h - Clang's types, at the door -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The one place that turns a QualType into what a skeleton needs: the element
// type and size, and which of the classes below a variable falls into. For
// `double A[100][n]` the innermost element is f64 and classOf is Array.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_LOWER_TYPES_H
#define BUSFARE_CLANG_PLUGIN_LOWER_TYPES_H

#include "skeleton/Skeleton.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Type.h"

namespace busfare::frontend {

enum class TypeClass {
  Integer, ///< Integers, enumerations, bool: followed symbolically.
  Pointer, ///< Pointers to objects, and what the standard library has in their place: see Handle.
  Array,   ///< Arrays of known or variable size, std::array included.
  Record,  ///< Structs, classes, unions.
  Data,    ///< Floating point, complex: held in memory.
  Other,   ///< Function pointers, void, member pointers.
};

TypeClass classOf(clang::QualType type);

/// A class of the standard library that is a pointer with manners: the walk takes `std::vector<double> v` for a
/// variable `double *v` and an integer variable `v.size()`.
enum class Handle {
  None,
  Owner,    ///< vector, valarray: memory of its own, copied with it; it has a size.
  Unique,   ///< unique_ptr, shared_ptr: memory that one or several names share; no size.
  View,     ///< span, initializer_list: somebody else's memory, and a size.
  Iterator, ///< A pointer into a container's memory.
};
Handle handleOf(clang::QualType type);
/// A container of containers, which is a table of rows.
bool isTableOfContainers(clang::QualType type);
inline bool hasSize(Handle handle) { return handle == Handle::Owner || handle == Handle::View; }
/// What a pointer or a handle points to; null if the type is neither.
clang::QualType pointeeOf(clang::QualType type);
/// A pointer to an object or a function, or a handle; references to them are none.
bool isPointerLike(clang::QualType type);

/// One layer of an array type: `double[3][n]` is 3 times `double[n]`, `std::array<T, 8>` is 8 times T.
struct ArrayLayer {
  clang::QualType element;
  std::optional<uint64_t> extent;             ///< If it is a constant.
  const clang::Expr *variableExtent = nullptr; ///< Of a variable length array.
};
std::optional<ArrayLayer> arrayLayerOf(clang::QualType type, const clang::ASTContext &context);
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
