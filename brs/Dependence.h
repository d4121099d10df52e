//===- brs/Dependence.h - Which loops may run in any order ---------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For every loop of a function (after Inline and Shape) a verdict: may its
// iterations run in any order? Pairs of accesses to the same object, at least one
// a write, that touch the same element in different iterations of this loop and
// the same iterations of the outer ones, forbid it, unless a treatment removes them:
//
//   for i { t = a[i]; b[i] = t*t; s += t }
//     parallel, needs: private t, reduction(+: s)
//   for i { a[i] = a[i-1] }
//     not parallel: a[i] -> a[i-1], e.g. element 1 written at i = 1, read at i = 2
//
// Treatments: a scalar written before it is read in every iteration is private
// (lastprivate if its value is used afterwards); one whose every use in the loop is
// the same Update is a reduction; an array whose elements are all written before
// read in each iteration and dead after the loop is array-private; a perIteration
// array needs nothing. Presburger questions go to isl (Presburger.h), with a limit;
// past it the answer is "may depend". OpenMP directives are facts to check: they
// never make a loop parallel; a claim that is refuted is a Finding (BF014).
// Two names that may be the same memory depend on each other unless an assumption
// noalias(a,b), listed in `assuming`, is made (parameters and pointers only).
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_DEPENDENCE_H
#define BUSFARE_BRS_DEPENDENCE_H

#include "brs/Bounds.h"
#include "brs/Effects.h"
#include "skeleton/Skeleton.h"
#include <string>
#include <utility>
#include <vector>

namespace busfare::brs {

/// Names the flag of a loop whose iterations may end the program (skeleton::End): each sets it instead and leaves, and
/// the host, which looks at it behind the loop, does the rest. That later iterations have run by then is seen by
/// nobody, for whatever the host would have to do in order keeps the loop serial. It is reduced by max if all ends of
/// the loop are alike; else by min, for it holds which iteration comes to one, and to which: the first counts.
inline constexpr const char *endFlag = "busfare_ends";
inline uint64_t endFlagBytes(llvm::StringRef op) { return op == "max" ? 4 : 8; }

struct Need {
  enum class Kind { Private, FirstPrivate, LastPrivate, Reduction, ArrayPrivate };
  Kind kind = Kind::Private; ///< LastPrivate of an array: the elements that the last iteration wrote are copied back.
  std::string name;
  std::string
      op; ///< Of a reduction, as in OpenMP: + * min max & | ^ && ||. "induction" for a private with a closed form.
  auto operator<=>(const Need &) const = default;
};
llvm::StringRef toString(Need::Kind kind);

/// One dependence that keeps a loop serial.
struct CarriedDependence {
  enum class Kind { Flow, Anti, Output, Unknown };
  Kind kind = Kind::Flow;
  std::string array;
  skeleton::Location source, sink;
  std::string example; ///< "a[i] -> a[i - 1]: a[1] at i = 1, then i = 2", or why it is not known.
};

/// Of CarriedDependence::example: any memory may be meant.
inline constexpr const char *unknownMemory = "which memory it denotes is not known";

/// Likewise: there is no example, nor a proof that there is none.
inline constexpr const char *notExcluded = "it cannot be excluded that both touch the same element";
inline constexpr const char *anyElement = "a subscript that is not known may name any element";

/// What the front end calls a pointer that it has no name for: of a long expression, or of none.
inline constexpr const char *unnamedPointer = "unknown";
/// Also one of several, and of a function whose calls are substituted: `unknown.2`, `solve@12:unknown`.
bool isUnnamedPointer(llvm::StringRef name);

/// Of LoopVerdict::assuming: the user, or a directive that is believed, says that nothing passes between the
/// iterations.
inline constexpr const char *assumedIndependent = "independent";

struct LoopVerdict {
  const skeleton::Loop *loop = nullptr; ///< In the function given.
  bool parallel = false;
  std::vector<Need> needs; ///< Sorted; empty and `assuming` empty = unconditionally parallel.
  std::vector<std::string> assuming; ///< "noalias(a,b)", sorted.
  bool isAnalysed = true; ///< Else there was no effort left to ask, and it is taken as serial.
  std::string reason; ///< One line: why not parallel, or what makes it so.
  std::vector<CarriedDependence> dependences; ///< What keeps it serial (a few, not all).
};

struct DependenceAnalysis {
  std::vector<LoopVerdict> loops; ///< Every Loop of the function, in program order (outer before inner).
  std::vector<skeleton::Finding> findings;
  const LoopVerdict *find(const skeleton::Loop &loop) const;
};

/// The function's calls must have been substituted (a remaining Call makes its loops serial). memo: of the function, if
/// its effects will be asked for elsewhere. skipped: loops, in program order, that nobody asks about; they have no
/// verdict.
DependenceAnalysis analyseDependence(const skeleton::Program &program, const skeleton::Function &function,
                                     const Context &context, EffectsMemo *memo = nullptr,
                                     const std::vector<bool> &skipped = {});

} // namespace busfare::brs

#endif
