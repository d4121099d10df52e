//===- skeleton/Location.h - A place in the user's source -----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where something came from: `stencil.c:12:3`. Lines and columns count from 1;
// line 0 means "no place is known" and prints as nothing.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_SKELETON_LOCATION_H
#define BUSFARE_SKELETON_LOCATION_H

#include <compare>
#include <string>

namespace busfare::skeleton {

struct Location {
  std::string file;    ///< As the user spelled it; empty in hand-written text means "the enclosing function's file".
  unsigned line = 0;   ///< 1-based; 0 = unknown.
  unsigned column = 0; ///< 1-based; 0 = unknown.

  bool isKnown() const { return line != 0; }
  auto operator<=>(const Location &) const = default;
  /// Most places are in one file, and its name is long.
  bool operator==(const Location &o) const { return line == o.line && column == o.column && file == o.file; }
};

/// `file:line:column`, without the parts that are not known.
std::string toString(const Location &location);

} // namespace busfare::skeleton

#endif
