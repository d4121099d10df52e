//===- test/generator/Check.h - Programs through the whole analysis --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Prints a unit, reads it with the front end, analyses each program as a root of its
// own and compares it with its run.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_TEST_GENERATOR_CHECK_H
#define BUSFARE_TEST_GENERATOR_CHECK_H

#include "test/generator/Compare.h"

namespace busfare::generator {

/// One outcome for each program. Writes the unit to `file`.
std::vector<Outcome> checkUnit(std::vector<Program> &programs, const std::string &file,
                               const CompareOptions &options = {}, unsigned units = 1);

/// What the analysis says of a program: verdicts and copies, by line. For whoever looks into a disagreement.
std::string explain(std::vector<Program> &programs, size_t which, const std::string &file, unsigned units = 1);

} // namespace busfare::generator

#endif
