//===- clang-plugin/cli/Projecting.h - Every program through the analyses -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each program is analysed on a thread of its own from a fresh state, so that a crash costs that program alone and the
// output does not depend on -j.
//
//   busfare analyze src/     three programs, of which one crashes: two reports joined, a line for the third
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_CLI_PROJECTING_H
#define BUSFARE_CLANG_PLUGIN_CLI_PROJECTING_H

#include "Programs.h"
#include "ReportCache.h"
#include "clang-plugin/units/Threads.h"

namespace busfare::frontend {

/// Leaves out the programs whose analysis crashed, and the units that are then in none.
void dropCrashed(ReadResult &read, const std::vector<std::string> &crashes);

/// What is known of programs from before, and is kept of them. Called on several threads.
template <class Result> struct Memory {
  std::function<std::optional<Result>(size_t program)> load = [](size_t) { return std::nullopt; };
  std::function<void(size_t program, const Result &)> store = [](size_t, const Result &) {};
};

/// What project makes of each program that has one of the functions (nothing of the others), each from a fresh state,
/// unless memory has it. The units of one on which it crashes go to those that failed. Errors: the first program's.
template <class Result>
llvm::Expected<std::vector<std::optional<Result>>> projectEach(
    ReadResult &read, const projection::ProjectOptions &options, unsigned jobs,
    llvm::function_ref<llvm::Expected<Result>(const skeleton::Program &, const projection::ProjectOptions &)> project,
    const Memory<Result> &memory = {}) {
  if (llvm::Error error = checkFunctions(read, options.functions)) return error;
  size_t count = read.programs.size();
  std::vector<std::optional<Result>> results(count);
  std::vector<std::string> errors(count);
  std::vector<std::string> crashes = forEachOnOwnThread(count, jobs, [&](size_t i) {
    if ((results[i] = memory.load(i))) return;
    skeleton::Program program = programOf(read, read.programs[i]);
    std::optional<std::vector<std::string>> functions = functionsIn(program, options.functions);
    if (!functions) return;
    projection::ProjectOptions own = options;
    own.functions = *functions;
    own.allowUnknownParameters = count > 1;
    llvm::Expected<Result> result = project(program, own);
    if (!result) {
      errors[i] = llvm::toString(result.takeError());
      return;
    }
    if (!options.deadline || !options.deadline->isUp()) // else it may have been cut short
      memory.store(i, *result);
    results[i] = std::move(*result);
  });
  for (const std::string &error : errors)
    if (!error.empty()) return llvm::createStringError(error);
  std::vector<std::optional<Result>> kept;
  for (size_t i = 0; i < count; ++i)
    if (crashes[i].empty()) kept.push_back(std::move(results[i]));
  dropCrashed(read, crashes);
  return kept;
}

using Projector = llvm::Expected<projection::Report> (*)(const skeleton::Program &, const projection::ProjectOptions &);

/// Every unit projected, joined into one report.
llvm::Expected<projection::Report> projectUnits(ReadResult &read, const projection::ProjectOptions &options,
                                                unsigned jobs, Projector projector, const ReportCache &cache);

} // namespace busfare::frontend

#endif
