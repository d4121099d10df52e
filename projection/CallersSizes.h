//===- projection/CallersSizes.h - Sizes that every caller knows ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A function does not say how large the array behind its parameter is. Where each call
// of it gives an array whose size is known, it is known all the same:
//
//   main:   x = malloc(n * 8); gather(y, x, col, m);      x : f64[n]
//   gather: for (i = 0; i < m; i++) y[i] = x[col[i]];     any of x, which has n elements: known to main
//
// Arrays that a caller has from its own callers count if those know them (to any depth; a function that calls itself
// passes on what the others gave it), and so does what a global pointer leads to that is only set to memory of stated
// size (Array::isSized). Nothing is known of functions that nobody calls, nor of those that other programs may call:
// without a main only static functions have no callers but those that are seen. Calls through pointers are not seen.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_CALLERSSIZES_H
#define BUSFARE_PROJECTION_CALLERSSIZES_H

#include "skeleton/Skeleton.h"
#include <set>
#include <string>
#include <utility>

namespace busfare::projection {

/// Arrays behind parameters of unknown extent, as (function, array), whose size all calls know.
using CallersSizes = std::set<std::pair<std::string, std::string>>;

CallersSizes callersSizes(const skeleton::Program &program);

} // namespace busfare::projection

#endif
