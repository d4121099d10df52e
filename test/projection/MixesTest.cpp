//===- test/projection/MixesTest.cpp - Other divisions of the work --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Mixes.h"
#include "projection/BlasRate.h"
#include "projection/Project.h"
#include "skeleton/Parse.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace busfare;
using namespace busfare::projection;
using namespace busfare::skeleton;

namespace {

/// A stencil whose first element the host computes between two kernels; `host` stands there.
std::string stencil(llvm::StringRef host) {
  return ("skeleton 1\nunit \"s.c\"\nfunction f(param n, param steps, array u, array v, array w) at 1:1 {\n"
          "  array u : f64[n] parameter restrict\n  array v : f64[n] parameter restrict\n  array w : f64[n] parameter restrict\n"
          "  for t = 0 .. steps - 1 at 2:1 {\n"
          "    for i = 1 .. n - 2 at 3:3 { read u[i - 1] at 3:5 read u[i + 1] at 3:6 ops fp64.add 1 write v[i] at 3:7 }\n" +
          host +
          "\n    for j = 1 .. n - 2 at 7:3 { read v[j - 1] at 7:5 read v[j + 1] at 7:6 ops fp64.add 1 write u[j] at 7:7 }\n"
          "    for k = 0 .. n - 1 at 8:3 { read w[k] at 8:5 ops fp64.mul 1 write w[k] at 8:7 }\n"
          "  }\n}\n")
      .str();
}
const char *border = "    read v[1] at 5:3 ops fp64.mul 1 write v[0] at 5:4";

struct Asked {
  Program program;
  std::unique_ptr<Root> root;
  Machine machine = llvm::cantFail(loadMachine(defaultMachine));
  RealValues values;
  mutable KernelPrices prices{machine, false};
  std::vector<Mix> mixes;

