//===- clang-plugin/port/Handlers.cpp - Handlers that must not run -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/Handlers.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

namespace busfare::frontend::port {
using namespace clang;

namespace {

class HandlerAt : public RecursiveASTVisitor<HandlerAt> {
public:
  HandlerAt(const SourceManager &sources, SourceLocation where) : sources(sources), where(where) {}

  /// Declarations of other files are not looked at.
  bool TraverseDecl(Decl *decl) {
    bool isElsewhere =
        decl && decl->getLocation().isValid() && !sources.isInMainFile(sources.getExpansionLoc(decl->getLocation()));
    return isElsewhere || RecursiveASTVisitor::TraverseDecl(decl);
  }
  bool VisitCXXCatchStmt(CXXCatchStmt *handler) {
    if (handler->getBeginLoc() != where) return true;
    brace = llvm::cast<CompoundStmt>(handler->getHandlerBlock())->getLBracLoc();
    return false;
  }

  SourceLocation brace;

private:
  const SourceManager &sources;
  SourceLocation where;
};

} // namespace

std::optional<Edit> endAtHandler(ASTContext &context, const skeleton::Location &handler) {
  const SourceManager &sources = context.getSourceManager();
  FileID file = sources.getMainFileID();
  if (!handler.isKnown() || sources.getFilename(sources.getLocForStartOfFile(file)) != handler.file.str())
    return std::nullopt;
  HandlerAt found(sources, sources.translateLineCol(file, handler.line, handler.column));
  found.TraverseDecl(context.getTranslationUnitDecl());
  if (found.brace.isInvalid() || found.brace.isMacroID()) return std::nullopt;
  return Edit{sources.getFileOffset(found.brace) + 1, 0,
              " std::fputs(\"an exception came to the handler of line " + std::to_string(handler.line) +
                  ": what is on the device then is not known\\n\", stderr), std::abort();"};
}

} // namespace busfare::frontend::port
