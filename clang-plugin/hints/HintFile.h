//===- clang-plugin/hints/HintFile.h - .busfare: hints beside the sources -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For trees that may not be touched. One hint a line; `#` begins a comment:
//
//   function jacobi: noalias(u, v) size(n=4096)
//   function jacobi loop i: independent         the loop with index i, the first of several
//   function jacobi loop j#2: ignore(BF007)     the second loop with index j
//   function Grid::step loop 3: independent     the third loop of the function, outer before inner
//   src/solve.c:jacobi loop i: independent      likewise, in one file: a path or the end of one
//   src/solve.c:42: independent                 what begins at line 42; goes stale when the file changes
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_HINTS_HINT_FILE_H
#define BUSFARE_CLANG_PLUGIN_HINTS_HINT_FILE_H

#include "skeleton/Hints.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace busfare::frontend {

/// What a line speaks of.
struct HintPlace {
  std::string file;     ///< Empty: any.
  unsigned line = 0;    ///< Or
  std::string function; ///< with its scope or without,
  std::string index;    ///< and in it the loop with this index
  unsigned ordinal = 0; ///< that comes so-many-th, counted from 1; 0: the function itself.
};

struct HintLine {
  HintPlace place;
  skeleton::HintsRead read;
};

/// Of the text of such a file.
std::vector<HintLine> parseHintFile(llvm::StringRef text, llvm::StringRef fileName);

/// The nearest .busfare for a source: its name, and its text. Empty: there is none.
std::pair<std::string, std::string> findHintFile(llvm::StringRef source, llvm::vfs::FileSystem &files);

/// `solve.c` and `src/solve.c` are the end of `/home/me/src/solve.c`.
bool isEndOfPath(llvm::StringRef wanted, llvm::StringRef path);

} // namespace busfare::frontend

#endif
