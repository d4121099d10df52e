//===- test/brs/DependenceNeedsTest.cpp - Treatments, aliases, claims ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Scalars and arrays with a copy per iteration, reductions, names that may
// overlap, and directives held against the verdict.
//
//===----------------------------------------------------------------------===//
#include "test/brs/DependenceText.h"

using namespace busfare;
using namespace busfare::brs;
using busfare::brs::test::analyse;
using busfare::brs::test::verdicts;

namespace {

const char *const locals =
    "array a : f64[n] global at ?\n array b : f64[n] global at ?\n array m : f64[n][n] global at ?\n"
    "array w : f64[n] local\n array t : f64 local\n array s : f64 local\n"
    "array k : i32 local\n array g : f64 global at ?\n";

std::string loops(const std::string &body) {
  return verdicts("function f(param n) {\n" + std::string(locals) + body + "\n}\n");
}

/// The messages of one rule, one per line, with their levels.
std::string findings(const std::string &functions, skeleton::Rule rule) {
  std::string text;
  auto analysed = analyse(functions);
  for (const skeleton::Finding &finding : analysed->result.findings)
    if (finding.rule == rule)
      text += (text.empty() ? "" : "\n") + toString(finding.level).str() + ": " + finding.message;
  return text;
}

} // namespace

TEST(DependenceNeeds, privateScalars) {
  EXPECT_EQ(loops("for i = 0 .. n - 1 { read a[i] write t read t write b[i] }"), "i: parallel private(t)");
  // Read first: the value of the iteration before.
  EXPECT_EQ(loops("for i = 0 .. n - 1 { read t write b[i] read a[i] write t }"), "i: serial flow");
  // Written on one side only.
  EXPECT_EQ(loops("for i = 0 .. n - 1 { if ? { write t } read t write b[i] }"), "i: serial unknown");
  EXPECT_EQ(loops("for i = 0 .. n - 1 { if ? { write t } else { write t } read t write b[i] }"),
            "i: parallel private(t)");
  EXPECT_EQ(loops("for i = 0 .. n - 1 { if ? { write t read t } write b[i] }"), "i: parallel private(t)");
  // Only read: nothing is needed.
  EXPECT_EQ(loops("write t for i = 0 .. n - 1 { read t write b[i] }"), "i: parallel");
}

TEST(DependenceNeeds, loopsThatMayEndTheProgram) {
  const std::string flag = "reduction(max:busfare_ends)";
  EXPECT_EQ(loops("for i = 0 .. n - 1 { read a[i] if ? { end \"exit(1)\" } write b[i] }"), "i: parallel " + flag);
  // What other treatments and dependences there are stays.
  EXPECT_EQ(loops("for i = 0 .. n - 1 { read a[i] write t if ? { end \"exit(1)\" } read t write b[i] }"),
            "i: parallel private(t) " + flag);
  EXPECT_EQ(loops("for i = 1 .. n - 1 { read a[i - 1] if ? { end \"exit(1)\" } write a[i] }"), "i: serial flow");
  // All loops around it, up to those that are serial anyway.
  EXPECT_EQ(loops("for i = 0 .. n - 1 { for j = 0 .. n - 1 { if ? { end \"abort()\" } write m[i][j] } }"),
            "i: parallel " + flag + "\nj: parallel " + flag);
  EXPECT_EQ(
      loops("for i = 0 .. n - 1 { for j = 1 .. n - 1 { if ? { end \"abort()\" } read m[i][j - 1] write m[i][j] } }"),
      "i: parallel " + flag + "\nj: serial flow");
  // The same end twice is one; of two the first counts.
  EXPECT_EQ(loops("for i = 0 .. n - 1 { if ? { end \"exit(1)\" } if ? { end \"exit(1)\" } write b[i] }"),
            "i: parallel " + flag);
  EXPECT_EQ(loops("for i = 0 .. n - 1 { if ? { end \"exit(1)\" } if ? { end \"exit(2)\" } write b[i] }"),
            "i: parallel reduction(min:busfare_ends)");
  EXPECT_EQ(loops("for i = 0 .. n - 1 { for j = 0 .. n - 1 { if ? { end \"exit(1)\" } write m[i][j] } "
                  "for k = 0 .. n - 1 { if ? { end \"exit(2)\" } write m[i][k] } }"),
            "i: parallel reduction(min:busfare_ends)\nj: parallel " + flag + "\nk: parallel " + flag);
  // What only the host can do is done in order.
  EXPECT_EQ(loops("for i = 0 .. n - 1 { if ? { host io \"printf\" end \"exit(1)\" } write b[i] }"),
            "i: serial (printf does I/O)");
  EXPECT_EQ(loops("for i = 0 .. n - 1 { if ? { host noreturn \"exit\" } write b[i] }"),
            "i: serial (exit does not return)");
}

