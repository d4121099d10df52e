//===- test/projection/FitSizesTest.cpp - Assumed sizes that fit arrays ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/FitSizes.h"
#include "projection/Describe.h"
#include "skeleton/Parse.h"
#include "gtest/gtest.h"

using namespace busfare;
using namespace busfare::projection;

namespace {

using Given = std::vector<std::pair<std::string, int64_t>>;

/// The values that the sizes of f get, by name.
std::map<std::string, int64_t> sizesOf(const std::string &header, const std::string &body, const Given &given = {}) {
  auto program =
      skeleton::parse("skeleton 1\nunit \"t.c\"\nfunction f(" + header + ") at 1:1 {\n" + body + "\n}\n", "t.skel");
  if (!program) {
    ADD_FAILURE() << llvm::toString(program.takeError());
    return {};
  }
  llvm::Expected<Sizes> sizes = bindSizes(*program, program->functions[0], given);
  std::map<std::string, int64_t> values;
  if (!sizes) ADD_FAILURE() << llvm::toString(sizes.takeError());
  else
    for (const auto &[symbol, parameter] : sizes->bySymbol) values[symbol] = parameter.value;
  return values;
}

using Values = std::map<std::string, int64_t>;

TEST(FitSizes, ADefaultInsideStays) {
  EXPECT_EQ(sizesOf("param n, array a", "array a : f64[n] parameter\nfor i = 0 .. n - 1 { write a[i] }"),
            (Values{{"n", 1024}}));
  EXPECT_EQ(sizesOf("param n, array a", "array a : f64[2000] parameter\nfor i = 0 .. n - 1 { write a[i] }"),
            (Values{{"n", 1024}}));
}

TEST(FitSizes, LoopsStayInsideArraysOfKnownSize) {
  const char *array = "array a : f64[200] parameter\n";
  EXPECT_EQ(sizesOf("param n, array a", array + std::string("for i = 0 .. n - 1 { write a[i] }")),
            (Values{{"n", 200}}));
  EXPECT_EQ(sizesOf("param n, array a", array + std::string("for i = n .. 1 step -1 { write a[i + 1] }")),
            (Values{{"n", 198}}));
  EXPECT_EQ(
      sizesOf("param n, array a", array + std::string("for i = 0 .. n - 1 { for j = i + 1 .. n - 1 { write a[j] } }")),
      (Values{{"n", 200}}));
  // What a condition keeps inside is no contradiction.
  EXPECT_EQ(sizesOf("param n, array a", array + std::string("for i = 0 .. n - 1 { if 199 - i >= 0 { write a[i] } }")),
            (Values{{"n", 1024}}));
}

// A halo on either side takes few turns away; what sets lower ends is low.
/// A quotient follows from what is given, and from nothing that is assumed.
TEST(FitSizes, QuotientsFollow) {
  const char *body = "array a : f64[?] parameter\ndefine k in 0 .. max(0, n) quotient n + s - 1 by s\n"
                     "for i = 0 .. k - 1 { write a[i] }";
  auto turns = [&](const Given &given) { return sizesOf("param n, param s, array a", body, given)["k"]; };
  EXPECT_EQ(turns({{"n", 10}, {"s", 3}}), 4);
  EXPECT_EQ(turns({{"n", 9}, {"s", 3}}), 3);
  EXPECT_EQ(turns({{"n", -5}, {"s", 3}}), 0) << "no less than its bound";
  EXPECT_EQ(turns({{"n", 1000}, {"s", 1}, {"k", 7}}), 7) << "what is given counts";
  EXPECT_EQ(turns({{"n", 1000}}), 500) << "no step is known: the middle of its bounds";
  EXPECT_EQ(turns({{"n", 1000}, {"s", 0}}), 500) << "nothing is said of a step of 0";
}

TEST(FitSizes, LoopsRun) {
  Values halo = sizesOf(
      "param x, param y, param halo, array p",
      "array p : f64[?] parameter\nfor j = halo .. y - halo - 1 { for k = halo .. x - halo - 1 { read p[j*x + k] } }");
  EXPECT_EQ(halo["x"], 1024);
  EXPECT_EQ(halo["y"], 1024);
  EXPECT_EQ(halo["halo"], 8);
  Values ends = sizesOf("param lo, param hi, array p", "array p : f64[?] parameter\nfor i = lo .. hi { read p[i] }");
  EXPECT_EQ(ends["hi"], 1024);
  EXPECT_LE(ends["lo"], 16);
  Values filter = sizesOf("param n, param k, array p",
                          "array p : f64[?] parameter\nfor i = 0 .. n - k { for j = 0 .. k - 1 { read p[i + j] } }");
  EXPECT_EQ(filter["n"], 1024);
  EXPECT_GE(filter["k"], 1);
  EXPECT_LE(filter["k"], 17);
  // Down.
  Values down =
      sizesOf("param n, param m, array p", "array p : f64[?] parameter\nfor i = n - m .. m step -1 { read p[i] }");
  EXPECT_EQ(down["n"], 1024);
  EXPECT_LE(down["m"], 16);
}

TEST(FitSizes, NoArrayAndNoNestIsEndless) {
  Values four = sizesOf("param b, param t, param c, param o, array p",
                        "array p : f32[b][t][c][o] parameter\nfor i = 0 .. b - 1 { write p[i][0][0][0] }");
  EXPECT_LE(double(four["b"]) * double(four["t"]) * double(four["c"]) * double(four["o"]), double(1 << 30));
  EXPECT_GE(four["b"], 100);
  Values deep = sizesOf(
      "param b, param t, param c, param o, array p",
      "array p : f32[b] parameter\nfor i = 0 .. b - 1 { for j = 0 .. t - 1 { for k = 0 .. c - 1 { for l = 0 .. o - 1 { update p[i] + } } } }");
  EXPECT_LE(double(deep["b"]) * double(deep["t"]) * double(deep["c"]) * double(deep["o"]), 1.8e10);
  EXPECT_GE(deep["o"], 32);
  // Three extents of 1,024 are usual, and what the user says stays.
  EXPECT_EQ(sizesOf("param n, array a", "array a : f64[n][n][n] parameter\nfor i = 0 .. n - 1 { write a[i][0][0] }"),
            (Values{{"n", 1024}}));
  EXPECT_EQ(sizesOf("param n, array a",
                    "array a : f64[n][n][n][n] parameter\nfor i = 0 .. n - 1 { write a[i][0][0][0] }", {{"n", 2000}}),
            (Values{{"n", 2000}}));
}

TEST(FitSizes, WhatTheUserSaysStays) {
  EXPECT_EQ(
      sizesOf("param n, array a", "array a : f64[200] parameter\nfor i = 0 .. n - 1 { write a[i] }", {{"n", 500}}),
      (Values{{"n", 500}}));
}

TEST(FitSizes, ASectionOfRowsKeepsItsLength) {
  Values values =
      sizesOf("param rows, param r1, param r2, array a",
              "array a : f32[rows] parameter\ndefine r1 because \"argv\" at 2:1\ndefine r2 because \"argv\" at 2:1\n"
              "for i = r1 .. r2 { read a[i] }");
  EXPECT_EQ(values["rows"], 1024);
  EXPECT_EQ(values["r2"], 1023);
  EXPECT_EQ(values["r2"] - values["r1"], 99);
  values = sizesOf("param nonzeros, array start, array column",
                   "array start : i32[101] parameter\narray column : i32[nonzeros] parameter\n"
                   "for i = 0 .. 99 { read start[i] read start[i + 1] define r1 because \"start[i]\" at 2:1\n"
                   "define r2 because \"start[i + 1]\" at 2:1\nfor k = r1 .. r2 - 1 { read column[k] } }");
  EXPECT_EQ(values["r2"] - values["r1"], 100);
}

TEST(FitSizes, SizesOfOneProductBecomeEqual) {
  Values values =
      sizesOf("param nx, param ny, param nz, param rows, array a",
              "array a : f64[rows] parameter\n"
              "for z = 0 .. nz - 1 { for y = 0 .. ny - 1 { for x = 0 .. nx - 1 { write a[x + nx*y + nx*ny*z] } } }");
  EXPECT_EQ(values, (Values{{"nx", 10}, {"ny", 10}, {"nz", 10}, {"rows", 1024}}));
}

TEST(FitSizes, AnAssumedExtentGrowsIfNothingElseCanGiveWay) {
  EXPECT_EQ(
      sizesOf("param size, array a", "array a : f64[floor(size / 8)] parameter\nfor i = 0 .. 1199 { write a[i] }"),
      (Values{{"size", 9600}}));
}

TEST(WithoutPaths, OfFunctionsOfAnyName) {
  EXPECT_EQ(withoutPaths("step@12:sum[i] and main@3:step@12:n"), "sum[i] and n");
  EXPECT_EQ(withoutPaths("mesh::fill.2@4:u, Vector<double, int>::operator()@129:x.coefs"), "u, x.coefs");
  EXPECT_EQ(withoutPaths("ops::operator[]@7:k, a::operator+=@8:b, operator<@9:less"), "k, b, less");
  EXPECT_EQ(withoutPaths("operators@2:n of user@host"), "n of user@host");
}

TEST(WithoutNumbers, OnlyThoseOfVariables) {
  EXPECT_EQ(withoutNumbers("u[i.2][j.13 - 1] at j.13 = 1"), "u[i][j - 1] at j = 1");
  EXPECT_EQ(withoutNumbers("0.25 of v1.x, a.c:12, 1.5e3"), "0.25 of v1.x, a.c:12, 1.5e3");
  EXPECT_EQ(withoutNumbers("release 2.1.3 of lib.2.1"), "release 2.1.3 of lib.2.1");
}

} // namespace
