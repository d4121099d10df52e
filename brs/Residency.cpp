//===- brs/Residency.cpp - Where the valid copy of an array is ------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/Residency.h"
#include "brs/Presburger.h"
#include "brs/Touch.h"
#include "brs/WholeArrays.h"
#include "skeleton/Rotation.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::brs {
using namespace skeleton;

namespace {

/// Effort for the copies of one array, or of those that are swapped, out of what is left for all of them; past it there
/// is no plan.
constexpr double shareOfPlan = 0.3;

enum class Side { Host, Device };

/// The elements surely current on each side.
struct Validity {
  ElementSet onHost, onDevice;
  ElementSet &on(Side side) { return side == Side::Host ? onHost : onDevice; }
};
using State = std::map<std::string, Validity>;

class Walk {
public:
  Walk(const ResidencyQuestion &question, const std::vector<std::string> &names)
      : q(question), names(names), touches(q.touches, q.arrays, q.kernels, names) {}

  ResidencyPlan plan();

private:
  const ResidencyQuestion &q;
  const std::vector<std::string> &names;
  Touches touches;
  std::map<std::string, ElementSet> bringInAtEntry; ///< Boxes a later copy needs whole; grows from round to round.
  std::map<std::string, Location> neededBackAt;     ///< Where the first of these copies stands.
  bool grewBringIn = false;
  bool gaveUp = false; ///< A loop was not walked: there is no plan.
  std::set<std::string> unplaceable;
  unsigned silent = 0; ///< > 0 while a loop's fixed point is sought: nothing is recorded.
  std::map<std::string, ArrayCrossings> crossings;
  std::map<std::string, unsigned> lastOrder; ///< Of the copies in crossings.
  bool deviceWrote = false; ///< Some kernel before this point of the walk may have written some array of the group.
  std::set<std::string> writtenInexactly; ///< Some kernel's may-write is only a bound.

  unsigned rank(const std::string &name) const;
  const std::vector<std::optional<Expr>> &extents(const std::string &name) const;
  ElementSet everything(const std::string &name) const { return ElementSet::whole(rank(name)); }
  ElementSet nothing(const std::string &name) const { return ElementSet::empty(rank(name)); }

  const Effects &effects(const Node &node, const Nest &nest);
  /// What one side does below the node. With the other side's writes, `exposedRead` is what this side reads of values
  /// from before the node; without, the writes are this side's own.
  const Effects &effectsOfSide(const Node &node, const Nest &nest, Side side, bool withOthersWrites);

  /// Where a copy would stand.
  struct Place {
    const Nest &nest;
    const Node &node;
    bool after = false;
    Location at = locationOf(node);
  };
  void makeCurrent(Side side, const std::string &name, const ElementSet &need, const Reason &because, const Place &place,
                   State &state);
  bool copy(Side to, const std::string &name, const ElementSet &missing, const Reason &because, const Place &place,
            State &state);
  bool isCurrentBetween(const SectionSet &boxes, const std::string &name, const Context &context, const ElementSet &current) const;
  void askAtEntry(const ElementSet &need, const Location &at, const Nest &nest);

