//===- test/projection/ProjectTest.cpp - From skeleton text to a report ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Project.h"
#include "skeleton/Parse.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace busfare;
using namespace busfare::projection;

namespace {

const char *add = R"(skeleton 1
unit "add.c"
function add(param n, array a, array b, array c) at 1:1 {
  array a : f32[n] parameter const restrict
  array b : f32[n] parameter const restrict
  array c : f32[n] parameter restrict
  for i = 0 .. n - 1 at 2:3 { read a[i] read b[i] ops fp32.add 1 write c[i] }
}
)";

const char *steps = R"(skeleton 1
unit "steps.c"
function f(param n, param steps, array u, array v) at 1:1 {
  array u : f32[n] parameter restrict
  array v : f32[n] parameter restrict
  for t = 0 .. steps - 1 at 2:3 {
    for i = 1 .. n - 2 at 3:5 { read u[i - 1] read u[i] read u[i + 1] ops fp32.add 40 fp32.mul 40 write v[i] }
    rotate u <- v, v <- u
  }
}
)";

llvm::Expected<Report> reportOf(llvm::StringRef text, ProjectOptions options) {
  auto program = skeleton::parse(text, "t.skel");
  if (!program) return program.takeError();
  if (options.machines.empty()) options.machines.push_back(llvm::cantFail(loadMachine("fx5600-pcie1")));
  return project(*program, options);
}

ProjectOptions with(std::vector<std::pair<std::string, int64_t>> parameters) {
  ProjectOptions options;
  options.parameters = std::move(parameters);
  return options;
}

std::string errorOf(llvm::Expected<Report> report) { return report ? "" : llvm::toString(report.takeError()); }

TEST(Project, VectorAdditionIsKept) {
  auto report = reportOf(add, with({{"n", 16 << 20}}));
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  ASSERT_EQ(report->regions.size(), 1u);
  const RegionReport &region = report->regions[0];
  EXPECT_EQ(region.h2dBytes, 2u * 4 * (16 << 20));
  EXPECT_EQ(region.d2hBytes, 4u * (16 << 20));
  EXPECT_EQ(region.on[0].second.verdict, Verdict::Keep);
  EXPECT_LT(region.on[0].second.speedup.with.value, 1);
  EXPECT_GT(region.on[0].second.speedup.kernelOnly, 1);
}

/// Is the sum over j inside the kernel over i one that a block may share?
bool addsUp(const std::string &sum) {
  std::string text = R"(skeleton 1
unit "sum.c"
function f(param n, array a, array y) at 1:1 {
  array a : f64[n][n] parameter const restrict
  array y : f64[n] parameter restrict
  array s : f64 local
  for i = 0 .. n - 1 at 2:3 { for j = 0 .. n - 1 at 3:5 { read a[i][j] ops fp64.add 1 )" +
                     sum + R"( } }
}
)";
  ProjectOptions options = with({{"n", 4096}});
  options.machines.push_back(llvm::cantFail(loadMachine("a100-pcie4")));
  auto report = reportOf(text, options);
  EXPECT_TRUE(bool(report)) << llvm::toString(report.takeError());
  EXPECT_EQ(report->regions.size(), 1u);
  return report->regions[0].on[0].second.kernels[0].addsUp;
}

TEST(Project, BlocksAddUpElementsOfTheirOwn) {
  EXPECT_TRUE(addsUp("update y[i] +"));
  EXPECT_FALSE(addsUp("update s +"));    // of all iterations
  EXPECT_FALSE(addsUp("update y[j] +")); // another element each
}

