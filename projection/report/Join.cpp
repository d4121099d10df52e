//===- projection/report/Join.cpp - Reports of several units as one -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/Join.h"
#include "projection/Coverage.h"
#include "projection/Describe.h"
#include "projection/NestAnswers.h"
#include "llvm/ADT/STLExtras.h"
#include <iterator>
#include <set>
#include <tuple>

namespace busfare::projection {

template <class T> static void append(std::vector<T> &all, std::vector<T> &more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

void sortFindings(std::vector<skeleton::Finding> &findings) {
  llvm::sort(findings, [](const skeleton::Finding &a, const skeleton::Finding &b) {
    return std::tie(a.location, a.rule, a.message, a.level) < std::tie(b.location, b.rule, b.message, b.level);
  });
  findings.erase(std::unique(findings.begin(), findings.end()), findings.end());
}

/// A hint that one unit has no use for (a header's, a line of a .busfare file) may be another's.
static void dropUsedElsewhere(std::vector<skeleton::Finding> &findings) {
  std::set<skeleton::Location> used;
  for (const skeleton::Finding &finding : findings)
    if (finding.rule == skeleton::Rule::HintTaken) used.insert(finding.location);
  llvm::erase_if(findings, [&](const skeleton::Finding &finding) {
    return finding.rule == skeleton::Rule::HintUnused && used.count(finding.location);
  });
}

Report joinReports(std::vector<Report> reports) {
  if (reports.size() == 1) return std::move(reports.front());
  Report all;
  if (reports.empty()) return all;
  all.version = reports.front().version;
  all.machines = reports.front().machines;
  all.commonHost = reports.front().commonHost;
  double after = 0, afterLow = 0, afterHigh = 0, offloaded = 0;
  for (Report &report : reports) {
    // A function of a header that several programs have, and none calls, is one region.
    llvm::erase_if(report.regions, [&](const RegionReport &region) {
      return llvm::any_of(all.regions, [&](const RegionReport &other) {
        return other.id == region.id && other.fingerprint == region.fingerprint && other.location == region.location &&
               other.h2dBytes == region.h2dBytes && other.d2hBytes == region.d2hBytes &&
               other.assumptions == region.assumptions;
      });
    });
    append(all.regions, report.regions);
    append(all.believed, report.believed);
    append(all.distinct, report.distinct);
    append(all.nests, report.nests);
    append(all.unpriced, report.unpriced);
    append(all.serial, report.serial);
    append(all.loops, report.loops);
    append(all.messages, report.messages);
    append(all.libraryCalls, report.libraryCalls);
    append(all.findings, report.findings);
    append(all.suppressed, report.suppressed);
    append(all.prices, report.prices);
    append(all.coverage.notAnalysed, report.coverage.notAnalysed);
    for (const auto &[name, match] : report.profileRows) // used by one program is used
      if (auto [known, isNew] = all.profileRows.emplace(name, match); !isNew)
        known->second = std::min(known->second, match);
    CoverageReport &sum = all.coverage, &one = report.coverage;
    sum.files += one.files;
    sum.failedFiles += one.failedFiles;
    sum.functions += one.functions;
    sum.functionsLeftOut += one.functionsLeftOut;
    append(sum.nests, one.nests);
    append(sum.innerNests, one.innerNests);
    const ProgramReport &program = report.program;
    all.program.isMostlyUnpriced |= program.isMostlyUnpriced;
    all.program.serialWork += program.serialWork;
    all.program.cpu += program.cpu;
    all.program.libraries += program.libraries;
    offloaded += program.offloadedShare * program.cpuAsWritten;
    all.program.cpuAsWritten += program.cpuAsWritten;
    auto divided = [&](double speedup) { return speedup > 0 ? program.cpu / speedup : program.cpu; };
    after += divided(program.speedup.value);
    afterLow += divided(program.speedup.low);
    afterHigh += divided(program.speedup.high);
    llvm::copy_if(report.programs, std::back_inserter(all.programs),
                  [](const ProgramReport &one) { return !one.name.empty(); }); // others have no function
  }
  all.loops = mergeLoops(std::move(all.loops));
  rankNestsInPlace(all);
  for (const UnpricedReport &nest : all.unpriced) all.program.unpricedShare += nest.share;
  summariseCoverageInPlace(all);
  sortFindings(all.findings);
  sortFindings(all.suppressed);
  dropUsedElsewhere(all.findings);
  bool priced = all.program.cpu > 0 && after > 0 && afterLow > 0 && afterHigh > 0;
  all.program.speedup = {1, 1, 1};
  if (priced) {
    all.program.speedup = {all.program.cpu / after, all.program.cpu / afterLow, all.program.cpu / afterHigh};
    all.program.offloadedShare = all.program.cpuAsWritten > 0 ? offloaded / all.program.cpuAsWritten : 0;
  }
  return all;
}

} // namespace busfare::projection