  void walkBlock(const Block &block, size_t first, size_t end, const Nest &nest, State &state);
  void walkNode(const Node &node, const Nest &nest, State &state);
  bool isAlone(const Block &block, const Node &node) const;
  bool copyInside(const Node &node, const Branch &branch, const Nest &nest, State &state);
  bool keepOnDevice(const Block &side, const Nest &nest, State &here, const State &other);
  void step(const Node &node, Side side, const Nest &nest, State &state);
  void leaveSomewhere(const Node &node, const Nest &nest, State &state);
  void walkMixedLoop(const Node &node, const Loop &loop, const Nest &nest, State &state);
  void bringInBefore(const Node &node, const Loop &loop, const Nest &nest, State &state);
  State endOfBody(const Loop &loop, const Nest &nest, State state);
  ElementSet inEveryIteration(const ElementSet &set, const std::string &name, const Loop &loop, const Nest &nest) const;
  void rotate(const Rotate &rotation, State &state) const;
  void meet(State &state, const State &other) const;
};

unsigned Walk::rank(const std::string &name) const { return extents(name).size(); }
const std::vector<std::optional<Expr>> &Walk::extents(const std::string &name) const { return q.arrays.find(name)->extents; }

const Effects &Walk::effects(const Node &node, const Nest &nest) {
  std::unique_ptr<Effects> &known = (*q.effects)[{&node, 0}];
  if (!known)
    known = std::make_unique<Effects>(effectsOf(q.program, q.function, node, nest, q.memo));
  return *known;
}

const Effects &Walk::effectsOfSide(const Node &node, const Nest &nest, Side side, bool withOthersWrites) {
  bool device = side == Side::Device;
  std::unique_ptr<Effects> &known = (*q.effects)[{&node, 1 + 2 * device + withOthersWrites}];
  if (!known)
    known = std::make_unique<Effects>(effectsOf(q.program, q.function, node, nest, q.memo, {&q.kernels, device, withOthersWrites}));
  return *known;
}

ElementSet Walk::inEveryIteration(const ElementSet &set, const std::string &name, const Loop &loop, const Nest &nest) const {
  // The elements missing in some iteration, taken from everything.
  ElementSet missing = restrictTo(subtract(everything(name), set), nest.inside(loop).contextInside());
  return subtractMust(everything(name), projectOut(missing, loop.index));
}

void Walk::meet(State &state, const State &other) const {
  for (auto &[name, validity] : state) {
    validity.onHost = intersectMust(validity.onHost, other.at(name).onHost);
    validity.onDevice = intersectMust(validity.onDevice, other.at(name).onDevice);
  }
}

void Walk::rotate(const Rotate &rotation, State &state) const {
  State before = state;
  for (const auto &[first, second] : rotation.moves)
    if (touches.isOne(first) && touches.isOne(second))
      state[first] = before[second];
}

void Walk::askAtEntry(const ElementSet &need, const Location &at, const Nest &nest) {
  ElementSet widened = restrictTo(need, nest.contextInside());
  std::vector<const Loop *> loops = nest.loops();
  for (const Loop *loop : llvm::reverse(loops))
    widened = projectOut(widened, loop->index);
  // Any name of the rotation may have denoted the object at the entry.
  for (const std::string &name : names) {
    ElementSet &asked = bringInAtEntry.try_emplace(name, nothing(name)).first->second;
    if (isSurelySubset(widened, asked))
      continue;
    asked = unite(asked, widened);
    neededBackAt.try_emplace(name, at);
    grewBringIn = true;
  }
}

/// Is the side current on everything between the first and the last element of the boxes, in memory's order?
bool Walk::isCurrentBetween(const SectionSet &boxes, const std::string &name, const Context &context, const ElementSet &current) const {
  if (boxes.whole)
    return false;
  std::optional<Section> between = hull(boxes, context);
  if (!between || between->ranges.size() != extents(name).size())
    return false;
  // From the first dimension of which more than one index is taken, all inner ones are passed through.
  size_t outer = 0;
  while (outer + 1 < between->ranges.size() && between->ranges[outer].lower == between->ranges[outer].upper)
    ++outer;
  between->ranges[outer].step = 1;
  for (size_t d = outer + 1; d < between->ranges.size(); ++d) {
    if (!extents(name)[d])
      return false;
    between->ranges[d] = {0, *extents(name)[d] - 1, 1};
  }
  SectionSet all;
  all.boxes.push_back(*between);
  return isSurelySubset(restrictTo(elementsOf(all, rank(name)), context), current);
}

/// Records the copy if the source side is current on all of its boxes.
bool Walk::copy(Side to, const std::string &name, const ElementSet &missing, const Reason &because, const Place &place,
                State &state) {
  Context context = place.nest.contextInside();
  SectionSet boxes = missing.toSections(extents(name), context);
  keepInsideInPlace(boxes, extents(name), context);
  if (boxes.isSurelyEmpty())
    return true;
  ElementSet moved = boxes.whole ? everything(name) : elementsOf(boxes, rank(name));
  Validity &validity = state[name];
  ElementSet &source = to == Side::Device ? validity.onHost : validity.onDevice;
  if (!isSurelySubset(restrictTo(moved, context), source))
    return false;
  ElementSet &target = validity.on(to);
  target = uniteMust(target, boxes.whole ? moved : elementsInside(boxes, rank(name)));
  if (!silent) {
    auto &list = to == Side::Device ? crossings[name].h2d : crossings[name].d2h;
    unsigned &last = lastOrder[name];
    // Two copies at one place are one, if none went the other way in between and the boxes around both are current too.
    bool joined = false;
    if (!list.empty() && list.back().node == &place.node && list.back().after == place.after && list.back().order == last &&
        list.back().loops == place.nest.loops() && !boxes.whole && !list.back().section.whole) {
      ElementSet both = unite(elementsOf(list.back().section, rank(name)), moved);
      both.exact = list.back().section.exact && boxes.exact;
      SectionSet around = both.toSections(extents(name), context);
      keepInsideInPlace(around, extents(name), context);
      joined = !around.whole && isSurelySubset(restrictTo(elementsOf(around, rank(name)), context), source);
      if (joined)
        list.back().section = around;
    }
    const SectionSet &section = joined ? list.back().section : boxes;
    bool mayExceed = place.nest.loops().empty() && ((to == Side::Device && !deviceWrote) || isCurrentBetween(section, name, context, source));
    if (joined) {
      list.back().mayExceed = mayExceed;
    } else {
      list.push_back({boxes, place.nest.loops(), place.at, place.after, &place.node, because, ++last, mayExceed, guardsOf(q.region, place.nest)});
    }
  }
  return true;
}

void Walk::makeCurrent(Side side, const std::string &name, const ElementSet &need, const Reason &because,
                       const Place &place, State &state) {
  Context context = place.nest.contextInside();
  ElementSet missing = restrictTo(subtract(need, state[name].on(side)), context);
  if (missing.isProvablyEmpty())
    return;
  // To the device goes what is needed there; back comes what kernels wrote, however much of it is looked at.
  missing.exact = side == Side::Device ? need.exact : !writtenInexactly.count(name);
  SectionSet around = missing.toSections(extents(name), context);
  if (std::optional<InsideArray> inside = around.exact || around.whole ? std::nullopt : insideArray(around, extents(name), context)) {
    // What the array does not have is nowhere, and so as current as it can be.
    ElementSet own = elementsOf(SectionSet{{inside->box}, true, false}, rank(name));
    ElementSet beyond = subtractMust(missing, own);
    state[name].onHost = uniteMust(state[name].onHost, beyond);
    state[name].onDevice = uniteMust(state[name].onDevice, beyond);
    missing = inside->leavesRow ? restrictTo(subtract(own, state[name].on(side)), context) : intersect(missing, own);
    if (missing.isProvablyEmpty())
      return;
  }
  if (copy(side, name, missing, because, place, state))
    return;
  // Some element of the boxes is newer on this side, or current nowhere. Make the other side current first: then the
  // whole box may be overwritten.
  Side other = side == Side::Host ? Side::Device : Side::Host;
  SectionSet boxes = missing.toSections(extents(name), context);
  ElementSet moved = boxes.whole ? everything(name) : elementsOf(boxes, rank(name));
  ElementSet stale = restrictTo(subtract(moved, state[name].on(other)), context);
  bool wasGrown = grewBringIn;
  if (side == Side::Host || silent) {
    // A copy back whose box was partly written: bring the old values in at the region's entry.
    askAtEntry(moved, because.at, place.nest);
    if (grewBringIn != wasGrown || silent) {
      state[name].on(side) = uniteMust(state[name].on(side), moved); // walk on; this round's plan is thrown away
      return;
    }
  }
  if (copy(other, name, stale, {Cause::Widened, because.at, ""}, place, state) && copy(side, name, missing, because, place, state))
    return;
  askAtEntry(moved, because.at, place.nest);
  if (grewBringIn == wasGrown)
    unplaceable.insert(name);
  state[name].on(side) = uniteMust(state[name].on(side), moved);
}

/// A node that only one side touches.
void Walk::step(const Node &node, Side side, const Nest &nest, State &state) {
  const Effects &e = effects(node, nest);
  Place place{nest, node};
  State after = state;
  for (const std::string &name : names) {
    auto found = e.arrays.find(name);
    if (found == e.arrays.end())
      continue;
    const ArrayEffects &array = found->second;
    ElementSet need = array.exposedRead;
    // What a host statement may write but need not is lost on the device's side: the host must hold the old value.
    if (side == Side::Host)
      need = unite(need, subtract(array.mayWrite, array.mustWrite));
    bool isRead = !array.exposedAt.empty() && !array.exposedRead.isProvablyEmpty();
    Reason because{isRead ? Cause::Read : Cause::Kept,
                   isRead ? array.exposedAt.front() : array.writtenAt.empty() ? place.at : array.writtenAt.front(), ""};
    makeCurrent(side, name, need, because, place, state);
    Validity &v = state[name];
    Side other = side == Side::Host ? Side::Device : Side::Host;
    deviceWrote |= side == Side::Device && !silent && !array.mayWrite.isProvablyEmpty();
    if (side == Side::Device && !array.mayWrite.exact)
      writtenInexactly.insert(names.begin(), names.end());
    v.on(side) = uniteMust(v.on(side), array.mustWrite);
    v.on(other) = subtractMust(v.on(other), array.mayWrite);
  }
  if (e.exitNames.empty())
    return;
  after = state;
  for (const std::string &name : names) {
    auto exit = e.exitNames.find(name);
    if (exit == e.exitNames.end())
      continue;
    if (!exit->second.empty()) {
      state[name] = after[exit->second];
      continue;
    }
    // Which object the name denotes is not known: only what holds for all of them holds.
    Validity all = after[names.front()];
    for (const std::string &other : names) {
      all.onHost = intersectMust(all.onHost, after[other].onHost);
      all.onDevice = intersectMust(all.onDevice, after[other].onDevice);
    }
    state[name] = all;
  }
}

State Walk::endOfBody(const Loop &loop, const Nest &nest, State state) {
  ++silent;
  Nest inside = nest.inside(loop);
  walkBlock(loop.body, 0, loop.body.size(), inside, state);
  --silent;
  for (auto &[name, validity] : state) {
    validity.onHost = inEveryIteration(validity.onHost, name, loop, nest);
    validity.onDevice = inEveryIteration(validity.onDevice, name, loop, nest);
  }
  return state;
}

/// Copies once what the loop's first iteration would need and no iteration makes stale, and moves every element to the
/// side where the body leaves it.
void Walk::bringInBefore(const Node &node, const Loop &loop, const Nest &nest, State &state) {
  State best;
  for (const std::string &name : names)
    best[name] = {everything(name), everything(name)};
  auto keptBringIn = bringInAtEntry;
  bool keptGrew = grewBringIn;
  auto keptUnplaceable = unplaceable;
  State end = endOfBody(loop, nest, best);
  bringInAtEntry = keptBringIn;
  grewBringIn = keptGrew;
  unplaceable = keptUnplaceable;

  const Effects &all = effects(node, nest);
  const Effects &device = effectsOfSide(node, nest, Side::Device, true), &host = effectsOfSide(node, nest, Side::Host, true);
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
    ElementSet toDevice = unite(intersect(exposed(device), v.onDevice), subtract(intersect(exposed(all), v.onDevice), v.onHost));
    makeCurrent(Side::Device, name, toDevice, because(device), place, state);
    ElementSet toHost = unite(intersect(exposed(host), v.onHost), subtract(intersect(exposed(all), v.onHost), v.onDevice));
    makeCurrent(Side::Host, name, toHost, because(host), place, state);
  }
}

