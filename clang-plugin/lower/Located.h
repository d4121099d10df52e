//===- clang-plugin/lower/Located.h - Where code stands ------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Code that another program wrote (a parser's generator, a preprocessor, a compiler that
// sends its input elsewhere) says by `#line 12 "heat.c"` what it was made from, and that
// is the file that the user knows.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_LOWER_LOCATED_H
#define BUSFARE_CLANG_PLUGIN_LOWER_LOCATED_H

#include "skeleton/Location.h"
#include "clang/Basic/SourceManager.h"

namespace busfare::frontend {

/// Of what a macro expands to, where the macro is used. Not known of what is in no file.
inline skeleton::Location locationOf(clang::SourceLocation where, const clang::SourceManager &sources) {
  where = sources.getExpansionLoc(where);
  skeleton::Location location;
  if (where.isInvalid()) return location;
  clang::PresumedLoc place = sources.getPresumedLoc(where);
  const bool isBuiltIn = place.isInvalid() || llvm::StringRef(place.getFilename()).starts_with("<");
  location.file = isBuiltIn ? sources.getFilename(where) : llvm::StringRef(place.getFilename());
  location.line = isBuiltIn ? sources.getExpansionLineNumber(where) : place.getLine();
  location.column = sources.getExpansionColumnNumber(where);
  return location;
}

} // namespace busfare::frontend

#endif
