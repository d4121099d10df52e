//===- clang-plugin/walk/ParallelRegions.cpp - What every thread of a region runs -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Iterations of `omp for` are shared out among the threads of a region, so that each runs
// once. Any other statement is run by every thread:
//
//   #pragma omp parallel
//   {
//     double t = 2;                           each thread's own: as if one had run it
//     #pragma omp for
//     for (i = 0; i < n; i++) a[i] = t;       once
//     #pragma omp atomic
//     count++;                                once a thread
//   }
//
// A function that is called there is looked through: its `omp for` is shared out likewise.
//
// With such effects the region is one loop over its threads that stays on the host: what it
// touches is known, and who does what is not.
//
// and so is what private variables hold after it: theirs, or what the region made of them,
// where the directives are not obeyed.
//
//===----------------------------------------------------------------------===//
#include "HostOnly.h"
#include "Walk.h"
#include "clang/AST/Attr.h"

namespace busfare::frontend {

/// The variable that an assignment changes; null if that is memory behind a pointer.
static const clang::VarDecl *changedVariable(const clang::Expr *target) {
  target = target->IgnoreParenCasts();
  if (const auto *access = llvm::dyn_cast<clang::MemberExpr>(target))
    return access->isArrow() ? nullptr : changedVariable(access->getBase());
  if (const auto *subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(target)) {
    const clang::Expr *base = subscript->getBase()->IgnoreParenImpCasts();
    return base->getType()->isArrayType() ? changedVariable(base) : nullptr;
  }
  return variableOf(target);
}

/// Does every call do no more than compute a value, or make memory of its own?
bool Walker::isQuietCall(const clang::CallExpr *call) {
  const clang::FunctionDecl *callee = calleeOf(call);
  if (!callee || !callee->getIdentifier()) return false;
  bool takesPointers =
      llvm::any_of(call->arguments(), [](const clang::Expr *argument) { return isPointerLike(argument->getType()); });
  if (const auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call))
    if (const auto *method = member->getMethodDecl(); method && method->isConst() && !takesPointers &&
                                                      !unit.isOwnFunction(callee) &&
                                                      handleOf(member->getObjectType()) != Handle::None)
      return true; // v.size()
  llvm::StringRef name = unit.isOwnFunction(callee) ? "" : callee->getName();
  if (name == "omp_get_thread_num") return false;
  bool isOwnMemory = name == "malloc" || name == "calloc" || name == "free" || name == "aligned_alloc";
  if (isOwnMemory || name.starts_with("omp_get_")) return true;
  if (const Summary *known = unit.summaryOf(callee))
    return known->state == Summary::State::Done && known->writtenFields.empty() && known->writtenGlobals.empty() &&
           !known->doesOpaqueThings && !known->writesMemory;
  return isModelledFunction(name) && !takesPointers;
}

