//===- projection/Gain.h - What a process gains, start-up included --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A process that runs each of its regions R times, each paying its own copies, and has the
// set P of them on the device, gains
//
//   G(P) = R * sum over P of (baseline - total)  -  S(P)
//
// seconds. S(P) is paid once: the device's context, and for each object that is there its
// allocation and, if it is copied from pinned memory, the pinning, whichever regions share it.
//
//   context 250 ms; regions of 400, 20 and -5 ms:  P is the first two, G = 170 ms; the second
//   one alone would cost 230 ms
//
// The baseline is known as well as the speedup is: from a part of it to a multiple.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_GAIN_H
#define BUSFARE_PROJECTION_GAIN_H

#include "projection/report/Report.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <string>

namespace busfare::projection {

/// s to allocate and pin objects, by name.
using ObjectStarts = std::map<std::string, double>;

/// One region on one machine.
struct RegionGain {
  double baseline = 0, total = 0; ///< s of a run.
  double spread = 1;              ///< The 90th percentile of the speedup over its middle, and this over the 10th.
  ObjectStarts objects;
  bool canBePorted = true;        ///< It fits, and something of it runs.
};

/// Of runs of one region, less what is paid once.
Interval gainOf(const RegionGain &region, double runs, double startUp);

/// What the objects of a region cost that are not there already.
double startOf(const ObjectStarts &objects, const ObjectStarts &there);

/// The set with the largest gain; the empty one has 0.
struct PortedSet {
  std::vector<bool> ported;
  Interval gain;
  double startUp = 0;

  bool isEmpty() const;
  /// The objects of all regions in it but this one.
  ObjectStarts objectsBut(size_t region, llvm::ArrayRef<RegionGain> regions) const;
  /// Is there another region in it than this one, which pays for the context?
  bool holdsOther(size_t region) const;
};
PortedSet bestSet(llvm::ArrayRef<RegionGain> regions, double context, double runs);

} // namespace busfare::projection

#endif
