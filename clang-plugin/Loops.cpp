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

static const clang::VarDecl *variableOf(const clang::Expr *expr) {
  const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(expr->IgnoreParenImpCasts());
  return ref ? llvm::dyn_cast<clang::VarDecl>(ref->getDecl()) : nullptr;
}

/// What a directive stands before, without the wrappers in between; null if it stands alone. (Not
/// getInnermostCapturedStmt: critical, atomic and others capture nothing.)
static const clang::Stmt *bodyOf(const clang::OMPExecutableDirective &directive) {
  if (!directive.hasAssociatedStmt()) return nullptr;
  const clang::Stmt *body = directive.getAssociatedStmt();
  while (const auto *captured = llvm::dyn_cast_or_null<clang::CapturedStmt>(body)) body = captured->getCapturedStmt();
  return body;
}

/// Variables a statement may change. Those declared inside are `local`.
void Walker::collectChanged(const clang::Stmt *stmt, std::set<std::string> &changed,
                            std::set<const clang::Decl *> &local) {
  if (!stmt) return;
  auto changes = [&](const clang::Expr *target) {
    target = target->IgnoreParenCasts();
    if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(target)) {
      const auto *variable = llvm::dyn_cast<clang::VarDecl>(ref->getDecl());
      if (!variable || local.count(variable->getCanonicalDecl())) return;
      if (auto bound = st.references.find(variable->getCanonicalDecl()); bound != st.references.end()) {
        if (!bound->second.variable.empty()) changed.insert(bound->second.variable);
      } else if (isTrackedType(variable->getType())) {
        changed.insert(nameOf(variable));
        if (variable->hasGlobalStorage()) placeOfVariable(variable, variable->getLocation()); // known to callers
      }
      return;
    }
    if (const auto *access = llvm::dyn_cast<clang::MemberExpr>(target)) {
      // By name: whichever struct it is.
      std::string field = access->getMemberDecl()->getNameAsString();
      if (!isTrackedType(access->getType())) return;
      auto matches = [&](llvm::StringRef name) { return name.ends_with("->" + field) || name.ends_with("." + field); };
      bool any = false;
      for (auto &[name, found] : st.fieldOrigins)
        if (matches(name)) any = true, changed.insert(name);
      for (const std::string &name : st.objectOrder)
        if (matches(name)) any = true, changed.insert(name);
      for (auto &[name, pointer] : st.env.pointers)
        if (matches(name)) any = true, changed.insert(name);
      if (!any && access->isArrow() && variableOf(access->getBase()))
        changed.insert(nameOf(variableOf(access->getBase())) + "->" + field);
      else if (!any && variableOf(access->getBase()))
        changed.insert(nameOf(variableOf(access->getBase())) + "." + field);
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
        if (variable->getType()->isReferenceType() && variable->getInit() && !variable->getType()->getPointeeType().isConstQualified())
          changes(variable->getInit());
      }
    }
  if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(stmt); op && op->isAssignmentOp()) changes(op->getLHS());
  if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(stmt)) {
    if (op->isIncrementDecrementOp() || op->getOpcode() == clang::UO_AddrOf) changes(op->getSubExpr());
  }
  if (const auto *made = llvm::dyn_cast<clang::CallExpr>(stmt)) {
    const clang::FunctionDecl *callee = calleeOf(made);
    Summary *known = callee ? unit.summaryOf(callee) : nullptr;
    bool isSystem = callee && context.getSourceManager().isInSystemHeader(callee->getLocation());
    bool opaque = known ? known->state != Summary::State::Done || known->doesOpaqueThings : !isSystem && !(callee && callee->getBuiltinID());
    if (known)
      for (const std::string &name : known->writtenGlobals) changed.insert(name);
    if (known)
      for (auto &[position, suffix] : known->writtenFields)
        for (auto &[name, origin] : st.fieldOrigins)
          if (llvm::StringRef(name).ends_with(suffix)) changed.insert(name);
    if (opaque) {
      changed.insert(st.addressTaken.begin(), st.addressTaken.end());
      for (auto &[name, origin] : st.fieldOrigins) changed.insert(name);
      changed.insert("?opaque");
    }
    for (unsigned k = 0; k < made->getNumArgs(); ++k)
      if (callee && k < callee->getNumParams()) {
        clang::QualType type = callee->getParamDecl(k)->getType();
        if (type->isReferenceType() && !type->getPointeeType().isConstQualified()) changes(made->getArg(k));
      }
  }
  for (const clang::Stmt *child : stmt->children()) collectChanged(child, changed, local);
}

std::set<std::string> Walker::changedBy(const LoopParts &parts) {
  std::set<std::string> changed;
  std::set<const clang::Decl *> local;
  collectChanged(parts.cond, changed, local);
  collectChanged(parts.body, changed, local);
  collectChanged(parts.inc, changed, local);
  return changed;
}

