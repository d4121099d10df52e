//===- test/verify/CompareTest.cpp - Is this the same output? -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/verify/Compare.h"
#include <gtest/gtest.h>

using namespace busfare::frontend::verify;

static bool same(const char *expected, const char *actual, double tolerance = 1e-9) {
  return compare({expected, {}}, actual, tolerance).same;
}

TEST(Compare, Tokens) {
  std::vector<std::string> texts;
  std::string numbers;
  for (const Token &token : tokensOf("sum=-0.5e-3,(12) v2 0x1f\n3rd 1. .5 -nan inf info x-1 1e+ +7")) {
    texts.push_back(token.text.str());
    numbers += token.isFloat ? 'f' : token.isNumber ? 'i' : 't';
  }
  std::vector<std::string> expected = {"sum=", "-0.5e-3", ",(",  "12",   ")", "v2", "0x1f", "3rd", "1.",
                                       ".5",   "-nan",    "inf", "info", "x", "-1", "1e+",  "+7"};
  EXPECT_EQ(texts, expected);
  EXPECT_EQ(numbers, "tftittttffffttiti");
}

TEST(Compare, WholeNumbersAndTextAreExact) {
  EXPECT_TRUE(same("n = 3\nok", "n =   3 ok\n"));
  EXPECT_FALSE(same("n = 3", "n = 4"));
  EXPECT_FALSE(same("123456789012", "123456789013"));
  EXPECT_FALSE(same("ok", "Ok"));
  EXPECT_FALSE(same("x3", "x4"));
}

TEST(Compare, FloatsWithinTheToleranceOrTheLastPlace) {
  EXPECT_TRUE(same("1.0000000000", "1.0000000005"));
  EXPECT_FALSE(same("1.0000000000", "1.0000000025"));
  EXPECT_TRUE(same("1.0000000000", "1.0000000025", 1e-8));
  EXPECT_TRUE(same("0.123457", "0.123456"));
  EXPECT_FALSE(same("0.123457", "0.123455"));
  EXPECT_TRUE(same("1.50000e+10", "1.50001e+10")) << "one unit of the last place";
  EXPECT_FALSE(same("1.50000e+10", "1.50002e+10"));
  EXPECT_FALSE(same("1.5e+10", "1.6e+10")) << "perhaps %g of 1.50000e+10";
  EXPECT_FALSE(same("0", "0.0782709960937"));
  EXPECT_FALSE(same("249966", "249966.417649"));
  EXPECT_TRUE(same("999999", "1e+06")) << "%g on either side of 999999.5";
  EXPECT_TRUE(same("9.99999", "10"));
  EXPECT_TRUE(same("3e-17", "0")) << "a sum that cancels";
  EXPECT_FALSE(same("3e-12", "0"));
  EXPECT_TRUE(same("3", "3.0000000001")) << "%g may print a whole number";
  EXPECT_FALSE(same("2.0", "nan"));
  EXPECT_TRUE(same("-nan", "nan"));
  EXPECT_TRUE(same("inf", "inf"));
  EXPECT_FALSE(same("inf", "-inf"));
  EXPECT_FALSE(same("inf", "1e308"));
  EXPECT_FALSE(same("1.0", "2.8e301"));
}

TEST(Compare, AllDigitsTellARoundingFromADifference) {
  EXPECT_TRUE(same("18.09\x1f"
                   "18.085000000000001\x1f m",
                   "18.08\x1f"
                   "18.084999999999997\x1f m"));
  EXPECT_FALSE(same("18.09\x1f"
                    "18.089\x1f m",
                    "18.08\x1f"
                    "18.081\x1f m"));
  EXPECT_FALSE(same("18.09 m", "18.08 m"));
  EXPECT_TRUE(same("18.09\x1f"
                   "18.0901\x1f",
                   "18.09\x1f"
                   "18.0899\x1f"))
      << "what the program prints is the same";
  // Behind a word the value says nothing.
  EXPECT_TRUE(same("v1.50\x1f"
                   "1.5\x1f",
                   "v1.50\x1f"
                   "1.4999\x1f"));
  EXPECT_FALSE(same("v1.50\x1f"
                    "1.5\x1f x",
                    "v1.50\x1f"
                    "1.5\x1f y"));
}