TEST(Project, WhatDirectivesWouldMakeIsSaid) {
  auto believedOf = [](const std::string &directive, const std::string &subscript) {
    std::string text = R"(skeleton 1
unit "scatter.c"
function f(param n, array to, array a, array b) at 1:1 {
  array to : i32[n] parameter const restrict
  array a : f64[n] parameter restrict
  array b : f64[n] parameter const restrict
  for i = 0 .. n - 1 at 3:3 omp()" +
                       directive + R"() { read to[i] read b[i] write a[)" + subscript + R"(] }
}
)";
    auto report = reportOf(text, with({{"n", 1 << 20}}));
    EXPECT_TRUE(bool(report)) << llvm::toString(report.takeError());
    return report->believed;
  };
  std::vector<BelievedReport> believed = believedOf("parallel for", "?");
  ASSERT_EQ(believed.size(), 1u);
  EXPECT_EQ(believed[0].root, "f");
  ASSERT_EQ(believed[0].directives.size(), 1u);
  EXPECT_EQ(believed[0].directives[0].line, 3u);
  ASSERT_EQ(believed[0].regions.size(), 1u);
  EXPECT_EQ(believed[0].regions[0].on[0].second.kernels.size(), 1u);
  EXPECT_TRUE(believedOf("parallel for", "i").empty());            // proved
  EXPECT_TRUE(believedOf("parallel for", "floor(i / 2)").empty()); // refuted
  EXPECT_TRUE(believedOf("parallel for ordered", "?").empty());    // not claimed
}

TEST(Project, PartsSumToTheTotal) {
  auto report = reportOf(steps, with({{"n", 1 << 20}, {"steps", 50}}));
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  for (const RegionReport &region : report->regions) {
    uint64_t in = 0, out = 0;
    for (const ArrayReport &array : region.arrays)
      for (const auto *direction : {&array.h2d, &array.d2h})
        if (*direction) {
          uint64_t sum = 0;
          for (const CrossingReport &crossing : (*direction)->crossings) sum += crossing.bytes * crossing.count;
          EXPECT_EQ(sum, (*direction)->bytes * (*direction)->count);
          (direction == &array.h2d ? in : out) += sum;
        }
    EXPECT_EQ(in, region.h2dBytes);
    EXPECT_EQ(out, region.d2hBytes);
    const TimeReport &time = region.on[0].second.time;
    EXPECT_NEAR(time.total, time.kernel + time.h2d + time.d2h + time.host, 1e-12);
    EXPECT_LE(region.on[0].second.speedup.with.low, region.on[0].second.speedup.with.value);
    EXPECT_GE(region.on[0].second.speedup.with.high, region.on[0].second.speedup.with.value);
  }
}

TEST(Project, SpeedupGrowsTowardsItsLimit) {
  double before = 0;
  uint64_t h2d = 0;
  for (uint64_t count : {1, 10, 100, 10000}) {
    ProjectOptions options = with({{"n", 1 << 20}, {"steps", int64_t(count)}});
    auto report = reportOf(steps, options);
    ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
    const RegionReport &region = report->regions.at(0);
    const MachineAnswer &answer = region.on[0].second;
    EXPECT_GT(answer.speedup.with.value, before);
    EXPECT_LE(answer.speedup.with.value, answer.iterations.limitSpeedup * 1.001);
    EXPECT_EQ(answer.iterations.count, count);
    if (h2d) {
      EXPECT_EQ(region.h2dBytes, h2d) << "resident data crosses once";
    }
    h2d = region.h2dBytes;
    before = answer.speedup.with.value;
  }
}

TEST(Project, BreakEvenIsTheFirstCountThatPays) {
  ProjectOptions once = with({{"n", 1 << 20}, {"steps", 5}});
  once.runs = 1;
  auto report = reportOf(steps, once);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  auto breakEven = report->regions.at(0).on[0].second.iterations.breakEven;
  ASSERT_TRUE(breakEven.has_value());
  auto gain = [&](uint64_t count) {
    ProjectOptions there = with({{"n", 1 << 20}, {"steps", int64_t(count)}});
    there.runs = 1;
    auto at = reportOf(steps, there);
    EXPECT_TRUE(bool(at));
    const MachineAnswer &answer = at->regions.at(0).on[0].second;
    EXPECT_NEAR(answer.gain.value,
                std::min(answer.time.cpu, answer.time.cpuAllCores) - answer.time.total - answer.time.startup, 1e-9);
    return answer.gain.value;
  };
  EXPECT_GT(gain(*breakEven + 1), 0);
  EXPECT_LT(gain(*breakEven - 1), 0);
}

