//===- projection/report/DiffJson.cpp - What changed, for programs --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The JSON output of `busfare diff` and its schema, which stand side by side so that
// they change together.
//
//===----------------------------------------------------------------------===//

#include "projection/report/DiffWriters.h"

using llvm::StringRef;

namespace busfare::projection {

const char *const diffDefinitions = R"json({
  "diff": {"allOf": [{"$ref": "#/$defs/changes"}, {"type": "object", "required": ["schema_version", "output", "tool"],
    "properties": {"schema_version": {"const": 1}, "output": {"const": "diff"}, "tool": {"$ref": "#/$defs/tool"}}}]},
  "changes": {"type": "object", "required": ["changed", "old", "new", "machines", "bytes_are", "regions", "loops", "findings"],
    "description": "What changed from the old report to the new one. Regions: all of both; loops and findings: those that changed.",
    "properties": {"changed": {"type": "boolean", "description": "False: nothing but places, and figures within their intervals."},
      "old": {"$ref": "#/$defs/compared"}, "new": {"$ref": "#/$defs/compared"},
      "machines": {"type": "object", "required": ["both", "only_old", "only_new"],
        "properties": {"both": {"$ref": "#/$defs/names"}, "only_old": {"$ref": "#/$defs/names"}, "only_new": {"$ref": "#/$defs/names"}}},
      "bytes_are": {"enum": ["moved", "sections"], "description": "What the copies move; or, as the first machines differ, the bytes of the sections."},
      "regions": {"type": "array", "items": {"type": "object",
        "required": ["change", "old", "new", "structure_changed", "bus_bytes", "sizes", "on"],
        "properties": {"change": {"enum": ["new", "gone", "changed", "same"]},
          "old": {"$ref": "#/$defs/compared_region"}, "new": {"$ref": "#/$defs/compared_region"},
          "structure_changed": {"type": "boolean", "description": "Another fingerprint."},
          "bus_bytes": {"type": ["object", "null"], "description": "Both ways, each copy times its count; null of a region in one report only.",
            "required": ["old", "new"], "properties": {"old": {"$ref": "#/$defs/count"}, "new": {"$ref": "#/$defs/count"}}},
          "sizes": {"type": "array", "items": {"type": "object", "required": ["name", "old", "new"],
            "properties": {"name": {"type": "string"}, "old": {"type": "integer"}, "new": {"type": "integer"}}}},
          "on": {"type": "object", "description": "On the machines of both reports; of a new or gone region, on those of its report.",
            "additionalProperties": {"type": "object", "required": ["old", "new", "flipped", "trend"],
              "properties": {"old": {"$ref": "#/$defs/compared_answer"}, "new": {"$ref": "#/$defs/compared_answer"},
                "flipped": {"type": "boolean"}, "trend": {"enum": ["same", "within", "faster", "slower", null],
                  "description": "faster, slower: beyond the interval of one of the two; within: another figure."}}}}}}},
      "loops": {"type": "array", "items": {"type": "object", "required": ["change", "old", "new"],
        "properties": {"change": {"enum": ["lost", "gained", "new", "gone"], "description": "lost: no longer parallel; gained: now it is."},
          "old": {"$ref": "#/$defs/compared_loop"}, "new": {"$ref": "#/$defs/compared_loop"}}}},
      "findings": {"type": "array", "items": {"type": "object", "required": ["rule", "old", "new", "new_findings", "gone_findings"],
        "properties": {"rule": {"type": "string"}, "old": {"$ref": "#/$defs/count"}, "new": {"$ref": "#/$defs/count"},
          "new_findings": {"$ref": "#/$defs/finding_list"}, "gone_findings": {"$ref": "#/$defs/finding_list"}}}}}},
  "compared": {"type": "object", "required": ["file", "version", "failed_files"],
    "properties": {"file": {"type": ["string", "null"], "description": "null: this very report."}, "version": {"type": "string"},
      "failed_files": {"$ref": "#/$defs/count"}}},
  "compared_region": {"type": ["object", "null"], "required": ["id", "fingerprint", "location"],
    "properties": {"id": {"type": "string"}, "fingerprint": {"type": "string"}, "location": {"$ref": "#/$defs/location"}}},
  "compared_answer": {"type": ["object", "null"], "required": ["verdict", "speedup"],
    "properties": {"verdict": {"$ref": "#/$defs/verdict"}, "speedup": {"$ref": "#/$defs/interval"}}},
  "compared_loop": {"type": ["object", "null"], "required": ["location", "index", "parallel", "reason"],
    "properties": {"location": {"$ref": "#/$defs/location"}, "index": {"type": "string"}, "parallel": {"type": "boolean"},
      "reason": {"type": "string"}}}
})json";

static void figure(Stream &json, StringRef key, const std::optional<double> &value) {
  if (value) number(json, key, *value);
  else json.attribute(key, nullptr);
}

static void region(Stream &json, StringRef key, const std::optional<RegionSummary> &region) {
  if (!region) {
    json.attribute(key, nullptr);
    return;
  }
  json.attributeObject(key, [&] {
    text(json, "id", region->id);
    text(json, "fingerprint", region->fingerprint);
    place(json, "location", region->location, region->function);
  });
}

