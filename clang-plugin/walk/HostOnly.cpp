//===- clang-plugin/walk/HostOnly.cpp - Why a call stays on the host -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "HostOnly.h"
#include "clang-plugin/library/PlainContainers.h"
#include "skeleton/UnseenBody.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace busfare::frontend {

using skeleton::Rule;

static const char *const stays = "; the call stays on the host, and so do the loops around it";

WhyOnHost whyUnfollowed(const clang::FunctionDecl *callee, const std::string &name) {
  if (!callee)
    return {Rule::FunctionPointer,
            "which function is called through `" + name + "` is known only while it runs" + stays};
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  if (method && method->isVirtual())
    return {Rule::VirtualCall, "which " + name + " a virtual call runs is known only while it runs" + stays};
  if (method && method->getParent()->isInStdNamespace()) {
    llvm::StringRef record = method->getParent()->getName();
    if (record.starts_with("atomic") || record.starts_with("__atomic"))
      return {Rule::AtomicOperation,
              name + " of std::" + record.str() + " is an atomic operation, whose order is kept" + stays};
    if (method->getOverloadedOperator() == clang::OO_Call && record.ends_with("function")) // and move_only_function
      return {Rule::FunctionPointer,
              "which function is called through a std::" + record.str() + " is known only while it runs" + stays};
  }
  llvm::StringRef plain = name;
  if (plain.starts_with("__sync_") || plain.starts_with("__atomic_") || plain.starts_with("atomic_"))
    return {Rule::AtomicOperation, name + " is an atomic operation, whose order is kept" + stays};
  bool isJump = llvm::StringSwitch<bool>(plain)
                    .Cases("setjmp", "_setjmp", "__sigsetjmp", "sigsetjmp", "longjmp", "_longjmp", "siglongjmp", true)
                    .Default(false);
  if (isJump) return {Rule::LongJump, name + " lets control come back from elsewhere, which is not followed" + stays};
  if (callee->isVariadic() && callee->isDefined())
    return {Rule::OpaqueCall, name + " takes any number of arguments, which are not followed" + stays};
  const clang::SourceLocation declared = callee->getLocation();
  const bool isOwn = declared.isValid() && !callee->getBuiltinID() &&
                     !callee->getASTContext().getSourceManager().isInSystemHeader(declared);
  return {Rule::OpaqueCall, skeleton::bodyNotSeen(name, isOwn)};
}

bool isOfChrono(const clang::Decl *decl) {
  for (const clang::DeclContext *around = decl->getDeclContext(); around; around = around->getParent())
    if (const auto *space = llvm::dyn_cast<clang::NamespaceDecl>(around);
        space && space->getName() == "chrono" && space->getParent()->isStdNamespace())
      return true;
  return false;
}

/// Operators of the library's own enumerations: `std::ios::in | std::ios::binary`.
static bool combinesFlags(const clang::FunctionDecl *callee) {
  auto isFlag = [](const clang::ParmVarDecl *formal) {
    const auto *type = formal->getType().getNonReferenceType()->getAs<clang::EnumType>();
    return type && type->getDecl()->isInStdNamespace();
  };
  return callee->isInStdNamespace() && callee->isOverloadedOperator() && callee->getNumParams() > 0 &&
         llvm::all_of(callee->parameters(), isFlag);
}

bool isSelfContained(const clang::FunctionDecl *callee) {
  if (isOfChrono(callee) || isOfPlainContainer(callee) || worksOnPlainRange(callee) || worksOnTexts(callee) ||
      asksPlainRange(callee) || combinesFlags(callee))
    return true;
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  if (!method || !method->getParent()->isInStdNamespace() || !method->getParent()->getIdentifier()) return false;
  llvm::StringRef name = method->getParent()->getName();
  if (llvm::isa<clang::CXXConstructorDecl>(method) &&
      (name.ends_with("_error") || name == "exception" || name.starts_with("bad_")))
    return true;
  return name.ends_with("_engine") || name.ends_with("_distribution") || name == "random_device" ||
         name == "seed_seq" || name == "basic_string" || (name.starts_with("basic_") && name.ends_with("stream")) ||
         (name == "ios_base" && method->getIdentifier() && method->getName() == "sync_with_stdio");
}

