//===- brs/WholeArrays.h - Copies of whole arrays --------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where no plan of sections can be found (Residency.h), or finding one is too hard:
// the arrays of a group, all of all of them, are current on the host, on the device, or
// on both. Who touches them needs them, and who writes them leaves the other side stale.
//
//   host                          write a
//   for t {                       h2d a         before it: each iteration leaves the
//     for i (kernel) { a[i] = }                 device current
//   }
//   host                          d2h a, read a
//
// A copy back waits until the host needs it. Where the sides of a branch, or the head
// and the end of a loop, leave no side that is current whichever way was taken, each
// kernel's results come back right behind it instead (write-through).
//
// No question about sets is asked. The answer is sound whatever the accesses are, and
// moves more than must cross.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_WHOLEARRAYS_H
#define BUSFARE_BRS_WHOLEARRAYS_H

#include "brs/Residency.h"

namespace busfare::brs {

/// Unplaceable are arrays whose extents are not known, and those that a serial loop makes anew if it is not known
/// which.
ResidencyPlan planWholeArrays(const ResidencyQuestion &question, const std::vector<std::string> &names);

} // namespace busfare::brs

#endif
