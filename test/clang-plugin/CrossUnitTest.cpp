//===- test/clang-plugin/CrossUnitTest.cpp --------------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// With a reader in place of Clang: what it says of a unit is made of what it was told.
//
//===----------------------------------------------------------------------===//
#include "clang-plugin/units/CrossUnit.h"
#include "llvm/ADT/StringExtras.h"
#include "gmock/gmock.h"

using namespace busfare::frontend;
using namespace busfare::skeleton;
using testing::ElementsAre;

namespace {

class CrossUnit : public testing::Test {
protected:
  std::vector<Source> sources;
  std::vector<UnitText> texts;
  std::vector<UnitSymbols> symbols;
  std::vector<std::string> read; ///< Tags, in the order of reading.
  size_t mostReadings = SIZE_MAX; ///< Then the time is up.
  std::set<std::string> crashing; ///< Tags of units that crash when they are told anything.
  bool surveys =
      false; ///< Units that call are only surveyed at first; else they were read whole, by a compiler's plugin.

  /// A unit whose functions call these; the interface of each is what it has been told.
  void add(const std::string &file, std::vector<std::pair<std::string, std::set<std::string>>> functions) {
    Source source;
    source.file = file;
    sources.push_back(source);
    UnitSymbols unit;
    unit.file = file;
    UnitText text;
    text.parsed = true;
    for (auto &[symbol, calls] : functions) {
      unit.functions.push_back({symbol, Linkage::External, calls});
      text.interfaces[symbol] = "\"" + symbol + "\"";
      text.isSurvey |= surveys && !calls.empty();
    }
    if (text.isSurvey) text.interfaces.clear();
    texts.push_back(text);
    symbols.push_back(unit);
  }

  /// A function's interface lists those of its callees that were given.
  UnitText answer(const UnitTask &task) {
    UnitText text;
    if (read.size() >= mostReadings) {
      text.lost = readingTimeIsUp;
      return text;
    }
    read.push_back(task.tag);
    if (crashing.count(task.tag) && !task.interfaces.empty()) {
      text.lost = "crash";
      return text;
    }
    text.parsed = true;
    for (const UnitSymbols &unit : symbols)
      if (unit.file == task.source->file)
        for (const UnitSymbols::Function &function : unit.functions) {
          std::string inside;
          for (const std::string &callee : function.calls)
            if (llvm::StringRef(task.interfaces).contains("\"" + callee)) inside += "(" + callee + ")";
          text.interfaces[function.symbol] = "\"" + function.symbol + inside + "\"";
        }
    return text;
  }

