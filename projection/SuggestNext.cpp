//===- projection/SuggestNext.cpp - The commands to run next ---------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/SuggestNext.h"
#include "projection/report/Ranking.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

namespace busfare::projection {

/// As a shell takes it: `main::*xmax` and `main::buffer's size` are no words.
static std::string asWord(const std::string &name) {
  bool isPlain = name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:=-") ==
                 std::string::npos;
  return isPlain ? name : "\"" + name + "\"";
}

/// A value that is not today's, for the reader to replace: from where on it pays, else much more than was assumed.
static int64_t otherValue(const MachineAnswer &answer, const std::string &name, int64_t today) {
  for (const PaysOff &pays : answer.paysOff)
    if (pays.size == name || llvm::StringRef(name).ends_with("::" + pays.size))
      for (const auto &[from, to] : pays.intervals)
        if (from && *from > double(today) && *from < 9e15) return int64_t(*from);
  return today > (INT64_MAX >> 4) ? today : 16 * std::max<int64_t>(today, 1);
}

void suggestNext(Report &report, const ProjectOptions &options) {
  report.nextCommands.clear();
  auto say = [&](std::string command) {
    if (!llvm::is_contained(report.nextCommands, command) && report.nextCommands.size() < 5)
      report.nextCommands.push_back(std::move(command));
  };
  const std::vector<RankedRegion> ranked = rankRegions(report);
  const std::string file =
      ranked.empty() || ranked[0].region->location.file.empty() ? "SRC" : ranked[0].region->location.file.str();
  if (!ranked.empty()) {
    const RegionReport &region = *ranked.front().region;
    const MachineAnswer &answer = *ranked.front().answer;
    if (const auto open = sizesThatCount(region, ParameterSource::Assumed); !open.empty())
      say("busfare analyze " + file + " --param " +
          asWord(open.front().first + "=" +
                 std::to_string(otherValue(answer, open.front().first, open.front().second.value))));
    if (answer.iterations.assumed)
      say("busfare analyze " + file + " --iterations " +
          std::to_string(std::max<uint64_t>(answer.iterations.breakEven.value_or(100), 100)));
    if (answer.verdict == Verdict::Measure && !answer.time.cpuMeasured && region.function == "main" &&
        !options.profile && report.programs.size() == 1)
      say("busfare measure " + file);
    if (!answer.kernels.empty() && ranked.front().hottest.isKnown())
      say("busfare explain " + ranked.front().hottest.file.str() + ":" + std::to_string(ranked.front().hottest.line));
    if (answer.verdict == Verdict::Port) say("busfare port " + file);
  }
  if (!report.believed.empty()) say("busfare analyze " + file + " --trust-directives");
  if (!report.messages.empty())
    say("busfare comm " + (report.regions.empty() ? report.messages.front().location.file.str() : file));
  if (ranked.size() > 1) say("busfare analyze " + file + " --details");
  if (!ranked.empty() && options.functions.empty() && ranked.front().region->function == "main" &&
      !ranked.front().answer->kernels.empty() && ranked.front().function != "main" && report.programs.size() == 1)
    say("busfare analyze " + file + " --function " + asWord(ranked.front().function));
  if (!report.regions.empty() || !report.nests.empty() || !report.loops.empty()) {
    say("busfare loops " + file);
    say("busfare sections " + file);
  }
}

} // namespace busfare::projection
