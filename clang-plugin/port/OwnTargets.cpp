//===- clang-plugin/port/OwnTargets.cpp - Target constructs of the program -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/OwnTargets.h"
#include "clang-plugin/lower/AstQueries.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace busfare::frontend::port {
using namespace clang;

bool isTargetConstruct(const Stmt *stmt) {
  const auto *directive = llvm::dyn_cast_or_null<OMPExecutableDirective>(stmt);
  if (!directive) return false;
  OpenMPDirectiveKind kind = directive->getDirectiveKind();
  return isOpenMPTargetExecutionDirective(kind) || isOpenMPTargetDataManagementDirective(kind) ||
         isOpenMPTeamsDirective(kind) || isOpenMPDistributeDirective(kind) || isOpenMPGenericLoopDirective(kind);
}

bool staysAsTeams(const Stmt *stmt) {
  const auto *directive = llvm::dyn_cast_or_null<OMPExecutableDirective>(stmt);
  if (!directive || !directive->hasClausesOfKind<OMPNumTeamsClause>() ||
      isOpenMPDistributeDirective(directive->getDirectiveKind()) ||
      isOpenMPGenericLoopDirective(directive->getDirectiveKind()))
    return false;
  // Of a loop that is shared out among the teams each iteration runs once, whatever their number.
  const Stmt *under = directive->getRawStmt();
  while (true) {
    const auto *captured = llvm::dyn_cast<CapturedStmt>(under);
    const auto *block = llvm::dyn_cast<CompoundStmt>(under);
    if (!captured && (!block || block->size() != 1)) break;
    under = captured ? captured->getCapturedStmt() : block->body_front();
  }
  const auto *inner = llvm::dyn_cast<OMPExecutableDirective>(under);
  return !inner || !(isOpenMPDistributeDirective(inner->getDirectiveKind()) ||
                     isOpenMPGenericLoopDirective(inner->getDirectiveKind()));
}

/// The same without the device.
static std::string asTeams(const OMPExecutableDirective *directive, const FunctionSource &source) {
  std::string line = "#pragma omp teams";
  for (const OMPClause *clause : directive->clauses())
    if (llvm::isa<OMPNumTeamsClause, OMPThreadLimitClause, OMPDefaultClause, OMPSharedClause, OMPPrivateClause,
                  OMPFirstprivateClause, OMPReductionClause, OMPAllocateClause>(clause) &&
        clause->getBeginLoc().isValid())
      line += " " + source.textOf({clause->getBeginLoc(), clause->getEndLoc()});
  return line + "\n";
}

/// `isAlone`: no other statement may take its place.
using OnTarget = llvm::function_ref<void(const OMPExecutableDirective *, bool isAlone)>;

static void forEachTarget(const Stmt *stmt, bool inBlock, OnTarget on, bool inTeams = false) {
  if (!stmt) return;
  if (const auto *directive = llvm::dyn_cast<OMPExecutableDirective>(stmt)) {
    bool isStandalone = isOpenMPTargetDataManagementDirective(directive->getDirectiveKind()) &&
                        !llvm::isa<OMPTargetDataDirective>(directive);
    if (isTargetConstruct(directive) && !inTeams) on(directive, isStandalone && !inBlock);
    if (isStandalone || !directive->hasAssociatedStmt()) return;
    const Stmt *under = directive->getRawStmt();
    while (const auto *captured = llvm::dyn_cast<CapturedStmt>(under)) under = captured->getCapturedStmt();
    return forEachTarget(under, inBlock, on, inTeams || staysAsTeams(directive));
  }
  for (const Stmt *child : stmt->children()) forEachTarget(child, llvm::isa<CompoundStmt>(stmt), on, inTeams);
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
    bool givesAddress =
        directive->hasClausesOfKind<OMPUseDevicePtrClause>() || directive->hasClausesOfKind<OMPUseDeviceAddrClause>() ||
        directive->hasClausesOfKind<OMPIsDevicePtrClause>() || directive->hasClausesOfKind<OMPHasDeviceAddrClause>();
    if (!why.empty() || (!givesAddress && source.whyFixed.empty() && !directive->getBeginLoc().isMacroID() &&
                         !source.isElsewhere(directive->getBeginLoc())))
      return;
    why = givesAddress ? "hands out device addresses" : "cannot be taken out of the text";
    why += " (" + directive->getBeginLoc().printToString(source.context.getSourceManager()) + ")";
  });
  return why;
}

} // namespace busfare::frontend::port
