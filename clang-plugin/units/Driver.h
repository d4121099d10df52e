//===- clang-plugin/units/Driver.h - From sources to programs ------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reads every unit (Sources.h says which), each in a process of its own (Worker.h), and
// gives one Program a unit. Whatever happens to one, the others are there:
//
//   a.c parses, b.c has an error, c.c crashes the front end
//     ->  units {a.c}, failed {b.c: could not be parsed, c.c: reading it ended by signal 11 ...}
//
// Of a folder without flags, a header that is not found is looked for below the folder,
// and the unit is read again with its place as one more -I.
//
// Calls are followed from unit to unit (CrossUnit.h), and which units make one program
// is found by their symbols (skeleton/Resolve.h); linking them is left to who asks.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_UNITS_DRIVER_H
#define BUSFARE_CLANG_PLUGIN_UNITS_DRIVER_H

#include "UnitReader.h"

namespace busfare::frontend {

struct ReadUnit {
  std::string file;
  skeleton::Program program;
  std::vector<std::pair<std::string, std::string>> leftOut; ///< As UnitText's.
  std::vector<skeleton::Location> loops; ///< That the source has; of a skeleton: none.
  std::string digest;                    ///< Of the text that the program is made of.
};

struct FailedUnit {
  enum class Cause { Source, Busfare, Time };
  std::string file, why;
  Cause cause = Cause::Source;
  std::string missingHeader; ///< As the source names it; empty: it failed for something else.
};

struct ReadResult {
  std::shared_ptr<Cache> cache;      ///< Through which they were read; null: none.
  std::vector<ReadUnit> units; ///< Those that could be read, in order of the sources; skeletons behind the others.
  std::vector<std::vector<size_t>> programs; ///< The units of each; every unit is in one, shared ones are in several.
  std::string programsFrom; ///< How they were found, for a sentence that begins with "Programs".
  std::vector<std::string> notes; ///< For the user: symbols that cannot be told apart.
  std::vector<FailedUnit> failed; ///< Those that could not.
  std::vector<Diagnostic> errors; ///< The compiler's.
  std::vector<std::string> guessedFolders; ///< Where missing headers were found, sorted.
};

struct ReadOptions {
  unsigned jobs = 1;
  WorkerLimits limits;
  std::shared_ptr<Cache> cache; ///< Of what was read before; null: none.
  /// Sources with a root had no flags: look for their headers there.
  bool guessFolders = false;
};

/// Errors: a skeleton that cannot be read. before(i, again) is called before the i-th source; again: for what other
/// units say of the functions it calls.
llvm::Expected<ReadResult> readUnits(llvm::ArrayRef<Source> sources, const ReadOptions &options,
                                     llvm::function_ref<void(size_t, bool)> before);

} // namespace busfare::frontend

#endif
