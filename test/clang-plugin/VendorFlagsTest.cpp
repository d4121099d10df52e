//===- test/clang-plugin/VendorFlagsTest.cpp ------------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/lower/ResourceFolder.h"
#include "clang-plugin/units/CompilerFlags.h"
#include "clang-plugin/units/Sources.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"

using namespace busfare::frontend;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

namespace {

using Words = std::vector<std::string>;

TEST(VendorFlags, Intel) {
  ClangWords words = clangWords(Words{"/opt/intel/oneapi/compiler/latest/bin/icpx",
                                      "-xHost",
                                      "-axCORE-AVX2,AVX",
                                      "-qopenmp",
                                      "-qopt-report=5",
                                      "-opt-report",
                                      "3",
                                      "-fp-model",
                                      "precise",
                                      "-fp-model=fast",
                                      "-ipo",
                                      "-no-prec-div",
                                      "-qmkl=parallel",
                                      "-diag-disable",
                                      "10441",
                                      "-diag-disable:161",
                                      "-unroll4",
                                      "-ansi-alias",
                                      "-fopenmp-targets=spir64",
                                      "-O3",
                                      "-c",
                                      "a.cpp",
                                      "-o",
                                      "a.o"});
  EXPECT_THAT(words.words, ElementsAre("--driver-mode=g++", "-fopenmp", "-O3"));
  EXPECT_THAT(words.translated, ElementsAre(Pair("-qopenmp", "-fopenmp")));
  EXPECT_THAT(words.leftOut,
              testing::UnorderedElementsAre("-xHost", "-axCORE-AVX2,AVX", "-qopt-report=5", "-opt-report", "-fp-model",
                                            "-fp-model=fast", "-ipo", "-no-prec-div", "-qmkl=parallel", "-diag-disable",
                                            "-diag-disable:161", "-unroll4", "-ansi-alias", "-fopenmp-targets=spir64"));
  EXPECT_THAT(wordsForClang(Words{"icc", "-openmp", "-fast", "-std=c99", "-xCORE-AVX512", "-mkl"}),
              ElementsAre("-fopenmp", "-O3", "-std=c99"));
}

TEST(VendorFlags, Nvidia) {
  ClangWords words = clangWords(Words{"nvc", "-acc", "-gpu=cc80,managed", "-Minfo=all", "-mp=gpu", "-Mvect=simd",
                                      "-fast", "-tp", "haswell", "-tp=zen3", "-c99", "-cudalib=cublas",
                                      "-ta=tesla:cc70", "-Mlarge_arrays", "-MMD", "-MF", "a.d", "-c", "a.c"});
  EXPECT_THAT(words.words, ElementsAre("-fopenmp", "-O2", "-std=c99"));
  EXPECT_THAT(words.translated,
              ElementsAre(Pair("-mp=gpu", "-fopenmp"), Pair("-fast", "-O2"), Pair("-c99", "-std=c99")));
  EXPECT_THAT(words.leftOut,
              testing::UnorderedElementsAre("-acc", "-gpu=cc80,managed", "-Minfo=all", "-Mvect=simd", "-tp", "-tp=zen3",
                                            "-cudalib=cublas", "-ta=tesla:cc70", "-Mlarge_arrays"));
  EXPECT_THAT(wordsForClang(Words{"nvc++-23.7", "--c++17", "-stdpar=gpu", "-cuda", "-Iinclude"}),
              ElementsAre("--driver-mode=g++", "-std=c++17", "-I", "include"));
  EXPECT_THAT(wordsForClang(Words{"pgcc", "-mp", "-target=gpu", "-target", "gpu"}), ElementsAre("-fopenmp"));
}

TEST(VendorFlags, WordsOfOneVendorAreNotEveryones) {
  EXPECT_THAT(wordsForClang(Words{"gcc", "-mp", "-c99", "-O1"}),
              ElementsAre("-O1")); // no words of gcc's: -mp is not OpenMP here
  EXPECT_THAT(wordsForClang(Words{"clang", "-target", "x86_64-linux-gnu"}), ElementsAre("--target=x86_64-linux-gnu"));
  EXPECT_THAT(clangWords(Words{"clang", "-O2", "-Wall"}).leftOut, IsEmpty());
}

TEST(VendorFlags, Languages) {
  EXPECT_THAT(wordsForClang(Words{"gcc", "-xc++", "a.c"}), ElementsAre("-x", "c++"));
  EXPECT_THAT(wordsForClang(Words{"gcc", "-x", "c", "a.h"}), ElementsAre("-x", "c"));
  EXPECT_THAT(clangWords(Words{"icx", "-x", "c", "-xAVX2"}).leftOut, ElementsAre("-xAVX2"));
}

TEST(VendorFlags, NamesOfCompilers) {
  for (const char *name : {"g++", "/usr/bin/clang++-19", "icpx", "mpicxx", "/opt/cray/bin/CC", "nvc++", "mpic++",
                           "aarch64-linux-gnu-g++-12", "icpc"})
    EXPECT_TRUE(namesCxx(name)) << name;
  for (const char *name : {"gcc", "clang-19", "icx", "mpicc", "cc", "nvc", "aarch64-linux-gnu-gcc", "mpiicc"})
    EXPECT_FALSE(namesCxx(name)) << name;
  EXPECT_EQ(targetOf("mpicc"), "");
  EXPECT_EQ(targetOf("i686-w64-mingw32-g++-win32"), "i686-w64-mingw32");
}

TEST(VendorFlags, AToolchainOfItsOwn) {
  llvm::SmallString<128> top;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("busfare-cross", top));
  const std::string compiler = (top + "/bin/aarch64-none-linux-gnu-gcc").str();
  EXPECT_THAT(toolchainWords(compiler), IsEmpty());
  ASSERT_FALSE(llvm::sys::fs::create_directories(top + "/lib/gcc/aarch64-none-linux-gnu"));
  ASSERT_FALSE(llvm::sys::fs::create_directories(top + "/aarch64-none-linux-gnu/libc"));
  EXPECT_THAT(wordsForClang(Words{compiler, "-O2"}),
              ElementsAre("--target=aarch64-none-linux-gnu", ("--gcc-toolchain=" + top).str(),
                          ("--sysroot=" + top + "/aarch64-none-linux-gnu/libc").str(), "-O2"));
  EXPECT_THAT(toolchainWords("/usr/bin/aarch64-linux-gnu-gcc"), IsEmpty());
  llvm::sys::fs::remove_directories(top);
}

