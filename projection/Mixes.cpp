//===- projection/Mixes.cpp - Other divisions of a region's work ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Mixes.h"
#include "brs/Kernels.h"
#include "brs/Presburger.h"
#include "brs/Replan.h"
#include "brs/Residency.h"
#include "projection/RootParts.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

namespace busfare::projection {
using namespace skeleton;

namespace {

/// Of the effort for a root, for the analysis of one mix, and of all.
constexpr double shareOfOne = 0.25, shareOfAll = 0.5;
/// Mixes about one array that are looked at; then those that are better are joined.
constexpr size_t mostArrays = 4;

using Names = std::set<std::string>;

bool touches(const Node &node, const Names &names) {
  bool any = false;
  forEachNode(llvm::ArrayRef(node), [&](const Node &inner) {
    auto *access = std::get_if<Access>(&inner.kind);
    any |= access && names.count(access->array);
  });
  return any;
}

/// What changes sides; nothing in it: nothing is to be gained.
struct Change {
  Mix::Kind kind = Mix::Kind::KernelsOnHost;
  std::set<const Loop *> kept;            ///< Kernels.
  std::map<const Node *, size_t> moved;   ///< Runs of statements, by the first, with their length.
  Names arrays;

  bool empty() const { return kept.empty() && moved.empty(); }
  bool isSame(const Change &other) const { return kind == other.kind && kept == other.kept && moved == other.moved; }
};

/// Can one thread of the device do it, and does the host not need to know how it went?
bool canMove(const Program &program, const Root &root, const Node &node, const std::set<const Loop *> &kernels) {
  if (auto *access = std::get_if<Access>(&node.kind)) {
    const Array *array = root.arrays.find(access->array);
    return array && array->storage != Storage::Alias && array->type.kind != ElementType::Kind::Pointer &&
           !(array->type.kind == ElementType::Kind::Float && array->type.bytes > 8);
  }
  if (std::holds_alternative<Operations>(node.kind))
    return true;
  auto all = [&](const Block &block) { return llvm::all_of(block, [&](const Node &n) { return canMove(program, root, n, kernels); }); };
  if (auto *branch = std::get_if<Branch>(&node.kind))
    return !branch->isRest && all(branch->then) && all(branch->otherwise);
  auto *loop = std::get_if<Loop>(&node.kind);
  return loop && !kernels.count(loop) && !loop->mayExitEarly && all(loop->body);
}

/// Finds the runs of statements inside loops that touch the arrays.
class RunSearch {
public:
  RunSearch(const Program &program, const Root &root, const std::set<const Loop *> &kernels, const Names &names)
      : program(program), root(root), kernels(kernels), names(names) {}

  void searchIn(const Loop &loop) { search(loop.body, loop.form != LoopForm::For || loop.mayExitEarly); }
  std::map<const Node *, size_t> found;
  bool leavesSome = false; ///< Some statement that touches the arrays has to stay.

private:
  const Program &program;
  const Root &root;
  const std::set<const Loop *> &kernels;
  const Names &names;

  /// decides: what the block reads may say whether the loop around it goes on.
  void search(const Block &block, bool decides) {
    for (size_t i = 0; i < block.size();) {
      const Node &node = block[i];
      if (canMove(program, root, node, kernels)) {
        size_t end = i;
        while (end < block.size() && block[end].path == node.path && canMove(program, root, block[end], kernels))
          ++end;
        addRun(block, i, end, decides);
        i = end;
        continue;
      }
      if (auto *loop = std::get_if<Loop>(&node.kind)) {
        if (!kernels.count(loop))
          searchIn(*loop);
      } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
        search(branch->then, decides);
        search(branch->otherwise, decides);
      } else {
        leavesSome |= touches(node, names);
      }
      ++i;
    }
  }

