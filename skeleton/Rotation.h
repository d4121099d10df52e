//===- skeleton/Rotation.h - What pointer swaps do to names ---------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A Rotate permutes what names denote. A block's rotations compose; a loop's are
// taken to the power of its trip count, if that is a number:
//
//   for t = 0 .. 9 { rotate u <- v, v <- u }    ten swaps: nothing changed
//   for t = 0 .. n { rotate u <- v, v <- u }    not known: u and v, or v and u
//
// Of two names, odd or even may be all that is needed (Exchanges), and the whole may be even though no part is known:
//
//   if (steps mod 2) - 1 >= 0 { rotate u <- v, v <- u }
//   for t = 0 .. steps - 1 { rotate u <- v, v <- u }    nothing changed
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_SKELETON_ROTATION_H
#define BUSFARE_SKELETON_ROTATION_H

#include "skeleton/Skeleton.h"
#include <set>

namespace busfare::skeleton {

/// name -> the name that denoted its object before; only names that changed. Sorted.
using Permutation = std::vector<std::pair<std::string, std::string>>;

/// What the block as a whole does to names; nothing if that depends on what is not known.
std::optional<Permutation> permutationOf(const Block &block);

/// What is asked about two names that change places with each other.
struct Exchanges {
  /// function: where the flags that conditions ask for are defined. nonNegative: values that are at least 0.
  Exchanges(std::string one, std::string other, const Block &function, llvm::ArrayRef<Expr> nonNegative);
  bool isOf(const std::string &name) const { return name == one || name == other; }

  std::string one, other;
  std::set<std::string> flags; ///< Symbols that are 0 or 1.
  llvm::ArrayRef<Expr> nonNegative;
};

/// How often pieces of blocks, one behind the other, exchange the two names: 0 if they do so an even number of times, 1
/// if an odd number, as a formula in what is known behind them (`steps mod 2`). Nothing if that depends on anything
/// else, or one of the names changes places with a third.
std::optional<Expr> parityOf(llvm::ArrayRef<llvm::ArrayRef<Node>> parts, const Exchanges &of);
/// The two names change places if the formula, 0 or 1, is 1.
Node exchangedIf(const Expr &isOdd, const Rotate &exchange);

/// The permutation that undoes this one.
Permutation inverse(const Permutation &permutation);

/// The names that rotations in the block connect, each group sorted.
std::vector<std::vector<std::string>> rotatedTogether(llvm::ArrayRef<Node> block);
/// The same of several pieces of blocks.
std::vector<std::vector<std::string>> rotatedTogether(llvm::ArrayRef<llvm::ArrayRef<Node>> parts);

} // namespace busfare::skeleton

#endif
