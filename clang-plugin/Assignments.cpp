//===- clang-plugin/Assignments.cpp - Assignments and updates -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `x = x op e` and its like are updates, if op is associative and e does not use x:
// those are what a reduction is made of.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"

namespace busfare::frontend {

using clang::BinaryOperatorKind;

/// Is each step's result cut to the target's type? Then the order counts: 1.5 added twice to an int gives 2, not 3. (Integers
/// that are cut to fewer bits add up the same in any order, and floating-point numbers are said to.)
static bool cutsSteps(clang::QualType target, clang::QualType computed) {
  bool isInteger = target->isIntegralOrEnumerationType();
  return isInteger && (target->isBooleanType() || !computed->isIntegralOrEnumerationType());
}

/// Does max or min of an integer come out the same in any order? Not if a step compares or keeps other values than it is given.
static bool keepsExtremes(clang::QualType target, clang::QualType other, const clang::ASTContext &context) {
  if (!target->isIntegralOrEnumerationType()) return true;
  if (!other->isIntegralOrEnumerationType()) return false;
  bool isUnsigned = target->isUnsignedIntegerOrEnumerationType(), fromUnsigned = other->isUnsignedIntegerOrEnumerationType();
  unsigned bits = context.getIntWidth(target), from = context.getIntWidth(other);
  return isUnsigned == fromUnsigned ? from <= bits : fromUnsigned && from < bits;
}

/// Of `T max(T a, T b) { return a > b ? a : b; }`: Max.
static ReductionOp extremeOf(const clang::FunctionDecl *callee) {
  const clang::Expr *result = singleReturn(callee);
  const auto *choice = llvm::dyn_cast_or_null<clang::ConditionalOperator>(result ? result->IgnoreParenImpCasts() : nullptr);
  const auto *compare = choice ? llvm::dyn_cast<clang::BinaryOperator>(choice->getCond()->IgnoreParenImpCasts()) : nullptr;
  if (!compare || !compare->isRelationalOp()) return ReductionOp::None;
  const clang::VarDecl *a = variableOf(compare->getLHS()), *b = variableOf(compare->getRHS());
  const clang::VarDecl *then = variableOf(choice->getTrueExpr()), *otherwise = variableOf(choice->getFalseExpr());
  bool isOfFormals = llvm::isa_and_nonnull<clang::ParmVarDecl>(a) && llvm::isa_and_nonnull<clang::ParmVarDecl>(b) && a != b;
  bool isStraight = then == a && otherwise == b, isCrossed = then == b && otherwise == a;
  auto plain = [](clang::QualType type) { return type.getNonReferenceType().getCanonicalType().getUnqualifiedType(); };
  bool isOneType = isOfFormals && plain(a->getType()) == plain(b->getType()) && plain(callee->getReturnType()) == plain(a->getType());
  if (!isOneType || (!isStraight && !isCrossed)) return ReductionOp::None;
  bool isGreater = compare->getOpcode() == clang::BO_GT || compare->getOpcode() == clang::BO_GE;
  return isGreater == isStraight ? ReductionOp::Max : ReductionOp::Min;
}

/// `x = x op e` and its like. True if it was recorded as an update.
bool Walker::tryUpdate(const Place &place, const clang::BinaryOperator *assign, bool data) {
  if (place.at.object.empty() || place.partial) return false;
  const clang::Expr *target = assign->getLHS()->IgnoreParenImpCasts();
  const clang::Expr *right = assign->getRHS()->IgnoreParenImpCasts();
  if (llvm::any_of(partsOf(target), [](const clang::Stmt *s) { return s && s->getStmtClass() == clang::Stmt::CallExprClass; }))
    return false;
  auto isTarget = [&](const clang::Expr *expr) { return isSame(expr, target); };
  std::function<unsigned(const clang::Stmt *)> mentions = [&](const clang::Stmt *stmt) -> unsigned {
    if (!stmt) return 0;
    if (const auto *expr = llvm::dyn_cast<clang::Expr>(stmt); expr && isTarget(expr)) return 1;
    unsigned total = 0;
    for (const clang::Stmt *child : partsOf(stmt)) total += mentions(child);
    return total;
  };
  if (const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(right)) {
    // `m = m > e ? m : e`, either way round.
    const auto *compare = llvm::dyn_cast<clang::BinaryOperator>(choice->getCond()->IgnoreParenImpCasts());
    if (!compare || !compare->isRelationalOp()) return false;
    const clang::Expr *a = compare->getLHS(), *b = compare->getRHS();
    bool greater = compare->getOpcode() == clang::BO_GT || compare->getOpcode() == clang::BO_GE;
    bool straight = isSame(choice->getTrueExpr(), a) && isSame(choice->getFalseExpr(), b);
    bool crossed = isSame(choice->getTrueExpr(), b) && isSame(choice->getFalseExpr(), a);
    if (!straight && !crossed) return false;
    const clang::Expr *other = isTarget(a) ? b : isTarget(b) ? a : nullptr;
    if (!other || mentions(other) != 0 || !keepsExtremes(target->getType(), other->IgnoreParenImpCasts()->getType(), context)) return false;
    rvalue(other, true);
    count(Operation::Compare);
    update(place, greater == straight ? ReductionOp::Max : ReductionOp::Min, locate(assign), assign);
    return true;
  }
  if (mentions(right) != 1) return false;
  clang::QualType type = assign->getLHS()->getType();
  ReductionOp op = ReductionOp::None;
  struct Other {
    const clang::Expr *expr;
    BinaryOperatorKind kind;
    bool isSkipped = false; ///< Once x decides the result.
  };
  std::vector<Other> others;
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(right); call && call->getNumArgs() == 2 && calleeOf(call) && calleeOf(call)->getIdentifier()) {
    bool isOwn = unit.isOwnFunction(calleeOf(call));
    llvm::StringRef name = isOwn ? "" : calleeOf(call)->getName();
    if (isOwn) op = extremeOf(calleeOf(call));
    if (name == "fmax" || name == "fmaxf" || name == "max") op = ReductionOp::Max;
    if (name == "fmin" || name == "fminf" || name == "min") op = ReductionOp::Min;
    if (op == ReductionOp::None) return false;
    bool first = isTarget(call->getArg(0));
    if (!first && !isTarget(call->getArg(1))) return false;
    clang::QualType other = call->getArg(first ? 1 : 0)->IgnoreParenImpCasts()->getType();
    if (!keepsExtremes(type, other, context) || !keepsExtremes(right->getType(), type, context) || !keepsExtremes(right->getType(), other, context)) return false;
    others.push_back({call->getArg(first ? 1 : 0), clang::BO_Comma});
  } else if (!llvm::isa<clang::BinaryOperator>(right)) {
    return false;
  } else {
    // Down the chain of one operator to the target.
    const clang::Expr *at = right;
    bool additive = false;
    while (!isTarget(at)) {
      const auto *chain = llvm::dyn_cast<clang::BinaryOperator>(at);
      if (!chain) return false;
      ReductionOp here = ReductionOp::None;
      switch (chain->getOpcode()) {
      case clang::BO_Add:
      case clang::BO_Sub: here = ReductionOp::Add; break;
      case clang::BO_Mul: here = ReductionOp::Multiply; break;
      case clang::BO_And: here = ReductionOp::BitAnd; break;
      case clang::BO_Or: here = ReductionOp::BitOr; break;
      case clang::BO_Xor: here = ReductionOp::BitXor; break;
      case clang::BO_LAnd: here = ReductionOp::And; break;
      case clang::BO_LOr: here = ReductionOp::Or; break;
      default: return false;
      }
      if (op != ReductionOp::None && here != op) return false;
      op = here;
      bool left = mentions(chain->getLHS()) == 1;
      if (!left && chain->getOpcode() == clang::BO_Sub) return false; // e - x is no sum
      const clang::Expr *other = left ? chain->getRHS() : chain->getLHS();
      if (chain->isLogicalOp() && left && other->HasSideEffects(context)) return false; // it runs only as far as x lets it
      others.push_back({other, chain->getOpcode(), chain->isLogicalOp() && left});
      at = (left ? chain->getLHS() : chain->getRHS())->IgnoreParenImpCasts();
      additive = additive || op == ReductionOp::Add;
    }
  }
  if (others.empty()) return false;
  bool isLogical = op == ReductionOp::And || op == ReductionOp::Or || op == ReductionOp::BitAnd || op == ReductionOp::BitOr;
  if (!isLogical && cutsSteps(type, right->getType())) return false;
  for (auto &[expr, kind, isSkipped] : others) {
    bool fused = isMultiplication(expr) && type->isRealFloatingType() && op == ReductionOp::Add;
    if (isSkipped) branch(Condition(), locate(expr), [&, part = expr] { rvalue(part, true); return Flow(); }, [] { return Flow(); });
    else rvalue(expr, true);
    if (fused) {
      bool single = bytesOf(type, context) <= 4;
      count(single ? Operation::Fp32Multiply : Operation::Fp64Multiply, -1);
      count(single ? Operation::Fp32Fma : Operation::Fp64Fma);
    } else if (kind == clang::BO_Comma)
      count(Operation::Compare);
    else
      countArithmetic(kind, type);
  }
  update(place, op, locate(assign), assign);
  return true;
}

