//===- clang-plugin/Exceptions.cpp - try and its handlers -----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What stands in a try block is read as if it stood alone.
//
//   try {
//     solve(grid);
//   } catch (const std::exception &failure) {
//     std::cerr << failure.what() << '\n';      an end of the program, like others
//     return 1;                                 (of main)
//   } catch (...) {
//     failed = true;                            the program goes on: BF046
//   }
//
// An exception leaves the block anywhere in it. Where its handler only says so and ends the
// program, or throws on, that changes nothing for what else happens. Where the program goes
// on, it does so with the block half done: that it does not is an assumption, which all that
// is said of the program from there on lists (HostReason::Handler).
//
// A block that throws by itself, in a loop, is not read: that is how records are skipped,
// and no rare event.
//
//===----------------------------------------------------------------------===//
#include "HostOnly.h"
#include "Walk.h"

namespace busfare::frontend {

namespace {

/// A throw of its own, not of a function that it calls or makes.
bool throwsItself(const clang::Stmt *stmt) {
  if (!stmt || llvm::isa<clang::LambdaExpr>(stmt)) return false;
  return llvm::isa<clang::CXXThrowExpr>(stmt) || llvm::any_of(partsOf(stmt), throwsItself);
}

/// Streams and what writes to them, what(), exit: all that the library or the exception itself has.
bool isOfLibrary(const clang::FunctionDecl *callee) {
  if (!callee) return false;
  bool isNamed = callee->getIdentifier() != nullptr;
  bool isMade = llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(callee);
  bool says = isNamed && (endsProgram(callee->getName()) || callee->getName() == "what");
  if (says || (callee->isInStdNamespace() && !callee->isReplaceableGlobalAllocationFunction())) return true;
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  if (method && method->getParent()->isInStdNamespace()) return true;
  if (isMade && method->getParent()->isTriviallyCopyable()) return true;
  return isNamed && llvm::StringSwitch<bool>(callee->getName()).Cases("printf", "fprintf", "puts", "fputs", "fflush", "perror", true).Default(false);
}

/// It names nothing but its own variables, the exception and the library's streams.
bool onlySays(const clang::Stmt *stmt) {
  if (!stmt) return true;
  if (llvm::isa<clang::LambdaExpr, clang::CXXThisExpr, clang::CXXNewExpr, clang::CXXDeleteExpr, clang::AsmStmt, clang::CXXTryStmt>(stmt)) return false;
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(stmt); call && !isOfLibrary(calleeOf(call))) return false;
  if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(stmt); made && !isOfLibrary(made->getConstructor())) return false;
  if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(stmt))
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(ref->getDecl())) {
      clang::QualType type = variable->getType();
      bool isStream = variable->isInStdNamespace() || type.getUnqualifiedType().getAsString() == "FILE *";
      if (!isStream && !variable->getType().isConstQualified() && !variable->isExceptionVariable()) return false;
    }
  return llvm::all_of(partsOf(stmt), onlySays);
}

} // namespace

/// It says something at most, and then the program ends, or the exception goes on to the next handler.
bool Walker::isEnding(const clang::CXXCatchStmt *handler) const {
  const auto *block = llvm::dyn_cast<clang::CompoundStmt>(handler->getHandlerBlock());
  if (!block || block->body_empty()) return false;
  const clang::Stmt *last = block->body_back();
  bool goesOn = true;
  if (llvm::isa<clang::ReturnStmt>(last)) goesOn = !function->isMain() || inPlace || unit.runsAfterMain;
  if (const auto *expr = llvm::dyn_cast<clang::Expr>(last)) {
    const clang::Expr *done = expr->IgnoreImplicit();
    if (llvm::isa<clang::CXXThrowExpr>(done)) goesOn = false;
    if (const auto *call = llvm::dyn_cast<clang::CallExpr>(done); call && calleeOf(call) && calleeOf(call)->getIdentifier())
      goesOn = !endsProgram(calleeOf(call)->getName()) || (unit.runsAfterMain && calleeOf(call)->getName() != "abort");
  }
  return !goesOn && llvm::all_of(block->body(), [](const clang::Stmt *one) { return onlySays(one); });
}

Flow Walker::executeTry(const clang::CXXTryStmt *stmt) {
  if (isInLoop() && throwsItself(stmt->getTryBlock())) {
    unsupported(stmt, "try with a throw of its own, in a loop,", Rule::Exception);
    return Flow();
  }
  Flow flow = execute(stmt->getTryBlock());
  for (unsigned k = 0; k < stmt->getNumHandlers(); ++k) {
    const clang::CXXCatchStmt *handler = stmt->getHandler(k);
    if (isEnding(handler)) continue;
    Location location = locate(handler);
    const std::string caught = handler->getCaughtType().isNull() ? "..." : handler->getCaughtType().getAsString(context.getPrintingPolicy());
    find(Rule::AssumedUnthrown, location, "it is assumed that nothing is thrown to this handler, behind which the program goes on; port ends the program there");
    host(HostReason::Handler, "catch (" + caught + ")", {}, location);
  }
  return flow;
}

} // namespace busfare::frontend
