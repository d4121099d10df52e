//===- test/generator/Check.cpp - Programs through the whole analysis ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/generator/Check.h"
#include "test/generator/Print.h"
#include "clang-plugin/Extract.h"
#include <fstream>

namespace busfare::generator {

std::vector<Outcome> checkUnit(std::vector<Program> &programs, const std::string &file, const CompareOptions &options) {
  std::string text = printUnit(programs);
  std::ofstream(file) << text;
  frontend::ExtractResult unit = frontend::extractUnit(file, {});
  std::vector<Outcome> outcomes(programs.size());
  for (size_t p = 0; p < programs.size(); ++p) {
    Outcome &outcome = outcomes[p];
    if (!unit.parsed) {
      outcome.found.push_back({Fault::NotRead, unit.diagnostics.empty() ? "no message" : unit.diagnostics.front().message});
      continue;
    }
    auto root = projection::analyseRoot(unit.program, programs[p].name, projection::Depth::Transfers);
    if (!root) {
      outcome.found.push_back({Fault::NotRead, llvm::toString(root.takeError())});
      continue;
    }
    outcome = compare(programs[p], interpret(programs[p]), unit.program, **root, options);
  }
  return outcomes;
}

} // namespace busfare::generator
