//===- test/brs/EffectsTest.cpp - Effects against the interpreter ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/Effects.h"
#include "Member.h"
#include "Oracle.h"
#include "brs/Domain.h"
#include "brs/Presburger.h"
#include "brs/Shape.h"
#include "skeleton/Parse.h"
#include "gtest/gtest.h"

using namespace busfare;
using namespace busfare::brs;
using namespace busfare::test;

namespace {

struct Case {
  const char *name;
  const char *body; ///< Of a function over n, m with arrays a, b, c of n + 4 and d, e of (n + 2) x (m + 2).
  bool exact = true;
};

const Case cases[] = {
    {"stream", "for i = 0 .. n - 1 { read a[i] write b[i] }"},
    {"stencil", "for i = 1 .. n - 2 { read a[i - 1] read a[i + 1] write b[i] }"},
    {"strided", "for i = 0 .. n step 2 { read a[i] write b[i + 1] }"},
    {"down", "for i = n - 1 .. 0 step -1 { read a[i + 1] write a[i] }"},
    {"up", "for i = 0 .. n - 1 { read a[i + 1] write a[i] }"},
    {"recurrence", "for i = 1 .. n - 1 { read a[i - 1] write a[i] }"},
    {"triangle", "for i = 0 .. n - 1 { for j = 0 .. i { if m - j >= 0 { read d[i][j] } } write a[i] }"},
    {"write-then-read", "for i = 0 .. n - 1 { write a[i] } for i.2 = 1 .. n - 2 { read a[i.2] read a[i.2 + 1] }"},
    {"guard", "for i = 0 .. n - 1 { if i - 1 >= 0 { read a[i - 1] } else { write b[i] } }"},
    {"opaque guard", "for i = 0 .. n - 1 { if ? probability 0.5 { write b[i] } read b[i] }", false},
    {"temporary",
     "for t = 0 .. m - 1 { for i = 0 .. n - 1 { read a[i] write b[i] } for k = 0 .. n - 1 { read b[k] write a[k] } }"},
    {"rotation",
     "for t = 0 .. m - 1 { for i = 1 .. n - 2 { read a[i - 1] read a[i + 1] write b[i] } rotate a <- b, b <- a }"},
    {"three buffers",
     "for t = 0 .. m - 1 { for i = 1 .. n - 2 { read a[i] read b[i] write c[i] } rotate a <- b, b <- c, c <- a }"},
    {"gather", "for i = 0 .. n - 1 { read a[?] write b[i] }", false},
    {"scatter", "for i = 0 .. n - 1 { write b[?] read b[i] }", false},
    {"update", "for i = 0 .. n - 1 { for j = 0 .. m - 1 { read d[i][j] update a[i] + } }"},
    {"transpose", "for i = 0 .. n { for j = 0 .. m { if n - j >= 0 and m - i >= 0 { read d[i][j] write e[j][i] } } }"},
    {"early exit", "for i = 0 .. n - 1 early-exit { write a[i] if ? probability 0.1 { read b[i] } } read a[1]", false},
    {"jump",
     "for i = 0 .. n - 1 early-exit inside { write a[i] if ? rest { write b[i] } } read a[0] read a[1] read b[0]",
     false},
    {"unknown trips", "define k because \"?\" in 0 .. 3 for i = 0 .. k { write a[i] } read a[0] read a[3]"},
    {"defined inside",
     "for i = 0 .. n - 1 { define k because \"row\" in 0 .. 3 for j = 0 .. k { write a[j] } } read a[0]", false},
    {"minimum", "for i = 0 .. n - 1 { for j = i .. min(i + 3, n - 1) { read a[j] write b[j] } }"},
    {"alias", "for i = 0 .. n - 1 { write a[i] read p[?] }", false},
    {"host", "for t = 0 .. m { host io \"print\" { read a[t] } write a[t] }"},
    {"one reach of two statements",
     "reach 1 { may read a[?] may write b[?] } write a[0] host opaque \"f\" reaching 1 write a[1] write b[0] "
     "host opaque \"g\" reaching 1 read b[0] read a[0]",
     false},
    {"one reach around a rotation",
     "reach 1 { may read a[?] may write b[?] } for t = 0 .. m { host opaque \"f\" reaching 1 rotate a <- b, b <- a "
     "host opaque \"g\" reaching 1 }",
     false},
    {"one reach around an exchange",
     "reach 1 { may write b[?] } host opaque \"f\" reaching 1 rotate a <- b, b <- a host opaque \"g\" reaching 1",
     false},
    {"scatter after read", "for i = 0 .. n - 1 { read b[i] write b[?] }", false},
    {"runs", "for k = 0 .. 2 { for j = 0 .. m - 1 { write a[m*k + j + 1] } } read a[2]"},
    {"runs, turned", "for j = 0 .. m - 1 { for k = 0 .. 2 { write a[m*k + j] read b[m*k + j + 1] } }"},
    {"runs that overlap", "for k = 0 .. 2 { for j = 0 .. m { write a[m*k + j] } }"},
    {"runs downwards", "for k = 2 .. 0 step -1 { for j = m - 1 .. 0 step -1 { write a[m*k + j] } }"},
    {"falling runs", "for k = 0 .. 2 { for j = 1 .. m { write a[2*m - m*k + j] } }"},
    {"runs with gaps", "for k = 0 .. 2 { for j = 0 .. m - 2 { write a[m*k + j] } }", false},
    {"runs under a guard", "for k = 0 .. 2 { for j = 0 .. m - 1 { if n - j - 2 >= 0 { write a[m*k + j] } } }", false},
    {"runs of lengths defined inside",
     "for i = 0 .. 1 { define k because \"row\" in 0 .. 2 for j = 0 .. k - 1 { write a[k*i + j] } }", false},
    {"even and odd", "for i = 0 .. n step 2 { write a[i] } for i.2 = 1 .. n step 2 { read a[i.2] read a[i.2 + 1] }"},
};

std::string textOf(const Case &test) {
  return std::string(
             "skeleton 1\nunit \"t.c\"\nfunction f(param n, param m, array a, array b, array c, array d, array e) {\n"
             "array a : f64[n + m + 4] parameter\narray b : f64[n + m + 4] parameter\n"
             "array c : f64[n + m + 4] parameter\narray d : f64[n + m + 4][n + m + 4] parameter\n"
             "array e : f64[n + m + 4][n + m + 4] parameter\n"
             "array p : f64[n + m + 4] alias may-be(a, b)\n") +
         test.body + "\n}\n";
}

class EffectsAgainstOracle : public testing::TestWithParam<Case> {};

void expectInside(const ElementSet &set, const Elements &touched, const skeleton::Values &values,
                  const std::string &what) {
  Elements missing = outside(set, touched, values);
  EXPECT_TRUE(missing.empty()) << what << " lacks " << toString(missing);
}

TEST_P(EffectsAgainstOracle, SoundAndTight) {
  auto program = skeleton::parse(textOf(GetParam()), "t.skel");
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
  const skeleton::Function &function = program->functions[0];
  Effects effects = effectsOf(*program, function, function.body, Nest(factsOf(*program, function)));
  for (auto [n, m] : {std::pair<int64_t, int64_t>{1, 1}, {4, 2}, {5, 3}, {6, 4}, {3, 0}})
    for (unsigned seed = 1; seed <= 6; ++seed) {
      OracleOptions options;
      options.values = {{"n", n}, {"m", m}};
      options.seed = seed;
      auto trace = runSkeleton(*program, function, options);
      ASSERT_TRUE(bool(trace)) << llvm::toString(trace.takeError());
      auto reads = readsIn(*trace, trace->all), writes = writesIn(*trace, trace->all),
           exposed = exposedIn(*trace, trace->all);
      skeleton::Values values = trace->all.values;
      std::string at = " at n=" + std::to_string(n) + " m=" + std::to_string(m) + " seed " + std::to_string(seed);
      bool symbolsKnown = GetParam().exact && std::string(GetParam().body).find("define") == std::string::npos;
      for (const char *name : {"a", "b", "c", "d", "e"}) {
        ArrayEffects none;
        auto found = effects.arrays.find(name);
        const ArrayEffects &array = found == effects.arrays.end() ? none : found->second;
        expectInside(array.mayRead, reads[name], values, std::string("may-read ") + name + at);
        expectInside(array.mayWrite, writes[name], values, std::string("may-write ") + name + at);
        expectInside(array.exposedRead, exposed[name], values, std::string("exposed ") + name + at);
        Element extents(name[0] < 'd' ? 1 : 2, n + m + 4);
        if (!symbolsKnown && std::string(GetParam().body).find("define") != std::string::npos)
          continue; // the must set speaks of the symbol's value, which the trace does not keep
        Elements sure = allOf(array.mustWrite, extents, values);
        for (const Element &element : sure)
          EXPECT_TRUE(writes[name].count(element))
              << "must-write " << name << at << " was not written: " << toString({element});
        if (!symbolsKnown) continue;
        EXPECT_TRUE(array.mayWrite.exact && array.exposedRead.exact) << name;
        EXPECT_EQ(toString(allOf(array.mayRead, extents, values)), toString(reads[name])) << "read " << name << at;
        EXPECT_EQ(toString(allOf(array.mayWrite, extents, values)), toString(writes[name])) << "write " << name << at;
        EXPECT_EQ(toString(sure), toString(writes[name])) << "must " << name << at;
        EXPECT_EQ(toString(allOf(array.exposedRead, extents, values)), toString(exposed[name]))
            << "exposed " << name << at;
      }
    }
}

INSTANTIATE_TEST_SUITE_P(All, EffectsAgainstOracle, testing::ValuesIn(cases), [](const auto &info) {
  std::string name = info.param.name;
  for (char &c : name)
    if (!isalnum(c)) c = '_';
  return name;
});

/// Of a function over n, m with an array a of n*m elements that another nest shows to have rows of m.
const Case flatWalks[] = {
    {"whole", "for k = 0 .. n*m - 1 { write a[k] }"},
    {"downwards", "for k = n*m - 1 .. 0 step -1 { read a[k] }"},
    {"read and written", "for k = 0 .. n*m - 1 { read a[k] write a[k] }"},
    {"update", "for k = 0 .. n*m - 1 { update a[k] + }"},
    {"some rows", "for k = m .. 3*m - 1 { write a[k] }"},
    {"rows of a run", "for k = 1 .. m { write a[k + m - 1] }"},
    {"again and again",
     "for t = 0 .. 2 { for k = 0 .. n*m - 1 { write a[k] } for i.2 = 0 .. n - 1 { read a[i.2*m] } }"},
    {"never", "for k = 0 .. m - m - 1 { write a[k] }"},
    {"two at a time", "for k = 0 .. n*m - 2 step 2 { write a[k] write a[k + 1] }", false},
    {"within a row", "for k = 1 .. n*m - 1 { write a[k] }", false},
    {"up to within a row", "for k = 0 .. m { write a[k] }", false},
    {"every other", "for k = 0 .. n*m - 1 step 2 { write a[k] }", false},
    {"under a guard", "for k = 0 .. n*m - 1 { if k - 2 >= 0 { write a[k] } }", false},
    {"perhaps", "for k = 0 .. n*m - 1 { if ? { write a[k] } }", false},
    {"early exit", "for k = 0 .. n*m - 1 early-exit { write a[k] if ? rest { read a[0] } }", false},
    {"to where data say", "define e because \"data\" in 0 .. n for k = 0 .. e*m - 1 { write a[k] }"},
    {"parts", "for k = 0 .. n*m - 1 { write a[k] part 0 + 4 }", false},
};

class FlatWalks : public testing::TestWithParam<Case> {};

TEST_P(FlatWalks, TouchRows) {
  const std::string
      before = "skeleton 1\nunit \"t.c\"\nfunction f(param n, param m, array a) {\narray a : f64[n*m] parameter\n",
      rows = "for i = 0 .. n - 1 { for j = 0 .. m - 1 { read a[i*m + j] } }\n";
  auto withRows = skeleton::parse(before + rows + GetParam().body + "\n}\n", "t.skel");
  ASSERT_TRUE(bool(withRows)) << llvm::toString(withRows.takeError());
  auto flat = skeleton::parse(before + GetParam().body + "\n}\n", "t.skel");
  ASSERT_TRUE(bool(flat)) << llvm::toString(flat.takeError());
  Context facts = factsOf(*withRows, withRows->functions[0]);
  const skeleton::Function function = recoverShapes(*withRows, withRows->functions[0], facts).function;
  ASSERT_EQ(function.arrays[0].extents.size(), 2u);
  const Effects effects = effectsOf(*withRows, function, llvm::ArrayRef(function.body).drop_front(), Nest(facts));
  const ArrayEffects &array = effects.arrays.at("a");
  EXPECT_EQ(array.mayRead.exact && array.mayWrite.exact, GetParam().exact);
  for (auto [n, m] : {std::pair<int64_t, int64_t>{3, 1}, {3, 2}, {4, 3}, {5, 4}}) {
    OracleOptions options;
    options.values = {{"n", n}, {"m", m}};
    auto trace = runSkeleton(*flat, flat->functions[0], options);
    ASSERT_TRUE(bool(trace)) << llvm::toString(trace.takeError());
    auto inRows = [m = m](const Elements &elements) {
      Elements result;
      for (const Element &element : elements) result.insert({element[0] / m, element[0] % m});
      return result;
    };
    const Elements read = inRows(readsIn(*trace, trace->all)["a"]), written = inRows(writesIn(*trace, trace->all)["a"]),
                   exposed = inRows(exposedIn(*trace, trace->all)["a"]);
    const skeleton::Values &values = trace->all.values;
    const std::string at = " at n=" + std::to_string(n) + " m=" + std::to_string(m);
    expectInside(array.mayRead, read, values, "may-read" + at);
    expectInside(array.mayWrite, written, values, "may-write" + at);
    expectInside(array.exposedRead, exposed, values, "exposed" + at);
    if (std::string(GetParam().body).find("define") != std::string::npos)
      continue; // the must set speaks of the symbol's value, which the trace does not keep
    const Elements sure = allOf(array.mustWrite, {n, m}, values);
    for (const Element &element : sure)
      EXPECT_TRUE(written.count(element)) << "must-write" << at << " was not written: " << toString({element});
    if (!GetParam().exact) continue;
    EXPECT_EQ(toString(sure), toString(written)) << "must" << at;
    EXPECT_EQ(toString(allOf(array.mayRead, {n, m}, values)), toString(read)) << "read" << at;
    EXPECT_EQ(toString(allOf(array.mayWrite, {n, m}, values)), toString(written)) << "write" << at;
  }
}

INSTANTIATE_TEST_SUITE_P(All, FlatWalks, testing::ValuesIn(flatWalks), [](const auto &info) {
  std::string name = info.param.name;
  for (char &c : name)
    if (!isalnum(c)) c = '_';
  return name;
});

TEST(Effects, RotationOfUnknownLengthIsKnownNotToBeKnown) {
  auto program =
      skeleton::parse(textOf({"", "for t = 0 .. m - 1 { write a[0] rotate a <- b, b <- a } write a[1]"}), "t.skel");
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
  const skeleton::Function &function = program->functions[0];
  Effects effects = effectsOf(*program, function, function.body, Nest());
  EXPECT_EQ(effects.exitNames.at("a"), "");
  // The last write goes to one of them: nobody knows which.
  skeleton::Values values{{"n", 4}, {"m", 2}};
  EXPECT_TRUE(holds(effects.arrays.at("a").mayWrite, {1}, values));
  EXPECT_TRUE(holds(effects.arrays.at("b").mayWrite, {1}, values));
  EXPECT_FALSE(holds(effects.arrays.at("b").mustWrite, {1}, values));
}

Effects effectsOfText(const char *body) {
  auto program = skeleton::parse(textOf({"", body}), "t.skel");
  EXPECT_TRUE(bool(program));
  const skeleton::Function &function = program->functions[0];
  return effectsOf(*program, function, function.body, Nest(factsOf(*program, function)));
}

TEST(Effects, AnUnsureWriteMakesWhatIsExposedUnsure) {
  EXPECT_FALSE(effectsOfText("for i = 0 .. n - 1 { read b[i] write b[?] }").arrays.at("b").exposedRead.exact);
  EXPECT_TRUE(effectsOfText("for i = 0 .. n - 1 { read b[i] write a[?] }").arrays.at("b").exposedRead.exact);
  // Each iteration's write is sure, but which elements the earlier ones wrote cannot be said.
  EXPECT_FALSE(effectsOfText("for i = 0 .. n - 1 { read b[i + 3] write b[i*i] }").arrays.at("b").exposedRead.exact);
}

TEST(Effects, BothSidesOfAnOpaqueBranchWrite) {
  Effects effects = effectsOfText("for i = 0 .. n - 1 { if ? { write a[i] } else { read b[i] write a[i] } } read a[0]");
  const ArrayEffects &a = effects.arrays.at("a");
  EXPECT_TRUE(a.mustWrite.exact && a.mayWrite.exact);
  EXPECT_TRUE(isSurelySubset(a.mayWrite, a.mustWrite));
  EXPECT_FALSE(effects.arrays.at("b").mayRead.exact);
}

TEST(Effects, AJumpFromInsideLeavesTheFirstIteration) {
  auto surelyWrites = [](const char *body, const char *least) {
    return isSurelySubset(effectsOfText(least).arrays.at("a").mayWrite, effectsOfText(body).arrays.at("a").mustWrite);
  };
  EXPECT_TRUE(surelyWrites("for i = 0 .. 3 early-exit inside { write a[i] }", "write a[0]"));
  EXPECT_TRUE(surelyWrites("for i = 3 .. 0 step -1 early-exit inside { write a[i] }", "write a[3]"));
  EXPECT_TRUE(
      surelyWrites("for i = 0 .. 3 early-exit inside { for j = 0 .. n - 1 { write a[j] } if ? rest { read b[i] } }",
                   "for j = 0 .. n - 1 { write a[j] }"));
  EXPECT_FALSE(surelyWrites("for i = 0 .. 3 early-exit inside { write a[i] }", "write a[1]"));
  EXPECT_FALSE(surelyWrites("for i = 3 .. 0 step -1 early-exit inside { write a[i] }", "write a[0]"));
  EXPECT_FALSE(surelyWrites("for i = 0 .. 3 early-exit { write a[i] }", "write a[0]"));
  EXPECT_FALSE(surelyWrites("for i = 0 .. 3 early-exit inside { if ? rest { write a[i] } }", "write a[0]"));
  EXPECT_FALSE(surelyWrites("for i = 0 .. m - 1 early-exit inside { write a[i] }", "write a[0]"))
      << "it may have no iteration";
}

TEST(Effects, TightMeansThatSomeDataTouchEachElement) {
  const char *bodies[] = {
      "for i = 0 .. n - 1 { if ? { write b[i] } read b[i] }",
      "for i = 0 .. n - 1 { if i - 1 >= 0 and ? { read a[i - 1] } else { write c[i] } }",
      "for i = 0 .. n - 1 { if i - 1 >= 0 { if ? { write a[i - 1] } } else { read c[i + 1] } }",
      "for i = 0 .. n - 1 early-exit { read a[i] if ? probability 0.1 { write b[i] } }",
      "for i = 0 .. n - 1 { define k because \"which\" in 0 .. 2 read a[i + k] }",
      "for i = 0 .. n - 1 { define k because \"which\" if 2 - k >= 0 and k >= 0 { write d[i][k] } }",
  };
  for (const char *body : bodies) {
    auto program = skeleton::parse(textOf({"", body}), "t.skel");
    ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
    const skeleton::Function &function = program->functions[0];
    Effects effects = effectsOf(*program, function, function.body, Nest(factsOf(*program, function)));
    std::map<std::string, Elements> read, written;
    skeleton::Values values{{"n", 3}, {"m", 2}};
    for (unsigned seed = 1; seed <= 300; ++seed) {
      OracleOptions options;
      options.values = values;
      options.seed = seed;
      auto trace = runSkeleton(*program, function, options);
      ASSERT_TRUE(bool(trace)) << llvm::toString(trace.takeError());
      for (auto &[name, elements] : readsIn(*trace, trace->all)) read[name].insert(elements.begin(), elements.end());
      for (auto &[name, elements] : writesIn(*trace, trace->all))
        written[name].insert(elements.begin(), elements.end());
    }
    bool anyInexact = false;
    for (const auto &[name, array] : effects.arrays) {
      EXPECT_TRUE(array.mayRead.tight && array.mayWrite.tight) << body << ": " << name;
      anyInexact |= !array.mayRead.exact || !array.mayWrite.exact;
      Element extents(name[0] < 'd' ? 1 : 2, 9);
      EXPECT_EQ(toString(allOf(array.mayRead, extents, values)), toString(read[name])) << body << ": read " << name;
      EXPECT_EQ(toString(allOf(array.mayWrite, extents, values)), toString(written[name]))
          << body << ": written " << name;
    }
    EXPECT_TRUE(anyInexact) << body;
  }
}

TEST(Effects, WhatOnlyBoundsIsNotTight) {
  auto isTight = [](const char *body, const char *array) {
    Effects effects = effectsOfText(body);
    return effects.arrays.at(array).mayRead.tight && effects.arrays.at(array).mayWrite.tight;
  };
  EXPECT_FALSE(isTight("for i = 0 .. n - 1 { read a[?] }", "a"));
  EXPECT_FALSE(isTight("for i = 0 .. n - 1 { if ? { read a[?] } }", "a"));
  EXPECT_FALSE(isTight("for i = 0 .. n - 1 { read p[i] }", "b"));
  EXPECT_FALSE(isTight("for i = 0 .. n - 1 { define k because \"row\" read a[k] }", "a"));
  EXPECT_FALSE(isTight("for i = 0 .. n - 1 { for j = 0 .. n - 1 { write a[i*j] } }", "a"));
  EXPECT_FALSE(isTight("for i = 0 .. n - 1 early-exit { if i - 3 >= 0 { write b[i] } read a[i] }", "a"))
      << "it may always stop at the same place";
  EXPECT_FALSE(isTight("for t = 0 .. m { rotate a <- b, b <- a if ? { rotate a <- c, c <- a } write a[0] }", "a"));
}

TEST(Effects, WhatIsTouchedAloneIsTheSame) {
  for (const Case &test : cases) {
    auto program = skeleton::parse(textOf(test), "t.skel");
    ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
    const skeleton::Function &function = program->functions[0];
    Nest nest(factsOf(*program, function));
    EffectsMemo memo; // of both: one must not be taken for the other
    for (const skeleton::Node &node : function.body) {
      Effects touched = touchedIn(*program, function, node, nest, &memo),
              all = effectsOf(*program, function, node, nest, &memo);
      ASSERT_EQ(touched.arrays.size(), all.arrays.size()) << test.name;
      for (const auto &[name, sets] : touched.arrays) {
        const ArrayEffects &full = all.arrays.at(name);
        EXPECT_TRUE(isSurelySubset(full.mayRead, sets.mayRead) && isSurelySubset(sets.mayRead, full.mayRead))
            << test.name;
        EXPECT_TRUE(isSurelySubset(full.mayWrite, sets.mayWrite) && isSurelySubset(sets.mayWrite, full.mayWrite))
            << test.name;
        EXPECT_EQ(sets.mayRead.exact, full.mayRead.exact) << test.name;
        EXPECT_EQ(sets.mayWrite.exact, full.mayWrite.exact) << test.name;
        EXPECT_TRUE(isSurelySubset(full.exposedRead, sets.exposedRead)) << test.name;
        EXPECT_TRUE(sets.mustWrite.isProvablyEmpty()) << test.name;
        EXPECT_TRUE(test.exact == false || full.mustWrite.exact) << test.name;
      }
    }
  }
}

Effects withoutEffort(const char *body) {
  EffortBudget none(-1);
  return effectsOfText(body);
}

TEST(Effects, WithoutEffortWhatIsNamedIsTouched) {
  Effects effects = withoutEffort("for i = 0 .. n - 1 { read a[i] write b[i] write d[i][0] }");
  EXPECT_EQ(effects.arrays.size(), 3u);
  const ArrayEffects &a = effects.arrays.at("a"), &b = effects.arrays.at("b");
  skeleton::Values values{{"n", 4}, {"m", 2}};
  EXPECT_TRUE(holds(a.mayRead, {9}, values));
  EXPECT_TRUE(a.mayWrite.isProvablyEmpty());
  EXPECT_TRUE(holds(b.mayWrite, {9}, values));
  EXPECT_TRUE(b.mustWrite.isProvablyEmpty() && b.mayRead.isProvablyEmpty());
  EXPECT_FALSE(a.mayRead.exact || b.mayWrite.exact || b.mustWrite.exact);
  // A pointer names all that it may be, a call all there is.
  Effects alias = withoutEffort("for i = 0 .. n - 1 { write p[i] }");
  EXPECT_EQ(alias.arrays.size(), 2u);
  EXPECT_TRUE(holds(alias.arrays.at("b").mayWrite, {9}, values));
  EXPECT_EQ(withoutEffort("for i = 0 .. n - 1 { call g(a) }").arrays.size(), 5u);
  // A name that changes places inside may denote any of its group.
  Effects turning = withoutEffort("for t = 0 .. m { rotate a <- b, b <- a write a[0] }");
  EXPECT_EQ(turning.exitNames.at("a"), "");
  EXPECT_TRUE(holds(turning.arrays.at("b").mayWrite, {9}, values));
}

TEST(Effects, WhatIsKnownIsKnownWithoutEffort) {
  auto program = skeleton::parse(textOf({"", "for i = 0 .. 3 { write a[i] } for j = 0 .. 3 { write b[j] }"}), "t.skel");
  ASSERT_TRUE(bool(program));
  const skeleton::Function &function = program->functions[0];
  EffectsMemo memo;
  effectsOf(*program, function, function.body[0], Nest(), &memo);
  Effects effects;
  {
    EffortBudget none(-1);
    effects = effectsOf(*program, function, function.body, Nest(), &memo);
  }
  skeleton::Values values{{"n", 9}, {"m", 9}};
  EXPECT_FALSE(holds(effects.arrays.at("a").mayWrite, {4}, values));
  EXPECT_TRUE(holds(effects.arrays.at("b").mayWrite, {4}, values));
}

/// Of a function that declares many arrays, what is asked of a few is as it is among all.
TEST(Effects, AboutSomeArrays) {
  std::string text = "skeleton 1\nunit \"t.c\"\nfunction f(param n, array p, array a, array b) {\n"
                     "array a : f64[n] parameter\narray b : f64[n] parameter\narray p : f64[n] alias may-be(a, x3)\n"
                     "array q : f64[n] alias\n";
  for (unsigned k = 0; k < 30; ++k) text += "array x" + std::to_string(k) + " : f64[n] heap\n";
  text +=
      "for t = 0 .. n - 1 { for i = 0 .. n - 2 { read a[i + 1] write b[i] write x1[i] read x2[i] } rotate b <- x4, x4 <- b }\n"
      "alloc x5\nwrite p[?]\nif ? { read q[0] write x5[0] } else { call g(a) }\nread a[0] write x3[1]\n}\n";
  auto program = skeleton::parse(text, "t.skel");
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
  const skeleton::Function &function = program->functions[0];
  EffectsMemo memo;
  const std::set<std::string> names = {"a", "b", "x4"};
  EffectsMemo &few = memo.about(*program, function, names);
  ASSERT_NE(&few, &memo);
  EXPECT_EQ(&memo.about(*program, function, {"a"}), &few);
  Context context = factsOf(*program, function);
  std::vector<std::optional<skeleton::Expr>> extents = {skeleton::Expr::symbol("n")};
  auto describe = [&](const Effects &effects) {
    std::string all;
    for (const auto &[name, one] : effects.arrays)
      if (names.count(name)) {
        all += name;
        for (const ElementSet *set : {&one.mayRead, &one.mayWrite, &one.exposedRead})
          all += " " + toString(set->toSections(extents, context)) + (set->exact ? "" : "?");
        all += " " + toString(one.mustWrite.toSectionsInside(context)) + "\n";
        for (const auto *places : {&one.readAt, &one.writtenAt, &one.exposedAt})
          for (const skeleton::Location &place : *places) all += toString(place) + " ";
      }
    for (const auto &[name, source] : effects.exitNames) all += name + " <- " + source + "\n";
    return all;
  };
  auto of = [&](EffectsMemo &with) { return effectsOf(*program, function, function.body, Nest(context), &with); };
  Effects all = of(memo), asked = of(few);
  EXPECT_EQ(describe(asked), describe(all));
  EXPECT_EQ(asked.arrays.size(), 3u);
  EXPECT_GT(all.arrays.size(), 30u);
}

TEST(Effects, FlatSubscriptsKeepTheirHull) {
  Effects effects = effectsOfText("for i = 0 .. n - 1 { for j = 0 .. m - 1 { write a[i*m + j] } }");
  Context context;
  for (const char *name : {"n", "m"}) context.assume(skeleton::Expr::symbol(name) - 1);
  EXPECT_EQ(toString(effects.arrays.at("a").mayWrite.toSections({std::nullopt}, context)), "[0:m*n - 1:1]");
  EXPECT_EQ(toString(effects.arrays.at("a").mustWrite.toSectionsInside(context)), "[0:m*n - 1:1]");
  // Without gaps it is a run, all of which is written.
  EXPECT_TRUE(isSurelySubset(effects.arrays.at("a").mayWrite, effects.arrays.at("a").mustWrite));
}

} // namespace
