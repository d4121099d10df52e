//===- clang-plugin/cli/Programs.h - The command line's programs ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reads the sources and skeletons that the command line names, in worker processes, and links them into programs.
//
//   busfare analyze a.c b.c other.skel     units a.c, b.c (one program, if one calls the other) and other.skel
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_CLI_PROGRAMS_H
#define BUSFARE_CLANG_PLUGIN_CLI_PROGRAMS_H

#include "Commands.h"
#include "clang-plugin/units/Driver.h"
#include "projection/Project.h"

namespace busfare::frontend {

/// So many units are read, and programs analysed, at a time.
unsigned jobsOf(const Options &options);

/// Where what was computed is kept; empty: nowhere.
std::string cacheFolderOf(const Options &options);

/// Reads everything the command line names. False: outcome says why not. If true, `settle` has to be called at the end.
bool readInputs(const Options &options, ReadResult &result, Outcome &outcome);

/// Says what failed so far, and sets the exit code.
void settle(const Options &options, const ReadResult &read, Outcome &outcome);

/// "a, b, c, d, e, ..."
std::string someOf(llvm::ArrayRef<std::string> names);

/// The units of one program as one.
skeleton::Program programOf(const ReadResult &read, const std::vector<size_t> &members);

/// --function for one program of several: those it has. Nothing if it has none of them.
std::optional<std::vector<std::string>> functionsIn(const skeleton::Program &program,
                                                    const std::vector<std::string> &wanted);
/// A --function that no unit has.
llvm::Error checkFunctions(const ReadResult &read, const std::vector<std::string> &wanted);

/// What the options say about a projection. Errors: machines that are not there, or twice.
llvm::Expected<projection::ProjectOptions> projectOptionsOf(const Options &options);

/// The programs of what the command line names, their units linked; those that have none of --function left out.
/// Nothing: outcome says why. Else what of it failed is in outcome, with the exit code.
std::optional<std::vector<skeleton::Program>> readPrograms(const Options &options, Outcome &outcome);

} // namespace busfare::frontend

#endif
