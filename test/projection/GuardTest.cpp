//===- test/projection/GuardTest.cpp - Break-evens as conditions ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Guard.h"
#include "projection/Project.h"
#include "skeleton/Parse.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace busfare;
using namespace busfare::projection;

namespace guardTest {

const char *relaxing = R"(skeleton 1
unit "steps.c"
function f(param n, param m, param steps, array u, array v) at 1:1 {
  array u : f32[n][m] parameter restrict
  array v : f32[n][m] parameter restrict
  for t = 0 .. steps - 1 at 2:3 {
    for i = 1 .. n - 2 at 3:5 {
      for j = 0 .. m - 1 at 4:7 { read u[i - 1][j] read u[i + 1][j] ops fp32.add 40 fp32.mul 40 write v[i][j] }
    }
    rotate u <- v, v <- u
  }
}
)";

const char *line = R"(skeleton 1
unit "line.c"
function f(param n, array u) at 1:1 {
  array u : f32[n] parameter restrict
  for i = 0 .. n - 1 at 2:3 { read u[i] ops fp32.add 40000 fp32.mul 40000 write u[i] }
}
)";

const char *fixed = R"(skeleton 1
unit "fixed.c"
function f(array u) at 1:1 {
  array u : f32[100] parameter restrict
  for i = 0 .. 99 at 2:3 { read u[i] ops fp32.add 400 write u[i] }
}
)";

struct Asked {
  std::vector<std::pair<std::string, int64_t>> parameters;
  std::optional<uint64_t> iterations, runs;

  MachineAnswer answer(const char *text) const {
    const skeleton::Program program = llvm::cantFail(skeleton::parse(text, "t.skel"));
    ProjectOptions options;
    options.parameters = parameters;
    options.iterations = iterations;
    options.runs = runs;
    options.machines.push_back(llvm::cantFail(loadMachine("a100-pcie4")));
    return llvm::cantFail(project(program, options)).regions.at(0).on[0].second;
  }
  Guard guard(const char *text) const {
    const skeleton::Program program = llvm::cantFail(skeleton::parse(text, "t.skel"));
    const std::unique_ptr<Root> root = llvm::cantFail(analyseRoot(program, "f", Depth::Transfers));
    const Sizes sizes = llvm::cantFail(bindSizes(program, *root, parameters));
    const Machine machine = llvm::cantFail(loadMachine("a100-pcie4"));
    const auto guards = llvm::cantFail(guardsOf({program, *root, sizes, machine, iterations, runs}));
    EXPECT_EQ(guards.size(), 1u);
    EXPECT_EQ(guards.at(0).kernels.size(), 1u);
    return guards.at(0).guard;
  }
};

std::string named(const GuardTerm &term) { return term.size; }

/// Of one size it is the report's break-even, to the last element.
TEST(Guard, OfOneSizeIsTheReports) {
  for (std::optional<uint64_t> runs : {std::optional<uint64_t>(1), std::optional<uint64_t>(50)}) {
    const Asked asked{{{"n", 1 << 22}}, std::nullopt, runs};
    const MachineAnswer answer = asked.answer(line);
    const auto pays = llvm::find_if(answer.paysOff, [](const PaysOff &one) { return one.size == "f::n"; });
    ASSERT_NE(pays, answer.paysOff.end());
    ASSERT_FALSE(pays->intervals.empty());
    const Guard guard = asked.guard(line);
    ASSERT_EQ(guard.anyOf.size(), pays->intervals.size()) << guard.why;
    for (const auto &[row, interval] : llvm::zip_equal(guard.anyOf, pays->intervals)) {
      ASSERT_EQ(row.size(), 1u);
      EXPECT_EQ(row[0].size, "f::n");
      EXPECT_EQ(row[0].from, interval.first);
      EXPECT_EQ(row[0].to, interval.second);
    }
    ASSERT_TRUE(guard.anyOf[0][0].from);
    const int64_t last = int64_t(*guard.anyOf[0][0].from) - 1;
    EXPECT_EQ(toString(guard, named).find("f::n > " + std::to_string(last)), 0u) << toString(guard, named);
    EXPECT_GT((Asked{{{"n", last + 1}}, std::nullopt, runs}.answer(line).gain.value), 0);
    EXPECT_LE((Asked{{{"n", last}}, std::nullopt, runs}.answer(line).gain.value), 0);
  }
}

