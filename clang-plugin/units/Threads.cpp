//===- clang-plugin/units/Threads.cpp - Work on threads that may fail ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Threads.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/thread.h"
#include <algorithm>
#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstring>
#include <memory>
#include <thread>

namespace busfare::frontend {

/// Where to go when the thread crashes; null: nowhere.
static thread_local sigjmp_buf *escape = nullptr;

void escapeCrash(int signal) {
  if (sigjmp_buf *to = escape) {
    escape = nullptr;
    siglongjmp(*to, signal);
  }
}

/// On a stack of its own the handler also runs when the thread's is used up.
static std::string guarded(llvm::function_ref<void(size_t)> work, size_t i) {
  constexpr size_t handlerStack = 64 * 1024;
  std::unique_ptr<char[]> memory = std::make_unique<char[]>(handlerStack);
  stack_t stack = {}, none = {};
  stack.ss_sp = memory.get();
  stack.ss_size = handlerStack;
  none.ss_flags = SS_DISABLE;
  sigaltstack(&stack, nullptr);
  sigjmp_buf here;
  std::string failure;
  int signal = sigsetjmp(here, 1);
  if (signal == 0) {
    escape = &here;
    work(i);
    escape = nullptr;
  } else {
    failure = "signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
  }
  sigaltstack(&none, nullptr);
  return failure;
}

std::vector<std::string> forEachOnOwnThread(size_t count, unsigned jobs, llvm::function_ref<void(size_t)> work) {
  constexpr unsigned stackBytes = 512u << 20;
  std::vector<std::string> failures(count);
  std::atomic<size_t> next = 0;
  auto take = [&] {
    for (size_t i; (i = next++) < count;) {
      llvm::thread own(std::optional<unsigned>(stackBytes), [&] { failures[i] = guarded(work, i); });
      own.join();
    }
  };
  std::vector<std::thread> takers;
  for (unsigned k = 1; k < std::min<size_t>(jobs, count); ++k) takers.emplace_back(take);
  take();
  for (std::thread &taker : takers) taker.join();
  return failures;
}

unsigned coreCount() { return std::max(1u, llvm::hardware_concurrency().compute_thread_count()); }

} // namespace busfare::frontend
