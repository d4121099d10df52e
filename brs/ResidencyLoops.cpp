//===- brs/ResidencyLoops.cpp - Where control goes between copies ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/Presburger.h"
#include "brs/ResidencyWalk.h"
#include "skeleton/Rotation.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::brs::residency {

ElementSet Walk::inEveryIteration(const ElementSet &set, const std::string &name, const Loop &loop,
                                  const Nest &nest) const {
  // The elements missing in some iteration, taken from everything. Where there is no iteration, none is missing.
  ElementSet missing =
      restrictToRelated(subtract(everything(name), set), contextIn(nest.inside(loop)), {Expr::symbol(loop.index)});
  return subtractMust(everything(name), projectOut(missing, loop.index));
}

void Walk::meet(State &state, const State &other) const {
  for (auto &[name, validity] : state) {
    validity.onHost = intersectMust(validity.onHost, other.at(name).onHost);
    validity.onDevice = intersectMust(validity.onDevice, other.at(name).onDevice);
  }
}

Walk::Attempt::Attempt(Walk &walk)
    : walk(walk), grewBringIn(std::exchange(walk.grewBringIn, false)), deviceWrote(walk.deviceWrote),
      crossings(walk.crossings), lastOrder(walk.lastOrder), bringInAtEntry(walk.bringInAtEntry),
      unplaceable(walk.unplaceable), writtenInexactly(walk.writtenInexactly) {}

Walk::Attempt::~Attempt() {
  walk.grewBringIn = grewBringIn;
  if (isKept) return;
  walk.deviceWrote = deviceWrote;
  walk.crossings = std::move(crossings);
  walk.lastOrder = std::move(lastOrder);
  walk.bringInAtEntry = std::move(bringInAtEntry);
  walk.unplaceable = std::move(unplaceable);
  walk.writtenInexactly = std::move(writtenInexactly);
}

void Walk::rotate(const Rotate &rotation, State &state) const {
  State before = state;
  for (const auto &[first, second] : rotation.moves)
    if (touches.isOne(first) && touches.isOne(second)) state[first] = before[second];
}

State Walk::endOfBody(const Loop &loop, const Nest &nest, State state) {
  return afterEveryIteration(silentlyOverBody(loop, nest, std::move(state)), loop, nest);
}

/// The same sets, as far as their addresses tell.
static bool areSame(const ElementSet &a, const ElementSet &b) {
  const PresburgerSet *left = a.representation(), *right = b.representation();
  return a.exact == b.exact && a.tight == b.tight && !left == !right &&
         (!left || left->identity() == right->identity());
}

static bool areSame(const std::map<std::string, ElementSet> &a, const std::map<std::string, ElementSet> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto &x, const auto &y) { return x.first == y.first && areSame(x.second, y.second); });
}

static bool areSame(const State &a, const State &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto &x, const auto &y) {
    return x.first == y.first && areSame(x.second.onHost, y.second.onHost) &&
           areSame(x.second.onDevice, y.second.onDevice);
  });
}

State Walk::silentlyOverBody(const Loop &loop, const Nest &nest, State state) {
  std::vector<SilentWalk> &known = silentWalks[&loop];
  const bool isPlain = trials.empty(); // else the answer depends on the trials, too
  if (isPlain)
    for (const SilentWalk &walk : known)
      if (areSame(walk.from, state) && walk.inexactBefore == writtenInexactly &&
          (!walk.asked || areSame(walk.entryBefore, bringInAtEntry))) {
        writtenInexactly = walk.inexactAfter;
        grewBringIn |= walk.grew;
        asked |= walk.asked;
        if (walk.asked) bringInAtEntry = walk.entryAfter;
        return walk.end;
      }
  SilentWalk walk{
      state,          {}, writtenInexactly, {}, std::exchange(asked, false), std::exchange(grewBringIn, false),
      bringInAtEntry, {}};
  ++silent;
  walkBlock(loop.body, 0, loop.body.size(), nest.inside(loop), state);
  --silent;
  std::swap(walk.asked, asked);
  std::swap(walk.grew, grewBringIn);
  asked |= walk.asked;
  grewBringIn |= walk.grew;
  walk.end = state;
  walk.inexactAfter = writtenInexactly;
  walk.entryAfter = bringInAtEntry;
  if (isPlain && !gaveUp && !effortIsSpent()) silentWalks[&loop].push_back(std::move(walk));
  return state;
}

