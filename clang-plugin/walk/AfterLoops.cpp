//===- clang-plugin/walk/AfterLoops.cpp - The state behind a loop --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a loop leaves in the variables that it changes.
//
//   for (i = 0; i < n; i += 2) { *p++ = 0; c += k[i] > 0; }
//
//   i    n behind the last step, and so much the loop's own: no write of i is noted
//   p    as many elements on as the loop has turned
//   c    between its value before the loop and that plus one for each turn
//
// Of a loop that may be left early the number of turns is not known, and what is
// changed on the way out is not what whole iterations make of it.
//
//===----------------------------------------------------------------------===//
#include "OpenLoop.h"

namespace busfare::frontend {

/// What is changed in an iteration that does not end, `p += i; break;`, is not what whole iterations make of it. By
/// variable: the objects that it may name then, of a pointer.
std::map<std::string, std::vector<std::string>> Walker::changedOnTheWayOut(const Environment &head,
                                                                           llvm::ArrayRef<Environment> ways,
                                                                           const std::set<std::string> &changed) const {
  std::map<std::string, std::vector<std::string>> found;
  for (const Environment &way : ways)
    for (const std::string &name : changed) {
      auto integer = way.integers.find(name), before = head.integers.find(name);
      if (integer != way.integers.end() &&
          (before == head.integers.end() || integer->second.expr != before->second.expr))
        found[name];
      auto pointer = way.pointers.find(name), first = head.pointers.find(name);
      if (pointer != way.pointers.end() && (first == head.pointers.end() || !(pointer->second == first->second)))
        found[name].push_back(pointer->second.object);
    }
  return found;
}

/// The closed form after so many turns, if there is one.
std::optional<Value> Walker::integerAtEnd(const OpenLoop &open, const std::string &name, const Value &entry,
                                          const Symbolic &trips) {
  auto gain = open.steps.integers.find(name);
  if (auto sum = open.steps.toggles.find(name); sum != open.steps.toggles.end()) {
    auto byCondition = open.steps.beforeBody.find(name);
    const bool isStill = byCondition == open.steps.beforeBody.end() || byCondition->second.isZero();
    const bool isSure = open.counted && !open.made.mayExitEarly && !open.leftOtherwise.count(name) && isStill;
    Symbolic end = toggled(entry.expr, sum->second, trips);
    if (!isSure || end.isPoisoned()) return std::nullopt;
    st.env.leftByLoop.insert(name);
    return Value{end, entry.mayWrap};
  }
  if (gain == open.steps.integers.end()) return std::nullopt;
  auto byCondition = open.steps.beforeBody.find(name);
  bool isStill = byCondition == open.steps.beforeBody.end() || byCondition->second.isZero();
  if (gain->second.isZero() && isStill && !open.leftOtherwise.count(name)) return entry; // sizes of what changes places
  if (!open.counted || open.made.mayExitEarly) return std::nullopt;
  bool isMoved = byCondition != open.steps.beforeBody.end(); // once more than the body runs
  Symbolic end = entry.expr + gain->second * trips;
  if (isMoved && !open.isDo()) end = end + byCondition->second;
  if (open.hasIndex && name == open.variable && std::abs(open.step) == 1 && open.shift.isZero()) {
    Symbolic over = open.made.upper + Symbolic(open.step);
    bool runs = st.ranges.isNonNegative(open.distance(open.made.lower, over));
    end = runs ? over : open.step > 0 ? max(over, open.made.lower) : min(over, open.made.lower);
  }
  if (end.isPoisoned()) return std::nullopt;
  // Of an index at the function's own level no access was noted.
  bool isNoted = name != open.frame.indexVariable || isInLoop();
  if (isNoted && !gain->second.isZero()) st.env.leftByLoop.insert(name);
  Value value = stepped(name, entry, end - entry.expr, gain->second, open.location);
  if (value.expr == end) value.mayWrap = entry.mayWrap || (isMoved && !byCondition->second.isZero());
  return value;
}

void Walker::leaveInteger(const OpenLoop &open, const std::string &name, const Symbolic &trips) {
  const Steps &steps = open.steps;
  const Value &entry = open.entryIntegers.at(name);
  if (std::optional<Value> end = integerAtEnd(open, name, entry, trips)) {
    st.env.integers[name] = *end;
    return;
  }
  auto range = steps.ranges.find(name);
  auto byCondition = steps.beforeBody.find(name);
  bool isBounded = range != steps.ranges.end() && !open.leftOtherwise.count(name) && open.isTurnCountKnown &&
                   !entry.mayWrap && !open.last.isPoisoned() &&
                   (byCondition == steps.beforeBody.end() || byCondition->second.isZero());
  std::string reason = name + " after the loop";
  if (isBounded)
    st.env.integers[name] =
        Value{freshSymbol(name, reason, open.location, true, true, entry.expr + Symbolic(range->second.first) * trips,
                          entry.expr + Symbolic(range->second.second) * trips)};
  else
    st.env.integers[name] = Value{usuallyAsBefore(freshSymbol(name, reason, open.location, true), name, &entry, steps)};
  bool isOwn = llvm::isa_and_nonnull<clang::DeclStmt>(open.parts.init);
  if (name != open.frame.indexVariable || isOwn) return;
  Place place; // its steps were not written one by one
  place.at.object = name;
  place.type = context.IntTy;
  write(place, open.location);
}

/// A pointer that is changed on a way out.
Pointer Walker::pointerLeftOtherwise(const OpenLoop &open, const std::string &name, Pointer entry,
                                     const Environment &inside) {
  std::vector<std::string> targets = open.leftOtherwise.at(name);
  targets.push_back(entry.object);
  if (auto end = inside.pointers.find(name); end != inside.pointers.end()) targets.push_back(end->second.object);
  if (llvm::is_contained(targets, "")) targets.clear();
  bool isSame = !targets.empty() && llvm::all_equal(targets);
  if (!isSame) {
    clang::QualType element = entry.object.empty() ? clang::QualType() : object(entry.object).element;
    return unknownPointer(name, element, open.location, targets);
  }
  entry.index.assign(entry.index.size(), std::nullopt);
  return entry;
}

void Walker::leavePointer(const OpenLoop &open, const std::string &name, const Symbolic &trips,
                          const Environment &inside) {
  const Steps &steps = open.steps;
  auto entry = open.entryPointers.find(name);
  if (entry != open.entryPointers.end()) {
    Pointer at = entry->second;
    if (!open.rotates(name) && !at.object.empty()) normalize(at);
    bool isOther = open.leftOtherwise.count(name);
    auto gain = steps.pointers.find(name);
    if (!open.rotates(name) && isOther) at = pointerLeftOtherwise(open, name, at, inside);
    else if (!open.rotates(name) && gain != steps.pointers.end()) {
      bool isSure = open.counted && !open.made.mayExitEarly && !steps.movedByCondition.count(name);
      for (size_t d = 0; d < at.index.size() && d < gain->second.size(); ++d) {
        if (isSure && at.index[d]) at.index[d] = *at.index[d] + gain->second[d] * trips;
        else if (!gain->second[d].isZero() || steps.movedByCondition.count(name)) at.index[d] = std::nullopt;
      }
    }
    if (open.rotates(name) || isOther || gain != steps.pointers.end()) {
      st.env.pointers[name] = at;
      return;
    }
  }
  auto end = inside.pointers.find(name);
  if (end == inside.pointers.end()) { // set on another way out, perhaps
    auto origin = st.fieldOrigins.find(name);
    bool isPointer = origin != st.fieldOrigins.end() && classOf(origin->second.type) == TypeClass::Pointer &&
                     handleOf(origin->second.type) == Handle::None;
    if (isPointer && entry == open.entryPointers.end())
      st.env.pointers[name] = unknownPointer(name, pointeeOf(origin->second.type), open.location);
    return;
  }
  Pointer at = end->second;
  at.index.assign(at.index.size(), std::nullopt);
  bool isNamed = entry != open.entryPointers.end() && !at.object.empty() && !entry->second.object.empty();
  if (isNamed && entry->second.object != at.object)
    at = unknownPointer(name, object(at.object).element, open.location, {at.object, entry->second.object});
  st.env.pointers[name] = at;
}

/// From that at the end of the body, and that before the loop, to the one behind it.
void Walker::takeStateAfter(OpenLoop &open) {
  bool runs = st.ranges.isNonNegative(open.last + 1);
  Symbolic trips = runs ? open.last + 1 : max(open.last + 1, Symbolic(0));
  Environment inside = st.env;
  if (!isInLoop() && !inside.inFlight.empty()) st.carriedPending[open.frame.id] = inside.inFlight;
  st.env = open.before;
  st.env.tables = std::move(open.tables);
  endFilling();
  st.env.opaque |= inside.opaque;
  st.env.inFlight = inside.inFlight; // where nothing was begun, nothing is waited for
  st.env.forgetsStatics |= inside.forgetsStatics;
  st.env.forgetsPointers |= inside.forgetsPointers;
  for (const std::string &name : open.changed) {
    if (open.entryIntegers.count(name)) leaveInteger(open, name, trips);
    else if (inside.integers.count(name)) {
      Symbolic fresh = freshSymbol(name, name + " after the loop", open.location, true);
      st.env.integers[name] = Value{usuallyAsBefore(fresh, name, nullptr, open.steps)};
    }
    leavePointer(open, name, trips, inside);
  }
  for (const std::string &name : open.changed) {
    auto gain = open.steps.pointers.find(name);
    bool stays = gain != open.steps.pointers.end() &&
                 llvm::all_of(gain->second, [](const Symbolic &one) { return one.isZero(); });
    if (isPointerVariable(name) && !stays && !open.rotates(name)) st.env.leftByLoop.insert(name);
  }
  if (open.restoresTurns) restoreTurns(open, trips);
  else loseTrack(open.steps.rotated, open.steps.following, open.location);
}

} // namespace busfare::frontend
