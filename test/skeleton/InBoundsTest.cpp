//===- test/skeleton/InBoundsTest.cpp -------------------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "skeleton/InBounds.h"
#include "skeleton/Parse.h"
#include "gmock/gmock.h"

namespace busfare::skeleton {
namespace {

std::string refusalOf(const std::string &body) {
  llvm::Expected<Program> program =
      parse("skeleton 1\nfunction f(param n, array x) {\n  array x : f64[n] parameter\n  array y : f64[100] local\n" +
                body + "}\n",
            "f.skel");
  if (!program) return "not a skeleton: " + llvm::toString(program.takeError());
  llvm::Error error = refuseOutOfBounds(*program);
  return error ? llvm::toString(std::move(error)) : "";
}

TEST(InBounds, WhatIsSurelyOutsideIsRefused) {
  EXPECT_THAT(refusalOf("for i = 0 .. 199 { write y[i] }\n"),
              testing::HasSubstr("a subscript of 'y' reaches 199, and its elements end at 99"));
  EXPECT_THAT(refusalOf("for i = 0 .. n { read x[i] }\n"),
              testing::HasSubstr("a subscript of 'x' reaches n, and its elements end at n - 1"));
  EXPECT_THAT(refusalOf("for i = 0 .. n - 1 { read x[i - 1] }\n"),
              testing::HasSubstr("reaches -1, and its elements begin at 0"));
  EXPECT_THAT(refusalOf("for i = 0 .. 9 { for j = 0 .. 9 { read y[10*i + j + 1] } }\n"),
              testing::HasSubstr("reaches 100"));
}

TEST(InBounds, WhatMayBeInsideIsNot) {
  EXPECT_EQ(refusalOf("for i = 0 .. n - 1 { read x[i] }\n"), "");
  EXPECT_EQ(refusalOf("for i = 0 .. 99 { write y[99 - i] }\n"), "");
  EXPECT_EQ(refusalOf("for i = 200 .. 199 { write y[i] }\n"), "") << "no iteration";
  EXPECT_EQ(refusalOf("for i = 0 .. 199 { if 99 - i >= 0 { write y[i] } }\n"), "") << "under a condition";
  EXPECT_EQ(refusalOf("for i = 0 .. n - 1 { write y[i] }\n"), "") << "of a size that is open";
}

} // namespace
} // namespace busfare::skeleton