State Walk::afterEveryIteration(State end, const Loop &loop, const Nest &nest) const {
  for (auto &[name, validity] : end) {
    validity.onHost = inEveryIteration(validity.onHost, name, loop, nest);
    validity.onDevice = inEveryIteration(validity.onDevice, name, loop, nest);
  }
  return end;
}

bool Walk::holds(const State &state, const State &where) const {
  return llvm::all_of(names, [&](const std::string &name) {
    return isSurelySubset(state.at(name).onHost, where.at(name).onHost) &&
           isSurelySubset(state.at(name).onDevice, where.at(name).onDevice);
  });
}

/// No iteration makes anything stale, nor does another object take its name.
bool Walk::isOnlyRead(const Node &node) const {
  Touch t = touches.of(node);
  return !t.hostWrites && !t.deviceWrites && names.size() == 1;
}

/// Copies once what the loop's first iteration would need and no iteration makes stale, and moves every element to the
/// side where the body leaves it.
void Walk::bringInBefore(const Node &node, const Loop &loop, const Nest &nest, State &state) {
  State best;
  for (const std::string &name : names) best[name] = {everything(name), everything(name)};
  auto keptBringIn = bringInAtEntry;
  bool keptGrew = grewBringIn;
  auto keptUnplaceable = unplaceable;
  State end = isOnlyRead(node) ? best : endOfBody(loop, nest, best);
  bringInAtEntry = keptBringIn;
  grewBringIn = keptGrew;
  unplaceable = keptUnplaceable;

  const Effects &all = effects(node, nest);
  const Effects &device = effectsOfSide(node, nest, Side::Device, true),
                &host = effectsOfSide(node, nest, Side::Host, true);
  Place place{nest, node};
  for (const std::string &name : names) {
    auto exposed = [&](const Effects &e) {
      auto found = e.arrays.find(name);
      return found == e.arrays.end() ? nothing(name) : found->second.exposedRead;
    };
    auto because = [&](const Effects &e) {
      auto found = e.arrays.find(name);
      bool isRead = found != e.arrays.end() && !found->second.exposedAt.empty();
      return Reason{isRead ? Cause::Read : Cause::Kept, isRead ? found->second.exposedAt.front() : loop.location, ""};
    };
    const Validity &v = end[name];
    ElementSet toDevice =
        unite(intersect(exposed(device), v.onDevice), subtract(intersect(exposed(all), v.onDevice), v.onHost));
    makeCurrent(Side::Device, name, toDevice, because(device), place, state);
    ElementSet toHost =
        unite(intersect(exposed(host), v.onHost), subtract(intersect(exposed(all), v.onHost), v.onDevice));
    makeCurrent(Side::Host, name, toHost, because(host), place, state);
  }
}

/// A loop in which names change places was left in the middle of an iteration, before they did or after: what is
/// current at the head of one under all names still is, except where the other side may have written it.
void Walk::leaveSomewhere(const Node &node, const Nest &nest, State &state) {
  Validity all = state[names.front()];
  for (const std::string &name : names) {
    all.onHost = intersectMust(all.onHost, state[name].onHost);
    all.onDevice = intersectMust(all.onDevice, state[name].onDevice);
  }
  for (const std::string &name : names) state[name] = all;
  for (Side side : {Side::Host, Side::Device}) {
    const Effects &written = effectsOfSide(node, nest, side == Side::Host ? Side::Device : Side::Host, false);
    for (const std::string &by : names)
      if (auto found = written.arrays.find(by); found != written.arrays.end())
        for (const std::string &name : names)
          state[name].on(side) = subtractMust(state[name].on(side), found->second.mayWrite);
  }
}