/// Each threshold holds on both sides of it, and the verdict is that of the gain.
TEST(Project, PaysOffWhereItSays) {
  for (std::optional<uint64_t> runs :
       {std::optional<uint64_t>(), std::optional<uint64_t>(1), std::optional<uint64_t>(1000)})
    for (int64_t n : {1000, 100000, 4000000}) {
      auto answerAt = [&](int64_t size) {
        ProjectOptions options = with({{"n", size}, {"steps", 20}});
        options.runs = runs;
        auto report = reportOf(steps, options);
        EXPECT_TRUE(bool(report));
        return report->regions.at(0).on[0].second;
      };
      const MachineAnswer answer = answerAt(n);
      const double each = std::min(answer.time.cpu, answer.time.cpuAllCores) - answer.time.total;
      EXPECT_NEAR(answer.gain.value, runs ? double(*runs) * each - answer.time.startup : each,
                  1e-9 * std::abs(each) + 1e-12);
      EXPECT_EQ(answer.runs, runs);
      if (answer.verdict == Verdict::Port) EXPECT_GT(answer.gain.low, 0);
      if (answer.verdict == Verdict::Keep) EXPECT_LT(answer.gain.high, 0);
      const auto found = llvm::find_if(answer.paysOff, [](const PaysOff &one) { return one.size == "f::n"; });
      ASSERT_NE(found, answer.paysOff.end());
      const PaysOff &pays = *found;
      bool isInside = false;
      for (const auto &[from, to] : pays.intervals) {
        isInside |= (!from || *from <= double(n)) && (!to || double(n) <= *to);
        if (from) {
          EXPECT_GT(answerAt(int64_t(*from)).gain.value, 0) << *from;
          EXPECT_LE(answerAt(int64_t(*from) - 1).gain.value, 0) << *from;
        }
        if (to) {
          EXPECT_GT(answerAt(int64_t(*to)).gain.value, 0) << *to;
          EXPECT_LE(answerAt(int64_t(*to) + 1).gain.value, 0) << *to;
        }
      }
      EXPECT_EQ(isInside, answer.gain.value > 0);
    }
}

TEST(Project, AssumedSizesAreSaid) {
  auto report = reportOf(steps, {});
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  const RegionReport &region = report->regions.at(0);
  EXPECT_EQ(region.parameters.at("f::n").value, 1024);
  EXPECT_EQ(region.parameters.at("f::n").source, ParameterSource::Assumed);
  EXPECT_EQ(region.on[0].second.iterations.count, 1u);
  EXPECT_TRUE(region.on[0].second.iterations.assumed);
  bool size = false, iterations = false;
  for (const skeleton::Finding &finding : report->findings) {
    size |= finding.rule == skeleton::Rule::AssumedSize;
    iterations |= finding.rule == skeleton::Rule::AssumedIterations;
  }
  EXPECT_TRUE(size && iterations);
  ProjectOptions strict;
  strict.strict = true;
  EXPECT_NE(errorOf(reportOf(steps, strict)).find("--strict"), std::string::npos);
}

std::string replaced(std::string text, llvm::StringRef from, llvm::StringRef to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from.str();
  return text.replace(at, from.size(), to);
}

TEST(Project, HintsOfASkeletonCount) {
  std::string hinted = replaced(steps, "array v) at 1:1 {", "array v) at 1:1 hints(size(n = 5000) ignore(BF008)) {");
  auto report = reportOf(hinted, {});
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  EXPECT_EQ(report->regions.at(0).parameters.at("f::n").value, 5000);
  EXPECT_EQ(report->regions.at(0).parameters.at("f::n").source, ParameterSource::Hint);
  for (const skeleton::Finding &finding : report->findings) EXPECT_NE(finding.rule, skeleton::Rule::AssumedSize);
  auto given = reportOf(hinted, with({{"n", 7000}}));
  ASSERT_TRUE(bool(given)) << llvm::toString(given.takeError());
  EXPECT_EQ(given->regions.at(0).parameters.at("f::n").value, 7000);
}