static void answer(Stream &json, StringRef key, const AnswerSummary *answer) {
  if (!answer) {
    json.attribute(key, nullptr);
    return;
  }
  json.attributeObject(key, [&] {
    json.attribute("verdict", toString(answer->verdict));
    json.attributeObject("speedup", [&] {
      figure(json, "value", answer->speedup.value);
      figure(json, "low", answer->speedup.low);
      figure(json, "high", answer->speedup.high);
    });
  });
}

static void onMachine(Stream &json, StringRef machine, const AnswerSummary *before, const AnswerSummary *after,
                      std::optional<Trend> trend) {
  json.attributeObject(readable(machine), [&] {
    answer(json, "old", before);
    answer(json, "new", after);
    json.attribute("flipped", before && after && before->verdict != after->verdict);
    if (trend) json.attribute("trend", toString(*trend));
    else json.attribute("trend", nullptr);
  });
}

static void regionChange(Stream &json, const RegionDiff &diff) {
  json.object([&] {
    json.attribute("change", diff.isNew() ? "new" : diff.isGone() ? "gone" : diff.changed() ? "changed" : "same");
    region(json, "old", diff.before);
    region(json, "new", diff.after);
    json.attribute("structure_changed", diff.structureChanged);
    if (diff.isNew() || diff.isGone()) json.attribute("bus_bytes", nullptr);
    else
      json.attributeObject("bus_bytes", [&] {
        json.attribute("old", diff.bytesBefore);
        json.attribute("new", diff.bytesAfter);
      });
    json.attributeArray("sizes", [&] {
      for (const SizeDiff &size : diff.sizes)
        json.object([&] {
          text(json, "name", size.name);
          json.attribute("old", size.before);
          json.attribute("new", size.after);
        });
    });
    json.attributeObject("on", [&] {
      for (const AnswerDiff &one : diff.on) onMachine(json, one.machine, &one.before, &one.after, one.trend);
      if (diff.isNew() || diff.isGone())
        for (const auto &[machine, one] : diff.either().on)
          onMachine(json, machine, diff.isGone() ? &one : nullptr, diff.isNew() ? &one : nullptr, std::nullopt);
    });
  });
}

static void loop(Stream &json, StringRef key, const std::optional<LoopSummary> &loop) {
  if (!loop) {
    json.attribute(key, nullptr);
    return;
  }
  json.attributeObject(key, [&] {
    place(json, "location", loop->location, loop->function);
    text(json, "index", loop->index);
    json.attribute("parallel", loop->parallel);
    text(json, "reason", loop->reason);
  });
}

static void findings(Stream &json, StringRef key, const std::vector<FindingSummary> &findings) {
  json.attributeArray(key, [&] {
    for (const FindingSummary &finding : findings)
      json.object([&] {
        text(json, "rule", finding.rule);
        text(json, "level", finding.level);
        place(json, "location", finding.location);
        text(json, "message", finding.message);
      });
  });
}

static void compared(Stream &json, StringRef key, const std::string &file, const std::string &version,
                     unsigned failed) {
  json.attributeObject(key, [&] {
    if (file.empty()) json.attribute("file", nullptr);
    else text(json, "file", file);
    text(json, "version", version);
    json.attribute("failed_files", failed);
  });
}

void writeDiffKeys(const ReportDiff &diff, Stream &json) {
  json.attribute("changed", !diff.isEmpty());
  compared(json, "old", diff.oldFile, diff.oldVersion, diff.failedBefore);
  compared(json, "new", diff.newFile, diff.newVersion, diff.failedAfter);
  json.attributeObject("machines", [&] {
    strings(json, "both", diff.machines);
    strings(json, "only_old", diff.onlyOld);
    strings(json, "only_new", diff.onlyNew);
  });
  json.attribute("bytes_are", diff.bytesAreMoved ? "moved" : "sections");
  json.attributeArray("regions", [&] {
    for (const RegionDiff &region : diff.regions) regionChange(json, region);
  });
  json.attributeArray("loops", [&] {
    for (const LoopDiff &one : diff.loops)
      json.object([&] {
        json.attribute("change", toString(one.kind));
        loop(json, "old", one.before);
        loop(json, "new", one.after);
      });
  });
  json.attributeArray("findings", [&] {
    for (const RuleDiff &rule : diff.rules)
      json.object([&] {
        text(json, "rule", rule.rule);
        json.attribute("old", rule.before);
        json.attribute("new", rule.after);
        findings(json, "new_findings", rule.fresh);
        findings(json, "gone_findings", rule.gone);
      });
  });
}

void writeDiffJson(const ReportDiff &diff, llvm::raw_ostream &os) {
  Stream json(os, 2);
  json.object([&] {
    json.attribute("schema_version", 1);
    json.attribute("output", "diff");
    json.attributeObject("tool", [&] {
      json.attribute("name", "busfare");
      json.attribute("version", BUSFARE_VERSION);
    });
    writeDiffKeys(diff, json);
  });
  os << '\n';
}

} // namespace busfare::projection
