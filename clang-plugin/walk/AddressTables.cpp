//===- clang-plugin/walk/AddressTables.cpp - Loops over tables of addresses -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One block is laid out in parts by a loop over the addresses of the pointers to them:
//
//   double **ptrs[] = {&p->a, &p->b, &p->c};
//   for (int i = 0; i < 3; i++) {
//     *(ptrs[i]) = at;                     p->a = block, p->b = block + n, p->c = block + 2n,
//     at += sizes[i];                      if the sizes are n
//   }
//
// Each turn sets another variable, so the loop is walked turn by turn. What is in the table is what it was made
// from: no statement sets an element, or lets a pointer to one out.
//
// Not followed: tables that are parameters, globals or fields, loops that something leaves early, more than
// mostAddresses addresses, addresses by way of a pointer that changes or lies in memory.
//
//===----------------------------------------------------------------------===//
#include "TriedLoop.h"
#include "llvm/Support/SaveAndRestore.h"

namespace busfare::frontend {

static constexpr uint64_t mostAddresses = 64;

/// Is it the same address wherever it stands in the function? `&x`, `&s.a`, `&p->a.b`, if p is never set.
static bool isSteadyAddress(const clang::Expr *expr, const clang::Stmt *body) {
  const auto *address = llvm::dyn_cast<clang::UnaryOperator>(expr->IgnoreParenImpCasts());
  if (!address || address->getOpcode() != clang::UO_AddrOf) return false;
  const clang::Expr *path = address->getSubExpr()->IgnoreParens();
  bool isArrow = false;
  while (const auto *field = llvm::dyn_cast<clang::MemberExpr>(path)) {
    if (isArrow || !llvm::isa<clang::FieldDecl>(field->getMemberDecl()) ||
        field->getMemberDecl()->getType()->isReferenceType())
      return false;
    isArrow = field->isArrow();
    path = isArrow ? field->getBase()->IgnoreParenImpCasts() : field->getBase()->IgnoreParens();
  }
  if (llvm::isa<clang::CXXThisExpr>(path)) return isArrow;
  const clang::VarDecl *root = variableOf(path);
  if (!root || root->getType()->isReferenceType()) return false;
  return !isArrow || (root->getType()->isPointerType() && root->hasLocalStorage() && isOnlyRead(root, body));
}

/// The variable whose element it is, by `table[i]`; null if it is anything else.
static const clang::VarDecl *tableLoaded(const clang::Expr *element) {
  const auto *subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(element->IgnoreParens());
  const auto *base =
      subscript ? llvm::dyn_cast<clang::ImplicitCastExpr>(subscript->getBase()->IgnoreParens()) : nullptr;
  return base && base->getCastKind() == clang::CK_ArrayToPointerDecay ? variableOf(base->getSubExpr()->IgnoreParens())
                                                                      : nullptr;
}

/// Is it mentioned for nothing but to load an element, or to ask for its size?
static bool isOnlyLoaded(const clang::VarDecl *table, const clang::Stmt *in) {
  if (!in || llvm::isa<clang::UnaryExprOrTypeTraitExpr>(in)) return true;
  if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(in))
    return ref->getDecl()->getCanonicalDecl() != table->getCanonicalDecl();
  if (const auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(in))
    return llvm::none_of(lambda->captures(), [&](const clang::LambdaCapture &capture) {
      return capture.capturesVariable() && capture.getCapturedVar() == table;
    });
  const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(in);
  if (cast && cast->getCastKind() == clang::CK_LValueToRValue && tableLoaded(cast->getSubExpr()) == table)
    return isOnlyLoaded(table, llvm::cast<clang::ArraySubscriptExpr>(cast->getSubExpr()->IgnoreParens())->getIdx());
  return llvm::all_of(partsOf(in), [&](const clang::Stmt *part) { return isOnlyLoaded(table, part); });
}

/// The addresses in a table that holds nothing else; null if it is none.
static const clang::InitListExpr *addressesIn(const clang::VarDecl *table, const clang::ASTContext &context) {
  if (!table || !table->isLocalVarDecl() || table->isStaticLocal() || !table->getInit() ||
      table->getType().isVolatileQualified())
    return nullptr;
  const auto *type = context.getAsConstantArrayType(table->getType());
  const clang::QualType element = type ? type->getElementType() : clang::QualType();
  if (!type || type->getSize().ugt(mostAddresses) || !element->isPointerType() || element.isVolatileQualified())
    return nullptr;
  const clang::QualType variable = element->getPointeeType();
  if (variable.isVolatileQualified() || (!variable->isPointerType() && !variable->isIntegerType())) return nullptr;
  const auto *list = llvm::dyn_cast<clang::InitListExpr>(table->getInit()->IgnoreImplicit());
  if (list && !list->isSemanticForm()) list = list->getSemanticForm();
  const auto *function = llvm::dyn_cast_or_null<clang::FunctionDecl>(table->getParentFunctionOrMethod());
  const clang::Stmt *body = function ? function->getBody() : nullptr;
  if (!list || !body || list->getNumInits() != type->getSize().getZExtValue()) return nullptr;
  const bool isSteady =
      llvm::all_of(list->inits(), [&](const clang::Expr *init) { return isSteadyAddress(init, body); });
  return isSteady && isOnlyLoaded(table, body) ? list : nullptr;
}