TEST(DependenceNeeds, endsTakeNothingFromWhatIsWritten) {
  // The side that ends the program sets nothing, and nobody comes behind it.
  EXPECT_EQ(loops("for i = 0 .. n - 1 { if ? { end \"abort()\" } else { write t } read t write b[i] }"),
            "i: parallel private(t) reduction(max:busfare_ends)");
  EXPECT_EQ(
      loops(
          "for i = 0 .. n - 1 { if ? { end \"abort()\" } else { for j = 0 .. n - 1 { write w[j] } } for k = 0 .. n - 1 { read w[k] write m[i][k] } }"),
      "i: parallel reduction(max:busfare_ends) array-private(w)\nj: parallel\nk: parallel");
  // A loop inside may run no iteration, and then ends nothing.
  EXPECT_EQ(
      loops(
          "for i = 0 .. n - 1 { if ? { for j = 1 .. n - 1 { end \"abort()\" } } else { write t } read t write b[i] }"),
      "i: serial unknown\nj: parallel reduction(max:busfare_ends)");
}

TEST(DependenceNeeds, endsAreSaidOnceForTheOutermostLoop) {
  EXPECT_EQ(
      findings(
          "function f(param n) {\n" + std::string(locals) +
              "for i = 0 .. n - 1 at 3:1 { for j = 0 .. n - 1 at 4:1 { if ? { end \"exit(1)\" at 5:1 } write m[i][j] } }\n}\n",
          skeleton::Rule::NoReturn),
      "note: exit(1) may end the program from inside the loop at line 3: a device finishes the loop and sets a flag, and the host ends "
      "the program behind it");
  // A directive cannot speak of the flag.
  EXPECT_EQ(findings("function f(param n) {\n" + std::string(locals) +
                         "for i = 0 .. n - 1 omp(parallel for) { if ? { end \"exit(1)\" } write b[i] }\n}\n",
                     skeleton::Rule::DirectiveRefuted),
            "");
}

TEST(DependenceNeeds, cellsThatAreReducedBesideOthers) {
  EXPECT_EQ(loops("for i = 0 .. n - 1 { read a[i] update b[0] + }"), "i: parallel reduction(+:b)");
  // Another cell is read, or set by one iteration alone.
  EXPECT_EQ(loops("for i = 0 .. n - 1 { read a[i] read b[3] update b[0] + }"), "i: parallel reduction(+:b)");
  EXPECT_EQ(loops("for i = 1 .. n - 1 { read a[i] write b[i] update b[0] max }"), "i: parallel reduction(max:b)");
  EXPECT_EQ(loops("for i = 0 .. n - 2 { for j = 0 .. n - 1 { read m[i + 1][0] update m[i][1] + } }"),
            "i: parallel\nj: parallel reduction(+:m)");
  // One iteration reads, or sets, what the others add to.
  EXPECT_EQ(loops("for i = 0 .. n - 1 { read a[i] read b[i] update b[0] + }"), "i: serial flow");
  EXPECT_EQ(loops("for i = 0 .. n - 1 { read a[i] update b[0] + write b[i] }"), "i: serial flow");
  EXPECT_EQ(loops("for i = 0 .. n - 1 { read a[i] update b[0] + write a[i] read b[0] }"), "i: serial flow");
  EXPECT_EQ(loops("for i = 0 .. n - 1 { read b[?] update b[0] + }"), "i: serial flow");
  // Two ways to reduce; what cannot be reordered.
  EXPECT_EQ(loops("for i = 0 .. n - 1 { update b[0] + update b[0] * }"), "i: serial flow");
  EXPECT_EQ(loops("for i = 0 .. n - 1 { read b[3] update b[0] }"), "i: serial flow");
}

