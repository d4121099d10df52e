//===- clang-plugin/walk/TripCount.cpp - How often a loop turns ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which variable counts a loop, and its condition solved for the iteration number:
// `i < n` with i = a + 2*t holds for t <= floor((n - 1 - a) / 2). Where the step is no number,
// i = a + s*t, no Expr holds the quotient: what is to be divided, and by what, is left to
// LoopTurns.cpp.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"

namespace busfare::frontend {

/// The variable whose steps count the loop: changed by the increment, or compared in the condition.
std::string Walker::indexVariable(const LoopParts &parts) {
  std::string found;
  std::function<void(const clang::Stmt *, bool)> search = [&](const clang::Stmt *stmt, bool any) {
    if (!stmt || !found.empty()) return;
    if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(stmt); op && op->isIncrementDecrementOp() && !any)
      if (const auto *variable = variableOf(op->getSubExpr());
          variable && classOf(variable->getType()) == TypeClass::Integer)
        found = nameOf(variable);
    if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(stmt); op && op->isAssignmentOp() && !any)
      if (const auto *variable = variableOf(op->getLHS());
          variable && classOf(variable->getType()) == TypeClass::Integer)
        found = nameOf(variable);
    if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(stmt); ref && any)
      if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(ref->getDecl());
          variable && classOf(variable->getType()) == TypeClass::Integer && isTrackedType(variable->getType())) {
        std::set<std::string> changed;
        std::set<const clang::Decl *> local;
        collectChanged(parts.body, changed, local);
        collectChanged(parts.cond, changed, local);
        if (changed.count(nameOf(variable))) found = nameOf(variable);
      }
    for (const clang::Stmt *child : partsOf(stmt)) search(child, any);
  };
  // The increment's variable that the condition mentions comes first.
  if (parts.inc && parts.cond) {
    std::set<std::string> stepped, mentioned;
    std::set<const clang::Decl *> local;
    collectChanged(parts.inc, stepped, local);
    std::function<void(const clang::Stmt *)> mention = [&](const clang::Stmt *stmt) {
      if (!stmt) return;
      if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(stmt))
        if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(ref->getDecl());
            variable && classOf(variable->getType()) == TypeClass::Integer && found.empty() &&
            stepped.count(nameOf(variable)))
          found = nameOf(variable);
      for (const clang::Stmt *child : partsOf(stmt)) mention(child);
    };
    mention(parts.cond);
    if (!found.empty()) return found;
  }
  search(parts.inc, false);
  if (found.empty()) search(parts.cond, true);
  return found;
}

