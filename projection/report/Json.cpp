//===- projection/report/Json.cpp - The JSON report -----------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Keys come in the order in which people read them, numbers in the shortest form
// that reads back as the same value. A figure that is no number (a limit that
// does not exist) is null.
//
// To add a key, touch: Report.h, this file, Schema.cpp.
//
//===----------------------------------------------------------------------===//

#include "llvm/Support/JSON.h"
#include "projection/report/CallWriters.h"
#include "projection/report/DiffWriters.h"
#include "projection/report/JsonParts.h"
#include "projection/report/MissingFunctions.h"
#include "projection/report/ReportParts.h"
#include "projection/report/Writers.h"
#include <cmath>

using llvm::StringRef;

namespace busfare::projection {

static void loops(Stream &json, const std::vector<LoopReport> &loops) {
  json.attributeArray("loops", [&] {
    for (const LoopReport &loop : loops)
      json.object([&] {
        place(json, "location", loop.location, loop.function);
        text(json, "index", loop.index);
        json.attribute("depth", loop.depth);
        json.attribute("holds_parallel", loop.holdsParallel);
        json.attribute("inside_parallel", loop.insideParallel);
        json.attribute("parallel", loop.parallel);
        json.attributeArray("needs", [&] {
          for (const NeedReport &need : loop.needs)
            json.object([&] {
              text(json, "kind", need.kind);
              text(json, "name", need.name);
              text(json, "op", need.op);
            });
        });
        strings(json, "assuming", loop.assuming);
        text(json, "reason", loop.reason);
        json.attributeArray("dependences", [&] {
          for (const DependenceReport &dependence : loop.dependences)
            json.object([&] {
              text(json, "kind", dependence.kind);
              text(json, "array", dependence.array);
              text(json, "example", dependence.example);
              place(json, "source", dependence.source);
              place(json, "sink", dependence.sink);
            });
        });
      });
  });
}

void writeFindings(const std::vector<skeleton::Finding> &findings, Stream &json) {
  json.attributeArray("findings", [&] {
    for (const skeleton::Finding &finding : findings)
      json.object([&] {
        json.attribute("rule", skeleton::ruleId(finding.rule));
        json.attribute("level", skeleton::toString(finding.level));
        place(json, "location", finding.location);
        text(json, "message", finding.message);
      });
  });
}

/// How many of each rule; nothing if there is none.
static void suppressed(Stream &json, const std::vector<skeleton::Finding> &findings) {
  std::map<skeleton::Rule, int64_t> counts;
  for (const skeleton::Finding &finding : findings) ++counts[finding.rule];
  if (!counts.empty())
    json.attributeObject("suppressed", [&] {
      for (const auto &[rule, count] : counts) json.attribute(skeleton::ruleId(rule), count);
    });
}

static void nests(Stream &json, StringRef key, const std::vector<NestReport> &nests) {
  json.attributeArray(key, [&] {
    for (const NestReport &nest : nests)
      json.object([&] {
        place(json, "location", nest.location, nest.function);
        json.attribute("exact", nest.exact);
        json.attribute("tight", nest.tight);
        json.attribute("bounded", nest.bounded);
        json.attribute("host_code", nest.holdsHostCode);
        if (nest.hasVerdict) text(json, "verdict", nest.verdict);
        else json.attribute("verdict", nullptr);
        json.attributeArray("reasons", [&] {
          for (const NestReason &reason : nest.reasons)
            json.object([&] {
              json.attribute("rule", skeleton::ruleId(reason.rule));
              place(json, "location", reason.location);
            });
        });
      });
  });
}

static void coverage(Stream &json, const Report &report) {
  const CoverageReport &coverage = report.coverage;
  json.attributeObject("coverage", [&] {
    json.attributeArray("missing_functions", [&] {
      for (const MissingFunction &one : missingFunctions(report))
        json.object([&] {
          text(json, "name", one.name);
          json.attribute("calls", int64_t(one.calls));
        });
    });
    json.attribute("files", coverage.files);
    json.attribute("failed_files", coverage.failedFiles);
    json.attribute("functions", coverage.functions);
    json.attribute("functions_left_out", coverage.functionsLeftOut);
    json.attribute("loops", coverage.loops);
    json.attribute("loops_with_verdict", coverage.loopsWithVerdict);
    json.attribute("outermost_nests", coverage.outermostNests);
    json.attribute("nests_exact", coverage.nestsExact);
    json.attributeArray("not_analysed", [&] {
      for (const auto &[what, why] : coverage.notAnalysed)
        json.object([&, &what = what, &why = why] {
          text(json, "what", what);
          text(json, "why", why);
        });
    });
    json.attribute("parsed_files", coverage.files - coverage.failedFiles);
    json.attribute("nests_tight", coverage.nestsTight);
    json.attribute("nests_bounded", coverage.nestsBounded);
    json.attribute("nests_with_host_code", coverage.nestsWithHostCode);
    json.attribute("nests_with_verdict", coverage.nestsWithVerdict);
    json.attributeArray("spoiled_by", [&] {
      for (const SpoiledNests &one : coverage.spoiledBy)
        json.object([&] {
          json.attribute("rule", skeleton::ruleId(one.rule));
          json.attribute("nests", one.nests);
          json.attribute("alone", one.alone);
        });
    });
    if (!coverage.programsFrom.empty()) text(json, "programs_from", coverage.programsFrom);
    strings(json, "suggestions", coverage.suggestions);
    nests(json, "nests", coverage.nests);
    nests(json, "inner_nests", coverage.innerNests);
  });
}

template <class Nest> static void workShare(Stream &json, const Nest &nest) {
  if (nest.isCounted) number(json, "work_share", nest.share);
  else json.attribute("work_share", nullptr);
}

static void nestAnswers(Stream &json, const std::vector<NestAnswer> &nests) {
  json.attributeArray("nests", [&] {
    for (const NestAnswer &nest : nests)
      json.object([&] {
        place(json, "location", nest.location, nest.function);
        text(json, "index", nest.index);
        text(json, "in", nest.in);
        workShare(json, nest);
        number(json, "work_s", nest.work);
        if (nest.verdict) json.attribute("verdict", toString(*nest.verdict));
        else json.attribute("verdict", nullptr);
        json.attributeObject("speedup", [&] { interval(json, nest.speedup); });
        text(json, "region", nest.region);
        text(json, "reason", nest.reason);
      });
  });
}

static void unpriced(Stream &json, const std::vector<UnpricedReport> &nests) {
  json.attributeArray("unpriced", [&] {
    for (const UnpricedReport &nest : nests)
      json.object([&] {
        place(json, "location", nest.location, nest.function);
        text(json, "reason", nest.reason);
        text(json, "give", nest.give);
        workShare(json, nest);
      });
  });
}

static void serialNests(Stream &json, const std::vector<SerialNest> &nests) {
  json.attributeArray("serial", [&] {
    for (const SerialNest &nest : nests)
      json.object([&] {
        place(json, "location", nest.location, nest.function);
        text(json, "reason", nest.reason);
        workShare(json, nest);
      });
  });
}

/// With regions as those of the report, so that what reads these reads them.
static void believed(Stream &json, const std::vector<BelievedReport> &believed) {
  json.attributeArray("if_directives_hold", [&] {
    for (const BelievedReport &one : believed)
      json.object([&] {
        text(json, "function", one.root);
        json.attributeArray("directives", [&] {
          for (const skeleton::Location &directive : one.directives)
            json.object([&] { place(json, "location", directive); });
        });
        json.attributeArray("regions", [&] {
          for (const RegionReport &region : one.regions) writeRegion(region, json);
        });
      });
  });
}

static void distinct(Stream &json, const std::vector<DistinctReport> &all) {
  json.attributeArray("if_distinct", [&] {
    for (const DistinctReport &one : all)
      json.object([&] {
        text(json, "function", one.root);
        strings(json, "pointers", one.pointers);
        json.attributeArray("regions", [&] {
          for (const RegionReport &region : one.regions) writeRegion(region, json);
        });
      });
  });
}

static void header(Stream &json, StringRef output, StringRef version) {
  json.attribute("schema_version", 1);
  json.attribute("output", output);
  json.attributeObject("tool", [&] {
    json.attribute("name", "busfare");
    text(json, "version", version);
  });
}

static void programKeys(Stream &json, const ProgramReport &program) {
  json.attributeObject("speedup", [&] { interval(json, program.speedup); });
  number(json, "offloaded_share", program.offloadedShare);
  number(json, "cpu_s", program.cpu);
  number(json, "library_s", program.libraries);
  number(json, "unpriced_share", program.unpricedShare);
  json.attribute("mostly_unpriced", program.isMostlyUnpriced);
}

void writeJson(const Report &report, llvm::raw_ostream &os, const ReportDiff *baseline) {
  Stream json(os, 2);
  json.object([&] {
    header(json, "report", report.version);
    json.attributeArray("machines", [&] {
      for (const MachineReport &machine : report.machines)
        json.object([&] {
          text(json, "name", machine.name);
          text(json, "description", machine.description);
          text(json, "file", machine.file);
        });
    });
    json.attributeArray("regions", [&] {
      for (const RegionReport &each : report.regions) writeRegion(each, json);
    });
    json.attributeObject("program", [&] { programKeys(json, report.program); });
    json.attributeArray("programs", [&] {
      for (const ProgramReport &program : report.programs)
        json.object([&] {
          text(json, "name", program.name);
          programKeys(json, program);
        });
    });
    nestAnswers(json, report.nests);
    unpriced(json, report.unpriced);
    serialNests(json, report.serial);
    believed(json, report.believed);
    distinct(json, report.distinct);
    loops(json, report.loops);
    writeMessages(report.messages, json);
    writeLibraryCalls(report.libraryCalls, json);
    writeFindings(report.findings, json);
    suppressed(json, report.suppressed);
    coverage(json, report);
    strings(json, "next_commands", report.nextCommands);
    if (baseline) json.attributeObject("baseline", [&] { writeDiffKeys(*baseline, json); });
  });
  os << '\n';
}

void writeLoopsJson(const Report &report, llvm::raw_ostream &os) {
  Stream json(os, 2);
  json.object([&] {
    header(json, "loops", report.version);
    loops(json, report.loops);
    writeFindings(report.findings, json);
    suppressed(json, report.suppressed);
    coverage(json, report);
  });
  os << '\n';
}

void writeSizesJson(const SizesReport &report, llvm::raw_ostream &os) {
  Stream json(os, 2);
  json.object([&] {
    header(json, "sizes", report.version);
    json.attributeArray("sizes", [&] {
      for (const SizeLine &size : report.sizes)
        json.object([&] {
          text(json, "root", size.root);
          text(json, "name", size.name);
          json.attribute("value", size.value ? llvm::json::Value(*size.value) : llvm::json::Value(nullptr));
          text(json, "source", toString(size.source));
          place(json, "location", size.location);
          text(json, "text", size.text);
          strings(json, "arrays", size.arrays);
          json.attribute("loops", size.loops);
          json.attribute("conditions", size.conditions);
        });
    });
  });
  os << '\n';
}

void writeSectionsJson(const SectionsReport &report, llvm::raw_ostream &os) {
  Stream json(os, 2);
  json.object([&] {
    header(json, "sections", report.version);
    json.attributeArray("sections", [&] {
      for (const SectionLine &section : report.sections)
        json.object([&] {
          text(json, "function", section.function);
          place(json, "location", section.location);
          text(json, "array", section.array);
          text(json, "scope", section.scope);
          text(json, "access", section.access);
          text(json, "section", section.section);
          json.attribute("exact", section.exact);
          boxes(json, section.boxes);
        });
    });
    writeFindings(report.findings, json);
    suppressed(json, report.suppressed);
  });
  os << '\n';
}

} // namespace busfare::projection
