//===- clang-plugin/port/Containers.cpp - Elements of containers in C ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/Containers.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

namespace busfare::frontend::port {
using namespace clang;

std::optional<ContainerMemory> memoryOf(QualType type) {
  const auto *record = type.isNull() ? nullptr : type.getNonReferenceType()->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition() || !record->isInStdNamespace()) return std::nullopt;
  ASTContext &context = record->getASTContext();
  for (const char *name : {"data", "get"})
    for (const NamedDecl *member : record->lookup(&context.Idents.get(name)))
      if (const auto *method = llvm::dyn_cast<CXXMethodDecl>(member);
          method && method->getNumParams() == 0 && method->getReturnType()->isPointerType())
        return ContainerMemory{std::string(name) + "()", method->getReturnType()};
  return std::nullopt;
}

/// A variable, or a path of fields from one or from `this`.
static bool isPath(const Expr *expr) {
  while (const auto *member = llvm::dyn_cast<MemberExpr>(expr)) {
    if (!llvm::isa<FieldDecl>(member->getMemberDecl())) return false;
    expr = member->getBase()->IgnoreParenImpCasts();
  }
  const auto *ref = llvm::dyn_cast<DeclRefExpr>(expr);
  return llvm::isa<CXXThisExpr>(expr) || (ref && llvm::isa<VarDecl>(ref->getDecl()));
}

static const Expr *containerIn(const Expr *expr) {
  expr = expr->IgnoreParenImpCasts();
  return isPath(expr) && memoryOf(expr->getType()) ? expr : nullptr;
}

std::optional<ContainerUse> containerUse(const Stmt *stmt) {
  using Kind = ContainerUse::Kind;
  if (const auto *element = llvm::dyn_cast<CXXOperatorCallExpr>(stmt);
      element && element->getOperator() == OO_Subscript && element->getNumArgs() == 2) {
    const Expr *container = containerIn(element->getArg(0));
    const bool counts = element->getArg(1)->getType()->isIntegerType();
    return container && counts ? std::optional(ContainerUse{Kind::Element, element, container, element->getArg(1)})
                               : std::nullopt;
  }
  const auto *call = llvm::dyn_cast<CXXMemberCallExpr>(stmt);
  const auto *callee = call ? llvm::dyn_cast<MemberExpr>(call->getCallee()->IgnoreParens()) : nullptr;
  const CXXMethodDecl *method = call ? call->getMethodDecl() : nullptr;
  if (!callee || callee->isArrow() || !method || !method->getIdentifier() || call->getNumArgs() != 0)
    return std::nullopt;
  const Expr *container = containerIn(callee->getBase());
  if (!container) return std::nullopt;
  if (method->getName() == "size") return ContainerUse{Kind::Size, call, container, nullptr};
  if (method->getName().str() + "()" == memoryOf(container->getType())->call)
    return ContainerUse{Kind::Data, call, container, nullptr};
  return std::nullopt;
}

} // namespace busfare::frontend::port
