//===- clang-plugin/port/TeamLoops.h - Loops that the threads of a team share -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A kernel whose threads would each walk along a row asks for a memory line an element. Where
// the loops inside it are parallel by themselves, and neighbours in them touch neighbours, its
// iterations go to teams, and the loops inside to the threads of each:
//
//   for i { for j c[i][j] *= b; for k { for j c[i][j] += a[i][k] * u[k][j]; } }
//
//   #pragma omp target teams distribute
//   for i {
//     #pragma omp parallel for
//     for j c[i][j] *= b;
//     for k {
//       #pragma omp parallel for
//       for j ...
//
// On an H100 a product of 1024 x 1024 doubles took 617 ms with a thread a row. What stands
// outside of these loops one thread of a team does, so that no loop may be left over there.
// Each thread gets the values of variables from outside, as firstprivate: clang 19 makes what
// threads share a variable of the team's own memory, and then leaves out the store of a pointer
// that is set before the first of two such loops. Sums along a row a team adds up; of an element of an array
// in a variable:
//
//   for i { for j y[i] += a[i][j] * x[j]; }
//
//   #pragma omp target teams distribute
//   for i {
//     { double busfare_sum_y = 0 < n ? y[i] : 0;
//     #pragma omp parallel for reduction(+: busfare_sum_y)
//     for j busfare_sum_y += a[i][j] * x[j];
//     if (0 < n) y[i] = busfare_sum_y; } }
//
// Not done: sums of all iterations in such loops, loops that use arrays or objects declared in the kernel.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_TEAMLOOPS_H
#define BUSFARE_CLANG_PLUGIN_PORT_TEAMLOOPS_H

#include "clang-plugin/port/Kernel.h"
#include "clang-plugin/port/LoopForm.h"

namespace busfare::frontend::port {

/// What a loop's threads add up: a variable, or one element of an array.
struct TeamSum {
  std::string op; ///< As in a reduction clause.
  const clang::ValueDecl *variable = nullptr;
  std::vector<const clang::Expr *>
      elements; ///< All mentions of the array, each of the same element; empty: a variable.
};

struct TeamLoop {
  CanonicalLoop form;
  std::vector<std::string> privates; ///< Variables declared outside of it of which each thread needs its own; sorted.
  std::vector<TeamSum> sums;
  std::vector<const clang::DeclRefExpr *> outside; ///< Mentions of the others that are declared outside of it.
};

/// Of the kernel whose iterations are those of `space`, the loops inside that its threads are better used for, in the
/// order of the source; none: a thread an iteration it is.
std::vector<TeamLoop> teamLoops(const KernelQuestion &question, const std::vector<CanonicalLoop> &space);

/// Mentions of arrays whose rows are as long as a variable says, in front of such loops, behind them and in what they
/// sum up. clang 19 gives the pointer to such an array, where one thread of a team uses it, memory that the team
/// shares, and never sets it: there another pointer has to stand, declared in the kernel.
std::vector<const clang::DeclRefExpr *> rowsBeside(const std::vector<CanonicalLoop> &space,
                                                   llvm::ArrayRef<TeamLoop> loops);

} // namespace busfare::frontend::port

#endif
