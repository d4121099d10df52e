//===- test/clang-plugin/NextCommandsTest.cpp -----------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/cli/NextCommands.h"
#include "gtest/gtest.h"

using namespace busfare::frontend;

namespace {

Options called(std::vector<std::string> words) { return llvm::cantFail(parseOptions(words)); }

TEST(NextCommands, KeepWhatTheReportWasAskedWith) {
  const Options options = called({"analyze", "k.c", "--machine", "mine.json", "--param", "n=4Ki", "--trust-directives",
                                  "--format", "json", "--top", "3", "--", "-DN=9"});
  EXPECT_EQ(completed("busfare explain k.c:4", options),
            "busfare explain k.c:4 --machine mine.json --param n=4Ki --trust-directives -- -DN=9");
  EXPECT_EQ(completed("busfare loops k.c", options), "busfare loops k.c --param n=4Ki --trust-directives -- -DN=9")
      << "loops have no machine";
  EXPECT_EQ(completed("busfare analyze k.c --param f::m=7", options),
            "busfare analyze k.c --machine mine.json --param n=4Ki --trust-directives --param f::m=7 -- -DN=9");
}

TEST(NextCommands, SayNothingTwice) {
  EXPECT_EQ(completed("busfare analyze k.c --iterations 100", called({"analyze", "k.c", "--iterations", "5"})),
            "busfare analyze k.c --iterations 100");
  EXPECT_EQ(completed("busfare analyze k.c --param n=7", called({"analyze", "k.c", "--param", "n=5"})),
            "busfare analyze k.c --param n=7");
}

TEST(NextCommands, SeveralSourcesArePortedAsAPatch) {
  EXPECT_EQ(completed("busfare port a.c", called({"analyze", "a.c", "b.c"})), "busfare port a.c b.c --format patch");
  EXPECT_EQ(completed("busfare port a.c", called({"analyze", "-p", "build", "--args", "-n 3"})),
            "busfare port -p build --format patch");
}

TEST(NextCommands, SkeletonsAreNotPorted) {
  EXPECT_EQ(completed("busfare port a.c", called({"project", "a.skel"})), "");
  EXPECT_EQ(completed("busfare analyze a.c --param n=3", called({"project", "a.skel"})),
            "busfare project a.skel --param n=3");
  EXPECT_EQ(completed("busfare port a.c", called({"project", "-p", "build"})), "busfare port -p build --format patch")
      << "its sources are there";
}

} // namespace
