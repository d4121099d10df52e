//===- test/brs/DependenceTest.cpp - Which loops may run in any order ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Array dependences: the classics, each a loop or two of skeleton text. Scalars,
// privatization, aliases and directives are in DependenceNeedsTest.cpp.
//
//===----------------------------------------------------------------------===//
#include "test/brs/DependenceText.h"

using busfare::brs::test::verdicts;

namespace {

const char *const arrays =
    "array a : f64[n] global at ?\n array b : f64[n] global at ?\n array c : i32[n] global at ?\n"
    "array m : f64[n][n] global at ?\n array s : f64 global at ?\n";

/// The verdicts of all loops of a function with one-dimensional a, b, c and two-dimensional m, all wanted afterwards.
std::string loops(const std::string &body) {
  return verdicts("function f(param n, param k) {\n" + std::string(arrays) + body + "\n}\n");
}
std::string loop(const std::string &access, const std::string &header = "for i = 0 .. n - 1") {
  return loops(header + " { " + access + " }");
}
/// The verdict on the outer of two loops; the inner one is j.
std::string outer(const std::string &access, const std::string &inner,
                  const std::string &header = "for i = 0 .. n - 1") {
  return llvm::StringRef(loops(header + " { for j = " + inner + " { " + access + " } }")).split('\n').first.str();
}

} // namespace

TEST(Dependence, elementByElement) {
  EXPECT_EQ(loop("read b[i] write a[i]"), "i: parallel");
  EXPECT_EQ(loop("read a[i] write a[i]"), "i: parallel");
  EXPECT_EQ(loop("read a[i] read b[i]"), "i: parallel");
  EXPECT_EQ(loop("write a[2*i + 3]"), "i: parallel");
  EXPECT_EQ(loop("write a[n - 1 - i]"), "i: parallel");
}

TEST(Dependence, partsOfStructs) {
  auto pairs = [](const std::string &written, const std::string &storage = "global") {
    return llvm::StringRef(verdicts("function f(param n) {\n array p : struct<28>[n] " + storage +
                                    " at ?\n"
                                    "for i = 0 .. n - 1 { for j = 0 .. n - 1 { read p[j] part 0 + 12 }\n"
                                    "read p[i] " +
                                    written + " may write p[i] " + written + " }\n}\n"))
        .split('\n')
        .first.str();
  };
  EXPECT_EQ(pairs("part 12 + 4"), "i: parallel");
  EXPECT_EQ(pairs("part 8 + 8"), "i: serial unknown");
  // Which of the bytes is not known: perhaps others in each iteration.
  auto ofOne = [](const std::string &part) {
    return verdicts("function f(param n) {\n array p : struct<28>[n] global at ?\nfor i = 0 .. 2 { write p[0] " + part +
                    " }\n}\n");
  };
  EXPECT_EQ(ofOne("part 4 + 8"), "i: serial output");
  EXPECT_EQ(ofOne("inside 4 + 24"), "i: serial unknown");
  EXPECT_EQ(pairs(""), "i: serial unknown");
  // What the name stands for may begin inside an element.
  EXPECT_EQ(pairs("part 12 + 4", "alias"), "i: serial unknown");
}

TEST(Dependence, oneElementForAll) {
  EXPECT_EQ(loop("write a[0]"), "i: serial output");
  EXPECT_EQ(loop("read a[3] write a[3]"), "i: serial flow");
  EXPECT_EQ(loop("read a[0] write a[i]"), "i: serial flow");
  EXPECT_EQ(loop("read a[0] write a[i]", "for i = 1 .. n - 1"), "i: parallel");
  EXPECT_EQ(loop("read a[n] write a[i]"), "i: parallel");
}

TEST(Dependence, distances) {
  EXPECT_EQ(loop("read a[i - 1] write a[i]", "for i = 1 .. n - 1"), "i: serial flow");
  EXPECT_EQ(loop("read a[i + 1] write a[i]", "for i = 0 .. n - 2"), "i: serial anti");
  EXPECT_EQ(loop("write a[i] write a[i + 1]", "for i = 0 .. n - 2"), "i: serial output");
  // The distance is longer than the loop.
  EXPECT_EQ(loop("read a[i + 100] write a[i]", "for i = 0 .. 99"), "i: parallel");
  EXPECT_EQ(loop("read a[i + 99] write a[i]", "for i = 0 .. 99"), "i: serial anti");
}

