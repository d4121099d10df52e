//===- brs/Residency.cpp - Where the valid copy of an array is ------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/Presburger.h"
#include "brs/ResidencyWalk.h"
#include "brs/Touch.h"
#include "brs/WholeArrays.h"
#include "skeleton/Rotation.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::brs {
using namespace skeleton;
using residency::Walk;

/// Effort for the copies of one array, or of those that are swapped, out of what is left for all of them; past it there
/// is no plan. What the region's nodes touch is found once for all arrays, and not counted here.
constexpr double shareOfPlan = 0.3;

namespace residency {

unsigned Walk::rank(const std::string &name) const { return extents(name).size(); }
const std::vector<std::optional<Expr>> &Walk::extents(const std::string &name) const {
  return q.arrays.find(name)->extents;
}

const Effects &Walk::effects(const Node &node, const Nest &nest) {
  std::unique_ptr<Effects> &known = (*q.effects)[{&node, 0}];
  if (!known) {
    EffortBudget::Outer ofAllGroups(budget);
    known = std::make_unique<Effects>(effectsOf(q.program, q.function, node, nest, q.memo));
  }
  return *known;
}

const Effects &Walk::effectsOfSide(const Node &node, const Nest &nest, Side side, bool withOthersWrites) {
  bool device = side == Side::Device;
  std::unique_ptr<Effects> &known = (*q.effects)[{&node, 1 + 2 * device + withOthersWrites}];
  if (!known) {
    EffortBudget::Outer ofAllGroups(budget);
    known = std::make_unique<Effects>(
        effectsOf(q.program, q.function, node, nest, q.memo, {&q.kernels, device, withOthersWrites}));
  }
  return *known;
}

void Walk::askAtEntry(const ElementSet &need, const Location &at, const Nest &nest) {
  asked = true;
  ElementSet widened = restrictTo(need, contextIn(nest));
  std::vector<const Loop *> loops = nest.loops();
  for (const Loop *loop : llvm::reverse(loops)) widened = projectOut(widened, loop->index);
  // Any name of the rotation may have denoted the object at the entry.
  for (const std::string &name : names) {
    ElementSet &asked = bringInAtEntry.try_emplace(name, nothing(name)).first->second;
    if (isSurelySubset(widened, asked)) continue;
    asked = unite(asked, widened);
    neededBackAt.try_emplace(name, at);
    grewBringIn = true;
  }
}

/// Is the side current on everything between the first and the last element of the boxes, in memory's order?
bool Walk::isCurrentBetween(const SectionSet &boxes, const std::string &name, const Context &context,
                            const ElementSet &current) const {
  if (boxes.whole) return false;
  std::optional<Section> between = hull(boxes, context);
  if (!between || between->ranges.size() != extents(name).size()) return false;
  // From the first dimension of which more than one index is taken, all inner ones are passed through.
  size_t outer = 0;
  while (outer + 1 < between->ranges.size() && between->ranges[outer].lower == between->ranges[outer].upper) ++outer;
  between->ranges[outer].step = 1;
  for (size_t d = outer + 1; d < between->ranges.size(); ++d) {
    if (!extents(name)[d]) return false;
    between->ranges[d] = {0, *extents(name)[d] - 1, 1};
  }
  SectionSet all;
  all.boxes.push_back(*between);
  return isSurelySubset(restrictTo(elementsOf(all, rank(name)), context), current);
}

/// The elements that a copy of the boxes moves.
ElementSet Walk::movedBy(const SectionSet &boxes, const std::string &name) const {
  return boxes.whole ? allElements(extents(name)).value_or(everything(name)) : elementsOf(boxes, rank(name));
}

/// Records the copy if the source side is current on all of its boxes.
bool Walk::copy(Side to, const std::string &name, const ElementSet &missing, const Reason &because, const Place &place,
                State &state) {
  Context context = contextIn(place.nest);
  SectionSet boxes = missing.toSections(extents(name), context);
  keepInsideInPlace(boxes, extents(name), context);
  if (boxes.isSurelyEmpty()) return true;
  ElementSet moved = movedBy(boxes, name);
  Validity &validity = state[name];
  ElementSet &source = to == Side::Device ? validity.onHost : validity.onDevice;
  if (!isSurelySubset(restrictTo(moved, context), source)) return false;
  ElementSet &target = validity.on(to);
  target = uniteMust(target, boxes.whole ? moved : elementsInside(boxes, rank(name)));
  if (!silent) {
    auto &list = to == Side::Device ? crossings[name].h2d : crossings[name].d2h;
    unsigned &last = lastOrder[name];
    // Two copies at one place are one, if none went the other way in between and the boxes around both are current too.
    bool joined = false;
    if (!list.empty() && list.back().node == &place.node && list.back().after == place.after &&
        list.back().order == last && list.back().loops == place.nest.loops() && !boxes.whole &&
        !list.back().section.whole) {
      ElementSet both = unite(elementsOf(list.back().section, rank(name)), moved);
      both.exact = list.back().section.exact && boxes.exact;
      SectionSet around = both.toSections(extents(name), context);
      keepInsideInPlace(around, extents(name), context);
      joined = !around.whole && isSurelySubset(restrictTo(elementsOf(around, rank(name)), context), source);
      if (joined) list.back().section = around;
    }
    const SectionSet &section = joined ? list.back().section : boxes;
    bool mayExceed = place.nest.loops().empty() &&
                     ((to == Side::Device && !deviceWrote) || isCurrentBetween(section, name, context, source));
    if (joined) {
      list.back().mayExceed = mayExceed;
    } else {
      list.push_back({boxes, place.nest.loops(), place.at, place.after, &place.node, because, ++last, mayExceed,
                      guardsOf(q.region, place.nest)});
    }
  }
  return true;
}

void Walk::makeCurrent(Side side, const std::string &name, const ElementSet &need, const Reason &because,
                       const Place &place, State &state) {
  Context context = contextIn(place.nest);
  ElementSet missing = restrictToRelated(subtract(need, state[name].on(side)), context);
  if (missing.isProvablyEmpty()) return;
  // To the device goes what is needed there; back comes what kernels wrote, however much of it is looked at.
  missing.exact = side == Side::Device ? need.exact : !writtenInexactly.count(name);
  SectionSet around = missing.toSections(extents(name), context);
  // Whatever is meant: all that there is may be there already.
  if (std::optional<ElementSet> all = around.whole ? allElements(extents(name)) : std::nullopt)
    if (restrictToRelated(subtract(*all, state[name].on(side)), context).isProvablyEmpty()) return;
  if (std::optional<InsideArray> inside =
          around.exact || around.whole ? std::nullopt : insideArray(around, extents(name), context)) {
    // What the array does not have is nowhere, and so as current as it can be.
    ElementSet own = elementsOf(SectionSet{{inside->box}, true, false}, rank(name));
    ElementSet beyond = subtractMust(missing, own);
    state[name].onHost = uniteMust(state[name].onHost, beyond);
    state[name].onDevice = uniteMust(state[name].onDevice, beyond);
    missing =
        inside->leavesRow ? restrictToRelated(subtract(own, state[name].on(side)), context) : intersect(missing, own);
    if (missing.isProvablyEmpty()) return;
  }
  for (Trial &trial : trials) trial.lacksCopy |= llvm::is_contained(place.nest.loops(), trial.loop);
  if (copy(side, name, missing, because, place, state)) return;
  // Some element of the boxes is newer on this side, or current nowhere. Make the other side current first: then the
  // whole box may be overwritten.
  Side other = side == Side::Host ? Side::Device : Side::Host;
  SectionSet boxes = missing.toSections(extents(name), context);
  ElementSet moved = movedBy(boxes, name);
  ElementSet stale = restrictToRelated(subtract(moved, state[name].on(other)), context);
  bool wasGrown = grewBringIn;
  if (side == Side::Host || silent) {
    // A copy back whose box was partly written: bring the old values in at the region's entry.
    askAtEntry(moved, because.at, place.nest);
    if (grewBringIn != wasGrown || silent) {
      state[name].on(side) = uniteMust(state[name].on(side), moved); // walk on; this round's plan is thrown away
      return;
    }
  }
  if (copy(other, name, stale, {Cause::Widened, because.at, ""}, place, state) &&
      copy(side, name, missing, because, place, state))
    return;
  askAtEntry(moved, because.at, place.nest);
  if (grewBringIn == wasGrown) unplaceable.insert(name);
  state[name].on(side) = uniteMust(state[name].on(side), moved);
}

/// A node that only one side touches.
void Walk::step(const Node &node, Side side, const Nest &nest, State &state) {
  const Effects &e = effects(node, nest);
  Place place{nest, node};
  State before = state;
  for (const std::string &name : names) {
    auto found = e.arrays.find(name);
    if (found == e.arrays.end()) continue;
    const ArrayEffects &array = found->second;
    ElementSet need = array.exposedRead;
    // What a host statement may write but need not is lost on the device's side: the host must hold the old value.
    if (side == Side::Host) need = unite(need, subtract(array.mayWrite, array.mustWrite));
    else if (manner.keepsUnwritten)
      need = unite(need,
                   subtract(movedBy(array.mayWrite.toSections(extents(name), contextIn(nest)), name), array.mustWrite));
    bool isRead = !array.exposedAt.empty() && !array.exposedRead.isProvablyEmpty();
    Reason because{isRead ? Cause::Read : Cause::Kept,
                   isRead                    ? array.exposedAt.front()
                   : array.writtenAt.empty() ? place.at
                                             : array.writtenAt.front(),
                   ""};
    makeCurrent(side, name, need, because, place, state);
    Validity &v = state[name];
    before[name] = v;
    Side other = side == Side::Host ? Side::Device : Side::Host;
    deviceWrote |= side == Side::Device && !silent && !array.mayWrite.isProvablyEmpty();
    if (side == Side::Device && !array.mayWrite.exact) writtenInexactly.insert(names.begin(), names.end());
    v.on(side) = uniteMust(v.on(side), array.mustWrite);
    v.on(other) = subtractMust(v.on(other), array.mayWrite);
  }
  if (e.exitNames.empty()) return;
  State after = state;
  bool isOpen = false; ///< Which name denotes what is not known.
  for (const std::string &name : names) {
    auto exit = e.exitNames.find(name);
    if (exit == e.exitNames.end()) continue;
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
    isOpen = true;
  }
  const auto *loop = std::get_if<Loop>(&node.kind);
  if (loop && isOpen) leaveTurns(*loop, nest, std::move(before), state);
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
        makeCurrent(Side::Host, name, live->second,
                    because == q.liveBecause.end() ? Reason{Cause::Read, exit.at, ""} : because->second, exit, state);
      }
    if (gaveUp) break;
    if (!grewBringIn) return {std::move(crossings), std::move(unplaceable), {}};
  }
  ResidencyPlan failed;
  failed.unplaceable.insert(names.begin(), names.end());
  return failed;
}

} // namespace residency

