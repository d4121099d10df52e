//===- projection/Cpu.cpp - First model of CPU time ----------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Cpu.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

namespace busfare::projection {
using namespace skeleton;

namespace {

constexpr double lineBytes = 64;
/// A statement of the host's own costs a call or so.
constexpr double hostStatementCycles = 100;
/// Count, compare and branch of a loop iteration.
constexpr double loopInstructions = 2;

bool canVectorise(const std::vector<Reference> &references, const Work &work) {
  if (work.of(Operation::Fp32Special) + work.of(Operation::Fp64Special) > 0) return false;
  return llvm::all_of(references, [](const Reference &reference) {
    return !reference.indirect && (reference.loops.empty() || std::abs(reference.strides.back()) <= 1);
  });
}

/// Cycles of one core, were it alone.
struct Cycles {
  double flow = 0;  ///< Of what can be under way together.
  double slow = 0;  ///< Of divisions and library calls.
  double calls = 0; ///< Of statements that only the host has.
  bool vector = false;
  double floating = 0, accesses = 0, others = 0, turns = 0; ///< Instructions.

  /// Divisions and library calls leave the other units free, but rarely find anything to do there.
  double all() const { return std::max(flow, slow) + std::min(flow, slow) / 2 + calls; }
};

Cycles cyclesOf(const CpuQuestion &q, const Host &host) {
  const auto &[work, references] = q.activity;
  Cycles cycles;
  double lanes32 = 1, lanes64 = 1;
  bool vector = cycles.vector = q.innermostParallel && canVectorise(references, work);
  if (vector) lanes32 = host.simdBytes / 4, lanes64 = host.simdBytes / 8;
  double perFma = host.fusedMultiplyAdd > 0 ? 1 : 2;
  double fp32 = work.of(Operation::Fp32Add) + work.of(Operation::Fp32Multiply) + perFma * work.of(Operation::Fp32Fma);
  double fp64 = work.of(Operation::Fp64Add) + work.of(Operation::Fp64Multiply) + perFma * work.of(Operation::Fp64Fma);
  double floating = cycles.floating = fp32 / lanes32 + fp64 / lanes64;
  double others = cycles.others =
      (work.of(Operation::Integer) + work.of(Operation::Compare) + work.of(Operation::Conversion)) / lanes32;
  double accesses = 0, turns = 0;
  for (const Reference &reference : references) {
    double together = vector ? std::max(1.0, host.simdBytes / reference.elementBytes) : 1;
    for (const Place &place : reference.places)
      accesses +=
          place.count * reference.keptInRegisters({}) * ((place.reads ? 1 : 0) + (place.writes ? 1 : 0)) / together;
  }
  for (const auto &[loop, count] : work.iterations) turns += count / (vector ? lanes32 : 1);
  cycles.accesses = accesses;
  cycles.turns = turns;
  cycles.slow =
      (work.of(Operation::Fp32Divide) / lanes32 + work.of(Operation::Fp64Divide) / lanes64) * host.divideCycles +
      (work.of(Operation::Fp32Special) + work.of(Operation::Fp64Special)) * host.specialCycles;
  cycles.flow = std::max({floating / host.vectorPipes, accesses / host.loadsPerCycle,
                          (floating + others + accesses + loopInstructions * turns) / host.scalarOperations});
  cycles.calls = hostStatementCycles * work.hostStatements;
  return cycles;
}

/// Bytes that do not stay in `capacity` bytes (of all the references together).
double bytesBeyond(const std::vector<Reference> &references, double capacity) {
  double bytes = 0, each = capacity * shareOfCapacity;
  for (const Reference &reference : references)
    bytes += footprint(reference, {}, lineBytes, each) * (reference.writes ? 2 : 1);
  return bytes;
}

/// How much of what a nest touches is still in a cache when it comes by again: all that fits, and nothing of what is
/// twice as large. In between the least recently used lines go first, though not strictly, and time does not jump.
/// (Measured with 35 MB of stencil on a Haswell with 17.5 MB: all 24 bytes a line come from memory.)
double shareThatStays(double bytes, double capacity) {
  return bytes <= capacity ? 1 : std::max(0.0, 2 - bytes / capacity);
}

/// What the nest asks of the host.
struct CpuDemand {
  Cycles cycles;
  double cores = 1;
  double l2Bytes = 0, lastLevelBytes = 0, dramBytes = 0;
  double stays = 0; ///< This share of the distinct bytes is in the last level from the second execution on.
};

/// All instructions through the units, in words: where the cycles come from.
std::string howCycles(const Cycles &cycles, const Host &host) {
  auto over = [](double count, const char *what, const Quantity &perCycle) {
    return formatCount(count) + what + " / " + formatCount(perCycle) + " a cycle";
  };
  std::string text = std::string(cycles.vector ? "vector" : "scalar") + " instructions, the most of " +
                     over(cycles.floating, " floating-point", host.vectorPipes) + ", " +
                     over(cycles.accesses, " loads and stores", host.loadsPerCycle) + ", and both with " +
                     formatCount(cycles.others) + " others and " +
                     over(loopInstructions * cycles.turns, " for iterations", host.scalarOperations);
  if (cycles.slow > 0)
    text += "; " + formatCount(cycles.slow) + " cycles of divisions and library calls, the shorter of both half hidden";
  return text;
}

std::vector<TimeTerm> termsOf(const CpuDemand &demand, const CpuQuestion &q, const Host &host,
                              llvm::ArrayRef<std::pair<const char *, double>> times) {
  TermInput cores = counted("cores in use", demand.cores, "",
                            formatCount(q.threads) + " threads on " + formatCount(host.cores) + " cores");
  const Cycles &cycles = demand.cycles;
  bool oneCore = demand.cores * host.dramBandwidthCore < host.dramBandwidth;
  TimeTerm all[] = {
      {"issue",
       "({0} + {1}) / ({2} * {3})",
       0,
       {counted("cycles", cycles.all() - cycles.calls, "cycles", howCycles(cycles, host)),
        counted("cycles of calls", cycles.calls, "cycles", "100 for each statement that only the host has"),
        inputOf(host, host.clock), cores}},
      {"l2",
       "{0} / ({1} * {2})",
       0,
       {counted("bytes from L2", demand.l2Bytes, "B", "what L1 has no room for"), inputOf(host, host.l2Bandwidth),
        cores}},
      {"last_level",
       "{0} / ({1} * {2})",
       0,
       {counted("bytes from the last level", demand.lastLevelBytes, "B", "what L2 has no room for"),
        inputOf(host, host.lastLevelBandwidth), cores}},
      {"dram",
       oneCore ? "{0} / ({1} * {2})" : "{0} / {1}",
       0,
       {counted("bytes from DRAM", demand.dramBytes, "B",
                demand.stays == 1
                    ? "distinct bytes, written ones twice, over " + formatCount(q.executions) +
                          " executions: they stay in the last level"
                    : "what the last level has no room for, no fewer than the distinct bytes, written ones twice" +
                          (demand.stays > 0 && q.executions > 1
                               ? ", but that " + formatCount(std::round(100 * demand.stays)) +
                                     " % of it stays there between " + formatCount(q.executions) + " executions"
                               : std::string())),
        oneCore ? inputOf(host, host.dramBandwidthCore) : inputOf(host, host.dramBandwidth)}},
  };
  if (oneCore) all[3].inputs.push_back(cores);
  std::vector<TimeTerm> terms;
  const TimeTerm *longest = nullptr;
  for (size_t i = 0; i < times.size(); ++i) {
    all[i].time = times[i].second;
    if (all[i].time > 0 && (!longest || all[i].time > longest->time)) longest = &all[i];
  }
  for (TimeTerm &term : all) {
    term.decides = &term == longest;
    if (term.time > 0) terms.push_back(std::move(term));
  }
  if (q.threads > 1) terms.push_back({"fork_join", "{0}", host.forkJoin, {inputOf(host, host.forkJoin)}, false, true});
  return terms;
}

} // namespace

CpuPrice priceOnCpu(const CpuQuestion &q, const Host &host) {
  const std::vector<Reference> &references = q.activity.references;
  CpuDemand demand;
  double cores = demand.cores = std::max(1.0, std::min(q.threads, double(host.cores)));
  double distinct = q.readBytes + q.writtenBytes;
  demand.stays = shareThatStays(distinct, host.lastLevelBytes);
  const double atLeast = q.readBytes + 2 * q.writtenBytes,
               beyond = demand.stays < 1 ? std::max(atLeast, bytesBeyond(references, host.lastLevelBytes)) : atLeast;
  demand.dramBytes = demand.stays * atLeast / std::max(1.0, q.executions) + (1 - demand.stays) * beyond;
  double dramBandwidth = std::min(double(host.dramBandwidth), cores * host.dramBandwidthCore);
  // Each core works on its share, in caches of its own.
  auto fetched = [&](double nearer) {
    const double gone = 1 - shareThatStays(distinct / cores, nearer);
    return gone > 0 ? gone * bytesBeyond(references, nearer) : 0;
  };
  demand.l2Bytes = fetched(host.l1Bytes);
  demand.lastLevelBytes = fetched(host.l2Bytes);
  demand.cycles = cyclesOf(q, host);
  std::pair<const char *, double> resources[] = {
      {"issue", demand.cycles.all() / host.clock / cores},
      {"l2", demand.l2Bytes / (host.l2Bandwidth * cores)},
      {"last_level", demand.lastLevelBytes / (host.lastLevelBandwidth * cores)},
      {"dram", demand.dramBytes / dramBandwidth},
  };
  CpuPrice price;
  for (const auto &[name, seconds] : resources)
    if (seconds > price.time) price.time = seconds, price.limitedBy = name;
  if (q.threads > 1) price.time += host.forkJoin;
  if (q.wantsTerms) price.terms = termsOf(demand, q, host, resources);
  return price;
}

} // namespace busfare::projection
