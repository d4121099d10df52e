//===- test/projection/EffortTest.cpp - Too much is a finding, not a hang -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Programs made to be too much: calls that multiply, loops in loops in which host and
// device alternate, hundreds of arrays behind pointers of which nothing is known. Each
// must come back within the bound on effort, with a finding where it was reached.
//
//===----------------------------------------------------------------------===//

#include "brs/Presburger.h"
#include "projection/Project.h"
#include "skeleton/Parse.h"
#include "gtest/gtest.h"
#include <ctime>

using namespace busfare;
using namespace busfare::skeleton;

namespace {

double processorSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

struct Outcome {
  double seconds = 0;
  uint64_t steps = 0;
  std::vector<Finding> findings;
  size_t loops = 0, parallel = 0;
};

Outcome projected(const std::string &text) {
  llvm::Expected<Program> program = parse(text, "effort.skel");
  if (!program) {
    ADD_FAILURE() << llvm::toString(program.takeError());
    return {};
  }
  projection::ProjectOptions options;
  options.machines = {llvm::cantFail(projection::loadMachine(projection::defaultMachine))};
  options.functions = {"top"};
  Outcome outcome;
  double begin = processorSeconds();
  uint64_t before = brs::stepsSoFar();
  llvm::Expected<projection::Report> report = projection::project(*program, options);
  outcome.seconds = processorSeconds() - begin;
  outcome.steps = brs::stepsSoFar() - before;
  if (!report) {
    ADD_FAILURE() << llvm::toString(report.takeError());
    return outcome;
  }
  for (const Finding &finding : report->findings)
    if (finding.rule == Rule::EffortExceeded) outcome.findings.push_back(finding);
  for (const projection::LoopReport &loop : report->loops) ++outcome.loops, outcome.parallel += loop.parallel;
  return outcome;
}

/// Well above what a root is allowed, well below a hang; a slow machine under a sanitizer stays inside.
constexpr double bound = 60;

TEST(Effort, CallsThatMultiply) {
  std::string text = "skeleton 1\nfunction f0(param n, array a, array b) {\n  array a : f64[n]\n  array b : f64[n]\n"
                     "  for i = 1 .. n - 2 at 3:1 {\n    read a[i - 1]\n    read a[i + 1]\n    write b[i]\n  }\n}\n";
  constexpr int levels = 9;
  for (int k = 1; k <= levels; ++k) {
    std::string name = k == levels ? "top" : "f" + std::to_string(k), below = "f" + std::to_string(k - 1);
    text += "function " + name + "(param n, array a, array b) {\n  array a : f64[n]\n  array b : f64[n]\n";
    for (int call = 0; call < 5; ++call)
      text += "  call " + below + "(n, " + (call % 2 ? "&b, &a" : "&a, &b") + ") at " + std::to_string(10 * k + call) +
              ":1\n";
    text += "}\n";
  }
  Outcome outcome = projected(text);
  EXPECT_LT(outcome.seconds, bound);
  ASSERT_FALSE(outcome.findings.empty());
}

TEST(Effort, HostAndDeviceAlternateInLoops) {
  constexpr int depth = 7, arrays = 6;
  std::string text = "skeleton 1\nfunction top(param n", indent = "  ";
  for (int a = 0; a < arrays; ++a) text += ", array a" + std::to_string(a);
  text += ") {\n";
  for (int a = 0; a < arrays; ++a) text += "  array a" + std::to_string(a) + " : f64[n][n]\n";
  auto kernel = [&](int a, int b) {
    std::string to = "a" + std::to_string(a % arrays), from = "a" + std::to_string(b % arrays);
    return indent + "for i = 1 .. n - 2 {\n" + indent + "  for j = 1 .. n - 2 {\n" + indent + "    read " + from +
           "[i - 1][j + 1]\n" + indent + "    write " + to + "[i][j]\n" + indent + "  }\n" + indent + "}\n";
  };
  for (int d = 0; d < depth; ++d) {
    text += kernel(d, d + 1) + indent + "host io \"print\" {\n" + indent + "  read a" +
            std::to_string((d + 2) % arrays) + "[3][" + (d ? "t" + std::to_string(d - 1) : std::string("0")) + "]\n" +
            indent + "}\n" + indent + "for t" + std::to_string(d) + " = 0 .. n - 1 {\n";
    indent += "  ";
  }
  for (int d = 0; d < depth; ++d) {
    text += kernel(d + 3, d);
    indent.resize(indent.size() - 2);
    text += indent + "}\n";
  }
  text += "}\n";
  Outcome outcome = projected(text);
  EXPECT_LT(outcome.seconds, bound);
  EXPECT_GT(outcome.loops, size_t(depth));
  // Either it was all worked out, or what was not is said.
  EXPECT_TRUE(outcome.parallel > 0 || !outcome.findings.empty());
}

} // namespace
