//===- projection/Price.cpp - What a region costs on one machine ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Price.h"
#include "projection/Cpu.h"
#include "projection/Link.h"
#include "projection/Shares.h"
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
    if (!stays) leftOut.insert(&node);
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

RegionPricer::RegionPricer(const Root &root, const brs::Region &region, const Machine &machine,
                           const PriceOptions &options, KernelPrices &prices, DescribedLoops describedLoops)
    : root(root), region(region), machine(machine), options(options), prices(prices),
      described(std::move(describedLoops)) {
  for (const brs::ArrayTransfers &array : region.arrays)
    if (!array.temporary) crossing.insert(array.name);
  findLeftOut();
  findExclusive();
}

void RegionPricer::findExclusive() {
  std::map<std::string, std::array<bool, 2>> sides; // by condition: which of them hold kernels
  auto isOpen = [&](const brs::Kernel &kernel, const brs::Guard &guard) { // no size decides it, nor a loop in turns
    return guard.condition.exact && decidedBy(root.given, guard).empty() &&
           llvm::none_of(kernel.serialLoops, [&](const Loop *loop) {
             return llvm::any_of(guard.condition.anyOf, [&](const auto &facts) {
               return llvm::any_of(facts, [&](const Expr &fact) { return fact.mentions(loop->index); });
             });
           });
  };
  for (const brs::Kernel &kernel : region.kernels)
    for (const brs::Guard &guard : kernel.guards)
      if (isOpen(kernel, guard)) sides[toString(guard.condition)][guard.then] = true;
  for (const brs::Kernel &kernel : region.kernels)
    for (size_t k = 0; k < kernel.guards.size(); ++k)
      if (isOpen(kernel, kernel.guards[k]) && sides.at(toString(kernel.guards[k].condition))[!kernel.guards[k].then])
        exclusiveGuards[&kernel].push_back(k);
}

/// How often the side runs of a branch of which one side runs: as the sizes say, or else by its probability.
static double shareOfSide(const brs::Guard &guard, const RealValues &values) {
  bool isKnown = true;
  for (const std::vector<Expr> &facts : guard.condition.anyOf)
    for (const Expr &fact : facts) isKnown &= fact.evaluateReal(values).has_value();
  const double taken = isKnown ? shareOf(guard.condition, values) : guard.condition.probability;
  return guard.then ? taken : 1 - taken;
}

void RegionPricer::findLeftOut() {
  brs::KernelLoops elsewhere = loopsElsewhere;
  for (const brs::Kernel &kernel : region.kernels) elsewhere.insert(kernel.loop);
  leftOut.clear();
  addKernels(nodesOf(region), elsewhere, leftOut);
  hostPrices = &prices.ofHost(leftOut);
}

double RegionPricer::hostTime(const RealValues &values, const TripOverrides &overrides) {
  auto [entry, isNew] = hostPrices->try_emplace({values, overrides});
  if (isNew) entry->second = priceHostCode(root, nodesOf(region), leftOut, values, overrides, machine.host);
  return entry->second;
}

/// As the code says, if nobody else does.
unsigned RegionPricer::threadsOf(const brs::Kernel &kernel) const {
  return options.threads ? options.threads : runsOnThreads(kernel) ? unsigned(machine.host.threads) : 1;
}

const PricedKernel &RegionPricer::kernelPrice(const brs::Kernel &kernel, const RealValues &values,
                                              const TripOverrides &overrides) {
  const RealValues own = valuesOf(root.kernels.at(kernel.loop).symbols, values);
  double share = shareExpected(kernel.guards, kernel.serialLoops, own, overrides) *
                 shareOfDecided(root.kernels.at(kernel.loop).decided, values);
  if (auto guards = exclusiveGuards.find(&kernel); guards != exclusiveGuards.end())
    for (size_t guard : guards->second) share *= shareOfSide(kernel.guards[guard], own);
  const auto known = described.find(kernel.loop);
  return prices.of(
      {root, kernel, known == described.end() ? kernel.loop : known->second, share, double(threadsOf(kernel))}, own,
      overrides);
}

KernelCost RegionPricer::costOfKernel(const brs::Kernel &kernel, const PricedKernel &priced) const {
  KernelCost cost = priced.cost;
  cost.kernel = &kernel;
  for (const AccessedBytes &bytes : priced.accessed)
    if (crossing.count(bytes.array)) {
      cost.loadedBytes += bytes.loaded;
      cost.storedBytes += bytes.stored;
      cost.isIndirect |= bytes.isIndirect;
    }
  return cost;
}

