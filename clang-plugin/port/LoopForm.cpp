//===- clang-plugin/port/LoopForm.cpp - Loops as OpenMP wants them -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/LoopForm.h"
#include "clang-plugin/lower/AstQueries.h"
#include "clang-plugin/port/Containers.h"
#include "clang/AST/StmtOpenMP.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::frontend::port {
using namespace clang;

static const ValueDecl *variableOf(const Expr *expr) {
  const auto *ref = llvm::dyn_cast_or_null<DeclRefExpr>(expr ? expr->IgnoreParenImpCasts() : nullptr);
  return ref && llvm::isa<VarDecl>(ref->getDecl()) ? llvm::cast<ValueDecl>(ref->getDecl()->getCanonicalDecl())
                                                   : nullptr;
}

bool mentions(const Stmt *stmt, const ValueDecl *variable) {
  if (!stmt) return false;
  if (const auto *ref = llvm::dyn_cast<DeclRefExpr>(stmt))
    return ref->getDecl()->getCanonicalDecl() == variable->getCanonicalDecl();
  return llvm::any_of(partsOf(stmt), [&](const Stmt *child) { return mentions(child, variable); });
}

static bool isWritten(const Stmt *stmt, const ValueDecl *variable) {
  if (!stmt) return false;
  if (const auto *op = llvm::dyn_cast<BinaryOperator>(stmt);
      op && op->isAssignmentOp() && variableOf(op->getLHS()) == variable)
    return true;
  if (const auto *op = llvm::dyn_cast<UnaryOperator>(stmt);
      op && (op->isIncrementDecrementOp() || op->getOpcode() == UO_AddrOf) && variableOf(op->getSubExpr()) == variable)
    return true;
  return llvm::any_of(partsOf(stmt), [&](const Stmt *child) { return isWritten(child, variable); });
}

static bool leadsOut(const Stmt *stmt, const ForStmt *loop, bool inLoop, bool inSwitch) {
  if (!stmt || llvm::isa<LambdaExpr>(stmt)) return false;
  if (llvm::isa<ReturnStmt, IndirectGotoStmt>(stmt) || (llvm::isa<BreakStmt>(stmt) && !inLoop && !inSwitch))
    return true;
  if (const auto *jump = llvm::dyn_cast<GotoStmt>(stmt)) {
    const LabelStmt *label = jump->getLabel()->getStmt();
    return !label || label->getBeginLoc() < loop->getBeginLoc() || loop->getEndLoc() < label->getBeginLoc();
  }
  bool isLoop = llvm::isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(stmt);
  return llvm::any_of(partsOf(stmt), [&](const Stmt *child) {
    return leadsOut(child, loop, inLoop || isLoop, inSwitch || llvm::isa<SwitchStmt>(stmt));
  });
}

bool isLeftByJump(const ForStmt *loop) { return leadsOut(loop->getBody(), loop, false, false); }

static bool isSimpleBound(const Expr *expr) {
  expr = expr->IgnoreParenCasts();
  if (const auto *op = llvm::dyn_cast<BinaryOperator>(expr))
    return op->isAdditiveOp() || op->isMultiplicativeOp() ? isSimpleBound(op->getLHS()) && isSimpleBound(op->getRHS())
                                                          : false;
  if (const auto *op = llvm::dyn_cast<UnaryOperator>(expr))
    return op->getOpcode() == UO_Minus && isSimpleBound(op->getSubExpr());
  return llvm::isa<IntegerLiteral, CharacterLiteral>(expr) || variableOf(expr) ||
         (llvm::isa<DeclRefExpr>(expr) && llvm::isa<EnumConstantDecl>(llvm::cast<DeclRefExpr>(expr)->getDecl()));
}

static bool mentionsAnyWritten(const Expr *bound, const Stmt *body) {
  if (const ValueDecl *variable = variableOf(bound)) return isWritten(body, variable);
  return llvm::any_of(partsOf(bound), [&](const Stmt *child) {
    const auto *inner = llvm::dyn_cast_or_null<Expr>(child);
    return inner && mentionsAnyWritten(inner, body);
  });
}

static bool hasEffects(const Expr *expr, ASTContext &context, unsigned depth = 0);

/// Calls that only tell how large something is: a container's size(), a function that returns what has no effect,
/// either.
static bool onlyTells(const CallExpr *call, ASTContext &context, unsigned depth) {
  if (std::optional<ContainerUse> use = containerUse(call)) return use->kind == ContainerUse::Kind::Size;
  const FunctionDecl *callee = calleeOf(call);
  const auto *method = llvm::dyn_cast_or_null<CXXMethodDecl>(callee);
  const Expr *result = callee && !(method && method->isVirtual()) ? singleReturn(callee) : nullptr;
  return result && !hasEffects(result, context, depth + 1) &&
         llvm::none_of(call->arguments(),
                       [&](const Expr *argument) { return hasEffects(argument, context, depth + 1); });
}

