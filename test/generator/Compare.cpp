//===- test/generator/Compare.cpp - An analysis against a run --------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/generator/Compare.h"

namespace busfare::generator {

const char *toString(Fault fault) {
  switch (fault) {
  case Fault::Crash: return "crash";
  case Fault::NotRead: return "not read";
  case Fault::SectionTooSmall: return "section too small";
  case Fault::MustTooLarge: return "must section too large";
  case Fault::NotExact: return "not exact";
  case Fault::WronglyParallel: return "wrongly parallel";
  case Fault::MissingTransfer: return "missing transfer";
  case Fault::OutsideDevice: return "outside the device's memory";
  case Fault::NotCompiled: return "does not compile";
  case Fault::WrongResult: return "wrong result";
  case Fault::Unreadable: return "unreadable";
  case Fault::OrderDependent: return "order dependent";
  case Fault::BytesDiffer: return "bytes differ";
  case Fault::NoEnd: return "no end";
  case Fault::MutantSurvived: return "mutant survived";
  }
  return "";
}

/// Each helper as a root of its own: what only its callers know is not known there.
static void compareHelpers(const Program &program, const Run &run, const skeleton::Program &unit, Outcome &outcome) {
  std::map<int, std::unique_ptr<projection::Root>> roots;
  for (size_t c = 1; c < run.calls.size(); ++c) {
    const auto [known, isNew] = roots.try_emplace(run.calls[c].callee);
    if (isNew) {
      auto root =
          projection::analyseRoot(unit, program.functions[size_t(run.calls[c].callee)].name, projection::Depth::Shapes);
      if (root) known->second = std::move(*root);
      else llvm::consumeError(root.takeError()); // read where it is called only
    }
    if (known->second) compareCall(Relation(program, run, unit, *known->second, int(c)), int(c), outcome);
  }
}

Outcome compare(const Program &program, const Run &run, const skeleton::Program &unit, const projection::Root &root,
                const CompareOptions &options) {
  Outcome outcome;
  Relation relation(program, run, unit, root);
  if (relation.holdsInPlace) return outcome; // its port is run all the same
  compareVerdicts(relation, outcome);
  compareTransfers(relation, outcome, options);
  compareSections(relation, outcome);
  compareHelpers(program, run, unit, outcome);
  return outcome;
}

} // namespace busfare::generator
