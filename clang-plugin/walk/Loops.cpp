//===- clang-plugin/walk/Loops.cpp - Loops, their counts and what they carry -===//
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
#include "OpenLoop.h"
#include "TriedLoop.h"
#include "llvm/Support/SaveAndRestore.h"

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

/// `do { ... } while (0)` is a block.
bool Walker::isBlock(const LoopParts &parts) const {
  if (parts.form != skeleton::LoopForm::Do || !parts.cond || parts.cond->isValueDependent()) return false;
  bool truth = true;
  return parts.cond->EvaluateAsBooleanCondition(truth, context) && !truth;
}

Flow Walker::executeOnce(const LoopParts &parts) {
  Frame frame;
  frame.scopes = st.scopes.size();
  frame.id = ++st.loops;
  frame.isSwitch = frame.isOnce = true; // breaks and continues both end it
  st.frames.push_back(frame);
  const unsigned mark = st.counter;
  Flow flow = execute(parts.body);
  std::vector<Environment> ends = st.frames.back().breaks;
  ends.insert(ends.end(), st.frames.back().continues.begin(), st.frames.back().continues.end());
  if (!flow.always) ends.push_back(st.env);
  st.frames.pop_back();
  exportEnds(ends, mark, locate(parts.stmt));
  if (!ends.empty()) mergeAll(std::move(ends), locate(parts.stmt));
  flow.always = flow.always && !(flow.may & (Breaks | Continues));
  flow.may &= ~unsigned(Breaks | Continues);
  return flow;
}

/// An iteration on trial. Pointers in tables that it changes are others in the next, which may change more of them.
Walker::Steps Walker::tryIterations(const LoopParts &parts, std::set<std::string> &changed) {
  Steps steps = tryIteration(parts, changed);
  for (unsigned round = 0;; ++round) {
    Tables start = mergeTables(st.env.tables, steps.tables, true);
    if (start == st.env.tables) return steps;
    if (round == 4) forgetTables();
    else st.env.tables = std::move(start);
    steps = tryIteration(parts, changed);
    if (round == 4) return steps;
  }
}

/// The index alone, by its increment.
Walker::Steps Walker::tryIncrement(const LoopParts &parts, const std::string &index) {
  LoopParts only = parts;
  clang::NullStmt nothing((clang::SourceLocation()));
  only.body = &nothing;
  only.cond = nullptr;
  std::set<std::string> alone = {index};
  TriedLoop nowhere;
  llvm::SaveAndRestore in(triedAround, &nowhere);
  Steps steps = tryIteration(only, alone);
  steps.beforeBody[index] = Symbolic(0);
  steps.exitsEarly = false;
  return steps;
}

/// Adds what code that is not seen, or not walked, may change. isDeep: nobody looked.
void Walker::noteUnseenChanges(const Steps &steps, bool isDeep, std::set<std::string> &changed) {
  bool isOwnCode = isDeep || steps.forgetsStatics;
  const bool isPlain = !isOwnCode && !steps.forgetsPointers;
  changed.insert("?opaque");
  if (isOwnCode) changed.insert("?statics");
  if (!isPlain) changed.insert("?pointers");
  changed.insert(st.addressTaken.begin(), st.addressTaken.end());
  for (auto &[name, origin] : st.fieldOrigins)
    if (!isOwnField(name) && (isOwnCode || !(survivesUnseen(name) || (isPlain && mayBeSteady(name)))))
      changed.insert(name);
  if (!isDeep) return;
  for (auto &[name, value] : st.env.integers) changed.insert(name);
  for (auto &[name, pointer] : st.env.pointers) changed.insert(name);
  changed.erase("this");
}

