//===- test/clang-plugin/RehearsedLibraryTest.cpp -------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/rehearsal/RehearsedLibrary.h"
#include "gtest/gtest.h"

using namespace busfare::frontend;

namespace {

int64_t integerOf(llvm::StringRef name, std::vector<Rehearsed> arguments) {
  const Rehearsed value = callOfLibrary(name, arguments);
  EXPECT_EQ(value.kind, Rehearsed::Kind::Integer) << name.str();
  return value.integer;
}

TEST(RehearsedLibrary, NumbersInTexts) {
  EXPECT_EQ(integerOf("atoi", {rehearsedText(" 12x")}), 12);
  EXPECT_EQ(integerOf("strtol", {rehearsedText("ff"), rehearsedInteger(0), rehearsedInteger(16)}), 255);
  EXPECT_EQ(callOfLibrary("strtod", {rehearsedText("1e-3"), rehearsedInteger(0)}).real, 1e-3);
  EXPECT_FALSE(callOfLibrary("atoi", {Rehearsed()}).isKnown());
  EXPECT_FALSE(callOfLibrary("getenv", {rehearsedText("N")}).isKnown());
}

TEST(RehearsedLibrary, ComparesFromWhereAPointerIs) {
  Rehearsed inside = rehearsedText("--size=5");
  inside.integer = 7;
  EXPECT_EQ(integerOf("atoi", {inside}), 5);
  EXPECT_EQ(integerOf("strcmp", {rehearsedText("-n"), rehearsedText("-n")}), 0);
  EXPECT_EQ(integerOf("strncmp", {rehearsedText("-nx"), rehearsedText("-ny"), rehearsedInteger(2)}), 0);
  EXPECT_NE(integerOf("strcmp", {rehearsedText("-n"), rehearsedText("-N")}), 0);
  EXPECT_EQ(integerOf("strcasecmp", {rehearsedText("-n"), rehearsedText("-N")}), 0);
}

TEST(RehearsedLibrary, Scans) {
  auto found = scanned("8 x 4.5", "%d x %lf");
  ASSERT_TRUE(found && found->size() == 2);
  EXPECT_EQ((*found)[0].integer, 8);
  EXPECT_EQ((*found)[1].real, 4.5);
  EXPECT_EQ(scanned("8,", "%d,%d")->size(), 1u);
  EXPECT_FALSE(scanned("a", "%s"));
}

TEST(RehearsedLibrary, Options) {
  const std::vector<std::string> words{"p", "file", "-vn", "12", "-x5", "--steps=7", "--", "-z"};
  OptionScan scan;
  std::string longName;
  EXPECT_EQ(scan.next(words, "vn:x:", {{"steps", true}}, longName), 'v');
  EXPECT_EQ(scan.next(words, "vn:x:", {{"steps", true}}, longName), 'n');
  EXPECT_EQ(scan.argument, "12");
  EXPECT_EQ(scan.next(words, "vn:x:", {{"steps", true}}, longName), 'x');
  EXPECT_EQ(scan.argument, "5");
  EXPECT_EQ(scan.next(words, "vn:x:", {{"steps", true}}, longName), 0);
  EXPECT_EQ(longName, "steps");
  EXPECT_EQ(scan.argument, "7");
  EXPECT_EQ(scan.next(words, "vn:x:", {{"steps", true}}, longName), -1);
  OptionScan other;
  EXPECT_EQ(other.next({"p", "-q"}, "v", {}, longName), '?');
}

} // namespace
