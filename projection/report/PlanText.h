//===- projection/report/PlanText.h - How data and kernel meet, in words ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The part of the text report that says which strategy is the fastest, why, what it
// waits for, and what the others cost:
//
//   The plan
//     Hybrid, 42 streams, pinned host memory: 106 ms in place of 119 ms with explicit
//     copies (0.42x). Inputs are copied in chunks, for mapped memory would ...
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_PLANTEXT_H
#define BUSFARE_PROJECTION_REPORT_PLANTEXT_H

#include "projection/report/Page.h"
#include "projection/report/Report.h"

namespace busfare::projection {

void writePlan(const RegionReport &region, const MachineAnswer &answer, Page &page);

/// A capital first, a full stop last.
std::string sentence(std::string text);
/// An index as the source spells it: the second `i` of a function is `i.2` in its skeleton.
llvm::StringRef spelled(llvm::StringRef index);

/// ", read at line 12": why a copy is made, for the row of a table. `place` is because's.
std::string spokenCause(const CrossingReport &crossing, bool toDevice, const std::string &place);

/// "read", "kept", "caller", "widened", "others", "unseen", "pointer", "seldom".
llvm::StringRef wordOf(brs::Cause cause);

/// "occupancy 75 %", and how much of a device works that has too few blocks: "occupancy 3 %, 16 of 108 multiprocessors
/// busy".
std::string spokenOccupancy(const KernelReport &kernel);

} // namespace busfare::projection

#endif
