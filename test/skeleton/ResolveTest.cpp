//===- test/skeleton/ResolveTest.cpp - Which units make one program -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "skeleton/Resolve.h"
#include "gmock/gmock.h"

using namespace busfare::skeleton;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

namespace {

/// Functions with what they call.
UnitSymbols unit(std::string file, std::vector<std::pair<std::string, std::set<std::string>>> functions,
                 Linkage linkage = Linkage::External) {
  UnitSymbols result;
  result.file = std::move(file);
  for (auto &[symbol, calls] : functions) {
    result.hasMain |= symbol == "main";
    result.functions.push_back({symbol, symbol == "main" ? Linkage::External : linkage, calls});
  }
  return result;
}

TEST(Resolve, EachMainIsAProgram) {
  Resolved all = resolve({unit("a/main.c", {{"main", {"solve"}}}), unit("b/main.c", {{"main", {"solve"}}}),
                          unit("solve.c", {{"solve", {"norm"}}}), unit("norm.c", {{"norm", {}}}),
                          unit("alone.c", {{"alone", {}}})});
  EXPECT_THAT(all.programs, ElementsAre(ElementsAre(0, 2, 3), ElementsAre(1, 2, 3), ElementsAre(4)));
  EXPECT_EQ(all.definers[0].at("solve"), 2u);
  EXPECT_THAT(all.followed[2], ElementsAre("norm"));
  EXPECT_THAT(all.ambiguities, IsEmpty());
}

TEST(Resolve, TheNearestDefinitionIsTaken) {
  Resolved all = resolve({unit("heat/main.c", {{"main", {"solve"}}}), unit("heat/solve.c", {{"solve", {}}}),
                          unit("wave/main.c", {{"main", {"solve"}}}), unit("wave/solve.c", {{"solve", {}}})});
  EXPECT_THAT(all.programs, ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3)));
}

TEST(Resolve, OfTwoAsNearNoneIsTaken) {
  Resolved all = resolve(
      {unit("main.c", {{"main", {"solve"}}}), unit("fast.c", {{"solve", {}}}), unit("slow.c", {{"solve", {}}})});
  EXPECT_THAT(all.definers[0], IsEmpty());
  ASSERT_EQ(all.ambiguities.size(), 1u);
  EXPECT_EQ(all.ambiguities[0].symbol, "solve");
  EXPECT_THAT(all.ambiguities[0].definers, ElementsAre(1, 2));
  EXPECT_EQ(all.programs.size(), 3u);
  // An inline function is everywhere the same.
  Resolved same = resolve({unit("main.cpp", {{"main", {"get"}}}), unit("a.cpp", {{"get", {}}}, Linkage::Inline),
                           unit("b.cpp", {{"get", {}}}, Linkage::Inline)});
  EXPECT_EQ(same.definers[0].at("get"), 1u);
}

TEST(Resolve, StaticsAreNobodyElses) {
  Resolved all = resolve({unit("main.c", {{"main", {"helper"}}}), unit("b.c", {{"helper", {}}}, Linkage::Static)});
  EXPECT_THAT(all.definers[0], IsEmpty());
}

TEST(Resolve, CallsThatComeBackAreNotFollowed) {
  // even <-> odd across units; main -> even is fine.
  Resolved all = resolve(
      {unit("main.c", {{"main", {"even"}}}), unit("even.c", {{"even", {"odd"}}}), unit("odd.c", {{"odd", {"even"}}})});
  EXPECT_THAT(all.followed[0], ElementsAre("even"));
  EXPECT_THAT(all.followed[1], IsEmpty());
  EXPECT_THAT(all.followed[2], IsEmpty());
  EXPECT_THAT(all.programs, ElementsAre(ElementsAre(0, 1, 2)));
  // Units that call each other are no circle of functions.
  Resolved units =
      resolve({unit("main.c", {{"main", {"solve"}}, {"tell", {}}}), unit("solve.c", {{"solve", {"tell"}}})});
  EXPECT_THAT(units.followed[0], ElementsAre("solve"));
  EXPECT_THAT(units.followed[1], ElementsAre("tell"));
}

TEST(Resolve, VariablesBringTheirUnits) {
  std::vector<UnitSymbols> units = {unit("main.c", {{"main", {}}}), unit("globals.c", {})};
  units[0].undefinedVariables = {"grid"};
  units[1].variables = {"grid"};
  EXPECT_THAT(resolve(units).programs, ElementsAre(ElementsAre(0, 1)));
}

TEST(Resolve, ALibraryIsWhatHangsTogether) {
  Resolved all = resolve(
      {unit("a.c", {{"a", {"b"}}}), unit("b.c", {{"b", {}}}), unit("c.c", {{"c", {"b"}}}), unit("d.c", {{"d", {}}})});
  EXPECT_THAT(all.programs, UnorderedElementsAre(ElementsAre(0, 1, 2), ElementsAre(3)));
  // What a program has, too, comes along; its main does not.
  Resolved shared = resolve(
      {unit("main.c", {{"main", {"b"}}, {"tell", {}}}), unit("b.c", {{"b", {}}}), unit("c.c", {{"c", {"b", "tell"}}})});
  EXPECT_THAT(shared.programs, ElementsAre(ElementsAre(0, 1), ElementsAre(1, 2)));
}

