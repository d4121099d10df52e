//===- clang-plugin/Loops.cpp - Loops, their counts and what they carry ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A loop is a start state, a change per iteration, and a condition. A trial walk
// of one iteration, from symbols that stand for "the value now", tells what each
// carried variable gains:
//
//   while (left > 0) { *p++ = 0; left -= 2; }     p gains 1, left gains -2
//
// Those with a constant (or loop-invariant) gain get their closed form, the
// condition is solved for the iteration number, and the body is walked for good:
//
//   for left = left0 .. 1 step -2 { write p[...] }
//
// Pointers that an iteration permutes become one Rotate at its end. Everything
// else the body changes is a fresh symbol in each iteration.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"

namespace busfare::frontend {

/// What the loop carries has a value before it: of a global or a field that is not mentioned before, the caller's.
void Walker::readCarried(const std::set<std::string> &changed, Location location) {
  if (changed.count("?opaque")) return;
  for (const std::string &name : changed)
    if (auto origin = st.fieldOrigins.find(name); origin != st.fieldOrigins.end()) {
      if (classOf(origin->second.type) == TypeClass::Integer) readInteger(name, origin->second.type, location);
      if (classOf(origin->second.type) == TypeClass::Pointer) readPointer(name, origin->second.type, location);
    }
}

Flow Walker::executeLoop(const LoopParts &parts) {
  if (parts.inc) dropValue(parts.inc);
  if (parts.init && !parts.given) {
    std::string own = indexVariable(parts);
    bool isNew = quiet.insert(own).second;
    execute(parts.init);
    if (isNew) quiet.erase(own);
  }
  if (const auto *loop = llvm::dyn_cast<clang::ForStmt>(parts.stmt); loop && loop->getConditionVariable()) {
    unsupported(parts.stmt, "a condition that declares a variable");
    return Flow();
  }
  if (const auto *loop = llvm::dyn_cast<clang::WhileStmt>(parts.stmt); loop && loop->getConditionVariable()) {
    unsupported(parts.stmt, "a condition that declares a variable");
    return Flow();
  }
  if (!parts.body && !parts.run) return Flow();
  makeRoomAhead(parts.body);
  // `do { ... } while (0)` is a block.
  if (parts.form == skeleton::LoopForm::Do && parts.cond) {
    bool truth = true;
    if (!parts.cond->isValueDependent() && parts.cond->EvaluateAsBooleanCondition(truth, context) && !truth) {
      Frame frame;
      frame.scopes = st.scopes.size();
      frame.id = ++st.loops;
      frame.isSwitch = frame.isOnce = true; // breaks and continues both end it
      st.frames.push_back(frame);
      Flow flow = execute(parts.body);
      std::vector<Environment> ends = st.frames.back().breaks;
      ends.insert(ends.end(), st.frames.back().continues.begin(), st.frames.back().continues.end());
      if (!flow.always) ends.push_back(st.env);
      st.frames.pop_back();
      if (!ends.empty()) mergeAll(std::move(ends), locate(parts.stmt));
      bool left = flow.always && !(flow.may & (Breaks | Continues));
      flow.may &= ~unsigned(Breaks | Continues);
      flow.always = left;
      return flow;
    }
  }
  std::string index = parts.given ? "" : indexVariable(parts);
  std::set<std::string> changed = changedBy(parts);
  readCarried(changed, locate(parts.stmt));
  readFixed(parts, changed, locate(parts.stmt));
  Steps steps;
  bool isDeep = trialDepth > 5; // nested trials double the work at each level
  bool isPlain = !isDeep && !needsTrial(parts, changed, index);
  if (!isDeep && !isPlain) {
    steps = tryIteration(parts, changed);
    // Pointers in tables that an iteration changes are others in the next, which may change more of them.
    for (unsigned round = 0;; ++round) {
      Tables start = mergeTables(st.env.tables, steps.tables, true);
      if (start == st.env.tables) break;
      if (round == 4) forgetTables();
      else st.env.tables = std::move(start);
      steps = tryIteration(parts, changed);
      if (round == 4) break;
    }
  } else if (isDeep && mayChangeTables({parts.cond, parts.body, parts.inc}))
    forgetTables();
  if (isDeep || steps.isOpaque || steps.forgetsStatics) {
    changed.insert("?opaque");
    bool isOwnCode = isDeep || steps.forgetsStatics;
    if (isOwnCode) changed.insert("?statics");
    changed.insert(st.addressTaken.begin(), st.addressTaken.end());
    for (auto &[name, origin] : st.fieldOrigins)
      if (isOwnCode || !survivesUnseen(name)) changed.insert(name);
    if (isDeep) { // nobody looked
      for (auto &[name, value] : st.env.integers) changed.insert(name);
      for (auto &[name, pointer] : st.env.pointers) changed.insert(name);
      changed.erase("this");
    }
  }
  if (isPlain && !parts.given) {
    // The index alone, by its increment.
    LoopParts only = parts;
    clang::NullStmt nothing((clang::SourceLocation()));
    only.body = &nothing;
    only.cond = nullptr;
    std::set<std::string> alone = {index};
    steps = tryIteration(only, alone);
    steps.beforeBody[index] = Symbolic(0);
    steps.exitsEarly = false;
  }
  return finishLoop(parts, changed, steps, index);
}

/// What so many steps make of a value; unknown if an unsigned one may run over its word.
Value Walker::stepped(const std::string &name, const Value &before, const Symbolic &change, const Symbolic &step, Location location) {
  Symbolic after = before.expr + change;
  auto decl = llvm::find_if(st.names, [&](const auto &named) { return named.second == name; });
  auto origin = st.fieldOrigins.find(name);
  clang::QualType type = decl != st.names.end() ? decl->first->getType().getNonReferenceType() : origin != st.fieldOrigins.end() ? origin->second.type : clang::QualType();
  bool isUnsigned = !type.isNull() && type->isUnsignedIntegerOrEnumerationType() && context.getIntWidth(type) <= 32;
  if (!isUnsigned || step.isZero()) return Value{after, before.mayWrap};
  unsigned bits = context.getIntWidth(type);
  const int64_t most = (int64_t(1) << bits) - 1;
  bool isLong = step.constant().value_or(0) >= int64_t(1) << (bits * 5 / 8) && !st.ranges.isNonNegative(Symbolic(most) - after);
  if (!isLong && !mayExceed(after, most)) return Value{after, before.mayWrap};
  return Value{freshSymbol(name, name + " runs over its word", location, true, true, Symbolic(0), Symbolic(most))};
}

Flow Walker::walkBody(const LoopParts &parts, const Symbolic &index) {
  if (parts.given && parts.given->bind) parts.given->bind(index);
  return parts.run ? parts.run() : execute(parts.body);
}

bool Walker::isPointerVariable(const std::string &name) const {
  if (st.env.pointers.count(name) || st.entryPointers.count(name)) return true;
  return llvm::any_of(st.names, [&](const auto &named) { return named.second == name && classOf(named.first->getType()) == TypeClass::Pointer; });
}

/// The pointer variable itself, not what it points to.
Place Walker::memoryOfPointer(const std::string &variable) {
  Place place;
  place.at.object = variable + skeleton::pointerSuffix;
  place.type = context.getUIntPtrType();
  if (llvm::is_contained(st.objectOrder, place.at.object)) return place;
  Location location;
  for (const auto &[decl, name] : st.names)
    if (name == variable) location = locate(decl->getLocation());
  declareObject(place.at.object, place.type, Storage::Local, location);
  return place;
}

/// Pointer variables that outlive an iteration, and what an iteration does to them: a known step (`*p++`) leaves a
/// closed form; one that is set before it is used needs a copy for each iteration; any other goes on from where the
/// iteration before left it. Rotated ones are the Rotate's.
void Walker::noteCarriedPointers(const LoopParts &parts, const std::set<std::string> &changed, const Steps &steps, bool atEnd) {
  Location location = locate(parts.stmt);
  for (const std::string &name : changed) {
    if (!isPointerVariable(name)) continue;
    if (llvm::any_of(steps.rotation, [&](const auto &move) { return move.first == name; })) continue;
    auto gain = steps.pointers.find(name);
    if (gain != steps.pointers.end()) {
      bool stays = llvm::all_of(gain->second, [](const Symbolic &one) { return one.isZero(); });
      if (!stays && atEnd) write(memoryOfPointer(name), location, false, true);
      continue;
    }
    bool isSetFirst = setsFirst(parts.body, [&](const clang::VarDecl *variable) {
      auto named = st.names.find(llvm::cast<clang::ValueDecl>(variable->getCanonicalDecl()));
      return named != st.names.end() && named->second == name;
    });
    if (!isSetFirst && !atEnd) read(memoryOfPointer(name), location);
    if (isSetFirst != atEnd) write(memoryOfPointer(name), location);
  }
}

/// What is changed in an iteration that does not end, `p += i; break;`, is not what whole iterations make of it. By variable:
/// the objects that it may name then, of a pointer.
std::map<std::string, std::vector<std::string>> Walker::changedOnTheWayOut(const Environment &head, llvm::ArrayRef<Environment> ways,
                                                                           const std::set<std::string> &changed) const {
  std::map<std::string, std::vector<std::string>> found;
  for (const Environment &way : ways)
    for (const std::string &name : changed) {
      auto integer = way.integers.find(name), before = head.integers.find(name);
      if (integer != way.integers.end() && (before == head.integers.end() || integer->second.expr != before->second.expr)) found[name];
      auto pointer = way.pointers.find(name), first = head.pointers.find(name);
      if (pointer != way.pointers.end() && (first == head.pointers.end() || !(pointer->second == first->second))) found[name].push_back(pointer->second.object);
    }
  return found;
}

/// An index that is declared before its loop outlives it: threads that run a loop around need copies of their own. So
/// `for (j = 0; ...)` writes j, and a loop that does not set its index goes on from what was there. Said only where an
/// iteration of something around may be a thread: in a loop, or of a variable that is not the function's own.
void Walker::noteIndex(const LoopParts &parts, const std::string &index, Location location) {
  if (index.empty() || llvm::isa_and_nonnull<clang::DeclStmt>(parts.init)) return;
  const clang::ValueDecl *decl = nullptr;
  for (const auto &[candidate, name] : st.names)
    if (name == index) decl = candidate;
  const auto *variable = llvm::dyn_cast_or_null<clang::VarDecl>(decl);
  if (!variable) return;
  bool isInside = isInLoop();
  if (!isInside && !variable->hasGlobalStorage()) return;
  Place place = placeOfVariable(variable, variable->getLocation());
  bool isSet = parts.init && setsFirst(parts.init, [&](const clang::VarDecl *other) {
    return other->getCanonicalDecl() == variable->getCanonicalDecl();
  });
  if (!isSet) read(place, location);
  write(place, location);
}

Flow Walker::finishLoop(const LoopParts &parts, const std::set<std::string> &changed, Steps &steps,
                        const std::string &index) {
  bool isDo = parts.form == skeleton::LoopForm::Do;
  Location location = locate(parts.stmt);
  flush();
  unsigned entryMark = st.counter;
  // Loop-invariant parts of the bound may be read before the loop; hoist their Defines there.
  std::optional<int64_t> step;
  Symbolic start;
  bool hasIndex = !index.empty() && steps.integers.count(index) &&
                  (st.env.integers.count(index) || st.entryIntegers.count(index));
  if (hasIndex) {
    step = steps.integers[index].constant();
    start = readInteger(index, context.IntTy, location).expr;
    hasIndex = step && *step != 0;
  }
  Symbolic shift = hasIndex && steps.beforeBody.count(index) ? steps.beforeBody[index] : Symbolic(0);
  bool othersMove = !steps.pointers.empty();
  for (auto &[name, gain] : steps.integers) othersMove |= name != index && !gain.isZero();
  if (hasIndex && (!shift.constant() || (std::abs(*step) != 1 && othersMove))) hasIndex = false;
  if (start.isPoisoned()) hasIndex = false;

  skeleton::Loop loop;
  loop.form = parts.form;
  loop.directive = parts.directive;
  loop.location = location;
  loop.index = freshName(parts.given ? parts.given->index : index.empty() ? "it" : index);
  size_t ranged = rangedArrays.size();
  takeLoopHints(parts.stmt, parts.body, loop);
  Symbolic symbol = Symbolic::symbol(loop.index);
  loop.step = hasIndex ? *step : 1;
  loop.lower = hasIndex ? start + shift : parts.given ? parts.given->lower : Symbolic(0);
  // The iteration's number, from 0.
  Symbolic iteration = !hasIndex ? symbol - loop.lower : *step > 0 ? symbol - loop.lower : loop.lower - symbol;

  std::map<std::string, Pointer> entryPointers;
  std::map<std::string, Value> entryIntegers;
  for (const std::string &name : changed) {
    if (auto known = st.env.pointers.find(name); known != st.env.pointers.end()) entryPointers[name] = known->second;
    else if (auto entry = st.entryPointers.find(name); entry != st.entryPointers.end()) entryPointers[name] = entry->second;
    if (auto known = st.env.integers.find(name); known != st.env.integers.end()) entryIntegers[name] = known->second;
    else if (auto entry = st.entryIntegers.find(name); entry != st.entryIntegers.end()) entryIntegers[name] = entry->second;
  }
  bool opaqueBody = changed.count("?opaque");
  // What starts from a value that an earlier loop, or an earlier iteration of one around, left uses it here.
  for (const auto &[name, value] : entryIntegers) {
    if (name == index) continue;
    if (auto gain = steps.integers.find(name);
        gain != steps.integers.end() && !gain->second.isZero() && dependsOnMemory(value.expr)) {
      st.env.leftByLoop.insert(name);
    }
    readLeftByLoop(name, location);
  }

  for (const auto &[name, pointer] : entryPointers)
    if (st.env.leftByLoop.count(name)) read(memoryOfPointer(name), location);

  // The state at the start of iteration `number`, `unknown` for what has no closed form.
  Frame frame;
  frame.scopes = st.scopes.size();
  frame.id = ++st.loops;
  frame.changed = changed;
  frame.indexVariable = hasIndex ? index : "";
  for (auto &[name, gain] : steps.integers) frame.inductive.insert(name);
  frame.stmt = parts.stmt;
  frame.symbol = loop.index;
  if (loop.step == 1) frame.lower = loop.lower;
  frame.around = out;
  frame.mark = entryMark;
  frame.objects = st.objectOrder.size();
  std::map<const clang::LabelDecl *, size_t> skippedBefore;
  for (const auto &[label, environments] : st.gotos) skippedBefore[label] = environments.size();
  auto enter = [&](const Symbolic &number, std::optional<Symbolic> indexValue) {
    for (auto &[name, value] : entryIntegers) {
      st.env.leftByLoop.erase(name);
      auto gain = steps.integers.find(name);
      if (hasIndex && name == index && indexValue)
        st.env.integers[name] = Value{*indexValue};
      else if (gain != steps.integers.end())
        st.env.integers[name] = stepped(name, value, gain->second * number, gain->second, location);
      else if (auto range = steps.ranges.find(name); range != steps.ranges.end() && !value.mayWrap)
        st.env.integers[name] = Value{freshSymbol(name, name + " is carried by the loop", location, true, true,
                                                  value.expr + Symbolic(range->second.first) * number,
                                                  value.expr + Symbolic(range->second.second) * number)};
      else
        st.env.integers[name] = Value{usuallyAsBefore(freshSymbol(name, name + " is carried by the loop", location, true), name, &value, steps)};
    }
    for (auto &[name, pointer] : entryPointers) {
      st.env.leftByLoop.erase(name);
      auto gain = steps.pointers.find(name);
      bool rotates = llvm::any_of(steps.rotation, [&, wanted = name](auto &move) { return move.first == wanted; });
      Pointer at = pointer;
      if (!at.object.empty()) normalize(at);
      if (gain != steps.pointers.end()) {
        for (size_t d = 0; d < at.index.size() && d < gain->second.size(); ++d)
          if (at.index[d]) at.index[d] = *at.index[d] + gain->second[d] * number;
      } else if (!rotates) {
        auto targets = steps.targets.find(name);
        bool same = targets != steps.targets.end() && targets->second.size() == 2 && targets->second[0] == targets->second[1] &&
                    !at.object.empty();
        if (same) at.index.assign(at.index.size(), std::nullopt);
        else if (at.object.empty()) at = Pointer();
        else at = unknownPointer(name, object(at.object).element, location,
                                 targets == steps.targets.end() ? std::vector<std::string>() : targets->second);
      }
      st.env.pointers[name] = at;
    }
    loseTrack(steps.rotated, steps.following, location);
    if (opaqueBody) st.env.opaque = true;
    if (changed.count("?statics")) st.env.forgetsStatics = true;
  };

  // Of `do`: what the body left, before the condition itself adds to it.
  auto backBeforeCondition = [&] {
    for (const auto &[name, change] : steps.afterBody) {
      Value &value = st.env.integers[name];
      value = change ? Value{value.expr - *change, value.mayWrap} : Value{freshSymbol(name, name + " is carried by the loop", location, true)};
    }
    for (const auto &[name, change] : steps.pointersAfterBody) {
      Pointer &at = st.env.pointers[name];
      for (size_t d = 0; d < at.index.size(); ++d) {
        bool isKnown = d < change.size() && change[d] && at.index[d];
        at.index[d] = isKnown ? std::optional<Symbolic>(*at.index[d] - *change[d]) : std::nullopt;
      }
    }
  };

  // A global or a field that the condition is the first to name: what the body calls may change it.
  auto isReadAnew = [&](const std::string &symbol, unsigned mark) {
    auto facts = st.symbols.find(symbol);
    auto base = st.symbolBases.find(symbol);
    if (base == st.symbolBases.end() || (facts != st.symbols.end() && facts->second.serial <= mark)) return false;
    auto origin = st.fieldOrigins.find(base->second);
    if (origin == st.fieldOrigins.end() || entryIntegers.count(base->second)) return false;
    if (changed.count(base->second) || changed.count(fieldNamedLike(base->second))) return true;
    if (!opaqueBody) return false;
    std::set<const clang::FunctionDecl *> seen;
    return !unit.globalNames.count(base->second) || mayWriteInteger(parts.stmt, base->second, bytesOf(origin->second.type, context), seen);
  };

  // Where it stops. Sides of the condition that the loop does not change are evaluated before it.
  Environment before = st.env;
  Bound bound;
  size_t hoisted = out->size();
  std::set<std::string> boundReads;
  std::vector<skeleton::SteadyElement> boundElements;
  auto noteBound = [&](const Access &read) {
    boundReads.insert(read.array);
    skeleton::SteadyElement &one = boundElements.emplace_back();
    one.array = read.array;
    for (const Subscript &subscript : read.subscripts) one.subscripts.push_back(subscript.value);
  };
  bool condIsPure = true;
  if (parts.cond) {
    condIsPure = !parts.cond->HasSideEffects(context);
    st.frames.push_back(frame);
    Block scratch;
    Block *target = out;
    out = &scratch;
    unsigned mark = st.counter;
    Symbolic number = isDo ? iteration + 1 : iteration;
    std::optional<Symbolic> atCond;
    if (hasIndex) atCond = isDo ? symbol + Symbolic(*step) - shift : symbol - shift;
    enter(number, atCond);
    backBeforeCondition();
    unsigned carriedMark = st.counter;
    st.frames.pop_back();
    bound = lastIteration(parts.cond, loop.index);
    if (bound.indexWraps && st.ranges.isNonNegative(-loop.lower - 1)) bound.known = false; // a negative int is a huge unsigned
    flush();
    out = target;
    hoisted = out->size(); // what is fixed in loops around stands here already
    st.env = before;
    // Carried unknowns in the bound make it no bound; what was loaded is loaded once, before.
    if (bound.known)
      for (const std::string &name : bound.last.symbols()) {
        auto facts = st.symbols.find(name);
        if (facts != st.symbols.end() && facts->second.serial > mark && facts->second.serial <= carriedMark) bound.known = false;
        if (isReadAnew(name, carriedMark)) bound.known = false;
      }
    if (bound.known)
      for (Node &node : scratch) {
        if (auto *define = std::get_if<skeleton::Define>(&node.kind)) {
          if (st.symbols[define->symbol].serial > carriedMark || true) out->push_back(*define);
        } else if (auto *read = std::get_if<Access>(&node.kind)) {
          noteBound(*read);
          bool varies = false;
          for (const Subscript &subscript : read->subscripts)
            if (subscript.value && subscript.value->mentions(loop.index)) varies = true;
          if (varies) bound.known = false;
          if (read->kind == AccessKind::Read && !varies) out->push_back(*read);
        } else if (!std::holds_alternative<skeleton::Operations>(node.kind))
          bound.decisive = bound.known = false;
      }
    if (!bound.known && out->size() > hoisted) out->erase(out->begin() + hoisted, out->end());
    if (bound.known && bound.last.mentions(loop.index)) bound.known = false;
  }
  bool counted = bound.known;
  // `last` is solved in terms of the index symbol itself.
  Symbolic upper;
  if (counted) {
    upper = bound.last;
    if (hasIndex && *step < 0) counted = false; // solved below, with the index falling
  }
  if (hasIndex && *step < 0 && parts.cond) {
    // Mirror: solve for a rising stand-in m = -index.
    std::string mirror = freshName(loop.index + ".down");
    st.frames.push_back(frame);
    Block scratch;
    Block *target = out;
    out = &scratch;
    unsigned mark = st.counter;
    Symbolic falling = -Symbolic::symbol(mirror);
    Symbolic number = loop.lower - falling;
    if (isDo) number = number + 1;
    enter(number, isDo ? falling + Symbolic(*step) - shift : falling - shift);
    backBeforeCondition();
    unsigned carriedMark = st.counter;
    st.frames.pop_back();
    Bound mirrored = lastIteration(parts.cond, mirror);
    if (mirrored.indexWraps && st.ranges.isNonNegative(-loop.lower - 1)) mirrored.known = false;
    flush();
    out = target;
    hoisted = out->size();
    st.env = before;
    bool fine = mirrored.known && !mirrored.last.mentions(mirror);
    if (fine)
      for (const std::string &name : mirrored.last.symbols()) {
        auto facts = st.symbols.find(name);
        if (facts != st.symbols.end() && facts->second.serial > mark && facts->second.serial <= carriedMark) fine = false;
        if (isReadAnew(name, carriedMark)) fine = false;
      }
    if (fine) {
      for (Node &node : scratch) {
        if (auto *define = std::get_if<skeleton::Define>(&node.kind)) out->push_back(*define);
        else if (auto *read = std::get_if<Access>(&node.kind)) {
          noteBound(*read);
          for (const Subscript &subscript : read->subscripts)
            if (subscript.value && subscript.value->mentions(mirror)) fine = false;
          if (fine && read->kind == AccessKind::Read) out->push_back(*read);
        } else if (!std::holds_alternative<skeleton::Operations>(node.kind))
          fine = false;
      }
    }
    if (fine) {
      counted = true;
      upper = -mirrored.last;
      bound = mirrored;
    } else if (out->size() > hoisted)
      out->erase(out->begin() + hoisted, out->end());
  }
  if (counted && bound.untilEqual && (*(step ? step : std::optional<int64_t>(1)) > 0 ? upper - loop.lower : loop.lower - upper).constant().value_or(0) < -1)
    counted = false; // it begins behind the end
  if (parts.given) {
    counted = bound.known = bound.decisive = true;
    upper = parts.given->upper;
  }
  if (counted && isDo) {
    // The body runs once before the condition is asked: iteration 0 always, k + 1 if it held after k.
    Symbolic next = hasIndex ? upper + Symbolic(*step) : upper + 1;
    upper = hasIndex && *step < 0 ? min(next, loop.lower) : max(next, loop.lower);
  }
  bool exits = steps.exitsEarly;
  if (!counted) {
    find(Rule::UnknownTripCount, location, "how often this loop runs is not known; its trip count is a symbol");
    // The index keeps its meaning as the iteration's number.
    if (hasIndex) {
      hasIndex = false;
      loop.step = 1;
      loop.lower = Symbolic(0);
      iteration = symbol;
    }
    frame.indexVariable.clear();
    std::string trips = freshName("trips");
    st.symbols[trips] = {"trip count", true, false, 0, ++st.counter, Symbolic(isDo ? 1 : 0), {}};
    for (const Frame &outer : st.frames)
      if (!outer.isSwitch) st.symbols[trips].loop = outer.id;
    st.ranges.assumeSymbolNonNegative(trips);
    emit(skeleton::Define{trips, Symbolic(isDo ? 1 : 0), std::nullopt, std::nullopt, parts.cond ? textOf(parts.cond) : "endless loop", location});
    upper = Symbolic::symbol(trips) - 1;
  }
  loop.upper = upper;
  Symbolic last = !hasIndex ? upper - loop.lower : *step > 0 ? floorDiv(upper - loop.lower, *step) : floorDiv(loop.lower - upper, -*step);

  // The body for good.
  Block *outer = out;
  out = &loop.body;
  unsigned bodyMark = st.counter;
  st.symbols[loop.index] = {loop.index, false, false, 0, ++st.counter, {}, {}};
  size_t facts = st.ranges.mark();
  st.ranges.assume(loop.step > 0 ? symbol - loop.lower : loop.lower - symbol);
  st.ranges.assume(loop.step > 0 ? loop.upper - symbol : symbol - loop.upper);
  st.frames.push_back(frame);
  bool condInBody = parts.cond && !isDo && (!condIsPure || !counted || !bound.decisive);
  if (hasIndex) enter(iteration, condInBody ? symbol - shift : symbol);
  else enter(iteration, std::nullopt);
  noteCarriedPointers(parts, changed, steps, false);
  const Environment head = st.env;
  if (condInBody && counted && bound.decisive && hasIndex) {
    // Only its effects on the other variables matter.
    rvalue(parts.cond, false);
    st.env.integers[index] = Value{symbol};
  } else if (condInBody)
    condition(parts.cond);
  Flow flow = walkBody(parts, symbol);
  flush();
  std::vector<Environment> ends = std::move(st.frames.back().continues);
  if (!flow.always) ends.push_back(st.env);
  bool comesRound = !ends.empty();
  mergeAll(std::move(ends), location);
  if (parts.inc && comesRound) rvalue(parts.inc, false);
  if (isDo && parts.cond && (!condIsPure || !counted || !bound.decisive)) condition(parts.cond);
  if (st.frames.back().sharesIndex && comesRound) {
    Place shared;
    shared.variable = shared.at.object = index;
    shared.type = context.IntTy;
    write(shared, location);
  }
  flush();
  exits |= st.frames.back().exitsEarly;
  noteCarriedPointers(parts, changed, steps, true);
  if (comesRound) rotate(steps, entryPointers, location);
  Tables tables = mergeTables(before.tables, st.env.tables, false);
  for (const Environment &env : st.frames.back().breaks) tables = mergeTables(tables, env.tables, false);
  std::vector<Environment> ways = st.frames.back().breaks; // in which it is left, but for its end
  for (const auto &[label, environments] : st.gotos)
    for (size_t k = skippedBefore[label]; k < environments.size(); ++k) ways.push_back(environments[k]);
  const std::map<std::string, std::vector<std::string>> leftOtherwise = changedOnTheWayOut(head, ways, changed);
  std::set<std::string> held = std::move(st.frames.back().held);
  st.frames.pop_back();
  st.ranges.forget(facts);
  out = outer;
  loop.mayExitEarly = exits || !bound.decisive;
  if (loop.mayExitEarly && exits)
    find(Rule::EarlyExit, location, "this loop may be left early (break, return or goto)");
  // What is called may write only what its source lets it.
  bool callsMayWrite = !parts.stmt || llvm::any_of(boundReads, [&](const std::string &name) {
    const Array &array = object(name).array;
    std::set<const clang::FunctionDecl *> seen;
    return array.storage == Storage::Alias || array.type.kind == skeleton::ElementType::Kind::Struct || mayExchange(parts.stmt) ||
           mayWriteInteger(parts.stmt, name, array.type.bytes, seen);
  });
  // A bound that was read once must not change while the loop runs.
  std::function<bool(const Block &)> writes = [&](const Block &block) {
    for (const Node &node : block) {
      const auto *one = std::get_if<Access>(&node.kind);
      if (one && llvm::StringRef(one->array).starts_with("?") && callsMayWrite) return true; // whatever unseen code reaches
      if (one && one->kind != AccessKind::Read) {
        if (boundReads.count(one->array)) return true;
        if (st.objects.count(one->array) && object(one->array).array.storage == Storage::Alias) {
          const auto &list = object(one->array).array.mayBe;
          if (list.empty() || llvm::any_of(list, [&](auto &name) { return boundReads.count(name) != 0; })) return true;
        }
      } else if (const auto *inner = std::get_if<skeleton::Loop>(&node.kind)) {
        if (writes(inner->body)) return true;
      } else if (const auto *inner = std::get_if<skeleton::Branch>(&node.kind)) {
        if (writes(inner->then) || writes(inner->otherwise)) return true;
      } else if (const auto *inner = std::get_if<skeleton::HostStatement>(&node.kind)) {
        if (writes(inner->body)) return true;
      } else if (std::holds_alternative<skeleton::Call>(node.kind) && callsMayWrite)
        return true;
    }
    return false;
  };
  bool isTurnCountKnown = true;
  if (counted && !boundReads.empty() && writes(loop.body)) {
    isTurnCountKnown = false;
    std::string trips = freshName("trips");
    outer->push_back(skeleton::Define{trips, Symbolic(0), std::nullopt, std::nullopt, textOf(parts.cond), location});
    st.symbols[trips] = {"trip count", true, false, 0, ++st.counter, Symbolic(0), {}};
    loop.upper = loop.lower + Symbolic(loop.step) * (Symbolic::symbol(trips) - 1);
    counted = false;
    find(Rule::UnknownTripCount, location, "the loop's bound is read from memory that the loop may write");
  }
  noteIndex(parts, frame.indexVariable, location);
  if (!counted) boundElements.clear();
  takeSteady(loop, std::move(held), std::move(boundElements));
  const skeleton::LoopHead madeHead = loop; // the block moves when more is put into it
  out->push_back(std::move(loop));

  // The state after it.
  bool sure = counted && !madeHead.mayExitEarly;
  Symbolic trips = max(last + 1, Symbolic(0));
  if (st.ranges.isNonNegative(last + 1)) trips = last + 1;
  Environment inside = st.env;
  if (!isInLoop()) st.carriedPending[frame.id] = inside.inFlight;
  st.env = before;
  st.env.tables = std::move(tables);
  endFilling();
  st.env.opaque |= inside.opaque;
  st.env.inFlight = inside.inFlight; // where nothing was begun, nothing is waited for
  st.env.forgetsStatics |= inside.forgetsStatics;
  for (auto &[name, pointer] : inside.pointers)
    if (!before.pointers.count(name) && !changed.count(name)) continue;
  for (const std::string &name : changed) {
    if (auto entry = entryIntegers.find(name); entry != entryIntegers.end()) {
      auto gain = steps.integers.find(name);
      bool isUnsigned = false;
      if (sure && gain != steps.integers.end()) {
        Symbolic end = entry->second.expr + gain->second * trips;
        if (steps.beforeBody.count(name) && !isDo) end = end + steps.beforeBody[name];
        if (hasIndex && name == index && std::abs(*step) == 1 && shift.isZero()) {
          Symbolic over = madeHead.upper + Symbolic(*step);
          bool runs = st.ranges.isNonNegative(*step > 0 ? over - madeHead.lower : madeHead.lower - over);
          end = runs ? over : *step > 0 ? max(over, madeHead.lower) : min(over, madeHead.lower);
        }
        if (!end.isPoisoned() && !isUnsigned) {
          // Of an index at the function's own level no access was noted.
          bool isNoted = name != frame.indexVariable || llvm::any_of(st.frames, [](const Frame &around) { return !around.isSwitch; });
          if (isNoted && !gain->second.isZero()) st.env.leftByLoop.insert(name);
          if (Value stays = stepped(name, entry->second, end - entry->second.expr, gain->second, location); stays.expr != end) {
            st.env.integers[name] = stays;
            continue;
          }
          st.env.integers[name] = Value{end, entry->second.mayWrap || (steps.beforeBody.count(name) && !steps.beforeBody[name].isZero())};
          continue;
        }
      }
      auto range = steps.ranges.find(name);
      bool isBounded = range != steps.ranges.end() && !leftOtherwise.count(name) && isTurnCountKnown && !entry->second.mayWrap && !last.isPoisoned() &&
                       (!steps.beforeBody.count(name) || steps.beforeBody[name].isZero());
      if (isBounded)
        st.env.integers[name] = Value{freshSymbol(name, name + " after the loop", location, true, true,
                                                  entry->second.expr + Symbolic(range->second.first) * trips,
                                                  entry->second.expr + Symbolic(range->second.second) * trips)};
      else
        st.env.integers[name] = Value{usuallyAsBefore(freshSymbol(name, name + " after the loop", location, true), name, &entry->second, steps)};
      bool isOwn = llvm::isa_and_nonnull<clang::DeclStmt>(parts.init);
      if (name == frame.indexVariable && !isOwn) { // its steps were not written one by one
        Place place;
        place.at.object = name;
        place.type = context.IntTy;
        write(place, location);
      }
    } else if (inside.integers.count(name))
      st.env.integers[name] = Value{usuallyAsBefore(freshSymbol(name, name + " after the loop", location, true), name, nullptr, steps)};
    if (auto entry = entryPointers.find(name); entry != entryPointers.end()) {
      auto gain = steps.pointers.find(name);
      bool rotates = llvm::any_of(steps.rotation, [&](auto &move) { return move.first == name; });
      Pointer at = entry->second;
      if (rotates) {
        st.env.pointers[name] = at;
        continue;
      }
      if (!at.object.empty()) normalize(at);
      if (auto other = leftOtherwise.find(name); other != leftOtherwise.end()) {
        std::vector<std::string> targets = other->second;
        targets.push_back(at.object);
        if (auto end = inside.pointers.find(name); end != inside.pointers.end()) targets.push_back(end->second.object);
        if (llvm::any_of(targets, [](const std::string &target) { return target.empty(); })) targets.clear();
        clang::QualType element = at.object.empty() ? clang::QualType() : object(at.object).element;
        bool isSame = !targets.empty() && llvm::all_of(targets, [&](const std::string &target) { return target == at.object; });
        if (isSame) at.index.assign(at.index.size(), std::nullopt);
        st.env.pointers[name] = isSame ? at : unknownPointer(name, element, location, targets);
        continue;
      }
      if (gain != steps.pointers.end()) {
        for (size_t d = 0; d < at.index.size() && d < gain->second.size(); ++d) {
          if (sure && at.index[d] && !steps.movedByCondition.count(name)) at.index[d] = *at.index[d] + gain->second[d] * trips;
          else if (!gain->second[d].isZero() || steps.movedByCondition.count(name)) at.index[d] = std::nullopt;
        }
        st.env.pointers[name] = at;
        continue;
      }
    }
    if (auto end = inside.pointers.find(name); end != inside.pointers.end()) {
      auto entry = entryPointers.find(name);
      Pointer at = end->second;
      for (auto &position : at.index) position = std::nullopt;
      bool same = entry != entryPointers.end() && entry->second.object == at.object;
      if (entry != entryPointers.end() && !same && !at.object.empty() && !entry->second.object.empty())
        at = unknownPointer(name, object(at.object).element, location, {at.object, entry->second.object});
      st.env.pointers[name] = at;
    }
  }
  for (const std::string &name : changed) {
    auto gain = steps.pointers.find(name);
    bool stays = gain != steps.pointers.end() && llvm::all_of(gain->second, [](const Symbolic &one) { return one.isZero(); });
    bool rotates = llvm::any_of(steps.rotation, [&](const auto &move) { return move.first == name; });
    if (isPointerVariable(name) && !stays && !rotates) st.env.leftByLoop.insert(name);
  }
  loseTrack(steps.rotated, steps.following, location);
  exportValues(bodyMark, location);
  rangedArrays.resize(ranged);
  for (auto fixed = st.fixedElements.begin(); fixed != st.fixedElements.end();)
    fixed = fixed->second.first == frame.id ? st.fixedElements.erase(fixed) : std::next(fixed);
  for (auto &[label, environments] : st.gotos) // whoever jumped out of it left what it changes unknown, as here
    if (environments.size() > skippedBefore[label]) {
      environments.resize(skippedBefore[label]);
      environments.push_back(st.env);
    }
  Flow result;
  result.may = flow.may & ~unsigned(Breaks | Continues);
  // An endless loop without a way out.
  return result;
}

} // namespace busfare::frontend
