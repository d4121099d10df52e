//===- test/brs/CallVerdictsTest.cpp - Loops judged by their functions ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/CallVerdicts.h"
#include "brs/Domain.h"
#include "brs/Shape.h"
#include "skeleton/Parse.h"
#include "skeleton/Verify.h"
#include "gtest/gtest.h"

using namespace busfare;
using namespace busfare::brs;

namespace {

constexpr const char *functions = R"(skeleton 1
unit "t.c"
function copy(array x, array y, param n) at 10:1 {
  array x : f64[?][n] parameter at 10:6
  array y : f64[?][n] parameter at 10:16
  array t : f64[64] local restrict at 11:3
  for i = 1 .. n - 2 at 12:3 {
    for j = 0 .. n - 1 at 13:5 { read y[i - 1][j] at 14:9 write t[j] at 14:5 }
    for j.2 = 0 .. n - 1 at 15:5 { read t[j.2] at 15:9 write x[i][j.2] at 16:5 }
  }
}
)";

/// "serial", or what the loop at line 12 needs and assumes in the program.
std::string verdictOf(const std::string &text, ShapeProof proof) {
  llvm::Expected<skeleton::Program> program = skeleton::parse(text, "t.skel");
  if (!program) return llvm::toString(program.takeError());
  if (llvm::Error error = skeleton::verify(*program)) return llvm::toString(std::move(error));
  llvm::Expected<skeleton::Inlined> inlined = skeleton::substituteCalls(*program, "main");
  if (!inlined) return llvm::toString(inlined.takeError());
  skeleton::Function function =
      recoverShapes(*program, inlined->function, factsOf(*program, inlined->function)).function;
  DependenceAnalysis verdicts = analyseDependence(*program, function, factsOf(*program, function));
  judgeByFunction(*program, function, inlined->paths, factsOf(*program, function), proof, verdicts);
  for (const LoopVerdict &verdict : verdicts.loops)
    if (verdict.loop->location.line == 12) {
      std::string text = verdict.parallel ? "parallel" : "serial";
      for (const Need &need : verdict.needs) text += " " + toString(need.kind).str() + "(" + need.name + ")";
      for (const std::string &assumption : verdict.assuming) text += " " + assumption;
      return text;
    }
  return "no loop";
}

/// When main does this.
std::string verdictIn(const std::string &body) {
  return verdictOf(functions + ("function main(param k, param m) {\n  array a : f64[5000] local at 20:3\n"
                                "  array b : f64[5000] local at 20:3\n  array at : i32[10] local at 20:3\n" +
                                body + "}\n"),
                   ShapeProof::Strict);
}

/// A function that sees a matrix with rows of m in what it is given, called with rows of tables, of unknown length, by
/// a function that reads m.
std::string verdictOfRows(const std::string &body, ShapeProof proof) {
  return verdictOf(R"(skeleton 1
unit "t.c"
function add(array x by-reference, array y by-reference, param lo, param hi, param m) at 10:1 {
  array x : f64[?] parameter at 10:6
  array y : f64[?] parameter at 10:16
  for j = lo .. hi at 12:3 {
    for i = 0 .. 9 at 13:5 { read y[i*m + j] at 14:9 read x[i*m + j] at 14:7 write x[i*m + j] at 14:5 }
  }
}
function main(param k, param n, param top, array u, array v, array widths) at 20:1 {
  array u : f64[n][?] parameter rows at 20:6
  array v : f64[n][?] parameter rows at 20:6
  array widths : i32[n] parameter at 20:6
  read widths[k] at 21:3
  define m because "widths[k]" from widths[k] at 21:3
)" + body + "}\n",
                   proof);
}

const std::string load = "  read at[k] at 21:3\n  define p because \"at[k]\" from at[k] at 21:3\n";
const std::string loadOther = "  read at[k + 1] at 22:3\n  define q because \"at[k + 1]\" from at[k + 1] at 22:3\n";
const std::string uses = "  host io \"print\" at 30:1 { read a[0] at 30:2 read b[0] at 30:3 }\n";

TEST(CallVerdicts, PartsOfTwoArraysAreMatricesOfTheirOwn) {
  EXPECT_EQ(verdictIn(load + "  call copy(&a + p, &b + p, m) at 23:3\n" + uses), "parallel array-private(copy@23:t)");
}

TEST(CallVerdicts, PartsOfOneArrayAreAssumedApartIfATableSaysWhereTheyBegin) {
  EXPECT_EQ(verdictIn(load + loadOther + "  call copy(&a + p, &a + q, m) at 23:3\n" + uses),
            "parallel array-private(copy@23:t) noalias(copy@23:x,copy@23:y)");
  EXPECT_EQ(verdictIn(load + "  call copy(&a + p, &a, m) at 23:3\n" + uses),
            "parallel array-private(copy@23:t) noalias(copy@23:x,copy@23:y)");
}

TEST(CallVerdicts, OnePartTwiceIsOneParameter) {
  // x[i][j] is y[i - 1][j] of the next iteration.
  EXPECT_EQ(verdictIn(load + "  call copy(&a + p, &a + p, m) at 23:3\n" + uses), "serial");
}

TEST(CallVerdicts, NothingIsAssumedOfPartsThatMayBeOne) {
  // Perhaps the same entry of the table.
  EXPECT_EQ(verdictIn(load +
                      "  read at[m] at 22:3\n  define q because \"at[m]\" from at[m] at 22:3\n"
                      "  call copy(&a + p, &a + q, m) at 23:3\n" +
                      uses),
            "serial");
  // Entries that are not known.
  EXPECT_EQ(verdictIn("  define p because \"at[k]\" from at at 21:3\n  define q because \"at[m]\" from at at 21:3\n"
                      "  call copy(&a + p, &a + q, m) at 23:3\n" +
                      uses),
            "serial");
  // Two rows further on, wherever that is.
  EXPECT_EQ(verdictIn(load + "  call copy(&a + p, &a + p + 2*m, m) at 23:3\n" + uses), "serial");
  // A size.
  EXPECT_EQ(verdictIn("  call copy(&a + k, &a, m) at 23:3\n" + uses), "serial");
  // A number that is computed, from nobody knows what.
  EXPECT_EQ(verdictIn("  define p because \"hash(k)\" at 21:3\n  call copy(&a + p, &a, m) at 23:3\n" + uses), "serial");
}

TEST(CallVerdicts, RowsOfUnknownLengthHaveTheShapeThatTheCalleeSees) {
  const std::string call = "  call add(&u[k], &v[k], 1, top, m) at 23:3\n";
  EXPECT_EQ(verdictOfRows(call, ShapeProof::Assumed), "parallel noalias(u,v) rows(u) rows(v) top + 1 <= m");
  // Nothing says that the columns stay in their rows.
  EXPECT_EQ(verdictOfRows(call, ShapeProof::Strict), "serial");
  // Here they do.
  EXPECT_EQ(verdictOfRows("  call add(&u[k], &v[k], 1, m - 1, m) at 23:3\n", ShapeProof::Assumed),
            "parallel noalias(u,v) rows(u) rows(v)");
  // And here they do not.
  EXPECT_EQ(verdictOfRows("  call add(&u[k], &v[k], 1, m + 1, m) at 23:3\n", ShapeProof::Assumed), "serial");
}

TEST(CallVerdicts, TwoRowsOfOneTableMayBeOneRow) {
  EXPECT_EQ(verdictOfRows("  call add(&u[k], &u[top], 1, top, m) at 23:3\n", ShapeProof::Assumed), "serial");
}

} // namespace
