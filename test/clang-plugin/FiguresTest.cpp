//===- test/clang-plugin/FiguresTest.cpp - Numbers with units -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/cli/Figures.h"
#include "gtest/gtest.h"

using namespace busfare::frontend;

namespace {

TEST(Figures, EveryUnitOfBytes) {
  const std::pair<const char *, double> units[] = {{"", 1},
                                                   {"B", 1},
                                                   {"kB", 1e3},
                                                   {"MB", 1e6},
                                                   {"GB", 1e9},
                                                   {"TB", 1e12},
                                                   {"KiB", 1024},
                                                   {"MiB", 1024.0 * 1024},
                                                   {"GiB", 1024.0 * 1024 * 1024},
                                                   {"TiB", 1024.0 * 1024 * 1024 * 1024},
                                                   {"k", 1e3},
                                                   {"K", 1e3},
                                                   {"M", 1e6},
                                                   {"G", 1e9},
                                                   {"T", 1e12},
                                                   {"Ki", 1024},
                                                   {"Mi", 1024.0 * 1024},
                                                   {"Gi", 1024.0 * 1024 * 1024},
                                                   {"Ti", 1024.0 * 1024 * 1024 * 1024}};
  for (auto [unit, size] : units)
    for (const char *space : {"", " "})
      EXPECT_EQ(llvm::cantFail(parseBytes("--bytes", "3" + std::string(space) + unit)), 3 * size) << unit;
  EXPECT_EQ(llvm::cantFail(parseBytes("--bytes", "1.5 KiB")), 1536);
  EXPECT_EQ(llvm::cantFail(parseBytes("--bytes", "1e6")), 1e6);
  // Bits, other letters, parts of a byte.
  for (const char *text : {"1 kb", "1 KB", "1 mB", "1 ki", "1 Kib", "1.5", "-1", "", "B", "1 EB", "nan", "inf"}) {
    llvm::Expected<double> value = parseBytes("--bytes", text);
    EXPECT_FALSE(bool(value)) << text;
    llvm::consumeError(value.takeError());
  }
}

TEST(Figures, WholeNumbersHaveUnits) {
  const std::pair<const char *, int64_t> units[] = {{"", 1},           {"k", 1000},    {"K", 1000},
                                                    {"Ki", 1024},      {"M", 1000000}, {"Mi", 1 << 20},
                                                    {"G", 1000000000}, {"Gi", 1 << 30}};
  for (auto [unit, size] : units) EXPECT_EQ(parseWhole(std::string("3") + unit), 3 * size) << unit;
  EXPECT_EQ(parseWhole("-5"), -5);
  for (const char *text : {"", "K", "1.5", "1 K", "1KiB", "9223372036854775807K", "n"})
    EXPECT_FALSE(parseWhole(text)) << text;
}

TEST(Figures, EveryUnitOfTime) {
  auto seconds = [](const std::string &text) {
    Options options;
    options.figures = {{"--kernel", text}};
    llvm::Expected<std::optional<double>> value = secondsOf(options, "--kernel");
    if (value) return **value;
    llvm::consumeError(value.takeError());
    return -1.0;
  };
  const std::pair<const char *, double> units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
  for (auto [unit, size] : units) EXPECT_DOUBLE_EQ(seconds("20" + std::string(unit)), 20 * size) << unit;
  EXPECT_DOUBLE_EQ(seconds("2e-6"), 2e-6);
  for (const char *text : {"20 m", "1 S", "1 min", "-1 s"}) EXPECT_EQ(seconds(text), -1) << text;
}

} // namespace
