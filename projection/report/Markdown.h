//===- projection/report/Markdown.h - A report for a merge request --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A comment that fits a merge request: what to do, a table of the regions that matter the
// most, and behind each a part to open. It says what the text report says.
//
//   **PORT 2 of 9 regions: 3.5 s gained (2.4 s to 5.0 s), start-up included.**
//
//   | verdict | loops | speedup | gain |
//   ...
//   <details><summary>`solve.c:88`, in `smooth`</summary> ...
//
// In full (--details) it is a proposal: every region with its plan, what crosses and the lines
// that a port touches, what it rests on, what was not looked at, and the method; with drawings,
// where somebody has drawn them.
//
// Foreign names are code spans, or have what Markdown would read as a mark escaped.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_MARKDOWN_H
#define BUSFARE_PROJECTION_REPORT_MARKDOWN_H

#include "projection/report/Report.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

namespace busfare::projection {

/// A drawing beside the file.
struct PlotLink {
  std::string title, path; ///< The path from the file's folder.
};
/// By the region's id.
using PlotLinks = std::map<std::string, std::vector<PlotLink>>;

void writeMarkdown(const Report &report, bool inFull, const PlotLinks &plots, llvm::raw_ostream &os);

/// A sentence with foreign names in it, as text: nothing in it is an element, a link or a mention.
std::string markdownText(llvm::StringRef text);
/// A name in a table, whose pipes are escaped.
std::string tableCell(llvm::StringRef name);

} // namespace busfare::projection

#endif
