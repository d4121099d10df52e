//===- projection/Work.h - How much a piece of a program does ------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Walks a block with numbers for its sizes and adds up operations, accesses and
// iterations, without running it:
//
//   for i = 0 .. n - 1 { for j = 0 .. i { read a[j] ops fp64.add 1 } },  n = 1000
//     500500 accesses, 500500 FP64 additions
//
// A loop whose index no inner bound and no condition uses counts its body once, times
// its trips. One that short loops (up to 4 trips) or triangles need is sampled: each
// trip, or the three Gauss-Legendre points of the interval of its index, which is exact
// for inner trip counts up to the fifth degree up to the difference of sum and integral.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_WORK_H
#define BUSFARE_PROJECTION_WORK_H

#include "projection/LibraryWork.h"
#include "skeleton/Skeleton.h"
#include "llvm/ADT/ArrayRef.h"
#include <array>
#include <functional>
#include <map>
#include <set>

namespace busfare::projection {

inline constexpr size_t operationKinds = size_t(skeleton::Operation::Conversion) + 1;

/// One access and how often it happens.
struct AccessCount {
  const skeleton::Access *access = nullptr;
  std::vector<const skeleton::Loop *> loops; ///< Around it, inside the block, outermost first.
  double count = 0;
};

/// A call of a library whose work is known by its sizes.
struct LibraryCount {
  const skeleton::LibraryCall *call = nullptr;
  LibraryWork work; ///< Of one call.
  double count = 0;
};

struct Work {
  std::array<double, operationKinds> operations{};
  std::vector<AccessCount> accesses;
  std::map<const skeleton::Loop *, double> iterations; ///< Of each loop, in all.
  double hostStatements = 0;
  std::vector<LibraryCount> libraryCalls; ///< Those whose work is known; their accesses are not in `accesses`.

  double of(skeleton::Operation operation) const { return operations[size_t(operation)]; }
  double flops() const; ///< An fma is two.
};

/// Trip counts that replace what the bounds say: the time loop's, when the user sets the iterations.
using TripOverrides = std::map<const skeleton::Loop *, double>;

/// Runs of the loop; 0 if the bounds have no value.
double tripsOf(const skeleton::Loop &loop, const skeleton::RealValues &values, const TripOverrides &overrides = {});

/// Nodes that are not looked at, nor what is below them.
using LeftOut = std::set<const skeleton::Node *>;

/// The work of one execution of the block.
Work workOf(llvm::ArrayRef<skeleton::Node> block, const skeleton::RealValues &values,
            const TripOverrides &overrides = {}, const LeftOut &leftOut = {});

/// The work of one execution of the loop.
Work workOf(const skeleton::Loop &loop, const skeleton::RealValues &values, const TripOverrides &overrides = {},
            const LeftOut &leftOut = {});

/// Calls visit(values with the indices of `loops`, weight) for samples of the iterations of the nest of loops, whose
/// weights add up to the number of iterations.
void sampleIterations(const std::vector<const skeleton::Loop *> &loops, const skeleton::RealValues &values,
                      const TripOverrides &overrides,
                      const std::function<void(const skeleton::RealValues &, double)> &visit);

/// The same, but every iteration itself, with weight 1, if there are at most `limit` of them.
void forEachIteration(const std::vector<const skeleton::Loop *> &loops, const skeleton::RealValues &values,
                      const TripOverrides &overrides, double limit,
                      const std::function<void(const skeleton::RealValues &, double)> &visit);

} // namespace busfare::projection

#endif