/// The first thing in a parallel region that every thread does to what the others see; null if there is none. `own`:
/// variables of which each thread has one, and functions looked through already. A function that is called may share
/// out its loops likewise (an `omp for` without a region around it in the text): what it does it does for each thread.
const clang::Stmt *Walker::effectOfEveryThread(const clang::Stmt *stmt, std::set<const clang::Decl *> &own) {
  if (!stmt) return nullptr;
  if (const auto *directive = llvm::dyn_cast<clang::OMPExecutableDirective>(stmt)) {
    using namespace clang;
    if (isOpenMPDistributeDirective(directive->getDirectiveKind())) return nullptr; // shared out among the teams
    if (isOpenMPParallelDirective(directive->getDirectiveKind())) return stmt;
    if (!isa<OMPCriticalDirective, OMPAtomicDirective, OMPOrderedDirective, OMPScopeDirective>(directive))
      return nullptr;
    return effectOfEveryThread(bodyOf(*directive), own);
  }
  if (const auto *declaration = llvm::dyn_cast<clang::DeclStmt>(stmt))
    for (const clang::Decl *decl : declaration->decls())
      if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl);
          variable && !variable->hasGlobalStorage() && !variable->getType()->isReferenceType())
        own.insert(variable->getCanonicalDecl());
  auto isOwn = [&](const clang::Expr *target) {
    const clang::VarDecl *variable = changedVariable(target);
    return variable &&
           (own.count(variable->getCanonicalDecl()) || variable->hasAttr<clang::OMPThreadPrivateDeclAttr>());
  };
  if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(stmt); op && op->isAssignmentOp() && !isOwn(op->getLHS()))
    return stmt;
  if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(stmt);
      op && op->isIncrementDecrementOp() && !isOwn(op->getSubExpr()))
    return stmt;
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(stmt); call && !isQuietCall(call)) {
    const clang::FunctionDecl *callee = calleeOf(call);
    const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
    if (!callee || !unit.isOwnFunction(callee) || (method && method->isVirtual())) return stmt;
    const clang::FunctionDecl *definition = bodyThatRuns(callee);
    if (!definition || !definition->getBody()) return stmt;
    if (own.insert(definition->getCanonicalDecl()).second) {
      for (const clang::ParmVarDecl *parameter : definition->parameters())
        if (!parameter->getType()->isReferenceType()) own.insert(parameter->getCanonicalDecl());
      if (effectOfEveryThread(definition->getBody(), own)) return stmt;
    }
  }
  if (llvm::isa<clang::GCCAsmStmt, clang::MSAsmStmt, clang::AtomicExpr, clang::CXXNewExpr, clang::CXXDeleteExpr,
                clang::CXXThrowExpr, clang::LambdaExpr>(stmt))
    return stmt;
  if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(stmt);
      made && !made->getConstructor()->isTrivial() && handleOf(made->getType()) == Handle::None)
    return stmt;
  for (const clang::Stmt *child : partsOf(stmt))
    if (const clang::Stmt *effect = effectOfEveryThread(child, own)) return effect;
  return nullptr;
}

/// The variables that the construct's clauses give a copy of to each thread, and that keep their value outside.
static std::set<const clang::VarDecl *> privatesOf(const clang::OMPExecutableDirective *stmt) {
  std::set<const clang::VarDecl *> found, kept;
  auto take = [&](auto list, std::set<const clang::VarDecl *> &into) {
    for (const clang::Expr *expr : list)
      if (const auto *variable = variableOf(expr)) into.insert(variable->getCanonicalDecl());
  };
  for (const clang::OMPClause *clause : stmt->clauses()) {
    if (const auto *c = llvm::dyn_cast<clang::OMPPrivateClause>(clause)) take(c->varlists(), found);
    if (const auto *c = llvm::dyn_cast<clang::OMPFirstprivateClause>(clause)) take(c->varlists(), found);
    if (const auto *c = llvm::dyn_cast<clang::OMPLastprivateClause>(clause)) take(c->varlists(), kept);
  }
  for (const clang::VarDecl *variable : kept) found.erase(variable);
  return found;
}

/// Says of each loop that it stays on the host, and that no write is sure: which thread does it, and when, is not
/// followed.
static void keepOnHost(Block &block, const skeleton::HostStatement &why) {
  for (Node &node : block) {
    if (auto *loop = std::get_if<skeleton::Loop>(&node.kind)) {
      keepOnHost(loop->body, why);
      loop->body.insert(loop->body.begin(), Node(why));
    } else if (auto *branch = std::get_if<skeleton::Branch>(&node.kind)) {
      keepOnHost(branch->then, why);
      keepOnHost(branch->otherwise, why);
    } else if (auto *access = std::get_if<Access>(&node.kind)) {
      access->may |= access->kind != AccessKind::Read;
    }
  }
}

