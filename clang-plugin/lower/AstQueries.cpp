//===- clang-plugin/lower/AstQueries.cpp - Small questions about Clang's AST -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "AstQueries.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <functional>

namespace busfare::frontend {

const clang::VarDecl *variableOf(const clang::Expr *expr) {
  const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(expr->IgnoreParenImpCasts());
  return ref ? llvm::dyn_cast<clang::VarDecl>(ref->getDecl()) : nullptr;
}

std::string globalNameOf(const clang::VarDecl *variable) {
  if (const auto *label = variable->getAttr<clang::AsmLabelAttr>())
    return label->getLabel().str(); // whose name may be another's
  const clang::DeclContext *around = variable->getDeclContext();
  if (llvm::isa<clang::VarTemplateSpecializationDecl>(variable)) { // `limit<int>` is one of several
    std::string name;
    llvm::raw_string_ostream stream(name);
    variable->getNameForDiagnostic(stream, variable->getASTContext().getPrintingPolicy(), true);
    return name;
  }
  return around->isNamespace() || around->isRecord() ? variable->getQualifiedNameAsString()
                                                     : variable->getNameAsString();
}

// Not getInnermostCapturedStmt: critical, atomic and others capture nothing.
const clang::Stmt *bodyOf(const clang::OMPExecutableDirective &directive) {
  if (!directive.hasAssociatedStmt()) return nullptr;
  const clang::Stmt *body = directive.getAssociatedStmt();
  while (const auto *captured = llvm::dyn_cast_or_null<clang::CapturedStmt>(body)) body = captured->getCapturedStmt();
  return body;
}

llvm::SmallVector<const clang::Stmt *, 8> partsOf(const clang::Stmt *stmt) {
  if (const auto *captured = llvm::dyn_cast<clang::CapturedStmt>(stmt)) return {captured->getCapturedStmt()};
  // What the callee's declaration, or the class, says in place of what is not written here.
  if (const auto *standard = llvm::dyn_cast<clang::CXXDefaultArgExpr>(stmt)) return {standard->getExpr()};
  if (const auto *standard = llvm::dyn_cast<clang::CXXDefaultInitExpr>(stmt)) return {standard->getExpr()};
  return llvm::SmallVector<const clang::Stmt *, 8>(stmt->children().begin(), stmt->children().end());
}

const clang::FunctionDecl *calleeOf(const clang::CallExpr *expr) {
  return llvm::dyn_cast_or_null<clang::FunctionDecl>(expr->getCalleeDecl());
}

bool isFile(clang::QualType type, const clang::ASTContext &context) {
  const auto *record = type.isNull() ? nullptr : type->getAsRecordDecl();
  const bool isLibrarys =
      record && record->getIdentifier() && context.getSourceManager().isInSystemHeader(record->getLocation());
  return isLibrarys && llvm::StringSwitch<bool>(record->getName())
                           .Cases("_IO_FILE", "__sFILE", "FILE", "__FILE", true)
                           .Default(false); // not: struct stat
}

bool isStdStream(clang::QualType type) {
  const auto *record = type.isNull() ? nullptr : type.getNonReferenceType()->getAsCXXRecordDecl();
  if (!record || !record->isInStdNamespace() || !record->getIdentifier()) return false;
  return record->getName().starts_with("basic_") && record->getName().ends_with("stream");
}

std::vector<const clang::Expr *> argumentsOf(const clang::CallExpr *expr) {
  std::vector<const clang::Expr *> arguments(expr->arg_begin(), expr->arg_end());
  const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(calleeOf(expr));
  if (llvm::isa<clang::CXXOperatorCallExpr>(expr) && method && method->isInstance() && !arguments.empty())
    arguments.erase(arguments.begin());
  return arguments;
}

const clang::Expr *objectOf(const clang::CallExpr *expr) {
  if (const auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(expr)) return member->getImplicitObjectArgument();
  const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(calleeOf(expr));
  if (llvm::isa<clang::CXXOperatorCallExpr>(expr) && method && method->isInstance() && expr->getNumArgs() > 0)
    return expr->getArg(0);
  return nullptr;
}

const clang::Expr *baseOfPath(const clang::Expr *path) {
  while (const auto *member = llvm::dyn_cast<clang::MemberExpr>(path)) path = member->getBase()->IgnoreParenImpCasts();
  return path;
}

bool isReplaceable(const clang::FunctionDecl *function) {
  const clang::LangOptions &language = function->getASTContext().getLangOpts();
  if (function->isMultiVersion() || function->hasAttr<clang::IFuncAttr>()) return true;
  for (const clang::FunctionDecl *one : function->redecls())
    if (one->hasAttr<clang::WeakAttr>() || one->hasAttr<clang::WeakRefAttr>() || one->hasAttr<clang::AliasAttr>())
      return true;
  // C's inline functions, and gnu_inline ones: the definition that other units see may be another one, and either may
  // run.
  const clang::FunctionDecl *definition = function->getDefinition();
  const bool isAlternative =
      definition && definition->isInlined() && (!language.CPlusPlus || definition->hasAttr<clang::GNUInlineAttr>()) &&
      function->getASTContext().GetGVALinkageForFunction(definition) == clang::GVA_AvailableExternally;
  return isAlternative || (language.SemanticInterposition && isInterposable(function));
}

bool isInterposable(const clang::FunctionDecl *function) {
  const clang::LangOptions &language = function->getASTContext().getLangOpts();
  return language.PICLevel > 0 && !language.PIE && function->isExternallyVisible() && !function->isInlined() &&
         function->getVisibility() == clang::DefaultVisibility;
}

const clang::FunctionDecl *bodyThatRuns(const clang::FunctionDecl *callee) {
  const clang::FunctionDecl *definition = nullptr;
  if (!callee || !callee->hasBody(definition) || !definition || !definition->getBody()) return nullptr;
  return isReplaceable(definition) ? nullptr : definition;
}

const clang::Expr *singleReturn(const clang::FunctionDecl *callee) {
  const clang::FunctionDecl *definition = bodyThatRuns(callee);
  if (!definition) return nullptr;
  const auto *body = llvm::dyn_cast<clang::CompoundStmt>(definition->getBody());
  if (!body || body->size() != 1) return nullptr;
  const auto *result = llvm::dyn_cast<clang::ReturnStmt>(body->body_front());
  return result ? result->getRetValue() : nullptr;
}

bool holdsLoop(const clang::Stmt *stmt) {
  return stmt && (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(stmt) ||
                  llvm::any_of(partsOf(stmt), holdsLoop));
}

const clang::Expr *resultBehindChecks(const clang::FunctionDecl *definition) {
  constexpr unsigned mostStatements = 16;
  const auto *body = definition ? llvm::dyn_cast_or_null<clang::CompoundStmt>(definition->getBody()) : nullptr;
  if (!body || body->size() < 2 || body->size() > mostStatements) return nullptr;
  const auto *result = llvm::dyn_cast<clang::ReturnStmt>(body->body_back());
  const bool onlyChecks =
      llvm::all_of(llvm::make_range(body->body_begin(), body->body_end() - 1), [](const clang::Stmt *stmt) {
        const auto *expr = llvm::dyn_cast<clang::Expr>(stmt);
        return (expr && expr->getType()->isVoidType() && !holdsLoop(expr)) || llvm::isa<clang::NullStmt>(stmt);
      });
  return result && onlyChecks ? result->getRetValue() : nullptr;
}

const clang::Expr *copiedRecord(const clang::Expr *expr) {
  if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(expr))
    return op->getOpcode() == clang::BO_Assign && op->getType()->isRecordType() ? op->getRHS() : nullptr;
  const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expr);
  if (!call || call->getOperator() != clang::OO_Equal || call->getNumArgs() != 2) return nullptr;
  const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getDirectCallee());
  bool isCopy = method && (method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator());
  return isCopy && method->isTrivial() ? call->getArg(1) : nullptr;
}