TEST(VendorFlags, OneNoteForAllUnits) {
  std::vector<Source> sources(3);
  EXPECT_EQ(flagsNote(sources), "");
  sources[1].translated = sources[2].translated = {{"-qopenmp", "-fopenmp"}};
  EXPECT_EQ(flagsNote(sources), "of the build's flags, -qopenmp is read as -fopenmp");
  sources[0].leftOut = {"-xHost", "-ipo"};
  sources[2].leftOut = {"-ipo", "-bad\x1b[2J"};
  EXPECT_EQ(
      flagsNote(sources),
      "flags of the build that are not for Clang are left out: -xHost, -ipo, -bad?[2J; -qopenmp is read as -fopenmp");
}

TEST(ResourceFolder, TheFirstThatHoldsHeaders) {
  llvm::SmallString<128> top;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("busfare-resource", top));
  const std::string empty = (top + "/empty").str(), full = (top + "/full").str();
  ASSERT_FALSE(llvm::sys::fs::create_directories(empty + "/include"));
  ASSERT_FALSE(llvm::sys::fs::create_directories(full + "/include"));
  std::error_code code;
  llvm::raw_fd_ostream(full + "/include/stddef.h", code) << "\n";
  EXPECT_EQ(firstWithHeaders({top, empty, full}), full);
  EXPECT_EQ(firstWithHeaders({top, empty}), "");
  // The tests run where busfare was built.
  EXPECT_EQ(firstWithHeaders({resourceFolder()}), resourceFolder());
  llvm::sys::fs::remove_directories(top);
}

} // namespace
