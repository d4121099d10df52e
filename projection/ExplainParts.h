//===- projection/ExplainParts.h - Loops, sections, operations, copies ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The parts of one nest's explanation that need no more than its root and its sizes:
//
//   for i = 1 .. n - 2 { for j = 1 .. n - 2 { ... ops fp64.add 4 } },  n = 1024
//     loops i: n-2 = 1022; j: n-2, in all 1,044,484
//     fp64.add  4*(n-2)*(n-2) = 4,177,936
//
// For Explain.cpp alone.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_EXPLAINPARTS_H
#define BUSFARE_PROJECTION_EXPLAINPARTS_H

#include "projection/Root.h"
#include "projection/Work.h"
#include "projection/report/Explanation.h"

namespace busfare::projection {

/// Without its iterations.
ExplainedLoop explainedLoop(const Root &root, const skeleton::Loop &loop);

/// The loop and those inside it, in program order, with the iterations of the work, which is the loop's.
std::vector<ExplainedLoop> explainedLoops(const Root &root, const skeleton::Loop &loop, const Work &work);

/// What one execution reads and writes. Scalars and arrays private to an iteration are left out.
std::vector<ExplainedSection> explainedSections(const skeleton::Program &program, const Root &root,
                                                const skeleton::Loop &loop, const skeleton::RealValues &values);

/// Of one execution. A formula is given where it is the work's number.
std::vector<ExplainedOperation> explainedOperations(const skeleton::Loop &loop, const Work &work,
                                                    const skeleton::RealValues &values);

std::vector<ExplainedBranch> explainedBranches(const skeleton::Loop &loop);

/// Copies of the region's arrays that the loop touches, from or to memory of this kind.
std::vector<ExplainedCopy> explainedCopies(const Root &root, const brs::Region &region, const RegionReport &report,
                                           const skeleton::Loop &loop, const skeleton::RealValues &values,
                                           const TripOverrides &overrides, const Machine &machine,
                                           const std::string &memory);

} // namespace busfare::projection

#endif
