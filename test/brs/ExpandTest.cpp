//===- test/brs/ExpandTest.cpp - One access over a nest, and shapes ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/Expand.h"
#include "brs/Shape.h"
#include "skeleton/Parse.h"
#include "skeleton/Print.h"
#include "gtest/gtest.h"

using namespace busfare;
using namespace busfare::brs;
using namespace busfare::skeleton;

namespace {

Program programOf(const std::string &arrays, const std::string &body) {
  auto program = parse("skeleton 1\nunit \"t.c\"\nfunction f(param n, param m, param k, array a) {\n" + arrays + "\n" + body + "\n}\n",
                       "t.skel");
  EXPECT_TRUE(bool(program)) << (program ? "" : llvm::toString(program.takeError()));
  return program ? *program : Program();
}

/// All accesses with their nests, in order.
void collect(const Block &block, const Nest &nest, std::vector<std::pair<const Access *, Nest>> &found) {
  for (const Node &node : block) {
    if (auto *access = std::get_if<Access>(&node.kind))
      found.push_back({access, nest});
    else if (auto *loop = std::get_if<Loop>(&node.kind))
      collect(loop->body, nest.inside(*loop), found);
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
  if (shaped)
    function = recoverShapes(program, function, factsOf(program, function)).function;
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
  EXPECT_EQ(sections(square, "for i = 1 .. n - 2 { for j = 0 .. m - 1 { read a[i - 1][j] } }"), "[0:n - 3:1][0:m - 1:1]\n");
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
  EXPECT_EQ(sections(flat, "for i = 0 .. n - 1 { for j = 0 .. m - 1 { read a[i*m + j] } }", true), "[0:n - 1:1][0:m - 1:1]\n");
  EXPECT_EQ(sections(flat, "for i = 1 .. n - 2 { for j = 1 .. m - 2 { read a[(i - 1)*m + j + 1] read a[i*m + j - 1] } }", true),
            "[0:n - 3:1][2:m - 1:1]\n[1:n - 2:1][0:m - 3:1]\n");
  EXPECT_EQ(sections(flat, "for i = 0 .. n - 1 { for j = 0 .. m - 1 { for l = 0 .. k - 1 { read a[(i*m + j)*k + l] } } }", true),
            "[0:n - 1:1][0:m - 1:1][0:k - 1:1]\n");
  EXPECT_EQ(sections(flat, "for i = 0 .. n - 1 { for j = 0 .. m - 1 { for l = 0 .. k - 1 { read a[i + n*(j + m*l)] } } }", true),
            "[0:k - 1:1][0:m - 1:1][0:n - 1:1]\n");
  EXPECT_EQ(sections(flat, "for i = 0 .. 511 { for j = 1 .. 510 { read a[i*512 + j] } }", true), "[0:511:1][1:510:1]\n");
  EXPECT_EQ(sections(flat, "for v = 0 .. 4 { for i = 0 .. n - 1 { read a[v*n + i] } }", true), "[0:4:1][0:n - 1:1]\n");
  EXPECT_EQ(sections(flat, "for i = 0 .. n - 1 { for j = 0 .. m - 1 { read a[max(i - 1, 0)*m + j] } }", true),
            "[0:max(0, n - 2):1][0:m - 1:1] inexact\n") // Nothing is touched if n is 0, but row 0 is in the box.
      << "clamped row";
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
  EXPECT_EQ(rankAfter("for i = 0 .. n - 1 { for j = 0 .. m - 1 { read a[i*m + j] } } for i.2 = 0 .. n - 1 { write a[i.2*m] }"), 2u);
  EXPECT_EQ(rankAfter("for i = 0 .. n - 1 { for j = 0 .. m { read a[i*m + j] } }"), 1u) << "one column too many";
}

} // namespace
