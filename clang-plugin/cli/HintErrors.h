//===- clang-plugin/cli/HintErrors.h - Hints that end in exit code 2 -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A hint that cannot be read, or that the program contradicts, is bad input. The
// report is written all the same, without the hint, and this is said beside it:
//
//   a.c:7:27: error: independent is contradicted: ... [BF022]
//   // busfare: independent
//               ^
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_CLI_HINT_ERRORS_H
#define BUSFARE_CLANG_PLUGIN_CLI_HINT_ERRORS_H

#include "Commands.h"
#include "skeleton/Finding.h"

namespace busfare::frontend {

/// Adds a message for each such finding, with its source line, and sets the exit code: not beside a compiler, where
/// only wrong usage stops a build.
void refuseHints(const std::vector<skeleton::Finding> &findings, const Options &options, Outcome &outcome);

} // namespace busfare::frontend

#endif
