//===- projection/Guard.cpp - The condition under which a region pays -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Guard.h"
#include "projection/JudgeTogether.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

namespace busfare::projection {
using namespace skeleton;

static std::string number(double value) {
  constexpr int64_t mostOfInt = 0x7fffffff;
  const int64_t whole = std::llround(value);
  return std::to_string(whole) + (whole > mostOfInt ? "l" : "");
}

std::string toString(const Guard &guard, llvm::function_ref<std::string(const GuardTerm &)> called) {
  std::vector<std::string> rows;
  for (const std::vector<GuardTerm> &row : guard.anyOf) {
    std::vector<std::string> terms;
    auto add = [&](std::string term) {
      if (!llvm::is_contained(terms, term)) terms.push_back(std::move(term));
    };
    for (const GuardTerm &term : row) {
      if (term.from) add(called(term) + " > " + number(std::ceil(*term.from) - 1));
      if (term.to) add(called(term) + " < " + number(std::floor(*term.to) + 1));
    }
    rows.push_back(guard.anyOf.size() > 1 && terms.size() > 1 ? "(" + llvm::join(terms, " && ") + ")"
                                                              : llvm::join(terms, " && "));
  }
  return llvm::join(rows, " || ");
}

llvm::Expected<std::vector<RegionGuard>> guardsOf(const GuardQuestion &q) {
  ProjectOptions options;
  options.runs = q.runs;
  options.manyRuns = q.manyRuns;
  const std::optional<double> runs = runsOf(q.root, options);
  const llvm::ArrayRef<Machine> machines(q.machine);
  std::vector<std::unique_ptr<PricedRegion>> regions;
  std::vector<PricedRegion *> all;
  for (const brs::Region &region : q.root.transfers.regions) {
    llvm::Expected<TimeSteps> steps = timeStepsOf(region, q.sizes, q.iterations);
    if (!steps) return steps.takeError();
    PricedRegion &priced = *regions.emplace_back(std::make_unique<PricedRegion>(region, machines, false));
    all.push_back(&priced);
    const PriceOptions priceOptions{q.threads, std::nullopt, runs};
    if (q.isAsPlanned)
      priced.mixes = mixesOf({q.program, q.root, region, q.machine, priceOptions, q.sizes.realValues(),
                              iterationsOf(region, steps->count)},
                             *priced.prices.front());
    priced.judges.emplace_back(Judgement{q.program, q.root, region, q.sizes, q.machine, priceOptions, steps->count,
                                         steps->isAssumed, priced.mixes, *priced.prices.front()});
    priced.answers.push_back(priced.judges.front().price());
  }
  settleTogether(machines, runs, all);
  std::vector<RegionGuard> guards;
  for (const auto &[region, priced] : llvm::zip_equal(q.root.transfers.regions, regions)) {
    RegionGuard &one = guards.emplace_back();
    const Judge &judge = priced->judges.front();
    for (const brs::Kernel &kernel : region.kernels)
      if (!judge.plan() || !judge.plan()->kept.count(kernel.loop)) one.kernels.insert(kernel.loop);
    if (judge.plan()) one.moved = judge.plan()->moved;
    one.guard = judge.guard(priced->answers.front());
  }
  return guards;
}

} // namespace busfare::projection
