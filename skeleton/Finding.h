//===- skeleton/Finding.h - What could not be analysed, and where ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A Finding is a located remark with a stable rule id: what is not known, at
// which place, and what that costs ("a whole array instead of a section").
//
//   stencil.c:12:9: remark: subscript depends on memory (`col[k]`); the whole
//   array x is taken [BF001]
//
// Every rule has one page, brs/rules/<id>.md; `allRules` lists them and a test
// holds the two lists together. To add a rule, touch Finding.h, Finding.cpp and
// brs/rules/.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_SKELETON_FINDING_H
#define BUSFARE_SKELETON_FINDING_H

#include "skeleton/Location.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace busfare::skeleton {

enum class Rule {
  IndirectSubscript,   ///< BF001: a subscript read from memory (gather, scatter).
  NonAffineSubscript,  ///< BF002: a subscript that is no affine form of loop indices.
  OpaqueCall,          ///< BF003: a call whose body is not seen; it stays on the host.
  InputOutput,         ///< BF004: I/O stays on the host.
  UnknownTripCount,    ///< BF005: how often a loop runs is not known.
  EarlyExit,           ///< BF006: break, return or goto leaves a loop early.
  NotParallel,         ///< BF007: a dependence is carried by the loop.
  AssumedSize,         ///< BF008: a size got the stated default.
  AssumedNoAlias,      ///< BF009: two pointers are assumed not to overlap.
  Recursion,           ///< BF010: a recursive call stays on the host.
  UnsupportedCode,     ///< BF011: code a GPU cannot run or the front end does not read (goto, exceptions, inline assembly, long double, volatile).
  UnknownPointer,      ///< BF012: a pointer whose object is not known (loaded from memory, several targets).
  UnknownExtent,       ///< BF013: the size of an array is not known.
  DirectiveRefuted,    ///< BF014: an OpenMP directive claims what the analysis refutes or cannot prove.
  AssumedIterations,   ///< BF015: the time loop is taken to run once.
  EffortExceeded,      ///< BF016: a question was too hard within the effort allowed; the safe answer was taken.
  SharedShape,         ///< BF017: accesses disagree on the shape of a flattened array; the one-dimensional hull is taken.
  DataDependentAccess, ///< BF018: whether an access happens depends on data; its section is an upper bound.
};

/// `BF001` and so on.
llvm::StringRef ruleId(Rule rule);
/// The rule with this id, or nothing.
const Rule *findRule(llvm::StringRef id);
llvm::ArrayRef<Rule> allRules();
/// One line saying what the rule is about, for listings.
llvm::StringRef ruleTitle(Rule rule);

enum class Level { Note, Remark, Warning, Error };
llvm::StringRef toString(Level level);

struct Finding {
  Rule rule;
  Level level = Level::Remark;
  Location location;
  std::string message; ///< One sentence: what, why, and what it costs.

  auto operator<=>(const Finding &) const = default;
};

/// `file:line:col: remark: message [BF001]`.
std::string toString(const Finding &finding);

} // namespace busfare::skeleton

#endif
