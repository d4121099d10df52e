//===- test/brs/ExpandTest.cpp - One access over a nest, and shapes ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/Expand.h"
#include "brs/RowAssumptions.h"
#include "brs/Shape.h"
#include "skeleton/Parse.h"
#include "skeleton/Print.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace busfare;
using namespace busfare::brs;
using namespace busfare::skeleton;

namespace {

Program programOf(const std::string &arrays, const std::string &body) {
  auto program = parse("skeleton 1\nunit \"t.c\"\nfunction f(param n, param m, param k, array a) {\n" + arrays + "\n" +
                           body + "\n}\n",
                       "t.skel");
  EXPECT_TRUE(bool(program)) << (program ? "" : llvm::toString(program.takeError()));
  return program ? *program : Program();
}

/// All accesses with their nests, in order.
void collect(const Block &block, const Nest &nest, std::vector<std::pair<const Access *, Nest>> &found) {
  for (const Node &node : block) {
    if (auto *access = std::get_if<Access>(&node.kind)) found.push_back({access, nest});
    else if (auto *loop = std::get_if<Loop>(&node.kind)) collect(loop->body, nest.inside(*loop), found);
    else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      collect(branch->then, nest.inside(*branch, true), found);
      collect(branch->otherwise, nest.inside(*branch, false), found);
    }
  }
}

/// The section of every access, one a line.
std::string sections(const std::string &arrays, const std::string &body, bool shaped = false) {
  Program program = programOf(arrays, body);
  Function function = program.functions[0];
  if (shaped) function = recoverShapes(program, function, factsOf(program, function)).function;
  Context facts = factsOf(program, function);
  std::vector<std::pair<const Access *, Nest>> accesses;
  collect(function.body, Nest(facts), accesses);
  std::string result;
  for (const auto &[access, nest] : accesses) {
    SectionSet set = expandToSections(*access, *findArray(program, function, access->array), nest);
    result += toString(set) + (set.exact ? "" : " inexact") + "\n";
  }
  return result;
}

const char *square = "array a : f64[n][m] parameter";
const char *flat = "array a : f64[?] parameter";

TEST(Expand, Affine) {
  EXPECT_EQ(sections(square, "for i = 1 .. n - 2 { for j = 0 .. m - 1 { read a[i - 1][j] } }"),
            "[0:n - 3:1][0:m - 1:1]\n");
  EXPECT_EQ(sections(square, "for i = 0 .. n - 1 step 2 { read a[i][0] }"), "[0:2*floor((n + 1) / 2) - 2:2][0:0:1]\n");
  EXPECT_EQ(sections(square, "for i = n - 1 .. 0 step -1 { read a[i][m - 1] }"), "[0:n - 1:1][m - 1:m - 1:1]\n");
  EXPECT_EQ(sections(square, "for i = 0 .. n - 1 { for j = 0 .. i { if j < m { read a[i][j] } } }"),
            "[0:n - 1:1][0:min(m - 1, n - 1):1] inexact\n");
  EXPECT_EQ(sections(square, "for i = 0 .. n - 1 { read a[i][?] }"), "[0:n - 1:1][0:m - 1:1] inexact\n");
  EXPECT_EQ(sections(square, "for i = 0 .. n - 1 { read a[max(i - 1, 0)][0] }"), "[0:max(0, n - 2):1][0:0:1]\n");
  EXPECT_EQ(sections(square, "for i = 0 .. n - 1 { if ? { read a[i][0] } }"), "[0:n - 1:1][0:0:1] inexact\n");
}

TEST(Expand, InnerLoopsAlone) {
  Program program = programOf(square, "for i = 0 .. n - 1 { for j = 0 .. m - 1 { read a[i][j] } }");
  const Function &function = program.functions[0];
  std::vector<std::pair<const Access *, Nest>> accesses;
  collect(function.body, Nest(factsOf(program, function)), accesses);
  const auto &[access, nest] = accesses.at(0);
  EXPECT_EQ(toString(expand(*access, nest, 1).toSections({}, nest.contextInside())), "[i:i:1][0:m - 1:1]");
  EXPECT_EQ(toString(expand(*access, nest, 0).toSections({}, nest.contextInside())), "[i:i:1][j:j:1]");
}

