//===- projection/Gain.cpp - What a process gains, start-up included ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Gain.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::projection {

Interval gainOf(const RegionGain &region, double runs, double startUp) {
  auto at = [&](double baseline) { return runs * (baseline - region.total) - startUp; };
  return {at(region.baseline), at(region.baseline / region.spread), at(region.baseline * region.spread)};
}

double startOf(const ObjectStarts &objects, const ObjectStarts &there) {
  double start = 0;
  for (const auto &[name, seconds] : objects) {
    auto known = there.find(name);
    start += known == there.end() ? seconds : std::max(0.0, seconds - known->second); // pinned, too, where it was not
  }
  return start;
}

bool PortedSet::isEmpty() const {
  return llvm::none_of(ported, [](bool one) { return one; });
}

bool PortedSet::holdsOther(size_t region) const {
  for (size_t k = 0; k < ported.size(); ++k)
    if (k != region && ported[k]) return true;
  return false;
}

ObjectStarts PortedSet::objectsBut(size_t region, llvm::ArrayRef<RegionGain> regions) const {
  ObjectStarts all;
  for (size_t k = 0; k < ported.size(); ++k)
    if (k != region && ported[k])
      for (const auto &[name, seconds] : regions[k].objects) all[name] = std::max(all[name], seconds);
  return all;
}

PortedSet bestSet(llvm::ArrayRef<RegionGain> regions, double context, double runs) {
  PortedSet set;
  set.ported.assign(regions.size(), false);
  auto added = [&](size_t k) {
    return gainOf(regions[k], runs, startOf(regions[k].objects, set.objectsBut(k, regions))).value;
  };
  // The largest gains first; what shares their objects gets them for nothing afterwards, so that each that pays when it
  // comes pays in the end. Regions none of which pays for the objects that they share are not found.
  std::vector<size_t> order;
  for (size_t k = 0; k < regions.size(); ++k)
    if (regions[k].canBePorted) order.push_back(k);
  llvm::stable_sort(order, [&](size_t a, size_t b) {
    return gainOf(regions[a], runs, startOf(regions[a].objects, {})).value >
           gainOf(regions[b], runs, startOf(regions[b].objects, {})).value;
  });
  for (bool isSettled = false; !isSettled;) {
    isSettled = true;
    for (size_t k : order)
      if (!set.ported[k] && added(k) > 0) {
        set.ported[k] = true;
        isSettled = false;
      }
  }
  set.startUp = context + startOf(set.objectsBut(regions.size(), regions), {});
  set.gain = {-set.startUp, -set.startUp, -set.startUp};
  for (size_t k = 0; k < regions.size(); ++k)
    if (set.ported[k]) {
      const Interval one = gainOf(regions[k], runs, 0);
      set.gain = {set.gain.value + one.value, set.gain.low + one.low, set.gain.high + one.high};
    }
  if (set.gain.value > 0 && !set.isEmpty()) return set;
  PortedSet none;
  none.ported.assign(regions.size(), false);
  return none;
}

} // namespace busfare::projection