bool endsProgram(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases("exit", "abort", "_exit", "__assert_fail", "quick_exit", "_Exit", true)
      .Default(false);
}

std::optional<std::string> endingOf(const clang::CallExpr *call, llvm::StringRef name,
                                    const clang::ASTContext &context) {
  if (name == "abort") return "abort()";
  if (call->getNumArgs() == 0) return std::nullopt;
  const clang::Expr *first = call->getArg(0)->IgnoreParenImpCasts();
  if (name == "__assert_fail") {
    const auto *said = llvm::dyn_cast<clang::StringLiteral>(first);
    clang::Expr::EvalResult line;
    if (!said || call->getNumArgs() < 3 || !call->getArg(2)->EvaluateAsInt(line, context)) return std::nullopt;
    return "assert(" + said->getString().str() + ") of line " + llvm::toString(line.Val.getInt(), 10);
  }
  clang::Expr::EvalResult code;
  if (first->isValueDependent() || !first->EvaluateAsInt(code, context)) return std::nullopt;
  return name.str() + "(" + llvm::toString(code.Val.getInt(), 10) + ")";
}

bool writesText(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases("printf", "fprintf", "puts", "fputs", "putchar", "fputc", "putc", "fflush", "perror", true)
      .Cases("__printf_chk", "__fprintf_chk", true)
      .Default(false);
}

bool saysTheSame(const clang::CallExpr *output, const clang::ASTContext &context) {
  return llvm::all_of(output->arguments(), [&](const clang::Expr *argument) {
    const clang::Expr *plain = argument->IgnoreParenImpCasts();
    clang::Expr::EvalResult number;
    if (llvm::isa<clang::StringLiteral, clang::PredefinedExpr>(plain)) return true;
    if (!plain->isValueDependent() && plain->getType()->isArithmeticType() && plain->EvaluateAsRValue(number, context))
      return true;
    const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(plain);
    const clang::IdentifierInfo *name = named ? named->getDecl()->getIdentifier() : nullptr;
    return name && (name->getName() == "stderr" || name->getName() == "stdout");
  });
}

WhyOnHost whyEndsOnHost(llvm::StringRef name, bool runsMore) {
  llvm::StringRef because =
      runsMore ? "what runs at its end (atexit, destructors) may read memory" : "how it ends is computed there";
  return {Rule::NoReturn, (name + " ends the program from inside a loop, and " + because + stays).str()};
}

std::optional<WhyOnHost> whyKnownOnHost(llvm::StringRef name, bool isInLoop) {
  bool asksThread =
      llvm::StringSwitch<bool>(name).Cases("omp_get_thread_num", "omp_get_num_threads", true).Default(false);
  bool isClock = llvm::StringSwitch<bool>(name)
                     .Cases("time", "clock", "omp_get_wtime", "gettimeofday", "clock_gettime", "omp_get_wtick",
                            "MPI_Wtime", "now", true)
                     .Default(false);
  // Once, before or after the loops, they cost nothing; what a thread asks of itself says that it shares work by hand.
  if (asksThread)
    return WhyOnHost{Rule::ThreadIdentity,
                     name.str() + " asks about the threads of the host, which share work by hand here" + stays};
  if (!isInLoop) return std::nullopt;
  if (isClock) return WhyOnHost{Rule::ClockRead, name.str() + " reads a clock of the host" + stays};
  if (endsProgram(name)) return WhyOnHost{Rule::NoReturn, name.str() + " ends the program from inside a loop" + stays};
  return WhyOnHost{Rule::OpaqueCall, name.str() + " is a function of the library that only the host has" + stays};
}

} // namespace busfare::frontend