void Walk::walkMixedLoop(const Node &node, const Loop &loop, const Nest &nest, State &state) {
  // Each level of such loops walks those inside it several times over; plan() gives up what comes of it.
  if (effortIsSpent()) {
    gaveUp = true;
    return;
  }
  bringInBefore(node, loop, nest, state);
  // The must sets that hold at the head of every iteration.
  for (unsigned round = 0; !isOnlyRead(node); ++round) {
    State head = state;
    meet(head, endOfBody(loop, nest, state));
    if (holds(state, head)) break;
    if (round == 4) {
      for (const std::string &name : names) head[name] = {nothing(name), nothing(name)};
      state = head;
      break;
    }
    state = head;
  }
  State body = state;
  if (silent) silentlyOverBody(loop, nest, std::move(body));
  else walkBlock(loop.body, 0, loop.body.size(), nest.inside(loop), body);
  // What was sought in silence holds only of the copies made there. Another choice between copies inside a branch and
  // before it, which that walk made and this one did not, leaves the array current elsewhere.
  if (!silent && !isOnlyRead(node) && !holds(state, afterEveryIteration(std::move(body), loop, nest))) {
    gaveUp = true;
    return;
  }
  if (!effects(node, nest).exitNames.empty()) {
    if (loop.mayExitEarly) leaveSomewhere(node, nest, state);
    return;
  }
  // What one side surely wrote in some iteration and the other side never touched stays current there.
  const Effects &device = effectsOfSide(node, nest, Side::Device, false),
                &host = effectsOfSide(node, nest, Side::Host, false);
  for (const std::string &name : names) {
    auto own = device.arrays.find(name), others = host.arrays.find(name);
    Validity &v = state[name];
    ElementSet noWrite = nothing(name);
    const ElementSet &hostMay = others == host.arrays.end() ? noWrite : others->second.mayWrite;
    const ElementSet &deviceMay = own == device.arrays.end() ? noWrite : own->second.mayWrite;
    if (own != device.arrays.end()) v.onDevice = uniteMust(v.onDevice, subtractMust(own->second.mustWrite, hostMay));
    if (others != host.arrays.end()) v.onHost = uniteMust(v.onHost, subtractMust(others->second.mustWrite, deviceMay));
  }
}

/// Of the body, walked on trial from that state in iterations of which `fact` (>= 0) holds; nothing if it lacks a copy.
std::optional<State> Walk::afterIteration(const Loop &loop, const Nest &nest, const Expr &fact, const State &from) {
  trials.push_back({&loop, fact, false});
  State end = endOfBody(loop, nest, from);
  const bool lacksCopy = trials.back().lacksCopy;
  trials.pop_back();
  return lacksCopy ? std::nullopt : std::optional(std::move(end));
}

/// A loop of kernels in which names change places an unknown number of times: what an iteration surely leaves under one
/// name, the last one has left under it, whichever object that is. Before it, the device has got what the loop needs.
void Walk::leaveTurns(const Loop &loop, const Nest &nest, State before, State &state) {
  if (loop.mayExitEarly || isNonNegative(spanOf(loop), nest.contextInside()) != Answer::Yes) return;
  Attempt attempt(*this);
  const Expr distance = (Expr::symbol(loop.index) - loop.lower) * (loop.step > 0 ? 1 : -1);
  std::optional<State> first = afterIteration(loop, nest, -distance, before);
  if (!first) return;
  State head = *first;
  for (unsigned round = 0; round < 4; ++round) {
    std::optional<State> next = afterIteration(loop, nest, distance - 1, head);
    if (!next) return;
    meet(*next, head);
    if (!holds(head, *next)) {
      head = std::move(*next);
      continue;
    }
    if (attempt.isInDoubt() || gaveUp) return;
    for (const std::string &name : names) {
      state[name].onHost = uniteMust(state[name].onHost, head[name].onHost);
      state[name].onDevice = uniteMust(state[name].onDevice, head[name].onDevice);
    }
    return;
  }
}

/// What is known where the nest stands, and of the iterations that are walked on trial.
Context Walk::contextIn(const Nest &nest) const {
  Context context = nest.contextInside();
  for (const Trial &trial : trials)
    if (llvm::is_contained(nest.loops(), trial.loop)) context.assume(trial.fact);
  return context;
}

