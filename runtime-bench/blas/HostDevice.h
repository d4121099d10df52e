//===- runtime-bench/blas/HostDevice.h - The host as a device -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A device without a GPU: memory of its own, three queues, kernels by the host's BLAS. The
// queues run either as three threads, or in one of the orders that the events allow, drawn
// by a seed: what a missing wait lets go wrong goes wrong there. Memory is poisoned when it
// is allocated, so that an element that did not come in is seen.
//
// Beside what it does there is what it would take: a virtual clock plays the queues of a call
// with the times of a link and a kernel (VirtualClock.h).
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_RUNTIMEBENCH_BLAS_HOSTDEVICE_H
#define BUSFARE_RUNTIMEBENCH_BLAS_HOSTDEVICE_H

#include "runtime-bench/blas/Device.h"
#include "runtime-bench/blas/HostBlas.h"
#include "runtime-bench/blas/VirtualClock.h"
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <random>
#include <thread>

namespace busfare::blas {

struct HostDeviceOptions {
  bool threads = false; ///< A thread for each queue; else an order drawn by the seed.
  unsigned seed = 1;
  size_t memoryBytes = SIZE_MAX; ///< Of the device.
  ClockRates rates;
};

class HostDevice : public Device {
public:
  HostDevice(const HostBlas &blas, HostDeviceOptions options);
  ~HostDevice() override;
  std::string name() const override { return "host"; }
  void *allocate(size_t bytes) override;
  void release(void *memory) override;
  void *allocatePinned(size_t bytes) override;
  void releasePinned(void *memory) override;
  size_t freeBytes() override;
  Where whereIs(const void *memory) override;
  void newCall() override;
  Event record(Queue queue) override;
  void wait(Queue queue, Event event) override;
  void wait(Event event) override;
  bool isDone(Event event) override;
  void copyIn(View device, View host, int64_t rows, int64_t columns, size_t elementBytes) override;
  void copyOut(View host, View device, int64_t rows, int64_t columns, size_t elementBytes) override;
  void run(const TileKernel &kernel) override;
  bool hasFailed() override;
  Status finish() override;

  /// s that the last call would have taken.
  double virtualTime() const { return play(timed, options.rates); }
  /// Of memory that is allocated.
  size_t allocatedBytes() const { return used; }

private:
  struct Operation {
    std::function<Status()> work; ///< None: a wait or a record.
    Event waits = noEvent, records = noEvent;
  };
  void put(Queue queue, Operation operation);
  bool isReady(const Operation &operation) const;
  void runNext(std::unique_lock<std::mutex> &lock, int queue);
  /// Runs operations until the event is done (noEvent: until there are none).
  void drain(Event until);
  void serve(int queue);

  const HostBlas &blas;
  HostDeviceOptions options;
  std::minstd_rand random;
  std::map<const char *, size_t> onDevice, pinned;
  size_t used = 0;
  std::deque<Operation> waiting[3];
  unsigned busy = 0;      ///< Queues whose thread is at work.
  std::vector<bool> done; ///< By event.
  Status status = Status::Ok;
  std::vector<TimedOperation> timed;
  mutable std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::thread> threads;
  bool ends = false;
};

} // namespace busfare::blas

#endif
