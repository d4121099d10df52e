//===- clang-plugin/port/AtomicUpdates.cpp - Sums into arrays, one at a time -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/AtomicUpdates.h"
#include "clang-plugin/lower/AstQueries.h"
#include "clang-plugin/port/LoopForm.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtOpenMP.h"
#include "llvm/ADT/FoldingSet.h"

namespace busfare::frontend::port {
using namespace clang;

namespace {

class UpdateFinder {
public:
  UpdateFinder(const ValueDecl *array, const ASTContext &context) : array(array), context(context) {}
  std::vector<const Stmt *> updates;
  bool isWhole = true;

  /// isStatement: it stands where a statement may, so that a directive can stand before it.
  void search(const Stmt *stmt, bool isStatement) {
    if (!stmt || !isWhole || !mentions(stmt, array)) return;
    if (isStatement && isUpdate(stmt)) {
      updates.push_back(stmt);
      return;
    }
    if (llvm::isa<Expr>(stmt) || llvm::isa<DeclStmt>(stmt)) {
      isWhole = false;
      return;
    }
    const bool isAnyStatement = llvm::isa<CompoundStmt, OMPExecutableDirective, CapturedStmt>(stmt);
    for (const Stmt *child : partsOf(stmt)) {
      const auto *loop = llvm::dyn_cast<ForStmt>(stmt);
      const auto *branch = llvm::dyn_cast<IfStmt>(stmt);
      search(child, isAnyStatement || (loop && child == loop->getBody()) ||
                        (branch && (child == branch->getThen() || child == branch->getElse())));
    }
  }

private:
  const ValueDecl *array;
  const ASTContext &context;

  static bool isNumber(QualType type) { return type->isArithmeticType() && !type->isAnyComplexType(); }
  /// Truth values are no sums.
  static bool fits(const Expr *element, BinaryOperatorKind op) {
    return !element->getType()->isBooleanType() || op == BO_And || op == BO_Or || op == BO_Xor;
  }

  /// An element of it by plain subscripts, which do not look at it themselves.
  bool isElement(const Expr *expr) const {
    expr = expr->IgnoreParens();
    if (!isNumber(expr->getType()) || expr->getType().isVolatileQualified()) return false;
    bool isSubscripted = false;
    while (const auto *subscript = llvm::dyn_cast<ArraySubscriptExpr>(expr)) {
      if (mentions(subscript->getIdx(), array)) return false;
      isSubscripted = true;
      expr = subscript->getBase()->IgnoreParenImpCasts();
    }
    const auto *ref = llvm::dyn_cast<DeclRefExpr>(expr);
    return isSubscripted && ref && ref->getDecl()->getCanonicalDecl() == array;
  }

  /// `x++`, `x op= e`, `x = x op e` and `x = e op x` as OpenMP's atomic update has them.
  bool isUpdate(const Stmt *stmt) const {
    if (const auto *step = llvm::dyn_cast<UnaryOperator>(stmt))
      return step->isIncrementDecrementOp() && isElement(step->getSubExpr()) && fits(step->getSubExpr(), BO_Add);
    const auto *op = llvm::dyn_cast<BinaryOperator>(stmt);
    if (!op || !op->isAssignmentOp() || !isElement(op->getLHS())) return false;
    if (op->isCompoundAssignmentOp()) {
      const BinaryOperatorKind combined = BinaryOperator::getOpForCompoundAssignment(op->getOpcode());
      return isAtomic(combined) && fits(op->getLHS(), combined) && isOperand(op->getRHS());
    }
    const auto *result = llvm::dyn_cast<BinaryOperator>(op->getRHS()->IgnoreParenImpCasts());
    if (!result || !isAtomic(result->getOpcode()) || !fits(op->getLHS(), result->getOpcode())) return false;
    return (areSpelledAlike(op->getLHS(), result->getLHS(), context) && isOperand(result->getRHS())) ||
           (result->getOpcode() != BO_Sub && areSpelledAlike(op->getLHS(), result->getRHS(), context) &&
            isOperand(result->getLHS()));
  }

  static bool isAtomic(BinaryOperatorKind op) {
    return op == BO_Add || op == BO_Sub || op == BO_Mul || op == BO_And || op == BO_Or || op == BO_Xor;
  }
  bool isOperand(const Expr *expr) const { return !mentions(expr, array) && isNumber(expr->getType()); }
};

} // namespace

bool areSpelledAlike(const Expr *a, const Expr *b, const ASTContext &context) {
  llvm::FoldingSetNodeID first, second;
  a->IgnoreParenImpCasts()->Profile(first, context, true);
  b->IgnoreParenImpCasts()->Profile(second, context, true);
  return first == second;
}

std::optional<std::vector<const Stmt *>> atomicUpdates(const ValueDecl *array, const Stmt *body) {
  UpdateFinder finder(array, array->getASTContext());
  finder.search(body, true);
  return finder.isWhole && !finder.updates.empty() ? std::optional(std::move(finder.updates)) : std::nullopt;
}

} // namespace busfare::frontend::port
