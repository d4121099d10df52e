//===- test/projection/PlanTest.cpp - Which strategy, and why --------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Plan.h"
#include "Near.h"
#include "projection/Papers.h"
#include "projection/Price.h"
#include "skeleton/Parse.h"
#include "gtest/gtest.h"
#include <random>

using namespace busfare;
using namespace busfare::projection;

namespace {

std::string statusOf(const PlanReport &plan, llvm::StringRef strategy) {
  for (const StrategyReport &other : plan.alternatives)
    if (other.strategy == strategy) return other.whyNot.empty() ? "priced" : other.whyNot;
  return "not there";
}

/// Van Werkhoven's Table VII from the programs' own sections: bytes, levels, re-reads and kernel times are all ours.
TEST(Plan, ClassesOfStateAndBuoydiffFollowFromTheirSections) {
  constexpr uint64_t variable = 1024ull * 1024 * 42 * 8;
  const std::pair<const char *, const char *> published[] = {
      {"gtx680-pcie2", "hybrid"}, {"gtx-titan-pcie3", "hybrid"}, {"k20-pcie2", "streams"}};
  for (const auto &[machine, ofBuoydiff] : published) {
    SCOPED_TRACE(machine);
    RegionReport state = llvm::cantFail(werkhovenRegion("state", machine)),
                 buoydiff = llvm::cantFail(werkhovenRegion("buoydiff", machine));
    EXPECT_EQ(state.h2dBytes, 2 * variable);
    EXPECT_EQ(state.d2hBytes, 3 * variable);
    EXPECT_EQ(buoydiff.h2dBytes, 2 * variable);
    EXPECT_EQ(buoydiff.d2hBytes, 2 * variable);
    EXPECT_EQ(state.chunks.whyNot, "");
    EXPECT_EQ(state.chunks.needs, "[k:k:1]");
    EXPECT_EQ(state.chunks.backWaits, "[k:k:1]");
    EXPECT_EQ(buoydiff.chunks.needs, "[0:0:1] u [k-1:k:1]");
    EXPECT_EQ(buoydiff.chunks.backWaits, "[k-1:k:1]");
    const PlanReport &ofState = state.on.front().second.plan, &planned = buoydiff.on.front().second.plan;
    EXPECT_EQ(ofState.strategy, "mapped") << ofState.because;
    EXPECT_EQ(planned.strategy, ofBuoydiff) << planned.because;
    EXPECT_EQ(statusOf(ofState, "streams"), "priced");
    EXPECT_EQ(statusOf(ofState, "hybrid"), "priced");
    EXPECT_EQ(statusOf(planned, "mapped"), "priced");
    EXPECT_NE(planned.because.find("3.0 times"), std::string::npos) << planned.because;
    EXPECT_LE(planned.streams, 42u);
    EXPECT_GE(planned.streams, 2u);
  }
}

TEST(Plan, BoundsHoldForWhateverIsAsked) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> exponent(2, 10), share(0, 1);
  unsigned overlapped = 0;
  for (const std::string &name : builtinMachineNames()) {
    Machine machine = llvm::cantFail(loadMachine(name));
    for (int round = 0; round < 300; ++round) {
      PlanQuestion q;
      auto fill = [&](PlannedWay &way, Direction direction) {
        way.bytes = std::pow(10, exponent(random));
        way.copies = 1 + std::floor(3 * share(random));
        way.time = transferTime(machine.link, direction, HostMemory::Pinned, way.bytes, way.copies);
        way.pageableTime = transferTime(machine.link, direction, HostMemory::Pageable, way.bytes, way.copies);
        way.whole = share(random) < 0.5 ? 0 : share(random) * way.bytes;
        way.accessedBytes = way.bytes * (share(random) < 0.5 ? 1 : 1 + 4 * share(random));
      };
      fill(q.in, Direction::ToDevice);
      fill(q.out, Direction::ToHost);
      q.kernels = machine.gpu.launchLatency + (q.in.time + q.out.time) * std::pow(10, 4 * share(random) - 2);
      q.runsOnce = true;
      q.mostChunks = std::floor(std::pow(10, 3 * share(random)));
      q.isRegular = share(random) < 0.7;
      q.comesBothWays = share(random) < 0.3;
      Plan plan = planOf(machine, q);
      EXPECT_LE(plan.best.time, plan.explicitTime());
      EXPECT_LE(plan.best.time, plan.zeroOverlap);
      for (const PricedStrategy &priced : plan.priced) {
        EXPECT_GE(priced.time, plan.fullOverlap * (1 - 1e-9)) << name << ", " << toString(priced.strategy).str();
        EXPECT_LE(plan.best.time, priced.time);
      }
      EXPECT_FALSE(reasonOf(plan, machine, q).empty());
      if (plan.best.strategy != Strategy::Explicit) EXPECT_EQ(plan.memory, HostMemory::Pinned);
      overlapped += plan.best.strategy != Strategy::Explicit;
      // More bytes, at the same time a byte, are never faster; nor is a longer kernel, or more that cannot be shared
      // out.
      PlanQuestion more = q;
      for (double PlannedWay::*part : {&PlannedWay::bytes, &PlannedWay::whole, &PlannedWay::accessedBytes})
        more.in.*part *= 1.5;
      more.in.time = transferTime(machine.link, Direction::ToDevice, HostMemory::Pinned, more.in.bytes, more.in.copies);
      more.in.pageableTime = std::max(more.in.time, 1.5 * q.in.pageableTime);
      EXPECT_GE(planOf(machine, more).best.time, plan.best.time * (1 - 1e-3)) << name;
      more = q;
      more.kernels *= 1.5;
      EXPECT_GE(planOf(machine, more).best.time, plan.best.time * (1 - 1e-9)) << name;
      more = q;
      more.in.whole = q.in.bytes;
      EXPECT_GE(planOf(machine, more).best.time, plan.best.time * (1 - 1e-9)) << name;
    }
  }
  EXPECT_GT(overlapped, 100u);
}