/// The variable whose steps count the loop: changed by the increment, or compared in the condition.
std::string Walker::indexVariable(const LoopParts &parts) {
  std::string found;
  std::function<void(const clang::Stmt *, bool)> search = [&](const clang::Stmt *stmt, bool any) {
    if (!stmt || !found.empty()) return;
    if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(stmt); op && op->isIncrementDecrementOp() && !any)
      if (const auto *variable = variableOf(op->getSubExpr()); variable && classOf(variable->getType()) == TypeClass::Integer)
        found = nameOf(variable);
    if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(stmt); op && op->isAssignmentOp() && !any)
      if (const auto *variable = variableOf(op->getLHS()); variable && classOf(variable->getType()) == TypeClass::Integer)
        found = nameOf(variable);
    if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(stmt); ref && any)
      if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(ref->getDecl());
          variable && classOf(variable->getType()) == TypeClass::Integer && isTrackedType(variable->getType())) {
        std::set<std::string> changed;
        std::set<const clang::Decl *> local;
        collectChanged(parts.body, changed, local);
        collectChanged(parts.cond, changed, local);
        if (changed.count(nameOf(variable))) found = nameOf(variable);
      }
    for (const clang::Stmt *child : stmt->children()) search(child, any);
  };
  // The increment's variable that the condition mentions comes first.
  if (parts.inc && parts.cond) {
    std::set<std::string> stepped, mentioned;
    std::set<const clang::Decl *> local;
    collectChanged(parts.inc, stepped, local);
    std::function<void(const clang::Stmt *)> mention = [&](const clang::Stmt *stmt) {
      if (!stmt) return;
      if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(stmt))
        if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(ref->getDecl());
            variable && classOf(variable->getType()) == TypeClass::Integer && found.empty() && stepped.count(nameOf(variable)))
          found = nameOf(variable);
      for (const clang::Stmt *child : stmt->children()) mention(child);
    };
    mention(parts.cond);
    if (!found.empty()) return found;
  }
  search(parts.inc, false);
  if (found.empty()) search(parts.cond, true);
  return found;
}

/// Whether the statement surely sets the variable before it reads it.
static bool setsFirst(const clang::Stmt *stmt, llvm::function_ref<bool(const clang::VarDecl *)> isIt) {
  std::function<bool(const clang::Stmt *)> mentions = [&](const clang::Stmt *at) {
    if (!at) return false;
    if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(at))
      if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(ref->getDecl()); variable && isIt(variable)) return true;
    if (const auto *decls = llvm::dyn_cast<clang::DeclStmt>(at))
      for (const clang::Decl *decl : decls->decls())
        if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl); variable && mentions(variable->getInit())) return true;
    return llvm::any_of(at->children(), mentions);
  };
  std::function<int(const clang::Stmt *)> verdict = [&](const clang::Stmt *at) -> int { // 1 set, 0 untouched, -1 read
    if (!at || !mentions(at)) return 0;
    if (const auto *block = llvm::dyn_cast<clang::CompoundStmt>(at)) {
      for (const clang::Stmt *child : block->body())
        if (int known = verdict(child)) return known;
      return 0;
    }
    if (const auto *loop = llvm::dyn_cast<clang::ForStmt>(at)) {
      if (int known = verdict(loop->getInit())) return known;
      return -1;
    }
    if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(at)) {
      if (op->getOpcode() == clang::BO_Comma) {
        if (int known = verdict(op->getLHS())) return known;
        return verdict(op->getRHS());
      }
      if (op->getOpcode() == clang::BO_Assign && variableOf(op->getLHS()) && isIt(variableOf(op->getLHS())) &&
          llvm::isa<clang::DeclRefExpr>(op->getLHS()->IgnoreParens()))
        return mentions(op->getRHS()) ? -1 : 1;
    }
    if (const auto *wrapped = llvm::dyn_cast<clang::OMPExecutableDirective>(at)) {
      const clang::Stmt *body = bodyOf(*wrapped);
      return body ? verdict(body) : -1;
    }
    return -1;
  };
  return verdict(stmt) == 1;
}

/// False if each carried variable is plainly the loop's own index or set before use, so one walk is enough.
bool Walker::needsTrial(const LoopParts &parts, const std::set<std::string> &changed, const std::string &index) {
  if (parts.form != skeleton::LoopForm::For || index.empty() || !parts.inc) return true;
  std::set<std::string> inBody;
  std::set<const clang::Decl *> local;
  collectChanged(parts.body, inBody, local);
  collectChanged(parts.cond, inBody, local);
  if (inBody.count(index)) return true;
  // A store through a pointer may turn out to change fields and variables whose address is out.
  std::function<bool(const clang::Stmt *)> storesIndirectly = [&](const clang::Stmt *stmt) -> bool {
    if (!stmt) return false;
    const clang::Expr *target = nullptr;
    if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(stmt); op && op->isAssignmentOp()) target = op->getLHS();
    if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(stmt); op && op->isIncrementDecrementOp()) target = op->getSubExpr();
    if (target && isTrackedType(target->getType()) && !llvm::isa<clang::DeclRefExpr>(target->IgnoreParens())) return true;
    return llvm::any_of(stmt->children(), storesIndirectly);
  };
  if ((!st.fieldOrigins.empty() || !st.addressTaken.empty()) && storesIndirectly(parts.body)) return true;
  if (mayExchange(parts.body)) return true;
  for (const std::string &name : changed) {
    if (name == index || name == "?opaque") continue;
    auto isIt = [&](const clang::VarDecl *variable) {
      auto named = st.names.find(llvm::cast<clang::ValueDecl>(variable->getCanonicalDecl()));
      return named != st.names.end() && named->second == name;
    };
    if (!setsFirst(parts.body, isIt)) return true;
  }
  return false;
}

