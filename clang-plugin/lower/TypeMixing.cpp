//===- clang-plugin/lower/TypeMixing.cpp - Is memory looked at as two types? -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TypeMixing.h"
#include "Types.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

namespace busfare::frontend {
namespace {

class Search : public clang::RecursiveASTVisitor<Search> {
public:
  explicit Search(const clang::ASTContext &context) : context(context) {}
  bool found = false;

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  bool VisitCastExpr(const clang::CastExpr *cast) {
    clang::QualType from = cast->getSubExpr()->getType(), to = cast->getType();
    if (cast->getCastKind() == clang::CK_BitCast && from->isPointerType() && to->isPointerType()) {
      from = from->getPointeeType();
      to = to->getPointeeType();
    } else if (cast->getCastKind() != clang::CK_LValueBitCast) {
      return true;
    }
    found = isNumbers(from) && isNumbers(to) && !skeleton::mayBeOfType(typeOf(from), typeOf(to));
    return !found; // one is enough
  }

private:
  const clang::ASTContext &context;

  skeleton::ElementType typeOf(clang::QualType type) const { return elementTypeOf(innermost(type, context), context); }
  bool isNumbers(clang::QualType type) const {
    if (type->isDependentType() || type->isVoidType() || type->isFunctionType() || type->isIncompleteType())
      return false;
    return bytesOf(innermost(type, context), context) != 0;
  }
};

} // namespace

bool mixTypes(llvm::ArrayRef<const clang::Decl *> decls, const clang::ASTContext &context) {
  Search search(context);
  for (const clang::Decl *decl : decls)
    if (!context.getSourceManager().isInSystemHeader(decl->getLocation())) {
      search.TraverseDecl(const_cast<clang::Decl *>(decl));
      if (search.found) return true;
    }
  return false;
}

} // namespace busfare::frontend
