//===- projection/Mixes.cpp - Other divisions of a region's work ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Mixes.h"
#include "brs/Presburger.h"
#include "brs/Replan.h"
#include "brs/Residency.h"
#include "projection/MixChanges.h"
#include "projection/RootParts.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include <functional>
#include <map>
#include <set>

namespace busfare::projection {
using namespace skeleton;

namespace {

/// Of the effort for a root, for the analysis of one mix, and of all.
constexpr double shareOfOne = 0.25, shareOfAll = 0.5;

/// The block of the copy that stands where `block` does in the original; blocks above moved statements are alike.
const Block *sameBlock(const Block &original, const Block &copy, const Block *block) {
  if (&original == block) return &copy;
  for (size_t i = 0; i < original.size() && i < copy.size(); ++i) {
    auto *branch = std::get_if<Branch>(&original[i].kind), *other = std::get_if<Branch>(&copy[i].kind);
    if (!branch || !other) continue;
    if (const Block *found = sameBlock(branch->then, other->then, block)) return found;
    if (const Block *found = sameBlock(branch->otherwise, other->otherwise, block)) return found;
  }
  return nullptr;
}

/// The arrays that some of what changes sides touches, and those that change places with them.
std::set<std::string> touchedBy(const Change &change, const brs::RegionSpan &span) {
  std::set<std::string> accessed, names;
  auto add = [&](llvm::ArrayRef<Node> block) {
    forEachNode(block, [&](const Node &node) {
      if (auto *access = std::get_if<Access>(&node.kind)) accessed.insert(access->array);
    });
  };
  for (const Loop *kernel : change.kept) add(kernel->body);
  for (const auto &[node, length] : change.moved) add(llvm::ArrayRef(node, length));
  const brs::Rotations rotations(span);
  for (const std::string &name : accessed)
    for (const std::string &other : rotations.of(name)) names.insert(other);
  return names;
}

/// Analyses the program as a change makes it.
class Changed {
public:
  Changed(const MixQuestion &question, const Change &change)
      : program(question.program), described(question.root), region(question.region), change(change),
        already(question.limits) {}

  /// Nothing if no kernel is left. lost: gets the region's kernels of which no plan was found, without which it is not
  /// this mix.
  std::optional<Mix> analyse(brs::KernelLoops &lost);

private:
  const Program &program;
  const Root &described;
  const brs::Region &region;
  const Change &change;
  const brs::PlanLimits &already;
  Mix mix;
  brs::PlanLimits limits;

