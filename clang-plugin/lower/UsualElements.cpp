//===- clang-plugin/lower/UsualElements.cpp - Elements that hold one number -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "UsualElements.h"
#include "AstQueries.h"

namespace busfare::frontend {

static std::optional<int64_t> numberOf(const clang::Expr *expr, const clang::ASTContext &context) {
  clang::Expr::EvalResult result;
  if (expr->isValueDependent() || !expr->getType()->isIntegralOrEnumerationType() ||
      !expr->EvaluateAsInt(result, context))
    return std::nullopt;
  return result.Val.getInt().trySExtValue();
}

/// `dims[1][2]` of a global array, or of what a global pointer leads to; the subscripts, outermost first.
static const clang::VarDecl *subscripted(const clang::Expr *expr, std::vector<const clang::Expr *> &subscripts) {
  expr = expr->IgnoreParens();
  while (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr)) {
    subscripts.insert(subscripts.begin(), element->getIdx());
    expr = element->getBase()->IgnoreParenImpCasts();
  }
  const clang::VarDecl *variable = subscripts.empty() ? nullptr : variableOf(expr);
  return variable && variable->hasGlobalStorage() ? variable->getCanonicalDecl() : nullptr;
}

void UsualElements::noteWrite(const clang::Expr *target, std::optional<int64_t> value,
                              const clang::ASTContext &context) {
  std::vector<const clang::Expr *> subscripts;
  const clang::VarDecl *variable = subscripted(target, subscripts);
  const clang::VarDecl *pointer = variableOf(target); // elements are set again wherever it is made to lead
  if (!variable) return pointer && pointer->getType()->isPointerType() ? void() : visit(target, false, context);
  for (const clang::Expr *subscript : subscripts) visit(subscript, false, context);
  std::vector<int64_t> index;
  for (const clang::Expr *subscript : subscripts)
    if (std::optional<int64_t> number = numberOf(subscript, context)) index.push_back(*number);
  if (index.size() != subscripts.size() || !target->getType()->isIntegralOrEnumerationType()) {
    loose.insert(variable);
    return;
  }
  auto [known, isNew] = elements.try_emplace({variable, std::move(index)}, value);
  if (!isNew && known->second != value) known->second = std::nullopt;
}

/// isRead: the value of what the statement denotes is asked for, and nothing else.
void UsualElements::visit(const clang::Stmt *stmt, bool isRead, const clang::ASTContext &context) {
  if (!stmt) return;
  if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(stmt); op && op->isAssignmentOp()) {
    noteWrite(op->getLHS(), op->getOpcode() == clang::BO_Assign ? numberOf(op->getRHS(), context) : std::nullopt,
              context);
    return visit(op->getRHS(), false, context);
  }
  if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(stmt); op && op->isIncrementDecrementOp())
    return noteWrite(op->getSubExpr(), std::nullopt, context);
  if (const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(stmt))
    return visit(cast->getSubExpr(), cast->getCastKind() == clang::CK_LValueToRValue, context);
  if (const auto *paren = llvm::dyn_cast<clang::ParenExpr>(stmt)) return visit(paren->getSubExpr(), isRead, context);
  if (const auto *expr = llvm::dyn_cast<clang::Expr>(stmt); expr && isRead) {
    std::vector<const clang::Expr *> subscripts;
    if (subscripted(expr, subscripts)) {
      for (const clang::Expr *subscript : subscripts) visit(subscript, false, context);
      return;
    }
  }
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(stmt);
      call && calleeOf(call) && calleeOf(call)->getIdentifier() && calleeOf(call)->getName() == "free")
    return;
  if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(stmt)) {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(ref->getDecl());
    if (variable && variable->hasGlobalStorage()) loose.insert(variable->getCanonicalDecl());
    return;
  }
  if (const auto *size = llvm::dyn_cast<clang::UnaryExprOrTypeTraitExpr>(stmt);
      size && !size->isArgumentType() && !size->getArgumentExpr()->getType()->isVariablyModifiedType())
    return;
  if (const auto *declares = llvm::dyn_cast<clang::DeclStmt>(stmt)) {
    for (const clang::Decl *decl : declares->decls())
      if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl)) visit(variable->getInit(), false, context);
    return;
  }
  for (const clang::Stmt *part : partsOf(stmt)) visit(part, false, context);
}

void UsualElements::scan(const clang::Stmt *body, const clang::ASTContext &context) { visit(body, false, context); }

std::optional<int64_t> UsualElements::find(const clang::VarDecl *variable, llvm::ArrayRef<int64_t> index) const {
  auto known = elements.find({variable->getCanonicalDecl(), index.vec()});
  return known == elements.end() || loose.count(variable->getCanonicalDecl()) ? std::nullopt : known->second;
}

} // namespace busfare::frontend
