//===- projection/report/Html.h - A report as a page of its own -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One file that a browser shows without asking anybody for anything. What it shows is data in
// it, which a script (web/) draws:
//
//   report   what --format json prints
//   said     the sentences of the text report, so that the page has no others
//   prices   the answers at other settings (PriceTable.h), for the controls
//   sources  lines of the files that the report speaks of
//   rules    the pages of the rules that it names
//
// What is large is compressed (zlib, base64), and read by the browser itself.
//
// Foreign names are data: in JSON, with every `<` and `>` escaped, so that nothing ends the
// element around it; the script sets texts, never markup. A policy allows the page its own
// script and style alone, by their digests, and no request.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_HTML_H
#define BUSFARE_PROJECTION_REPORT_HTML_H

#include "projection/report/Report.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <set>

namespace busfare::projection {

/// Script and style of the page; the script that draws without a page (web/src/svg.js), for Node.
struct PageParts {
  llvm::StringRef script, style, plots;
};
/// Those that were built in; empty in a build without npm.
PageParts builtinPageParts();

/// Lines of a file, in order.
struct SourceText {
  std::string file;
  std::vector<std::pair<unsigned, std::string>> lines; ///< By number.
};

struct RuleText {
  std::string id, markdown;
};

struct HtmlContext {
  PageParts parts;
  std::vector<SourceText> sources;
  std::vector<RuleText> rules;
  std::string command; ///< That made the report, as words of a shell, without these:
  std::vector<std::pair<std::string, int64_t>> parameters; ///< --param.
  std::string iterations, runs; ///< --iterations, --runs; empty: not given.
  std::string flags;            ///< The compiler's, a blank before each.
};

void writeHtml(const Report &report, const HtmlContext &context, llvm::raw_ostream &os);

/// What web/src/svg.js is asked: drawings of these kinds ("speedup", "steps", "timeline", "roofline", "sections") of
/// these regions, by their place in the report, on its first machine.
void writePlotQuestion(const Report &report, const HtmlContext &context, llvm::ArrayRef<std::string> kinds,
                       llvm::ArrayRef<size_t> regions, llvm::raw_ostream &os);

/// The lines that a report speaks of, by file.
std::map<std::string, std::set<unsigned>> linesOf(const Report &report);

} // namespace busfare::projection

#endif
