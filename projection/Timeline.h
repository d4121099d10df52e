//===- projection/Timeline.h - A GPU's activity with other durations ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Rebuilds a recorded timeline with each operation's time replaced by a predicted
// one, which AHEAD (Abdelhafez et al., section IX) leaves to future work. Who waits
// for whom is read off the recording:
//
//   - an operation waits for the one before it in its stream, and for the copy
//     before it on its copy engine if the two did not overlap;
//   - it starts as long after the last operation that ended before its start,
//     wherever that ran, as it did in the recording: the gap is the host's.
//
//   recorded  h2d 0..10, kernel 12..20, d2h 20..30;   h2d now takes 4
//   rebuilt   h2d 0..4,  kernel  6..14, d2h 14..24    the gap of 2 stays
//
// With every time unchanged the recording comes out again. Not seen: host work
// that itself waited, events between streams that the recording never had to wait
// for, and contention that the recording did not have.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_TIMELINE_H
#define BUSFARE_PROJECTION_TIMELINE_H

#include <cstdint>
#include <deque>

namespace busfare::projection {

/// What executes an operation; copies of one direction and device share an engine.
enum class Engine : uint8_t { CopyIn, CopyOut, OtherCopy, Compute };

/// Kept small: traces have millions.
struct TimelineOperation {
  int64_t start = 0;   ///< ns.
  float recorded = 0;  ///< ns that it took.
  float predicted = 0; ///< ns that it will take.
  uint32_t stream = 0;
  uint8_t device = 0; ///< The first 255 are told apart.
  Engine engine = Engine::Compute;
};
using Timeline = std::deque<TimelineOperation>;

/// Seconds during which something of a kind ran.
struct Busy {
  double span = 0;      ///< From the first start to the last end.
  double transfers = 0; ///< At least one copy.
  double kernels = 0;   ///< At least one kernel or fill.
  double both = 0;      ///< Copies hidden behind kernels.
  double idle = 0;      ///< Nothing: the host's gaps.
};

void sortByStart(Timeline &timeline);
/// Of a sorted timeline.
Busy busyOf(const Timeline &timeline);
/// Moves every start to where it comes to lie with the predicted times, which become the recorded ones; sorted before
/// and after.
void rebuildInPlace(Timeline &timeline);

} // namespace busfare::projection

#endif
