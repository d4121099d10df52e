//===- projection/Gpu.cpp - First model of kernel time -------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Gpu.h"
#include "projection/GpuDemand.h"
#include "projection/Mapping.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

namespace busfare::projection {
using namespace skeleton;

namespace {

/// Iterations of a serial loop whose loads a compiler has under way together (unrolling by four). A load does not pass
/// a store that may be to its element: of what two pointers lead to, device code knows no more than their types.
constexpr double iterationsInFlight = 4;
/// Of loads from DRAM, what it takes the threads of a block to add up half as many numbers as before: shared memory and
/// a barrier.
constexpr double roundsAStep = 0.1;
/// A division or its like is a sequence of this many instructions.
constexpr double divideInstructions = 10;
/// A special function in double precision is a polynomial of about this many.
constexpr double specialInstructionsFp64 = 20;

/// What the kernel does, whatever its threads are.
struct KernelWork {
  const Work &work;
  std::vector<Reference> references; ///< Siblings joined.
  unsigned registers = 0;
};

struct Occupancy {
  unsigned resident = 0; ///< Threads on one multiprocessor.
  double blocks = 0, atOnce = 0;
};

Occupancy occupancyOf(const Mapping &mapping, unsigned registers, const Gpu &gpu) {
  Occupancy result;
  result.resident = residentThreads(gpu, mapping.blockThreads(), registers);
  result.blocks = std::max(1.0, std::ceil(mapping.blocks()));
  result.atOnce = gpu.multiprocessors * std::max(1.0, std::floor(double(result.resident) / mapping.blockThreads()));
  return result;
}

struct Accesses {
  double issued = 0; ///< Loads and stores of threads.
  double replayed = 0; ///< The same, counted again for each line of the cache beyond those that neighbours need.
};

/// Lines of the L1 cache that the threads of a warp touch together, over those that neighbouring elements would.
double replaysOf(const Reference &reference, const Mapping &mapping, const Gpu &gpu) {
  constexpr double line = 128;
  double warp = gpu.warpSize, packed = std::max(1.0, warp * reference.elementBytes / line);
  double stride = std::abs(reference.strideOf(*mapping.x));
  double lines = reference.indirect ? warp : std::min(warp, 1 + (warp - 1) * stride * reference.elementBytes / line);
  return std::max(1.0, lines / packed);
}

Accesses accessesOf(const KernelWork &kernel, const Mapping &mapping, const Gpu &gpu) {
  Accesses accesses;
  const std::vector<const Loop *> apart = mapping.apart();
  for (const Reference &reference : kernel.references)
    for (const Place &place : reference.places) {
      double count = place.count * mapping.replication(reference) * reference.keptInRegisters(apart) *
                     ((place.reads ? 1 : 0) + (place.writes ? 1 : 0));
      accesses.issued += count;
      accesses.replayed += count * (gpu.cachesGlobal > 0 ? replaysOf(reference, mapping, gpu) : 1);
    }
  return accesses;
}

/// Is something stored in each iteration of the loop that what the reference loads next may be?
bool isStoredInto(const Reference &read, const Loop &loop, const std::vector<Reference> &references) {
  return llvm::any_of(references, [&](const Reference &other) {
    return other.writes && llvm::is_contained(other.loops, &loop) &&
           (other.array == read.array || mayBeOfType(other.type, read.type));
  });
}

/// How often a thread waits for loads before it can go on.
double roundsOf(const KernelWork &kernel, const Mapping &mapping) {
  const std::vector<const Loop *> apart = mapping.apart();
  double rounds = 1;
  for (const Reference &reference : kernel.references) {
    if (!reference.reads) continue;
    double turns = 1, together = iterationsInFlight;
    for (size_t i = 0; i < reference.loops.size(); ++i)
      if (!llvm::is_contained(apart, reference.loops[i])) {
        // Of what threads share each keeps its sum in a register.
        const bool isShared = mapping.team && reference.loops[i] == mapping.x;
        turns *= isShared ? std::ceil(reference.trips[i] / mapping.team) : reference.trips[i];
        // The innermost that moves it, in the end.
        if (reference.dependsOn(*reference.loops[i]))
          together =
              !isShared && isStoredInto(reference, *reference.loops[i], kernel.references) ? 1 : iterationsInFlight;
      }
    turns *= reference.keptInRegisters(apart);
    rounds = std::max(rounds, (reference.indirect ? 2 : 1) * std::max(1.0, turns / together));
  }
  return rounds + (mapping.team ? std::log2(mapping.team) * roundsAStep : 0);
}

/// What a launch asks of each resource, mapped.
GpuDemand demandOf(const KernelWork &kernel, const KernelQuestion &q, const Mapping &mapping, const Gpu &gpu,
                   KernelPrice &price) {
  const Work &work = kernel.work;
  GpuDemand demand;
  Occupancy occupancy = occupancyOf(mapping, kernel.registers, gpu);
  price.residentThreads = occupancy.resident;
  price.busyMultiprocessors = std::min<double>(gpu.multiprocessors, occupancy.blocks);
  // Blocks are dealt out evenly.
  double dealt = std::ceil(occupancy.blocks / gpu.multiprocessors) * mapping.blockThreads();
  price.occupancy = std::min<double>(occupancy.resident, dealt) / gpu.maxThreadsPerMultiprocessor;
  demand.threads = mapping.threads();
  demand.blocks = occupancy.blocks;
  demand.blocksAtOnce = occupancy.atOnce;

  bool cached = gpu.cachesGlobal > 0;
  MappingTraffic traffic = cached ? cachedTraffic(kernel.references, mapping, gpu, occupancy.resident, occupancy.atOnce)
                                  : uncachedTraffic(kernel.references, mapping, gpu);
  price.coalesced = traffic.coalesced;
  price.regular = traffic.regular;
  // What fits into L2 comes from DRAM once.
  demand.fitsL2 = cached && q.footprintBytes > 0 && q.footprintBytes <= gpu.l2Bytes * shareOfCapacity;
  demand.dramBytes = !cached         ? traffic.dram
                     : demand.fitsL2 ? q.footprintBytes
                                     : std::max(traffic.dram, q.footprintBytes);
  demand.l2Bytes = traffic.l2;

  auto [accesses, replayed] = accessesOf(kernel, mapping, gpu);
  demand.accesses = accesses;
  demand.replayed = replayed;
  const std::vector<const Loop *> apart = mapping.apart();
  for (const auto &[loop, count] : work.iterations)
    if (!llvm::is_contained(apart, loop)) demand.turns += count;
  auto fp = [&](Operation add, Operation multiply, Operation fma, Operation divide) {
    return work.of(add) + work.of(multiply) + work.of(fma) + divideInstructions * work.of(divide);
  };
  demand.fp32 = fp(Operation::Fp32Add, Operation::Fp32Multiply, Operation::Fp32Fma, Operation::Fp32Divide);
  demand.fp64 = fp(Operation::Fp64Add, Operation::Fp64Multiply, Operation::Fp64Fma, Operation::Fp64Divide) +
                specialInstructionsFp64 * work.of(Operation::Fp64Special);
  if (gpu.fp64PerCycle <= 0) // the first generation's compiler demotes double to single
    demand.fp32 += demand.fp64, demand.fp64 = 0;
  demand.special = work.of(Operation::Fp32Special) + work.of(Operation::Fp64Special) + work.of(Operation::Fp32Divide);
  demand.ownIntegers = work.of(Operation::Integer) + work.of(Operation::Compare) + work.of(Operation::Conversion);
  demand.rounds = roundsOf(kernel, mapping);
  return demand;
}

KernelPrice priceMapping(const KernelWork &kernel, const KernelQuestion &q, const Mapping &mapping, const Gpu &gpu) {
  KernelPrice price;
  const GpuDemand demand = demandOf(kernel, q, mapping, gpu, price);
  price.flops = kernel.work.flops();
  price.threads = demand.threads;
  price.blockThreads = mapping.blockThreads();
  price.threadIndex = mapping.x->index;
  price.addsUp = mapping.team > 0;
  price.dramBytes = demand.dramBytes;
  const GpuTimes times = timesOf(demand, gpu);
  double longest = 0;
  for (const auto &[name, seconds] : times) {
    price.allResources += seconds;
    if (seconds > longest) longest = seconds, price.limitedBy = name;
  }
  if (longest < gpu.launchLatency) price.limitedBy = "launch";
  price.time = gpu.launchLatency + longest;
  if (q.wantsTerms) price.terms = termsOf(demand, times, gpu);
  return price;
}

/// Where the model sees next to no difference, nobody would choose a mapping whose accesses are not coalesced. Of
/// equals the one that needs less of everything, else the first: the innermost loop as x, large blocks.
bool isBetter(const KernelPrice &price, const KernelPrice &best) {
  auto isWithin = [&](double share) { return std::abs(price.time - best.time) <= share * best.time; };
  if (price.coalesced != best.coalesced && isWithin(0.05)) return price.coalesced;
  return isWithin(0.001) ? price.allResources < 0.999 * best.allResources : price.time < best.time;
}

} // namespace

unsigned residentThreads(const Gpu &gpu, unsigned blockThreads, unsigned registers) {
  double byThreads = std::floor(gpu.maxThreadsPerMultiprocessor / blockThreads);
  double byRegisters = std::floor(gpu.registersPerMultiprocessor / (double(registers) * blockThreads));
  double blocks = std::min({byThreads, byRegisters, double(gpu.maxBlocksPerMultiprocessor)});
  // A kernel that does not fit is compiled with fewer registers: one block always runs.
  return blockThreads * unsigned(std::max(1.0, blocks));
}

KernelPrice priceKernel(const KernelQuestion &q, const Gpu &gpu) {
  const Work &work = q.activity.work;
  KernelPrice best;
  best.time = gpu.launchLatency;
  best.limitedBy = "launch";
  best.threadIndex = q.parallelLoops.empty() ? q.loop.index : q.parallelLoops.back()->index;
  if (work.iterations.empty() || work.iterations.at(&q.loop) <= 0) return best;
  KernelWork kernel{work, q.activity.references, q.registers};
  joinSiblings(q, work, kernel.references);
  bool any = false;
  for (const Mapping &mapping : mappingsOf(q, kernel.work, kernel.references, gpu)) {
    KernelPrice price = priceMapping(kernel, q, mapping, gpu);
    if (!any || isBetter(price, best)) best = price;
    any = true;
  }
  return best;
}

} // namespace busfare::projection
