//===- test/projection/CommandLinesTest.cpp - Commands that are to be copied ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/CommandLines.h"
#include <gmock/gmock.h>

using namespace busfare::projection;
using testing::ElementsAre;

TEST(CommandLines, FewSourcesStandInEachCommand) {
  EXPECT_THAT(commandLines({"busfare loops a.c b.c c.c -- -I."}, {"a.c", "b.c", "c.c"}),
              ElementsAre("busfare loops a.c b.c c.c -- -I."));
}

TEST(CommandLines, ManyAreSaidOnce) {
  const std::string flux = "kernels/flux_calculation.c", cell = "kernels/cell_advection.c", blank = "'of two words.c'";
  const std::string all = "main.c " + flux + " " + cell + " " + blank;
  EXPECT_THAT(commandLines({"busfare explain main.c:4 " + all + " -- -I.", "busfare port " + all},
                           {"main.c", flux, cell, blank}),
              ElementsAre("set -- main.c kernels/flux_calculation.c kernels/cell_advection.c \\", "  'of two words.c'",
                          "busfare explain main.c:4 \"$@\" -- -I.", "busfare port \"$@\""));
}

TEST(CommandLines, NotIfOneCommandHasOthers) {
  EXPECT_THAT(commandLines({"busfare port a b c d", "busfare machines"}, {"a", "b", "c", "d"}),
              ElementsAre("busfare port a b c d", "busfare machines"));
}
