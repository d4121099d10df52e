//===- projection/report/ComparisonWriters.cpp - Machines side by side ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/Comparison.h"
#include "projection/report/Csv.h"
#include "projection/report/Figures.h"
#include "projection/report/JsonParts.h"
#include "projection/report/Markdown.h"
#include "projection/report/Page.h"
#include "projection/report/Printable.h"

using llvm::StringRef;

namespace busfare::projection {

const char *const comparisonDefinitions = R"json({
  "comparison": {"type": "object", "required": ["schema_version", "output", "tool", "files", "host_of", "regions"],
    "properties": {"schema_version": {"const": 1}, "output": {"const": "comparison"}, "tool": {"$ref": "#/$defs/tool"}, "files": {"$ref": "#/$defs/names"},
      "host_of": {"type": "string", "description": "The machine whose host all are compared with: the first report's first."},
      "regions": {"type": "array", "items": {"type": "object", "required": ["id", "location", "host_s", "answers"],
        "properties": {"id": {"type": "string"}, "location": {"$ref": "#/$defs/location"}, "host_s": {"$ref": "#/$defs/seconds_or_null"},
          "answers": {"type": "array", "items": {"type": "object",
            "required": ["file", "machine", "total_s", "speedup", "verdict", "verdict_is_of_this_host", "other_sizes"],
            "properties": {"file": {"type": "string"}, "machine": {"type": "string"}, "total_s": {"$ref": "#/$defs/seconds_or_null"},
              "speedup": {"type": "object", "description": "Over host_s; null where the problem is another one.", "required": ["value", "low", "high"],
                "additionalProperties": {"$ref": "#/$defs/seconds_or_null"}},
              "verdict": {"enum": ["port", "keep", "measure"]},
              "verdict_is_of_this_host": {"type": "boolean", "description": "False: the report judged against that machine's own host."},
              "other_sizes": {"type": "string", "description": "What the region's sizes are there, and in the first report; empty: the same."}}}}}}}}}
})json";

static std::string timeOrDash(const std::optional<double> &seconds) { return seconds ? formatTime(*seconds) : "-"; }
static std::string factorOrDash(const std::optional<double> &factor) { return factor ? formatFactor(*factor) : "-"; }

/// "a100-pcie4", and of several reports where that is.
static std::string machineOf(const Comparison &comparison, const ComparedAnswer &answer) {
  return printable(answer.machine) +
         (comparison.files.size() > 1 ? " in " + printable(comparison.files[answer.report]) : "");
}

static std::string headOf(const ComparedRegion &region) {
  return printable(region.id) + ": " +
         (region.host ? formatTime(*region.host) + " on the host" : "no time of the host");
}

static bool someOwnHosts(const Comparison &comparison) {
  for (const ComparedRegion &region : comparison.regions)
    for (const ComparedAnswer &answer : region.answers)
      if (!answer.isOwnHost) return true;
  return false;
}

static std::string intervalOf(const ComparedAnswer &answer) {
  return answer.speedup.value ? factorOrDash(answer.speedup.low) + " to " + factorOrDash(answer.speedup.high) : "-";
}

static std::string groundsOf(const Comparison &comparison) {
  std::string text = "Seconds of one run of each region; speedups are over one host, that of " +
                     printable(comparison.hostOf) + ", transfers included.";
  if (someOwnHosts(comparison))
    text += " A verdict with a star is against that machine's own host: `analyze --host NAME` judges all against one.";
  return text;
}

static std::string verdictOf(const ComparedAnswer &answer) {
  return toString(answer.verdict).str() + (answer.isOwnHost ? "" : "*");
}

void writeComparisonText(const Comparison &comparison, llvm::raw_ostream &os, const TextStyle &style) {
  Page page(os, style.width, style.colour);
  page.title("Regions side by side");
  if (comparison.regions.empty()) {
    page.paragraph("No region is in the reports.");
    return;
  }
  page.paragraph(groundsOf(comparison));
  for (const ComparedRegion &region : comparison.regions) {
    page.line();
    page.paragraph(headOf(region));
    Table table({{"machine"},
                 {"GPU, total", Align::Right},
                 {"speedup", Align::Right},
                 {"10 to 90 %", Align::Right},
                 {"verdict"}});
    for (const ComparedAnswer &answer : region.answers) {
      table.row({machineOf(comparison, answer), timeOrDash(answer.total), factorOrDash(answer.speedup.value),
                 intervalOf(answer), verdictOf(answer)});
      if (!answer.otherSizes.empty()) table.note("another problem: " + printable(answer.otherSizes));
    }
    page.table(table);
  }
}

