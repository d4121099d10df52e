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

#include "projection/report/CallWriters.h"
#include "projection/report/ReportParts.h"
#include "projection/report/JsonParts.h"
#include "projection/report/Writers.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using llvm::StringRef;

namespace busfare::projection {

static void strings(Stream &json, StringRef key, const std::vector<std::string> &values) {
  json.attributeArray(key, [&] {
    for (const std::string &value : values)
      json.value(readable(value));
  });
}

static void place(Stream &json, StringRef key, const skeleton::Location &location, StringRef function = "") {
  json.attributeObject(key, [&] {
    text(json, "file", location.file);
    json.attribute("line", location.line);
    json.attribute("column", location.column);
    if (!function.empty())
      text(json, "function", function);
  });
}

static void boxes(Stream &json, const std::vector<std::vector<std::array<std::string, 3>>> &boxes) {
  json.attributeArray("boxes", [&] {
    for (const auto &box : boxes)
      json.array([&] {
        for (const auto &range : box)
          json.array([&] {
            for (const std::string &bound : range)
              json.value(readable(bound));
          });
      });
  });
}

static void crossing(Stream &json, const CrossingReport &crossing) {
  json.object([&] {
    text(json, "section", crossing.section);
    boxes(json, crossing.boxes);
    text(json, "formula", crossing.formula);
    json.attribute("bytes", crossing.bytes);
    json.attribute("moved_bytes", crossing.movedBytes);
    json.attribute("count", crossing.count);
    json.attribute("copies", crossing.copies);
    json.attribute("exact", crossing.exact);
    place(json, "at", crossing.at);
    place(json, "because", crossing.because);
  });
}

static void direction(Stream &json, StringRef key, const std::optional<DirectionReport> &direction) {
  if (!direction) {
    json.attribute(key, nullptr);
    return;
  }
  json.attributeObject(key, [&] {
    json.attribute("bytes", direction->bytes);
    json.attribute("moved_bytes", direction->movedBytes);
    json.attribute("count", direction->count);
    json.attribute("copies", direction->copies);
    json.attribute("exact", direction->exact);
    text(json, "section", direction->section);
    text(json, "formula", direction->formula);
    place(json, "because", direction->because);
    json.attributeArray("crossings", [&] {
      for (const CrossingReport &each : direction->crossings)
        crossing(json, each);
    });
  });
}

static void arrays(Stream &json, const std::vector<ArrayReport> &arrays) {
  json.attributeArray("arrays", [&] {
    for (const ArrayReport &array : arrays)
      json.object([&] {
        text(json, "name", array.name);
        json.attribute("element_bytes", array.elementBytes);
        json.attribute("temporary", array.temporary);
        json.attribute("device_bytes", array.deviceBytes);
        direction(json, "h2d", array.h2d);
        direction(json, "d2h", array.d2h);
      });
  });
}

static void kernels(Stream &json, const std::vector<KernelReport> &kernels) {
  json.attributeArray("kernels", [&] {
    for (const KernelReport &kernel : kernels)
      json.object([&] {
        text(json, "id", kernel.id);
        place(json, "location", kernel.location, kernel.function);
        strings(json, "context", kernel.context);
        json.attribute("launches", kernel.launches);
        json.attributeArray("parallel_loops", [&] {
          for (const auto &[line, index] : kernel.parallelLoops)
            json.object([&, line = line, &index = index] {
              json.attribute("line", line);
              text(json, "index", index);
            });
        });
        number(json, "time_s", kernel.time);
        number(json, "time_low_s", kernel.timeLow);
        number(json, "time_high_s", kernel.timeHigh);
        text(json, "limited_by", kernel.limitedBy);
        number(json, "flops", kernel.flops);
        number(json, "dram_bytes", kernel.dramBytes);
        json.attributeObject("transformation", [&] {
          json.attribute("block_threads", kernel.blockThreads);
          text(json, "thread_index", kernel.threadIndex);
          json.attribute("coalesced", kernel.coalesced);
          number(json, "occupancy", kernel.occupancy);
        });
        text(json, "planned_on", kernel.staysOnHost ? "host" : "device");
      });
  });
}

static void plan(Stream &json, const PlanReport &plan) {
  json.attributeObject("plan", [&] {
    text(json, "strategy", plan.strategy);
    json.attribute("streams", plan.streams);
    text(json, "memory", plan.memory);
    text(json, "because", plan.because);
    text(json, "emitted", plan.emitted);
    if (plan.equation.empty())
      json.attribute("equation", nullptr);
    else
      text(json, "equation", plan.equation);
    number(json, "time_s", plan.time);
    number(json, "explicit_s", plan.explicitTime);
    json.attributeObject("bounds", [&] {
      number(json, "full_overlap_s", plan.fullOverlap);
      number(json, "zero_overlap_s", plan.zeroOverlap);
    });
    json.attributeArray("alternatives", [&] {
      for (const StrategyReport &other : plan.alternatives)
        json.object([&] {
          text(json, "strategy", other.strategy);
          json.attribute("streams", other.streams);
          if (other.whyNot.empty())
            number(json, "time_s", other.time);
          else
            json.attribute("time_s", nullptr);
          text(json, "why_not", other.whyNot);
        });
    });
    json.attributeObject("pinning", [&] {
      number(json, "startup_s", plan.pinning);
      number(json, "saved_s", plan.savedByPinning);
    });
  });
}

static void sizeBreakEven(Stream &json, const SizeBreakEven &size) {
  text(json, "parameter", size.parameter);
  number(json, "factor", size.factor);
  if (size.value)
    json.attribute("value", *size.value);
  else
    json.attribute("value", nullptr);
}

static void alternatives(Stream &json, const MachineAnswer &answer) {
  number(json, "as_described_s", answer.asDescribed);
  json.attributeArray("alternatives", [&] {
    for (const MixReport &mix : answer.mixes)
      json.object([&] {
        text(json, "kind", mix.kind);
        json.attributeArray("places", [&] {
          for (const skeleton::Location &location : mix.places)
            json.object([&] { place(json, "at", location); });
        });
        strings(json, "because_of", mix.because);
        number(json, "time_s", mix.time);
        uint64_t in = 0, out = 0;
        for (const MovedBytes &array : mix.arrays)
          in += array.h2d, out += array.d2h;
        json.attribute("h2d_moved_bytes", in);
        json.attribute("d2h_moved_bytes", out);
        json.attributeArray("arrays", [&] {
          for (const MovedBytes &array : mix.arrays)
            json.object([&] {
              text(json, "name", array.name);
              json.attribute("h2d_moved_bytes", array.h2d);
              json.attribute("d2h_moved_bytes", array.d2h);
            });
        });
        json.attribute("emitted", mix.emitted);
        json.attribute("is_plan", mix.isPlan);
        if (mix.flipsAt)
          json.attributeObject("flips_at", [&] { sizeBreakEven(json, *mix.flipsAt); });
        else
          json.attribute("flips_at", nullptr);
      });
  });
}

static void chunks(Stream &json, const ChunksReport &chunks) {
  json.attributeObject("chunks", [&] {
    if (chunks.index.empty())
      json.attribute("loop", nullptr);
    else
      place(json, "loop", chunks.location);
    text(json, "index", chunks.index);
    json.attributeArray("behind", [&] {
      for (unsigned line : chunks.behind)
        json.value(int64_t(line));
    });
    text(json, "why_not", chunks.whyNot);
    text(json, "needs", chunks.needs);
    text(json, "back_waits", chunks.backWaits);
    json.attributeArray("arrays", [&] {
      for (const ChunkedArrayReport &array : chunks.arrays)
        json.object([&] {
          text(json, "name", array.name);
          text(json, "in", array.in);
          text(json, "out", array.out);
          text(json, "needs", array.needs);
          text(json, "by_all", array.byAll);
          text(json, "shared", array.shared);
          text(json, "copies_in", array.copiesIn);
          text(json, "copies_out", array.copiesOut);
          text(json, "why_whole", array.whyWhole);
        });
    });
  });
}

/// What one machine answers; all keys but the kernels and `fits`, which stand elsewhere in the first machine's case.
static void answer(Stream &json, const MachineAnswer &answer) {
  json.attributeObject("time_s", [&] {
    number(json, "cpu", answer.time.cpu);
    number(json, "cpu_all_cores", answer.time.cpuAllCores);
    text(json, "cpu_limited_by", answer.time.cpuLimitedBy);
    json.attribute("cpu_measured", answer.time.cpuMeasured);
    json.attribute("threads", answer.time.threads);
    number(json, "kernel", answer.time.kernel);
    number(json, "h2d", answer.time.h2d);
    number(json, "d2h", answer.time.d2h);
    number(json, "host", answer.time.host);
    number(json, "startup", answer.time.startup);
    number(json, "total", answer.time.total);
  });
  json.attributeObject("speedup", [&] {
    number(json, "value", answer.speedup.with.value);
    number(json, "low", answer.speedup.with.low);
    number(json, "high", answer.speedup.with.high);
    number(json, "kernel_only", answer.speedup.kernelOnly);
    number(json, "as_written", answer.speedup.asWritten);
    number(json, "explicit", answer.speedup.withExplicit);
  });
  plan(json, answer.plan);
  json.attributeObject("iterations", [&] {
    json.attribute("count", answer.iterations.count);
    json.attribute("assumed", answer.iterations.assumed);
    if (answer.iterations.breakEven)
      json.attribute("break_even", *answer.iterations.breakEven);
    else
      json.attribute("break_even", nullptr);
    number(json, "limit_speedup", answer.iterations.limitSpeedup);
    text(json, "loop", answer.iterations.loop);
  });
  json.attributeArray("size_break_even", [&] {
    for (const SizeBreakEven &size : answer.sizeBreakEven)
      json.object([&] { sizeBreakEven(json, size); });
  });
  json.attribute("verdict", toString(answer.verdict));
  text(json, "why", answer.why);
  text(json, "flip", answer.flip);
  alternatives(json, answer);
}

void writeRegion(const RegionReport &region, Stream &json) {
  static const MachineAnswer none;
  const MachineAnswer &first = region.on.empty() ? none : region.on.front().second;
  json.object([&] {
    text(json, "id", region.id);
    text(json, "fingerprint", region.fingerprint);
    place(json, "location", region.location, region.function);
    kernels(json, first.kernels);
    arrays(json, region.arrays);
    json.attributeArray("scalars", [&] {
      for (const ScalarReport &scalar : region.scalars)
        json.object([&] {
          text(json, "name", scalar.name);
          text(json, "direction", scalar.direction);
          json.attribute("bytes", scalar.bytes);
        });
    });
    chunks(json, region.chunks);
    json.attribute("h2d_bytes", region.h2dBytes);
    json.attribute("d2h_bytes", region.d2hBytes);
    json.attribute("device_bytes", region.deviceBytes);
    json.attribute("fits", first.fits);
    json.attributeObject("parameters", [&] {
      for (const auto &[name, value] : region.parameters)
        json.attributeObject(readable(name), [&, &value = value] {
          json.attribute("value", value.value);
          json.attribute("source", toString(value.source));
        });
    });
    answer(json, first);
    strings(json, "assumptions", region.assumptions);
    strings(json, "host_statements", region.hostStatements);
    json.attributeObject("on", [&] {
      for (const auto &[machine, one] : region.on)
        json.attributeObject(readable(machine), [&, &one = one] {
          answer(json, one);
          json.attribute("fits", one.fits);
          kernels(json, one.kernels);
        });
    });
  });
}

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
  for (const skeleton::Finding &finding : findings)
    ++counts[finding.rule];
  if (!counts.empty())
    json.attributeObject("suppressed", [&] {
      for (const auto &[rule, count] : counts)
        json.attribute(skeleton::ruleId(rule), count);
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
        if (nest.hasVerdict)
          text(json, "verdict", nest.verdict);
        else
          json.attribute("verdict", nullptr);
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

static void coverage(Stream &json, const CoverageReport &coverage) {
  json.attributeObject("coverage", [&] {
    json.attribute("files", coverage.files);
    json.attribute("failed_files", coverage.failedFiles);
    json.attribute("functions", coverage.functions);
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
    strings(json, "suggestions", coverage.suggestions);
    nests(json, "nests", coverage.nests);
    nests(json, "inner_nests", coverage.innerNests);
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

void writeJson(const Report &report, llvm::raw_ostream &os) {
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
      for (const RegionReport &each : report.regions)
        writeRegion(each, json);
    });
    json.attributeObject("program", [&] {
      json.attributeObject("speedup", [&] {
        number(json, "value", report.program.speedup.value);
        number(json, "low", report.program.speedup.low);
        number(json, "high", report.program.speedup.high);
      });
      number(json, "offloaded_share", report.program.offloadedShare);
      number(json, "cpu_s", report.program.cpu);
      number(json, "library_s", report.program.libraries);
    });
    loops(json, report.loops);
    writeMessages(report.messages, json);
    writeLibraryCalls(report.libraryCalls, json);
    writeFindings(report.findings, json);
    suppressed(json, report.suppressed);
    coverage(json, report.coverage);
    strings(json, "next_commands", report.nextCommands);
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
    coverage(json, report.coverage);
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