TEST(Resolve, SymbolsOfASkeleton) {
  Program program;
  program.units = {"a.cpp"};
  program.imports = {{"g.2", "_Z1gd"}};
  Function f;
  f.name = "f";
  f.symbol = "_Z1fv";
  f.body.emplace_back(Call{"g.2", {}, {}, {}});
  f.body.emplace_back(Loop{{.index = "i"}, {Call{"f", {}, {}, {}}, Call{"h", {}, {}, {}}}});
  program.functions.push_back(f);
  UnitSymbols symbols = symbolsOf(program);
  ASSERT_EQ(symbols.functions.size(), 1u);
  EXPECT_EQ(symbols.functions[0].symbol, "_Z1fv");
  EXPECT_THAT(symbols.functions[0].calls, ElementsAre("_Z1fv", "_Z1gd", "h"));
}

TEST(Resolve, WhatIsLinkedComesFirst) {
  // 0 and 1 are mains beside each other, each with a solve of its own and a norm that wants one.
  std::vector<UnitSymbols> units{unit("heat.c", {{"main", {"solve"}}}), unit("wave.c", {{"main", {"solve", "norm"}}}),
                                 unit("fast.c", {{"solve", {}}}),       unit("slow.c", {{"solve", {}}}),
                                 unit("norm.c", {{"norm", {"solve"}}}), unit("alone.c", {{"main", {"norm"}}})};
  Resolved all = resolve(units, {{{{0, 2, 4}, {}, {}}, {{1, 3}, {{4}}, {}}}, {}});
  EXPECT_EQ(all.definers[0].at("solve"), 2u);
  EXPECT_EQ(all.definers[1].at("solve"), 3u);
  EXPECT_EQ(all.definers[1].at("norm"), 4u);
  EXPECT_THAT(all.programs,
              ElementsAre(ElementsAre(0, 2, 4), ElementsAre(1, 3, 4), ElementsAre(4, 5))); // the last by symbols
  // norm is read once for both programs, in which solve is another.
  EXPECT_EQ(all.definers[4].count("solve"), 0u);
  ASSERT_EQ(all.ambiguities.size(), 1u);
  EXPECT_THAT(all.ambiguities[0].definers, ElementsAre(2, 3));
  // What only another program has is not there.
  Resolved lacking = resolve(units, {{{{0}, {}, {}}, {{1, 3, 4}, {}, {}}}, {}});
  EXPECT_THAT(lacking.definers[0], IsEmpty());
  EXPECT_THAT(lacking.programs[0], ElementsAre(0));
  // Nor if one program of a unit lacks it and another does not.
  Resolved sometimes = resolve(units, {{{{0, 4}, {}, {}}, {{1, 3, 4}, {}, {}}}, {}});
  EXPECT_THAT(sometimes.definers[4], IsEmpty());
}

TEST(Resolve, ArchivesOfALinkLine) {
  std::vector<UnitSymbols> units{unit("main.c", {{"main", {"solve"}}}), unit("a.c", {{"solve", {"norm"}}}),
                                 unit("b.c", {{"solve", {}}}), unit("c.c", {{"norm", {}}}),
                                 unit("d.c", {{"norm", {}}})};
  // Of two archives the first gives what an object wants; a member's own wishes may be met before.
  Resolved all = resolve(units, {{{{0}, {{1, 3}, {2, 4}}, {}}}, {}});
  EXPECT_EQ(all.definers[0].at("solve"), 1u);
  EXPECT_EQ(all.definers[1].count("norm"), 0u);
  EXPECT_THAT(all.programs[0], ElementsAre(0, 1));
  // An object's definition stands before those of archives, for their members too.
  Resolved object = resolve(units, {{{{0, 4}, {{1, 3}}, {}}}, {}});
  EXPECT_EQ(object.definers[1].at("norm"), 4u);
  EXPECT_THAT(object.programs[0], ElementsAre(0, 1, 4));
  // In a shared library it depends on who is seen.
  Resolved shared = resolve(units, {{{{0, 4}, {}, {1, 3}}}, {}});
  EXPECT_EQ(shared.definers[0].at("solve"), 1u);
  EXPECT_EQ(shared.definers[1].count("norm"), 0u);
  EXPECT_THAT(shared.programs[0], ElementsAre(0, 1, 3, 4));
}

TEST(Resolve, UnitsOfAnArchiveAreEachOthersNearest) {
  std::vector<UnitSymbols> units{unit("x/a.c", {{"a", {"norm"}}}), unit("x/b.c", {{"norm", {}}}),
                                 unit("y/c.c", {{"norm", {}}})};
  EXPECT_EQ(resolve(units).definers[0].at("norm"), 1u);
  EXPECT_EQ(resolve(units, {{}, {{0, 2}}}).definers[0].at("norm"), 2u);
}

TEST(Resolve, ABuildWithUnitsGone) {
  LinkedBuild build = moved({{{{0, 1}, {{1}, {2}}, {2}}}, {{0, 2}}}, {std::nullopt, 0, 1});
  EXPECT_THAT(build.programs[0].objects, ElementsAre(0));
  EXPECT_THAT(build.programs[0].archives, ElementsAre(ElementsAre(0), ElementsAre(1)));
  EXPECT_THAT(build.programs[0].shared, ElementsAre(1));
  EXPECT_THAT(build.libraries, ElementsAre(ElementsAre(1)));
}

} // namespace
