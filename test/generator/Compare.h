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
};
const char *toString(Fault fault);

struct Disagreement {
  Fault fault = Fault::Crash;
  std::string text;
};

struct Outcome {
  std::vector<Disagreement> found;
  unsigned loops = 0, parallel = 0, kernels = 0; ///< Of the root.
  unsigned sections = 0;      ///< Section sets compared.
  unsigned copies = 0;        ///< Planned ones,
  unsigned copiesUnknown = 0; ///< of which not carried out: a symbol has no value here. The transfers are then not judged.
  uint64_t elementsMoved = 0, elementsNeedless = 0; ///< Needless: the value was there already.
  unsigned mutants = 0, mutantsCaught = 0; ///< Copies left out one at a time, if asked for.
};

struct CompareOptions {
  bool mutants = false;
};

Outcome compare(const Program &program, const Run &run, const skeleton::Program &unit, const projection::Root &root,
                const CompareOptions &options = {});

// Its parts, each adding to the outcome.
void compareSections(const Relation &relation, Outcome &outcome);
void compareVerdicts(const Relation &relation, Outcome &outcome);
void compareTransfers(const Relation &relation, Outcome &outcome, const CompareOptions &options);

} // namespace busfare::generator

#endif
