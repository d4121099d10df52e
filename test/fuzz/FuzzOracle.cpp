//===- test/fuzz/FuzzOracle.cpp - An analysis against runs of its program ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A program that means something is analysed and run by the interpreter with small
// sizes; no section may be too small and no loop wrongly called parallel.
//
//===----------------------------------------------------------------------===//

#include "Compare.h"
#include "Fuzz.h"
#include "brs/Presburger.h"
#include "skeleton/Inline.h"
#include "skeleton/Parse.h"
#include "skeleton/Print.h"
#include "skeleton/Verify.h"

using namespace busfare::skeleton;

namespace busfare::fuzz {

void fuzzOracle(llvm::StringRef input) {
  if (input.size() > 2048)
    return;
  llvm::Expected<Program> program = parse(input, "t.skel");
  if (!program)
    return llvm::consumeError(program.takeError());
  if (llvm::Error error = verify(*program))
    return llvm::consumeError(std::move(error));
  brs::EffortBudget budget(4);
  std::vector<std::string> names = roots(*program);
  for (size_t k = 0; k < names.size() && k < 2; ++k) {
    llvm::Expected<std::unique_ptr<projection::Root>> root =
        projection::analyseRoot(*program, names[k], projection::Depth::Dependence);
    require(bool(root), [&] { return llvm::toString(root.takeError()); });
    test::CompareOptions options;
    options.runs = 2;
    options.maxEvents = 3000;
    options.maxElements = 120;
    test::Comparison comparison = test::compareWithRuns(*program, **root, options);
    require(comparison.found.empty(), [&] { return names[k] + ": " + comparison.found.front() + "\n" + print(*program); });
  }
}

} // namespace busfare::fuzz
