//===- projection/Coverage.h - How much of a program is understood --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One record for each outermost loop nest of the source, and why it is less than
// exact. A nest is looked at from its own function, with its calls substituted:
//
//   for (i = 0; i < n; i++)          exact    no: x is taken whole
//     y[i] = x[col[i]];              bounded  yes, if the extent of x is known
//                                    reasons  BF001 at the subscript
//
// exact    every section of it is precisely what is touched
// tight    the same, but for conditions that data decide: with some data each element
//          of its sections is touched
// bounded  every access lies in a known section or in an array whose size is known,
//          here or to everyone who calls the function (CallersSizes.h), and no code
//          in it is opaque
//
// Where input, output or an opaque call stands in a nest, the largest nests inside it that hold none are described
// as well, once for each iteration of the loops around them:
//
//   for (t = 0; t < steps; t++) {    a nest with host code
//     for (i = 0; i < n; i++)        an inner nest: exact
//       a[i] = b[i] + t;
//     dummy(a);
//   }
//
// The reasons are read off the nest itself (what stands in it that cannot be said
// precisely), not off the findings, so that none is missing; `holdsHostCode` has its
// reason too. What they cost in other respects (a serial loop) is not looked at.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_COVERAGE_H
#define BUSFARE_PROJECTION_COVERAGE_H

#include "projection/CallersSizes.h"
#include "projection/Root.h"
#include "projection/report/Report.h"

namespace busfare::projection {

/// Is a pointer fixed whose object is not known (skeleton::Array::isFixed)?
bool hasFixed(const Root &root);
/// What such a pointer leads to becomes an object that nothing else is.
void giveOwnMemory(skeleton::Array &pointer);
/// The root, for questions of what its nests touch, with an object behind each such pointer: its sections are known,
/// wherever it leads.
void followFixed(const skeleton::Program &program, const Root &root, Root &result);

/// Of one root, in program order.
struct Nests {
  std::vector<NestReport> outermost; ///< Its own (not those of functions that it calls).
  std::vector<NestReport> inner;     ///< As CoverageReport::innerNests.
};
Nests describeNests(const skeleton::Program &program, const Root &root, const CallersSizes &callers);

/// The reason as a finding.
skeleton::Finding findingOn(const NestReport &nest, const NestReason &reason);

/// A nest seen in several places (template instances, a header of several units) becomes one: exact only if all are.
std::vector<NestReport> mergeNests(std::vector<NestReport> nests);

/// Fills what of the report's coverage follows from the rest of it: verdicts of nests, counts, suggestions.
void summariseCoverageInPlace(Report &report);

} // namespace busfare::projection

#endif
