//===- test/clang-plugin/CompilerFlagsTest.cpp ----------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/CompilerFlags.h"
#include "gmock/gmock.h"

using namespace busfare::frontend;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

using Words = std::vector<std::string>;

TEST(CompilerFlags, WhatConcernsTheOutputIsLeftOut) {
  EXPECT_THAT(wordsForClang(Words{"/usr/bin/gcc", "-O2", "-Iinclude", "-I", "more", "-DN=3", "-MMD", "-MF", "a.d", "-MT", "a.o", "-o", "a.o", "-c", "a.c"}),
              ElementsAre("-O2", "-I", "include", "-I", "more", "-D", "N=3"));
  EXPECT_THAT(wordsForClang(Words{"gcc", "-Wp,-MD,a.d", "-save-temps=obj", "-S", "-M", "-MG", "--serialize-diagnostics", "x.dia", "--", "a.c"}), IsEmpty());
  EXPECT_THAT(wordsForClang(Words{"gcc", "-Wp,-DN=3", "-include", "config.h", "-std=gnu11"}),
              ElementsAre("-Wp,-DN=3", "-include", "config.h", "-std=gnu11"));
}

TEST(CompilerFlags, WhatOnlyGccKnowsIsLeftOut) {
  EXPECT_THAT(wordsForClang(Words{"gcc", "-fipa-pta", "-mno-such-feature", "-fopenmp", "-fdump-tree-all", "-march=native", "-fplugin=x.so"}),
              ElementsAre("-fopenmp", "-march=native"));
}

TEST(CompilerFlags, TheCompilersNameSaysTheLanguage) {
  EXPECT_THAT(wordsForClang(Words{"/opt/gcc-12/bin/g++-12", "a.c"}), ElementsAre("--driver-mode=g++"));
  EXPECT_THAT(wordsForClang(Words{"ccache", "clang++", "-O2"}), ElementsAre("--driver-mode=g++", "-O2"));
  EXPECT_THAT(wordsForClang(Words{"env", "LANG=C", "cc", "-O2"}), ElementsAre("-O2"));
  EXPECT_THAT(wordsForClang(Words{}), IsEmpty());
}

} // namespace
