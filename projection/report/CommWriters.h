//===- projection/report/CommWriters.h - Messages as text -----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What `busfare comm` prints: a table of messages, a table of whole ports, and
// which of the paper's priorities would gain something.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_COMMWRITERS_H
#define BUSFARE_PROJECTION_REPORT_COMMWRITERS_H

#include "projection/Messages.h"
#include "projection/report/Writers.h"

namespace busfare::projection {

struct CommReport {
  std::string version, machine, network;
  bool ratioGiven = false; ///< The speedup of the computing was given; else it is that of the machine's peaks.
  CommAnswer answer;
};

void writeCommText(const CommReport &report, llvm::raw_ostream &os, const TextStyle &style = {});
void writeCommJson(const CommReport &report, llvm::raw_ostream &os);

} // namespace busfare::projection

#endif