TEST(Expand, FlatHullWithoutShape) {
  EXPECT_EQ(sections("array a : f64[n*m] parameter", "for i = 0 .. n - 1 { for j = 0 .. m - 1 { read a[i*m + j] } }"),
            "[0:m*n - 1:1] inexact\n");
}

TEST(Shape, FlattenedRowsBecomeRows) {
  EXPECT_EQ(sections(flat, "for i = 0 .. n - 1 { for j = 0 .. m - 1 { read a[i*m + j] } }", true),
            "[0:n - 1:1][0:m - 1:1]\n");
  EXPECT_EQ(sections(flat,
                     "for i = 1 .. n - 2 { for j = 1 .. m - 2 { read a[(i - 1)*m + j + 1] read a[i*m + j - 1] } }",
                     true),
            "[0:n - 3:1][2:m - 1:1]\n[1:n - 2:1][0:m - 3:1]\n");
  EXPECT_EQ(sections(flat,
                     "for i = 0 .. n - 1 { for j = 0 .. m - 1 { for l = 0 .. k - 1 { read a[(i*m + j)*k + l] } } }",
                     true),
            "[0:n - 1:1][0:m - 1:1][0:k - 1:1]\n");
  EXPECT_EQ(sections(flat,
                     "for i = 0 .. n - 1 { for j = 0 .. m - 1 { for l = 0 .. k - 1 { read a[i + n*(j + m*l)] } } }",
                     true),
            "[0:k - 1:1][0:m - 1:1][0:n - 1:1]\n");
  EXPECT_EQ(sections(flat, "for i = 0 .. 511 { for j = 1 .. 510 { read a[i*512 + j] } }", true),
            "[0:511:1][1:510:1]\n");
  EXPECT_EQ(sections(flat, "for v = 0 .. 4 { for i = 0 .. n - 1 { read a[v*n + i] } }", true), "[0:4:1][0:n - 1:1]\n");
  EXPECT_EQ(sections(flat, "for i = 0 .. n - 1 { for j = 0 .. m - 1 { read a[max(i - 1, 0)*m + j] } }", true),
            "[0:max(0, n - 2):1][0:m - 1:1] inexact\n") // Nothing is touched if n is 0, but row 0 is in the box.
      << "clamped row";
}

TEST(Shape, CountersThatGoOnFromRowToRow) {
  EXPECT_EQ(sections(flat, "for i = 0 .. n - 1 { for j = 0 .. m - 1 { write a[i*max(0, m) + j] } }", true),
            "[0:n - 1:1][0:m - 1:1]\n");
  EXPECT_EQ(
      sections(
          flat,
          "for i = 0 .. n - 1 { for j = 0 .. m - 1 { for l = 0 .. k - 1 { write a[i*max(0, m)*max(0, k) + j*max(0, k) + l] } } }",
          true),
      "[0:n - 1:1][0:m - 1:1][0:k - 1:1]\n");
  EXPECT_EQ(sections(flat, "for i = 0 .. n - 1 { for j = 0 .. m - 1 { write a[i*min(m, k) + j] } }", true),
            "(whole) inexact\n")
      << "which of them it is nobody knows";
}

TEST(Shape, OnlyWhereItIsProved) {
  auto rankAfter = [](const std::string &body) {
    Program program = programOf(flat, body);
    Shaped shaped = recoverShapes(program, program.functions[0], factsOf(program, program.functions[0]));
    return shaped.function.arrays[0].extents.size();
  };
  EXPECT_EQ(rankAfter("for i = 0 .. n - 1 { read a[2*i + 1] }"), 1u);
  EXPECT_EQ(rankAfter("for i = 0 .. n - 1 { for j = 0 .. k { read a[i*m + j] } }"), 1u) << "nothing says k < m";
  EXPECT_EQ(rankAfter("for i = 0 .. n - 1 { write a[i*m] }"), 1u) << "m may be 0: a stride, not a row";
  EXPECT_EQ(
      rankAfter(
          "for i = 0 .. n - 1 { for j = 0 .. m - 1 { read a[i*m + j] } } for i.2 = 0 .. n - 1 { write a[i.2*m] }"),
      2u);
  EXPECT_EQ(rankAfter("for i = 0 .. n - 1 { for j = 0 .. m { read a[i*m + j] } }"), 1u) << "one column too many";
}

