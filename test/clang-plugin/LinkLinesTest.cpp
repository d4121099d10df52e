//===- test/clang-plugin/LinkLinesTest.cpp - What a build links -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/units/LinkLines.h"
#include "gmock/gmock.h"

using namespace busfare::frontend;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

std::vector<LinkLine> ofNinja(llvm::StringRef text) {
  return ninjaLinkLines(text, "/nowhere/build", [](llvm::StringRef file) -> std::optional<std::string> {
    return file == "/nowhere/build/more.ninja" ? std::optional<std::string>("build two: LINK two.o\n") : std::nullopt;
  });
}

TEST(LinkLines, StepsOfNinja) {
  auto lines = ofNinja("lib = out\n"
                       "rule LINK\n  command = cc $in -o $out\n"
                       "build main.c.o: CC ../main.c | generated.h || tool\n"
                       "build $lib/libheat.a: AR solve.c.o $\n    norm.c.o\n  LINK_FLAGS = -x\n"
                       "build app: LINK main.c.o | libtwo.a ${lib}/libheat.a || order.a\n"
                       "  LINK_LIBRARIES = out/libheat.a  libtwo.a  -lm\n"
                       "build all: phony app main.c.o\n"
                       "build sizes.txt: CUSTOM_COMMAND main.c.o\n"
                       "build a$ b: LINK a$ b.o\n"
                       "include more.ninja\n");
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0].output, "/nowhere/build/out/libheat.a");
  EXPECT_THAT(lines[0].inputs, ElementsAre("/nowhere/build/solve.c.o", "/nowhere/build/norm.c.o"));
  EXPECT_EQ(lines[1].output, "/nowhere/build/app"); // in the linker's order, not that of what it waits for
  EXPECT_THAT(lines[1].inputs,
              ElementsAre("/nowhere/build/main.c.o", "/nowhere/build/out/libheat.a", "/nowhere/build/libtwo.a"));
  EXPECT_EQ(lines[2].output, "/nowhere/build/a b");
  EXPECT_EQ(lines[3].output, "/nowhere/build/two");
}

TEST(LinkLines, AnUnfinishedFileEnds) {
  for (llvm::StringRef text : {"build", "build ", "build $", "build a", "build a$", "build a:", "build a: b $",
                               "include", "= $", "x = ${", "\n$"})
    EXPECT_THAT(ofNinja(text), IsEmpty()) << text.str();
}

TEST(LinkLines, Commands) {
  auto lines =
      commandLinkLines("/usr/bin/ar qc libheat.a CMakeFiles/heat.dir/solve.c.o\n/usr/bin/ranlib libheat.a\n"
                       "cc -O2 -Wl,--whole-archive,libheat.a 'a b.o' -Xlinker skipped.o -o ../app ../libwave.so -lm\n",
                       "/nowhere/build");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].output, "/nowhere/build/libheat.a");
  EXPECT_THAT(lines[0].inputs, ElementsAre("/nowhere/build/CMakeFiles/heat.dir/solve.c.o"));
  EXPECT_EQ(lines[1].output, "/nowhere/app");
  EXPECT_THAT(lines[1].inputs, ElementsAre("/nowhere/build/libheat.a", "/nowhere/build/a b.o", "/nowhere/libwave.so"));
}

TEST(LinkLines, LibrariesOfWhatIsLinked) {
  auto links = std::make_shared<LinkLines>();
  links->lines = {{"/b/libheat.a", {"/b/1.o"}},
                  {"/b/libwave.so", {"/b/2.o", "/b/libheat.a"}},
                  {"/b/both.o", {"/b/3.o", "/b/4.o"}},
                  {"/b/app", {"/b/0.o", "/b/both.o", "/b/libheat.a", "/b/libwave.so"}},
                  {"/b/other", {"/b/foreign.o"}}};
  std::vector<Source> sources(5);
  for (size_t k = 0; k < sources.size(); ++k) {
    sources[k].objects = {"/b/" + std::to_string(k) + ".o"};
    sources[k].links = links;
  }
  busfare::skeleton::LinkedBuild build = linkedBuildOf(sources);
  ASSERT_EQ(build.programs.size(), 1u);
  EXPECT_THAT(build.programs[0].objects, ElementsAre(0, 3, 4));
  EXPECT_THAT(build.programs[0].archives, ElementsAre(ElementsAre(1)));
  EXPECT_THAT(build.programs[0].shared, ElementsAre(2, 1));
  EXPECT_THAT(build.libraries, ElementsAre(ElementsAre(1), ElementsAre(2)));
}

} // namespace