void Walk::walkNode(const Node &node, const Nest &nest, State &state) {
  if (auto *rotation = std::get_if<Rotate>(&node.kind)) return rotate(*rotation, state);
  if (auto *allocate = std::get_if<Allocate>(&node.kind)) {
    // Fresh memory: its contents mean nothing, so they are as good on one side as on the other.
    if (touches.isOne(allocate->array))
      state[allocate->array] = {everything(allocate->array), everything(allocate->array)};
    return;
  }
  if (auto *freed = std::get_if<Free>(&node.kind)) {
    if (touches.isOne(freed->array)) state[freed->array] = {everything(freed->array), everything(freed->array)};
    return;
  }
  Touch t = touches.of(node);
  if (!t.host && !t.device) {
    // A loop or a branch that only rotates.
    if (std::holds_alternative<Loop>(node.kind) || std::holds_alternative<Branch>(node.kind))
      step(node, Side::Host, nest, state);
    return;
  }
  auto *branch = std::get_if<Branch>(&node.kind);
  // A copy in front of what follows a jump would be jumped past.
  if (t.host != t.device && !(branch && branch->isRest))
    return step(node, t.host ? Side::Host : Side::Device, nest, state);
  if (auto *loop = std::get_if<Loop>(&node.kind)) return walkMixedLoop(node, *loop, nest, state);
  if (branch) {
    State other = state;
    walkBlock(branch->then, 0, branch->then.size(), nest.inside(*branch, true), state);
    walkBlock(branch->otherwise, 0, branch->otherwise.size(), nest.inside(*branch, false), other);
    meet(state, other);
  }
}

void Walk::walkBlock(const Block &block, size_t first, size_t end, const Nest &nest, State &state) {
  for (size_t i = first; i < end && !(gaveUp = gaveUp || effortIsSpent(stepsPerNode)); ++i) {
    auto *branch = std::get_if<Branch>(&block[i].kind);
    bool isSeldom = branch && !branch->isRest && touches.isAloneOnHost(block, block[i]);
    if (manner.sparesDevice && touches.hasHostOnOneSide(block, block[i])) isSeldom = hasSpared = true;
    if (!isSeldom || !copyInside(block[i], *branch, nest, state)) walkNode(block[i], nest, state);
  }
}

/// Copies for a branch that only the host runs, and seldom perhaps (`if (t % 100 == 0) print(u)`), inside of it; or
/// that runs on the host if some option is set, and else on the device: there nothing has to be copied then. What it
/// may write there and the device holds is copied in again at its end: else it would be current on one side or the
/// other. False, and nothing is done: there are no such copies.
bool Walk::copyInside(const Node &node, const Branch &branch, const Nest &nest, State &state) {
  State then = state, otherwise = state;
  Attempt attempt(*this);
  const Nest inThen = nest.inside(branch, true), inOtherwise = nest.inside(branch, false);
  walkBlock(branch.then, 0, branch.then.size(), inThen, then);
  walkBlock(branch.otherwise, 0, branch.otherwise.size(), inOtherwise, otherwise);
  if (attempt.isInDoubt() || !keepOnDevice(branch.then, inThen, then, otherwise) ||
      !keepOnDevice(branch.otherwise, inOtherwise, otherwise, then))
    return false;
  attempt.keep();
  meet(then, otherwise);
  state = std::move(then);
  return true;
}

/// Of what only the device holds on the other way, nothing may be left to the host alone on this one.
bool Walk::keepOnDevice(const Block &side, const Nest &nest, State &here, const State &other) {
  Context context = contextIn(nest);
  for (const std::string &name : names) {
    ElementSet lost = restrictToRelated(subtract(other.at(name).onDevice, here.at(name).onDevice), context);
    ElementSet only = restrictToRelated(subtract(lost, other.at(name).onHost), context);
    if (only.isProvablyEmpty()) continue;
    auto last = std::find_if(side.rbegin(), side.rend(), [](const Node &node) { return locationOf(node).isKnown(); });
    if (last == side.rend() || lost.toSections(extents(name), context).whole) return false;
    if (!copy(Side::Device, name, lost, {Cause::Seldom, locationOf(*last), ""}, Place{nest, *last, true}, here))
      return false;
  }
  return true;
}

} // namespace busfare::brs::residency
