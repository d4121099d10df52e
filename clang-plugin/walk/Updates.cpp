//===- clang-plugin/walk/Updates.cpp - What a reduction is made of -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `x = x op e` and its like are updates, if op is associative and e does not use x:
// those are what a reduction is made of. So is a struct whose fields are each made so:
//
//   sum = (complex){sum.re + u[i].re, sum.im + u[i].im};     update sum.re +, sum.im +
//
// Not followed: constructors that compute, functions of more than one statement.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"

namespace busfare::frontend {

using clang::BinaryOperatorKind;

ReductionOp reductionOf(BinaryOperatorKind kind) {
  switch (kind) {
  case clang::BO_Add:
  case clang::BO_Sub: return ReductionOp::Add;
  case clang::BO_Mul: return ReductionOp::Multiply;
  case clang::BO_And: return ReductionOp::BitAnd;
  case clang::BO_Or: return ReductionOp::BitOr;
  case clang::BO_Xor: return ReductionOp::BitXor;
  case clang::BO_LAnd: return ReductionOp::And;
  case clang::BO_LOr: return ReductionOp::Or;
  default: return ReductionOp::None;
  }
}

bool cutsSteps(clang::QualType target, clang::QualType computed) {
  bool isInteger = target->isIntegralOrEnumerationType();
  return isInteger && (target->isBooleanType() || !computed->isIntegralOrEnumerationType());
}

/// Does max or min of an integer come out the same in any order? Not if a step compares or keeps other values than it
/// is given.
static bool keepsExtremes(clang::QualType target, clang::QualType other, const clang::ASTContext &context) {
  if (!target->isIntegralOrEnumerationType()) return true;
  if (!other->isIntegralOrEnumerationType()) return false;
  bool isUnsigned = target->isUnsignedIntegerOrEnumerationType(),
       fromUnsigned = other->isUnsignedIntegerOrEnumerationType();
  unsigned bits = context.getIntWidth(target), from = context.getIntWidth(other);
  return isUnsigned == fromUnsigned ? from <= bits : fromUnsigned && from < bits;
}

/// Of `T max(T a, T b) { return a > b ? a : b; }`: Max.
static ReductionOp extremeOf(const clang::FunctionDecl *callee) {
  const clang::Expr *result = singleReturn(callee);
  const auto *choice =
      llvm::dyn_cast_or_null<clang::ConditionalOperator>(result ? result->IgnoreParenImpCasts() : nullptr);
  const auto *compare =
      choice ? llvm::dyn_cast<clang::BinaryOperator>(choice->getCond()->IgnoreParenImpCasts()) : nullptr;
  if (!compare || !compare->isRelationalOp()) return ReductionOp::None;
  const clang::VarDecl *a = variableOf(compare->getLHS()), *b = variableOf(compare->getRHS());
  const clang::VarDecl *then = variableOf(choice->getTrueExpr()), *otherwise = variableOf(choice->getFalseExpr());
  bool isOfFormals =
      llvm::isa_and_nonnull<clang::ParmVarDecl>(a) && llvm::isa_and_nonnull<clang::ParmVarDecl>(b) && a != b;
  bool isStraight = then == a && otherwise == b, isCrossed = then == b && otherwise == a;
  auto plain = [](clang::QualType type) { return type.getNonReferenceType().getCanonicalType().getUnqualifiedType(); };
  bool isOneType = isOfFormals && plain(a->getType()) == plain(b->getType()) &&
                   plain(callee->getReturnType()) == plain(a->getType());
  if (!isOneType || (!isStraight && !isCrossed)) return ReductionOp::None;
  bool isGreater = compare->getOpcode() == clang::BO_GT || compare->getOpcode() == clang::BO_GE;
  return isGreater == isStraight ? ReductionOp::Max : ReductionOp::Min;
}

/// Parts of the statement for which the predicate holds, those inside of such parts left out.
static unsigned occurrencesOf(const clang::Stmt *stmt, llvm::function_ref<bool(const clang::Expr *)> isOne) {
  if (!stmt) return 0;
  if (const auto *expr = llvm::dyn_cast<clang::Expr>(stmt); expr && isOne(expr)) return 1;
  unsigned total = 0;
  for (const clang::Stmt *child : partsOf(stmt)) total += occurrencesOf(child, isOne);
  return total;
}

/// right as the new value of what isTarget tells and which has the type; nothing if it is no update of that.
std::optional<UpdateForm> Walker::updateForm(const clang::Expr *right, clang::QualType type,
                                             llvm::function_ref<bool(const clang::Expr *)> isTarget) const {
  right = right->IgnoreParenImpCasts();
  UpdateForm form;
  if (const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(right)) {
    // `m = m > e ? m : e`, either way round.
    const auto *compare = llvm::dyn_cast<clang::BinaryOperator>(choice->getCond()->IgnoreParenImpCasts());
    if (!compare || !compare->isRelationalOp()) return std::nullopt;
    const clang::Expr *a = compare->getLHS(), *b = compare->getRHS();
    bool greater = compare->getOpcode() == clang::BO_GT || compare->getOpcode() == clang::BO_GE;
    bool straight = isSame(choice->getTrueExpr(), a) && isSame(choice->getFalseExpr(), b);
    bool crossed = isSame(choice->getTrueExpr(), b) && isSame(choice->getFalseExpr(), a);
    if (!straight && !crossed) return std::nullopt;
    const clang::Expr *other = isTarget(a) ? b : isTarget(b) ? a : nullptr;
    if (!other || occurrencesOf(other, isTarget) != 0 ||
        !keepsExtremes(type, other->IgnoreParenImpCasts()->getType(), context))
      return std::nullopt;
    form.op = greater == straight ? ReductionOp::Max : ReductionOp::Min;
    form.others.push_back({other, clang::BO_Comma});
    return form;
  }
  if (occurrencesOf(right, isTarget) != 1) return std::nullopt;
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(right);
      call && call->getNumArgs() == 2 && calleeOf(call) && calleeOf(call)->getIdentifier()) {
    bool isOwn = unit.isOwnFunction(calleeOf(call));
    llvm::StringRef name = isOwn ? "" : calleeOf(call)->getName();
    if (isOwn) form.op = extremeOf(calleeOf(call));
    if (name == "fmax" || name == "fmaxf" || name == "max") form.op = ReductionOp::Max;
    if (name == "fmin" || name == "fminf" || name == "min") form.op = ReductionOp::Min;
    if (form.op == ReductionOp::None) return std::nullopt;
    bool first = isTarget(call->getArg(0));
    if (!first && !isTarget(call->getArg(1))) return std::nullopt;
    clang::QualType other = call->getArg(first ? 1 : 0)->IgnoreParenImpCasts()->getType();
    if (!keepsExtremes(type, other, context) || !keepsExtremes(right->getType(), type, context) ||
        !keepsExtremes(right->getType(), other, context))
      return std::nullopt;
    form.others.push_back({call->getArg(first ? 1 : 0), clang::BO_Comma});
  } else {
    // Down the chain of one operator to the target.
    for (const clang::Expr *at = right; !isTarget(at);) {
      const auto *chain = llvm::dyn_cast<clang::BinaryOperator>(at);
      if (!chain) return std::nullopt;
      const ReductionOp here = reductionOf(chain->getOpcode());
      if (here == ReductionOp::None) return std::nullopt;
      if (form.op != ReductionOp::None && here != form.op) return std::nullopt;
      form.op = here;
      bool left = occurrencesOf(chain->getLHS(), isTarget) == 1;
      if (!left && chain->getOpcode() == clang::BO_Sub) return std::nullopt; // e - x is no sum
      const clang::Expr *other = left ? chain->getRHS() : chain->getLHS();
      if (chain->isLogicalOp() && left && other->HasSideEffects(context))
        return std::nullopt; // it runs only as far as x lets it
      form.others.push_back({other, chain->getOpcode(), chain->isLogicalOp() && left});
      at = (left ? chain->getLHS() : chain->getRHS())->IgnoreParenImpCasts();
    }
  }
  if (form.others.empty()) return std::nullopt;
  bool isLogical = form.op == ReductionOp::And || form.op == ReductionOp::Or || form.op == ReductionOp::BitAnd ||
                   form.op == ReductionOp::BitOr;
  if (!isLogical && cutsSteps(type, right->getType())) return std::nullopt;
  return form;
}

