//===- clang-plugin/port/Clones.cpp - As few copies of functions as there can be -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each call of a function on the way to a kernel is changed by itself, in a copy if other
// calls use the function too. Many of those come out alike:
//
//   for (t ...) { step(u, v); step(v, u); }     two copies of the same text: they are one,
//                                               and if nobody else calls step, it is step
//
// What a copy calls is part of its text, so this goes on until nothing changes.
//
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/Instances.h"
#include "clang-plugin/port/OwnTargets.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::frontend::port {
using namespace clang;

const Instance &Instances::Clones::shown(const Instance &instance) const {
  auto same = sameAs.find(&instance);
  return same == sameAs.end() ? instance : shown(*same->second);
}

std::string Instances::Clones::nameOf(const Instance &instance) const {
  const Instance &one = shown(instance);
  return inPlace.count(&one) ? one.source->function->getNameAsString() : one.copyName;
}

/// Its own changes, with the names that the copies it calls have in the end.
std::vector<Edit> Instances::changesOf(const Instance &instance, const Clones &clones) const {
  std::vector<Edit> edits = instance.edits;
  for (const std::string &callee : instance.callees) {
    const Instance &copy = calleeOf(callee);
    for (Edit &edit : edits)
      if (edit.text == copy.copyName) edit.text = clones.nameOf(copy);
  }
  // Outer statements first, so that at one place what belongs to inner ones is nearer to them.
  std::vector<std::pair<const Spot *, const SpotText *>> spots;
  for (const auto &[spot, text] : instance.spots) spots.emplace_back(spot, &text);
  llvm::sort(spots, [](const auto &a, const auto &b) {
    return std::make_pair(a.first->begin, ~a.first->end) < std::make_pair(b.first->begin, ~b.first->end);
  });
  for (const auto &[spot, text] : spots) addSpot(*instance.source, *spot, *text, edits, false);
  for (const auto &[spot, text] : llvm::reverse(spots)) addSpot(*instance.source, *spot, *text, edits, true);
  return edits;
}

const Instance &Instances::calleeOf(const std::string &key) const {
  auto [root, path] = llvm::StringRef(key).split('\0');
  return instances.at({root.str(), unsigned(std::stoul(path.str()))});
}

/// One more copy that is another's text; false: there is none.
bool Instances::mergeOne(Clones &clones) const {
  std::map<std::tuple<const FunctionSource *, bool, std::string>, const Instance *> known;
  for (const auto &[key, instance] : instances) {
    if (instance.copyName.empty() || clones.sameAs.count(&instance) || clones.inPlace.count(&instance)) continue;
    const FunctionSource &source = *instance.source;
    const std::string text = apply(source.text, inOrder(changesOf(instance, clones)), source.begin, source.end);
    auto [first, isNew] = known.try_emplace({&source, instance.isForOtherUnit, text}, &instance);
    if (isNew) continue;
    // The plainer name stays.
    auto rank = [](const Instance *one) { return std::make_pair(one->copyName.size(), one->copyName); };
    if (rank(&instance) < rank(first->second)) clones.sameAs[first->second] = &instance;
    else clones.sameAs[&instance] = first->second;
    return true;
  }
  return false;
}

/// The copy takes its original's place if nobody is left who wants that as it is.
bool Instances::placeOne(Clones &clones) const {
  std::map<const FunctionSource *, std::set<std::pair<const FunctionSource *, unsigned>>> sites;
  std::map<const FunctionSource *, std::set<const Instance *>> copies;
  std::set<const FunctionSource *> changed;
  for (const auto &[key, instance] : instances) {
    if (instance.copyName.empty() || clones.inPlace.count(&instance)) changed.insert(instance.source);
    else if (!clones.sameAs.count(&instance)) copies[instance.source].insert(&instance);
    // In a copy that stays one the call stands beside that of its original.
    const Instance &shown = clones.shown(instance);
    if (!shown.copyName.empty() && !clones.inPlace.count(&shown)) continue;
    for (const std::string &callee : instance.callees)
      for (const Edit &edit : instance.edits)
        if (edit.text == calleeOf(callee).copyName)
          sites[calleeOf(callee).source].insert({instance.source, edit.offset});
  }
  for (const auto &[source, all] : copies) {
    auto mentions = uses.find(keyOf(source->function));
    if (all.size() > 1 || changed.count(source) || mentions == uses.end() || mentions->second != sites[source].size())
      continue;
    clones.inPlace.insert(*all.begin());
    return true;
  }
  return false;
}

Instances::Clones Instances::fewestClones() const {
  Clones clones;
  while (mergeOne(clones) || placeOne(clones)) {
  }
  return clones;
}

/// A static function whose every mention now names a copy: gcc warns of it, the user may still want it.
std::vector<Edit> Instances::markUnused(size_t unit, const Clones &clones) const {
  std::map<const FunctionSource *, unsigned> gone;
  std::set<const FunctionSource *> inPlace;
  for (const auto &[key, instance] : instances) {
    if (instance.unit != unit) continue;
    if (clones.inPlace.count(&instance)) inPlace.insert(instance.source);
    if (!instance.copyName.empty()) continue;
    inPlace.insert(instance.source);
    for (const FunctionSource *source : instance.renamed) ++gone[source];
  }
  std::vector<Edit> marks;
  for (const auto &[source, count] : gone) {
    auto mentions = uses.find(keyOf(source->function));
    if (!source->function->isExternallyVisible() && !inPlace.count(source) && mentions != uses.end() &&
        mentions->second == count)
      marks.push_back({source->begin, 0, "__attribute__((unused)) "});
  }
  return marks;
}

} // namespace busfare::frontend::port
