//===- clang-plugin/cli/PapersCommand.cpp - busfare papers ---------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Prints what projection/Papers.h recomputes. Exit 1 if a claimed figure does not
// hold.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "projection/report/PapersWriters.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace busfare::projection;

namespace busfare::frontend {

Outcome runPapers(const Options &options) {
  if (!options.inputs.empty())
    return {BadInput, "", {"busfare: papers takes no files; what it recomputes is built in"}};
  std::vector<PaperRow> rows = paperRows();
  Outcome outcome;
  llvm::raw_string_ostream os(outcome.output);
  if (options.format == Format::Json) writePapersJson(rows, BUSFARE_VERSION, os);
  else writePapersText(rows, os);
  for (const PaperRow &row : rows)
    if (row.claimed && !row.holds()) {
      outcome.exitCode = ConditionHeld;
      outcome.messages.push_back("busfare: " + row.paper + ": " + row.item + " does not hold");
    }
  return outcome;
}

} // namespace busfare::frontend