/// Walks one iteration on a copy of the state, each carried variable standing for itself. Again, with what the first
/// try exchanged, if it exchanged anything: a rotation counts if it is one whatever other pointers denote by then.
Walker::Steps Walker::tryIteration(const LoopParts &parts, const std::set<std::string> &changed) {
  Steps first = tryOnce(parts, changed, {}, {});
  if (first.rotated.empty()) return first;
  Steps again = tryOnce(parts, changed, first.rotated, first.following);
  again.rotated.insert(first.rotated.begin(), first.rotated.end());
  if (again.rotation != first.rotation) {
    for (auto &[variable, ends] : again.rotation) again.targets[variable] = {ends};
    again.rotation.clear();
    again.following.clear();
    for (auto &[name, list] : again.targets)
      if (!list.empty()) list.insert(list.end(), again.rotated.begin(), again.rotated.end());
  }
  return again;
}

Walker::Steps Walker::tryOnce(const LoopParts &parts, const std::set<std::string> &changed,
                              const std::set<std::string> &rotated, const std::set<std::string> &following) {
  Steps steps;
  State saved = st;
  Summary savedSummary = summary;
  std::vector<Environment> savedReturns = returns;
  Block scratch, savedPrologue = prologue;
  Block *before = out;
  out = &scratch;
  ++trialDepth;
  unsigned entryMark = st.counter;
  Frame frame;
  frame.id = ++st.loops;
  frame.changed = changed;
  st.frames.push_back(frame);
  loseTrack(rotated, following, locate(parts.stmt));
  std::map<std::string, Symbolic> now;
  std::map<std::string, Pointer> pointersNow;
  for (const std::string &name : changed) {
    if (auto known = st.env.integers.find(name); known != st.env.integers.end() || st.entryIntegers.count(name)) {
      std::string symbol = freshName(name + "@");
      st.symbols[symbol] = {name, false, false, st.frames.back().id, ++st.counter, {}, {}};
      now[name] = Symbolic::symbol(symbol);
      st.env.integers[name] = Value{now[name]};
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
  // What an iteration adds, if that is the same in each: made of nothing the iteration defines or changes.
  auto gained = [&](const Symbolic &end, const Symbolic &start) -> std::optional<Symbolic> {
    Symbolic gain = end - start;
    if (gain.isPoisoned()) return std::nullopt;
    for (const std::string &symbol : gain.symbols()) {
      auto facts = st.symbols.find(symbol);
      if (facts != st.symbols.end() && facts->second.serial > entryMark) return std::nullopt;
    }
    return gain;
  };
  if (parts.cond && parts.form != skeleton::LoopForm::Do) rvalue(parts.cond, false);
  for (auto &[name, start] : now)
    if (auto change = gained(readInteger(name, context.IntTy, {}).expr, start)) steps.beforeBody[name] = *change;
  bool wasOpaque = st.env.opaque;
  Flow flow = execute(parts.body);
  std::vector<Environment> ends = st.frames.back().continues;
  if (!flow.always) ends.push_back(st.env);
  steps.exitsEarly = st.frames.back().exitsEarly || (flow.may & (Returns | Leaves));
  mergeAll(std::move(ends), {});
  steps.isOpaque = st.env.opaque && !wasOpaque && !changed.count("?opaque");
  if (parts.inc) rvalue(parts.inc, false);
  if (parts.cond && parts.form == skeleton::LoopForm::Do) rvalue(parts.cond, false);
  for (auto &[name, start] : now) {
    auto end = st.env.integers.find(name);
    if (end == st.env.integers.end()) continue;
    if (auto change = gained(end->second.expr, start)) steps.integers[name] = *change;
  }
  std::map<std::string, std::string> target; // where a pointer ends, by object
  for (auto &[name, start] : pointersNow) {
    auto end = st.env.pointers.find(name);
    if (end == st.env.pointers.end()) continue;
    Pointer last = end->second;
    if (!last.object.empty() && st.objects.count(last.object)) normalize(last);
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
  findRotation(steps, target, pointersNow);
  steps.rotated = st.frames.back().rotated;
  steps.following = st.frames.back().following;
  for (auto &[variable, ends] : steps.rotation) {
    steps.rotated.insert(ends);
    steps.following.insert(variable);
  }
  // Objects made by the trial are gone with it; an Alias among them stands for its targets.
  for (auto &[name, list] : steps.targets) {
    std::vector<std::string> real;
    bool isOpen = list.empty();
    for (const std::string &target : list) {
      if (target.empty()) isOpen = true;
      else if (llvm::is_contained(saved.objectOrder, target)) real.push_back(target);
      else if (const Array &array = object(target).array; array.storage == Storage::Alias && !array.mayBe.empty())
        real.insert(real.end(), array.mayBe.begin(), array.mayBe.end());
      else isOpen = true;
    }
    list = isOpen ? std::vector<std::string>() : real;
  }
  for (auto &[name, list] : steps.targets) {
    if (!llvm::all_of(list, [&](const std::string &object) { return llvm::is_contained(saved.objectOrder, object); })) list.clear();
    // What one of the exchanged names denotes in one iteration, another denotes in the next.
    if (llvm::any_of(list, [&](const std::string &object) { return steps.rotated.count(object) != 0; }))
      list.insert(list.end(), steps.rotated.begin(), steps.rotated.end());
  }
  --trialDepth;
  st = std::move(saved);
  summary = std::move(savedSummary);
  returns = std::move(savedReturns);
  prologue = std::move(savedPrologue);
  out = before;
  return steps;
}

/// Solves `value(iteration) >= 0` for the largest iteration, value falling with it.
Walker::Bound Walker::lastIterationOf(const clang::BinaryOperator *compare, const std::string &iteration) {
  Bound bound;
  Symbolic difference; // left - right
  bool isPointer = compare->getLHS()->getType()->isPointerType();
  if (isPointer) {
    Pointer a = pointer(compare->getLHS()), b = pointer(compare->getRHS());
    if (a.object.empty() || a.object != b.object) return bound;
    normalize(a);
    normalize(b);
    if (a.index.size() != 1 || !a.index[0] || !b.index[0]) return bound;
    difference = *a.index[0] - *b.index[0];
  } else {
    if (classOf(compare->getLHS()->getType()) != TypeClass::Integer) return bound;
    difference = integer(compare->getLHS()).expr - integer(compare->getRHS()).expr;
  }
  auto solve = [&](const Symbolic &value) {
    auto slope = value.coefficientOf(iteration);
    auto factor = slope ? slope->constant() : std::nullopt;
    if (!factor || *factor >= 0 || value.isPoisoned()) return;
    bound.last = floorDiv(value.without(iteration), -*factor);
    bound.known = true;
  };
  switch (compare->getOpcode()) {
  case clang::BO_LT: solve(-difference - 1); break;
  case clang::BO_LE: solve(-difference); break;
  case clang::BO_GT: solve(difference - 1); break;
  case clang::BO_GE: solve(difference); break;
  case clang::BO_NE: {
    // Runs until they meet: with steps of one they do, else if the distance divides.
    auto slope = difference.coefficientOf(iteration);
    auto factor = slope ? slope->constant() : std::nullopt;
    if (!factor || *factor == 0) break;
    Symbolic towards = *factor < 0 ? difference : -difference;
    int64_t size = std::abs(*factor);
    bool divides = size == 1;
    if (!divides) divides = mod(towards.without(iteration), size).isZero();
    if (divides) solve(towards - 1);
    break;
  }
  default: break;
  }
  return bound;
}

Walker::Bound Walker::lastIteration(const clang::Expr *cond, const std::string &iteration) {
  Bound bound;
  cond = cond->IgnoreParenImpCasts();
  if (const auto *wrapped = llvm::dyn_cast<clang::ExprWithCleanups>(cond)) cond = wrapped->getSubExpr()->IgnoreParenImpCasts();
  if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(cond)) {
    if (op->getOpcode() == clang::BO_LAnd) {
      Bound a = lastIteration(op->getLHS(), iteration), b = lastIteration(op->getRHS(), iteration);
      bound.known = a.known || b.known;
      bound.decisive = a.known && b.known && a.decisive && b.decisive;
      bound.last = a.known && b.known ? min(a.last, b.last) : a.known ? a.last : b.last;
      return bound;
    }
    if (op->isComparisonOp()) return lastIterationOf(op, iteration);
  }
  if (classOf(cond->getType()) != TypeClass::Integer) {
    if (cond->getType()->isPointerType()) pointer(cond);
    else rvalue(cond, false);
    return bound;
  }
  // A count that is tested for zero.
  Symbolic value = integer(cond).expr;
  auto slope = value.coefficientOf(iteration);
  auto factor = slope ? slope->constant() : std::nullopt;
  if (!factor || std::abs(*factor) != 1) return bound;
  Symbolic towards = *factor < 0 ? value : -value;
  bound.last = towards.without(iteration) - 1;
  bound.known = true;
  return bound;
}

Flow Walker::executeLoop(const LoopParts &parts) {
  if (parts.init) {
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
  if (!parts.body) return Flow();
  // `do { ... } while (0)` is a block.
  if (parts.form == skeleton::LoopForm::Do && parts.cond) {
    bool truth = true;
    if (!parts.cond->isValueDependent() && parts.cond->EvaluateAsBooleanCondition(truth, context) && !truth) {
      Frame frame;
      frame.id = ++st.loops;
      frame.isSwitch = true; // breaks and continues both end it
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
  std::string index = indexVariable(parts);
  std::set<std::string> changed = changedBy(parts);
  // What the loop carries has a value before it: of a global or a field that is not mentioned before, the caller's.
  for (const std::string &name : changed)
    if (auto origin = st.fieldOrigins.find(name); origin != st.fieldOrigins.end() && !changed.count("?opaque")) {
      if (classOf(origin->second.type) == TypeClass::Integer) readInteger(name, origin->second.type, locate(parts.stmt));
      if (classOf(origin->second.type) == TypeClass::Pointer) readPointer(name, origin->second.type, locate(parts.stmt));
    }
  Steps steps;
  bool isDeep = trialDepth > 5; // nested trials double the work at each level
  bool isPlain = !isDeep && !needsTrial(parts, changed, index);
  if (!isDeep && !isPlain) steps = tryIteration(parts, changed);
  if (isDeep || steps.isOpaque) {
    changed.insert("?opaque");
    changed.insert(st.addressTaken.begin(), st.addressTaken.end());
    for (auto &[name, origin] : st.fieldOrigins) changed.insert(name);
  }
  if (isPlain) {
    // The index alone, by its increment.
    LoopParts only = parts;
    clang::NullStmt nothing((clang::SourceLocation()));
    only.body = &nothing;
    only.cond = nullptr;
    steps = tryIteration(only, {index});
    steps.beforeBody[index] = Symbolic(0);
    steps.exitsEarly = false;
  }
  return finishLoop(parts, changed, steps, index);
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
  bool isInside = llvm::any_of(st.frames, [](const Frame &frame) { return !frame.isSwitch; });
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
  loop.index = freshName(index.empty() ? "it" : index);
  Symbolic symbol = Symbolic::symbol(loop.index);
  loop.step = hasIndex ? *step : 1;
  loop.lower = hasIndex ? start + shift : Symbolic(0);
  // The iteration's number, from 0.
  Symbolic iteration = !hasIndex ? symbol : *step > 0 ? symbol - loop.lower : loop.lower - symbol;

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
  frame.id = ++st.loops;
  frame.changed = changed;
  frame.indexVariable = hasIndex ? index : "";
  for (auto &[name, gain] : steps.integers) frame.inductive.insert(name);
  auto enter = [&](const Symbolic &number, std::optional<Symbolic> indexValue) {
    for (auto &[name, value] : entryIntegers) {
      st.env.leftByLoop.erase(name);
      auto gain = steps.integers.find(name);
      if (hasIndex && name == index && indexValue)
        st.env.integers[name] = Value{*indexValue};
      else if (gain != steps.integers.end())
        st.env.integers[name] = Value{value.expr + gain->second * number, value.mayWrap};
      else
        st.env.integers[name] = Value{freshSymbol(name, name + " is carried by the loop", location, true)};
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
  };

  // Where it stops. Sides of the condition that the loop does not change are evaluated before it.
  Environment before = st.env;
  Bound bound;
  size_t hoisted = out->size();
  bool isUnsignedIndex = false;
  std::set<std::string> boundReads;
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
    unsigned carriedMark = st.counter;
    st.frames.pop_back();
    bound = lastIteration(parts.cond, loop.index);
    flush();
    out = target;
    st.env = before;
    // Carried unknowns in the bound make it no bound; what was loaded is loaded once, before.
    if (bound.known)
      for (const std::string &name : bound.last.symbols()) {
        auto facts = st.symbols.find(name);
        if (facts != st.symbols.end() && facts->second.serial > mark && facts->second.serial <= carriedMark) bound.known = false;
      }
    if (bound.known)
      for (Node &node : scratch) {
        if (auto *define = std::get_if<skeleton::Define>(&node.kind)) {
          if (st.symbols[define->symbol].serial > carriedMark || true) out->push_back(*define);
        } else if (auto *read = std::get_if<Access>(&node.kind)) {
          boundReads.insert(read->array);
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
  (void)isUnsignedIndex;
  auto toIndex = [&](const Symbolic &last) { return last; };
  bool counted = bound.known;
  // `last` is solved in terms of the index symbol itself.
  Symbolic upper;
  if (counted) {
    upper = toIndex(bound.last);
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
    unsigned carriedMark = st.counter;
    st.frames.pop_back();
    Bound mirrored = lastIteration(parts.cond, mirror);
    flush();
    out = target;
    st.env = before;
    bool fine = mirrored.known && !mirrored.last.mentions(mirror);
    if (fine)
      for (const std::string &name : mirrored.last.symbols()) {
        auto facts = st.symbols.find(name);
        if (facts != st.symbols.end() && facts->second.serial > mark && facts->second.serial <= carriedMark) fine = false;
      }
    if (fine) {
      for (Node &node : scratch) {
        if (auto *define = std::get_if<skeleton::Define>(&node.kind)) out->push_back(*define);
        else if (auto *read = std::get_if<Access>(&node.kind)) {
          boundReads.insert(read->array);
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
  Symbolic last = !hasIndex ? upper : *step > 0 ? floorDiv(upper - loop.lower, *step) : floorDiv(loop.lower - upper, -*step);

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
  if (condInBody && counted && bound.decisive && hasIndex) {
    // Only its effects on the other variables matter.
    rvalue(parts.cond, false);
    st.env.integers[index] = Value{symbol};
  } else if (condInBody)
    condition(parts.cond);
  Flow flow = execute(parts.body);
  flush();
  std::vector<Environment> ends = std::move(st.frames.back().continues);
  if (!flow.always) ends.push_back(st.env);
  bool comesRound = !ends.empty();
  mergeAll(std::move(ends), location);
  if (parts.inc && comesRound) rvalue(parts.inc, false);
  if (isDo && parts.cond && (!condIsPure || !counted || !bound.decisive)) condition(parts.cond);
  flush();
  exits |= st.frames.back().exitsEarly;
  noteCarriedPointers(parts, changed, steps, true);
  if (comesRound) rotate(steps, entryPointers, location);
  st.frames.pop_back();
  st.ranges.forget(facts);
  out = outer;
  loop.mayExitEarly = exits || !bound.decisive;
  if (loop.mayExitEarly && exits)
    find(Rule::EarlyExit, location, "this loop may be left early (break, return or goto)");
  // A bound that was read once must not change while the loop runs.
  std::function<bool(const Block &)> writes = [&](const Block &block) {
    for (const Node &node : block) {
      if (const auto *one = std::get_if<Access>(&node.kind); one && one->kind != AccessKind::Read) {
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
      } else if (std::holds_alternative<skeleton::Call>(node.kind))
        return true;
    }
    return false;
  };
  if (counted && !boundReads.empty() && writes(loop.body)) {
    std::string trips = freshName("trips");
    outer->push_back(skeleton::Define{trips, Symbolic(0), std::nullopt, std::nullopt, textOf(parts.cond), location});
    st.symbols[trips] = {"trip count", true, false, 0, ++st.counter, Symbolic(0), {}};
    loop.upper = loop.lower + Symbolic(loop.step) * (Symbolic::symbol(trips) - 1);
    counted = false;
    find(Rule::UnknownTripCount, location, "the loop's bound is read from memory that the loop may write");
  }
  noteIndex(parts, frame.indexVariable, location);
  out->push_back(std::move(loop));
  const skeleton::Loop &made = std::get<skeleton::Loop>(out->back().kind);

  // The state after it.
  bool sure = counted && !made.mayExitEarly;
  Symbolic trips = max(last + 1, Symbolic(0));
  if (st.ranges.isNonNegative(last + 1)) trips = last + 1;
  Environment inside = st.env;
  st.env = before;
  st.env.opaque |= inside.opaque;
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
          Symbolic over = made.upper + Symbolic(*step);
          bool runs = st.ranges.isNonNegative(*step > 0 ? over - made.lower : made.lower - over);
          end = runs ? over : *step > 0 ? max(over, made.lower) : min(over, made.lower);
        }
        if (!end.isPoisoned() && !isUnsigned) {
          // Of an index at the function's own level no access was noted.
          bool isNoted = name != frame.indexVariable || llvm::any_of(st.frames, [](const Frame &around) { return !around.isSwitch; });
          if (isNoted && !gain->second.isZero()) st.env.leftByLoop.insert(name);
          st.env.integers[name] = Value{end, entry->second.mayWrap || (steps.beforeBody.count(name) && !steps.beforeBody[name].isZero())};
          continue;
        }
      }
      st.env.integers[name] = Value{freshSymbol(name, name + " after the loop", location, true)};
      bool isOwn = llvm::isa_and_nonnull<clang::DeclStmt>(parts.init);
      if (name == frame.indexVariable && !isOwn) { // its steps were not written one by one
        Place place;
        place.at.object = name;
        place.type = context.IntTy;
        write(place, location);
      }
    } else if (inside.integers.count(name))
      st.env.integers[name] = Value{freshSymbol(name, name + " after the loop", location, true)};
    if (auto entry = entryPointers.find(name); entry != entryPointers.end()) {
      auto gain = steps.pointers.find(name);
      bool rotates = llvm::any_of(steps.rotation, [&](auto &move) { return move.first == name; });
      Pointer at = entry->second;
      if (rotates) {
        st.env.pointers[name] = at;
        continue;
      }
      if (!at.object.empty()) normalize(at);
      if (gain != steps.pointers.end()) {
        for (size_t d = 0; d < at.index.size() && d < gain->second.size(); ++d) {
          if (sure && at.index[d]) at.index[d] = *at.index[d] + gain->second[d] * trips;
          else if (!gain->second[d].isZero()) at.index[d] = std::nullopt;
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
  (void)entryMark;
  Flow result;
  result.may = flow.may & ~unsigned(Breaks | Continues);
  // An endless loop without a way out.
  return result;
}

Flow Walker::executeRangeFor(const clang::CXXForRangeStmt *stmt) {
  if (stmt->getInit()) execute(stmt->getInit());
  const clang::Expr *range = stmt->getRangeInit();
  const clang::VarDecl *item = stmt->getLoopVariable();
  clang::QualType type = range->getType().getNonReferenceType();
  if (classOf(type) != TypeClass::Array || !item || !range->isGLValue()) {
    unsupported(stmt, "range-for over this type");
    return Flow();
  }
  Place array = lvalue(range->IgnoreImplicit());
  std::vector<std::optional<Symbolic>> dimensions = dimensionsOf(type);
  skeleton::Loop loop;
  loop.form = skeleton::LoopForm::RangeFor;
  loop.location = locate(stmt);
  loop.index = freshName("it");
  loop.lower = Symbolic(0);
  loop.upper = dimensions.empty() || !dimensions[0] ? Symbolic(0) : *dimensions[0] - 1;
  Symbolic symbol = Symbolic::symbol(loop.index);
  LoopParts parts;
  parts.stmt = stmt, parts.body = stmt->getBody();
  std::set<std::string> changed = changedBy(parts);
  // What the body carries is not followed here: unknown in each iteration and after.
  flush();
  Block *outer = out;
  Environment before = st.env;
  Frame frame;
  frame.id = ++st.loops;
  frame.changed = changed;
  st.frames.push_back(frame);
  out = &loop.body;
  unsigned mark = st.counter;
  st.symbols[loop.index] = {loop.index, false, false, 0, ++st.counter, {}, {}};
  size_t facts = st.ranges.mark();
  st.ranges.assume(symbol);
  st.ranges.assume(loop.upper - symbol);
  for (const std::string &name : changed) clobber(name, loop.location);
  if (mayExchange(stmt->getBody())) {
    Steps steps = tryOnce(parts, changed, {}, {});
    st.frames.back().rotated = steps.rotated;
    loseTrack(steps.rotated, {}, loop.location);
  }
  noteCarriedPointers(parts, changed, {}, false);
  clang::QualType element = context.getAsArrayType(type)->getElementType();
  Pointer at = step(decay(array), symbol, element);
  Place place = dereference(at, element, range);
  if (item->getType()->isReferenceType())
    st.references[llvm::cast<clang::ValueDecl>(item->getCanonicalDecl())] = place;
  else {
    Place copy = placeOfVariable(item, item->getLocation());
    if (!copy.at.object.empty() && llvm::is_contained(st.objectOrder, copy.at.object)) object(copy.at.object).array.perIteration = true;
    read(place, loop.location);
    if (!copy.variable.empty() && classOf(copy.type) == TypeClass::Integer)
      assignInteger(copy, Value{freshSymbol(copy.variable, textOf(range), loop.location, true)}, loop.location);
    else
      write(copy, loop.location);
  }
  Flow flow = execute(stmt->getBody());
  noteCarriedPointers(parts, changed, {}, true);
  flush();
  loop.mayExitEarly = st.frames.back().exitsEarly || (flow.may & (Returns | Leaves));
  std::set<std::string> rotated = st.frames.back().rotated;
  st.frames.pop_back();
  st.ranges.forget(facts);
  out = outer;
  if (loop.mayExitEarly) find(Rule::EarlyExit, loop.location, "this loop may be left early (break, return or goto)");
  bool opaque = st.env.opaque;
  out->push_back(std::move(loop));
  st.env = before;
  st.env.opaque |= opaque;
  for (const std::string &name : changed) clobber(name, locate(stmt));
  loseTrack(rotated, {}, locate(stmt));
  exportValues(mark, locate(stmt));
  Flow result;
  result.may = flow.may & ~unsigned(Breaks | Continues);
  return result;
}

skeleton::Directive Walker::readDirective(const clang::OMPExecutableDirective *stmt) {
  skeleton::Directive made;
  const clang::SourceManager &sources = context.getSourceManager();
  clang::SourceLocation begin = sources.getExpansionLoc(stmt->getBeginLoc()), end = sources.getExpansionLoc(stmt->getEndLoc());
  bool invalid = false;
  const char *text = sources.getCharacterData(begin, &invalid);
  const char *stop = invalid ? text : sources.getCharacterData(end, &invalid);
  std::string raw = invalid || stop < text ? std::string() : std::string(text, stop - text);
  // From "omp" on; blanks and line continuations become one blank.
  std::string clean;
  for (char c : raw) {
    bool blank = c == ' ' || c == '\t' || c == '\\' || c == '\n' || c == '\r';
    if (!blank) clean += c;
    else if (!clean.empty() && clean.back() != ' ') clean += ' ';
  }
  while (!clean.empty() && clean.back() == ' ') clean.pop_back();
  llvm::StringRef rest(clean);
  rest.consume_front("#");
  rest = rest.ltrim();
  rest.consume_front("pragma ");
  rest.consume_front("omp ");
  made.text = rest.str();
  auto names = [&](auto list, std::vector<std::string> &into) {
    for (const clang::Expr *expr : list)
      if (const auto *variable = variableOf(expr)) into.push_back(nameOf(variable));
  };
  bool safelen = false;
  for (const clang::OMPClause *clause : stmt->clauses()) {
    if (const auto *c = llvm::dyn_cast<clang::OMPPrivateClause>(clause)) names(c->varlists(), made.privates);
    if (const auto *c = llvm::dyn_cast<clang::OMPFirstprivateClause>(clause); c && c->getBeginLoc().isValid())
      names(c->varlists(), made.firstprivates);
    if (const auto *c = llvm::dyn_cast<clang::OMPLastprivateClause>(clause)) names(c->varlists(), made.lastprivates);
    if (llvm::isa<clang::OMPSafelenClause>(clause)) safelen = true;
    if (const auto *c = llvm::dyn_cast<clang::OMPCollapseClause>(clause))
      if (auto known = c->getNumForLoops()->getIntegerConstantExpr(context)) made.collapse = known->getZExtValue();
    if (const auto *c = llvm::dyn_cast<clang::OMPReductionClause>(clause)) {
      std::string op = c->getNameInfo().getAsString();
      llvm::StringRef key(op);
      key.consume_front("operator");
      ReductionOp kind = key == "+" || key == "-" ? ReductionOp::Add
                         : key == "*"             ? ReductionOp::Multiply
                         : key == "min"           ? ReductionOp::Min
                         : key == "max"           ? ReductionOp::Max
                         : key == "&"             ? ReductionOp::BitAnd
                         : key == "|"             ? ReductionOp::BitOr
                         : key == "^"             ? ReductionOp::BitXor
                         : key == "&&"            ? ReductionOp::And
                         : key == "||"            ? ReductionOp::Or
                                                  : ReductionOp::None;
      std::vector<std::string> list;
      names(c->varlists(), list);
      for (const std::string &name : list) made.reductions.push_back({kind, name});
    }
  }
  clang::OpenMPDirectiveKind kind = stmt->getDirectiveKind();
  made.isParallel = clang::isOpenMPWorksharingDirective(kind) || clang::isOpenMPDistributeDirective(kind) ||
                    clang::isOpenMPTaskLoopDirective(kind) || (clang::isOpenMPSimdDirective(kind) && !safelen);
  return made;
}

Flow Walker::executeDirective(const clang::OMPExecutableDirective *stmt) {
  if (!stmt->hasAssociatedStmt()) {
    if (!llvm::isa<clang::OMPBarrierDirective, clang::OMPFlushDirective, clang::OMPTaskwaitDirective>(stmt))
      find(Rule::UnsupportedCode, locate(stmt), "this OpenMP directive is not followed");
    return Flow();
  }
  const clang::Stmt *body = bodyOf(*stmt);
  if (const auto *loop = llvm::dyn_cast<clang::OMPLoopDirective>(stmt)) {
    while (const auto *canonical = llvm::dyn_cast_or_null<clang::OMPCanonicalLoop>(body)) body = canonical->getLoopStmt();
    while (const auto *block = llvm::dyn_cast_or_null<clang::CompoundStmt>(body)) {
      if (block->size() != 1) break;
      body = block->body_front();
    }
    if (const auto *counted = llvm::dyn_cast_or_null<clang::ForStmt>(body)) {
      LoopParts parts;
      parts.stmt = counted, parts.init = counted->getInit(), parts.cond = counted->getCond(), parts.inc = counted->getInc();
      parts.body = counted->getBody();
      parts.directive = readDirective(loop);
      return executeLoop(parts);
    }
    return execute(body);
  }
  using namespace clang;
  if (isa<OMPParallelDirective, OMPTargetDirective, OMPTargetDataDirective, OMPTeamsDirective, OMPTargetTeamsDirective,
          OMPTargetParallelDirective, OMPSingleDirective, OMPMasterDirective, OMPMaskedDirective, OMPAtomicDirective,
          OMPCriticalDirective, OMPOrderedDirective, OMPTaskgroupDirective, OMPScopeDirective>(stmt))
    return execute(body); // run by one thread in order, they mean what their body says
  if (isa<OMPSectionsDirective, OMPParallelSectionsDirective, OMPSectionDirective, OMPTaskDirective>(stmt)) return execute(body);
  unsupported(stmt, "this OpenMP directive");
  return Flow();
}

} // namespace busfare::frontend
