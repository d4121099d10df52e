//===- runtime-bench/blas/Workers.h - Threads that copy on the host -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One core copies 5 to 10 GB/s, a PCIe 5 link takes 55: packing pageable memory for it
// takes several. The threads start with the first use and wait between uses.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_RUNTIMEBENCH_BLAS_WORKERS_H
#define BUSFARE_RUNTIMEBENCH_BLAS_WORKERS_H

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace busfare::blas {

class Workers {
public:
  /// count: threads, the caller's among them; 0: half of the processors, at most 8.
  explicit Workers(unsigned count = 0);
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
  uint64_t round = 0;
  unsigned busy = 0;
  bool ends = false;
};

} // namespace busfare::blas

#endif
