//===- clang-plugin/cli/CompareCommand.cpp - busfare compare -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reads JSON reports, and sets their machines side by side.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "projection/report/Comparison.h"
#include "llvm/Support/raw_ostream.h"

using namespace busfare::projection;

namespace busfare::frontend {

Outcome runCompare(const Options &options) {
  if (options.inputs.empty())
    return {BadInput,
            "",
            {"busfare: compare wants reports, as `analyze --format json` writes them; see `busfare help compare`"}};
  std::vector<ReportSummary> reports;
  for (const std::string &input : options.inputs) {
    llvm::Expected<ReportSummary> report = loadReportSummary(input);
    if (!report) return badInput(options, report.takeError());
    reports.push_back(std::move(*report));
  }
  Comparison comparison = sideBySide(reports);
  comparison.version = BUSFARE_VERSION;
  Outcome outcome;
  llvm::raw_string_ostream os(outcome.output);
  if (options.format == Format::Json) writeComparisonJson(comparison, os);
  else if (options.format == Format::Csv) writeComparisonCsv(comparison, os);
  else if (options.format == Format::Markdown) writeComparisonMarkdown(comparison, os);
  else writeComparisonText(comparison, os);
  return outcome;
}

} // namespace busfare::frontend
