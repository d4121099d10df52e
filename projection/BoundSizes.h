//===- projection/BoundSizes.h - What --param says, for every stage -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A size that the user binds is that of every run that is asked about, also where loops are
// judged: with w = 512 rows of pitch 512 do not meet.
//
//   for y = 0 .. h - 1 { for x = 0 .. w - 1 { write img[512*y + x] } }      --param w=512: parallel
//
// Formulas keep their names: the functions get definitions that say no more than this, which takePins takes out again
// where a root is analysed. Of a stride, `x[i*incx]`, which sizes nothing, the value itself stands in subscripts. A
// function that another one calls is left alone: what it is called with may be something else.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_BOUNDSIZES_H
#define BUSFARE_PROJECTION_BOUNDSIZES_H

#include "skeleton/Skeleton.h"
#include <string>
#include <utility>
#include <vector>

namespace busfare::projection {

/// parameters: as ProjectOptions::parameters.
skeleton::Program withBoundSizes(const skeleton::Program &program, const std::vector<std::string> &roots,
                                 const std::vector<std::pair<std::string, int64_t>> &parameters);

/// Takes the definitions out that withBoundSizes made, and says what they mean: facts, each at least 0.
std::vector<skeleton::Expr> takePins(skeleton::Function &function);

} // namespace busfare::projection

#endif
