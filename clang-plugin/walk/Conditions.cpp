//===- clang-plugin/walk/Conditions.cpp - When a branch is taken ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A condition over integers becomes conjunctions of Exprs that are at least 0;
// everything else is read, and unknown.
//
//   if (i > 0 && j < m)     {i - 1 >= 0, m - 1 - j >= 0}
//
//===----------------------------------------------------------------------===//
#include "Walk.h"
#include "clang-plugin/lower/Settings.h"

namespace busfare::frontend {

/// Reads what the condition reads and says when it holds.
Condition Walker::condition(const clang::Expr *expr) {
  expr = expr->IgnoreParens();
  Condition opaque;
  if (const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(expr);
      cast && (cast->getCastKind() == clang::CK_LValueToRValue ? false : true) &&
      cast->getCastKind() != clang::CK_PointerToBoolean && cast->getCastKind() != clang::CK_FloatingToBoolean &&
      cast->getCastKind() != clang::CK_IntegralToBoolean)
    return condition(cast->getSubExpr());
  if (const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(expr);
      cast && cast->getCastKind() == clang::CK_IntegralToBoolean)
    return condition(cast->getSubExpr());
  clang::Expr::EvalResult constant;
  if (!expr->isValueDependent() && classOf(expr->getType()) == TypeClass::Integer && !expr->HasSideEffects(context) &&
      expr->EvaluateAsInt(constant, context) && !(unit.settings && unit.settings->mentions(expr))) {
    Condition decided;
    decided.exact = true;
    if (constant.Val.getInt().getBoolValue()) decided.anyOf.push_back({});
    return decided;
  }
  if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(expr); op && op->getOpcode() == clang::UO_LNot) {
    if (strip(op->getSubExpr())->getType()->isPointerType()) {
      pointer(op->getSubExpr()->IgnoreParens());
      opaque.probability = 0;
      return opaque;
    }
    Condition inner = condition(op->getSubExpr());
    Condition negated;
    negated.probability = 1 - inner.probability;
    if (!inner.exact) return negated;
    negated.exact = true;
    negated.anyOf = {{}};
    for (const std::vector<Symbolic> &facts : inner.anyOf) { // not (a and b and ...) for each
      std::vector<std::vector<Symbolic>> next;
      for (const std::vector<Symbolic> &have : negated.anyOf)
        for (const Symbolic &fact : facts) {
          std::vector<Symbolic> more = have;
          more.push_back(-fact - 1);
          next.push_back(more);
        }
      negated.anyOf = std::move(next);
      if (negated.anyOf.size() > 16) return opaque;
    }
    return negated;
  }
  if (auto compare = comparisonOf(expr);
      compare && (isPointerLike(compare->left->getType()) || classOf(compare->left->getType()) != TypeClass::Record))
    return comparison(*compare);
  if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(expr)) {
    if (op->isLogicalOp()) {
      bool isAnd = op->getOpcode() == clang::BO_LAnd;
      Condition left = condition(op->getLHS());
      const bool isNever = left.exact && left.anyOf.empty();
      const bool isAlways = left.exact && llvm::any_of(left.anyOf, [](const auto &all) { return all.empty(); });
      if (isNever || isAlways)
        return isAnd == isAlways ? condition(op->getRHS()) : left; // the left alone decides whether the right is asked
      Condition right;
      unsigned mark = st.counter;
      Block guarded;
      Block *before = out;
      flush();
      out = &guarded;
      size_t facts = st.ranges.mark();
      isAnd ? assumeCondition(left) : assumeNegation(left);
      Environment entry = st.env;
      right = condition(op->getRHS());
      flush();
      st.ranges.forget(facts);
      out = before;
      bool changed = !(st.env == entry);
      const bool isGuarding = !guarded.empty();
      if (isGuarding) {
        skeleton::Branch made;
        made.condition = left;
        made.location = locate(op);
        (isAnd ? made.then : made.otherwise) = std::move(guarded);
        put(std::move(made));
      }
      if (changed) { // pointers that are set leave no code behind
        Environment after = st.env;
        isAnd ? merge(after, entry, locate(op), &left) : merge(entry, after, locate(op), &left);
      }
      if (isGuarding || changed) {
        exportValues(mark, locate(op));
        for (const auto &conjunct : right.anyOf)
          for (const Symbolic &fact : conjunct)
            for (const std::string &name : fact.symbols())
              if (auto made = st.symbols.find(name); made != st.symbols.end() && made->second.serial > mark) {
                right.exact = false;
                right.anyOf.clear();
                goto combined;
              }
      }
    combined:
      Condition both;
      both.exact = left.exact && right.exact;
      if (isAnd) {
        both.probability = left.probability * right.probability;
        auto none = std::vector<std::vector<Symbolic>>{{}};
        const auto &a = left.anyOf.empty() && !left.exact ? none : left.anyOf;
        const auto &b = right.anyOf.empty() && !right.exact ? none : right.anyOf;
        for (const auto &x : a)
          for (const auto &y : b) {
            std::vector<Symbolic> facts = x;
            facts.insert(facts.end(), y.begin(), y.end());
            both.anyOf.push_back(facts);
          }
        if (!both.exact && both.anyOf.size() == 1 && both.anyOf[0].empty()) both.anyOf.clear();
      } else {
        both.probability = 1 - (1 - left.probability) * (1 - right.probability);
        bool known = (left.exact || !left.anyOf.empty()) && (right.exact || !right.anyOf.empty());
        if (known) {
          both.anyOf = left.anyOf;
          both.anyOf.insert(both.anyOf.end(), right.anyOf.begin(), right.anyOf.end());
        }
      }
      if (both.anyOf.size() > 16) {
        both.anyOf.clear();
        both.exact = false;
      }
      return both;
    }
  }
  if (isPointerLike(expr->getType()) || (llvm::isa<clang::CastExpr>(expr) &&
                                         llvm::cast<clang::CastExpr>(expr)->getSubExpr()->getType()->isPointerType())) {
    pointer(llvm::isa<clang::CastExpr>(expr) && !isPointerLike(expr->getType())
                ? llvm::cast<clang::CastExpr>(expr)->getSubExpr()
                : expr);
    opaque.probability = 1;
    return opaque;
  }
  std::optional<Value> value = integerData(expr);
  if (!value || value->mayWrap || value->expr.isPoisoned()) return opaque;
  std::string reason;
  bool memory;
  if (!isKnownHere(value->expr, reason, memory) || dependsOnMemory(value->expr)) return opaque;
  Condition truth;
  truth.exact = true;
  if (st.ranges.isNonNegative(value->expr)) truth.anyOf = {{value->expr - 1}};
  else truth.anyOf = {{value->expr - 1}, {-value->expr - 1}};
  return truth;
}

