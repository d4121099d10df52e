//===- test/fuzz/FuzzAnalyse.cpp - From skeleton text to a report ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A program that means something gets a report or an error, never a crash or a hang,
// and the report's JSON is JSON. What the report says is not judged here.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"
#include "brs/Presburger.h"
#include "projection/Project.h"
#include "projection/report/Writers.h"
#include "skeleton/Inline.h"
#include "skeleton/Parse.h"
#include "skeleton/Verify.h"
#include "llvm/Support/JSON.h"

using namespace busfare::projection;
using namespace busfare::skeleton;

namespace busfare::fuzz {

void fuzzAnalyse(llvm::StringRef input) {
  if (input.size() > 4096)
    return;
  llvm::Expected<Program> program = parse(input, "t.skel");
  if (!program)
    return llvm::consumeError(program.takeError());
  if (llvm::Error error = verify(*program))
    return llvm::consumeError(std::move(error));
  static const Machine machine = llvm::cantFail(loadMachine(defaultMachine));
  ProjectOptions options;
  options.machines = {machine};
  for (const std::string &root : roots(*program))
    if (options.functions.size() < 2)
      options.functions.push_back(root);
  // One budget for all: two roots of five seconds each would look like a hang.
  brs::EffortBudget budget(4);
  llvm::Expected<Report> report = project(*program, options);
  if (!report)
    return llvm::consumeError(report.takeError());
  std::string json, text;
  llvm::raw_string_ostream jsonStream(json), textStream(text);
  writeJson(*report, jsonStream);
  writeText(*report, textStream);
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(jsonStream.str());
  require(bool(value), [&] { return "no JSON: " + llvm::toString(value.takeError()) + "\n" + json; });
}

} // namespace busfare::fuzz