/// `x kind= e` of that type. A product that is added is one operation with the sum.
void Walker::countStep(BinaryOperatorKind kind, const clang::Expr *e, clang::QualType type) {
  if (!isMultiplication(e) || !type->isRealFloatingType() || reductionOf(kind) != ReductionOp::Add)
    return countArithmetic(kind, type);
  bool single = bytesOf(type, context) <= 4;
  count(single ? Operation::Fp32Multiply : Operation::Fp64Multiply, -1);
  count(single ? Operation::Fp32Fma : Operation::Fp64Fma);
}

/// Reads what the update takes, and counts its operations.
void Walker::runOthers(const UpdateForm &form, clang::QualType type) {
  for (const auto &[expr, kind, isSkipped] : form.others) {
    if (isSkipped)
      branch(
          Condition(), locate(expr),
          [&, part = expr] {
            rvalue(part, true);
            return Flow();
          },
          [] { return Flow(); });
    else rvalue(expr, true);
    if (kind == clang::BO_Comma) count(Operation::Compare);
    else countStep(kind, expr, type);
  }
}

/// `x = x op e` and its like. True if it was recorded as an update.
bool Walker::tryUpdate(const Place &place, const clang::BinaryOperator *assign) {
  if (place.at.object.empty() || place.partial) return false;
  const clang::Expr *target = assign->getLHS()->IgnoreParenImpCasts();
  if (llvm::any_of(partsOf(target),
                   [](const clang::Stmt *s) { return s && s->getStmtClass() == clang::Stmt::CallExprClass; }))
    return false;
  std::optional<UpdateForm> form =
      updateForm(assign->getRHS(), target->getType(), [&](const clang::Expr *expr) { return isSame(expr, target); });
  if (!form) return false;
  runOthers(*form, target->getType());
  update(place, form->op, locate(assign), assign);
  return true;
}

