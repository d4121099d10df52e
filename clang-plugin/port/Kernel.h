//===- clang-plugin/port/Kernel.h - A loop as a target region -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What has to stand around a parallel loop so that it runs on the device:
//
//   for (int i = 0; i < g->n; i++) { t = u[i]; s += t * t; }
//   =>  const int busfare_g_n = g->n;
//       #pragma omp target teams distribute parallel for map(alloc: u[0:busfare_g_n]) private(t)
//           reduction(+: s) map(tofrom: s)
//       for (int i = 0; i < busfare_g_n; i++) { t = u[i]; s += t * t; }
//
// The loop's text stays the user's. Fields are read into variables before it (their
// owner is not on the device); OpenMP directives in it go. What cannot be said this
// way is an Error whose text is the reason; the loop then stays on the host.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_KERNEL_H
#define BUSFARE_CLANG_PLUGIN_PORT_KERNEL_H

#include "clang-plugin/port/Edits.h"
#include "clang-plugin/port/Names.h"
#include "clang-plugin/port/Port.h"
#include <set>

namespace busfare::frontend::port {

struct KernelQuestion {
  const skeleton::Program &program;
  const projection::Root &root;
  const brs::Region &region;
  const brs::Context &facts; ///< What holds in the region where it runs.
  const brs::Kernel &kernel;
  const Names &names;
  Place place; ///< The loop.
  Variant variant = Variant::Plain;
  std::set<std::string> &ownNames; ///< Of variables that ports of other loops in the function declared; those of this one are added.
  std::string runs; ///< The flag that says whether the region runs on the device; empty: it always does.
};

struct KernelText {
  std::vector<std::string> before, after; ///< Lines around the loop; the directive is the last of `before`.
  std::vector<Edit> edits;                ///< Inside the loop.
  unsigned collapse = 1;                  ///< Loops that share their iterations among the threads.
};

llvm::Expected<KernelText> kernelText(const KernelQuestion &question);

/// `u[0:n]`: elements of an array, as a list item over one of its names.
struct MapItem {
  std::string name, first, count;
  std::string text() const { return name + "[" + first + ":" + count + "]"; }
};

/// The elements of the array the device holds. Nothing if some size has no name there.
std::optional<MapItem> mapItem(const brs::ArrayTransfers &array, const ArrayName &name, const Names &names, const Place &place,
                               const projection::Root &root, const brs::Context &facts);

/// First and last element, row-major, of everything the device holds; nothing if the extents are not known.
std::optional<std::pair<skeleton::Expr, skeleton::Expr>> linearHull(const brs::ArrayTransfers &array, const projection::Root &root,
                                                                    const brs::Context &facts);

} // namespace busfare::frontend::port

#endif
