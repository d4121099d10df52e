//===- projection/Guard.h - The condition under which a region pays -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The break-evens of a region as one condition, that a port can test where the region begins:
//
//   pays_off: n from 10109 to 19358    ->   n > 10108 && n < 19359
//
// Of one size it is the report's own break-even. Of several it is a box: the report says from
// how many times today's sizes on all of them together pay, and each has to be as large as
// that. What else lies in the box is looked at: a corner that does not pay, and there is no
// guard. The count of a time loop that is set apart from the sizes is a size of its own, from
// today's on.
//
//   n = 1000, m = 200 pay from 0.5x on  ->   n > 499 && m > 99
//
// Beyond what was looked at (1024 times today's) and beyond what the device holds nothing is
// said, and a guard that is open there holds.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_GUARD_H
#define BUSFARE_PROJECTION_GUARD_H

#include "projection/Machine.h"
#include "projection/OneThread.h"
#include "projection/Root.h"
#include "projection/Sizes.h"

namespace busfare::projection {

/// A size between two bounds that both pay.
struct GuardTerm {
  std::string size;     ///< "main::n", "iterations".
  skeleton::Expr value; ///< In the root's symbols.
  std::optional<double> from, to;
};

struct Guard {
  /// It pays where all terms of one of these hold. Empty: there is no guard.
  std::vector<std::vector<GuardTerm>> anyOf;
  bool isAbout = false; ///< PaysOff::isAbout.
  std::string why;        ///< There is none.
  bool isNever = false;   ///< Because it pays nowhere.
};

/// `main::n > 10108 && main::n < 19359`, with sizes as `called` has them.
std::string toString(const Guard &guard, llvm::function_ref<std::string(const GuardTerm &)> called);

/// Of one region of a root.
struct RegionGuard {
  std::set<const skeleton::Loop *> kernels; ///< Those that the plan has on the device, by the root's loops.
  Runs moved;                               ///< Statements that the plan moves there.
  Guard guard;
};

struct GuardQuestion {
  const skeleton::Program &program;
  const Root &root;
  const Sizes &sizes;
  const Machine &machine;
  std::optional<uint64_t> iterations; ///< --iterations.
  std::optional<uint64_t> runs;       ///< --runs N;
  bool manyRuns = false;              ///< --runs many; neither: as analyze takes it.
  unsigned threads = 0;
  bool isAsPlanned = true; ///< Each region in its best division, as in a report; else as the root has it.
};

/// Of all regions of the root, in its order. Error: --iterations contradicts the program.
llvm::Expected<std::vector<RegionGuard>> guardsOf(const GuardQuestion &question);

} // namespace busfare::projection

#endif