  void follow() {
    llvm::Error error =
        followAcrossUnits(sources, tagsOf(sources), resolve(symbols), texts, {[&](llvm::ArrayRef<UnitTask> tasks) {
                            std::vector<UnitText> answers;
                            for (const UnitTask &task : tasks) answers.push_back(answer(task));
                            return llvm::Expected<std::vector<UnitText>>(std::move(answers));
                          }});
    EXPECT_FALSE(bool(error));
  }
};

TEST_F(CrossUnit, CalleesComeFirst) {
  add("main.c", {{"main", {"solve"}}});
  add("solve.c", {{"solve", {"norm"}}});
  add("norm.c", {{"norm", {}}});
  follow();
  EXPECT_THAT(read, ElementsAre("solve", "main"));
  EXPECT_EQ(texts[1].interfaces.at("solve"), "\"solve(norm)\"");
}

TEST_F(CrossUnit, NothingIsReadAgainThatCallsNobody) {
  add("a.c", {{"a", {"unseen"}}});
  add("b.c", {{"b", {}}});
  follow();
  EXPECT_THAT(read, ElementsAre());
}

TEST_F(CrossUnit, WhatWasSurveyedIsWalkedOnce) {
  surveys = true;
  add("main.c", {{"main", {"solve"}}});
  add("solve.c", {{"solve", {"norm"}}});
  add("norm.c", {{"norm", {"unseen"}}});
  add("leaf.c", {{"leaf", {}}});
  follow();
  EXPECT_THAT(read, ElementsAre("norm", "solve", "main"));
  EXPECT_EQ(texts[0].interfaces.at("main"), "\"main(solve)\"");
  EXPECT_FALSE(texts[2].isSurvey);
}

/// Whatever the order in which units of a circle are read.
TEST_F(CrossUnit, SurveysAndWholeReadingsEndAlike) {
  std::map<std::string, std::string> said[2];
  for (bool isSurveyed : {false, true}) {
    sources.clear(), texts.clear(), symbols.clear(), read.clear();
    surveys = isSurveyed;
    add("main.c", {{"main", {"solve", "log"}}, {"tell", {"norm"}}});
    add("solve.c", {{"solve", {"tell"}}, {"log", {}}});
    add("norm.c", {{"norm", {"log"}}});
    follow();
    for (const UnitText &text : texts) said[isSurveyed].insert(text.interfaces.begin(), text.interfaces.end());
  }
  EXPECT_EQ(said[0], said[1]);
  EXPECT_EQ(said[1].at("tell"), "\"tell(norm)\"");
}

TEST_F(CrossUnit, ASurveyedUnitThatCannotBeReadWithItsCalleesIsReadByItself) {
  surveys = true;
  add("main.c", {{"main", {"solve"}}});
  add("solve.c", {{"solve", {"norm"}}});
  add("norm.c", {{"norm", {}}});
  crashing = {"solve"};
  follow();
  EXPECT_THAT(read, ElementsAre("solve", "solve", "main"));
  EXPECT_EQ(texts[1].interfaces.at("solve"), "\"solve\"");
  EXPECT_EQ(texts[0].interfaces.at("main"), "\"main(solve)\"");
}

TEST_F(CrossUnit, WhenTheTimeIsUpWhatWasOnlySurveyedIsLost) {
  surveys = true;
  add("main.c", {{"main", {"solve"}}});
  add("solve.c", {{"solve", {"norm"}}});
  add("norm.c", {{"norm", {}}});
  mostReadings = 1;
  follow();
  EXPECT_EQ(texts[0].lost, readingTimeIsUp);
  EXPECT_FALSE(texts[0].parsed);
  EXPECT_EQ(texts[1].interfaces.at("solve"), "\"solve(norm)\"");
}

TEST_F(CrossUnit, UnitsThatCallEachOtherSettle) {
  add("main.c", {{"main", {"solve"}}, {"tell", {}}});
  add("solve.c", {{"solve", {"tell"}}});
  follow();
  EXPECT_EQ(texts[0].interfaces.at("main"), "\"main(solve)\"");
  EXPECT_EQ(texts[1].interfaces.at("solve"), "\"solve(tell)\"");
}

TEST_F(CrossUnit, AUnitThatCannotBeReadWithItsCalleesStaysAsItWas) {
  add("main.c", {{"main", {"solve"}}});
  add("solve.c", {{"solve", {"norm"}}});
  add("norm.c", {{"norm", {}}});
  crashing = {"solve"};
  follow();
  EXPECT_TRUE(texts[1].parsed);
  EXPECT_EQ(texts[1].interfaces.at("solve"), "\"solve\"");
  EXPECT_EQ(texts[0].interfaces.at("main"), "\"main(solve)\"");
}

TEST_F(CrossUnit, WhenTheTimeIsUpUnitsStayAsTheyWereRead) {
  add("main.c", {{"main", {"solve"}}});
  add("solve.c", {{"solve", {"norm"}}});
  add("norm.c", {{"norm", {}}});
  mostReadings = 1;
  follow();
  EXPECT_THAT(read, ElementsAre("solve"));
  EXPECT_TRUE(texts[0].parsed && texts[0].lost.empty());
  EXPECT_EQ(texts[0].interfaces.at("main"), "\"main\"");
  EXPECT_EQ(texts[1].interfaces.at("solve"), "\"solve(norm)\"");
}

/// main has been told of a solve that is another by now: it goes back to where it knew nothing of it.
TEST_F(CrossUnit, WhenTheTimeIsUpNobodyIsToldWhatIsNotSo) {
  for (unsigned run = 0; run < 16; ++run) {
    surveys = run % 2;
    mostReadings = run / 2;
    sources.clear(), texts.clear(), symbols.clear(), read.clear();
    add("main.c", {{"main", {"solve"}}, {"tell", {}}});
    add("solve.c", {{"solve", {"tell", "norm"}}});
    add("norm.c", {{"norm", {"tell"}}});
    follow();
    for (const UnitText &text : texts) {
      EXPECT_FALSE(text.parsed && text.isSurvey) << run;
      for (const UnitText &other : texts)
        for (const auto &[symbol, interface] : other.interfaces)
          if (text.parsed && llvm::StringRef(text.given).contains("\"" + symbol))
            EXPECT_THAT(text.given, testing::HasSubstr(interface)) << run;
    }
  }
}

TEST_F(CrossUnit, UnitsOfACircleAreReadCalleesFirst) {
  add("main.c", {{"main", {"solve"}}});
  add("solve.c", {{"solve", {"norm"}}, {"say", {}}});
  add("norm.c", {{"norm", {"add"}}});
  add("add.c", {{"add", {"say"}}});
  follow();
  EXPECT_EQ(texts[0].interfaces.at("main"), "\"main(solve)\"");
  EXPECT_LE(read.size(), 6u);
}

TEST_F(CrossUnit, AVeryLongChainEnds) {
  for (int k = 0; k < 60; ++k)
    add("u" + std::to_string(k) + ".c", {{"f" + std::to_string(k), {"f" + std::to_string(k + 1)}}});
  follow();
  EXPECT_EQ(read.size(), 59u); // the last one calls what nobody defines
}

TEST(Tags, AreNamesAndDiffer) {
  Source a, b, c;
  a.file = "src/heat-2d.c";
  b.file = "lib/heat_2d.cpp";
  c.file = "x.c";
  EXPECT_THAT(tagsOf({a, b, c}), ElementsAre("heat_2d", "heat_2d_2", "x"));
}

} // namespace
