//===- test/support/Compare.h - An analysis against runs of its program ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Runs an analysed root in the interpreter (Oracle.h) several times and says where the
// analysis is wrong: what a run touches must lie inside the may sets of the whole root
// and of each outermost nest, the must sets inside what is written, and no two
// iterations of a loop called parallel may meet except in what its `needs` name.
//
//   compareWithRuns(program, *root, {}).found     // {"whole: may-read of a lacks { (3) }"}
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_TEST_SUPPORT_COMPARE_H
#define BUSFARE_TEST_SUPPORT_COMPARE_H

#include "projection/Root.h"
#include <string>
#include <vector>

namespace busfare::test {

struct CompareOptions {
  unsigned runs = 3;          ///< Each with other values for what the skeleton leaves open.
  size_t maxEvents = 3000000; ///< Of one run; a longer one is given up.
  int64_t maxElements = 3000; ///< Of an array; the must sets of larger ones are not looked at.
};

struct Comparison {
  std::vector<std::string> found;       ///< Disagreements, one line each.
  unsigned runs = 0, loopsChecked = 0;  ///< Runs that came to their end; verdicts "parallel" in them.
  std::string lastError;                ///< Why the last other one did not.
};

/// The root analysed to Depth::Dependence at least.
Comparison compareWithRuns(const skeleton::Program &program, const projection::Root &root,
                           const CompareOptions &options);

} // namespace busfare::test

#endif
