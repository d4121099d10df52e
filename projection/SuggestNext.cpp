//===- projection/SuggestNext.cpp - The commands to run next ---------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/SuggestNext.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

namespace busfare::projection {

/// As a shell takes it: `main::*xmax` and `main::buffer's size` are no words.
static std::string asWord(const std::string &name) {
  bool isPlain = name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:-") == std::string::npos;
  return isPlain ? name : "\"" + name + "\"";
}

void suggestNext(Report &report, const ProjectOptions &options) {
  std::string file = report.regions.empty() || report.regions[0].location.file.empty() ? "SRC" : report.regions[0].location.file;
  std::set<std::string> said;
  auto say = [&](std::string command) {
    if (said.insert(command).second && report.nextCommands.size() < 5)
      report.nextCommands.push_back(std::move(command));
  };
  for (const RegionReport &region : report.regions) {
    for (const auto &[name, parameter] : region.parameters)
      if (parameter.source == ParameterSource::Assumed) {
        say("busfare analyze " + file + " --param " + asWord(name) + "=N");
        break;
      }
    if (region.on.empty())
      continue;
    const MachineAnswer &answer = region.on.front().second;
    if (answer.iterations.assumed)
      say("busfare analyze " + file + " --iterations N");
    if (answer.verdict == Verdict::Measure && !answer.time.cpuMeasured && region.function == "main" && !options.profile)
      say("busfare measure " + file);
    auto longest = llvm::max_element(answer.kernels, [](const KernelReport &a, const KernelReport &b) {
      return a.time * a.launches < b.time * b.launches;
    });
    if (longest != answer.kernels.end() && longest->location.isKnown())
      say("busfare explain " + longest->location.file.str() + ":" + std::to_string(longest->location.line));
    if (answer.verdict == Verdict::Port)
      say("busfare port " + file);
  }
  if (!report.believed.empty())
    say("busfare analyze " + file + " --trust-directives");
  if (!report.regions.empty() && options.functions.empty() && report.regions.front().function == "main" &&
      !report.regions.front().on.front().second.kernels.empty()) {
    const KernelReport &kernel = report.regions.front().on.front().second.kernels.back();
    if (kernel.function != "main")
      say("busfare analyze " + file + " --function " + kernel.function);
  }
  if (!report.messages.empty())
    say("busfare comm " + (report.regions.empty() ? report.messages.front().location.file.str() : file));
  if (!report.regions.empty())
    say("busfare loops " + file);
  if (!report.regions.empty())
    say("busfare sections " + file);
}

} // namespace busfare::projection
