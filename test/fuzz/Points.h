//===- test/fuzz/Points.h - Plain sets of points --------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What symbolic sets are compared with: sorted lists of points, one list for each
// valuation of the symbols, and the textbook's operations on them.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_TEST_FUZZ_POINTS_H
#define BUSFARE_TEST_FUZZ_POINTS_H

#include "Formula.h"
#include "brs/Bounds.h"
#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

namespace busfare::fuzz {

using Point = std::array<int64_t, 3>; ///< Coordinates past the rank are 0.
using Points = std::vector<Point>;    ///< Sorted, without repeats.

inline Points operator|(const Points &a, const Points &b) {
  Points c;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(c));
  return c;
}
inline Points operator&(const Points &a, const Points &b) {
  Points c;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(c));
  return c;
}
inline Points operator-(const Points &a, const Points &b) {
  Points c;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(c));
  return c;
}
inline bool includes(const Points &a, const Points &b) { return std::includes(a.begin(), a.end(), b.begin(), b.end()); }

inline void normalise(Points &points) {
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
}

/// Some of the points: which ones depends on the salt, the point and the valuation's number.
inline Points someOf(const Points &points, unsigned salt, size_t valuation) {
  Points kept;
  for (const Point &p : points) {
    uint64_t hash = salt * 0x9e3779b97f4a7c15u + valuation * 1000003;
    for (int64_t x : p)
      hash = (hash ^ uint64_t(x)) * 0xff51afd7ed558ccdu, hash ^= hash >> 29;
    if (hash % 4 < salt % 5)
      kept.push_back(p);
  }
  return kept;
}

/// All points with low <= x <= high in each of `rank` dimensions.
inline Points window(unsigned rank, int64_t low, int64_t high) {
  Points points = {Point{}};
  for (unsigned d = 0; d < rank; ++d) {
    Points next;
    for (const Point &p : points)
      for (int64_t x = low; x <= high; ++x) {
        next.push_back(p);
        next.back()[d] = x;
      }
    points = std::move(next);
  }
  normalise(points);
  return points;
}

inline std::string shown(const Points &points, unsigned rank) {
  std::string text = "{";
  size_t count = 0;
  for (const Point &p : points) {
    if (++count > 12)
      return text + " ... }";
    text += " (";
    for (unsigned d = 0; d < rank; ++d)
      text += (d ? "," : "") + std::to_string(p[d]);
    text += ")";
  }
  return text + " }";
}

inline std::string shown(const skeleton::Values &values) {
  std::string text;
  for (const auto &[name, value] : values)
    text += (text.empty() ? "" : ", ") + name + " = " + std::to_string(value);
  return text;
}

inline std::string shown(const brs::Context &context) {
  std::string text;
  for (const skeleton::Expr &fact : context.facts)
    text += (text.empty() ? "under " : ", ") + toString(fact) + " >= 0";
  return text;
}

/// Do the facts hold for these values?
inline bool holds(const brs::Context &context, const skeleton::Values &values) {
  return std::all_of(context.facts.begin(), context.facts.end(),
                     [&](const skeleton::Expr &fact) { return fact.evaluate(values).value_or(-1) >= 0; });
}

} // namespace busfare::fuzz

#endif
