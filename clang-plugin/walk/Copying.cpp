//===- clang-plugin/walk/Copying.cpp - Does a copy do more than copy? ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The library copies and moves objects in many places: `v = w` of two vectors, std::copy,
// std::swap. What their classes say about that runs there:
//
//   struct V { double x; V &operator=(const V &o) { x = o.x; return *this; } };    sets its fields, no more
//   struct H { double *p; H &operator=(const H &o) { for (...) p[i] = o.p[i]; } }; touches other memory
//
// Only the first kind is as good as a copy of the bytes. Which operator runs is not looked at.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"

namespace busfare::frontend {

/// Nothing but fields of the two objects, and what can be computed from them.
static bool isPlain(const clang::Stmt *stmt) {
  if (!stmt) return true;
  if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(stmt)) {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(ref->getDecl());
    return variable && variable->isLocalVarDeclOrParm() && !variable->isStaticLocal();
  }
  if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(stmt); op && op->getOpcode() == clang::UO_Deref)
    return llvm::isa<clang::CXXThisExpr>(op->getSubExpr()->IgnoreParenImpCasts());
  if (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(stmt);
      element && !element->getBase()->IgnoreParenImpCasts()->getType()->isArrayType())
    return false;
  if (const auto *field = llvm::dyn_cast<clang::MemberExpr>(stmt)) {
    bool isOwn =
        llvm::isa<clang::FieldDecl>(field->getMemberDecl()) && !field->getMemberDecl()->getType()->isReferenceType();
    bool isThis = llvm::isa<clang::CXXThisExpr>(field->getBase()->IgnoreParenImpCasts());
    if (!isOwn || (field->isArrow() && !isThis)) return false;
  }
  if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(stmt); made && !made->getConstructor()->isTrivial())
    return false;
  bool isKnown =
      llvm::isa<clang::CompoundStmt, clang::ReturnStmt, clang::IfStmt, clang::BinaryOperator, clang::UnaryOperator,
                clang::CastExpr, clang::ParenExpr, clang::MemberExpr, clang::CXXThisExpr, clang::IntegerLiteral,
                clang::FloatingLiteral, clang::CXXBoolLiteralExpr, clang::CXXNullPtrLiteralExpr,
                clang::ArraySubscriptExpr, clang::ConditionalOperator, clang::CXXConstructExpr, clang::ExprWithCleanups,
                clang::NullStmt, clang::ImplicitValueInitExpr, clang::CXXDefaultInitExpr>(stmt);
  return isKnown && llvm::all_of(partsOf(stmt), isPlain);
}

static bool copyMattersOf(clang::QualType type, bool isStrict, std::set<const clang::CXXRecordDecl *> &seen) {
  if (type.isNull() || type->isReferenceType()) return false;
  const auto *record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  if (!record || !record->getDefinition()) return false;
  record = record->getDefinition();
  if (record->isDependentContext() || record->isLambda() || !seen.insert(record).second) return false;
  const clang::SourceManager &sources = record->getASTContext().getSourceManager();
  if (record->isInStdNamespace() || isOfModelledLibrary(record) || sources.isInSystemHeader(record->getLocation())) {
    // Containers move their memory, not what lies in it; std::array and std::pair are what they hold.
    bool isPart = record->getIdentifier() &&
                  (record->getName() == "array" || record->getName() == "pair" || record->getName() == "tuple");
    const auto *instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
    if (!instance || (isStrict && !isPart)) return false;
    std::vector<clang::TemplateArgument> given;
    for (const clang::TemplateArgument &one : instance->getTemplateArgs().asArray())
      if (one.getKind() == clang::TemplateArgument::Pack) llvm::append_range(given, one.pack_elements());
      else given.push_back(one);
    return llvm::any_of(given, [&](const clang::TemplateArgument &one) {
      return one.getKind() == clang::TemplateArgument::Type && copyMattersOf(one.getAsType(), isStrict, seen);
    });
  }
  auto does = [&](const clang::CXXMethodDecl *method) {
    if (!method->isUserProvided() || method->isDeleted()) return false;
    const clang::FunctionDecl *definition = bodyThatRuns(method);
    if (isStrict || !definition || !isPlain(definition->getBody())) return true;
    const auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(definition);
    return constructor && llvm::any_of(constructor->inits(),
                                       [](const clang::CXXCtorInitializer *init) { return !isPlain(init->getInit()); });
  };
  for (const clang::CXXMethodDecl *method : record->methods())
    if ((method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator()) && does(method)) return true;
  for (const clang::CXXConstructorDecl *constructor : record->ctors())
    if (constructor->isCopyOrMoveConstructor() && does(constructor)) return true;
  return llvm::any_of(record->fields(),
                      [&](const clang::FieldDecl *field) { return copyMattersOf(field->getType(), isStrict, seen); }) ||
         llvm::any_of(record->bases(), [&](const clang::CXXBaseSpecifier &base) {
           return copyMattersOf(base.getType(), isStrict, seen);
         });
}

bool copyingMatters(clang::QualType type, bool isStrict) {
  std::set<const clang::CXXRecordDecl *> seen;
  return copyMattersOf(type, isStrict, seen);
}

} // namespace busfare::frontend
