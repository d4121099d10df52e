//===- brs/Treatment.h - What removes a variable's dependences ------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For one loop and one name that is written in it: nothing to do, a treatment
// (OpenMP's clauses), or the dependence that stays.
//
//   for k { c[i][j] += a[i][k] * b[k][j] }     c: reduction(+)
//   for i { t = a[i]; a[i] = b[i]; b[i] = t }  t: private; a, b: nothing
//   for i { x = x*a[i] + 1 }                   x: stays, flow
//
// A reduction needs every access of the name in the loop to be the same Update; of an
// array, those that meet in different iterations: `s[0] += x * s[1]` reduces into s.
// Private needs no read of an older value within an iteration, and nobody who
// reads the value afterwards; if somebody does, each iteration must surely write
// all that any iteration writes, so that the last one's copy is the final value.
// Arrays get no private copies in a loop whose index nothing inside uses, nor if the
// loop only writes them: then they are its result, no scratch memory.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_TREATMENT_H
#define BUSFARE_BRS_TREATMENT_H

#include "brs/Conflict.h"
#include "brs/Dependence.h"
#include "brs/Liveness.h"

namespace busfare::brs {

struct Treatment {
  bool removesAll = true;
  std::vector<Need> needs;
  std::vector<CarriedDependence> dependences; ///< What stays, if not all is removed.
  bool refuted = false; ///< One of the dependences, without the needs, surely happens for some sizes.
};

class Treatments {
public:
  Treatments(const SiteTable &table, const Aliases &aliases, const Context &context, EffectsMemo &memo)
      : table(table), aliases(aliases), conflicts(table, context), liveness(table, aliases, context, memo) {}

  /// sites: the accesses of `name` in the loop.
  Treatment of(size_t loop, const std::string &name, llvm::ArrayRef<const Site *> sites);

private:
  const SiteTable &table;
  const Aliases &aliases;
  ConflictFinder conflicts;
  Liveness liveness;

  bool isOfCallInside(size_t loop, const std::string &name) const;
  bool hasOwnCopy(size_t loop, const std::string &name) const;
  /// Fills dependences and refuted; true if there may be one.
  bool findConflicts(size_t loop, llvm::ArrayRef<const Site *> sites, Treatment &result);
  void sayWhyKept(size_t loop, const skeleton::Array &array, Treatment &result);
  /// What iterations do to the elements in which they meet, if they all do the same; None: some do something else.
  skeleton::ReductionOp reducedWhereTheyMeet(size_t loop, llvm::ArrayRef<const Site *> sites);
  /// isRead: the loop reads the array, besides writing it.
  std::optional<Need> privatize(size_t loop, const skeleton::Array &array, bool isRead);
};

} // namespace busfare::brs

#endif
