//===- brs/Chain.h - Kernels that run chunk by chunk, one behind the other ===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernels of one region whose outer loops have the same bounds may share their chunks: of
// iterations 0 to 9 the first kernel, then the second, while 10 to 19 are on their way.
//
//   for k = 0 .. n - 1 { for j .. { read a[k][j]  write t[k][j] } }
//   for k = 0 .. n - 1 { for j .. { read t[k][j]  read t[max(k - 1, 0)][j]  write b[k][j] } }
//     iteration k of the second reads what k - 1 and k of the first wrote: one chain
//
// Iteration k of a later kernel then runs before all iterations behind k of an earlier one.
// That must change nothing: none of the two may write an element that the other touches.
// (Loop fusion without the fusing: Allen and Kennedy, Optimizing Compilers, section 6.2.)
// With t[k + 1] in place of t[k - 1], chunks would need what a later chunk computes.
//
// Does not handle: outer loops with different bounds, kernels that would have to lag behind
// by some iterations, host statements between them, more than mostInChain of them.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_CHAIN_H
#define BUSFARE_BRS_CHAIN_H

#include "brs/Transfers.h"

namespace busfare::brs {

inline constexpr size_t mostInChain = 8;

struct Chain {
  std::vector<const skeleton::Loop *> loops; ///< The kernels' outer loops, in program order.
  /// Of one iteration of all of them, by the first one's index: what may be read and written. The must sets are empty.
  Effects effects;
  std::string whyNot; ///< Why they do not go together; empty if they do.
};

/// Of the region's kernels, each of which runs once and under no condition. facts: of the function, where the region
/// runs.
Chain chainOf(const skeleton::Program &program, const skeleton::Function &function, const Region &region,
              const DependenceAnalysis &dependence, const Context &facts, EffectsMemo *memo = nullptr);

} // namespace busfare::brs

#endif
