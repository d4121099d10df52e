//===- projection/WhereItPays.cpp - Stretches of a size that pay off ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/WhereItPays.h"
#include <algorithm>
#include <cmath>

namespace busfare::projection {

namespace {

struct Looked {
  double size = 0;
  bool pays = false;
};

/// The last size that is as `a`, and the first that is as `b`, of two that differ.
std::pair<double, double> between(const SizeRange &range, const Looked &a, const Looked &b,
                                  llvm::function_ref<std::optional<double>(double)> gain) {
  double low = a.size, high = b.size;
  constexpr int manyTimes = 60, enough = 14; // to a 20,000th of a step of 2
  for (int turn = 0; turn < (range.isWhole ? manyTimes : enough); ++turn) {
    const double middle = range.isWhole ? std::floor((low + high) / 2) : std::sqrt(low * high);
    if (middle <= low || middle >= high) break;
    const std::optional<double> there = gain(middle);
    ((there && *there > 0) == a.pays ? low : high) = middle;
  }
  return {low, high};
}

/// Gaps of less than this belong to what is around them.
constexpr double little = 1.05;

/// An end that pays, and beyond which nothing does for 5 %; `up`: that is above it.
class Edge {
public:
  Edge(const SizeRange &range, llvm::function_ref<std::optional<double>(double)> gain, double end, bool up)
      : range(range), gain(gain), end(end), up(up) {
    for (int k = 1; k <= range.looks; ++k) isAbout |= !pays(at(end, -k));
    constexpr int mostRounds = 8;
    for (int round = 0; round < mostRounds && widen(); ++round) isAbout = true;
  }
  double size() const { return end; }
  bool isAbout = false;

private:
  const SizeRange &range;
  llvm::function_ref<std::optional<double>(double)> gain;
  double end;
  bool up;

  /// So far outside; inside, if negative.
  double at(double from, int look) const {
    const double size = from * std::pow(little, (up ? look : -look) / double(range.looks));
    return range.isWhole ? std::round(size) : size;
  }
  bool isOutside(double size) const { return up ? size > end : size < end; }
  bool pays(double size) const {
    if (size < range.least || size > range.most) return true; // nothing is said there
    const std::optional<double> there = gain(size);
    return there && *there > 0;
  }
  bool widen() {
    for (int look = range.looks; look > 0; --look) {
      const double size = at(end, look);
      if (size < range.least || size > range.most || !isOutside(size) || !pays(size)) continue;
      const Looked here{size, true}, there{at(size, 1), false};
      end = size;
      if (!pays(there.size))
        end = up ? between(range, here, there, gain).first : between(range, there, here, gain).second;
      return true;
    }
    return false;
  }
};

} // namespace

Stretches whereItPays(const SizeRange &range, llvm::function_ref<std::optional<double>(double)> gain) {
  std::vector<Looked> looked;
  for (bool up : {false, true})
    for (double size = up ? range.today : range.today / range.step;;
         size = up ? size * range.step : size / range.step) {
      const double at = range.isWhole ? std::round(std::clamp(size, range.least, range.most))
                                      : std::clamp(size, range.least, range.most);
      const bool isLast = up ? size >= range.most : size <= range.least;
      if (std::optional<double> there = gain(at)) looked.push_back({at, *there > 0});
      else if (up) break;
      if (isLast) break;
    }
  std::sort(looked.begin(), looked.end(), [](const Looked &a, const Looked &b) { return a.size < b.size; });
  looked.erase(
      std::unique(looked.begin(), looked.end(), [](const Looked &a, const Looked &b) { return a.size == b.size; }),
      looked.end());
  Stretches stretches;
  for (size_t k = 0; k < looked.size(); ++k) {
    const bool before = k > 0 && looked[k - 1].pays;
    if (looked[k].pays == before) continue;
    if (k == 0) {
      stretches.push_back({std::nullopt, std::nullopt});
      continue;
    }
    const auto [last, first] = between(range, looked[k - 1], looked[k], gain);
    const Edge edge = looked[k].pays ? Edge(range, gain, first, false) : Edge(range, gain, last, true);
    if (looked[k].pays) stretches.push_back({edge.size(), std::nullopt, edge.isAbout});
    else stretches.back().to = edge.size(), stretches.back().isAbout |= edge.isAbout;
  }
  constexpr size_t few = 4;
  Stretches joined;
  for (const Stretch &stretch : stretches)
    if (!joined.empty() && joined.back().to && stretch.from && *stretch.from < little * *joined.back().to)
      joined.back().to = stretch.to, joined.back().isAbout = true;
    else joined.push_back(stretch);
  if (joined.size() > few) joined.resize(few);
  return joined;
}

std::optional<double> nearestEnd(llvm::ArrayRef<Stretch> stretches, double today) {
  std::optional<double> nearest;
  for (const Stretch &stretch : stretches)
    for (const std::optional<double> &end : {stretch.from, stretch.to})
      if (end && *end > 0 && (!nearest || std::abs(std::log(*end / today)) < std::abs(std::log(*nearest / today))))
        nearest = end;
  return nearest;
}

} // namespace busfare::projection
