//===- test/brs/HintsTest.cpp - Hints, taken and contradicted -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DependenceText.h"
#include "brs/Effects.h"
#include "brs/HintedValues.h"
#include "brs/Sites.h"
#include "brs/Temporaries.h"
#include "skeleton/Print.h"

using namespace busfare::brs;
using namespace busfare::brs::test;
using namespace busfare::skeleton;

namespace {

std::string text(const std::vector<Finding> &findings, Rule rule) {
  std::string all;
  for (const Finding &finding : findings)
    if (finding.rule == rule) all += toString(finding) + "\n";
  return all;
}

std::string refusals(const std::string &functions) {
  return text(analyse(functions)->result.findings, Rule::HintRefuted);
}

const std::string head = "function f(param n, array a, array b) at 1:1 ",
                  arrays = "{ array a : f64[n] array b : f64[n]\n";

TEST(Hints, IndependentIsTakenOrContradicted) {
  std::string open = head + arrays + "for i = 0 .. n - 1 at 2:1 hints(independent at 9:1) { write a[?] at 3:1 } }";
  EXPECT_EQ(verdicts(open), "i: parallel assuming independent");
  EXPECT_EQ(refusals(open), "");
  std::string chain =
      head + arrays +
      "for i = 1 .. n - 1 at 2:1 hints(independent at 9:1) { read a[i - 1] at 3:1 write a[i] at 3:1 } }";
  EXPECT_EQ(verdicts(chain), "i: serial flow");
  EXPECT_EQ(
      refusals(chain),
      "t.c:9:1: error: independent is contradicted: a[i] -> a[i - 1]: a[1] at i = 1, then i = 2; the loop stays serial [BF022]\n");
  // Nothing to take: proved already.
  EXPECT_EQ(verdicts(head + arrays + "for i = 0 .. n - 1 hints(independent) { write a[i] } }"), "i: parallel");
}

TEST(Hints, IndependentDoesNotLiftWhatKeepsItsOrder) {
  std::string text = head + arrays + "for i = 0 .. n - 1 at 2:1 hints(independent) { host io \"printf\" } }";
  EXPECT_EQ(verdicts(text), "i: serial (printf does I/O)");
  EXPECT_EQ(
      ::text(analyse(text)->result.findings, Rule::HintUnused),
      "t.c:2:1: warning: independent does not make this loop parallel: printf does I/O; the loop stays serial [BF021]\n");
}

TEST(Hints, NoaliasOfAFunctionOrALoopTakesTheAssumptionAway) {
  std::string loops = "for i = 0 .. n - 1 { read a[i] write b[i] }\n";
  EXPECT_EQ(verdicts(head + arrays + loops + "}"), "i: parallel assuming noalias(a,b)");
  EXPECT_EQ(verdicts(head + "hints(noalias(b, a)) " + arrays + loops + "}"), "i: parallel");
  EXPECT_EQ(verdicts(head + arrays + "for t = 0 .. 9 hints(noalias(a, b)) { " + loops +
                     " host io \"x\" }\n"
                     "for j = 0 .. n - 1 { read a[j] write b[j] } }"),
            "t: serial (x does I/O)\ni: parallel\nj: parallel assuming noalias(a,b)");
  // Two names of one array stay so.
  EXPECT_EQ(
      verdicts("function f(param n, array a) hints(noalias(a, p)) { array a : f64[n] array p : f64[n] alias may-be(a)\n"
               "for i = 0 .. n - 1 { read a[i] write p[0] } }"),
      "i: serial unknown");
}

std::string ranged(const std::string &function, std::string *findings = nullptr) {
  Program program = llvm::cantFail(parse("skeleton 1\nunit \"t.c\"\n" + function, "t.skel"));
  Inlined root = llvm::cantFail(substituteCalls(program, "f"));
  std::vector<Finding> said = applyRanges(program, root);
  if (findings) *findings = text(said, Rule::HintRefuted);
  std::string all;
  for (const Site &site : collectSites(program, root.function, {}).sites)
    if (site.access->subscripts.size() == 1 && site.access->subscripts[0].from) all += toString(*site.access) + "\n";
  return all;
}

TEST(Hints, RangesBoundWhatIsLoaded) {
  std::string body =
      "{ array x : f64[?] array col : i32[n]\nfor i = 0 .. n - 1 { read col[i] read x[? from col times -2 plus i] } }";
  std::string f = "function f(param n, param m, array x, array col) at 1:1 ";
  EXPECT_EQ(ranged(f + "hints(range(col: 1, m)) " + body), "read x[? in i - 2*m .. i - 2 from col times -2 plus i]\n");
  EXPECT_EQ(ranged(f + body), "read x[? from col times -2 plus i]\n");
  EXPECT_EQ(
      ranged(
          f +
          "{ array x : f64[?] array col : i32[n]\nfor i = 0 .. n - 1 hints(range(col: 0, m)) { read x[? in 2 .. ? from col] }\n"
          "read x[? from col] }"),
      "read x[? in 2 .. m from col]\nread x[? from col]\n");
}

TEST(Hints, RangesThatCannotBeAreContradicted) {
  std::string findings,
      f = "function f(param n, array x, array col) at 1:1 hints(range(col: 0, 99) at 9:1) { array x : f64[";
  EXPECT_EQ(ranged(f + "50] array col : i32[n]\nread x[? from col] at 3:1 }", &findings), "read x[? from col]\n");
  EXPECT_EQ(
      findings,
      "t.c:9:1: error: range(col: 0, 99) is contradicted: with it `x` at t.c:3:1 would reach element 99 of 0 .. 49; the whole array is taken [BF022]\n");
  ranged(f + "100] array col : i32[n]\nread x[? from col] at 3:1 }", &findings);
  EXPECT_EQ(findings, "");
  auto written = [&](const std::string &writes, const std::string &after = "") {
    ranged(f + "n] array col : i32[n]\n" + writes + " read x[? from col] at 3:1 " + after + "}", &findings);
    return !findings.empty();
  };
  EXPECT_TRUE(written("write col[0] value 100"));
  EXPECT_TRUE(written("write col[0] value -1"));
  EXPECT_FALSE(written("write col[0] value 99"));
  EXPECT_TRUE(written("for i = 0 .. 50 { write col[i] value 2*i }"));
  EXPECT_FALSE(written("for i = 0 .. 49 { write col[i] value 2*i }"));
  EXPECT_FALSE(written("for i = 5 .. n - 1 { write col[i] value 100 }")); // perhaps not once
  EXPECT_FALSE(written("if n >= 5 { write col[0] value 100 }"));
  EXPECT_FALSE(written("write col[0] value 100 write col[?]"));           // perhaps written over
  EXPECT_FALSE(written("", "write col[0] value 100"));
}

TEST(Hints, SizesMustAgree) {
  Program program = llvm::cantFail(parse(
      "skeleton 1\nunit \"t.c\"\nconstant N = 7\nfunction f(param n, param m, array a) at 1:1 hints(size(n = 3) size(N = 8)) {\n"
      "array a : f64[n]\nfor i = 0 .. n - 1 at 2:1 hints(size(m = 4) size(n = 5) at 9:1) { write a[i] } }",
      "t.skel"));
  const Function &f = program.functions[0];
  using Sizes = std::vector<std::pair<std::string, int64_t>>;
  EXPECT_EQ(hintedSizes(f), (Sizes{{"n", 3}, {"N", 8}, {"m", 4}}));
  EXPECT_EQ(
      text(checkSizes(program, f), Rule::HintRefuted),
      "t.c:1:1: error: size(N = 8) is contradicted by the program, which says 7; the hint is not taken [BF022]\n"
      "t.c:9:1: error: size(n = 5) is contradicted by another hint, which says 3; the hint is not taken [BF022]\n");
}

struct Settled {
  std::string temporaries, findings;
};
Settled settled(const std::string &functions) {
  Program program = llvm::cantFail(parse("skeleton 1\nunit \"t.c\"\n" + functions, "t.skel"));
  Inlined root = llvm::cantFail(substituteCalls(program, "f"));
  EffectsMemo memo;
  std::vector<Finding> said =
      settleTemporaries(program, root.function, root.paths, factsOf(program, root.function), memo);
  std::string names;
  for (const std::string &name : root.function.hints.temporaries) names += name + " ";
  return {names, text(said, Rule::HintRefuted)};
}

TEST(Hints, TemporariesThatAreTouchedNowhereElseNeedNoCopies) {
  std::string scratch =
      "for i = 0 .. n - 1 at 2:1 hints(temporary(a) at 9:1) { write a[i] at 3:1 read a[i] at 3:5 write b[i] at 3:9 }\n";
  EXPECT_EQ(settled(head + arrays + scratch + "}").temporaries, "a ");
  EXPECT_EQ(settled(head + arrays + scratch + "for j = 0 .. n - 1 { write a[j] } }").temporaries, "");
  EXPECT_EQ(settled(head + arrays + scratch + "rotate a <- b, b <- a }").temporaries, "");
  // Two host statements that touch the same have one body: that one of them stands in the loop says nothing of the
  // other.
  std::string reach = "reach 1 { may write a[?]", declared;
  for (char name = 'c'; name < 'w'; ++name) {
    declared += std::string("array ") + name + " : f64[n] local ";
    reach += std::string(" may write ") + name + "[?]";
  }
  const std::string logged = "for i = 0 .. n - 1 at 2:1 hints(temporary(a) at 9:1) { write a[i] at 3:1 "
                             "host opaque \"log\" reaching 1 at 4:1 host opaque \"log\" reaching 1 at 5:1 }\n",
                    before = head + arrays + declared + reach + " } " + logged;
  EXPECT_EQ(settled(before + "}").temporaries, "a ");
  EXPECT_EQ(settled(before + "host opaque \"log\" reaching 1 at 8:1 }").temporaries, "");
  EXPECT_EQ(settled(head + "{ array a : f64[n] array b : f64[n] array p : f64[?] alias\n" + scratch + "write p[?] }")
                .temporaries,
            "");
  // What a called function says holds in each of its calls.
  std::string callee =
      "function g(param n, array t) at 5:1 hints(temporary(t)) { array t : f64[n] for i = 0 .. n - 1 { write t[i] } for k = 0 .. n - 1 { read t[k] } }\n";
  EXPECT_EQ(
      settled(callee + head + arrays + "call g(n, &a) at 6:1 for s = 0 .. 3 { call g(n, &a) at 7:1 } }").temporaries,
      "a ");
  EXPECT_EQ(settled(callee + head + arrays + "call g(n, &a) at 6:1 write a[0] }").temporaries, "");
  EXPECT_EQ(settled(callee + head + arrays + "call g(n - 1, &a + 1) at 6:1 }").temporaries, "");
}

TEST(Hints, TemporariesThatAreReadAreContradicted) {
  Settled before = settled(
      head + arrays + "for i = 0 .. n - 1 at 2:1 hints(temporary(a) at 9:1) { read a[i] at 3:1 write b[i] at 3:9 } }");
  EXPECT_EQ(
      before.findings,
      "t.c:9:1: error: temporary(a) is contradicted: a is read at t.c:3:1 before it is written there; the hint is not taken and its contents are copied [BF022]\n");
  EXPECT_EQ(before.temporaries, "");
  Settled surely = settled(
      head + arrays +
      "for i = 0 .. n - 1 at 2:1 hints(temporary(a) at 9:1) { write a[i] at 3:1 }\nfor i2 = 0 .. n - 1 { read a[i2] at 4:1 } }");
  EXPECT_EQ(
      surely.findings,
      "t.c:9:1: error: temporary(a) is contradicted: a is read at t.c:4:1 after it was written there; the hint is not taken and its contents are copied [BF022]\n");
  // Not if it is written anew in between, or only perhaps read.
  EXPECT_EQ(
      settled(head + arrays +
              "for i = 0 .. n - 1 hints(temporary(a)) { write a[i] }\nfor j = 0 .. n - 1 { write a[j] read a[j] } }")
          .findings,
      "");
  EXPECT_EQ(settled(head + arrays + "for i = 0 .. n - 1 hints(temporary(a)) { write a[i] }\nmay read a[?] }").findings,
            "");
  // Of the function itself.
  EXPECT_EQ(settled(head + "hints(temporary(a)) " + arrays + "read a[0] at 3:1 }").findings.substr(0, 40),
            "t.c:1:1: error: temporary(a) is contradi");
}

} // namespace
