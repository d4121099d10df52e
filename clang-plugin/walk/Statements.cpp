//===- clang-plugin/walk/Statements.cpp - Statements, branches, declarations -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Control flow stays structured. `if (c) continue; rest` becomes a Branch with
// rest in its other side; a jump deeper inside puts what follows under a Branch
// of unknown condition. A side that ends the program needs neither: whatever
// runs afterwards runs because that side did not.
//
//===----------------------------------------------------------------------===//
#include "StandIns.h"
#include "Walk.h"
#include "llvm/Support/SaveAndRestore.h"

namespace busfare::frontend {

/// Ends in a jump or in a call that never returns, on every path (by its form).
static bool endsInJump(const clang::Stmt *stmt) {
  if (!stmt) return false;
  if (const auto *block = llvm::dyn_cast<clang::CompoundStmt>(stmt))
    return !block->body_empty() && endsInJump(block->body_back());
  if (const auto *choice = llvm::dyn_cast<clang::IfStmt>(stmt))
    return endsInJump(choice->getThen()) && endsInJump(choice->getElse());
  return llvm::isa<clang::ContinueStmt, clang::BreakStmt, clang::ReturnStmt, clang::GotoStmt>(stmt);
}

void Walker::unsupported(const clang::Stmt *stmt, llvm::StringRef what, Rule rule, HostReason reason) {
  find(rule, locate(stmt), what.str() + " is not read; it stays on the host and may touch every array in reach");
  std::vector<const clang::Expr *> parts;
  std::function<void(const clang::Stmt *)> collect = [&](const clang::Stmt *at) {
    for (const clang::Stmt *child : partsOf(at)) {
      if (!child) continue;
      if (const auto *expr = llvm::dyn_cast<clang::Expr>(child)) parts.push_back(expr);
      else collect(child);
    }
  };
  std::set<std::string> changed;
  std::set<const clang::Decl *> local;
  collectChanged(stmt, changed, local);
  // Every variable and array it names may be read and written; the walk does not follow its order.
  Block body;
  Block *before = out;
  flush();
  out = &body;
  std::set<std::string> named;
  std::function<void(const clang::Stmt *)> touch = [&](const clang::Stmt *at) {
    if (!at) return;
    if (auto self = st.env.pointers.find("this");
        llvm::isa<clang::CXXThisExpr>(at) && self != st.env.pointers.end() && st.objects.count(self->second.object))
      named.insert(self->second.object);
    if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(at))
      if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(ref->getDecl()); variable && !local.count(variable)) {
        Place place = placeOfVariable(variable, ref->getLocation());
        if (classOf(place.type) == TypeClass::Pointer && !place.variable.empty())
          place = dereference(readPointer(place.variable, place.type, locate(ref)), pointeeOf(place.type), ref);
        if (st.objects.count(place.at.object) &&
            (classOf(place.type) == TypeClass::Record || !object(place.at.object).array.isScalar()))
          named.insert(place.at.object);
        place.at.index.assign(place.at.index.size(), std::nullopt);
        read(place, locate(ref), true);
        write(place, locate(ref), true);
      }
    for (const clang::Stmt *child : partsOf(at)) touch(child);
  };
  touch(stmt);
  std::function<bool(const clang::Stmt *)> calls = [&](const clang::Stmt *at) -> bool {
    return at && (llvm::isa<clang::CallExpr, clang::CXXConstructExpr>(at) || llvm::any_of(partsOf(at), calls));
  };
  if (calls(stmt))
    for (const char *marker : {everyStatic, everyEscaped}) putMarker(marker, locate(stmt));
  flush();
  out = before;
  for (Node &node : body)
    if (auto *define = std::get_if<skeleton::Define>(&node.kind)) put(*define);
  host(reason, what, std::move(body), locate(stmt));
  // It may change their fields, and keep where they lie.
  for (const std::string &name : named) {
    st.escaped.insert(name);
    escapeBehind(name);
  }
  summary.doesOpaqueThings = true;
  for (const std::string &name : changed) clobber(name, locate(stmt));
  clobberAddressTaken(locate(stmt), true);
}