TEST(Dependence, symbolicDistances) {
  EXPECT_EQ(loop("read a[i + n] write a[i]"), "i: parallel");
  EXPECT_EQ(loop("read a[i + n - 1] write a[i]"), "i: serial anti");
  // k may be zero, or n: there are values for which iterations meet.
  EXPECT_EQ(loop("read a[i + k] write a[i]"), "i: serial flow");
  EXPECT_EQ(loop("read a[i + k] write a[i]", "for i = 0 .. k - 1"), "i: parallel");
}

TEST(Dependence, rowsOfAnArrayWithoutAShape) {
  // c[j] may be anything, so no shape fits all accesses to a; the others are in rows of k all the same.
  auto verdict = [](const std::string &access, const std::string &inner,
                    const std::string &header = "for i = 0 .. n - 1") {
    const std::string all = loops("for g = 0 .. n - 1 { define r because \"c[g]\" from c at 2:1 read a[k*g + r] }\n" +
                                  header + " { for j = " + inner + " { " + access + " } }");
    return llvm::StringRef(all).split('\n').second.split('\n').first.str();
  };
  EXPECT_EQ(verdict("read a[k*i + j] write a[k*i + j]", "0 .. k - 1"), "i: parallel");
  EXPECT_EQ(verdict("update a[k*i + j] +", "0 .. k - 1"), "i: parallel");
  EXPECT_EQ(verdict("read a[k*i + j] write a[k*i + j + 3]", "0 .. k - 4"), "i: parallel");
  EXPECT_EQ(verdict("write a[2*k*i + j]", "1 .. k"), "i: parallel");
  EXPECT_NE(verdict("write a[2*k*i + j]", "0 .. k"), "i: parallel") << "where k is 0, every i writes a[0]";
  EXPECT_EQ(verdict("write a[j - k*i]", "0 .. k - 1", "for i = n - 1 .. 0 step -2"), "i: parallel");
  EXPECT_EQ(verdict("write a[k*i + j]", "0 .. 2*k - 1", "for i = 0 .. n - 1 step 2"), "i: parallel");
  EXPECT_NE(verdict("write a[k*i + j]", "0 .. k"), "i: parallel");
  EXPECT_NE(verdict("write a[k*i + j]", "0 .. 3"), "i: parallel");
  EXPECT_NE(verdict("write a[k*i - j]", "0 .. 0"), "i: parallel");
  EXPECT_NE(verdict("read a[k*i + j + 1] write a[k*i + j]", "0 .. k - 1"), "i: parallel");
}

TEST(Dependence, strides) {
  EXPECT_EQ(loop("read a[2*i + 1] write a[2*i]"), "i: parallel");
  EXPECT_EQ(loop("read a[2*i + 2] write a[2*i]"), "i: serial anti");
  EXPECT_EQ(loop("read a[i + 1] write a[i]", "for i = 0 .. n - 2 step 2"), "i: parallel");
  EXPECT_EQ(loop("read a[i + 2] write a[i]", "for i = 0 .. n - 3 step 2"), "i: serial anti");
  EXPECT_EQ(loop("read a[i + 1] write a[i]", "for i = n - 2 .. 0 step -2"), "i: parallel");
  // 6i = 4j + 1 has no solution; 6i = 4j + 2 has.
  EXPECT_EQ(loop("read a[4*i + 1] write a[6*i]"), "i: parallel");
  EXPECT_EQ(loop("read a[4*i + 2] write a[6*i]"), "i: serial flow");
}

TEST(Dependence, countingDownTurnsTheKinds) {
  EXPECT_EQ(loop("read a[i + 1] write a[i]", "for i = n - 2 .. 0 step -1"), "i: serial flow");
  EXPECT_EQ(loop("read a[i - 1] write a[i]", "for i = n - 1 .. 1 step -1"), "i: serial anti");
}

