//===- test/generator/Compare.h - An analysis against a run ----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What busfare says of a program, held against one run of it (Interpret.h): sections
// of the root and of its nests, verdicts of its loops, the planned copies carried out
// between two memories.
//
//   compare(program, run, unit, root).found
//     // {{MissingTransfer, "a kernel at line 21 reads an old value of u (3)"}}
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_TEST_GENERATOR_COMPARE_H
#define BUSFARE_TEST_GENERATOR_COMPARE_H

#include "test/generator/Relate.h"

namespace busfare::generator {

enum class Fault {
  Crash,            ///< The analysis did not come back.
  NotRead,          ///< The front end found an error, or no such function.
  SectionTooSmall,  ///< Something touched lies outside its may section.
  MustTooLarge,     ///< A must section holds what was not written.
  NotExact,         ///< A section called exact is not what was touched.
  WronglyParallel,  ///< Iterations of a loop called parallel meet.
  MissingTransfer,  ///< A read sees an old value, although all planned copies were made.
  OutsideDevice,    ///< A kernel, or a copy, touches what was not placed on the device.
  // Of ported programs (PortRun.h):
  NotCompiled,      ///< The port does not compile, or not without warnings.
  WrongResult,      ///< It prints something else.
  Unreadable, ///< A kernel touches host memory, or device memory that is not the array's, or what is not mapped.
  OrderDependent, ///< Loops called parallel print something else in another order.
  BytesDiffer, ///< What crossed is not what the plan says.
  NoEnd, ///< It does not come to its end in time.
  MutantSurvived, ///< A planned copy that is left out, or one element short, is not noticed.
};
const char *toString(Fault fault);

struct Disagreement {
  Fault fault = Fault::Crash;
  std::string text;
};

struct Outcome {
  std::vector<Disagreement> found;
  unsigned loops = 0, parallel = 0, kernels = 0; ///< Of the root.
  unsigned sections = 0; ///< Section sets compared.
  unsigned copies = 0; ///< Planned ones,
  unsigned copiesUnknown =
      0; ///< of which not carried out: a symbol has no value here. The transfers are then not judged.
  uint64_t elementsMoved = 0, elementsNeedless = 0; ///< Needless: the value was there already.
  unsigned mutants = 0, mutantsCaught = 0; ///< Copies left out one at a time, if asked for.
  bool isPorted = false; ///< Some kernel of it ran as a target region.
  unsigned rows = 0; ///< Arrays and directions of which bytes were compared with the plan.
  unsigned rowsOpen =
      0; ///< Those of which only the run knows what has to cross: data decide when, and the size changes.
  unsigned runMutants = 0, runMutantsCaught = 0; ///< Of ported programs: copies left out or one element short.
  unsigned sameBytes = 0; ///< Mutants of which the other side had the same bytes already,
  unsigned unread = 0; ///< those without which no read sees another value,
  unsigned older = 0; ///< those of which the interpreter prints the same when it reads the older values,
  unsigned chunked = 0, orders = 0; ///< Of ported programs: regions in chunks, and orders that their tasks ran in.
  unsigned dead = 0; ///< and those whose values may be garbage where they arrive: nothing printed depends on them.
};

struct CompareOptions {
  bool mutants = false;
};

Outcome compare(const Program &program, const Run &run, const skeleton::Program &unit, const projection::Root &root,
                const CompareOptions &options = {});

// Its parts, each adding to the outcome.
void compareSections(const Relation &relation, Outcome &outcome);
/// Of the root as if nothing called it, in one of its calls. Only for calls that give it objects of their own, and what
/// its answers assume.
void compareCall(const Relation &relation, int call, Outcome &outcome);
void compareVerdicts(const Relation &relation, Outcome &outcome);
void compareTransfers(const Relation &relation, Outcome &outcome, const CompareOptions &options);

/// The run without one copy.
struct WithoutCopy {
  bool isNeeded = true; ///< A read, or the host at the end, sees an old value. Also if it cannot be told.
  std::optional<std::vector<std::string>> output; ///< What is printed then, if that can be told.
};
/// How crossings are carried out; those that are absent move their section.
using Methods = std::map<const brs::Crossing *, projection::CopyMethod>;
/// lastOnly: without the last element of each of its boxes.
WithoutCopy runWithout(const Relation &relation, const brs::Region &region, const brs::Crossing &crossing,
                       bool lastOnly, const Methods &methods);

} // namespace busfare::generator

#endif