TEST(Compare, SaysWhereAndWhat) {
  EXPECT_EQ(compare({"a 1\nb 2.5", {}}, "a 1\nb 2.75", 1e-9).difference, "line 2: 2.75, expected 2.5");
  EXPECT_EQ(compare({"a 1\nb", {}}, "a 1", 1e-9).difference, "ends before b of line 2");
  EXPECT_EQ(compare({"a", {}}, "a\nb", 1e-9).difference, "line 2: b, where nothing is expected");
}

TEST(Compare, WhatVariesIsLeftOut) {
  Reference reference;
  reference.text = "time 0.123 sum 5";
  ASSERT_TRUE(leaveOut(reference, "time 0.456 sum 5", 1e-9));
  EXPECT_TRUE(compare(reference, "time 9.999 sum 5", 1e-9).same);
  EXPECT_FALSE(compare(reference, "time 0.123 sum 6", 1e-9).same);
  EXPECT_FALSE(leaveOut(reference, "one", 1e-9));
}

TEST(Compare, WhereMostNumbersHaveSlackAllHave) {
  Reference reference{"1.00000 2.00000 4.00000 7", {1e-3, 0, 4e-3, 0}};
  EXPECT_FALSE(compare(reference, "1.00000 2.00100 4.00000 7", 1e-9).same);
  evenOut(reference);
  EXPECT_TRUE(compare(reference, "1.00000 2.00100 4.00000 7", 1e-9).same);
  EXPECT_FALSE(compare(reference, "1.00000 2.01000 4.00000 7", 1e-9).same);
  EXPECT_FALSE(compare(reference, "1.00000 2.00000 4.00000 8", 1e-9).same) << "whole numbers have none";
  Reference few{"1.00000 2.00000 4.00000", {1e-3, 0, 0}};
  evenOut(few);
  EXPECT_EQ(few.slack[1], 0);
}

TEST(Compare, WhatIsNoNumberInEachRunIsCompared) {
  Reference reference{"a nan\x1fnan\x1f", {}};
  ASSERT_TRUE(leaveOut(reference, "a nan\x1fnan\x1f", 1e-9));
  EXPECT_EQ(reference.leftOut(), 0u);
  EXPECT_FALSE(compare(reference,
                       "a 0.09\x1f"
                       "0.09\x1f",
                       1e-9)
                   .same);
}

TEST(Compare, WhatRoundsOtherwiseMayDifferSomeTimesAsMuch) {
  auto printed = [](const char *exact) {
    return std::string("norm 0.00\x1f") + exact +
           "\x1f of 2.00\x1f"
           "2.0\x1f";
  };
  Reference reference{printed("1e-16"), {}};
  EXPECT_FALSE(compare(reference, "norm nan of 2.00", 1e-9).same);
  ASSERT_TRUE(loosen(reference, printed("1.0000000001e-16"), 1e-9));
  EXPECT_FALSE(compare(reference, "norm nan of 2.00", 1e-9).same) << "its digits are its own";
  ASSERT_TRUE(loosen(reference, printed("3e-16"), 1e-9));
  EXPECT_TRUE(compare(reference, "norm nan of 2.00", 1e-9).same);
  EXPECT_TRUE(compare(reference, printed("2e-15"), 1e-9).same);
  EXPECT_FALSE(compare(reference,
                       "norm 0.04\x1f"
                       "0.04\x1f of 2.00\x1f"
                       "2.0\x1f",
                       1e-9)
                   .same)
      << "as much as that it never differs";
  EXPECT_FALSE(compare(reference, "norm nan of 2.01", 1e-9).same);
  EXPECT_FALSE(loosen(reference, "norm", 1e-9));
  // A whole sum that %g prints without a point.
  Reference sum{"697228\x1f"
                "697228.0\x1f",
                {}};
  ASSERT_TRUE(loosen(sum,
                     "697227\x1f"
                     "697227.9999999\x1f",
                     1e-9));
  EXPECT_TRUE(compare(sum,
                      "697227\x1f"
                      "697227.9999998\x1f",
                      1e-9)
                  .same);
  EXPECT_FALSE(compare(sum,
                       "697220\x1f"
                       "697220.0\x1f",
                       1e-9)
                   .same);
  EXPECT_EQ(sum.loosened(), 1u);
  EXPECT_EQ(sum.leftOut(), 0u);
}
