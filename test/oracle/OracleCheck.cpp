//===- test/oracle/OracleCheck.cpp - A program's analysis, run -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   oracle_check PROGRAM.skel
//
// Runs every root of an extracted program in the interpreter, several times, and
// compares: what it touches lies inside the may sections of the whole root and of each
// outermost nest, the must sections inside what it writes, and no two iterations of a
// loop called parallel meet except in what its `needs` name. Exit code 1 and one line
// for each disagreement; a program of which no run could be finished is one, too.
//
//===----------------------------------------------------------------------===//

#include "Compare.h"
#include "skeleton/Inline.h"
#include "skeleton/Parse.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace busfare;
using namespace busfare::test;
using namespace busfare::skeleton;

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: oracle_check PROGRAM.skel\n";
    return 2;
  }
  auto text = llvm::MemoryBuffer::getFile(argv[1]);
  if (!text) {
    llvm::errs() << argv[1] << ": " << text.getError().message() << "\n";
    return 2;
  }
  llvm::Expected<Program> program = parse((*text)->getBuffer(), argv[1]);
  if (!program) {
    llvm::errs() << llvm::toString(program.takeError()) << "\n";
    return 2;
  }
  unsigned disagreements = 0, runs = 0, loops = 0;
  for (const std::string &name : roots(*program)) {
    llvm::Expected<std::unique_ptr<projection::Root>> root =
        projection::analyseRoot(*program, name, projection::Depth::Dependence);
    if (!root) {
      llvm::errs() << llvm::toString(root.takeError()) << "\n";
      return 2;
    }
    Comparison comparison = compareWithRuns(*program, **root, {});
    if (!comparison.runs) comparison.found.push_back("no run could be finished: " + comparison.lastError);
    for (size_t k = 0; k < comparison.found.size() && k < 10; ++k)
      llvm::outs() << name << ": " << comparison.found[k] << "\n";
    disagreements += unsigned(comparison.found.size());
    runs += comparison.runs;
    loops += comparison.loopsChecked;
  }
  llvm::outs() << runs << " runs, " << loops << " verdicts 'parallel' checked, " << disagreements << " disagreements\n";
  return disagreements ? 1 : 0;
}
