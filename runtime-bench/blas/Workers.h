//===- runtime-bench/blas/Workers.h - Threads that copy on the host -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One core copies 5 to 10 GB/s, a PCIe 5 link takes 55: packing pageable memory for it
// takes several. The threads start with the first use. Between pieces of one call they look
// for work for a while before they sleep: waking them takes as long as copying a megabyte.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_RUNTIMEBENCH_BLAS_WORKERS_H
#define BUSFARE_RUNTIMEBENCH_BLAS_WORKERS_H

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace busfare::blas {

class Workers {
public:
  /// count: threads, the caller's among them; 0: usual().
  explicit Workers(unsigned count = 0);
  /// As many as there are processors, at most 16: on an H200 beside 16 cores 8 threads pack 39 GB/s, 16 pack 50.
  static unsigned usual();
  unsigned threadCount() const { return count; }
  ~Workers();
  /// work(first, last) for parts of [0, length) on all threads; comes back when all are done.
  void run(int64_t length, const std::function<void(int64_t, int64_t)> &work);

private:
  void serve(unsigned number);
  void part(unsigned number);
  unsigned count;
  std::vector<std::thread> threads;
  std::mutex mutex;
  std::condition_variable started, done;
  const std::function<void(int64_t, int64_t)> *work = nullptr;
  int64_t length = 0;
  std::atomic<uint64_t> round = 0;
  std::atomic<unsigned> busy = 0;
  std::atomic<bool> ends = false;
};

} // namespace busfare::blas

#endif
