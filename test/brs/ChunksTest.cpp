//===- test/brs/ChunksTest.cpp - What the chunks of a kernel move ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/Chunks.h"
#include "brs/Domain.h"
#include "brs/Presburger.h"
#include "brs/Shape.h"
#include "skeleton/Inline.h"
#include "skeleton/Parse.h"
#include "gtest/gtest.h"

using namespace busfare;
using namespace busfare::brs;

namespace {

/// The only region of `f`, split. The members own what the chunks point into.
struct Split {
  skeleton::Program program;
  skeleton::Function function;
  Context context;
  DependenceAnalysis dependence;
  TransferAnalysis transfers;
  ChunkedKernel kernel;

  const ChunkedArray &of(llvm::StringRef name) const {
    for (const ChunkedArray &array : kernel.arrays)
      if (array.array->name == name)
        return array;
    static const ChunkedArray none;
    ADD_FAILURE() << name.str() << " does not cross";
    return none;
  }
};

std::unique_ptr<Split> split(llvm::StringRef body) {
  auto result = std::make_unique<Split>();
  result->program = llvm::cantFail(skeleton::parse(("skeleton 1\nunit \"t.c\"\n" + body).str(), "t.skel"));
  auto inlined = llvm::cantFail(skeleton::substituteCalls(result->program, "f"));
  result->function = recoverShapes(result->program, inlined.function, factsOf(result->program, inlined.function)).function;
  result->context = factsOf(result->program, result->function);
  result->dependence = analyseDependence(result->program, result->function, result->context);
  result->transfers = analyseTransfers(result->program, result->function, result->dependence, result->context, false);
  if (result->transfers.regions.size() != 1) {
    ADD_FAILURE() << result->transfers.regions.size() << " regions";
    return result;
  }
  result->kernel = splitKernel(result->program, result->function, result->transfers.regions[0], result->dependence, result->context);
  return result;
}

TEST(Chunks, PlainLoop) {
  auto s = split(R"(
function f(param n, array a, array b) {
  array a : f64[n] parameter const restrict
  array b : f64[n] parameter restrict
  for i = 0 .. n - 1 { read a[i] ops fp64.add 1 write b[i] }
})");
  ASSERT_TRUE(s->kernel.isSplit()) << s->kernel.whyNot;
  EXPECT_EQ(toString(s->of("a").needs), "[i.first:i.last:1]");
  EXPECT_EQ(toString(s->of("a").copiesIn), "[i.first:i.last:1]");
  EXPECT_EQ(toString(s->of("a").shared), "(empty)");
  EXPECT_EQ(toString(s->of("a").byAll), "(empty)");
  EXPECT_EQ(toString(s->of("b").copiesOut), "[i.first:i.last:1]");
  EXPECT_EQ(toString(s->kernel.needs), "[i:i:1]");
  EXPECT_EQ(toString(s->kernel.backWaits), "[i:i:1]");
}

TEST(Chunks, StencilHasHalos) {
  auto s = split(R"(
function f(param n, param m, array a, array b) {
  array a : f64[n][m] parameter const restrict
  array b : f64[n][m] parameter restrict
  for i = 1 .. n - 2 { for j = 1 .. m - 2 {
    read a[i - 1][j] read a[i + 1][j] read a[i][j - 1] read a[i][j + 1] ops fp64.add 3 write b[i][j] } }
})");
  ASSERT_TRUE(s->kernel.isSplit()) << s->kernel.whyNot;
  EXPECT_EQ(toString(s->of("a").needs), "[i.first - 1:i.last + 1:1][0:m - 1:1]");
  EXPECT_EQ(toString(s->of("a").copiesIn), "[i.first + 1:i.last + 1:1][0:m - 1:1]");
  EXPECT_EQ(toString(s->of("a").shared), "[i.first - 1:i.first:1][0:m - 1:1]");
  EXPECT_EQ(toString(s->of("b").copiesOut), "[i.first:i.last:1][1:m - 2:1]");
  EXPECT_EQ(toString(s->kernel.needs), "[i - 2:i:1]");
  EXPECT_EQ(toString(s->kernel.backWaits), "[i:i:1]");
}

const char *const buoydiff = R"(
function f(param n, param m, array t, array s, array l) {
  array t : f64[n][m] parameter const restrict
  array s : f64[n][m] parameter restrict
  array l : f64[n][m] parameter restrict
  for k = 0 .. n - 1 { for j = 0 .. m - 1 {
    read t[k][j] read t[0][j] read t[max(k - 1, 0)][j] ops fp64.add 3
    write s[k][j]
    if k >= 1 { write l[k - 1][j] }
    if k >= n - 1 { write l[k][j] } } }
})";

TEST(Chunks, BuoydiffNeedsTheSurfaceTheLevelAboveAndItsOwn) {
  auto s = split(buoydiff);
  ASSERT_TRUE(s->kernel.isSplit()) << s->kernel.whyNot;
  EXPECT_EQ(toString(s->of("t").needs), "[0:0:1][0:m - 1:1] u [k.first - 1:k.last:1][0:m - 1:1]");
  EXPECT_EQ(toString(s->of("t").byAll), "[0:0:1][0:m - 1:1]");
  EXPECT_EQ(toString(s->of("t").shared), "[0:0:1][0:m - 1:1] u [k.first - 1:k.first - 1:1][0:m - 1:1]");
  EXPECT_EQ(toString(s->of("t").copiesIn), "[k.first:k.last:1][0:m - 1:1]");
  EXPECT_EQ(toString(s->kernel.needs), "[0:0:1] u [k - 1:k:1]");
  EXPECT_EQ(toString(s->kernel.backWaits), "[k - 1:k:1]");
  EXPECT_EQ(toString(s->of("s").copiesOut), "[k.first - 1:k.last - 1:1][0:m - 1:1]");
  EXPECT_EQ(toString(s->of("l").copiesOut), "[k.first - 1:k.last - 1:1][0:m - 1:1]");
}

TEST(Chunks, Products) {
  auto s = split(R"(
function f(param n, array a, array b, array c) {
  array a : f64[n][n] parameter const restrict
  array b : f64[n][n] parameter const restrict
  array c : f64[n][n] parameter restrict
  for i = 0 .. n - 1 { for j = 0 .. n - 1 { for k = 0 .. n - 1 { read a[i][k] read b[k][j] ops fp64.fma 1 } write c[i][j] } }
})");
  ASSERT_TRUE(s->kernel.isSplit()) << s->kernel.whyNot;
  EXPECT_TRUE(s->of("a").isSplitIn);
  EXPECT_FALSE(s->of("b").isSplitIn);
  EXPECT_EQ(s->of("b").whyWhole, "every chunk needs the same of it");
  EXPECT_TRUE(s->of("c").isSplitOut);
}

} // namespace
