//===- clang-plugin/walk/Exceptions.cpp - try and its handlers -----------===//
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
// So a throw is an end of the program, or nothing that happens. A function that nobody is
// seen to call may be called where its exceptions are caught: that memory is not looked at
// there is an assumption of the plan for it alone (brs/Handlers.h).
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

/// exit, abort and their like of the C library; another function may have such a name.
bool endsAll(const clang::FunctionDecl *callee) {
  return callee && callee->getIdentifier() && !llvm::isa<clang::CXXMethodDecl>(callee) &&
         (callee->isExternC() || callee->isInStdNamespace()) && !callee->hasBody() && endsProgram(callee->getName());
}

/// Streams and what writes to them, what(), exit: code of the library.
bool isFromLibrary(const clang::FunctionDecl *callee) {
  if (!callee || callee->isReplaceableGlobalAllocationFunction()) return false;
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  if (callee->isInStdNamespace() ||
      (method && (method->getParent()->isInStdNamespace() || !method->isUserProvided())) || endsAll(callee))
    return true;
  if (method || !callee->getIdentifier() || !callee->isExternC()) return false;
  return llvm::StringSwitch<bool>(callee->getName())
      .Cases("printf", "fprintf", "puts", "fputs", "fflush", "perror", true)
      .Default(false);
}

/// A number that does not change, the exception as a whole, a stream.
bool saysNothingNew(const clang::VarDecl *variable) {
  clang::QualType type = variable->getType();
  if (variable->isExceptionVariable()) return !type.getNonReferenceType()->isPointerType();
  if (type->isArithmeticType()) return type.isConstQualified();
  return variable->isInStdNamespace() || type.getUnqualifiedType().getAsString() == "FILE *";
}

/// It names nothing else, and runs no code of the program.
bool onlySays(const clang::Stmt *stmt) {
  if (!stmt) return true;
  if (llvm::isa<clang::LambdaExpr, clang::CXXThisExpr, clang::CXXNewExpr, clang::CXXDeleteExpr, clang::AsmStmt,
                clang::CXXTryStmt>(stmt))
    return false;
  if (llvm::isa<clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt, clang::GotoStmt, clang::IndirectGotoStmt,
                clang::LabelStmt>(stmt))
    return false;
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(stmt); call && !isFromLibrary(calleeOf(call))) return false;
  if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(stmt); made && !isFromLibrary(made->getConstructor()))
    return false;
  if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(stmt);
      member && llvm::isa<clang::FieldDecl>(member->getMemberDecl()))
    return false;
  if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(stmt)) {
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(ref->getDecl()); variable && !saysNothingNew(variable))
      return false;
    if (const auto *other = llvm::dyn_cast<clang::FunctionDecl>(ref->getDecl()); other && !isFromLibrary(other))
      return false;
  }
  return llvm::all_of(partsOf(stmt), onlySays);
}

} // namespace

/// It says something at most, and then the program ends, or the exception goes on to the next handler.
bool Walker::isEnding(const clang::CXXCatchStmt *handler) const {
  const auto *block = llvm::dyn_cast<clang::CompoundStmt>(handler->getHandlerBlock());
  if (!block || block->body_empty() || unit.endsLocals)
    return false; // what destructors on the way find is not followed
  const clang::Stmt *last = block->body_back();
  bool goesOn = true;
  if (llvm::isa<clang::ReturnStmt>(last)) goesOn = !function->isMain() || inPlace || unit.runsAfterMain;
  if (const auto *expr = llvm::dyn_cast<clang::Expr>(last)) {
    const clang::Expr *done = expr->IgnoreImplicit();
    if (llvm::isa<clang::CXXThrowExpr>(done)) goesOn = false;
    if (const auto *call = llvm::dyn_cast<clang::CallExpr>(done); call && endsAll(calleeOf(call)))
      goesOn = unit.runsAfterMain && calleeOf(call)->getName() != "abort";
  }
  const clang::Stmt *said =
      llvm::isa<clang::ReturnStmt>(last) ? llvm::cast<clang::ReturnStmt>(last)->getRetValue() : last;
  return !goesOn && onlySays(said) &&
         llvm::all_of(llvm::ArrayRef(block->body_begin(), block->size()).drop_back(), onlySays);
}

/// What is thrown is made; then nothing follows.
void Walker::throwAway(const clang::CXXThrowExpr *expr) {
  Location location = locate(expr);
  find(Rule::Exception, location, "throw leaves for a handler; it stays on the host, and so do the loops around it");
  if (const clang::Expr *made = expr->getSubExpr()) storeAway(made);
  host(HostReason::NoReturn, "throw", {}, location);
}

Flow Walker::executeTry(const clang::CXXTryStmt *stmt) {
  if (isInLoop() && throwsItself(stmt->getTryBlock())) {
    unsupported(stmt, "try with a throw of its own, in a loop,", Rule::Exception);
    return Flow();
  }
  std::vector<const clang::CXXCatchStmt *> goingOn;
  for (unsigned k = 0; k < stmt->getNumHandlers(); ++k)
    if (!isEnding(stmt->getHandler(k))) goingOn.push_back(stmt->getHandler(k));
  flush();
  const State before = st;
  const Summary summaryBefore = summary;
  const std::vector<Environment> returnsBefore = returns;
  const Block prologueBefore = prologue;
  Block inside, *around = std::exchange(out, &inside);
  Flow flow = execute(stmt->getTryBlock());
  flush();
  out = around;
  if (flow.always && flow.may == NoJump && !goingOn.empty()) { // only by a handler does it go on
    st = before, summary = summaryBefore, returns = returnsBefore, prologue = prologueBefore;
    unsupported(stmt, "try, whose block always throws,", Rule::Exception);
    return Flow();
  }
  for (Node &node : inside) put(std::move(node));
  for (const clang::CXXCatchStmt *handler : goingOn) {
    Location location = locate(handler);
    const std::string caught =
        handler->getCaughtType().isNull() ? "..." : handler->getCaughtType().getAsString(context.getPrintingPolicy());
    find(
        Rule::AssumedUnthrown, location,
        "it is assumed that nothing is thrown to this handler, behind which the program goes on; port ends the program there");
    host(HostReason::Handler, "catch (" + caught + ")", {}, location);
  }
  return flow;
}

} // namespace busfare::frontend
