//===- projection/Gpu.cpp - First model of kernel time -------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Gpu.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <set>

namespace busfare::projection {
using namespace skeleton;

namespace {

constexpr unsigned blockSize = 256;
/// Loads a thread has under way before it waits: what compilers reach by hoisting loads of one iteration.
constexpr double loadsInFlight = 4;
/// A division or its like is a sequence of this many instructions.
constexpr double divideInstructions = 10;
constexpr double specialInstructionsFp64 = 20;

/// The threads of a block along the x loop and the one after it.
struct BlockShape {
  double x = blockSize, y = 1;
};

BlockShape shapeOf(const std::vector<const Loop *> &parallel, const Loop *x, const RealValues &values) {
  if (parallel.size() < 2)
    return {double(blockSize), 1};
  double xTrips = tripsOf(*x, values);
  double wide = xTrips >= 32 ? 32 : std::max(1.0, xTrips);
  return {wide, blockSize / wide};
}

/// Bytes of DRAM traffic that one access of one thread costs, when x is the thread index.
double sectorBytesPerAccess(const Reference &reference, const Loop &x, const Gpu &gpu) {
  double sector = gpu.sectorBytes, merged = gpu.coalescedThreads;
  double perThread = std::max(1.0, std::ceil(reference.elementBytes / sector));
  if (reference.indirect)
    return perThread * sector;
  double stride = std::abs(reference.strideOf(x));
  double span = ((merged - 1) * stride + 1) * reference.elementBytes;
  return std::min(merged * perThread, std::ceil(span / sector)) * sector / merged;
}

/// How many threads of a block ask for the same element: their loops do not move the reference.
double sharedWithinBlock(const Reference &reference, const std::vector<const Loop *> &parallel, const Loop *x,
                         const BlockShape &block) {
  if (reference.indirect)
    return 1;
  // Threads along x that read one element are one sector already.
  const Loop *y = nullptr;
  for (const Loop *loop : parallel)
    if (loop != x)
      y = loop; // the innermost of the others
  return y && !reference.dependsOn(*y) ? block.y : 1;
}

double haloOf(const Reference &reference, const BlockShape &block) {
  if (reference.members < 2)
    return 1;
  return (1 + 2 / block.x) * (block.y > 1 ? 1 + 2 / block.y : 1);
}

struct Traffic {
  double bytes = 0; ///< That blocks ask for.
  bool coalesced = true;
};

Traffic trafficOf(const std::vector<Reference> &references, const KernelQuestion &q, const Loop &x, const Gpu &gpu) {
  BlockShape block = shapeOf(q.parallelLoops, &x, q.values);
  Traffic traffic;
  for (const Reference &reference : references) {
    double each = sectorBytesPerAccess(reference, x, gpu);
    // A reference that an inner serial loop walks element by element uses up the sectors it brought.
    const Loop *innermost = reference.loops.empty() ? nullptr : reference.loops.back();
    bool serialWalk = innermost && !llvm::is_contained(q.parallelLoops, innermost) && !reference.indirect &&
                      std::abs(reference.strideOf(*innermost)) == 1;
    if (serialWalk && gpu.cachesGlobal > 0)
      each = std::min(each, reference.elementBytes);
    traffic.coalesced &= each <= 2 * reference.elementBytes + double(gpu.sectorBytes) / gpu.coalescedThreads;
    double directions = (reference.reads ? 1 : 0) + (reference.writes ? 1 : 0);
    traffic.bytes += reference.count * each * directions * haloOf(reference, block) /
                     sharedWithinBlock(reference, q.parallelLoops, &x, block);
  }
  return traffic;
}

} // namespace

unsigned registersOf(const Loop &kernel) {
  std::set<std::string> names;
  std::vector<const Block *> blocks{&kernel.body};
  while (!blocks.empty()) {
    const Block *block = blocks.back();
    blocks.pop_back();
    for (const Node &node : *block) {
      if (auto *access = std::get_if<Access>(&node.kind))
        names.insert(access->array);
      else if (auto *loop = std::get_if<Loop>(&node.kind))
        blocks.push_back(&loop->body);
      else if (auto *branch = std::get_if<Branch>(&node.kind))
        blocks.insert(blocks.end(), {&branch->then, &branch->otherwise});
    }
  }
  return std::min<unsigned>(128, 8 + 2 * names.size());
}

unsigned residentThreads(const Gpu &gpu, unsigned blockThreads, unsigned registers) {
  double byThreads = std::floor(gpu.maxThreadsPerMultiprocessor / blockThreads);
  double byRegisters = std::floor(gpu.registersPerMultiprocessor / (double(registers) * blockThreads));
  double blocks = std::min({byThreads, byRegisters, double(gpu.maxBlocksPerMultiprocessor)});
  // A kernel that does not fit is compiled with fewer registers: one block always runs.
  return blockThreads * unsigned(std::max(1.0, blocks));
}

KernelPrice priceKernel(const KernelQuestion &q, const Gpu &gpu) {
  KernelPrice price;
  Block body;
  body.emplace_back(q.loop);
  const Loop &kernel = std::get<Loop>(body[0].kind);
  // The copy's loops stand for the originals, level by level.
  std::vector<const Loop *> parallel{&kernel};
  for (size_t level = 1; level < q.parallelLoops.size(); ++level)
    for (const Node &node : parallel.back()->body)
      if (auto *loop = std::get_if<Loop>(&node.kind)) {
        parallel.push_back(loop);
        break;
      }
  KernelQuestion own{q.program, q.function, kernel, parallel, q.values, q.footprintBytes};

  Work work = workOf(body, q.values);
  price.threads = work.iterations[parallel.back()];
  price.flops = work.flops();
  price.blockThreads = blockSize;
  price.time = gpu.launchLatency;
  price.limitedBy = "launch";
  if (price.threads <= 0)
    return price;
  std::vector<Reference> references = referencesOf(q.program, q.function, work, q.values);

  const Loop *x = parallel.back();
  Traffic best = trafficOf(references, own, *x, gpu);
  for (const Loop *candidate : parallel)
    if (Traffic traffic = trafficOf(references, own, *candidate, gpu); traffic.bytes < best.bytes)
      best = traffic, x = candidate;
  price.threadIndex = x->index;
  price.coalesced = best.coalesced;

  bool cached = gpu.cachesGlobal > 0;
  double l2Bytes = cached ? best.bytes : 0;
  price.dramBytes = cached && q.footprintBytes <= gpu.l2Bytes ? q.footprintBytes : std::max(best.bytes, q.footprintBytes);

  double accesses = 0;
  for (const Reference &reference : references)
    accesses += reference.accesses;
  unsigned registers = registersOf(kernel);
  unsigned resident = residentThreads(gpu, blockSize, registers);
  price.occupancy = resident / gpu.maxThreadsPerMultiprocessor;
  double blocks = std::ceil(price.threads / blockSize);
  double atOnce = gpu.multiprocessors * (resident / blockSize);
  double waves = blocks / atOnce;
  double tail = std::ceil(waves) / waves;
  // A last wave that is not full leaves multiprocessors idle, but those left share the memory's full bandwidth.
  double busy = std::min(1.0, blocks / gpu.multiprocessors);
  double inFlight = std::min(price.threads, atOnce * blockSize) * loadsInFlight * 4;

  auto fp = [&](Operation add, Operation multiply, Operation fma, Operation divide) {
    return work.of(add) + work.of(multiply) + work.of(fma) + divideInstructions * work.of(divide);
  };
  double fp32 = fp(Operation::Fp32Add, Operation::Fp32Multiply, Operation::Fp32Fma, Operation::Fp32Divide);
  double fp64 = fp(Operation::Fp64Add, Operation::Fp64Multiply, Operation::Fp64Fma, Operation::Fp64Divide) +
                specialInstructionsFp64 * work.of(Operation::Fp64Special);
  // Without double precision the compiler demotes to single.
  if (gpu.fp64PerCycle <= 0)
    fp32 += fp64, fp64 = 0;
  double issue = gpu.multiprocessors * gpu.clock * busy;
  double stretch = waves < 8 && busy >= 1 ? std::min(tail, 2.0) : 1;
  std::pair<const char *, double> resources[] = {
      {"dram", price.dramBytes / gpu.dramBandwidth},
      {"l2", l2Bytes / gpu.l2Bandwidth},
      {"latency", price.dramBytes / (inFlight / gpu.dramLatency) + gpu.dramLatency},
      {"fp32", stretch * fp32 / (issue * gpu.fp32PerCycle)},
      {"fp64", fp64 > 0 ? stretch * fp64 / (issue * gpu.fp64PerCycle) : 0},
      {"special", stretch * (work.of(Operation::Fp32Special) + work.of(Operation::Fp64Special) +
                             work.of(Operation::Fp32Divide)) / (issue * gpu.specialPerCycle)},
      // Each access computes an address, each iteration of an inner loop counts and compares.
      {"integer", stretch * (work.of(Operation::Integer) + work.of(Operation::Compare) + work.of(Operation::Conversion) + accesses) /
                      (issue * gpu.integerPerCycle)},
      {"load_store", stretch * accesses / (issue * gpu.loadStorePerCycle)},
  };
  double longest = 0;
  for (const auto &[name, seconds] : resources)
    if (seconds > longest)
      longest = seconds, price.limitedBy = name;
  if (longest < gpu.launchLatency)
    price.limitedBy = "launch";
  price.time = gpu.launchLatency + longest;
  return price;
}

} // namespace busfare::projection