/// A loop in which names change places was left in the middle of an iteration, before they did or after: what is current at
/// the head of one under all names still is, except where the other side may have written it.
void Walk::leaveSomewhere(const Node &node, const Nest &nest, State &state) {
  Validity all = state[names.front()];
  for (const std::string &name : names) {
    all.onHost = intersectMust(all.onHost, state[name].onHost);
    all.onDevice = intersectMust(all.onDevice, state[name].onDevice);
  }
  for (const std::string &name : names)
    state[name] = all;
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
  for (unsigned round = 0;; ++round) {
    State head = state;
    meet(head, endOfBody(loop, nest, state));
    bool stable = llvm::all_of(names, [&](const std::string &name) {
      return isSurelySubset(state[name].onHost, head[name].onHost) && isSurelySubset(state[name].onDevice, head[name].onDevice);
    });
    if (stable)
      break;
    if (round == 4) {
      for (const std::string &name : names)
        head[name] = {nothing(name), nothing(name)};
      state = head;
      break;
    }
    state = head;
  }
  State body = state;
  Nest inside = nest.inside(loop);
  walkBlock(loop.body, 0, loop.body.size(), inside, body);
  if (!effects(node, nest).exitNames.empty()) {
    if (loop.mayExitEarly)
      leaveSomewhere(node, nest, state);
    return;
  }
  // What one side surely wrote in some iteration and the other side never touched stays current there.
  const Effects &device = effectsOfSide(node, nest, Side::Device, false), &host = effectsOfSide(node, nest, Side::Host, false);
  for (const std::string &name : names) {
    auto own = device.arrays.find(name), others = host.arrays.find(name);
    Validity &v = state[name];
    ElementSet noWrite = nothing(name);
    const ElementSet &hostMay = others == host.arrays.end() ? noWrite : others->second.mayWrite;
    const ElementSet &deviceMay = own == device.arrays.end() ? noWrite : own->second.mayWrite;
    if (own != device.arrays.end())
      v.onDevice = uniteMust(v.onDevice, subtractMust(own->second.mustWrite, hostMay));
    if (others != host.arrays.end())
      v.onHost = uniteMust(v.onHost, subtractMust(others->second.mustWrite, deviceMay));
  }
}

