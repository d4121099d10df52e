//===- skeleton/Hints.h - What the user says of loops and functions -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   // busfare: independent size(g->nx=4096) range(col: 0, m-1) ignore(BF012)
//
// parseHints reads the words behind the colon, names as the source spells them.
// What they name in the skeleton is the front end's to find. Below it, hints are
// part of the Program, and two things are done with them here: unusable sizes are
// told from usable ones nowhere else than in skeleton/Inline, and findings that
// somebody does not want to hear of are taken out:
//
//   for i ... hints(ignore(BF007))      a BF007 between the loop's first and last line is suppressed
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_SKELETON_HINTS_H
#define BUSFARE_SKELETON_HINTS_H

#include "skeleton/Skeleton.h"

namespace busfare::skeleton {

struct HintsRead {
  Hints hints;        ///< Their location is where the words begin.
  Location complaint; ///< Where they cannot be read; unknown: they can.
  std::string why;
};
/// The words of text[begin, end), in a file of this name that holds the text.
HintsRead parseHints(llvm::StringRef text, llvm::StringRef fileName, size_t begin, size_t end);

/// Takes out the findings that a hint ignore(RULE) of the loop or function around them speaks of; gives them back. What
/// is said of hints themselves cannot be ignored.
std::vector<Finding> takeIgnored(const Program &program, std::vector<Finding> &findings);

/// Names in hints that mean nothing where they stand.
std::vector<Finding> checkHintNames(const Program &program);

/// Words for messages: `independent`, `size(n = 4096)`.
std::string toString(const Hints &hints);

} // namespace busfare::skeleton

#endif
