//===- projection/PlanTimeline.h - What runs when, under a plan -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A region's copies and kernels as steps on the engines of a device. What loops repeat is
// folded into one step with a count.
//
//   explicit copies   h2d u 340 us | kernel jacobi.c:15, 100 times, 830 us | d2h u 350 us
//   2 streams         h2d 170 us | h2d 170 us  kernel | kernel  d2h | d2h
//
// Streams are scheduled chunk by chunk: each waits for the one before it on its engine, and
// for what its own chunk did before. The plan's price is the equation's (Overlap.h), which
// also knows gaps and slowdowns; so the two ends may differ.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_PLANTIMELINE_H
#define BUSFARE_PROJECTION_PLANTIMELINE_H

#include "projection/Price.h"
#include "projection/report/PriceTable.h"

namespace busfare::projection {

PlanTimeline timelineOf(const brs::Region &region, const RegionCost &cost, const Machine &machine,
                        const MachineAnswer &answer);

} // namespace busfare::projection

#endif
