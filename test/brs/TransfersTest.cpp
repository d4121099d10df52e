//===- test/brs/TransfersTest.cpp - What must cross, where, how often ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/Transfers.h"
#include "brs/Domain.h"
#include "brs/Kernels.h"
#include "brs/Presburger.h"
#include "brs/Shape.h"
#include "skeleton/Inline.h"
#include "skeleton/Parse.h"
#include "gtest/gtest.h"
#include <ctime>

using namespace busfare;
using namespace busfare::brs;

namespace {

/// A skeleton carried through inlining, shapes, dependence and transfers. The members own what the regions point into.
struct Analysed {
  skeleton::Program program;
  skeleton::Function function;
  Context context;
  DependenceAnalysis dependence;
  TransferAnalysis transfers;

  const Region &region() const { return transfers.regions.at(0); }
  const ArrayTransfers *array(llvm::StringRef name) const {
    for (const ArrayTransfers &array : region().arrays)
      if (array.name == name) return &array;
    return nullptr;
  }
  /// "section in N loops" of each crossing, joined by "; ".
  std::string crossings(llvm::StringRef name, bool h2d) const {
    const ArrayTransfers *found = array(name);
    if (!found) return "(not there)";
    std::string text;
    for (const Crossing &crossing : h2d ? found->h2d : found->d2h) {
      text += text.empty() ? "" : "; ";
      text += toString(crossing.section);
      if (!crossing.loops.empty()) text += " in " + std::to_string(crossing.loops.size());
    }
    return text;
  }
  std::string h2d(llvm::StringRef name) const { return crossings(name, true); }
  std::string d2h(llvm::StringRef name) const { return crossings(name, false); }
};

std::unique_ptr<Analysed> analyse(llvm::StringRef body, llvm::StringRef root = "f", double effort = 1000) {
  auto result = std::make_unique<Analysed>();
  auto program = skeleton::parse(("skeleton 1\nunit \"t.c\"\n" + body).str(), "t.skel");
  if (!program) {
    ADD_FAILURE() << llvm::toString(program.takeError());
    return nullptr;
  }
  result->program = std::move(*program);
  auto inlined = skeleton::substituteCalls(result->program, root);
  if (!inlined) {
    ADD_FAILURE() << llvm::toString(inlined.takeError());
    return nullptr;
  }
  Context facts = factsOf(result->program, inlined->function);
  result->function = recoverShapes(result->program, inlined->function, facts).function;
  result->context = factsOf(result->program, result->function);
  result->dependence = analyseDependence(result->program, result->function, result->context);
  EffortBudget budget(effort);
  result->transfers =
      analyseTransfers(result->program, result->function, result->dependence, result->context, root == "main");
  return result;
}

TEST(Transfers, LoopsThatMayEndTheProgram) {
  const std::string head =
      "function f(param n, array a, array b) {\n array a : f64[n] parameter restrict\n array b : f64[n] parameter restrict\n";
  auto a = analyse(
      head +
      "for t = 0 .. 9 time { for i = 0 .. n - 1 { read a[i] if ? { end \"exit(1)\" at \"t.c\":5:3 } else { write b[i] } } } }");
  ASSERT_TRUE(a && a->transfers.regions.size() == 1);
  EXPECT_EQ(a->h2d("a"), "[0:n - 1:1]");
  // Every element is new if control comes behind the loop: nothing of b goes in.
  EXPECT_EQ(a->h2d("b"), "");
  EXPECT_EQ(a->d2h("b"), "[0:n - 1:1]");
  ASSERT_EQ(a->region().scalars.size(), 1u);
  const ScalarTransfer &flag = a->region().scalars.front();
  EXPECT_EQ(flag.name, "busfare_ends");
  EXPECT_TRUE(flag.toDevice && flag.toHost);
  EXPECT_EQ(flag.bytes, 4u);
  ASSERT_EQ(a->region().assumptions.size(), 1u);
  EXPECT_EQ(a->region().assumptions.front(),
            "no access outside an array in iterations behind exit(1) at t.c:5:3, which a device runs, too");
  // A side that does not end leaves the elements as they were.
  auto kept = analyse(head + "for i = 0 .. n - 1 { read a[i] if ? { ops int 1 } else { write b[i] } } }");
  ASSERT_TRUE(kept && kept->transfers.regions.size() == 1);
  EXPECT_EQ(kept->h2d("b"), "[0:n - 1:1]");
  EXPECT_TRUE(kept->region().scalars.empty());
}

TEST(Transfers, ReadsGoInWritesComeBack) {
  auto a = analyse(R"(
function f(param n, array a, array b) {
  array a : f64[n] parameter restrict
  array b : f64[n] parameter restrict
  for i = 0 .. n - 1 { read a[i] ops fp64.add 1 write b[i] }
})");
  ASSERT_TRUE(a && a->transfers.regions.size() == 1);
  EXPECT_EQ(a->h2d("a"), "[0:n - 1:1]");
  EXPECT_EQ(a->d2h("a"), "");
  EXPECT_EQ(a->h2d("b"), "");
  EXPECT_EQ(a->d2h("b"), "[0:n - 1:1]");
}

TEST(Transfers, InteriorWriteNeedsNoBoundary) {
  auto a = analyse(R"(
function f(param n, array a, array b) {
  array a : f64[n] parameter restrict
  array b : f64[n] parameter restrict
  for i = 1 .. n - 2 { read a[i - 1] read a[i + 1] write b[i] }
})");
  ASSERT_TRUE(a && a->transfers.regions.size() == 1);
  EXPECT_EQ(a->h2d("a"), "[0:n - 1:1]");
  EXPECT_EQ(a->h2d("b"), "");
  EXPECT_EQ(a->d2h("b"), "[1:n - 2:1]");
}

TEST(Transfers, ConditionalWriteBringsOldValuesIn) {
  auto a = analyse(R"(
function f(param n, array a, array b) {
  array a : f64[n] parameter restrict
  array b : f64[n] parameter restrict
  for i = 0 .. n - 1 { read a[i] if ? probability 0.5 { write b[i] } }
})");
  ASSERT_TRUE(a && a->transfers.regions.size() == 1);
  EXPECT_EQ(a->h2d("b"), "[0:n - 1:1]");
  EXPECT_EQ(a->d2h("b"), "[0:n - 1:1]");
}

TEST(Transfers, EveryOtherElementWrittenAndWholeBoxBack) {
  // The copy back may only overwrite what the device surely has.
  auto a = analyse(R"(
function f(param n, array b) {
  array b : f64[2*n + 1] parameter
  for i = 0 .. n - 1 { ops fp64.add 1 if ? probability 0.5 { write b[2*i] } }
  for i.2 = 0 .. n - 1 { ops fp64.add 1 write b[2*i.2 + 1] }
})");
  ASSERT_TRUE(a && a->transfers.regions.size() == 1);
  EXPECT_NE(a->h2d("b"), "");
  EXPECT_NE(a->d2h("b"), "");
}

TEST(Transfers, TemporariesStayOnTheDevice) {
  auto a = analyse(R"(
function f(param n, array a, array b) {
  array a : f64[n] parameter restrict
  array b : f64[n] parameter restrict
  array t : f64[n] heap
  alloc t[n]
  for i = 0 .. n - 1 { read a[i] write t[i] }
  for i.2 = 0 .. n - 1 { read t[i.2] write b[i.2] }
  free t
})");
  ASSERT_TRUE(a && a->transfers.regions.size() == 1);
  ASSERT_TRUE(a->array("t"));
  EXPECT_TRUE(a->array("t")->temporary);
  EXPECT_EQ(a->region().kernels.size(), 2u);
}

TEST(Transfers, TimeLoopWithRotationKeepsDataResident) {
  auto a = analyse(R"(
function f(param n, param steps, array u) {
  array u : f64[n] parameter
  array v : f64[n] heap
  alloc v[n]
  for k = 0 .. n - 1 { host opaque "fill" { write v[k] } }
  for t = 0 .. steps - 1 {
    for i = 1 .. n - 2 { read u[i - 1] read u[i + 1] write v[i] }
    rotate u <- v, v <- u
  }
  host io "print" { read u[?] }
})");
  ASSERT_TRUE(a && a->transfers.regions.size() == 1);
  EXPECT_EQ(a->region().timeLoops.size(), 1u);
  EXPECT_EQ(a->h2d("u"), "[0:n - 1:1]");
  EXPECT_EQ(a->d2h("u").find(" in "), std::string::npos) << a->d2h("u");
  EXPECT_EQ(a->h2d("v").find(" in "), std::string::npos) << a->h2d("v");
}

TEST(Transfers, WhatAnOpenNumberOfSwapsLeavesIsPutBack) {
  // Only the device has written v, and the host u: which of them is which is not forgotten by the branch.
  auto a = analyse(R"(
function f(param n, param steps) {
  array u : f64[n] heap
  array v : f64[n] heap
  alloc u[n]
  alloc v[n]
  for k = 0 .. n - 1 { host opaque "fill" { write u[k] } }
  for i = 0 .. n - 1 { write v[i] }
  for t = 0 .. steps - 1 {
    host opaque "mark" { write u[0] }
    rotate u <- v, v <- u
  }
  if steps mod 2 - 1 >= 0 { rotate u <- v, v <- u }
  host io "print" { read v[1] }
  for j = 0 .. n - 1 { update v[j] + }
  host io "print" { read v[2] }
})");
  ASSERT_TRUE(a && a->transfers.regions.size() == 1);
  EXPECT_NE(a->d2h("v"), "");
  EXPECT_NE(a->h2d("v"), "");
}

TEST(Transfers, HostReadInTheTimeLoopCrossesEachStep) {
  auto a = analyse(R"(
function f(param n, param steps, array u, array r) {
  array u : f64[n] parameter restrict
  array r : f64[n] parameter restrict
  for t = 0 .. steps - 1 {
    for i = 0 .. n - 1 { update u[i] + write r[i] }
    host io "print" { read r[0] }
  }
})");
  ASSERT_TRUE(a && a->transfers.regions.size() == 1);
  EXPECT_EQ(a->h2d("u"), "[0:n - 1:1]");
  EXPECT_EQ(a->d2h("u"), "[0:n - 1:1]");
  EXPECT_EQ(a->d2h("r").substr(0, 12), "[0:0:1] in 1");
  EXPECT_EQ(a->h2d("r"), "");
}

TEST(Transfers, HostWriteOfABoundaryRowMovesTheRowOnly) {
  auto a = analyse(R"(
function f(param n, param m, param steps, array u, array v) {
  array u : f64[n][m] parameter restrict
  array v : f64[n][m] parameter restrict
  for t = 0 .. steps - 1 {
    for k = 0 .. m - 1 { host io "read" { write u[0][k] } }
    for i = 0 .. n - 1 { for j = 0 .. m - 1 { read u[i][j] write v[i][j] } }
  }
})");
  ASSERT_TRUE(a && a->transfers.regions.size() == 1);
  EXPECT_NE(a->h2d("u").find("[0:0:1][0:m - 1:1] in 1"), std::string::npos) << a->h2d("u");
  EXPECT_EQ(a->h2d("u").find("[0:n - 1:1][0:m - 1:1] in 1"), std::string::npos) << a->h2d("u");
  EXPECT_EQ(a->d2h("v"), "[0:n - 1:1][0:m - 1:1]");
}

TEST(Transfers, ReductionResultIsAScalar) {
  auto a = analyse(R"(
function f(param n, array a) {
  array a : f64[n] parameter
  array s : f64 local
  write s
  for i = 0 .. n - 1 { read a[i] update s + }
  host io "print" { read s }
})");
  ASSERT_TRUE(a && a->transfers.regions.size() == 1);
  ASSERT_EQ(a->region().scalars.size(), 1u);
  EXPECT_EQ(a->region().scalars[0].name, "s");
  EXPECT_TRUE(a->region().scalars[0].toHost);
}

TEST(Transfers, NoParallelLoopNoRegion) {
  auto a = analyse(R"(
function f(param n, array a) {
  array a : f64[n] parameter
  for i = 1 .. n - 1 { read a[i - 1] write a[i] }
})");
  ASSERT_TRUE(a);
  EXPECT_TRUE(a->transfers.regions.empty());
}

/// Each loop that both sides touch walks what is inside it several times: eight of them are too many without an end.
TEST(Transfers, SpentEffortEndsTheWalkOfNestedLoops) {
  std::string open, close;
  for (int k = 0; k < 8; ++k) {
    open += "for t" + std::to_string(k) + " = 0 .. n - 1 {\n";
    close += "}\n";
  }
  std::string text = "function f(param n, array a) { array a : f64[n][n]\n" + open +
                     "host io \"printf\" { read a[t0][t7] }\n for i = 0 .. n - 1 { write a[t7][i] }\n" + close + "}\n";
  EffortBudget budget(0.3);
  clock_t start = clock();
  auto result = analyse(text);
  ASSERT_TRUE(result);
  EXPECT_TRUE(budget.wasExceeded());
  EXPECT_LT(double(clock() - start) / CLOCKS_PER_SEC, 5);
  ASSERT_EQ(result->transfers.regions.size(), 1u);
  EXPECT_EQ(result->transfers.regions[0].copiedWhole, std::vector<std::string>{"a"});
}

/// Where neither side makes anything stale, one walk of each loop tells all.
TEST(Transfers, NestedLoopsThatOnlyReadAreWalkedOnce) {
  std::string open, close;
  for (int k = 0; k < 12; ++k) {
    open += "for t" + std::to_string(k) + " = 0 .. n - 1 {\n";
    close += "}\n";
  }
  std::string text =
      "function f(param n, array a, array b) { array a : f64[n][n] parameter restrict\n array b : f64[n] parameter restrict\n" +
      open + "host io \"printf\" { read a[t0][t11] }\n for i = 0 .. n - 1 { read a[t11][i] write b[i] }\n" + close +
      "}\n";
  auto result = analyse(text, "f", 0.3);
  ASSERT_TRUE(result);
  ASSERT_EQ(result->transfers.regions.size(), 1u);
  EXPECT_TRUE(result->transfers.regions[0].copiedWhole.empty());
  EXPECT_EQ(result->h2d("a"), "[0:n - 1:1][0:n - 1:1]");
  EXPECT_EQ(result->d2h("a"), "");
}

TEST(Transfers, NoCopyStandsWhereAJumpPassesIt) {
  auto a = analyse(R"(function f(param n, param steps, array u, array v) {
  array u : f64[n] parameter at 1:1
  array v : f64[n] parameter at 1:2
  for t = 0 .. steps - 1 early-exit at 2:3 {
    for i = 0 .. n - 1 at 3:5 { read v[i] write u[i] at 3:9 }
    if ? at 4:5 { }
    if ? rest at 5:5 {
      host io "printf" at 6:5 { read u[0] at 6:12 }
    }
  }
})");
  ASSERT_TRUE(a);
  EXPECT_EQ(a->h2d("v"), "[0:n - 1:1]");
  EXPECT_EQ(a->d2h("u"), "[0:0:1] in 1; [0:n - 1:1]") << "whoever jumped has nothing back yet";
  for (const Crossing &crossing : a->array("u")->d2h) EXPECT_NE(crossing.at.line, 5u);
}

