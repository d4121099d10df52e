//===- brs/Transfers.h - What must cross the bus, where, and how often ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// From a flat function (after Inline and Shape) and its loop verdicts: the kernels,
// the regions around them, and for every array the sections that must cross.
//
//   main:  init(u) on the host; for t { kernel K: u -> v; rotate u, v }; print(u)
//     region: the t loop;  h2d u [0:n-1] once before it, d2h u once after it, v temporary
//
// Kernel: the outermost parallel loop on a path. Region: a maximal run of statements
// of the root that begins and ends with a kernel, lifted over the serial loops around.
// The plan described has every kernel on the device and every host statement on the
// host; residency is followed with two must sets per array, VH (surely current on the
// host) and VD (surely current on the device): a copy of S to the device needs S
// inside VH, a copy back needs S inside VD; a partial write whose box goes back brings
// the old values in first. Copies are placed at the outermost loop in which the other
// side does not change what they copy (CGCM, Jablin et al., PLDI 2011).
//
// Sections hold for a region whose loops run at least once (every serial loop around
// a kernel, and the kernels that stand under no branch); one that does not run moves
// nothing, and ported code tests that first.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_TRANSFERS_H
#define BUSFARE_BRS_TRANSFERS_H

#include "brs/Dependence.h"
#include "brs/Section.h"
#include "skeleton/Skeleton.h"
#include <set>
#include <string>
#include <vector>

namespace busfare::brs {

/// The loops that are kernels, or that are not to be.
using KernelLoops = std::set<const skeleton::Loop *>;

/// A side of a branch.
struct Guard {
  skeleton::Condition condition;
  bool then = true; ///< Else the other.
};

/// A loop that will run on the device.
struct Kernel {
  const skeleton::Loop *loop = nullptr; ///< The outermost parallel loop.
  /// loop and the parallel loops perfectly nested in it: the thread space.
  std::vector<const skeleton::Loop *> parallelLoops;
  /// The serial loops around it inside the region, outermost first: launches = product of their trips.
  std::vector<const skeleton::Loop *> serialLoops;
  std::vector<Guard> guards; ///< The branches around it, inside the region, outermost first.
};

/// Why one side must hold what a copy brings.
enum class Cause {
  Read,   ///< It is read there.
  Kept,   ///< It is not surely overwritten, all of it, and its box comes back or is read later.
  Caller, ///< The function's caller sees it afterwards.
  Widened, ///< A copy the other way takes a box of which this is part.
  Others, ///< Other functions may read the global variable afterwards.
  Unseen, ///< Code that is not seen may read it, then or afterwards.
  Pointer, ///< It is read through a pointer that may point to it, for all that is known.
  Seldom,  ///< The host may have changed it, under a condition that need not hold: else the device has the newest
           ///< values.
};
struct Reason {
  Cause cause = Cause::Read;
  skeleton::Location at; ///< Of the read; of what is seen last of code that is not.
  std::string who;       ///< The code that is not seen, if it has a name.
};

/// One copy of one array.
struct Crossing {
  SectionSet section; ///< In the array's elements; indices of `loops` may appear in it.
  /// The loops inside whose bodies the copy stands, outermost first: it happens once per iteration of all of them,
  std::vector<const skeleton::Loop *> loops;
  skeleton::Location at;      ///< The statement before which it stands,
  bool after = false;         ///< or behind which.
  const skeleton::Node *node = nullptr; ///< That statement in the function analysed.
  Reason because;
  /// Of the copies of one array at one place, in both directions, the one with the smaller number comes first.
  unsigned order = 0;
  /// Everything between the first and the last element in memory may be copied as well: the side it comes from is
  /// surely current there, or the device has written nothing of the array before.
  bool mayExceed = false;
  std::vector<Guard> guards = {}; ///< where these sides of branches inside the region run; outermost first.
};

struct ArrayTransfers {
  std::string name; ///< As the root spells it: at entry for h2d, at exit for d2h.
  skeleton::ElementType type;
  std::vector<std::optional<skeleton::Expr>> extents; ///< The recovered shape.
  bool hasRows = false; ///< Each row is a piece of memory of its own (skeleton::Rows): copied one by one.
  bool temporary = false; ///< Touched on the device, crosses in neither direction.
  std::vector<Crossing> h2d, d2h;
  /// What the device must hold of it: the hull of everything touched there.
  SectionSet onDevice;
};

/// A scalar that goes to a kernel as an argument or comes back from it.
struct ScalarTransfer {
  std::string name;
  bool toDevice = false, toHost = false;
  uint64_t bytes = 0;
};

/// Begins what is assumed of a kernel that may end the program (endFlag in Dependence.h).
inline constexpr const char *assumedBehindEnds = "no access outside an array in iterations behind";

struct Region {
  /// The statements, in the root's blocks: [first, last] of `block`.
  const skeleton::Block *block = nullptr;
  size_t first = 0, last = 0;
  skeleton::Location location; ///< Of its first kernel's outermost enclosing loop in the region.
  std::vector<Kernel> kernels;
  std::vector<ArrayTransfers> arrays; ///< Sorted by name.
  std::vector<ScalarTransfer> scalars;
  /// Serial loops around kernels whose index no subscript and no inner bound uses: time loops, outermost first.
  std::vector<const skeleton::Loop *> timeLoops;
  std::vector<std::string>
      assumptions; ///< "noalias(a,b)", "temporary(a)", "independent iterations of the loop at ...".
  std::vector<std::string> copiedWhole; ///< Arrays of which it could not be told which elements must cross.
  /// Each is at least 0 where the sections hold: the loops above run. In symbols known at the region's entry.
  std::vector<skeleton::Expr> runs;
};

struct TransferAnalysis {
  std::vector<Region> regions;
  KernelLoops givenUp; ///< Loops that could be kernels, but no sequence of copies was found for what they touch.
  std::vector<skeleton::Finding> findings;
};

/// What a plan is to do without, or to do besides.
struct PlanLimits {
  KernelLoops onHost; ///< Loops that are to be no kernels, although they could be.
  KernelLoops onDevice; ///< Loops that are to be kernels although they run once: what one thread of the device does.
  /// Of Region::runs those that may not hold: copies are planned so that all is right if they do not.
  std::set<skeleton::Expr> doubted;

  friend auto operator<=>(const PlanLimits &, const PlanLimits &) = default;
};

/// function: the flat root; isProgram: it is main, so globals are dead at its end; memo: of the function, if its
/// effects were or will be asked for elsewhere.
TransferAnalysis analyseTransfers(const skeleton::Program &program, const skeleton::Function &function,
                                  const DependenceAnalysis &dependence, const Context &context, bool isProgram,
                                  const PlanLimits &limits = {}, EffectsMemo *memo = nullptr);

} // namespace busfare::brs

#endif