Flow Walker::executeLoop(const LoopParts &parts) {
  if (parts.inc) dropValue(parts.inc);
  if (parts.init && !parts.given) {
    std::string own = indexVariable(parts);
    bool isNew = quiet.insert(own).second;
    execute(parts.init);
    if (isNew) quiet.erase(own);
  }
  const auto *forLoop = llvm::dyn_cast<clang::ForStmt>(parts.stmt);
  const auto *whileLoop = llvm::dyn_cast<clang::WhileStmt>(parts.stmt);
  if ((forLoop && forLoop->getConditionVariable()) || (whileLoop && whileLoop->getConditionVariable())) {
    unsupported(parts.stmt, "a condition that declares a variable");
    return Flow();
  }
  if (!parts.body && !parts.run) return Flow();
  makeRoomAhead(parts.body);
  if (isBlock(parts)) return executeOnce(parts);
  if (std::optional<unsigned> turns = turnsOverAddresses(parts)) return executeTurns(parts, *turns);
  forgetElementsOf(parts.stmt);
  std::string index = parts.given ? "" : indexVariable(parts);
  std::set<std::string> changed = changedBy(parts);
  readCarried(changed, locate(parts.stmt));
  readFixed(parts, changed, locate(parts.stmt));
  Steps steps;
  // Where trials are not remembered, they double the work at each level.
  constexpr unsigned deepest = 5, mostTried = 100000;
  const bool isMuch = trialDepth > 0 && triedStatements > mostTried;
  bool isDeep = trialDepth > deepest || isMuch;
  loopsCut += isDeep;
  bool isPlain = !isDeep && !needsTrial(parts, changed, index);
  TriedLoop outermost;
  TriedLoop &tried = triedAround ? triedAround->meet({parts.stmt, {}}) : outermost;
  if (auto before = isDeep || isPlain ? std::nullopt : stepsTriedBefore(tried, changed, locate(parts.stmt)))
    steps = *before;
  else if (!isDeep && !isPlain) {
    const Tables tables = st.env.tables;
    const unsigned cut = loopsCut, triedBefore = triedStatements;
    {
      llvm::SaveAndRestore in(triedAround, &tried);
      steps = tryIterations(parts, changed);
    }
    if (trialDepth == 0 && cut != loopsCut && triedBefore <= mostTried && triedStatements > mostTried)
      find(Rule::EffortExceeded, locate(parts.stmt),
           "loops nest so deep that from here on what the inner ones change is not followed; it counts as unknown");
    const bool keepsTables = tables == steps.tables && tables == st.env.tables;
    if (triedAround && keepsTables && cut == loopsCut && holdInEachWalk(steps))
      tried.steps = steps, tried.changed = changed;
    else tried.steps.reset();
  } else if (isDeep && mayChangeTables({parts.cond, parts.body, parts.inc})) forgetTables();
  if (isDeep || steps.isOpaque || steps.forgetsStatics || steps.forgetsPointers)
    noteUnseenChanges(steps, isDeep, changed);
  if (isPlain && !parts.given) steps = tryIncrement(parts, index);
  tried.beginWalk();
  llvm::SaveAndRestore in(triedAround, &tried);
  return finishLoop(parts, changed, steps, index);
}

/// What so many steps make of a value; unknown if an unsigned one may run over its word.
Value Walker::stepped(const std::string &name, const Value &before, const Symbolic &change, const Symbolic &step,
                      Location location) {
  Symbolic after = before.expr + change;
  auto decl = llvm::find_if(st.names, [&](const auto &named) { return named.second == name; });
  auto origin = st.fieldOrigins.find(name);
  clang::QualType type = decl != st.names.end()            ? decl->first->getType().getNonReferenceType()
                         : origin != st.fieldOrigins.end() ? origin->second.type
                                                           : clang::QualType();
  bool isUnsigned = !type.isNull() && type->isUnsignedIntegerOrEnumerationType() && context.getIntWidth(type) <= 32;
  if (!isUnsigned || step.isZero()) return Value{after, before.mayWrap};
  unsigned bits = context.getIntWidth(type);
  const int64_t most = (int64_t(1) << bits) - 1;
  bool isLong =
      step.constant().value_or(0) >= int64_t(1) << (bits * 5 / 8) && !st.ranges.isNonNegative(Symbolic(most) - after);
  if (!isLong && !mayExceed(after, most)) return Value{after, before.mayWrap};
  return Value{freshSymbol(name, name + " runs over its word", location, true, true, Symbolic(0), Symbolic(most))};
}

