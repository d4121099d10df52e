//===- projection/report/CommWriters.h - Messages as text -----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What `busfare comm` prints: a table of messages, a table of whole ports, and
// which of the paper's priorities would gain something. Of a program the messages are
// those in its source, and the port is that of all of them.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_COMMWRITERS_H
#define BUSFARE_PROJECTION_REPORT_COMMWRITERS_H

#include "projection/Messages.h"
#include "projection/report/Report.h"
#include "projection/report/Writers.h"

namespace busfare::projection {

struct CommReport {
  std::string version, machine, network;
  bool ratioGiven = false; ///< The speedup of the computing was given; else it is that of the machine's peaks.
  CommAnswer answer;
};

/// The messages of a program, and its port.
struct ProgramCommReport {
  std::string version, machine, network;
  PipelinedUnit unit = PipelinedUnit::PerByte; ///< Of pipelined messages.
  bool ratioGiven = false;
  bool shareGiven = false; ///< Of communication; else it follows from the messages and the modelled CPU time.
  double cpu = 0;          ///< s of the program's computing on the CPU, as modelled.
  std::vector<MessageReport> messages;
  std::optional<ProgramPort> port; ///< Nothing: no message's size is known.
  std::vector<std::string> advice;
  std::vector<std::string> assumptions; ///< Sizes that nothing binds.
};

void writeProgramCommText(const ProgramCommReport &report, llvm::raw_ostream &os, const TextStyle &style = {});
void writeProgramCommJson(const ProgramCommReport &report, llvm::raw_ostream &os);

void writeCommText(const CommReport &report, llvm::raw_ostream &os, const TextStyle &style = {});
void writeCommJson(const CommReport &report, llvm::raw_ostream &os);

} // namespace busfare::projection

#endif
