//===- clang-plugin/walk/GlobalNames.cpp - Calls of functions that go by globals -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A callee speaks of what lies behind global pointers by the pointers' names. Here they may have
// changed places, or lead to what has names of its own.
//
//   swap(u, v); step();           rotate u <- v, v <- u; call step(); rotate v <- u, u <- v
//   shown = &g; grow();           host opaque "grow": shown->n is g.n here
//
//===----------------------------------------------------------------------===//
#include "Walk.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::frontend {

/// A global, or a field of one, by the name that summaries give it.
std::optional<Place> Walker::placeOfGlobal(const std::string &name, Location location) {
  llvm::StringRef rest = name;
  auto global = unit.globalNames.find(name);
  if (global != unit.globalNames.end()) rest = "";
  else {
    global = unit.globalNames.find(rest.split('.').first.str());
    rest = rest.split('.').second;
  }
  if (global == unit.globalNames.end()) { // only other units declare it
    auto foreign = unit.foreignIntegers.find(name);
    if (foreign == unit.foreignIntegers.end()) return std::nullopt;
    Place place;
    place.variable = place.at.object = name;
    place.type = foreign->second;
    st.fieldOrigins.try_emplace(name, ExtraFormal{{}, -2, name, place.type});
    return place;
  }
  Place place = placeOfVariable(global->second, global->second->getLocation());
  while (!rest.empty()) {
    const auto *record = place.type->getAsRecordDecl();
    if (!record || !record->getDefinition() || !place.variable.empty()) return std::nullopt;
    auto [first, more] = rest.split('.');
    const clang::FieldDecl *found = fieldNamed(record, first);
    if (!found) return std::nullopt;
    place = member(place, found);
    rest = more;
  }
  return place;
}

/// The callee speaks of what is behind global pointers by their names. Where the pointers have changed places since, so
/// must the names while it runs: a rotation, perhaps of nothing. Nothing if a pointer leads somewhere else.
std::optional<skeleton::Rotate> Walker::namesFor(const Summary &known, Location location) const {
  skeleton::Rotate rotate;
  rotate.location = location;
  std::set<std::string> targets, moved;
  bool isNeeded = false;
  for (const auto &[variable, pointer] : st.env.pointers) {
    auto origin = st.fieldOrigins.find(variable);
    if (origin == st.fieldOrigins.end() || origin->second.position != -2 || pointer.null) continue;
    bool isStart = llvm::all_of(pointer.index, [](auto &i) { return i && i->isZero(); });
    if (pointer.object == variable && isStart) continue;
    bool isNamed = known.namedPointers.count(variable) != 0;
    if (isNamed && (!isStart || pointer.object.empty())) return std::nullopt;
    isNeeded |= isNamed;
    if (!isStart || pointer.object.empty()) continue;
    rotate.moves.push_back({variable, pointer.object});
    moved.insert(variable);
    targets.insert(pointer.object);
  }
  if (!isNeeded) return skeleton::Rotate();
  if (targets != moved || targets.size() != rotate.moves.size()) return std::nullopt;
  return rotate;
}

/// Structs behind global pointers that the callee goes by, whose fields have other names here: it may have changed
/// them.
void Walker::loseBehindGlobals(const Summary &known, Location location) {
  for (const std::string &name : known.namedPointers) {
    auto pointer = st.env.pointers.find(name);
    auto origin = st.fieldOrigins.find(name);
    const bool isNull = pointer != st.env.pointers.end() && pointer->second.null && pointer->second.object.empty();
    if (pointer == st.env.pointers.end() || isNull || origin == st.fieldOrigins.end() ||
        !mayLeadToFields(origin->second.type))
      continue;
    const std::string target = pointer->second.object;
    auto found = st.objects.find(target);
    const bool isAlias = found != st.objects.end() && found->second.array.storage == Storage::Alias;
    if (found == st.objects.end() || (isAlias && found->second.array.mayBe.empty())) {
      clobberAddressTaken(location, true);
      continue;
    }
    const std::vector<std::string> targets = isAlias ? found->second.array.mayBe : std::vector<std::string>{target};
    for (const std::string &one : targets) {
      if (!st.objects.count(one)) continue;
      if (const std::string prefix = object(one).prefix; !prefix.empty()) loseFields(prefix, location);
      else clobberBehind(one, location);
    }
  }
}

/// The call, among the rotations that it needs. Without names that fit, it may touch what it can reach; what it does to
/// variables is known all the same.
void Walker::emitCall(const skeleton::Call &made, const Summary &known, llvm::ArrayRef<Reach> reachable) {
  std::optional<skeleton::Rotate> names = namesFor(known, made.location);
  if (!names) {
    find(Rule::UnknownPointer, made.location,
         known.name + " uses a global pointer that leads into another array here; the call stays on the host");
    std::vector<std::string> given, lent;
    host(HostReason::OpaqueCall, known.name, accessesOf([&] { touchAll(reachable, true, made.location, given, lent); }),
         made.location);
    loseBehindGlobals(known, made.location);
    return;
  }
  if (names->moves.empty()) return emit(made);
  emit(*names);
  emit(made);
  for (auto &[first, second] : names->moves) {
    object(second).isUsed = true;
    std::swap(first, second);
  }
  emit(*names);
}

} // namespace busfare::frontend
