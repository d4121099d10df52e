//===- test/clang-plugin/CompilerFlagsTest.cpp ----------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/units/CompilerFlags.h"
#include "gmock/gmock.h"

using namespace busfare::frontend;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

namespace {

using Words = std::vector<std::string>;

TEST(CompilerFlags, WhatConcernsTheOutputIsLeftOut) {
  EXPECT_THAT(wordsForClang(Words{"/usr/bin/gcc", "-O2", "-Iinclude", "-I", "more", "-DN=3", "-MMD", "-MF", "a.d",
                                  "-MT", "a.o", "-o", "a.o", "-c", "a.c"}),
              ElementsAre("-O2", "-I", "include", "-I", "more", "-D", "N=3"));
  EXPECT_THAT(wordsForClang(Words{"gcc", "-Wp,-MD,a.d", "-save-temps=obj", "-S", "-M", "-MG", "--serialize-diagnostics",
                                  "x.dia", "--", "a.c"}),
              IsEmpty());
  EXPECT_THAT(wordsForClang(Words{"gcc", "-Wp,-DN=3", "-include", "config.h", "-std=gnu11"}),
              ElementsAre("-Wp,-DN=3", "-include", "config.h", "-std=gnu11"));
}

TEST(CompilerFlags, WhatOnlyGccKnowsIsLeftOut) {
  EXPECT_THAT(wordsForClang(Words{"gcc", "-fipa-pta", "-mno-such-feature", "-fopenmp", "-fdump-tree-all",
                                  "-march=native", "-fplugin=x.so"}),
              ElementsAre("-fopenmp", "-march=native"));
}

TEST(CompilerFlags, TheCompilersNameSaysTheLanguage) {
  EXPECT_THAT(wordsForClang(Words{"/opt/gcc-12/bin/g++-12", "a.c"}), ElementsAre("--driver-mode=g++"));
  EXPECT_THAT(wordsForClang(Words{"ccache", "clang++", "-O2"}), ElementsAre("--driver-mode=g++", "-O2"));
  EXPECT_THAT(wordsForClang(Words{"env", "LANG=C", "cc", "-O2"}), ElementsAre("-O2"));
  EXPECT_THAT(wordsForClang(Words{}), IsEmpty());
}

TEST(CompilerFlags, ForADeviceIsForOthers) {
  ClangWords words = clangWords(Words{"clang", "-fopenmp", "-fopenmp-targets=nvptx64-nvidia-cuda", "-Xopenmp-target",
                                      "-march=sm_80", "-Xopenmp-target=nvptx64", "-march=sm_70",
                                      "--offload-arch=gfx90a", "-foffload=nvptx-none", "-fsycl", "-O2", "-c", "a.c"});
  EXPECT_THAT(words.words, ElementsAre("-fopenmp", "-O2"));
  EXPECT_THAT(words.leftOut,
              UnorderedElementsAre("-foffload=nvptx-none", "-fopenmp-targets=nvptx64-nvidia-cuda",
                                   "-Xopenmp-target -march=sm_80", "-Xopenmp-target=nvptx64 -march=sm_70",
                                   "--offload-arch=gfx90a", "-fsycl"));
}

TEST(CompilerFlags, ValuesThatClangRefuses) {
  ClangWords words =
      clangWords(Words{"gcc-14", "-flto=8", "-fsanitize=bounds-strict", "-fprofile-use=x.gcda", "-mfpmath=both",
                       "-fcf-protection=check", "-march=znver9", "-mtune=znver9", "-Wa,-mbig-obj", "-gstabs", "-mllvm",
                       "-no-such", "-mabi=ms", "-fopenacc", "-fdiagnostics-format=json", "-V12", "-O2"});
  EXPECT_THAT(words.words, ElementsAre("-O2"));
  EXPECT_THAT(words.leftOut,
              ElementsAre("-fcf-protection=check", "-march=znver9", "-mtune=znver9", "-mabi=ms", "-fopenacc", "-V 12"));
  EXPECT_THAT(wordsForClang(Words{"gcc", "-march=skylake-avx512", "-mtune=generic", "-fcf-protection=full", "-Xclang",
                                  "-fopenmp", "-Xclang", "-x"}),
              ElementsAre("-march=skylake-avx512", "-mtune=generic", "-fcf-protection=full", "-fopenmp"));
}

TEST(CompilerFlags, TheCompilersNameSaysTheTarget) {
  EXPECT_THAT(wordsForClang(Words{"aarch64-linux-gnu-g++-12", "-mcpu=a64fx"}),
              ElementsAre("--target=aarch64-linux-gnu", "--driver-mode=g++", "-mcpu=a64fx"));
  EXPECT_THAT(wordsForClang(Words{"/usr/bin/x86_64-w64-mingw32-gcc-posix", "-mwindows"}),
              ElementsAre("--target=x86_64-w64-mingw32", "-mwindows"));
  // Any processor of another target is that target's own matter.
  EXPECT_THAT(wordsForClang(Words{"riscv64-linux-gnu-gcc", "-march=rv64gc"}),
              ElementsAre("--target=riscv64-linux-gnu", "-march=rv64gc"));
  EXPECT_THAT(wordsForClang(Words{"my-own-gcc", "-O2"}), ElementsAre("-O2"));
}

} // namespace
