//===- brs/Kernels.h - Which loops become kernels, and the regions around -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A kernel is the outermost parallel loop on a path through the function whose
// body a GPU can run. A region is the maximal run of statements that begins and
// ends with a kernel (or with a serial loop around one):
//
//   init();                       host
//   for i (parallel) { ... }      kernel 1  -- region begins
//   printf(...)                   host statement inside the region
//   for t { for i (parallel) }    kernel 2  -- region ends
//   print(result)                 host
//
// If all kernels stand on one side of one branch (what follows `if (bad) return`),
// the region is looked for inside that branch.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_KERNELS_H
#define BUSFARE_BRS_KERNELS_H

#include "brs/Dependence.h"
#include "brs/Domain.h"
#include "brs/Transfers.h"
#include "skeleton/Skeleton.h"

namespace busfare::brs {

/// Outermost parallel loops of the function that a GPU can run, without those in `limits.onHost`. A loop that does
/// nothing, runs at most once (but those in `limits.onDevice`), or only initialises an array where it is created, is
/// none. None at all if all of them are copies that the library makes (memcpy, memset).
KernelLoops findKernels(const skeleton::Program &program, const skeleton::Function &function,
                        const DependenceAnalysis &dependence, const PlanLimits &limits);

/// Of whyHostOnly.
inline constexpr const char *unknownObject = "a pointer whose object is not known";

/// Why a parallel loop cannot run on a GPU although its iterations are independent; empty if it can.
std::string whyHostOnly(const skeleton::Program &program, const skeleton::Function &function,
                        const skeleton::Loop &loop);

/// Why the loop cannot become a kernel, if the loops around it are none; empty if it can. That memory is only copied is
/// no reason here.
std::string whyNoKernel(const skeleton::Program &program, const skeleton::Function &function,
                        const skeleton::Loop &loop, const DependenceAnalysis &dependence,
                        const PlanLimits &limits = {});

/// A dozen turns, of all its loops together, whatever the sizes: they take less time than a launch.
bool isShort(const skeleton::Loop &loop);
/// Each of its kernels is such a loop, launched again and again by a serial one: nothing of it is worth a launch,
/// whatever the machine.
bool isOfShortLoops(const Region &region);

/// Where a region stands.
struct RegionSpan {
  const skeleton::Block *block = nullptr;
  size_t first = 0, last = 0; ///< Inclusive.
  Nest nest; ///< Around block: the branches that were entered.
  std::vector<std::pair<const skeleton::Block *, size_t>>
      before; ///< What ran before it: nodes [0, n) of each, in order.
  std::vector<std::pair<const skeleton::Block *, size_t>>
      after; ///< What runs after it: nodes [n, end) of each, in order.
};

/// The regions of the function's body (at most one today: a root's maximal run).
std::vector<RegionSpan> findRegions(const skeleton::Function &function, const KernelLoops &kernels,
                                    const Context &context);

/// The kernels of a region in program order, with the serial loops and branches around them.
std::vector<Kernel> kernelsOf(const RegionSpan &region, const KernelLoops &kernels,
                              const DependenceAnalysis &dependence);

/// Serial loops around kernels that are marked as time loops or whose index no subscript, condition and inner bound
/// uses, outermost first.
std::vector<const skeleton::Loop *> timeLoopsOf(const std::vector<Kernel> &kernels);

} // namespace busfare::brs

#endif
