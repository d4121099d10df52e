//===- projection/FitSizes.h - Assumed sizes that do not contradict arrays ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A size that nothing binds gets a default, each by itself. Two of them, or one and the
// extent of an array, may then say that a loop leaves its array:
//
//   double a[200];  for i = 0 .. n - 1 { a[i] }                     n = 1024 assumed -> 200
//   float *v = new float[rows];  for i = r1 .. r2 { v[i] }          r1, r2 = 1024, 1123 -> 924, 1023
//   double *v;  for i = 0 .. 1199 { v[i] }     its size 1024 assumed                 -> 1200
//
// or that it never runs, or that it would not end this year:
//
//   for j = halo .. y - halo - 1                     halo, y = 1024 assumed -> halo = 8
//   for b, t, c, o each to a size of its own         1024 each             -> 362 each
//
// Values that are no extents give way to extents, all of an access together (nx, ny and nz
// of one of nx*ny*nz elements become equal); only where none can does an assumed extent grow.
//
// Looks at accesses that happen in every iteration, at the ends of their loops: what a
// condition on an index keeps inside is left alone. Nothing is proved by it.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_FITSIZES_H
#define BUSFARE_PROJECTION_FITSIZES_H

#include "projection/Sizes.h"

namespace busfare::projection {

/// Lowers, or raises, assumed values so that loops run, arrays and nests are no larger than a device and a minute hold,
/// and accesses stay inside their arrays.
void fitAssumed(const skeleton::Program &program, const skeleton::Function &root, Sizes &sizes);

} // namespace busfare::projection

#endif
