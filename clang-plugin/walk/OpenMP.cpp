//===- clang-plugin/walk/OpenMP.cpp - OpenMP directives ------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A directive on a loop is kept with the loop, as a claim to check. The others mean
// what their bodies say when one thread runs them in order.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"

namespace busfare::frontend {

/// Does some of it run in order, or one at a time?
static bool holdsTurns(const clang::Stmt *stmt) {
  if (!stmt) return false;
  if (llvm::isa<clang::OMPAtomicDirective, clang::OMPCriticalDirective, clang::OMPOrderedDirective>(stmt)) return true;
  return llvm::any_of(partsOf(stmt), holdsTurns);
}

/// The variables that it declares.
static void collectLocals(const clang::Stmt *stmt, std::vector<const clang::VarDecl *> &locals) {
  if (!stmt) return;
  if (const auto *declaration = llvm::dyn_cast<clang::DeclStmt>(stmt))
    for (const clang::Decl *one : declaration->decls())
      if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(one); variable && variable->hasLocalStorage())
        locals.push_back(variable);
  for (const clang::Stmt *part : partsOf(stmt)) collectLocals(part, locals);
}

/// The directive by itself.
skeleton::Directive Walker::clausesOf(const clang::OMPExecutableDirective *stmt) {
  skeleton::Directive made;
  const clang::SourceManager &sources = context.getSourceManager();
  clang::SourceLocation begin = sources.getExpansionLoc(stmt->getBeginLoc()),
                        end = sources.getExpansionLoc(stmt->getEndLoc());
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
  made.takesTurns =
      stmt->hasClausesOfKind<clang::OMPOrderedClause>() || (stmt->hasAssociatedStmt() && holdsTurns(bodyOf(*stmt)));
  return made;
}

/// What a construct around says of variables holds for its loops: each thread, or team, has its own.
void Walker::addEnclosing(const clang::OMPExecutableDirective &around, skeleton::Directive &made) {
  auto add = [](const auto &from, auto &to) { to.insert(to.end(), from.begin(), from.end()); };
  const skeleton::Directive outer = clausesOf(&around);
  add(outer.privates, made.privates);
  add(outer.firstprivates, made.firstprivates);
  add(outer.reductions, made.reductions);
  std::vector<const clang::VarDecl *> locals;
  collectLocals(bodyOf(around), locals);
  for (const clang::VarDecl *variable : locals)
    if (auto known = st.names.find(variable); known != st.names.end()) made.privates.push_back(known->second);
}

skeleton::Directive Walker::readDirective(const clang::OMPExecutableDirective *stmt) {
  skeleton::Directive made = clausesOf(stmt);
  for (const clang::OMPExecutableDirective *around : constructs) addEnclosing(*around, made);
  return made;
}

Flow Walker::executeDirective(const clang::OMPExecutableDirective *stmt) {
  bool isAround = stmt->hasAssociatedStmt() && !llvm::isa<clang::OMPLoopDirective>(stmt);
  auto outside = constructs;
  if (isAround) constructs.push_back(stmt);
  Flow flow = keepPrivates(stmt, [&] { return executeConstruct(stmt); });
  constructs = std::move(outside);
  return flow;
}

Flow Walker::executeConstruct(const clang::OMPExecutableDirective *stmt) {
  // They move data between two memories; here there is one.
  if (llvm::isa<clang::OMPTargetUpdateDirective, clang::OMPTargetEnterDataDirective, clang::OMPTargetExitDataDirective>(
          stmt))
    return Flow();
  if (!stmt->hasAssociatedStmt()) {
    if (!llvm::isa<clang::OMPBarrierDirective, clang::OMPFlushDirective, clang::OMPTaskwaitDirective>(stmt))
      find(Rule::UnreadDirective, locate(stmt),
           "this OpenMP directive is not followed; what it does to others is not seen");
    return Flow();
  }
  const clang::Stmt *body = bodyOf(*stmt);
  if (const auto *loop = llvm::dyn_cast<clang::OMPLoopDirective>(stmt)) {
    while (const auto *canonical = llvm::dyn_cast_or_null<clang::OMPCanonicalLoop>(body))
      body = canonical->getLoopStmt();
    while (const auto *block = llvm::dyn_cast_or_null<clang::CompoundStmt>(body)) {
      if (block->size() != 1) break;
      body = block->body_front();
    }
    if (const auto *counted = llvm::dyn_cast_or_null<clang::ForStmt>(body)) {
      LoopParts parts;
      parts.stmt = counted, parts.init = counted->getInit(), parts.cond = counted->getCond(),
      parts.inc = counted->getInc();
      parts.body = counted->getBody();
      parts.directive = readDirective(loop);
      return executeLoop(parts);
    }
    return execute(body);
  }
  using namespace clang;
  if (isa<OMPParallelDirective, OMPTeamsDirective, OMPTargetTeamsDirective, OMPTargetParallelDirective>(stmt))
    return executeParallelRegion(stmt, body);
  if (isa<OMPTargetDirective, OMPTargetDataDirective, OMPSingleDirective, OMPMasterDirective, OMPMaskedDirective,
          OMPAtomicDirective, OMPCriticalDirective, OMPOrderedDirective, OMPTaskgroupDirective, OMPScopeDirective>(
          stmt))
    return execute(body); // run by one thread in order, they mean what their body says
  if (isa<OMPSectionsDirective, OMPParallelSectionsDirective, OMPSectionDirective, OMPTaskDirective>(stmt))
    return execute(body);
  unsupported(stmt, "this OpenMP directive", Rule::UnreadDirective);
  return Flow();
}

} // namespace busfare::frontend
