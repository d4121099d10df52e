//===- clang-plugin/lower/Addressed.cpp - Variables that pointers may lead to -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Addressed.h"
#include "AstQueries.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"

namespace busfare::frontend {

namespace {

class Search {
public:
  std::set<const clang::VarDecl *> found;

  /// isPlain: what the expression denotes is read, set or thrown away there, and nothing else.
  void visit(const clang::Stmt *stmt, bool isPlain);

private:
  /// `double (*w)[f(t)]`: lengths in a type are evaluated.
  void visit(clang::QualType type);
};

} // namespace

void Search::visit(clang::QualType type) {
  while (type->isVariablyModifiedType()) {
    const clang::Type *plain = type->getUnqualifiedDesugaredType();
    if (const auto *array = llvm::dyn_cast<clang::VariableArrayType>(plain)) visit(array->getSizeExpr(), false);
    if (const auto *array = llvm::dyn_cast<clang::ArrayType>(plain)) type = array->getElementType();
    else if (!plain->getPointeeType().isNull()) type = plain->getPointeeType();
    else return;
  }
}

void Search::visit(const clang::Stmt *stmt, bool isPlain) {
  if (!stmt) return;
  if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(stmt)) {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(ref->getDecl());
    if (variable && !isPlain) found.insert(variable->getCanonicalDecl());
    if (const auto *binding = llvm::dyn_cast<clang::BindingDecl>(ref->getDecl())) visit(binding->getBinding(), isPlain);
    return;
  }
  if (const auto *block = llvm::dyn_cast<clang::BlockExpr>(stmt)) {
    for (const clang::BlockDecl::Capture &capture : block->getBlockDecl()->captures())
      found.insert(capture.getVariable()->getCanonicalDecl());
    return visit(block->getBody(), false);
  }
  // Variables that a clause names are named; what it computes may do anything with them.
  if (const auto *directive = llvm::dyn_cast<clang::OMPExecutableDirective>(stmt))
    for (const clang::OMPClause *clause : directive->clauses())
      for (const clang::Stmt *part : clause->children()) visit(part, true);
  if (const auto *cast = llvm::dyn_cast<clang::ExplicitCastExpr>(stmt)) visit(cast->getTypeAsWritten());
  if (const auto *paren = llvm::dyn_cast<clang::ParenExpr>(stmt)) return visit(paren->getSubExpr(), isPlain);
  if (const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(stmt)) {
    const clang::CastKind kind = cast->getCastKind(); // NoOp: the same lvalue, perhaps const
    return visit(cast->getSubExpr(),
                 kind == clang::CK_LValueToRValue || kind == clang::CK_ToVoid || (kind == clang::CK_NoOp && isPlain));
  }
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(stmt); cast && cast->getCastKind() == clang::CK_ToVoid)
    return visit(cast->getSubExpr(), true);
  // `s[i]` and `s.x` are parts of s.
  if (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(stmt)) {
    const auto *decay = llvm::dyn_cast<clang::ImplicitCastExpr>(element->getBase()->IgnoreParens());
    const bool isPart = decay && decay->getCastKind() == clang::CK_ArrayToPointerDecay;
    visit(isPart ? decay->getSubExpr() : element->getBase(), isPart && isPlain);
    return visit(element->getIdx(), false);
  }
  if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(stmt)) {
    const auto *field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    return visit(member->getBase(), isPlain && field && !member->isArrow());
  }
  if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(stmt)) {
    if (op->isAssignmentOp()) visit(op->getLHS(), isPlain || !op->isGLValue());
    else visit(op->getLHS(), op->isCommaOp());
    return visit(op->getRHS(), op->isCommaOp() && isPlain);
  }
  // Structs without code of their own for that are copied as numbers are.
  const auto *given = llvm::dyn_cast<clang::CXXOperatorCallExpr>(stmt);
  const auto *assigns = given ? llvm::dyn_cast_or_null<clang::CXXMethodDecl>(given->getDirectCallee()) : nullptr;
  if (assigns && assigns->isTrivial() && (assigns->isCopyAssignmentOperator() || assigns->isMoveAssignmentOperator())) {
    visit(given->getArg(0), isPlain);
    return visit(given->getArg(1), true);
  }
  const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(stmt);
  if (made && made->getNumArgs() == 1 && made->getConstructor()->isTrivial() &&
      made->getConstructor()->isCopyOrMoveConstructor())
    return visit(made->getArg(0), true);
  if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(stmt); op && op->isIncrementDecrementOp())
    return visit(op->getSubExpr(), isPlain || !op->isGLValue());
  if (const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(stmt)) {
    visit(choice->getCond(), false);
    visit(choice->getTrueExpr(), isPlain);
    return visit(choice->getFalseExpr(), isPlain);
  }
  if (const auto *size =
          llvm::dyn_cast<clang::UnaryExprOrTypeTraitExpr>(stmt)) { // evaluated only for lengths that the run decides
    if (size->isArgumentType()) visit(size->getArgumentType());
    else if (size->getArgumentExpr()->getType()->isVariablyModifiedType()) visit(size->getArgumentExpr(), false);
    return;
  }
  if (const auto *full = llvm::dyn_cast<clang::ExprWithCleanups>(stmt)) return visit(full->getSubExpr(), isPlain);
  if (const auto *declares = llvm::dyn_cast<clang::DeclStmt>(stmt)) {
    for (const clang::Decl *decl : declares->decls())
      if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
        visit(variable->getType());
        visit(variable->getInit(), false);
      } else if (const auto *name = llvm::dyn_cast<clang::TypedefNameDecl>(decl)) {
        visit(name->getUnderlyingType());
      }
    return;
  }
  // An expression that is a statement is thrown away, and one that is tested is read; what is returned may be bound to
  // a reference.
  const bool takesPlain = !llvm::isa<clang::Expr, clang::ReturnStmt, clang::CoreturnStmt, clang::AsmStmt>(stmt);
  for (const clang::Stmt *part : partsOf(stmt)) visit(part, takesPlain);
}

