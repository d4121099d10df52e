//===- projection/KernelPrices.cpp - What kernels cost, each once --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/KernelPrices.h"
#include "projection/BlasRate.h"
#include "projection/Cpu.h"
#include "projection/Gpu.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

namespace busfare::projection {
using namespace skeleton;

namespace {

const Loop *innermostOf(const Loop &loop) {
  const Loop *deepest = &loop;
  while (true) {
    const Loop *inner = nullptr;
    for (const Node &node : deepest->body)
      if (auto *found = std::get_if<Loop>(&node.kind)) inner = found;
    if (!inner) return deepest;
    deepest = inner;
  }
}

bool hasBranch(const Loop &loop) {
  return llvm::any_of(loop.body, [](const Node &node) { return std::holds_alternative<Branch>(node.kind); });
}

struct Bytes {
  double read = 0, written = 0;
};

/// As many elements as a launch touches, and no more than it has accesses: of `a[i*n + j]` with one i the section may
/// be all of the array.
Bytes footprintBytes(const std::vector<Footprint> &footprint, llvm::ArrayRef<Reference> references,
                     const RealValues &values) {
  std::map<llvm::StringRef, Bytes> accesses; // by array; numbers, not bytes
  for (const Reference &reference : references)
    for (const Place &place : reference.places) {
      accesses[reference.array].read += place.reads ? place.count : 0;
      accesses[reference.array].written += place.writes ? place.count : 0;
    }
  Bytes bytes;
  for (const Footprint &part : footprint) {
    auto counted = accesses.find(part.array);
    auto elements = [&](const Expr &expr, double Bytes::*kind) {
      const double most =
          part.known ? std::max(0.0, expr.evaluateReal(values).value_or(assumedElements)) : assumedElements;
      return counted == accesses.end() ? most : std::min(most, std::ceil(counted->second.*kind));
    };
    if (!part.readElements.isZero()) bytes.read += part.elementBytes * elements(part.readElements, &Bytes::read);
    if (!part.writtenElements.isZero())
      bytes.written += part.elementBytes * elements(part.writtenElements, &Bytes::written);
  }
  return bytes;
}

void addAccessed(const brs::Kernel &kernel, const Activity &activity, double weight,
                 std::map<std::string, AccessedBytes> &accessed) {
  for (const Reference &reference : activity.references) {
    AccessedBytes &sum = accessed[reference.array];
    sum.array = reference.array;
    sum.isIndirect |= reference.indirect;
    const double bytes = weight * reference.elementBytes * reference.keptInRegisters(kernel.parallelLoops);
    for (const Place &place : reference.places) {
      sum.loaded += place.reads ? bytes * place.count : 0;
      sum.stored += place.writes ? bytes * place.count : 0;
    }
  }
}

} // namespace

RealValues valuesOf(const std::vector<std::string> &symbols, const RealValues &values) {
  RealValues some;
  for (const std::string &symbol : symbols)
    if (auto value = values.find(symbol); value != values.end()) some.insert(*value);
  return some;
}

std::vector<double> tripsOf(const std::vector<const Loop *> &loops, const TripOverrides &overrides) {
  std::vector<double> trips;
  for (const Loop *loop : loops) {
    auto given = overrides.find(loop);
    trips.push_back(given == overrides.end() ? -1 : given->second);
  }
  return trips;
}

const PricedKernel &KernelPrices::of(const LaunchesQuestion &question, const RealValues &values,
                                     const TripOverrides &overrides) {
  const brs::Kernel &kernel = question.kernel;
  auto [entry, isNew] = known.try_emplace({question.described, kernel.parallelLoops.size(),
                                           valuesOf(question.root.kernels.at(kernel.loop).symbols, values),
                                           tripsOf(kernel.serialLoops, overrides), question.share, question.threads});
  if (isNew) entry->second = price(question, entry->first.values, overrides);
  return entry->second;
}

/// The host's is a library, too, on all its cores.
PricedKernel KernelPrices::priceLibrary(const LibraryCall &call, const LaunchesQuestion &question,
                                        const RealValues &values, const TripOverrides &overrides) const {
  PricedKernel cost;
  KernelCost &gpu = cost.cost;
  double time = 0;
  sampleIterations(question.kernel.serialLoops, values, overrides, [&](const RealValues &at, double weight) {
    weight *= question.share;
    const LibraryWork work = libraryWork(call, at);
    const double onHost = libraryTime(call.routine, work, machine.host);
    gpu.launches += weight;
    // Of sizes without a value nobody knows what is gained.
    time += weight * libraryTimeOnDevice(call, at, machine).value_or(onHost);
    gpu.cpu += weight * onHost;
    gpu.flops += weight * work.flops.value_or(0);
    gpu.dramBytes += weight * work.bytes.value_or(0);
  });
  gpu.cpuAllCores = gpu.cpu;
  gpu.limitedBy = llvm::StringRef("sc").contains(call.routine.front()) ? "fp32" : "fp64";
  gpu.coalesced = gpu.regular = true;
  if (gpu.launches > 0) {
    gpu.time = time / gpu.launches;
    gpu.flops /= gpu.launches;
    gpu.dramBytes /= gpu.launches;
  }
  return cost;
}

PricedKernel KernelPrices::price(const LaunchesQuestion &question, const RealValues &values,
                                 const TripOverrides &overrides) const {
  const Root &root = question.root;
  const brs::Kernel &kernel = question.kernel;
  const double share = question.share;
  if (auto library = root.libraryCalls.find(kernel.loop); library != root.libraryCalls.end())
    return priceLibrary(library->second, question, values, overrides);
  PricedKernel cost;
  KernelCost &gpu = cost.cost;
  std::map<std::string, AccessedBytes> accessed;
  double time = 0, asWritten = 0, allCores = 0;
  sampleIterations(kernel.serialLoops, values, overrides,
                   [&](const RealValues &, double weight) { gpu.launches += weight * share; });
  auto isParallel = [&](const Loop &loop) {
    const brs::LoopVerdict *verdict = root.dependence.find(loop);
    const brs::LoopVerdict *whole = root.dependence.find(*kernel.loop);
    // Threads that add into one array element, or into a sum of each outer iteration, would need atomic operations.
    return verdict && verdict->parallel && llvm::none_of(verdict->needs, [&](const brs::Need &need) {
             const Array *array = root.arrays.find(need.name);
             return need.kind == brs::Need::Kind::Reduction &&
                    ((array && !array->isScalar()) ||
                     (whole && whole != verdict && !llvm::is_contained(whole->needs, need)));
           });
  };
  auto addsUp = [&](const Loop &loop) {
    const brs::LoopVerdict *verdict = root.dependence.find(loop);
    const brs::LoopVerdict *whole = root.dependence.find(*kernel.loop);
    // One element, not one for each iteration; and nothing that the whole kernel adds up.
    auto isOneElement = [&](const std::string &array) {
      bool isOne = true;
      forEachNode(loop.body, [&](const Node &node) {
        auto *access = std::get_if<Access>(&node.kind);
        isOne &= !access || access->array != array || llvm::all_of(access->subscripts, [&](const Subscript &subscript) {
          return subscript.value && !subscript.value->mentions(loop.index);
        });
      });
      return isOne;
    };
    return verdict && whole && whole != verdict && verdict->parallel &&
           llvm::any_of(verdict->needs,
                        [](const brs::Need &need) { return need.kind == brs::Need::Kind::Reduction; }) &&
           llvm::all_of(verdict->needs, [&](const brs::Need &need) {
             return need.kind == brs::Need::Kind::Private ||
                    (need.kind == brs::Need::Kind::Reduction && !llvm::is_contained(whole->needs, need) &&
                     isOneElement(need.name));
           });
  };
  const Loop &innermost = *innermostOf(*kernel.loop);
  const brs::LoopVerdict *verdict = root.dependence.find(innermost);
  bool vectorises = verdict && verdict->parallel && !hasBranch(innermost);
  const KernelFacts &facts = root.kernels.at(kernel.loop);
  double heaviest = 0, samples = 0;
  sampleIterations(kernel.serialLoops, values, overrides, [&](const RealValues &at, double weight) {
    weight *= share;
    Activity activity{workOf(*kernel.loop, at), {}};
    auto turns = activity.work.iterations.find(kernel.parallelLoops.back());
    if (turns == activity.work.iterations.end() || turns->second <= 0)
      return; // bounds that leave it no turn: nothing is launched
    activity.references = referencesOf(root.arrays, activity.work, at);
    const Bytes bytes = footprintBytes(facts.footprint, activity.references, at);
    KernelPrice price = priceKernel({*kernel.loop, kernel.parallelLoops, activity, facts.registers,
                                     bytes.read + bytes.written, isParallel, addsUp, wantsTerms},
                                    machine.gpu);
    time += weight * price.time;
    gpu.flops += weight * price.flops;
    gpu.dramBytes += weight * price.dramBytes;
    gpu.limitedBy = price.limitedBy;
    gpu.threadIndex = price.threadIndex;
    gpu.addsUp = price.addsUp;
    gpu.occupancy = price.occupancy;
    gpu.blockThreads = price.blockThreads;
    gpu.busyMultiprocessors = price.busyMultiprocessors;
    gpu.coalesced = price.coalesced;
    gpu.regular = price.regular;
    double resident = price.residentThreads * machine.gpu.multiprocessors;
    gpu.wavesOfThreads = resident > 0 ? price.threads / resident : 0;
    addAccessed(kernel, activity, weight, accessed);
    CpuQuestion onHost{activity, bytes.read, bytes.written, vectorises, question.threads, gpu.launches, wantsTerms};
    CpuPrice written = priceOnCpu(onHost, machine.host);
    onHost.threads = machine.host.threads;
    CpuPrice onAll = priceOnCpu(onHost, machine.host);
    asWritten += weight * written.time;
    allCores += weight * std::min(onAll.time, written.time); // nobody forks where that costs more than it brings
    cost.cpuLimitedBy = written.limitedBy;
    gpu.differs = ++samples > 1;
    if (weight > heaviest) {
      heaviest = weight;
      gpu.terms = std::move(price.terms);
      gpu.cpuTerms = std::move(written.terms);
      gpu.allCoresTerms = std::move(onAll.terms);
    }
  });
  gpu.cpu = asWritten;
  gpu.cpuAllCores = allCores;
  if (gpu.launches > 0) {
    gpu.time = time / gpu.launches;
    gpu.flops /= gpu.launches;
    gpu.dramBytes /= gpu.launches;
    for (auto &[array, bytes] : accessed) {
      bytes.loaded /= gpu.launches;
      bytes.stored /= gpu.launches;
    }
  }
  for (auto &[array, bytes] : accessed) cost.accessed.push_back(std::move(bytes));
  return cost;
}

} // namespace busfare::projection
