//===- skeleton/Deadline.h - When long work is to end ---------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reading and analysing a tree ends at a time, or when the user interrupts it (Ctrl-C), with what there is by then:
//
//   const Deadline reading(start + 360s), analysis(start + 600s, 10s);
//   reading.isUp()     after 360 s, or as soon as Deadline::interrupt() was called
//   analysis.isUp()    after 600 s, or 10 s after that call: what was read is worth a look
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_SKELETON_DEADLINE_H
#define BUSFARE_SKELETON_DEADLINE_H

#include <atomic>
#include <chrono>

namespace busfare::skeleton {

class Deadline {
public:
  using Clock = std::chrono::steady_clock;

  /// grace: so long after an interrupt it is not up yet.
  explicit Deadline(Clock::time_point at, std::chrono::seconds grace = {}) : at(at), grace(grace) {}

  bool isUp() const {
    const Clock::duration::rep interrupted = interruptedAt.load();
    return Clock::now() >= at ||
           (interrupted && Clock::now().time_since_epoch() >= Clock::duration(interrupted) + grace);
  }

  /// For a signal handler. All deadlines hear of it, which is why it is one for the whole process.
  static void interrupt() { interruptedAt.store(Clock::now().time_since_epoch().count()); }

private:
  Clock::time_point at;
  std::chrono::seconds grace;
  static inline std::atomic<Clock::duration::rep> interruptedAt = 0;
};

} // namespace busfare::skeleton

#endif