Flow Walker::branch(const Condition &condition, Location location, llvm::function_ref<Flow()> then,
                    llvm::function_ref<Flow()> otherwise, bool isRest) {
  if (condition.exact && condition.anyOf.empty()) return otherwise();
  if (condition.exact && llvm::any_of(condition.anyOf, [](auto &facts) { return facts.empty(); })) return then();
  flush();
  skeleton::Branch made;
  made.condition = condition;
  made.isRest = isRest;
  made.location = location;
  Block *before = out;
  unsigned mark = st.counter;
  Environment entry = st.env;
  auto side = [&](llvm::function_ref<Flow()> walk, Block &block, bool positive) {
    size_t facts = st.ranges.mark();
    positive ? assumeCondition(condition) : assumeNegation(condition);
    dropExcludedSizes();
    out = &block;
    llvm::SaveAndRestore around(nesting, nesting + 1);
    Flow flow = walk();
    flush();
    st.ranges.forget(facts);
    out = before;
    return flow;
  };
  Flow first = side(then, made.then, true);
  Environment afterThen = std::move(st.env);
  st.env = std::move(entry);
  Flow second = side(otherwise, made.otherwise, false);
  Environment afterElse = std::move(st.env);
  if (!made.then.empty() || !made.otherwise.empty()) put(std::move(made));
  Flow flow;
  flow.may = first.may | second.may;
  flow.always = first.always && second.always;
  if (first.always && !second.always) st.env = std::move(afterElse);
  else if (second.always && !first.always) st.env = std::move(afterThen);
  else {
    const bool isPlain = flow.may == NoJump && !isRest;
    std::vector<Exchanged> exchanged;
    if (isPlain) exchanged = exchangedBy(condition, afterThen, afterElse);
    merge(afterThen, afterElse, location, &condition);
    for (const Exchanged &one : exchanged) exchange(one, condition, location);
  }
  exportValues(mark, location);
  return flow;
}

Flow Walker::executeList(llvm::ArrayRef<const clang::Stmt *> stmts) {
  if (hasLabels)
    if (std::optional<Flow> done = executeAroundLabels(stmts)) return *done;
  Flow flow;
  for (size_t k = 0; k < stmts.size(); ++k) {
    if (auto known = positions.find(stmts[k]); known != positions.end()) position = known->second;
    if (const auto *choice = llvm::dyn_cast_or_null<clang::IfStmt>(stmts[k]);
        choice && !choice->isConsteval() && (endsInJump(choice->getThen()) || endsInJump(choice->getElse()))) {
      notePoint(choice, false);
      Flow rest = executeIf(choice, stmts.drop_front(k + 1));
      rest.may |= flow.may;
      return rest;
    }
    Flow one = execute(stmts[k]);
    flow.may |= one.may;
    if (one.always) {
      flow.always = true;
      return flow;
    }
    if (one.may == NoJump || k + 1 == stmts.size()) continue;
    // Something inside may have jumped over what follows.
    llvm::ArrayRef<const clang::Stmt *> rest = stmts.drop_front(k + 1);
    Flow after = executeRest(rest);
    after.may |= flow.may;
    return after;
  }
  return flow;
}

/// What follows a statement that may have jumped past it.
Flow Walker::executeRest(llvm::ArrayRef<const clang::Stmt *> rest) {
  return branch(
      Condition(), locate(rest.front()), [&] { return executeList(rest); },
      [] {
        Flow gone;
        gone.always = true;
        return gone;
      },
      true);
}

/// One side of a branch, from which the statements behind it are reached as well.
Flow Walker::executeArm(const clang::Stmt *side) {
  st.arms.push_back(++st.lastArm);
  Flow flow = side ? execute(side) : Flow();
  st.arms.pop_back();
  return flow;
}

