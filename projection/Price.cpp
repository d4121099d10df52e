//===- projection/Price.cpp - What a region costs on one machine ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Price.h"
#include "projection/Cpu.h"
#include "projection/Gpu.h"
#include "projection/Link.h"
#include "skeleton/Print.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include <array>
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

Bytes footprintBytes(const std::vector<Footprint> &footprint, const RealValues &values) {
  Bytes bytes;
  for (const Footprint &part : footprint) {
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

/// Adds the kernels below the block, and the loops in which nothing else is. Is anything else there?
bool addKernels(llvm::ArrayRef<Node> block, const brs::KernelLoops &kernels, LeftOut &leftOut) {
  bool anyElse = false;
  for (const Node &node : block) {
    bool stays = true;
    if (auto *loop = std::get_if<Loop>(&node.kind)) {
      stays = !kernels.count(loop) && addKernels(loop->body, kernels, leftOut);
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      addKernels(branch->then, kernels, leftOut);
      addKernels(branch->otherwise, kernels, leftOut);
    }
    if (!stays)
      leftOut.insert(&node);
    anyElse |= stays;
  }
  return anyElse;
}

double priceWork(const Root &root, Work work, const RealValues &values, const Host &host) {
  Activity activity{std::move(work), {}};
  activity.references = referencesOf(root.arrays, activity.work, values);
  double time = priceOnCpu({activity, 0, 0, false, 1, 1}, host).time;
  for (const LibraryCount &one : activity.work.libraryCalls)
    time += one.count * libraryTime(one.call->routine, one.work, host);
  return time;
}

double priceHostCode(const Root &root, llvm::ArrayRef<Node> block, const LeftOut &leftOut, const RealValues &values,
                     const TripOverrides &overrides, const Host &host) {
  return priceWork(root, workOf(block, values, overrides, leftOut), values, host);
}

llvm::ArrayRef<Node> nodesOf(const brs::Region &region) {
  return llvm::ArrayRef(*region.block).slice(region.first, region.last - region.first + 1);
}

} // namespace

RegionPricer::RegionPricer(const Root &root, const brs::Region &region, const Machine &machine, const PriceOptions &options)
    : root(root), region(region), machine(machine), options(options) {
  findLeftOut();
  findExclusive();
}

void RegionPricer::findExclusive() {
  std::map<std::string, std::array<bool, 2>> sides; // by condition: which of them hold kernels
  auto isOpen = [](const brs::Kernel &kernel, const brs::Guard &guard) { // no loop around decides it, in turns
    return guard.condition.exact && llvm::none_of(kernel.serialLoops, [&](const Loop *loop) {
             return llvm::any_of(guard.condition.anyOf, [&](const auto &facts) { return llvm::any_of(facts, [&](const Expr &fact) { return fact.mentions(loop->index); }); });
           });
  };
  for (const brs::Kernel &kernel : region.kernels)
    for (const brs::Guard &guard : kernel.guards)
      if (isOpen(kernel, guard))
        sides[toString(guard.condition)][guard.then] = true;
  for (const brs::Kernel &kernel : region.kernels)
    for (size_t k = 0; k < kernel.guards.size(); ++k)
      if (isOpen(kernel, kernel.guards[k]) && sides.at(toString(kernel.guards[k].condition))[!kernel.guards[k].then])
        exclusiveGuards[&kernel].push_back(k);
}

/// How often the side runs of a branch of which one side runs: as the sizes say, or else by its probability.
static double shareOfSide(const brs::Guard &guard, const RealValues &values) {
  bool isKnown = true;
  for (const std::vector<Expr> &facts : guard.condition.anyOf)
    for (const Expr &fact : facts)
      isKnown &= fact.evaluateReal(values).has_value();
  const double taken = isKnown ? shareOf(guard.condition, values) : guard.condition.probability;
  return guard.then ? taken : 1 - taken;
}

void RegionPricer::findLeftOut() {
  brs::KernelLoops elsewhere = loopsElsewhere;
  for (const brs::Kernel &kernel : region.kernels)
    elsewhere.insert(kernel.loop);
  leftOut.clear();
  addKernels(nodesOf(region), elsewhere, leftOut);
}

RegionPricer::BothCosts RegionPricer::priceLaunches(const brs::Kernel &kernel, const RealValues &values,
                                                    const TripOverrides &overrides, double threads) const {
  BothCosts cost;
  KernelCost &gpu = cost.gpu;
  gpu.kernel = &kernel;
  double share = shareExpected(kernel.guards, kernel.serialLoops, values, overrides), time = 0;
  if (auto guards = exclusiveGuards.find(&kernel); guards != exclusiveGuards.end())
    for (size_t guard : guards->second)
      share *= shareOfSide(kernel.guards[guard], values);
  sampleIterations(kernel.serialLoops, values, overrides, [&](const RealValues &, double weight) { gpu.launches += weight * share; });
  auto isParallel = [&](const Loop &loop) {
    const brs::LoopVerdict *verdict = root.dependence.find(loop);
    const brs::LoopVerdict *whole = root.dependence.find(*kernel.loop);
    // Threads that add into one array element, or into a sum of each outer iteration, would need atomic operations.
    return verdict && verdict->parallel && llvm::none_of(verdict->needs, [&](const brs::Need &need) {
             const Array *array = root.arrays.find(need.name);
             return need.kind == brs::Need::Kind::Reduction &&
                    ((array && !array->isScalar()) || (whole && whole != verdict && !llvm::is_contained(whole->needs, need)));
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
    return verdict && whole && whole != verdict && verdict->parallel && llvm::any_of(verdict->needs, [](const brs::Need &need) { return need.kind == brs::Need::Kind::Reduction; }) &&
           llvm::all_of(verdict->needs, [&](const brs::Need &need) {
             return need.kind == brs::Need::Kind::Private ||
                    (need.kind == brs::Need::Kind::Reduction && !llvm::is_contained(whole->needs, need) && isOneElement(need.name));
           });
  };
  const Loop &innermost = *innermostOf(*kernel.loop);
  const brs::LoopVerdict *verdict = root.dependence.find(innermost);
  bool vectorises = verdict && verdict->parallel && !hasBranch(innermost);
  const KernelFacts &facts = root.kernels.at(kernel.loop);
  double heaviest = 0, samples = 0;
  sampleIterations(kernel.serialLoops, values, overrides, [&](const RealValues &at, double weight) {
    weight *= share;
    Bytes bytes = footprintBytes(facts.footprint, at);
    Activity activity{workOf(*kernel.loop, at), {}};
    auto turns = activity.work.iterations.find(kernel.parallelLoops.back());
    if (turns == activity.work.iterations.end() || turns->second <= 0)
      return; // bounds that leave it no turn: nothing is launched
    activity.references = referencesOf(root.arrays, activity.work, at);
    KernelPrice price =
        priceKernel({*kernel.loop, kernel.parallelLoops, activity, facts.registers, bytes.read + bytes.written, isParallel, addsUp, options.wantsTerms},
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
    addAccesses(kernel, activity, weight, gpu);
    CpuQuestion question{activity, bytes.read, bytes.written, vectorises, threads, gpu.launches, options.wantsTerms};
    CpuPrice asWritten = priceOnCpu(question, machine.host);
    question.threads = machine.host.threads;
    CpuPrice allCores = priceOnCpu(question, machine.host);
    cost.asWritten += weight * asWritten.time;
    cost.allCores += weight * std::min(allCores.time, asWritten.time); // nobody forks where that costs more than it brings
    cost.cpuLimitedBy = asWritten.limitedBy;
    gpu.differs = ++samples > 1;
    if (weight > heaviest) {
      heaviest = weight;
      gpu.terms = std::move(price.terms);
      gpu.cpuTerms = std::move(asWritten.terms);
      gpu.allCoresTerms = std::move(allCores.terms);
    }
  });
  gpu.cpu = cost.asWritten;
  gpu.cpuAllCores = cost.allCores;
  if (gpu.launches > 0) {
    gpu.time = time / gpu.launches;
    gpu.flops /= gpu.launches;
    gpu.dramBytes /= gpu.launches;
    gpu.loadedBytes /= gpu.launches;
    gpu.storedBytes /= gpu.launches;
  }
  return cost;
}

void RegionPricer::addAccesses(const brs::Kernel &kernel, const Activity &activity, double weight, KernelCost &cost) const {
  for (const Reference &reference : activity.references) {
    if (llvm::none_of(region.arrays, [&](const brs::ArrayTransfers &a) { return a.name == reference.array && !a.temporary; }))
      continue;
    cost.isIndirect |= reference.indirect;
    double bytes = weight * reference.elementBytes * reference.keptInRegisters(kernel.parallelLoops);
    for (const Place &place : reference.places) {
      cost.loadedBytes += place.reads ? bytes * place.count : 0;
      cost.storedBytes += place.writes ? bytes * place.count : 0;
    }
  }
}

RegionPricer::Key RegionPricer::keyOf(const void *what, const std::vector<std::string> &symbols,
                                      const std::vector<const Loop *> &loops, const RealValues &values, const TripOverrides &overrides) {
  Key key{what, {}, {}};
  for (const std::string &symbol : symbols)
    if (auto value = values.find(symbol); value != values.end())
      key.values.insert(*value);
  for (const Loop *loop : loops) {
    auto trips = overrides.find(loop);
    key.trips.push_back(trips == overrides.end() ? -1 : trips->second);
  }
  return key;
}

const RegionPricer::BothCosts &RegionPricer::kernelCost(const brs::Kernel &kernel, const RealValues &values,
                                                        const TripOverrides &overrides, double threads) {
  const std::vector<std::string> &symbols = root.kernels.at(kernel.loop).symbols;
  auto [entry, isNew] = knownKernels.try_emplace(keyOf(&kernel, symbols, kernel.serialLoops, values, overrides));
  if (isNew)
    entry->second = priceLaunches(kernel, entry->first.values, overrides, threads);
  return entry->second;
}

const CrossingCost &RegionPricer::crossingCost(const brs::ArrayTransfers &array, const brs::Crossing &crossing, Direction direction,
                                               const RealValues &values, const TripOverrides &overrides) {
  const CrossingForm &form = root.crossings.at(&crossing);
  auto [entry, isNew] = knownCrossings.try_emplace(keyOf(&crossing, form.symbols, crossing.loops, values, overrides));
  if (isNew)
    entry->second = costOf(array, crossing, direction, form, entry->first.values, overrides, machine, fewAddedUp);
  return entry->second;
}

void RegionPricer::measuredAt(const RealValues &values, const TripOverrides &overrides) {
  double cpu = priceHostCode(root, nodesOf(region), leftOut, values, overrides, machine.host);
  for (const brs::Kernel &kernel : region.kernels)
    cpu += kernelCost(kernel, values, overrides, options.threads ? options.threads : runsOnThreads(kernel) ? double(machine.host.threads) : 1).asWritten;
  modelledCpu = cpu;
}

RegionCost RegionPricer::at(const RealValues &values, const TripOverrides &overrides) {
  RegionCost cost;
  double longest = -1;
  for (const brs::Kernel &kernel : region.kernels) {
    double threads = options.threads ? options.threads : runsOnThreads(kernel) ? double(machine.host.threads) : 1;
    cost.threads = std::max(cost.threads, unsigned(threads));
    const BothCosts &both = kernelCost(kernel, values, overrides, threads);
    cost.kernels += both.gpu.launches * both.gpu.time;
    cost.cpu += both.asWritten;
    cost.cpuAllCores += both.allCores;
    if (both.asWritten > longest)
      longest = both.asWritten, cost.cpuLimitedBy = both.cpuLimitedBy;
    cost.perKernel.push_back(both.gpu);
  }
  cost.host = priceHostCode(root, nodesOf(region), leftOut, values, overrides, machine.host);
  cost.cpu += cost.host;
  cost.cpuAllCores += cost.host;
  if (options.cpuTime) {
    // What all cores gain over the code as written is still the model's.
    double measured = *options.cpuTime * (modelledCpu > 0 ? cost.cpu / modelledCpu : 1);
    const double factor = cost.cpu > 0 ? measured / cost.cpu : 1;
    cost.cpuAllCores = cost.cpu > 0 ? cost.cpuAllCores * factor : measured;
    cost.host *= factor; // the same statements on the same machine, whoever runs the kernels
    cost.cpu = measured;
  }
  // Memory is held for the largest of an array that loops make anew: that of their first iterations is taken for it.
  RealValues atFirst = values;
  for (const brs::Kernel &kernel : region.kernels)
    for (const Loop *loop : kernel.serialLoops)
      atFirst.try_emplace(loop->index, loop->lower.evaluateReal(atFirst).value_or(0));
  for (const brs::ArrayTransfers &array : region.arrays) {
    const std::optional<Expr> &count = root.onDevice.at(&array);
    cost.deviceBytes += array.type.bytes * elementsOf(count, array, atFirst);
  }
  std::vector<double> pinning; // of each array, if it is
  for (const brs::ArrayTransfers &array : region.arrays) {
    double most = 0;
    for (bool in : {true, false})
      for (const brs::Crossing &crossing : in ? array.h2d : array.d2h)
        most = std::max(most, crossingCost(array, crossing, in ? Direction::ToDevice : Direction::ToHost, values, overrides).movedBytes);
    pinning.push_back(machine.gpu.pinning * most);
    cost.pinning += pinning.back();
  }
  cost.planned = planQuestion(cost, values, overrides);
  cost.planned.pinning = options.runs ? cost.pinning / *options.runs : 0;
  cost.plan = planOf(machine, cost.planned);
  bool pinned = cost.plan.memory == HostMemory::Pinned;
  cost.h2d = pinned ? cost.planned.in.time : cost.planned.in.pageableTime;
  cost.d2h = pinned ? cost.planned.out.time : cost.planned.out.pageableTime;
  cost.context = machine.gpu.contextStart;
  cost.startup = cost.context;
  for (size_t k = 0; k < region.arrays.size(); ++k) {
    cost.objects.emplace_back(&region.arrays[k].name, machine.gpu.allocation + (pinned ? pinning[k] : 0));
    cost.startup += cost.objects.back().second;
  }
  return cost;
}

/// Bytes of an array's copies that chunks do not share out, given how many elements an end of the loop needs at once: all
/// but the array's even share, and what no chunk asks for.
static double wholeBytes(const std::optional<Expr> &elements, RealValues values, const std::string &symbol, double end, double otherEnd,
                         double trips, const brs::ArrayTransfers &array, const CrossingCost &cost) {
  double moved = cost.movedBytes * cost.count;
  double perElement = double(array.type.bytes) * (cost.bytes > 0 ? cost.movedBytes / cost.bytes : 1);
  auto bytesAt = [&](double at) {
    values[symbol] = at;
    std::optional<double> count = elements->evaluateReal(values);
    return count ? std::clamp(*count * perElement, 0.0, moved) : moved;
  };
  if (!elements || trips < 1)
    return moved;
  return std::min(moved, std::max(0.0, bytesAt(end) - moved / trips) + moved - bytesAt(otherEnd));
}

PlanQuestion RegionPricer::planQuestion(const RegionCost &cost, const RealValues &values, const TripOverrides &overrides) {
  PlanQuestion question;
  question.kernels = cost.kernels;
  const RegionChunks &chunks = root.chunks.at(&region);
  question.whyNoChunks = chunks.kernel.whyNot;
  const Loop *loop = chunks.kernel.loop;
  double trips = loop ? tripsOf(*loop, values, overrides) : 0;
  double from = 0, to = 0; // the first and the last iteration, in the order of the index
  if (loop) {
    from = (loop->step > 0 ? loop->lower : loop->upper).evaluateReal(values).value_or(0);
    to = from + std::max(0.0, trips - 1) * double(std::abs(loop->step));
  }
  for (const brs::ArrayTransfers &array : region.arrays) {
    question.comesBothWays |= !array.h2d.empty() && !array.d2h.empty();
    auto entry = llvm::find_if(chunks.kernel.arrays, [&](const brs::ChunkedArray &one) { return one.array == &array; });
    RegionChunks::Ends ends = entry == chunks.kernel.arrays.end() ? RegionChunks::Ends() : chunks.ends[size_t(entry - chunks.kernel.arrays.begin())];
    for (bool in : {true, false}) {
      PlannedWay &way = in ? question.in : question.out;
      for (const brs::Crossing &crossing : in ? array.h2d : array.d2h) {
        const CrossingCost &c = crossingCost(array, crossing, in ? Direction::ToDevice : Direction::ToHost, values, overrides);
        way.time += c.time;
        way.pageableTime += c.pageableTime;
        way.bytes += c.movedBytes * c.count;
        way.copies += c.copies * c.count;
        way.whole += in ? wholeBytes(ends.first, values, chunks.kernel.last, from, to, trips, array, c)
                        : wholeBytes(ends.last, values, chunks.kernel.first, to, from, trips, array, c);
      }
    }
  }
  if (!loop || llvm::any_of(cost.perKernel, [](const KernelCost &kernel) { return kernel.launches != 1; }))
    return question;
  question.runsOnce = true;
  question.launches = double(cost.perKernel.size());
  question.isRegular = true;
  double waves = trips;
  for (const KernelCost &kernel : cost.perKernel) {
    waves = std::min(waves, kernel.wavesOfThreads);
    question.isRegular &= kernel.regular && !kernel.isIndirect;
    question.in.accessedBytes += kernel.loadedBytes;
    question.out.accessedBytes += kernel.storedBytes;
  }
  question.mostChunks = chunks.kernel.isSplit() ? std::floor(waves) : 1;
  return question;
}

double priceOnHost(const Root &root, const Loop &loop, const RealValues &values, const TripOverrides &overrides, const Host &host,
                   const LeftOut &leftOut) {
  return priceWork(root, workOf(loop, values, overrides, leftOut), values, host);
}

double priceOutside(const Root &root, const RealValues &values, const Machine &machine) {
  LeftOut leftOut;
  if (!root.transfers.regions.empty())
    for (const Node &node : nodesOf(root.transfers.regions.front()))
      leftOut.insert(&node);
  return priceHostCode(root, root.function.body, leftOut, values, {}, machine.host);
}

} // namespace busfare::projection
