//===- clang-plugin/walk/CarriedVariables.cpp - What an iteration changes -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The variables that a loop's body may change, and what one iteration does to each:
// found by walking the body once on a copy of the state, every carried variable
// standing for its value at the iteration's start.
//
//   while (left > 0) { *p++ = 0; left -= 2; }     p gains 1, left gains -2
//
//===----------------------------------------------------------------------===//
#include "TriedLoop.h"
#include "clang-plugin/library/MessageTable.h"

namespace busfare::frontend {

std::string fieldNamedLike(llvm::StringRef variable) {
  size_t end = variable.find_last_of(".>:");
  return "?field " + variable.substr(end == llvm::StringRef::npos ? 0 : end + 1).str();
}

/// Variables whose value is not known when the loop is reached (branches left different ones), and that it does not
/// change: one value for all iterations, which gets its name before the loop.
void Walker::readFixed(const LoopParts &parts, const std::set<std::string> &changed, Location location) {
  std::function<void(const clang::Stmt *)> look = [&](const clang::Stmt *stmt) {
    if (!stmt) return;
    const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(stmt);
    const auto *variable = ref ? llvm::dyn_cast<clang::VarDecl>(ref->getDecl()) : nullptr;
    bool isOwn = variable && variable->isLocalVarDecl() && !variable->isStaticLocal() &&
                 classOf(variable->getType()) == TypeClass::Integer && isTrackedType(variable->getType()) &&
                 !variable->getType()->isReferenceType();
    auto named = isOwn ? st.names.find(llvm::cast<clang::ValueDecl>(variable->getCanonicalDecl())) : st.names.end();
    if (named != st.names.end()) {
      const std::string name = named->second;
      bool isKnown =
          st.env.integers.count(name) || st.entryIntegers.count(name) || changed.count(name) || isChangedAround(name);
      if (!isKnown) readInteger(name, variable->getType(), location);
    }
    for (const clang::Stmt *part : partsOf(stmt)) look(part);
  };
  for (const clang::Stmt *part : std::initializer_list<const clang::Stmt *>{parts.cond, parts.body, parts.inc})
    look(part);
}

/// Variables a statement may change. Those declared inside are `local`.
void Walker::collectChanged(const clang::Stmt *stmt, std::set<std::string> &changed,
                            std::set<const clang::Decl *> &local) {
  if (!stmt) return;
  std::function<void(const clang::Expr *)> changes = [&](const clang::Expr *target) {
    target = target->IgnoreParenCasts();
    if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(target)) {
      if (const auto *binding = llvm::dyn_cast<clang::BindingDecl>(ref->getDecl()); binding && binding->getBinding()) {
        changes(binding->getBinding());
        return;
      }
      const auto *variable = llvm::dyn_cast<clang::VarDecl>(ref->getDecl());
      if (!variable || local.count(variable->getCanonicalDecl())) return;
      if (auto bound = st.references.find(variable->getCanonicalDecl()); bound != st.references.end()) {
        if (!bound->second.variable.empty()) {
          changed.insert(bound->second.variable);
          if (hasSize(handleOf(bound->second.type))) changed.insert(sizeOf(bound->second.variable).variable);
        }
      } else if (variable->getType()->isReferenceType() && variable->isLocalVarDecl() && variable->getInit()) {
        changes(variable->getInit()); // of a range-for: bound anew in each iteration
      } else if (isTrackedType(variable->getType())) {
        changed.insert(nameOf(variable));
        if (hasSize(handleOf(variable->getType()))) changed.insert(sizeOf(nameOf(variable)).variable);
        if (variable->hasGlobalStorage()) placeOfVariable(variable, variable->getLocation()); // known to callers
      }
      return;
    }
    if (const auto *access = llvm::dyn_cast<clang::MemberExpr>(target)) {
      // By name: whichever struct it is.
      std::string field = access->getMemberDecl()->getNameAsString();
      if (!isTrackedType(access->getType())) return;
      auto matches = [&](llvm::StringRef name) {
        name.consume_back(sizeSuffix);
        return isFieldCalled(name, field);
      };
      bool any = false;
      for (auto &[name, found] : st.fieldOrigins)
        if (matches(name)) any = true, changed.insert(name);
      for (const std::string &name : st.objectOrder)
        if (matches(name)) any = true, changed.insert(name);
      for (auto &[name, pointer] : st.env.pointers)
        if (matches(name)) any = true, changed.insert(name);
      if (const auto *base = variableOf(access->getBase()); base && !any) {
        std::string name = nameOf(base) + (access->isArrow() ? "->" : ".") + field;
        changed.insert(name);
        if (hasSize(handleOf(access->getType()))) changed.insert(sizeOf(name).variable);
      }
      return;
    }
    if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(target); op && op->getOpcode() == clang::UO_Deref)
      changed.insert(st.addressTaken.begin(), st.addressTaken.end());
  };
  if (const auto *declaration = llvm::dyn_cast<clang::DeclStmt>(stmt))
    for (const clang::Decl *decl : declaration->decls()) {
      local.insert(decl->getCanonicalDecl());
      if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
        if (variable->getInit()) collectChanged(variable->getInit(), changed, local);
        if (variable->getType()->isReferenceType() && variable->getInit() &&
            !variable->getType()->getPointeeType().isConstQualified())
          changes(variable->getInit());
      }
    }
  // Structs that are followed hold their values in variables of their own.
  auto changesFields = [&](llvm::function_ref<bool(llvm::StringRef)> isOne) {
    auto note = [&](const std::string &name) {
      if ((llvm::StringRef(name).contains('.') || llvm::StringRef(name).contains("->")) && isOne(name))
        changed.insert(name);
    };
    for (const auto &[name, value] : st.env.integers) note(name);
    for (const auto &[name, pointer] : st.env.pointers) note(name);
    for (const auto &[name, origin] : st.fieldOrigins) note(name);
  };
  if (const auto *expr = llvm::dyn_cast<clang::Expr>(stmt); expr && copiedRecord(expr)) {
    changesFields([](llvm::StringRef) { return true; });
    for (const clang::Stmt *child : partsOf(stmt)) collectChanged(child, changed, local);
    return;
  }
  if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(stmt); op && op->isAssignmentOp()) changes(op->getLHS());
  if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(stmt)) {
    if (op->isIncrementDecrementOp() || op->getOpcode() == clang::UO_AddrOf) changes(op->getSubExpr());
  }
  if (const auto *made = llvm::dyn_cast<clang::CallExpr>(stmt)) {
    const clang::FunctionDecl *callee = calleeOf(made);
    bool isWalkedHere = isLoopingCall(made);
    auto alsoBody = [&](const clang::FunctionDecl *function) {
      const clang::FunctionDecl *definition = bodyThatRuns(function);
      if (definition && local.insert(definition).second) collectChanged(definition->getBody(), changed, local);
    };
    if (callee && walksInPlace(made)) {
      isWalkedHere = true;
      alsoBody(callee);
    }
    for (const clang::Expr *argument : made->arguments())
      if (const clang::CXXRecordDecl *record = callableClassOf(argument->getType()); record && isWalkedHere)
        for (const clang::CXXMethodDecl *method : callOperatorsOf(record)) alsoBody(method);
    for (const clang::CXXMethodDecl *method : lambdasHeldBy(made)) alsoBody(method);
    if (changesHandle(made)) changes(objectOf(made) ? objectOf(made) : made->getArg(0));
    Summary *known = callee ? unit.summaryOf(callee) : nullptr;
    bool isSystem = callee && context.getSourceManager().isInSystemHeader(callee->getLocation());
    bool opaque = known ? known->state != Summary::State::Done || known->doesOpaqueThings || known->storesAnywhere
                        : !isWalkedHere && !isSystem && !(callee && callee->getBuiltinID()) && !messageFormOf(callee);
    if (known)
      for (const std::string &name : known->writtenGlobals) {
        changed.insert(name);
        placeOfGlobal(name, locate(made)); // known to callers
      }
    if (known)
      for (auto &[position, suffix] : known->writtenFields) {
        std::string own = fieldOfArgument(made, position, suffix, local);
        if (!own.empty()) changed.insert(own);
        changed.insert(fieldNamedLike(suffix)); // those that are not met yet
        for (auto &[name, origin] : st.fieldOrigins)
          if (llvm::StringRef(name).ends_with(suffix)) changed.insert(name);
        changesFields([&, &end = suffix](llvm::StringRef name) { return isFieldCalled(name, end); });
      }
    bool isOwnCode = known && (known->state != Summary::State::Done || known->forgetsStatics);
    if (isOwnCode) changed.insert("?statics");
    if (opaque) {
      changed.insert(st.addressTaken.begin(), st.addressTaken.end());
      const bool isPlain = !isOwnCode && !(known && known->storesAnywhere);
      for (auto &[name, origin] : st.fieldOrigins)
        if (!isOwnField(name) && (isOwnCode || !(survivesUnseen(name) || (isPlain && mayBeSteady(name)))))
          changed.insert(name);
      changed.insert("?opaque");
      if (!isPlain) changed.insert("?pointers");
      // Those of a local struct whose address it is given.
      changesFields([&](llvm::StringRef name) {
        return (!st.fieldOrigins.count(name.str()) || isOwnField(name.str())) && !(isPlain && mayBeSteady(name.str()));
      });
    }
    for (unsigned k = 0; k < made->getNumArgs(); ++k)
      if (callee && k < callee->getNumParams()) {
        clang::QualType type = callee->getParamDecl(k)->getType();
        if (type->isReferenceType() && !type->getPointeeType().isConstQualified()) changes(made->getArg(k));
      }
  }
  for (const clang::Stmt *child : partsOf(stmt)) collectChanged(child, changed, local);
}

