//===- projection/report/JsonRegion.cpp - One region in JSON --------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/JsonParts.h"
#include "projection/report/PlanText.h"
#include "projection/report/ReportParts.h"
#include "projection/report/Writers.h"

using llvm::StringRef;

namespace busfare::projection {

static void crossing(Stream &json, const CrossingReport &crossing) {
  json.object([&] {
    text(json, "section", crossing.section);
    boxes(json, crossing.boxes);
    text(json, "formula", crossing.formula);
    if (crossing.formulaIsBound) json.attribute("formula_at_most", true);
    json.attribute("bytes", crossing.bytes);
    json.attribute("moved_bytes", crossing.movedBytes);
    json.attribute("count", crossing.count);
    json.attribute("copies", crossing.copies);
    if (crossing.summed > 1) json.attribute("summed", crossing.summed);
    json.attribute("exact", crossing.exact);
    place(json, "at", crossing.at);
    place(json, "because", crossing.because);
    text(json, "cause", wordOf(crossing.cause));
    if (!crossing.unseen.empty()) text(json, "unseen", crossing.unseen);
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
    if (direction->formulaIsBound) json.attribute("formula_at_most", true);
    place(json, "because", direction->because);
    json.attributeArray("crossings", [&] {
      for (const CrossingReport &each : direction->crossings) crossing(json, each);
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
        number(json, "launches", kernel.launches);
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
          json.attribute("adds_up", kernel.addsUp);
          json.attribute("coalesced", kernel.coalesced);
          number(json, "occupancy", kernel.occupancy);
          if (kernel.multiprocessors > 0) {
            number(json, "busy_multiprocessors", kernel.busyMultiprocessors);
            number(json, "multiprocessors", kernel.multiprocessors);
          }
        });
        text(json, "planned_on", kernel.staysOnHost ? "host" : "device");
      });
  });
}

static void plan(Stream &json, const MachineAnswer &answer) {
  const PlanReport &plan = answer.plan;
  json.attributeObject("plan", [&] {
    text(json, "strategy", plan.strategy);
    json.attribute("streams", plan.streams);
    text(json, "memory", plan.memory);
    text(json, "because", plan.because);
    text(json, "emitted", plan.emitted);
    std::vector<std::string> kept;
    for (const KernelReport &kernel : answer.kernels)
      if (kernel.staysOnHost) kept.push_back(kernel.id);
    strings(json, "kernels_on_host", kept);
    if (plan.equation.empty()) json.attribute("equation", nullptr);
    else text(json, "equation", plan.equation);
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
          if (other.whyNot.empty()) number(json, "time_s", other.time);
          else json.attribute("time_s", nullptr);
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
  if (size.value) json.attribute("value", *size.value);
  else json.attribute("value", nullptr);
}

static void alternatives(Stream &json, const MachineAnswer &answer) {
  number(json, "as_described_s", answer.asDescribed);
  json.attributeArray("alternatives", [&] {
    for (const MixReport &mix : answer.mixes)
      json.object([&] {
        text(json, "kind", mix.kind);
        json.attributeArray("places", [&] {
          for (const skeleton::Location &location : mix.places) json.object([&] { place(json, "at", location); });
        });
        json.attributeArray("library_calls", [&] {
          for (const skeleton::Location &location : mix.calls) json.object([&] { place(json, "at", location); });
        });
        strings(json, "because_of", mix.because);
        number(json, "time_s", mix.time);
        uint64_t in = 0, out = 0;
        for (const MovedBytes &array : mix.arrays) in += array.h2d, out += array.d2h;
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
        if (mix.flipsAt) json.attributeObject("flips_at", [&] { sizeBreakEven(json, *mix.flipsAt); });
        else json.attribute("flips_at", nullptr);
      });
  });
}

static void chunks(Stream &json, const ChunksReport &chunks) {
  json.attributeObject("chunks", [&] {
    if (chunks.index.empty()) json.attribute("loop", nullptr);
    else place(json, "loop", chunks.location);
    text(json, "index", chunks.index);
    json.attributeArray("behind", [&] {
      for (unsigned line : chunks.behind) json.value(int64_t(line));
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
    interval(json, answer.speedup.with);
    number(json, "kernel_only", answer.speedup.kernelOnly);
    number(json, "as_written", answer.speedup.asWritten);
    number(json, "explicit", answer.speedup.withExplicit);
  });
  plan(json, answer);
  json.attributeObject("iterations", [&] {
    json.attribute("count", answer.iterations.count);
    json.attribute("assumed", answer.iterations.assumed);
    if (answer.iterations.breakEven) json.attribute("break_even", *answer.iterations.breakEven);
    else json.attribute("break_even", nullptr);
    number(json, "limit_speedup", answer.iterations.limitSpeedup);
    text(json, "loop", answer.iterations.loop);
  });
  json.attributeArray("size_break_even", [&] {
    for (const SizeBreakEven &size : answer.sizeBreakEven) json.object([&] { sizeBreakEven(json, size); });
  });
  json.attributeArray("pays_off", [&] {
    for (const PaysOff &pays : answer.paysOff)
      json.object([&] {
        text(json, "size", pays.size.empty() ? "sizes" : pays.size);
        if (pays.isAbout) json.attribute("about", true);
        json.attributeArray("intervals", [&] {
          for (const auto &interval : pays.intervals)
            json.array([&] {
              for (const std::optional<double> &end : {interval.first, interval.second})
                if (!end) json.value(nullptr);
                else if (pays.size.empty()) json.value(*end);
                else json.value(int64_t(*end));
            });
        });
      });
  });
  if (answer.runs) json.attribute("runs", *answer.runs);
  else json.attribute("runs", nullptr);
  json.attributeObject("gain_s", [&] {
    interval(json, answer.gain);
    number(json, "startup_added", answer.startupAdded);
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
          if (value.effect) number(json, "effect", *value.effect);
        });
    });
    answer(json, first);
    strings(json, "assumptions", region.assumptions);
    json.attributeArray("host_statements", [&] {
      for (const HostStatementReport &statement : region.hostStatements) json.value(readable(spoken(statement)));
    });
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

} // namespace busfare::projection
