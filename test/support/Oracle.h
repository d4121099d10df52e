//===- test/support/Oracle.h - Running a skeleton, and recording it -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The yardstick of everything below the front end: an interpreter that runs a flat
// skeleton (after Inline) with small numbers for its sizes and writes down, for each
// access, which element of which object it touched in which iteration.
//
//   for i = 0 .. n - 1 { read a[i] write b[i] }  with n = 2:
//     read a (0), write b (0), read a (1), write b (1)
//
// What a skeleton leaves open is drawn from a seeded generator: an unknown subscript
// is anything its range or the array's extent allows, an opaque branch goes either
// way, a `may` access happens or not, a loop that may exit early does so, a defined
// symbol without a range is in -1 .. 6. So one run is one possible behaviour: what it
// touches must lie inside every may set, and every must set inside what it touches.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_TEST_SUPPORT_ORACLE_H
#define BUSFARE_TEST_SUPPORT_ORACLE_H

#include "skeleton/Skeleton.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <map>
#include <set>

namespace busfare::test {

using Element = std::vector<int64_t>;
using Elements = std::set<Element>;

/// One access that happened.
struct Event {
  const skeleton::Access *access = nullptr;
  std::string name;   ///< As spelled.
  std::string object; ///< The name the object had at the start; "#2" for memory allocated again.
  Element element;
  uint64_t firstByte = 0, endByte = 1; ///< Of the element; of one that is no struct 0 and 1.
  bool reads = false, writes = false;
};

/// One execution of a node: its events are [begin, end).
struct Span {
  size_t begin = 0, end = 0;
  skeleton::Values values;                     ///< Of all symbols on entry.
  std::map<std::string, std::string> objects;  ///< What each name denoted on entry.
};

struct LoopRun {
  Span all;
  std::vector<std::pair<int64_t, Span>> iterations; ///< Index value, and what happened in it.
};

struct Trace {
  Span all;
  std::vector<Event> events;
  std::map<const skeleton::Loop *, std::vector<LoopRun>> loops;
  std::map<std::string, std::string> namesAtEnd; ///< What each name denotes at the end.
};

/// A point of the run: before or behind a node. For tests that follow something along.
struct Visit {
  const skeleton::Node &node;
  bool after = false;
  const skeleton::Values &values;
  const std::map<std::string, std::string> &objects;    ///< What names denote, where not themselves.
  const std::vector<const skeleton::Loop *> &loops;      ///< Around the node, outermost first.
  const Event *event = nullptr;                          ///< Behind an access that happened.
};

struct OracleOptions {
  skeleton::Values values; ///< Of the parameters and constants.
  unsigned seed = 1;
  size_t maxEvents = 200000;
  int64_t definedLow = -1, definedHigh = 6; ///< Of defined symbols without a range.
  std::function<void(const Visit &)> visit; ///< May be empty.
};

/// Errors: a Call is left, a symbol has no value, an element lies outside its array, a claimed range is empty,
/// too many events.
llvm::Expected<Trace> runSkeleton(const skeleton::Program &program, const skeleton::Function &function,
                                  const OracleOptions &options);

/// By name on entry of the span.
std::map<std::string, Elements> readsIn(const Trace &trace, const Span &span);
std::map<std::string, Elements> writesIn(const Trace &trace, const Span &span);
/// Elements read in the span before the span wrote them.
std::map<std::string, Elements> exposedIn(const Trace &trace, const Span &span);

/// The names of arrays that two different iterations of one execution of the loop touch in one element, one writing.
std::set<std::string> conflictsOf(const Trace &trace, const skeleton::Loop &loop);

} // namespace busfare::test

#endif