std::set<std::string> Walker::changedBy(const LoopParts &parts) {
  std::set<std::string> changed;
  std::set<const clang::Decl *> local;
  collectChanged(parts.cond, changed, local);
  collectChanged(parts.body, changed, local);
  collectChanged(parts.inc, changed, local);
  return changed;
}

/// False if each carried variable is plainly the loop's own index or set before use, so one walk is enough.
bool Walker::needsTrial(const LoopParts &parts, const std::set<std::string> &changed, const std::string &index) {
  if (!parts.given && (parts.form != skeleton::LoopForm::For || index.empty() || !parts.inc)) return true;
  std::set<std::string> inBody;
  std::set<const clang::Decl *> local;
  collectChanged(parts.body, inBody, local);
  collectChanged(parts.cond, inBody, local);
  if (inBody.count(index)) return true;
  if (changesUnnamed(parts.body) || changesUnnamed(parts.cond)) return true;
  if (mayExchange(parts.body) || unit.statements.mayChooseInTurn(parts.body)) return true;
  if (mayChangeTables({parts.cond, parts.body, parts.inc})) return true;
  for (const std::string &name : changed) {
    if (name == index || llvm::StringRef(name).starts_with("?")) continue;
    auto isIt = [&](const clang::VarDecl *variable) {
      auto named = st.names.find(llvm::cast<clang::ValueDecl>(variable->getCanonicalDecl()));
      return named != st.names.end() && named->second == name;
    };
    if (!unit.statements.setsFirst(parts.body, isIt)) return true;
  }
  return false;
}

