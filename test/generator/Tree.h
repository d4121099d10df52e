//===- test/generator/Tree.h - Programs as text that can be read back ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// C that the generator printed cannot be run by the interpreter again; this can:
//
//   0.5 * a[i]   ->   1 4 0 0 0 -1 2 - 2  1 1 4 0 0.5 -1 0 - 0  1 3 0 0 0 3 0 - 1 ...
//
// The fields in order, separated by blanks; every list begins with its length. kept/ holds each
// program in both forms.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_TEST_GENERATOR_TREE_H
#define BUSFARE_TEST_GENERATOR_TREE_H

#include "test/generator/Program.h"
#include <optional>

namespace busfare::generator {

std::string treeOf(const Program &program);
/// Nothing if the text is no program.
std::optional<Program> readTree(const std::string &text);

} // namespace busfare::generator

#endif
