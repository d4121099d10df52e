//===- clang-plugin/cli/Drawings.h - Drawings as files of their own ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the page of --format html draws in a browser is drawn here by the same script, which
// is built in, run by Node: one code for all drawings.
//
//   {"draw": ["timeline"], "regions": [0], "parts": {...}}  ->  [{gemm.c:12:main-timeline, ..., <svg ...}]
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_CLI_DRAWINGS_H
#define BUSFARE_CLANG_PLUGIN_CLI_DRAWINGS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace busfare::frontend {

struct Drawing {
  std::string name;   ///< "gemm.c:12:main-speedup-n": the region's id and what is drawn.
  std::string kind;   ///< "speedup", "steps", "timeline", "roofline", "sections", "sweep".
  std::string region; ///< Its id; empty of a sweep.
  std::string title, svg;
};

/// Error: this build has no script, as there was no npm, or there is no Node on the PATH.
llvm::Error checkDrawing();

/// The answer to a question of writePlotQuestion or writeSweepQuestion. Errors: as above, and what Node says.
llvm::Expected<std::vector<Drawing>> draw(llvm::StringRef question);

/// A name that every file system takes: what is no letter, digit, dot or dash is a dash.
std::string fileNameOf(const Drawing &drawing);

/// Puts each into the folder, which is made if it is not there, as its file name and ".svg". The names of the files, in
/// order.
llvm::Expected<std::vector<std::string>> writeInto(llvm::StringRef folder, const std::vector<Drawing> &drawings);

} // namespace busfare::frontend

#endif
