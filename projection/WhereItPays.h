//===- projection/WhereItPays.h - Stretches of a size that pay off --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where a gain is above 0 as one size varies, which may be in between:
//
//   gain < 0 up to n = 10,108 (start-up), > 0 up to 19,358 (in the host's cache), then < 0
//   ->  {[10109, 19358]}
//
// Sizes are looked at in steps from today's, both ways; between two that differ in sign the
// end is found by halving. Around an end that is not sharp (the last wave of thread blocks
// comes and goes) what pays within 5 % outside belongs to it: it is an end about there.
// A stretch that begins and ends between two steps is not seen.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_WHEREITPAYS_H
#define BUSFARE_PROJECTION_WHEREITPAYS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <vector>

namespace busfare::projection {

/// From and to, both of which pay; nothing: to the end of what was looked at.
struct Stretch {
  std::optional<double> from, to;
  bool isAbout = false; ///< Something in it, near an end or in the middle, does not pay: less than 5 % of it at a time.
};
using Stretches = std::vector<Stretch>;

inline constexpr int looksAround = 6;

struct SizeRange {
  double today = 1, least = 1, most = 1;
  double step = 2; ///< Factor from one size looked at to the next.
  bool isWhole = false; ///< Whole numbers: ends are exact.
  int looks = looksAround; ///< Sizes that are looked at within 5 % of an end, either way; 0: prices take too long.
};

/// In order; those with less than 5 % between them joined, the first four. gain: nothing beyond what can be had (it
/// does not fit), which is an end like that of the range.
Stretches whereItPays(const SizeRange &range, llvm::function_ref<std::optional<double>(double size)> gain);

/// The end that is nearest to today's size, as a ratio.
std::optional<double> nearestEnd(llvm::ArrayRef<Stretch> stretches, double today);

} // namespace busfare::projection

#endif
