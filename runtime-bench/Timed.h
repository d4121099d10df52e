//===- runtime-bench/Timed.h - How a repeated piece of work is timed ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// timed(30, [&] { copy(); wait(); }): thirty times in seconds, by the host's clock.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BENCH_TIMED_H
#define BUSFARE_BENCH_TIMED_H

#include <chrono>
#include <vector>

/// Seconds of each of `repeats` runs of work, after one that does not count.
template <class Work> std::vector<double> timed(int repeats, Work work) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> seconds;
  work();
  for (int r = 0; r < repeats; r++) {
    const Clock::time_point start = Clock::now();
    work();
    seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }
  return seconds;
}

#endif
