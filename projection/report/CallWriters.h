//===- projection/report/CallWriters.h - Messages and library calls as text and JSON ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The parts of a report that Calls.h holds:
//
//   Messages between processes
//     at          call     times     bytes  from host  from device  pipelined
//     halo.c:30   MPI_Send   100  8.0 KiB    2.95 us      7.65 us    5.12 us
//         put of 8*n = 8,192 bytes (MPI_DOUBLE); reads u (on the device)
//
// Private to report/.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_CALL_WRITERS_H
#define BUSFARE_PROJECTION_REPORT_CALL_WRITERS_H

#include "projection/report/JsonParts.h"
#include "projection/report/Page.h"
#include "projection/report/Report.h"

namespace busfare::projection {

/// Nothing if there are none. Prices are those of the first machine that has some.
void writeMessages(const std::vector<MessageReport> &messages, Page &page);
void writeLibraryCalls(const std::vector<LibraryCallReport> &calls, Page &page);

/// The keys `messages` and `library_calls` of a report.
void writeMessages(const std::vector<MessageReport> &messages, Stream &json);
void writeLibraryCalls(const std::vector<LibraryCallReport> &calls, Stream &json);

/// The keys of a message but for its prices.
void writeMessageKeys(const MessageReport &message, Stream &json);

} // namespace busfare::projection

#endif
