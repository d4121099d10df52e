//===- projection/Curve.h - Measured transfer times as a function of bytes ===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Points (bytes, seconds) that somebody measured, joined by straight lines:
//
//   1 KiB 3 us, 1 MiB 90 us:   512 KiB takes 3 + 87 * (512 - 1) / (1024 - 1) = 46.5 us
//
// Measurements are noisy, and more bytes are never faster: where a larger copy was timed
// shorter, the points that disagree are replaced by their mean (isotonic regression, pool
// adjacent violators). Below the first point time is on the line from the latency at
// 0 bytes, above the last it grows as over the last half of the sizes.
//
// Does not model: what happens between two points that are far apart.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_CURVE_H
#define BUSFARE_PROJECTION_CURVE_H

#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace busfare::projection {

struct TransferPoint {
  double bytes = 0, time = 0;
};

/// The points, sorted by bytes, with times that never fall: of sizes that were timed more than once, and of neighbours
/// that disagree, the mean.
std::vector<TransferPoint> risingPoints(llvm::ArrayRef<TransferPoint> points);

/// Seconds for `bytes`; rising must come from risingPoints and hold two points or more. `latency` is the time of
/// nothing, or as much of it as the first point leaves room for.
double timeOnCurve(llvm::ArrayRef<TransferPoint> rising, double bytes, double latency);

/// alpha and beta of a sweep: the line with the least relative errors (sum of squares), neither of them negative.
struct LinearFit {
  double latency = 0, secondsPerByte = 0;
};
LinearFit fitLine(llvm::ArrayRef<TransferPoint> points);

} // namespace busfare::projection

#endif