const CrossingCost &RegionPricer::crossingCost(const brs::ArrayTransfers &array, const brs::Crossing &crossing,
                                               Direction direction, const RealValues &values,
                                               const TripOverrides &overrides) {
  const CrossingForm &form = root.crossings.at(&crossing);
  auto [entry, isNew] =
      knownCrossings.try_emplace({&crossing, valuesOf(form.symbols, values), tripsOf(crossing.loops, overrides)});
  if (isNew)
    entry->second = costOf(array, crossing, direction, form, entry->first.values, overrides, machine, fewAddedUp);
  return entry->second;
}

void RegionPricer::measuredAt(const RealValues &values, const TripOverrides &overrides) {
  double cpu = hostTime(values, overrides);
  for (const brs::Kernel &kernel : region.kernels) cpu += kernelPrice(kernel, values, overrides).cost.cpu;
  modelledCpu = cpu;
}

RegionCost RegionPricer::at(const RealValues &values, const TripOverrides &overrides) {
  return priceAt(values, overrides, hostTime(values, overrides));
}

RegionCost RegionPricer::priceAt(const RealValues &values, const TripOverrides &overrides, double host) {
  RegionCost cost;
  double longest = -1;
  for (const brs::Kernel &kernel : region.kernels) {
    const PricedKernel &priced = kernelPrice(kernel, values, overrides);
    cost.threads = std::max(cost.threads, threadsOf(kernel));
    cost.perKernel.push_back(costOfKernel(kernel, priced));
    const KernelCost &own = cost.perKernel.back();
    cost.kernels += own.launches * own.time;
    cost.cpu += own.cpu;
    cost.cpuAllCores += own.cpuAllCores;
    if (own.cpu > longest) longest = own.cpu, cost.cpuLimitedBy = priced.cpuLimitedBy;
  }
  cost.host = host;
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
        most = std::max(
            most,
            crossingCost(array, crossing, in ? Direction::ToDevice : Direction::ToHost, values, overrides).movedBytes);
    pinning.push_back(machine.gpu.pinning * most);
    cost.pinning += pinning.back();
  }
  addCopies(values, overrides, cost);
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

/// Bytes of an array's copies that chunks do not share out, given how many elements an end of the loop needs at once:
/// all but the array's even share, and what no chunk asks for.
static double wholeBytes(const std::optional<Expr> &elements, RealValues values, const std::string &symbol, double end,
                         double otherEnd, double trips, const brs::ArrayTransfers &array, const CrossingCost &cost) {
  double moved = cost.movedBytes * cost.count;
  double perElement = double(array.type.bytes) * (cost.bytes > 0 ? cost.movedBytes / cost.bytes : 1);
  auto bytesAt = [&](double at) {
    values[symbol] = at;
    std::optional<double> count = elements->evaluateReal(values);
    return count ? std::clamp(*count * perElement, 0.0, moved) : moved;
  };
  if (!elements || trips < 1) return moved;
  return std::min(moved, std::max(0.0, bytesAt(end) - moved / trips) + moved - bytesAt(otherEnd));
}

void RegionPricer::addCopies(const RealValues &values, const TripOverrides &overrides, RegionCost &cost) {
  for (const brs::ArrayTransfers &array : region.arrays)
    for (Direction direction : {Direction::ToDevice, Direction::ToHost}) {
      CopyCost all{&array.name, direction};
      for (const brs::Crossing &crossing : direction == Direction::ToDevice ? array.h2d : array.d2h) {
        const CrossingCost &one = crossingCost(array, crossing, direction, values, overrides);
        all.time += one.time;
        all.pageableTime += one.pageableTime;
        all.count += one.count;
      }
      if (all.time > 0) cost.perCopy.push_back(all);
    }
}

PlanQuestion RegionPricer::planQuestion(const RegionCost &cost, const RealValues &values,
                                        const TripOverrides &overrides) {
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
    RegionChunks::Ends ends = entry == chunks.kernel.arrays.end()
                                  ? RegionChunks::Ends()
                                  : chunks.ends[size_t(entry - chunks.kernel.arrays.begin())];
    for (bool in : {true, false}) {
      PlannedWay &way = in ? question.in : question.out;
      for (const brs::Crossing &crossing : in ? array.h2d : array.d2h) {
        const CrossingCost &c =
            crossingCost(array, crossing, in ? Direction::ToDevice : Direction::ToHost, values, overrides);
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

double priceOnHost(const Root &root, const Loop &loop, const RealValues &values, const TripOverrides &overrides,
                   const Host &host, const LeftOut &leftOut) {
  return priceWork(root, workOf(loop, values, overrides, leftOut), values, host);
}

double priceOutside(const Root &root, const RealValues &values, const Machine &machine) {
  LeftOut leftOut;
  if (!root.transfers.regions.empty())
    for (const Node &node : nodesOf(root.transfers.regions.front())) leftOut.insert(&node);
  return priceHostCode(root, root.function.body, leftOut, values, {}, machine.host);
}

} // namespace busfare::projection
