//===- projection/Copies.h - What the copies of a section move -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A section is what must cross; how it crosses is a choice, and the cheapest is taken:
//
//   rows     one copy for each contiguous run of the box
//   pitched  one copy operation that steps from run to run (cudaMemcpy2D, 3D)
//   hull     one copy of everything from the first element to the last
//   packed   gathered into a buffer on one side, one copy, scattered on the other
//
//   u[1:1022:1][1:1022:1] of 1024 x 1024 doubles, A100:  rows 2.9 ms (1022 latencies),
//   pitched 0.33 ms, packed 1.2 ms; the hull 0.32 ms, if it may be taken
//
// Rows that are pieces of memory of their own (hasRows) are copied one by one.
// Whole rows, and whole arrays, are one run: then nothing is to be chosen. The hull may
// be taken only where its other elements do no harm: if the side it comes from is current
// on them, or, to the device, if that never touches them or has not written the array yet.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_COPIES_H
#define BUSFARE_PROJECTION_COPIES_H

#include "brs/Transfers.h"
#include "projection/Link.h"
#include "projection/Machine.h"
#include "projection/Work.h"

namespace busfare::projection {

/// What of memory the copies of a crossing move. Rows, pitched copies and packing move the same elements.
struct CopyMethod {
  enum class Boxes {
    Separate, ///< Each box for itself: what lies in two of them moves twice.
    Apart,    ///< Their union in pieces that do not overlap, each for itself.
    Packed,   ///< Their union in one copy, each element once.
    Hull,     ///< Everything from the first element of all boxes to the last.
  };
  Boxes boxes = Boxes::Separate;
  std::vector<bool> takesHull; ///< With Separate, of each box: everything from its first element to its last.
};

/// One crossing, in numbers; averages over the times it happens.
struct CrossingCost {
  double bytes = 0, movedBytes = 0; ///< Once.
  double count = 0;
  double copies = 1; ///< Copy operations each time.
  double time = 0;   ///< All of it: count times, packing included; from or to pinned memory.
  double pageableTime = 0; ///< The same copies from or to pageable memory.
  bool varies = false; ///< The bytes differ from time to time.
  CopyMethod method;
};

/// Elements of a section: of boxes that overlap those of its parts, if they can be told apart, else the sum of the
/// boxes. Nothing where no extents are known.
std::optional<skeleton::Expr> countOnce(const brs::SectionSet &section, const brs::Context &context);

/// What of a crossing holds for all sizes and machines.
struct CrossingForm {
  std::optional<skeleton::Expr> count; ///< Its elements, at most.
  std::optional<brs::Section> around;  ///< The box around all its boxes.
  bool mayTakeHull = false;            ///< Everything between the first and the last element may be moved as well.
  bool varies = false;
  std::optional<std::vector<brs::Section>> apart; ///< The boxes without their overlaps, if they can be told.
  std::vector<std::string> symbols;    ///< That its cost can depend on.
  /// Guards that rest on nothing but what is given: which side runs is known (`if (tiling)`, which no option sets).
  std::vector<brs::Guard> decided = {};
};
/// runs: what holds besides where the copy is made (Region::runs); it only makes the count simpler. elements: those of
/// the whole array, where they do not follow from its extents (Root::elements).
CrossingForm formOf(const brs::ArrayTransfers &array, const brs::Crossing &crossing, Direction direction,
                    const brs::Context &context, llvm::ArrayRef<skeleton::Expr> runs = {},
                    const std::optional<skeleton::Expr> &elements = std::nullopt);

/// Copies of different sizes are added one by one up to this number; of more, samples are taken.
constexpr double mostAddedUp = 20000;

CrossingCost costOf(const brs::ArrayTransfers &array, const brs::Crossing &crossing, Direction direction,
                    const CrossingForm &form, const skeleton::RealValues &values, const TripOverrides &overrides,
                    const Machine &machine, double most = mostAddedUp);
inline CrossingCost costOf(const brs::ArrayTransfers &array, const brs::Crossing &crossing, Direction direction,
                           const brs::Context &context, const skeleton::RealValues &values,
                           const TripOverrides &overrides, const Machine &machine) {
  return costOf(array, crossing, direction, formOf(array, crossing, direction, context), values, overrides, machine);
}

/// Bytes of all copies of a crossing that are made by this method, whatever would be cheapest for these sizes.
double bytesMovedBy(const CopyMethod &method, const brs::ArrayTransfers &array, const brs::Crossing &crossing,
                    const CrossingForm &form, const skeleton::RealValues &values, const TripOverrides &overrides);

/// Elements where an extent is not known at all.
inline constexpr double assumedElements = 1024;

/// How many elements an array is taken to have whose size is not known: no fewer than those of its known crossings.
double elementsAssumed(const brs::ArrayTransfers &array, const skeleton::RealValues &values);
/// What a formula of them gives, 0 at least; where there is none, or it has no value, elementsAssumed.
double elementsOf(const std::optional<skeleton::Expr> &count, const brs::ArrayTransfers &array,
                  const skeleton::RealValues &values);

} // namespace busfare::projection

#endif
