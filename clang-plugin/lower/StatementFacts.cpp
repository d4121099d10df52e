//===- clang-plugin/lower/StatementFacts.cpp - What stands in a statement -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "StatementFacts.h"
#include "AstQueries.h"
#include "clang/AST/StmtOpenMP.h"
#include "llvm/ADT/DenseSet.h"

namespace busfare::frontend {

const std::vector<const clang::VarDecl *> &StatementFacts::namedIn(const clang::Stmt *stmt) {
  if (auto known = named.find(stmt); known != named.end()) return known->second;
  std::vector<const clang::VarDecl *> all;
  llvm::DenseSet<const clang::VarDecl *> seen;
  std::function<void(const clang::Stmt *)> look = [&](const clang::Stmt *at) {
    if (!at) return;
    if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(at))
      if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(ref->getDecl());
          variable && seen.insert(variable).second)
        all.push_back(variable);
    if (const auto *decls = llvm::dyn_cast<clang::DeclStmt>(at))
      for (const clang::Decl *decl : decls->decls())
        if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl)) look(variable->getInit());
    for (const clang::Stmt *part : partsOf(at)) look(part);
  };
  look(stmt);
  return named[stmt] = std::move(all);
}

bool StatementFacts::setsFirst(const clang::Stmt *stmt, llvm::function_ref<bool(const clang::VarDecl *)> isIt) {
  auto mentions = [&](const clang::Stmt *at) { return at && llvm::any_of(namedIn(at), isIt); };
  std::function<int(const clang::Stmt *)> verdict = [&](const clang::Stmt *at) -> int { // 1 set, 0 untouched, -1 read
    if (!mentions(at)) return 0;
    if (const auto *block = llvm::dyn_cast<clang::CompoundStmt>(at)) {
      for (const clang::Stmt *child : block->body())
        if (int known = verdict(child)) return known;
      return 0;
    }
    if (const auto *loop = llvm::dyn_cast<clang::ForStmt>(at)) {
      if (int known = verdict(loop->getInit())) return known;
      return -1;
    }
    if (const auto *branch = llvm::dyn_cast<clang::IfStmt>(at)) {
      const bool isAsked = branch->getInit() || branch->getConditionVariable() || mentions(branch->getCond());
      return !isAsked && verdict(branch->getThen()) == 1 && verdict(branch->getElse()) == 1 ? 1 : -1;
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

static bool asksForRemainder(const clang::Stmt *at) {
  if (!at) return false;
  if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(at);
      op && (op->getOpcode() == clang::BO_Rem || op->getOpcode() == clang::BO_And))
    return true;
  return llvm::any_of(partsOf(at), asksForRemainder);
}

static bool setsPointer(const clang::Stmt *at) {
  if (!at) return false;
  if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(at);
      op && op->isAssignmentOp() && op->getType()->isPointerType())
    return true;
  return llvm::any_of(partsOf(at), setsPointer);
}

bool StatementFacts::mayChooseInTurn(const clang::Stmt *stmt) {
  if (!stmt) return false;
  if (auto known = inTurn.find(stmt); known != inTurn.end()) return known->second;
  const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(stmt);
  const auto *branch = llvm::dyn_cast<clang::IfStmt>(stmt);
  const bool isIt = (choice && choice->getType()->isPointerType() && asksForRemainder(choice->getCond())) ||
                    (branch && asksForRemainder(branch->getCond()) && setsPointer(branch->getThen())) ||
                    llvm::any_of(partsOf(stmt), [&](const clang::Stmt *part) { return mayChooseInTurn(part); });
  return inTurn[stmt] = isIt;
}

} // namespace busfare::frontend
