//===- test/brs/ChunksTest.cpp - What the chunks of a kernel move ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/Chunks.h"
#include "Member.h"
#include "Oracle.h"
#include "brs/Domain.h"
#include "brs/Presburger.h"
#include "brs/Shape.h"
#include "skeleton/Inline.h"
#include "skeleton/Parse.h"
#include "gtest/gtest.h"
#include <random>

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
      if (array.array->name == name) return array;
    static const ChunkedArray none;
    ADD_FAILURE() << name.str() << " does not cross";
    return none;
  }
};

std::unique_ptr<Split> split(llvm::StringRef body) {
  auto result = std::make_unique<Split>();
  result->program = llvm::cantFail(skeleton::parse(("skeleton 1\nunit \"t.c\"\n" + body).str(), "t.skel"));
  auto inlined = llvm::cantFail(skeleton::substituteCalls(result->program, "f"));
  result->function =
      recoverShapes(result->program, inlined.function, factsOf(result->program, inlined.function)).function;
  result->context = factsOf(result->program, result->function);
  result->dependence = analyseDependence(result->program, result->function, result->context);
  result->transfers = analyseTransfers(result->program, result->function, result->dependence, result->context, false);
  if (result->transfers.regions.size() != 1) {
    ADD_FAILURE() << result->transfers.regions.size() << " regions";
    return result;
  }
  result->kernel =
      splitKernel(result->program, result->function, result->transfers.regions[0], result->dependence, result->context);
  return result;
}