/// A chain of so many `else if` that the branches would lie too deep in each other: each of its sides may run, as if
/// nothing were known of the others. Nothing if it is shorter.
std::optional<Flow> Walker::executeLongChain(const clang::IfStmt *stmt) {
  constexpr size_t longest = 100;
  std::vector<const clang::IfStmt *> links;
  const clang::Stmt *last = stmt;
  bool isPlain = true;
  while (const auto *link = llvm::dyn_cast_or_null<clang::IfStmt>(last)) {
    links.push_back(link);
    last = link->getElse();
    isPlain &= !link->getInit() && !link->getConditionVariable() && !link->isConsteval() && !mayJump(link->getThen());
  }
  if (links.size() <= longest) return std::nullopt;
  if (!isPlain || mayJump(last)) return executeTangled(links.front(), "a long chain of else if", Rule::UnsupportedCode);
  find(Rule::UnsupportedCode, locate(stmt),
       "of a chain of " + std::to_string(links.size()) +
           " `else if` each side is taken to run perhaps, whichever others do");
  auto perhaps = [&](const clang::Stmt *side) {
    branch(Condition(), locate(side), [&] { return executeArm(side); }, [] { return Flow(); });
  };
  for (const clang::IfStmt *link : links) {
    condition(link->getCond());
    destroyTemporaries(link->getCond());
    perhaps(link->getThen());
  }
  if (last) perhaps(last);
  return Flow();
}

Flow Walker::executeIf(const clang::IfStmt *stmt, llvm::ArrayRef<const clang::Stmt *> rest) {
  if (stmt->isConsteval())
    return execute(stmt->isNegatedConsteval() ? stmt->getThen() : stmt->getElse()); // what the run takes
  if (rest.empty())
    if (std::optional<Flow> done = executeLongChain(stmt)) return *done;
  if (stmt->getInit()) execute(stmt->getInit());
  if (stmt->getConditionVariable()) declareVariable(stmt->getConditionVariable());
  if (rest.empty() && recognizeMinMax(stmt)) return Flow();
  Condition when = condition(stmt->getCond());
  destroyTemporaries(stmt->getCond());
  auto walk = [&](const clang::Stmt *side, bool isThen) {
    return [this, side, rest] {
      Flow flow = side ? execute(side) : Flow();
      if (flow.always || rest.empty()) return flow;
      if (flow.may == NoJump) return executeList(rest);
      Flow after = executeRest(rest);
      after.may |= flow.may;
      return after;
    };
  };
  // Decided now: the other side is dead.
  if (when.exact && when.anyOf.empty()) return walk(stmt->getElse(), false)();
  if (when.exact && when.anyOf.size() == 1 && when.anyOf[0].empty()) return walk(stmt->getThen(), true)();
  if (rest.empty())
    return branch(
        when, locate(stmt), [&] { return executeArm(stmt->getThen()); }, [&] { return executeArm(stmt->getElse()); });
  bool thenJumps = endsInJump(stmt->getThen()), elseJumps = endsInJump(stmt->getElse());
  // In main, `return` ends the program: what follows needs no guard.
  if (isMain && thenJumps != elseJumps && inlining.empty()) {
    const clang::Stmt *last = thenJumps ? stmt->getThen() : stmt->getElse();
    while (const auto *block = llvm::dyn_cast<clang::CompoundStmt>(last)) last = block->body_back();
    if (llvm::isa<clang::ReturnStmt>(last)) {
      Flow flow = branch(
          when, locate(stmt), [&] { return stmt->getThen() ? execute(stmt->getThen()) : Flow(); },
          [&] { return stmt->getElse() ? execute(stmt->getElse()) : Flow(); });
      flow.may &= ~unsigned(Returns);
      flow.always = false;
      Flow after = executeList(rest);
      after.may |= flow.may;
      return after;
    }
  }
  return branch(when, locate(stmt), walk(stmt->getThen(), true), walk(stmt->getElse(), false));
}