/// The shape of an array of 48 elements, and how many rows it is given.
std::string rowsOf48(const std::string &body) {
  Program program = programOf("array a : f64[48] parameter", body);
  Shaped shaped = recoverShapes(program, program.functions[0], factsOf(program, program.functions[0]));
  const std::vector<std::optional<Expr>> &extents = shaped.function.arrays[0].extents;
  std::string text;
  for (const std::optional<Expr> &extent : extents) text += "[" + (extent ? toString(*extent) : "?") + "]";
  return text;
}

TEST(Shape, WhereTheSizeIsNoNumberOfRowsTheAccessesGiveThem) {
  std::string all = "for i = 0 .. n - 1 { for j = 0 .. m - 1 { write a[i*m + j] } } ";
  EXPECT_EQ(rowsOf48(all), "[n][m]");
  EXPECT_EQ(rowsOf48(all + "for i.2 = 2 .. n - 1 step 3 { for j.2 = 0 .. m - 1 { read a[(i.2 - 2)*m + j.2] } }"),
            "[n][m]");
  EXPECT_EQ(rowsOf48(all + "for l = 0 .. n*m - 1 { read a[l] }"), "[?][m]") << "a flat walk may be of any row";
  EXPECT_EQ(rowsOf48(all + "for i.2 = 0 .. k { for j.2 = 0 .. m - 1 { read a[i.2*m + j.2] } }"), "[48]")
      << "a bound of k + 1 rows may lie behind the array";
  EXPECT_EQ(rowsOf48(all + "for i.2 = 0 .. n - 1 { for j.2 = 0 .. m - 1 { read a[(i.2 - 2)*m + j.2] } }"), "[48]")
      << "one of row -1 before it";
}

/// The shape of `a` under assumptions: its rank and what it rests on.
std::string assumedFor(const std::string &body, const std::string &arrays = flat) {
  Program program = programOf(arrays, body);
  Shaped shaped =
      recoverShapes(program, program.functions[0], factsOf(program, program.functions[0]), ShapeProof::Assumed);
  std::string text = std::to_string(shaped.function.arrays[0].extents.size());
  for (const Expr &condition : shaped.assumed) text += "; " + conditionText(condition);
  EXPECT_EQ(shaped.assumed.empty(), shaped.assumedShapes.empty());
  return text;
}

TEST(Shape, WhatOnlyTheCallerKnowsIsAssumed) {
  EXPECT_EQ(assumedFor("for i = 0 .. n - 1 { for j = 0 .. k { read a[i*m + j] } }"), "2; k + 1 <= m");
  EXPECT_EQ(assumedFor("for i = 0 .. n - 1 { for j = 1 .. k { read a[i*m + j] } }"), "2; k + 1 <= m");
  EXPECT_EQ(
      assumedFor("for i = k - 2 .. n + 2 { for j = k - 2 .. m + 2 { read a[m*i - m*k + 2*m + 4*i - 5*k + j + 10] } }"),
      "2; 1 <= k")
      << "rows of m + 4, as Fortran's arrays from k - 2 on are spelled in C";
  EXPECT_EQ(assumedFor("for i = 0 .. n - 1 { for j = k .. m - 1 { read a[i*m + j] } }"), "2; 0 <= k");
}

