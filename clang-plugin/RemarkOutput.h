//===- clang-plugin/RemarkOutput.h - A report in other programs' formats --===//
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
#ifndef BUSFARE_CLANG_PLUGIN_REMARKOUTPUT_H
#define BUSFARE_CLANG_PLUGIN_REMARKOUTPUT_H

#include "clang-plugin/Options.h"
#include "projection/report/Report.h"
#include "llvm/Support/raw_ostream.h"

namespace busfare::frontend {

/// Is it one of those formats?
bool isOfRemarks(Format format);
/// loops: in place of regions.
void writeRemarks(const projection::Report &report, bool ofLoops, Format format, llvm::raw_ostream &os);

} // namespace busfare::frontend

#endif
