//===- clang-plugin/port/StructSums.h - Structs that a loop adds up ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `z.re += u[i].re; z.im += u[i].im` of a `struct { double re, im; } z`: two sums, and
// nothing else of z. OpenMP's `reduction(+:)` names no fields; a reduction of the struct
// that is declared for it adds them: omp_out.re += omp_in.re, omp_out.im += omp_in.im.
//
// Not found: sums in fields of fields, in elements of an array that is a field, and
// structs that begin otherwise than with zeros (`{}` calls their constructor).
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_STRUCTSUMS_H
#define BUSFARE_CLANG_PLUGIN_PORT_STRUCTSUMS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include <set>
#include <string>
#include <vector>

namespace busfare::frontend::port {

struct StructSum {
  const clang::ValueDecl *owner;
  std::string combine; ///< How two of them become one, in OpenMP's names.
};

/// Is it a field of the variable, or a field of one?
bool isFieldOf(const clang::MemberExpr *member, const clang::ValueDecl *owner);

/// Of what a loop mentions as a whole and by fields, but for what it declares inside. In the order of their
/// declarations.
std::vector<StructSum> structSums(const std::set<const clang::ValueDecl *> &mentioned,
                                  llvm::ArrayRef<const clang::MemberExpr *> fields,
                                  const std::set<const clang::ValueDecl *> &inside,
                                  llvm::function_ref<bool(const clang::ValueDecl *, const clang::FieldDecl *)> isSum,
                                  const clang::ASTContext &context);

} // namespace busfare::frontend::port

#endif