const clang::FieldDecl *sharedFieldOf(const clang::FieldDecl *field) {
  if (field->isBitField()) {
    for (const clang::FieldDecl *other : field->getParent()->fields())
      if (other->isBitField() && other->getIdentifier()) return other;
    return field;
  }
  if (!field->isAnonymousStructOrUnion()) return nullptr;
  const clang::RecordDecl *record = field->getType()->getAsRecordDecl();
  for (const clang::FieldDecl *inner : record->fields()) {
    if (inner->getIdentifier()) return inner;
    const clang::FieldDecl *deeper = inner->isAnonymousStructOrUnion() ? sharedFieldOf(inner) : nullptr;
    if (deeper && deeper->getIdentifier()) return deeper;
  }
  return field; // nothing in it has a name
}

const clang::CXXRecordDecl *callableClassOf(clang::QualType type) {
  if (type.isNull()) return nullptr;
  const auto *record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (!record || !record->getDefinition() || record->isInStdNamespace()) return nullptr;
  record = record->getDefinition();
  if (record->isLambda()) return record;
  clang::DeclarationName call = record->getASTContext().DeclarationNames.getCXXOperatorName(clang::OO_Call);
  return record->lookup(call).empty() ? nullptr : record;
}

const clang::Expr *passedOn(const clang::CallExpr *expr) {
  const clang::FunctionDecl *callee = calleeOf(expr);
  if (!callee || !callee->isInStdNamespace() || llvm::isa<clang::CXXMethodDecl>(callee) || !callee->getIdentifier() ||
      expr->getNumArgs() != 1)
    return nullptr;
  llvm::StringRef name = callee->getName();
  return name == "move" || name == "forward" || name == "as_const" || name == "move_if_noexcept" ? expr->getArg(0)
                                                                                                 : nullptr;
}

