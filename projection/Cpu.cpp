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

/// Bytes of cache lines that one access brings nearer, walked by its innermost loop.
double lineBytesPerAccess(const Reference &reference) {
  if (reference.indirect)
    return lineBytes;
  for (const Loop *loop : llvm::reverse(reference.loops)) {
    double stride = std::abs(reference.strideOf(*loop));
    if (stride == 0)
      continue; // stays in a register or L1 over this loop
    bool isInnermost = loop == reference.loops.back();
    double bytes = std::min(lineBytes, std::max(stride, 1.0) * reference.elementBytes);
    return isInnermost ? bytes : std::min(bytes, reference.elementBytes);
  }
  return 0;
}

bool canVectorise(const std::vector<Reference> &references, const Work &work) {
  if (work.of(Operation::Fp32Special) + work.of(Operation::Fp64Special) > 0)
    return false;
  return llvm::all_of(references, [](const Reference &reference) {
    return !reference.indirect && (reference.loops.empty() || std::abs(reference.strideOf(*reference.loops.back())) <= 1);
  });
}

} // namespace

CpuPrice priceOnCpu(const CpuQuestion &q, const Host &host) {
  Work work = workOf(q.block, q.values, q.overrides);
  std::vector<Reference> references = referencesOf(q.program, q.function, work, q.values);
  double cores = std::max(1.0, std::min(q.threads, double(host.cores)));

  double single = work.of(Operation::Fp32Add) + work.of(Operation::Fp32Multiply), single2 = work.of(Operation::Fp32Fma);
  double twice = work.of(Operation::Fp64Add) + work.of(Operation::Fp64Multiply), twice2 = work.of(Operation::Fp64Fma);
  double perFma = host.fusedMultiplyAdd > 0 ? 1 : 2;
  double lanes32 = 1, lanes64 = 1;
  bool vector = q.innermostParallel && canVectorise(references, work);
  if (vector)
    lanes32 = host.simdBytes / 4, lanes64 = host.simdBytes / 8;
  double accesses = 0, lines = 0, touched = q.readBytes + q.writtenBytes, elementLanes = 1;
  for (const Reference &reference : references) {
    elementLanes = vector ? std::max(1.0, host.simdBytes / reference.elementBytes) : 1;
    accesses += reference.accesses / elementLanes;
    lines += reference.count * lineBytesPerAccess(reference) * (reference.writes ? 2 : 1);
  }
  double floating = (single + perFma * single2) / lanes32 + (twice + perFma * twice2) / lanes64;
  double others = (work.of(Operation::Integer) + work.of(Operation::Compare) + work.of(Operation::Conversion)) / lanes32;
  double slow = (work.of(Operation::Fp32Divide) / lanes32 + work.of(Operation::Fp64Divide) / lanes64) * host.divideCycles +
                (work.of(Operation::Fp32Special) + work.of(Operation::Fp64Special)) * host.specialCycles;
  double cycles = std::max({floating / host.vectorPipes, accesses / host.loadsPerCycle,
                            (floating + others + accesses) / host.scalarOperations}) + slow;
  // A statement of the host's own costs a call or so.
  cycles += 100 * work.hostStatements;

  bool staysCached = touched <= host.lastLevelBytes;
  double dram = (q.readBytes + 2 * q.writtenBytes) / (staysCached ? std::max(1.0, q.executions) : 1);
  double dramBandwidth = std::min(double(host.dramBandwidth), cores * host.dramBandwidthCore);
  std::pair<const char *, double> resources[] = {
      {"issue", cycles / host.clock / cores},
      {"l2", touched / cores > host.l1Bytes ? lines / (host.l2Bandwidth * cores) : 0},
      {"last_level", touched / cores > host.l2Bytes ? lines / (host.lastLevelBandwidth * cores) : 0},
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
