//===- clang-plugin/units/UnitReader.h - Units read, or known from before -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reads units in workers (Worker.h), but for those that the cache has: the same program
// has read the same source with the same flags and the same news of other units, and the
// disk answers all that it was asked then as it did (FilesRead.h).
//
//   unit key: program, environment, source, flags, news   ->  readings: {answers 1: digest, answers 2: digest, ...}
//   reading key: unit key, answers                         ->  what the worker wrote
//
// Where a build has left what it read (LeftUnits.h), that is taken if it is still so.
//
// A unit keeps a few readings, so that going back to another state of its headers finds
// it again. What failed for a limit, or crashed, is never kept.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_UNITS_UNIT_READER_H
#define BUSFARE_CLANG_PLUGIN_UNITS_UNIT_READER_H

#include "Cache.h"
#include "Worker.h"
#include <memory>
#include <set>

namespace busfare::frontend {

class UnitReader {
public:
  UnitReader(unsigned jobs, const WorkerLimits &limits, std::shared_ptr<Cache> cache)
      : jobs(jobs), limits(limits), cache(std::move(cache)) {}

  /// In order. before(i) is called when the i-th is begun; not for what is known. Errors as readInWorkers'.
  llvm::Expected<std::vector<UnitText>> read(llvm::ArrayRef<UnitTask> tasks,
                                             llvm::function_ref<void(size_t)> before = nullptr);

  /// What came of units that a build has left, for the user; empty: there were none.
  std::string note() const;

private:
  unsigned jobs;
  WorkerLimits limits;
  std::shared_ptr<Cache> cache; ///< Null: none.
  FilesNow disk;

  /// Files of units that a build has left; without directives: compiled so that those of OpenMP were not seen.
  std::set<std::string> asLeft, changed, withoutDirectives, withoutSource;

  std::optional<UnitText> leftReading(const UnitTask &task);
  std::optional<std::string> known(const std::string &key);
  void keep(const std::string &key, const FileAnswers &answers, const std::string &text);
};

} // namespace busfare::frontend

#endif
