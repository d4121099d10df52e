//===- projection/report/CalculatorSchema.cpp - Schemas of calculators' JSON ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The outputs of trace, blas, comm, papers and sweep, as Schema.cpp has the others.
//
//===----------------------------------------------------------------------===//

#include "projection/report/Writers.h"

namespace busfare::projection {

const char *const calculatorDefinitions = R"json({
  "seconds": {"type": "number", "minimum": 0},
  "seconds_or_null": {"type": ["number", "null"], "minimum": 0},
  "copy_sums": {"type": "object",
    "required": ["count", "bytes", "recorded_s", "predicted_s", "peak_s", "envelope_s", "unknown"],
    "properties": {"count": {"$ref": "#/$defs/count"}, "bytes": {"$ref": "#/$defs/count"}, "recorded_s": {"$ref": "#/$defs/seconds"},
      "predicted_s": {"$ref": "#/$defs/seconds"}, "peak_s": {"$ref": "#/$defs/seconds_or_null"}, "envelope_s": {"$ref": "#/$defs/seconds_or_null"},
      "unknown": {"$ref": "#/$defs/count", "description": "Copies that the model does not know: their recorded time stays."}}},
  "copy_group": {"allOf": [{"$ref": "#/$defs/copy_sums"}, {"type": "object", "required": ["kind", "memory", "symbol"],
    "properties": {"kind": {"enum": ["h2d", "d2h", "d2d", "peer", "h2h", "unknown"]}, "memory": {"enum": ["pinned", "pageable", "managed", "unknown"]},
      "symbol": {"type": "boolean"}, "each_bytes": {"$ref": "#/$defs/count"}}}]},
  "busy": {"type": "object", "required": ["span_s", "transfers_s", "kernels_s", "both_s", "idle_s"],
    "additionalProperties": {"$ref": "#/$defs/seconds"}},
  "predictors": {"type": "object", "required": ["predicted", "peak", "envelope"], "additionalProperties": {"$ref": "#/$defs/figure"}},
  "trace": {"type": "object",
    "required": ["schema_version", "output", "tool", "file", "layout", "layout_version", "devices", "to", "from", "model", "latency_from_source", "source_wmape",
                 "gpu_time_s", "kernels", "fills", "transfers", "transfer_share", "tiny", "symbols", "pageable", "by_kind", "by_size",
                 "sizes_left_out", "histogram", "timeline", "without_time", "accuracy"],
    "properties": {"schema_version": {"const": 1}, "output": {"const": "trace"}, "tool": {"$ref": "#/$defs/tool"}, "file": {"type": "string"},
      "layout": {"enum": ["nsys", "nvprof"]}, "layout_version": {"type": "string"}, "devices": {"$ref": "#/$defs/names"},
      "to": {"type": "string"}, "from": {"type": ["string", "null"]},
      "model": {"enum": ["sweep", "linear", "loggp", "packets", "peak", "envelope"], "description": "Of pinned copies; sweep: what was measured."},
      "latency_from_source": {"type": "boolean"},
      "source_wmape": {"$ref": "#/$defs/figure", "description": "Of the source machine's models on what was recorded there; null without one."},
      "gpu_time_s": {"type": "object", "required": ["transfers", "kernels", "fills", "total"], "additionalProperties": {"$ref": "#/$defs/seconds"}},
      "kernels": {"$ref": "#/$defs/count"}, "fills": {"$ref": "#/$defs/count"},
      "transfers": {"$ref": "#/$defs/copy_sums"}, "transfer_share": {"$ref": "#/$defs/figure"},
      "tiny": {"type": "object", "required": ["at_most_bytes", "count_share", "time_share"]},
      "symbols": {"type": "object", "required": ["count", "count_share", "time_share"]},
      "pageable": {"type": "object", "required": ["bytes", "predicted_s", "as_pinned_s", "scaled"]},
      "by_kind": {"type": "array", "items": {"$ref": "#/$defs/copy_group"}},
      "by_size": {"type": "array", "items": {"allOf": [{"$ref": "#/$defs/copy_group"}, {"required": ["each_bytes"]}]}},
      "sizes_left_out": {"$ref": "#/$defs/count"},
      "histogram": {"type": "array", "items": {"allOf": [{"$ref": "#/$defs/copy_sums"}, {"required": ["below_bytes"]}]}},
      "timeline": {"type": "object", "required": ["recorded", "predicted"], "additionalProperties": {"$ref": "#/$defs/busy"}},
      "without_time": {"$ref": "#/$defs/count"},
      "accuracy": {"type": ["object", "null"], "required": ["file", "matched", "unmatched", "measured_s", "wmape", "of_predicted"],
        "properties": {"wmape": {"$ref": "#/$defs/predictors"}, "of_predicted": {"$ref": "#/$defs/predictors"}}}}},
  "blas": {"type": "object",
    "required": ["schema_version", "output", "tool", "machine", "routine", "operands", "tiles", "selected", "pipeline_selected", "kernel_times", "device_bytes", "fits"],
    "properties": {"schema_version": {"const": 1}, "output": {"const": "blas"}, "tool": {"$ref": "#/$defs/tool"}, "machine": {"type": "string"},
      "routine": {"enum": ["daxpy", "saxpy", "dgemv", "sgemv", "dgemm", "sgemm"]},
      "operands": {"type": "array", "items": {"type": "object", "required": ["name", "bytes", "comes_in", "goes_back"]}},
      "tiles": {"type": "array", "minItems": 1, "items": {"type": "object",
        "required": ["tile", "baseline_s", "location_s", "bidirectional_s", "reuse_s", "cso_s"],
        "properties": {"tile": {"type": "integer", "minimum": 1}, "tile_time_s": {"$ref": "#/$defs/seconds"}, "k": {"type": "number"},
          "k_in": {"type": "number"}, "t_over_s": {"$ref": "#/$defs/seconds"}, "baseline_s": {"$ref": "#/$defs/seconds"},
          "location_s": {"$ref": "#/$defs/seconds"}, "bidirectional_s": {"$ref": "#/$defs/seconds"},
          "reuse_s": {"$ref": "#/$defs/seconds_or_null"}, "cso_s": {"$ref": "#/$defs/seconds"},
          "pipeline_s": {"$ref": "#/$defs/seconds_or_null", "description": "Three queues played through; null: too many subkernels."}}}},
      "selected": {"type": ["integer", "null"], "description": "null: the call does not fit into the device's memory."},
      "pipeline_selected": {"type": ["integer", "null"], "description": "The tile with the least pipeline_s."},
      "kernel_times": {"enum": ["given", "roofline"]}, "device_bytes": {"type": "number"}, "fits": {"type": "boolean"}}},
  "comm": {"type": "object", "required": ["schema_version", "output", "tool", "machine", "messages", "port", "priorities"],
    "properties": {"schema_version": {"const": 1}, "output": {"const": "comm"}, "tool": {"$ref": "#/$defs/tool"}, "machine": {"type": "string"},
      "messages": {"type": "array", "items": {"type": "object", "required": ["operation", "initiator", "bytes", "single_s", "pipelined_s"],
        "properties": {"operation": {"enum": ["put", "get"]}, "initiator": {"enum": ["host", "device"]},
          "bytes": {"type": ["number", "null"], "description": "null: of a message in a source, not known."},
          "location": {"$ref": "#/$defs/location"}, "call": {"type": "string"}, "kind": {"type": "string"}, "formula": {"type": ["string", "null"]},
          "count": {"type": "number"},
          "single_s": {"$ref": "#/$defs/seconds_or_null"}, "pipelined_s": {"$ref": "#/$defs/seconds_or_null"},
          "equation_s": {"$ref": "#/$defs/seconds", "description": "Equations (1) to (4) also above 8 KiB, overhead and gap added up."}}}},
      "advice": {"$ref": "#/$defs/names"}, "assumptions": {"$ref": "#/$defs/names"},
      "port": {"type": ["object", "null"], "description": "null: no message in the source has a known size.",
        "required": ["communication_share", "compute_speedup", "launch_s", "other_launch_s", "batch", "ceiling", "near_ceiling_bytes", "speedups"]},
      "priorities": {"type": "array", "items": {"type": "object", "required": ["number", "text", "before", "after"]}}}},
  "papers": {"type": "object", "required": ["schema_version", "output", "tool", "rows"],
    "properties": {"schema_version": {"const": 1}, "output": {"const": "papers"}, "tool": {"$ref": "#/$defs/tool"},
      "rows": {"type": "array", "items": {"type": "object", "required": ["paper", "item", "published", "ours", "unit", "error", "claimed", "holds"],
        "properties": {"paper": {"type": "string"}, "item": {"type": "string"}, "published": {"type": "number"}, "ours": {"$ref": "#/$defs/figure"},
          "unit": {"type": "string"}, "error": {"$ref": "#/$defs/figure", "description": "(ours - published) / published."},
          "allowed": {"type": "number", "description": "How far ours may be off, in the unit."}, "or_less": {"type": "boolean"},
          "claimed": {"type": "boolean", "description": "It follows from what is published."}, "holds": {"type": "boolean"},
          "why": {"type": "string"}}}}}},
  "sweep": {"type": "object", "required": ["schema_version", "output", "tool", "columns", "notes", "rows"],
    "properties": {"schema_version": {"const": 1}, "output": {"const": "sweep"}, "tool": {"$ref": "#/$defs/tool"}, "columns": {"$ref": "#/$defs/names"},
      "notes": {"$ref": "#/$defs/names"},
      "rows": {"type": "array", "items": {"type": "array", "items": {"type": ["number", "string", "null"]}}}}}
})json";

} // namespace busfare::projection
