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
  if (work.of(Operation::Fp32Special) + work.of(Operation::Fp64Special) > 0)
    return false;
  return llvm::all_of(references, [](const Reference &reference) {
    return !reference.indirect && (reference.loops.empty() || std::abs(reference.strides.back()) <= 1);
  });
}

/// Cycles of one core, were it alone.
double issueCycles(const CpuQuestion &q, const Host &host) {
  const auto &[work, references] = q.activity;
  double lanes32 = 1, lanes64 = 1;
  bool vector = q.innermostParallel && canVectorise(references, work);
  if (vector)
    lanes32 = host.simdBytes / 4, lanes64 = host.simdBytes / 8;
  double perFma = host.fusedMultiplyAdd > 0 ? 1 : 2;
  double fp32 = work.of(Operation::Fp32Add) + work.of(Operation::Fp32Multiply) + perFma * work.of(Operation::Fp32Fma);
  double fp64 = work.of(Operation::Fp64Add) + work.of(Operation::Fp64Multiply) + perFma * work.of(Operation::Fp64Fma);
  double floating = fp32 / lanes32 + fp64 / lanes64;
  double others = (work.of(Operation::Integer) + work.of(Operation::Compare) + work.of(Operation::Conversion)) / lanes32;
  double accesses = 0, turns = 0;
  for (const Reference &reference : references) {
    double together = vector ? std::max(1.0, host.simdBytes / reference.elementBytes) : 1;
    for (const Place &place : reference.places)
      accesses += place.count * reference.keptInRegisters({}) * ((place.reads ? 1 : 0) + (place.writes ? 1 : 0)) / together;
  }
  for (const auto &[loop, count] : work.iterations)
    turns += count / (vector ? lanes32 : 1);
  double slow = (work.of(Operation::Fp32Divide) / lanes32 + work.of(Operation::Fp64Divide) / lanes64) * host.divideCycles +
                (work.of(Operation::Fp32Special) + work.of(Operation::Fp64Special)) * host.specialCycles;
  double flow = std::max({floating / host.vectorPipes, accesses / host.loadsPerCycle,
                          (floating + others + accesses + loopInstructions * turns) / host.scalarOperations});
  // Divisions and library calls leave the other units free, but rarely find anything to do there.
  return std::max(flow, slow) + std::min(flow, slow) / 2 + hostStatementCycles * work.hostStatements;
}

/// Bytes that do not stay in `capacity` bytes (of all the references together).
double bytesBeyond(const std::vector<Reference> &references, double capacity) {
  double bytes = 0, each = capacity * shareOfCapacity;
  for (const Reference &reference : references)
    bytes += footprint(reference, {}, lineBytes, each) * (reference.writes ? 2 : 1);
  return bytes;
}

} // namespace

CpuPrice priceOnCpu(const CpuQuestion &q, const Host &host) {
  const std::vector<Reference> &references = q.activity.references;
  double cores = std::max(1.0, std::min(q.threads, double(host.cores)));
  double distinct = q.readBytes + q.writtenBytes;
  bool staysCached = distinct <= host.lastLevelBytes;
  double dram = std::max(q.readBytes + 2 * q.writtenBytes, staysCached ? 0 : bytesBeyond(references, host.lastLevelBytes));
  if (staysCached)
    dram /= std::max(1.0, q.executions);
  double dramBandwidth = std::min(double(host.dramBandwidth), cores * host.dramBandwidthCore);
  // Each core works on its share, in caches of its own.
  double fromL2 = distinct / cores > host.l1Bytes ? bytesBeyond(references, host.l1Bytes) : 0;
  double fromLast = distinct / cores > host.l2Bytes ? bytesBeyond(references, host.l2Bytes) : 0;
  std::pair<const char *, double> resources[] = {
      {"issue", issueCycles(q, host) / host.clock / cores},
      {"l2", fromL2 / (host.l2Bandwidth * cores)},
      {"last_level", fromLast / (host.lastLevelBandwidth * cores)},
      {"dram", dram / dramBandwidth},
  };
  CpuPrice price;
  for (const auto &[name, seconds] : resources)
    if (seconds > price.time)
      price.time = seconds, price.limitedBy = name;
  if (q.threads > 1)
    price.time += host.forkJoin;
  return price;
}

} // namespace busfare::projection