TEST(Dependence, reversal) {
  EXPECT_EQ(loop("read a[n - 1 - i] write a[i]"), "i: serial flow");
  // The first half reads only the second.
  EXPECT_EQ(loop("read a[n - 1 - i] write a[i]", "for i = 0 .. floor(n / 2) - 1"), "i: parallel");
}

TEST(Dependence, examplesNameAnElementAndTwoIterations) {
  auto analysis = busfare::brs::test::analyse(
      "function f(param n) { array a : f64[n] local for i = 1 .. n - 1 { read a[i - 1] write a[i] } }");
  ASSERT_EQ(analysis->result.loops.size(), 1u);
  const auto &verdict = analysis->result.loops[0];
  ASSERT_EQ(verdict.dependences.size(), 1u);
  EXPECT_EQ(verdict.dependences[0].array, "a");
  EXPECT_EQ(verdict.dependences[0].example, "a[i] -> a[i - 1]: a[1] at i = 1, then i = 2");
  EXPECT_EQ(verdict.reason, verdict.dependences[0].example);
}

TEST(Dependence, outerAndInnerLoops) {
  EXPECT_EQ(loops("for i = 0 .. n - 1 { for j = 0 .. n - 1 { write m[i][j] } }"), "i: parallel\nj: parallel");
  EXPECT_EQ(loops("for i = 1 .. n - 1 { for j = 0 .. n - 1 { read m[i - 1][j] write m[i][j] } }"),
            "i: serial flow\nj: parallel");
  EXPECT_EQ(loops("for i = 0 .. n - 1 { for j = 1 .. n - 1 { read m[i][j - 1] write m[i][j] } }"),
            "i: parallel\nj: serial flow");
  // A wavefront: each loop alone carries one of the two.
  EXPECT_EQ(loops("for i = 1 .. n - 1 { for j = 1 .. n - 1 { read m[i - 1][j] read m[i][j - 1] write m[i][j] } }"),
            "i: serial flow\nj: serial flow");
  EXPECT_EQ(loops("for i = 1 .. n - 1 { for j = 0 .. n - 2 { read m[i - 1][j + 1] write m[i][j] } }"),
            "i: serial flow\nj: parallel");
}

TEST(Dependence, innerLoopsThatReachTheNextIterationOrNot) {
  EXPECT_EQ(outer("write a[16*i + j]", "0 .. 15"), "i: parallel");
  EXPECT_EQ(outer("write a[16*i + j]", "0 .. 16"), "i: serial output");
  EXPECT_EQ(outer("write a[16*i + j]", "-1 .. 14"), "i: parallel");
  EXPECT_EQ(outer("write a[16*i + j]", "15 .. 0 step -1"), "i: parallel");
  EXPECT_EQ(outer("write a[16*i + j]", "16 .. 0 step -1"), "i: serial output");
  EXPECT_EQ(outer("write a[16*i - j]", "0 .. 15"), "i: parallel");
  EXPECT_EQ(outer("write a[16*i - j]", "0 .. 16"), "i: serial output");
  EXPECT_EQ(outer("write a[8*i + j]", "0 .. 15", "for i = 0 .. n - 1 step 2"), "i: parallel");
  EXPECT_EQ(outer("write a[8*i + j]", "0 .. 16", "for i = 0 .. n - 1 step 2"), "i: serial output");
  EXPECT_EQ(outer("write a[16*i + j]", "0 .. 15", "for i = n - 1 .. 0 step -1"), "i: parallel");
  EXPECT_EQ(outer("write a[16*i + j]", "0 .. 16", "for i = n - 1 .. 0 step -1"), "i: serial output");
  EXPECT_EQ(outer("write a[16*n - 16*i + j]", "0 .. 15"), "i: parallel");
  EXPECT_EQ(outer("write a[16*n - 16*i + j]", "0 .. 16"), "i: serial output");
  // Two accesses: what lies between them counts, in both directions.
  EXPECT_EQ(outer("read a[16*i + j + 8] write a[16*i + j]", "0 .. 7"), "i: parallel");
  EXPECT_EQ(outer("read a[16*i + j + 8] write a[16*i + j]", "0 .. 8"), "i: serial anti");
  EXPECT_EQ(outer("read a[16*i + j - 8] write a[16*i + j]", "0 .. 7"), "i: parallel");
  EXPECT_EQ(outer("read a[16*i + j - 8] write a[16*i + j]", "0 .. 8"), "i: serial flow");
  EXPECT_EQ(outer("read a[16*i + j + k] write a[16*i + j]", "0 .. 7"), "i: serial flow"); // k may be -16
}