Flow Walker::walkBody(const LoopParts &parts, const Symbolic &index) {
  if (parts.given && parts.given->bind) parts.given->bind(index);
  for (const clang::Expr *between : {parts.cond, parts.inc}) destroyTemporaries(between);
  return parts.run ? parts.run() : execute(parts.body);
}

bool Walker::isPointerVariable(const std::string &name) const {
  if (st.env.pointers.count(name) || st.entryPointers.count(name)) return true;
  return llvm::any_of(st.names, [&](const auto &named) {
    return named.second == name && classOf(named.first->getType()) == TypeClass::Pointer;
  });
}

/// The pointer variable itself, not what it points to.
Place Walker::memoryOfPointer(const std::string &variable) {
  Place place;
  place.at.object = variable + skeleton::pointerSuffix;
  place.type = context.getUIntPtrType();
  if (st.isDeclared(place.at.object)) return place;
  Location location;
  for (const auto &[decl, name] : st.names)
    if (name == variable) location = locate(decl->getLocation());
  declareObject(place.at.object, place.type, Storage::Local, location);
  return place;
}

/// Pointer variables that outlive an iteration, and what an iteration does to them: a known step (`*p++`) leaves a
/// closed form; one that is set before it is used needs a copy for each iteration; any other goes on from where the
/// iteration before left it. Rotated ones are the Rotate's.
void Walker::noteCarriedPointers(const LoopParts &parts, const std::set<std::string> &changed, const Steps &steps,
                                 bool atEnd) {
  Location location = locate(parts.stmt);
  for (const std::string &name : changed) {
    if (!isPointerVariable(name)) continue;
    if (llvm::any_of(steps.rotation, [&](const auto &move) { return move.first == name; }) ||
        steps.followers.count(name))
      continue;
    auto gain = steps.pointers.find(name);
    if (gain != steps.pointers.end()) {
      bool stays = llvm::all_of(gain->second, [](const Symbolic &one) { return one.isZero(); });
      if (!stays && atEnd) write(memoryOfPointer(name), location, false, true);
      continue;
    }
    bool isSetFirst = unit.statements.setsFirst(parts.body, [&](const clang::VarDecl *variable) {
      auto named = st.names.find(llvm::cast<clang::ValueDecl>(variable->getCanonicalDecl()));
      return named != st.names.end() && named->second == name;
    });
    if (!isSetFirst && !atEnd) read(memoryOfPointer(name), location);
    if (isSetFirst != atEnd) write(memoryOfPointer(name), location);
  }
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
  bool isSet = parts.init && unit.statements.setsFirst(parts.init, [&](const clang::VarDecl *other) {
    return other->getCanonicalDecl() == variable->getCanonicalDecl();
  });
  if (!isSet) read(place, location);
  write(place, location);
}

/// The variable that counts becomes the index if an iteration changes it by one constant, and what else moves does so
/// once each step.
void Walker::chooseIndex(OpenLoop &open) {
  const Steps &steps = open.steps;
  const std::string &index = open.variable;
  open.hasIndex =
      !index.empty() && steps.integers.count(index) && (st.env.integers.count(index) || st.entryIntegers.count(index));
  if (!open.hasIndex) return;
  std::optional<int64_t> step = steps.integers.at(index).constant();
  open.start = readInteger(index, context.IntTy, open.location).expr;
  open.step = step.value_or(0);
  auto byCondition = steps.beforeBody.find(index);
  open.shift = open.step && byCondition != steps.beforeBody.end() ? byCondition->second : Symbolic(0);
  bool othersMove = !steps.pointers.empty();
  for (auto &[name, gain] : steps.integers) othersMove |= name != index && !gain.isZero();
  othersMove |= !steps.toggles.empty();
  open.hasIndex =
      open.step && open.shift.constant() && (std::abs(open.step) == 1 || !othersMove) && !open.start.isPoisoned();
}

