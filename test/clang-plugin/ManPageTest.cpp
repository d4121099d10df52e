//===- test/clang-plugin/ManPageTest.cpp ----------------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/cli/ManPage.h"
#include "gmock/gmock.h"

using namespace busfare::frontend;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

namespace {

TEST(ManPage, NoTextIsARequestOrAnEscape) {
  EXPECT_EQ(escapedForRoff("--param n=1\\2"), "\\-\\-param n=1\\e2");
  EXPECT_EQ(escapedForRoff(".busfare\n'quoted' \"x\" a.b"), "\\&.busfare\n\\(aqquoted\\(aq \\(dqx\\(dq a.b");
  EXPECT_EQ(escapedForRoff("`a^b~`"), "\\(gaa\\(hab\\(ti\\(ga");
  EXPECT_EQ(escapedForRoff("\xc3\xa9 \xe2\x80\xae x"), "\\[u00E9] \\[u202E] x");
  EXPECT_EQ(escapedForRoff("bad \xff\xc3 \x1b[2J"), "bad ?? [2J");
}

TEST(ManPage, ParagraphsAndLinesAsTheyStand) {
  EXPECT_EQ(paragraphsForRoff("One\nsentence.\n\n  busfare a.c\n\n  busfare b.c\nTwo.\n\nThree.\n"),
            "One\nsentence.\n.PP\n.RS 4\n.EX\nbusfare a.c\n\nbusfare b.c\n.EE\n.RE\n.PP\nTwo.\n.PP\nThree.\n");
  EXPECT_EQ(paragraphsForRoff("  last\n"), ".PP\n.RS 4\n.EX\nlast\n.EE\n.RE\n");
}

static std::vector<std::string> namesOfOptions(const char *command) {
  std::vector<std::string> names;
  for (const OptionEntry *option : optionsOf(*findCommand(command))) names.push_back(option->name.str());
  return names;
}

TEST(ManPage, ACommandHasItsOwnOptions) {
  EXPECT_THAT(namesOfOptions("verify"), Contains("--mutants"));
  EXPECT_THAT(namesOfOptions("analyze"), Contains("--machine"));
  EXPECT_THAT(namesOfOptions("analyze"), Not(Contains("--mutants")));
  EXPECT_THAT(namesOfOptions("blas"), Contains("--tile"));
  EXPECT_THAT(namesOfOptions("transfer"), Not(Contains("--tile")));
  EXPECT_THAT(namesOfOptions("schema"), testing::ElementsAre("--format", "-o", "--help"));
  EXPECT_THAT(namesOfOptions("calibrate"),
              testing::UnorderedElementsAre("--machine", "--quick", "--format", "-o", "--help"));
}

TEST(ManPage, EachCommandHasAPage) {
  Options options;
  const std::string names = runPrintMan(options).output;
  for (const Command &command : commandTable()) {
    if (command.name == "help") continue;
    const std::string page = "busfare-" + command.name.str();
    EXPECT_THAT(names, HasSubstr(page + "\n"));
    options.inputs = {page};
    EXPECT_THAT(runPrintMan(options).output, HasSubstr("\n.SH DESCRIPTION\n"));
  }
  options.inputs = {"busfare-fly"};
  EXPECT_EQ(runPrintMan(options).exitCode, BadInput);
}

} // namespace