TEST(Dependence, tiles) {
  auto outer = [](const std::string &access, const std::string &inner,
                  const std::string &header = "for c = 0 .. k - 1") { return ::outer(access, inner, header); };
  EXPECT_EQ(outer("write a[j]", "16*c .. 16*c + 15"), "c: parallel");
  EXPECT_EQ(outer("write a[j]", "16*c .. 16*c + 16"), "c: serial output");
  EXPECT_EQ(outer("write a[j]", "max(16*c, 1) .. min(16*c + 15, n - 1)"), "c: parallel");
  EXPECT_EQ(outer("write a[j]", "max(16*c, 1) .. min(16*c + 16, n - 1)"), "c: serial output");
  EXPECT_EQ(outer("write a[j]", "min(16*c + 15, n - 1) .. max(16*c, 1) step -1"), "c: parallel");
  EXPECT_EQ(outer("write a[j]", "min(16*c + 16, n - 1) .. max(16*c, 1) step -1"), "c: serial output");
  EXPECT_EQ(outer("write a[j]", "max(c, 1) .. min(c + 15, n - 1)", "for c = 0 .. n - 1 step 16"), "c: parallel");
  EXPECT_EQ(outer("write a[j]", "max(c, 1) .. min(c + 16, n - 1)", "for c = 0 .. n - 1 step 16"), "c: serial output");
  EXPECT_EQ(outer("write a[2*j]", "8*c .. 8*c + 7"), "c: parallel");
  EXPECT_EQ(outer("write a[2*j]", "8*c .. 8*c + 8"), "c: serial output");
  EXPECT_EQ(outer("write a[20*n - j]", "16*c .. 16*c + 15"), "c: parallel");
  EXPECT_EQ(outer("write a[20*n - j]", "16*c .. 16*c + 16"), "c: serial output");
  // Of a size that is a symbol; the inner loop runs only if it is positive.
  EXPECT_EQ(outer("write a[j]", "n*c .. n*c + n - 1"), "c: parallel");
  EXPECT_EQ(outer("write a[j]", "n*c .. n*c + n"), "c: serial unknown");
  EXPECT_EQ(outer("write a[j]", "n*c + 1 .. min(n*c + n, 4*n)"), "c: parallel");
  EXPECT_EQ(outer("write a[j]", "n*c .. n*c + n - 1", "for c = k .. 0 step -1"), "c: parallel");
  EXPECT_EQ(outer("write a[j]", "n*c .. n*c + 2*n - 1", "for c = 0 .. k - 1 step 2"), "c: parallel");
  EXPECT_EQ(outer("write a[j]", "n*c .. n*c + 2*n", "for c = 0 .. k - 1 step 2"), "c: serial unknown");
  EXPECT_EQ(outer("write a[j]", "n*c .. n*c + 2*n - 1"), "c: serial unknown");
  EXPECT_EQ(outer("write a[j]", "-n*c .. n - n*c - 1"), "c: parallel");
  // Both walk: the index goes back as fast as the tile goes on, or half as fast.
  EXPECT_EQ(outer("write a[j - 16*c]", "16*c .. 16*c + 15"), "c: serial output");
  EXPECT_EQ(outer("write a[j - 8*c]", "16*c .. 16*c + 7"), "c: parallel");
  EXPECT_EQ(outer("write a[j - 8*c]", "16*c .. 16*c + 8"), "c: serial output");
  // The tile of the next iteration is looked at.
  EXPECT_EQ(outer("read a[j + 1] write a[j]", "16*c .. 16*c + 15"), "c: serial anti");
  EXPECT_EQ(outer("read a[j + 1] write a[j]", "16*c .. 16*c + 14"), "c: parallel");
  EXPECT_EQ(outer("read a[j - 1] write a[j]", "16*c .. 16*c + 15"), "c: serial flow");
  EXPECT_EQ(outer("read a[j - 1] write a[j]", "16*c .. 16*c + 14"), "c: parallel");
  // A width that is not known.
  EXPECT_EQ(outer("write a[j]", "16*c .. 16*c + n"), "c: serial output");
}