/// All of the loop's head but where it ends.
void Walker::beginHead(OpenLoop &open) {
  const LoopParts &parts = open.parts;
  skeleton::Loop &loop = open.loop;
  loop.form = parts.form;
  loop.directive = parts.directive;
  loop.location = open.location;
  loop.index = freshName(parts.given ? parts.given->index : open.variable.empty() ? "it" : open.variable);
  takeLoopHints(parts.stmt, parts.body, loop);
  open.symbol = Symbolic::symbol(loop.index);
  loop.step = open.hasIndex ? open.step : 1;
  loop.lower = open.hasIndex ? open.start + open.shift : parts.given ? parts.given->lower : Symbolic(0);
  open.iteration = open.distance(loop.lower, open.symbol);
}

/// The values of what the loop changes, before it. What an earlier loop left, or an earlier iteration of one around,
/// and is gone on from here, is read here.
void Walker::noteEntry(OpenLoop &open) {
  for (const std::string &name : open.changed) {
    if (auto known = st.env.pointers.find(name); known != st.env.pointers.end())
      open.entryPointers[name] = known->second;
    else if (auto entry = st.entryPointers.find(name); entry != st.entryPointers.end())
      open.entryPointers[name] = entry->second;
    if (auto known = st.env.integers.find(name); known != st.env.integers.end())
      open.entryIntegers[name] = known->second;
    else if (auto entry = st.entryIntegers.find(name); entry != st.entryIntegers.end())
      open.entryIntegers[name] = entry->second;
  }
  for (const auto &[name, value] : open.entryIntegers) {
    if (name == open.variable) continue;
    auto gain = open.steps.integers.find(name);
    if (gain != open.steps.integers.end() && !gain->second.isZero() && dependsOnMemory(value.expr))
      st.env.leftByLoop.insert(name);
    readLeftByLoop(name, open.location);
  }
  for (const auto &[name, pointer] : open.entryPointers)
    if (st.env.leftByLoop.count(name)) read(memoryOfPointer(name), open.location);
}

void Walker::openFrame(OpenLoop &open, unsigned mark) {
  Frame &frame = open.frame;
  frame.scopes = st.scopes.size();
  frame.id = ++st.loops;
  frame.changed = open.changed;
  frame.indexVariable = open.hasIndex ? open.variable : "";
  for (auto &[name, gain] : open.steps.integers) frame.inductive.insert(name);
  for (auto &[name, sum] : open.steps.toggles) frame.inductive.insert(name);
  frame.alternation = open.steps.alternation;
  frame.stmt = open.parts.stmt;
  frame.symbol = open.loop.index;
  if (open.loop.step == 1) frame.lower = open.loop.lower;
  frame.around = out;
  frame.mark = mark;
  frame.objects = st.objectOrder.size();
  for (const auto &[label, environments] : st.gotos) open.skippedBefore[label] = environments.size();
}

/// An integer that the loop changes, at the start of an iteration.
Value Walker::integerAtStart(const OpenLoop &open, const std::string &name, const Value &entry,
                             const Symbolic &number) {
  const Steps &steps = open.steps;
  if (auto gain = steps.integers.find(name); gain != steps.integers.end())
    return stepped(name, entry, gain->second * number, gain->second, open.location);
  if (auto sum = steps.toggles.find(name); sum != steps.toggles.end())
    if (Symbolic now = toggled(entry.expr, sum->second, number); !now.isPoisoned()) return Value{now, entry.mayWrap};
  std::string reason = name + " is carried by the loop";
  if (auto range = steps.ranges.find(name); range != steps.ranges.end() && !entry.mayWrap)
    return Value{freshSymbol(name, reason, open.location, true, true,
                             entry.expr + Symbolic(range->second.first) * number,
                             entry.expr + Symbolic(range->second.second) * number)};
  return Value{usuallyAsBefore(freshSymbol(name, reason, open.location, true), name, &entry, steps)};
}