/// Walks one iteration on a copy of the state, each carried variable standing for itself. Again, with what the first
/// try exchanged, if it exchanged anything: a rotation counts if it is one whatever other pointers denote by then.
Walker::Steps Walker::tryIteration(const LoopParts &parts, std::set<std::string> &changed) {
  Steps first = tryOnce(parts, changed, {}, {});
  while (!first.alsoChanged.empty()) { // what follows from those may change, too
    changed.insert(first.alsoChanged.begin(), first.alsoChanged.end());
    readCarried(changed, locate(parts.stmt));
    first = tryOnce(parts, changed, {}, {});
  }
  if (!first.rotated.empty()) first.alternation.clear(); // one way at a time
  for (const auto &[one, other] : first.alternation) first.rotated.insert({one, other});
  if (first.rotated.empty()) return first;
  Steps again = tryOnce(parts, changed, first.rotated, first.following);
  again.rotated.insert(first.rotated.begin(), first.rotated.end());
  again.alternation = first.alternation;
  if (again.rotation != first.rotation) {
    for (auto &[variable, ends] : again.rotation) again.targets[variable] = {ends};
    again.rotation.clear();
    again.following.clear();
    for (auto &[name, list] : again.targets)
      if (!list.empty()) list.insert(list.end(), again.rotated.begin(), again.rotated.end());
  }
  return again;
}

