//===- projection/PlanTimeline.cpp - What runs when, under a plan ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/PlanTimeline.h"
#include "projection/Describe.h"
#include "llvm/Support/Path.h"
#include <algorithm>

namespace busfare::projection {

namespace {

/// More chunks are drawn as so many: they look alike.
constexpr unsigned mostDrawn = 16;

/// Adds steps one after the other, from `at` on.
void addInRow(std::vector<PlannedStep> &steps, double &at, std::string engine, std::string what, double time,
              double count) {
  if (!(time > 0)) return;
  steps.push_back({std::move(engine), std::move(what), at, at + time, count, 0});
  at += time;
}

std::string idOf(const KernelCost &kernel) {
  const skeleton::Location &location = kernel.kernel->loop->location;
  return llvm::sys::path::filename(location.file).str() + ":" + std::to_string(location.line);
}

void addCopies(const brs::Region &region, const RegionCost &cost, Direction direction, std::vector<PlannedStep> &steps,
               double &at) {
  const bool isPinned = cost.plan.memory == HostMemory::Pinned;
  for (const CopyCost &copy : cost.perCopy)
    if (copy.direction == direction)
      addInRow(steps, at, direction == Direction::ToDevice ? "h2d" : "d2h", shownName(region, *copy.array),
               isPinned ? copy.time : copy.pageableTime, copy.count);
}

std::vector<PlannedStep> oneAfterTheOther(const brs::Region &region, const RegionCost &cost) {
  std::vector<PlannedStep> steps;
  double at = 0;
  addCopies(region, cost, Direction::ToDevice, steps, at);
  for (const KernelCost &kernel : cost.perKernel)
    addInRow(steps, at, "kernel", idOf(kernel), kernel.launches * kernel.time, kernel.launches);
  if (cost.host > cost.total() / 1000) // as the text report, which leaves out less
    addInRow(steps, at, "host", "host code in between", cost.host, 1);
  addCopies(region, cost, Direction::ToHost, steps, at);
  return steps;
}

/// Chunks through the engines. splitsOut: else results go straight to the host's memory.
std::vector<PlannedStep> inStreams(const RegionCost &cost, unsigned copyEngines, bool splitsOut) {
  std::vector<PlannedStep> steps;
  const unsigned chunks = std::clamp(unsigned(cost.plan.best.streams), 1u, mostDrawn);
  double in = 0, kernel = 0, out = 0; // when each engine is free
  const double inTime = cost.planned.in.time / chunks, kernelTime = cost.kernels / chunks,
               outTime = splitsOut ? cost.planned.out.time / chunks : 0;
  auto add = [&](const char *engine, unsigned chunk, double &free, double ready, double time) {
    if (!(time > 0)) return ready;
    const double start = std::max(free, ready);
    free = start + time;
    steps.push_back({engine, "chunk " + std::to_string(chunk + 1), start, free, 1, chunk});
    return free;
  };
  std::vector<double> isDone(chunks);
  double &back = copyEngines > 1 ? out : in; // one engine does both
  for (unsigned chunk = 0; chunk < chunks; ++chunk)
    isDone[chunk] = add("kernel", chunk, kernel, add("h2d", chunk, in, 0, inTime), kernelTime);
  for (unsigned chunk = 0; chunk < chunks; ++chunk) add("d2h", chunk, back, isDone[chunk], outTime);
  return steps;
}

} // namespace

PlanTimeline timelineOf(const brs::Region &region, const RegionCost &cost, const Machine &machine,
                        const MachineAnswer &answer) {
  PlanTimeline timeline;
  timeline.machine = machine.name;
  timeline.before = oneAfterTheOther(region, cost);
  switch (cost.plan.best.strategy) {
  case Strategy::Explicit: break;
  case Strategy::Streams:
  case Strategy::Hybrid:
    timeline.after =
        inStreams(cost, unsigned(double(machine.gpu.copyEngines)), cost.plan.best.strategy == Strategy::Streams);
    timeline.isSchedule = true;
    break;
  case Strategy::Mapped:
    timeline.after = {{"kernel", "reads and writes host memory", 0, answer.plan.time, 1, 0}};
    break;
  }
  return timeline;
}

} // namespace busfare::projection
