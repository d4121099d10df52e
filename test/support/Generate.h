//===- test/support/Generate.h - Random skeletons -------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Skeletons as scientific codes have them, made from a seed: nests of depth 1 to 4
// (triangular, strided, downward, interior), guards that are affine or not known,
// two-dimensional and flattened arrays, scalars, updates, unknown subscripts, time
// loops that swap u and v, host statements in between, an array that is allocated
// and freed:
//
//   randomSkeleton(7)   // skeleton 1\nfunction f(param n, param steps, array u, ...
//
// One function `f` without calls. For n >= 3 and steps >= 0 it passes Verify and no
// access leaves its array.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_TEST_SUPPORT_GENERATE_H
#define BUSFARE_TEST_SUPPORT_GENERATE_H

#include <string>

namespace busfare::test {

/// Text, so that a failing case can be read and kept.
std::string randomSkeleton(unsigned seed);

} // namespace busfare::test

#endif