/// With one stream an equation is explicit copies: chunks begin from the same figure.
TEST(Plan, WhatCannotBeSharedOutGainsNothing) {
  Machine machine = llvm::cantFail(loadMachine("k20-pcie2"));
  PlanQuestion q;
  q.in.bytes = q.in.whole = q.in.accessedBytes = 1e9;
  q.in.copies = 1;
  q.in.time = transferTime(machine.link, Direction::ToDevice, HostMemory::Pinned, 1e9);
  q.in.pageableTime = 2 * q.in.time;
  q.kernels = q.in.time;
  q.runsOnce = true;
  q.mostChunks = 64;
  Plan plan = planOf(machine, q);
  EXPECT_EQ(plan.best.strategy, Strategy::Explicit);
  EXPECT_EQ(plan.memory, HostMemory::Pinned);
  q.in.whole = 0;
  plan = planOf(machine, q);
  EXPECT_EQ(plan.best.strategy, Strategy::Streams);
  EXPECT_LT(plan.best.time, 0.6 * plan.explicitTime());
  EXPECT_EQ(plan.whyNotMapped, "neighbouring threads do not reach for neighbouring elements");
  q.runsOnce = false;
  plan = planOf(machine, q);
  EXPECT_EQ(plan.best.strategy, Strategy::Explicit);
  EXPECT_EQ(reasonOf(plan, machine, q), "the region's kernels do not run once between its copies");
}

TEST(Plan, PageableMemoryWhereItIsFaster) {
  Machine machine = llvm::cantFail(loadMachine("k20-pcie2"));
  PlanQuestion q;
  q.in = {2e-5, 1e-5, 100, 1, 0, 100};
  q.kernels = 1e-5;
  Plan plan = planOf(machine, q);
  EXPECT_EQ(plan.memory, HostMemory::Pageable);
  EXPECT_DOUBLE_EQ(plan.best.time, 2e-5);
}

