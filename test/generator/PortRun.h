//===- test/generator/PortRun.h - Programs ported, run and compared --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A unit of programs analysed as in Check.h, then ported as one source and run as
// `busfare verify` would (clang-plugin/verify/README.md), but judged program by program
// and against the interpreter:
//
//   plain     compiled only, by gcc and by clang, -Wall -Wextra -Werror
//   watched   twice, each time with other garbage in fresh memory and other teams;
//             the bytes of each array against the plan for the sizes of the run
//   ordered   in reverse and in a random order, privates poisoned
//   mutants   the watched program alone, once for each copy that is left out, or one
//             element short
//
// A run of the unit that ends early, or prints something else, is repeated program by
// program: the unit takes a program's name as its argument. Programs that do not compile
// are taken out of the port, and the rest is compiled again.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_TEST_GENERATOR_PORTRUN_H
#define BUSFARE_TEST_GENERATOR_PORTRUN_H

#include "test/generator/Compare.h"
#include "llvm/Support/Error.h"

namespace busfare::generator {

struct PortSettings {
  std::string folder;       ///< For sources and programs; must exist.
  unsigned mutants = 0;     ///< Mutants of this many programs, the first ones.
  unsigned chunks = 0;      ///< Kernels run in so many, where they can; 0: in one, with explicit copies.
  bool analysisToo = true;  ///< The comparisons of Check.h as well.
  CompareOptions compare;
};

/// Like checkUnit. Error: a tool is missing.
llvm::Expected<std::vector<Outcome>> portUnit(std::vector<Program> &programs, const PortSettings &settings);

} // namespace busfare::generator

#endif
