//===- projection/Plan.cpp - How a region's data and kernel meet ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Plan.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

namespace busfare::projection {

llvm::StringRef toString(Strategy strategy) {
  switch (strategy) {
  case Strategy::Explicit: return "explicit";
  case Strategy::Streams: return "streams";
  case Strategy::Mapped: return "mapped";
  case Strategy::Hybrid: return "hybrid";
  }
  return "";
}

namespace {

/// The direction with this region's own copies: all of them together take the given time.
void fitTo(OverlapWay &way, const PlannedWay &planned, bool knowsGap) {
  if (planned.bytes <= 0) return;
  double copies = std::max(1.0, planned.copies);
  double latency = std::min(way.latency * copies, planned.time), perByte = (planned.time - latency) / planned.bytes;
  double scale = way.gapPerByte > 0 ? perByte / way.gapPerByte : 1;
  way.gap = knowsGap ? way.gap * copies : latency;
  way.latency = latency;
  way.gapPerByte = perByte;
  for (std::optional<double> *busy : {&way.gapPerByteBusy, &way.gapPerByteMapped})
    if (*busy) *busy = std::max(perByte, **busy * scale);
}

/// The direction as threads use it, which load and store its bytes where they lie.
void fitToAccesses(OverlapWay &way, const Link &link, Direction direction, double bytes) {
  if (bytes > 0)
    way.gapPerByte = std::max(0.0, transferTime(link, direction, HostMemory::Pinned, bytes) - way.latency) / bytes;
}

OverlapQuestion questionOf(const Machine &machine, const PlanQuestion &q) {
  OverlapQuestion question{q.in.bytes, q.out.bytes, q.kernels, q.in.accessedBytes, q.out.accessedBytes};
  question.h2dAhead = std::min(q.in.whole, q.in.bytes);
  question.d2hBehind = std::min(q.out.whole, q.out.bytes);
  question.kernelPerStream = q.launches * machine.gpu.launchLatency;
  return question;
}

/// Why no strategy but explicit copies is looked at; empty if some may be.
std::string whyOnlyExplicit(const Machine &machine, const PlanQuestion &q) {
  if (q.in.bytes + q.out.bytes <= 0) return "nothing crosses";
  if (!q.runsOnce)
    return q.whyNoChunks.empty() ? "the region's kernels do not run once between its copies" : q.whyNoChunks;
  if (machine.gpu.copyEngines <= 0) return "the device neither copies nor maps host memory while a kernel runs";
  return "";
}

} // namespace

Plan planOf(const Machine &machine, const PlanQuestion &q) {
  Plan plan;
  bool pageable = q.in.pageableTime + q.out.pageableTime < q.in.time + q.out.time + q.pinning;
  double copies = pageable ? q.in.pageableTime + q.out.pageableTime : q.in.time + q.out.time;
  plan.memory = pageable ? HostMemory::Pageable : HostMemory::Pinned;
  plan.best = {Strategy::Explicit, 1, q.kernels + copies};
  plan.priced = {plan.best};
  plan.zeroOverlap = plan.fullOverlap = plan.best.time;
  plan.whyNoStreams = plan.whyNotMapped = plan.whyNoHybrid = whyOnlyExplicit(machine, q);
  if (!plan.whyNoStreams.empty()) return plan;

  OverlapDevice device = overlapDeviceOf(machine), threads = device;
  fitTo(device.in, q.in, machine.link.gapH2d.known.has_value());
  fitTo(device.out, q.out, machine.link.gapD2h.known.has_value());
  fitToAccesses(threads.in, machine.link, Direction::ToDevice, q.in.accessedBytes);
  fitToAccesses(threads.out, machine.link, Direction::ToHost, q.out.accessedBytes);
  OverlapQuestion question = questionOf(machine, q);
  auto price = [&](Strategy strategy, double streams, double time) {
    plan.priced.push_back({strategy, streams, time});
    const double pinning = plan.memory == HostMemory::Pinned ? 0 : q.pinning; // if it is not pinned already
    if (time + pinning >= plan.best.time) return;
    plan.best = plan.priced.back();
    plan.memory = HostMemory::Pinned; // what copies and kernels share at a time cannot move
  };
  auto most = [&](const std::function<double(double)> &timeOf) {
    return std::max(2.0, bestStreams(timeOf, q.mostChunks));
  };

  double in = q.in.bytes * device.in.gapPerByte, out = q.out.bytes * device.out.gapPerByte;
  if (q.isRegular) {
    in = std::min(in, q.in.accessedBytes * threads.in.gapPerByte);
    out = std::min(out, q.out.accessedBytes * threads.out.gapPerByte);
  }
  plan.fullOverlap = std::min(plan.zeroOverlap, std::max({q.kernels, in, out}));
  if (q.mostChunks < 2) {
    plan.whyNoStreams = plan.whyNoHybrid =
        q.whyNoChunks.empty() ? "chunks of the kernel do not fill the device" : q.whyNoChunks;
  } else {
    auto streamed = [&](double n) { return streamsTime(device, question, n); };
    double n = most(streamed);
    plan.equation = applicableEquation(device, question, n);
    price(Strategy::Streams, n, streamed(n));
  }
  if (!q.isRegular) {
    plan.whyNotMapped = plan.whyNoHybrid = "neighbouring threads do not reach for neighbouring elements";
    return plan;
  }
  price(Strategy::Mapped, 1, equationTime(6, threads, question, 1));
  if (q.mostChunks < 2) return plan;
  // Van Werkhoven: hybrid helps where copies cannot go both ways at a time. Elsewhere only a measured figure speaks for
  // it.
  bool copiesBothWays =
      machine.gpu.copyEngines >= 2 && !machine.link.mappedH2dBusy.known && !machine.link.mappedD2hBusy.known;
  if (q.comesBothWays || copiesBothWays) {
    plan.whyNoHybrid = q.comesBothWays ? "an array is read and written" : "copies go both ways at a time already";
    return plan;
  }
  // Results go as the threads write them.
  OverlapQuestion written = question;
  written.d2hBytes = q.out.accessedBytes;
  written.d2hBehind = 0;
  OverlapDevice both = device;
  double perByte = threads.out.gapPerByte, before = device.out.gapPerByte;
  both.out = threads.out;
  if (std::optional<double> mapped = device.out.gapPerByteMapped; mapped && before > 0)
    both.out.gapPerByteMapped = std::max(perByte, *mapped * perByte / before);
  both.out.gap = 0; // threads need no copy to start
  auto hybrid = [&](double n) { return hybridTime(both, written, n); };
  double n = most(hybrid);
  price(Strategy::Hybrid, n, hybrid(n));
  return plan;
}

/// "3.0 times", of what threads reach for over what crosses.
static std::string timesOf(const PlannedWay &way) {
  return llvm::formatv("{0:f1} times", way.bytes > 0 ? way.accessedBytes / way.bytes : 1.0).str();
}

std::string reasonOf(const Plan &plan, const Machine &machine, const PlanQuestion &q) {
  bool again = q.in.accessedBytes > 1.05 * q.in.bytes;
  std::string notMapped = again ? "mapped memory would bring the input " + timesOf(q.in) : "";
  switch (plan.best.strategy) {
  case Strategy::Mapped:
    return again
               ? "threads load the input " + timesOf(q.in) + " from the host's memory, and still no copies are faster"
               : "every element crosses once, so threads reach for the host's memory themselves, in both directions at a time";
  case Strategy::Streams:
    return "equation (" + std::to_string(plan.equation) +
           "): " + equationReason(overlapDeviceOf(machine), plan.equation) +
           (notMapped.empty() ? "" : "; " + notMapped);
  case Strategy::Hybrid:
    return std::string("inputs are copied in chunks") + (notMapped.empty() ? "" : ", for " + notMapped) +
           "; results are written once, to mapped memory, while copies go the other way";
  case Strategy::Explicit: break;
  }
  if (plan.priced.size() > 1)
    return plan.whyNoStreams.empty() ? "no overlap is faster"
                                     : "no overlap is faster (no streams: " + plan.whyNoStreams + ")";
  return plan.whyNoStreams;
}

} // namespace busfare::projection