/// Does a label of the switch stand in a block further in, which is then entered in its middle?
static bool hasInnerCase(const clang::CompoundStmt *body) {
  std::function<bool(const clang::Stmt *)> holdsCase = [&](const clang::Stmt *at) {
    if (!at || llvm::isa<clang::SwitchStmt, clang::LambdaExpr>(at)) return false;
    return llvm::isa<clang::SwitchCase>(at) || llvm::any_of(partsOf(at), holdsCase);
  };
  return llvm::any_of(body->body(), [&](const clang::Stmt *child) {
    while (const auto *label = llvm::dyn_cast<clang::SwitchCase>(child)) child = label->getSubStmt();
    return holdsCase(child);
  });
}

Flow Walker::executeSwitch(const clang::SwitchStmt *stmt) {
  if (stmt->getInit()) execute(stmt->getInit());
  if (stmt->getConditionVariable()) declareVariable(stmt->getConditionVariable());
  Value selector = integer(stmt->getCond(), true);
  destroyTemporaries(stmt->getCond());
  const auto *body = llvm::dyn_cast_or_null<clang::CompoundStmt>(stmt->getBody());
  if (!body) {
    unsupported(stmt, "switch without a block");
    return Flow();
  }
  if (hasInnerCase(body)) {
    const clang::Stmt *all = stmt;
    return executeTangled(all);
  }
  // One list of statements for each label, up to the end: falling through is following the list.
  struct Case {
    std::vector<const clang::Expr *> values;
    bool isDefault = false;
    std::vector<const clang::Stmt *> stmts;
  };
  std::vector<Case> cases;
  for (const clang::Stmt *child : body->body()) {
    bool isNew = false;
    while (const auto *label = llvm::dyn_cast<clang::SwitchCase>(child)) {
      if (!isNew) cases.emplace_back();
      isNew = true;
      if (const auto *value = llvm::dyn_cast<clang::CaseStmt>(label)) {
        if (value->getRHS()) cases.back().values.clear(), cases.back().values.push_back(nullptr);
        else cases.back().values.push_back(value->getLHS());
      } else cases.back().isDefault = true;
      child = label->getSubStmt();
    }
    for (Case &earlier : cases) earlier.stmts.push_back(child);
  }
  for (Case &one : cases) // up to the first break: the rest would be dead
    for (size_t k = 0; k < one.stmts.size(); ++k)
      if (endsInJump(one.stmts[k])) one.stmts.resize(k + 1);
  for (size_t k = 0; k + 1 < cases.size(); ++k)
    if (cases[k].isDefault) std::rotate(cases.begin() + k, cases.begin() + k + 1, cases.end());
  Frame frame;
  frame.id = ++st.loops;
  frame.isSwitch = true;
  frame.scopes = st.scopes.size();
  st.frames.push_back(frame);
  const unsigned mark = st.counter;
  unsigned jumps = NoJump;
  std::function<Flow(size_t)> walk = [&](size_t k) -> Flow {
    if (k == cases.size()) return Flow();
    const Case &one = cases[k];
    auto run = [&]() -> Flow {
      Flow flow = executeList(one.stmts);
      jumps |= flow.may & ~unsigned(Breaks);
      return flow;
    };
    if (one.isDefault) return run();
    Condition when;
    when.probability = 1.0 / (cases.size() - k);
    bool known = !selector.mayWrap && !dependsOnMemory(selector.expr);
    for (const clang::Expr *value : one.values) {
      clang::Expr::EvalResult constant;
      known = known && value && value->EvaluateAsInt(constant, context) &&
              (constant.Val.getInt().isSigned() || constant.Val.getInt().getActiveBits() < 64);
      if (!known) break;
      Symbolic difference = selector.expr - Symbolic(constant.Val.getInt().getExtValue());
      when.anyOf.push_back({difference, -difference});
    }
    when.exact = known;
    if (!known) when.anyOf.clear();
    return branch(when, locate(stmt), run, [&] { return walk(k + 1); });
  };
  Flow inner = walk(0);
  Frame done = std::move(st.frames.back());
  st.frames.pop_back();
  std::vector<Environment> ends = std::move(done.breaks);
  if (!inner.always) ends.push_back(st.env);
  exportEnds(ends, mark, locate(stmt));
  if (!ends.empty()) mergeAll(std::move(ends), locate(stmt));
  Flow flow;
  flow.may = jumps;
  flow.always = inner.always && done.breaks.empty() && jumps != NoJump && !(inner.may & Breaks);
  if (jumps & Continues)
    for (Frame &outer : llvm::reverse(st.frames))
      if (!outer.isSwitch) {
        outer.continues.insert(outer.continues.end(), done.continues.begin(), done.continues.end());
        break;
      }
  return flow;
}

