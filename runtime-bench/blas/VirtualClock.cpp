//===- runtime-bench/blas/VirtualClock.cpp - What queues would take -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime-bench/blas/VirtualClock.h"
#include <algorithm>
#include <cmath>

namespace busfare::blas {

double play(const std::vector<TimedOperation> &operations, const ClockRates &rates) {
  std::vector<const TimedOperation *> queued[3];
  Event most = noEvent;
  for (const TimedOperation &operation : operations) {
    queued[int(operation.queue)].push_back(&operation);
    most = std::max(most, operation.records);
  }
  std::vector<bool> done(size_t(most + 1));
  size_t next[3] = {0, 0, 0};
  double now = 0, left[3] = {0, 0, 0};
  auto startAll = [&] {
    for (bool moved = true; moved;) {
      moved = false;
      for (int q = 0; q < 3; ++q)
        while (left[q] == 0 && next[q] < queued[q].size()) {
          const TimedOperation &operation = *queued[q][next[q]];
          if (operation.waits != noEvent && !done[size_t(operation.waits)]) break;
          if (operation.records != noEvent) done[size_t(operation.records)] = true;
          ++next[q];
          left[q] = operation.seconds;
          moved = true;
        }
    }
  };
  while (true) {
    startAll();
    const bool both = left[int(Queue::In)] > 0 && left[int(Queue::Out)] > 0;
    const double slow[3] = {both ? rates.link.slowdownIn : 1, 1, both ? rates.link.slowdownOut : 1};
    double step = INFINITY;
    for (int q = 0; q < 3; ++q)
      if (left[q] > 0) step = std::min(step, left[q] * slow[q]);
    if (step == INFINITY) return now;
    now += step;
    // What ends within the rounding of the step ends with it.
    for (int q = 0; q < 3; ++q) left[q] = left[q] * slow[q] <= step * (1 + 1e-12) ? 0 : left[q] - step / slow[q];
  }
}

} // namespace busfare::blas