/// Each size is as large as where all together break even, and what lies beyond pays.
TEST(Guard, OfSeveralSizesIsABoxThatPays) {
  const std::vector<std::pair<std::string, int64_t>> today{{"n", 1000}, {"m", 2000}, {"steps", 100}};
  const Asked asked{today, std::nullopt, 1};
  const MachineAnswer answer = asked.answer(relaxing);
  const auto all = llvm::find_if(answer.paysOff, [](const PaysOff &one) { return one.size.empty(); });
  ASSERT_NE(all, answer.paysOff.end());
  ASSERT_EQ(all->intervals.size(), 1u);
  ASSERT_TRUE(all->intervals[0].first);
  const Guard guard = asked.guard(relaxing);
  ASSERT_EQ(guard.anyOf.size(), 1u) << guard.why;
  ASSERT_EQ(guard.anyOf[0].size(), 3u);
  std::vector<std::pair<std::string, int64_t>> least;
  for (const GuardTerm &term : guard.anyOf[0]) {
    const std::string own = llvm::StringRef(term.size).rsplit(':').second.str();
    const double was = double(llvm::find_if(today, [&](const auto &one) { return one.first == own; })->second);
    EXPECT_EQ(term.from, std::optional(std::ceil(*all->intervals[0].first * was))) << own;
    EXPECT_FALSE(term.to);
    least.emplace_back(own, int64_t(*term.from * 1.05) + 1);
  }
  for (unsigned large = 0; large < 8; ++large) {
    std::vector<std::pair<std::string, int64_t>> at = least;
    for (unsigned k = 0; k < 3; ++k)
      if (large >> k & 1) at[k].second *= 8;
    EXPECT_GT((Asked{at, std::nullopt, 1}.answer(relaxing).gain.value), 0) << large;
  }
}

/// A count that is set apart from what the source says is a size of its own.
TEST(Guard, StepsThatAreGivenAreTested) {
  const Guard guard = Asked{{{"n", 4000}, {"m", 4000}}, 200, 1}.guard(relaxing);
  ASSERT_EQ(guard.anyOf.size(), 1u) << guard.why;
  const auto steps = llvm::find_if(guard.anyOf[0], [](const GuardTerm &one) { return one.size == "iterations"; });
  ASSERT_NE(steps, guard.anyOf[0].end());
  EXPECT_EQ(steps->value, skeleton::Expr::symbol("steps"));
  EXPECT_EQ(steps->from, std::optional(200.0));
}

TEST(Guard, SaysWhyThereIsNone) {
  EXPECT_NE(
      (Asked{{}, std::nullopt, 1}.guard(fixed).why.find("no size varies on which its price rests: it does not pay")),
      std::string::npos);
  EXPECT_TRUE((Asked{{}, std::nullopt, 1}.guard(fixed).anyOf.empty()));
  EXPECT_TRUE((Asked{{}, std::nullopt, 1}.guard(fixed).isNever));
}

TEST(Guard, IsWrittenAsC) {
  const auto term = [](const char *size, std::optional<double> from, std::optional<double> to) {
    return GuardTerm{size, skeleton::Expr::symbol(size), from, to};
  };
  EXPECT_EQ(toString({{{term("n", 10109, 19358)}}}, named), "n > 10108 && n < 19359");
  EXPECT_EQ(toString({{{term("n", 2, 9)}, {term("n", 90, std::nullopt)}}}, named), "(n > 1 && n < 10) || n > 89");
  EXPECT_EQ(toString({{{term("n", 5e9, std::nullopt), term("n", 5e9, std::nullopt)}}}, named), "n > 4999999999l");
}

} // namespace guardTest
