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
// holds the two lists together. To add a rule, touch Finding.h, Finding.cpp,
// brs/rules/ and test/lit/rules/.
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
  UnsupportedCode,     ///< BF011: code that the front end does not read.
  UnknownPointer,      ///< BF012: a pointer whose object is not known (loaded from memory, several targets).
  UnknownExtent,       ///< BF013: the size of an array is not known.
  DirectiveRefuted,    ///< BF014: an OpenMP directive claims what the analysis refutes or cannot prove.
  AssumedIterations,   ///< BF015: the time loop is taken to run once.
  EffortExceeded,      ///< BF016: a question was too hard within the effort allowed; the safe answer was taken.
  SharedShape, ///< BF017: accesses disagree on the shape of a flattened array; the one-dimensional hull is taken.
  DataDependentAccess, ///< BF018: whether an access happens depends on data; its section is an upper bound.
  HintMalformed, ///< BF020: a hint that cannot be read.
  HintUnused, ///< BF021: a hint that nothing uses: it stands before no loop or function, or names nothing there.
  HintRefuted, ///< BF022: a hint that the program contradicts; it is not taken.
  HintTaken, ///< BF023: a hint that is taken as true.
  Goto, ///< BF024: goto; it stays on the host.
  Exception, ///< BF025: throw and try; they stay on the host.
  VirtualCall, ///< BF026: a virtual call; which function it runs is known only while it runs.
  InlineAssembly, ///< BF027: inline assembly; it stays on the host.
  VolatileAccess, ///< BF028: a volatile access; it stays on the host.
  AtomicOperation, ///< BF029: an atomic operation; it stays on the host.
  LongDouble, ///< BF030: long double, which no GPU computes with.
  ThreadIdentity, ///< BF031: what a thread asks of itself (omp_get_thread_num); it stays on the host.
  AllocationInLoop, ///< BF032: memory is allocated or freed in every iteration.
  PartOfElement, ///< BF033: a union member or a bit field; the whole element is taken.
  FunctionPointer, ///< BF034: a call through a function pointer stays on the host.
  UnreadDirective, ///< BF035: an OpenMP directive that is not followed.
  ExchangedNames, ///< BF036: pointers change places in every iteration.
  ClockRead, ///< BF037: a clock is read; that stays on the host.
  NoReturn, ///< BF038: a call in a loop that ends the program (exit, abort, assert).
  LongJump, ///< BF039: setjmp and longjmp; they stay on the host.
  NotPorted, ///< BF040: a kernel that port leaves as it is.
  FlattenedRows, ///< BF041: what a table of pointers points to is taken as one array.
  Message, ///< BF042: a message to other processes; it stays on the host.
  LibraryCall, ///< BF043: a call of a BLAS routine; it stays on the host, though the device has such a library.
  AssumedNonNegative, ///< BF044: what is divided is taken not to be negative.
  AssumedSteady, ///< BF045: unseen code is assumed to leave a pointer where it leads.
  AssumedUnthrown, ///< BF046: nothing is assumed to be thrown to a handler behind which the program goes on.
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