/// The only region of `f` at sizes, on a machine.
RegionCost costOf(const char *function, const char *machineName, const skeleton::RealValues &values,
                  std::string *because = nullptr) {
  skeleton::Program program =
      llvm::cantFail(skeleton::parse("skeleton 1\nunit \"t.c\"\n" + std::string(function), "t.skel"));
  std::unique_ptr<Root> root = llvm::cantFail(analyseRoot(program, "f", Depth::Transfers));
  Machine machine = llvm::cantFail(loadMachine(machineName));
  PriceOptions options;
  KernelPrices prices(machine, false);
  RegionCost cost = RegionPricer(*root, root->transfers.regions.at(0), machine, options, prices).at(values, {});
  if (because) *because = root->chunks.at(&root->transfers.regions[0]).kernel.whyNot;
  return cost;
}

/// Two kernels, the first of which leaves what the second needs: chunk by chunk one behind the other.
TEST(Plan, OfChains) {
  const char *chain = R"(
function f(param n, param m, array a, array b) {
  array a : f64[n][m] parameter const restrict
  array b : f64[n][m] parameter restrict
  array t : f64[n][m] local
  for i = 0 .. n - 1 { for j = 0 .. m - 1 { read a[i][j] ops fp64.fma 400 write t[i][j] } }
  for i.2 = 0 .. n - 1 { for j.2 = 0 .. m - 1 { read t[i.2][j.2] ops fp64.fma 400 write b[i.2][j.2] } }
})";
  std::string because;
  RegionCost cost = costOf(chain, "a100-pcie4", {{"n", 4096}, {"m", 8192}}, &because);
  EXPECT_EQ(because, "");
  EXPECT_TRUE(cost.planned.runsOnce);
  EXPECT_EQ(cost.planned.launches, 2);
  EXPECT_DOUBLE_EQ(cost.planned.in.whole, 0);
  EXPECT_DOUBLE_EQ(cost.planned.out.whole, 0);
  ASSERT_EQ(cost.perKernel.size(), 2u);
  EXPECT_NEAR(cost.planned.kernels, cost.perKernel[0].time + cost.perKernel[1].time, 1e-12);
  // Mapped memory is as good here: each element crosses once.
  double streamed = 0;
  for (const PricedStrategy &priced : cost.plan.priced)
    if (priced.strategy == Strategy::Streams) streamed = priced.time;
  EXPECT_GT(streamed, cost.planned.kernels);
  EXPECT_LT(streamed, 0.8 * cost.plan.explicitTime());
  EXPECT_LE(cost.plan.best.time, streamed);
}

/// Each further stream launches every kernel of the chain again.
TEST(Plan, StreamsOfAChainPayALaunchAKernel) {
  Machine machine = llvm::cantFail(loadMachine("k20-pcie2"));
  PlanQuestion q;
  q.in.bytes = q.in.accessedBytes = 1e8;
  q.in.copies = 1;
  q.in.time = transferTime(machine.link, Direction::ToDevice, HostMemory::Pinned, 1e8);
  q.in.pageableTime = 2 * q.in.time;
  q.kernels = q.in.time;
  q.runsOnce = true;
  q.mostChunks = 1000;
  Plan one = planOf(machine, q);
  q.launches = 8;
  Plan eight = planOf(machine, q);
  EXPECT_LT(one.best.time, eight.best.time);
  EXPECT_LT(eight.best.streams, one.best.streams);
}