/// Of numbers, truth values, pointers: conversions give them other values. Handles and records are copied by
/// constructors, which are expressions of their own.
static bool isScalar(clang::QualType type) { return !type.isNull() && type.getNonReferenceType()->isScalarType(); }

const clang::Expr *boundPlace(const clang::Expr *expr) {
  const clang::Expr *plain = expr->IgnoreParens()->IgnoreImplicit()->IgnoreParens();
  if (!plain->isGLValue()) return nullptr;
  for (const clang::Expr *at = expr; at != plain;) {
    if (at->isPRValue() && isScalar(at->getType())) return nullptr; // the value of something, no place
    const clang::Expr *inside = at;
    if (const auto *wrapped = llvm::dyn_cast<clang::ParenExpr>(at)) inside = wrapped->getSubExpr();
    else if (const auto *whole = llvm::dyn_cast<clang::FullExpr>(at)) inside = whole->getSubExpr();
    else if (const auto *made = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(at)) inside = made->getSubExpr();
    else if (const auto *bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(at)) inside = bound->getSubExpr();
    else if (const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(at)) inside = cast->getSubExpr();
    if (inside == at) return nullptr;
    at = inside;
  }
  return plain;
}

const clang::Expr *scalarTemporary(const clang::Expr *init) {
  for (;;) {
    init = init->IgnoreParens();
    if (const auto *whole = llvm::dyn_cast<clang::FullExpr>(init)) init = whole->getSubExpr();
    else if (const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(init); cast && cast->isGLValue())
      init = cast->getSubExpr();
    else if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(init);
             list && list->isGLValue() && list->getNumInits() == 1)
      init = list->getInit(0);
    else break;
  }
  const auto *made = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(init);
  return made && isScalar(made->getType()) ? made->getSubExpr() : nullptr;
}

const clang::Expr *withoutWrappers(const clang::Expr *expr) {
  for (;;) {
    expr = expr->IgnoreImplicit()->IgnoreParens();
    const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(expr);
    if (const auto *cast = llvm::dyn_cast<clang::CXXFunctionalCastExpr>(expr); cast && !isScalar(cast->getType()))
      expr = cast->getSubExpr();
    else if (const auto *list = llvm::dyn_cast<clang::CXXStdInitializerListExpr>(expr)) expr = list->getSubExpr();
    else if (made && made->getNumArgs() == 1 && made->getConstructor()->isCopyOrMoveConstructor())
      expr = made->getArg(0);
    else return expr;
  }
}

const clang::Expr *objectMade(const clang::Expr *expr) {
  return isScalar(expr->getType()) ? expr : withoutWrappers(expr);
}

const clang::Expr *askedBy(const clang::Expr *condition) {
  for (;;) {
    condition = condition->IgnoreParens();
    const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(condition);
    const bool isTruth =
        cast &&
        (cast->getCastKind() == clang::CK_IntegralToBoolean || cast->getCastKind() == clang::CK_PointerToBoolean ||
         cast->getCastKind() == clang::CK_FloatingToBoolean || cast->getCastKind() == clang::CK_NoOp);
    if (const auto *whole = llvm::dyn_cast<clang::ExprWithCleanups>(condition)) condition = whole->getSubExpr();
    else if (isTruth) condition = cast->getSubExpr();
    else return condition;
  }
}

