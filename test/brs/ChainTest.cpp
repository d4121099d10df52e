//===- test/brs/ChainTest.cpp - Kernels one behind the other, chunk by chunk ===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which kernels may share their chunks: by hand, and against runs of random pairs, in
// which iteration k of the second may touch nothing that a later one of the first does.
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"
#include "brs/Chunks.h"
#include "brs/Domain.h"
#include "brs/Shape.h"
#include "skeleton/Inline.h"
#include "skeleton/Parse.h"
#include "gtest/gtest.h"
#include <random>

using namespace busfare;
using namespace busfare::brs;

namespace {

struct Chained {
  skeleton::Program program;
  skeleton::Function function;
  TransferAnalysis transfers;
  ChunkedKernel kernel;
  const ChunkedArray *of(llvm::StringRef name) const {
    for (const ChunkedArray &array : kernel.arrays)
      if (array.array->name == name) return &array;
    return nullptr;
  }
};

std::unique_ptr<Chained> chain(llvm::StringRef body) {
  auto result = std::make_unique<Chained>();
  result->program = llvm::cantFail(skeleton::parse(("skeleton 1\nunit \"t.c\"\n" + body).str(), "t.skel"));
  auto inlined = llvm::cantFail(skeleton::substituteCalls(result->program, "f"));
  result->function =
      recoverShapes(result->program, inlined.function, factsOf(result->program, inlined.function)).function;
  Context context = factsOf(result->program, result->function);
  DependenceAnalysis dependence = analyseDependence(result->program, result->function, context);
  result->transfers = analyseTransfers(result->program, result->function, dependence, context, false);
  if (result->transfers.regions.size() == 1)
    result->kernel = splitKernel(result->program, result->function, result->transfers.regions[0], dependence, context);
  else ADD_FAILURE() << result->transfers.regions.size() << " regions";
  return result;
}

/// The two kernels over i, in rows of m, with a in, t between them and b out.
std::string twoKernels(llvm::StringRef first, llvm::StringRef second, llvm::StringRef between = "",
                       llvm::StringRef qualifier = "restrict", llvm::StringRef bounds = "1 .. n") {
  return ("function f(param n, param m, array a, array b) {\n  array a : f64[n + 2][m] parameter " + qualifier +
          "\n  array b : f64[n + 2][m] parameter " + qualifier + "\n  array t : f64[n + 2][m] local\n" +
          "  for i = 1 .. n at 3:3 { for j = 0 .. m - 1 { " + first + " ops fp64.add 9 } }\n" + between +
          "  for i.2 = " + bounds + " at 5:3 { for j.2 = 0 .. m - 1 { " + second + " ops fp64.add 9 } }\n}")
      .str();
}

TEST(Chain, TheSecondFollowsTheFirst) {
  auto c = chain(twoKernels("read a[i][j] write t[i][j]", "read t[i.2][j.2] write b[i.2][j.2]"));
  ASSERT_TRUE(c->kernel.isSplit()) << c->kernel.whyNot;
  EXPECT_EQ(c->kernel.loops.size(), 2u);
  ASSERT_TRUE(c->of("a") && c->of("b"));
  EXPECT_EQ(toString(c->of("a")->copiesIn), "[i.first:i.last:1][0:m - 1:1]");
  EXPECT_EQ(toString(c->of("b")->copiesOut), "[i.first:i.last:1][0:m - 1:1]");
  EXPECT_FALSE(c->of("t")) << "it stays on the device";
}

TEST(Chain, HalosBehindAreThereAlready) {
  auto c = chain(twoKernels("read a[i][j] write t[i][j]",
                            "read t[i.2 - 1][j.2] read t[i.2][j.2] read a[i.2 - 1][j.2] write b[i.2][j.2]"));
  ASSERT_TRUE(c->kernel.isSplit()) << c->kernel.whyNot;
  // The level before is the second kernel's, and an earlier chunk has brought it.
  EXPECT_EQ(toString(c->of("a")->needs), "[i.first - 1:i.last:1][0:m - 1:1]");
  EXPECT_EQ(toString(c->of("a")->copiesIn), "[i.first:i.last:1][0:m - 1:1]");
}

TEST(Chain, WhatALaterChunkComputesIsNotThere) {
  auto c = chain(twoKernels("read a[i][j] write t[i][j]", "read t[i.2 + 1][j.2] write b[i.2][j.2]"));
  EXPECT_EQ(
      c->kernel.whyNot,
      "the kernel at line 5 cannot follow the one at line 3 chunk by chunk: t links its iterations to later ones of that kernel");
}

TEST(Chain, WhatALaterChunkStillReadsStays) {
  // Iteration i + 1 of the first kernel reads a[i], which iteration i of the second overwrites.
  auto c = chain(twoKernels("read a[i - 1][j] write t[i][j]", "read t[i.2][j.2] write a[i.2][j.2]"));
  EXPECT_NE(c->kernel.whyNot.find("a links its iterations"), std::string::npos) << c->kernel.whyNot;
  // Behind it nobody reads a[i - 1] any more.
  EXPECT_TRUE(
      chain(twoKernels("read a[i][j] write t[i][j]", "read t[i.2][j.2] write a[i.2 - 1][j.2]"))->kernel.isSplit());
}

TEST(Chain, WhyNot) {
  const char *first = "read a[i][j] write t[i][j]", *second = "read t[i.2][j.2] write b[i.2][j.2]";
  EXPECT_EQ(chain(twoKernels(first, second, "", "restrict", "1 .. n - 1"))->kernel.whyNot,
            "the outer loops of the kernels at line 3 and line 5 have different bounds");
  EXPECT_EQ(chain(twoKernels(first, second, "  host io \"printf\" at 4:3\n"))->kernel.whyNot,
            "the host does something between the kernels");
  EXPECT_NE(chain(twoKernels(first, second, "", ""))->kernel.whyNot.find("a and b may be the same memory"),
            std::string::npos);
  // A sum that the second kernel needs is complete after all of the first.
  EXPECT_NE(chain(R"(
function f(param n, array a, array b) {
  array a : f64[n] parameter const restrict
  array b : f64[n] parameter restrict
  array s : f64 local
  for i = 0 .. n - 1 at 3:3 { read a[i] ops fp64.add 1 update s + }
  for i.2 = 0 .. n - 1 at 5:3 { read a[i.2] read s ops fp64.add 1 write b[i.2] }
})")
                ->kernel.whyNot.find("s links its iterations"),
            std::string::npos);
}

/// Each kernel has a scalar of its own, of one name.
TEST(Chain, PrivateScalarsAreNoLink) {
  auto c = chain(R"(
function f(param n, array a, array b) {
  array a : f64[n] parameter const restrict
  array b : f64[n] parameter restrict
  array t : f64[n] local
  array x : f64 local
  for i = 0 .. n - 1 at 3:3 { read a[i] ops fp64.add 1 write x read x write t[i] }
  for i.2 = 0 .. n - 1 at 5:3 { read t[i.2] ops fp64.add 1 write x read x write b[i.2] }
})");
  EXPECT_TRUE(c->kernel.isSplit()) << c->kernel.whyNot;
}

//===--- Against runs -----------------------------------------------------===//

std::string randomPair(std::mt19937 &random) {
  auto at = [&](const char *index) {
    return "[" + std::string(index) + " + " + std::to_string(2 + int(random() % 5)) + "]";
  };
  std::string text =
      "function f(param n, array a, array b, array c) {\n  array a : f64[n + 8] parameter restrict\n"
      "  array b : f64[n + 8] parameter restrict\n  array c : f64[n + 8] parameter restrict\n  array t : f64[n + 8] local\n"
      "  for i = 0 .. n - 1 { read a" +
      at("i") + " ops fp64.add 9 write t" + at("i");
  bool hasC = random() % 2;
  text += hasC ? " write c" + at("i") : "";
  text += " }\n  for i.2 = 0 .. n - 1 { read t" + at("i.2") + " ops fp64.add 9 write b" + at("i.2");
  text += random() % 3 == 0 ? " write a" + at("i.2") : "";
  text += hasC && random() % 2 ? " read c" + at("i.2") : "";
  text += hasC && random() % 4 == 0 ? " if ? probability 0.5 { write t" + at("i.2") + " }" : "";
  return text + " }\n}\n";
}

bool touchesOneOf(const std::map<std::string, test::Elements> &writes,
                  const std::map<std::string, test::Elements> &others) {
  for (const auto &[name, elements] : writes)
    if (auto found = others.find(name); found != others.end())
      for (const test::Element &element : elements)
        if (found->second.count(element)) return true;
  return false;
}

/// In a run: does iteration k of the second touch what one behind k of the first does?
bool meetsInARun(const Chained &c) {
  test::OracleOptions options;
  options.values["n"] = 20;
  test::Trace trace = llvm::cantFail(test::runSkeleton(c.program, c.function, options));
  const auto &kernels = c.transfers.regions[0].kernels;
  const auto &first = trace.loops.at(kernels[0].loop).at(0).iterations,
             &second = trace.loops.at(kernels[1].loop).at(0).iterations;
  for (const auto &[k, later] : second)
    for (const auto &[behind, earlier] : first) {
      if (behind <= k) continue;
      auto reads = test::readsIn(trace, earlier), writes = test::writesIn(trace, earlier);
      auto itsReads = test::readsIn(trace, later), itsWrites = test::writesIn(trace, later);
      if (touchesOneOf(writes, itsReads) || touchesOneOf(writes, itsWrites) || touchesOneOf(reads, itsWrites))
        return true;
    }
  return false;
}

TEST(Chain, AgainstRuns) {
  std::mt19937 random(11);
  unsigned chains = 0, refused = 0;
  for (int round = 0; round < 120; ++round) {
    std::string text = randomPair(random);
    SCOPED_TRACE(text);
    std::unique_ptr<Chained> c = chain(text);
    if (testing::Test::HasFailure()) break;
    if (c->transfers.regions[0].kernels.size() != 2) continue;
    bool isChain = c->kernel.loop != nullptr, meets = meetsInARun(*c);
    EXPECT_FALSE(isChain && meets);
    // Only what a branch on data decides may be refused without need.
    if (text.find("if ?") == std::string::npos) {
      EXPECT_EQ(isChain, !meets) << c->kernel.whyNot;
    }
    ++(isChain ? chains : refused);
  }
  EXPECT_GE(chains, 20u);
  EXPECT_GE(refused, 20u);
}

} // namespace
