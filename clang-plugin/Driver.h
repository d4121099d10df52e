//===- clang-plugin/Driver.h - From file names to programs ----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Finds out how each input is compiled (the words behind `--`, or the entries of a
// compile_commands.json), reads it, and gives one Program a unit. An input that
// ends in .skel is skeleton text and is parsed instead.
//
//   analyze a.c b.c -- -O2    ->  a.c {-O2}, b.c {-O2}
//   analyze -p build          ->  every unit of build/compile_commands.json, each with its own words
//
// Units stay apart: a function of another file is opaque, which is safe. (Linking
// them would need to know which names are static.)
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_DRIVER_H
#define BUSFARE_CLANG_PLUGIN_DRIVER_H

#include "clang-plugin/Extract.h"
#include "clang-plugin/Options.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace busfare::frontend {

/// One input and how it is compiled.
struct Source {
  std::string file;
  std::vector<std::string> arguments;
  std::string directory; ///< Empty: the current one.
  bool isSkeleton = false;
};

struct ReadUnit {
  std::string file;
  skeleton::Program program;
  /// Functions whose skeleton is not well formed, with what is wrong: left out, so that calls of them are opaque.
  std::vector<std::pair<std::string, std::string>> leftOut;
};

struct ReadResult {
  std::vector<ReadUnit> units;       ///< In the order of the sources; those that could be parsed.
  std::vector<std::string> failed;   ///< Those that could not.
  std::vector<Diagnostic> diagnostics;
};

/// Every input is there, is a text file, and is C, C++ or a skeleton. Errors name the file.
llvm::Expected<std::vector<Source>> sourcesOf(const Options &options);

/// Errors: a skeleton that cannot be read. A source that does not parse is in `failed`. before(i, file) is called
/// before the i-th one.
llvm::Expected<ReadResult> readUnits(llvm::ArrayRef<Source> sources, llvm::function_ref<void(size_t, llvm::StringRef)> before);

} // namespace busfare::frontend

#endif
