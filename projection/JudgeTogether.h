//===- projection/JudgeTogether.h - The regions of a process as one -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Regions of one root share what a process pays once, so each is priced first, and then all
// are settled: the set that gains the most is found (Gain.h), and each region judged beside
// the others of it.
//
//   context 250 ms; regions that gain 400 and 20 ms a run: the second is judged with the
//   context paid by the first
//
// Asked at today's sizes by a projection, and at other sizes by a table of prices, so
// that both give one answer.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_JUDGETOGETHER_H
#define BUSFARE_PROJECTION_JUDGETOGETHER_H

#include "projection/Judge.h"
#include "projection/Project.h"

namespace busfare::projection {

/// How often a region's time loop runs, where its bounds do not say.
struct TimeSteps {
  std::optional<double> count;
  bool isAssumed = false;
  std::optional<uint64_t> atMost; ///< Assumed, because the loop may stop before so many.
};
/// given: --iterations. Error: the program runs the loop another number of times.
llvm::Expected<TimeSteps> timeStepsOf(const brs::Region &region, const Sizes &sizes, std::optional<uint64_t> given);

/// How often a process runs each region of a root: main's own once, as their prices go through all of it; nothing: any
/// number.
std::optional<double> runsOf(const Root &root, const ProjectOptions &options);

/// A region on all machines.
struct PricedRegion {
  PricedRegion(const brs::Region &region, llvm::ArrayRef<Machine> machines, bool wantsTerms);
  std::vector<Mix> mixes;
  std::vector<std::unique_ptr<KernelPrices>> prices; ///< By machine,
  std::vector<Judge> judges;                         ///< like these,
  std::vector<MachineAnswer> answers;                ///< and these.
  bool usesDoubles = false;                          ///< A kernel computes with them.
};

/// Fills in gains, break-evens and verdicts. s that a process pays once on the first machine with all regions that are
/// told port.
double settleTogether(llvm::ArrayRef<Machine> machines, std::optional<double> runs,
                      llvm::ArrayRef<PricedRegion *> regions);

} // namespace busfare::projection

#endif
