//===- test/projection/DiffTest.cpp - What changed between two reports ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/Diff.h"
#include "ReportSample.h"
#include "SummarySample.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>
#include <random>

namespace busfare::projection {
namespace {

using test::findingOf;
using test::loopOf;
using test::regionOf;
using test::summarySample;

/// One line a change, so that a test can say all of them.
std::vector<std::string> told(const ReportDiff &diff) {
  std::vector<std::string> lines;
  auto id = [](const std::optional<RegionSummary> &region) { return region ? region->id : std::string("-"); };
  auto place = [](const std::optional<LoopSummary> &loop) {
    return loop ? skeleton::toString(loop->location) : std::string("-");
  };
  for (const RegionDiff &region : diff.regions) {
    std::string line = "region " + id(region.before) + " -> " + id(region.after);
    if (region.structureChanged) line += " structure";
    if (region.bytesBefore != region.bytesAfter)
      line += " bytes " + std::to_string(region.bytesBefore) + " " + std::to_string(region.bytesAfter);
    for (const AnswerDiff &answer : region.on)
      if (answer.flipped() || answer.trend == Trend::Faster || answer.trend == Trend::Slower)
        line += " " + answer.machine + (answer.flipped() ? " flip " : " ") + toString(answer.trend).str();
    for (const SizeDiff &size : region.sizes)
      line += " " + size.name + " " + std::to_string(size.before) + " " + std::to_string(size.after);
    if (region.changed()) lines.push_back(line);
  }
  for (const LoopDiff &loop : diff.loops)
    lines.push_back(toString(loop.kind).str() + " " + place(loop.before) + " -> " + place(loop.after));
  for (const RuleDiff &rule : diff.rules)
    lines.push_back(rule.rule + " " + std::to_string(rule.before) + " " + std::to_string(rule.after) + " +" +
                    std::to_string(rule.fresh.size()) + " -" + std::to_string(rule.gone.size()));
  return lines;
}

using Lines = std::vector<std::string>;

ReportSummary moved(ReportSummary report, unsigned lines, const std::string &from = "", const std::string &to = "") {
  auto move = [&](skeleton::Location &location) {
    location.line += lines;
    if (location.file.str() == from) location.file = to;
  };
  for (RegionSummary &region : report.regions) {
    move(region.location);
    region.id = llvm::sys::path::filename(region.location.file.str()).str() + ":" +
                std::to_string(region.location.line) + ":" + region.function;
  }
  for (LoopSummary &loop : report.loops) move(loop.location);
  for (FindingSummary &finding : report.findings) move(finding.location);
  return report;
}

TEST(Diff, OfAReportAndItselfIsEmpty) {
  for (const ReportSummary &report : {summarySample(), summarize(test::reportSample()), ReportSummary()}) {
    ReportDiff diff = compare(report, report);
    EXPECT_TRUE(diff.isEmpty());
    EXPECT_EQ(told(diff), Lines());
    EXPECT_EQ(diff.regions.size(), report.regions.size());
  }
}

TEST(Diff, MovedLinesAndRenamedFilesChangeNothing) {
  const ReportSummary before = summarySample();
  ReportSummary after = moved(before, 7);
  after.findings[0].message = "the loop over t is serial: step.c:21:5 reads what step.c:20:7 wrote";
  EXPECT_EQ(told(compare(before, after)), Lines());
  after = moved(before, 2, "src/step.c", "src/solver/march.c");
  after.findings[0].message = "the loop over t is serial: march.c:16:5 reads what march.c:15:7 wrote";
  EXPECT_EQ(told(compare(before, after)), Lines());
}

TEST(Diff, AFindingIsNewIfItsWordsAre) {
  ReportSummary before = summarySample(), after = before;
  after.findings.push_back(findingOf("BF008", "src/norm.c", 39, "nothing binds m: 1024 is assumed"));
  after.findings[0].message = "the loop over t is serial: step.c:14:5 reads what its own iteration wrote";
  EXPECT_EQ(told(compare(before, after)), (Lines{"BF007 1 1 +1 -1", "BF008 1 2 +1 -0"}));
  // Numbers, symbols' numbers and places are no words; names are.
  auto changes = [&](const std::string &now) {
    after = before;
    before.findings[0].message = "u[i.2] of u2 at a.c:3:4, 17 times";
    after.findings[0].message = now;
    return told(compare(before, after)).size();
  };
  EXPECT_EQ(changes("u[i] of u2 at b.c:99, 3 times"), 0u);
  EXPECT_EQ(changes("u[i.10] of u2 at x/y.c:1:1, 1024 times"), 0u);
  EXPECT_EQ(changes("u[k] of u2 at a.c:3:4, 17 times"), 1u);
  EXPECT_EQ(changes("u[i.2] of u3 at a.c:3:4, 17 times"), 1u);
  before = summarySample();
  // As often as it is there.
  after = before;
  after.findings.push_back(after.findings[1]);
  EXPECT_EQ(told(compare(before, after)), (Lines{"BF008 1 2 +1 -0"}));
  EXPECT_EQ(told(compare(after, before)), (Lines{"BF008 2 1 +0 -1"}));
}

TEST(Diff, RegionsOfOneFingerprintBelongToTheirFileAndFunction) {
  ReportSummary before, after;
  before.machines = after.machines = {"a100-pcie4"};
  before.regions = {regionOf("a.c", 1, "f", "same", Verdict::Port), regionOf("b.c", 1, "f", "same", Verdict::Keep),
                    regionOf("b.c", 9, "g", "same", Verdict::Measure)};
  after.regions = {regionOf("b.c", 5, "g", "same", Verdict::Measure), regionOf("b.c", 3, "f", "same", Verdict::Keep),
                   regionOf("c.c", 1, "f", "same", Verdict::Port)};
  EXPECT_EQ(told(compare(before, after)), Lines());
  after.regions.push_back(regionOf("d.c", 1, "h", "same"));
  EXPECT_EQ(told(compare(before, after)), (Lines{"region - -> d.c:1:h"}));
}

TEST(Diff, AnotherStructureIsFoundByItsName) {
  ReportSummary before = summarySample(), after = before;
  after.regions[0] = regionOf("src/step.c", 19, "main", "0bad", Verdict::Keep, {0.8, 0.5, 1.1}, 2000);
  EXPECT_EQ(told(compare(before, after)),
            (Lines{"region step.c:12:main -> step.c:19:main structure bytes 1000 2000 a100-pcie4 flip slower"}));
  // In a renamed file; but not in another file that was there before.
  for (LoopSummary &loop : after.loops)
    if (loop.function == "main") loop.location.file = "src/march.c";
  after.regions[0].location.file = "src/march.c";
  EXPECT_EQ(told(compare(before, after)),
            (Lines{"region step.c:12:main -> step.c:19:main structure bytes 1000 2000 a100-pcie4 flip slower"}));
  before.loops.push_back(loopOf("src/march.c", 1, "main", "k", 0, true));
  EXPECT_EQ(told(compare(before, after))[0], "region - -> step.c:19:main");
}

TEST(Diff, ASpeedupChangesBeyondOneOfTheIntervals) {
  ReportSummary before = summarySample(), after = before;
  auto trend = [&](SpeedupSummary now) {
    after.regions[0].on["a100-pcie4"].speedup = now;
    ReportDiff there = compare(before, after), back = compare(after, before);
    EXPECT_EQ(there.isEmpty(), back.isEmpty());
    return std::pair(there.regions[0].on[0].trend, back.regions[0].on[0].trend);
  };
  EXPECT_EQ(trend({3, 2, 4}), std::pair(Trend::Same, Trend::Same));
  EXPECT_EQ(trend({3.5, 2, 4}), std::pair(Trend::Within, Trend::Within));
  EXPECT_EQ(trend({2.5, 2.4, 2.6}), std::pair(Trend::Slower, Trend::Faster)); // 3 is above its high end
  EXPECT_EQ(trend({1.9, 1, 5}), std::pair(Trend::Slower, Trend::Faster));     // below the old low end
  EXPECT_EQ(trend({4.1, 1, 5}), std::pair(Trend::Faster, Trend::Slower));
  EXPECT_EQ(trend({std::nullopt, 1, 5}), std::pair(Trend::Within, Trend::Within));
}

TEST(Diff, FiguresAreComparedOnCommonMachines) {
  ReportSummary before = summarySample(), after = before;
  for (RegionSummary &region : after.regions) region.on = {{"lab", {Verdict::Measure, {1, 0.5, 2}}}};
  after.regions[0].movedBytes *= 2;
  after.machines = {"lab"};
  ReportDiff diff = compare(before, after);
  EXPECT_EQ(told(diff), Lines()); // what copies move depends on the machine, the sections are the same
  EXPECT_FALSE(diff.isEmpty());
  EXPECT_FALSE(diff.bytesAreMoved);
  EXPECT_EQ(diff.onlyOld, Lines{"a100-pcie4"});
  EXPECT_EQ(diff.onlyNew, Lines{"lab"});
  after.machines = {"a100-pcie4", "lab"};
  for (RegionSummary &region : after.regions) region.on["a100-pcie4"] = {Verdict::Keep, {0.5, 0.4, 0.7}};
  EXPECT_EQ(told(compare(before, after)),
            (Lines{"region step.c:12:main -> step.c:12:main bytes 1000 2000 a100-pcie4 flip slower"}));
}

TEST(Diff, SizesAndUnitsThatFailed) {
  ReportSummary before = summarySample(), after = before;
  after.regions[1].sizes = {{"norm::n", 128}, {"norm::m", 3}}; // m has no name of before
  after.regions[1].iterations = 20;
  EXPECT_EQ(told(compare(before, after)),
            (Lines{"region norm.c:40:norm -> norm.c:40:norm norm::n 64 128 iterations 10 20"}));
  after = before;
  after.failedFiles = 1;
  EXPECT_FALSE(compare(before, after).isEmpty());
}

TEST(Diff, LoopsAreKnownByTheirPlaceAmongTheOthers) {
  ReportSummary before, after;
  before.loops = {loopOf("a.c", 3, "f", "i", 0, true), loopOf("a.c", 5, "f", "i", 0, false),
                  loopOf("a.c", 9, "f", "j", 0, true)};
  after.loops = {loopOf("a.c", 4, "f", "i", 0, true), loopOf("a.c", 6, "f", "i", 0, false),
                 loopOf("a.c", 10, "f", "j", 0, false)};
  EXPECT_EQ(told(compare(before, after)), Lines{"lost a.c:9:3 -> a.c:10:3"});
  EXPECT_EQ(told(compare(after, before)), Lines{"gained a.c:10:3 -> a.c:9:3"});
  // A loop more of the same index gives the others other numbers.
  before.loops[1].index = "i.2";
  after.loops = {loopOf("a.c", 1, "f", "i", 0, true), loopOf("a.c", 3, "f", "i.2", 0, true),
                 loopOf("a.c", 5, "f", "i.3", 0, false), loopOf("a.c", 9, "f", "j", 0, true)};
  EXPECT_EQ(told(compare(before, after)), (Lines{"new - -> a.c:3:3"}));
  before.loops[1].index = "i";
  // The first of two loops over i is gone, as its verdict tells; two others are there, and one has another index.
  after.loops = {loopOf("a.c", 1, "f", "v", 0, false), loopOf("a.c", 2, "f", "w", 0, false),
                 loopOf("a.c", 6, "f", "i", 0, false), loopOf("a.c", 10, "f", "k", 0, true)};
  EXPECT_EQ(told(compare(before, after)), (Lines{"new - -> a.c:1:3", "new - -> a.c:2:3", "gone a.c:3:3 -> -"}));
  // Another loop in its very place may be itself, changed.
  after.loops.erase(after.loops.begin());
  EXPECT_EQ(told(compare(before, after)), (Lines{"lost a.c:3:3 -> a.c:2:3"}));
}

TEST(Diff, AFunctionIsFoundInAnotherFile) {
  ReportSummary before, after;
  before.loops = {loopOf("a.c", 3, "f", "i", 0, true), loopOf("a.c", 4, "f", "j", 1, true),
                  loopOf("keep.c", 1, "g", "i", 0, true), loopOf("x.c", 1, "main", "i", 0, true),
                  loopOf("y.c", 1, "main", "i", 0, true)};
  after.loops = {loopOf("keep.c", 1, "g", "i", 0, true), loopOf("keep.c", 30, "f", "i", 0, true),
                 loopOf("keep.c", 31, "f", "j", 1, false), loopOf("y.c", 1, "main", "i", 0, true),
                 loopOf("z.c", 1, "main", "i", 0, false)};
  EXPECT_EQ(told(compare(before, after)), (Lines{"lost a.c:4:3 -> keep.c:31:3", "lost x.c:1:3 -> z.c:1:3"}));
  // Nothing fits: another function of that name.
  after.loops[1].index = after.loops[2].index = "q";
  EXPECT_EQ(told(compare(before, after)).size(), 5u);
}

TEST(Diff, GrowthIsInPerCentOfWhatWasOrInTimes) {
  EXPECT_EQ(formatGrowth(1000, 1250), "+25 %");
  EXPECT_EQ(formatGrowth(1000, 970), "-3 %");
  EXPECT_EQ(formatGrowth(1000, 3000), "+200 %");
  EXPECT_EQ(formatGrowth(1000, 8000), "8.0x");
  EXPECT_EQ(formatGrowth(1000000, 1), "to less than 1 %");
  EXPECT_EQ(formatGrowth(1000000, 1000001), "+0.1 % at most");
  EXPECT_EQ(formatGrowth(0, 970), "from none");
  EXPECT_EQ(formatGrowth(970, 0), "-100 %");
}

//===--- Any two reports --------------------------------------------------===//

/// Reports in which everything may be like something else.
ReportSummary anyReport(std::mt19937 &random) {
  auto below = [&](unsigned most) { return unsigned(random() % most); };
  auto name = [&](const char *stem, unsigned most) { return stem + std::to_string(below(most)); };
  ReportSummary report;
  for (const char *machine : {"m0", "m1"})
    if (below(4)) report.machines.push_back(machine);
  for (unsigned count = below(7); count-- > 0;) {
    RegionSummary region =
        regionOf(name("f", 3) + ".c", 1 + below(9), name("g", 3), name("p", 4), Verdict::Port, {}, 100 * below(3));
    region.on.clear();
    for (const std::string &machine : report.machines)
      region.on[machine] = {Verdict(below(3)), {1.0 + below(3), 1.0, 1.5 + below(2)}};
    region.sizes[region.function + "::n"] = below(2);
    report.regions.push_back(region);
  }
  for (unsigned count = below(12); count-- > 0;)
    report.loops.push_back(
        loopOf(name("f", 3) + ".c", 1 + below(40), below(4) ? name("g", 2) : "main", name("i", 2), below(2), below(2)));
  for (unsigned count = below(5); count-- > 0;)
    report.findings.push_back(findingOf(name("BF00", 3), name("f", 2) + ".c", below(9),
                                        "at f.c:" + name("", 9) + " the array " + name("a", 3)));
  report.failedFiles = below(2);
  return report;
}

ReportDiff mirrored(ReportDiff diff) {
  std::swap(diff.oldFile, diff.newFile);
  std::swap(diff.onlyOld, diff.onlyNew);
  std::swap(diff.failedBefore, diff.failedAfter);
  for (RegionDiff &region : diff.regions) {
    std::swap(region.before, region.after);
    std::swap(region.bytesBefore, region.bytesAfter);
    for (AnswerDiff &answer : region.on) {
      std::swap(answer.before, answer.after);
      answer.trend = answer.trend == Trend::Faster   ? Trend::Slower
                     : answer.trend == Trend::Slower ? Trend::Faster
                                                     : answer.trend;
    }
    for (SizeDiff &size : region.sizes) std::swap(size.before, size.after);
  }
  for (LoopDiff &loop : diff.loops) {
    std::swap(loop.before, loop.after);
    using Kind = LoopDiff::Kind;
    const Kind other[] = {Kind::Gained, Kind::Lost, Kind::Gone, Kind::New};
    loop.kind = other[int(loop.kind)];
  }
  for (RuleDiff &rule : diff.rules) {
    std::swap(rule.before, rule.after);
    std::swap(rule.fresh, rule.gone);
  }
  return diff;
}

Lines sorted(Lines lines) {
  llvm::sort(lines);
  return lines;
}

TEST(Diff, OfAnyTwoReportsMirrorsTheOtherWayRound) {
  std::mt19937 random(20);
  size_t changes = 0;
  for (int round = 0; round < 3000; ++round) {
    const ReportSummary a = anyReport(random), b = anyReport(random);
    const ReportDiff there = compare(a, b), back = compare(b, a);
    ASSERT_EQ(sorted(told(mirrored(there))), sorted(told(back))) << "round " << round;
    ASSERT_EQ(there.isEmpty(), back.isEmpty());
    ASSERT_EQ(there.onlyOld, back.onlyNew);
    ASSERT_TRUE(compare(a, a).isEmpty()) << "round " << round;
    ASSERT_TRUE(compare(a, moved(a, 5)).isEmpty()) << "round " << round;
    // Every region is told once on each side.
    size_t before = 0, after = 0;
    for (const RegionDiff &region : there.regions) {
      before += region.before.has_value();
      after += region.after.has_value();
    }
    ASSERT_EQ(before, a.regions.size());
    ASSERT_EQ(after, b.regions.size());
    changes += told(there).size();
  }
  EXPECT_GT(changes, 3000u); // the reports do differ
}

TEST(Diff, OfManyLoopsIsQuick) {
  ReportSummary before;
  for (unsigned i = 0; i < 20000; ++i)
    before.loops.push_back(loopOf("generated.c", i + 1, "f", "i" + std::to_string(i % 7), i % 3, i % 2));
  ReportSummary after = before;
  after.loops.erase(after.loops.begin() + 10000);
  EXPECT_EQ(told(compare(before, after)), Lines{"gone generated.c:10001:3 -> -"});
  for (LoopSummary &loop : after.loops) loop.index = "k";
  EXPECT_EQ(compare(before, after).loops.size(), 39999u);
}

} // namespace
} // namespace busfare::projection