/// A region that threads share by hand. As one loop over the threads: each runs all of it, the iterations of `omp for`
/// too, with variables of which nothing is known that any of them changes. That touches all that they touch together.
Flow Walker::executeByThreads(const clang::OMPExecutableDirective *stmt, const clang::Stmt *body,
                              const std::string &what) {
  Location location = locate(stmt);
  find(Rule::UnreadDirective, location, what + " stays on the host, with its loops; it is read for what it touches");
  std::set<std::string> changed;
  std::set<const clang::Decl *> local;
  collectChanged(body, changed, local);
  flush();
  LoopParts parts;
  parts.stmt = stmt, parts.body = body;
  GivenRange range;
  range.index = "thread";
  range.upper = usually(freshSymbol("threads", "how many threads run the region", location, false, false, Symbolic(1)),
                        Symbolic(1)) -
                1;
  range.bind = [&](const Symbolic &) {
    for (const std::string &name : changed) clobber(name, location);
  };
  parts.given = range;
  const std::map<std::string, Value> integers = st.env.integers;
  const std::map<std::string, Pointer> pointers = st.env.pointers;
  Block inside, *around = std::exchange(out, &inside);
  executeLoop(parts);
  flush();
  out = around;
  keepOnHost(inside, skeleton::HostStatement{HostReason::Threads, what, {}, location, {}, {}});
  for (Node &node : inside) put(std::move(node));
  // What each thread adds to a variable is not what all of them do.
  std::set<std::string> different = changed;
  for (const auto &[name, value] : st.env.integers)
    if (auto known = integers.find(name); known == integers.end() || !(known->second.expr == value.expr))
      different.insert(name);
  for (const auto &[name, value] : st.env.pointers)
    if (auto known = pointers.find(name); known == pointers.end() || !(known->second == value)) different.insert(name);
  for (const std::string &name : different) clobber(name, location);
  return Flow();
}

/// A parallel region that is no loop.
Flow Walker::executeParallelRegion(const clang::OMPExecutableDirective *stmt, const clang::Stmt *body) {
  std::set<const clang::Decl *> own;
  for (const clang::VarDecl *variable : privatesOf(stmt)) own.insert(variable);
  if (const clang::Stmt *effect = effectOfEveryThread(body, own)) {
    const auto *call = llvm::dyn_cast<clang::CallExpr>(effect);
    const clang::FunctionDecl *callee = call ? calleeOf(call) : nullptr;
    if (callee && callee->getIdentifier() && callee->getName() == "omp_get_thread_num")
      if (std::optional<WhyOnHost> why = whyKnownOnHost(callee->getName(), true))
        find(why->rule, locate(call), why->message);
    return executeByThreads(stmt, body,
                            "a parallel region of which every thread runs line " + std::to_string(locate(effect).line));
  }
  return execute(body);
}

/// What private variables held before the construct they hold after it; or what it left in them, if nobody obeys it.
Flow Walker::keepPrivates(const clang::OMPExecutableDirective *stmt, llvm::function_ref<Flow()> run) {
  std::map<std::string, std::optional<Value>> integers;
  std::map<std::string, std::optional<Pointer>> pointers;
  for (const clang::VarDecl *variable : privatesOf(stmt)) {
    std::string name = placeOfVariable(variable, variable->getLocation()).variable;
    if (name.empty()) continue;
    auto integer = st.env.integers.find(name);
    auto pointer = st.env.pointers.find(name);
    if (classOf(variable->getType()) == TypeClass::Integer)
      integers[name] = integer == st.env.integers.end() ? std::nullopt : std::optional(integer->second);
    else pointers[name] = pointer == st.env.pointers.end() ? std::nullopt : std::optional(pointer->second);
  }
  Flow flow = run();
  Location location = locate(stmt);
  for (const auto &[name, before] : integers) {
    auto now = st.env.integers.find(name);
    bool isKept = now != st.env.integers.end() && before && now->second.expr == before->expr &&
                  now->second.mayWrap == before->mayWrap;
    if (!isKept && now != st.env.integers.end())
      now->second = Value{freshSymbol(name, name + " after the construct it is private in", location, true)};
  }
  for (const auto &[name, before] : pointers) {
    auto now = st.env.pointers.find(name);
    bool isKept = now != st.env.pointers.end() && before && now->second == *before;
    if (!isKept && now != st.env.pointers.end()) clobber(name, location);
  }
  return flow;
}

} // namespace busfare::frontend