TEST(DependenceNeeds, scalarsUnderTheSameGuard) {
  EXPECT_EQ(loops("for i = 0 .. n - 1 { if i >= 1 { write t } if i >= 1 { read t write b[i] } }"),
            "i: parallel private(t)");
  EXPECT_EQ(loops("for i = 0 .. n - 1 { if i >= 1 { write t } if i >= 0 { read t write b[i] } }"), "i: serial flow");
  // One iteration alone touches it.
  EXPECT_EQ(loops("for i = 0 .. n - 1 { if 5 <= i <= 5 { read s write s } } read s"), "i: parallel");
}

TEST(DependenceNeeds, scalarsOfInnerLoops) {
  // The inner loop may run zero times, then t is the value from before.
  EXPECT_EQ(loops("for i = 0 .. n - 1 { for j = 0 .. i - 1 { write t } read t write b[i] }"),
            "i: serial flow\nj: parallel lastprivate(t)");
  EXPECT_EQ(loops("for i = 0 .. n - 1 { for j = 0 .. i { write t } read t write b[i] }"),
            "i: parallel private(t)\nj: parallel lastprivate(t)");
  EXPECT_EQ(loops("for i = 0 .. n - 1 { write s for j = 0 .. n - 1 { read m[i][j] update s + } read s write b[i] }"),
            "i: parallel private(s)\nj: parallel reduction(+:s)");
}

TEST(DependenceNeeds, valuesWantedAfterTheLoop) {
  EXPECT_EQ(loops("for i = 0 .. n - 1 { write t read t write b[i] } read t"), "i: parallel lastprivate(t)");
  EXPECT_EQ(loops("for i = 0 .. n - 1 { if ? { write t read t write b[i] } } read t"), "i: serial unknown");
  EXPECT_EQ(loops("for i = 0 .. n - 1 { write t read t write b[i] } write t read t"), "i: parallel private(t)");
  // Globals and parameters outlive the function.
  EXPECT_EQ(loops("for i = 0 .. n - 1 { write g read g write b[i] }"), "i: parallel lastprivate(g)");
  // The next turn of the loop around reads it.
  EXPECT_EQ(loops("for o = 0 .. n - 1 { read t write a[o] for i = 0 .. n - 1 { write t read t write b[i] } }"),
            "o: serial flow\ni: parallel lastprivate(t)");
  EXPECT_EQ(loops("for o = 0 .. n - 1 { write t read t write a[o] for i = 0 .. n - 1 { write t read t write b[i] } }"),
            "o: serial output\ni: parallel private(t)");
}

TEST(DependenceNeeds, globalsOfMainAreDeadAtItsEnd) {
  EXPECT_EQ(verdicts("function main(param n) { array b : f64[n] local array g : f64 global at ?\n"
                     "for i = 0 .. n - 1 { write g read g write b[i] } }"),
            "i: parallel private(g)");
}

