//===- runtime-bench/blas/Device.h - What tiles are run on ----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A device has a memory of its own and three queues, as CoCoPeLia wants them: copies in,
// kernels, copies out. What is put into a queue runs in order; a queue waits for another
// by an event. Two devices are behind this interface: a GPU (CudaDevice.h), and the host
// itself, on which everything is tested (HostDevice.h).
//
//   device.copyIn(tile, a, rows, columns, 8); Event here = device.record(Queue::In);
//   device.wait(Queue::Kernels, here);        device.run(kernel);
//
// A failed operation is remembered, and all that follow do nothing: finish() says so. This
// keeps callers free of a test behind every line, and is how CUDA itself behaves.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_RUNTIMEBENCH_BLAS_DEVICE_H
#define BUSFARE_RUNTIMEBENCH_BLAS_DEVICE_H

#include "runtime-bench/blas/Call.h"
#include <memory>

namespace busfare::blas {

enum class Queue { In, Kernels, Out };
inline constexpr Queue queues[] = {Queue::In, Queue::Kernels, Queue::Out};

enum class Where { Pageable, Pinned, OnDevice };

/// Of events of the call that runs; newCall makes all of them void.
using Event = int64_t;
inline constexpr Event noEvent = -1;

class Device {
public:
  virtual ~Device() = default;
  virtual std::string name() const = 0;

  /// Null where there is no such memory.
  virtual void *allocate(size_t bytes) = 0;
  virtual void release(void *memory) = 0;
  virtual void *allocatePinned(size_t bytes) = 0;
  virtual void releasePinned(void *memory) = 0;
  virtual size_t freeBytes() = 0;
  virtual Where whereIs(const void *memory) = 0;

  /// Forgets events and errors. What the caller gave to the device before is waited for by what follows.
  virtual void newCall() = 0;
  virtual Event record(Queue queue) = 0;
  virtual void wait(Queue queue, Event event) = 0;
  /// Of the host.
  virtual void wait(Event event) = 0;
  virtual bool isDone(Event event) = 0;

  /// Between host memory that is pinned and the device's, a block whose columns are contiguous.
  virtual void copyIn(View device, View host, int64_t rows, int64_t columns, size_t elementBytes) = 0;
  virtual void copyOut(View host, View device, int64_t rows, int64_t columns, size_t elementBytes) = 0;
  virtual void run(const TileKernel &kernel) = 0;
  /// Something failed since newCall.
  virtual bool hasFailed() = 0;
  /// Waits for all queues, and ends the call that newCall began.
  virtual Status finish() = 0;
};

/// What came of a call. tile: side or width of what ran, smaller than asked for where memory is short; 0 if nothing
/// did.
struct Ran {
  Status status = Status::Ok;
  int64_t tile = 0;
  size_t bytesIn = 0, bytesOut = 0;
  size_t kernels = 0;
};

/// Where the call's operands lie, in their order.
inline std::vector<Where> placesOf(const Call &call, Device &device) {
  std::vector<Where> places;
  for (const Operand &operand : call.operands) places.push_back(device.whereIs(operand.view.at));
  return places;
}

} // namespace busfare::blas

#endif
