//===- clang-plugin/lower/CalledBack.cpp - Pointers that code called back may set -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "CalledBack.h"
#include "Patterns.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

namespace busfare::frontend {

namespace {

using Function = const clang::FunctionDecl *;

/// What the bodies of functions do, each by itself.
class Search : public clang::RecursiveASTVisitor<Search> {
public:
  explicit Search(clang::ASTContext &context) : context(context) {}
  bool shouldVisitTemplateInstantiations() const { return true; }

  /// Nothing counts of what the library's own functions do.
  bool TraverseDecl(clang::Decl *decl) {
    const bool isOfLibrary = decl && llvm::isa<clang::FunctionDecl, clang::VarDecl>(decl) && isSystem(decl);
    return isOfLibrary || isPattern(decl) || RecursiveASTVisitor::TraverseDecl(decl);
  }
  bool VisitFunctionDecl(clang::FunctionDecl *function) {
    if (!function->doesThisDeclarationHaveABody() || function->isDependentContext() || isSystem(function)) return true;
    if (const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(function); method && method->isVirtual())
      roots.insert(function->getCanonicalDecl());
    walk(function->getCanonicalDecl(), function->getBody(), false);
    return true;
  }
  bool VisitVarDecl(clang::VarDecl *variable) { // tables of functions
    if (variable->hasGlobalStorage() && variable->hasInit() && !variable->getInit()->isValueDependent() &&
        !isSystem(variable))
      walk(nullptr, variable->getInit(), false);
    return true;
  }

  CalledBack sum() const {
    CalledBack result;
    std::set<Function> seen;
    std::vector<Function> open(roots.begin(), roots.end());
    while (!open.empty()) {
      Function function = open.back();
      open.pop_back();
      if (!seen.insert(function).second) continue;
      if (auto found = stores.find(function); found != stores.end())
        result.pointers.insert(found->second.begin(), found->second.end());
      result.setsAny |= !function->isDefined() && roots.count(function) && !isSystem(function);
      if (auto found = calls.find(function); found != calls.end())
        open.insert(open.end(), found->second.begin(), found->second.end());
    }
    return result;
  }

private:
  clang::ASTContext &context;
  std::set<Function> roots;
  std::map<Function, std::set<Function>> calls;
  std::map<Function, std::set<std::string>> stores;

  bool isSystem(const clang::Decl *decl) const {
    return context.getSourceManager().isInSystemHeader(decl->getLocation());
  }

  /// All pointers in such a struct.
  void storesRecord(Function in, clang::QualType type) {
    const auto *record = type.getNonReferenceType()->getAsRecordDecl();
    if (!record || !record->getDefinition()) return;
    for (const clang::FieldDecl *field : record->getDefinition()->fields()) {
      if (field->getType()->isPointerType()) stores[in].insert(field->getNameAsString());
      else storesRecord(in, field->getType()->getBaseElementTypeUnsafe()->getCanonicalTypeInternal());
    }
  }

  /// isLoaded: only the value is used.
  void walk(Function in, const clang::Stmt *stmt, bool isLoaded) {
    if (!stmt) return;
    const clang::Stmt *callee = nullptr;
    if (const auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(stmt)) {
      Function body = lambda->getCallOperator()->getCanonicalDecl();
      roots.insert(body);
      for (const clang::Expr *init : lambda->capture_inits()) walk(in, init, false);
      walk(body, lambda->getBody(), false);
      return;
    }
    if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(stmt)) {
      if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(ref->getDecl()))
        roots.insert(function->getCanonicalDecl());
      const auto *variable = llvm::dyn_cast<clang::VarDecl>(ref->getDecl());
      if (variable && variable->hasGlobalStorage() && variable->getType()->isPointerType() && !isLoaded)
        stores[in].insert(variable->getNameAsString());
      return;
    }
    if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(stmt))
      if (const auto *field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
          field && field->getType()->isPointerType() && !isLoaded)
        stores[in].insert(field->getNameAsString());
    if (const auto *call = llvm::dyn_cast<clang::CallExpr>(stmt)) {
      if (Function direct = call->getDirectCallee()) {
        calls[in].insert(direct->getCanonicalDecl());
        if (!llvm::isa<clang::CXXMemberCallExpr>(call)) callee = call->getCallee();
      }
      for (const clang::Expr *argument : call->arguments()) { // memcpy(g, h, sizeof *g), *g = *h
        const clang::Expr *plain = argument->IgnoreParenImpCasts();
        if (argument->getType()->isVoidPointerType() && plain->getType()->isPointerType())
          storesRecord(in, plain->getType()->getPointeeType());
        if (llvm::isa<clang::CXXOperatorCallExpr>(call)) storesRecord(in, plain->getType());
      }
    }
    if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(stmt))
      calls[in].insert(made->getConstructor()->getCanonicalDecl());
    if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(stmt);
        op && op->isAssignmentOp() && op->getType()->isRecordType())
      storesRecord(in, op->getType());
    const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(stmt);
    const bool loads = cast && cast->getCastKind() == clang::CK_LValueToRValue;
    for (const clang::Stmt *child : stmt->children())
      if (child != callee) walk(in, child, loads || (isLoaded && llvm::isa<clang::ParenExpr>(stmt)));
  }
};

} // namespace

bool CalledBack::maySet(const std::string &variable) const {
  llvm::StringRef name = variable;
  return setsAny || pointers.count(name.substr(name.find_last_of(".>") + 1).str()) || pointers.count(variable);
}

CalledBack calledBackIn(clang::ASTContext &context) {
  Search search(context);
  search.TraverseDecl(context.getTranslationUnitDecl());
  return search.sum();
}

} // namespace busfare::frontend
