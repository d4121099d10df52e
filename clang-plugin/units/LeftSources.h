//===- clang-plugin/units/LeftSources.h - Units as a build has left them -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `project` starts from what the plugin has left (LeftUnits.h):
//
//   project -p build             each unit of the database; what was left of it is found by its object
//   project lib.a prog.o DIR     the units in them, with the words that compiled them
//
// A unit is as it was left if its files are as they were, and this is the busfare that the
// plugin came with; otherwise its source is read again. Where that is not here any more,
// what was left is all there is: then its calls of other units are not followed.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_UNITS_LEFT_SOURCES_H
#define BUSFARE_CLANG_PLUGIN_UNITS_LEFT_SOURCES_H

#include "LeftUnits.h"
#include "Sources.h"

namespace busfare::frontend {

/// Of an entry of a database, what the compiler has left that was run with these words there.
std::shared_ptr<const LeftUnit> leftBy(llvm::ArrayRef<std::string> words, llvm::StringRef output, const Source &source,
                                       const Inputs &options);

/// The object that a compiler with these words makes, as they spell it. output: what the database says of it, if
/// anything.
std::string objectOf(llvm::ArrayRef<std::string> words, llvm::StringRef output, const Source &source);

/// The units of an object, archive, library, program, or folder of .skel files. Errors: it cannot be read, or holds
/// none.
llvm::Expected<std::vector<Source>> leftSources(llvm::StringRef input, const Inputs &options);

/// Is its source to be had, as it was compiled?
bool hasSource(const Source &source);

} // namespace busfare::frontend

#endif