  void addRun(const Block &block, size_t first, size_t end, bool decides) {
    // Of loops and branches at its ends, those that have nothing to do with the arrays stay where they are.
    auto isOther = [&](const Node &node) {
      return (std::holds_alternative<Loop>(node.kind) || std::holds_alternative<Branch>(node.kind)) && !touches(node, names);
    };
    while (first < end && isOther(block[first]))
      ++first;
    size_t last = end;
    while (last > first && isOther(block[last - 1]))
      --last;
    if (llvm::none_of(llvm::ArrayRef(block).slice(first, last - first), [&](const Node &n) { return touches(n, names); }))
      return;
    // A condition or a size that is read just before it is used.
    bool isAsked = last == end && end < block.size() &&
                   (std::holds_alternative<Define>(block[end].kind) || std::holds_alternative<Branch>(block[end].kind));
    if (decides || isAsked)
      leavesSome = true;
    else
      found[&block[first]] = last - first;
  }
};

/// Copies a block, each run of moved statements in a loop of its own that runs once.
class Rewriter {
public:
  explicit Rewriter(const Root &root, const Change &change) : root(root), change(change) {}

  Block copyOf(const Block &block) {
    Block copy;
    copy.reserve(block.size());
    for (size_t i = 0; i < block.size();) {
      auto run = change.moved.find(&block[i]);
      if (run == change.moved.end()) {
        copy.push_back(copyOf(block[i++]));
        continue;
      }
      Loop once;
      once.index = oneThread.str() + std::to_string(++made);
      once.lower = once.upper = 0;
      once.context = callsOf(block[i].path);
      once.body.assign(block.begin() + i, block.begin() + i + run->second);
      for (const Node &node : once.body)
        if (Location place = locationOf(node); place.isKnown() && !once.location.isKnown())
          once.location = place;
      Node node(std::move(once));
      node.path = block[i].path;
      copy.push_back(std::move(node));
      i += run->second;
    }
    return copy;
  }
  static bool isOneThread(const Loop &loop) { return llvm::StringRef(loop.index).starts_with(oneThread); }

private:
  static constexpr llvm::StringLiteral oneThread = "one thread "; ///< No name of a source has a blank.
  const Root &root;
  const Change &change;
  unsigned made = 0;

  Node copyOf(const Node &node) {
    if (auto *loop = std::get_if<Loop>(&node.kind)) {
      Loop copy{LoopHead(*loop), copyOf(loop->body)};
      Node result(std::move(copy));
      result.path = node.path;
      return result;
    }
    auto *branch = std::get_if<Branch>(&node.kind);
    if (!branch)
      return node;
    Branch copy{branch->condition, copyOf(branch->then), copyOf(branch->otherwise), branch->isRest, branch->location};
    Node result(std::move(copy));
    result.path = node.path;
    return result;
  }

  std::vector<std::string> callsOf(unsigned path) const {
    std::vector<std::string> calls;
    for (; path; path = root.paths[path].caller)
      calls.insert(calls.begin(), root.paths[path].function + " (" + toString(root.paths[path].call) + ")");
    return calls;
  }
};

/// The block of the copy that stands where `block` does in the original; blocks above moved statements are alike.
const Block *sameBlock(const Block &original, const Block &copy, const Block *block) {
  if (&original == block)
    return &copy;
  for (size_t i = 0; i < original.size() && i < copy.size(); ++i) {
    auto *branch = std::get_if<Branch>(&original[i].kind), *other = std::get_if<Branch>(&copy[i].kind);
    if (!branch || !other)
      continue;
    if (const Block *found = sameBlock(branch->then, other->then, block))
      return found;
    if (const Block *found = sameBlock(branch->otherwise, other->otherwise, block))
      return found;
  }
  return nullptr;
}

std::vector<const Loop *> loopsIn(llvm::ArrayRef<Node> block) {
  std::vector<const Loop *> loops;
  forEachNode(block, [&](const Node &node) {
    if (auto *loop = std::get_if<Loop>(&node.kind))
      loops.push_back(loop);
  });
  return loops;
}

/// The arrays that some of what changes sides touches, and those that change places with them.
Names touchedBy(const Change &change, const brs::RegionSpan &span) {
  Names names;
  auto add = [&](llvm::ArrayRef<Node> block) {
    forEachNode(block, [&](const Node &node) {
      if (auto *access = std::get_if<Access>(&node.kind))
        for (const std::string &name : brs::rotationOf(span, access->array))
          names.insert(name);
    });
  };
  for (const Loop *kernel : change.kept)
    add(kernel->body);
  for (const auto &[node, length] : change.moved)
    add(llvm::ArrayRef(node, length));
  return names;
}

brs::RegionSpan spanOf(const brs::Region &region) {
  brs::RegionSpan span;
  span.block = region.block;
  span.first = region.first;
  span.last = region.last;
  return span;
}

/// Analyses the program as a change makes it.
class Changed {
public:
  Changed(const Program &program, const Root &described, const brs::Region &region, const Change &change)
      : program(program), described(described), region(region), change(change) {}