/// Integers that change places with others of the same value stay what they are: sizes of arrays that are swapped.
void Walker::noteExchangedEquals(const std::map<std::string, Symbolic> &now, const State &before, Steps &steps) {
  auto valueBefore = [&](const std::string &name) -> std::optional<Symbolic> {
    if (auto found = before.env.integers.find(name); found != before.env.integers.end()) return found->second.expr;
    if (auto found = before.entryIntegers.find(name); found != before.entryIntegers.end()) return found->second.expr;
    return std::nullopt;
  };
  std::map<std::string, std::string> from; // where each has its value from
  for (auto &[name, start] : now) {
    auto end = st.env.integers.find(name);
    if (end == st.env.integers.end() || steps.integers.count(name)) continue;
    for (auto &[other, symbol] : now)
      if (end->second.expr == symbol && valueBefore(name) && valueBefore(name) == valueBefore(other))
        from[name] = other;
  }
  for (bool again = true; again;) {
    again = false;
    for (auto &[name, other] : from) {
      bool stays = from.count(other) || (steps.integers.count(other) && steps.integers[other].isZero());
      if (stays) continue;
      from.erase(name);
      again = true;
      break;
    }
  }
  for (auto &[name, other] : from) steps.integers[name] = Symbolic(0);
}

/// `if (a[i] > 0) j++;` adds between 0 and 1.
void Walker::noteGainRange(const std::string &name, const Symbolic &end, const Symbolic &start, unsigned entryMark,
                           Steps &steps) {
  auto [least, most] = boundsWithout(end, [&](const std::string &symbol) {
    auto facts = st.symbols.find(symbol);
    return facts != st.symbols.end() && facts->second.serial > entryMark && Symbolic::symbol(symbol) != start;
  });
  if (!least || !most) return;
  auto low = (*least - start).constant(), high = (*most - start).constant();
  if (low && high) steps.ranges[name] = {std::min<int64_t>(*low, 0), std::max<int64_t>(*high, 0)};
}

/// What the condition of a `do` adds to what its body left.
void Walker::noteConditionOfDo(
    const std::map<std::string, Symbolic> &integers, const std::map<std::string, Pointer> &pointers,
    const Environment &body,
    llvm::function_ref<std::optional<Symbolic>(const Symbolic &end, const Symbolic &start)> gained, Steps &steps) {
  for (const auto &[name, start] : integers) {
    auto left = body.integers.find(name);
    auto end = st.env.integers.find(name);
    if (left == body.integers.end() || end == st.env.integers.end() || left->second.expr == end->second.expr) continue;
    steps.afterBody[name] = gained(end->second.expr, left->second.expr);
  }
  for (const auto &[name, start] : pointers) {
    auto left = body.pointers.find(name);
    auto end = st.env.pointers.find(name);
    if (left == body.pointers.end() || end == st.env.pointers.end() || left->second == end->second) continue;
    const Pointer &a = left->second, &b = end->second;
    std::vector<std::optional<Symbolic>> moved(start.index.size());
    if (a.object == b.object && a.index.size() == moved.size() && b.index.size() == moved.size())
      for (size_t d = 0; d < moved.size(); ++d)
        if (a.index[d] && b.index[d]) moved[d] = gained(*b.index[d], *a.index[d]);
    steps.pointersAfterBody[name] = moved;
  }
}

