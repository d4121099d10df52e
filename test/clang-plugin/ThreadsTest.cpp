//===- test/clang-plugin/ThreadsTest.cpp ----------------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/units/Threads.h"
#include "gmock/gmock.h"
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <unistd.h>

using namespace busfare::frontend;
using testing::HasSubstr;

namespace {

/// As Main.cpp has it.
struct CatchCrashes {
  CatchCrashes() {
    struct sigaction action = {};
    action.sa_handler = [](int signal) {
      escapeCrash(signal);
      _Exit(4);
    };
    action.sa_flags = SA_ONSTACK;
    for (int signal : {SIGSEGV, SIGABRT, SIGFPE}) sigaction(signal, &action, nullptr);
  }
  ~CatchCrashes() {
    for (int signal : {SIGSEGV, SIGABRT, SIGFPE}) std::signal(signal, SIG_DFL);
  }
};

TEST(Threads, AllWorkIsDoneOnceWhateverTheNumber) {
  for (unsigned jobs : {1u, 3u, 100u}) {
    std::vector<std::atomic<int>> done(20);
    std::vector<std::string> failures = forEachOnOwnThread(done.size(), jobs, [&](size_t i) { ++done[i]; });
    ASSERT_EQ(failures.size(), done.size());
    for (size_t i = 0; i < done.size(); ++i) {
      EXPECT_EQ(done[i], 1);
      EXPECT_EQ(failures[i], "");
    }
  }
  EXPECT_TRUE(forEachOnOwnThread(0, 4, [](size_t) { FAIL(); }).empty());
}

TEST(Threads, EachHasAStateOfItsOwn) {
  static thread_local int state = 0;
  std::atomic<int> sum = 0;
  forEachOnOwnThread(8, 2, [&](size_t) { sum += ++state; });
  EXPECT_EQ(sum, 8);
}

#pragma GCC diagnostic ignored "-Winfinite-recursion" // the stack's end is what is looked for
/// Every frame is used after the call, so that none is a jump.
size_t deeper(volatile char *above, size_t depth) {
  volatile char here[4096] = {};
  here[0] = above[0];
  return deeper(here, depth + 1) + size_t(here[0]);
}

TEST(Threads, ACrashEndsItsPieceAlone) {
  CatchCrashes caught;
  std::atomic<int> done = 0;
  std::vector<std::string> failures = forEachOnOwnThread(9, 3, [&](size_t i) {
    volatile char start = 0;
    if (i == 2) std::raise(SIGSEGV);
    if (i == 4) std::abort();
    if (i == 6) deeper(&start, 0);
    ++done;
  });
  EXPECT_EQ(done, 6);
  for (size_t i = 0; i < failures.size(); ++i)
    EXPECT_EQ(failures[i].empty(), i != 2 && i != 4 && i != 6) << i << ": " << failures[i];
  EXPECT_THAT(failures[2], HasSubstr("signal 11"));
  EXPECT_THAT(failures[4], HasSubstr("signal 6"));
}

TEST(Threads, WorkApartIsDoneOnADeepStack) {
  int done = 0;
  EXPECT_EQ(runApart(60,
                     [&] {
                       volatile char deep[64 << 20];
                       deep[sizeof deep - 1] = 1;
                       deep[0] = deep[sizeof deep - 1];
                       done += deep[0];
                     }),
            Ending::Done);
  EXPECT_EQ(done, 1);
}

/// Notes that it was taken down.
struct TakenDown {
  bool &is;
  ~TakenDown() { is = true; }
};

TEST(Threads, WorkApartMayStopWhereItIs) {
  bool isTakenDown = false, isBehind = false;
  EXPECT_EQ(runApart(60,
                     [&] {
                       TakenDown held = {isTakenDown};
                       stopHere();
                       isBehind = true;
                     }),
            Ending::Done);
  EXPECT_FALSE(isTakenDown);
  EXPECT_FALSE(isBehind);
}

TEST(Threads, WorkApartThatCrashesStandsStill) {
  volatile char start = 0;
  bool isTakenDown = false;
  auto crash = [&](llvm::function_ref<void()> how) {
    return runApart(60, [&] {
      TakenDown held = {isTakenDown};
      how();
    });
  };
  EXPECT_EQ(crash([] { std::raise(SIGSEGV); }), Ending::Crashed);
  EXPECT_EQ(crash([] { *static_cast<volatile int *>(nullptr) = 1; }), Ending::Crashed);
  EXPECT_EQ(crash([] { std::abort(); }), Ending::Crashed);
  EXPECT_EQ(crash([&] { deeper(&start, 0); }), Ending::Crashed);
  EXPECT_FALSE(isTakenDown);
}

TEST(Threads, WorkApartThatDoesNotEndIsLate) {
  EXPECT_EQ(runApart(0.05,
                     [] {
                       for (std::atomic<long> turns = 0;; ++turns) {
                       }
                     }),
            Ending::Late);
  EXPECT_EQ(runApart(0.05,
                     [] {
                       while (pause()) {
                       }
                     }),
            Ending::Late);
}

TEST(Threads, SignalsAreWhosTheyWere) {
  struct sigaction own = {}, before, behind;
  own.sa_handler = [](int) {};
  for (int signal : {SIGSEGV, SIGURG}) sigaction(signal, &own, signal == SIGSEGV ? &before : nullptr);
  runApart(0.01, [] { std::raise(SIGFPE); });
  for (int signal : {SIGSEGV, SIGURG}) {
    sigaction(signal, nullptr, &behind);
    EXPECT_EQ(behind.sa_handler, own.sa_handler);
  }
  std::signal(SIGURG, SIG_DFL);
  sigaction(SIGSEGV, &before, nullptr);
}

} // namespace