Condition Walker::comparison(const Comparison &op) {
  Condition opaque;
  const clang::Expr *left = op.left, *right = op.right;
  if (isPointerLike(left->getType()) || isPointerLike(right->getType())) {
    Pointer a = pointer(left), b = pointer(right);
    if (a.null || b.null) opaque.probability = op.op == clang::BO_EQ ? 0 : 1;
    return opaque;
  }
  if (classOf(left->getType()) != TypeClass::Integer) {
    rvalue(left, true);
    rvalue(right, true);
    count(Operation::Compare);
    return opaque;
  }
  double before = st.pending[Operation::Integer];
  size_t nodes = out->size();
  Value a = integer(left, true), b = integer(right, true);
  std::string reason;
  bool memory;
  Symbolic difference = a.expr - b.expr;
  if (a.mayWrap || b.mayWrap || !isKnownHere(difference, reason, memory) || dependsOnMemory(difference)) {
    count(Operation::Compare);
    return opaque;
  }
  if (out->size() == nodes) st.pending[Operation::Integer] = before;
  Condition made;
  made.exact = true;
  switch (op.op) {
  case clang::BO_LT: made.anyOf = {{-difference - 1}}; break;
  case clang::BO_LE: made.anyOf = {{-difference}}; break;
  case clang::BO_GT: made.anyOf = {{difference - 1}}; break;
  case clang::BO_GE: made.anyOf = {{difference}}; break;
  case clang::BO_EQ: made.anyOf = {{difference, -difference}}; break;
  case clang::BO_NE: made.anyOf = {{difference - 1}, {-difference - 1}}; break;
  default: return opaque;
  }
  // What is known to hold needs no saying; what cannot hold is no case.
  std::vector<std::vector<Symbolic>> cases;
  for (std::vector<Symbolic> &facts : made.anyOf) {
    if (llvm::any_of(facts, [&](const Symbolic &fact) { return st.ranges.isNonNegative(-fact - 1); })) continue;
    llvm::erase_if(facts, [&](const Symbolic &fact) { return st.ranges.isNonNegative(fact); });
    cases.push_back(std::move(facts));
    if (cases.back().empty()) {
      cases = {{}};
      break;
    }
  }
  made.anyOf = std::move(cases);
  return made;
}

} // namespace busfare::frontend
