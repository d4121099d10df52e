//===- brs/HintedValues.h - What hints say of values and sizes -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A hint range(col: lo, hi) bounds every value loaded from col in its loop or
// function (calls followed), and with it what such a value subscripts or bounds:
//
//   hints(range(col: 0, m - 1))  read x[? from col plus 1]    ->    read x[? in 1 .. m from col plus 1]
//
// A range is contradicted if it surely leaves the array it subscripts, or if a
// value that the program is seen to write into col lies outside, nothing is written
// there afterwards, and the loads come later. Only then it is an error; what merely
// could lie outside is the user's word against nobody's.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_HINTEDVALUES_H
#define BUSFARE_BRS_HINTEDVALUES_H

#include "skeleton/Inline.h"
#include "skeleton/Skeleton.h"
#include <vector>

namespace busfare::brs {

/// Puts the ranges into the root's subscripts and defines; gives back what contradicts them. Before shapes are
/// recovered: extents as declared.
std::vector<skeleton::Finding> applyRanges(const skeleton::Program &program, skeleton::Inlined &root);

/// Sizes that hints bind, those of loops included, the first if there are several.
std::vector<std::pair<std::string, int64_t>> hintedSizes(const skeleton::Function &root);
/// Of which another hint, or a constant of the program, says something else.
std::vector<skeleton::Finding> checkSizes(const skeleton::Program &program, const skeleton::Function &root);

} // namespace busfare::brs

#endif
