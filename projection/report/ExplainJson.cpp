//===- projection/report/ExplainJson.cpp - One nest, as JSON ----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/ExplainWriters.h"
#include "projection/report/JsonParts.h"
#include "projection/report/PlanText.h"
#include "projection/report/ReportParts.h"

using llvm::StringRef;

namespace busfare::projection {

static void writeTermBody(Stream &json, const TimeTerm &term) {
  text(json, "name", term.name);
  number(json, "time_s", term.time);
  text(json, "formula", spelledFormula(term));
  json.attribute("decides", term.decides);
  json.attribute("added", term.isAdded);
  json.attributeArray("inputs", [&] {
    for (const TermInput &input : term.inputs)
      json.object([&] {
        text(json, "name", input.name);
        number(json, "value", input.value);
        text(json, "unit", input.unit);
        text(json, "kind", input.kind);
        text(json, "source", input.source);
      });
  });
}

static void writeTerms(Stream &json, StringRef key, const std::vector<TimeTerm> &terms) {
  json.attributeArray(key, [&] {
    for (const TimeTerm &term : terms) json.object([&] { writeTermBody(json, term); });
  });
}

static void writeLoop(Stream &json, const ExplainedLoop &one) {
  json.object([&] {
    place(json, "location", one.loop.location, one.loop.function);
    text(json, "index", one.loop.index);
    text(json, "lower", one.lower);
    text(json, "upper", one.upper);
    json.attribute("step", one.step);
    text(json, "trips", one.trips);
    number(json, "iterations", one.iterations);
    json.attribute("around", one.isAround);
    json.attribute("parallel", one.loop.parallel);
    json.attributeArray("needs", [&] {
      for (const NeedReport &need : one.loop.needs)
        json.object([&] {
          text(json, "kind", need.kind);
          text(json, "name", need.name);
          text(json, "op", need.op);
        });
    });
    strings(json, "assuming", one.loop.assuming);
    text(json, "reason", one.loop.reason);
    json.attributeArray("dependences", [&] {
      for (const DependenceReport &dependence : one.loop.dependences)
        json.object([&] {
          text(json, "kind", dependence.kind);
          text(json, "array", dependence.array);
          text(json, "example", dependence.example);
          place(json, "source", dependence.source);
          place(json, "sink", dependence.sink);
        });
    });
  });
}

static void writeCopy(Stream &json, const ExplainedCopy &copy) {
  json.object([&] {
    text(json, "array", copy.array);
    text(json, "direction", copy.direction);
    text(json, "section", copy.crossing.section);
    text(json, "formula", copy.crossing.formula);
    if (copy.crossing.formulaIsBound) json.attribute("formula_at_most", true);
    json.attribute("bytes", copy.crossing.bytes);
    json.attribute("moved_bytes", copy.crossing.movedBytes);
    json.attribute("count", copy.crossing.count);
    json.attribute("copies", copy.crossing.copies);
    json.attribute("exact", copy.crossing.exact);
    place(json, "at", copy.crossing.at);
    place(json, "because", copy.crossing.because);
    text(json, "cause", wordOf(copy.crossing.cause));
    if (!copy.crossing.unseen.empty()) text(json, "unseen", copy.crossing.unseen);
    json.attributeObject("time", [&] { writeTermBody(json, copy.time); });
  });
}

static void writeOn(Stream &json, const ExplainedOnMachine &on) {
  json.object([&] {
    text(json, "machine", on.machine);
    number(json, "launches", on.launch.launches);
    number(json, "time_s", on.launch.time);
    number(json, "time_low_s", on.launch.timeLow);
    number(json, "time_high_s", on.launch.timeHigh);
    text(json, "limited_by", on.launch.limitedBy);
    json.attribute("launches_differ", on.terms.differs);
    json.attributeObject("transformation", [&] {
      json.attribute("block_threads", on.launch.blockThreads);
      text(json, "thread_index", on.launch.threadIndex);
      json.attribute("adds_up", on.launch.addsUp);
      json.attribute("coalesced", on.launch.coalesced);
      number(json, "occupancy", on.launch.occupancy);
    });
    number(json, "cpu_s", on.terms.cpuTime);
    number(json, "cpu_all_cores_s", on.terms.allCoresTime);
    writeTerms(json, "kernel_terms", on.terms.kernel);
    writeTerms(json, "cpu_terms", on.terms.cpu);
    writeTerms(json, "cpu_all_cores_terms", on.terms.allCores);
    json.attributeArray("copies", [&] {
      for (const ExplainedCopy &copy : on.copies) writeCopy(json, copy);
    });
  });
}

static void writeNest(Stream &json, const ExplainedNest &nest) {
  json.object([&] {
    place(json, "location", nest.location, nest.function);
    text(json, "root", nest.root);
    strings(json, "context", nest.context);
    json.attribute("kernel", nest.isKernel);
    text(json, "why_on_host", nest.whyOnHost);
    strings(json, "kernels_inside", nest.kernelsInside);
    if (nest.region.empty()) json.attribute("region", nullptr);
    else text(json, "region", nest.region);
    json.attributeArray("loops", [&] {
      for (const ExplainedLoop &loop : nest.loops) writeLoop(json, loop);
    });
    json.attributeArray("sections", [&] {
      for (const ExplainedSection &section : nest.sections)
        json.object([&] {
          text(json, "array", section.array);
          text(json, "access", section.access);
          text(json, "section", section.section);
          text(json, "formula", section.formula);
          number(json, "bytes", section.bytes.value_or(std::nan("")));
          json.attribute("exact", section.exact);
        });
    });
    json.attributeArray("operations", [&] {
      for (const ExplainedOperation &operation : nest.operations)
        json.object([&] {
          text(json, "name", operation.name);
          number(json, "count", operation.count);
          text(json, "formula", operation.formula);
        });
    });
    json.attributeArray("branches", [&] {
      for (const ExplainedBranch &branch : nest.branches)
        json.object([&] {
          place(json, "location", branch.location);
          number(json, "share", branch.share);
          text(json, "source", branch.source);
        });
    });
    json.attributeArray("on", [&] {
      for (const ExplainedOnMachine &on : nest.on) writeOn(json, on);
    });
  });
}

void writeExplanationJson(const Explanation &explanation, llvm::raw_ostream &os) {
  Stream json(os, 2);
  json.object([&] {
    json.attribute("schema_version", 1);
    json.attribute("output", "explain");
    json.attributeObject("tool", [&] {
      json.attribute("name", "busfare");
      text(json, "version", explanation.version);
    });
    json.attributeObject("at", [&] {
      text(json, "file", explanation.file);
      json.attribute("line", explanation.line);
    });
    json.attributeArray("machines", [&] {
      for (const MachineReport &machine : explanation.machines)
        json.object([&] {
          text(json, "name", machine.name);
          text(json, "description", machine.description);
          text(json, "file", machine.file);
        });
    });
    json.attributeArray("nests", [&] {
      for (const ExplainedNest &nest : explanation.nests) writeNest(json, nest);
    });
    json.attributeArray("regions", [&] {
      for (const RegionReport &region : explanation.regions) writeRegion(region, json);
    });
    writeFindings(explanation.findings, json);
  });
  os << '\n';
}

} // namespace busfare::projection