static bool hasEffects(const Expr *expr, ASTContext &context, unsigned depth) {
  if (depth > 8) return true;
  if (!expr->HasSideEffects(context)) return false;
  const Expr *plain = expr->IgnoreParenImpCasts();
  if (const auto *call = llvm::dyn_cast<CallExpr>(plain)) return !onlyTells(call, context, depth);
  const auto *op = llvm::dyn_cast<BinaryOperator>(plain);
  const auto *sign = llvm::dyn_cast<UnaryOperator>(plain);
  const bool isSum =
      (op && !op->isAssignmentOp()) || (sign && !sign->isIncrementDecrementOp()) || llvm::isa<ExplicitCastExpr>(plain);
  return !isSum || llvm::any_of(partsOf(plain), [&](const Stmt *part) {
    const auto *inner = llvm::dyn_cast_or_null<Expr>(part);
    return !inner || hasEffects(inner, context, depth);
  });
}

static std::optional<int64_t> stepOf(const Expr *inc, const ValueDecl *variable, ASTContext &context) {
  inc = inc ? inc->IgnoreParens() : nullptr;
  auto constant = [&](const Expr *expr) -> std::optional<int64_t> {
    Expr::EvalResult value;
    if (expr->isValueDependent() || !expr->EvaluateAsInt(value, context)) return std::nullopt;
    return value.Val.getInt().getExtValue();
  };
  if (const auto *op = llvm::dyn_cast_or_null<UnaryOperator>(inc);
      op && op->isIncrementDecrementOp() && variableOf(op->getSubExpr()) == variable)
    return op->isIncrementOp() ? 1 : -1;
  const auto *op = llvm::dyn_cast_or_null<BinaryOperator>(inc);
  if (!op || variableOf(op->getLHS()) != variable) return std::nullopt;
  std::optional<int64_t> step;
  bool isNegative = false;
  if (op->getOpcode() == BO_AddAssign || op->getOpcode() == BO_SubAssign) {
    step = constant(op->getRHS());
    isNegative = op->getOpcode() == BO_SubAssign;
  } else if (const auto *sum = llvm::dyn_cast<BinaryOperator>(op->getRHS()->IgnoreParenImpCasts());
             op->getOpcode() == BO_Assign && sum && sum->isAdditiveOp() && variableOf(sum->getLHS()) == variable) {
    step = constant(sum->getRHS());
    isNegative = sum->getOpcode() == BO_Sub;
  }
  if (!step || *step == 0) return std::nullopt;
  return isNegative ? -*step : *step;
}

std::optional<CanonicalLoop> canonicalForm(const ForStmt *loop, ASTContext &context) {
  CanonicalLoop form;
  form.stmt = loop;
  if (const auto *declares = llvm::dyn_cast_or_null<DeclStmt>(loop->getInit())) {
    const auto *variable = declares->isSingleDecl() ? llvm::dyn_cast<VarDecl>(declares->getSingleDecl()) : nullptr;
    if (!variable || !variable->getInit() || variable->getInitStyle() != VarDecl::CInit) return std::nullopt;
    form.variable = llvm::cast<ValueDecl>(variable->getCanonicalDecl());
    form.from = variable->getInit();
    form.isDeclared = true;
  } else if (const auto *assign = llvm::dyn_cast_or_null<BinaryOperator>(loop->getInit());
             assign && assign->getOpcode() == BO_Assign) {
    form.variable = variableOf(assign->getLHS());
    form.from = assign->getRHS();
  }
  const auto *compare =
      llvm::dyn_cast_or_null<BinaryOperator>(loop->getCond() ? loop->getCond()->IgnoreParenImpCasts() : nullptr);
  if (!form.variable || !form.variable->getType()->isIntegerType() || !compare || !compare->isComparisonOp() ||
      compare->getOpcode() == BO_EQ)
    return std::nullopt;
  form.order = compare->getOpcode();
  form.to = compare->getRHS();
  if (variableOf(compare->getLHS()) != form.variable) {
    if (variableOf(compare->getRHS()) != form.variable) return std::nullopt;
    form.to = compare->getLHS();
    form.order = BinaryOperator::reverseComparisonOp(form.order);
  }
  std::optional<int64_t> step = stepOf(loop->getInc(), form.variable, context);
  if (!step || mentions(form.to, form.variable) || mentions(form.from, form.variable)) return std::nullopt;
  form.step = *step;
  bool isUp = form.order == BO_LT || form.order == BO_LE;
  if (form.order == BO_NE ? std::abs(form.step) != 1 : isUp != (form.step > 0)) return std::nullopt;
  if (isWritten(loop->getBody(), form.variable) || mentionsAnyWritten(form.to, loop->getBody()) ||
      hasEffects(form.to, context))
    return std::nullopt;
  form.beginsSimply = isSimpleBound(form.from);
  form.isSimple = form.beginsSimply && isSimpleBound(form.to);
  return form;
}