void Walk::walkNode(const Node &node, const Nest &nest, State &state) {
  if (auto *rotation = std::get_if<Rotate>(&node.kind))
    return rotate(*rotation, state);
  if (auto *allocate = std::get_if<Allocate>(&node.kind)) {
    // Fresh memory: its contents mean nothing, so they are as good on one side as on the other.
    if (touches.isOne(allocate->array))
      state[allocate->array] = {everything(allocate->array), everything(allocate->array)};
    return;
  }
  if (auto *freed = std::get_if<Free>(&node.kind)) {
    if (touches.isOne(freed->array))
      state[freed->array] = {everything(freed->array), everything(freed->array)};
    return;
  }
  Touch t = touches.of(node);
  if (!t.host && !t.device) {
    // A loop that only rotates.
    if (std::holds_alternative<Loop>(node.kind))
      step(node, Side::Host, nest, state);
    return;
  }
  auto *branch = std::get_if<Branch>(&node.kind);
  // A copy in front of what follows a jump would be jumped past.
  if (t.host != t.device && !(branch && branch->isRest))
    return step(node, t.host ? Side::Host : Side::Device, nest, state);
  if (auto *loop = std::get_if<Loop>(&node.kind))
    return walkMixedLoop(node, *loop, nest, state);
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
    bool isSeldom = branch && !branch->isRest && !nest.loops().empty() && isAlone(block, block[i]);
    if (!isSeldom || !copyInside(block[i], *branch, nest, state))
      walkNode(block[i], nest, state);
  }
}