/// `if (x < m) m = x;` is m = min(m, x). Of a whole number that has a closed form it stays what a branch makes of it.
bool Walker::recognizeMinMax(const clang::IfStmt *stmt) {
  if (stmt->getElse() || stmt->getInit() || stmt->getConditionVariable()) return false;
  const auto *compare = llvm::dyn_cast<clang::BinaryOperator>(strip(stmt->getCond()));
  const clang::Stmt *body = stmt->getThen();
  if (const auto *block = llvm::dyn_cast_or_null<clang::CompoundStmt>(body); block && block->size() == 1)
    body = block->body_front();
  const auto *assign = llvm::dyn_cast_or_null<clang::BinaryOperator>(body);
  if (!compare || !compare->isRelationalOp() || !assign || assign->getOpcode() != clang::BO_Assign) return false;
  bool less = compare->getOpcode() == clang::BO_LT || compare->getOpcode() == clang::BO_LE;
  bool valueLeft = isSame(compare->getLHS(), assign->getRHS()) && isSame(compare->getRHS(), assign->getLHS());
  if (!valueLeft && !(isSame(compare->getLHS(), assign->getLHS()) && isSame(compare->getRHS(), assign->getRHS())))
    return false;
  if (strip(assign->getRHS())->HasSideEffects(context)) return false;
  const clang::QualType type = assign->getType();
  const bool isInteger = classOf(type) == TypeClass::Integer;
  if (!isInteger && !type->isRealFloatingType()) return false;
  if (isInteger && (type->isBooleanType() || assign->getLHS()->refersToBitField() ||
                    !keepsExtremes(type, strip(assign->getRHS())->getType(), context)))
    return false;
  // All of it stands where the condition does: what must be copied for it must be copied before the `if`.
  const clang::Expr *value = valueLeft ? compare->getLHS() : compare->getRHS();
  const bool isMin = less == valueLeft;
  Place place = lvalue(assign->getLHS());
  if (place.at.object.empty() || place.partial) return false;
  std::optional<Value> before;
  if (isInteger && !place.variable.empty()) {
    auto current = st.env.integers.find(place.variable);
    if (current == st.env.integers.end() || !dependsOnMemory(current->second.expr) || isInductiveNow(place.variable))
      return false;
    before = current->second;
  }
  const std::optional<Value> other = rvalue(value, true);
  count(Operation::Compare);
  if (before) {
    Symbolic after = Symbolic::poisoned();
    if (other && !other->mayWrap && !before->mayWrap)
      after = isMin ? min(before->expr, other->expr) : max(before->expr, other->expr);
    if (after.isPoisoned()) after = freshSymbol(place.variable, place.variable, locate(stmt), true);
    storeInteger(place, Value{after});
  }
  update(place, isMin ? ReductionOp::Min : ReductionOp::Max, locate(stmt), nullptr);
  if (isInteger && !before && isAnything(place)) clobberAddressTaken(locate(stmt));
  return true;
}

using MadeField = std::pair<const clang::FieldDecl *, const clang::Expr *>;

