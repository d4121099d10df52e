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

/// One question may take so many isl operations: about 40 ms. Where many were given up in one analysis the next hard ones
/// mostly are, too, and may take less.
constexpr unsigned long operationsPerQuestion = 12000, leastOperationsPerQuestion = 3000;
constexpr unsigned fullQuestionsGivenUp = 12;

/// A step is about two millionths of a second. A question that was given up took as long as hundreds of others.
constexpr uint64_t stepsPerQuestion = 16, stepsPerHardQuestion = 8000;
constexpr double stepsPerSecond = 500000;
/// The count ends first; if a step takes so many times as long as it ever did, the clock does.
constexpr double lastResort = 10;

constexpr uint64_t unlimited = std::numeric_limits<uint64_t>::max();

struct ThreadState {
  isl_ctx *ctx = isl_ctx_alloc();
  uint64_t steps = 0, lastStep = unlimited;
  double deadline = std::numeric_limits<double>::infinity();
  double nextLook = 0; ///< Before this time of day the deadline cannot have come: one thread's processor time is slower.
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

bool form::beginQuestion() {
  isl_ctx_reset_error(state().ctx);
  isl_ctx_reset_operations(state().ctx);
  return !effortIsSpent(stepsPerQuestion);
}

bool form::beginQuestion(Operation operation, unsigned piecesOfA, unsigned piecesOfB) {
  uint64_t pairs = uint64_t(piecesOfA) * std::max(1u, piecesOfB), steps = 0;
  switch (operation) {
  case Operation::Unite:
    break; // Pieces are only listed.
  case Operation::Coalesce:
    steps = 8 * uint64_t(piecesOfA) * piecesOfA;
    break;
  default:
    steps = 8 * pairs;
  }
  effortIsSpent(unsigned(std::min<uint64_t>(steps, stepsPerHardQuestion)));
  return beginQuestion();
}

void form::noteIfGivenUp(bool failed) {
  if (failed && isl_ctx_last_error(state().ctx) == isl_error_quota) {
    state().exceeded = true;
    state().steps += stepsPerHardQuestion;
    ++state().givenUp;
    if (++state().givenUpNow > fullQuestionsGivenUp)
      state().mayTake(leastOperationsPerQuestion);
  }
  isl_ctx_reset_error(state().ctx);
  isl_ctx_reset_operations(state().ctx);
}

uint64_t form::questionsGivenUp() { return state().givenUp; }
void form::noteGivenUpBefore() { state().exceeded = true; }

EffortBudget::EffortBudget(double seconds)
    : outerDeadline(state().deadline), outerLastStep(state().lastStep), outerExceeded(state().exceeded) {
  ThreadState &thread = state();
  thread.deadline = std::min(outerDeadline, threadSeconds() + lastResort * seconds);
  thread.lastStep = std::min(outerLastStep, thread.steps + uint64_t(std::max(0.0, seconds) * stepsPerSecond));
  thread.nextLook = 0;
  thread.exceeded = false;
}
EffortBudget::~EffortBudget() {
  state().deadline = outerDeadline;
  state().lastStep = outerLastStep;
  state().nextLook = 0;
  state().exceeded = state().exceeded || outerExceeded;
  if (outerLastStep == unlimited) { // The end of an analysis: what the next one costs does not depend on this one.
    form::forget();
    state().mayTake(operationsPerQuestion);
    state().givenUpNow = 0;
  }
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
