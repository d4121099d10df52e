//===- projection/FoundCalls.h - Messages and library calls of a root -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Finds the messages and the BLAS calls of an analysed root, how often each happens and
// whether its arrays live on the device in the plan, and prices them: messages with the
// machine's network (Messages.h), BLAS calls with CoCoPeLia (Blas.h).
//
//   for t = 0 .. 99 { host message "MPI_Send" send bytes 8*n { read u[? in 0 .. n - 1] } }
//     100 times, 8*n = 8,192 bytes, a put: 3.5 us from the host, 7.7 us from the device (Summit)
//
// A collective is priced as one of the messages it is made of: between how many
// processes it goes the source does not say. A call inside loops of different lengths
// has the size of its mean iteration.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_FOUND_CALLS_H
#define BUSFARE_PROJECTION_FOUND_CALLS_H

#include "projection/Blas.h"
#include "projection/Messages.h"
#include "projection/Root.h"
#include "projection/Sizes.h"
#include "projection/Work.h"
#include "projection/report/Report.h"

namespace busfare::projection {

struct FoundCalls {
  std::vector<MessageReport> messages;
  std::vector<LibraryCallReport> libraryCalls;
};

/// Both in program order; the same call reached by several paths with the same size and arrays is one. regionIds: of
/// root.transfers.regions.
FoundCalls findCalls(const Root &root, const Sizes &sizes, const TripOverrides &overrides, llvm::ArrayRef<std::string> regionIds,
                     llvm::ArrayRef<Machine> machines);

/// Those that count as communication, for priceProgram: of unknown size none.
std::vector<CountedMessage> countedMessages(llvm::ArrayRef<MessageReport> messages);

/// What to do about messages whose buffers live on the device in a time loop, a sentence each: who is to start them, or
/// whether to send them back to back. At most `most`, those that take longest first.
std::vector<std::string> adviceOn(const Network &network, const WholePort &port, llvm::ArrayRef<MessageReport> messages, size_t most = 5);

/// Floating-point operations of one call; a fused multiply-add is two. Nothing: a dimension is not known, or the routine.
std::optional<double> flopsOf(const LibraryCallReport &call);
/// Bytes of the operands of one call, each once, what is changed twice.
std::optional<double> bytesOf(const LibraryCallReport &call);

} // namespace busfare::projection

#endif
