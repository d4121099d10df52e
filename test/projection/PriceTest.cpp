//===- test/projection/PriceTest.cpp - One region at many sizes -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Price.h"
#include "skeleton/Parse.h"
#include "gtest/gtest.h"

using namespace busfare;
using namespace busfare::projection;
using namespace busfare::skeleton;

namespace {

/// Two kernels and a copy for each iteration of the time loop, of which each depends on some of the sizes only.
const char *text = R"(skeleton 1
unit "p.c"
function f(param n, param m, param steps, array a, array b) at 1:1 {
  array a : f64[n] parameter
  array b : f64[m] parameter
  for t = 0 .. steps - 1 at 2:1 {
    for i = 0 .. n - 1 at 3:1 { read a[i] ops fp64.mul 3 write a[i] }
    for j = 0 .. m - 1 at 4:1 { read b[j] ops fp64.add 1 write b[j] }
    host io "print" at 5:1 { read b[0] at 5:2 }
  }
}
)";

void expectEqual(const RegionCost &a, const RegionCost &b) {
  EXPECT_EQ(a.cpu, b.cpu);
  EXPECT_EQ(a.cpuAllCores, b.cpuAllCores);
  EXPECT_EQ(a.host, b.host);
  EXPECT_EQ(a.kernels, b.kernels);
  EXPECT_EQ(a.h2d, b.h2d);
  EXPECT_EQ(a.d2h, b.d2h);
  EXPECT_EQ(a.startup, b.startup);
  EXPECT_EQ(a.deviceBytes, b.deviceBytes);
  ASSERT_EQ(a.perKernel.size(), b.perKernel.size());
  for (size_t k = 0; k < a.perKernel.size(); ++k)
    EXPECT_EQ(a.perKernel[k].time * a.perKernel[k].launches, b.perKernel[k].time * b.perKernel[k].launches);
}

TEST(RegionPricer, RemembersOnlyWhatIsTheSame) {
  Program program = llvm::cantFail(parse(text, "p.skel"));
  std::unique_ptr<Root> root = llvm::cantFail(analyseRoot(program, "f", Depth::Transfers));
  ASSERT_EQ(root->transfers.regions.size(), 1u);
  const brs::Region &region = root->transfers.regions[0];
  ASSERT_EQ(region.kernels.size(), 2u);
  Machine machine = llvm::cantFail(loadMachine(defaultMachine));
  PriceOptions options;
  KernelPrices prices(machine, false);
  RegionPricer pricer(*root, region, machine, options, prices);
  ASSERT_EQ(region.timeLoops.size(), 1u);
  const Loop *time = region.timeLoops[0];
  std::vector<std::pair<RealValues, TripOverrides>> questions;
  for (double n : {1e4, 1e7})
    for (double m : {1e3, 1e6})
      for (double steps : {2.0, 50.0}) questions.push_back({{{"n", n}, {"m", m}, {"steps", steps}}, {}});
  questions.push_back({{{"n", 1e7}, {"m", 1e6}, {"steps", 2}}, {{time, 9}}});
  for (int round = 0; round < 2; ++round)
    for (const auto &[values, overrides] : questions) {
      KernelPrices anew(machine, false);
      expectEqual(pricer.at(values, overrides),
                  RegionPricer(*root, region, machine, options, anew).at(values, overrides));
    }
  // Each size makes a difference.
  auto total = [&](size_t k) { return pricer.at(questions[k].first, questions[k].second).total(); };
  for (size_t k : {1, 2, 4}) EXPECT_NE(total(0), total(k)) << k;
  EXPECT_NE(total(8), total(6));
}

} // namespace
