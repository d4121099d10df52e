//===- projection/NestAnswers.h - Every parallel nest, and what is not priced ===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Puts together what was found of each nest of the source from the roots and, where that was no kernel of
// their plans, from its own function:
//
//   kernel   it is one in a plan
//   kept     it is parallel and stays on the host, with the reason
//   alone    a kernel if its own function is the root: nothing is known of that function's pointers but what it says
//   itself
//
// Kernels, what is kept for a reason that is known, and nests that an example of two iterations shows to be serial, are
// priced. The others are not: those that are alone, and those of which it is not known whether they are parallel. Where
// they do more than half of the work, or may run any number of times, a region's verdict is *measure first* and says
// so.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_NESTANSWERS_H
#define BUSFARE_PROJECTION_NESTANSWERS_H

#include "projection/Nests.h"

namespace busfare::projection {

/// A kernel of a function that was a root for this.
struct AloneAnswer {
  std::string root, region; ///< The function, and the id that its region has.
  std::string function, index; ///< Where the kernel's loop stands.
  Verdict verdict = Verdict::Measure;
  Interval speedup;
};

/// A nest of a function whose calls the roots do not see.
struct UnseenNest {
  NestOfSource nest; ///< Work of one call.
  bool mayRun = true; ///< A call whose target is not known may be one of it; else nobody calls it.
  std::string why;
};

/// A function of which nothing is known, though it may run: no time or effort was left.
struct UnjudgedFunction {
  skeleton::Location location;
  std::string name, why;
};

struct FoundNests {
  NestsOfSource ofRoots;
  std::map<skeleton::Location, AloneAnswer> alone; ///< By the kernel's loop.
  std::map<skeleton::Location, skeleton::Location> kernelsAround; ///< Of loops inside those, the kernel's.
  std::map<skeleton::Location, UnseenNest> unseen;
  std::vector<UnjudgedFunction> unjudged;
};

/// Adds the kernels of a function that is a root for this; they are not judged yet.
void addAlone(const Root &root, FoundNests &found);
/// What came out of that root.
void judgeInPlace(llvm::ArrayRef<RegionReport> regions, const std::string &root, FoundNests &found);

/// Fills the report's nests, unpriced and program, and takes back verdicts of regions that do less than half of the
/// work.
void answerNestsInPlace(const FoundNests &found, Report &report);

/// Orders the nests of one or several programs by their work, each place once, and fills in shares of all of it.
void rankNestsInPlace(Report &report);

} // namespace busfare::projection

#endif
