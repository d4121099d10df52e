//===- clang-plugin/port/MapItem.h - What the device holds of an array ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The box of everything that a region's kernels touch of an array, as an item of a map
// clause over one of the array's names:
//
//   u of n x m, rows 1 to n - 2 touched, u a double *        u[m:(n - 2) * m]
//   the same, u a double (*)[m]                              u[1:n - 2]
//   p points to element 17 of u, elements 0 to 63 touched    p[-17:64]
//
// One range, first to last element: what lies between is device memory too.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_MAPITEM_H
#define BUSFARE_CLANG_PLUGIN_PORT_MAPITEM_H

#include "clang-plugin/port/Names.h"

namespace busfare::frontend::port {

/// `u[0:n]`: elements of an array, as a list item over one of its names.
struct MapItem {
  std::string name, first, count;
  std::string text() const { return name + "[" + first + ":" + count + "]"; }
};

/// The elements of the array the device holds. Nothing if some size has no name there.
/// mayRoundUp: of a name that points to rows the item may hold more than the device is to have, to the end of a row.
std::optional<MapItem> mapItem(const brs::ArrayTransfers &array, const ArrayName &name, const Names &names,
                               const Place &place, const projection::Root &root, const brs::Context &facts,
                               bool mayRoundUp = true);

/// First and last element, row-major, of everything the device holds; nothing if the extents are not known.
std::optional<std::pair<skeleton::Expr, skeleton::Expr>>
linearHull(const brs::ArrayTransfers &array, const projection::Root &root, const brs::Context &facts);

} // namespace busfare::frontend::port

#endif