Flow Walker::executeReturn(const clang::ReturnStmt *stmt) {
  Flow flow;
  flow.may = Returns;
  flow.always = true;
  if (inPlace) {
    if (const clang::Expr *value = stmt->getRetValue()) {
      if (isPointerLike(value->getType())) inPlace->handles.push_back(handle(value));
      else if (!inPlace->data && value->isGLValue()) lvalue(value); // a reference that nobody looks through
      else if (!inPlace->returned)
        inPlace->value = inPlace->data ? integerData(value) : rvalue(value, true); // that object is there already
    }
    ++inPlace->returns;
    keepReturned(stmt);
    destroyTemporaries(stmt->getRetValue());
    destroyScopes(inPlace->firstScope);
    flush();
    inPlace->ends.push_back(st.env);
    for (size_t k = inPlace->firstFrame; k < st.frames.size(); ++k)
      if (!st.frames[k].isSwitch) st.frames[k].exitsEarly = true;
    return flow;
  }
  if (const clang::Expr *value = stmt->getRetValue()) {
    if (isPointerLike(value->getType())) {
      Pointer result = pointer(value);
      noteReturned(result, locate(stmt));
      // For callers: does every return give the same known thing?
      bool fresh = !result.object.empty() && object(result.object).bytes &&
                   llvm::all_of(result.index, [](auto &i) { return i && i->isZero(); });
      // What a static or a field keeps comes again, from this function or from another name.
      auto holdsIt = [&](const std::string &variable) {
        auto known = st.env.pointers.find(variable);
        return known != st.env.pointers.end() && known->second.object == result.object;
      };
      bool isKept = st.escaped.count(result.object) ||
                    llvm::any_of(st.fieldOrigins, [&](const auto &field) { return holdsIt(field.first); }) ||
                    llvm::any_of(st.names, [&](const auto &named) {
                      const auto *variable = llvm::dyn_cast<clang::VarDecl>(named.first);
                      return variable && variable->hasGlobalStorage() && holdsIt(named.second);
                    });
      const bool isInFields = llvm::any_of(
          st.fieldOrigins, [&](const auto &field) { return field.second.position >= 0 && holdsIt(field.first); });
      const bool isFirstSeen = !std::exchange(seesReturn, true);
      summary.laysOut = fresh && isInFields && object(result.object).array.storage == Storage::Heap &&
                        (isFirstSeen || summary.laysOut);
      if (fresh && !isKept && object(result.object).array.storage == Storage::Heap) {
        const bool isFirst = !std::exchange(summary.returnsSome, true);
        if (isFirst || summary.freshBytes == object(result.object).bytes)
          summary.freshBytes = object(result.object).bytes;
        else summary.freshBytes = std::nullopt;
        summary.freshIsWritten |= object(result.object).isWritten;
        auto rows = st.env.tables.rows.find(result.object + "[]");
        bool isFilled = rows != st.env.tables.rows.end() && rows->second.kind == RowState::Kind::Filled &&
                        !st.env.tables.lost.count(result.object);
        if (isFirst && isFilled) summary.freshRows = rows->second;
        else if (!isFilled || !summary.freshRows || summary.freshRows->length != rows->second.length)
          summary.freshRows = std::nullopt;
      } else if (!result.null) {
        summary.returnsSome = true;
        summary.freshBytes = std::nullopt;
      }
    } else {
      noteReturned(value, locate(stmt));
    }
    if (!isPointerLike(value->getType()) && !resultVariable) { // else that object is there already
      const size_t known = st.objectOrder.size();
      rvalue(value, true);
      for (const std::string &made : llvm::drop_begin(st.objectOrder, known)) // where it is copied
        if (object(made).array.storage == Storage::Heap) handedOn.insert({made, locate(stmt)});
    }
  }
  keepReturned(stmt);
  destroyTemporaries(stmt->getRetValue());
  destroyScopes(0);
  if (isMain) endProgram(locate(stmt));
  flush();
  returns.push_back(st.env);
  for (Frame &frame : st.frames)
    if (!frame.isSwitch) frame.exitsEarly = true;
  return flow;
}

