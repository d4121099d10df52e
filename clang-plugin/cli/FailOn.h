//===- clang-plugin/cli/FailOn.h - Conditions that turn into exit code 1 -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The language of --fail-on, one condition an option. Of a report:
//
//   port | keep | measure          some region has this verdict on some machine
//   speedup < 2, low >= 1, high>3  the figure of some region on some machine
//   BF014                          there is a finding of this rule
//
// Of a report and its baseline (`diff`, or `analyze --baseline`); which region is which
// says projection/report/Diff.h:
//
//   new-port        a region is told port that was not, or that was not there
//   flip            a region of both has another verdict
//   worse           the speedup of a region of both is below the low end that it had, or
//                   its verdict was port and no longer is
//   bytes>10%       what crosses the bus for a region of both grew by more than that
//   lost-parallel   a loop that was parallel is no more
//   new-finding     there is a finding that the baseline does not have
//   new-unknown     such a finding is of a rule that says what is not known or was assumed
//
// Verdicts and speedups are compared on the machines that both have; without one the
// first three cannot be answered, which is bad input and no pass.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_CLI_FAIL_ON_H
#define BUSFARE_CLANG_PLUGIN_CLI_FAIL_ON_H

#include "Commands.h"
#include "projection/report/Diff.h"

namespace busfare::frontend {

/// A condition and everything that makes it hold, a sentence each; none if it does not.
struct Judgement {
  FailCondition condition;
  std::vector<std::string> reasons;
};

/// baseline: what changed since; needed if a condition asks for it. Errors: one that cannot be answered.
llvm::Expected<std::vector<Judgement>> judge(llvm::ArrayRef<FailCondition> conditions,
                                             const projection::ReportSummary &report,
                                             const projection::ReportDiff *baseline);

/// What held goes to the messages, up to twenty reasons each, and is exit code 1.
void tell(llvm::ArrayRef<Judgement> judgements, Outcome &outcome);

/// All of it, as JUnit's XML.
std::string junitOf(llvm::ArrayRef<Judgement> judgements, const projection::ReportSummary &report,
                    llvm::StringRef command);

} // namespace busfare::frontend

#endif
