//===- test/projection/BlasResidencyTest.cpp - Operands of BLAS calls that may stay ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Skeleton text in; how often each operand has to cross out, counted by hand. Where it may
// be another block, or may have changed, it crosses again.
//
//===----------------------------------------------------------------------===//

#include "projection/BlasResidency.h"
#include "Near.h"
#include "projection/Blas.h"
#include "skeleton/Parse.h"
#include "skeleton/Verify.h"
#include "gtest/gtest.h"

using namespace busfare;
using namespace busfare::projection;
using busfare::test::relative;

namespace {

/// A main with matrices a to d of n * n, n = 1024, and v of 4 * n * n; {call X Y Z} is a dgemm that reads X and Y and
/// overwrites Z.
std::string programOf(std::string body) {
  auto whole = [](const std::string &name) { return name + "[? in 0 .. 1048575]"; };
  for (size_t at; (at = body.find("{call ")) != std::string::npos;) {
    const std::string a = body.substr(at + 6, 1), b = body.substr(at + 8, 1), c = body.substr(at + 10, 1);
    body.replace(at, 12,
                 "host library \"dgemm\" blas dgemm(m = 1024, n = 1024, k = 1024) on (A = " + a + ", B = " + b +
                     ", C = " + c + ") overwrites at 9:1 { may read " + whole(a) +
                     (a == b ? "" : " may read " + whole(b)) + " may write " + whole(c) + " }");
  }
  return "skeleton 1\nunit \"b.c\"\nfunction main(param p) at 1:1 {\n"
         "  array a : f64[1048576] local\n  array b : f64[1048576] local\n  array c : f64[1048576] local\n"
         "  array d : f64[1048576] local\n  array v : f64[4194304] local\n" +
         body + "}\n";
}

RootResidency residencyOf(const std::string &body) {
  skeleton::Program program = llvm::cantFail(skeleton::parse(programOf(body), "t.skel"));
  llvm::cantFail(skeleton::verify(program));
  ProjectOptions options;
  options.machines = {llvm::cantFail(loadMachine("v100-pcie3"))};
  Residency residency = llvm::cantFail(findResidency(program, options));
  return residency.roots.empty() ? RootResidency() : std::move(residency.roots.front());
}

/// Crossings of a matrix; -1 if no call reads it.
double crossings(const RootResidency &root, llvm::StringRef name) {
  for (const ResidentMatrix &matrix : root.matrices)
    if (matrix.name == name && matrix.uses > 0) return matrix.crossings;
  return -1;
}

TEST(Residency, AnInputStaysUntilItIsWritten) {
  RootResidency root =
      residencyOf("for t = 0 .. 9 at 2:1 { {call a b c} for i = 0 .. 9 at 3:1 { write b[i] at 4:1 } }\n");
  EXPECT_EQ(crossings(root, "a"), 1);
  EXPECT_EQ(crossings(root, "b"), 10);
  EXPECT_EQ(crossings(root, "c"), -1) << "a result";
  ASSERT_EQ(root.calls.size(), 1u);
  EXPECT_EQ(root.calls[0].count, 10);
  ASSERT_TRUE(root.isReached);
  const ResidentMatrix &b = root.matrices[1];
  EXPECT_EQ(b.uses, 10);
  EXPECT_EQ(b.changed.size(), 1u);
  EXPECT_EQ(b.changed.begin()->second, 10);
  EXPECT_EQ(root.mostBytes, 2 * 8388608.0);
}

TEST(Residency, ReadsAndOtherMatricesDoNotDisturb) {
  RootResidency root =
      residencyOf("for t = 0 .. 9 at 2:1 { {call a b c} for i = 0 .. 9 at 3:1 { read a[i] read c[i] write d[i] } }\n");
  EXPECT_EQ(crossings(root, "a"), 1);
  EXPECT_EQ(crossings(root, "b"), 1);
}

TEST(Residency, AResultIsAChange) {
  RootResidency root = residencyOf("for t = 0 .. 4 at 2:1 { {call a b c} {call c b d} }\n");
  EXPECT_EQ(crossings(root, "a"), 1);
  EXPECT_EQ(crossings(root, "b"), 1);
  EXPECT_EQ(crossings(root, "c"), 5) << "it goes back at the end of the call that makes it";
}

TEST(Residency, OneMatrixTwiceCrossesOnce) {
  RootResidency root = residencyOf("{call a a c}\n{call a b d}\n");
  EXPECT_EQ(crossings(root, "a"), 1);
  ASSERT_FALSE(root.matrices.empty());
  EXPECT_EQ(root.matrices[0].uses, 3);
}

TEST(Residency, ABlockOfEachIterationIsAnotherOne) {
  const char *call = "host library \"dgemm\" blas dgemm(m = 1024, n = 1024, k = 1024) on (A = v, B = b, C = c) "
                     "overwrites at 9:1 { may read v[? in 1048576*i .. 1048576*i + 1048575] may read b[? in 0 .. "
                     "1048575] may write c[? in 0 .. 1048575] }";
  RootResidency once = residencyOf(std::string("for i = 0 .. 3 at 2:1 { ") + call + " }\n");
  EXPECT_EQ(crossings(once, "v"), 4);
  EXPECT_EQ(crossings(once, "b"), 1);
  // Within an iteration it is the same one.
  RootResidency inner = residencyOf(std::string("for i = 0 .. 3 at 2:1 { for t = 0 .. 9 at 3:1 { ") + call + " } }\n");
  EXPECT_EQ(crossings(inner, "v"), 4);
  EXPECT_EQ(crossings(inner, "b"), 1);
  ASSERT_FALSE(inner.matrices.empty());
  EXPECT_EQ(inner.matrices[0].uses, 40);
  EXPECT_FALSE(inner.matrices[0].isUnsure);
}

/// A section larger than the operand: which part of it the call reads, is not known.
TEST(Residency, AnUnknownPartIsBroughtEachTime) {
  RootResidency root = residencyOf(
      "for t = 0 .. 3 at 2:1 { host library \"dgemm\" blas dgemm(m = 1024, n = 1024, k = 1024) on (A = v, B = b, C = c) "
      "overwrites at 9:1 { may read v[? in 0 .. 4194303] may read b[? in 0 .. 1048575] may write c[? in 0 .. 1048575] } }\n");
  EXPECT_EQ(crossings(root, "v"), 4);
  EXPECT_EQ(crossings(root, "b"), 1);
  EXPECT_TRUE(root.matrices[0].isUnsure);
  EXPECT_FALSE(root.matrices[1].isUnsure);
}

TEST(Residency, ABranchKeepsWhatBothSidesKeep) {
  RootResidency root =
      residencyOf("for t = 0 .. 9 at 2:1 { {call a b c} if ? probability 0.5 at 3:1 { write b[0] at 4:1 } }\n");
  EXPECT_EQ(crossings(root, "a"), 1);
  EXPECT_EQ(crossings(root, "b"), 10) << "it may have been written each time";
}

TEST(Residency, CodeThatIsNotSeenMayHaveWrittenAll) {
  RootResidency root = residencyOf("for t = 0 .. 9 at 2:1 { {call a b c} host opaque \"unknown\" at 3:1 }\n");
  EXPECT_EQ(crossings(root, "a"), 10);
  EXPECT_EQ(crossings(root, "b"), 10);
}

TEST(Residency, ExchangedPointersAreForgotten) {
  RootResidency root = residencyOf("for t = 0 .. 9 at 2:1 { {call a b c} rotate b <- d, d <- b at 3:1 }\n");
  EXPECT_EQ(crossings(root, "a"), 10);
  EXPECT_EQ(crossings(root, "b"), 10);
}

/// The first iteration brings both, the others neither.
TEST(Residency, TimesAreThoseOfCoCoPeLia) {
  RootResidency root = residencyOf("for t = 0 .. 9 at 2:1 { {call a b c} }\n");
  Machine machine = llvm::cantFail(loadMachine("v100-pcie3"));
  auto time = [&](std::vector<std::string> onDevice) {
    BlasCall call = llvm::cantFail(blasCall("dgemm", 1024, 1024, 1024, onDevice, 0));
    BlasAnswer answer = llvm::cantFail(selectTile(call, machine, {}));
    const TileTimes &best = answer.tiles[*answer.selected];
    return best.pipeline ? *best.pipeline : *best.reuse;
  };
  ASSERT_TRUE(root.calls[0].kept && root.calls[0].offloaded);
  EXPECT_NEAR_TO(*root.calls[0].offloaded, 10 * time({}), relative(1e-9));
  EXPECT_NEAR_TO(*root.calls[0].kept, time({}) + 9 * time({"A", "B"}), relative(1e-9));
  EXPECT_LT(*root.calls[0].kept, *root.calls[0].offloaded);
  EXPECT_GE(savedBy(root), 0);
}

TEST(Residency, AssumedSizesAreSaid) {
  RootResidency root = residencyOf("for t = 0 .. p - 1 at 2:1 { {call a b c} }\n");
  ASSERT_EQ(root.assumptions.size(), 1u);
  EXPECT_EQ(root.assumptions[0], "main::p = 100 assumed");
  EXPECT_TRUE(residencyOf("for t = 0 .. 9 at 2:1 { {call a b c} }\n").assumptions.empty());
}

TEST(Residency, ProgramsWithoutCallsHaveNone) {
  EXPECT_TRUE(residencyOf("for i = 0 .. 9 at 2:1 { write a[i] }\n").calls.empty());
}

} // namespace
