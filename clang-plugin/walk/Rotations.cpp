//===- clang-plugin/walk/Rotations.cpp - Pointers that change places -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Pointer variables that an iteration permutes keep the names of their objects,
// and the names change places (skeleton::Rotate):
//
//   double *keep = u;
//   for (t = 0; t < steps; t++) { ...; tmp = u; u = v; v = tmp; }   rotate u <- v, v <- u
//   keep[0] = 1;                                                    alias may-be(u, v)
//
// A pointer that does not follow (`keep`) may denote any of the objects as soon
// as the loop has begun.
//
//===----------------------------------------------------------------------===//
#include "OpenLoop.h"

namespace busfare::frontend {

/// Can a loop or a call in the statement make names change places? (It sets a pointer in a loop, or such a function.)
bool Walker::mayExchange(const clang::Stmt *stmt) {
  std::function<bool(const clang::Stmt *, bool)> search = [&](const clang::Stmt *at, bool isInLoop) -> bool {
    if (!at) return false;
    if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(at);
        op && op->isAssignmentOp() && isInLoop && isPointerLike(op->getType()))
      return true;
    if (const auto *call = llvm::dyn_cast<clang::CallExpr>(at)) {
      if (isInLoop && changesHandle(call)) return true;
      if (isInLoop && llvm::any_of(call->arguments(), [](const clang::Expr *one) {
            return one->isLValue() && isPointerLike(one->getType());
          }))
        return true; // std::swap(u, v)
      if (isInLoop && passesPointerVariable(call)) return true;
      const clang::FunctionDecl *callee = calleeOf(call);
      const Summary *known = callee ? unit.summaryOf(callee) : nullptr;
      if (known && (known->state != Summary::State::Done || !known->rotated.empty())) return true;
    }
    isInLoop |= llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(at);
    return llvm::any_of(partsOf(at), [&](const clang::Stmt *child) { return search(child, isInLoop); });
  };
  return search(stmt, false);
}

/// Only names that nothing else bears are exchanged: an array with a declaration keeps its own whatever pointers do,
/// an Alias stands for several, and the fields of a single struct have names of their own, which would stay.
bool Walker::isOnlyPointedTo(const std::string &name) const {
  auto known = st.objects.find(name);
  if (known == st.objects.end() || known->second.array.storage == Storage::Alias || !known->second.prefix.empty())
    return false;
  return llvm::none_of(
      st.names, [&](const auto &named) { return named.second == name && named.first->getType()->isArrayType(); });
}

/// The largest set of pointer variables that an iteration permutes. `ends` says where each that moves is at its end.
void Walker::findRotation(Steps &steps, std::map<std::string, std::string> &ends,
                          const std::map<std::string, Pointer> &entry) {
  for (auto end = ends.begin(); end != ends.end();)
    end =
        isOnlyPointedTo(end->second) && isOnlyPointedTo(entry.at(end->first).object) ? std::next(end) : ends.erase(end);
  // Who leads where nobody comes to, or comes from where nobody was, first: the others may change places without it.
  auto isIn = [&](const std::string &name, const std::string &object, bool isAlone) {
    unsigned asEnd = 0, asStart = 0;
    for (auto &[other, end] : ends) {
      asEnd += end == entry.at(name).object;
      asStart += entry.at(other).object == object;
    }
    return isAlone ? asEnd == 1 && asStart == 1 : asEnd > 0 && asStart > 0;
  };
  auto findOutside = [&](bool isAlone) {
    return llvm::find_if(ends, [&](const auto &end) { return !isIn(end.first, end.second, isAlone); });
  };
  while (true) {
    auto outside = findOutside(false);
    if (outside == ends.end()) outside = findOutside(true);
    if (outside == ends.end()) break;
    ends.erase(outside);
  }
  for (auto &[name, object] : ends) {
    steps.rotation.push_back({name, object});
    steps.targets.erase(name);
  }
}

/// Pointers that an iteration leaves where one of those leads that change places: `from = to` beside a swap of `to` and
/// `spare`.
void Walker::findFollowers(Steps &steps, const std::map<std::string, Pointer> &entry) const {
  auto rotates = [&](const std::string &name) {
    return llvm::any_of(steps.rotation, [&](const auto &move) { return move.first == name; });
  };
  for (const auto &[name, start] : entry) {
    auto end = st.env.pointers.find(name);
    if (rotates(name) || end == st.env.pointers.end() || start.object.empty() || !start.variable.empty()) continue;
    for (const auto &[variable, object] : steps.rotation)
      if (auto other = st.env.pointers.find(variable); other != st.env.pointers.end() && other->second == end->second)
        steps.followers[name] = variable;
  }
}

