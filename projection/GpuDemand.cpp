//===- projection/GpuDemand.cpp - What a launch asks of a GPU -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/GpuDemand.h"
#include <algorithm>
#include <cmath>

namespace busfare::projection {
namespace {

/// A thread computes its indices and compares them with the bounds.
constexpr double threadInstructions = 10;
/// Address of an access; count and compare of a loop iteration.
constexpr double addressInstructions = 1, loopInstructions = 2;

double wavesOf(const GpuDemand &demand) { return demand.blocks / demand.blocksAtOnce; }

/// The last wave of blocks leaves multiprocessors without work.
double stretchOf(const GpuDemand &demand, const Gpu &gpu) {
  double waves = wavesOf(demand);
  return waves < 1 ? gpu.multiprocessors / std::min(double(gpu.multiprocessors), demand.blocks)
                   : std::ceil(waves) / waves;
}

double integersOf(const GpuDemand &demand) {
  return demand.ownIntegers + addressInstructions * demand.accesses + loopInstructions * demand.turns +
         threadInstructions * demand.threads;
}

double allOf(const GpuDemand &demand) {
  return demand.fp32 + demand.fp64 + demand.special + integersOf(demand) + demand.accesses;
}

/// Instructions on all multiprocessors, at so many a cycle on each.
TimeTerm instructionTerm(const char *name, TermInput instructions, const Quantity &perCycle, const GpuDemand &demand,
                         const Gpu &gpu) {
  double waves = wavesOf(demand);
  std::string how = waves < 1 ? formatCount(demand.blocks) + " blocks leave multiprocessors idle"
                              : formatCount(std::ceil(waves)) + " waves in the time of " + formatCount(waves) +
                                    ": the last one is not full";
  return {name,
          "{0} * {1} / ({2} * {3} * {4})",
          0,
          {std::move(instructions), counted("unevenness", stretchOf(demand, gpu), "", how),
           inputOf(gpu, gpu.multiprocessors), inputOf(gpu, gpu.clock), inputOf(gpu, perCycle)}};
}

TimeTerm dramTerm(const GpuDemand &demand, const Gpu &gpu) {
  const char *how = demand.fitsL2          ? "its distinct bytes once each: they fit into half of L2"
                    : gpu.cachesGlobal > 0 ? "footprints of the waves of blocks, no fewer than the distinct bytes"
                                           : "transactions of the half-warps: nothing is cached";
  return {"dram",
          "{0} / {1}",
          0,
          {counted("bytes from DRAM", demand.dramBytes, "B", how), inputOf(gpu, gpu.dramBandwidth)}};
}

TimeTerm latencyTerm(const GpuDemand &demand, const Gpu &gpu) {
  std::string waves =
      formatCount(demand.blocks) + " blocks, " + formatCount(demand.blocksAtOnce) + " at a time; one at least";
  return {"latency",
          "{0} * {1} * {2}",
          0,
          {counted("waves of blocks", std::max(1.0, wavesOf(demand)), "", waves),
           counted("rounds of loads", demand.rounds, "", "how often a thread waits for loads before it can go on"),
           inputOf(gpu, gpu.dramLatency)}};
}

} // namespace

GpuTimes timesOf(const GpuDemand &demand, const Gpu &gpu) {
  double cycles = stretchOf(demand, gpu) / (gpu.multiprocessors * gpu.clock), integer = integersOf(demand);
  return {{
      {"dram", demand.dramBytes / gpu.dramBandwidth},
      {"l2", demand.l2Bytes / gpu.l2Bandwidth},
      {"latency", std::max(1.0, wavesOf(demand)) * demand.rounds * gpu.dramLatency},
      {"fp32", cycles * demand.fp32 / gpu.fp32PerCycle},
      {"fp64", demand.fp64 > 0 ? cycles * demand.fp64 / gpu.fp64PerCycle : 0},
      {"special", cycles * demand.special / gpu.specialPerCycle},
      {"integer", cycles * integer / gpu.integerPerCycle},
      {"load_store", cycles * demand.replayed / gpu.loadStorePerCycle},
      // All kinds share the schedulers; what there is most of is to blame.
      {demand.fp32 + demand.fp64 > integer + demand.accesses ? (demand.fp64 > demand.fp32 ? "fp64" : "fp32")
                                                             : "integer",
       cycles * allOf(demand) / gpu.issuePerCycle},
  }};
}

std::vector<TimeTerm> termsOf(const GpuDemand &demand, const GpuTimes &times, const Gpu &gpu) {
  std::string integers = formatCount(demand.ownIntegers) + " of the code's own, " + formatCount(addressInstructions) +
                         " for each access's address, " + formatCount(loopInstructions) + " for each of " +
                         formatCount(demand.turns) + " iterations inside threads, " + formatCount(threadInstructions) +
                         " for each of " + formatCount(demand.threads) + " threads";
  auto instructions = [&](const char *name, const char *what, double count, const char *how, const Quantity &perCycle) {
    return instructionTerm(name, counted(what, count, "", how), perCycle, demand, gpu);
  };
  TimeTerm all[] = {
      dramTerm(demand, gpu),
      {"l2",
       "{0} / {1}",
       0,
       {counted("bytes from L2", demand.l2Bytes, "B", "footprints of the blocks"), inputOf(gpu, gpu.l2Bandwidth)}},
      latencyTerm(demand, gpu),
      instructions("fp32", "single-precision instructions", demand.fp32, "an fma is one, a division ten",
                   gpu.fp32PerCycle),
      instructions("fp64", "double-precision instructions", demand.fp64,
                   "an fma is one, a division ten, a special function twenty", gpu.fp64PerCycle),
      instructions("special", "special functions", demand.special,
                   "sqrt, exp and their like, and single-precision divisions", gpu.specialPerCycle),
      instructions("integer", "integer instructions", integersOf(demand), integers.c_str(), gpu.integerPerCycle),
      instructions("load_store", "loads and stores", demand.replayed,
                   "again for each further cache line that a warp's accesses need", gpu.loadStorePerCycle),
      instructions("issue", "instructions of all kinds", allOf(demand), "all kinds share the schedulers",
                   gpu.issuePerCycle),
  };
  std::vector<TimeTerm> terms = {{"launch", "{0}", gpu.launchLatency, {inputOf(gpu, gpu.launchLatency)}, false, true}};
  size_t longest = 0;
  for (size_t i = 0; i < times.size(); ++i) {
    if (times[i].second <= 0) continue;
    all[i].time = times[i].second;
    terms.push_back(std::move(all[i]));
    if (longest == 0 || terms.back().time > terms[longest].time) longest = terms.size() - 1;
  }
  if (longest) terms[longest].decides = true;
  return terms;
}

} // namespace busfare::projection
