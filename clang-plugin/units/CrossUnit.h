//===- clang-plugin/units/CrossUnit.h - Calls followed from unit to unit -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A unit is first read by itself. If it uses what other units may define, that is a survey
// alone: which those are. It is walked with what they say of these functions (Interface.h),
// callees first, and of the variables that they define:
//
//   main.c -> solve.c -> norm.c        norm.c, and surveys of solve.c and main.c;
//                                      solve.c with norm; main.c with solve
//
// At the end each unit has been read with just what the others' last readings say, so
// that calls and the functions they call fit. Calls that may come back to the function
// which makes them, through another unit, stay opaque. Units that call each other are read
// one after the other, each with the newest that is said of its callees.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_UNITS_CROSS_UNIT_H
#define BUSFARE_CLANG_PLUGIN_UNITS_CROSS_UNIT_H

#include "Worker.h"

namespace busfare::frontend {

/// A name for each unit, made of its file's: heat, heat_2.
std::vector<std::string> tagsOf(llvm::ArrayRef<Source> sources);

/// A reading before it is known what others say; of a unit that has others beside it that is a survey.
inline UnitTask firstReading(const Source &source, const std::string &tag, size_t units) {
  return {&source, tag, "", units > 1};
}

/// Reads tasks, as UnitReader does.
using ReadTasks = llvm::function_ref<llvm::Expected<std::vector<UnitText>>(llvm::ArrayRef<UnitTask>)>;

struct FollowOptions {
  ReadTasks read;
  unsigned jobs = 1; ///< Units that are read at a time.
  bool followsPointers = true; ///< Calls through pointers and of virtual functions, too (Targets.h).
};

/// texts: of the sources, each read by itself or surveyed; they become those of the last readings. resolved: over all
/// units of the program, of which the sources are the first. A unit that is not read in time stays as it was read by
/// itself, if it was.
llvm::Error followAcrossUnits(llvm::ArrayRef<Source> sources, llvm::ArrayRef<std::string> tags,
                              const skeleton::Resolved &resolved, std::vector<UnitText> &texts,
                              const FollowOptions &options);

} // namespace busfare::frontend

#endif