  /// Nothing if no kernel is left, or some have no plan.
  std::optional<Mix> analyse();

private:
  const Program &program;
  const Root &described;
  const brs::Region &region;
  const Change &change;
  Mix mix;
  brs::PlanLimits limits;

  const Loop *here(const Loop *loop) const { return mix.loops.empty() ? loop : mix.loops.at(loop); }
  void copyWithMoves(Root &root);
  void keepKernels();
  void fillPrices(Root &root, const Names &changed) const;
};

/// The root's function with the moved statements in loops of their own, and its verdicts.
void Changed::copyWithMoves(Root &root) {
  root.function = described.function;
  root.function.body = Rewriter(described, change).copyOf(described.function.body);
  root.arrays = ArrayTable(program, root.function);
  std::vector<const Loop *> before = loopsIn(described.function.body);
  size_t next = 0;
  std::vector<brs::LoopVerdict> added;
  for (const Loop *loop : loopsIn(root.function.body)) {
    if (!Rewriter::isOneThread(*loop)) {
      mix.loops[before[next++]] = loop;
      continue;
    }
    brs::LoopVerdict &verdict = added.emplace_back();
    verdict.loop = loop;
    verdict.parallel = true;
    verdict.reason = "runs once";
    limits.onDevice.insert(loop);
    mix.places.push_back(loop->location);
  }
  for (brs::LoopVerdict &verdict : root.dependence.loops)
    verdict.loop = mix.loops.at(verdict.loop);
  llvm::move(added, std::back_inserter(root.dependence.loops));
}

void Changed::keepKernels() {
  for (const Loop *kernel : change.kept) {
    mix.kept[kernel] = here(kernel);
    mix.places.push_back(kernel->location);
    limits.onHost.insert(here(kernel));
    for (const Loop *inner : loopsIn(here(kernel)->body))
      limits.onHost.insert(inner);
  }
}

/// What prices ask, from the root described where nothing changed.
void Changed::fillPrices(Root &root, const Names &changed) const {
  for (const auto &[loop, facts] : described.kernels)
    root.kernels.emplace(here(loop), facts);
  const brs::Region &planned = root.transfers.regions.front();
  const Root &source = mix.loops.empty() ? described : root;
  for (const brs::Kernel &kernel : planned.kernels)
    if (!root.kernels.count(kernel.loop))
      root.kernels.emplace(kernel.loop, factsOf(program, source, kernel));
  for (const brs::ArrayTransfers &array : planned.arrays) {
    auto known = llvm::find_if(region.arrays, [&](const brs::ArrayTransfers &one) { return one.name == array.name && !changed.count(one.name); });
    bool isKnown = known != region.arrays.end() && known->h2d.size() == array.h2d.size() && known->d2h.size() == array.d2h.size();
    root.onDevice[&array] = isKnown ? described.onDevice.at(&*known) : brs::countAtMost(array.onDevice, root.context);
    for (bool in : {true, false}) {
      const std::vector<brs::Crossing> &crossings = in ? array.h2d : array.d2h;
      for (size_t i = 0; i < crossings.size(); ++i)
        root.crossings[&crossings[i]] = isKnown ? described.crossings.at(in ? &known->h2d[i] : &known->d2h[i])
                                                : formOf(array, crossings[i], in ? Direction::ToDevice : Direction::ToHost, root.context);
    }
  }
  root.chunks[&planned].kernel.whyNot = "what is launched again and again is not streamed";
}

std::optional<Mix> Changed::analyse() {
  brs::EffortBudget budget(shareOfOne * effortFor(described.function, Depth::Transfers));
  mix.kind = change.kind;
  mix.arrays.assign(change.arrays.begin(), change.arrays.end());
  mix.root = std::make_unique<Root>();
  Root &root = *mix.root;
  root.name = described.name;
  root.arrays = described.arrays;
  root.context = described.context;
  root.dependence.loops = described.dependence.loops;
  if (!change.moved.empty())
    copyWithMoves(root);
  keepKernels();
  llvm::sort(mix.places);
  mix.places.erase(std::unique(mix.places.begin(), mix.places.end()), mix.places.end());
  const bool isCopy = !change.moved.empty();
  const Function &function = isCopy ? root.function : described.function;
  const brs::KnownPlan known{region, touchedBy(change, spanOf(region)), mix.loops};
  root.transfers = brs::replanTransfers(program, function, root.dependence, root.context, root.name == "main", limits,
                                        isCopy ? &root.effects : &described.effects, known);
  // Where the effort ran out, whole arrays are copied: dearer than need be, but a plan. A kernel for which there is none any
  // more would make it another mix.
  bool losesKernel = llvm::any_of(root.transfers.findings, [](const Finding &finding) { return finding.level == Level::Warning; });
  if (losesKernel || root.transfers.regions.size() != 1)
    return std::nullopt;
  brs::Region &planned = root.transfers.regions.front();
  planned.block = isCopy ? sameBlock(described.function.body, root.function.body, region.block) : region.block;
  planned.first = region.first;
  planned.last = region.last;
  if (!planned.block)
    return std::nullopt;
  fillPrices(root, known.changed);
  return std::move(mix);
}

/// An array's copies inside loops.
struct InLoops {
  const brs::ArrayTransfers *array = nullptr;
  double bytes = 0;
  std::set<const Loop *> loops;   ///< The outermost around each.
  std::set<Location> neededAt;    ///< By kernels.
};

std::vector<InLoops> inLoops(const Root &root, const brs::Region &region, const RealValues &values, const Machine &machine) {
  std::vector<InLoops> found;
  for (const brs::ArrayTransfers &array : region.arrays) {
    InLoops one;
    one.array = &array;
    for (bool in : {true, false})
      for (const brs::Crossing &crossing : in ? array.h2d : array.d2h) {
        if (crossing.loops.empty())
          continue;
        CrossingCost cost = costOf(array, crossing, in ? Direction::ToDevice : Direction::ToHost, root.crossings.at(&crossing), values, {}, machine);
        one.bytes += cost.movedBytes * cost.count;
        one.loops.insert(crossing.loops.front());
        if (in)
          one.neededAt.insert(crossing.because);
      }
    if (!one.loops.empty())
      found.push_back(std::move(one));
  }
  llvm::stable_sort(found, [](const InLoops &a, const InLoops &b) { return a.bytes > b.bytes; });
  return found;
}

std::vector<Change> changesFor(const Program &program, const Root &root, const brs::Region &region, const InLoops &crossing) {
  std::set<const Loop *> kernels;
  for (const brs::Kernel &kernel : region.kernels)
    kernels.insert(kernel.loop);
  Names names;
  for (const std::string &name : brs::rotationOf(spanOf(region), crossing.array->name))
    names.insert(name);
  Change touching{Mix::Kind::KernelsOnHost, {}, {}, {crossing.array->name}}, needing = touching;
  Change moved{Mix::Kind::StatementsOnDevice, {}, {}, {crossing.array->name}};
  for (const brs::Kernel &kernel : region.kernels) {
    bool isInside = llvm::any_of(kernel.serialLoops, [&](const Loop *loop) { return crossing.loops.count(loop); }), needs = false, any = false;
    forEachNode(kernel.loop->body, [&](const Node &node) {
      auto *access = std::get_if<Access>(&node.kind);
      any |= access && names.count(access->array);
      needs |= access && names.count(access->array) && crossing.neededAt.count(access->location);
    });
    if (isInside && any)
      touching.kept.insert(kernel.loop);
    if (isInside && needs)
      needing.kept.insert(kernel.loop);
  }
  RunSearch search(program, root, kernels, names);
  for (const Loop *loop : crossing.loops)
    search.searchIn(*loop);
  moved.moved = std::move(search.found);
  std::vector<Change> changes{std::move(moved), std::move(needing), std::move(touching)};
  llvm::erase_if(changes, [&](const Change &change) { return change.empty() || change.kept.size() == kernels.size(); });
  return changes;
}

/// All of them together; runs that overlap become one.
Change join(llvm::ArrayRef<Change> changes) {
  Change all{changes.front().kind, {}, {}, {}};
  std::map<const Node *, size_t> runs;
  for (const Change &one : changes) {
    all.kept.insert(one.kept.begin(), one.kept.end());
    all.arrays.insert(one.arrays.begin(), one.arrays.end());
    for (const auto &[node, length] : one.moved)
      runs[node] = std::max(runs[node], length);
  }
  const Node *first = nullptr;
  for (const auto &[node, length] : runs) {
    bool overlaps = first && std::less<>()(node, first + all.moved[first]);
    if (!overlaps)
      first = node;
    all.moved[first] = std::max(all.moved[first], size_t(node - first) + length);
  }
  return all;
}

} // namespace

