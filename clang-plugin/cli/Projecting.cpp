//===- clang-plugin/cli/Projecting.cpp - Every program through the analyses -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Projecting.h"
#include "projection/Coverage.h"
#include "projection/SuggestNext.h"
#include "projection/report/Join.h"
#include <map>
#include <set>

using llvm::StringRef;
using namespace busfare::projection;

namespace busfare::frontend {

void dropCrashed(ReadResult &read, const std::vector<std::string> &crashes) {
  std::vector<std::string> why(read.units.size());
  std::vector<bool> isKept(read.units.size());
  std::vector<std::vector<size_t>> programs;
  for (size_t i = 0; i < read.programs.size(); ++i) {
    for (size_t unit : read.programs[i])
      if (crashes[i].empty()) isKept[unit] = true;
      else why[unit] = crashes[i];
    if (crashes[i].empty()) programs.push_back(read.programs[i]);
  }
  std::vector<ReadUnit> units;
  std::vector<size_t> places(read.units.size());
  for (size_t unit = 0; unit < read.units.size(); ++unit)
    if (isKept[unit]) {
      places[unit] = units.size();
      units.push_back(std::move(read.units[unit]));
    } else {
      read.failed.push_back({read.units[unit].file,
                             "analysing it ended by " + why[unit] + ", which is busfare's mistake",
                             FailedUnit::Cause::Busfare, ""});
    }
  for (std::vector<size_t> &program : programs)
    for (size_t &unit : program) unit = places[unit];
  read.units = std::move(units);
  read.programs = std::move(programs);
}

/// What of the units was not analysed, and why.
static void addLosses(const ReadResult &read, CoverageReport &coverage) {
  coverage.files += read.failed.size();
  coverage.failedFiles = read.failed.size();
  for (const FailedUnit &unit : read.failed) {
    coverage.notAnalysed.emplace_back(unit.file, unit.why);
    coverage.failedUnits.push_back(unit.file);
  }
  for (const FailedUnit &unit : read.failed) coverage.filesWithoutHeaders += !unit.missingHeader.empty();
  coverage.guessedFolders = read.guessedFolders;
  coverage.programsFrom = read.programsFrom;
}

/// Loops of the source that have no verdict: they stand in code that is not followed, or that never runs.
static void addUnreadLoops(const ReadResult &read, Report &report) {
  // Two loops of one macro stand in one place.
  std::set<std::pair<std::string, unsigned>> known;
  for (const LoopReport &loop : report.loops) known.emplace(loop.location.file.str(), loop.location.line);
  for (const ReadUnit &unit : read.units) {
    std::vector<std::string> lines;
    for (const skeleton::Location &loop : unit.loops)
      if (known.emplace(loop.file.str(), loop.line).second)
        lines.push_back(loop.file.str() == unit.file ? "line " + std::to_string(loop.line)
                                                     : loop.file.str() + ":" + std::to_string(loop.line));
    if (lines.empty()) continue;
    report.coverage.loopsNotRead += lines.size();
    report.coverage.notAnalysed.emplace_back(
        unit.file + ": " + (lines.size() == 1 ? "a loop" : std::to_string(lines.size()) + " loops") + " (" +
            someOf(lines) + ")",
        "no verdict: in code that is not followed, or that never runs");
  }
}

llvm::Expected<Report> projectUnits(ReadResult &read, const ProjectOptions &options, unsigned jobs, Projector projector,
                                    const ReportCache &cache) {
  auto projected =
      projectEach<Report>(read, options, jobs, projector,
                          {[&](size_t program) { return cache.load(read, program); },
                           [&](size_t program, const Report &report) { cache.store(read, program, report); }});
  if (!projected) return projected.takeError();
  std::vector<Report> reports;
  std::map<std::string, size_t> unknown;
  std::set<size_t> counted; ///< Units.
  for (size_t i = 0; i < read.programs.size(); ++i) {
    if (!(*projected)[i]) continue;
    Report &report = *(*projected)[i];
    report.coverage.files = 0;
    for (size_t unit : read.programs[i]) {
      if (!counted.insert(unit).second) continue;
      ++report.coverage.files;
      report.coverage.functionsLeftOut += read.units[unit].leftOut.size();
      for (const auto &[function, why] : read.units[unit].leftOut)
        report.coverage.notAnalysed.emplace_back(read.units[unit].file + ": " + function, why);
    }
    for (const std::string &name : report.unknownParameters) ++unknown[name];
    reports.push_back(std::move(report));
  }
  for (const auto &[name, count] : unknown)
    if (count == reports.size())
      return llvm::createStringError(llvm::inconvertibleErrorCode(), "--param %s: no size of this name in any unit",
                                     name.c_str());
  const bool areSeveral = reports.size() > 1;
  Report all = joinReports(std::move(reports));
  if (areSeveral) suggestNext(all, options);
  all.version = BUSFARE_VERSION;
  addLosses(read, all.coverage);
  if (options.functions.empty()) addUnreadLoops(read, all);
  summariseCoverageInPlace(all);
  return all;
}

} // namespace busfare::frontend
