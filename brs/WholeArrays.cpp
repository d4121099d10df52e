//===- brs/WholeArrays.cpp - Copies of whole arrays ------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/WholeArrays.h"
#include "brs/Owner.h"
#include "brs/Touch.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

namespace busfare::brs {
using namespace skeleton;

namespace {

enum class Side { Host, Device };

/// Where every element of every array of the group is current. One of the two always is.
struct Current {
  bool host = false, device = false;
  bool &on(Side side) { return side == Side::Host ? host : device; }
  bool isWithin(const Current &other) const { return host <= other.host && device <= other.device; }
};

constexpr Current both{true, true};

/// A copy inside a loop is as bad as so many in front of it.
constexpr double manyIterations = 16;

class Walk {
public:
  Walk(const ResidencyQuestion &question, const std::vector<std::string> &names, bool writeThrough)
      : q(question), names(names), touches(q.touches, q.arrays, q.kernels, names), writeThrough(writeThrough) {}

  /// Nothing: no side is current whichever way was taken.
  std::optional<ResidencyPlan> plan();

private:
  const ResidencyQuestion &q;
  const std::vector<std::string> &names;
  Touches touches;
  const bool writeThrough;
  std::string owner; ///< Index of the loop that makes the array anew.
  bool failed = false;
  unsigned silent = 0; ///< > 0: only what it costs is looked at.
  double weight = 1, cost = 0;
  /// Of a loop and where the arrays are current in front of it.
  struct Choice {
    std::optional<Current> head; ///< Nothing: none holds in every iteration.
    double cost = 0;             ///< Of all its copies, for a weight of 1.
  };
  std::map<std::tuple<const Loop *, bool, bool>, Choice> choices;
  ResidencyPlan result;
  unsigned order = 0;

