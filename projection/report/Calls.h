//===- projection/report/Calls.h - Messages and library calls in a report -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a report says of the messages between processes and of the BLAS calls that the
// source holds: size as a formula and at today's sizes, how often, which arrays, and what
// each machine's models say they take.
//
//   MPI_Send at halo.c:30: put of 8*n = 8,192 bytes, 100 times, from u, which lives on the device
//
// A part of Report.h, which says what to touch to add a field.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_CALLS_H
#define BUSFARE_PROJECTION_REPORT_CALLS_H

#include "skeleton/Location.h"
#include "skeleton/Message.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace busfare::projection {

/// An array that a message or a library call touches.
struct CallArrayReport {
  std::string name;
  std::string operand;   ///< Of a library call: A, B, C, x, y; else empty.
  std::string use;       ///< read|write|both; of a library call's operands: empty.
  bool onDevice = false; ///< Kernels of the region that the call stands in touch it.
};

/// Where a call stands, and how often it happens.
struct CallReport {
  skeleton::Location location;
  std::string function;
  std::string call;          ///< As spelled: "MPI_Isend".
  double count = 0;          ///< At today's sizes; a condition on data counts with its probability.
  std::vector<CallArrayReport> arrays;
  std::string region;        ///< The id of the region it stands in; empty: none.
  bool inTimeLoop = false;   ///< Of that region.
  bool isReached =
      true;     ///< Else it stands in a function that no root's calls are followed to, and count is per call of that.
};

/// What one message takes on one machine.
struct MessagePriceReport {
  std::string machine;
  std::string initiator; ///< host|device
  double single = 0; ///< Of a collective all of its rounds.
  std::optional<double>
      pipelined; ///< Nothing: the machine has no law for it, or it is a collective, whose rounds wait for each other.
  std::string algorithm;           ///< Of a collective: "binomial tree"; else empty.
  double messages = 1;             ///< One after the other.
  double launches = 1;             ///< That it waits for, if the host starts it.
};

struct MessageReport : CallReport {
  std::string kind;      ///< skeleton::MessageKind as text: "send".
  std::string operation; ///< put|get: what the model prices it as.
  std::string type;      ///< Of its elements, as spelled; may be empty.
  std::string formula;   ///< Bytes of one message: "8*n"; empty: not known.
  std::optional<double> bytes; ///< At today's sizes; nothing: not known.
  bool nonblocking = false;
  /// It adds to what communication costs in all; a receive does not: its send does.
  bool counted = true;
  std::optional<skeleton::MessageKind> collective; ///< It is one of these,
  unsigned processes = 1;        ///< among so many.
  bool processesAssumed = false; ///< Nobody says how many.
  std::vector<MessagePriceReport> prices; ///< Of machines with a network, if the size is known; host first.
};

/// What CoCoPeLia says of one library call on one machine, its operands on the host but for those that live on the
/// device.
struct LibraryPriceReport {
  std::string machine;
  double host = 0;              ///< s on all cores of the host, at the peaks of its file.
  std::optional<double>
      offload; ///< s with the best tile; nothing: the routine is none of those that are modelled, or does not fit.
  std::optional<double> tile;
  std::string equation;         ///< bidirectional|reuse|queues; empty without an offload time.
  bool measuredTiles = false;   ///< Kernel times of tiles are the machine file's; else a roofline's.
};

struct LibraryCallReport : CallReport {
  struct Dimension {
    std::string name, formula;   ///< "m", "n - 1"; an empty formula: not known.
    std::optional<double> value; ///< At today's sizes.
  };
  std::string routine; ///< dgemm
  std::vector<Dimension> dimensions;
  std::optional<double> flops, bytes; ///< Of one call: arithmetic, and its operands' bytes; nothing: not known.
  std::vector<LibraryPriceReport> prices; ///< One a machine, if the sizes are known.
};

} // namespace busfare::projection

#endif