std::optional<Value> Walker::assignment(const clang::BinaryOperator *op, bool data) {
  clang::QualType type = op->getLHS()->getType();
  Location location = locate(op->getLHS());
  if (classOf(type) == TypeClass::Pointer) {
    pointerOperator(op);
    return std::nullopt;
  }
  if (classOf(type) == TypeClass::Record) {
    assignRecord(lvalue(op->getLHS()), op->getRHS(), location);
    return std::nullopt;
  }
  // The place's own subscripts are read first, then the right side; the write is last.
  bool isInteger = classOf(type) == TypeClass::Integer;
  const Place place = lvalue(op->getLHS()->IgnoreParens());
  if (place.variable.empty()) {
    if (tryUpdate(place, op, data)) {
      if (!isInteger) return std::nullopt;
      if (isAnything(place)) clobberAddressTaken(location);
      return Value{freshSymbol("", textOf(op), location, true)};
    }
  } else {
    auto current = st.env.integers.find(place.variable);
    bool isData = current != st.env.integers.end() && dependsOnMemory(current->second.expr);
    if (isData && !isInductiveNow(place.variable) && tryUpdate(place, op, data)) {
      storeInteger(place, Value{freshSymbol(place.variable, place.variable, location, true)});
      return st.env.integers[place.variable];
    }
  }
  const clang::Expr *plain = op->getRHS()->IgnoreParenCasts();
  if (llvm::isa<clang::CallExpr, clang::AbstractConditionalOperator, clang::ArraySubscriptExpr>(plain))
    nameHint = place.variable;
  std::optional<Value> value = place.variable.empty() ? rvalue(op->getRHS(), true) : integerData(op->getRHS());
  nameHint.clear();
  if (!isInteger) {
    write(place, location);
    return std::nullopt;
  }
  if (!value) value = Value{freshSymbol(place.variable, textOf(op->getRHS()), locate(op->getRHS()), true)};
  assignInteger(place, *value, location);
  if (op->getLHS()->refersToBitField()) return Value{freshSymbol("", textOf(op), location, true)}; // what fits into it
  return value;
}

