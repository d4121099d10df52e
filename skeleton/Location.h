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

#include "llvm/ADT/StringRef.h"
#include <compare>
#include <string>

namespace busfare::skeleton {

/// The name of a file. Most places are in one file: its name is kept once, for as long as the process runs, and
/// comparing two names for equality looks at no text. Made and read by any thread.
class FileName {
public:
  FileName() : FileName(llvm::StringRef()) {}
  FileName(llvm::StringRef name);
  FileName(const std::string &name) : FileName(llvm::StringRef(name)) {}
  FileName(const char *name) : FileName(llvm::StringRef(name)) {}

  const std::string &str() const { return *kept; }
  operator const std::string &() const { return *kept; }
  operator llvm::StringRef() const { return *kept; }
  bool empty() const { return kept->empty(); }

  friend bool operator==(FileName a, FileName b) { return a.kept == b.kept; }
  friend std::strong_ordering operator<=>(FileName a, FileName b) { return *a.kept <=> *b.kept; }

private:
  const std::string *kept;
};

struct Location {
  FileName file;       ///< As the user spelled it; empty in hand-written text means "the enclosing function's file".
  unsigned line = 0;   ///< 1-based; 0 = unknown.
  unsigned column = 0; ///< 1-based; 0 = unknown.

  bool isKnown() const { return line != 0; }
  auto operator<=>(const Location &) const = default;
};

/// `file:line:column`, without the parts that are not known.
std::string toString(const Location &location);

} // namespace busfare::skeleton

#endif
