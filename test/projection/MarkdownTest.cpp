//===- test/projection/MarkdownTest.cpp - Markdown and rows of a report ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/Markdown.h"
#include "ReportSample.h"
#include "projection/report/Csv.h"
#include "test/support/Text.h"
#include "llvm/ADT/SmallVector.h"
#include "gtest/gtest.h"

namespace busfare::projection {
namespace {

const char *const hostile = "a|b`c</details><script>alert(1)</script>\n# @root [x](y) \u202e=1+1,\"";

std::string markdown(const Report &report, bool inFull, const PlotLinks &plots = {}) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writeMarkdown(report, inFull, plots, os);
  return text;
}

std::string csv(const Report &report) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writeCsv(report, os);
  return text;
}

TEST(Markdown, MatchesGolden) {
  busfare::test::expectGolden("projection/golden/report.md", markdown(test::reportSample(), false));
  busfare::test::expectGolden("projection/golden/proposal.md", markdown(test::reportSample(), true));
}

/// What is seen before anything is opened.
TEST(Markdown, ACommentHasAtMostSixtyLinesAtTheTop) {
  Report report = test::reportSample();
  while (report.regions.size() < 200) report.regions.push_back(report.regions.front());
  size_t seen = 0;
  bool isInside = false;
  llvm::SmallVector<llvm::StringRef> lines;
  const std::string text = markdown(report, false);
  llvm::StringRef(text).split(lines, '\n');
  for (llvm::StringRef line : lines) {
    seen += !isInside;
    isInside |= line.starts_with("<details>");
    isInside &= line != "</details>";
  }
  EXPECT_LE(seen, 60u);
  EXPECT_NE(text.find("and 188 more regions"), std::string::npos);
}

TEST(Markdown, AProposalHasTheDrawingsThatAreBesideIt) {
  const Report report = test::reportSample();
  const PlotLinks plots{{report.regions[0].id, {{"Timeline <of> it", "p-plots/a-timeline.svg"}}}};
  EXPECT_NE(markdown(report, true, plots).find("![Timeline \\<of\\> it](p-plots/a-timeline.svg)"), std::string::npos);
  EXPECT_EQ(markdown(report, true).find("!["), std::string::npos);
}

TEST(Markdown, ForeignNamesAreText) {
  Report report = test::reportSample();
  report.regions[0].arrays[0].name = report.regions[0].on[0].second.why =
      report.regions[0].on[0].second.kernels[0].function = hostile;
  report.regions[0].assumptions.push_back(hostile);
  for (bool inFull : {false, true}) {
    const std::string text = markdown(report, inFull);
    EXPECT_EQ(llvm::StringRef(text).count("\n</details>\n"), inFull ? 0u : 1u);
    EXPECT_EQ(text.find("\u202e"), std::string::npos);
    EXPECT_EQ(llvm::StringRef(text).count("\n# "), 0u);
  }
  EXPECT_EQ(markdownText("a*b_c <i> [x](y) | #1"), "a\\*b\\_c \\<i\\> \\[x\\](y) \\| \\#1");
  EXPECT_EQ(markdownText("</details><script>"), "\\</details\\>\\<script\\>");
  EXPECT_EQ(markdownText("by @root"), "`by @root`");
}

TEST(Csv, MatchesGolden) { busfare::test::expectGolden("projection/golden/report.csv", csv(test::reportSample())); }

TEST(Csv, EveryRowHasAllColumns) {
  Report report = test::reportSample();
  report.regions[0].arrays[0].name = hostile;
  report.regions[0].on[0].second.kernels[0].id = "=1+1";
  const std::string text = csv(report);
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).trim().split(lines, '\n');
  for (llvm::StringRef line : lines) {
    size_t columns = 1;
    bool isQuoted = false;
    for (char c : line) {
      isQuoted ^= c == '"';
      columns += c == ',' && !isQuoted;
    }
    EXPECT_EQ(columns, 25u) << line.str();
  }
  EXPECT_NE(text.find(",'=1+1,"), std::string::npos);
  EXPECT_EQ(text.find("\u202e"), std::string::npos);
}

} // namespace
} // namespace busfare::projection
