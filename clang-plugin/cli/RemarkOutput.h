//===- clang-plugin/cli/RemarkOutput.h - A report in other programs' formats -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// --format sarif, github and gitlab. What their writers cannot know is found here: the top of
// the repository, which paths are relative to (the nearest folder with a .git in or above the
// current one, else the current one), and columns in characters rather than bytes, for
// which lines of the sources are read.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_CLI_REMARK_OUTPUT_H
#define BUSFARE_CLANG_PLUGIN_CLI_REMARK_OUTPUT_H

#include "Options.h"
#include "projection/report/Report.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

namespace busfare::frontend {

/// Is it one of those formats?
bool isOfRemarks(Format format);
/// What would do as one of the regions proposes.
struct ProposedFix {
  struct File {
    std::string name, text; ///< Absolute; as it is now.
    struct Change {
      size_t offset, length; ///< Of bytes of the text.
      std::string with;
    };
    std::vector<Change> changes; ///< In order.
  };
  std::set<std::string> regions; ///< Ids. It is put with the most important one.
  std::string description;
  std::vector<File> files;
};

/// loops: in place of regions.
void writeRemarks(const projection::Report &report, bool ofLoops, Format format, llvm::raw_ostream &os,
                  llvm::ArrayRef<ProposedFix> fixes = {});

} // namespace busfare::frontend

#endif