llvm::StringRef toString(Mix::Kind kind) { return kind == Mix::Kind::KernelsOnHost ? "kernels-on-host" : "statements-on-device"; }

std::vector<Mix> mixesOf(const Program &program, const Root &root, const brs::Region &region, const RealValues &values,
                         const Machine &machine) {
  std::vector<InLoops> crossings = inLoops(root, region, values, machine);
  std::vector<Mix> mixes;
  if (crossings.empty())
    return mixes;
  brs::EffortBudget budget(shareOfAll * effortFor(root.function, Depth::Transfers));
  std::vector<Change> changes;
  auto add = [&](Change change) {
    if (!change.empty() && llvm::none_of(changes, [&](const Change &known) { return known.isSame(change); }))
      changes.push_back(std::move(change));
  };
  std::vector<Change> moves;
  for (size_t i = 0; i < crossings.size(); ++i)
    for (Change &change : changesFor(program, root, region, crossings[i])) {
      if (change.kind == Mix::Kind::StatementsOnDevice)
        moves.push_back(change);
      if (i < mostArrays)
        add(std::move(change));
    }
  if (moves.size() > 1)
    add(join(moves));
  for (const Change &change : changes)
    if (std::optional<Mix> mix = Changed(program, root, region, change).analyse())
      mixes.push_back(std::move(*mix));
  return mixes;
}

