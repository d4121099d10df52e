//===- clang-plugin/port/Pages.cpp - Arrays on pages of their own --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/Pages.h"
#include "clang-plugin/lower/AstQueries.h"
#include "clang/AST/Expr.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::frontend::port {
using namespace clang;

static bool isRef(const Expr *expr, const VarDecl *array) {
  const auto *ref = llvm::dyn_cast<DeclRefExpr>(expr->IgnoreParens());
  return ref && ref->getDecl()->getCanonicalDecl() == array->getCanonicalDecl();
}

/// sizeof and & see the array itself, which a pointer is not.
static bool isLookedAt(const Stmt *stmt, const VarDecl *array) {
  if (!stmt) return false;
  if (const auto *size = llvm::dyn_cast<UnaryExprOrTypeTraitExpr>(stmt);
      size && !size->isArgumentType() && isRef(size->getArgumentExpr(), array))
    return true;
  if (const auto *op = llvm::dyn_cast<UnaryOperator>(stmt);
      op && op->getOpcode() == UO_AddrOf && isRef(op->getSubExpr(), array))
    return true;
  return llvm::any_of(partsOf(stmt), [&](const Stmt *child) { return isLookedAt(child, array); });
}

static bool isZeros(const Expr *init) {
  const auto *list = llvm::dyn_cast<InitListExpr>(init->IgnoreParens());
  if (!list) return false;
  if (const InitListExpr *written =
          list->isSemanticForm() && list->getSyntacticForm() ? list->getSyntacticForm() : nullptr)
    list = written;
  return llvm::all_of(list->inits(), [](const Expr *one) {
    if (const auto *inner = llvm::dyn_cast<InitListExpr>(one)) return isZeros(inner);
    if (llvm::isa<ImplicitValueInitExpr>(one)) return true;
    const Expr *plain = one->IgnoreParenImpCasts();
    const auto *integer = llvm::dyn_cast<IntegerLiteral>(plain);
    const auto *real = llvm::dyn_cast<FloatingLiteral>(plain);
    return (integer && integer->getValue().isZero()) || (real && real->getValue().isZero());
  });
}

std::vector<Edit> moveLocal(const VarDecl *array, const FunctionSource &source) {
  ASTContext &context = source.context;
  const auto *type = context.getAsArrayType(array->getType());
  bool isVariable = array->getType()->isVariableArrayType();
  if (!type || (!isVariable && !context.getAsConstantArrayType(array->getType())) || array->hasGlobalStorage() ||
      array->getBeginLoc().isMacroID() || array->getType().isConstQualified() ||
      isLookedAt(source.function->getBody(), array) || (array->hasInit() && !isZeros(array->getInit())))
    return {};
  const DeclStmt *statement = nullptr;
  for (const Spot &spot : source.spots)
    if (const auto *declares = llvm::dyn_cast<DeclStmt>(spot.stmt);
        declares && declares->isSingleDecl() && declares->getSingleDecl() == array)
      statement = declares;
  if (!statement) return {};
  std::string bytes;
  if (isVariable) bytes = "sizeof(" + array->getType().getAsString(context.getPrintingPolicy()) + ")";
  else bytes = std::to_string(context.getTypeSizeInChars(array->getType()).getQuantity());
  std::string pointer, name = array->getNameAsString();
  llvm::raw_string_ostream out(pointer);
  context.getPointerType(type->getElementType()).print(out, context.getPrintingPolicy(), name);
  std::string cast = context.getPointerType(type->getElementType()).getAsString(context.getPrintingPolicy());
  std::string zeros = array->hasInit() ? "(char[" + bytes + "]){0}" : "0";
  if (array->hasInit() && context.getLangOpts().CPlusPlus) return {};
  unsigned begin = source.offsetOf(statement->getBeginLoc()), end = source.endOf(statement->getSourceRange());
  return {{begin, end - begin, pointer + " = (" + cast + ")busfare_pages(" + bytes + ", " + zeros + ");"}};
}

std::vector<Edit> moveGlobal(const VarDecl *array, ASTContext &context) {
  const SourceManager &sources = context.getSourceManager();
  const VarDecl *definition = array->getDefinition(context);
  if (!definition) definition = array->getActingDefinition(); // a tentative one
  if (!definition || !context.getAsConstantArrayType(definition->getType()) || definition->getBeginLoc().isMacroID() ||
      definition->getEndLoc().isMacroID() || sources.getFileID(definition->getLocation()) != sources.getMainFileID() ||
      definition->getType().isConstQualified() || definition->isStaticLocal() ||
      definition->getLexicalDeclContext()->isRecord())
    return {}; // beside a member another one would stand
  // Behind the declarator's last bracket, and behind the semicolon.
  llvm::StringRef text = sources.getBufferData(sources.getMainFileID());
  SourceLocation last = definition->getTypeSourceInfo()->getTypeLoc().getEndLoc();
  if (last.isInvalid() || last.isMacroID()) return {};
  unsigned at = sources.getFileOffset(last) + Lexer::MeasureTokenLength(last, sources, context.getLangOpts());
  if (at == 0 || text[at - 1] != ']') return {};
  size_t semicolon = text.find(';', at);
  if (semicolon == llvm::StringRef::npos) return {};
  std::string name = definition->getNameAsString(),
              section = "section(\"busfare_pages_of_" + name + "\")"; // no name that a variable here has
  return {{at, 0, " __attribute__((aligned(4096), " + section + "))"},
          {unsigned(semicolon + 1), 0,
           "\nstatic char busfare_page_" + name + "[4096] __attribute__((aligned(4096), " + section + ", used));"}};
}

} // namespace busfare::frontend::port
