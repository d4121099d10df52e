//===- clang-plugin/verify/Builds.h - Original and ports, compiled -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Five programs from the same units. Each unit is compiled with what its own compiler
// is told (-O1 if that says nothing of optimisation), in a folder of its own, and finds
// the headers that stand beside the original.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_VERIFY_BUILDS_H
#define BUSFARE_CLANG_PLUGIN_VERIFY_BUILDS_H

#include "clang-plugin/verify/Process.h"
#include "clang-plugin/verify/Tools.h"
#include "clang-plugin/verify/Verify.h"

namespace busfare::frontend::verify {

enum class Build {
  Original,
  GccHost,
  ClangDevice,
  Watched,
  Ordered,
  Regrouped, ///< The original as a compiler makes it that may add in any order.
  Plain,    ///< The original for timing: nothing is linked into it, and -O2 if nothing says how to optimise.
  Measured, ///< Likewise, with timers and counters.
};
inline constexpr Build allBuilds[] = {Build::Original, Build::GccHost, Build::ClangDevice, Build::Watched,
                                      Build::Ordered};
llvm::StringRef nameOf(Build build);

struct Program {
  Build build = Build::Original;
  std::string path;
  std::string failure; ///< What the compiler said first, if it failed; then there is no program.
  std::string note;    ///< Warnings that the original has too.
};

/// In the order of the builds.
std::vector<Program> buildAll(const Subject &subject, const Tools &tools, llvm::StringRef folder,
                              llvm::ArrayRef<Build> builds = allBuilds);

} // namespace busfare::frontend::verify

#endif
