//===- clang-plugin/lower/ArrayUses.cpp - Pointers that functions use as arrays -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ArrayUses.h"
#include "AstQueries.h"

namespace busfare::frontend {

/// The variable that the expression names, if it is no more than that.
static const clang::VarDecl *namedBy(const clang::Expr *expr) {
  const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(expr->IgnoreParenImpCasts());
  return ref ? llvm::dyn_cast<clang::VarDecl>(ref->getDecl()) : nullptr;
}

const ArrayUses::Body &ArrayUses::usesIn(const clang::Stmt *body) {
  if (auto known = bodies.find(body); known != bodies.end()) return *known->second;
  auto uses = std::make_unique<Body>();
  auto steps = [&](const clang::Expr *expr) {
    if (const clang::VarDecl *variable = namedBy(expr)) uses->stepped.insert(variable);
  };
  std::function<void(const clang::Stmt *)> look = [&](const clang::Stmt *at) {
    if (!at) return;
    if (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(at)) steps(element->getBase());
    if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(at)) {
      if (op->isAdditiveOp() || op->isCompoundAssignmentOp()) steps(op->getLHS());
      if (op->isAdditiveOp() || op->isAssignmentOp()) steps(op->getRHS());
    }
    if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(at); op && op->isIncrementDecrementOp())
      steps(op->getSubExpr());
    if (const auto *declared = llvm::dyn_cast<clang::DeclStmt>(at))
      for (const clang::Decl *decl : declared->decls())
        if (const auto *copy = llvm::dyn_cast<clang::VarDecl>(decl);
            copy && copy->getInit() && !copy->getType()->isReferenceType())
          if (const clang::VarDecl *original = namedBy(copy->getInit())) uses->copies[original].push_back(copy);
    if (const auto *call = llvm::dyn_cast<clang::CallExpr>(at)) {
      const clang::FunctionDecl *callee = calleeOf(call), *definition = bodyThatRuns(callee);
      bool isMember =
          llvm::isa<clang::CXXOperatorCallExpr>(call) && llvm::isa_and_nonnull<clang::CXXMethodDecl>(callee);
      for (unsigned k = 0; definition && !isMember && k < call->getNumArgs() && k < definition->getNumParams(); ++k)
        if (const clang::VarDecl *given = namedBy(call->getArg(k));
            given && definition->getParamDecl(k)->getType()->isPointerType())
          uses->handedTo[given].push_back(definition->getParamDecl(k));
    }
    for (const clang::Stmt *part : partsOf(at)) look(part);
  };
  look(body);
  return *(bodies[body] = std::move(uses));
}

bool ArrayUses::isArray(const clang::VarDecl *pointer, const clang::Stmt *body,
                        llvm::DenseSet<const clang::VarDecl *> &seen) {
  if (!body || !seen.insert(pointer).second) return false;
  const Body &uses = usesIn(body);
  if (uses.stepped.count(pointer)) return true;
  if (auto copies = uses.copies.find(pointer); copies != uses.copies.end())
    for (const clang::VarDecl *copy : copies->second)
      if (isArray(copy, body, seen)) return true;
  if (auto given = uses.handedTo.find(pointer); given != uses.handedTo.end())
    for (const clang::ParmVarDecl *formal : given->second)
      if (isArray(formal, llvm::cast<clang::FunctionDecl>(formal->getDeclContext())->getBody(), seen)) return true;
  return false;
}

bool ArrayUses::isArrayIn(const clang::VarDecl *pointer, const clang::FunctionDecl *function) {
  llvm::DenseSet<const clang::VarDecl *> seen;
  return isArray(pointer, function->getBody(), seen);
}

bool ArrayUses::isOneStruct(const clang::ParmVarDecl *formal) {
  const auto *owner = llvm::dyn_cast<clang::FunctionDecl>(formal->getDeclContext());
  const clang::FunctionDecl *definition = nullptr;
  llvm::DenseSet<const clang::VarDecl *> seen;
  return !(owner && owner->hasBody(definition) &&
           isArray(definition->getParamDecl(formal->getFunctionScopeIndex()), definition->getBody(), seen));
}

} // namespace busfare::frontend
