//===- clang-plugin/library/MessageTable.h - MPI and SHMEM calls by name -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What each argument of a call is, one letter an argument, and how large the elements
// are that it names:
//
//   MPI_Sendrecv(a, n, MPI_INT, to, 0, b, n, MPI_INT, from, 0, comm, &status)   "sct--rCT---q"
//   shmem_double_put(dest, a, n, pe)                                           "dsc-", elements of 8 bytes
//
// Persistent requests, windows and their synchronisation, barriers of SHMEM, files and
// whatever takes a function are not here: they stay opaque calls.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_LIBRARY_MESSAGE_TABLE_H
#define BUSFARE_CLANG_PLUGIN_LIBRARY_MESSAGE_TABLE_H

#include "skeleton/Message.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include <optional>
#include <string>

namespace busfare::frontend {

/// A call of a communication library.
struct MessageForm {
  std::optional<skeleton::MessageKind> kind; ///< Nothing: it moves no data (MPI_Comm_rank).
  /// By argument:
  ///   s S  read and sent; as many elements as the count says, or several times that
  ///   r R  written with what is received, likewise
  ///   b    sent, or overwritten with what is received
  ///   c C  the count of what is sent, of what is received (of both, if there is only one)
  ///   t T  the type, likewise
  ///   d g  names memory of other processes that this one has, too: they write to it, they read it
  ///   x    scratch memory of the library, as d
  ///   i    read, wholly;  o  written, wholly;  q  a handle or status that the library sets
  ///   -    a plain value
  std::string roles;
  bool isNonblocking = false;
  std::optional<uint64_t> elementBytes; ///< Of SHMEM, whose calls name no type.
  std::string type;                     ///< Of those elements: "double".
};

/// Nothing: no such function, or one that stays opaque.
std::optional<MessageForm> messageFormOf(llvm::StringRef name, const clang::ASTContext &context);
/// Of a function without a visible body, outside of classes and namespaces.
std::optional<MessageForm> messageFormOf(const clang::FunctionDecl *callee);

/// An MPI datatype as an argument.
struct MessageType {
  std::string name;              ///< As spelled: MPI_DOUBLE, or the variable of a type that the program made.
  std::optional<uint64_t> bytes; ///< Of one element in memory; nothing of types that the program made.
};
/// Known by its macro or name (MPI_DOUBLE), by the object behind Open MPI's (ompi_mpi_double), or by the size that
/// MPICH's numbers hold; through variables that nobody changes, `?:` with a constant condition and one-line functions.
MessageType messageTypeOf(const clang::Expr *expr, const clang::ASTContext &context,
                          const clang::FunctionDecl *function);

/// A buffer that is no memory: NULL, MPI_BOTTOM (0), MPI_IN_PLACE, MPI_STATUS_IGNORE (other numbers).
std::optional<int64_t> numberAsPointer(const clang::Expr *expr, const clang::ASTContext &context);

} // namespace busfare::frontend

#endif
