//===- clang-plugin/cli/MarkdownOutput.cpp - A proposal, with its drawings -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MarkdownOutput.h"
#include "Drawings.h"
#include "HtmlOutput.h"
#include "projection/report/Markdown.h"
#include "projection/report/Ranking.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;
using namespace busfare::projection;

namespace busfare::frontend {

/// Of the regions that gain the most; nobody looks at the drawings of more.
constexpr size_t mostDrawn = 12;

bool hasDrawingsBeside(const Options &options) {
  if (options.format != Format::Markdown || !options.details || options.output.empty() || options.output == "-")
    return false;
  llvm::Error error = checkDrawing();
  const bool canDraw = !error;
  llvm::consumeError(std::move(error));
  return canDraw;
}

static llvm::Expected<PlotLinks> drawBeside(const Report &report, const Options &options) {
  PlotLinks links;
  std::vector<size_t> regions;
  for (const RankedRegion &ranked : rankRegions(report))
    if (regions.size() < mostDrawn) regions.push_back(size_t(ranked.region - report.regions.data()));
  if (regions.empty()) return links;
  llvm::Expected<std::vector<Drawing>> drawings =
      draw(plotQuestion(report, options, {"speedup", "steps", "timeline", "roofline", "sections"}, regions));
  if (!drawings) return drawings.takeError();
  llvm::SmallString<256> folder(options.output);
  llvm::sys::path::replace_extension(folder, "");
  folder += "-plots";
  llvm::Expected<std::vector<std::string>> names = writeInto(folder, *drawings);
  if (!names) return names.takeError();
  for (size_t i = 0; i < names->size(); ++i)
    links[(*drawings)[i].region].push_back(
        {(*drawings)[i].title, (llvm::sys::path::filename(folder) + "/" + (*names)[i]).str()});
  return links;
}

llvm::Expected<std::string> markdownOf(const Report &report, const Options &options) {
  PlotLinks links;
  if (hasDrawingsBeside(options)) {
    llvm::Expected<PlotLinks> drawn = drawBeside(report, options);
    if (!drawn) return drawn.takeError();
    links = std::move(*drawn);
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  writeMarkdown(report, options.details, links, os);
  return text;
}

} // namespace busfare::frontend
