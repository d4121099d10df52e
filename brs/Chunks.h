//===- brs/Chunks.h - Kernels' outer loops in pieces ----------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Streams run a kernel in chunks: while one is computed, the next one's input is on its
// way. This says what the chunk of the iterations k.first .. k.last of the outer loop
// moves, of each array that the region around the kernel copies. Arrays go in levels,
// all elements of one first subscript:
//
//   for k = 0 .. n - 1 { for j .. { read t[0][j]  read t[max(k - 1, 0)][j]  read t[k][j]
//                                   write s[k][j]  if k >= 1 { write l[k - 1][j] } } }
//     t: a chunk needs [0] u [k.first-1:k.last]; all chunks read [0]; earlier ones have
//        brought [0] and [k.first-1], so it copies in [k.first:k.last]
//     an iteration needs the copies of iterations [0:0] u [k-1:k]
//     level k - 1 of s and l is complete when kernels k - 1 and k have run: the copy back
//        of iteration k moves it, and waits for both
//
// (van Werkhoven et al., section VII: buoydiff.) Each level is copied in once, with the
// first chunk that needs it, and copied back once. An array of which all chunks need the
// same, or of which that cannot be told, goes whole before the first kernel; results that
// no single chunk completes come back whole after the last. Results that lie a constant
// number of levels from the iteration that writes them are copied back level by level
// for all arrays together, so that a level is complete when it arrives.
//
// Whoever makes the copies wants no more than cuts: each array is cut behind the last level that the iterations up to
// `last` need, or that those behind it leave alone. What lies between two cuts is one copy, so that all of the section
// crosses, and each element once:
//
//   t: neededTo k.last; s: completeTo k.last - 1, and the chunk behind writes level k.last, which this one wrote
//
// Chunks are taken in the order of the iterations. Several kernels share them where they may
// follow each other chunk by chunk (Chain.h); an iteration is then one of each. Does not
// handle: loops or branches around kernels, chunks of unequal size, arrays that are cut
// across their rows (all said in whyNot, or why of the array).
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_CHUNKS_H
#define BUSFARE_BRS_CHUNKS_H

#include "brs/Transfers.h"

namespace busfare::brs {

/// One array that crosses. The sections are those of a chunk in the middle, by ChunkedKernel::first and last, whole
/// levels of what the region copies.
struct ChunkedArray {
  const ArrayTransfers *array = nullptr;
  SectionSet needs; ///< What the chunk must find on the device, its results' levels included if the array comes in.
  SectionSet firstNeeds; ///< Of the first chunk, by its last iteration.
  SectionSet byAll; ///< Of needs, what every iteration needs.
  SectionSet shared; ///< Of needs, what an earlier chunk has brought.
  SectionSet copiesIn; ///< The rest of needs: what the chunk copies.
  SectionSet copiesOut; ///< What it copies back.
  SectionSet lastCopiesOut; ///< The same of the last chunk, by its first iteration.
  bool isSplitIn = false, isSplitOut = false; ///< Else it crosses whole, before the first or after the last chunk.
  /// Of a split array, where its levels are cut, by ChunkedKernel::last of the chunk in front of the cut.
  struct Frontier {
    skeleton::Expr level; ///< The last level in front of the cut.
    bool tight = true;    ///< Some iteration makes it that one, at all sizes.
    /// The chunks behind the cut may need (of results: write) a level in front of it, too. Or, known: they do.
    bool crossesBack = true, surelyCrossesBack = false;
  };
  std::optional<Frontier> neededTo; ///< No iteration up to `last` needs a level behind it. For isSplitIn.
  std::optional<Frontier> completeTo; ///< No iteration behind `last` writes a level up to it. For isSplitOut.
  std::string whyWhole; ///< Why it crosses whole, if it does in one direction.
};

struct ChunkedKernel {
  const skeleton::Loop *loop = nullptr; ///< The loop that is split, of several the first; null if they cannot be.
  std::vector<const skeleton::Loop *> loops; ///< All that are split alike, one a kernel.
  std::string first, last; ///< The symbols of a chunk's first and last iteration.
  std::vector<ChunkedArray> arrays; ///< As in Region::arrays, without temporaries.
  /// For an iteration in the middle, by the loop's index: the iterations whose copies it needs, its own among them,
  SectionSet needs;
  /// and those whose kernels its copy back waits for.
  SectionSet backWaits;
  std::string whyNot; ///< Why there are no chunks that help; empty if there are.
  bool isUneven = false; ///< That they are not alike, as far as can be seen: they could run all the same.

  bool isSplit() const { return loop && whyNot.empty(); }
};

/// The chunks of a region whose kernels run once. context: of the function; memo: of the function, may be null.
ChunkedKernel splitKernel(const skeleton::Program &program, const skeleton::Function &function, const Region &region,
                          const DependenceAnalysis &dependence, const Context &context, EffectsMemo *memo = nullptr);

} // namespace busfare::brs

#endif