Flow Walker::execute(const clang::Stmt *stmt) {
  if (!stmt) return Flow();
  notePoint(stmt, false);
  statementAt = locate(stmt);
  triedStatements += trialDepth > 0;
  if (isTooDeep()) return executeTangled(stmt, "code nested so deep", Rule::UnsupportedCode);
  llvm::SaveAndRestore around(nesting, nesting + 1);
  Flow flow = executeAny(stmt);
  // What runs behind the last iteration.
  if (const auto *loop = llvm::dyn_cast<clang::ForStmt>(stmt))
    for (const clang::Expr *last : {loop->getInc(), loop->getCond()}) destroyTemporaries(last);
  if (const auto *loop = llvm::dyn_cast<clang::WhileStmt>(stmt)) destroyTemporaries(loop->getCond());
  if (const auto *loop = llvm::dyn_cast<clang::DoStmt>(stmt)) destroyTemporaries(loop->getCond());
  if (!flow.always) notePoint(stmt, true);
  return flow;
}

/// Its body is seen, and each way through it ends the program: `usage(argv)`.
static bool neverReturns(Unit &unit, const clang::FunctionDecl *callee) {
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  if (callee->getBuiltinID() || (method && method->isVirtual())) return false;
  const Summary *known = unit.summaryOf(callee);
  return known && known->state == Summary::State::Done && known->neverReturns;
}

