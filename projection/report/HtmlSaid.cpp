//===- projection/report/HtmlSaid.cpp - The text report's sentences -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/CommandLines.h"
#include "projection/report/FirstScreen.h"
#include "projection/report/FormulaText.h"
#include "projection/report/HtmlParts.h"
#include "projection/report/JsonParts.h"
#include "projection/report/KernelText.h"
#include "projection/report/LongLists.h"
#include "projection/report/NestText.h"
#include "projection/report/PlanText.h"
#include "projection/report/TextParts.h"
#include "projection/report/Writers.h"
#include <set>

using llvm::StringRef;

namespace busfare::projection {

/// What is written on a page without an edge, a paragraph a value.
template <class Write> static void paragraphs(Stream &json, StringRef key, Write write) {
  std::string text;
  llvm::raw_string_ostream os(text);
  constexpr unsigned noEdge = 1u << 20;
  Page page(os, noEdge, false);
  write(page);
  json.attributeArray(key, [&] {
    for (StringRef rest = text; !rest.empty();) {
      StringRef line;
      std::tie(line, rest) = rest.split('\n');
      if (!line.trim().empty()) json.value(readable(line.trim()));
    }
  });
}

static std::string placeOf(const skeleton::Location &location) {
  return location.isKnown() ? "line " + std::to_string(location.line) : "";
}

static void writeCrossings(const RegionReport &region, Stream &json) {
  json.attributeArray("crossings", [&] {
    for (const ArrayReport &array : region.arrays)
      for (const auto &[way, direction] : {std::pair("h2d", &array.h2d), {"d2h", &array.d2h}}) {
        if (!*direction) continue;
        for (const CrossingReport &crossing : (*direction)->crossings)
          json.object([&, way = way] {
            text(json, "array", array.name);
            text(json, "way", way);
            text(json, "section", spokenFormula(crossing.section));
            text(json, "formula", spokenSize(crossing, array.elementBytes));
            const std::string cause = spokenCause(crossing, StringRef(way) == "h2d", placeOf(crossing.because));
            text(json, "cause", StringRef(cause).drop_while([](char c) { return c == ',' || c == ' '; }));
          });
      }
  });
}

static void writeRegion(const RegionReport &region, Stream &json) {
  json.object([&] {
    json.attributeObject("on", [&] {
      for (const auto &[machine, answer] : region.on)
        json.attributeObject(readable(machine), [&, &machine = machine, &answer = answer] {
          text(json, "statement", breakEvenStatement(region, answer));
          paragraphs(json, "answer", [&](Page &page) { writeAnswerFirst(region, machine, answer, false, page); });
          paragraphs(json, "plan", [&](Page &page) { writePlan(region, answer, page); });
        });
    });
    writeCrossings(region, json);
    strings(json, "assumptions", spokenAssumptions(region.assumptions));
    strings(json, "host_statements", spokenStatements(region.hostStatements));
  });
}

void writeSaid(const Report &report, const HtmlContext &context, llvm::raw_ostream &os) {
  Stream json(os);
  json.object([&] {
    text(json, "command", context.command);
    json.attributeArray("parameters", [&] {
      for (const auto &[name, value] : context.parameters)
        json.array([&, &name = name, &value = value] {
          json.value(readable(name));
          json.value(value);
        });
    });
    text(json, "iterations", context.iterations);
    text(json, "runs", context.runs);
    text(json, "flags", context.flags);
    json.attributeArray("regions", [&] {
      for (const RegionReport &region : report.regions) writeRegion(region, json);
    });
    const std::vector<RankedRegion> ranked = rankRegions(report);
    json.attributeArray("order", [&] {
      for (const RankedRegion &one : ranked)
        json.object([&] {
          json.attribute("region", int64_t(one.region - report.regions.data()));
          text(json, "name", nameOf(one));
          if (one.share) number(json, "share", *one.share);
        });
    });
    paragraphs(json, "first", [&](Page &page) { writeFirstScreen(report, ranked, 0, page); });
    paragraphs(json, "program", [&](Page &page) {
      if (!report.regions.empty()) writePrograms(report, page);
    });
    text(json, "empty", report.regions.empty() ? emptyStatement(report) : "");
    paragraphs(json, "coverage", [&](Page &page) { writeCoverage(report.coverage, page); });
    strings(json, "next", commandLines(report.nextCommands, report.sources));
    json.attributeObject("limits", [&] {
      std::set<std::string> limits;
      for (const RegionReport &region : report.regions)
        for (const auto &[machine, answer] : region.on)
          for (const KernelReport &kernel : answer.kernels) limits.insert(kernel.limitedBy);
      for (const std::string &limit : limits) text(json, readable(limit), spokenLimit(limit));
    });
  });
}

} // namespace busfare::projection
