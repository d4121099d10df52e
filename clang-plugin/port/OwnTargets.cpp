//===- clang-plugin/port/OwnTargets.cpp - Target constructs of the program --===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/OwnTargets.h"
#include "clang-plugin/AstQueries.h"
#include "clang-plugin/port/LoopForm.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <functional>

namespace busfare::frontend::port {
using namespace clang;

bool isTargetConstruct(const Stmt *stmt) {
  const auto *directive = llvm::dyn_cast_or_null<OMPExecutableDirective>(stmt);
  if (!directive)
    return false;
  OpenMPDirectiveKind kind = directive->getDirectiveKind();
  return isOpenMPTargetExecutionDirective(kind) || isOpenMPTargetDataManagementDirective(kind) || isOpenMPTeamsDirective(kind) ||
         isOpenMPDistributeDirective(kind) || isOpenMPGenericLoopDirective(kind);
}

bool staysAsTeams(const Stmt *stmt) {
  const auto *directive = llvm::dyn_cast_or_null<OMPExecutableDirective>(stmt);
  if (!directive || !directive->hasClausesOfKind<OMPNumTeamsClause>() || isOpenMPDistributeDirective(directive->getDirectiveKind()) ||
      isOpenMPGenericLoopDirective(directive->getDirectiveKind()))
    return false;
  // Of a loop that is shared out among the teams each iteration runs once, whatever their number.
  const Stmt *under = directive->getRawStmt();
  while (true) {
    const auto *captured = llvm::dyn_cast<CapturedStmt>(under);
    const auto *block = llvm::dyn_cast<CompoundStmt>(under);
    if (!captured && (!block || block->size() != 1))
      break;
    under = captured ? captured->getCapturedStmt() : block->body_front();
  }
  const auto *inner = llvm::dyn_cast<OMPExecutableDirective>(under);
  return !inner || !(isOpenMPDistributeDirective(inner->getDirectiveKind()) || isOpenMPGenericLoopDirective(inner->getDirectiveKind()));
}

/// The same without the device.
static std::string asTeams(const OMPExecutableDirective *directive, const FunctionSource &source) {
  std::string line = "#pragma omp teams";
  for (const OMPClause *clause : directive->clauses())
    if (llvm::isa<OMPNumTeamsClause, OMPThreadLimitClause, OMPDefaultClause, OMPSharedClause, OMPPrivateClause, OMPFirstprivateClause,
                  OMPReductionClause, OMPAllocateClause>(clause) &&
        clause->getBeginLoc().isValid())
      line += " " + source.textOf({clause->getBeginLoc(), clause->getEndLoc()});
  return line + "\n";
}

/// `isAlone`: no other statement may take its place.
using OnTarget = llvm::function_ref<void(const OMPExecutableDirective *, bool isAlone)>;

static void forEachTarget(const Stmt *stmt, bool inBlock, OnTarget on, bool inTeams = false) {
  if (!stmt)
    return;
  if (const auto *directive = llvm::dyn_cast<OMPExecutableDirective>(stmt)) {
    bool isStandalone = isOpenMPTargetDataManagementDirective(directive->getDirectiveKind()) && !llvm::isa<OMPTargetDataDirective>(directive);
    if (isTargetConstruct(directive) && !inTeams)
      on(directive, isStandalone && !inBlock);
    if (isStandalone || !directive->hasAssociatedStmt())
      return;
    const Stmt *under = directive->getRawStmt();
    while (const auto *captured = llvm::dyn_cast<CapturedStmt>(under))
      under = captured->getCapturedStmt();
    return forEachTarget(under, inBlock, on, inTeams || staysAsTeams(directive));
  }
  for (const Stmt *child : stmt->children())
    forEachTarget(child, llvm::isa<CompoundStmt>(stmt), on, inTeams);
}

bool asksWhoRunsIt(const Stmt *stmt) {
  if (!stmt)
    return false;
  if (const auto *call = llvm::dyn_cast<CallExpr>(stmt))
    if (const FunctionDecl *callee = call->getDirectCallee())
      if (llvm::StringRef name = callee->getIdentifier() ? callee->getName() : ""; name == "omp_get_thread_num" || name == "omp_get_team_num")
        return true;
  return llvm::any_of(partsOf(stmt), asksWhoRunsIt);
}

/// Every mention of the number or pointer takes its value: nothing gets hold of the variable itself.
static bool isOnlyRead(const Stmt *stmt, const ValueDecl *variable) {
  if (!variable->getType()->isArithmeticType() && !variable->getType()->isEnumeralType() && !variable->getType()->isPointerType())
    return false;
  bool isRead = true;
  std::function<void(const Stmt *, bool)> walk = [&](const Stmt *part, bool takesValue) {
    if (!part || !isRead)
      return;
    if (const auto *ref = llvm::dyn_cast<DeclRefExpr>(part))
      isRead &= takesValue || ref->getDecl()->getCanonicalDecl() != variable;
    const auto *cast = llvm::dyn_cast<ImplicitCastExpr>(part);
    const bool isLoad = (cast && cast->getCastKind() == CK_LValueToRValue) || (takesValue && llvm::isa<ParenExpr>(part));
    for (const Stmt *child : partsOf(part))
      walk(child, isLoad);
  };
  walk(stmt, false);
  return isRead;
}

/// One thread does without the directive what it does with it: it has no variables of its own whose namesakes anybody sees.
static bool isPlainLoop(const OMPParallelForDirective *directive, const FunctionSource &source) {
  const auto *loop = llvm::dyn_cast_or_null<ForStmt>(withoutDirective(directive));
  std::optional<CanonicalLoop> form = loop ? canonicalForm(loop, source.context) : std::nullopt;
  if (!form)
    return false;
  auto isSeen = [&](const ValueDecl *variable) {
    const auto *local = llvm::dyn_cast<VarDecl>(variable);
    return !local || !local->hasLocalStorage() || isUsedElsewhere(local, loop, source.function);
  };
  auto areUnseen = [&](const auto *list) {
    return llvm::all_of(list->varlists(), [&](const Expr *one) {
      const auto *ref = llvm::dyn_cast<DeclRefExpr>(one->IgnoreParenCasts());
      return ref && !isSeen(llvm::cast<ValueDecl>(ref->getDecl()->getCanonicalDecl()));
    });
  };
  if (!form->isDeclared && isSeen(form->variable))
    return false;
  return llvm::all_of(directive->clauses(), [&](const OMPClause *clause) {
    if (const auto *own = llvm::dyn_cast<OMPPrivateClause>(clause))
      return areUnseen(own);
    if (const auto *copies = llvm::dyn_cast<OMPFirstprivateClause>(clause))
      return llvm::all_of(copies->varlists(), [&](const Expr *one) {
        const auto *ref = llvm::dyn_cast<DeclRefExpr>(one->IgnoreParenCasts());
        return ref && isOnlyRead(loop, llvm::cast<ValueDecl>(ref->getDecl()->getCanonicalDecl()));
      });
    return llvm::isa<OMPSharedClause, OMPScheduleClause, OMPNumThreadsClause, OMPDefaultClause>(clause);
  });
}

std::string ownCopyThatChanges(const OMPExecutableDirective *directive) {
  for (const OMPClause *clause : directive->clauses())
    if (const auto *copies = llvm::dyn_cast<OMPFirstprivateClause>(clause))
      for (const Expr *one : copies->varlists())
        if (const auto *ref = llvm::dyn_cast<DeclRefExpr>(one->IgnoreParenCasts());
            ref && !isOnlyRead(withoutDirective(directive), llvm::cast<ValueDecl>(ref->getDecl()->getCanonicalDecl())))
          return ref->getDecl()->getNameAsString();
  return {};
}

std::string ownArrayOf(const OMPExecutableDirective *directive) {
  std::string found;
  auto look = [&](const auto *list) {
    for (const Expr *one : list->varlists())
      if (const auto *ref = llvm::dyn_cast<DeclRefExpr>(one->IgnoreParenCasts()); ref && (ref->getType()->isArrayType() || ref->getType()->isRecordType()))
        found = ref->getDecl()->getNameAsString();
  };
  for (const OMPClause *clause : directive->clauses()) {
    if (const auto *list = llvm::dyn_cast<OMPPrivateClause>(clause))
      look(list);
    if (const auto *list = llvm::dyn_cast<OMPFirstprivateClause>(clause))
      look(list);
    if (const auto *list = llvm::dyn_cast<OMPLastprivateClause>(clause))
      look(list);
    if (const auto *list = llvm::dyn_cast<OMPReductionClause>(clause))
      look(list);
  }
  return found;
}

std::optional<Edit> onOneThread(const Stmt *stmt, const FunctionSource &source) {
  const auto *directive = llvm::dyn_cast_or_null<OMPExecutableDirective>(stmt);
  bool isLoop = llvm::isa_and_nonnull<OMPParallelForDirective>(directive);
  if (!directive || directive->getBeginLoc().isMacroID() || (!isLoop && !llvm::isa<OMPParallelDirective>(directive)) ||
      (!isLoop && asksWhoRunsIt(withoutDirective(directive))))
    return std::nullopt;
  auto [begin, end] = source.rangeOf(directive);
  if (isLoop && isPlainLoop(llvm::cast<OMPParallelForDirective>(directive), source))
    return Edit{begin, end - begin, ""};
  std::string text = source.text.slice(begin, end).str(), one = "num_threads(1)";
  auto placeOf = [&](const OMPClause &clause) {
    const unsigned at = source.offsetOf(clause.getBeginLoc());
    return std::pair(at - begin, source.endOf({clause.getBeginLoc(), clause.getEndLoc()}) - at);
  };
  const auto *threads = directive->getSingleClause<OMPNumThreadsClause>();
  const auto *none = directive->getSingleClause<OMPDefaultClause>(); // what is put inside names variables of its own
  const bool isNone = none && none->getDefaultKind() == llvm::omp::OMP_DEFAULT_none;
  const size_t from = threads ? placeOf(*threads).first : 0, length = threads ? placeOf(*threads).second : 0;
  if (threads && (!isNone || placeOf(*none).first < from))
    text.replace(from, length, one);
  if (isNone)
    text.erase(placeOf(*none).first, placeOf(*none).second);
  if (threads && isNone && placeOf(*none).first > from)
    text.replace(from, length, one);
  if (!threads) {
    llvm::StringRef last = isLoop ? "for" : "parallel";
    size_t name = text.find(last.str(), text.find("parallel"));
    if (name == std::string::npos)
      return std::nullopt;
    text.insert(name + last.size(), " " + one);
  }
  return Edit{begin, end - begin, text};
}

std::vector<Edit> withoutTargets(const FunctionSource &source) {
  std::vector<Edit> edits;
  forEachTarget(source.function->getBody(), false, [&](const OMPExecutableDirective *directive, bool isAlone) {
    auto [begin, end] = source.rangeOf(directive);
    edits.push_back({begin, end - begin, staysAsTeams(directive) ? asTeams(directive, source) : isAlone ? ";" : ""});
  });
  return edits;
}

std::string targetThatStays(const FunctionSource &source) {
  std::string why;
  forEachTarget(source.function->getBody(), false, [&](const OMPExecutableDirective *directive, bool) {
    bool givesAddress = directive->hasClausesOfKind<OMPUseDevicePtrClause>() || directive->hasClausesOfKind<OMPUseDeviceAddrClause>() ||
                        directive->hasClausesOfKind<OMPIsDevicePtrClause>() || directive->hasClausesOfKind<OMPHasDeviceAddrClause>();
    if (!why.empty() || (!givesAddress && source.whyFixed.empty() && !directive->getBeginLoc().isMacroID() && !source.isElsewhere(directive->getBeginLoc())))
      return;
    why = givesAddress ? "hands out device addresses" : "cannot be taken out of the text";
    why += " (" + directive->getBeginLoc().printToString(source.context.getSourceManager()) + ")";
  });
  return why;
}

} // namespace busfare::frontend::port
