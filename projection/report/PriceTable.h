//===- projection/report/PriceTable.h - Prices at other settings ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a projection would answer if the command line said something else of sizes, time
// steps, runs, machine or link: the regions of one root at each setting that somebody who
// reads the report may turn to. Filled by Prices.h with the prices that a projection has.
//
//   --param n=8192 --runs 10    region jacobi.c:12:simulate on a100-pcie4: port, 3.2x (2.1x to 4.9x)
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_PRICETABLE_H
#define BUSFARE_PROJECTION_REPORT_PRICETABLE_H

#include "projection/report/Report.h"

namespace busfare::projection {

/// What the command line would say of sizes.
struct SizeStop {
  std::string varies; ///< The size, "*" for all of them together; empty: as the report has them.
  double factor = 1;  ///< Of all together.
  std::vector<std::pair<std::string, int64_t>> parameters; ///< --param.
};

/// What it would say of --runs.
struct RunStop {
  std::optional<uint64_t> runs; ///< Nothing: as the report has it, or many.
  bool isMany = false;
};

struct MachineStop {
  std::string machine;
  double link = 1;     ///< The bandwidth of its link, as a multiple.
  double dramBandwidth = 0, linkBandwidth = 0, peakFlops = 0; ///< Roofs: B/s, FLOP/s; the link's h2d.
};

/// A region on a machine at one setting.
struct PricedAnswer {
  Verdict verdict = Verdict::Measure;
  Interval speedup, gain;
  TimeReport time;
  double kernelOnly = 0, asWritten = 0;
  std::string strategy, memory;
  unsigned streams = 1;
  double explicitPinned = 0,
         explicitPageable = 0; ///< s of explicit copies one after the other, with what stays on the host.
  std::string why, flip;
};

/// One setting: indices into sizes, steps and runs.
struct PricedSetting {
  size_t size = 0, steps = 0, runs = 0;
  std::vector<PricedAnswer> answers; ///< Region by region, each on all machines.
};

/// Something that runs under the plan, and when.
struct PlannedStep {
  std::string engine; ///< "h2d", "kernel", "d2h" or "host".
  std::string what;   ///< An array, or a kernel's id.
  double start = 0, end = 0; ///< s from the region's start; of what happens often, all times together.
  double count = 1;
  unsigned stream = 0;
};

struct PlanTimeline {
  std::string region, machine;
  std::vector<PlannedStep> before, after; ///< One after the other; as the plan overlaps them.
  bool isSchedule = false; ///< `after` is such a schedule; its end may differ from the equation's time.
};

struct PriceTable {
  std::string root;
  std::vector<std::string> regions; ///< Ids.
  std::vector<MachineStop> machines;
  std::vector<SizeStop> sizes; ///< The first is the report's.
  std::vector<std::optional<uint64_t>> steps; ///< --iterations; the first is nothing: the report's.
  std::vector<RunStop> runs; ///< Likewise.
  std::vector<PricedSetting> settings;
  unsigned mostChanged =
      3; ///< Of size, steps and runs, so many differ from the report in a setting: all combinations may be too many.
  std::vector<PlanTimeline> timelines;
};

} // namespace busfare::projection

#endif