/// What the fields of a struct are made of: the parts of `{e0, e1}`, or the arguments of a constructor that only hands
/// them on. Empty if it is made otherwise.
static std::vector<MadeField> fieldsMadeBy(const clang::Expr *made) {
  const auto *record = made->getType()->getAsRecordDecl();
  const auto *derived = llvm::dyn_cast_or_null<clang::CXXRecordDecl>(record);
  std::vector<MadeField> fields;
  if (!record || record->isUnion() || !record->getDefinition() || (derived && derived->getNumBases() > 0))
    return fields;
  for (const clang::FieldDecl *field : record->getDefinition()->fields()) fields.push_back({field, nullptr});
  if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(made)) {
    if (const clang::InitListExpr *meant = list->getSemanticForm()) list = meant;
    if (list->getNumInits() != fields.size()) return {};
    for (unsigned k = 0; k < fields.size(); ++k) fields[k].second = list->getInit(k);
    return fields;
  }
  const auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(made);
  const clang::FunctionDecl *definition = construct ? bodyThatRuns(construct->getConstructor()) : nullptr;
  if (!definition) return {};
  const auto *constructor = llvm::cast<clang::CXXConstructorDecl>(definition);
  const auto *body = llvm::dyn_cast_or_null<clang::CompoundStmt>(constructor->getBody());
  if (!body || !body->body_empty()) return {};
  for (const clang::CXXCtorInitializer *init : constructor->inits()) {
    const auto *formal = llvm::dyn_cast_or_null<clang::ParmVarDecl>(variableOf(init->getInit()));
    auto field = llvm::find_if(fields, [&](const MadeField &one) { return one.first == init->getMember(); });
    bool isHanded = formal && field != fields.end() && formal->getFunctionScopeIndex() < construct->getNumArgs() &&
                    formal->getType().getNonReferenceType().getCanonicalType().getUnqualifiedType() ==
                        field->first->getType().getCanonicalType().getUnqualifiedType();
    if (!isHanded) return {};
    field->second = construct->getArg(formal->getFunctionScopeIndex());
  }
  return fields;
}

static const clang::Expr *withoutLiteral(const clang::Expr *expr) {
  expr = withoutWrappers(expr);
  if (const auto *literal = llvm::dyn_cast<clang::CompoundLiteralExpr>(expr)) expr = literal->getInitializer();
  return expr;
}

/// `s = (T){s.a + e, s.b + f}`, `s = add(s, e)` of a function that returns the like: each field is an update. True if
/// they were recorded as such.
bool Walker::tryRecordUpdate(const clang::Expr *assign, const clang::Expr *target, const clang::Expr *source) {
  if (!target->getType().isTriviallyCopyableType(context)) return false;
  const clang::Expr *made = withoutLiteral(source);
  const auto *call = llvm::dyn_cast<clang::CallExpr>(made);
  const clang::ParmVarDecl *formal = nullptr; // what the target is to the function
  auto isWhole = [&](const clang::Expr *expr) { return formal ? variableOf(expr) == formal : isSame(expr, target); };
  if (call) {
    const clang::FunctionDecl *definition = bodyThatRuns(calleeOf(call));
    const clang::Expr *result = singleReturn(calleeOf(call));
    std::vector<const clang::Expr *> arguments = argumentsOf(call);
    if (!result || arguments.size() != definition->getNumParams() || objectOf(call)) return false;
    auto given =
        llvm::find_if(arguments, [&](const clang::Expr *argument) { return isWhole(withoutWrappers(argument)); });
    if (given == arguments.end() || occurrencesOf(call, isWhole) != 1) return false;
    formal = definition->getParamDecl(unsigned(given - arguments.begin()));
    made = withoutLiteral(result);
  }
  struct Part {
    const clang::FieldDecl *field;
    UpdateForm form;
  };
  std::vector<Part> parts;
  for (const auto &[field, value] : fieldsMadeBy(made)) {
    auto isField = [&, field = field](const clang::Expr *expr) {
      const auto *named = llvm::dyn_cast<clang::MemberExpr>(expr->IgnoreParenImpCasts());
      return named && !named->isArrow() && named->getMemberDecl() == field && isWhole(named->getBase());
    };
    if (!value || !field->getType()->isRealFloatingType() || occurrencesOf(value, isWhole) != 1) return false;
    std::optional<UpdateForm> form = updateForm(value, field->getType(), isField);
    if (!form) return false;
    parts.push_back({field, std::move(*form)});
  }
  if (parts.empty()) return false;
  const Place to = lvalue(target);
  if (!isNamedRecord(to)) return false;
  std::vector<Place> places;
  for (const Part &part : parts) places.push_back(member(to, part.field));
  if (llvm::any_of(places, [](const Place &place) { return place.at.object.empty() || place.partial; })) return false;
  std::optional<Pointer> self;
  if (auto known = st.env.pointers.find("this"); known != st.env.pointers.end()) self = known->second;
  if (call && !bindInlined(call)) return false;
  if (call) inlining.insert(calleeOf(call)->getCanonicalDecl());
  for (const Part &part : parts) runOthers(part.form, part.field->getType());
  if (call) inlining.erase(calleeOf(call)->getCanonicalDecl());
  for (size_t k = 0; k < parts.size(); ++k) update(places[k], parts[k].form.op, locate(assign), assign);
  if (self) st.env.pointers["this"] = *self;
  return true;
}

} // namespace busfare::frontend
