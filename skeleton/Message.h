//===- skeleton/Message.h - Messages and library calls -------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a host statement is besides its accesses: a message to or from other
// processes (MPI, SHMEM), or a call of a BLAS routine. What they touch is among the
// statement's accesses; here stands what they cost:
//
//   host message "MPI_Isend" send bytes 8*n type "MPI_DOUBLE" nonblocking { read u[? in 0 .. n - 1] }
//   host library "cblas_dgemm" blas dgemm(m = 64, n = n, k = k) on (A = a, B = b, C = c) { ... }
//
// Not kept: to whom a message goes, tags, communicators, and which wait ends it.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_SKELETON_MESSAGE_H
#define BUSFARE_SKELETON_MESSAGE_H

#include "skeleton/Expr.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace busfare::skeleton {

/// Text: send receive exchange put get accumulate broadcast reduce allreduce gather allgather scatter alltoall scan
/// reduce_scatter wait.
enum class MessageKind {
  Send,
  Receive,
  Exchange, ///< Sends and receives at a time.
  Put,
  Get,
  Accumulate, ///< A put that the other side adds to what it has.
  Broadcast,
  Reduce,
  AllReduce,
  Gather,
  AllGather,
  Scatter,
  AllToAll,
  Scan,
  ReduceScatter,
  Wait, ///< Nonblocking ones are complete behind it; moves nothing by itself.
};

struct Message {
  MessageKind kind = MessageKind::Send;
  /// Of one message between two processes: of collectives, what this process gives to, or gets from, each other one.
  /// Nothing: not known.
  std::optional<Expr> bytes;
  std::string type;           ///< Of its elements, as spelled: MPI_DOUBLE. Empty: the call says none.
  bool isNonblocking = false; ///< The buffer is in use until a later wait.
  bool operator==(const Message &) const = default;
};

std::string toString(MessageKind kind);

struct LibraryCall {
  std::string routine; ///< As BLAS calls it: dgemm.
  /// m, n, k as BLAS calls them, those that the routine has; nothing = not known.
  std::vector<std::pair<std::string, std::optional<Expr>>> dimensions;
  std::vector<std::pair<std::string, std::string>>
      operands; ///< A, B, C, x, y -> the array; those whose array is known.
  bool overwrites = false; ///< The result is not read first (beta = 0).
  bool operator==(const LibraryCall &) const = default;
};

} // namespace busfare::skeleton

#endif