TEST(DependenceNeeds, reductions) {
  EXPECT_EQ(loops("for i = 0 .. n - 1 { read a[i] update s + } read s"), "i: parallel reduction(+:s)");
  EXPECT_EQ(loops("for i = 0 .. n - 1 { read a[i] update s max if ? { update s max } } read s"),
            "i: parallel reduction(max:s)");
  EXPECT_EQ(loops("for i = 0 .. n - 1 { update s + update s * }"), "i: serial flow");
  EXPECT_EQ(loops("for i = 0 .. n - 1 { update s + read s write b[i] }"), "i: serial flow");
  EXPECT_EQ(loops("for i = 0 .. n - 1 { for j = 0 .. n - 1 { update s + } }"),
            "i: parallel reduction(+:s)\nj: parallel reduction(+:s)");
}

TEST(DependenceNeeds, arrayReductions) {
  EXPECT_EQ(loops("for i = 0 .. n - 1 { for j = 0 .. n - 1 { for l = 0 .. n - 1 { read a[l] update m[i][j] + } } }"),
            "i: parallel\nj: parallel\nl: parallel reduction(+:m)");
  EXPECT_EQ(loops("for i = 0 .. n - 1 { read b[i] update a[?] + }"), "i: parallel reduction(+:a)");
  EXPECT_EQ(loops("for i = 0 .. n - 1 { read a[0] update a[?] + }"), "i: serial unknown");
}

TEST(DependenceNeeds, whatIsOnlyWrittenIsNoScratch) {
  // Every iteration of i writes the same elements of w. Nobody reads them in the loop: they are its result.
  EXPECT_EQ(
      loops(
          "for i = 0 .. n - 1 { read a[i] for j = 1 .. n - 2 { write w[j] } } for l = 0 .. n - 1 { read w[l] write b[l] }"),
      "i: serial output\nj: parallel\nl: parallel");
  EXPECT_EQ(loops("for i = 0 .. n - 1 { write w[i] if i <= 5 { write w[0] } }"), "i: serial output");
  // Read, they are.
  EXPECT_EQ(
      loops(
          "for i = 0 .. n - 1 { for j = 0 .. n - 1 { write w[j] } for l = 0 .. n - 1 { read w[l] update m[i][l] + } }"),
      "i: parallel array-private(w)\nj: parallel\nl: parallel");
}

TEST(DependenceNeeds, induction) {
  // Wanted afterwards: its final value, too.
  EXPECT_EQ(loops("for i = 0 .. n - 1 { write a[i] update k + induction } read k"),
            "i: parallel lastprivate(induction:k)");
  EXPECT_EQ(loops("for i = 0 .. n - 1 { write a[i] update k + induction }"), "i: parallel private(induction:k)");
  // Set anew in every turn of the outer loop.
  EXPECT_EQ(loops("for i = 0 .. n - 1 { write k for j = 0 .. n - 1 { write m[i][j] update k + induction } }"),
            "i: parallel private(k)\nj: parallel private(induction:k)");
}

TEST(DependenceNeeds, variablesDeclaredInTheLoop) {
  // double t; double w[8]; on line 3, inside the loop of line 2.
  std::string each = "function f(param n) at 1:1 { array b : f64[n] local array t : f64 local per-iteration at 3:12\n"
                     "array w : f64[8] local per-iteration at 3:15 for i = 0 .. n - 1 at 2:3 {\n";
  EXPECT_EQ(verdicts(each + "write t read t write b[i] } }"), "i: parallel");
  EXPECT_EQ(
      verdicts(each + "for j = 0 .. 7 at 4:3 { write w[j] } for j.2 = 0 .. 7 at 5:3 { read w[j.2] } write b[i] } }"),
      "i: parallel\nj: parallel\nj.2: parallel");
  // Inside, it is a variable like any other.
  EXPECT_EQ(verdicts(each + "write t for j = 0 .. n - 1 at 4:3 { read t write t } read t write b[i] } }"),
            "i: parallel\nj: serial flow");
}