  explicit Asked(const std::string &text, double n = 1e6)
      : program(llvm::cantFail(parse(text, "s.skel"))),
        root(llvm::cantFail(analyseRoot(program, "f", Depth::Transfers))), values({{"n", n}, {"steps", 100}}),
        mixes(mixesOf({program, *root, region(), machine, {}, values, {}}, prices)) {}
  const brs::Region &region() const { return root->transfers.regions.at(0); }
  const Mix *find(Mix::Kind kind, std::vector<unsigned> lines) const {
    auto found = llvm::find_if(mixes, [&](const Mix &mix) {
      std::vector<unsigned> here;
      for (const Location &place : mix.places) here.push_back(place.line);
      return mix.kind == kind && here == lines;
    });
    return found == mixes.end() ? nullptr : &*found;
  }
  double moved(const Mix &mix, llvm::StringRef array, bool h2d) const {
    PriceOptions options;
    for (const MixBytes &one : MixPricer(mix, machine, options, prices).bytesAt(values, {}))
      if (one.array == array) return h2d ? one.h2d : one.d2h;
    return 0;
  }
};

TEST(Mixes, AStatementOnTheDeviceKeepsItsArrayThere) {
  Asked asked(stencil(border));
  const Mix *moved = asked.find(Mix::Kind::StatementsOnDevice, {5});
  ASSERT_TRUE(moved);
  EXPECT_EQ(moved->arrays, std::vector<std::string>{"v"});
  // As described v's second element comes back in each of 100 steps and its first goes in.
  for (const brs::ArrayTransfers &array : asked.region().arrays)
    if (array.name == "v")
      EXPECT_TRUE(llvm::any_of(array.h2d, [](const brs::Crossing &one) { return one.loops.size() == 1; }));
  for (const brs::ArrayTransfers &array : moved->region().arrays)
    for (const auto *crossings : {&array.h2d, &array.d2h})
      for (const brs::Crossing &crossing : *crossings) EXPECT_TRUE(crossing.loops.empty()) << array.name;
  ASSERT_EQ(moved->region().kernels.size(), 4u);
  EXPECT_EQ(asked.moved(*moved, "u", true), 8e6);
  EXPECT_EQ(asked.moved(*moved, "w", false), 8e6);
}

TEST(Mixes, AKernelOnTheHostLeavesTheOthersAsTheyAre) {
  Asked asked(stencil(border));
  const Mix *kept = asked.find(Mix::Kind::KernelsOnHost, {7});
  ASSERT_TRUE(kept); // the one that needs the host's element
  ASSERT_EQ(kept->region().kernels.size(), 2u);
  EXPECT_EQ(kept->kept.size(), 1u);
  // Now all of v comes back and all of u goes in, each time; w is not concerned.
  EXPECT_EQ(asked.moved(*kept, "v", false), 100 * 8e6 - 100 * 16);
  EXPECT_EQ(asked.moved(*kept, "w", true), 8e6);
  EXPECT_EQ(asked.moved(*kept, "w", false), 8e6);
}

TEST(Mixes, ThePriceIsThatOfItsParts) {
  Asked asked(stencil(border));
  PriceOptions options;
  RegionPricer pricer(*asked.root, asked.region(), asked.machine, options, asked.prices);
  RegionCost described = pricer.at(asked.values, {});
  for (const Mix &mix : asked.mixes) {
    RegionCost cost = MixPricer(mix, asked.machine, options, asked.prices).at(asked.values, {}, described);
    EXPECT_EQ(cost.cpu, described.cpu);
    EXPECT_EQ(cost.cpuAllCores, described.cpuAllCores);
    EXPECT_NEAR(cost.total(), cost.kernels + cost.h2d + cost.d2h + cost.host, 1e-12 * cost.total());
    double kept = 0;
    for (const KernelCost &kernel : described.perKernel) kept += mix.kept.count(kernel.kernel->loop) ? kernel.cpu : 0;
    if (mix.kind == Mix::Kind::KernelsOnHost) {
      EXPECT_NEAR(cost.host, described.host + kept, 1e-12 * cost.host);
    } else { // What moved is the host's no more, and costs a launch a step.
      EXPECT_LT(cost.host, described.host);
    }
  }
  const Mix *moved = asked.find(Mix::Kind::StatementsOnDevice, {5});
  ASSERT_TRUE(moved);
  RegionCost cost = MixPricer(*moved, asked.machine, options, asked.prices).at(asked.values, {}, described);
  EXPECT_GE(cost.kernels, described.kernels + 100 * asked.machine.gpu.launchLatency);
}

TEST(Mixes, WhatOnlyTheHostCanDoOrDecideStays) {
  auto anyMoves = [](llvm::StringRef host) {
    return llvm::any_of(Asked(stencil(host)).mixes,
                        [](const Mix &mix) { return mix.kind == Mix::Kind::StatementsOnDevice; });
  };
  EXPECT_TRUE(anyMoves(border));
  EXPECT_FALSE(anyMoves("    host io \"print\" at 5:1 { read v[1] at 5:2 }"));
  EXPECT_FALSE(anyMoves("    read v[1] at 5:1 ops fp64.add 1 host io \"printf\" at 5:2 { }"));
  EXPECT_FALSE(anyMoves("    read v[1] at 5:1 define m because \"v[1]\" at 5:1"));
  EXPECT_FALSE(anyMoves(
      "    read v[1] at 5:1 if ? at 5:2 { for q = 0 .. n - 1 at 6:1 { read u[q] at 6:2 ops fp64.add 1 write u[q] at 6:3 } }"));
}

/// Two kernels with a call of BLAS between them, in a time loop or not.
std::string product(bool inLoop,
                    llvm::StringRef call = "dgemm(m = n, n = n, k = n) on (A = u, B = w, C = v) overwrites") {
  const std::string loop = inLoop ? "  for t = 0 .. steps - 1 at 2:1 {\n" : "", end = inLoop ? "  }\n" : "";
  return ("skeleton 1\nunit \"s.c\"\nfunction f(param n, param steps, array u, array v, array w) at 1:1 {\n"
          "  array u : f64[n][n] parameter restrict\n  array v : f64[n][n] parameter restrict\n"
          "  array w : f64[n][n] parameter const restrict\n" +
          loop +
          "    for i = 0 .. n - 1 at 3:3 { for j = 0 .. n - 1 at 3:4 { read v[i][j] at 3:5 ops fp64.add 1 write u[i][j] at 3:7 } }\n"
          "    host library \"cblas\" blas " +
          call +
          " at 5:3 {\n      may read u[? in 0 .. n - 1][? in 0 .. n - 1] at 5:3\n"
          "      may read w[? in 0 .. n - 1][? in 0 .. n - 1] at 5:3\n      may write v[? in 0 .. n - 1][? in 0 .. n - 1] at 5:3\n    }\n"
          "    for k = 0 .. n - 1 at 7:3 { for l = 0 .. n - 1 at 7:4 { read v[k][l] at 7:5 ops fp64.add 1 write v[k][l] at 7:7 } }\n" +
          end + "}\n")
      .str();
}

TEST(Mixes, ACallOfBlasBetweenKernelsIsTheDevicesLibrarys) {
  for (const bool inLoop : {true, false}) {
    Asked asked(product(inLoop), 2048);
    const Mix *moved = asked.find(Mix::Kind::StatementsOnDevice, {5});
    ASSERT_TRUE(moved) << inLoop;
    EXPECT_EQ(moved->calls, moved->places);
    EXPECT_EQ(moved->arrays.empty(), !inLoop) << "whose copies in loops are the reason";
    ASSERT_EQ(moved->region().kernels.size(), 3u);
    // Its operands come once and stay: the one that only the call reads as well.
    EXPECT_EQ(asked.moved(*moved, "w", true), 8.0 * 2048 * 2048);
    EXPECT_EQ(asked.moved(*moved, "w", false), 0);
    for (const brs::ArrayTransfers &array : moved->region().arrays)
      for (const auto *crossings : {&array.h2d, &array.d2h})
        for (const brs::Crossing &crossing : *crossings) EXPECT_TRUE(crossing.loops.empty()) << array.name;
    PriceOptions options;
    const RegionCost described =
        RegionPricer(*asked.root, asked.region(), asked.machine, options, asked.prices).at(asked.values, {});
    const RegionCost cost = MixPricer(*moved, asked.machine, options, asked.prices).at(asked.values, {}, described);
    // The host's side has the host's call, the device's side the device's.
    const LibraryCall &call = moved->root->libraryCalls.begin()->second;
    const double calls = inLoop ? 100 : 1, onDevice = *libraryTimeOnDevice(call, asked.values, asked.machine),
                 onHost = libraryTime("dgemm", libraryWork(call, asked.values), asked.machine.host);
    EXPECT_NEAR(described.host - cost.host, calls * onHost, 1e-4 * described.host);
    EXPECT_NEAR(cost.kernels - described.kernels, calls * onDevice, 1e-9 * cost.kernels);
    EXPECT_EQ(cost.cpu, described.cpu);
    EXPECT_LT(cost.total(), described.total());
    // Nobody writes it for the user, so it is no plan.
    EXPECT_NE(PlanPricer(*asked.root, asked.region(), asked.machine, options, asked.mixes, asked.prices)
                  .chosenAt(asked.values, {}),
              moved);
  }
}

TEST(Mixes, CallsThatTheDevicesLibraryDoesNotHaveOrNobodyCanPriceStay) {
  for (llvm::StringRef call :
       {"dgemm(m = n, n = n, k = ?) on (A = u, B = w, C = v)", "dgemm(m = n, n = n, k = n) on (A = u, C = v)",
        "dsymv(n = n) on (A = u, x = w, y = v)", "ddot(n = n) on (x = u, y = w)"})
    EXPECT_TRUE(llvm::none_of(Asked(product(true, call), 2048).mixes, [](const Mix &mix) {
      return !mix.calls.empty();
    })) << call.str();
  // Who can write only some statements cannot write a call.
  const Asked asked(product(true), 2048);
  MixQuestion question{asked.program, *asked.root, asked.region(), asked.machine, {}, asked.values, {}};
  question.parts = [](const Block &, size_t, size_t) { return Runs(); };
  EXPECT_TRUE(llvm::none_of(mixesOf(question, asked.prices), [](const Mix &mix) { return !mix.calls.empty(); }));
}

TEST(Mixes, NoneWhereNothingCrossesInsideALoop) { EXPECT_TRUE(Asked(stencil("")).mixes.empty()); }

TEST(Mixes, KernelsOfAFewNumbersAreLeftOnTheHost) {
  // k is launched for twenty elements, 100 times a step; nothing crosses inside a loop.
  Asked asked(
      "skeleton 1\nunit \"s.c\"\nfunction f(param n, param steps, array u, array v, array w) at 1:1 {\n"
      "  array u : f64[n] parameter restrict\n  array v : f64[n] parameter restrict\n  array w : f64[20] parameter restrict\n"
      "  for t = 0 .. steps - 1 at 2:1 {\n"
      "    for i = 1 .. n - 2 at 3:3 { read u[i - 1] at 3:5 read u[i + 1] at 3:6 ops fp64.special 8 write v[i] at 3:7 }\n"
      "    for j = 1 .. n - 2 at 4:3 { read v[j - 1] at 4:5 read v[j + 1] at 4:6 ops fp64.special 8 write u[j] at 4:7 }\n"
      "    for r = 0 .. 99 at 5:3 { for k = 0 .. 19 at 6:5 { read w[k] at 6:7 ops fp64.mul 1 write w[k] at 6:9 } }\n"
      "  }\n}\n");
  ASSERT_EQ(asked.region().kernels.size(), 3u);
  const Mix *kept = asked.find(Mix::Kind::KernelsOnHost, {6});
  ASSERT_TRUE(kept);
  EXPECT_TRUE(kept->arrays.empty());
  EXPECT_EQ(asked.moved(*kept, "w", true), 0);
  EXPECT_EQ(asked.moved(*kept, "u", true), 8e6);
  PriceOptions options;
  PlanPricer pricer(*asked.root, asked.region(), asked.machine, options, asked.mixes, asked.prices);
  EXPECT_EQ(pricer.chosenAt(asked.values, {}), kept);
  EXPECT_LT(pricer.at(asked.values, {}).total(), pricer.describedAt(asked.values, {}).total());
  // A division that was chosen can be held fixed.
  EXPECT_EQ(pricer.at(asked.values, {}, kept).total(), pricer.at(asked.values, {}).total());
  EXPECT_EQ(pricer.at(asked.values, {}, nullptr).total(), pricer.describedAt(asked.values, {}).total());
}

TEST(Mixes, AKernelIsPricedOnceForAllDivisions) {
  Asked asked(stencil(border));
  ASSERT_FALSE(asked.mixes.empty());
  PriceOptions options;
  const brs::Kernel &kernel = asked.region().kernels.front();
  auto price = [&](KernelPrices &prices) -> const PricedKernel & {
    return prices.of({*asked.root, kernel, kernel.loop, 1, 1}, asked.values, {});
  };
  const PricedKernel &first = price(asked.prices);
  PlanPricer(*asked.root, asked.region(), asked.machine, options, asked.mixes, asked.prices).at(asked.values, {});
  EXPECT_EQ(&price(asked.prices), &first);
  KernelPrices anew(asked.machine, false);
  EXPECT_EQ(price(anew).cost.time, first.cost.time);
  RealValues larger = asked.values;
  larger["n"] *= 2;
  EXPECT_GT(asked.prices.of({*asked.root, kernel, kernel.loop, 1, 1}, larger, {}).cost.time, first.cost.time);
}

TEST(Mixes, WhatThePlanDoesWithoutAlreadyStaysSo) {
  Asked asked(stencil(border));
  const skeleton::Loop *third = asked.region().kernels.back().loop;
  MixQuestion question{asked.program, *asked.root, asked.region(), asked.machine, {}, asked.values, {}};
  question.limits.onHost.insert(third);
  for (const Mix &mix : mixesOf(question, asked.prices))
    EXPECT_TRUE(llvm::none_of(mix.region().kernels,
                              [&](const brs::Kernel &kernel) { return kernel.loop->location == third->location; }));
}

TEST(Mixes, AScopeIsLeftToTheHostWhereNoPartOfItIs) {
  // Three arrays go to and fro in each round of r; leaving one of the three kernels there to the host makes it dearer.
  std::string round;
  for (int k = 0; k < 3; ++k) {
    std::string a = std::string(1, char('a' + k)), b = std::string(1, char('a' + (k + 1) % 3)),
                at = std::to_string(10 + k);
    round += "      for i" + a + " = 0 .. 999 at " + at + ":7 { read " + a + "[i" + a + "] at " + at + ":9 read " + b +
             "[i" + a + "] at " + at + ":10 ops fp64.add 1 write " + a + "[i" + a + "] at " + at + ":11 }\n";
  }
  Asked asked(
      "skeleton 1\nunit \"s.c\"\nfunction f(param n, param steps, array u, array a, array b, array c) at 1:1 {\n"
      "  array u : f64[n] parameter restrict\n  array a : f64[1000] parameter restrict\n  array b : f64[1000] parameter restrict\n"
      "  array c : f64[1000] parameter restrict\n"
      "  for t = 0 .. steps - 1 at 2:1 {\n"
      "    for i = 0 .. n - 1 at 3:3 { read u[i] at 3:5 ops fp64.special 8 write u[i] at 3:7 }\n"
      "    for r = 0 .. 49 at 4:3 {\n" +
      round +
      "      host io \"print\" at 20:7 { read a[0] at 20:8 read b[0] at 20:9 read c[0] at 20:10 write a[1] at 20:11 write b[1] at 20:12 write c[1] at 20:13 }\n"
      "    }\n  }\n}\n");
  ASSERT_EQ(asked.region().kernels.size(), 4u);
  const Mix *scope = asked.find(Mix::Kind::KernelsOnHost, {10, 11, 12});
  ASSERT_TRUE(scope);
  PriceOptions options;
  EXPECT_EQ(PlanPricer(*asked.root, asked.region(), asked.machine, options, asked.mixes, asked.prices)
                .chosenAt(asked.values, {}),
            scope);
  for (const brs::ArrayTransfers &array : scope->region().arrays) EXPECT_EQ(array.name, "u");
}

TEST(Mixes, TheReportHasTheirPricesTheCheapestFirst) {
  auto answerAt = [](int64_t n) {
    ProjectOptions options;
    options.parameters = {{"n", n}, {"steps", 100}};
    options.machines.push_back(llvm::cantFail(loadMachine(defaultMachine)));
    Report report = llvm::cantFail(project(llvm::cantFail(parse(stencil(border), "s.skel")), options));
    return report.regions.at(0).on.at(0).second;
  };
  for (int64_t n : {100, 10000, 10000000}) {
    MachineAnswer answer = answerAt(n);
    ASSERT_FALSE(answer.mixes.empty());
    EXPECT_TRUE(llvm::is_sorted(answer.mixes, [](const MixReport &a, const MixReport &b) { return a.time < b.time; }));
  }
  // What turns it round lies where it says.
  MachineAnswer large = answerAt(10000000);
  for (const MixReport &mix : large.mixes)
    if (mix.flipsAt) {
      MachineAnswer there = answerAt(std::llround(1e7 * mix.flipsAt->factor * (mix.flipsAt->factor > 1 ? 1.1 : 0.9)));
      auto same = llvm::find_if(there.mixes,
                                [&](const MixReport &one) { return one.kind == mix.kind && one.places == mix.places; });
      if (same != there.mixes.end()) {
        EXPECT_NE(same->time < there.asDescribed, mix.time < large.asDescribed);
      }
    }
}

} // namespace
