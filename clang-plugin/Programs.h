//===- clang-plugin/Programs.h - The command line's programs --------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For commands of their own files that read sources and skeletons as analyze does.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PROGRAMS_H
#define BUSFARE_CLANG_PLUGIN_PROGRAMS_H

#include "clang-plugin/Commands.h"
#include "projection/Project.h"

namespace busfare::frontend {

/// What the options say about a projection. Errors: machines that are not there, or twice.
llvm::Expected<projection::ProjectOptions> projectOptionsOf(const Options &options);

/// The programs of what the command line names, their units linked; those that have none of --function left out. Nothing:
/// outcome says why. Else what of it failed is in outcome, with the exit code.
std::optional<std::vector<skeleton::Program>> readPrograms(const Options &options, Outcome &outcome);

} // namespace busfare::frontend

#endif
