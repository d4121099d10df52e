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

std::string explain(std::vector<Program> &programs, size_t which, const std::string &file) {
  std::ofstream(file) << printUnit(programs);
  frontend::ExtractResult unit = frontend::extractUnit(file, {});
  auto root = projection::analyseRoot(unit.program, programs[which].name, projection::Depth::Transfers);
  if (!root)
    return llvm::toString(root.takeError());
  std::string text;
  for (const brs::LoopVerdict &verdict : (*root)->dependence.loops) {
    text += std::to_string(verdict.loop->location.line) + " " + verdict.loop->index + ": " + (verdict.parallel ? "parallel" : "serial") + ", " + verdict.reason;
    for (const brs::Need &need : verdict.needs)
      text += " [" + brs::toString(need.kind).str() + " " + need.name + " " + need.op + "]";
    text += "\n";
  }
  for (const brs::Region &region : (*root)->transfers.regions) {
    text += "region at " + std::to_string(region.location.line) + "\n";
    for (const brs::Kernel &kernel : region.kernels)
      text += "kernel at " + std::to_string(kernel.loop->location.line) + "\n";
    for (const brs::ArrayTransfers &array : region.arrays) {
      text += array.name + " on the device: " + brs::toString(array.onDevice) + "\n";
      for (bool toDevice : {true, false})
        for (const brs::Crossing &c : toDevice ? array.h2d : array.d2h) {
          text += std::string("  ") + (toDevice ? "h2d " : "d2h ") + brs::toString(c.section) + (c.after ? " after " : " before ") + "line " +
                  std::to_string(c.at.line) + " because of " + std::to_string(c.because.line) + (c.section.exact ? " exact" : "") + " in";
          for (const skeleton::Loop *loop : c.loops)
            text += " " + std::to_string(loop->location.line);
          text += "\n";
        }
    }
  }
  return text;
}

} // namespace busfare::generator