/// Solves `value(iteration) >= 0` for the largest iteration, value falling with it.
Walker::Bound Walker::lastIterationOf(const Comparison &compare, const std::string &iteration) {
  Bound bound;
  Symbolic difference; // left - right
  bool mayStepOver = true; // an unsigned or narrow index over the end of its values, to come in at the other end
  bool isPointer = isPointerLike(compare.left->getType());
  if (isPointer) {
    Pointer a = pointer(compare.left), b = pointer(compare.right);
    if (a.object.empty() || a.object != b.object) return bound;
    normalize(a);
    normalize(b);
    if (a.index.size() != 1 || !a.index[0] || !b.index[0]) return bound;
    difference = *a.index[0] - *b.index[0];
  } else {
    if (classOf(compare.left->getType()) != TypeClass::Integer) return bound;
    Value left = integer(compare.left), right = integer(compare.right);
    difference = left.expr - right.expr;
    bool isRight = right.expr.mentions(iteration);
    // `j != -1u`, counting down: what comes behind 0.
    Value &limit = isRight ? left : right;
    const auto slope = (isRight ? right : left).expr.coefficientOf(iteration);
    const clang::QualType type = (isRight ? compare.right : compare.left)->getType();
    const auto most = type->isUnsignedIntegerType() && context.getIntWidth(type) < 64
                          ? (int64_t(1) << context.getIntWidth(type)) - 1
                          : 0;
    if (compare.op == clang::BO_NE && most != 0 && slope && slope->constant().value_or(0) < 0 &&
        limit.expr.constant().value_or(0) > most / 2) {
      if (limit.expr.constant() != most) return bound;
      limit.expr = Symbolic(-1);
      difference = left.expr - right.expr;
    }
    bound.indexWraps = (isRight ? right : left).mayWrap;
    const clang::QualType own = strip(isRight ? compare.right : compare.left)->getType();
    const bool mayFall = !slope || !st.ranges.isNonNegative(*slope);
    mayStepOver = bound.indexWraps || (left.expr.mentions(iteration) && isRight) ||
                  (type->isUnsignedIntegerOrEnumerationType() && mayFall) ||
                  context.getIntWidth(own) < context.getIntWidth(context.IntTy);
    bound.limitWraps = (isRight ? left : right).mayWrap;
  }
  auto solve = [&](const Symbolic &value) {
    auto slope = value.coefficientOf(iteration);
    auto factor = slope ? slope->constant() : std::nullopt;
    if (slope && !factor && !slope->isPoisoned() && !value.isPoisoned() && !mayStepOver) {
      bound.last = value.without(iteration);
      bound.by = -*slope;
      bound.known = true;
      return;
    }
    if (!factor || *factor >= 0 || value.isPoisoned()) return;
    bound.last = floorDiv(value.without(iteration), -*factor);
    bound.known = true;
  };
  switch (compare.op) {
  case clang::BO_LT: solve(-difference - 1); break;
  case clang::BO_LE: solve(-difference); break;
  case clang::BO_GT: solve(difference - 1); break;
  case clang::BO_GE: solve(difference); break;
  case clang::BO_NE: {
    // Runs until they meet: with steps of one they do, else if the distance divides.
    auto slope = difference.coefficientOf(iteration);
    auto factor = slope ? slope->constant() : std::nullopt;
    if (!factor || *factor == 0) break;
    Symbolic towards = *factor < 0 ? difference : -difference;
    int64_t size = std::abs(*factor);
    bool divides = size == 1;
    if (!divides) divides = mod(towards.without(iteration), size).isZero();
    if (divides) solve(towards - 1);
    bound.untilEqual = true;
    break;
  }
  default: break;
  }
  return bound;
}

Walker::Bound Walker::lastIteration(const clang::Expr *cond, const std::string &iteration) {
  Bound bound;
  cond = askedBy(cond);
  if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(cond)) {
    if (op->getOpcode() == clang::BO_LAnd) {
      Bound a = lastIteration(op->getLHS(), iteration), b = lastIteration(op->getRHS(), iteration);
      for (Bound *side : {&a, &b})
        if (side->by) side->known = side->decisive = false;
      // A limit that wraps is huge, and then the other one holds; where it is the only one, nobody means it to.
      if (a.known && b.known)
        for (Bound *side : {&a, &b})
          if (side->limitWraps) side->known = side->decisive = false;
      bound.indexWraps = a.indexWraps || b.indexWraps;
      bound.known = a.known || b.known;
      bound.decisive = a.known && b.known && a.decisive && b.decisive;
      bound.last = a.known && b.known ? min(a.last, b.last) : a.known ? a.last : b.last;
      return bound;
    }
  }
  if (auto compare = comparisonOf(cond)) return lastIterationOf(*compare, iteration);
  if (classOf(cond->getType()) != TypeClass::Integer) {
    if (isPointerLike(cond->getType())) pointer(cond);
    else rvalue(cond, false);
    return bound;
  }
  // A count that is tested for zero.
  Symbolic value = integer(cond).expr;
  auto slope = value.coefficientOf(iteration);
  auto factor = slope ? slope->constant() : std::nullopt;
  if (!factor || std::abs(*factor) != 1) return bound;
  Symbolic towards = *factor < 0 ? value : -value;
  bound.last = towards.without(iteration) - 1;
  bound.known = true;
  return bound;
}

} // namespace busfare::frontend