TEST(Plan, OfRegions) {
  const char *product = R"(
function f(param n, array a, array b, array c) {
  array a : f64[n][n] parameter const restrict
  array b : f64[n][n] parameter const restrict
  array c : f64[n][n] parameter restrict
  for i = 0 .. n - 1 { for j = 0 .. n - 1 { for k = 0 .. n - 1 { read a[i][k] read b[k][j] ops fp64.fma 1 } write c[i][j] } }
})";
  RegionCost cost = costOf(product, "a100-pcie4", {{"n", 8192}});
  EXPECT_TRUE(cost.planned.runsOnce);
  double matrix = 8192.0 * 8192 * 8;
  // b goes whole; a and c in rows.
  EXPECT_DOUBLE_EQ(cost.planned.in.whole, matrix);
  EXPECT_DOUBLE_EQ(cost.planned.out.whole, 0);
  EXPECT_EQ(cost.plan.best.strategy, Strategy::Streams);
  EXPECT_LT(cost.total(), cost.explicitTotal());
  // Each thread loads rows and columns again.
  EXPECT_GT(cost.planned.in.accessedBytes, 1000 * matrix);

  const char *stencil = R"(
function f(param n, param m, array a, array b) {
  array a : f64[n][m] parameter const restrict
  array b : f64[n][m] parameter restrict
  for i = 1 .. n - 2 { for j = 1 .. m - 2 { read a[i - 1][j] read a[i + 1][j] read a[i][j] ops fp64.add 2 write b[i][j] } }
})";
  cost = costOf(stencil, "a100-pcie4", {{"n", 1002}, {"m", 1000}});
  // The first row of 1000 needs three rows: two more than its share, of 1002 in all.
  EXPECT_NEAR(cost.planned.in.whole / cost.planned.in.bytes, (3 - 1.002) / 1002, 1e-9);
  EXPECT_NEAR(cost.planned.out.whole, 0, 1e-6);
  EXPECT_EQ(cost.planned.in.accessedBytes, 3 * 8 * 1000.0 * 998);

  const char *timeLoop = R"(
function f(param n, param steps, array a) {
  array a : f64[n] parameter
  for t = 0 .. steps - 1 { for i = 0 .. n - 1 { read a[i] ops fp64.add 1 write a[i] } }
})";
  std::string because;
  cost = costOf(timeLoop, "a100-pcie4", {{"n", 1e8}, {"steps", 1}}, &because);
  EXPECT_EQ(cost.plan.best.strategy, Strategy::Explicit);
  EXPECT_EQ(because, "the kernel is launched again and again on data that stays on the device");
}

TEST(Plan, NeverSlowerThanExplicitAtAnySize) {
  const char *function = R"(
function f(param n, param m, array a, array b, array c) {
  array a : f64[n][m] parameter const restrict
  array b : f64[n][m] parameter const restrict
  array c : f64[n][m] parameter restrict
  for i = 0 .. n - 1 { for j = 0 .. m - 1 { read a[i][j] read b[i][j] ops fp64.add 1 write c[i][j] } }
})";
  for (const char *machine : {"fx5600-pcie1", "gtx680-pcie2", "k20-pcie2", "a100-pcie4", "gh200-c2c"}) {
    double before = 0;
    for (double n : {1.0, 3.0, 30.0, 1000.0, 4096.0, 20000.0}) {
      RegionCost cost = costOf(function, machine, {{"n", n}, {"m", 1000}});
      EXPECT_LE(cost.total(), cost.explicitTotal()) << machine;
      EXPECT_GE(cost.total(), cost.plan.fullOverlap) << machine;
      EXPECT_GE(cost.total(), before * (1 - 1e-9)) << machine << ", " << n;
      before = cost.total();
    }
  }
  // A device that copies while it computes gains; one that does not has no choice.
  EXPECT_NE(costOf(function, "a100-pcie4", {{"n", 20000}, {"m", 1000}}).plan.best.strategy, Strategy::Explicit);
  EXPECT_EQ(costOf(function, "fx5600-pcie1", {{"n", 20000}, {"m", 1000}}).plan.best.strategy, Strategy::Explicit);
}

} // namespace
