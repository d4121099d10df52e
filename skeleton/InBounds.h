//===- skeleton/InBounds.h - Subscripts that leave their arrays -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A skeleton that is written by hand may name elements that are not there, and its sections
// would be of memory that nobody has:
//
//   array x : f64[100]     for i = 0 .. 199 { read x[i] }
//   ->  f.skel:4:5: x[i] reaches 199 of 0 .. 99
//
// Only what is certain: of accesses that are under no condition, in loops that turn.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_SKELETON_INBOUNDS_H
#define BUSFARE_SKELETON_INBOUNDS_H

#include "skeleton/Skeleton.h"
#include "llvm/Support/Error.h"

namespace busfare::skeleton {

/// The first access that is surely out of its array, with its place.
llvm::Error refuseOutOfBounds(const Program &program);

} // namespace busfare::skeleton

#endif
