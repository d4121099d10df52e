//===- projection/report/Ranking.h - Which regions to read about first ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The regions of all programs in one order, and the sizes of one: what is told to port, the largest gain first; what
// needs measuring, by what it might gain; what stays, by the work that it does.
//
//   port     solve.c:88 in smooth    gains 3.1 s
//   port     solve.c:40 in residual  gains 0.4 s
//   measure  io.c:12 in unpack       gains 0.1 s (-0.2 s to 0.9 s)
//   keep     main.c:9 in fill        60 % of the work
//
// A region is called after the loop in it that does most of the work: where it begins is often
// a loop that only fills its arrays.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_RANKING_H
#define BUSFARE_PROJECTION_REPORT_RANKING_H

#include "projection/report/Report.h"

namespace busfare::projection {

struct RankedRegion {
  const RegionReport *region = nullptr;
  const MachineAnswer *answer = nullptr; ///< On the first machine.
  skeleton::Location hottest;            ///< Of its loops, by the host's time; else by the device's.
  std::string function;                  ///< That holds it.
  std::optional<double> share; ///< Of the work of all nests: what its nests do together. Nothing: not known.
};

/// Those that have an answer.
std::vector<RankedRegion> rankRegions(const Report &report);

/// The same of one region.
RankedRegion rankedAs(const Report &report, const RegionReport &region);

/// "solve.c:88, in smooth".
std::string nameOf(const RankedRegion &ranked);

/// The region's sizes from this source on which its price rests, the steepest first; all of them if nobody asked.
std::vector<std::pair<std::string, ParameterValue>> sizesThatCount(const RegionReport &region, ParameterSource source);

} // namespace busfare::projection

#endif
