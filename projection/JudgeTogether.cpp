//===- projection/JudgeTogether.cpp - The regions of a process as one -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/JudgeTogether.h"
#include "skeleton/Visit.h"
#include <set>

namespace busfare::projection {
using namespace skeleton;

/// Steps of a time loop that has a limit and stops when the data say so: the limit is often one that is never reached.
static constexpr double assumedSteps = 100;

llvm::Expected<TimeSteps> timeStepsOf(const brs::Region &region, const Sizes &sizes, std::optional<uint64_t> given) {
  if (region.timeLoops.empty()) return TimeSteps();
  const Loop &loop = *region.timeLoops.front();
  std::set<std::string> open;
  for (const Expr &bound : {loop.lower, loop.upper})
    for (const std::string &symbol : bound.symbols())
      if (sizes.isAssumed(symbol)) open.insert(symbol);
  // A count that the program takes from its settings is meant as one; a limit in its text is a limit.
  bool isChosen = false;
  for (const Expr &bound : {loop.lower, loop.upper})
    for (const std::string &symbol : bound.symbols())
      if (auto known = sizes.bySymbol.find(symbol); known != sizes.bySymbol.end())
        isChosen |=
            known->second.source == ParameterSource::Declared || known->second.source == ParameterSource::CommandLine;
  // Of a loop that may stop early the bounds say how often it runs at most.
  const double stated = tripsOf(loop, sizes.realValues());
  const bool mayBeFewer = loop.mayExitEarly, isStated = open.empty() && loop.lower.constant() && loop.upper.constant();
  if (given) {
    const double wanted = double(*given);
    if (isStated && (mayBeFewer ? wanted > stated : wanted != stated))
      return llvm::createStringError(toString(loop.location) + ": the program runs this loop " +
                                     (mayBeFewer ? "at most " : "") + std::to_string(uint64_t(stated)) +
                                     " times; --iterations " + std::to_string(*given) + " contradicts it");
    return TimeSteps{wanted};
  }
  if (!open.empty()) return TimeSteps{1, true};
  if (mayBeFewer && !isChosen && stated > assumedSteps) return TimeSteps{assumedSteps, true, uint64_t(stated)};
  return TimeSteps();
}

std::optional<double> runsOf(const Root &root, const ProjectOptions &options) {
  if (options.manyRuns) return std::nullopt;
  return options.runs ? std::optional(double(*options.runs)) : root.name == "main" ? std::optional(1.0) : std::nullopt;
}

static bool computesInDoubles(const Loop &loop) {
  bool does = false;
  forEachNode(loop.body, [&](const Node &node) {
    if (const auto *operations = std::get_if<Operations>(&node.kind))
      for (const auto &[operation, count] : operations->counts)
        does |= llvm::StringRef(skeleton::toString(operation)).starts_with("fp64") && count > 0;
  });
  return does;
}

PricedRegion::PricedRegion(const brs::Region &region, llvm::ArrayRef<Machine> machines, bool wantsTerms) {
  for (const brs::Kernel &kernel : region.kernels) usesDoubles |= computesInDoubles(*kernel.loop);
  for (const Machine &machine : machines) prices.push_back(std::make_unique<KernelPrices>(machine, wantsTerms));
}

double settleTogether(llvm::ArrayRef<Machine> machines, std::optional<double> runs,
                      llvm::ArrayRef<PricedRegion *> regions) {
  double startUp = 0;
  for (size_t m = 0; m < machines.size(); ++m) {
    const double context = machines[m].gpu.contextStart;
    std::vector<RegionGain> gains;
    for (const PricedRegion *region : regions) gains.push_back(region->judges[m].gain());
    const PortedSet set = runs ? bestSet(gains, context, *runs) : PortedSet();
    PortedSet ports; // those that are told so
    for (size_t k = 0; k < regions.size(); ++k) {
      OtherRegions others;
      if (runs) {
        others.payContext = set.holdsOther(k);
        others.objects = set.objectsBut(k, gains);
        others.setPays = !others.payContext || set.gain.low > 0;
      }
      MachineAnswer &answer = regions[k]->answers[m];
      regions[k]->judges[m].settle(others, answer);
      if (regions[k]->usesDoubles && machines[m].gpu.fp64PerCycle <= 0) { // no port of it computes the same
        if (answer.verdict == Verdict::Port) answer.verdict = Verdict::Measure;
        answer.why = "its kernels compute in double precision, which " + machines[m].name +
                     " does not have: what is said of time is of single precision";
        answer.flip = answer.verdict == Verdict::Measure
                          ? "results that bear single precision, or a machine that computes in double"
                          : "";
      }
      ports.ported.push_back(answer.verdict == Verdict::Port);
    }
    if (m == 0 && runs && !ports.isEmpty()) startUp = context + startOf(ports.objectsBut(regions.size(), gains), {});
  }
  return startUp;
}

} // namespace busfare::projection
