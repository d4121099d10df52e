//===- projection/Curve.cpp - Measured transfer times as a function of bytes ===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Curve.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cassert>

namespace busfare::projection {

std::vector<TransferPoint> risingPoints(llvm::ArrayRef<TransferPoint> points) {
  std::vector<TransferPoint> sorted(points.begin(), points.end());
  llvm::stable_sort(sorted, [](const TransferPoint &a, const TransferPoint &b) { return a.bytes < b.bytes; });
  /// Points that share a time: from first on, count of them.
  struct Pool {
    size_t first, count;
    double time;
  };
  std::vector<Pool> pools;
  for (size_t i = 0; i < sorted.size(); ++i) {
    pools.push_back({i, 1, sorted[i].time});
    while (pools.size() > 1) {
      Pool &last = pools.back(), &before = pools[pools.size() - 2];
      bool sameSize = sorted[last.first].bytes == sorted[last.first - 1].bytes;
      if (!sameSize && before.time <= last.time) break;
      before.time =
          (before.time * double(before.count) + last.time * double(last.count)) / double(before.count + last.count);
      before.count += last.count;
      pools.pop_back();
    }
  }
  std::vector<TransferPoint> rising;
  for (const Pool &pool : pools)
    for (size_t i = pool.first; i < pool.first + pool.count; ++i)
      if (rising.empty() || sorted[i].bytes > rising.back().bytes) rising.push_back({sorted[i].bytes, pool.time});
  return rising;
}

static double between(const TransferPoint &a, const TransferPoint &b, double bytes) {
  return a.time + (b.time - a.time) * (bytes - a.bytes) / (b.bytes - a.bytes);
}

double timeOnCurve(llvm::ArrayRef<TransferPoint> rising, double bytes, double latency) {
  assert(rising.size() >= 2 && "a curve has two points");
  const TransferPoint &first = rising.front(), &last = rising.back();
  if (bytes <= first.bytes)
    return first.bytes > 0 ? between({0, std::min(latency, first.time)}, first, bytes) : first.time;
  if (bytes < last.bytes) {
    const TransferPoint *next =
        llvm::upper_bound(rising, bytes, [](double b, const TransferPoint &p) { return b < p.bytes; });
    return between(next[-1], *next, bytes);
  }
  // The last two points alone would turn their noise into a bandwidth.
  size_t half = rising.size() - 2;
  while (half > 0 && rising[half].bytes > last.bytes / 2) --half;
  double slope = (last.time - rising[half].time) / (last.bytes - rising[half].bytes);
  return last.time + (bytes - last.bytes) * (slope > 0 ? slope : last.time / last.bytes);
}

LinearFit fitLine(llvm::ArrayRef<TransferPoint> points) {
  // Weights of 1 / time^2 make every point's error one of its own time: a line through the largest sizes says nothing
  // of the latency otherwise.
  double weights = 0, x = 0, xx = 0, t = 0, xt = 0;
  for (const TransferPoint &point : points) {
    double weight = 1 / (point.time * point.time);
    weights += weight;
    x += weight * point.bytes;
    xx += weight * point.bytes * point.bytes;
    t += weight * point.time;
    xt += weight * point.bytes * point.time;
  }
  double determinant = weights * xx - x * x;
  LinearFit fit;
  if (determinant > 0) fit = {(xx * t - x * xt) / determinant, (weights * xt - x * t) / determinant};
  if (determinant <= 0 || fit.latency < 0) fit = {0, xx > 0 ? xt / xx : 0};
  if (fit.secondsPerByte < 0) fit = {t / weights, 0};
  return fit;
}

} // namespace busfare::projection
