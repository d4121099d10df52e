//===- brs/PresburgerEffort.cpp - How much an analysis may ask ------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/PresburgerMemo.h"
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <isl/options.h>
#include <limits>

namespace busfare::brs {

namespace {

/// One question may take so many isl operations. Where many were given up in one analysis the next hard ones mostly
/// are, too, and may take less.
constexpr unsigned long operationsPerQuestion = 12000, leastOperationsPerQuestion = 3000;
constexpr unsigned fullQuestionsGivenUp = 12;

/// A step is about two millionths of a second: a question takes some besides isl's operations.
constexpr unsigned stepsPerQuestion = 4, operationsPerStep = 6;
constexpr double stepsPerSecond = 500000;
/// The count ends first; if a step takes so many times as long as it ever did, the clock does.
constexpr double lastResort = 10, leastSeconds = 1;

constexpr uint64_t unlimited = std::numeric_limits<uint64_t>::max();

struct ThreadState {
  isl_ctx *ctx = isl_ctx_alloc();
  uint64_t steps = 0, lastStep = unlimited;
  double deadline = std::numeric_limits<double>::infinity();
  double nextLook =
      0; ///< Before this time of day the deadline cannot have come: one thread's processor time is slower.
  bool exceeded = false;
  uint64_t givenUp = 0;    ///< Questions that took too many isl operations,
  unsigned givenUpNow = 0; ///< and those of this analysis.
  unsigned long operations = operationsPerQuestion; ///< That the next one may take.
  ThreadState() {
    isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(ctx, operations);
  }
  void mayTake(unsigned long most) {
    operations = most;
    isl_ctx_set_max_operations(ctx, operations);
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

/// About as many as isl has counted (allocations, above all) since it was reset. It does not tell how many, but whether
/// there were more than a limit.
static unsigned long operationsTaken() {
  constexpr unsigned long few = 32;
  unsigned long about = 0;
  for (unsigned long limit = few; limit < state().operations; limit *= 2) {
    isl_ctx_set_max_operations(state().ctx, limit);
    void *more = isl_malloc_or_die(state().ctx, 1);
    std::free(more);
    if (more) break;
    about = limit + limit / 2;
  }
  isl_ctx_set_max_operations(state().ctx, state().operations);
  return about;
}

void form::settle() {
  state().steps += operationsTaken() / operationsPerStep;
  isl_ctx_reset_error(state().ctx);
  isl_ctx_reset_operations(state().ctx);
}

void form::passOver() {
  isl_ctx_reset_error(state().ctx);
  isl_ctx_reset_operations(state().ctx);
}

bool form::beginQuestion() {
  settle();
  return !effortIsSpent(stepsPerQuestion);
}

void form::noteIfGivenUp(bool failed) {
  bool tooHard = failed && isl_ctx_last_error(state().ctx) == isl_error_quota;
  settle();
  if (!tooHard) return;
  state().exceeded = true;
  ++state().givenUp;
  if (++state().givenUpNow > fullQuestionsGivenUp) state().mayTake(leastOperationsPerQuestion);
}

uint64_t form::questionsGivenUp() { return state().givenUp; }
void form::noteGivenUpBefore() { state().exceeded = true; }

EffortBudget::EffortBudget(double seconds)
    : outerDeadline(state().deadline), outerLastStep(state().lastStep), outerExceeded(state().exceeded) {
  ThreadState &thread = state();
  if (seconds < std::numeric_limits<double>::infinity()) {
    thread.deadline = std::min(outerDeadline, threadSeconds() + std::max(leastSeconds, lastResort * seconds));
    thread.lastStep = std::min(outerLastStep, thread.steps + uint64_t(std::max(0.0, seconds) * stepsPerSecond));
  }
  thread.nextLook = 0;
  thread.exceeded = false;
}
EffortBudget::~EffortBudget() {
  state().deadline = outerDeadline;
  state().lastStep = outerLastStep;
  state().nextLook = 0;
  state().exceeded = state().exceeded || outerExceeded;
  if (outerLastStep == unlimited) { // The end of an analysis: what was too hard for this one need not be for the next.
    form::endAnalysis();
    state().mayTake(operationsPerQuestion);
    state().givenUpNow = 0;
  }
}
EffortBudget::Outer::Outer(EffortBudget &budget)
    : budget(budget), deadline(state().deadline), begun(threadSeconds()), lastStep(state().lastStep),
      firstStep(state().steps) {
  state().deadline = budget.outerDeadline;
  state().lastStep = budget.outerLastStep;
  state().nextLook = 0;
}
EffortBudget::Outer::~Outer() {
  ThreadState &thread = state();
  thread.deadline = std::min(budget.outerDeadline, deadline + (threadSeconds() - begun));
  thread.lastStep =
      lastStep == unlimited ? unlimited : std::min(budget.outerLastStep, lastStep + (thread.steps - firstStep));
  thread.nextLook = 0;
}

bool EffortBudget::wasExceeded() const { return state().exceeded; }

bool effortIsSpent(unsigned steps) {
  ThreadState &thread = state();
  thread.steps += steps;
  if (thread.steps > thread.lastStep) {
    thread.exceeded = true;
    return true;
  }
  if (thread.deadline == std::numeric_limits<double>::infinity()) return false;
  // The clock of processor time is a system call, this one is not.
  double wall = secondsOn(CLOCK_MONOTONIC);
  if (wall < thread.nextLook) return false;
  double left = thread.deadline - threadSeconds();
  thread.nextLook = wall + std::max(left, 0.0);
  if (left > 0) return false;
  thread.exceeded = true;
  return true;
}

double effortLeft() {
  const ThreadState &thread = state();
  if (thread.lastStep == unlimited) return std::numeric_limits<double>::infinity();
  return thread.steps < thread.lastStep ? double(thread.lastStep - thread.steps) / stepsPerSecond : 0;
}

uint64_t stepsSoFar() { return state().steps; }

} // namespace busfare::brs
