//===- clang-plugin/records/StdFunctions.cpp - What a std::function is made from -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "StdFunctions.h"
#include "clang-plugin/lower/AstQueries.h"
#include "clang-plugin/lower/CallQueries.h"

namespace busfare::frontend {

bool isStdFunction(clang::QualType type) {
  const auto *record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && record->isInStdNamespace() && record->getIdentifier() && record->getName() == "function";
}

const clang::FunctionProtoType *signatureOf(clang::QualType type) {
  const auto *record =
      isStdFunction(type)
          ? llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(type.getNonReferenceType()->getAsCXXRecordDecl())
          : nullptr;
  if (!record || record->getTemplateArgs().size() != 1 ||
      record->getTemplateArgs()[0].getKind() != clang::TemplateArgument::Type)
    return nullptr;
  return record->getTemplateArgs()[0].getAsType()->getAs<clang::FunctionProtoType>();
}

/// Without what makes a temporary of it, converts it or ends it.
static const clang::Expr *asWritten(const clang::Expr *expr) {
  for (;;) {
    const clang::Expr *inner = nullptr;
    if (const auto *paren = llvm::dyn_cast<clang::ParenExpr>(expr)) inner = paren->getSubExpr();
    else if (const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(expr)) inner = cast->getSubExpr();
    else if (const auto *cast = llvm::dyn_cast<clang::CXXFunctionalCastExpr>(expr)) inner = cast->getSubExpr();
    else if (const auto *moved = llvm::dyn_cast<clang::CXXStaticCastExpr>(expr);
             moved && moved->getCastKind() == clang::CK_NoOp)
      inner = moved->getSubExpr();
    else if (const auto *full = llvm::dyn_cast<clang::FullExpr>(expr)) inner = full->getSubExpr();
    else if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expr))
      inner = temporary->getSubExpr();
    else if (const auto *bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(expr)) inner = bound->getSubExpr();
    else if (const auto *standard = llvm::dyn_cast<clang::CXXDefaultInitExpr>(expr)) inner = standard->getExpr();
    if (!inner) return expr;
    expr = inner;
  }
}

static bool isNull(const clang::Expr *expr, const clang::ASTContext &context) {
  return expr->getType()->isNullPtrType() ||
         expr->isNullPointerConstant(const_cast<clang::ASTContext &>(context),
                                     clang::Expr::NPC_ValueDependentIsNotNull) != clang::Expr::NPCK_NotNull;
}

/// An object that is made of nothing and holds nothing: one is as good as another.
static bool isStateless(const clang::CXXRecordDecl *record) {
  return record->hasDefinition() && record->isEmpty() && record->hasTrivialDestructor() && !record->isPolymorphic();
}

/// What is called, if the value is a function or an object that holds nothing.
static std::optional<PutIn> calledBy(const clang::Expr *value, unsigned arguments) {
  value = asWritten(value);
  if (const auto *address = llvm::dyn_cast<clang::UnaryOperator>(value);
      address && address->getOpcode() == clang::UO_AddrOf)
    value = asWritten(address->getSubExpr());
  if (const auto *copy = llvm::dyn_cast<clang::CXXConstructExpr>(value);
      copy && copy->getNumArgs() == 1 && copy->getConstructor()->isCopyOrMoveConstructor() &&
      isStateless(copy->getConstructor()->getParent()))
    return calledBy(copy->getArg(0), arguments);
  if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(value)) {
    if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(ref->getDecl())) {
      const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
      return method && !method->isStatic() ? std::nullopt : std::optional(PutIn{function});
    }
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(ref->getDecl());
    const auto *record = variable ? variable->getType()->getAsCXXRecordDecl() : nullptr;
    return record && record->isLambda() && variable->getInit() ? calledBy(variable->getInit(), arguments)
                                                               : std::nullopt;
  }
  const auto *record = value->getType()->getAsCXXRecordDecl();
  if (!record || isStdFunction(value->getType()) || record->isInStdNamespace()) return std::nullopt;
  if (const auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(value)) {
    if (lambda->capture_size() != 0) return std::nullopt;
  } else {
    const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(value);
    const auto *list = llvm::dyn_cast<clang::InitListExpr>(value);
    const bool isMadeOfNothing = (made && made->getNumArgs() == 0 && made->getConstructor()->isTrivial()) ||
                                 (list && list->getNumInits() == 0) || llvm::isa<clang::CXXScalarValueInitExpr>(value);
    if (!isMadeOfNothing || !isStateless(record)) return std::nullopt;
  }
  const clang::CXXMethodDecl *method = callOperatorOf(record, arguments);
  return method && !method->isVirtual() ? std::optional(PutIn{method, value}) : std::nullopt;
}

std::optional<PutIn> putInto(clang::QualType type, const clang::Expr *value, const clang::ASTContext &context) {
  const clang::FunctionProtoType *signature = signatureOf(type);
  if (!signature || !value || value->isTypeDependent() || value->isValueDependent()) return std::nullopt;
  value = asWritten(value);
  if (isNull(value, context)) return PutIn();
  if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(value)) {
    if (list->getNumInits() > 1) return std::nullopt;
    return list->getNumInits() == 0 ? std::optional(PutIn()) : putInto(type, list->getInit(0), context);
  }
  if (!isStdFunction(value->getType())) return calledBy(value, signature->getNumParams());
  if (!context.hasSameUnqualifiedType(type.getNonReferenceType(), value->getType().getNonReferenceType()))
    return std::nullopt;
  if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(value)) {
    if (made->getNumArgs() == 0) return PutIn();
    for (unsigned k = 1; k < made->getNumArgs(); ++k)
      if (!llvm::isa<clang::CXXDefaultArgExpr>(made->getArg(k))) return std::nullopt;
    return putInto(type, made->getArg(0), context);
  }
  if (llvm::isa<clang::DeclRefExpr, clang::MemberExpr>(value)) return PutIn{nullptr, nullptr, value};
  return std::nullopt;
}

bool isCalledAsIs(const clang::FunctionDecl *function, const clang::FunctionProtoType &signature,
                  const clang::ASTContext &context) {
  if (function->getNumParams() != signature.getNumParams() || function->isVariadic() ||
      !context.hasSameType(function->getReturnType(), signature.getReturnType()))
    return false;
  for (unsigned k = 0; k < signature.getNumParams(); ++k) {
    const clang::QualType given = signature.getParamType(k);
    if (!context.hasSameUnqualifiedType(given, function->getParamDecl(k)->getType()) ||
        !(given->isScalarType() || given->isReferenceType()))
      return false;
  }
  return true;
}

} // namespace busfare::frontend