TEST(DependenceNeeds, declaredInAnOuterLoopUsedInAnInnerOne) {
  // Both loops stand behind nothing that t stands behind: `for i { double t; for j { t = ..; use t } }`.
  EXPECT_EQ(
      verdicts(
          "function f(param n) at 1:1 { array m : f64[n][n] local array t : f64 local per-iteration at 3:12\n"
          "for i = 0 .. n - 1 at 2:3 { for j = 0 .. n - 1 at 4:5 { write t at 5:7 read t at 6:7 write m[i][j] at 6:9 } } }"),
      "i: parallel\nj: parallel private(t)");
  EXPECT_EQ(
      verdicts(
          "function f(param n) at 1:1 { array m : f64[n][n] local array t : f64 local per-iteration at 5:7\n"
          "for i = 0 .. n - 1 at 2:3 { for j = 0 .. n - 1 at 4:5 { write t at 5:9 read t at 6:7 write m[i][j] at 6:9 } } }"),
      "i: parallel\nj: parallel");
}

TEST(DependenceNeeds, privateArrays) {
  std::string fill = "for j = 0 .. n - 1 { write w[j] } for j.2 = 0 .. n - 1 { read w[j.2] write m[i][j.2] }";
  EXPECT_EQ(loops("for i = 0 .. n - 1 { " + fill + " }"), "i: parallel array-private(w)\nj: parallel\nj.2: parallel");
  // One element is from the iteration before.
  EXPECT_EQ(loops("for i = 0 .. n - 1 { for j = 1 .. n - 1 { write w[j] } for j.2 = 0 .. n - 1 { read w[j.2] } }"),
            "i: serial flow\nj: parallel\nj.2: parallel");
  // Wanted afterwards, and each iteration writes all of it.
  EXPECT_EQ(loops("for i = 0 .. n - 1 { " + fill + " } read w[0]"),
            "i: parallel lastprivate(w)\nj: parallel\nj.2: parallel");
  EXPECT_EQ(loops("for i = 0 .. n - 1 { for j = 0 .. i { write w[j] } for j.2 = 0 .. i { read w[j.2] } } read w[0]"),
            "i: serial output\nj: parallel\nj.2: parallel");
  EXPECT_EQ(loops("for i = 0 .. n - 1 { for j = 0 .. i { write w[j] } for j.2 = 0 .. i { read w[j.2] } }"),
            "i: parallel array-private(w)\nj: parallel\nj.2: parallel");
}

TEST(DependenceNeeds, privateArraysInATimeLoop) {
  EXPECT_EQ(loops("for o = 0 .. n - 1 { for i = 0 .. n - 1 { for j = 0 .. n - 1 { write w[j] }\n"
                  "for j.2 = 0 .. n - 1 { read w[j.2] update m[i][j.2] + } } }"),
            "o: serial output\ni: parallel array-private(w)\nj: parallel\nj.2: parallel");
}

TEST(DependenceNeeds, parametersMayOverlap) {
  std::string pointers = "array x : f64[n] parameter array y : f64[n] parameter ";
  EXPECT_EQ(
      verdicts("function f(param n, array x, array y) { " + pointers + "for i = 0 .. n - 1 { read x[i] write y[i] } }"),
      "i: parallel assuming noalias(x,y)");
  EXPECT_EQ(
      verdicts("function f(param n, array x, array y) { " + pointers + "for i = 0 .. n - 1 { read x[i] read y[i] } }"),
      "i: parallel");
  EXPECT_EQ(
      verdicts(
          "function f(param n, array x, array y) { array x : f64[n] parameter array y : f64[n] parameter restrict\n"
          "for i = 0 .. n - 1 { read x[i] write y[i] } }"),
      "i: parallel");
  EXPECT_NE(
      findings("function f(param n, array x, array y) { " + pointers + "for i = 0 .. n - 1 { read x[i] write y[i] } }",
               skeleton::Rule::AssumedNoAlias),
      "");
}

