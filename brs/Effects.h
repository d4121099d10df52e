//===- brs/Effects.h - What a piece of a program reads and writes --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Array data-flow over a skeleton without calls (after Inline) and with shapes
// recovered (after Shape): for a node, each array's may-read, may-write,
// must-write and upward-exposed read (read before the node itself surely wrote it).
//
//   for i = 0 .. n - 1 { write t[i]; read t[i]; read a[i] }
//     t: may-write = must-write = [0:n-1], exposed = (empty)
//     a: exposed = [0:n-1]
//
// Sequence: must = MW1 u MW2, may = W1 u W2, exposed = UE1 u (UE2 - MW1).
// Branch: must is the part written on each side under that side's condition.
// Loop over i: exposed = union over i of (UE(i) - MW(all earlier iterations)).
// (Creusillet and Irigoin's IN regions.) Internally sets are Presburger sets
// (ElementSet.h), so guards, triangles and strides lose nothing; boxes are made at
// the end. A subscript that is not affine, or a question that was too hard, makes
// the may sets the whole array and the must sets empty.
//
// Names: every set is keyed by the name that the object has on entry of the node;
// `exitNames` says which entry name each name denotes at the exit (rotations).
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_EFFECTS_H
#define BUSFARE_BRS_EFFECTS_H

#include "brs/ElementSet.h"
#include "brs/Section.h"
#include "skeleton/Skeleton.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <memory>
#include <set>
#include <string>

namespace busfare::brs {

/// The four sets of one array. Enclosing loop indices and sizes are free symbols in them.
struct ArrayEffects {
  ElementSet mayRead, mayWrite; ///< Over-approximations; ElementSet::exact says whether precise.
  ElementSet mustWrite;         ///< Under-approximation.
  ElementSet exposedRead;       ///< Over-approximation of reads of values from before the node.
  /// Where: accesses that contribute, in program order, without repeats.
  std::vector<skeleton::Location> readAt, writtenAt, exposedAt;
};

struct Effects {
  std::map<std::string, ArrayEffects> arrays; ///< By name on entry. An array that is not in it is not touched.
  /// name at exit -> name at entry it then denotes. Absent = itself. An empty string = not known which (all of its
  /// rotation's names are possible).
  std::map<std::string, std::string> exitNames;
};

/// What surrounds a node: the enclosing loops' and branches' constraints.
class Nest; // brs/Domain.h

/// Effects of loops and branches of one program, kept: an analysis asks for those of a nest, of the nests around it,
/// and of both sides of a bus. They are known by their addresses, so they must outlive it, and no copies of them may be
/// asked about.
class EffectsMemo {
public:
  EffectsMemo();
  ~EffectsMemo();
  /// For questions about these arrays of the function (and all that they are swapped with): what the answers say of
  /// others means nothing. Where pointers may lead anywhere, and thousands of arrays are declared, those are most of
  /// the work. Lives as long as this one, which it is where little would be saved.
  EffectsMemo &about(const skeleton::Program &program, const skeleton::Function &function,
                     const std::set<std::string> &names);
  struct State;
  std::unique_ptr<State> state;
};

/// ownerLoops of the function (Owner.h), found once.
const std::map<std::string, std::string> &ownersOf(const skeleton::Program &program, const skeleton::Function &function,
                                                   EffectsMemo &memo);

/// What one side of the bus does: kernels belong to the device, everything else to the host.
struct SideOnly {
  const std::set<const skeleton::Loop *> *kernels = nullptr; ///< Null: both sides.
  bool device = false;
  /// The other side's accesses are writes where they write and otherwise gone; else all of them are gone.
  bool withOthersWrites = false;
};

/// Effects of pieces of blocks that run one after the other, once under `nest`. The function gives the arrays' ranks
/// and extents.
Effects effectsOfSequence(const skeleton::Program &program, const skeleton::Function &function,
                          llvm::ArrayRef<llvm::ArrayRef<skeleton::Node>> parts, const Nest &nest,
                          EffectsMemo *memo = nullptr, const SideOnly &side = {});
/// Of one block.
Effects effectsOf(const skeleton::Program &program, const skeleton::Function &function,
                  llvm::ArrayRef<skeleton::Node> block, const Nest &nest, EffectsMemo *memo = nullptr,
                  const SideOnly &side = {});
Effects effectsOf(const skeleton::Program &program, const skeleton::Function &function, const skeleton::Node &node,
                  const Nest &nest, EffectsMemo *memo = nullptr, const SideOnly &side = {});
inline Effects effectsOf(const skeleton::Program &program, const skeleton::Function &function,
                         const skeleton::Block &block, const Nest &nest, EffectsMemo *memo = nullptr,
                         const SideOnly &side = {}) {
  return effectsOf(program, function, llvm::ArrayRef<skeleton::Node>(block), nest, memo, side);
}
Effects effectsOf(const skeleton::Program &program, const skeleton::Function &function, const skeleton::Loop &loop,
                  const Nest &nest, EffectsMemo *memo = nullptr);

/// Only what is read and written there, with less effort. The other sets are safe and say nothing: all that is read is
/// exposed, nothing is surely written. So what both sides of a branch write is not seen to be exact.
Effects touchedIn(const skeleton::Program &program, const skeleton::Function &function, const skeleton::Node &node,
                  const Nest &nest, EffectsMemo *memo = nullptr);

} // namespace busfare::brs

#endif