TEST(Project, IgnoredRulesAreSilent) {
  std::string serial = replaced(add, "write c[i]", "read c[i - 1] write c[i]");
  auto mentions = [](const Report &report) {
    for (const skeleton::Finding &finding : report.findings)
      if (finding.rule == skeleton::Rule::NotParallel) return true;
    return false;
  };
  auto loud = reportOf(serial, {}),
       silent = reportOf(replaced(serial, ") at 1:1 {", ") at 1:1 hints(ignore(BF007)) {"), {});
  ASSERT_TRUE(bool(loud) && bool(silent));
  EXPECT_TRUE(mentions(*loud));
  EXPECT_FALSE(mentions(*silent));
}

TEST(Project, AMarkedLoopIsATimeLoopThoughItsIndexIsUsed) {
  std::string used = replaced(steps, "{ read u[i - 1]", "{ read u[i + t] read u[i - 1]");
  auto plain = reportOf(used, with({{"n", 4096}, {"steps", 9}}));
  auto marked =
      reportOf(replaced(used, "steps - 1 at 2:3", "steps - 1 at 2:3 time"), with({{"n", 4096}, {"steps", 9}}));
  ASSERT_TRUE(bool(plain)) << llvm::toString(plain.takeError());
  ASSERT_TRUE(bool(marked)) << llvm::toString(marked.takeError());
  EXPECT_EQ(plain->regions.at(0).on[0].second.iterations.loop, "");
  EXPECT_EQ(marked->regions.at(0).on[0].second.iterations.count, 9u);
}

TEST(Project, ParametersThatDoNotExist) {
  std::string message = errorOf(reportOf(add, with({{"rows", 4}})));
  EXPECT_EQ(message, "--param rows: no size of this name; there are add::n");
  EXPECT_EQ(errorOf(reportOf(add, with({{"add::n", 4}}))), "");
  EXPECT_NE(errorOf(reportOf(add, with({{"sub::n", 4}}))), "");
  ProjectOptions options;
  options.functions = {"subtract"};
  EXPECT_EQ(errorOf(reportOf(add, options)), "no function 'subtract' in the program; there are add");
}

TEST(Project, MeasuredCpuTimeReplacesTheModel) {
  ProjectOptions options = with({{"n", 16 << 20}});
  options.cpuTimes = {{"add.c:2:add", 5.0}};
  auto report = reportOf(add, options);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  const MachineAnswer &answer = report->regions.at(0).on[0].second;
  EXPECT_EQ(answer.time.cpu, 5.0);
  EXPECT_TRUE(answer.time.cpuMeasured);
  EXPECT_EQ(answer.verdict, Verdict::Port);
  // All cores were not measured: they gain over the measured time what they gain over the modelled one, and are as
  // uncertain.
  auto modelled = reportOf(add, with({{"n", 16 << 20}}));
  ASSERT_TRUE(bool(modelled));
  const TimeReport &model = modelled->regions.at(0).on[0].second.time;
  ASSERT_LT(model.cpuAllCores, model.cpu);
  EXPECT_NEAR(answer.time.cpuAllCores, 5.0 * model.cpuAllCores / model.cpu, 1e-12);
  EXPECT_NEAR(answer.speedup.with.value, answer.time.cpuAllCores / answer.time.total, 1e-9);
  EXPECT_GT(answer.speedup.with.high, answer.speedup.with.value * 1.3);
}