/// Likewise a pointer.
Pointer Walker::pointerAtStart(const OpenLoop &open, const std::string &name, const Pointer &entry,
                               const Symbolic &number) {
  const Steps &steps = open.steps;
  Pointer at = entry;
  if (!at.object.empty()) normalize(at);
  if (auto gain = steps.pointers.find(name); gain != steps.pointers.end()) {
    for (size_t d = 0; d < at.index.size() && d < gain->second.size(); ++d)
      if (at.index[d]) at.index[d] = *at.index[d] + gain->second[d] * number;
    return at;
  }
  if (open.rotates(name)) return at;
  if (at.object.empty()) return Pointer();
  auto targets = steps.targets.find(name);
  if (targets == steps.targets.end()) return unknownPointer(name, object(at.object).element, open.location);
  if (targets->second.size() != 2 || targets->second[0] != targets->second[1])
    return unknownPointer(name, object(at.object).element, open.location, targets->second);
  at.index.assign(at.index.size(), std::nullopt);
  return at;
}

/// The state at the start of iteration `number`.
void Walker::enterIteration(const OpenLoop &open, const Symbolic &number, const std::optional<Symbolic> &indexValue) {
  for (auto &[name, entry] : open.entryIntegers) {
    st.env.leftByLoop.erase(name);
    bool isIndex = open.hasIndex && name == open.variable && indexValue;
    st.env.integers[name] = isIndex ? Value{*indexValue} : integerAtStart(open, name, entry, number);
  }
  for (auto &[name, entry] : open.entryPointers) {
    st.env.leftByLoop.erase(name);
    st.env.pointers[name] = pointerAtStart(open, name, entry, number);
  }
  loseTrack(open.steps.rotated, open.steps.following, open.location, &open.frame);
  if (open.isOpaque()) st.env.opaque = true;
  if (open.changed.count("?statics")) st.env.forgetsStatics = true;
  if (open.changed.count("?pointers")) st.env.forgetsPointers = true;
}

/// The body for good, into open.loop.
Flow Walker::walkForGood(OpenLoop &open) {
  const LoopParts &parts = open.parts;
  skeleton::Loop &loop = open.loop;
  for (const Symbolic *bound : {&loop.lower, &loop.upper}) nameElements(*bound);
  open.outer = out;
  out = &loop.body;
  open.bodyMark = st.counter;
  st.symbols[loop.index] = {loop.index, false, false, 0, ++st.counter, {}, {}};
  size_t facts = st.ranges.mark();
  bool isUp = loop.step > 0;
  st.ranges.assume(isUp ? open.symbol - loop.lower : loop.lower - open.symbol);
  st.ranges.assume(isUp ? loop.upper - open.symbol : open.symbol - loop.upper);
  if (open.frame.lower && open.counted && open.bound.decisive) open.frame.upper = loop.upper;
  st.frames.push_back(open.frame);
  bool isTested = parts.cond && !open.isTestIdle();
  if (!open.hasIndex) enterIteration(open, open.iteration, std::nullopt);
  else enterIteration(open, open.iteration, isTested && !open.isDo() ? open.symbol - open.shift : open.symbol);
  if (!knowsFollowers(open)) open.steps.followers.clear();
  noteCarriedPointers(parts, open.changed, open.steps, false);
  const Environment head = st.env;
  if (isTested && !open.isDo()) {
    if (open.counted && open.bound.decisive && open.hasIndex) { // only its effects on the other variables matter
      rvalue(parts.cond, false);
      st.env.integers[open.variable] = Value{open.symbol};
    } else condition(parts.cond);
  }
  Flow flow = open.steps.followers.empty() ? walkBody(parts, open.symbol) : walkWithFollowers(open);
  flush();
  std::vector<Environment> ends = std::move(st.frames.back().continues);
  if (!flow.always) ends.push_back(st.env);
  bool comesRound = !ends.empty();
  mergeAll(std::move(ends), open.location);
  if (parts.inc && comesRound) rvalue(parts.inc, false);
  if (isTested && open.isDo()) condition(parts.cond);
  endIteration(open, head, comesRound);
  st.ranges.forget(facts);
  out = open.outer;
  return flow;
}

