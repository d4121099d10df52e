//===- projection/report/Schema.cpp - JSON Schema of every output ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Draft 2020-12. Every key that is promised is required; more keys may appear, so
// nothing forbids them. `null` stands for a direction that does not cross, a
// break-even that does not exist, and a figure that is no number.
//
//===----------------------------------------------------------------------===//

#include "projection/report/Writers.h"
#include "llvm/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using llvm::StringRef;

namespace busfare::projection {

/// The parts that the outputs share, and the outputs themselves. In two literals: compilers only promise 64 KiB.
static const char *const sharedDefinitions = R"json({
  "count": {"type": "integer", "minimum": 0},
  "launches": {"type": "number", "minimum": 0, "description": "Expected: no whole number where the share of a branch decides."},
  "figure": {"type": ["number", "null"]},
  "names": {"type": "array", "items": {"type": "string"}},
  "tool": {"type": "object", "required": ["name", "version"],
    "properties": {"name": {"const": "busfare"}, "version": {"type": "string"}}},
  "location": {"type": "object", "required": ["file", "line"],
    "properties": {"file": {"type": "string"}, "line": {"$ref": "#/$defs/count"},
      "column": {"$ref": "#/$defs/count"}, "function": {"type": "string"}}},
  "boxes": {"type": "array", "description": "Per box, per dimension: lower, upper (inclusive), step.",
    "items": {"type": "array", "items": {"type": "array", "minItems": 3, "maxItems": 3, "items": {"type": "string"}}}},
  "interval": {"type": "object", "required": ["value", "low", "high"],
    "description": "low and high are the 10th and the 90th percentile.",
    "properties": {"value": {"$ref": "#/$defs/figure"}, "low": {"$ref": "#/$defs/figure"}, "high": {"$ref": "#/$defs/figure"}}},
  "verdict": {"enum": ["port", "keep", "measure"]},
  "strategy": {"enum": ["explicit", "streams", "mapped", "hybrid", "managed"]},
  "chunks": {"type": "object", "required": ["loop", "index", "behind", "why_not", "needs", "back_waits", "arrays"],
    "description": "The kernel's outer loop in pieces; sections by a chunk's first and last iteration, INDEX.first and INDEX.last.",
    "properties": {"loop": {"anyOf": [{"$ref": "#/$defs/location"}, {"type": "null"}]}, "index": {"type": "string"},
      "behind": {"type": "array", "items": {"type": "integer"}, "description": "Lines of further kernels' loops that go through the same chunks."},
      "why_not": {"type": "string", "description": "Why chunks do not help; empty if they can."},
      "needs": {"type": "string", "description": "Iterations whose copies one in the middle needs."},
      "back_waits": {"type": "string", "description": "Iterations whose kernels its copy back waits for."},
      "arrays": {"type": "array", "items": {"type": "object",
        "required": ["name", "in", "out", "needs", "by_all", "shared", "copies_in", "copies_out", "why_whole"],
        "properties": {"name": {"type": "string"}, "in": {"enum": ["chunks", "whole", "none"]}, "out": {"enum": ["chunks", "whole", "none"]},
          "needs": {"type": "string"}, "by_all": {"type": "string"}, "shared": {"type": "string"}, "copies_in": {"type": "string"},
          "copies_out": {"type": "string"}, "why_whole": {"type": "string"}}}}}},
  "loop_list": {"type": "array", "items": {"type": "object",
    "required": ["location", "parallel", "needs", "assuming", "reason", "dependences"],
    "properties": {
      "location": {"$ref": "#/$defs/location"}, "index": {"type": "string"}, "depth": {"$ref": "#/$defs/count"},
      "holds_parallel": {"type": "boolean"}, "inside_parallel": {"type": "boolean"},
      "parallel": {"type": "boolean", "description": "The iterations may run in any order after the treatment in needs, under assuming."},
      "needs": {"type": "array", "items": {"type": "object", "required": ["kind", "name", "op"],
        "properties": {"kind": {"enum": ["private", "firstprivate", "lastprivate", "reduction", "array-private"]},
          "name": {"type": "string"}, "op": {"type": "string"}}}},
      "assuming": {"$ref": "#/$defs/names"}, "reason": {"type": "string"},
      "dependences": {"type": "array", "items": {"type": "object", "required": ["kind", "array", "example", "source", "sink"],
        "properties": {"kind": {"type": "string"}, "array": {"type": "string"}, "example": {"type": "string"},
          "source": {"$ref": "#/$defs/location"}, "sink": {"$ref": "#/$defs/location"}}}}}}},
  "finding_list": {"type": "array", "items": {"type": "object", "required": ["rule", "level", "location", "message"],
    "properties": {"rule": {"type": "string", "pattern": "^BF[0-9]{3}$"},
      "level": {"enum": ["note", "remark", "warning", "error"]},
      "location": {"$ref": "#/$defs/location"}, "message": {"type": "string"}}}},
  "suppressed": {"type": "object", "description": "How many findings of each rule hints ignore(RULE) took out; absent if none.",
    "additionalProperties": {"type": "integer", "minimum": 1}},
  "coverage": {"type": "object",
    "required": ["files", "failed_files", "functions", "loops", "loops_with_verdict", "outermost_nests", "nests_exact", "not_analysed"],
    "properties": {"files": {"$ref": "#/$defs/count"}, "failed_files": {"$ref": "#/$defs/count"},
      "functions": {"$ref": "#/$defs/count"}, "loops": {"$ref": "#/$defs/count"},
      "loops_with_verdict": {"$ref": "#/$defs/count"}, "outermost_nests": {"$ref": "#/$defs/count"},
      "nests_exact": {"$ref": "#/$defs/count"},
      "not_analysed": {"type": "array", "items": {"type": "object", "required": ["what", "why"],
        "properties": {"what": {"type": "string"}, "why": {"type": "string"}}}},
      "parsed_files": {"$ref": "#/$defs/count"}, "nests_tight": {"$ref": "#/$defs/count"}, "nests_bounded": {"$ref": "#/$defs/count"},
      "nests_with_host_code": {"$ref": "#/$defs/count"}, "nests_with_verdict": {"$ref": "#/$defs/count"},
      "spoiled_by": {"type": "array", "description": "How many nests a rule keeps from being exact or bounded; the worst first.",
        "items": {"type": "object", "required": ["rule", "nests", "alone"],
          "properties": {"rule": {"type": "string", "pattern": "^BF[0-9]{3}$"}, "nests": {"$ref": "#/$defs/count"}, "alone": {"$ref": "#/$defs/count"}}}},
      "suggestions": {"$ref": "#/$defs/names"},
      "nests": {"type": "array", "items": {"$ref": "#/$defs/nest"}},
      "inner_nests": {"type": "array", "description": "The largest nests without input, output and opaque calls inside those with host_code.",
        "items": {"$ref": "#/$defs/nest"}}}},
  "nest": {"type": "object", "required": ["location", "exact", "bounded", "host_code", "verdict", "reasons"],
    "properties": {"location": {"$ref": "#/$defs/location"},
      "exact": {"type": "boolean", "description": "Every section is precisely what is touched."},
      "tight": {"type": "boolean", "description": "Exact, but for conditions on data: no smaller section holds whatever the data are."},
      "bounded": {"type": "boolean", "description": "Every access lies in a known section or a known whole array; no code in it is opaque."},
      "host_code": {"type": "boolean", "description": "Input or output, or a call whose body is not seen."},
      "verdict": {"enum": ["parallel", "inner", "serial", null], "description": "inner: a loop in it is parallel."},
      "reasons": {"type": "array", "items": {"type": "object", "required": ["rule", "location"],
        "properties": {"rule": {"type": "string", "pattern": "^BF[0-9]{3}$"}, "location": {"$ref": "#/$defs/location"}}}}}},
  "crossing": {"type": "object", "required": ["section", "boxes", "formula", "bytes", "moved_bytes", "count", "at"],
    "properties": {"section": {"type": "string"}, "boxes": {"$ref": "#/$defs/boxes"}, "formula": {"type": "string"},
      "formula_at_most": {"const": true, "description": "The formula counts elements in several boxes once for each; bytes does not."},
      "bytes": {"$ref": "#/$defs/count"}, "moved_bytes": {"$ref": "#/$defs/count"}, "count": {"$ref": "#/$defs/count"},
      "copies": {"$ref": "#/$defs/count"}, "summed": {"$ref": "#/$defs/count"}, "exact": {"type": "boolean"},
      "at": {"$ref": "#/$defs/location"}, "because": {"$ref": "#/$defs/location"}, "cause": {"$ref": "#/$defs/cause"},
      "unseen": {"type": "string"}}},
  "cause": {"enum": ["read", "kept", "caller", "widened", "others", "unseen", "pointer", "seldom"],
    "description": "Why one side must hold it: it is read there; not all of it is surely overwritten; a copy the other way takes a box with it; the caller, other functions, code that is not seen or a pointer that may point to it may read it."},
  "direction": {"type": ["object", "null"],
    "required": ["bytes", "moved_bytes", "count", "copies", "exact", "section", "formula", "because", "crossings"],
    "properties": {
      "bytes": {"$ref": "#/$defs/count"}, "moved_bytes": {"$ref": "#/$defs/count"}, "count": {"$ref": "#/$defs/count"},
      "copies": {"$ref": "#/$defs/count"}, "exact": {"type": "boolean"}, "section": {"type": "string"},
      "formula": {"type": "string"}, "formula_at_most": {"const": true}, "because": {"$ref": "#/$defs/location"},
      "crossings": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/crossing"}}}},
  "kernel_list": {"type": "array", "items": {"type": "object",
    "required": ["id", "location", "context", "launches", "parallel_loops", "time_s", "limited_by", "transformation", "planned_on"],
    "properties": {"id": {"type": "string"}, "location": {"$ref": "#/$defs/location"}, "context": {"$ref": "#/$defs/names"},
      "launches": {"$ref": "#/$defs/launches"},
      "parallel_loops": {"type": "array", "items": {"type": "object", "required": ["line", "index"],
        "properties": {"line": {"$ref": "#/$defs/count"}, "index": {"type": "string"}}}},
      "time_s": {"$ref": "#/$defs/figure"}, "time_low_s": {"$ref": "#/$defs/figure"}, "time_high_s": {"$ref": "#/$defs/figure"},
      "limited_by": {"enum": ["dram", "l2", "shared", "fp64", "fp32", "special", "integer", "load_store", "latency", "launch"]},
      "flops": {"$ref": "#/$defs/figure"}, "dram_bytes": {"$ref": "#/$defs/figure"},
      "transformation": {"type": "object", "required": ["block_threads", "thread_index", "coalesced", "occupancy"],
        "properties": {"block_threads": {"$ref": "#/$defs/count"}, "thread_index": {"type": "string"},
          "adds_up": {"type": "boolean", "description": "A block shares all iterations of that loop, and adds up what its threads found."},
          "coalesced": {"type": "boolean", "description": "Neighbouring threads ask for neighbouring elements."},
          "occupancy": {"$ref": "#/$defs/figure", "description": "Of a multiprocessor that works."},
          "busy_multiprocessors": {"type": "number"}, "multiprocessors": {"type": "number"}}},
      "planned_on": {"enum": ["device", "host"], "description": "host: the plan keeps it there, because that is cheaper."}}}},
  "alternative": {"type": "object", "description": "Another division of the work between host and device.",
    "required": ["kind", "places", "because_of", "time_s", "h2d_moved_bytes", "d2h_moved_bytes", "arrays", "emitted", "is_plan", "flips_at"],
    "properties": {"kind": {"enum": ["kernels-on-host", "statements-on-device"]},
      "places": {"type": "array", "description": "Of what changes sides.", "items": {"type": "object", "required": ["at"],
        "properties": {"at": {"$ref": "#/$defs/location"}}}},
      "because_of": {"$ref": "#/$defs/names", "description": "Arrays that cross inside a loop as described."},
      "time_s": {"$ref": "#/$defs/figure", "description": "As time_s.total."},
      "h2d_moved_bytes": {"$ref": "#/$defs/count"}, "d2h_moved_bytes": {"$ref": "#/$defs/count"},
      "arrays": {"type": "array", "description": "Those that cross then.", "items": {"type": "object",
        "required": ["name", "h2d_moved_bytes", "d2h_moved_bytes"],
        "properties": {"name": {"type": "string"}, "h2d_moved_bytes": {"$ref": "#/$defs/count"}, "d2h_moved_bytes": {"$ref": "#/$defs/count"}}}},
      "emitted": {"type": "boolean", "description": "port writes it."},
      "is_plan": {"type": "boolean", "description": "times, speedup and verdict are those of this one."},
      "flips_at": {"oneOf": [{"type": "null"}, {"$ref": "#/$defs/size_break_even"}],
        "description": "Where it becomes the cheaper or the dearer of the two; null: nowhere within 1024 times either way, or not looked for: it is neither the plan nor among the first four."}}},
  "size_break_even": {"type": "object", "required": ["parameter", "factor", "value"],
    "properties": {"parameter": {"type": "string"}, "factor": {"$ref": "#/$defs/figure"}, "value": {"type": ["integer", "null"]}}},
  "answer": {"type": "object", "required": ["time_s", "speedup", "plan", "iterations", "pays_off", "runs", "gain_s", "verdict", "alternatives", "as_described_s"],
    "properties": {
      "time_s": {"type": "object", "required": ["cpu", "kernel", "h2d", "d2h", "startup", "total"],
        "additionalProperties": {"type": ["number", "null", "string", "boolean"]}},
      "speedup": {"allOf": [{"$ref": "#/$defs/interval"}, {"required": ["kernel_only", "as_written", "explicit"],
        "properties": {"kernel_only": {"$ref": "#/$defs/figure"}, "as_written": {"$ref": "#/$defs/figure"},
          "explicit": {"$ref": "#/$defs/figure", "description": "With explicit copies, one after the other."}}}]},
      "plan": {"type": "object", "required": ["strategy", "streams", "memory", "because", "emitted", "kernels_on_host", "equation", "time_s", "explicit_s", "bounds", "alternatives", "pinning"],
        "properties": {"strategy": {"$ref": "#/$defs/strategy"}, "streams": {"type": "integer", "minimum": 1},
          "memory": {"enum": ["pinned", "pageable"]}, "because": {"type": "string"},
          "emitted": {"$ref": "#/$defs/strategy", "description": "What port writes."},
          "kernels_on_host": {"$ref": "#/$defs/names", "description": "Ids of kernels that cost more on the device, with their copies, than they save."},
          "equation": {"enum": ["1", "2", "3", "4", "5", null], "description": "Van Werkhoven's, of streams; null: not priced."},
          "time_s": {"$ref": "#/$defs/figure", "description": "Kernels and transfers as planned."},
          "explicit_s": {"$ref": "#/$defs/figure", "description": "The same one after the other."},
          "bounds": {"type": "object", "required": ["full_overlap_s", "zero_overlap_s"], "additionalProperties": {"$ref": "#/$defs/figure"}},
          "alternatives": {"type": "array", "items": {"type": "object", "required": ["strategy", "streams", "time_s", "why_not"],
            "properties": {"strategy": {"$ref": "#/$defs/strategy"}, "streams": {"type": "integer", "minimum": 1},
              "time_s": {"$ref": "#/$defs/figure"}, "why_not": {"type": "string", "description": "Why it has no price."}}}},
          "pinning": {"type": "object", "required": ["startup_s", "saved_s"],
            "description": "What pinned memory costs once, and saves on explicit copies each time.",
            "additionalProperties": {"$ref": "#/$defs/figure"}}}},
      "iterations": {"type": "object", "required": ["count", "break_even", "limit_speedup"],
        "properties": {"count": {"$ref": "#/$defs/count"}, "assumed": {"type": "boolean"},
          "break_even": {"type": ["integer", "null"], "minimum": 1}, "limit_speedup": {"$ref": "#/$defs/figure"},
          "loop": {"type": "string"}}},
      "size_break_even": {"type": "array", "items": {"$ref": "#/$defs/size_break_even"}},
      "pays_off": {"type": "array", "description": "Where the gain is above 0 as one thing varies; start-up included unless runs is null.",
        "items": {"type": "object", "required": ["size", "intervals"],
          "properties": {"size": {"type": "string", "description": "A size; iterations; calls, with the start-up; sizes: all together, times today's."},
            "intervals": {"type": "array", "items": {"type": "array", "minItems": 2, "maxItems": 2,
              "description": "From and to, both of which pay; null: as far as was looked.", "items": {"type": ["number", "null"]}}}}}},
      "runs": {"type": ["integer", "null"], "minimum": 1, "description": "Of the region in a process; null: any number."},
      "gain_s": {"allOf": [{"$ref": "#/$defs/interval"}, {"properties": {"startup_added": {"$ref": "#/$defs/figure"}}}],
        "description": "Of all runs, less the start-up that it adds; of one run without start-up if runs is null."},
      "verdict": {"$ref": "#/$defs/verdict"}, "why": {"type": "string"}, "flip": {"type": "string"},
      "as_described_s": {"$ref": "#/$defs/figure", "description": "time_s.total with every kernel on the device and every host statement on the host."},
      "alternatives": {"type": "array", "description": "The cheapest first; empty if nothing crosses inside a loop.",
        "items": {"$ref": "#/$defs/alternative"}}}}
})json";

static const char *const outputDefinitions = R"json({
  "found_call": {"type": "object", "required": ["location", "call", "count", "region", "in_time_loop"],
    "properties": {"location": {"$ref": "#/$defs/location"}, "call": {"type": "string"},
      "count": {"type": "number", "minimum": 0, "description": "How often, at today's sizes."},
      "region": {"type": ["string", "null"], "description": "The id of the region it stands in."}, "in_time_loop": {"type": "boolean"},
      "reached": {"type": "boolean", "description": "false: in a function that no root is seen to call; count is per call of it."}}},
  "message": {"allOf": [{"$ref": "#/$defs/found_call"}, {"type": "object",
    "required": ["kind", "type", "formula", "bytes", "nonblocking", "counted", "arrays", "operation", "prices"],
    "properties": {
      "kind": {"enum": ["send", "receive", "exchange", "put", "get", "accumulate", "broadcast", "reduce", "allreduce", "gather", "allgather",
                        "scatter", "alltoall", "scan", "reduce_scatter"]},
      "type": {"type": "string"}, "formula": {"type": ["string", "null"]},
      "bytes": {"$ref": "#/$defs/figure", "description": "Of one message; null: not known."}, "nonblocking": {"type": "boolean"},
      "counted": {"type": "boolean", "description": "It adds to communication in all; a receive does not, its send does."},
      "arrays": {"type": "array", "items": {"type": "object", "required": ["name", "use", "on_device"],
        "properties": {"name": {"type": "string"}, "use": {"enum": ["read", "write", "both"]}, "on_device": {"type": "boolean"}}}},
      "operation": {"enum": ["put", "get"]},
      "prices": {"type": "array", "description": "Of machines with a part network.", "items": {"type": "object",
        "required": ["machine", "initiator", "single_s", "pipelined_s"],
        "properties": {"machine": {"type": "string"}, "initiator": {"enum": ["host", "device"]},
          "single_s": {"$ref": "#/$defs/figure", "description": "Of a collective, all its rounds, without launches."},
          "pipelined_s": {"$ref": "#/$defs/figure"}, "algorithm": {"type": ["string", "null"], "description": "Of a collective."},
          "messages": {"type": "number", "description": "One after the other."}, "launches": {"type": "number"}}}},
      "processes": {"type": ["integer", "null"], "description": "Of a collective."}, "processes_assumed": {"type": "boolean"}}}]},
  "library_call": {"allOf": [{"$ref": "#/$defs/found_call"}, {"type": "object",
    "required": ["routine", "dimensions", "operands", "flops", "bytes", "prices"],
    "properties": {"routine": {"type": "string"},
      "dimensions": {"type": "array", "items": {"type": "object", "required": ["name", "formula", "value"],
        "properties": {"name": {"enum": ["m", "n", "k"]}, "formula": {"type": ["string", "null"]}, "value": {"$ref": "#/$defs/figure"}}}},
      "operands": {"type": "array", "items": {"type": "object", "required": ["operand", "array", "on_device"]}},
      "flops": {"$ref": "#/$defs/figure"}, "bytes": {"$ref": "#/$defs/figure"},
      "prices": {"type": "array", "items": {"type": "object",
        "required": ["machine", "host_s", "offload_s", "tile", "equation", "kernel_times"],
        "properties": {"machine": {"type": "string"}, "host_s": {"$ref": "#/$defs/figure"},
          "offload_s": {"$ref": "#/$defs/figure", "description": "CoCoPeLia, with the best tile; null: no such model, or it does not fit."},
          "tile": {"$ref": "#/$defs/figure"}, "equation": {"enum": ["bidirectional", "reuse", "queues", null],
            "description": "CoCoPeLia's (4) or (5), or the call played through copy by copy."},
          "kernel_times": {"enum": ["measured", "roofline"]}}}}}}]},
  "region": {"allOf": [{"$ref": "#/$defs/answer"}, {"type": "object",
    "required": ["id", "fingerprint", "location", "kernels", "arrays", "scalars", "chunks", "h2d_bytes", "d2h_bytes", "device_bytes",
                 "fits", "parameters", "assumptions", "host_statements", "on"],
    "properties": {
      "id": {"type": "string"}, "fingerprint": {"type": "string"}, "location": {"$ref": "#/$defs/location"},
      "kernels": {"$ref": "#/$defs/kernel_list"},
      "arrays": {"type": "array", "items": {"type": "object", "required": ["name", "element_bytes", "temporary", "h2d", "d2h"],
        "properties": {"name": {"type": "string"}, "element_bytes": {"$ref": "#/$defs/count"}, "temporary": {"type": "boolean"},
          "device_bytes": {"$ref": "#/$defs/count"},
          "h2d": {"$ref": "#/$defs/direction"}, "d2h": {"$ref": "#/$defs/direction"}}}},
      "scalars": {"type": "array", "items": {"type": "object", "required": ["name", "direction", "bytes"],
        "properties": {"name": {"type": "string"}, "direction": {"enum": ["h2d", "d2h", "both"]}, "bytes": {"$ref": "#/$defs/count"}}}},
      "chunks": {"$ref": "#/$defs/chunks"},
      "h2d_bytes": {"$ref": "#/$defs/count"}, "d2h_bytes": {"$ref": "#/$defs/count"}, "device_bytes": {"$ref": "#/$defs/count"},
      "fits": {"type": "boolean"},
      "parameters": {"type": "object", "additionalProperties": {"type": "object", "required": ["value", "source"],
        "properties": {"value": {"type": "integer"},
          "source": {"enum": ["command line", "constant", "declared", "caller", "profile", "hint", "assumed"]}}}},
      "assumptions": {"$ref": "#/$defs/names"}, "host_statements": {"$ref": "#/$defs/names"},
      "on": {"type": "object", "additionalProperties": {"$ref": "#/$defs/answer"}}}}]},
  "report": {"type": "object",
    "required": ["schema_version", "output", "tool", "machines", "regions", "program", "nests", "unpriced", "if_directives_hold", "if_distinct", "loops", "messages", "library_calls", "findings", "coverage",
                 "next_commands"],
    "properties": {"schema_version": {"const": 1}, "output": {"const": "report"}, "tool": {"$ref": "#/$defs/tool"},
      "machines": {"type": "array", "items": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}},
      "regions": {"type": "array", "items": {"$ref": "#/$defs/region"}},
      "nests": {"type": "array", "description": "Every outermost parallel nest once, most work first. Work is the host's modelled time on one thread; work_share is null where how often the nest runs is not known, work_s then one call's.",
        "items": {"type": "object", "required": ["location", "in", "work_share", "work_s", "verdict", "speedup", "reason"],
        "properties": {"location": {"$ref": "#/$defs/location"}, "in": {"enum": ["kernel", "kept", "alone"]},
          "work_share": {"$ref": "#/$defs/figure"}, "work_s": {"$ref": "#/$defs/figure"},
          "verdict": {"anyOf": [{"$ref": "#/$defs/verdict"}, {"type": "null"}]}, "speedup": {"$ref": "#/$defs/interval"},
          "region": {"type": "string"}, "reason": {"type": "string"}}}},
      "unpriced": {"type": "array", "description": "Nests that no plan has and that may be worth one, and what would let them be priced.",
        "items": {"type": "object", "required": ["location", "reason", "give", "work_share"],
        "properties": {"location": {"$ref": "#/$defs/location"}, "reason": {"type": "string"}, "give": {"type": "string"},
          "work_share": {"$ref": "#/$defs/figure"}}}},
      "program": {"type": "object", "required": ["speedup", "offloaded_share"],
        "properties": {"speedup": {"$ref": "#/$defs/interval"}, "offloaded_share": {"$ref": "#/$defs/figure"}, "cpu_s": {"$ref": "#/$defs/figure"},
          "library_s": {"$ref": "#/$defs/figure", "description": "Of cpu_s, calls of BLAS."}}},
      "if_directives_hold": {"type": "array", "description": "Functions whose OpenMP directives, where they are neither proved nor refuted, would change what runs on the device (--trust-directives).",
        "items": {"type": "object", "required": ["function", "directives", "regions"], "properties": {"function": {"type": "string"},
          "directives": {"type": "array", "items": {"type": "object", "required": ["location"], "properties": {"location": {"$ref": "#/$defs/location"}}}},
          "regions": {"type": "array", "items": {"$ref": "#/$defs/region"}}}}},
      "if_distinct": {"type": "array", "description": "Functions of which more would run on the device if each pointer of which it is not known where it leads led to memory of its own.",
        "items": {"type": "object", "required": ["function", "pointers", "regions"], "properties": {"function": {"type": "string"}, "pointers": {"$ref": "#/$defs/names"},
          "regions": {"type": "array", "items": {"$ref": "#/$defs/region"}}}}},
      "loops": {"$ref": "#/$defs/loop_list"},
      "messages": {"type": "array", "description": "MPI and SHMEM calls that move data.", "items": {"$ref": "#/$defs/message"}},
      "library_calls": {"type": "array", "description": "Calls of BLAS, which the plan leaves on the host.", "items": {"$ref": "#/$defs/library_call"}},
      "findings": {"$ref": "#/$defs/finding_list"}, "suppressed": {"$ref": "#/$defs/suppressed"},
      "coverage": {"$ref": "#/$defs/coverage"}, "next_commands": {"$ref": "#/$defs/names"},
      "baseline": {"$ref": "#/$defs/changes", "description": "Of --baseline: what changed since."}}},
  "loops": {"type": "object", "required": ["schema_version", "output", "tool", "loops", "findings", "coverage"],
    "properties": {"schema_version": {"const": 1}, "output": {"const": "loops"}, "tool": {"$ref": "#/$defs/tool"},
      "loops": {"$ref": "#/$defs/loop_list"}, "findings": {"$ref": "#/$defs/finding_list"},
      "suppressed": {"$ref": "#/$defs/suppressed"}, "coverage": {"$ref": "#/$defs/coverage"}}},
  "sections": {"type": "object", "required": ["schema_version", "output", "tool", "sections", "findings"],
    "properties": {"schema_version": {"const": 1}, "output": {"const": "sections"}, "tool": {"$ref": "#/$defs/tool"},
      "sections": {"type": "array", "items": {"type": "object",
        "required": ["function", "location", "scope", "array", "access", "section", "exact", "boxes"],
        "properties": {"function": {"type": "string"}, "location": {"$ref": "#/$defs/location"}, "array": {"type": "string"},
          "scope": {"enum": ["function", "nest"]}, "access": {"enum": ["read", "write", "must-write", "live-in"]}, "section": {"type": "string"},
          "exact": {"type": "boolean"}, "boxes": {"$ref": "#/$defs/boxes"}}}},
      "findings": {"$ref": "#/$defs/finding_list"}, "suppressed": {"$ref": "#/$defs/suppressed"}}},
  "sizes": {"type": "object", "required": ["schema_version", "output", "tool", "sizes"],
    "properties": {"schema_version": {"const": 1}, "output": {"const": "sizes"}, "tool": {"$ref": "#/$defs/tool"},
      "sizes": {"type": "array", "items": {"type": "object",
        "required": ["root", "name", "value", "source", "location", "text", "arrays", "loops", "conditions"],
        "properties": {"root": {"type": "string"}, "name": {"type": "string"}, "value": {"type": ["integer", "null"]},
          "source": {"enum": ["command line", "constant", "declared", "caller", "profile", "hint", "assumed"]},
          "location": {"$ref": "#/$defs/location"}, "text": {"type": "string"}, "arrays": {"$ref": "#/$defs/names"},
          "loops": {"$ref": "#/$defs/count"}, "conditions": {"$ref": "#/$defs/count"}}}}}},
  "transfers": {"type": "object", "required": ["schema_version", "output", "tool", "machine", "reverse", "transfers", "projected", "pinning", "unavailable"],
    "properties": {"schema_version": {"const": 1}, "output": {"const": "transfers"}, "tool": {"$ref": "#/$defs/tool"},
      "machine": {"$ref": "#/$defs/machine"}, "reverse": {"enum": ["idle", "busy"]},
      "transfers": {"type": "array", "items": {"type": "object", "required": ["bytes", "direction", "memory", "model", "time_s"],
        "properties": {"bytes": {"$ref": "#/$defs/count"}, "direction": {"$ref": "#/$defs/way"}, "memory": {"$ref": "#/$defs/memory"},
          "model": {"enum": ["linear", "loggp", "packets", "staged", "peak", "envelope"]}, "time_s": {"$ref": "#/$defs/figure"}}}},
      "projected": {"type": "array", "description": "What analyze takes.", "items": {"type": "object",
        "required": ["bytes", "direction", "memory", "method", "time_s"],
        "properties": {"bytes": {"$ref": "#/$defs/count"}, "direction": {"$ref": "#/$defs/way"}, "memory": {"$ref": "#/$defs/memory"},
          "method": {"enum": ["linear", "piecewise"]}, "time_s": {"$ref": "#/$defs/figure"}}}},
      "pinning": {"type": "array", "items": {"type": "object",
        "required": ["bytes", "direction", "pinning_s", "saved_per_copy_s", "break_even_copies"],
        "properties": {"bytes": {"$ref": "#/$defs/count"}, "direction": {"$ref": "#/$defs/way"}, "pinning_s": {"$ref": "#/$defs/figure"},
          "saved_per_copy_s": {"$ref": "#/$defs/figure"},
          "break_even_copies": {"type": ["number", "null"], "description": "From so many copies on; null: never."}}}},
      "unavailable": {"type": "array", "items": {"type": "object", "required": ["model", "direction", "because"],
        "properties": {"model": {"type": "string"}, "direction": {"$ref": "#/$defs/way"}, "because": {"type": "string"}}}}}},
  "overlap": {"type": "object",
    "required": ["schema_version", "output", "tool", "machine", "h2d_bytes", "d2h_bytes", "kernel_s", "streams", "equations", "applies",
                 "because", "with_second_engine_s", "best", "bounds", "chunks", "notes"],
    "properties": {"schema_version": {"const": 1}, "output": {"const": "overlap"}, "tool": {"$ref": "#/$defs/tool"},
      "machine": {"$ref": "#/$defs/machine"}, "h2d_bytes": {"$ref": "#/$defs/count"}, "d2h_bytes": {"$ref": "#/$defs/count"},
      "kernel_s": {"$ref": "#/$defs/figure"}, "streams": {"type": "integer", "minimum": 1, "description": "Of equations and chunks."},
      "equations": {"type": "object", "required": ["explicit", "1", "2", "3", "4", "5", "6", "hybrid"],
        "additionalProperties": {"$ref": "#/$defs/figure"}},
      "applies": {"enum": ["1", "2", "3", "4", "5"]}, "because": {"type": "string"},
      "with_second_engine_s": {"type": ["number", "null"], "description": "Of streams, on a device whose one copy engine is what slows them."},
      "best": {"type": "object", "required": ["strategy", "streams", "time_s"],
        "properties": {"strategy": {"enum": ["explicit", "streams", "mapped", "hybrid"]}, "streams": {"type": "integer", "minimum": 1},
          "time_s": {"$ref": "#/$defs/figure"}}},
      "bounds": {"type": "object", "required": ["full_overlap_s", "zero_overlap_s", "mapped_s"],
        "additionalProperties": {"$ref": "#/$defs/figure"}},
      "chunks": {"type": "object", "description": "CoCoPeLia's (2) and (4), as many chunks as streams.",
        "required": ["location_s", "bidirectional_s"], "additionalProperties": {"$ref": "#/$defs/figure"}},
      "notes": {"$ref": "#/$defs/names"}}},
  "machine": {"type": "object", "required": ["name", "description"],
    "properties": {"name": {"type": "string"}, "description": {"type": "string"}}},
  "way": {"enum": ["h2d", "d2h", "d2d"]},
  "memory": {"enum": ["pinned", "pageable", "device"]},
  "machines": {"type": "object", "required": ["schema_version", "output", "tool", "machines"],
    "properties": {"schema_version": {"const": 1}, "output": {"const": "machines"}, "tool": {"$ref": "#/$defs/tool"},
      "machines": {"type": "array", "items": {"type": "object", "required": ["name", "description", "default"],
        "properties": {"name": {"type": "string"}, "description": {"type": "string"}, "default": {"type": "boolean"}}}}}},
  "verify": {"type": "object",
    "required": ["schema_version", "output", "tool", "passed", "tolerance", "runs", "bytes", "kernels", "other_bytes", "mutants_run",
                 "mutants", "notes", "findings"],
    "properties": {"schema_version": {"const": 1}, "output": {"const": "verify"}, "tool": {"$ref": "#/$defs/tool"},
      "passed": {"type": "boolean"}, "tolerance": {"type": "number", "minimum": 0},
      "runs": {"type": "array", "items": {"type": "object", "required": ["build", "run", "passed", "detail", "time_s"],
        "properties": {"build": {"enum": ["original", "port, gcc", "port, clang", "watched", "ordered"]}, "run": {"type": "string"},
          "passed": {"type": "boolean"}, "detail": {"type": "string"}, "time_s": {"$ref": "#/$defs/figure"}}}},
      "bytes": {"type": "array", "items": {"type": "object",
        "required": ["region", "array", "direction", "planned_bytes", "measured_bytes", "equal", "protection", "note"],
        "properties": {"region": {"type": "string"}, "array": {"type": "string"}, "direction": {"enum": ["h2d", "d2h"]},
          "planned_bytes": {"type": ["integer", "null"], "minimum": 0}, "measured_bytes": {"$ref": "#/$defs/count"},
          "equal": {"type": "boolean"}, "note": {"type": "string"},
          "protection": {"enum": ["pages", "inner pages", "none", ""],
            "description": "Of the host array while kernels run: it has its pages to itself, all but its first and last, none; empty: never mapped."}}}},
      "kernels": {"$ref": "#/$defs/count"},
      "other_bytes": {"type": "object", "required": ["h2d", "d2h"],
        "properties": {"h2d": {"$ref": "#/$defs/count"}, "d2h": {"$ref": "#/$defs/count"}}},
      "mutants_run": {"type": "boolean"},
      "mutants": {"type": "array", "items": {"type": "object",
        "required": ["copy", "region", "array", "direction", "exact", "at", "kind", "fate", "detail"],
        "properties": {"copy": {"$ref": "#/$defs/count"}, "region": {"type": "string"}, "array": {"type": "string"},
          "direction": {"enum": ["h2d", "d2h"]}, "exact": {"type": "boolean"}, "at": {"$ref": "#/$defs/location"},
          "kind": {"enum": ["drop", "short"]}, "fate": {"enum": ["caught", "excused", "survived"]}, "detail": {"type": "string"}}}},
      "notes": {"$ref": "#/$defs/names"}, "findings": {"$ref": "#/$defs/finding_list"}}},
  "port": {"type": "object",
    "required": ["schema_version", "output", "tool", "variant", "units", "copies", "kernels", "arrays", "assumed_sizes", "findings"],
    "properties": {"schema_version": {"const": 1}, "output": {"const": "port"}, "tool": {"$ref": "#/$defs/tool"},
      "variant": {"enum": ["plain", "present", "watched", "ordered"]}, "units": {"$ref": "#/$defs/names"},
      "copies": {"type": "array", "items": {"type": "object",
        "required": ["unit", "id", "root", "array", "direction", "exact", "at", "section", "moved_bytes", "count"],
        "properties": {"unit": {"type": "string"}, "id": {"$ref": "#/$defs/count"}, "root": {"type": "string"},
          "array": {"type": "string"}, "direction": {"enum": ["h2d", "d2h"]}, "exact": {"type": "boolean"},
          "at": {"$ref": "#/$defs/location"}, "section": {"type": "string"},
          "moved_bytes": {"type": "number", "minimum": 0, "description": "Each time, on average."},
          "count": {"type": "number", "minimum": 0, "description": "How often."}}}},
      "kernels": {"type": "array", "items": {"type": "object", "required": ["unit", "root", "location", "collapse", "one_thread"],
        "properties": {"unit": {"type": "string"}, "root": {"type": "string"}, "location": {"$ref": "#/$defs/location"},
          "collapse": {"type": "integer", "minimum": 1},
          "one_thread": {"type": "boolean", "description": "Statements that one thread of the device runs."}}}},
      "arrays": {"type": "array", "items": {"type": "object", "required": ["unit", "root", "name", "h2d_bytes", "d2h_bytes"],
        "properties": {"unit": {"type": "string"}, "root": {"type": "string"}, "name": {"type": "string"},
          "h2d_bytes": {"type": "number", "minimum": 0}, "d2h_bytes": {"type": "number", "minimum": 0}}}},
      "assumed_sizes": {"$ref": "#/$defs/names", "description": "Nothing binds them; the bytes hold for their assumed values."},
      "findings": {"$ref": "#/$defs/finding_list"}}},
  "skeletons": {"type": "object", "required": ["schema_version", "output", "tool", "skeletons"],
    "properties": {"schema_version": {"const": 1}, "output": {"const": "skeletons"}, "tool": {"$ref": "#/$defs/tool"},
      "skeletons": {"type": "array", "description": "One a translation unit.", "items": {"type": "object"}}}}
})json";