std::optional<Value> Walker::compoundAssignment(const clang::CompoundAssignOperator *op, bool data) {
  clang::QualType type = op->getLHS()->getType();
  if (classOf(type) == TypeClass::Pointer) {
    pointerOperator(op);
    return std::nullopt;
  }
  Location location = locate(op->getLHS());
  BinaryOperatorKind kind = clang::BinaryOperator::getOpForCompoundAssignment(op->getOpcode());
  bool isInteger = classOf(type) == TypeClass::Integer;
  Place place = lvalue(op->getLHS());
  bool isVariable = isInteger && !place.variable.empty();
  bool fused = isMultiplication(op->getRHS()) && type->isRealFloatingType() &&
               (kind == clang::BO_Add || kind == clang::BO_Sub);
  std::optional<Value> right = isVariable ? integerData(op->getRHS()) : rvalue(op->getRHS(), true);
  if (fused) {
    bool single = bytesOf(type, context) <= 4;
    count(single ? Operation::Fp32Multiply : Operation::Fp64Multiply, -1);
    count(single ? Operation::Fp32Fma : Operation::Fp64Fma);
  } else if (!isVariable)
    countArithmetic(kind, type);
  ReductionOp reduction = ReductionOp::None;
  switch (kind) {
  case clang::BO_Add:
  case clang::BO_Sub: reduction = ReductionOp::Add; break;
  case clang::BO_Mul: reduction = ReductionOp::Multiply; break;
  case clang::BO_And: reduction = ReductionOp::BitAnd; break;
  case clang::BO_Or: reduction = ReductionOp::BitOr; break;
  case clang::BO_Xor: reduction = ReductionOp::BitXor; break;
  default: break;
  }
  if (cutsSteps(type, op->getComputationResultType()) && reduction != ReductionOp::BitAnd && reduction != ReductionOp::BitOr) reduction = ReductionOp::None;
  if (isVariable) {
    Value before = readInteger(place.variable, place.type, location);
    if (!right) right = Value{freshSymbol("", textOf(op->getRHS()), location, true)};
    Value after = convert(integerArithmetic(kind, before, *right, place.type, op), typeOfSteps(op, place.type), place.type, op);
    if ((dependsOnMemory(before.expr) || dependsOnMemory(right->expr)) && !isInductiveNow(place.variable)) {
      countArithmetic(kind, type);
      storeInteger(place, after);
      if (reduction != ReductionOp::None) update(place, reduction, location, op);
      else {
        read(place, location);
        write(place, location);
      }
    } else {
      readLeftByLoop(place.variable, location);
      assignInteger(place, after, location);
    }
    return after;
  }
  if (reduction != ReductionOp::None) update(place, reduction, location, op);
  else {
    read(place, location);
    write(place, location);
  }
  if (!isInteger) return std::nullopt;
  if (isAnything(place)) clobberAddressTaken(location);
  return Value{freshSymbol("", textOf(op), location, true)};
}

} // namespace busfare::frontend
