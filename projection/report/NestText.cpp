//===- projection/report/NestText.cpp - Which loops do the work -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/NestText.h"
#include "projection/report/Figures.h"
#include "projection/report/MissingFunctions.h"
#include "projection/report/PlanText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <set>

namespace busfare::projection {

using skeleton::toString;

/// What is less is not worth a line where there are many.
constexpr double littleShare = 0.005;
constexpr size_t mostRows = 10, mostUnpriced = 5;
constexpr size_t widestFunction = 18; ///< Longer names stand below the line, which they would break.

template <class Nest> static std::string placeOf(const Nest &nest) {
  return nest.location.file.str() + ":" + std::to_string(nest.location.line);
}

/// otherwise: of what has no work that is known.
template <class Nest> static std::string workOf(const Nest &nest, const char *otherwise) {
  return nest.isCounted ? formatPercent(nest.share) : nest.work > 0 ? formatTime(nest.work) + " a call" : otherwise;
}

static std::string answerOf(const NestAnswer &nest) {
  return nest.verdict ? toString(*nest.verdict).str() + ", " + formatFactor(nest.speedup.value) : "stays on the host";
}

/// As many as fit into a line or two.
static std::string someOf(std::vector<std::string> names) {
  constexpr size_t few = 5;
  if (names.size() > few) {
    const size_t others = names.size() - few;
    names.resize(few);
    names.push_back(std::to_string(others) + " more");
  }
  return llvm::join(names, ", ");
}

void writeMissing(const Report &report, Page &page) {
  const CoverageReport &coverage = report.coverage;
  std::vector<std::string> said;
  if (coverage.failedFiles)
    said.push_back(std::to_string(coverage.failedFiles) + " of " + formatPlural(coverage.files, "unit") +
                   " could not be read" + (coverage.failedUnits.empty() ? "" : ": " + someOf(coverage.failedUnits)) +
                   ".");
  if (const std::vector<MissingFunction> missing = missingFunctions(report); !missing.empty()) {
    size_t calls = 0;
    std::vector<std::string> names;
    for (const MissingFunction &one : missing) {
      calls += one.calls;
      names.push_back(one.name + (one.calls > 1 ? " (" + std::to_string(one.calls) + ")" : ""));
    }
    said.push_back(formatPlural(calls, "call") + " of " + formatPlural(missing.size(), "function") +
                   (calls == 1 ? " is" : " are") + " left out, as no source that was read defines " +
                   (missing.size() == 1 ? "it: " : "them: ") + someOf(std::move(names)) + ".");
  }
  if (said.empty()) return;
  page.paragraph(llvm::join(said, " "), 0, 0, "NOT ALL IS HERE:", Colour::Unsure);
  page.line();
}

void writeUnpriced(const Report &report, Page &page) {
  const bool isOpen = llvm::any_of(report.unpriced, [](const UnpricedReport &nest) { return !nest.isCounted; });
  const std::string how =
      isOpen ? "how much of the work is not priced is not known"
             : formatPercent(report.program.unpricedShare) + " of the work that is modelled is not priced";
  page.paragraph(how + "." + (report.regions.empty() ? "" : " What is said of regions is about the rest."), 0, 0,
                 "MEASURE FIRST:", Colour::Unsure);
  for (const UnpricedReport &nest : llvm::ArrayRef(report.unpriced).take_front(mostUnpriced))
    page.paragraph("- " + placeOf(nest) + ", in " + nest.function + " (" + workOf(nest, "how much is not known") +
                       "): " + nest.reason + ". Give: " + nest.give + ".",
                   2, 4);
  if (report.unpriced.size() > mostUnpriced)
    page.paragraph("- and " + formatPlural(report.unpriced.size() - mostUnpriced, "more nest") +
                       "; --format json lists all",
                   2, 4);
  page.line();
}

/// said: places whose reason the reader has had.
static void writeTable(const Report &report, const std::set<skeleton::Location> &said, Page &page) {
  page.heading("The parallel loops, most work first");
  std::vector<const NestAnswer *> shown;
  for (const NestAnswer &nest : report.nests)
    if (shown.size() < mostRows && (!nest.isCounted || nest.share >= littleShare || shown.size() < 3))
      shown.push_back(&nest);
  const bool haveColumn =
      llvm::all_of(shown, [](const NestAnswer *nest) { return nest->function.size() <= widestFunction; });
  std::vector<Table::Column> columns{{"at"}, {"work", Align::Right}, {"is"}, {"answer"}};
  if (haveColumn) columns.push_back({"in"});
  Table table(columns);
  for (const NestAnswer *nest : shown) {
    const std::string in = nest->in == "kernel" ? "a kernel" : nest->in == "alone" ? "judged alone" : "kept";
    std::vector<std::string> cells{llvm::sys::path::filename(nest->location.file.str()).str() + ":" +
                                       std::to_string(nest->location.line),
                                   workOf(*nest, "not called"), in, nest->in == "kept" ? "" : answerOf(*nest)};
    std::vector<std::string> notes;
    if (haveColumn) cells.push_back(nest->function);
    else notes.push_back("in " + nest->function);
    if (nest->in != "kernel" && !nest->reason.empty() && !said.count(nest->location))
      notes.push_back((nest->in == "alone" ? "from the root: " : "") + nest->reason);
    table.row(std::move(cells));
    if (!notes.empty()) table.note(llvm::join(notes, "; "));
  }
  page.table(table);
  if (report.nests.size() > shown.size())
    page.paragraph("and " + std::to_string(report.nests.size() - shown.size()) + " with less; --format json lists all",
                   2, 4);
  page.line();
}

void writeNests(const Report &report, Page &page) {
  std::set<skeleton::Location> said;
  if (report.program.isMostlyUnpriced) {
    for (const UnpricedReport &nest : llvm::ArrayRef(report.unpriced).take_front(mostUnpriced))
      said.insert(nest.location);
  }
  const bool isInPlans = llvm::all_of(report.nests, [](const NestAnswer &nest) {
    return nest.in == "kernel" || (nest.isCounted && nest.share < littleShare);
  });
  if (!isInPlans) return writeTable(report, said, page);
  std::vector<std::string> words;
  for (const NestAnswer &nest : llvm::ArrayRef(report.nests).take_front(3))
    if (nest.share >= littleShare)
      words.push_back(placeOf(nest) + " (" + (nest.index.empty() ? "" : "over " + spelled(nest.index).str() + ", ") +
                      "in " + nest.function + ") " + formatPercent(nest.share));
  if (report.nests.size() < 2 || words.empty()) return;
  page.paragraph("Most of the work: " + llvm::join(words, ", ") + ".");
  page.line();
}

} // namespace busfare::projection
