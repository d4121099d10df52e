//===- clang-plugin/port/HostDirectives.cpp - OpenMP of the host around kernels -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/HostDirectives.h"
#include "clang-plugin/lower/AstQueries.h"
#include "clang-plugin/port/LoopForm.h"
#include "llvm/ADT/STLExtras.h"
#include <functional>

namespace busfare::frontend::port {
using namespace clang;

bool asksWhoRunsIt(const Stmt *stmt) {
  if (!stmt) return false;
  if (const auto *call = llvm::dyn_cast<CallExpr>(stmt))
    if (const FunctionDecl *callee = call->getDirectCallee())
      if (llvm::StringRef name = callee->getIdentifier() ? callee->getName() : "";
          name == "omp_get_thread_num" || name == "omp_get_team_num")
        return true;
  return llvm::any_of(partsOf(stmt), asksWhoRunsIt);
}

/// Every mention of the number or pointer takes its value: nothing gets hold of the variable itself.
static bool isOnlyRead(const Stmt *stmt, const ValueDecl *variable) {
  if (!variable->getType()->isArithmeticType() && !variable->getType()->isEnumeralType() &&
      !variable->getType()->isPointerType())
    return false;
  bool isRead = true;
  std::function<void(const Stmt *, bool)> walk = [&](const Stmt *part, bool takesValue) {
    if (!part || !isRead) return;
    if (const auto *ref = llvm::dyn_cast<DeclRefExpr>(part))
      isRead &= takesValue || ref->getDecl()->getCanonicalDecl() != variable;
    const auto *cast = llvm::dyn_cast<ImplicitCastExpr>(part);
    const bool isLoad =
        (cast && cast->getCastKind() == CK_LValueToRValue) || (takesValue && llvm::isa<ParenExpr>(part));
    for (const Stmt *child : partsOf(part)) walk(child, isLoad);
  };
  walk(stmt, false);
  return isRead;
}

/// One thread does without the directive what it does with it: it has no variables of its own whose namesakes anybody
/// sees.
static bool isPlainLoop(const OMPParallelForDirective *directive, const FunctionSource &source) {
  const auto *loop = llvm::dyn_cast_or_null<ForStmt>(withoutDirective(directive));
  std::optional<CanonicalLoop> form = loop ? canonicalForm(loop, source.context) : std::nullopt;
  if (!form) return false;
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
  if (!form->isDeclared && isSeen(form->variable)) return false;
  return llvm::all_of(directive->clauses(), [&](const OMPClause *clause) {
    if (const auto *own = llvm::dyn_cast<OMPPrivateClause>(clause)) return areUnseen(own);
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
      if (const auto *ref = llvm::dyn_cast<DeclRefExpr>(one->IgnoreParenCasts());
          ref && (ref->getType()->isArrayType() || ref->getType()->isRecordType()))
        found = ref->getDecl()->getNameAsString();
  };
  for (const OMPClause *clause : directive->clauses()) {
    if (const auto *list = llvm::dyn_cast<OMPPrivateClause>(clause)) look(list);
    if (const auto *list = llvm::dyn_cast<OMPFirstprivateClause>(clause)) look(list);
    if (const auto *list = llvm::dyn_cast<OMPLastprivateClause>(clause)) look(list);
    if (const auto *list = llvm::dyn_cast<OMPReductionClause>(clause)) look(list);
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
  if (threads && (!isNone || placeOf(*none).first < from)) text.replace(from, length, one);
  if (isNone) text.erase(placeOf(*none).first, placeOf(*none).second);
  if (threads && isNone && placeOf(*none).first > from) text.replace(from, length, one);
  if (!threads) {
    llvm::StringRef last = isLoop ? "for" : "parallel";
    size_t name = text.find(last.str(), text.find("parallel"));
    if (name == std::string::npos) return std::nullopt;
    text.insert(name + last.size(), " " + one);
  }
  return Edit{begin, end - begin, text};
}

} // namespace busfare::frontend::port