TEST(Transfers, AnArrayOfUnknownSizeIsNotCopiedAsAWhole) {
  auto text = [](const char *extent) {
    return std::string("function f(param n, array u, array v) {\n array u : f64[") + extent + "] parameter at 1:1\n" +
           R"(  array v : f64[n] parameter at 1:2
  for i = 0 .. n - 1 at 2:3 { read v[i] write u[i] at 2:9 }
})";
  };
  auto known = analyse(text("n"), "f", 0), unknown = analyse(text("?"), "f", 0);
  ASSERT_TRUE(known && unknown);
  EXPECT_EQ(known->transfers.regions.size(), 1u);
  EXPECT_TRUE(unknown->transfers.regions.empty());
  ASSERT_FALSE(unknown->transfers.findings.empty());
  EXPECT_NE(unknown->transfers.findings.front().message.find("its size is not known; this loop stays on the host"),
            std::string::npos);
}

TEST(Transfers, KernelsInOneSideOfABranchWriteThroughWhereEffortIsSpent) {
  auto text = R"(function f(param n, array u, array v) {
  array u : f64[n] parameter at 1:1
  array v : f64[n] parameter at 1:2
  for t = 0 .. 9 at 2:3 {
    if ? at 3:5 {
      for i = 0 .. n - 1 at 4:5 { read v[i] write u[i] at 4:9 }
    } else {
      host io "scanf" at 5:5 { write u[0] at 5:9 }
    }
  }
})";
  auto a = analyse(text, "f", 0);
  ASSERT_TRUE(a);
  ASSERT_EQ(a->transfers.regions.size(), 1u);
  EXPECT_EQ(a->h2d("u"), "[0:n - 1:1] in 1");
  EXPECT_EQ(a->d2h("u"), "[0:n - 1:1] in 1");
  ASSERT_EQ(a->array("u")->d2h.size(), 1u);
  EXPECT_TRUE(a->array("u")->d2h[0].after);
  EXPECT_EQ(a->array("u")->d2h[0].at.line, 4u);
  EXPECT_EQ(a->h2d("v"), "[0:n - 1:1]");
}

