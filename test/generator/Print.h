//===- test/generator/Print.h - The tree as text ---------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Writes programs as one C or C++ file and notes in every statement the line it stands on.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_TEST_GENERATOR_PRINT_H
#define BUSFARE_TEST_GENERATOR_PRINT_H

#include "test/generator/Program.h"

namespace busfare::generator {

/// The unit: includes, each program's globals and functions, `main` that calls them all, or the one that its argument
/// names. Sets Statement::line.
std::string printUnit(std::vector<Program> &programs, const std::string &comment = "");
/// The same in several files: the functions that the programs call are spread over them, global arrays too. Everything
/// stands in the line where printUnit has it.
std::vector<std::string> printUnits(std::vector<Program> &programs, unsigned count);

/// `.c` or `.cpp`, and what a compiler must be told besides.
const char *suffixOf(const std::vector<Program> &programs);
std::vector<std::string> argumentsFor(const std::vector<Program> &programs);

std::string toString(const Program &program, const Ex &expression);
const char *toString(Type type);

} // namespace busfare::generator

#endif