std::vector<Guard> guardsOf(const RegionSpan &region, const Nest &nest) {
  std::vector<Guard> guards;
  for (const NestStep &step : llvm::ArrayRef(nest.steps()).drop_front(region.nest.steps().size()))
    if (step.branch) guards.push_back({step.branch->condition, step.then});
  return guards;
}

Rotations::Rotations(const RegionSpan &region) : groups(rotatedTogether(*region.block)) {
  for (unsigned k = 0; k < groups.size(); ++k)
    for (const std::string &name : groups[k]) groupOf[name] = k;
}

std::vector<std::string> Rotations::of(const std::string &name) const {
  auto found = groupOf.find(name);
  return found == groupOf.end() ? std::vector<std::string>{name} : groups[found->second];
}

ResidencyPlan planResidency(const ResidencyQuestion &question, const std::vector<std::string> &names) {
  ResidencyPlan plan;
  {
    EffortBudget budget(shareOfPlan * effortLeft());
    Walk first(question, names, budget, {.sparesDevice = true});
    plan = first.plan();
    auto isLeft = [&] { return !plan.unplaceable.empty() && !effortIsSpent(); };
    if (isLeft() && first.hasSparedDevice()) plan = Walk(question, names, budget, {}).plan();
    if (isLeft()) plan = Walk(question, names, budget, {.keepsUnwritten = true}).plan();
  }
  return plan.unplaceable.empty() ? plan : planWholeArrays(question, names);
}

} // namespace busfare::brs
