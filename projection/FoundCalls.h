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
// A collective takes the rounds of its standard algorithm among so many processes; where
// nobody says how many, assumedProcesses are taken, which is said. A call inside loops of
// different lengths has the size of its mean iteration.
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
/// root.transfers.regions. processes: of collectives; 0: assumedProcesses.
FoundCalls findCalls(const Root &root, const Sizes &sizes, const TripOverrides &overrides,
                     llvm::ArrayRef<std::string> regionIds, llvm::ArrayRef<Machine> machines, unsigned processes = 0);

/// As Messages.h takes it; its size must be known.
CountedMessage countedMessage(const MessageReport &message);
/// Those that count as communication, for priceProgram: of unknown size none.
std::vector<CountedMessage> countedMessages(llvm::ArrayRef<MessageReport> messages);

/// What to do about messages whose buffers live on the device in a time loop, a sentence each: who is to start them, or
/// whether to send them back to back. At most `most`, those that take longest first.
std::vector<std::string> adviceOn(const Network &network, const WholePort &port, llvm::ArrayRef<MessageReport> messages,
                                  size_t most = 5);

} // namespace busfare::projection

#endif
