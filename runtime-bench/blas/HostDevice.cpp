//===- runtime-bench/blas/HostDevice.cpp - The host as a device -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime-bench/blas/HostDevice.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

namespace busfare::blas {
namespace {

/// A number that no test's result is near, in either precision: 0xff... is NaN.
constexpr int poison = 0xff;

bool isInside(const std::map<const char *, size_t> &blocks, const void *memory) {
  const char *at = static_cast<const char *>(memory);
  auto block = blocks.upper_bound(at);
  return block != blocks.begin() && at < std::prev(block)->first + std::prev(block)->second;
}

void copyColumns(View to, View from, int64_t rows, int64_t columns, size_t elementBytes) {
  for (int64_t j = 0; j < columns; ++j)
    std::memcpy(to.at + j * to.columnStride * int64_t(elementBytes),
                from.at + j * from.columnStride * int64_t(elementBytes), size_t(rows) * elementBytes);
}

} // namespace

HostDevice::HostDevice(const HostBlas &blas, HostDeviceOptions wanted)
    : blas(blas), options(std::move(wanted)), random(options.seed) {
  if (options.threads)
    for (int queue = 0; queue < 3; ++queue) threads.emplace_back(&HostDevice::serve, this, queue);
}

HostDevice::~HostDevice() {
  finish();
  {
    std::lock_guard lock(mutex);
    ends = true;
  }
  changed.notify_all();
  for (std::thread &thread : threads) thread.join();
}

void *HostDevice::allocate(size_t bytes) {
  if (bytes > options.memoryBytes - used) return nullptr;
  // On pages of its own: what is written there is no write to a page of the program's.
  void *memory = mmap(nullptr, std::max<size_t>(bytes, 1), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  std::memset(memory, poison, bytes);
  used += bytes;
  onDevice[static_cast<const char *>(memory)] = bytes;
  return memory;
}

void HostDevice::release(void *memory) {
  auto block = onDevice.find(static_cast<const char *>(memory));
  used -= block->second;
  munmap(memory, std::max<size_t>(block->second, 1));
  onDevice.erase(block);
}

void *HostDevice::allocatePinned(size_t bytes) {
  void *memory = std::malloc(bytes);
  if (memory) pinned[static_cast<const char *>(memory)] = bytes;
  return memory;
}

void HostDevice::releasePinned(void *memory) {
  pinned.erase(static_cast<const char *>(memory));
  std::free(memory);
}

size_t HostDevice::freeBytes() { return options.memoryBytes - used; }

Where HostDevice::whereIs(const void *memory) {
  return isInside(onDevice, memory) ? Where::OnDevice : isInside(pinned, memory) ? Where::Pinned : Where::Pageable;
}

void HostDevice::newCall() {
  finish();
  std::lock_guard lock(mutex);
  done.clear();
  timed.clear();
  status = Status::Ok;
}

void HostDevice::put(Queue queue, Operation operation) {
  {
    std::lock_guard lock(mutex);
    waiting[int(queue)].push_back(std::move(operation));
  }
  changed.notify_all();
}

Event HostDevice::record(Queue queue) {
  Event event;
  {
    std::lock_guard lock(mutex);
    event = Event(done.size());
    done.push_back(false);
  }
  timed.push_back({queue, 0, noEvent, event});
  put(queue, {nullptr, noEvent, event});
  return event;
}

void HostDevice::wait(Queue queue, Event event) {
  timed.push_back({queue, 0, event, noEvent});
  put(queue, {nullptr, event, noEvent});
}

bool HostDevice::isReady(const Operation &operation) const {
  return operation.waits == noEvent || done[size_t(operation.waits)];
}

void HostDevice::runNext(std::unique_lock<std::mutex> &lock, int queue) {
  Operation operation = std::move(waiting[queue].front());
  waiting[queue].pop_front();
  ++busy;
  Status result = Status::Ok;
  if (operation.work && status == Status::Ok) {
    lock.unlock();
    result = operation.work();
    lock.lock();
  }
  --busy;
  if (result != Status::Ok && status == Status::Ok) status = result;
  if (operation.records != noEvent) done[size_t(operation.records)] = true;
  changed.notify_all();
}

void HostDevice::serve(int queue) {
  std::unique_lock lock(mutex);
  while (true) {
    changed.wait(lock, [&] { return ends || (!waiting[queue].empty() && isReady(waiting[queue].front())); });
    if (ends) return;
    runNext(lock, queue);
  }
}

void HostDevice::drain(Event until) {
  std::unique_lock lock(mutex);
  auto isOver = [&] {
    if (until != noEvent) return bool(done[size_t(until)]);
    return busy == 0 && waiting[0].empty() && waiting[1].empty() && waiting[2].empty();
  };
  if (options.threads) return changed.wait(lock, isOver);
  while (!isOver()) {
    std::vector<int> ready;
    for (int queue = 0; queue < 3; ++queue)
      if (!waiting[queue].empty() && isReady(waiting[queue].front())) ready.push_back(queue);
    if (ready.empty()) {
      // Each waits for what never comes: a fault of whoever put them there.
      status = Status::DeviceError;
      for (std::deque<Operation> &queue : waiting) queue.clear();
      return;
    }
    runNext(lock, ready[random() % ready.size()]);
  }
}

void HostDevice::wait(Event event) { drain(event); }

bool HostDevice::isDone(Event event) {
  std::lock_guard lock(mutex);
  return done[size_t(event)];
}

void HostDevice::copyIn(View device, View host, int64_t rows, int64_t columns, size_t elementBytes) {
  const projection::TileLink &link = options.rates.link;
  timed.push_back({Queue::In, link.latencyIn + double(rows * columns) * double(elementBytes) / link.bandwidthIn});
  put(Queue::In, {[=] {
        copyColumns(device, host, rows, columns, elementBytes);
        return Status::Ok;
      }});
}

void HostDevice::copyOut(View host, View device, int64_t rows, int64_t columns, size_t elementBytes) {
  const projection::TileLink &link = options.rates.link;
  timed.push_back({Queue::Out, link.latencyOut + double(rows * columns) * double(elementBytes) / link.bandwidthOut});
  put(Queue::Out, {[=] {
        copyColumns(host, device, rows, columns, elementBytes);
        return Status::Ok;
      }});
}

void HostDevice::run(const TileKernel &kernel) {
  timed.push_back({Queue::Kernels, options.rates.kernel(kernel)});
  put(Queue::Kernels, {[this, kernel] { return blas.run(kernel); }});
}

bool HostDevice::hasFailed() {
  std::lock_guard lock(mutex);
  return status != Status::Ok;
}

Status HostDevice::finish() {
  drain(noEvent);
  std::lock_guard lock(mutex);
  return status;
}

} // namespace busfare::blas