TEST(Project, WhatStaysOnTheHostIsMeasuredWithTheRest) {
  const char *mixed = R"(skeleton 1
unit "mixed.c"
function f(param n, param steps, array u) at 1:1 {
  array u : f32[n] parameter restrict
  for t = 0 .. steps - 1 at 2:3 {
    for i = 0 .. n - 1 at 3:5 { read u[i] ops fp32.add 40 write u[i] }
    for k = 1 .. 999 at 4:5 { read u[k - 1] read u[k] ops fp32.add 40 write u[k] }
  }
}
)";
  ProjectOptions options = with({{"n", 1 << 20}, {"steps", 10}});
  auto modelled = reportOf(mixed, options);
  ASSERT_TRUE(bool(modelled)) << llvm::toString(modelled.takeError());
  const TimeReport &model = modelled->regions.at(0).on[0].second.time;
  ASSERT_GT(model.host, 0);
  options.cpuTimes = {{"mixed.c:2:f", 3 * model.cpu}};
  auto measured = reportOf(mixed, options);
  ASSERT_TRUE(bool(measured)) << llvm::toString(measured.takeError());
  const TimeReport &time = measured->regions.at(0).on[0].second.time;
  ASSERT_TRUE(time.cpuMeasured);
  // The same machine runs the same statements in both: three times as slow as modelled, too. The device's kernels are
  // not.
  EXPECT_NEAR(time.host, 3 * model.host, 1e-9 * time.host);
  EXPECT_DOUBLE_EQ(time.kernel, model.kernel);
}

TEST(Project, MoreDataIsNeverFaster) {
  double before = 0;
  for (int64_t n = 1000; n < 100000000; n *= 7) {
    auto report = reportOf(add, with({{"n", n}}));
    ASSERT_TRUE(bool(report));
    double total = report->regions.at(0).on[0].second.time.total;
    EXPECT_GT(total, before);
    before = total;
  }
}

const char *halo = R"(skeleton 1
unit "halo.c"
function halo(param lo, param hi, param n, array a, array b) at 1:1 {
  array a : f64[?] parameter restrict
  array b : f64[?] parameter restrict
  for i = 0 .. n - 1 at 2:3 {
    for j = lo - 2 .. hi + 2 at 3:5 { read a[hi*i + 4*i + j - lo + 2] ops fp64.add 1 write b[hi*i + 4*i + j - lo + 2] }
  }
}
)";

TEST(Project, WhatAShapeAssumesIsListed) {
  auto report = reportOf(halo, with({{"hi", 100}, {"n", 100}}));
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  ASSERT_EQ(report->regions.size(), 1u);
  EXPECT_TRUE(llvm::is_contained(report->regions[0].assumptions, "1 <= lo"));
  ASSERT_EQ(report->loops.size(), 2u);
  for (const LoopReport &loop : report->loops) {
    EXPECT_TRUE(loop.parallel);
    EXPECT_EQ(loop.assuming, std::vector<std::string>{"1 <= lo"});
  }
  EXPECT_TRUE(llvm::any_of(report->findings, [](const skeleton::Finding &f) {
    return f.rule == skeleton::Rule::SharedShape && llvm::StringRef(f.message).contains("if 1 <= lo, which is assumed");
  }));
}

TEST(Project, WhatIsKnownToBeOtherwiseIsNotAssumed) {
  auto report = reportOf(halo, with({{"lo", 0}, {"hi", 100}, {"n", 100}}));
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  for (const RegionReport &region : report->regions) EXPECT_FALSE(llvm::is_contained(region.assumptions, "1 <= lo"));
  for (const LoopReport &loop : report->loops) EXPECT_TRUE(loop.assuming.empty());
  EXPECT_FALSE(report->loops.at(0).parallel) << "the last column of a row is the first of the next";
  auto known = reportOf(halo, with({{"lo", 1}, {"hi", 100}, {"n", 100}}));
  ASSERT_TRUE(bool(known)) << llvm::toString(known.takeError());
  EXPECT_TRUE(known->loops.at(0).parallel);
}

} // namespace
