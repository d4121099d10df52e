//===- clang-plugin/cli/Reporting.h - From sources to what is said of them -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What `analyze`, `project`, `loops` and `plot` do before they differ: options checked, inputs
// read, programs projected, held against a baseline and the conditions of --fail-on.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_CLI_REPORTING_H
#define BUSFARE_CLANG_PLUGIN_CLI_REPORTING_H

#include "Commands.h"
#include "FailOn.h"
#include "Projecting.h"
#include "projection/report/Diff.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace busfare::frontend {

/// A report held against its baseline and the conditions.
struct Judged {
  projection::ReportSummary summary;
  std::optional<projection::ReportDiff> since; ///< --baseline.
  std::vector<Judgement> judgements;
};

/// `write` makes the outcome's output of the report.
Outcome
projectAndWrite(const Options &options, Projector projector,
                llvm::function_ref<llvm::Expected<std::string>(const projection::Report &, const Judged &)> write);

/// `--region x.c:7: no such region; there are a.c:12:main and b.c:3:step`.
llvm::Error noSuchRegion(llvm::StringRef asked, const projection::Report &report);

} // namespace busfare::frontend

#endif
