//===- clang-plugin/cli/PlotCommand.cpp - busfare plot -------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The drawings of a report's page as SVG: one to stdout or -o, or all that are asked for
// into a folder.
//
//===----------------------------------------------------------------------===//

#include "Drawings.h"
#include "HtmlOutput.h"
#include "Reporting.h"
#include "Values.h"
#include "projection/report/Printable.h"
#include "projection/report/Ranking.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;
using namespace busfare::projection;

namespace busfare::frontend {

static const StringRef kinds[] = {"speedup", "steps", "timeline", "roofline", "sections"};

/// "speedup-n" is the one of the speedups that is over n.
static bool isOf(StringRef word, StringRef kind) {
  return word == kind || (kind == "speedup" && word.starts_with("speedup-"));
}

static llvm::Error checkKinds(llvm::ArrayRef<std::string> words) {
  for (const std::string &word : words)
    if (llvm::none_of(kinds, [&](StringRef kind) { return isOf(word, kind); }))
      return llvm::createStringError("--draw wants " + llvm::join(llvm::ArrayRef(kinds), ", ") + ", not '" + word +
                                     "'");
  return llvm::Error::success();
}

/// Places in the report. Error: a region that it does not have.
static llvm::Expected<std::vector<size_t>> regionsOf(const Report &report, const Options &options, bool intoFolder) {
  std::vector<size_t> places;
  const std::vector<std::string> words = wordsOf(options, "--region");
  for (const std::string &word : words) {
    const size_t before = places.size();
    for (size_t i = 0; i < report.regions.size(); ++i)
      if (isRegion(word, report.regions[i].id) && !llvm::is_contained(places, i)) places.push_back(i);
    if (places.size() == before) return noSuchRegion("--region " + word, report);
  }
  if (!words.empty()) return places;
  for (const RankedRegion &ranked : rankRegions(report)) {
    if (!intoFolder && !places.empty()) break;
    places.push_back(size_t(ranked.region - report.regions.data()));
  }
  if (places.empty())
    return llvm::createStringError("no region has a price, so there is nothing to draw; `busfare analyze` says why");
  return places;
}

/// Those of the drawings that the words name.
static std::vector<Drawing> chosen(std::vector<Drawing> drawings, llvm::ArrayRef<std::string> words) {
  llvm::erase_if(drawings, [&](const Drawing &drawing) {
    return llvm::none_of(words, [&](StringRef word) {
      return word == drawing.kind || (isOf(word, drawing.kind) && StringRef(drawing.name).ends_with("-" + word.str()));
    });
  });
  return drawings;
}

static llvm::Expected<std::string> only(const std::vector<Drawing> &drawings, llvm::ArrayRef<std::string> words) {
  if (drawings.empty())
    return llvm::createStringError("there is nothing to draw as " + llvm::join(words, ", ") + " of that region");
  if (drawings.size() == 1) return drawings.front().svg;
  std::vector<std::string> ends;
  for (const Drawing &drawing : drawings)
    ends.push_back(StringRef(drawing.name).substr(drawing.region.size() + 1).str());
  return llvm::createStringError("there are " + std::to_string(drawings.size()) + " such drawings: name one (--draw " +
                                 llvm::join(ends, ", ") + "; --region), or give a folder: --into FOLDER");
}

Outcome runPlot(const Options &options) {
  std::vector<std::string> words = wordsOf(options, "--draw");
  const StringRef folder = textOf(options, "--into");
  if (words.empty())
    words = folder.empty() ? std::vector<std::string>{"speedup"}
                           : std::vector<std::string>(std::begin(kinds), std::end(kinds));
  if (llvm::Error error = checkKinds(words)) return badInput(options, std::move(error));
  if (!folder.empty() && !options.output.empty())
    return {BadInput, "", {"busfare: plot writes one drawing to -o, or several into --into, not both"}};
  if (llvm::Error error = checkDrawing()) return badInput(options, std::move(error));
  return projectAndWrite(options, project, [&](const Report &report, const Judged &) -> llvm::Expected<std::string> {
    llvm::Expected<std::vector<size_t>> regions = regionsOf(report, options, !folder.empty());
    if (!regions) return regions.takeError();
    std::vector<std::string> asked;
    for (StringRef kind : kinds)
      if (llvm::any_of(words, [&](StringRef word) { return isOf(word, kind); })) asked.push_back(kind.str());
    llvm::Expected<std::vector<Drawing>> drawn = draw(plotQuestion(report, options, asked, *regions));
    if (!drawn) return drawn.takeError();
    const std::vector<Drawing> drawings = chosen(std::move(*drawn), words);
    if (folder.empty()) return only(drawings, words);
    llvm::Expected<std::vector<std::string>> names = writeInto(folder, drawings);
    if (!names) return names.takeError();
    std::string list;
    for (size_t i = 0; i < names->size(); ++i)
      list += printable(folder) + "/" + (*names)[i] + "  " + printable(drawings[i].title) + "\n";
    return list;
  });
}

} // namespace busfare::frontend
