//===- test/projection/ReportSummaryTest.cpp - Reports read back ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/ReportSummary.h"
#include "ReportSample.h"
#include "projection/report/Writers.h"
#include "llvm/Support/JSON.h"
#include <cmath>
#include <gtest/gtest.h>

namespace busfare::projection {
namespace {

namespace json = llvm::json;

std::string jsonOf(const Report &report) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writeJson(report, os);
  return os.str();
}

std::string errorOf(const std::string &text) {
  llvm::Expected<ReportSummary> summary = parseReportSummary(text, "old.json");
  if (summary) return "";
  std::string message = llvm::toString(summary.takeError());
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  return message;
}

void expectSame(const Report &report) {
  llvm::Expected<ReportSummary> read = parseReportSummary(jsonOf(report), "");
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_TRUE(*read == summarize(report));
}

TEST(ReportSummary, OfTheJsonIsThatOfTheReport) {
  expectSame(test::reportSample());
  expectSame(Report());
  ReportSummary sample = summarize(test::reportSample());
  ASSERT_EQ(sample.regions.size(), 1u);
  EXPECT_EQ(sample.regions[0].sectionBytes, 8388608u + 100 * 4096 + 8355872);
  EXPECT_EQ(sample.regions[0].movedBytes, 8388608u + 100 * 4096 + 8372224);
  EXPECT_EQ(sample.regions[0].on.at("lab").verdict, Verdict::Measure);
  EXPECT_EQ(sample.regions[0].iterations, 100u);
  EXPECT_EQ(sample.loops.size(), 3u);
  EXPECT_EQ(sample.findings[0].rule, "BF008");
}

TEST(ReportSummary, OfHostileNamesAndFiguresToo) {
  Report report = test::reportSample();
  RegionReport &region = report.regions[0];
  const std::string hostile = "a\"b\n<script>\x1b[2J\xff\xe2\x80\xae`|'";
  report.machines[0].name = region.on[0].first = hostile;
  region.id = region.function = hostile;
  region.location.file = hostile;
  region.parameters[hostile] = {-3, ParameterSource::Hint};
  report.loops[0].reason = report.loops[0].index = report.findings[0].message = hostile;
  region.on[1].second.speedup.with = {std::nan(""), 0, std::numeric_limits<double>::infinity()};
  region.arrays[0].h2d->bytes = region.arrays[0].h2d->movedBytes = ~0ull;
  expectSame(report);
  EXPECT_EQ(summarize(report).regions[0].movedBytes, ~0ull) << "a sum that is too large stays at the most there is";
}

TEST(ReportSummary, WhatIsNoReportIsRefusedWithItsPlace) {
  EXPECT_EQ(errorOf(""), "old.json: [1:0, byte=0]: Unexpected EOF");
  EXPECT_EQ(errorOf("[]"), "old.json: expected an object when parsing the report");
  EXPECT_EQ(errorOf("{}"),
            "old.json: expected \"report\", which `busfare analyze --format json` writes at the report.output");
  EXPECT_NE(errorOf("{\"output\": \"loops\"}").find("report.output"), std::string::npos);
  EXPECT_NE(errorOf(R"({"output": "report", "schema_version": 2})").find("expected 1, the only version"),
            std::string::npos);
  EXPECT_NE(errorOf(std::string(1000000, '[')).find("brackets inside each other"), std::string::npos);
  EXPECT_NE(errorOf("{\"output\": \"report\"").find("old.json: [1:"), std::string::npos);
}

/// Every way to spoil one value, until one is refused by no message: its place is in the message.
TEST(ReportSummary, EveryKeyThatIsComparedHasToBeRight) {
  const std::string text = jsonOf(test::reportSample());
  struct Spoiled {
    const char *from, *to, *place;
  };
  const Spoiled all[] = {
      {"\"verdict\": \"measure\"", "\"verdict\": \"perhaps\"", "the report.regions[0].on.lab.verdict"},
      {"\"fingerprint\": \"6f1d0c2a\"", "\"fingerprint\": 6", "the report.regions[0].fingerprint"},
      {"\"moved_bytes\": 8372224", "\"moved_bytes\": -1", "the report.regions[0].arrays[1].d2h.moved_bytes"},
      {"\"moved_bytes\": 8372224", "\"moved_bytes\": 1.5", "the report.regions[0].arrays[1].d2h.moved_bytes"},
      {"\"d2h\": null", "\"d2h\": []", "the report.regions[0].arrays[0].d2h"},
      {"\"parallel\": false", "\"parallel\": 0", "the report.loops[0].parallel"},
      {"\"rule\": \"BF008\"", "\"rule\": \"<b>\"", "the report.findings[0].rule"},
      {"\"level\": \"warning\"", "\"level\": \"fatal\"", "the report.findings[0].level"},
      {"\"machines\"", "\"engines\"", "the report.machines"},
      {"\"failed_files\": 0", "\"failed_files\": 4294967296", "the report.coverage.failed_files"},
      {"\"line\": 14", "\"line\": \"14\"", "the report.regions[0].location.line"},
  };
  for (const Spoiled &one : all) {
    std::string spoiled = text;
    size_t at = spoiled.find(one.from);
    ASSERT_NE(at, std::string::npos) << one.from;
    // Every one of them: the first may be of a key that is not compared.
    for (; at != std::string::npos; at = spoiled.find(one.from, at + 1))
      spoiled.replace(at, std::string(one.from).size(), one.to);
    EXPECT_NE(errorOf(spoiled).find(one.place), std::string::npos) << one.to << ": " << errorOf(spoiled);
  }
}

TEST(ReportSummary, CutShortOrDamagedItIsRefusedOrRead) {
  const std::string text = jsonOf(test::reportSample());
  for (size_t length = 0; length + 2 < text.size(); length += 97)
    EXPECT_NE(errorOf(text.substr(0, length)), "") << length;
  // Whatever byte is spoiled: no crash, and if it is refused, in one line.
  for (size_t at = 0; at < text.size(); at += 101)
    for (char c : {'\0', '"', '{', '9', '\xff'}) {
      std::string damaged = text;
      damaged[at] = c;
      errorOf(damaged);
    }
}

TEST(ReportSummary, KeysThatAreNotThereYetAreNotMissed) {
  llvm::Expected<json::Value> value = json::parse(jsonOf(test::reportSample()));
  ASSERT_TRUE(bool(value)) << llvm::toString(value.takeError());
  for (const char *key : {"nests", "unpriced", "program", "messages", "library_calls", "next_commands"})
    value->getAsObject()->erase(key);
  for (json::Value &loop : *value->getAsObject()->getArray("loops")) loop.getAsObject()->erase("depth");
  std::string text;
  llvm::raw_string_ostream(text) << *value;
  EXPECT_EQ(errorOf(text), "");
}

} // namespace
} // namespace busfare::projection