  const Loop *here(const Loop *loop) const { return mix.loops.empty() ? loop : mix.loops.at(loop); }
  void copyWithMoves(Root &root);
  void keepKernels();
  void fillPrices(Root &root, const std::set<std::string> &changed) const;
};

/// The root's function with the moved statements in loops of their own, and its verdicts.
void Changed::copyWithMoves(Root &root) {
  OneThreadCopy copy = copyWithRuns(program, described, change.moved, root);
  mix.loops = std::move(copy.loops);
  mix.moved = change.moved;
  for (const auto &[loop, first] : copy.once) {
    limits.onDevice.insert(loop);
    mix.places.push_back(loop->location);
    if (root.libraryCalls.count(loop)) mix.calls.push_back(loop->location);
  }
  llvm::sort(mix.calls);
}

void Changed::keepKernels() {
  limits.doubted = already.doubted;
  for (const Loop *loop : already.onHost) limits.onHost.insert(here(loop));
  for (const Loop *loop : described.transfers.givenUp) limits.onHost.insert(here(loop));
  for (const Loop *kernel : change.kept) {
    mix.kept[kernel] = here(kernel);
    mix.places.push_back(kernel->location);
    limits.onHost.insert(here(kernel));
    forEachNode(here(kernel)->body, [&](const Node &node) {
      if (auto *inner = std::get_if<Loop>(&node.kind)) limits.onHost.insert(inner);
    });
  }
}

/// What prices ask, from the root described where nothing changed.
void Changed::fillPrices(Root &root, const std::set<std::string> &changed) const {
  for (const auto &[loop, facts] : described.kernels) root.kernels.emplace(here(loop), facts);
  const brs::Region &planned = root.transfers.regions.front();
  const Root &source = mix.loops.empty() ? described : root;
  for (const brs::Kernel &kernel : planned.kernels)
    if (!root.kernels.count(kernel.loop)) root.kernels.emplace(kernel.loop, factsOf(program, source, kernel));
  for (const brs::ArrayTransfers &array : planned.arrays) {
    auto known = llvm::find_if(region.arrays, [&](const brs::ArrayTransfers &one) {
      return one.name == array.name && !changed.count(one.name);
    });
    bool isKnown =
        known != region.arrays.end() && known->h2d.size() == array.h2d.size() && known->d2h.size() == array.d2h.size();
    root.onDevice[&array] = isKnown ? described.onDevice.at(&*known) : heldIn(described, array);
    for (bool in : {true, false}) {
      const std::vector<brs::Crossing> &crossings = in ? array.h2d : array.d2h;
      for (size_t i = 0; i < crossings.size(); ++i)
        root.crossings[&crossings[i]] =
            isKnown ? described.crossings.at(in ? &known->h2d[i] : &known->d2h[i])
                    : formIn(described, array, crossings[i], in ? Direction::ToDevice : Direction::ToHost);
    }
  }
  takeGiven(root, described.given);
  auto chunks = described.chunks.find(&region);
  const std::string why = chunks == described.chunks.end() ? "" : chunks->second.kernel.whyNot;
  root.chunks[&planned].kernel.whyNot = why.empty() ? "some kernels stay on the host" : why;
}

std::optional<Mix> Changed::analyse(brs::KernelLoops &lost) {
  brs::EffortBudget budget(shareOfOne * effortFor(described.function, Depth::Transfers));
  mix.kind = change.kind;
  mix.arrays.assign(change.arrays.begin(), change.arrays.end());
  mix.root = std::make_unique<Root>();
  Root &root = *mix.root;
  root.name = described.name;
  root.arrays = described.arrays;
  root.context = described.context;
  root.dependence.loops = described.dependence.loops;
  if (!change.moved.empty()) copyWithMoves(root);
  keepKernels();
  llvm::sort(mix.places);
  mix.places.erase(std::unique(mix.places.begin(), mix.places.end()), mix.places.end());
  const bool isCopy = !change.moved.empty();
  const Function &function = isCopy ? root.function : described.function;
  const brs::KnownPlan known{region, touchedBy(change, spanOf(region)), mix.loops};
  root.transfers = brs::replanTransfers(program, function, root.dependence, root.context, root.name == "main", limits,
                                        isCopy ? &root.effects : &described.effects, known);
  // Where the effort ran out, whole arrays are copied: dearer than need be, but a plan.
  for (const brs::Kernel &kernel : region.kernels)
    if (root.transfers.givenUp.count(here(kernel.loop))) lost.insert(kernel.loop);
  if (!lost.empty() || root.transfers.regions.size() != 1) return std::nullopt;
  brs::Region &planned = root.transfers.regions.front();
  planned.block = isCopy ? sameBlock(described.function.body, root.function.body, region.block) : region.block;
  planned.first = region.first;
  planned.last = region.last;
  if (!planned.block) return std::nullopt;
  fillPrices(root, known.changed);
  return std::move(mix);
}

} // namespace

llvm::StringRef toString(Mix::Kind kind) {
  return kind == Mix::Kind::KernelsOnHost ? "kernels-on-host" : "statements-on-device";
}

namespace {

/// How often the search goes on from what it found.
constexpr unsigned mostRounds = 6;
/// A mix that saves less is no better.
constexpr double worthIt = 0.999;

/// Kernels that take longer on the device than on the host, copies aside.
Change slowKernels(const RegionCost &cost) {
  Change slow;
  for (const KernelCost &kernel : cost.perKernel)
    if (kernel.time * kernel.launches > kernel.cpu) slow.kept.insert(kernel.kernel->loop);
  return slow;
}

/// Loops of the host that do nothing but launch such kernels, each by itself: those first that save most.
std::vector<Change> slowNests(const brs::Region &region, const RegionCost &cost) {
  constexpr double worthATry = 0.01;
  constexpr size_t most = 4;
  std::map<const Loop *, double> savings;
  for (const KernelCost &kernel : cost.perKernel)
    savings[kernel.kernel->loop] += kernel.time * kernel.launches - kernel.cpu;
  std::vector<std::pair<double, Change>> nests;
  std::function<void(llvm::ArrayRef<Node>)> visit = [&](llvm::ArrayRef<Node> block) {
    for (const Node &node : block) {
      if (auto *branch = std::get_if<Branch>(&node.kind)) {
        visit(branch->then);
        visit(branch->otherwise);
      }
      auto *loop = std::get_if<Loop>(&node.kind);
      if (!loop || savings.count(loop)) continue;
      Change inside;
      double saved = 0;
      bool areSlow = true;
      forEachNode(loop->body, [&](const Node &inner) {
        auto *kernel = std::get_if<Loop>(&inner.kind);
        auto known = kernel ? savings.find(kernel) : savings.end();
        if (known == savings.end()) return;
        inside.kept.insert(kernel);
        saved += known->second;
        areSlow &= known->second > 0;
      });
      if (!areSlow) visit(loop->body);
      else if (!inside.empty() && saved > worthATry * cost.total()) nests.push_back({saved, std::move(inside)});
    }
  };
  const brs::RegionSpan span = spanOf(region);
  visit(llvm::ArrayRef(*span.block).slice(span.first, span.last - span.first + 1));
  llvm::stable_sort(nests, [](const auto &a, const auto &b) { return a.first > b.first; });
  std::vector<Change> changes;
  for (auto &[saved, nest] : llvm::ArrayRef(nests).take_front(most)) changes.push_back(nest);
  return changes;
}

class Search {
public:
  Search(const MixQuestion &question, KernelPrices &prices)
      : q(question), prices(prices), options{q.options.threads, std::nullopt, q.options.runs},
        described(RegionPricer(q.root, q.region, q.machine, options, prices).at(q.values, q.overrides)),
        cost(described) {}

