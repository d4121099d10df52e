//===- clang-plugin/rehearsal/Rehearsal.h - What main does with its arguments -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Sizes come from the command line: through atoi, strtol, sscanf, chains of strcmp, getopt,
// loops over argv. The walk (Walk.h) finds closed forms for any arguments, and of these there
// is none. So main is also run, on its syntax, with one list of arguments: numbers, texts and
// fields are followed, what data decide is not known, and loops that have nothing to do with
// arguments go round once.
//
//   for (int i = 1; i < argc; i++)              --args "-n 4096"
//     if (!strcmp(argv[i], "-n"))        =>     n is 4096 behind this loop
//       n = atoi(argv[++i]);
//
// What comes of it are values at places. They say what sizes are likely to be, as
// skeleton::Define::usually does, and prove nothing.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_REHEARSAL_REHEARSAL_H
#define BUSFARE_CLANG_PLUGIN_REHEARSAL_REHEARSAL_H

#include "skeleton/Skeleton.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
} // namespace clang

namespace busfare::frontend {

/// Before the words of --args, among what reads a unit is given.
inline constexpr const char *programArgumentsFlag = "--busfare-args=";

/// Integers by the place of a statement and the variable as spelled (`n`, `c.nx`; `trips` of a loop), behind the
/// statement. Nothing: not one number each time.
using RehearsedValues = std::map<std::pair<skeleton::Location, std::string>, std::optional<int64_t>>;

/// arguments: without the program's name. Empty if the unit has no main.
RehearsedValues rehearse(clang::ASTContext &context, const std::vector<std::string> &arguments);

/// Lets definitions usually have these values; isGiven: also where the source says another one.
void takeRehearsed(const RehearsedValues &values, bool isGiven, skeleton::Program &program);

} // namespace busfare::frontend

#endif
