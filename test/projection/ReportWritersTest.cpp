//===- test/projection/ReportWritersTest.cpp - One report, all writers ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Goldens in test/projection/golden; test/update_checks rewrites them.
//
//===----------------------------------------------------------------------===//

#include "ReportSample.h"
#include "projection/report/Figures.h"
#include "projection/report/Page.h"
#include "projection/report/Ranking.h"
#include "projection/report/Writers.h"
#include "test/support/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace busfare::projection {
namespace {

template <class Write> std::string written(Write write) {
  std::string text;
  llvm::raw_string_ostream os(text);
  write(os);
  return os.str();
}

TEST(ReportWriters, AddedUpWholeNumbersAreWhole) {
  EXPECT_EQ(formatMean(191.99999999999997), "192");
  EXPECT_EQ(formatMean(12.5), "12.5");
  EXPECT_EQ(formatMean(0.25), "0.25");
}

TEST(ReportWriters, TextMatchesGolden) {
  TextStyle all;
  all.details = true;
  busfare::test::expectGolden("projection/golden/report.txt",
                              written([&](auto &os) { writeText(test::reportSample(), os, all); }));
  busfare::test::expectGolden("projection/golden/first-screen.txt",
                              written([](auto &os) { writeText(test::treeSample(), os); }));
  busfare::test::expectGolden("projection/golden/loops.txt",
                              written([](auto &os) { writeLoopsText(test::reportSample(), os); }));
}

TEST(ReportWriters, JsonMatchesGolden) {
  busfare::test::expectGolden("projection/golden/report.json",
                              written([](auto &os) { writeJson(test::reportSample(), os); }));
}

TEST(ReportWriters, TextStaysWithinItsWidth) {
  for (unsigned width : {72u, 80u, 120u}) {
    Report report = test::reportSample();
    report.regions[0].id =
        "a/very/long/path/to/a/deeply/nested/source/directory/of/some/project/src/jacobi.c:14:simulate";
    report.regions[0].arrays[0].name = "this->grid->levels.current.boundary.values_on_the_northern_edge";
    report.nextCommands.clear(); // these are to be copied and never wrapped
    std::string text = written([&](auto &os) { writeText(report, os, {width, false}); });
    llvm::SmallVector<llvm::StringRef> lines;
    llvm::StringRef(text).split(lines, '\n');
    for (llvm::StringRef line : lines) {
      EXPECT_LE(line.size(), width) << line.str();
      EXPECT_EQ(line.rtrim(), line) << "no blanks at the end";
      for (char c : line) EXPECT_TRUE(c >= ' ' && c <= '~') << line.str();
    }
  }
}

TEST(ReportWriters, ColourAddsOnlyEscapes) {
  std::string plain = written([](auto &os) { writeText(test::reportSample(), os); });
  std::string coloured = written([](auto &os) { writeText(test::reportSample(), os, {80, true}); });
  EXPECT_NE(plain, coloured);
  std::string stripped;
  for (size_t i = 0; i < coloured.size(); ++i) {
    if (coloured[i] == '\033') i = coloured.find('m', i);
    else stripped += coloured[i];
  }
  EXPECT_EQ(plain, stripped);
}

TEST(ReportWriters, JsonPartsSumToTotals) {
  std::string text = written([](auto &os) { writeJson(test::reportSample(), os); });
  auto parsed = llvm::json::parse(text);
  ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
  for (const llvm::json::Value &each : *parsed->getAsObject()->getArray("regions")) {
    const llvm::json::Object &region = *each.getAsObject();
    for (const char *way : {"h2d", "d2h"}) {
      int64_t sum = 0;
      for (const llvm::json::Value &array : *region.getArray("arrays"))
        if (const llvm::json::Object *direction = array.getAsObject()->getObject(way)) {
          int64_t crossings = 0;
          for (const llvm::json::Value &crossing : *direction->getArray("crossings"))
            crossings += *crossing.getAsObject()->getInteger("bytes") * *crossing.getAsObject()->getInteger("count");
          EXPECT_EQ(*direction->getInteger("bytes") * *direction->getInteger("count"), crossings);
          sum += crossings;
        }
      EXPECT_EQ(*region.getInteger((std::string(way) + "_bytes")), sum);
    }
  }
}

TEST(ReportWriters, FiguresThatAreNoNumbersAreNull) {
  Report report = test::reportSample();
  report.regions[0].on[0].second.iterations.limitSpeedup = std::numeric_limits<double>::infinity();
  report.regions[0].on[0].second.speedup.kernelOnly = std::nan("");
  report.regions[0].arrays[0].name = "not \xff UTF-8 \x01";
  std::string text = written([&](auto &os) { writeJson(report, os); });
  auto parsed = llvm::json::parse(text);
  ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
}

TEST(ReportWriters, LoopsThatDoLittleAreListedWhereNothingElseIs) {
  Report report;
  for (unsigned line = 1; line <= 4; ++line)
    report.nests.push_back({{"a.c", line, 1},
                            "f",
                            "i",
                            "alone",
                            1e-3,
                            true,
                            0.001,
                            Verdict::Measure,
                            {},
                            "",
                            "the threads of the host share it"});
  const std::string text = written([&](auto &os) { writeText(report, os); });
  EXPECT_EQ(text.find("What to do"), std::string::npos);
  EXPECT_NE(text.find("NOT IN A PLAN a.c:3, in f (0.1 % of the work): the"), std::string::npos) << text;
  EXPECT_NE(text.find("and 1 more loop in no region"), std::string::npos) << text;
  EXPECT_NE(text.find("Together they do 0.4 % of what is modelled"), std::string::npos) << text;
  // With a region they would only hide it.
  Report withRegion = test::reportSample();
  withRegion.nests = report.nests;
  EXPECT_EQ(written([&](auto &os) { writeText(withRegion, os); }).find("NOT IN A PLAN"), std::string::npos);
}

TEST(FirstScreen, LoopsThatDoMoreThanTheRegionsStandBeforeThem) {
  Report report = test::treeSample();
  report.nests = {{{"src/flux.c", 88, 5}, "riemann", "i", "kernel", 0.3, true, 0.1, Verdict::Measure, {}, "", ""}};
  report.serial = {
      {{"src/sweep.c", 7, 3}, "sweep", "a[i] -> a[i - 1]: a[1] at i = 1, then i = 2", 2, 0.7, {"main::n = 77"}},
      {{"src/read.c", 9, 3}, "read", "fscanf does I/O", 0.02, 0.01}};
  const std::string text = written([&](auto &os) { writeText(report, os, {200, false}); });
  const size_t port = text.find("  PORT jacobi.c:15"),
               loop = text.find("  STAYS sweep.c:7, in sweep (70 % of the work)"),
               measure = text.find("  MEASURE flux.c:88, in riemann (10 % of the work)"),
               keep = text.find("  KEEP flux.c:5");
  ASSERT_NE(loop, std::string::npos) << text;
  EXPECT_LT(port, loop) << text;
  EXPECT_LT(loop, measure) << text;
  EXPECT_LT(measure, keep) << text;
  EXPECT_NE(text.find("iterations depend on each other: a[i] ->"), std::string::npos) << text;
  EXPECT_EQ(text.find("fscanf"), std::string::npos) << "one in a hundred is not looked for";
  EXPECT_NE(text.find("main::n = 77"), std::string::npos) << "what the share rests on";
  EXPECT_NE(text.find("These regions do 10 % of the work that is modelled"), std::string::npos) << text;
  report.serial.front().share = 0.05; // less than what is in the regions
  EXPECT_EQ(written([&](auto &os) { writeText(report, os); }).find("These regions do"), std::string::npos);
}

TEST(FirstScreen, WhatMayLoseOrGainIsNoNegativeGain) {
  Report report = test::treeSample();
  for (auto &[machine, answer] : report.regions[1].on) answer.gain = {-0.253, -19.6, 27.7};
  const std::string text = written([&](auto &os) { writeText(report, os, {200, false}); });
  EXPECT_NE(text.find("would lose 253 ms (between a loss of 19.6 s and a gain of 27.7 s)"), std::string::npos) << text;
}

TEST(FirstScreen, WhatNoMainCallsIsNoProgram) {
  Report report = test::treeSample();
  EXPECT_NE(written([&](auto &os) { writeText(report, os); }).find("6 regions in 2 programs"), std::string::npos);
  report.programs.back().hasMain = true;
  report.programs.front().offloadedShare = 0;
  const std::string text = written([&](auto &os) { writeText(report, os, {200, false}); });
  EXPECT_EQ(text.find("programs"), std::string::npos) << text;
  EXPECT_NE(text.find("PORT jacobi.c:15, in step, which no main here calls: gains"), std::string::npos) << text;
  EXPECT_NE(text.find("MEASURE flux.c:88, in riemann: gains"), std::string::npos) << text;
  EXPECT_NE(text.find("No main here calls what is in jacobi.c;"), std::string::npos) << text;
}

// Of what gains nothing in any case the region that does most comes first, whatever its start-up costs.
TEST(FirstScreen, RegionsWithoutAGainStandByTheirWork) {
  Report report = test::treeSample();
  report.regions.resize(3);
  for (RegionReport &region : report.regions)
    for (auto &[machine, answer] : region.on) answer.verdict = Verdict::Measure, answer.gain = {-0.25, -0.26, -0.24};
  for (auto &[machine, answer] : report.regions[0].on) answer.gain = {-5e-6, -6e-6, -4e-6};
  report.nests = {
      {{"flux.c", 5, 3}, "setup", "i", "kernel", 3, true, 0.9, Verdict::Measure, {}, report.regions[2].id, ""}};
  const std::vector<RankedRegion> ranked = rankRegions(report);
  EXPECT_EQ(ranked.front().region, &report.regions[2]);
}

TEST(ReportWriters, EmptyReportIsWritten) {
  Report report;
  report.coverage.files = 1;
  EXPECT_NE(written([&](auto &os) { writeText(report, os); }).find("No loops in 1 file"), std::string::npos);
  auto parsed = llvm::json::parse(written([&](auto &os) { writeJson(report, os); }));
  ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
}

TEST(BreakEven, EveryKindOfAnswerIsASentence) {
  RegionReport region;
  region.function = "f";
  region.parameters["f::n"] = {100000, ParameterSource::CommandLine};
  MachineAnswer answer;
  EXPECT_EQ(breakEvenStatement(region, answer), "Nothing runs at these sizes: bounds leave its loops no turn.");
  answer.time.total = 1;
  answer.runs = 1;
  answer.gain.value = -1;
  answer.iterations.loop = "t at line 3";
  answer.iterations.breakEven = 7;
  answer.paysOff = {{"iterations", {{7, std::nullopt}}}};
  answer.speedup.with.value = 0.4;
  EXPECT_EQ(breakEvenStatement(region, answer), "Pays off from 7 time steps on; at today's 1 time step: 0.40x.");
  answer.paysOff = {{"n", {{3100001, std::nullopt}}}, {"iterations", {{7, std::nullopt}}}};
  EXPECT_EQ(breakEvenStatement(region, answer),
            "Pays off for n > 3.1e6, or from 7 time steps on; at today's n = 100000 and 1 time step: 0.40x.");
  answer.speedup.with.value = 2.4;
  answer.gain.value = -0.2;
  answer.startupAdded = 0.25;
  EXPECT_EQ(breakEvenStatement(region, answer),
            "Pays off for n > 3.1e6, or from 7 time steps on; at today's n = 100000 and 1 time step: 2.4x, but the "
            "50.0 ms that it saves are less than the start-up of 250 ms.");
  answer.paysOff = {{"n", {{101, 5000}, {20000, std::nullopt}}}};
  answer.iterations.breakEven.reset();
  answer.startupShared = true;
  EXPECT_EQ(breakEvenStatement(region, answer),
            "Pays off for 100 < n < 5001 or n > 19999; at today's sizes never, however many time steps: 2.4x, but the "
            "50.0 ms that it saves are less than the 250 ms that its arrays cost once.");
  answer.paysOff.clear();
  answer.gain.value = -1;
  answer.speedup.with.value = 0.4;
  answer.iterations.mostSpeedup = 0.83;
  EXPECT_EQ(breakEvenStatement(region, answer),
            "Never pays off at these sizes, however many time steps (at most 0.83x); at today's 1 time step: 0.40x.");
  answer.iterations.breakEven = 1;
  answer.iterations.assumed = true;
  answer.speedup.with.value = 2.6;
  answer.gain.value = 0.5;
  EXPECT_EQ(
      breakEvenStatement(region, answer),
      "Pays off from the first time step on; at the assumed 1 time step: 2.6x, 500 ms gained, start-up included.");
  answer.paysOff = {{"", {{std::nullopt, 3.8}}}};
  EXPECT_EQ(
      breakEvenStatement(region, answer),
      "Pays off for sizes below 3.8x today's; at the assumed 1 time step: 2.6x, 500 ms gained, start-up included.");
  region.parameters["f::m"] = {1024, ParameterSource::Assumed};
  EXPECT_EQ(breakEvenStatement(region, answer), "Pays off for sizes below 3.8x the assumed ones; at the assumed 1 time "
                                                "step: 2.6x, 500 ms gained, start-up included.");
  answer.gain.value = -0.5;
  EXPECT_EQ(breakEvenStatement(region, answer),
            "Pays off for sizes below 3.8x the assumed ones; at the assumed 1 time "
            "step: 2.6x, but the -250 ms that it saves are less than the 250 ms that "
            "its arrays cost once.");
  answer.gain.value = 0.5;
  region.parameters.erase("f::m");
  answer.paysOff.clear();
  answer.iterations = {};
  answer.iterations.breakEven = 1;
  answer.speedup.with.value = 3.2;
  EXPECT_EQ(breakEvenStatement(region, answer), "Pays off as it stands: 3.2x, 500 ms gained, start-up included.");
  // Called by somebody, who knows how often.
  answer.runs.reset();
  answer.time.startup = 0.25;
  answer.paysOff = {{"n", {{101, std::nullopt}}}, {"calls", {{158, std::nullopt}}}};
  EXPECT_EQ(breakEvenStatement(region, answer),
            "Pays off from 158 calls on, which pay the start-up of 250 ms; at today's n = 100000: 3.2x. A call pays "
            "for its copies for n > 100.");
  answer.gain.value = -1;
  answer.speedup.with.value = 0.4;
  EXPECT_EQ(breakEvenStatement(region, answer),
            "Pays for its copies for n > 100; at today's sizes it does not: 0.40x.");
  answer.paysOff.clear();
  EXPECT_EQ(breakEvenStatement(region, answer), "Does not pay for its copies at these sizes: 0.40x.");
}

TEST(Figures, UnitsAndDigits) {
  EXPECT_EQ(formatTime(0), "0 s");
  EXPECT_EQ(formatTime(1.234e-9), "1.23 ns");
  EXPECT_EQ(formatTime(9.996e-7), "1.00 us");
  EXPECT_EQ(formatTime(12.34e-6), "12.3 us");
  EXPECT_EQ(formatTime(0.1), "100 ms");
  EXPECT_EQ(formatTime(1), "1.00 s");
  EXPECT_EQ(formatTime(7200), "2.00 h");
  EXPECT_EQ(formatTime(std::nan("")), "-");
  EXPECT_EQ(formatBytes(0), "0 B");
  EXPECT_EQ(formatBytes(1023), "1023 B");
  EXPECT_EQ(formatBytes(1024), "1.0 KiB");
  EXPECT_EQ(formatBytes(8388608), "8.0 MiB");
  EXPECT_EQ(formatBytes((1ull << 30) - 1), "1.0 GiB");
  EXPECT_EQ(formatBytes(~0ull), "16.0 EiB");
  EXPECT_EQ(formatExact(8388608), "8,388,608");
  EXPECT_EQ(formatExact(100), "100");
  EXPECT_EQ(formatFactor(0.4137), "0.41x");
  EXPECT_EQ(formatFactor(0.9962), "0.996x");
  EXPECT_EQ(formatFactor(3.24), "3.2x");
  EXPECT_EQ(formatFactor(99.7), "100x");
  EXPECT_EQ(formatFactor(123.4), "123x");
  EXPECT_EQ(formatFactor(0), "0.0x");
  EXPECT_EQ(formatSize(999999), "999999");
  EXPECT_EQ(formatSize(3100000), "3.1e6");
  EXPECT_EQ(formatPercent(0.713), "71 %");
  EXPECT_EQ(formatPercent(0.0042), "0.4 %");
}

TEST(Page, LongWordsBreakBehindASeparator) {
  std::vector<std::string> lines = wrap("see/some/long/path/of/names here", 12);
  EXPECT_EQ(llvm::join(lines, "|"), "see/some/|long/path/|of/names|here");
  EXPECT_EQ(wrap("", 10).size(), 1u);
}

TEST(Schema, EveryOutputHasOne) {
  for (llvm::StringRef name : schemaNames()) {
    auto parsed = llvm::json::parse(jsonSchema(name));
    ASSERT_TRUE(bool(parsed)) << name.str();
    EXPECT_NE(parsed->getAsObject()->getObject("$defs")->getObject(name), nullptr);
  }
  EXPECT_EQ(jsonSchema("nonsense"), "");
  EXPECT_NE(jsonSchema("").find("anyOf"), std::string::npos);
}

} // namespace
} // namespace busfare::projection
