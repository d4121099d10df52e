//===- clang-plugin/port/Containers.h - Elements of containers in C ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// OpenMP maps what pointers lead to, and knows nothing of containers. Where one has its
// elements in one piece of memory, a pointer to the first takes its place:
//
//   for (size_t i = 0; i < v.size(); i++) v[i] = 0;
//   =>  auto *const busfare_v = v.data();   ... busfare_v[i] = 0;
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_CONTAINERS_H
#define BUSFARE_CLANG_PLUGIN_PORT_CONTAINERS_H

#include "clang/AST/Expr.h"
#include <optional>
#include <string>

namespace busfare::frontend::port {

/// How a container says where its elements are.
struct ContainerMemory {
  std::string call;       ///< `data()`, or `get()` of a unique_ptr.
  clang::QualType pointer; ///< What that returns.
};
/// Of std::vector, span, unique_ptr<T[]> and the like. Nothing: of another type.
std::optional<ContainerMemory> memoryOf(clang::QualType type);

/// An expression that needs no more of a container than its elements, or their number.
struct ContainerUse {
  enum class Kind { Element, Data, Size } kind = Kind::Element;
  const clang::Expr *whole = nullptr;
  const clang::Expr *container = nullptr; ///< A variable, or a path of fields from one or from `this`.
  const clang::Expr *subscript = nullptr; ///< Of an element.
};
std::optional<ContainerUse> containerUse(const clang::Stmt *stmt);

} // namespace busfare::frontend::port

#endif