std::string finalValue(const CanonicalLoop &loop, const FunctionSource &source) {
  std::string from = "(" + source.textOf(loop.from->getSourceRange()) + ")",
              to = "(" + source.textOf(loop.to->getSourceRange()) + ")";
  if (loop.order == BO_NE) return to;
  bool isUp = loop.step > 0, isInclusive = loop.order == BO_LE || loop.order == BO_GE;
  std::string runs = from + (isUp ? (isInclusive ? " <= " : " < ") : (isInclusive ? " >= " : " > ")) + to;
  std::string step = std::to_string(std::abs(loop.step));
  std::string distance = isUp ? to + " - " + from : from + " - " + to;
  std::string trips = isInclusive
                          ? "((" + distance + ") / " + step + " + 1)"
                          : "((" + distance + " + " + std::to_string(std::abs(loop.step) - 1) + ") / " + step + ")";
  return runs + " ? " + from + (isUp ? " + " : " - ") + step + " * " + trips + " : " + from;
}

namespace {
/// Looks for uses of a variable that may see a value from before.
struct UseFinder {
  const ValueDecl *variable;
  const Stmt *except;
  bool found = false;

  void walk(const Stmt *stmt) {
    if (!stmt || stmt == except || found) return;
    if (const auto *loop = llvm::dyn_cast<ForStmt>(stmt)) {
      const auto *assign = llvm::dyn_cast_or_null<BinaryOperator>(loop->getInit());
      if (assign && assign->getOpcode() == BO_Assign && variableOf(assign->getLHS()) == variable)
        return walk(assign->getRHS()); // sets it, and what it holds then has nothing to do with the other loop
    }
    if (const auto *ref = llvm::dyn_cast<DeclRefExpr>(stmt)) found |= ref->getDecl()->getCanonicalDecl() == variable;
    for (const Stmt *child : partsOf(stmt)) walk(child);
  }
};
} // namespace

bool isUsedElsewhere(const VarDecl *variable, const Stmt *loop, const FunctionDecl *function) {
  if (variable->hasGlobalStorage()) return true;
  UseFinder finder{llvm::cast<ValueDecl>(variable->getCanonicalDecl()), loop};
  finder.walk(function->getBody());
  return finder.found;
}

bool isFieldWritten(const MemberExpr *field, const Stmt *loop) {
  auto isField = [&](const Expr *target) {
    const auto *member = llvm::dyn_cast<MemberExpr>(target->IgnoreParenCasts());
    return member && member->getMemberDecl()->getCanonicalDecl() == field->getMemberDecl()->getCanonicalDecl();
  };
  std::function<bool(const Stmt *)> walk = [&](const Stmt *stmt) -> bool {
    if (!stmt) return false;
    if (const auto *op = llvm::dyn_cast<BinaryOperator>(stmt); op && op->isAssignmentOp() && isField(op->getLHS()))
      return true;
    if (const auto *op = llvm::dyn_cast<UnaryOperator>(stmt);
        op && (op->isIncrementDecrementOp() || op->getOpcode() == UO_AddrOf) && isField(op->getSubExpr()))
      return true;
    return llvm::any_of(partsOf(stmt), walk);
  };
  return walk(loop);
}

bool isPrivateByClause(const Stmt *stmt, const ValueDecl *variable) {
  while (const auto *directive = llvm::dyn_cast_or_null<OMPExecutableDirective>(stmt)) {
    for (const auto *clause : directive->getClausesOfKind<OMPPrivateClause>())
      for (const Expr *item : clause->varlists())
        if (const auto *ref = llvm::dyn_cast<DeclRefExpr>(item->IgnoreParenImpCasts()))
          if (ref->getDecl()->getCanonicalDecl() == variable->getCanonicalDecl()) return true;
    stmt = directive->hasAssociatedStmt() ? directive->getRawStmt() : nullptr;
    while (const auto *captured = llvm::dyn_cast_or_null<CapturedStmt>(stmt)) stmt = captured->getCapturedStmt();
  }
  return false;
}

} // namespace busfare::frontend::port
