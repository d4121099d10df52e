//===- test/projection/DiffWritersTest.cpp - What changed, in every format --===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Goldens in test/projection/golden; test/update_checks rewrites them.
//
//===----------------------------------------------------------------------===//

#include "projection/report/DiffWriters.h"
#include "ReportSample.h"
#include "SummarySample.h"
#include "projection/report/Junit.h"
#include "projection/report/Printable.h"
#include "test/support/Text.h"
#include <gtest/gtest.h>

namespace busfare::projection {
namespace {

using test::findingOf;
using test::loopOf;
using test::regionOf;
using test::summarySample;

template <class Write> std::string written(Write write) {
  std::string text;
  llvm::raw_string_ostream os(text);
  write(os);
  return os.str();
}

const std::string hostile = "q\"<script>&'\n\x1b[31m\xe2\x80\xae\xff|`*_@me](http://x)";

/// Something of everything.
ReportDiff diffSample() {
  ReportSummary before = summarySample(), after = before;
  before.machines.push_back("lab");
  after.file = "new.json";
  after.version = "0.2.0";
  after.failedFiles = 1;
  after.regions[0] = regionOf("src/step.c", 19, "main", "0bad", Verdict::Keep, {0.8, 0.5, 1.1}, 2000);
  after.regions[0].sizes["main::n"] = 128;
  after.regions[1] = regionOf("src/dot.c", 4, "dot", "77aa");
  after.loops[1].parallel = false;
  after.loops[1].reason = "u[i] -> u[i-1]";
  after.loops[3] = loopOf("src/dot.c", 4, "dot", "k", 0, true);
  after.findings.pop_back();
  after.findings.push_back(findingOf("BF001", "src/dot.c", 5, "subscript depends on memory"));
  return compare(before, after);
}

TEST(DiffWriters, MatchTheirGoldens) {
  busfare::test::expectGolden("projection/golden/diff.txt", written([](auto &os) { writeDiffText(diffSample(), os); }));
  busfare::test::expectGolden("projection/golden/diff.md",
                              written([](auto &os) { writeDiffMarkdown(diffSample(), os); }));
  std::string json = written([](auto &os) { writeDiffJson(diffSample(), os); });
  const std::string ours = "\"version\": \"" BUSFARE_VERSION "\""; // another one with each release
  json.replace(json.find(ours), ours.size(), "\"version\": \"this\"");
  busfare::test::expectGolden("projection/golden/diff.json", json);
}

TEST(DiffWriters, WhereNothingChangedSayThatAndNothingElse) {
  ReportSummary report = summarySample(), other = report;
  EXPECT_EQ(written([&](auto &os) { writeDiffText(compare(report, report), os); }), "nothing changed\n");
  EXPECT_EQ(written([&](auto &os) { writeDiffMarkdown(compare(report, report), os); }),
            "## busfare: nothing changed\n\n`old.json` -> `old.json`\n");
  other.regions[0].on["a100-pcie4"].speedup.value = 3.1;
  EXPECT_EQ(diffStatement(compare(report, other)), "nothing changed, but for speedups within their intervals");
}

TEST(DiffWriters, SinceABaselineSaysTheFirstFew) {
  ReportSummary before = summarySample(), after = before;
  for (unsigned i = 0; i < 9; ++i)
    after.loops.push_back(loopOf("src/new.c", i + 1, "fill", "i" + std::to_string(i), 0, true));
  std::string text = written([&](auto &os) { writeSinceBaseline(compare(before, after), os); });
  EXPECT_NE(text.find("old.json: 9 loops new.\n"), std::string::npos) << text;
  EXPECT_NE(text.find("src/new.c:5:3"), std::string::npos);
  EXPECT_EQ(text.find("src/new.c:6:3"), std::string::npos);
  EXPECT_NE(text.find("... and 4 more\n"), std::string::npos);
  text = written([&](auto &os) { writeDiffText(compare(before, after), os); });
  EXPECT_NE(text.find("src/new.c:9:3"), std::string::npos);
}

TEST(DiffWriters, AReportSaysWhatChangedUnderAKeyOfItsOwn) {
  const Report report = test::reportSample();
  const ReportDiff diff = compare(summarySample(), summarize(report));
  std::string alone = written([&](auto &os) { writeJson(report, os); }),
              both = written([&](auto &os) { writeJson(report, os, &diff); });
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(both);
  ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
  const llvm::json::Object *baseline = parsed->getAsObject()->getObject("baseline");
  ASSERT_TRUE(baseline);
  EXPECT_EQ(baseline->getObject("new")->get("file")->kind(), llvm::json::Value::Null);
  parsed->getAsObject()->erase("baseline");
  EXPECT_EQ(*parsed, llvm::cantFail(llvm::json::parse(alone)));
}

TEST(DiffWriters, TakeHostileNamesForData) {
  ReportSummary before = summarySample(), after = before;
  before.file = hostile;
  after.machines.push_back(hostile);
  after.version = hostile;
  RegionSummary region = regionOf(hostile, 1, hostile, hostile);
  region.on[hostile] = {Verdict::Port, {2, 1, 3}};
  after.regions.push_back(region);
  after.loops.push_back(loopOf(hostile, 1, hostile, hostile, 0, false));
  after.loops.back().reason = hostile;
  after.findings.push_back(findingOf("BF001", hostile, 1, hostile));
  const ReportDiff diff = compare(before, after);
  std::string text = written([&](auto &os) { writeDiffText(diff, os); });
  for (char c : text) EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << int(c);
  EXPECT_NE(text.find("\\n\\x1b[31m\\u202e\\xff|"), std::string::npos) << text;
  // In Markdown all of it is code: two marks hold what has one.
  std::string markdown = written([&](auto &os) { writeDiffMarkdown(diff, os); });
  const std::string code = "q\"<script>&'\\n\\x1b[31m\\u202e\\xff|`*_@me](http://x)";
  size_t seen = 0;
  for (size_t at = markdown.find("<script>"); at != std::string::npos; at = markdown.find("<script>", at + 1), ++seen) {
    const size_t start = markdown.rfind("``", at), end = markdown.find("``", at);
    ASSERT_NE(start, std::string::npos);
    ASSERT_NE(end, std::string::npos);
    EXPECT_NE(markdown.substr(start, end - start).find(code), std::string::npos);
  }
  EXPECT_GT(seen, 6u);
  std::string json = written([&](auto &os) { writeDiffJson(diff, os); });
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(json);
  ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
}

TEST(Printable, ShowsWhatATerminalWouldObey) {
  EXPECT_EQ(printable("plain text, 3 < 4"), "plain text, 3 < 4");
  EXPECT_EQ(printable("gr\xc3\xb6\xc3\x9f\x65r \xe4\xb8\xad \xf0\x9f\x9a\x8c"),
            "gr\xc3\xb6\xc3\x9f\x65r \xe4\xb8\xad \xf0\x9f\x9a\x8c");
  EXPECT_EQ(printable("a\nb\tc\x7f"), "a\\nb\\tc\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"), "\\x9b");                                 // a control sequence in one letter
  EXPECT_EQ(printable("\xe2\x80\xae|\xe2\x81\xa6|\xe2\x80\xa8"),
            "\\u202e|\\u2066|\\u2028"); // turned round; a line of its own
  EXPECT_EQ(printable("\xef\xbf\xbf|\xed\xa0\x80|\xc0\xaf|\xe4\xb8"), "\\uffff|\\xed\\xa0\\x80|\\xc0\\xaf|\\xe4\\xb8");
  EXPECT_EQ(printable(llvm::StringRef("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\x1b[31m\xef\xbb\xbf|\xc2\xad|\xff"), "\\x1b[31m\\ufeff|\\xad|\\xff");
  EXPECT_EQ(xmlText("<a b=\"c\">'&\x01"), "&lt;a b=&quot;c&quot;&gt;&apos;&amp;\\x01");
  EXPECT_EQ(codeSpan("a"), "`a`");
  EXPECT_EQ(codeSpan("a`b"), "``a`b``");
  EXPECT_EQ(codeSpan("``"), "``` `` ```");
  EXPECT_EQ(codeSpan(""), "`  `");
}

TEST(Junit, ATestForEachCondition) {
  std::string text = written([](auto &os) {
    writeJunit("busfare.diff",
               {{"flip", {}}, {"speedup<2", {"region a.c:1:f has 0.5x", hostile}}, {"worse", {"one reason"}}},
               {"2 files"}, os);
  });
  EXPECT_EQ(text, R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="busfare" tests="3" failures="2" errors="0">
  <testsuite name="busfare.diff" tests="3" failures="2" errors="0" skipped="0">
    <testcase classname="busfare.diff" name="flip"/>
    <testcase classname="busfare.diff" name="speedup&lt;2">
      <failure message="2 reasons" type="speedup&lt;2">region a.c:1:f has 0.5x
q&quot;&lt;script&gt;&amp;&apos;\n\x1b[31m\u202e\xff|`*_@me](http://x)</failure>
    </testcase>
    <testcase classname="busfare.diff" name="worse">
      <failure message="one reason" type="worse">one reason</failure>
    </testcase>
    <system-out>2 files</system-out>
  </testsuite>
</testsuites>
)");
}

} // namespace
} // namespace busfare::projection
