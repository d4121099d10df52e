//===- clang-plugin/cli/HtmlOutput.h - A report as a page, with its sources -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// --format html. What its writer cannot know is found here: the lines of the sources that
// the report speaks of (all of a small file; of a large one those around them), the pages of
// the rules that it names, and the command that made it.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_CLI_HTML_OUTPUT_H
#define BUSFARE_CLANG_PLUGIN_CLI_HTML_OUTPUT_H

#include "Options.h"
#include "projection/report/Report.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace busfare::frontend {

/// Error: this build has no page, as there was no npm.
llvm::Error checkHtml();
void writePage(const projection::Report &report, const Options &options, llvm::raw_ostream &os);
/// What the script that draws is asked (Drawings.h): these kinds of drawings of the regions at these places of the
/// report.
std::string plotQuestion(const projection::Report &report, const Options &options, llvm::ArrayRef<std::string> kinds,
                         llvm::ArrayRef<size_t> regions);

} // namespace busfare::frontend

#endif
