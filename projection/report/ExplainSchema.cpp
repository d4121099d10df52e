//===- projection/report/ExplainSchema.cpp - Schemas of explain and measure ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The outputs of explain and measure, as Schema.cpp has the others.
//
//===----------------------------------------------------------------------===//

#include "projection/report/Writers.h"

namespace busfare::projection {

const char *const explainDefinitions = R"json({
  "term": {"type": "object", "required": ["name", "time_s", "formula", "decides", "added", "inputs"],
    "description": "A limit of a modelled time: the longest decides, those that are added come on top of it.",
    "properties": {"name": {"type": "string"}, "time_s": {"$ref": "#/$defs/seconds"},
      "formula": {"type": "string", "description": "In the inputs' names."}, "decides": {"type": "boolean"}, "added": {"type": "boolean"},
      "inputs": {"type": "array", "items": {"type": "object", "required": ["name", "value", "unit", "kind", "source"],
        "properties": {"name": {"type": "string"}, "value": {"type": "number"}, "unit": {"type": "string"},
          "kind": {"enum": ["measured", "datasheet", "derived", "assumed", "counted"], "description": "counted: from the program at its sizes."},
          "source": {"type": "string"}}}}}},
  "terms": {"type": "array", "items": {"$ref": "#/$defs/term"}},
  "explained_loop": {"type": "object",
    "required": ["location", "index", "lower", "upper", "step", "trips", "iterations", "around", "parallel", "needs", "assuming", "reason", "dependences"],
    "properties": {"location": {"$ref": "#/$defs/location"}, "index": {"type": "string"}, "lower": {"type": "string"}, "upper": {"type": "string"},
      "step": {"type": "integer"}, "trips": {"type": "string", "description": "Of one execution, as a formula."},
      "iterations": {"type": "number", "description": "In one launch of the kernel; of a loop around it, in one of its own executions."},
      "around": {"type": "boolean", "description": "A serial loop around the nest."}, "parallel": {"type": "boolean"},
      "needs": {"type": "array"}, "assuming": {"$ref": "#/$defs/names"}, "reason": {"type": "string"}, "dependences": {"type": "array"}}},
  "explained_copy": {"type": "object",
    "required": ["array", "direction", "section", "formula", "bytes", "moved_bytes", "count", "copies", "exact", "at", "because", "time"],
    "properties": {"array": {"type": "string"}, "direction": {"enum": ["h2d", "d2h"]}, "section": {"type": "string"}, "formula": {"type": "string"},
      "formula_at_most": {"const": true}, "bytes": {"$ref": "#/$defs/count"}, "moved_bytes": {"$ref": "#/$defs/count"}, "count": {"$ref": "#/$defs/count"},
      "copies": {"$ref": "#/$defs/count"}, "exact": {"type": "boolean"}, "at": {"$ref": "#/$defs/location"}, "because": {"$ref": "#/$defs/location"},
      "cause": {"$ref": "#/$defs/cause"}, "unseen": {"type": "string"},
      "time": {"$ref": "#/$defs/term", "description": "Of all its copies."}}},
  "explained_on": {"type": "object",
    "required": ["machine", "launches", "time_s", "time_low_s", "time_high_s", "limited_by", "launches_differ", "transformation", "cpu_s",
                 "cpu_all_cores_s", "kernel_terms", "cpu_terms", "cpu_all_cores_terms", "copies"],
    "properties": {"machine": {"type": "string"}, "launches": {"$ref": "#/$defs/launches"}, "time_s": {"$ref": "#/$defs/seconds"},
      "time_low_s": {"$ref": "#/$defs/seconds"}, "time_high_s": {"$ref": "#/$defs/seconds"}, "limited_by": {"type": "string"},
      "launches_differ": {"type": "boolean", "description": "Then the terms are of one launch that stands for the most of them, time_s is the mean."},
      "transformation": {"type": "object"},
      "cpu_s": {"$ref": "#/$defs/seconds", "description": "Of all launches' work on the host, as written."}, "cpu_all_cores_s": {"$ref": "#/$defs/seconds"},
      "kernel_terms": {"$ref": "#/$defs/terms"}, "cpu_terms": {"$ref": "#/$defs/terms"}, "cpu_all_cores_terms": {"$ref": "#/$defs/terms"},
      "copies": {"type": "array", "items": {"$ref": "#/$defs/explained_copy"}}}},
  "explain": {"type": "object", "required": ["schema_version", "output", "tool", "at", "machines", "nests", "regions", "findings"],
    "properties": {"schema_version": {"const": 1}, "output": {"const": "explain"}, "tool": {"$ref": "#/$defs/tool"},
      "at": {"type": "object", "required": ["file", "line"], "properties": {"file": {"type": "string"}, "line": {"$ref": "#/$defs/count"}}},
      "machines": {"type": "array", "items": {"type": "object", "required": ["name"]}},
      "nests": {"type": "array", "minItems": 1, "items": {"type": "object",
        "required": ["location", "root", "context", "kernel", "why_on_host", "kernels_inside", "region", "loops", "sections", "operations", "branches", "on"],
        "properties": {"location": {"$ref": "#/$defs/location"}, "root": {"type": "string"}, "context": {"$ref": "#/$defs/names"},
          "kernel": {"type": "boolean"}, "why_on_host": {"type": "string", "description": "Empty of a kernel."},
          "kernels_inside": {"$ref": "#/$defs/names"}, "region": {"type": ["string", "null"]},
          "loops": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/explained_loop"}},
          "sections": {"type": "array", "items": {"type": "object", "required": ["array", "access", "section", "formula", "bytes", "exact"],
            "properties": {"array": {"type": "string"}, "access": {"enum": ["read", "write"]}, "section": {"type": "string"},
              "formula": {"type": "string"}, "bytes": {"$ref": "#/$defs/figure"}, "exact": {"type": "boolean"}}}},
          "operations": {"type": "array", "items": {"type": "object", "required": ["name", "count", "formula"],
            "properties": {"name": {"type": "string"}, "count": {"type": "number", "minimum": 0},
              "formula": {"type": "string", "description": "Empty where branches or inner bounds leave none."}}}},
          "branches": {"type": "array", "description": "Those whose condition no size decides.",
            "items": {"type": "object", "required": ["location", "share", "source"],
              "properties": {"location": {"$ref": "#/$defs/location"}, "share": {"type": "number"}, "source": {"enum": ["assumed", "given", "profile"]}}}},
          "on": {"type": "array", "items": {"$ref": "#/$defs/explained_on"}, "description": "One a machine; empty of what is no kernel."}}}},
      "regions": {"type": "array", "items": {"$ref": "#/$defs/region"}}, "findings": {"$ref": "#/$defs/finding_list"}}},
  "profiled_counts": {"type": "array", "items": {"type": "object", "required": ["number", "line", "executions"],
    "properties": {"number": {"$ref": "#/$defs/count", "description": "Of the function's loops, or branches, in the order of its skeleton."},
      "line": {"$ref": "#/$defs/count", "description": "Where it stood, for people."}, "executions": {"$ref": "#/$defs/count"},
      "iterations": {"$ref": "#/$defs/count"}, "taken": {"$ref": "#/$defs/count"}, "seconds": {"$ref": "#/$defs/seconds"}}}},
  "profile": {"type": "object",
    "required": ["schema_version", "output", "tool", "sources", "arguments", "exit_code", "run_s", "original_s", "overhead", "functions", "regions", "notes"],
    "properties": {"schema_version": {"const": 1}, "output": {"const": "profile"}, "tool": {"$ref": "#/$defs/tool"}, "sources": {"$ref": "#/$defs/names"},
      "arguments": {"$ref": "#/$defs/names"}, "exit_code": {"type": "integer"},
      "run_s": {"$ref": "#/$defs/seconds", "description": "With timers and counters."}, "original_s": {"$ref": "#/$defs/seconds"},
      "overhead": {"type": "number", "description": "run_s / original_s - 1"},
      "functions": {"type": "array", "items": {"type": "object", "required": ["name", "file", "fingerprint", "loops", "nests", "branches", "sizes"],
        "properties": {"name": {"type": "string"}, "file": {"type": "string"},
          "fingerprint": {"type": "string", "description": "Of its structure: survives moved lines and renamed variables."},
          "loops": {"$ref": "#/$defs/profiled_counts"}, "nests": {"$ref": "#/$defs/profiled_counts", "description": "Kernels, on the host."},
          "branches": {"$ref": "#/$defs/profiled_counts"},
          "sizes": {"type": "array", "items": {"type": "object", "required": ["name", "value", "least", "most", "times"],
            "properties": {"name": {"type": "string"}, "value": {"type": "integer", "description": "The mean, rounded."}, "least": {"type": "integer"},
              "most": {"type": "integer"}, "times": {"$ref": "#/$defs/count"}}}}}}},
      "regions": {"type": "array", "items": {"type": "object", "required": ["id", "root", "fingerprint", "entries", "seconds"],
        "properties": {"id": {"type": "string"}, "root": {"type": "string"}, "fingerprint": {"type": "string"}, "entries": {"$ref": "#/$defs/count"},
          "seconds": {"$ref": "#/$defs/seconds", "description": "Of all entries."}}}},
      "notes": {"$ref": "#/$defs/names", "description": "What could not be measured, and why."}}}
})json";

} // namespace busfare::projection
