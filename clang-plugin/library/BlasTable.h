//===- clang-plugin/library/BlasTable.h - BLAS routines by name ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What each argument of a BLAS routine is, in the order of the Fortran interface (CBLAS
// has the order of storage before them, from level 2 on), and the shape of each operand:
//
//   dgemm_("N", "N", &m, &n, &k, &alpha, a, &lda, b, &ldb, &beta, c, &ldc)
//     "tumnkaAlBlbCl"   A m x k read, B k x n read, C m x n updated
//
// Not here, and opaque as any call: rotations, banded and packed matrices, complex dot
// products, LAPACK.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_LIBRARY_BLAS_TABLE_H
#define BUSFARE_CLANG_PLUGIN_LIBRARY_BLAS_TABLE_H

#include "clang/AST/Decl.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace busfare::frontend {

/// Of a matrix its rows and columns, of a vector its length, as letters m n k (`?`: one of m and n, by which side it is
/// on).
struct BlasOperandForm {
  char name; ///< A B C x y, as in the roles (there X and Y).
  char rows, columns; ///< columns 0: a vector.
  char transposedBy; ///< The flag, t or u, that exchanges them; 0 = none. Of gemv's vectors: exchanges m and n.
  enum Use { Read, Write, Update } use;
};

struct BlasRoutine {
  llvm::StringLiteral name; ///< Without the letter of its type.
  unsigned level;
  /// By argument: t u a flag that transposes (A, B), f another flag, m n k a size, a b the factors alpha and beta,
  /// A B C X Y an operand, l its rows' (columns') distance, i its elements'.
  llvm::StringLiteral roles;
  llvm::ArrayRef<BlasOperandForm> operands;
};

struct BlasForm {
  const BlasRoutine *routine = nullptr;
  std::string name; ///< dgemm
  uint64_t elementBytes = 8;
  bool isFortran = false; ///< Scalars are passed by address, matrices lie column by column.
  unsigned first = 0; ///< Of the roles' arguments: 1 behind the order of storage.
};

/// Of a function without a visible body with a name of BLAS (dgemm_, dgemm, cblas_dgemm) and its parameters; nothing of
/// others.
std::optional<BlasForm> blasFormOf(const clang::FunctionDecl *callee);

} // namespace busfare::frontend

#endif