void writeComparisonMarkdown(const Comparison &comparison, llvm::raw_ostream &os) {
  os << "## busfare: regions side by side\n\n";
  if (comparison.regions.empty()) {
    os << "No region is in the reports.\n";
    return;
  }
  os << groundsOf(comparison)
     << "\n\n| region | host | machine | GPU, total | speedup | 10 to 90 % | verdict |\n| --- | ---: | --- | ---: | ---: | ---: | --- |\n";
  for (const ComparedRegion &region : comparison.regions)
    for (const ComparedAnswer &answer : region.answers) {
      std::string machine = codeSpan(answer.machine);
      if (comparison.files.size() > 1) machine += " in " + codeSpan(comparison.files[answer.report]);
      os << "| " << tableCell(region.id) << " | " << timeOrDash(region.host) << " | " << machine << " | "
         << timeOrDash(answer.total) << " | " << factorOrDash(answer.speedup.value) << " | " << intervalOf(answer)
         << " | " << verdictOf(answer)
         << (answer.otherSizes.empty() ? "" : ", another problem: " + tableCell(answer.otherSizes)) << " |\n";
    }
}

static void figure(Stream &json, StringRef key, const std::optional<double> &value) {
  number(json, key, value.value_or(NAN));
}

void writeComparisonJson(const Comparison &comparison, llvm::raw_ostream &os) {
  Stream json(os, 2);
  json.object([&] {
    json.attribute("schema_version", 1);
    json.attribute("output", "comparison");
    json.attributeObject("tool", [&] {
      json.attribute("name", "busfare");
      text(json, "version", comparison.version);
    });
    strings(json, "files", comparison.files);
    text(json, "host_of", comparison.hostOf);
    json.attributeArray("regions", [&] {
      for (const ComparedRegion &region : comparison.regions)
        json.object([&] {
          text(json, "id", region.id);
          place(json, "location", region.location, region.function);
          figure(json, "host_s", region.host);
          json.attributeArray("answers", [&] {
            for (const ComparedAnswer &answer : region.answers)
              json.object([&] {
                text(json, "file", comparison.files[answer.report]);
                text(json, "machine", answer.machine);
                figure(json, "total_s", answer.total);
                json.attributeObject("speedup", [&] {
                  figure(json, "value", answer.speedup.value);
                  figure(json, "low", answer.speedup.low);
                  figure(json, "high", answer.speedup.high);
                });
                json.attribute("verdict", toString(answer.verdict));
                json.attribute("verdict_is_of_this_host", answer.isOwnHost);
                text(json, "other_sizes", answer.otherSizes);
              });
          });
        });
    });
  });
  os << '\n';
}

void writeComparisonCsv(const Comparison &comparison, llvm::raw_ostream &os) {
  os << "region,file,line,host_s,report,machine,total_s,speedup,low,high,verdict,verdict_is_of_this_host,other_sizes\n";
  auto cell = [](const std::optional<double> &value) { return value ? csvNumber(*value) : std::string(); };
  for (const ComparedRegion &region : comparison.regions)
    for (const ComparedAnswer &answer : region.answers)
      os << csvWord(region.id) << ',' << csvWord(region.location.file.str()) << ',' << region.location.line << ','
         << cell(region.host) << ',' << csvWord(comparison.files[answer.report]) << ',' << csvWord(answer.machine)
         << ',' << cell(answer.total) << ',' << cell(answer.speedup.value) << ',' << cell(answer.speedup.low) << ','
         << cell(answer.speedup.high) << ',' << toString(answer.verdict) << ',' << (answer.isOwnHost ? "true" : "false")
         << ',' << csvWord(answer.otherSizes) << '\n';
}

} // namespace busfare::projection
