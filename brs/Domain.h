//===- brs/Domain.h - The iterations under which a statement runs --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A Nest is the path from a function's body to a node: loops (index, bounds, step)
// and guards. Its domain is the set of index values for which the node may run.
//
//   for i = 0 .. n-1 { if (i >= 1) { for j = 0 .. i-1 { X } } }
//     Nest of X:  { (i, j) : 1 <= i < n and 0 <= j < i }        exact
//
// A condition that is not exact narrows the may-domain by what is known, and empties the
// must-domain. Bounds with max (lower) or min (upper) are conjunctions; the other way round a union.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_DOMAIN_H
#define BUSFARE_BRS_DOMAIN_H

#include "brs/Bounds.h"
#include "brs/Presburger.h"
#include "skeleton/Skeleton.h"
#include <vector>

namespace busfare::brs {

/// One step down the path.
struct NestStep {
  const skeleton::Loop *loop = nullptr;     ///< Or
  const skeleton::Branch *branch = nullptr; ///< a branch, and which side.
  bool then = true;
};

class Nest {
public:
  Nest() = default;
  explicit Nest(Context context) : known(std::move(context)) {}
  Nest inside(const skeleton::Loop &loop) const;
  Nest inside(const skeleton::Branch &branch, bool then) const;

  const std::vector<NestStep> &steps() const { return path; }
  std::vector<const skeleton::Loop *> loops() const;
  const Context &context() const { return known; } ///< Facts that hold for the function's parameters.
  /// Context plus the bounds of the loops and exact guards on the path.
  Context contextInside() const;

private:
  std::vector<NestStep> path;
  Context known;
};

/// A set of iterations: a condition (rank 0) on loop indices, sizes and defined symbols, all by name.
struct Iterations {
  PresburgerSet may;  ///< Holds whenever the iteration runs. Always known (at worst everything).
  PresburgerSet must; ///< Holds only if it surely runs. Always known (at worst nothing).
  bool exact = true;  ///< Both are the same, and precise.
  bool tight = true;  ///< Exact, but for what data decide: with some data all of may runs.
};
/// Given that the loop is reached: its index lies within the bounds and on the step. Bounds are taken as they are on
/// entry; a loop that may exit early surely runs nothing, or its first iteration.
Iterations iterationsOf(const skeleton::Loop &loop);
/// Given that the branch is reached: that side runs.
Iterations iterationsOf(const skeleton::Condition &condition, bool then);
/// All steps of the nest together. Symbols that a Define inside a loop gives a value per iteration are free names, as
/// indices are: whoever compares two iterations renames them too.
Iterations iterationsOf(const Nest &nest);

/// Symbols that Define nodes of the block (everything below included) introduce.
std::vector<const skeleton::Define *> definesIn(const skeleton::Block &block);

/// What holds for the symbols of the whole function: every extent is at least 1.
Context factsOf(const skeleton::Program &program, const skeleton::Function &function);

} // namespace busfare::brs

#endif
