//===- brs/EffectsBranch.cpp - Effects of branches, and of what is given up ===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/EffectsWalk.h"
#include "skeleton/Rotation.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::brs::effects {
using namespace skeleton;

/// The answer that takes no effort: all of whatever is named there.
Piece Walk::anythingIn(llvm::ArrayRef<Node> block) {
  struct Named {
    const Location *read = nullptr, *written = nullptr; ///< First.
  };
  std::map<Number, Named> named;
  bool isAnything = false;
  auto name = [&](Number number, const Access &access, const HostStatement *host) {
    Named &one = named[number];
    if (access.kind != AccessKind::Write && !one.read) one.read = &locationOf(access, host);
    if (access.kind != AccessKind::Read && !one.written) one.written = &locationOf(access, host);
  };
  forEachNode(block, [&](const Node &node) { isAnything |= std::holds_alternative<Call>(node.kind); });
  forEachAccess(block, [&](const Access &access, const HostStatement *host) {
    if (isAnything) return;
    std::optional<Number> number = numberOf(access.array);
    const Array *array = number ? declared.arrays[*number] : nullptr;
    isAnything |= !array || (array->storage == Storage::Alias && array->mayBe.empty());
    if (isAnything) return;
    if (array->storage != Storage::Alias) return name(*number, access, host);
    for (const std::string &target : array->mayBe)
      if (std::optional<Number> object = numberOf(target)) name(*object, access, host);
      else isAnything = true;
  });
  // Inside, a name that changes places may denote any object of its group.
  std::set<std::string> turning;
  for (const std::vector<std::string> &group : rotatedTogether(block)) turning.insert(group.begin(), group.end());
  for (const std::string &one : turning) {
    auto found = named.find(*numberOf(one));
    if (isAnything || found == named.end()) continue;
    for (const std::string &other : groups.at(one)) {
      Named &all = named[*numberOf(other)];
      all.read = all.read ? all.read : found->second.read;
      all.written = all.written ? all.written : found->second.written;
    }
  }
  Piece piece = isAnything ? touchingEverything(function.location) : Piece();
  if (!isAnything)
    for (const auto &[number, one] : named) {
      if (one.read) addWhole(piece, number, true, false, *one.read);
      if (one.written) addWhole(piece, number, false, true, *one.written);
    }
  for (const std::string &one : turning)
    for (const std::string &other : groups.at(one)) piece.exitNames[other] = "";
  return piece;
}

std::shared_ptr<const Piece> Walk::ofBranch(const Branch &branch) {
  return kept(&branch, kernelsInside(&branch, {branch.then, branch.otherwise}), [&] { return overBranch(branch); });
}

Piece Walk::overBranch(const Branch &branch) {
  Context outside = facts;
  auto onSide = [&](bool then) {
    facts = Nest(outside).inside(branch, then).contextInside();
    return ofBlock(then ? branch.then : branch.otherwise);
  };
  Piece total;
  Piece sides[2] = {onSide(true), onSide(false)};
  facts = std::move(outside);
  bool isHurried = effortIsSpent();
  for (unsigned side = 0; side < 2; ++side) {
    Iterations when = isHurried ? Iterations() : iterationsOf(branch.condition, side == 0);
    // What runs behind a side that ends the program runs because the other one did.
    if (!isHurried && !branch.condition.exact && surelyEnds(side == 0 ? branch.otherwise : branch.then))
      when.must = PresburgerSet::universe(0);
    auto at = total.arrays.begin();
    for (auto &[number, sets] : sides[side].arrays) {
      if (isHurried) sets.widen();
      Sets &sum = setsOf(total, number, at);
      auto narrowed = [&](const May &may) {
        if (may.set.isPlainlyEmpty()) return may;
        PresburgerSet narrow = intersect(may.set, when.may);
        return narrow.isKnown() ? May(narrow, may.exact && when.exact, may.tight && when.tight, sets.rank)
                                : May(may.set, false, sets.rank);
      };
      auto narrowedSurely = [&](const PresburgerSet &set) {
        PresburgerSet narrow = set.isPlainlyEmpty() ? set : intersect(set, when.must);
        sets.mustExact &= narrow.isKnown() || sets.writtenAt.empty();
        return must(std::move(narrow), sets.rank);
      };
      add(sum.read, narrowed(sets.read), sets.rank);
      add(sum.write, narrowed(sets.write), sets.rank);
      add(sum.exposed, narrowed(sets.exposed), sets.rank);
      bool isAll = addSurely(sum.mustWrite, narrowedSurely(sets.mustWrite));
      addSurely(sum.defined, narrowedSurely(sets.defined));
      sum.mustExact &= sets.mustExact && isAll && (when.exact || sets.writtenAt.empty());
      addLocations(sum.readAt, sets.readAt);
      addLocations(sum.writtenAt, sets.writtenAt);
      addLocations(sum.exposedAt, sets.exposedAt);
    }
  }
  for (auto &[number, sum] : total.arrays) {
    auto first = sides[0].arrays.find(number), second = sides[1].arrays.find(number);
    if (first == sides[0].arrays.end() || second == sides[1].arrays.end() || sum.writtenAt.empty()) continue;
    // What both sides write is written, whatever the condition.
    auto onBoth = [&](PresburgerSet &surely, const PresburgerSet &a, const PresburgerSet &b) {
      if (PresburgerSet more = unite(surely, intersect(a, b)); more.isKnown()) surely = more.coalesce();
    };
    if (sum.mustExact) continue;
    onBoth(sum.mustWrite, first->second.mustWrite, second->second.mustWrite);
    onBoth(sum.defined, first->second.defined, second->second.defined);
    if (sum.write.set.isSubsetOf(sum.mustWrite) == Answer::Yes)
      sum.write.exact = sum.write.tight = sum.mustExact = true;
  }
  if (sides[0].exitNames == sides[1].exitNames) {
    total.exitNames = sides[0].exitNames;
  } else {
    for (const Piece &side : sides)
      for (const auto &entry : side.exitNames)
        for (const std::string &name : groups.at(entry.first)) total.exitNames[name] = "";
  }
  return total;
}

} // namespace busfare::brs::effects
