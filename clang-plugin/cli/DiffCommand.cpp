//===- clang-plugin/cli/DiffCommand.cpp - busfare diff -------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reads two JSON reports, and says what changed from the first to the second.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "FailOn.h"
#include "projection/report/DiffWriters.h"
#include "llvm/Support/raw_ostream.h"

using namespace busfare::projection;

namespace busfare::frontend {

Outcome runDiff(const Options &options) {
  if (options.inputs.size() != 2)
    return {BadInput,
            "",
            {"busfare: diff wants two reports, as `analyze --format json` writes them; see `busfare help diff`"}};
  llvm::Expected<ReportSummary> before = loadReportSummary(options.inputs[0]);
  if (!before) return badInput(options, before.takeError());
  llvm::Expected<ReportSummary> after = loadReportSummary(options.inputs[1]);
  if (!after) return badInput(options, after.takeError());
  const ReportDiff diff = compare(*before, *after);
  llvm::Expected<std::vector<Judgement>> judgements = judge(options.failOn, *after, &diff);
  if (!judgements) return badInput(options, judgements.takeError());
  Outcome outcome;
  llvm::raw_string_ostream os(outcome.output);
  if (options.format == Format::JUnit) os << junitOf(*judgements, *after, options.command);
  else if (options.format == Format::Json) writeDiffJson(diff, os);
  else if (options.format == Format::Markdown) writeDiffMarkdown(diff, os);
  else if (options.quiet) os << diffStatement(diff) << '\n';
  else writeDiffText(diff, os);
  tell(*judgements, outcome);
  return outcome;
}

} // namespace busfare::frontend
