//===- projection/Timeline.cpp - A GPU's activity with other durations ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Timeline.h"
#include <algorithm>
#include <map>
#include <queue>
#include <unordered_map>
#include <vector>

namespace busfare::projection {

static bool isEarlier(const TimelineOperation &left, const TimelineOperation &right) {
  return left.start < right.start;
}

void sortByStart(Timeline &timeline) {
  if (!std::is_sorted(timeline.begin(), timeline.end(), isEarlier))
    std::sort(timeline.begin(), timeline.end(), isEarlier);
}

namespace {

/// The length of a union of intervals that come in the order of their starts.
struct Union {
  double end = -1e300, length = 0;
  void add(double from, double to) {
    length += std::max(0.0, to - std::max(from, end));
    end = std::max(end, to);
  }
};

/// Where an earlier operation ended, in the recording and now.
struct End {
  double recorded = -1e300, now = -1e300;
};

struct LaterEnd {
  bool operator()(const End &left, const End &right) const {
    return left.recorded != right.recorded ? left.recorded > right.recorded : left.now > right.now;
  }
};

} // namespace

Busy busyOf(const Timeline &timeline) {
  Busy busy;
  if (timeline.empty()) return busy;
  Union transfers, kernels, all;
  double first = double(timeline.front().start);
  for (const TimelineOperation &operation : timeline) {
    double from = double(operation.start) - first, to = from + operation.recorded;
    (operation.engine == Engine::Compute ? kernels : transfers).add(from, to);
    all.add(from, to);
  }
  constexpr double second = 1e-9;
  busy.span = all.end * second;
  busy.transfers = transfers.length * second;
  busy.kernels = kernels.length * second;
  busy.both = std::max(0.0, (transfers.length + kernels.length - all.length) * second);
  busy.idle = std::max(0.0, busy.span - all.length * second);
  return busy;
}

void rebuildInPlace(Timeline &timeline) {
  if (timeline.empty()) return;
  int64_t origin = timeline.front().start;
  std::unordered_map<uint32_t, End> streams;
  std::map<std::pair<uint8_t, Engine>, End> engines;
  std::priority_queue<End, std::vector<End>, LaterEnd> running;
  End lastEnded;
  for (TimelineOperation &operation : timeline) {
    double recorded = double(operation.start - origin);
    while (!running.empty() && running.top().recorded <= recorded) {
      lastEnded = running.top();
      running.pop();
    }
    double start = recorded;
    if (lastEnded.recorded >= 0) start = lastEnded.now + (recorded - lastEnded.recorded);
    End &stream = streams[operation.stream];
    // Operations of one stream that the profiler saw overlap (nodes of a graph) keep doing so.
    if (stream.recorded <= recorded) start = std::max(start, stream.now);
    bool copies = operation.engine == Engine::CopyIn || operation.engine == Engine::CopyOut;
    End *engine = copies ? &engines[{operation.device, operation.engine}] : nullptr;
    if (engine && engine->recorded <= recorded) start = std::max(start, engine->now);
    End end{recorded + operation.recorded, start + operation.predicted};
    stream = {std::max(stream.recorded, end.recorded), std::max(stream.now, end.now)};
    if (engine) *engine = {std::max(engine->recorded, end.recorded), std::max(engine->now, end.now)};
    running.push(end);
    operation.start = origin + int64_t(start + 0.5);
    operation.recorded = operation.predicted;
  }
  sortByStart(timeline);
}

} // namespace busfare::projection
