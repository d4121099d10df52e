//===- test/skeleton/HintsTest.cpp - What the user says of loops ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "skeleton/Hints.h"
#include "skeleton/Inline.h"
#include "skeleton/Parse.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace busfare::skeleton;

namespace {

HintsRead words(llvm::StringRef text) {
  std::string file = "int x;\n// busfare: " + text.str() + "\nint y;\n";
  return parseHints(file, "a.c", 18, file.size() - 8);
}

std::string complaint(llvm::StringRef text) {
  HintsRead read = words(text);
  return read.complaint.isKnown() ? toString(read.complaint) + ": " + read.why : "";
}

Program program(const std::string &text) {
  llvm::Expected<Program> parsed = parse("skeleton 1\nunit \"a.c\"\n" + text, "t.skel");
  if (parsed) return *parsed;
  ADD_FAILURE() << llvm::toString(parsed.takeError());
  return {};
}

std::string join(const std::vector<Finding> &findings) {
  std::string text;
  for (const Finding &finding : findings) text += toString(finding) + "\n";
  return text;
}

TEST(Hints, WordsOfTheSource) {
  HintsRead read = words(
      "independent temporary(a, s.t) noalias(g->u, b) size(v.size()=4096) range(col: 0, g->nx*2 - 1) ignore(BF012)");
  EXPECT_FALSE(read.complaint.isKnown()) << read.why;
  EXPECT_EQ(toString(read.hints), "independent temporary(a, s.t) noalias(`g->u`, b) size(`v.size()` = 4096) "
                                  "range(col: 0, 2*`g->nx` - 1) ignore(BF012)");
  EXPECT_EQ(toString(read.hints.location), "a.c:2:12");
}

TEST(Hints, WrongWordsHaveAPlace) {
  EXPECT_EQ(
      complaint(""),
      "a.c:2:13: expected 'independent', 'temporary', 'noalias', 'size', 'range' or 'ignore', found the end of the hint");
  EXPECT_EQ(complaint("parallel"),
            "a.c:2:13: expected 'independent', 'temporary', 'noalias', 'size', 'range' or 'ignore', found 'parallel'");
  EXPECT_EQ(complaint("size(n=-1)"), "a.c:2:20: a size is not negative");
  EXPECT_EQ(complaint("size(n=1"), "a.c:2:21: expected ')' after the size, found the end of the hint");
  EXPECT_EQ(complaint("temporary()"), "a.c:2:22: a name must stand here");
  EXPECT_EQ(complaint("noalias(a)"), "a.c:2:20: it takes two names to say that they do not overlap");
  EXPECT_EQ(complaint("noalias(a, b, a)"), "a.c:2:20: 'a' stands here twice");
  EXPECT_EQ(complaint("ignore(BF099)"), "a.c:2:19: there is no rule 'BF099'");
  EXPECT_EQ(complaint("size(g->3=1)"), "a.c:2:21: expected the name of a field, found '3'");
  EXPECT_EQ(complaint("range(col: 0, f(x))"), "a.c:2:27: only min, max and floor can be called in a formula, not 'f'");
}

TEST(Hints, NamesThatMeanNothingAreSaid) {
  Program p =
      program("function f(param n, array a) at 1:1 hints(independent temporary(q) size(n = 3)) { array a : f64[n]\n"
              "for i = 0 .. n - 1 at 2:1 hints(noalias(a, r) size(m = 4) range(s: 0, 1) at 7:3) { write a[i] } }\n");
  EXPECT_EQ(
      join(checkHintNames(p)),
      "a.c:1:1: warning: temporary names 'q', which is no array that f touches; the hint changes nothing [BF021]\n"
      "a.c:1:1: warning: independent speaks of a loop, and stands on the function f; the hint changes nothing [BF021]\n"
      "a.c:7:3: warning: noalias names 'r', which is no array that f touches; the hint changes nothing [BF021]\n"
      "a.c:7:3: warning: range names 's', which is no array that f touches; the hint changes nothing [BF021]\n"
      "a.c:7:3: warning: size names 'm', which is no open size of f; the hint changes nothing [BF021]\n");
}

TEST(Hints, IgnoredIsWhatStandsInside) {
  Program p = program("function f(param n, array a) at 1:1 { array a : f64[n]\n"
                      "for i = 0 .. n - 1 at 2:1 hints(ignore(BF007)) { write a[i] at 4:2 }\n"
                      "for j = 0 .. n - 1 at 6:1 hints(ignore(BF007, BF022) to 9) { write a[j] at 7:2 } }\n");
  auto at = [](unsigned line, unsigned column, Rule rule) {
    return Finding{rule, Level::Note, {"a.c", line, column}, "x"};
  };
  std::vector<Finding> findings = {at(1, 9, Rule::NotParallel),  at(2, 1, Rule::NotParallel),
                                   at(4, 2, Rule::NotParallel),  at(4, 3, Rule::NotParallel),
                                   at(4, 2, Rule::OpaqueCall),   at(9, 80, Rule::NotParallel),
                                   at(10, 1, Rule::NotParallel), at(7, 1, Rule::HintRefuted)};
  std::vector<Finding> elsewhere = {{Rule::NotParallel, Level::Note, {"b.c", 3, 1}, "x"}};
  EXPECT_TRUE(takeIgnored(p, elsewhere).empty());
  std::vector<Finding> taken = takeIgnored(p, findings);
  EXPECT_EQ(taken, (std::vector<Finding>{at(2, 1, Rule::NotParallel), at(4, 2, Rule::NotParallel),
                                         at(9, 80, Rule::NotParallel)}));
  EXPECT_EQ(findings.size(), 5u);
}

std::string inlinedHints(const std::string &text, std::string &findings) {
  Inlined result = llvm::cantFail(substituteCalls(program(text), "main"));
  findings = join(result.findings);
  return toString(result.function.hints);
}

TEST(Hints, OfCalleesSpeakOfTheActuals) {
  std::string
      f = "function f(param n, array x, array y) at 1:1 hints(noalias(x, y) size(n = 10) temporary(x) range(y: 0, 1) at 9:1) "
          "{ array x : i32[n] array y : i32[n] }\n",
      findings;
  std::string main = f + "function main(param m) at 2:1 { array a : i32[m] array b : i32[m]\n";
  EXPECT_EQ(inlinedHints(main + "call f(2*m + 4, &a, &b) at 3:1 }", findings), "noalias(a, b) size(m = 3)");
  EXPECT_EQ(findings, "");
  EXPECT_EQ(inlinedHints(main + "call f(10, &a, &b + 1) at 3:1 }", findings), "");
  EXPECT_EQ(findings, "");
  EXPECT_EQ(inlinedHints(main + "call f(11, &a, &b) at 3:1 }", findings), "noalias(a, b)");
  EXPECT_EQ(
      findings,
      "a.c:9:1: error: size(n = 10) of f is contradicted by a call, where it is 11; the hint is not taken [BF022]\n");
  EXPECT_EQ(inlinedHints(main + "call f(2*m + 1, &a, &b) at 3:1 }", findings), "noalias(a, b)");
  EXPECT_NE(findings.find("is contradicted by a call, where it is 2*m + 1"), std::string::npos) << findings;
  EXPECT_EQ(inlinedHints(main + "call f(m*m, &a, &b) at 3:1 }", findings), "noalias(a, b)");
  EXPECT_NE(findings.find("warning: size(n = 10) of f binds no single size"), std::string::npos) << findings;
  EXPECT_EQ(inlinedHints(main + "call f(m, &a, &a) at 3:1 }", findings), "size(m = 10)");
  EXPECT_EQ(
      findings,
      "a.c:9:1: error: noalias(x, y) of f is contradicted by the call at a.c:3:1, where both are a; the hint is not taken [BF022]\n");
  EXPECT_EQ(inlinedHints(main + "call f(m, &a, &a + 5) at 3:1 }", findings), "size(m = 10)");
  EXPECT_EQ(findings, "");
}

TEST(Hints, WhereValuesComeFromFollowsTheCall) {
  Inlined result = llvm::cantFail(
      substituteCalls(program("function f(param n, array x, array col) { array x : f64[n] array col : i32[n]\n"
                              "define k from col read x[? from col times 2 plus n] write col[0] value n }\n"
                              "function main(param m) { array a : f64[m] array b : i32[m] call f(m, &a, &b) at 3:1 }"),
                      "main"));
  auto access = [&](size_t at) { return std::get<Access>(result.function.body[at].kind); };
  EXPECT_EQ(std::get<Define>(result.function.body[0].kind).from->array, "b");
  EXPECT_EQ(*access(1).subscripts[0].from, (Loaded{"b", 2, Expr::symbol("m")}));
  EXPECT_EQ(*access(2).value, Expr::symbol("m"));
}

} // namespace
