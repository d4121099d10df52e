//===- runtime-bench/blas/Workers.cpp - Threads that copy on the host -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime-bench/blas/Workers.h"
#include <algorithm>

namespace busfare::blas {

unsigned Workers::usual() { return std::clamp(std::thread::hardware_concurrency(), 1U, 16U); }

Workers::Workers(unsigned wanted) : count(wanted ? wanted : usual()) {}

Workers::~Workers() {
  {
    std::lock_guard lock(mutex);
    ends = true;
  }
  started.notify_all();
  for (std::thread &thread : threads) thread.join();
}

void Workers::part(unsigned number) { (*work)(length *number / count, length * (number + 1) / count); }

/// Looks for about a tenth of a millisecond.
template <class Condition> static bool soon(Condition condition) {
  for (int i = 0; i < 20000; ++i) {
    if (condition()) return true;
    if (i % 1000 == 999) std::this_thread::yield();
  }
  return false;
}

void Workers::serve(unsigned number) {
  uint64_t seen = 0;
  while (true) {
    if (!soon([&] { return ends || round != seen; })) {
      std::unique_lock lock(mutex);
      started.wait(lock, [&] { return ends || round != seen; });
    }
    if (ends) return;
    seen = round;
    part(number);
    if (--busy == 0) {
      // Under the lock, lest it comes between the look and the sleep of who waits.
      std::lock_guard lock(mutex);
      done.notify_one();
    }
  }
}

void Workers::run(int64_t wantedLength, const std::function<void(int64_t, int64_t)> &wantedWork) {
  if (count == 1 || wantedLength < int64_t(count)) return wantedWork(0, wantedLength);
  while (threads.size() + 1 < count) threads.emplace_back(&Workers::serve, this, unsigned(threads.size() + 1));
  {
    std::lock_guard lock(mutex);
    work = &wantedWork;
    length = wantedLength;
    busy = count - 1;
    ++round;
  }
  started.notify_all();
  part(0);
  if (soon([&] { return busy == 0; })) return;
  std::unique_lock lock(mutex);
  done.wait(lock, [&] { return busy == 0; });
}

} // namespace busfare::blas
