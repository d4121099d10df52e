//===- projection/Price.cpp - What a region costs on one machine ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Price.h"
#include "projection/Cpu.h"
#include "projection/Gpu.h"
#include "projection/Transfer.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

namespace busfare::projection {
using namespace skeleton;

namespace {

/// Prices are asked for at many sizes: copies of different sizes are sampled where there are more of them.
constexpr double fewAddedUp = 256;


bool isOpenMP(const Loop &loop) {
  return loop.directive && loop.directive->isParallel && llvm::StringRef(loop.directive->text).contains("parallel");
}

/// The loop, a serial loop around it or one inside runs on all threads as written.
bool runsOnThreads(const brs::Kernel &kernel) {
  return isOpenMP(*kernel.loop) || llvm::any_of(kernel.serialLoops, [](const Loop *l) { return isOpenMP(*l); }) ||
         llvm::any_of(kernel.parallelLoops, [](const Loop *l) { return isOpenMP(*l); });
}

const Loop *innermostOf(const Loop &loop) {
  const Loop *deepest = &loop;
  while (true) {
    const Loop *inner = nullptr;
    for (const Node &node : deepest->body)
      if (auto *found = std::get_if<Loop>(&node.kind))
        inner = found;
    if (!inner)
      return deepest;
    deepest = inner;
  }
}

bool hasBranch(const Loop &loop) {
  return llvm::any_of(loop.body, [](const Node &node) { return std::holds_alternative<Branch>(node.kind); });
}

struct Bytes {
  double read = 0, written = 0;
};

Bytes footprintBytes(const Root &root, const Loop &kernel, const RealValues &values) {
  Bytes bytes;
  for (const Footprint &part : root.footprints.at(&kernel)) {
    auto elements = [&](const Expr &expr) {
      return part.known ? std::max(0.0, expr.evaluateReal(values).value_or(assumedElements)) : assumedElements;
    };
    if (!part.readElements.isZero())
      bytes.read += part.elementBytes * elements(part.readElements);
    if (!part.writtenElements.isZero())
      bytes.written += part.elementBytes * elements(part.writtenElements);
  }
  return bytes;
}

/// The block without the kernels.
Block withoutKernels(llvm::ArrayRef<Node> block, const std::vector<brs::Kernel> &kernels) {
  Block result;
  for (const Node &node : block) {
    if (auto *loop = std::get_if<Loop>(&node.kind)) {
      if (llvm::any_of(kernels, [&](const brs::Kernel &k) { return k.loop == loop; }))
        continue;
      Loop copy = *loop;
      copy.body = withoutKernels(loop->body, kernels);
      if (!copy.body.empty())
        result.emplace_back(std::move(copy));
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      Branch copy = *branch;
      copy.then = withoutKernels(branch->then, kernels);
      copy.otherwise = withoutKernels(branch->otherwise, kernels);
      result.emplace_back(std::move(copy));
    } else {
      result.push_back(node);
    }
  }
  return result;
}

/// Overrides name loops of the function; a copy of a block has others, found by their index.
TripOverrides translate(const TripOverrides &overrides, const Block &block) {
  TripOverrides result;
  for (const Node &node : block)
    if (auto *loop = std::get_if<Loop>(&node.kind)) {
      for (const auto &[original, trips] : overrides)
        if (original->index == loop->index)
          result[loop] = trips;
      TripOverrides inner = translate(overrides, loop->body);
      result.insert(inner.begin(), inner.end());
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      for (const Block *side : {&branch->then, &branch->otherwise}) {
        TripOverrides inner = translate(overrides, *side);
        result.insert(inner.begin(), inner.end());
      }
    }
  return result;
}

/// How often control reaches the kernel, given its branches: conditions that no index decides are taken as they are.
double shareOfBranches(const brs::Kernel &kernel) {
  double share = 1;
  for (const Branch *branch : kernel.branches)
    if (!branch->condition.exact)
      share *= branch->condition.probability;
  return share;
}

KernelCost priceLaunches(const Program &program, const Root &root, const brs::Kernel &kernel, const RealValues &values,
                         const TripOverrides &overrides, const Gpu &gpu) {
  KernelCost cost;
  cost.kernel = &kernel;
  double time = 0;
  sampleIterations(kernel.serialLoops, values, overrides, [&](const RealValues &at, double weight) {
    weight *= shareOfBranches(kernel);
    Bytes bytes = footprintBytes(root, *kernel.loop, at);
    auto isParallel = [&](const Loop &loop) {
      const brs::LoopVerdict *verdict = root.dependence.find(loop);
      // Threads that add into one array element would need atomic operations.
      return verdict && verdict->parallel && llvm::none_of(verdict->needs, [&](const brs::Need &need) {
               const Array *array = findArray(program, root.function, need.name);
               return need.kind == brs::Need::Kind::Reduction && array && !array->isScalar();
             });
    };
    KernelPrice price = priceKernel(
        {program, root.function, *kernel.loop, kernel.parallelLoops, at, bytes.read + bytes.written, isParallel}, gpu);
    cost.launches += weight;
    time += weight * price.time;
    cost.flops += weight * price.flops;
    cost.dramBytes += weight * price.dramBytes;
    cost.limitedBy = price.limitedBy;
    cost.threadIndex = price.threadIndex;
    cost.occupancy = price.occupancy;
    cost.blockThreads = price.blockThreads;
    cost.coalesced = price.coalesced;
  });
  if (cost.launches > 0) {
    cost.time = time / cost.launches;
    cost.flops /= cost.launches;
    cost.dramBytes /= cost.launches;
  }
  return cost;
}

struct CpuCost {
  double asWritten = 0, allCores = 0;
  std::string limitedBy;
};

CpuCost priceOnHost(const Program &program, const Root &root, const brs::Kernel &kernel, const RealValues &values,
                    const TripOverrides &overrides, const Host &host, double threads, double launches) {
  CpuCost cost;
  const brs::LoopVerdict *innermost = root.dependence.find(*innermostOf(*kernel.loop));
  Block body{Node(*kernel.loop)};
  sampleIterations(kernel.serialLoops, values, overrides, [&](const RealValues &at, double weight) {
    weight *= shareOfBranches(kernel);
    Bytes bytes = footprintBytes(root, *kernel.loop, at);
    CpuQuestion question{program, root.function, body, at, {}, bytes.read, bytes.written,
                         innermost && innermost->parallel && !hasBranch(*innermostOf(*kernel.loop)), threads, launches};
    CpuPrice asWritten = priceOnCpu(question, host);
    question.threads = host.threads;
    CpuPrice allCores = priceOnCpu(question, host);
    cost.asWritten += weight * asWritten.time;
    cost.allCores += weight * allCores.time;
    cost.limitedBy = asWritten.limitedBy;
  });
  return cost;
}

Block outsideOf(const Block &block, const brs::Region &region) {
  Block result;
  for (size_t i = 0; i < block.size(); ++i) {
    if (&block == region.block && i >= region.first && i <= region.last)
      continue;
    if (auto *branch = std::get_if<Branch>(&block[i].kind)) {
      Branch copy = *branch;
      copy.then = outsideOf(branch->then, region);
      copy.otherwise = outsideOf(branch->otherwise, region);
      result.emplace_back(std::move(copy));
    } else {
      result.push_back(block[i]);
    }
  }
  return result;
}

} // namespace

Block hostCodeOf(const brs::Region &region) {
  return withoutKernels(llvm::ArrayRef(*region.block).slice(region.first, region.last - region.first + 1), region.kernels);
}

RegionCost priceRegion(const Program &program, const Root &root, const brs::Region &region, const Block &hostCode,
                       const RealValues &values, const TripOverrides &overrides, const Machine &machine,
                       const PriceOptions &options) {
  RegionCost cost;
  double longest = -1;
  for (const brs::Kernel &kernel : region.kernels) {
    cost.perKernel.push_back(priceLaunches(program, root, kernel, values, overrides, machine.gpu));
    const KernelCost &gpu = cost.perKernel.back();
    cost.kernels += gpu.launches * gpu.time;
    double threads = options.threads ? options.threads : runsOnThreads(kernel) ? double(machine.host.threads) : 1;
    cost.threads = std::max(cost.threads, unsigned(threads));
    CpuCost cpu = priceOnHost(program, root, kernel, values, overrides, machine.host, threads, gpu.launches);
    cost.cpu += cpu.asWritten;
    cost.cpuAllCores += cpu.allCores;
    if (cpu.asWritten > longest)
      longest = cpu.asWritten, cost.cpuLimitedBy = cpu.limitedBy;
  }
  CpuQuestion host{program, root.function, hostCode, values, translate(overrides, hostCode), 0, 0, false, 1, 1};
  cost.host = priceOnCpu(host, machine.host).time;
  cost.cpu += cost.host;
  cost.cpuAllCores += cost.host;
  if (options.cpuTime)
    cost.cpu = cost.cpuAllCores = *options.cpuTime;
  double pinned = 0;
  for (const brs::ArrayTransfers &array : region.arrays) {
    double most = 0;
    for (bool in : {true, false})
      for (const brs::Crossing &crossing : in ? array.h2d : array.d2h) {
        CrossingCost c = costOf(array, crossing, in ? Direction::ToDevice : Direction::ToHost, root.crossings.at(&crossing), values, overrides,
                                machine, fewAddedUp);
        (in ? cost.h2d : cost.d2h) += c.time;
        most = std::max(most, c.movedBytes);
      }
    pinned += most;
    const std::optional<Expr> &count = root.onDevice.at(&array);
    RealValues at = values;
    for (const brs::Kernel &kernel : region.kernels)
      for (const Loop *loop : kernel.serialLoops)
        at.try_emplace(loop->index, loop->lower.evaluateReal(at).value_or(0));
    cost.deviceBytes += array.type.bytes * (count ? std::max(0.0, count->evaluateReal(at).value_or(assumedElements)) : assumedElements);
  }
  cost.startup = machine.gpu.contextStart + machine.gpu.allocation * double(region.arrays.size()) + machine.gpu.pinning * pinned;
  return cost;
}

double priceOutside(const Program &program, const Root &root, const RealValues &values, const Machine &machine) {
  Block rest = root.function.body;
  if (!root.transfers.regions.empty())
    rest = outsideOf(root.function.body, root.transfers.regions.front());
  return priceOnCpu({program, root.function, rest, values, {}, 0, 0, false, 1, 1}, machine.host).time;
}

} // namespace busfare::projection