  std::vector<Mix> run();

private:
  const MixQuestion &q;
  KernelPrices &prices;
  const PriceOptions options;
  const RegionCost described;
  RegionCost cost; ///< Of the best so far: the region described, or found[best].
  std::optional<size_t> best;
  std::vector<Mix> found;
  std::vector<Change> tried;

  double leastTime(const Change &change) const;
  void tryChange(Change change, bool keepAnyway);
  bool improve();
};

/// If nothing were copied: to plan copies takes far longer than to see that none of them can make up for slow kernels.
/// Kernels that run once may overlap with copies, but not with each other.
double Search::leastTime(const Change &change) const {
  double least = described.host;
  for (const KernelCost &kernel : described.perKernel)
    least += change.kept.count(kernel.kernel->loop) ? kernel.cpu : kernel.time * kernel.launches;
  return least;
}

/// keepAnyway: it is an answer even if it is not the best.
void Search::tryChange(Change change, bool keepAnyway) {
  const bool keepsAll = change.kept.size() >= q.region.kernels.size();
  if (change.empty() || keepsAll || llvm::any_of(tried, [&](const Change &known) { return known.isSame(change); }))
    return;
  tried.push_back(change);
  if (!keepAnyway && leastTime(change) >= worthIt * cost.total()) return;
  brs::KernelLoops lost;
  std::optional<Mix> mix = Changed(q, change).analyse(lost);
  // What cannot be on the device without the others stays on the host with them.
  if (!lost.empty() && change.kind == Mix::Kind::KernelsOnHost) {
    change.kept.insert(lost.begin(), lost.end());
    return tryChange(std::move(change), keepAnyway);
  }
  if (!mix) return;
  std::optional<RegionCost> price;
  if (mix->kind == Mix::Kind::KernelsOnHost)
    price = MixPricer(*mix, q.machine, options, prices).at(q.values, q.overrides, described);
  const bool isBetter = price && price->total() < worthIt * cost.total();
  if (!isBetter && !keepAnyway) return;
  found.push_back(std::move(*mix));
  if (isBetter) {
    cost = std::move(*price);
    best = found.size() - 1;
  }
}

/// One round from the best one; false if nothing is better.
bool Search::improve() {
  const std::optional<size_t> from = best;
  const Root &root = from ? *found[*from].root : q.root;
  const brs::Region &region = from ? found[*from].region() : q.region;
  std::vector<Change> next = slowNests(q.region, cost);
  llvm::append_range(next, changesFor(q.program, root, region, q.values, q.machine));
  next.push_back(slowKernels(cost));
  for (Change &change : next) {
    if (change.kind != Mix::Kind::KernelsOnHost) continue;
    if (from) {
      for (const auto &[kernel, here] : found[*from].kept) change.kept.insert(kernel);
      change.arrays.insert(found[*from].arrays.begin(), found[*from].arrays.end());
    }
    tryChange(std::move(change), false);
  }
  return best != from;
}

std::vector<Mix> Search::run() {
  {
    brs::EffortBudget budget(shareOfAll * effortFor(q.root.function, Depth::Transfers));
    for (Change &change : changesFor(q.program, q.root, q.region, q.values, q.machine, q.parts))
      tryChange(std::move(change), true);
  }
  brs::EffortBudget budget(shareOfAll * effortFor(q.root.function, Depth::Transfers));
  for (unsigned round = 0; round < mostRounds && improve(); ++round);
  return std::move(found);
}

} // namespace

std::vector<Mix> mixesOf(const MixQuestion &question, KernelPrices &prices) { return Search(question, prices).run(); }

/// The loops of the root described, by those of the mix.
static DescribedLoops describedLoops(const Mix &mix) {
  DescribedLoops described;
  for (const auto &[loop, here] : mix.loops) described[here] = loop;
  return described;
}

MixPricer::MixPricer(const Mix &mix, const Machine &machine, const PriceOptions &given, KernelPrices &prices)
    : what(mix), machine(machine), options(given),
      pricer(*mix.root, mix.region(), machine, options, prices, describedLoops(mix)) {
  options.cpuTime.reset();
  for (const auto &[described, here] : mix.kept) pricer.leaveOut(*here);
}

TripOverrides MixPricer::translate(const TripOverrides &overrides) const {
  TripOverrides here;
  for (const auto &[loop, trips] : overrides) here[what.loops.empty() ? loop : what.loops.at(loop)] = trips;
  return here;
}

RegionCost MixPricer::at(const RealValues &values, const TripOverrides &overrides, const RegionCost &described) {
  RegionCost cost = pricer.at(values, translate(overrides));
  for (const KernelCost &kernel : described.perKernel)
    if (what.kept.count(kernel.kernel->loop)) cost.host += kernel.cpu;
  cost.cpu = described.cpu;
  cost.cpuAllCores = described.cpuAllCores;
  cost.cpuLimitedBy = described.cpuLimitedBy;
  cost.threads = described.threads;
  return cost;
}

std::vector<MixBytes> MixPricer::bytesAt(const RealValues &values, const TripOverrides &overrides) const {
  std::vector<MixBytes> bytes;
  const TripOverrides here = translate(overrides);
  for (const brs::ArrayTransfers &array : what.region().arrays) {
    MixBytes one{array.name, 0, 0};
    for (bool in : {true, false})
      for (const brs::Crossing &crossing : in ? array.h2d : array.d2h) {
        CrossingCost cost = costOf(array, crossing, in ? Direction::ToDevice : Direction::ToHost,
                                   what.root->crossings.at(&crossing), values, here, machine);
        (in ? one.h2d : one.d2h) += cost.movedBytes * cost.count;
      }
    if (one.h2d > 0 || one.d2h > 0) bytes.push_back(std::move(one));
  }
  return bytes;
}

PlanPricer::PlanPricer(const Root &root, const brs::Region &region, const Machine &machine, const PriceOptions &options,
                       llvm::ArrayRef<Mix> mixes, KernelPrices &prices)
    : described(root, region, machine, options, prices) {
  for (const Mix &mix : mixes) pricers.push_back(std::make_unique<MixPricer>(mix, machine, options, prices));
}

std::pair<RegionCost, const Mix *> PlanPricer::cheapestAt(const RealValues &values, const TripOverrides &overrides) {
  const RegionCost asDescribed = described.at(values, overrides);
  std::pair<RegionCost, const Mix *> cheapest{asDescribed, nullptr};
  for (const std::unique_ptr<MixPricer> &pricer : pricers) {
    if (!pricer->mix().calls.empty()) continue; // port does not write it, and verdicts are of what port writes
    RegionCost cost = pricer->at(values, overrides, asDescribed);
    if (cost.total() < worthIt * cheapest.first.total()) cheapest = {std::move(cost), &pricer->mix()};
  }
  return cheapest;
}

RegionCost PlanPricer::at(const RealValues &values, const TripOverrides &overrides) {
  return cheapestAt(values, overrides).first;
}

RegionCost PlanPricer::at(const RealValues &values, const TripOverrides &overrides, const Mix *mix) {
  RegionCost asDescribed = described.at(values, overrides);
  if (!mix) return asDescribed;
  auto pricer = llvm::find_if(pricers, [&](const std::unique_ptr<MixPricer> &one) { return &one->mix() == mix; });
  return (*pricer)->at(values, overrides, asDescribed);
}

const Mix *PlanPricer::chosenAt(const RealValues &values, const TripOverrides &overrides) {
  return cheapestAt(values, overrides).second;
}

} // namespace busfare::projection
