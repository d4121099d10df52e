//===- test/projection/RemarksTest.cpp - Reports for other programs -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Remarks from a Report value, and their writers: what is first, what stays out, which
// fingerprints stay the same, and names that try to be something else.
//
//===----------------------------------------------------------------------===//

#include "ReportSample.h"
#include "brs/RulePages.h"
#include "projection/report/Printable.h"
#include "projection/report/RemarkWriters.h"
#include "test/support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

namespace busfare::projection {
namespace {

using llvm::StringRef;
using skeleton::Finding;
using skeleton::Level;
using skeleton::Location;
using skeleton::Rule;
using testing::ElementsAre;

const SourceRoot here{"/home/me/solver", "/home/me/solver"};

template <class Write> std::string written(Write write) {
  std::string text;
  llvm::raw_string_ostream os(text);
  write(os);
  return text;
}

llvm::json::Value sarifOf(const Remarks &remarks, const SourceRoot &root = here, StringRef url = "") {
  return llvm::cantFail(llvm::json::parse(written([&](auto &os) { writeSarif(remarks, root, url, os); })));
}

const llvm::json::Object &runOf(const llvm::json::Value &sarif) {
  return *(*sarif.getAsObject()->getArray("runs"))[0].getAsObject();
}
const llvm::json::Array &resultsOf(const llvm::json::Value &sarif) { return *runOf(sarif).getArray("results"); }

std::vector<std::string> linesOf(const Remarks &remarks) {
  llvm::SmallVector<StringRef> lines;
  const std::string text = written([&](auto &os) { writeGithub(remarks, os); });
  StringRef(text).split(lines, '\n', -1, false);
  std::vector<std::string> result;
  for (StringRef line : lines) result.push_back(line.str());
  return result;
}

Report withFindings(std::vector<Finding> findings) {
  Report report;
  report.version = "0.1.0";
  report.findings = std::move(findings);
  return report;
}

std::string percentDecoded(StringRef uri) {
  std::string result;
  for (size_t i = 0; i < uri.size(); ++i)
    if (uri[i] == '%') {
      result += char(llvm::hexFromNibbles(uri[i + 1], uri[i + 2]));
      i += 2;
    } else {
      result += uri[i];
    }
  return result;
}

/// What may stand in anybody's source.
const char *const hostile[] = {"a\"b'c",
                               "two\nlines\r\n::error::no",
                               "<script>alert(1)</script>",
                               "\x1b[31mred\x07",
                               "a\xE2\x80\xAE-b",
                               "\xFF\xFE no UTF-8 \xC3",
                               "50%25, a:b,c::d",
                               "table[i](x) {0} {",
                               "](javascript:x)",
                               "%0A::warning::x",
                               "tab\there\x7F",
                               "\xE2\x80\xA8line"};

//===--- Rules ------------------------------------------------------------===//

TEST(Remarks, EveryRuleHasAPageAndEveryPageARule) {
  std::set<std::string> rules;
  for (Rule rule : skeleton::allRules()) rules.insert(skeleton::ruleId(rule).str());
  for (StringRef rule : ownRemarkRules()) rules.insert(rule.str());
  std::set<std::string> pages;
  for (const brs::RulePage &page : brs::rulePages()) {
    pages.insert(page.id.str());
    EXPECT_TRUE(page.text.starts_with("# " + page.id.str() + ": ")) << page.id.str();
    EXPECT_GT(pageTitle(page).size(), 5u) << page.id.str();
    EXPECT_GT(pageSummary(page).size(), 20u) << page.id.str();
    EXPECT_EQ(pageSummary(page).find('\n'), std::string::npos);
    for (const char *part : {"## What it costs\n", "## What to do\n"})
      EXPECT_TRUE(page.text.contains(part)) << page.id.str() << " has no " << part;
  }
  EXPECT_EQ(rules, pages);
  EXPECT_EQ(brs::findRulePage("BF999"), nullptr);
  EXPECT_EQ(pageTitle(*brs::findRulePage("BF008")), "A size got the stated default");
}

//===--- What is said, and in which order ---------------------------------===//

TEST(Remarks, ReportBecomesRemarksMostImportantFirst) {
  Report report = test::reportSample();
  report.findings.push_back({Rule::HintRefuted, Level::Error, {"jacobi.c", 90, 1}, "it is not"});
  report.suppressed.push_back({Rule::AssumedNoAlias, Level::Note, {"jacobi.c", 3, 1}, "u and v"});
  RegionReport keep = report.regions[0];
  keep.on[0].second.verdict = Verdict::Keep;
  keep.location.line = 1;
  report.regions.insert(report.regions.begin(), keep);
  RegionReport bigger = report.regions[1];
  bigger.location.line = 200;
  bigger.fingerprint = "another";
  bigger.on[0].second.time.total *= 3;
  report.regions.push_back(bigger);
  std::vector<std::string> order;
  for (const Remark &remark : remarksOf(report, here).list)
    order.push_back(remark.rule + ":" + std::to_string(remark.place.line) + (remark.isSuppressed ? " suppressed" : ""));
  EXPECT_THAT(order, ElementsAre("BF022:90", "verdict-port:200", "verdict-port:14", "not-priced:9", "BF008:12",
                                 "verdict-keep:1", "BF007:51", "BF009:3 suppressed"));
}

TEST(Remarks, VerdictSaysWhatDecidesIt) {
  const Remarks remarks = remarksOf(test::reportSample(), here);
  const Remark &port = remarks.list.front();
  EXPECT_EQ(port.rule, "verdict-port");
  EXPECT_EQ(port.level, Level::Warning);
  EXPECT_EQ(port.function, "simulate");
  for (const char *part :
       {"Worth moving to a GPU: simulate, ", " on a100-pcie4. ", "It moves 8.4 MiB to the device and 8.0 MiB back.",
        "The whole interval is above 1.", "What would change this: n = 1024 is assumed", "On lab: measure, "})
    EXPECT_NE(port.message.find(part), std::string::npos) << part << " in " << port.message;
  ASSERT_EQ(port.related.size(), 2u);
  EXPECT_EQ(port.related[0].first.line, 15u);
  EXPECT_EQ(port.figures.getInteger("h2d_bytes"), 8388608 + 4096 * 100);
}

TEST(Remarks, LoopsHaveTheirVerdicts) {
  std::vector<std::string> said;
  for (const Remark &remark : loopRemarksOf(test::reportSample(), here).list)
    said.push_back(remark.rule + ": " + remark.message);
  EXPECT_THAT(
      said,
      ElementsAre(
          "BF008: nothing binds n: 1024 is assumed; give it with --param n=VALUE",
          "loop-parallel: The loop over i is parallel: private(t), reduction(+: residual), if noalias(u,v).",
          "BF007: the loop over i is serial: a[i] -> a[i-1]",
          "loop-serial: The loop over t is serial: u[i][j] -> u[i-1][j]: u[1][1] written at t = 0, read at t = 1.",
          "loop-serial: The loop over i is serial: a[i] -> a[i-1], a[1] written at i = 1, read at i = 2."));
}

TEST(Remarks, PathsAreFromTheTopOfTheRepository) {
  const SourceRoot root{"/home/me/solver", "/home/me/solver/build"};
  auto placeOf = [&](const char *file) {
    const Remarks remarks = remarksOf(withFindings({{Rule::Goto, Level::Note, {file, 2, 3}, "goto"}}), root);
    return remarks.list.at(0).place.path + (remarks.list[0].place.isInRoot ? "" : " outside");
  };
  EXPECT_EQ(placeOf("../src/a.c"), "src/a.c");
  EXPECT_EQ(placeOf("/home/me/solver/src/./x/../a.c"), "src/a.c");
  EXPECT_EQ(placeOf("gen.c"), "build/gen.c");
  EXPECT_EQ(placeOf("/usr/include/math.h"), "/usr/include/math.h outside");
  EXPECT_EQ(placeOf("/home/me/solver2/a.c"), "/home/me/solver2/a.c outside");
  EXPECT_EQ(placeOf(""), " outside");
}

//===--- Fingerprints -----------------------------------------------------===//

std::multiset<std::string> fingerprints(const Remarks &remarks) {
  std::multiset<std::string> result;
  for (const Remark &remark : remarks.list) result.insert(remark.rule + " " + remark.fingerprint);
  return result;
}

TEST(RemarkFingerprints, SurviveMovedLinesAndAnotherCheckout) {
  auto reportAt = [](unsigned line, const std::string &folder) {
    Report report = test::reportSample();
    const std::string at = std::to_string(line);
    report.regions[0].location = {folder + "jacobi.c", line, 3};
    report.unpriced[0].location = {folder + "force.c", line + 2, 3};
    report.unpriced[0].reason = "the call at " + folder + "jacobi.c:" + at + ":5 is not known";
    report.loops[0].location.line = line;
    report.loops[1].location.line = line + 1;
    report.findings = {{Rule::NotParallel,
                        Level::Remark,
                        {folder + "jacobi.c", line, 3},
                        "a[i] -> a[i-1] of " + folder + "jacobi.c:" + at + ":7"},
                       {Rule::NotParallel,
                        Level::Remark,
                        {folder + "jacobi.c", line + 9, 3},
                        "a[i] -> a[i-1] of " + folder + "jacobi.c:" + at + ":7"},
                       {Rule::OpaqueCall,
                        Level::Remark,
                        {folder + "jacobi.c", line, 5},
                        "f1@" + at + " of lines " + at + ", 14 and 2 to 30; n2 is 17"}};
    return report;
  };
  const Report before = reportAt(40, "/home/me/solver/"), after = reportAt(1041, "/home/you/work/");
  const SourceRoot there{"/home/you/work", "/home/you/work/build"};
  EXPECT_EQ(fingerprints(remarksOf(before, here)), fingerprints(remarksOf(after, there)));
  EXPECT_EQ(fingerprints(loopRemarksOf(reportAt(2, ""), here)), fingerprints(loopRemarksOf(reportAt(3, ""), here)));
}

TEST(RemarkFingerprints, DifferWhereRemarksDo) {
  const Finding one{Rule::AssumedSize, Level::Warning, {"a.c", 4, 1}, "nothing binds n1"};
  std::vector<Finding> findings(8, one);
  findings[1].location.line = 9;          // the same words once more
  findings[2].rule = Rule::AssumedIterations;
  findings[3].message = "nothing binds n2"; // a digit that is no line
  findings[4].location.file = "b.c";
  findings[5].message = "nothing binds n1 at :7";
  findings[6].message = "nothing binds 17";
  findings[7].message = "nothing binds 18";
  Report report = withFindings(findings);
  report.regions = {test::reportSample().regions[0], test::reportSample().regions[0]}; // two alike
  report.regions[1].location.line += 30;
  const Remarks remarks = remarksOf(report, here);
  std::set<std::string> different;
  for (const Remark &remark : remarks.list) different.insert(remark.fingerprint);
  EXPECT_EQ(different.size(), 10u);
  // A changed verdict is another rule's result about the same region.
  report.regions[0].on[0].second.verdict = Verdict::Keep;
  std::set<std::string> later;
  for (const Remark &remark : remarksOf(report, here).list) later.insert(remark.fingerprint);
  EXPECT_EQ(later, different);
}

//===--- SARIF ------------------------------------------------------------===//

TEST(Sarif, ResultsAreOfTheirRulesAndLieBelowTheRoot) {
  Report report = test::reportSample();
  report.suppressed = {{Rule::AssumedNoAlias, Level::Note, {"/usr/include/x y.h", 3, 0}, "u and v"}};
  report.findings.push_back({Rule::EffortExceeded, Level::Error, {}, "nowhere"});
  const llvm::json::Value sarif = sarifOf(remarksOf(report, here));
  EXPECT_EQ(sarif.getAsObject()->getString("version"), "2.1.0");
  const llvm::json::Array &rules = *runOf(sarif).getObject("tool")->getObject("driver")->getArray("rules");
  EXPECT_EQ(rules.size(), brs::rulePages().size());
  std::map<std::string, const llvm::json::Object *> byRule;
  for (const llvm::json::Value &each : resultsOf(sarif)) {
    const llvm::json::Object &result = *each.getAsObject();
    const StringRef id = *result.getString("ruleId");
    EXPECT_EQ(rules[*result.getInteger("ruleIndex")].getAsObject()->getString("id"), id);
    byRule[id.str()] = &result;
  }
  EXPECT_EQ(resultsOf(sarif).size(), 6u);
  EXPECT_EQ(byRule["verdict-port"]->getString("level"), "warning");
  EXPECT_EQ(byRule["BF007"]->getString("level"), "note");
  EXPECT_EQ(byRule["BF016"]->getString("level"), "error");
  EXPECT_EQ(byRule["BF016"]->get("locations"), nullptr);
  auto placeOf = [&](const char *rule) {
    return (*byRule[rule]->getArray("locations"))[0].getAsObject()->getObject("physicalLocation");
  };
  const llvm::json::Object &size = *placeOf("BF008");
  EXPECT_EQ(size.getObject("artifactLocation")->getString("uri"), "jacobi.c");
  EXPECT_EQ(size.getObject("artifactLocation")->getString("uriBaseId"), "SRCROOT");
  EXPECT_EQ(size.getObject("region")->getInteger("startLine"), 12);
  EXPECT_EQ(size.getObject("region")->getInteger("startColumn"), 19);
  const llvm::json::Object &header = *placeOf("BF009");
  EXPECT_EQ(header.getObject("artifactLocation")->getString("uri"), "file:///usr/include/x%20y.h");
  EXPECT_EQ(header.getObject("artifactLocation")->get("uriBaseId"), nullptr);
  EXPECT_EQ(header.getObject("region")->get("startColumn"), nullptr);
  EXPECT_EQ((*byRule["BF009"]->getArray("suppressions"))[0].getAsObject()->getString("kind"), "inSource");
  EXPECT_EQ(byRule["BF008"]->get("suppressions"), nullptr);
  EXPECT_EQ(runOf(sarif).getObject("originalUriBaseIds")->getObject("SRCROOT")->getString("uri"),
            "file:///home/me/solver/");
  EXPECT_EQ(byRule["verdict-port"]->getArray("relatedLocations")->size(), 2u);
}

TEST(Sarif, RulesCarryTheirPages) {
  const llvm::json::Value sarif = sarifOf(remarksOf(Report(), here), here, "https://example.org/rules/"),
                          without = sarifOf(remarksOf(Report(), here));
  auto rulesOf = [](const llvm::json::Value &one) {
    return runOf(one).getObject("tool")->getObject("driver")->getArray("rules");
  };
  std::set<std::string> names;
  for (const llvm::json::Value &each : *rulesOf(sarif)) {
    const llvm::json::Object &rule = *each.getAsObject();
    const std::string id = rule.getString("id")->str();
    EXPECT_EQ(rule.getObject("help")->getString("markdown"), brs::findRulePage(id)->text) << id;
    EXPECT_EQ(rule.getString("helpUri"), "https://example.org/rules/" + id + ".md");
    EXPECT_TRUE(names.insert(rule.getString("name")->str()).second) << id;
  }
  EXPECT_TRUE(names.count("ASizeGotTheStatedDefault"));
  EXPECT_EQ((*rulesOf(without))[0].getAsObject()->get("helpUri"), nullptr); // no web page is made up
}

TEST(Sarif, SaysWhatWasNotAnalysedAndLeftOut) {
  std::vector<Finding> findings;
  for (unsigned line = 1; line <= mostRemarks + 7; ++line)
    findings.push_back({Rule::AssumedNoAlias, Level::Note, {"a.c", line, 1}, "u and v"});
  findings.push_back({Rule::HintRefuted, Level::Error, {"z.c", 9, 1}, "it is not"});
  Report report = withFindings(findings);
  report.coverage.failedFiles = 1;
  report.coverage.notAnalysed = {{"b.c", "error: no"}};
  const llvm::json::Value sarif = sarifOf(remarksOf(report, here));
  EXPECT_EQ(resultsOf(sarif).size(), mostRemarks);
  EXPECT_EQ(resultsOf(sarif)[0].getAsObject()->getString("ruleId"), "BF022");
  const llvm::json::Object &invocation = *(*runOf(sarif).getArray("invocations"))[0].getAsObject();
  EXPECT_EQ(invocation.getBoolean("executionSuccessful"), false);
  std::vector<std::string> said;
  for (const llvm::json::Value &each : *invocation.getArray("toolExecutionNotifications"))
    said.push_back(each.getAsObject()->getObject("message")->getString("text")->str());
  EXPECT_THAT(said, ElementsAre("8 results are left out: these are the 5000 most important; --format json has all",
                                "Not analysed: b.c: error: no"));
  const llvm::json::Value all = sarifOf(remarksOf(withFindings({}), here));
  EXPECT_EQ((*runOf(all).getArray("invocations"))[0].getAsObject()->getBoolean("executionSuccessful"), true);
  EXPECT_TRUE((*runOf(all).getArray("invocations"))[0].getAsObject()->getArray("toolExecutionNotifications")->empty());
}

TEST(Sarif, NamesAreData) {
  for (const char *name : hostile) {
    Report report = withFindings({{Rule::OpaqueCall, Level::Remark, {std::string("src/") + name + ".c", 2, 3}, name}});
    const llvm::json::Value sarif = sarifOf(remarksOf(report, here));
    const llvm::json::Object &result = *resultsOf(sarif)[0].getAsObject();
    const StringRef text = *result.getObject("message")->getString("text");
    EXPECT_FALSE(text.contains("](")) << text.str();
    EXPECT_FALSE(StringRef(llvm::join(llvm::split(text, "{{"), "")).contains('{')) << text.str();
    for (unsigned char c : text) EXPECT_TRUE(c >= ' ' && c != 0x7F) << text.str();
    const StringRef uri = *(*result.getArray("locations"))[0]
                               .getAsObject()
                               ->getObject("physicalLocation")
                               ->getObject("artifactLocation")
                               ->getString("uri");
    EXPECT_EQ(uri.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/%"),
              StringRef::npos)
        << uri.str();
    EXPECT_EQ(percentDecoded(uri), std::string("src/") + name + ".c");
  }
}

//===--- GitHub and GitLab ------------------------------------------------===//

TEST(Github, OneCommandARemark) {
  Report report = test::reportSample();
  report.suppressed = {{Rule::AssumedNoAlias, Level::Note, {"jacobi.c", 3, 1}, "u and v"}};
  report.coverage.notAnalysed.clear();
  report.coverage.functionsLeftOut = 0;
  busfare::test::expectGolden("projection/golden/github.txt",
                              written([&](auto &os) { writeGithub(remarksOf(report, here), os); }));
}

TEST(Github, ShowsTenOfAKindAndSaysHowManyMore) {
  std::vector<Finding> findings;
  for (unsigned line = 1; line <= 30; ++line)
    for (Level level : {Level::Error, Level::Warning, Level::Remark, Level::Note})
      findings.push_back({Rule::AssumedNoAlias, level, {"a.c", line, 1}, "u and v"});
  const std::vector<std::string> lines = linesOf(remarksOf(withFindings(findings), here));
  std::map<std::string, unsigned> kinds;
  for (const std::string &line : lines) ++kinds[StringRef(line).drop_front(2).split(' ').first.str()];
  EXPECT_EQ(kinds, (std::map<std::string, unsigned>{{"error", 10}, {"warning", 10}, {"notice", 10}}));
  EXPECT_EQ(lines.back(),
            "::notice title=busfare::91 more remarks, which GitHub would not show; --format sarif has up to 5000.");
  // As many as there is room for need no such line.
  findings.resize(40);
  std::vector<Finding> notes;
  llvm::copy_if(findings, std::back_inserter(notes),
                [](const Finding &finding) { return finding.level == Level::Note; });
  EXPECT_EQ(notes.size(), 10u);
  EXPECT_EQ(linesOf(remarksOf(withFindings(notes), here)).size(), 10u);
  EXPECT_EQ(StringRef(linesOf(remarksOf(withFindings(notes), here)).back()).count("title=busfare"), 0u);
}

TEST(Github, NamesAreData) {
  for (const char *name : hostile) {
    const std::string file = std::string("src/") + name + ".c";
    const std::vector<std::string> lines =
        linesOf(remarksOf(withFindings({{Rule::OpaqueCall, Level::Remark, {file, 2, 3}, name}}), here));
    ASSERT_EQ(lines.size(), 1u) << name;
    auto [command, text] = StringRef(lines[0]).drop_front(2).split("::");
    EXPECT_TRUE(command.consume_front("notice file=")) << lines[0];
    auto [path, rest] = command.split(',');
    EXPECT_EQ(percentDecoded(path), printable(file)) << "but for what nobody sees, the path is the file's";
    EXPECT_TRUE(rest.starts_with("line=2,col=3,title=BF003%3A ")) << lines[0];
    EXPECT_EQ(percentDecoded(text), printable(name));
    for (unsigned char c : lines[0]) EXPECT_TRUE(c >= ' ' && c != 0x7F) << lines[0];
  }
}

TEST(Gitlab, EntriesHavePlaceSeverityAndAFingerprintOfTheirOwn) {
  Report report = test::reportSample();
  report.suppressed = {{Rule::AssumedNoAlias, Level::Note, {"jacobi.c", 3, 1}, "u and v"}};
  const std::string text = written([&](auto &os) { writeGitlab(remarksOf(report, here), os); });
  busfare::test::expectGolden("projection/golden/gitlab.json", text);
  const llvm::json::Value parsed = llvm::cantFail(llvm::json::parse(text));
  std::set<std::string> different;
  for (const llvm::json::Value &each : *parsed.getAsArray()) {
    different.insert(each.getAsObject()->getString("fingerprint")->str());
    EXPECT_GE(*each.getAsObject()->getObject("location")->getObject("lines")->getInteger("begin"), 1);
  }
  EXPECT_EQ(different.size(), parsed.getAsArray()->size());
}

TEST(Gitlab, CapsAndNamesAreData) {
  std::vector<Finding> findings;
  for (unsigned line = 1; line <= mostRemarks + 3; ++line)
    findings.push_back({Rule::AssumedNoAlias,
                        Level::Note,
                        {hostile[line % std::size(hostile)], line, 1},
                        hostile[line % std::size(hostile)]});
  const llvm::json::Value parsed = llvm::cantFail(
      llvm::json::parse(written([&](auto &os) { writeGitlab(remarksOf(withFindings(findings), here), os); })));
  EXPECT_EQ(parsed.getAsArray()->size(), mostRemarks + 1);
  EXPECT_EQ(parsed.getAsArray()->back().getAsObject()->getString("description"),
            "3 more remarks of less importance; --format json has all");
}

} // namespace
} // namespace busfare::projection