static constexpr StringRef outputs[] = {"report", "loops", "sections", "sizes", "machines", "skeletons", "port", "verify",
                                        "transfers", "overlap", "trace", "blas", "comm", "papers", "sweep", "explain", "profile", "diff"};

llvm::ArrayRef<StringRef> schemaNames() { return outputs; }

/// Every definition that value mentions, and those that they mention.
static void mentioned(const llvm::json::Value &value, const llvm::json::Object &all, llvm::json::Object &kept) {
  if (const llvm::json::Array *array = value.getAsArray())
    for (const llvm::json::Value &each : *array)
      mentioned(each, all, kept);
  const llvm::json::Object *object = value.getAsObject();
  if (!object)
    return;
  for (const auto &[key, each] : *object)
    mentioned(each, all, kept);
  std::optional<StringRef> reference = object->getString("$ref");
  if (!reference || !reference->consume_front("#/$defs/") || kept.get(*reference))
    return;
  const llvm::json::Value *definition = all.get(*reference);
  assert(definition && "every reference in the schema has its definition");
  kept[reference->str()] = *definition;
  mentioned(*definition, all, kept);
}

std::string jsonSchema(StringRef name) {
  llvm::json::Object all;
  for (const char *text : {sharedDefinitions, outputDefinitions, calculatorDefinitions, explainDefinitions, diffDefinitions}) {
    llvm::json::Value parsed = llvm::cantFail(llvm::json::parse(text), "the schema is JSON");
    for (auto &[key, value] : *parsed.getAsObject())
      all[key.str()] = value;
  }
  llvm::json::Object schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"}};
  if (name.empty()) {
    llvm::json::Array any;
    for (StringRef output : outputs)
      any.push_back(llvm::json::Object{{"$ref", ("#/$defs/" + output).str()}});
    schema["title"] = "busfare: any output";
    schema["anyOf"] = std::move(any);
  } else {
    if (!llvm::is_contained(outputs, name))
      return "";
    schema["title"] = ("busfare: " + name).str();
    schema["$ref"] = ("#/$defs/" + name).str();
  }
  llvm::json::Object kept;
  mentioned(llvm::json::Value(llvm::json::Object(schema)), all, kept);
  schema["$defs"] = std::move(kept);
  std::string result;
  llvm::raw_string_ostream os(result);
  os << llvm::formatv("{0:2}", llvm::json::Value(std::move(schema))) << '\n';
  return os.str();
}

} // namespace busfare::projection