TEST(Transfers, WhatATimeLoopDeclaresIsOnTheDeviceAndComesBackForItsHostCode) {
  auto a = analyse(R"(function f(param n, param steps, array u) {
  array u : f64[n] parameter at 1:1
  array tmp : f64[100] local per-iteration at 3:10
  for t = 0 .. steps - 1 at 2:3 {
    for i = 1 .. 98 at 4:5 { read u[i] write tmp[i] at 4:9 }
    for i.2 = 1 .. 98 at 5:5 { read tmp[i.2] write u[i.2] at 5:9 }
    host io "printf" at 6:5 { read tmp[5] at 6:12 }
  }
})");
  ASSERT_TRUE(a);
  ASSERT_EQ(a->transfers.regions.size(), 1u);
  EXPECT_EQ(a->d2h("tmp"), "[5:5:1] in 1");
  EXPECT_EQ(a->h2d("tmp"), "");
  ASSERT_TRUE(a->array("tmp"));
  EXPECT_EQ(toString(a->array("tmp")->onDevice), "[1:98:1]");
}

TEST(Transfers, NoPointerLeadsToALocalThatIsOnlyNamed) {
  auto crossingsOf = [](llvm::StringRef storage) {
    auto a = analyse((R"(function f(param n) {
  array tmp : f64[100] )" +
                      storage + R"( at 2:10
  array p : f64[?] alias
  for i = 0 .. 99 at 4:5 { write tmp[i] at 4:9 }
  host io "printf" at 6:5 { read p[0] at 6:12 }
})")
                         .str());
    return a ? a->d2h("tmp") : "";
  };
  EXPECT_EQ(crossingsOf("local restrict"), "");
  EXPECT_EQ(crossingsOf("local"), "[0:99:1]");
}

} // namespace