/// Constructors see the object's address, and what a function returns it may have known before. Neither runs for
/// numbers, nor for structs that are made of nothing, of their parts, or of another one's.
static bool isMadePlainly(const clang::VarDecl *variable) {
  const clang::Type *type = variable->getType()->getBaseElementTypeUnsafe();
  const auto *record = type->getAsCXXRecordDecl();
  if (!record) return true;
  if (!record->hasDefinition() || !record->isTrivial() || !record->isAggregate()) return false;
  const clang::Expr *init = variable->getInit() ? variable->getInit()->IgnoreImplicit() : nullptr;
  const auto *made = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(init);
  return !init || llvm::isa<clang::InitListExpr>(init) ||
         (made && (made->getNumArgs() == 0 || made->getArg(0)->isLValue()));
}

bool Addressed::isAddressed(const clang::VarDecl *variable) {
  const clang::DeclContext *around = variable->getParentFunctionOrMethod();
  while (llvm::isa_and_nonnull<clang::CapturedDecl>(around))
    around = around->getParent(); // what a directive holds is the function's
  const auto *function = llvm::dyn_cast_or_null<clang::FunctionDecl>(around);
  const bool isPlainVariable = variable->hasLocalStorage() && !variable->getType()->isReferenceType() &&
                               !variable->hasAttr<clang::CleanupAttr>() &&
                               !llvm::isa<clang::DecompositionDecl>(variable) && !variable->isInitCapture();
  if (!function || !isPlainVariable || !isMadePlainly(variable)) return true;
  const clang::FunctionDecl *definition = nullptr;
  if (!function->hasBody(definition)) return true;
  auto [at, isNew] = known.try_emplace(definition);
  if (isNew) {
    Search search;
    search.visit(definition->getBody(), false);
    if (const auto *made = llvm::dyn_cast<clang::CXXConstructorDecl>(definition))
      for (const clang::CXXCtorInitializer *init : made->inits()) search.visit(init->getInit(), false);
    at->second = std::move(search.found);
  }
  return at->second.count(variable->getCanonicalDecl()) != 0;
}

} // namespace busfare::frontend
