//===- brs/Owner.h - Which loop makes an array anew -----------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An array declared inside a loop body is a fresh one in each iteration of that
// loop, but not of loops nested in it:
//
//   for i { double t = 0; for j { t += a[j]; } }    t is made anew by i, not by j
//
// The declaring loop is the innermost one around all accesses that begins before
// the declaration in the source; of a callee's local that no loop there makes anew it is
// the innermost one around the call. If no place is known there is none: the array is
// then treated as one that lives on, which is safe.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_OWNER_H
#define BUSFARE_BRS_OWNER_H

#include "skeleton/Skeleton.h"
#include <map>

namespace busfare::brs {

/// For each perIteration array of the function with a known owner: the index of the loop that makes it anew.
std::map<std::string, std::string> ownerLoops(const skeleton::Function &function);

} // namespace busfare::brs

#endif
