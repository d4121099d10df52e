//===- test/brs/DependenceText.h - Verdicts as short text ------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One line per loop: its index, then `parallel` with needs and assumptions, or
// `serial` with the kind of the first dependence or, without one, the reason.
//
//   i: parallel private(t) reduction(+:s) assuming noalias(a,b)
//   j: serial flow
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_TEST_BRS_DEPENDENCETEXT_H
#define BUSFARE_TEST_BRS_DEPENDENCETEXT_H

#include "brs/Dependence.h"
#include "brs/Domain.h"
#include "skeleton/Parse.h"
#include "gtest/gtest.h"
#include <memory>
#include <string>

namespace busfare::brs::test {

/// The members own what the verdicts point into.
struct Analysed {
  skeleton::Program program;
  DependenceAnalysis result;
};

inline std::unique_ptr<Analysed> analyse(const std::string &functions, const std::string &root = "") {
  auto analysed = std::make_unique<Analysed>();
  llvm::Expected<skeleton::Program> program = skeleton::parse("skeleton 1\nunit \"t.c\"\n" + functions, "t.skel");
  if (!program) {
    ADD_FAILURE() << llvm::toString(program.takeError());
    return analysed;
  }
  analysed->program = std::move(*program);
  const skeleton::Function *function = &analysed->program.functions.at(0);
  if (!root.empty()) function = findFunction(analysed->program, root);
  analysed->result = analyseDependence(analysed->program, *function, factsOf(analysed->program, *function));
  return analysed;
}

inline std::string describe(const LoopVerdict &verdict) {
  std::string text = verdict.loop->index + ": ";
  if (!verdict.parallel) {
    static const char *const kinds[] = {"flow", "anti", "output", "unknown"};
    return text + "serial " +
           (verdict.dependences.empty() ? "(" + verdict.reason + ")"
                                        : std::string(kinds[int(verdict.dependences.front().kind)]));
  }
  text += "parallel";
  for (const Need &need : verdict.needs)
    text += " " + toString(need.kind).str() + "(" + (need.op.empty() ? "" : need.op + ":") + need.name + ")";
  for (size_t k = 0; k < verdict.assuming.size(); ++k) text += (k == 0 ? " assuming " : " ") + verdict.assuming[k];
  return text;
}

inline std::string verdicts(const std::string &functions, const std::string &root = "") {
  std::string text;
  std::unique_ptr<Analysed> analysed = analyse(functions, root);
  for (const LoopVerdict &verdict : analysed->result.loops) text += (text.empty() ? "" : "\n") + describe(verdict);
  return text;
}

} // namespace busfare::brs::test

#endif
