//===- runtime-bench/blas/VirtualClock.h - What queues would take ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Plays what was put into the queues of a device: an operation starts when the one before
// it in its queue is over and all events are there that it waits for. While copies go both
// ways each takes its slowdown times as long (CoCoPeLia, equation 3).
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_RUNTIMEBENCH_BLAS_VIRTUALCLOCK_H
#define BUSFARE_RUNTIMEBENCH_BLAS_VIRTUALCLOCK_H

#include "projection/Blas.h"
#include "runtime-bench/blas/Device.h"
#include <functional>

namespace busfare::blas {

struct ClockRates {
  projection::TileLink link{1e-6, 1e10, 1, 1e-6, 1e10, 1};
  /// s of a kernel.
  std::function<double(const TileKernel &)> kernel = [](const TileKernel &) { return 1e-6; };
};

struct TimedOperation {
  Queue queue = Queue::In;
  double seconds = 0; ///< Alone; 0 for waits and records.
  Event waits = noEvent, records = noEvent;
};

double play(const std::vector<TimedOperation> &operations, const ClockRates &rates);

} // namespace busfare::blas

#endif