  struct Place {
    const Nest &nest;
    const Node &node;
    bool after = false;
  };
  void bring(Side side, const Place &place, const Reason &because, Current &current);
  Reason firstTouch(const Node &node, Side side) const;
  bool overwritesAll(const Node &node, const Nest &nest) const;
  void walkBlock(const Block &block, size_t first, size_t end, const Nest &nest, Current &current);
  void walkNode(const Node &node, const Nest &nest, Current &current);
  void walkSides(const Branch &branch, const Nest &nest, Current &current);
  bool isSeldom(const Block &block, const Node &node, const Current &current) const;
  void walkLoop(const Node &node, const Loop &loop, const Nest &nest, Current &current);
  Choice chooseHead(const Loop &loop, const Nest &nest, const Current &before);
  Current endOfBody(const Loop &loop, const Nest &nest, Current current);
};

/// What the side does first with one of the arrays below the node. What it only writes it must hold as well: nothing
/// says that all of it is written.
Reason Walk::firstTouch(const Node &node, Side side) const {
  std::optional<Reason> first;
  auto look = [&](const auto &self, llvm::ArrayRef<Node> nodes, bool inKernel,
                  const HostStatement *in = nullptr) -> void {
    for (const Node &inner : nodes) {
      if (first) return;
      if (auto *access = std::get_if<Access>(&inner.kind)) {
        if (inKernel == (side == Side::Device) && touches.isOne(access->array))
          first = Reason{access->kind == AccessKind::Write ? Cause::Kept : Cause::Read, locationOf(*access, in), ""};
      } else if (auto *loop = std::get_if<Loop>(&inner.kind)) {
        self(self, loop->body, inKernel || q.kernels.count(loop));
      } else if (auto *branch = std::get_if<Branch>(&inner.kind)) {
        self(self, branch->then, inKernel);
        self(self, branch->otherwise, inKernel);
      } else if (auto *host = std::get_if<HostStatement>(&inner.kind)) {
        self(self, host->body, inKernel, host);
      }
    }
  };
  look(look, llvm::ArrayRef<Node>(node), false);
  return first.value_or(Reason{Cause::Kept, locationOf(node), ""});
}

void Walk::bring(Side side, const Place &place, const Reason &because, Current &current) {
  if (std::exchange(current.on(side), true)) return;
  cost += weight;
  if (silent) return;
  for (const std::string &name : names) {
    const Array &array = *q.arrays.find(name);
    SectionSet all = ElementSet::whole(array.extents.size()).toSections(array.extents, place.nest.contextInside());
    all.exact = false;
    ArrayCrossings &crossings = result.arrays[name];
    (side == Side::Device ? crossings.h2d : crossings.d2h)
        .push_back({all, place.nest.loops(), locationOf(place.node), place.after, &place.node, because, ++order, false,
                    guardsOf(q.region, place.nest)});
  }
}

Current Walk::endOfBody(const Loop &loop, const Nest &nest, Current current) {
  weight *= manyIterations;
  walkBlock(loop.body, 0, loop.body.size(), nest.inside(loop), current);
  weight /= manyIterations;
  return current;
}

void Walk::walkLoop(const Node &node, const Loop &loop, const Nest &nest, Current &current) {
  if (loop.index == owner) { // Its contents mean nothing before an iteration, and nobody reads them behind it.
    endOfBody(loop, nest, both);
    current = both;
    return;
  }
  Choice choice = chooseHead(loop, nest, current);
  failed |= !choice.head;
  if (failed) return;
  if (silent) {
    cost += weight * choice.cost;
    current = *choice.head;
    return;
  }
  for (Side side : {Side::Host, Side::Device})
    if (choice.head->on(side)) bring(side, {nest, node}, firstTouch(node, side), current);
  current = *choice.head;
  endOfBody(loop, nest, current);
}

/// What holds at the head of every iteration, and so behind the loop, however often it runs and wherever it is left.
Walk::Choice Walk::chooseHead(const Loop &loop, const Nest &nest, const Current &before) {
  auto [entry, isNew] = choices.try_emplace({&loop, before.host, before.device});
  if (!isNew) return entry->second;
  Choice best;
  double costBefore = cost, weightBefore = std::exchange(weight, 1);
  bool failedBefore = failed;
  ++silent;
  for (Current head : {both, Current{false, true}, Current{true, false}}) {
    cost = (head.host && !before.host) + (head.device && !before.device);
    failed = false;
    bool holds = head.isWithin(endOfBody(loop, nest, head)) && !failed;
    if (holds && (!best.head || cost < best.cost)) best = {head, cost};
  }
  --silent;
  cost = costBefore;
  weight = weightBefore;
  failed = failedBefore;
  return choices[{&loop, before.host, before.device}] = best;
}

/// Is every element surely given a new value, and none read before that?
bool Walk::overwritesAll(const Node &node, const Nest &nest) const {
  if (names.size() != 1 || !touches.of(node).overwrites) return false;
  const std::vector<std::optional<Expr>> &extents = q.arrays.find(names.front())->extents;
  const Effects effects = effectsOf(q.program, q.function, node, nest, q.memo);
  auto found = effects.arrays.find(names.front());
  if (found == effects.arrays.end() || !found->second.exposedRead.isProvablyEmpty()) return false;
  std::optional<ElementSet> all = allElements(extents);
  return all && isSurelySubset(restrictTo(*all, nest.contextInside()), found->second.mustWrite);
}

void Walk::walkNode(const Node &node, const Nest &nest, Current &current) {
  if (std::holds_alternative<Rotate>(node.kind)) return; // All of them are where they were.
  auto isAnew = [&](const std::string &array) { return names.size() == 1 && touches.isOne(array); };
  if (auto *allocate = std::get_if<Allocate>(&node.kind); allocate && isAnew(allocate->array)) {
    current = both;
    return;
  }
  if (auto *freed = std::get_if<Free>(&node.kind); freed && isAnew(freed->array)) {
    current = both;
    return;
  }
  Touch touch = touches.of(node);
  if (!touch.host && !touch.device) return;
  auto *branch = std::get_if<Branch>(&node.kind);
  // Neither in front of what follows a jump nor behind a branch with a jump in it a copy is sure to be made.
  if (touch.host != touch.device && !(branch && (branch->isRest || writeThrough))) {
    Side side = touch.host ? Side::Host : Side::Device;
    if (!overwritesAll(node, nest)) bring(side, {nest, node}, firstTouch(node, side), current);
    current.on(side) = true;
    if (!touch.hostWrites && !touch.deviceWrites) return;
    current.on(side == Side::Host ? Side::Device : Side::Host) = false;
    if (writeThrough) bring(Side::Host, {nest, node, true}, {Cause::Kept, locationOf(node), ""}, current);
    return;
  }
  if (auto *loop = std::get_if<Loop>(&node.kind)) return walkLoop(node, *loop, nest, current);
  if (branch) walkSides(*branch, nest, current);
}

void Walk::walkSides(const Branch &branch, const Nest &nest, Current &current) {
  Current other = current;
  walkBlock(branch.then, 0, branch.then.size(), nest.inside(branch, true), current);
  walkBlock(branch.otherwise, 0, branch.otherwise.size(), nest.inside(branch, false), other);
  current = {current.host && other.host, current.device && other.device};
  failed |= !current.host && !current.device;
}

/// A branch in which the host reads what the device alone holds, and seldom perhaps (`if (debug) print(u)`); what
/// stands beside it in the block does not need the same copy.
bool Walk::isSeldom(const Block &block, const Node &node, const Current &current) const {
  auto *branch = std::get_if<Branch>(&node.kind);
  return branch && !branch->isRest && !current.host && !touches.of(node).hostWrites &&
         touches.isAloneOnHost(block, node);
}

void Walk::walkBlock(const Block &block, size_t first, size_t end, const Nest &nest, Current &current) {
  for (size_t i = first; i < end && !failed; ++i) {
    if (!isSeldom(block, block[i], current)) {
      walkNode(block[i], nest, current);
      continue;
    }
    const Branch &branch = std::get<Branch>(block[i].kind);
    const double before =
        std::exchange(weight, weight * std::max(branch.condition.probability, 1 - branch.condition.probability));
    walkSides(branch, nest, current);
    weight = before;
  }
}

std::optional<ResidencyPlan> Walk::plan() {
  auto isMadeInLoop = [&](const std::string &name) { return q.arrays.find(name)->perIteration; };
  if (llvm::any_of(names, isMadeInLoop)) {
    const std::map<std::string, std::string> &owners = ownersOf(q.program, q.function, *q.memo);
    auto found = owners.find(names.front());
    if (names.size() > 1 || found == owners.end()) {
      result.unplaceable.insert(names.begin(), names.end());
      return std::move(result);
    }
    owner = found->second;
  }
  const RegionSpan &region = q.region;
  Current current{true, llvm::all_of(names, [&](const std::string &name) {
                    auto undefined = q.undefinedBefore.find(name);
                    return undefined != q.undefinedBefore.end() &&
                           isSurelySubset(ElementSet::whole(q.arrays.find(name)->extents.size()), undefined->second);
                  })};
  walkBlock(*region.block, region.first, region.last + 1, region.nest, current);
  auto live = llvm::find_if(names, [&](const std::string &name) { return q.liveAfter.count(name) != 0; });
  const Node &lastNode = (*region.block)[region.last];
  if (!failed && live != names.end()) {
    auto because = q.liveBecause.find(*live);
    bring(Side::Host, {region.nest, lastNode, true},
          because == q.liveBecause.end() ? Reason{Cause::Read, locationOf(lastNode), ""} : because->second, current);
  }
  if (failed) return std::nullopt;
  result.copiedWhole.insert(names.begin(), names.end());
  return std::move(result);
}

} // namespace

ResidencyPlan planWholeArrays(const ResidencyQuestion &question, const std::vector<std::string> &names) {
  ResidencyPlan none;
  none.unplaceable.insert(names.begin(), names.end());
  // Of an array whose size is not known nobody can say what all of it is, or what it would cost.
  for (const std::string &name : names)
    if (!llvm::all_of(question.arrays.find(name)->extents, [](const auto &extent) { return extent.has_value(); }))
      return none;
  for (bool writeThrough : {false, true})
    if (std::optional<ResidencyPlan> plan = Walk(question, names, writeThrough).plan()) return *plan;
  return none;
}

} // namespace busfare::brs
