//===- projection/report/Diff.h - What changed between two reports --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Two reports of what should be the same program, held against each other:
//
//   before  step.c:12:main  fingerprint 6f1d  port, 3.2x (2.1x to 4.5x), 8 MiB
//   after   step.c:19:main  fingerprint 6f1d  keep, 0.8x (0.5x to 1.1x), 16 MiB
//     ->  one region, that moved, whose verdict flipped, slower, with 8 MiB more
//
// Regions are known by their fingerprint, which survives moved lines, other names of
// variables and renamed files; of equal ones those of the same file and function belong
// together, then those of one function, then those of one file, in order. What is left
// is paired by file and function, in order, and has changed its structure; a file that is
// gone may have become one that is new. Loops: LoopPairs.h. Findings are the same if
// rule and words are, numbers and places aside.
//
// A speedup has changed if one report's value lies outside the other's interval. Figures
// are compared on the machines that both reports have. Bytes are those that copies
// move if the first machine is the same, else those of the sections.
//
// compare(a, b) and compare(b, a) say the same with the sides exchanged.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_DIFF_H
#define BUSFARE_PROJECTION_REPORT_DIFF_H

#include "projection/report/ReportSummary.h"

namespace busfare::projection {

enum class Trend {
  Same,
  Within, ///< Another figure, within the intervals.
  Faster, ///< Beyond one of them.
  Slower,
};
llvm::StringRef toString(Trend trend); // "same", "within", "faster", "slower"

/// One region on one machine.
struct AnswerDiff {
  std::string machine;
  AnswerSummary before, after;
  Trend trend = Trend::Same;
  bool flipped() const { return before.verdict != after.verdict; }
};

struct SizeDiff {
  std::string name; ///< "simulate::n", or "iterations".
  int64_t before = 0, after = 0;
};

/// A region of either report, or of both.
struct RegionDiff {
  std::optional<RegionSummary> before, after; ///< One of them at least.
  uint64_t bytesBefore = 0, bytesAfter = 0;   ///< That cross the bus, both ways; of a region of both.
  bool structureChanged = false;              ///< Another fingerprint.
  std::vector<AnswerDiff> on; ///< Of a region of both: the machines of both, in the old report's order.
  std::vector<SizeDiff> sizes; ///< Known by one name in both, with two values.

  bool isNew() const { return !before; }
  bool isGone() const { return !after; }
  /// In anything but its place, and figures within their intervals.
  bool changed() const;
  const RegionSummary &either() const { return after ? *after : *before; }
};

/// A loop that is not what it was.
struct LoopDiff {
  enum class Kind { Lost, Gained, New, Gone }; ///< Lost: no more parallel; Gained: now parallel.
  Kind kind = Kind::Lost;
  std::optional<LoopSummary> before, after;
  const LoopSummary &either() const { return after ? *after : *before; }
};
llvm::StringRef toString(LoopDiff::Kind kind); // "lost", "gained", "new", "gone"

struct RuleDiff {
  std::string rule;
  unsigned before = 0, after = 0;
  std::vector<FindingSummary> gone, fresh;
};

struct ReportDiff {
  std::string oldFile, newFile; ///< newFile is empty of a report that was just made.
  std::string oldVersion, newVersion; ///< Of busfare.
  std::vector<std::string> machines, onlyOld, onlyNew;
  bool bytesAreMoved = true;
  std::vector<RegionDiff> regions; ///< All: those of the new report in its order, then those that are gone.
  std::vector<LoopDiff> loops; ///< Those that changed, in the same order.
  std::vector<RuleDiff> rules; ///< Those with findings that are new or gone, by id.
  unsigned failedBefore = 0, failedAfter = 0; ///< Units that could not be parsed.

  /// Nothing is new, gone or changed, and the machines are the same.
  bool isEmpty() const;
};

/// Of each region of the new report its partner in the old one.
std::vector<std::optional<size_t>> partnersOf(const ReportSummary &before, const ReportSummary &after);

ReportDiff compare(const ReportSummary &before, const ReportSummary &after);

/// "+25 %", "-3 %", "8.0x", "from none".
std::string formatGrowth(uint64_t before, uint64_t after);

} // namespace busfare::projection

#endif
