//===- clang-plugin/lower/SourceLoops.cpp - The loops that a unit's source has -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SourceLoops.h"
#include "Located.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include <set>

namespace busfare::frontend {

namespace {

class LoopVisitor : public clang::RecursiveASTVisitor<LoopVisitor> {
public:
  explicit LoopVisitor(clang::ASTContext &context) : sources(context.getSourceManager()) {}
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitLambdaBody() const { return true; }

  bool TraverseDecl(clang::Decl *decl) {
    if (decl && !llvm::isa<clang::TranslationUnitDecl>(decl) && sources.isInSystemHeader(decl->getLocation()))
      return true;
    // A pattern: its instances are visited.
    if (const auto *function = llvm::dyn_cast_or_null<clang::FunctionDecl>(decl);
        function && function->isDependentContext())
      return true;
    return RecursiveASTVisitor::TraverseDecl(decl);
  }
  bool VisitForStmt(clang::ForStmt *loop) { return add(loop->getForLoc()); }
  bool VisitWhileStmt(clang::WhileStmt *loop) { return add(loop->getWhileLoc()); }
  bool VisitDoStmt(clang::DoStmt *loop) { return add(loop->getDoLoc()); }
  bool VisitCXXForRangeStmt(clang::CXXForRangeStmt *loop) { return add(loop->getForLoc()); }

  std::set<skeleton::Location> places;

private:
  const clang::SourceManager &sources;

  bool add(clang::SourceLocation where) {
    where = sources.getExpansionLoc(where);
    if (where.isValid() && !sources.isInSystemHeader(where)) places.insert(locationOf(where, sources));
    return true;
  }
};

} // namespace

std::vector<skeleton::Location> sourceLoops(clang::ASTContext &context) {
  LoopVisitor visitor(context);
  visitor.TraverseDecl(context.getTranslationUnitDecl());
  return {visitor.places.begin(), visitor.places.end()};
}

} // namespace busfare::frontend
