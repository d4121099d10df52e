//===- projection/Transfer.cpp - The time of one transfer ----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Transfer.h"

namespace busfare::projection {

double transferTime(const Link &link, Direction direction, HostMemory memory, double bytes, double copies) {
  bool in = direction == Direction::ToDevice, pinned = memory == HostMemory::Pinned;
  double latency = in ? (pinned ? link.pinnedH2dLatency : link.pageableH2dLatency)
                      : (pinned ? link.pinnedD2hLatency : link.pageableD2hLatency);
  double bandwidth = in ? (pinned ? link.pinnedH2dBandwidth : link.pageableH2dBandwidth)
                        : (pinned ? link.pinnedD2hBandwidth : link.pageableD2hBandwidth);
  return copies * latency + bytes / bandwidth;
}

} // namespace busfare::projection