TEST(DependenceNeeds, aliases) {
  std::string head = "function f(param n) { array a : f64[n] local array b : f64[n] local array c : f64[n] local\n"
                     "array p : f64[?] alias may-be(a, b)\n array q : f64[?] alias\n";
  EXPECT_EQ(verdicts(head + "for i = 0 .. n - 1 { read p[i] write c[i] } }"), "i: parallel");
  EXPECT_EQ(verdicts(head + "for i = 0 .. n - 1 { read p[i] write a[i] } }"), "i: serial unknown");
  EXPECT_EQ(verdicts(head + "for i = 0 .. n - 1 { write p[i] } }"), "i: serial unknown");
  EXPECT_EQ(verdicts(head + "for i = 0 .. n - 1 { read q[i] write c[i] } }"), "i: parallel assuming noalias(c,q)");
}

TEST(DependenceNeeds, directivesAreChecked) {
  auto check = [](const std::string &directive, const std::string &body) {
    return findings("function f(param n) {\n" + std::string(locals) + "for i = 1 .. n - 1 omp(" + directive + ") { " +
                        body + " } read t }",
                    skeleton::Rule::DirectiveRefuted);
  };
  EXPECT_EQ(check("parallel for", "read b[i] write a[i]"), "");
  EXPECT_EQ(check("parallel for", "read a[i - 1] write a[i]"),
            "warning: `parallel for` claims independent iterations, but a[i] -> a[i - 1]: a[1] at i = 1, then i = 2");
  EXPECT_NE(check("parallel for", "write a[?]").find("remark: "), std::string::npos);
  EXPECT_EQ(check("parallel for reduction(+:s)", "update s +"), "");
  EXPECT_NE(check("parallel for", "update s +").find("needs reduction(+:s)"), std::string::npos);
  EXPECT_NE(check("parallel for reduction(*:s)", "update s +").find("another operator"), std::string::npos);
  EXPECT_NE(check("parallel for private(t)", "write t read t write b[i]").find("needs lastprivate(t)"),
            std::string::npos);
  EXPECT_EQ(
      check("parallel for", "update k + induction"),
      "warning: `parallel for` claims independent iterations, but `k` grows by the same in every iteration and needs linear(k)");
  // A private copy would begin with no value.
  EXPECT_NE(check("parallel for private(k)", "update k + induction"), "");
  EXPECT_EQ(check("parallel for linear(k)", "update k + induction"), "");
  EXPECT_EQ(check("parallel for linear(t)", "write t read t write b[i]"), "");
  EXPECT_NE(check("parallel for", "update a[?] +").find("remark: "), std::string::npos);
  EXPECT_EQ(check("parallel for lastprivate(t)", "write t read t write b[i]"), "");
}

TEST(DependenceNeeds, localsOfCalleesAreNewInEachCall) {
  std::string head = "function f(param n) { array b : f64[n] local array `g@7:t` : f64 local\n";
  EXPECT_EQ(verdicts(head + "for i = 0 .. n - 1 { write `g@7:t` read `g@7:t` write b[i] } }"), "i: parallel");
  // The loop stands in g itself: one t for all its iterations.
  EXPECT_EQ(
      verdicts(head + "for `g@7:i` = 0 .. n - 1 via(\"g (t.c:7)\") { write `g@7:t` read `g@7:t` write b[`g@7:i`] } }"),
      "g@7:i: parallel private(g@7:t)");
}

TEST(DependenceNeeds, aDirectiveNeverMakesALoopParallel) {
  EXPECT_EQ(loops("for i = 0 .. n - 1 omp(parallel for) { read a[?] write a[i] }"), "i: serial unknown");
}

TEST(DependenceNeeds, theUserMaySayIndependent) {
  EXPECT_EQ(loops("for i = 0 .. n - 1 hints(independent) { read b[?] write a[?] }"),
            "i: parallel assuming independent");
  // What is refuted stays refuted.
  EXPECT_EQ(loops("for i = 1 .. n - 1 hints(independent) { read a[i - 1] write a[i] }"), "i: serial flow");
}