TEST(Dependence, gaussSeidel) {
  EXPECT_EQ(loops("for t = 0 .. k - 1 { for i = 1 .. n - 2 { for j = 1 .. n - 2 {\n"
                  "  read m[i - 1][j] read m[i + 1][j] read m[i][j - 1] read m[i][j + 1] write m[i][j] } } }"),
            "t: serial flow\ni: serial flow\nj: serial flow");
}

TEST(Dependence, subscriptsThatLeaveTheirRow) {
  EXPECT_EQ(loops("for i = 1 .. n - 1 { for j = 0 .. n - 1 { read m[i][j - 1] write m[i][j] } }"),
            "i: serial unknown\nj: serial unknown");
  EXPECT_EQ(loops("for i = 0 .. n - 2 { for j = 0 .. n - 1 { read m[i][j + 1] write m[i][j] } }"),
            "i: serial unknown\nj: serial unknown");
  EXPECT_EQ(loops("for i = 1 .. n - 1 { for j = 0 .. n - 1 { if j >= 1 { read m[i][j - 1] } write b[i] } }"),
            "i: parallel\nj: serial output");
}

TEST(Dependence, transposition) {
  EXPECT_EQ(loops("for i = 0 .. n - 1 { for j = 0 .. n - 1 { read m[j][i] write m[i][j] } }"),
            "i: serial flow\nj: parallel");
  // Only the upper triangle is written, only the lower read.
  EXPECT_EQ(loops("for i = 0 .. n - 1 { for j = i + 1 .. n - 1 { read m[j][i] write m[i][j] } }"),
            "i: parallel\nj: parallel");
}

TEST(Dependence, triangles) {
  EXPECT_EQ(loops("for i = 0 .. n - 1 { for j = 0 .. i - 1 { read m[j][j] write m[i][j] } }"),
            "i: parallel\nj: parallel");
  EXPECT_EQ(loops("for i = 0 .. n - 1 { for j = 0 .. i { read m[j][j] write m[i][j] } }"),
            "i: serial flow\nj: parallel");
  // Forward substitution: all iterations of j add to a[i], and read what is before it.
  EXPECT_EQ(loops("for i = 0 .. n - 1 { for j = 0 .. i - 1 { read a[j] update a[i] + } }"),
            "i: serial flow\nj: parallel reduction(+:a)");
  EXPECT_EQ(loops("for i = 0 .. n - 1 { for j = 0 .. i { read a[j] update a[i] + } }"),
            "i: serial flow\nj: serial flow");
}

TEST(Dependence, boundsWithMinAndMax) {
  EXPECT_EQ(loops("for i = 0 .. n - 1 { for j = max(0, i - 1) .. min(n - 1, i + 1) { write m[i][j] } }"),
            "i: parallel\nj: parallel");
  // Tiles of 32 do not overlap.
  EXPECT_EQ(loops("for ii = 0 .. n - 1 step 32 { for i = ii .. min(n - 1, ii + 31) { write a[i] } }"),
            "ii: parallel\ni: parallel");
  EXPECT_EQ(loops("for ii = 0 .. n - 1 step 32 { for i = ii .. min(n - 1, ii + 32) { write a[i] } }"),
            "ii: serial output\ni: parallel");
}