bool isOfLibrary(const clang::Decl *decl, llvm::ArrayRef<llvm::StringRef> names) {
  for (const clang::DeclContext *at = decl->getDeclContext(); at; at = at->getParent())
    if (const auto *space = llvm::dyn_cast<clang::NamespaceDecl>(at); space && space->getIdentifier())
      if (llvm::is_contained(names, space->getName())) return true;
  return false;
}

bool isOfModelledLibrary(const clang::Decl *decl) {
  return isOfLibrary(decl, {"Kokkos", "RAJA", "tbb", "oneapi", "sycl"});
}

bool isText(clang::QualType type) {
  type = type.getNonReferenceType();
  if (const auto *record = type->getAsCXXRecordDecl())
    return record->isInStdNamespace() && record->getIdentifier() && record->getName() == "basic_string";
  clang::QualType element = type->isPointerType() ? type->getPointeeType()
                            : type->isArrayType() ? clang::QualType(type->getPointeeOrArrayElementType(), 0)
                                                  : clang::QualType();
  return !element.isNull() && element->isAnyCharacterType();
}

bool isOnlyRead(const clang::VarDecl *variable, const clang::Stmt *body) {
  std::function<bool(const clang::Stmt *, bool)> isFine = [&](const clang::Stmt *stmt, bool isConst) -> bool {
    if (!stmt) return true;
    if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(stmt))
      return ref->getDecl()->getCanonicalDecl() != variable->getCanonicalDecl() || isConst ||
             ref->getType().isConstQualified();
    const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(stmt);
    bool makesConst = cast && (cast->getCastKind() == clang::CK_LValueToRValue ||
                               (cast->getCastKind() == clang::CK_NoOp && cast->getType().isConstQualified()));
    const auto *member = llvm::dyn_cast<clang::MemberExpr>(stmt);
    bool isTransparent = llvm::isa<clang::ParenExpr>(stmt) ||
                         (member && !member->isArrow() && llvm::isa<clang::FieldDecl>(member->getMemberDecl()));
    return llvm::all_of(partsOf(stmt), [&](const clang::Stmt *child) {
      return isFine(child, makesConst || (isTransparent && isConst));
    });
  };
  return isFine(body, false);
}

std::optional<Comparison> comparisonOf(const clang::Expr *expr) {
  expr = expr->IgnoreParenImpCasts();
  if (const auto *wrapped = llvm::dyn_cast<clang::ExprWithCleanups>(expr)) return comparisonOf(wrapped->getSubExpr());
  if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(expr); op && op->isComparisonOp())
    return Comparison{op->getOpcode(), op->getLHS(), op->getRHS()};
  if (const auto *rewritten = llvm::dyn_cast<clang::CXXRewrittenBinaryOperator>(expr);
      rewritten && rewritten->isComparisonOp()) {
    auto parts = rewritten->getDecomposedForm();
    return Comparison{parts.Opcode, parts.LHS, parts.RHS};
  }
  if (const auto *op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expr);
      op && op->isComparisonOp() && op->getNumArgs() == 2 && op->getOperator() != clang::OO_Spaceship)
    return Comparison{clang::BinaryOperator::getOverloadedOpcode(op->getOperator()), op->getArg(0), op->getArg(1)};
  return std::nullopt;
}

bool isMultiplication(const clang::Expr *expr) {
  const auto *op = llvm::dyn_cast<clang::BinaryOperator>(expr->IgnoreParenImpCasts());
  return op && op->getOpcode() == clang::BO_Mul && op->getType()->isRealFloatingType();
}

bool mayJump(const clang::Stmt *stmt) {
  if (!stmt || llvm::isa<clang::LambdaExpr>(stmt)) return false;
  if (llvm::isa<clang::BreakStmt, clang::ContinueStmt, clang::ReturnStmt, clang::GotoStmt, clang::IndirectGotoStmt>(
          stmt))
    return true;
  return llvm::any_of(partsOf(stmt), mayJump);
}

} // namespace busfare::frontend