TEST(Shape, NotEverythingIsAssumed) {
  EXPECT_EQ(assumedFor("for i = 0 .. n - 1 { for j = 0 .. m { read a[i*m + j] } }"), "1")
      << "one column too many, always";
  EXPECT_EQ(assumedFor("for i = 0 .. n - 1 { for j = 0 .. m - 1 { read a[i*m + j + k] } }"), "1")
      << "k would have to be 0";
  EXPECT_EQ(assumedFor("for i = 0 .. n - 1 { for j = 0 .. k - 1 { read a[4*i + j] } }"), "1")
      << "windows that may overlap";
  EXPECT_EQ(assumedFor("for i = 0 .. n - 1 { read a[i*m] }"), "1") << "a stride";
  EXPECT_EQ(assumedFor("for i = 0 .. n - 1 { define w because \"w\" for j = 1 .. w { read a[i*m + j] } }"), "1")
      << "no caller knows w";
  EXPECT_EQ(assumedFor("for i = 0 .. n - 1 { for j = 1 .. k { write a[i*m + j] } }", "array a : f64[?] heap"), "1")
      << "the program's own array";
  EXPECT_EQ(assumedFor("for i = 0 .. n - 1 { for j = 1 .. k { write a[i*m + j] } }", "array a : f64[n*m] parameter"),
            "1")
      << "what is said of its size must do";
}

/// Calls visit with the values of all symbols at each access.
template <class Visit> void runAll(const Block &block, Values &values, Visit visit) {
  for (const Node &node : block) {
    if (auto *access = std::get_if<Access>(&node.kind)) {
      visit(*access, values);
    } else if (auto *loop = std::get_if<Loop>(&node.kind)) {
      int64_t last = *loop->upper.evaluate(values);
      for (int64_t i = *loop->lower.evaluate(values); i <= last; ++i) {
        values[loop->index] = i;
        runAll(loop->body, values, visit);
      }
    }
  }
}

TEST(Shape, AssumedRowsHoldWhereverTheConditionsDo) {
  const char *bodies[] = {
      "for i = 0 .. n - 1 { for j = 1 .. k { read a[i*m + j] } }",
      "for i = 0 .. n { for j = k - 2 .. m + 2 { read a[m*i + 4*i - k + j + 2] write a[m*i + 4*i - k + j + 3] } }",
      "for i = 1 .. n { for j = 1 .. k { write a[m*i + 5*i + 3 - j] read a[m*i + 5*i + m + j] } }",
      "for i = 0 .. n { for j = k .. m - 1 { read a[m*i + j] } for j.2 = 0 .. n { read a[m*i + j.2] } }",
  };
  for (const char *body : bodies) {
    Program program = programOf(flat, body);
    const Function &before = program.functions[0];
    Shaped shaped = recoverShapes(program, before, factsOf(program, before), ShapeProof::Assumed);
    ASSERT_EQ(shaped.function.arrays[0].extents.size(), 2u) << body;
    unsigned checked = 0;
    for (int64_t n = -1; n < 5; ++n)
      for (int64_t m = -4; m < 7; ++m)
        for (int64_t k = -4; k < 7; ++k) {
          Values values{{"n", n}, {"m", m}, {"k", k}};
          if (llvm::any_of(shaped.assumed, [&](const Expr &condition) { return *condition.evaluate(values) < 0; }))
            continue;
          std::vector<int64_t> flatOnes;
          runAll(before.body, values, [&](const Access &access, const Values &at) {
            flatOnes.push_back(*access.subscripts[0].value->evaluate(at));
          });
          size_t next = 0;
          runAll(shaped.function.body, values, [&](const Access &access, const Values &at) {
            int64_t width = *shaped.function.arrays[0].extents[1]->evaluate(at);
            int64_t row = *access.subscripts[0].value->evaluate(at), column = *access.subscripts[1].value->evaluate(at);
            ASSERT_TRUE(0 <= column && column < width) << body << " n " << n << " m " << m << " k " << k;
            ASSERT_EQ(row * width + column, flatOnes.at(next++));
            ++checked;
          });
        }
    EXPECT_GT(checked, 100u) << body << ": the conditions leave next to nothing";
  }
}

} // namespace
