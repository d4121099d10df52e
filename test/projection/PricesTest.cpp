//===- test/projection/PricesTest.cpp - Answers at other settings ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Prices.h"
#include "projection/Link.h"
#include "projection/Project.h"
#include "skeleton/Parse.h"
#include "gtest/gtest.h"

using namespace busfare;
using namespace busfare::projection;

namespace {

const char *const steps = R"(skeleton 1
unit "steps.c"
function f(param n, param m, param steps, array u, array v, array w) at 1:1 {
  array u : f32[n] parameter restrict
  array v : f32[n] parameter restrict
  array w : f64[m] parameter restrict
  for t = 0 .. steps - 1 at 2:3 {
    for i = 1 .. n - 2 at 3:5 { read u[i - 1] read u[i] read u[i + 1] ops fp32.add 40 fp32.mul 40 write v[i] }
    rotate u <- v, v <- u
  }
  host io "printf" at 5:3 { }
  for k = 0 .. m - 1 at 6:3 { read w[k] ops fp64.add 1 write w[k] }
}
)";

Report reportOf(const ProjectOptions &options) {
  auto program = llvm::cantFail(skeleton::parse(steps, "t.skel"));
  return llvm::cantFail(project(program, options));
}

ProjectOptions onTwo() {
  ProjectOptions options;
  options.machines = {llvm::cantFail(loadMachine("a100-pcie4")), llvm::cantFail(loadMachine("v100-pcie3"))};
  return options;
}

/// A projection with what the setting would say on the command line.
Report reportAt(const PriceTable &table, const PricedSetting &setting) {
  ProjectOptions options = onTwo();
  options.parameters = table.sizes[setting.size].parameters;
  options.iterations = table.steps[setting.steps];
  options.runs = table.runs[setting.runs].runs;
  options.manyRuns = table.runs[setting.runs].isMany;
  return reportOf(options);
}

TEST(Prices, AreThoseOfAProjection) {
  ProjectOptions options = onTwo();
  options.pricesFor = 1;
  const Report report = reportOf(options);
  ASSERT_EQ(report.prices.size(), 1u);
  const PriceTable &table = *report.prices.front();
  ASSERT_EQ(table.regions.size(), report.regions.size());
  ASSERT_EQ(table.machines.size(), 6u);
  EXPECT_GT(table.settings.size(), 60u);
  size_t compared = 0;
  for (size_t at = 0; at < table.settings.size(); at += 1 + table.settings.size() / 40) {
    const PricedSetting &setting = table.settings[at];
    const Report asked = reportAt(table, setting);
    for (size_t k = 0; k < asked.regions.size(); ++k)
      for (size_t m = 0; m < 2; ++m) {
        const MachineAnswer &answer = asked.regions[k].on[m].second;
        const PricedAnswer &priced = setting.answers[k * table.machines.size() + m];
        EXPECT_DOUBLE_EQ(priced.speedup.value, answer.speedup.with.value);
        EXPECT_DOUBLE_EQ(priced.speedup.low, answer.speedup.with.low);
        EXPECT_DOUBLE_EQ(priced.gain.value, answer.gain.value);
        EXPECT_DOUBLE_EQ(priced.time.total, answer.time.total);
        EXPECT_EQ(priced.verdict, answer.verdict);
        EXPECT_EQ(priced.flip, answer.flip);
        ++compared;
      }
  }
  EXPECT_GT(compared, 70u);
}

TEST(Prices, TheFirstSettingIsTheReport) {
  ProjectOptions options = onTwo();
  options.pricesFor = 1;
  const Report report = reportOf(options);
  const PriceTable &table = *report.prices.front();
  const PricedSetting &first = table.settings.front();
  EXPECT_EQ(first.size + first.steps + first.runs, 0u);
  for (size_t k = 0; k < report.regions.size(); ++k)
    EXPECT_DOUBLE_EQ(first.answers[k * table.machines.size()].time.total, report.regions[k].on[0].second.time.total);
}

TEST(Prices, StepsOfTheTimeLoopAreNoSize) {
  ProjectOptions options = onTwo();
  options.pricesFor = 1;
  const Report report = reportOf(options);
  for (const SizeStop &size : report.prices.front()->sizes)
    for (const auto &[name, value] : size.parameters) EXPECT_NE(name, "f::steps");
}

TEST(Prices, ManyTablesShareTheirLimits) {
  ProjectOptions options = onTwo();
  options.pricesFor = 1000;
  const Report report = reportOf(options);
  const PriceTable &table = *report.prices.front();
  EXPECT_LE(table.settings.size(), 8u);
  EXPECT_GE(table.settings.size(), 4u);
  EXPECT_EQ(table.machines.size(), 2u);
}

/// Twice the bandwidth halves what bytes take, and leaves the latency.
TEST(Prices, ALinkIsScaledWithoutItsLatency) {
  Machine machine = llvm::cantFail(loadMachine("v100-pcie3"));
  const Machine twice = withLink(machine, 2);
  for (double bytes : {1e6, 1e8}) {
    const double once = transferTime(machine.link, Direction::ToDevice, HostMemory::Pinned, bytes),
                 fast = transferTime(twice.link, Direction::ToDevice, HostMemory::Pinned, bytes);
    EXPECT_LT(fast, once * 0.65);
    EXPECT_GT(fast, once * 0.49);
  }
}

TEST(Prices, ATimelineAddsUpToTheParts) {
  ProjectOptions options = onTwo();
  options.pricesFor = 1;
  const Report report = reportOf(options);
  ASSERT_EQ(report.prices.front()->timelines.size(), 2 * report.regions.size());
  const PlanTimeline &timeline = report.prices.front()->timelines.front();
  const MachineAnswer &answer = report.regions[0].on[0].second;
  std::map<std::string, double> seconds;
  for (const PlannedStep &step : timeline.before) seconds[step.engine] += step.end - step.start;
  EXPECT_NEAR(seconds["h2d"], answer.time.h2d, 1e-12);
  EXPECT_NEAR(seconds["d2h"], answer.time.d2h, 1e-12);
  EXPECT_NEAR(seconds["kernel"], answer.time.kernel, 1e-9 * answer.time.kernel);
}

} // namespace
