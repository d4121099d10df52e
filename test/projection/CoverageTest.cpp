//===- test/projection/CoverageTest.cpp -----------------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Coverage.h"
#include "projection/Project.h"
#include "projection/report/Join.h"
#include "skeleton/Parse.h"
#include "gmock/gmock.h"

using namespace busfare;
using namespace busfare::projection;
using skeleton::Rule;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

namespace {

Report reportOn(const std::string &functions) {
  skeleton::Program program = llvm::cantFail(skeleton::parse("skeleton 1\nunit \"t.c\"\n" + functions, "t.skel"));
  ProjectOptions options;
  options.machines.push_back(llvm::cantFail(loadMachine(defaultMachine)));
  return llvm::cantFail(projectLoops(program, options));
}

/// Of the one nest of this body.
NestReport nestOf(const std::string &arrays, const std::string &body) {
  Report report = reportOn("function f(param n, array x, array y, array c) at 1 {\n" + arrays + body + "}\n");
  EXPECT_EQ(report.coverage.nests.size(), 1u);
  return report.coverage.nests.empty() ? NestReport() : report.coverage.nests.front();
}

std::vector<Rule> rulesOf(const NestReport &nest) {
  std::vector<Rule> rules;
  for (const NestReason &reason : nest.reasons) rules.push_back(reason.rule);
  return rules;
}

const std::string sized = "array x : f64[n]\narray y : f64[n]\narray c : i32[n]\n";
const std::string open = "array x : f64[?]\narray y : f64[n]\narray c : i32[n]\n";

TEST(Coverage, WhatIsAffineIsExact) {
  NestReport nest =
      nestOf(sized, "for i = 0 .. n - 1 at 2 { for j = 0 .. i at 3 { read x[j] at 4 } write y[i] at 5 }\n");
  EXPECT_TRUE(nest.exact && nest.bounded && nest.hasVerdict && !nest.holdsHostCode);
  EXPECT_EQ(nest.verdict, "parallel");
  EXPECT_EQ(nest.location.line, 2u);
  EXPECT_EQ(nest.function, "f");
  EXPECT_THAT(nest.reasons, IsEmpty());
}

TEST(Coverage, AGatherIsBoundedByItsArray) {
  const std::string body =
      "for i = 0 .. n - 1 at 2 { read c[i] at 3 define k because \"c[i]\" at 3 read x[k] at 3 write y[i] at 4 }\n";
  NestReport known = nestOf(sized, body), unknown = nestOf(open, body);
  EXPECT_FALSE(known.exact || known.tight);
  EXPECT_TRUE(known.bounded);
  EXPECT_THAT(rulesOf(known), ElementsAre(Rule::IndirectSubscript));
  EXPECT_FALSE(unknown.exact || unknown.bounded);
  EXPECT_THAT(rulesOf(unknown), UnorderedElementsAre(Rule::IndirectSubscript, Rule::UnknownExtent));
}

TEST(Coverage, WhatDependsOnDataIsSaid) {
  Report report = reportOn("function f(param n, array x, array c) at 1 {\narray x : f64[n]\narray c : i32[n]\n"
                           "for i = 0 .. n - 1 at 2 { read c[i] at 3 if ? at 3:5 { write x[i] at 4 } }\n}\n");
  ASSERT_EQ(report.coverage.nests.size(), 1u);
  EXPECT_TRUE(report.coverage.nests[0].bounded && report.coverage.nests[0].tight && !report.coverage.nests[0].exact);
  EXPECT_EQ(report.coverage.nestsTight, 1u);
  EXPECT_EQ(report.coverage.nests[0].verdict, "parallel");
  EXPECT_THAT(rulesOf(report.coverage.nests[0]), ElementsAre(Rule::DataDependentAccess));
  EXPECT_TRUE(llvm::any_of(report.findings, [](const skeleton::Finding &finding) {
    return finding.rule == Rule::DataDependentAccess && finding.location.line == 3;
  }));
  ASSERT_EQ(report.coverage.spoiledBy.size(), 1u);
  EXPECT_EQ(report.coverage.spoiledBy[0].alone, 1u);
  EXPECT_THAT(report.coverage.suggestions, ElementsAre(HasSubstr("BF018")));
}

TEST(Coverage, WhatBothSidesOfABranchOnDataWriteIsExact) {
  NestReport nest =
      nestOf(sized, "for i = 0 .. n - 1 at 2 { if ? at 3 { write x[i] at 3 } else { write x[i] at 4 } }\n");
  EXPECT_TRUE(nest.exact && nest.tight);
}

TEST(Coverage, OpaqueCodeIsNotBounded) {
  NestReport call = nestOf(
      sized, "for i = 0 .. n - 1 at 2 { host opaque \"g\" at 3 { may read x[?] may write x[?] } write y[i] at 4 }\n");
  EXPECT_TRUE(call.holdsHostCode);
  EXPECT_FALSE(call.bounded || call.exact);
  EXPECT_THAT(rulesOf(call), ElementsAre(Rule::OpaqueCall));
  NestReport print = nestOf(sized, "for i = 0 .. n - 1 at 2 { host io \"printf\" at 3 { read x[i] } }\n");
  EXPECT_TRUE(print.holdsHostCode && print.exact);
  EXPECT_FALSE(print.bounded);
  EXPECT_THAT(rulesOf(print), ElementsAre(Rule::InputOutput));
}

TEST(Coverage, EachReasonHasItsRule) {
  EXPECT_THAT(rulesOf(nestOf(sized, "for i = 0 .. n - 1 early-exit at 2 { write x[i] at 3 }\n")),
              ElementsAre(Rule::EarlyExit));
  EXPECT_THAT(
      rulesOf(nestOf(
          sized,
          "for i = 0 .. n - 1 at 2 { define m because \"c[i]\" at 2 for j = 0 .. m - 1 at 3 { write x[j] at 4 } }\n")),
      ElementsAre(Rule::UnknownTripCount));
  EXPECT_THAT(rulesOf(nestOf(sized, "for i = 0 .. n - 1 at 2 { write x[?] at 3 }\n")),
              ElementsAre(Rule::NonAffineSubscript));
  NestReport alias =
      nestOf(sized + "array p : f64[?] alias may-be(x, y)\n", "for i = 0 .. n - 1 at 2 { write p[i] at 3 }\n");
  EXPECT_THAT(rulesOf(alias), ElementsAre(Rule::UnknownPointer));
  EXPECT_TRUE(alias.bounded);
  NestReport anything = nestOf(sized + "array p : f64[?] alias\n", "for i = 0 .. n - 1 at 2 { write p[i] at 3 }\n");
  EXPECT_THAT(rulesOf(anything), ElementsAre(Rule::UnknownPointer));
  EXPECT_FALSE(anything.bounded);
}

TEST(Coverage, ANestBelongsToItsOwnFunction) {
  Report report = reportOn(
      "function inner(param n, array a) at 1 {\narray a : f64[n]\nfor i = 0 .. n - 1 at 2 { write a[i] at 3 }\n}\n"
      "function main(param n) at 5 {\narray b : f64[n] local\ncall inner(n, &b) at 6\n"
      "for t = 0 .. 9 at 7 { call inner(n, &b) at 8 }\n}\n");
  ASSERT_EQ(report.coverage.nests.size(), 2u);
  EXPECT_EQ(report.coverage.nests[0].function, "inner");
  EXPECT_EQ(report.coverage.nests[1].function, "main");
  EXPECT_EQ(report.coverage.nests[1].location.line, 7u);
  EXPECT_EQ(report.coverage.nests[1].verdict, "inner");
  EXPECT_EQ(report.coverage.nestsExact, 2u);
}

TEST(Coverage, InsideANestWithHostCodeThoseWithoutAreDescribed) {
  Report report = reportOn("function f(param n, array a, array b) at 1 {\narray a : f64[n]\narray b : f64[n]\n"
                           "for t = 0 .. 9 at 2 {\n"
                           "for i = 0 .. n - 1 at 3 { for j = 0 .. i at 4 { read b[j] at 5 write a[i] at 5 } }\n"
                           "for k = 0 .. n - 1 at 6 {\n"
                           "host io \"printf\" at 7 { read a[k] at 7 }\n"
                           "for l = k .. n - 1 at 8 { write b[l] at 9 }\n"
                           "if k - t >= 0 at 10 { for m = 0 .. k at 11 { write b[?] at 12 } }\n"
                           "}\nhost opaque \"dummy\" at 13 { may write a[?] at 13 }\n}\n"
                           "for i.2 = 0 .. n - 1 at 14 { write a[i.2] at 15 }\n}\n");
  ASSERT_EQ(report.coverage.nests.size(), 2u);
  EXPECT_TRUE(report.coverage.nests[0].holdsHostCode && !report.coverage.nests[1].holdsHostCode);
  const std::vector<NestReport> &inner = report.coverage.innerNests;
  ASSERT_EQ(inner.size(), 3u);
  EXPECT_EQ(inner[0].location.line, 3u);
  EXPECT_TRUE(inner[0].exact && inner[0].bounded && inner[0].hasVerdict);
  EXPECT_EQ(inner[1].location.line, 8u);
  EXPECT_TRUE(inner[1].exact);
  EXPECT_EQ(inner[2].location.line, 11u);
  EXPECT_FALSE(inner[2].exact);
  EXPECT_THAT(rulesOf(inner[2]), ElementsAre(Rule::NonAffineSubscript));
}

TEST(Coverage, SeveralUnitsMerge) {
  const std::string exact =
      "function h(param n, array a) at \"h.h\":1 {\narray a : f64[n]\nfor i = 0 .. n - 1 at \"h.h\":2 { write a[i] at \"h.h\":3 }\n}\n";
  std::string inexact = exact;
  inexact.replace(inexact.find("a[i]"), 4, "a[?]");
  std::vector<Report> reports = {reportOn(exact), reportOn(inexact), reportOn(exact)};
  Report all = joinReports(std::move(reports));
  ASSERT_EQ(all.coverage.nests.size(), 1u);
  EXPECT_FALSE(all.coverage.nests[0].exact);
  EXPECT_EQ(all.coverage.outermostNests, 1u);
  EXPECT_EQ(all.coverage.nestsExact, 0u);
  EXPECT_EQ(all.coverage.nestsTight, 0u);
  EXPECT_EQ(all.coverage.nestsBounded, 1u);
  EXPECT_EQ(all.coverage.nestsWithVerdict, 1u);
}

TEST(Coverage, UnitsWithoutFunctionsAreNoPrograms) {
  auto reportOfUnit = [](const std::string &text) {
    ProjectOptions options;
    options.machines.push_back(llvm::cantFail(loadMachine(defaultMachine)));
    return llvm::cantFail(
        project(llvm::cantFail(skeleton::parse("skeleton 1\nunit \"f.c\"\n" + text, "t.skel")), options));
  };
  Report all = joinReports(
      {reportOfUnit("function f(param n, array a) at 1 {\narray a : f64[n]\nfor i = 0 .. n - 1 { write a[i] }\n}\n"),
       reportOfUnit("")});
  ASSERT_EQ(all.programs.size(), 1u);
  EXPECT_EQ(all.programs[0].name, "f.c");
}

} // namespace
