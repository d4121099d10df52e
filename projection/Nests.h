//===- projection/Nests.h - Where every nest stands, and how much it does -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A plan is about some of a program's loops. Whether it answers the question depends on the others:
//
//   main:  for i { r[i] = i }                  kernel     0.01 s
//          for t { s->force(s) }               lj is not seen from here; alone it is a kernel
//          for i { x[p[i]] += 1 }              serial: what it depends on is known    0.2 s
//          for i { *q++ = r[i] }               open: what q points to is not known    0.1 s
//
// The loops of a root, its calls substituted, are divided into nests: kernels of the plan and loops that are
// parallel and no kernels, each with all that is in it; and each other loop without the loops inside it. A
// nest's work is the host's modelled time on one thread, all its turns together. What is open is not priced:
// if that is more than half of the work, no verdict about the rest can be trusted.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_NESTS_H
#define BUSFARE_PROJECTION_NESTS_H

#include "projection/Machine.h"
#include "projection/Root.h"
#include "projection/Sizes.h"
#include "projection/Work.h"
#include "projection/report/Report.h"

namespace busfare::projection {

enum class NestStanding { Kernel, Parallel, Open, Serial };

/// Begins the reason of loops in parallel regions of which threads share the work by hand.
inline constexpr const char *sharedByThreads = "threads of the host share it";

struct PlacedNest {
  const skeleton::Loop *loop = nullptr;
  /// Around it in its function, of the same standing; or the loop itself. One that is serial and holds others, or whose
  /// index chooses no element (a time loop), is not around those in it.
  const skeleton::Loop *outermost = nullptr;
  NestStanding standing = NestStanding::Serial;
  double work = 0; ///< s
  std::string reason; ///< Why it is no kernel.
  std::vector<std::string> assumed; ///< Sizes that nobody gave and that decide how much it does: `main::n = 1024`.
};

/// Of a root with its transfers, in program order.
std::vector<PlacedNest> placeNests(const skeleton::Program &program, const Root &root, const Sizes &sizes,
                                   const TripOverrides &overrides, const Host &host);

/// One nest of the source, over all roots and calls.
struct NestOfSource {
  std::string function, index;
  skeleton::Location outermost;
  double work[4] = {}; ///< s, by NestStanding.
  bool stands[4] = {}; ///< Which of them there are.
  std::string reason; ///< Of the first that is no kernel.
  std::vector<std::string> assumed; ///< As a PlacedNest's.
  double total() const { return work[0] + work[1] + work[2] + work[3]; }
  bool has(NestStanding standing) const { return stands[size_t(standing)]; }
  double of(NestStanding standing) const { return work[size_t(standing)]; }
};
using NestsOfSource = std::map<skeleton::Location, NestOfSource>;

/// Adds a root's nests to those of the source.
void addToSource(const Root &root, const std::vector<PlacedNest> &nests, NestsOfSource &all);

/// Functions of the root's calls that were substituted, with the sizes that the call which does most work gives them:
/// by the function's own symbols.
std::map<std::string, skeleton::Values> sizesGivenBy(const Root &root, const skeleton::Values &values);

/// Functions that no root is seen to call, and the calls that may be of them: through pointers, of virtual functions,
/// and of what stays on the host although its body is there.
class UnseenCalls {
public:
  /// entered: functions whose bodies are parts of a root.
  UnseenCalls(const skeleton::Program &program, const std::set<std::string> &entered);
  /// No root calls it, nor does another such function.
  bool isOutermost(const std::string &function) const { return outermost.count(function) != 0; }
  bool mayRun(const std::string &function) const;
  std::string why(const std::string &function) const;

private:
  struct Call {
    std::string what;
    skeleton::Location location;
    bool isIndirect = false;
  };
  const Call *callOf(const std::string &function) const;
  std::set<std::string> outermost;
  std::vector<Call> calls;
};

} // namespace busfare::projection

#endif
