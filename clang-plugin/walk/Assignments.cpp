//===- clang-plugin/walk/Assignments.cpp - Assignments -------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `x = e` and `x op= e`: the place is found first, then the right side is read, the write is last.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"

namespace busfare::frontend {

using clang::BinaryOperatorKind;

std::optional<Value> Walker::assignment(const clang::BinaryOperator *op, bool data) {
  clang::QualType type = op->getLHS()->getType();
  Location location = locate(op->getLHS());
  if (classOf(type) == TypeClass::Pointer) {
    pointerOperator(op);
    return std::nullopt;
  }
  if (classOf(type) == TypeClass::Record) {
    if (!tryRecordUpdate(op, op->getLHS(), op->getRHS())) assignRecord(lvalue(op->getLHS()), op->getRHS(), location);
    return std::nullopt;
  }
  // The place's own subscripts are read first, then the right side; the write is last.
  bool isInteger = classOf(type) == TypeClass::Integer;
  const Place place = lvalue(op->getLHS()->IgnoreParens());
  if (place.variable.empty()) {
    if (tryUpdate(place, op)) {
      if (!isInteger) return std::nullopt;
      if (isAnything(place)) clobberAddressTaken(location);
      return Value{freshSymbol("", textOf(op), location, true)};
    }
  } else {
    auto current = st.env.integers.find(place.variable);
    bool isData = current != st.env.integers.end() && dependsOnMemory(current->second.expr);
    if (isData && !isInductiveNow(place.variable) && tryUpdate(place, op)) {
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
  std::optional<Value> right = isVariable ? integerData(op->getRHS()) : rvalue(op->getRHS(), true);
  if (!isVariable) countStep(kind, op->getRHS(), type);
  ReductionOp reduction = reductionOf(kind);
  if (cutsSteps(type, op->getComputationResultType()) && reduction != ReductionOp::BitAnd &&
      reduction != ReductionOp::BitOr)
    reduction = ReductionOp::None;
  if (isVariable) {
    Value before = readInteger(place.variable, place.type, location);
    if (!right) right = Value{freshSymbol("", textOf(op->getRHS()), location, true)};
    Value after =
        convert(integerArithmetic(kind, before, *right, place.type, op), typeOfSteps(op, place.type), place.type, op);
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
