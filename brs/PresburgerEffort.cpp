//===- brs/PresburgerEffort.cpp - How much an analysis may ask ------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/PresburgerMemo.h"
#include <algorithm>
#include <ctime>
#include <isl/options.h>
#include <limits>

namespace busfare::brs {

namespace {

/// One question may take so many isl operations: about a tenth of a second.
constexpr unsigned long operationsPerQuestion = 30000;

/// In steps. A question that was given up took as long as about a thousand others.
constexpr uint64_t stepsPerQuestion = 16, stepsPerHardQuestion = 16000;
/// Ordinary programs take fewer steps a second than that, so that the count ends first and the clock is the last resort.
constexpr double stepsPerSecond = 300000;

constexpr uint64_t unlimited = std::numeric_limits<uint64_t>::max();

struct ThreadState {
  isl_ctx *ctx = isl_ctx_alloc();
  uint64_t steps = 0, lastStep = unlimited;
  double deadline = std::numeric_limits<double>::infinity();
  double nextLook = 0; ///< Before this time of day the deadline cannot have come: one thread's processor time is slower.
  bool exceeded = false;
  uint64_t givenUp = 0; ///< Questions that took too many isl operations.
  ThreadState() {
    isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(ctx, operationsPerQuestion);
  }
  ~ThreadState() { isl_ctx_free(ctx); }
};

ThreadState &state() {
  thread_local ThreadState theState;
  return theState;
}

double secondsOn(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

/// Processor time of this thread, so that a loaded machine does not change answers.
double threadSeconds() { return secondsOn(CLOCK_THREAD_CPUTIME_ID); }

} // namespace

isl_ctx *form::context() { return state().ctx; }

bool form::beginQuestion() {
  isl_ctx_reset_error(state().ctx);
  isl_ctx_reset_operations(state().ctx);
  return !effortIsSpent(stepsPerQuestion);
}

void form::noteIfGivenUp(bool failed) {
  if (failed && isl_ctx_last_error(state().ctx) == isl_error_quota) {
    state().exceeded = true;
    state().steps += stepsPerHardQuestion;
    ++state().givenUp;
  }
  isl_ctx_reset_error(state().ctx);
  isl_ctx_reset_operations(state().ctx);
}

uint64_t form::questionsGivenUp() { return state().givenUp; }
void form::noteGivenUpBefore() { state().exceeded = true; }

EffortBudget::EffortBudget(double seconds)
    : outerDeadline(state().deadline), outerLastStep(state().lastStep), outerExceeded(state().exceeded) {
  ThreadState &thread = state();
  if (thread.lastStep == unlimited) // An analysis of its own: what it costs does not depend on earlier ones.
    form::forget();
  thread.deadline = std::min(outerDeadline, threadSeconds() + seconds);
  thread.lastStep = std::min(outerLastStep, thread.steps + uint64_t(seconds * stepsPerSecond));
  thread.nextLook = 0;
  thread.exceeded = false;
}
EffortBudget::~EffortBudget() {
  state().deadline = outerDeadline;
  state().lastStep = outerLastStep;
  state().nextLook = 0;
  state().exceeded = state().exceeded || outerExceeded;
}
bool EffortBudget::wasExceeded() const { return state().exceeded; }

bool effortIsSpent(unsigned steps) {
  ThreadState &thread = state();
  thread.steps += steps;
  if (thread.steps > thread.lastStep) {
    thread.exceeded = true;
    return true;
  }
  if (thread.deadline == std::numeric_limits<double>::infinity())
    return false;
  // The clock of processor time is a system call, this one is not.
  double wall = secondsOn(CLOCK_MONOTONIC);
  if (wall < thread.nextLook)
    return false;
  double left = thread.deadline - threadSeconds();
  thread.nextLook = wall + std::max(left, 0.0);
  if (left > 0)
    return false;
  thread.exceeded = true;
  return true;
}

uint64_t stepsSoFar() { return state().steps; }

} // namespace busfare::brs
