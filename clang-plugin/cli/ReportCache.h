//===- clang-plugin/cli/ReportCache.h - Programs analysed before ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The report of a program follows from the skeletons of its units, what the command line
// asks, the machines and the profile. Where all of these are as they were, it is taken from
// the cache: of twenty programs of which a file was changed, those are analysed that hold it.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_CLI_REPORT_CACHE_H
#define BUSFARE_CLANG_PLUGIN_CLI_REPORT_CACHE_H

#include "Options.h"
#include "clang-plugin/units/Cache.h"
#include "clang-plugin/units/Driver.h"
#include "projection/report/Report.h"
#include <memory>

namespace busfare::frontend {

class ReportCache {
public:
  /// cache: null: nothing is known, or kept.
  ReportCache(std::shared_ptr<Cache> cache, const Options &options);

  std::optional<projection::Report> load(const ReadResult &read, size_t program) const;
  void store(const ReadResult &read, size_t program, const projection::Report &report) const;

private:
  std::shared_ptr<Cache> cache;
  std::string asked; ///< All of the options that a report depends on.

  std::string keyOfProgram(const ReadResult &read, size_t program) const;
};

} // namespace busfare::frontend

#endif
