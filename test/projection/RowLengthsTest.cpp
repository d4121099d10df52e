//===- test/projection/RowLengthsTest.cpp - How long sparse rows are ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/RowLengths.h"
#include "skeleton/Parse.h"
#include "gtest/gtest.h"

using namespace busfare;
using namespace busfare::projection;

namespace {

using Given = std::vector<std::pair<std::string, int64_t>>;

/// What the sizes of f become: r rows from `begin` to `end`.
Sizes sizesOf(const std::string &arrays, const std::string &row, const Given &given = {}) {
  auto program = skeleton::parse("skeleton 1\nunit \"t.c\"\nfunction f(param n, param nnz, array ptr, array val) {\n" +
                                     arrays + "\nfor r = 0 .. n - 1 {\n" + row + "\n}\n}\n",
                                 "t.skel");
  if (!program) {
    ADD_FAILURE() << llvm::toString(program.takeError());
    return {};
  }
  llvm::Expected<Sizes> sizes = bindSizes(*program, program->functions[0], given);
  if (sizes) return *sizes;
  ADD_FAILURE() << llvm::toString(sizes.takeError());
  return {};
}

const std::string matrix = "array ptr : i32[n + 1] parameter\narray val : f64[nnz] parameter\n",
                  fivePoint = "array ptr : i32[n*n + 1] parameter\narray val : f64[5*n*n] parameter\n",
                  bounds = "define begin because \"ptr[r]\" from ptr[r]\n"
                           "define end because \"ptr[r + 1]\" from ptr[r + 1]\n",
                  row = bounds + "for k = begin .. end - 1 { read val[k] }";

std::pair<int64_t, ParameterSource> endOf(const Sizes &sizes) {
  auto found = sizes.bySymbol.find("end");
  return found == sizes.bySymbol.end() ? std::pair(int64_t(-1), ParameterSource::Assumed)
                                       : std::pair(found->second.value, found->second.source);
}

TEST(RowLengths, FollowFromWhatAllRowsFill) {
  Sizes sizes = sizesOf(matrix, row, {{"n", 1000}, {"nnz", 7000}});
  EXPECT_EQ(endOf(sizes), std::pair(int64_t(7), ParameterSource::Declared));
  EXPECT_EQ(sizes.bySymbol["begin"].value, 0);
  EXPECT_FALSE(sizes.isAssumed("begin"));
  EXPECT_EQ(sizes.reasons["end"], "nnz elements of val in n rows");
  // Rounded; a row has one element at least.
  EXPECT_EQ(endOf(sizesOf(matrix, row, {{"n", 1000}, {"nnz", 2600}})).first, 3);
  EXPECT_EQ(endOf(sizesOf(matrix, row, {{"n", 1000}, {"nnz", 100}})).first, 1);
}

// However large the matrix is, a row has five.
TEST(RowLengths, OfAssumedSizesOnlyTheRatioIsKnown) {
  EXPECT_EQ(endOf(sizesOf(fivePoint, row)), std::pair(int64_t(5), ParameterSource::Declared));
  EXPECT_EQ(endOf(sizesOf(matrix, row)).second, ParameterSource::Assumed);
  EXPECT_EQ(endOf(sizesOf(matrix, row)).first, 100);
  EXPECT_EQ(endOf(sizesOf(matrix, row, {{"nnz", 8192}})), std::pair(int64_t(8), ParameterSource::Assumed));
}

TEST(RowLengths, TheEndIsTheOneOpenValue) {
  const std::string unknown = "array ptr : i32[?] parameter\narray val : f64[?] parameter\n";
  Sizes sizes = sizesOf(unknown, row);
  EXPECT_FALSE(sizes.isAssumed("begin"));
  EXPECT_TRUE(sizes.isAssumed("end"));
  EXPECT_EQ(endOf(sizes).first, 100);
  sizes = sizesOf(unknown, row, {{"end", 12}});
  EXPECT_EQ(sizes.bySymbol["begin"].value, 0);
  EXPECT_EQ(endOf(sizes), std::pair(int64_t(12), ParameterSource::CommandLine));
  // What is given stays.
  sizes = sizesOf(matrix, row, {{"n", 1000}, {"nnz", 7000}, {"begin", 30}, {"end", 40}});
  EXPECT_EQ(sizes.bySymbol["begin"].value, 30);
  EXPECT_EQ(endOf(sizes).first, 40);
}

TEST(RowLengths, BoundsMayBeOffByANumber) {
  // From 1, as Fortran counts: begin - 1 .. end - 2.
  EXPECT_EQ(
      endOf(sizesOf(matrix, bounds + "for k = begin - 1 .. end - 2 { read val[k] }", {{"n", 10}, {"nnz", 60}})).first,
      6);
  EXPECT_EQ(endOf(sizesOf(matrix, bounds + "for k = begin .. end - 2 { read val[k] }", {{"n", 10}, {"nnz", 60}})).first,
            7);
}

// Two values that do not follow on each other, or of two arrays, are no row.
TEST(RowLengths, OtherLoopsAreLeftAlone) {
  auto isRow = [&](const std::string &first, const std::string &last, const std::string &loop) {
    Sizes sizes =
        sizesOf(matrix + "array other : i32[n + 1] local\n",
                "define begin because \"b\" from " + first + "\ndefine end because \"e\" from " + last + "\n" + loop,
                {{"n", 1000}, {"nnz", 7000}});
    return sizes.reasons.count("begin") != 0;
  };
  const std::string loop = "for k = begin .. end - 1 { read val[k] }";
  EXPECT_TRUE(isRow("ptr[r]", "ptr[r + 1]", loop));
  EXPECT_FALSE(isRow("ptr[r]", "ptr[r + 2]", loop));
  EXPECT_FALSE(isRow("ptr[r + 1]", "ptr[r]", loop));
  EXPECT_FALSE(isRow("ptr[r]", "other[r + 1]", loop));
  EXPECT_FALSE(isRow("ptr[r]", "ptr[r + 1]", "for k = begin .. end - 1 step 2 { read val[k] }"));
  EXPECT_FALSE(isRow("ptr[r]", "ptr[r + 1]", "for k = begin .. 2*end - 1 { read val[k] }"));
}

} // namespace