/// What an iteration leaves, at its end and where it breaks off.
void Walker::endIteration(OpenLoop &open, const Environment &head, bool comesRound) {
  if (st.frames.back().sharesIndex && comesRound) {
    Place shared;
    shared.variable = shared.at.object = open.variable;
    shared.type = context.IntTy;
    write(shared, open.location);
  }
  flush();
  noteCarriedPointers(open.parts, open.changed, open.steps, true);
  Frame &frame = st.frames.back();
  open.mayExit = open.steps.exitsEarly || frame.exitsEarly;
  open.restoresTurns = !open.steps.alternation.empty() && open.steps.rotation.empty() && open.counted &&
                       open.bound.decisive && !open.bound.untilEqual && !open.mayExit &&
                       !mod(open.last, 2).isPoisoned();
  if (comesRound) {
    exchangeStructs(open.entryPointers, open.location);
    rotate(open);
  }
  open.mayExitUnguarded = frame.exitsUnguarded;
  open.tables = mergeTables(open.before.tables, st.env.tables, false);
  for (const Environment &env : frame.breaks) open.tables = mergeTables(open.tables, env.tables, false);
  std::vector<Environment> ways = frame.breaks; // in which it is left, but for its end
  for (const auto &[label, environments] : st.gotos)
    for (size_t k = open.skippedBefore[label]; k < environments.size(); ++k) ways.push_back(environments[k]);
  open.leftOtherwise = changedOnTheWayOut(head, ways, open.changed);
  open.held = std::move(frame.held);
  open.believed = std::move(frame.believed);
  st.frames.pop_back();
}

Flow Walker::finishLoop(const LoopParts &parts, const std::set<std::string> &changed, Steps &steps,
                        const std::string &index) {
  flush();
  st.env.parsed.clear(); // an iteration may change the texts for the next one
  OpenLoop open{parts, changed, steps, index, locate(parts.stmt)};
  unsigned entryMark = st.counter;
  size_t ranged = rangedArrays.size();
  chooseIndex(open);
  beginHead(open);
  noteEntry(open);
  openFrame(open, entryMark);
  open.before = st.env;
  if (parts.cond) solveCondition(open);
  countTurns(open);
  Flow flow = walkForGood(open);
  open.loop.mayExitEarly = open.mayExit || !open.bound.decisive;
  open.loop.endsInside = open.loop.mayExitEarly && open.bound.decisive && !open.mayExitUnguarded;
  if (open.mayExit) find(Rule::EarlyExit, open.location, "this loop may be left early (break, return or goto)");
  keepBound(open);
  noteIndex(parts, open.frame.indexVariable, open.location);
  if (!open.counted) open.boundElements.clear();
  takeSteady(open.loop, parts.cond, std::move(open.held), std::move(open.boundElements));
  if (!open.believed.empty())
    open.loop.believing = std::vector<std::string>(open.believed.begin(), open.believed.end());
  open.made = open.loop; // the block moves when more is put into it
  const std::optional<Filled> filled = filledBy(open);
  put(std::move(open.loop));
  takeStateAfter(open);
  keepElementsOf(open.before);
  if (filled) noteFilled(*filled);
  mergeSizesOfLoop(open.before);
  exportValues(open.bodyMark, open.location);
  rangedArrays.resize(ranged);
  for (auto fixed = st.fixedElements.begin(); fixed != st.fixedElements.end();)
    fixed = fixed->second.first == open.frame.id ? st.fixedElements.erase(fixed) : std::next(fixed);
  for (auto fixed = st.fixedPointers.begin(); fixed != st.fixedPointers.end();)
    fixed = fixed->second.first == open.frame.id ? st.fixedPointers.erase(fixed) : std::next(fixed);
  for (auto &[label, environments] : st.gotos) // whoever jumped out of it left what it changes unknown, as here
    if (environments.size() > open.skippedBefore[label]) {
      environments.resize(open.skippedBefore[label]);
      environments.push_back(st.env);
    }
  Flow result;
  result.may = flow.may & ~unsigned(Breaks | Continues);
  return result;
}

} // namespace busfare::frontend
