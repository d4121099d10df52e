//===- brs/CallVerdicts.h - Loops of calls, judged by their functions alone ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An array has one shape, and what a call does to a part of it that begins anywhere is
// asked of the whole. A multigrid code keeps its grids one behind the other in one array,
// and where each begins in another:
//
//   relax(&u[at[k]], &r[at[k]], m[k])     smooth(double *u, double *r, int m)
//                                           double (*x)[m] = u;
//                                           for (i) for (j) x[i][j] += ...r...
//
// In the root u has no shape that fits all k, and x[i][j] is u[at[k] + m*i + j], of which nothing can be
// proved. The function by itself has a matrix for each parameter. What is found of it there holds for every
// call that gives it what it takes for granted: parameters that do not overlap. Here those
// are u and r, two arrays. Where a call gives it two parts of one array,
//
//   coarsen(&r[at[k]], m[k], &r[at[k - 1]], m[k - 1])
//
// the verdict assumes that they do not overlap, and says so; but only if both begin where
// a table says, at different entries of it (or one at a fixed place): numbers
// that the program made elsewhere, of which nothing is known. Two parts that begin at one and the
// same place are one parameter. All others stay as they were judged.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_CALLVERDICTS_H
#define BUSFARE_BRS_CALLVERDICTS_H

#include "brs/Dependence.h"
#include "brs/Shape.h"
#include "skeleton/Inline.h"

namespace busfare::brs {

/// Replaces verdicts of loops that are not proved parallel by those of the functions that they stand in. root: a
/// function with its calls substituted, by `paths`; facts: of the root; proof: whether shapes in a function may rest on
/// conditions, which the verdicts then list where the call does not fulfil them; verdicts: of all its loops, in program
/// order.
void judgeByFunction(const skeleton::Program &program, const skeleton::Function &root,
                     llvm::ArrayRef<skeleton::CallPath> paths, const Context &facts, ShapeProof proof,
                     DependenceAnalysis &verdicts);

} // namespace busfare::brs

#endif
