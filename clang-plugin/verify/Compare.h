//===- clang-plugin/verify/Compare.h - Is this the same output? ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Compares what two runs printed, token by token. A token is a number, or what stands
// between numbers and white space; white space only separates.
//
//   sum=0.1234567 in 12 steps        tokens: "sum=" 0.1234567 "in" 12 "steps"
//
// Text and whole numbers must be equal. Floating-point numbers (with a point, an
// exponent, inf or nan) must agree within a relative tolerance R (and R/100,000
// absolutely, for sums that cancel), or to one unit of the last place printed if five
// digits or more are: 0.123457 and 0.123456 may be one value on either side of a
// rounding; 0.5 and 0.6 are not. Two nan are equal, whatever their sign.
//
// Programs linked with runtime-bench/digits print, behind a number, its value between two
// bytes 0x1f. Then 18.08 and 18.09 are one value if 18.085 and 18.0849999 are.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_VERIFY_COMPARE_H
#define BUSFARE_CLANG_PLUGIN_VERIFY_COMPARE_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace busfare::frontend::verify {

inline constexpr double defaultTolerance = 1e-9;

struct Token {
  llvm::StringRef text;
  unsigned line = 1;
  bool isNumber = false, isFloat = false;
  double value = 0;
  double lastPlace = 0; ///< One unit of the last digit printed.
  std::optional<double> exact; ///< With all its digits, where the program was made to tell.
};
std::vector<Token> tokensOf(llvm::StringRef text);

/// An output to compare with, and by how much each of its tokens may differ beyond the tolerance.
struct Reference {
  std::string text;
  std::vector<double> slack; ///< By token, in what its numbers are; infinite: it is not compared. Empty = none.
  /// Tokens that are not compared at all, and those that are compared with some slack.
  size_t leftOut() const;
  size_t loosened() const;
};

struct Comparison {
  bool same = true;
  std::string difference; ///< "line 3: 0.5, expected 0.25 (token 7)"
};
Comparison compare(const Reference &expected, llvm::StringRef actual, double tolerance);

/// Numbers that the program prints otherwise when it rounds the other way, as `other` shows, may differ by some times
/// that much; of numbers with all their digits also those that differ only relatively (1e-16 and 3e-16). Other words
/// that differ are left out. False: not even the number of tokens is the same, and nothing changes.
bool loosen(Reference &reference, llvm::StringRef other, double tolerance);

/// Where half of the floating-point numbers or more have some slack, that the others show none is chance: they get as
/// much, relatively, as the middle one has.
void evenOut(Reference &reference);

/// What another run of the same program prints otherwise (times) is compared no more. False: not even the number of
/// tokens is the same, and nothing changes.
bool leaveOut(Reference &reference, llvm::StringRef other, double tolerance);

} // namespace busfare::frontend::verify

#endif
