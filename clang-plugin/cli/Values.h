//===- clang-plugin/cli/Values.h - What the calculators' options hold ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Options that only some commands know are kept as text (Options::figures); these
// read counts and lists of them, with one kind of message (sizes in bytes and times:
// Figures.h):
//
//   --tile 256,512   numbersOf(options, "--tile", {1, 1e9, true}) -> {256, 512}
//   --tile 0         error: --tile wants whole numbers from 1 to 1e+09, not '0'
//
// Suffixes of a byte or an element count are understood where they cannot be
// mistaken: 4Ki, 64Mi, 2Gi (powers of 1024).
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_CLI_VALUES_H
#define BUSFARE_CLANG_PLUGIN_CLI_VALUES_H

#include "Options.h"
#include "projection/Machine.h"

namespace busfare::frontend {

/// What a number may be.
struct Bounds {
  double least = 0, most = 1e300;
  bool whole = false;
};

/// The text of an option; empty if it is not given.
llvm::StringRef textOf(const Options &options, const char *name);
/// Nothing if the option is not given.
llvm::Expected<std::optional<double>> numberOf(const Options &options, const char *name, Bounds bounds);
/// Numbers with commas between them; empty if the option is not given.
llvm::Expected<std::vector<double>> numbersOf(const Options &options, const char *name, Bounds bounds);
/// Words with commas between them.
std::vector<std::string> wordsOf(const Options &options, const char *name);

/// The machines of --machine, or the default one.
llvm::Expected<std::vector<projection::Machine>> machinesOf(const Options &options);
/// The only one of --machine, or the default one; the error is for a second.
llvm::Expected<projection::Machine> machineOf(const Options &options);

} // namespace busfare::frontend

#endif