TEST(Dependence, floorAndMod) {
  EXPECT_EQ(loop("write a[floor(i / 2)]"), "i: serial output");
  EXPECT_EQ(loop("write a[floor(i / 2)]", "for i = 0 .. n - 1 step 2"), "i: parallel");
  EXPECT_EQ(loop("write a[i mod 8]"), "i: serial output");
  EXPECT_EQ(loop("write a[i mod 8]", "for i = 0 .. 7"), "i: parallel");
}

TEST(Dependence, guards) {
  EXPECT_EQ(loop("if 0 <= i <= 0 { write a[0] }"), "i: parallel");
  EXPECT_EQ(loop("read a[0] if 0 <= i <= 0 { write a[0] }"), "i: serial flow");
  EXPECT_EQ(loop("if i >= k { read a[i - k] } else { write a[i] }"), "i: serial flow");
  // A guard that depends on data says nothing: both sides may run in any iteration.
  EXPECT_EQ(loop("if ? { write a[0] }"), "i: serial unknown");
  EXPECT_EQ(loop("if ? { write a[i] } else { read a[i] }"), "i: parallel");
}

TEST(Dependence, unknownSubscripts) {
  EXPECT_EQ(loop("read c[i] read a[?] write b[i]"), "i: parallel");
  EXPECT_EQ(loop("read c[i] read b[i] write a[?]"), "i: serial unknown");
  EXPECT_EQ(loop("read c[i] read a[?] write a[i]"), "i: serial unknown");
  // What is known of the range keeps them apart.
  EXPECT_EQ(loop("read a[? in n .. 2*n - 1] write a[i]"), "i: parallel");
  EXPECT_EQ(loops("for i = 0 .. n - 1 { read c[i] write m[i][?] }"), "i: parallel");
  EXPECT_EQ(loops("for i = 0 .. n - 1 { read c[i] write m[?][i] }"), "i: parallel");
}

TEST(Dependence, valuesDefinedInsideDifferFromIterationToIteration) {
  EXPECT_EQ(loop("define d because \"c[i]\" write a[d]"), "i: serial unknown");
  EXPECT_EQ(loops("define d because \"c[0]\" for i = 0 .. n - 1 { write a[i + d] }"), "i: parallel");
  // CSR: the rows' ranges are not known to be disjoint for writes, but reading is free.
  EXPECT_EQ(loop("define lo because \"p[i]\" define hi because \"p[i + 1]\"\n"
                 "for j = lo .. hi - 1 { read a[j] } write b[i]"),
            "i: parallel\nj: parallel");
  EXPECT_EQ(loop("define lo because \"p[i]\" define hi because \"p[i + 1]\"\n"
                 "for j = lo .. hi - 1 { write a[j] }"),
            "i: serial unknown\nj: parallel");
}

TEST(Dependence, productsOfSizes) {
  // Blocks of n*n elements: i*n*n + j with j < n*n cannot be told apart, but the same product can.
  EXPECT_EQ(loop("read a[i + n*k] write a[i + n*k]"), "i: parallel");
  EXPECT_EQ(loop("write a[i*n]"), "i: parallel");
  EXPECT_EQ(loop("write a[i*k]"), "i: serial unknown");
}

TEST(Dependence, whatKeepsItsOrder) {
  EXPECT_EQ(loop("host io \"printf\" { read a[i] }"), "i: serial (printf does I/O)");
  EXPECT_EQ(loops("for t = 0 .. k - 1 { for i = 0 .. n - 1 { read a[i] write b[i] } rotate a <- b, b <- a }"),
            "t: serial (names change places in every iteration (a <- b))\ni: parallel");
  EXPECT_EQ(loops("for i = 0 .. n - 1 early-exit { write a[i] }"), "i: serial (may stop before its last iteration)");
  EXPECT_EQ(loops("define trips.1 because \"while\" for it = 0 .. trips.1 - 1 while { write a[it] }"),
            "it: serial (how often it runs is decided while it runs)");
  EXPECT_EQ(loops("for it = 0 .. n - 1 while { write a[it] }"), "it: parallel");
}