/// A loop inside becomes two, for which port has one text: it takes none.
bool Walker::knowsFollowers(const OpenLoop &open) const {
  return !unit.points && !open.iteration.isPoisoned() && llvm::all_of(open.steps.followers, [&](const auto &follower) {
    return open.entryPointers.count(follower.first) && st.env.pointers.count(follower.second) &&
           open.rotates(follower.second);
  });
}

/// The body of a loop with such pointers: in the first iteration they lead where they did before it, in all others
/// where those do that change places.
Flow Walker::walkWithFollowers(const OpenLoop &open) {
  Condition isFirst;
  isFirst.exact = true;
  isFirst.anyOf = {{Symbolic(0) - open.iteration}};
  auto walk = [&](bool first) {
    for (const auto &[name, leader] : open.steps.followers)
      st.env.pointers[name] = first ? open.entryPointers.at(name) : st.env.pointers.at(leader);
    return walkBody(open.parts, open.symbol);
  };
  return branch(isFirst, open.location, [&] { return walk(true); }, [&] { return walk(false); });
}

/// `x % 2 == 0`.
static bool asksForEven(const Condition &condition) {
  if (condition.anyOf.size() != 1 || condition.anyOf.front().size() != 1) return false;
  const llvm::ArrayRef<skeleton::Term> sum = condition.anyOf.front().front().sum();
  return sum.size() == 1 && sum.front().coefficient == -1 && sum.front().factors.size() == 1 &&
         sum.front().factors.front().kind == skeleton::Atom::Kind::Mod && sum.front().factors.front().divisor == 2;
}

/// Pointers that a branch sets to two arrays, one way round or the other. Behind it the names have changed places on
/// its one side:
///
///   if (n % 2) { from = u; to = v; } else { from = v; to = u; }     if n mod 2 - 1 >= 0 { rotate u <- v, v <- u }
///
/// and both pointers lead to one name each. The side that changes them is told so: of odd and even the odd one, so that
/// as many exchanges in a loop put them back.
std::vector<Walker::Exchanged> Walker::exchangedBy(const Condition &condition, Environment &then,
                                                   Environment &otherwise) const {
  if (unit.points || trialDepth > 0 || isInLoop() || !condition.exact || condition.anyOf.empty()) return {};
  auto isWhole = [&](const Pointer &at) {
    return !at.object.empty() && !at.inside && !at.null && at.variable.empty() && isOnlyPointedTo(at.object) &&
           llvm::all_of(at.index, [](const auto &index) { return index && index->isZero(); });
  };
  std::map<std::pair<std::string, std::string>, std::set<std::string>> chosen; // objects on the two sides -> variables
  for (const auto &[name, one] : then.pointers)
    if (auto other = otherwise.pointers.find(name);
        other != otherwise.pointers.end() && one.object != other->second.object)
      if (isWhole(one) && isWhole(other->second) && !st.fieldOrigins.count(name))
        chosen[{one.object, other->second.object}].insert(name);
  std::vector<Exchanged> found;
  std::set<std::string> taken;
  for (const auto &[objects, variables] : chosen) {
    const auto &[one, other] = objects;
    auto back = chosen.find({other, one});
    if (one > other || back == chosen.end() || taken.count(one) || taken.count(other)) continue;
    const Array &first = st.objects.at(one).array, &second = st.objects.at(other).array;
    if (first.type != second.type || first.extents.size() != second.extents.size()) continue;
    const bool isInThen = !asksForEven(condition);
    Environment &changed = isInThen ? then : otherwise;
    for (const std::string &name : variables) changed.pointers[name].object = isInThen ? other : one;
    for (const std::string &name : back->second) changed.pointers[name].object = isInThen ? one : other;
    taken.insert({one, other});
    found.push_back({one, other, variables, isInThen});
    found.back().variables.insert(back->second.begin(), back->second.end());
  }
  return found;
}

void Walker::exchange(const Exchanged &exchanged, const Condition &condition, Location location) {
  const auto &[one, other, variables, isInThen] = exchanged;
  skeleton::Branch made;
  made.condition = condition;
  made.location = location;
  (isInThen ? made.then : made.otherwise).emplace_back(skeleton::Rotate{{{one, other}, {other, one}}, location});
  for (const std::string &name : {one, other}) object(name).isUsed = true;
  emit(std::move(made));
  noteRotated({one, other}, variables, {});
  loseTrack({one, other}, variables, location);
}