Flow Walker::executeAny(const clang::Stmt *stmt) {
  switch (stmt->getStmtClass()) {
  case clang::Stmt::NullStmtClass: return Flow();
  case clang::Stmt::CompoundStmtClass: {
    const auto *block = llvm::cast<clang::CompoundStmt>(stmt);
    std::vector<const clang::Stmt *> stmts(block->body_begin(), block->body_end());
    return inScope(stmt, [&] { return executeList(stmts); });
  }
  case clang::Stmt::DeclStmtClass: declare(llvm::cast<clang::DeclStmt>(stmt)); return Flow();
  case clang::Stmt::IfStmtClass: return executeIf(llvm::cast<clang::IfStmt>(stmt), {});
  case clang::Stmt::SwitchStmtClass: return executeSwitch(llvm::cast<clang::SwitchStmt>(stmt));
  case clang::Stmt::ReturnStmtClass: return executeReturn(llvm::cast<clang::ReturnStmt>(stmt));
  case clang::Stmt::AttributedStmtClass: return execute(llvm::cast<clang::AttributedStmt>(stmt)->getSubStmt());
  case clang::Stmt::ForStmtClass: {
    const auto *loop = llvm::cast<clang::ForStmt>(stmt);
    LoopParts parts;
    parts.stmt = loop, parts.init = loop->getInit(), parts.cond = loop->getCond(), parts.inc = loop->getInc();
    parts.body = loop->getBody();
    return inScope(stmt, [&] { return executeLoop(parts); });
  }
  case clang::Stmt::WhileStmtClass: {
    const auto *loop = llvm::cast<clang::WhileStmt>(stmt);
    LoopParts parts;
    parts.stmt = loop, parts.cond = loop->getCond(), parts.body = loop->getBody();
    parts.form = skeleton::LoopForm::While;
    return executeLoop(parts);
  }
  case clang::Stmt::DoStmtClass: {
    const auto *loop = llvm::cast<clang::DoStmt>(stmt);
    LoopParts parts;
    parts.stmt = loop, parts.cond = loop->getCond(), parts.body = loop->getBody();
    parts.form = skeleton::LoopForm::Do;
    return executeLoop(parts);
  }
  case clang::Stmt::CXXForRangeStmtClass:
    return inScope(stmt, [&] { return executeRangeFor(llvm::cast<clang::CXXForRangeStmt>(stmt)); });
  case clang::Stmt::BreakStmtClass:
  case clang::Stmt::ContinueStmtClass: {
    flush();
    bool isBreak = stmt->getStmtClass() == clang::Stmt::BreakStmtClass;
    Flow flow;
    flow.always = true;
    flow.may = isBreak ? Breaks : Continues;
    if (st.frames.empty()) return flow;
    const Frame *left = &st.frames.back();
    for (const Frame &frame : llvm::reverse(st.frames)) // `continue` in a switch is of the loop around it
      if (left = &frame; isBreak || !frame.isSwitch || frame.isOnce) break;
    destroyScopes(left->scopes);
    if (isBreak) {
      st.frames.back().breaks.push_back(st.env);
      if (!st.frames.back().isSwitch) st.frames.back().exitsEarly = true;
    } else st.frames.back().continues.push_back(st.env);
    return flow;
  }
  case clang::Stmt::GotoStmtClass:
  case clang::Stmt::IndirectGotoStmtClass: return executeGoto(stmt);
  case clang::Stmt::LabelStmtClass: {
    const auto *label = llvm::cast<clang::LabelStmt>(stmt);
    if (gotoCounts[label->getDecl()] > 0 && !st.passed.count(label->getDecl()))
      return executeTangled({stmt}); // in no list
    return execute(label->getSubStmt());
  }
  case clang::Stmt::CXXTryStmtClass: return executeTry(llvm::cast<clang::CXXTryStmt>(stmt));
  case clang::Stmt::GCCAsmStmtClass:
  case clang::Stmt::MSAsmStmtClass: {
    unsupported(stmt, "inline assembly", Rule::InlineAssembly);
    const auto *assembly = llvm::cast<clang::AsmStmt>(stmt);
    for (unsigned k = 0; k < assembly->getNumOutputs(); ++k)
      if (const clang::Expr *output = assembly->getOutputExpr(k))
        if (Place place = lvalue(output); !place.variable.empty()) clobber(place.variable, locate(output));
    return Flow();
  }
  default: break;
  }
  if (const auto *directive = llvm::dyn_cast<clang::OMPExecutableDirective>(stmt)) return executeDirective(directive);
  if (const auto *captured = llvm::dyn_cast<clang::CapturedStmt>(stmt)) return execute(captured->getCapturedStmt());
  if (const auto *canonical = llvm::dyn_cast<clang::OMPCanonicalLoop>(stmt)) return execute(canonical->getLoopStmt());
  if (const auto *expr = llvm::dyn_cast<clang::Expr>(stmt)) {
    dropValue(expr);
    if (isPointerLike(expr->getType())) pointer(expr);
    else rvalue(expr, true);
    destroyTemporaries(expr);
    const auto *made = llvm::dyn_cast<clang::CallExpr>(strip(expr));
    const clang::FunctionDecl *callee = made ? calleeOf(made) : nullptr;
    Flow flow;
    flow.always = llvm::isa<clang::CXXThrowExpr>(expr->IgnoreImplicit()) ||
                  (callee && (callee->isNoReturn() || neverReturns(unit, callee)));
    return flow;
  }
  unsupported(stmt, stmt->getStmtClassName());
  return Flow();
}

} // namespace busfare::frontend
