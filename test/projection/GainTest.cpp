//===- test/projection/GainTest.cpp ---------------------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Gain.h"
#include "projection/WhereItPays.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace busfare::projection;

static RegionGain region(double baseline, double total, ObjectStarts objects = {}, bool canBePorted = true) {
  return {baseline, total, 1.5, std::move(objects), canBePorted};
}

TEST(Gain, IsWhatRunsSaveLessWhatIsPaidOnce) {
  const Interval gain = gainOf(region(3, 1), 10, 5);
  EXPECT_DOUBLE_EQ(gain.value, 15);
  EXPECT_DOUBLE_EQ(gain.low, 10 * (3 / 1.5 - 1) - 5);
  EXPECT_DOUBLE_EQ(gain.high, 10 * (3 * 1.5 - 1) - 5);
  EXPECT_DOUBLE_EQ(startOf({{"a", 2}, {"b", 3}}, {{"a", 1.5}, {"c", 9}}), 3.5);
}

TEST(Gain, OneContextIsPaidForByAll) {
  const std::vector<RegionGain> both = {region(1.2, 1), region(1.2, 1), region(1, 2), region(9, 1, {}, false)};
  const PortedSet set = bestSet(both, 0.3, 1);
  EXPECT_EQ(set.ported, (std::vector<bool>{true, true, false, false}));
  EXPECT_NEAR(set.gain.value, 0.1, 1e-12);
  EXPECT_TRUE(set.holdsOther(0));
  EXPECT_TRUE(bestSet(llvm::ArrayRef(both).take_front(1), 0.3, 1).isEmpty());
  EXPECT_FALSE(bestSet(llvm::ArrayRef(both).take_front(1), 0.3, 2).isEmpty());
}

TEST(Gain, SharedObjectsArePaidForOnce) {
  const std::vector<RegionGain> both = {region(2, 1, {{"a", 0.4}}), region(1.3, 1, {{"a", 0.4}, {"b", 0.1}})};
  const PortedSet set = bestSet(both, 0.1, 1);
  EXPECT_EQ(set.ported, (std::vector<bool>{true, true}));
  EXPECT_NEAR(set.startUp, 0.6, 1e-12);
  EXPECT_NEAR(set.gain.value, 0.7, 1e-12);
}

/// Of all subsets none has more, where objects are not shared.
TEST(Gain, TheBestSetIsTheBest) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> seconds(0, 1);
  for (int turn = 0; turn < 300; ++turn) {
    std::vector<RegionGain> regions;
    for (int k = 0; k < 5; ++k)
      regions.push_back(region(seconds(random), seconds(random), {{"a" + std::to_string(k), 0.2 * seconds(random)}}));
    const double context = seconds(random), runs = 1 + turn % 3;
    double most = 0;
    for (unsigned subset = 1; subset < 32; ++subset) {
      double gain = -context;
      for (unsigned k = 0; k < 5; ++k)
        if (subset >> k & 1) gain += gainOf(regions[k], runs, startOf(regions[k].objects, {})).value;
      most = std::max(most, gain);
    }
    EXPECT_NEAR(bestSet(regions, context, runs).gain.value, most, 1e-12);
  }
}

TEST(WhereItPays, FindsWholeNumbersExactly) {
  auto gain = [](double n) -> std::optional<double> { return n > 10108 && n < 19359 ? 1 : -1; };
  for (double today : {12000.0, 15000.0, 10109.0, 19358.0}) {
    const Stretches found = whereItPays({today, 1, 1e9, 2, true}, gain);
    ASSERT_EQ(found.size(), 1u) << today;
    EXPECT_EQ(found[0].from, 10109);
    EXPECT_EQ(found[0].to, 19358);
  }
}

TEST(WhereItPays, EndsAreOpenWhereNothingWasLookedAt) {
  auto pays = [](double n) -> std::optional<double> {
    return n > 5000 ? std::nullopt : std::optional<double>(1);
  }; // more does not fit
  const Stretches all = whereItPays({64, 1, 1e9, 2, true}, pays);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_FALSE(all[0].from || all[0].to);
  EXPECT_TRUE(whereItPays({64, 1, 1e6, 2, true}, [](double) { return std::optional<double>(0); }).empty());
  const Stretches factors =
      whereItPays({1, 1.0 / 1024, 1024, 2, false}, [](double f) { return std::optional<double>(f - 3.3); });
  ASSERT_EQ(factors.size(), 1u);
  EXPECT_NEAR(*factors[0].from, 3.3, 1e-3);
  EXPECT_EQ(nearestEnd(factors, 1), factors[0].from);
}

TEST(WhereItPays, EndsThatAreNotSharpAreAboutThere) {
  auto gain = [](double n) -> std::optional<double> { return n > 1000 || (n >= 955 && n <= 970) ? 1 : -1; };
  const Stretches found = whereItPays({4096, 1, 1e6, 2, true}, gain);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].from, 955);
  EXPECT_TRUE(found[0].isAbout);
  const Stretches upper = whereItPays({64, 1, 1e6, 2, true}, [](double n) -> std::optional<double> {
    return n < 1000 || (n >= 1030 && n <= 1040) ? 1 : -1;
  });
  ASSERT_EQ(upper.size(), 1u);
  EXPECT_EQ(upper[0].to, 1040);
  EXPECT_TRUE(upper[0].isAbout);
  const Stretches inside = whereItPays({4096, 1, 1e6, 2, true}, [](double n) -> std::optional<double> {
    return n >= 1000 && (n < 1010 || n > 1020) ? 1 : -1;
  });
  ASSERT_EQ(inside.size(), 1u);
  EXPECT_EQ(inside[0].from, 1000);
  EXPECT_TRUE(inside[0].isAbout);
  EXPECT_FALSE(
      whereItPays({4096, 1, 1e6, 2, true}, [](double n) { return std::optional<double>(n - 999.5); })[0].isAbout);
}

TEST(WhereItPays, JoinsWhatIsHardlyApart) {
  auto gain = [](double n) -> std::optional<double> { return n == 1024 || n < 100 ? -1 : 1; };
  const Stretches found = whereItPays({1024, 1, 1e6, 2, true}, gain);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].from, 100);
}