MixPricer::MixPricer(const Mix &mix, const Machine &machine, const PriceOptions &given)
    : what(mix), machine(machine), options(given), pricer(*mix.root, mix.region(), machine, options) {
  options.cpuTime.reset();
  options.wantsTerms = false;
  for (const auto &[described, here] : mix.kept)
    pricer.leaveOut(*here);
}

TripOverrides MixPricer::translate(const TripOverrides &overrides) const {
  TripOverrides here;
  for (const auto &[loop, trips] : overrides)
    here[what.loops.empty() ? loop : what.loops.at(loop)] = trips;
  return here;
}

RegionCost MixPricer::at(const RealValues &values, const TripOverrides &overrides, const RegionCost &described) {
  RegionCost cost = pricer.at(values, translate(overrides));
  for (const KernelCost &kernel : described.perKernel)
    if (what.kept.count(kernel.kernel->loop))
      cost.host += kernel.cpu;
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
        CrossingCost cost = costOf(array, crossing, in ? Direction::ToDevice : Direction::ToHost, what.root->crossings.at(&crossing), values, here, machine);
        (in ? one.h2d : one.d2h) += cost.movedBytes * cost.count;
      }
    if (one.h2d > 0 || one.d2h > 0)
      bytes.push_back(std::move(one));
  }
  return bytes;
}

} // namespace busfare::projection
