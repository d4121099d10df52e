//===- projection/report/Explanation.h - One loop nest, every number -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What `busfare explain FILE:LINE` says, as one value that the writers only format: the
// nests at that line, on each call path that reaches it, and the regions they belong to.
//
//   hotspot.c:45  ->  one nest, the kernel hotspot.c:41 of the region hotspot.c:78:main
//     loops r, c with verdicts and trips; sections read and written by one launch;
//     operations; terms of the kernel's, the host's and the copies' time on each machine
//
// Times are seconds, sizes bytes, unless a name says otherwise.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_EXPLANATION_H
#define BUSFARE_PROJECTION_REPORT_EXPLANATION_H

#include "projection/report/Report.h"

namespace busfare::projection {

/// A loop of the nest, or one around it.
struct ExplainedLoop {
  LoopReport loop;
  std::string lower, upper;  ///< Inclusive.
  int64_t step = 1;
  std::string trips;         ///< Of one execution, as a formula; empty if it has none in sizes and outer indices.
  double iterations =
      0;     ///< Of one launch, of all executions; of a loop around the kernel, of one of its own executions.
  bool isAround = false;     ///< A serial loop around the kernel: each iteration launches it.
};

/// What one launch touches of one array.
struct ExplainedSection {
  std::string array;
  std::string access;        ///< read|write
  std::string section;       ///< Bounds inclusive; indices of loops around the kernel may be in it.
  std::string formula;       ///< Bytes.
  std::optional<double> bytes; ///< Nothing: its size is not known.
  bool exact = false;
};

/// One kind of operation in one launch.
struct ExplainedOperation {
  std::string name;    ///< fp64.add
  double count = 0;
  std::string formula; ///< "4*(n-2)*(n-2)"; empty where branches or inner bounds leave none.
};

/// A branch whose condition nothing decides.
struct ExplainedBranch {
  skeleton::Location location;
  double share = 0.5;  ///< Of executions that take it.
  std::string source;  ///< profile|assumed
};

/// One crossing of an array that the nest touches.
struct ExplainedCopy {
  std::string array, direction;
  CrossingReport crossing;
  TimeTerm time;       ///< Of all its copies.
};

struct ExplainedOnMachine {
  std::string machine;
  KernelReport launch;
  KernelTerms terms;
  std::vector<ExplainedCopy> copies;
};

struct ExplainedNest {
  skeleton::Location location;
  std::string function, root;
  std::vector<std::string> context; ///< The calls that lead there.
  bool isKernel = false;
  std::string whyOnHost;            ///< Of one that is none.
  std::vector<std::string> kernelsInside; ///< Of a loop on the host: ids.
  std::string region;               ///< Its id; empty: in none.
  std::vector<ExplainedLoop> loops; ///< Outermost first.
  std::vector<ExplainedSection> sections;
  std::vector<ExplainedOperation> operations;
  std::vector<ExplainedBranch> branches;
  std::vector<ExplainedOnMachine> on; ///< Of a kernel.
};

struct Explanation {
  std::string version;
  std::string file;
  unsigned line = 0;
  std::vector<MachineReport> machines;
  std::vector<ExplainedNest> nests;
  std::vector<RegionReport> regions;          ///< Those the nests belong to.
  std::vector<skeleton::Finding> findings;    ///< At the lines of the nests.
  std::map<std::string, int> profileRows;     ///< Report::profileRows
  /// If there is no nest: loops of that file, the nearest first.
  std::vector<std::pair<skeleton::Location, std::string>> nearest;
};

} // namespace busfare::projection

#endif
