//===- test/projection/HtmlTest.cpp - The page that holds a report --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What is in the page reads back as it was put in, whatever it holds; what a browser makes
// of it is for test/web.
//
//===----------------------------------------------------------------------===//

#include "projection/report/Html.h"
#include "ReportSample.h"
#include "projection/report/HtmlParts.h"
#include "projection/report/PriceTable.h"
#include "projection/report/Writers.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

namespace busfare::projection {
namespace {

const char *const hostile = "</script><script>alert(1)</script><!-- \"'&\n\x01\u202e";

Report sample() {
  Report report = test::reportSample();
  auto table = std::make_shared<PriceTable>();
  table->root = "simulate";
  table->regions = {report.regions[0].id};
  table->machines = {{"a100-pcie4", 1, 1.4e12, 2.6e10, 9.7e12}, {"lab", 1, 1e12, 1e10, 5e12}};
  table->sizes = {{}, {hostile, 1, {{hostile, 4096}}}};
  table->steps = {std::nullopt, 10};
  table->runs = {{}, {std::nullopt, true}};
  PricedAnswer answer;
  answer.verdict = Verdict::Port;
  answer.speedup = {3.25, 2.5, 4.125};
  answer.why = hostile;
  table->settings = {{1, 0, 1, {answer, answer}}};
  table->timelines = {{report.regions[0].id, "lab", {{"h2d", hostile, 0, 0.5, 100, 0}}, {}, false}};
  report.prices = {table};
  return report;
}

HtmlContext context() {
  HtmlContext context;
  context.parts = {"run(1 < 2 && 3 > 2);", "p { color: red }"};
  context.sources = {{hostile, {{7, hostile}, {8, "\xff\xfe"}}}};
  context.rules = {{"BF008", "# BF008: a rule </script>"}};
  context.command = hostile;
  return context;
}

std::string written(const Report &report) {
  std::string page;
  llvm::raw_string_ostream os(page);
  writeHtml(report, context(), os);
  return page;
}

/// The JSON of one element of the page, as a browser finds its end.
llvm::json::Value embedded(llvm::StringRef page, llvm::StringRef id) {
  const std::string start = ("<script type=\"application/json\" id=\"" + id + "\">").str();
  EXPECT_EQ(page.count(start), 1u) << id.str();
  llvm::StringRef rest = page.split(start).second;
  auto value = llvm::json::parse(rest.take_front(rest.find("</script>")));
  EXPECT_TRUE(bool(value)) << llvm::toString(value.takeError());
  return value ? *value : llvm::json::Value(nullptr);
}

TEST(Html, HoldsTheReportAsItsJsonIs) {
  std::string json;
  llvm::raw_string_ostream os(json);
  writeJson(sample(), os);
  EXPECT_EQ(embedded(written(sample()), "report"), llvm::cantFail(llvm::json::parse(json)));
}

TEST(Html, ForeignNamesAreData) {
  Report report = sample();
  report.regions[0].id = report.regions[0].arrays[0].name = report.findings[0].message = hostile;
  const std::string page = written(report);
  EXPECT_EQ(llvm::StringRef(page).count("<script"), 6u);   // five of data, one of the page's own
  EXPECT_EQ(llvm::StringRef(page).count("</script>"), 6u);
  EXPECT_EQ(page.find("<!--"), std::string::npos);
  EXPECT_EQ((*embedded(page, "report").getAsObject()->getArray("regions"))[0].getAsObject()->getString("id"),
            llvm::StringRef(hostile));
  const llvm::json::Value sources = embedded(page, "sources");
  const llvm::json::Object &file = *(*sources.getAsArray())[0].getAsObject();
  EXPECT_EQ(file.getString("file"), llvm::StringRef(hostile));
  EXPECT_EQ((*(*file.getArray("lines"))[0].getAsArray())[1].getAsString(), llvm::StringRef(hostile));
  EXPECT_EQ(embedded(page, "said").getAsObject()->getString("command"), llvm::StringRef(hostile));
}

TEST(Html, AllowsItsOwnScriptAndNothingElse) {
  const std::string html = written(sample());
  // printf 'run(1 < 2 && 3 > 2);' | openssl dgst -sha256 -binary | base64
  EXPECT_NE(html.find("script-src 'sha256-GxIYwE0NL7KUJQno3rSu3ACsNKqTVw7U8owv6qlqpms='"), std::string::npos);
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(html.find("unsafe-inline"), std::string::npos);
  EXPECT_EQ(html.find("http:"), std::string::npos);
  EXPECT_EQ(html.find("https:"), std::string::npos);
}

TEST(Html, PricesAreRowsOfTheirColumns) {
  const llvm::json::Value prices = embedded(written(sample()), "prices");
  const llvm::json::Object &table = *(*prices.getAsArray())[0].getAsObject();
  const llvm::json::Array &columns = *table.getArray("columns"), &words = *table.getArray("words");
  const llvm::json::Object &setting = *(*table.getArray("settings"))[0].getAsObject();
  EXPECT_EQ(*setting.getArray("at"), (llvm::json::Array{1, 0, 1}));
  const llvm::json::Array &row = *(*setting.getArray("answers"))[1].getAsArray();
  ASSERT_EQ(row.size(), columns.size());
  for (size_t k = 0; k < columns.size(); ++k) {
    if (columns[k] == llvm::json::Value("high")) EXPECT_EQ(row[k].getAsNumber(), 4.125);
    if (columns[k] == llvm::json::Value("verdict"))
      EXPECT_EQ(words[*row[k].getAsInteger()].getAsString(), llvm::StringRef("port"));
    if (columns[k] == llvm::json::Value("why"))
      EXPECT_EQ(words[*row[k].getAsInteger()].getAsString(), llvm::StringRef(hostile));
  }
  EXPECT_EQ((*table.getArray("runs"))[1].getAsString(), llvm::StringRef("many"));
}

TEST(Html, SaysWhatTheTextSays) {
  const Report report = sample();
  std::string text;
  llvm::raw_string_ostream os(text);
  writeText(report, os, {1u << 20, false});
  const llvm::json::Value said = embedded(written(report), "said");
  const llvm::json::Object &region = *(*said.getAsObject()->getArray("regions"))[0].getAsObject();
  size_t sentences = 0;
  for (const char *part : {"answer", "plan"})
    for (const llvm::json::Value &sentence : *region.getObject("on")->getObject("a100-pcie4")->getArray(part)) {
      EXPECT_NE(text.find(sentence.getAsString()->str()), std::string::npos) << sentence.getAsString()->str();
      ++sentences;
    }
  EXPECT_GT(sentences, 6u);
}

TEST(Html, LargePartsArePacked) {
  if (!llvm::compression::zlib::isAvailable()) GTEST_SKIP() << "this LLVM has no zlib";
  Report report = sample();
  while (report.regions.size() < 60) report.regions.push_back(report.regions.front());
  const std::string page = written(report);
  llvm::StringRef packed = llvm::StringRef(page).split("data-packed id=\"report\">").second.split("</script>").first;
  std::vector<char> bytes;
  ASSERT_FALSE(bool(llvm::decodeBase64(packed, bytes)));
  std::string json;
  llvm::raw_string_ostream os(json);
  writeJson(report, os);
  json = compactJson(json);
  llvm::SmallVector<uint8_t> text;
  ASSERT_FALSE(bool(llvm::compression::zlib::decompress(
      llvm::ArrayRef(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()), text, json.size())));
  EXPECT_EQ(llvm::StringRef(reinterpret_cast<const char *>(text.data()), text.size()), json);
  EXPECT_LT(packed.size(), json.size() / 5);
}

TEST(Html, IsTheSameEachTime) { EXPECT_EQ(written(sample()), written(sample())); }

TEST(Html, BlanksOfStringsStay) {
  EXPECT_EQ(compactJson("{\n  \"a\": \"x  y\",\n  \"b\": [\n    1\n  ]\n}\n"), "{\"a\": \"x  y\",\"b\": [1]}");
}

TEST(Html, KnowsTheLinesThatAReportSpeaksOf) {
  const auto lines = linesOf(sample());
  ASSERT_TRUE(lines.count("jacobi.c"));
  for (unsigned line : {14u, 15u, 17u, 51u, 12u, 42u, 24u}) EXPECT_TRUE(lines.at("jacobi.c").count(line)) << line;
  EXPECT_TRUE(lines.at("boundary.h").count(81));
}

} // namespace
} // namespace busfare::projection
