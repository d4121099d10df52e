//===- clang-plugin/units/Threads.cpp - Work on threads that may fail ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Threads.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/thread.h"
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstring>
#include <ctime>
#include <memory>
#include <pthread.h>
#include <semaphore.h>
#include <thread>
#include <unistd.h>

namespace busfare::frontend {

/// Where to go when the thread crashes; null: nowhere.
static thread_local sigjmp_buf *escape = nullptr;

static constexpr size_t handlerStack = 64 * 1024;
static constexpr unsigned deepStack = 512u << 20;

void escapeCrash(int signal) {
  if (sigjmp_buf *to = escape) {
    escape = nullptr;
    siglongjmp(*to, signal);
  }
}

//===--- Each on a thread of its own ------------------------------------===//

/// On a stack of its own the handler also runs when the thread's is used up.
static std::string guarded(llvm::function_ref<void(size_t)> work, size_t i) {
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
  std::vector<std::string> failures(count);
  std::atomic<size_t> next = 0;
  auto take = [&] {
    for (size_t i; (i = next++) < count;) {
      llvm::thread own(std::optional<unsigned>(deepStack), [&] { failures[i] = guarded(work, i); });
      own.join();
    }
  };
  std::vector<std::thread> takers;
  for (unsigned k = 1; k < std::min<size_t>(jobs, count); ++k) takers.emplace_back(take);
  take();
  for (std::thread &taker : takers) taker.join();
  return failures;
}

//===--- Apart ----------------------------------------------------------===//

namespace {

/// Where that thread and who waits for it meet. It is never freed: the thread may stand in it.
struct Meeting {
  sem_t isOver = {};
  std::atomic<Ending> ending = Ending::Done;
  char stackOfHandlers[handlerStack];
};

/// What the process does about a signal, while it is ours.
struct Taken {
  int signal;
  struct sigaction before;
};

} // namespace

static thread_local Meeting *meeting = nullptr;
static constexpr int signalOfLateness = SIGURG; ///< Of no use to a compiler, and ignored if nobody asks for it.
static Taken taken[] = {{SIGSEGV, {}}, {SIGBUS, {}}, {SIGFPE, {}}, {SIGILL, {}}, {SIGABRT, {}}, {signalOfLateness, {}}};

[[noreturn]] static void stopAs(Ending ending) {
  meeting->ending = ending;
  sem_post(&meeting->isOver);
  for (;;) pause();
}

void stopHere() { stopAs(Ending::Done); }

/// What another thread raises goes to who had the signal before.
static void onSignal(int signal) {
  if (meeting) stopAs(signal == signalOfLateness ? Ending::Late : Ending::Crashed);
  for (const Taken &one : taken)
    if (one.signal == signal) sigaction(signal, &one.before, nullptr);
  if (signal == SIGABRT) raise(signal); // the others come again where they came from
}

static timespec momentIn(double seconds) {
  timespec at;
  clock_gettime(CLOCK_REALTIME, &at);
  const int64_t nanoseconds = at.tv_nsec + int64_t(seconds * 1e9);
  at.tv_sec += nanoseconds / 1000000000;
  at.tv_nsec = nanoseconds % 1000000000;
  return at;
}

/// False: it has not come to that by then.
static bool waitFor(Meeting &meeting, double seconds) {
  const timespec until = momentIn(seconds);
  int failed;
  while ((failed = sem_timedwait(&meeting.isOver, &until)) && errno == EINTR) {
  }
  return !failed;
}

Ending runApart(double seconds, llvm::function_ref<void()> work) {
  auto *own = new Meeting;
  sem_init(&own->isOver, 0, 0);
  struct sigaction action = {};
  action.sa_handler = onSignal;
  action.sa_flags = SA_ONSTACK;
  for (Taken &one : taken) sigaction(one.signal, &action, &one.before);
  llvm::thread apart(std::optional<unsigned>(deepStack), [own, work] {
    stack_t stack = {}, none = {};
    stack.ss_sp = own->stackOfHandlers;
    stack.ss_size = handlerStack;
    none.ss_flags = SS_DISABLE;
    sigaltstack(&stack, nullptr);
    meeting = own;
    work();
    meeting = nullptr;
    sigaltstack(&none, nullptr);
    sem_post(&own->isOver);
  });
  if (!waitFor(*own, seconds)) {
    pthread_kill(apart.native_handle(), signalOfLateness); // by now it may have ended by itself
    if (!waitFor(*own, 1)) own->ending = Ending::Late;
  }
  apart.detach();
  for (const Taken &one : taken) sigaction(one.signal, &one.before, nullptr);
  return own->ending;
}

unsigned coreCount() { return std::max(1u, llvm::hardware_concurrency().compute_thread_count()); }

} // namespace busfare::frontend