/// In this block only the host touches the branch's arrays there, and nothing on the host touches them beside it (but perhaps
/// under another condition).
bool Walk::isAlone(const Block &block, const Node &node) const {
  Touch own = touches.of(node);
  return own.host && !own.device && llvm::all_of(block, [&](const Node &other) {
    return &other == &node || std::holds_alternative<Branch>(other.kind) || !touches.of(other).host;
  });
}

/// Copies for a branch that only the host runs, and seldom perhaps (`if (t % 100 == 0) print(u)`), inside of it. What it may
/// write there and the device holds is copied in again at its end: else it would be current on one side or the other.
/// False, and nothing is done: there are no such copies.
bool Walk::copyInside(const Node &node, const Branch &branch, const Nest &nest, State &state) {
  State then = state, otherwise = state;
  auto crossingsBefore = crossings;
  auto lastBefore = lastOrder;
  auto askedBefore = bringInAtEntry;
  auto unplaceableBefore = unplaceable;
  const bool grewBefore = std::exchange(grewBringIn, false);
  const Nest inThen = nest.inside(branch, true), inOtherwise = nest.inside(branch, false);
  walkBlock(branch.then, 0, branch.then.size(), inThen, then);
  walkBlock(branch.otherwise, 0, branch.otherwise.size(), inOtherwise, otherwise);
  bool isDone = !grewBringIn && unplaceable == unplaceableBefore && keepOnDevice(branch.then, inThen, then, otherwise) &&
                keepOnDevice(branch.otherwise, inOtherwise, otherwise, then);
  grewBringIn = grewBefore;
  if (!isDone) {
    crossings = std::move(crossingsBefore);
    lastOrder = std::move(lastBefore);
    bringInAtEntry = std::move(askedBefore);
    unplaceable = std::move(unplaceableBefore);
    return false;
  }
  meet(then, otherwise);
  state = std::move(then);
  return true;
}