static bool mentions(const clang::Stmt *stmt, const clang::VarDecl *variable) {
  if (!stmt) return false;
  if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(stmt)) return ref->getDecl() == variable;
  return llvm::any_of(partsOf(stmt), [&](const clang::Stmt *part) { return mentions(part, variable); });
}

/// Does it load from such a table, at a place that the index decides?
static bool looksUpAddress(const clang::Stmt *stmt, const clang::VarDecl *index, const clang::ASTContext &context) {
  if (!stmt) return false;
  if (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(stmt);
      element && mentions(element->getIdx(), index) && addressesIn(tableLoaded(element), context))
    return true;
  return llvm::any_of(partsOf(stmt), [&](const clang::Stmt *part) { return looksUpAddress(part, index, context); });
}

/// Can its statements be walked again and again, one turn behind the other?
static bool canRepeat(const clang::Stmt *stmt) {
  if (!stmt) return true;
  if (llvm::isa<clang::LabelStmt, clang::OMPExecutableDirective, clang::AsmStmt>(stmt)) return false;
  return llvm::all_of(partsOf(stmt), canRepeat);
}

/// Of a loop over such a table whose turns are counted from the start: how many; nothing if it is another loop.
std::optional<unsigned> Walker::turnsOverAddresses(const LoopParts &parts) {
  if (parts.form != skeleton::LoopForm::For || parts.directive || parts.given || parts.run || !parts.cond ||
      !parts.inc || !parts.body)
    return std::nullopt;
  const auto *step = llvm::dyn_cast<clang::UnaryOperator>(parts.inc->IgnoreParens());
  const clang::VarDecl *index =
      step && step->isIncrementOp() ? variableOf(step->getSubExpr()->IgnoreParens()) : nullptr;
  const std::optional<Comparison> test = comparisonOf(parts.cond);
  if (!index || !index->hasLocalStorage() || !index->getType()->isIntegerType() || !test ||
      variableOf(test->left->IgnoreParenImpCasts()) != index)
    return std::nullopt;
  if (!looksUpAddress(parts.body, index, context) || !canRepeat(parts.body) || mayJump(parts.body) ||
      !isOnlyRead(index, parts.body))
    return std::nullopt;
  clang::Expr::EvalResult limit;
  if (test->right->isValueDependent() || !test->right->EvaluateAsInt(limit, context) ||
      !limit.Val.getInt().isRepresentableByInt64())
    return std::nullopt;
  auto known = st.env.integers.find(nameOf(index));
  const std::optional<int64_t> first = known == st.env.integers.end() ? std::nullopt : known->second.expr.constant();
  const int64_t end = limit.Val.getInt().getExtValue();
  if (!first || *first < 0 || end <= *first || end - *first > int64_t(mostAddresses)) return std::nullopt;
  switch (test->op) {
  case clang::BO_LT:
  case clang::BO_NE: return unsigned(end - *first);
  case clang::BO_LE: return unsigned(end - *first + 1);
  default: return std::nullopt;
  }
}

/// The loop is so many copies of its body; it has been initialised.
Flow Walker::executeTurns(const LoopParts &parts, unsigned turns) {
  const std::string index = indexVariable(parts);
  const bool isNew = quiet.insert(index).second;
  Flow flow;
  for (unsigned turn = 0; turn < turns && !flow.always; ++turn) {
    const Flow one = execute(parts.body);
    flow.may |= one.may;
    flow.always = one.always;
    if (!flow.always) rvalue(parts.inc, false);
  }
  if (isNew) quiet.erase(index);
  return flow;
}

/// What was put at this place of a table of addresses; null if it is none, or the place is not known.
const clang::Expr *Walker::addressIn(const clang::Expr *element, const Place &place) const {
  const clang::VarDecl *table = tableLoaded(element);
  if (!table || place.at.index.size() != 1 || !place.at.index[0]) return nullptr;
  const std::optional<int64_t> at = place.at.index[0]->constant();
  const clang::InitListExpr *list = at && *at >= 0 ? addressesIn(table, context) : nullptr;
  return list && uint64_t(*at) < list->getNumInits() ? list->getInit(unsigned(*at)) : nullptr;
}

} // namespace busfare::frontend
