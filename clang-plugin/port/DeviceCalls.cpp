//===- clang-plugin/port/DeviceCalls.cpp - Functions that kernels call ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/DeviceCalls.h"
#include "clang-plugin/lower/AstQueries.h"
#include "clang-plugin/walk/HostOnly.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include <functional>

namespace busfare::frontend::port {
using namespace clang;

std::string whyNotOnDevice(const FunctionDecl *function, std::set<const FunctionDecl *> &seen) {
  if (function->getIdentifier() && endsProgram(function->getName()))
    return "a function that it calls may end the program (" + function->getNameAsString() +
           "), and the device would have to return through it";
  const FunctionDecl *definition = nullptr;
  if (!function->hasBody(definition) || !definition) {
    // The device has a library of its own, but none of the program's other files.
    if (function->getBuiltinID() == 0 &&
        !function->getASTContext().getSourceManager().isInSystemHeader(function->getLocation()))
      return function->getNameAsString() + ", which it calls, is defined elsewhere";
    return "";
  }
  if (!seen.insert(definition).second) return "";
  // What a lambda holds by reference lies on the host, unless it is made in the loop.
  if (const auto *method = llvm::dyn_cast<CXXMethodDecl>(definition); method && method->getParent()->isLambda())
    for (const LambdaCapture &capture : method->getParent()->captures())
      if (capture.capturesVariable() && capture.getCaptureKind() == LCK_ByRef)
        return "a lambda that it calls holds " + capture.getCapturedVar()->getNameAsString() + " by reference";
  std::string why;
  std::function<void(const Stmt *)> walk = [&](const Stmt *stmt) {
    if (!stmt || !why.empty()) return;
    if (const auto *ref = llvm::dyn_cast<DeclRefExpr>(stmt)) {
      if (const auto *variable = llvm::dyn_cast<VarDecl>(ref->getDecl()); variable && variable->hasGlobalStorage())
        why = function->getNameAsString() + ", which it calls, uses " + variable->getNameAsString() +
              ", a variable of the host";
      if (const auto *inner = llvm::dyn_cast<FunctionDecl>(ref->getDecl())) why = whyNotOnDevice(inner, seen);
    }
    for (const Stmt *child : partsOf(stmt)) walk(child);
  };
  walk(definition->getBody());
  return why;
}

} // namespace busfare::frontend::port
