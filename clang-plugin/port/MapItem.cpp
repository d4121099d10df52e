//===- clang-plugin/port/MapItem.cpp - What the device holds of an array -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/MapItem.h"
#include "skeleton/Polynomial.h"

namespace busfare::frontend::port {
using Symbolic = skeleton::Expr;

std::optional<std::pair<Symbolic, Symbolic>> linearHull(const brs::ArrayTransfers &array, const projection::Root &root,
                                                        const brs::Context &facts) {
  Symbolic first = 0, last = 0, pitch = 1;
  bool isWhole = array.onDevice.boxes.empty();
  const auto all = root.elements.find(array.name);
  // As it was declared: its recovered rows need not fill it.
  if (isWhole && all != root.elements.end() && !all->second.isPoisoned()) return std::make_pair(first, all->second - 1);
  for (size_t d = array.extents.size(); d-- > 0;) {
    if (isWhole && !array.extents[d]) return std::nullopt;
    Symbolic low = isWhole ? Symbolic(0) : array.onDevice.boxes[0].ranges[d].lower;
    Symbolic high = isWhole ? *array.extents[d] - 1 : array.onDevice.boxes[0].ranges[d].upper;
    first = first + low * pitch;
    last = last + high * pitch;
    if (d > 0) {
      if (!array.extents[d]) return std::nullopt;
      pitch = pitch * *array.extents[d];
    }
  }
  // Bounds that hold for all sizes may reach beyond an array whose extent has nothing to do with them.
  if (all != root.elements.end())
    if (brs::isNonNegative(all->second - 1 - last, facts) != brs::Answer::Yes) last = min(last, all->second - 1);
  if (first.isPoisoned() || last.isPoisoned()) return std::nullopt;
  return std::make_pair(first, last);
}

/// The item in rows of what the name points to: rows [first, last] that hold the hull.
static std::optional<std::pair<Symbolic, Symbolic>> rowsOf(const brs::ArrayTransfers &array, const ArrayName &name,
                                                           const std::pair<Symbolic, Symbolic> &hull, bool mayRoundUp) {
  Symbolic row = 1, inner = 1;
  for (const Symbolic &extent : name.row) row = row * extent;
  for (size_t d = 1; d < array.extents.size(); ++d)
    inner = array.extents[d] ? inner * *array.extents[d] : Symbolic::poisoned();
  // Inner dimensions that are exactly the row: the outermost range counts rows.
  if (name.offset.isZero() && !array.extents.empty() && inner == row) {
    if (!array.onDevice.boxes.empty())
      return std::make_pair(array.onDevice.boxes[0].ranges[0].lower, array.onDevice.boxes[0].ranges[0].upper);
    if (array.extents[0]) return std::make_pair(Symbolic(0), *array.extents[0] - 1);
  }
  std::optional<int64_t> size = row.constant();
  if (!size || *size <= 0) return std::nullopt;
  const bool fills = skeleton::divideExactly(hull.first - name.offset, *size) &&
                     skeleton::divideExactly(hull.second - name.offset + 1, *size);
  if (!fills && !mayRoundUp) return std::nullopt;
  return std::make_pair(floorDiv(hull.first - name.offset, *size), floorDiv(hull.second - name.offset, *size));
}

/// From the first element of the hull's first row to the last of its last one.
static std::pair<Symbolic, Symbolic> roundedOut(const brs::ArrayTransfers &array,
                                                const std::pair<Symbolic, Symbolic> &hull) {
  if (array.onDevice.boxes.empty() || array.extents.size() < 2) return hull;
  Symbolic pitch = 1;
  for (size_t d = 1; d < array.extents.size(); ++d)
    pitch = array.extents[d] ? pitch * *array.extents[d] : Symbolic::poisoned();
  const auto &outermost = array.onDevice.boxes[0].ranges[0];
  return {outermost.lower * pitch, (outermost.upper + 1) * pitch - 1};
}

std::optional<MapItem> mapItem(const brs::ArrayTransfers &array, const ArrayName &name, const Names &names,
                               const Place &place, const projection::Root &root, const brs::Context &facts,
                               bool mayRoundUp) {
  std::optional<std::pair<Symbolic, Symbolic>> range = linearHull(array, root, facts);
  if (!range) return std::nullopt;
  if (name.hasWholeRows) range = roundedOut(array, *range);
  if (name.row.empty()) range = std::make_pair(range->first - name.offset, range->second - name.offset);
  else range = rowsOf(array, name, *range, mayRoundUp);
  if (!range || range->first.isPoisoned() || range->second.isPoisoned()) return std::nullopt;
  // clang takes `double p[8]` for an array of 8 in a clause, though it is a pointer: nothing lies before it.
  const auto *formal = llvm::dyn_cast_or_null<clang::ParmVarDecl>(name.variable);
  if (formal && formal->getOriginalType()->isArrayType() && brs::isNonNegative(range->first, facts) != brs::Answer::Yes)
    return std::nullopt;
  Symbolic length = range->second - range->first + 1;
  std::optional<SymbolTexts> low = names.sizes(range->first, place), count = names.sizes(length, place);
  if (!low || !count) return std::nullopt;
  MapItem item{name.text, toC(range->first, *low), toC(length, *count)};
  if (brs::isNonNegative(length - 1, facts) == brs::Answer::Yes) return item;
  // A guard may let nobody in. Nothing of it would be no map at all, so then it is the first element, which nobody
  // touches.
  std::string isSome = "(" + item.count + ") > 0 ? ";
  if (!range->first.isZero()) item.first = "(" + isSome + item.first + " : 0)";
  item.count = "(" + isSome + item.count + " : 1)";
  return item;
}

} // namespace busfare::frontend::port
