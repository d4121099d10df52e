//===- clang-plugin/units/Inputs.h - What the command line says to read ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_UNITS_INPUTS_H
#define BUSFARE_CLANG_PLUGIN_UNITS_INPUTS_H

#include <string>
#include <vector>

namespace busfare::frontend {

struct Inputs {
  std::string command;             ///< Empty: none was given. `project` takes what a build has left, too.
  std::vector<std::string> inputs; ///< Sources, skeletons, or the words behind `help`, `schema` and `machines`.
  /// Everything behind `--`, a compiler's name and what only concerns its output left out.
  std::vector<std::string> compilerArguments;
  bool hasCompilerArguments = false; ///< There was a `--`.
  std::string buildPath;             ///< -p.
  std::vector<std::string> extraArguments, extraArgumentsBefore;
};

} // namespace busfare::frontend

#endif