Walker::Steps Walker::tryOnce(const LoopParts &parts, const std::set<std::string> &changed,
                              const std::set<std::string> &rotated, const std::set<std::string> &following) {
  Guesses guesses{flagsOf(parts, changed), {}};
  const std::string index = indexVariable(parts);
  auto start = st.env.integers.find(index);
  const bool isAsked =
      changed.count(index) && start != st.env.integers.end() && unit.statements.mayChooseInTurn(parts.body);
  if (isAsked && st.ranges.isNonNegative(start->second.expr)) guesses.naturals.insert(index);
  while (true) {
    const Guesses before = guesses;
    Steps steps = tryWith(parts, changed, rotated, following, guesses);
    if (guesses == before) return steps;
  }
}

/// What turns out not to be so at the end of the iteration goes from the guesses.
Walker::Steps Walker::tryWith(const LoopParts &parts, const std::set<std::string> &changed,
                              const std::set<std::string> &rotated, const std::set<std::string> &following,
                              Guesses &guesses) {
  Steps steps;
  State saved = [&] { // but for what goes back by itself
    Names names = std::move(static_cast<Names &>(st));
    State copy = st;
    static_cast<Names &>(st) = std::move(names);
    return copy;
  }();
  const size_t taken = st.taken.open(), symbols = st.symbols.open(), ended = st.ended.open();
  Block body = std::move(summary.function.body); // all that stands before the loop; a trial adds nothing to it
  Summary savedSummary = summary;
  std::vector<Environment> savedReturns = returns;
  Block scratch, savedPrologue = prologue;
  Block *before = out;
  out = &scratch;
  ++trialDepth;
  triedAround->inside.clear(); // what was tried there held for fewer changes
  unsigned entryMark = st.counter;
  Frame frame;
  frame.scopes = st.scopes.size();
  frame.id = ++st.loops;
  frame.changed = changed;
  frame.stmt = parts.stmt;
  frame.mark = st.counter;
  frame.objects = st.objectOrder.size();
  st.frames.push_back(frame);
  for (Frame &one : st.frames) one.around = &scratch; // what stands before an outer loop is not for a trial to change
  loseTrack(rotated, following, locate(parts.stmt));
  std::map<std::string, Symbolic> now;
  std::map<std::string, Pointer> pointersNow;
  for (const std::string &name : changed) {
    if (auto known = st.env.integers.find(name); known != st.env.integers.end() || st.entryIntegers.count(name)) {
      std::string symbol = freshName(name + "@");
      st.symbols[symbol] = {name, false, false, st.frames.back().id, ++st.counter, {}, {}};
      now[name] = Symbolic::symbol(symbol);
      st.env.integers[name] = Value{now[name]};
      if (guesses.flags.count(name) || guesses.naturals.count(name)) st.ranges.assume(now[name]);
      if (guesses.flags.count(name)) st.ranges.assume(Symbolic(1) - now[name]);
    }
    std::optional<Pointer> start;
    if (auto known = st.env.pointers.find(name); known != st.env.pointers.end()) start = known->second;
    else if (auto entry = st.entryPointers.find(name); entry != st.entryPointers.end()) start = entry->second;
    if (start) {
      normalize(*start);
      for (auto &position : start->index) {
        if (!position) continue;
        std::string symbol = freshName(name + "@");
        st.symbols[symbol] = {name, false, false, st.frames.back().id, ++st.counter, {}, {}};
        position = Symbolic::symbol(symbol);
      }
      pointersNow[name] = *start;
      st.env.pointers[name] = *start;
    }
  }
  auto isOfBefore = [&](const Symbolic &expr) {
    return !expr.isPoisoned() && llvm::none_of(expr.symbols(), [&](const std::string &symbol) {
      auto facts = st.symbols.find(symbol);
      return facts != st.symbols.end() && facts->second.serial > entryMark;
    });
  };
  // What an iteration adds, if that is the same in each: made of nothing the iteration defines or changes.
  auto gained = [&](const Symbolic &end, const Symbolic &start) -> std::optional<Symbolic> {
    Symbolic gain = end - start;
    return isOfBefore(gain) ? std::optional(gain) : std::nullopt;
  };
  if (parts.cond && parts.form != skeleton::LoopForm::Do) rvalue(parts.cond, false);
  for (auto &[name, start] : now)
    if (auto change = gained(readInteger(name, context.IntTy, {}).expr, start)) steps.beforeBody[name] = *change;
  if (parts.form != skeleton::LoopForm::Do)
    for (const auto &[name, start] : pointersNow)
      if (auto end = st.env.pointers.find(name); end == st.env.pointers.end() || !(end->second == start))
        steps.movedByCondition.insert(name);
  bool wasOpaque = st.env.opaque, forgotStatics = st.env.forgetsStatics, forgotPointers = st.env.forgetsPointers;
  Symbolic index;
  if (parts.given) {
    std::string symbol = freshName(parts.given->index);
    st.symbols[symbol] = {symbol, false, false, 0, ++st.counter, {}, {}};
    index = Symbolic::symbol(symbol);
    st.ranges.assume(index - parts.given->lower);
    st.ranges.assume(parts.given->upper - index);
  }
  Flow flow = walkBody(parts, index);
  std::vector<Environment> ends = st.frames.back().continues;
  if (!flow.always) ends.push_back(st.env);
  steps.exitsEarly = st.frames.back().exitsEarly || (flow.may & (Returns | Leaves));
  mergeAll(std::move(ends), {});
  steps.isOpaque = st.env.opaque && !wasOpaque && !changed.count("?opaque");
  steps.forgetsStatics = st.env.forgetsStatics && !forgotStatics;
  steps.forgetsPointers = st.env.forgetsPointers && !forgotPointers && !changed.count("?pointers");
  if (parts.inc) rvalue(parts.inc, false);
  if (parts.cond && parts.form == skeleton::LoopForm::Do) {
    Environment body = st.env;
    rvalue(parts.cond, false);
    noteConditionOfDo(now, pointersNow, body, gained, steps);
  }
  exchangeStructs(pointersNow, locate(parts.stmt));
  noteUsuallyKept(now, changed, steps);
  for (auto &[name, start] : now) {
    auto end = st.env.integers.find(name);
    if (end == st.env.integers.end()) {
      guesses.flags.erase(name);
      guesses.naturals.erase(name);
      continue;
    }
    const bool isStillFlag = guesses.flags.count(name) && isFlag(end->second.expr);
    if (!isStillFlag) guesses.flags.erase(name);
    if (!st.ranges.isNonNegative(end->second.expr)) guesses.naturals.erase(name);
    if (auto change = gained(end->second.expr, start)) steps.integers[name] = *change;
    else {
      noteGainRange(name, end->second.expr, start, entryMark, steps);
      noteToggle(name, start, end->second.expr, isOfBefore, isStillFlag, steps);
    }
  }
  noteExchangedEquals(now, saved, steps);
  std::map<std::string, std::string> target; // where a pointer ends, by object
  for (auto &[name, start] : pointersNow) {
    auto end = st.env.pointers.find(name);
    if (end == st.env.pointers.end()) continue;
    Pointer last = end->second;
    if (!last.object.empty() && st.objects.count(last.object)) normalize(last);
    if (last.variable != start.variable) {
      steps.targets[name] = {};
      continue;
    }
    if (last.object != start.object || last.index.size() != start.index.size()) {
      // Elsewhere: perhaps part of a permutation of whole arrays.
      bool fromStart = true;
      for (auto &[other, begin] : pointersNow)
        if (begin.object == last.object) fromStart = fromStart && begin.index == last.index;
      if (fromStart) target[name] = last.object;
      steps.targets[name] = {start.object, last.object};
      continue;
    }
    std::vector<Symbolic> moved;
    for (size_t d = 0; d < start.index.size(); ++d) {
      auto change = start.index[d] && last.index[d] ? gained(*last.index[d], *start.index[d]) : std::nullopt;
      if (!change) break;
      moved.push_back(*change);
    }
    if (moved.size() == start.index.size()) steps.pointers[name] = moved;
    else steps.targets[name] = {start.object, start.object};
  }
  steps.alsoChanged = foundChanges(saved, changed, parts.stmt);
  findRotation(steps, target, pointersNow);
  findFollowers(steps, pointersNow);
  steps.rotated = st.frames.back().rotated;
  steps.following = st.frames.back().following;
  std::vector<std::pair<std::string, std::string>> moves;
  std::set<std::string> own, tables;
  for (auto &[variable, ends] : steps.rotation) {
    own.insert(ends);
    steps.following.insert(variable);
    moves.push_back({pointersNow.at(variable).object, ends});
  }
  for (auto &rows : movesOfRows(moves, tables, locate(parts.stmt)))
    for (auto &[name, ends] : rows) own.insert(ends);
  steps.rotated.insert(own.begin(), own.end());
  loseRotated(own, tables);
  steps.tables = st.env.tables;
  auto valuesInTurn = [&](bool isOdd) {
    skeleton::Substitution values;
    for (const auto &[name, start] : now) {
      auto before = saved.env.integers.find(name);
      auto gain = steps.integers.find(name);
      auto sum = steps.toggles.find(name);
      if (before == saved.env.integers.end()) continue;
      if (gain != steps.integers.end())
        values[*start.asSymbol()] = before->second.expr + gain->second * numberInTurn(isOdd);
      else if (sum != steps.toggles.end())
        values[*start.asSymbol()] = isOdd ? sum->second - before->second.expr : before->second.expr;
    }
    return values;
  };
  steps.alternation = alternating(st.frames.back().choices, valuesInTurn, saved);
  // Objects made by the trial are gone with it; an Alias among them stands for its targets.
  for (auto &[name, list] : steps.targets) {
    std::vector<std::string> real;
    bool isOpen = list.empty();
    for (const std::string &target : list) {
      if (target.empty()) isOpen = true;
      else if (saved.isDeclared(target)) real.push_back(target);
      else if (const Array &array = object(target).array; array.storage == Storage::Alias && !array.mayBe.empty())
        real.insert(real.end(), array.mayBe.begin(), array.mayBe.end());
      else isOpen = true;
    }
    list = isOpen ? std::vector<std::string>() : real;
  }
  for (auto &[name, list] : steps.targets) {
    if (!llvm::all_of(list, [&](const std::string &object) { return saved.isDeclared(object); })) list.clear();
    // What one of the exchanged names denotes in one iteration, another denotes in the next.
    if (llvm::any_of(list, [&](const std::string &object) { return steps.rotated.count(object) != 0; }))
      list.insert(list.end(), steps.rotated.begin(), steps.rotated.end());
  }
  --trialDepth;
  st.taken.backTo(taken);
  st.symbols.backTo(symbols);
  st.ended.backTo(ended);
  Names names = std::move(static_cast<Names &>(st));
  st = std::move(saved);
  static_cast<Names &>(st) = std::move(names);
  summary = std::move(savedSummary);
  summary.function.body = std::move(body);
  returns = std::move(savedReturns);
  prologue = std::move(savedPrologue);
  out = before;
  return steps;
}

} // namespace busfare::frontend