TEST(Chunks, LoopsInLargerSteps) {
  auto bodyOf = [](llvm::StringRef loop, llvm::StringRef inside) {
    return ("function f(param n, array a, array b) {\n  array a : f64[n] parameter const restrict\n"
            "  array b : f64[n] parameter restrict\n  for i = " +
            loop + " { " + inside + " }\n}")
        .str();
  };
  const llvm::StringRef one = "read a[i] ops fp64.add 1 write b[i]",
                        tile = "for j = 0 .. 3 { read a[i + j] ops fp64.add 1 write b[i + j] }";
  // As many elements in every chunk of as many steps, wherever the loop begins.
  for (const std::string &body : {bodyOf("0 .. n - 1 step 4", one), bodyOf("3 .. n - 1 step 4", one),
                                  bodyOf("0 .. n - 4 step 4", tile), bodyOf("n - 1 .. 0 step -2", one)}) {
    auto s = split(body);
    EXPECT_TRUE(s->kernel.isSplit()) << s->kernel.whyNot;
    EXPECT_FALSE(s->kernel.isUneven) << body;
    EXPECT_EQ(s->kernel.whyNot, "") << body;
  }
  // A row is longer the later it is.
  auto s = split(bodyOf("0 .. n - 1 step 2", "for j = 0 .. i { read a[j] ops fp64.add 1 update b[i] + }"));
  EXPECT_NE(s->kernel.whyNot, "");
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

TEST(Chunks, ResultsWithoutRowsOfTheirOwnComeBackWhole) {
  auto s = split(R"(
function f(param n, array a, array sum, array t) {
  array a : f64[n][n] parameter const restrict
  array sum : f64[n] parameter restrict
  array t : f64[n][n] parameter restrict
  for i = 0 .. n - 1 { for j = 0 .. n - 1 { read a[i][j] ops fp64.add 1 write t[j][i] } write sum[i] }
})");
  ASSERT_TRUE(s->kernel.isSplit()) << s->kernel.whyNot;
  EXPECT_TRUE(s->of("a").isSplitIn && s->of("sum").isSplitOut);
  EXPECT_FALSE(s->of("t").isSplitOut);
  EXPECT_EQ(s->of("t").whyWhole, "every chunk may write the same of it");
}

/// In place: what a chunk writes came with it, and no later copy brings the old values back.
TEST(Chunks, InPlace) {
  auto s = split(R"(
function f(param n, array a) {
  array a : f64[n] parameter
  for i = 0 .. n - 1 { read a[i] ops fp64.mul 1 if ? probability 0.5 { write a[i] } }
})");
  ASSERT_TRUE(s->kernel.isSplit()) << s->kernel.whyNot;
  EXPECT_EQ(toString(s->of("a").copiesIn), "[i.first:i.last:1]");
  EXPECT_EQ(toString(s->of("a").copiesOut), "[i.first:i.last:1]");
}

std::string whyNot(llvm::StringRef body) { return split(body)->kernel.whyNot; }

TEST(Chunks, WhyNot) {
  EXPECT_EQ(whyNot(R"(
function f(param n, param steps, array a) {
  array a : f64[n] parameter
  for t = 0 .. steps - 1 { for i = 0 .. n - 1 { read a[i] ops fp64.mul 1 write a[i] } }
})"),
            "the kernel is launched again and again on data that stays on the device");
  // A gather: any chunk may need anything; the sum is no array.
  EXPECT_EQ(whyNot(R"(
function f(param n, param m, array x, array s) {
  array x : f64[m] parameter const restrict
  array s : f64 local
  for i = 0 .. n - 1 { read x[?] update s + }
})"),
            "no array can go in pieces (x: every chunk needs the same of it)");
  EXPECT_EQ(whyNot(R"(
function f(param n, array a, array b) {
  array a : f64[n][n] parameter const restrict
  array b : f64[n] parameter restrict
  for i = 0 .. n - 1 { for j = 0 .. i { read a[i][j] ops fp64.add 1 } write b[i] }
})"),
            "its chunks would take different times: loops inside depend on i");
}

//===--- Against runs -----------------------------------------------------===//

constexpr int64_t extent = 40, rows = 48;

/// A kernel over levels i + 4, with reads at random distances and one result or two.
std::string randomKernel(std::mt19937 &random) {
  auto pick = [&](int from, int to) { return std::to_string(from + int(random() % unsigned(to - from + 1))); };
  std::string text =
      "function f(param n, array a, array b, array c) {\n  array a : f64[n + 8][3] parameter const restrict\n"
      "  array b : f64[n + 8][3] parameter restrict\n  array c : f64[n + 8][3] parameter restrict\n"
      "  for i = 0 .. n - 1 { for j = 0 .. 2 {\n";
  for (int reads = 1 + int(random() % 3); reads > 0; --reads) switch (random() % 5) {
    case 0: text += "    read a[" + pick(0, 5) + "][j]\n"; break;
    case 1: text += "    read a[max(i + " + pick(2, 4) + ", " + pick(2, 5) + ")][j]\n"; break;
    default: text += "    read a[i + " + pick(2, 6) + "][j]\n"; break;
    }
  text += "    ops fp64.add 1\n    write b[i + " + pick(3, 5) + "][j]\n";
  if (random() % 2) text += "    if i >= " + pick(0, 1) + " { write c[i + " + pick(3, 5) + "][j] }\n";
  return text + "  } }\n}\n";
}

using Levels = std::set<int64_t>;
Levels levelsOf(const std::map<std::string, test::Elements> &touched, const std::string &name) {
  Levels levels;
  if (auto found = touched.find(name); found != touched.end())
    for (const test::Element &element : found->second) levels.insert(element[0]);
  return levels;
}

/// For each chunk in the middle: what its iterations touch against the sections, level by level.
void checkAgainstRun(const Split &s) {
  test::OracleOptions options;
  options.values["n"] = extent;
  test::Trace trace = llvm::cantFail(test::runSkeleton(s.program, s.function, options));
  const auto &iterations = trace.loops.at(s.kernel.loop).at(0).iterations;
  std::vector<Levels> reads, b, c;
  for (const auto &[index, span] : iterations) {
    reads.push_back(levelsOf(test::readsIn(trace, span), "a"));
    b.push_back(levelsOf(test::writesIn(trace, span), "b"));
    c.push_back(levelsOf(test::writesIn(trace, span), "c"));
  }
  auto levelsIn = [](const SectionSet &section, const skeleton::Values &values) {
    Levels levels;
    for (int64_t level = 0; level < rows; ++level)
      if (test::holds(section, {level, 1}, values)) levels.insert(level);
    return levels;
  };
  for (int64_t first = 12; first < 28; first += 4) {
    int64_t last = first + 3;
    skeleton::Values values{{"n", extent}, {s.kernel.first, first}, {s.kernel.last, last}};
    Levels needed, before;
    for (int64_t i = 0; i <= last; ++i)
      (i < first ? before : needed).insert(reads[size_t(i)].begin(), reads[size_t(i)].end());
    if (const ChunkedArray &a = s.of("a"); a.isSplitIn) {
      EXPECT_EQ(levelsIn(a.needs, values), needed);
      Levels shared, copied;
      for (int64_t level : needed) (before.count(level) ? shared : copied).insert(level);
      EXPECT_EQ(levelsIn(a.shared, values), shared);
      EXPECT_EQ(levelsIn(a.copiesIn, values), copied);
    }
    for (int64_t i = first; i <= last; ++i) {
      values["i"] = i;
      for (int64_t level : reads[size_t(i)]) { // Whoever needs it first brings it.
        int64_t bringer = 0;
        while (!reads[size_t(bringer)].count(level)) ++bringer;
        if (s.of("a").isSplitIn)
          EXPECT_TRUE(test::holds(s.kernel.needs, {bringer}, values)) << "iteration " << i << " needs " << bringer;
      }
    }
    // A level goes back when nobody writes it any more, and waits for all who have.
    bool hasTwo = llvm::any_of(s.kernel.arrays, [](const ChunkedArray &array) { return array.array->name == "c"; });
    Levels back = levelsIn(s.of("b").copiesOut, values);
    EXPECT_EQ(back.size(), 4u);
    if (hasTwo) EXPECT_EQ(levelsIn(s.of("c").copiesOut, values), back);
    for (int64_t i = 0; i < extent; ++i)
      for (int64_t level : back)
        if (b[size_t(i)].count(level) || c[size_t(i)].count(level)) {
          EXPECT_LE(i, last) << "level " << level;
          bool waits = false;
          for (int64_t own = first; own <= last; ++own) {
            values["i"] = own;
            waits |= test::holds(s.kernel.backWaits, {i}, values);
          }
          EXPECT_TRUE(waits) << "kernel " << i << ", level " << level;
        }
  }
}

/// Wherever a loop is cut, its first and last iterations included.
void checkCuts(const Split &s) {
  test::OracleOptions options;
  options.values["n"] = extent;
  test::Trace trace = llvm::cantFail(test::runSkeleton(s.program, s.function, options));
  const auto &iterations = trace.loops.at(s.kernel.loop).at(0).iterations;
  for (const ChunkedArray &array : s.kernel.arrays) {
    std::vector<Levels> needs, writes;
    for (const auto &[index, span] : iterations) {
      writes.push_back(levelsOf(test::writesIn(trace, span), array.array->name));
      needs.push_back(levelsOf(test::readsIn(trace, span), array.array->name));
      needs.back().insert(writes.back().begin(), writes.back().end());
    }
    ASSERT_EQ(array.neededTo.has_value(), array.isSplitIn) << array.array->name;
    ASSERT_EQ(array.completeTo.has_value(), array.isSplitOut) << array.array->name;
    for (bool in : {true, false}) {
      const std::optional<ChunkedArray::Frontier> &cut = in ? array.neededTo : array.completeTo;
      if (!cut) continue;
      const std::vector<Levels> &touched = in ? needs : writes;
      bool everCrosses = false, alwaysCrosses = true, reaches = false;
      for (int64_t last = 0; last + 1 < int64_t(touched.size()); ++last) {
        SCOPED_TRACE(array.array->name + (in ? " in" : " out") + ", cut behind " + std::to_string(last));
        const int64_t level = cut->level.evaluate({{"n", extent}, {s.kernel.last, last}}).value();
        int64_t highest = -1, lowest = rows;
        for (size_t i = 0; i < touched.size(); ++i)
          for (int64_t one : touched[i]) {
            if (int64_t(i) <= last) highest = std::max(highest, one);
            else lowest = std::min(lowest, one);
          }
        if (in) EXPECT_LE(highest, level);
        else EXPECT_GT(lowest, level);
        reaches |= in ? highest == level : lowest == level + 1;
        everCrosses |= highest >= lowest;
        alwaysCrosses &= highest >= lowest;
      }
      EXPECT_TRUE(!everCrosses || cut->crossesBack) << array.array->name << in;
      EXPECT_TRUE(alwaysCrosses || !cut->surelyCrossesBack) << array.array->name << in;
      EXPECT_TRUE(reaches || !cut->tight) << array.array->name << in;
    }
  }
}

TEST(Chunks, Cuts) {
  auto s = split(R"(
function f(param n, array a, array b) {
  array a : f64[n] parameter const restrict
  array b : f64[n] parameter restrict
  for i = 1 .. n - 2 { read a[i - 1] read a[i + 1] ops fp64.add 1 write b[i] }
})");
  ASSERT_TRUE(s->kernel.isSplit()) << s->kernel.whyNot;
  const ChunkedArray &a = s->of("a"), &b = s->of("b");
  ASSERT_TRUE(a.neededTo && b.completeTo);
  EXPECT_EQ(toString(a.neededTo->level), "i.last + 1");
  EXPECT_TRUE(a.neededTo->tight && a.neededTo->surelyCrossesBack);
  EXPECT_EQ(toString(b.completeTo->level), "i.last");
  EXPECT_FALSE(b.completeTo->crossesBack);
  EXPECT_FALSE(a.completeTo || b.neededTo);
}

TEST(Chunks, AgainstRuns) {
  std::mt19937 random(3);
  unsigned checked = 0;
  for (int round = 0; round < 60; ++round) {
    std::string text = randomKernel(random);
    SCOPED_TRACE(text);
    std::unique_ptr<Split> s = split(text);
    if (!s->kernel.isSplit()) // Only what no chunk has of its own, or different amounts, is not cut.
      continue;
    checkAgainstRun(*s);
    checkCuts(*s);
    ++checked;
    if (testing::Test::HasFailure()) break;
  }
  EXPECT_GE(checked, 40u);
}

} // namespace
