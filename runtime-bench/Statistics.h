//===- runtime-bench/Statistics.h - What repeated timings say -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// {3, 1, 2, 10} -> min 1, mean 4, median 2.5, stddev 4.08 (of a sample: n - 1).
//
// The minimum is what the hardware can do, the median what a program should
// expect; a mean far above the median says that something disturbed a few runs.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BENCH_STATISTICS_H
#define BUSFARE_BENCH_STATISTICS_H

#include <algorithm>
#include <cmath>
#include <vector>

struct Statistics {
  double min = 0, mean = 0, median = 0;
  double stddev = 0; ///< 0 for a single value.
};

/// All zero if there are no values.
inline Statistics summarise(std::vector<double> values) {
  Statistics s;
  if (values.empty()) return s;
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  s.min = values.front();
  s.median = n % 2 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
  for (double value : values) s.mean += value / n;
  for (double value : values) s.stddev += (value - s.mean) * (value - s.mean);
  s.stddev = n > 1 ? std::sqrt(s.stddev / (n - 1)) : 0;
  return s;
}

#endif