/// Of what only the device holds on the other way, nothing may be left to the host alone on this one.
bool Walk::keepOnDevice(const Block &side, const Nest &nest, State &here, const State &other) {
  Context context = nest.contextInside();
  for (const std::string &name : names) {
    ElementSet lost = restrictTo(subtract(other.at(name).onDevice, here.at(name).onDevice), context);
    ElementSet only = restrictTo(subtract(lost, other.at(name).onHost), context);
    if (only.isProvablyEmpty())
      continue;
    auto last = std::find_if(side.rbegin(), side.rend(), [](const Node &node) { return locationOf(node).isKnown(); });
    if (last == side.rend() || lost.toSections(extents(name), context).whole)
      return false;
    if (!copy(Side::Device, name, lost, {Cause::Seldom, locationOf(*last), ""}, Place{nest, *last, true}, here))
      return false;
  }
  return true;
}

ResidencyPlan Walk::plan() {
  const RegionSpan &region = q.region;
  const Node &firstNode = (*region.block)[region.first], &lastNode = (*region.block)[region.last];
  for (unsigned round = 0; round < 4; ++round) {
    crossings.clear();
    lastOrder.clear();
    unplaceable.clear();
    grewBringIn = false;
    deviceWrote = false;
    State state;
    for (const std::string &name : names) {
      auto undefined = q.undefinedBefore.find(name);
      state[name] = {everything(name), undefined == q.undefinedBefore.end() ? nothing(name) : undefined->second};
    }
    Place entry{region.nest, firstNode};
    for (const auto &[name, need] : bringInAtEntry)
      makeCurrent(Side::Device, name, need, {Cause::Kept, neededBackAt[name], ""}, entry, state);
    walkBlock(*region.block, region.first, region.last + 1, region.nest, state);
    Place exit{region.nest, lastNode, true};
    for (const std::string &name : names)
      if (auto live = q.liveAfter.find(name); live != q.liveAfter.end()) {
        auto because = q.liveBecause.find(name);
        makeCurrent(Side::Host, name, live->second, because == q.liveBecause.end() ? Reason{Cause::Read, exit.at, ""} : because->second, exit, state);
      }
    if (gaveUp)
      break;
    if (!grewBringIn)
      return {std::move(crossings), std::move(unplaceable), {}};
  }
  ResidencyPlan failed;
  failed.unplaceable.insert(names.begin(), names.end());
  return failed;
}

} // namespace

std::vector<Guard> guardsOf(const RegionSpan &region, const Nest &nest) {
  std::vector<Guard> guards;
  for (const NestStep &step : llvm::ArrayRef(nest.steps()).drop_front(region.nest.steps().size()))
    if (step.branch)
      guards.push_back({step.branch->condition, step.then});
  return guards;
}

std::vector<std::string> rotationOf(const RegionSpan &region, const std::string &name) {
  for (std::vector<std::string> &group : rotatedTogether(*region.block))
    if (llvm::is_contained(group, name))
      return std::move(group);
  return {name};
}

ResidencyPlan planResidency(const ResidencyQuestion &question, const std::vector<std::string> &names) {
  ResidencyPlan plan;
  {
    EffortBudget budget(shareOfPlan * effortLeft());
    plan = Walk(question, names).plan();
  }
  return plan.unplaceable.empty() ? plan : planWholeArrays(question, names);
}

} // namespace busfare::brs