/// At the end of an iteration: the names change places, and the variables follow.
void Walker::rotate(const OpenLoop &open) {
  const Steps &steps = open.steps;
  const std::map<std::string, Pointer> &entry = open.entryPointers;
  const Location location = open.location;
  if (steps.rotation.empty() && steps.alternation.empty()) return;
  skeleton::Rotate moves;
  moves.location = location;
  std::map<std::string, std::string> renamed; // old name of an object -> its name after the rotation
  std::set<std::string> following, objects;
  for (auto &[variable, ends] : steps.rotation) {
    auto start = entry.find(variable);
    if (start == entry.end()) return;
    moves.moves.push_back({start->second.object, ends});
    renamed[ends] = start->second.object;
    following.insert(variable);
    objects.insert(ends);
    object(start->second.object).isUsed = true;
    object(ends).isUsed = true;
  }
  for (const auto &[one, other] : steps.alternation)
    for (const auto &[name, ends] : {std::pair(one, other), std::pair(other, one)}) {
      moves.moves.push_back({name, ends});
      renamed[ends] = name;
      objects.insert(name);
      object(name).isUsed = true;
    }
  llvm::sort(moves.moves);
  std::set<std::string> tables; // that take their rows along
  auto rows = movesOfRows(moves.moves, tables, location);
  emit(moves);
  for (auto &each : rows) {
    for (auto &[name, ends] : each) {
      renamed[ends] = name;
      objects.insert(ends);
      object(ends).isUsed = true;
    }
    emit(skeleton::Rotate{each, location});
  }
  for (auto &[name, pointer] : st.env.pointers)
    if (auto found = renamed.find(pointer.object); found != renamed.end()) pointer.object = found->second;
  noteRotated(objects, following, tables, open.restoresTurns);
}

/// The names of `objects` have changed places, some number of times; the rows of `tables` with them. Every loop around
/// has to know: what a pointer that does not follow denotes in its first iteration it need not denote in the second.
/// (But not of what is as before behind the loop.)
void Walker::noteRotated(const std::set<std::string> &objects, const std::set<std::string> &following,
                         const std::set<std::string> &tables, bool isRestored) {
  loseRotated(objects, tables);
  // Whoever kept a pointer to one has one to any of the names.
  for (std::set<std::string> *kept : {&st.escaped, &st.lent})
    if (llvm::any_of(objects, [&](const std::string &name) { return kept->count(name) != 0; }))
      kept->insert(objects.begin(), objects.end());
  for (unsigned one : std::set<unsigned>(st.env.inFlight)) {
    if (!objects.count(st.receives[one].object)) continue;
    for (const std::string &name : objects) {
      st.env.inFlight.insert(st.receives.size());
      st.receives.push_back({name, {}, st.receives[one].requests});
    }
  }
  if (isRestored) return;
  st.rotated.insert(objects.begin(), objects.end());
  for (Frame &frame : st.frames) {
    frame.rotated.insert(objects.begin(), objects.end());
    frame.following.insert(following.begin(), following.end());
  }
}

/// Pointers into `objects` that are not among those that follow may denote any of them from here on. turning: of the
/// loop in which they do, what they were is kept.
void Walker::loseTrack(const std::set<std::string> &objects, const std::set<std::string> &following, Location location,
                       const Frame *turning) {
  if (objects.empty()) return;
  std::vector<std::string> any(objects.begin(), objects.end());
  // Made in a trial walk only: what will bear that name is not known yet.
  if (!llvm::all_of(any, [&](const std::string &name) { return st.objects.count(name) != 0; })) any.clear();
  auto lost = [&](const std::string &name, const std::string &of, bool isHoisted = false) {
    return unknownPointer(name, object(of).element, location, any, false, isHoisted);
  };
  std::vector<std::pair<std::string, Pointer>> strays;
  for (auto &[name, pointer] : st.env.pointers)
    if (objects.count(pointer.object) && !following.count(name)) strays.push_back({name, pointer});
  for (auto &[name, pointer] : st.entryPointers)
    if (!st.env.pointers.count(name) && objects.count(pointer.object) && !following.count(name))
      strays.push_back({name, pointer});
  for (auto &[name, was] : strays) {
    const bool turns = turning && llvm::any_of(turning->alternation, [&, &of = was.object](const auto &pair) {
                         return of == pair.first || of == pair.second;
                       });
    const bool isWhole =
        !was.inside && llvm::all_of(was.index, [](const auto &index) { return index && index->isZero(); });
    Pointer now = lost(name, was.object, turns && isWhole);
    if (turns && isWhole) st.originals[now.object] = {turning->id, was};
    st.env.pointers[name] = now;
  }
  for (auto &[decl, place] : st.references)
    if (objects.count(place.at.object)) place.at = lost(nameOf(decl), place.at.object);
}

} // namespace busfare::frontend
