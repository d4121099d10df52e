//===- clang-plugin/walk/Streams.cpp - Input and output of C++ -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `std::cout << x << std::endl`, `in >> n`, `file.write(p, bytes)`: like printf and scanf,
// they touch what they are given and nothing else.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"
#include "llvm/ADT/StringSwitch.h"

namespace busfare::frontend {

/// The classes that streams are made from, which know their format and state.
static bool isStreamBase(clang::QualType type) {
  const auto *record = type->getAsCXXRecordDecl();
  return record && record->isInStdNamespace() && record->getIdentifier() &&
         (record->getName() == "ios_base" || record->getName() == "basic_ios");
}

/// Asks for or sets the format or the state (not: ios_base::register_callback, rdbuf, which lead to others' code).
static bool isOfFormat(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases("setf", "unsetf", "flags", "precision", "width", "fill", true)
      .Cases("good", "eof", "fail", "bad", "rdstate", true)
      .Cases("clear", "setstate", "operator bool", "operator!", true)
      .Default(false);
}

/// `out << x`, `in >> x`, out.write(p, n), std::setw(9): of the library itself.
static bool worksOnStream(const clang::CallExpr *expr, const clang::FunctionDecl *callee,
                          const clang::ASTContext &context) {
  if (const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(callee)) {
    clang::QualType type = context.getRecordType(method->getParent());
    bool isPlain = method->isInstance() && !llvm::isa<clang::CXXConstructorDecl>(method);
    return isPlain && (isStdStream(type) || (isStreamBase(type) && isOfFormat(method->getNameAsString())));
  }
  if (!callee->isInStdNamespace()) return false;
  bool isOperator = callee->getOverloadedOperator() == clang::OO_LessLess ||
                    callee->getOverloadedOperator() == clang::OO_GreaterGreater;
  return isOperator && expr->getNumArgs() == 2 && isStdStream(expr->getArg(0)->getType());
}

/// What a stream is told of how to write: setw, setprecision, fixed.
static bool isManipulator(const clang::FunctionDecl *callee) {
  if (!callee || !callee->isInStdNamespace() || !callee->getIdentifier()) return false;
  return llvm::StringSwitch<bool>(callee->getName())
      .Cases("setw", "setprecision", "setfill", "setbase", "setiosflags", "resetiosflags", true)
      .Default(false);
}

/// `file.rdbuf()->pubsetbuf(p, n)` of a stream's own buffer, which keeps the memory for what it reads and writes.
bool Walker::givesBuffer(const clang::CallExpr *expr, const clang::FunctionDecl *callee) {
  const clang::Expr *object = callee->getIdentifier() && callee->getName() == "pubsetbuf" ? objectOf(expr) : nullptr;
  const auto *record = object ? object->IgnoreParenImpCasts()->getType()->getPointeeCXXRecordDecl() : nullptr;
  if (!record || !record->isInStdNamespace() ||
      !(record->getName() == "basic_filebuf" || record->getName() == "basic_stringbuf"))
    return false;
  rvalue(object, false);
  for (const clang::Expr *argument : expr->arguments()) storeAway(argument);
  host(HostReason::InputOutput, "pubsetbuf", {}, locate(expr));
  return true;
}

/// A stream is the library's own; it gets at what it is given to write, or to read into.
std::optional<std::optional<Value>> Walker::streamCall(const clang::CallExpr *expr, const clang::FunctionDecl *callee) {
  if (isManipulator(callee)) {
    for (const clang::Expr *argument : expr->arguments()) rvalue(argument, false);
    return std::optional<Value>();
  }
  if (givesBuffer(expr, callee)) return std::optional<Value>();
  if (!worksOnStream(expr, callee, context)) return std::nullopt;
  Location location = locate(expr);
  std::vector<const clang::Expr *> given = argumentsOf(expr);
  if (const clang::Expr *object = objectOf(expr)) given.push_back(object);
  Block accesses;
  for (const clang::Expr *argument : given) {
    const clang::Expr *plain = argument->IgnoreParenImpCasts();
    clang::QualType type = argument->getType();
    if (isStdStream(type) || isStreamBase(type) || type->isFunctionType() ||
        (type->isPointerType() && type->getPointeeType()->isFunctionType())) {
      if (llvm::isa<clang::CallExpr>(plain)) rvalue(argument, true); // what was written before it
      continue;
    }
    bool isPointer = isPointerLike(type), isTaken = argument->isGLValue() && !type.isConstQualified() &&
                                                    callee->getOverloadedOperator() == clang::OO_GreaterGreater;
    if (!isPointer && !isTaken) {
      rvalue(argument, true);
      continue;
    }
    if (isPointer && !llvm::isa<clang::StringLiteral>(plain)) textMessages.insert(location);
    Place place;
    if (isPointer) place.at = pointer(argument);
    else place = lvalue(argument);
    bool isFilled = isTaken || (isPointer && !pointeeOf(type).isConstQualified());
    if (!place.at.object.empty()) {
      Block more = accessesOf([&] {
        if (isPointer) wholeAccess(AccessKind::Read, place.at, std::nullopt, true, location);
        if (isFilled)
          isPointer ? wholeAccess(AccessKind::Write, place.at, std::nullopt, true, location) : write(place, location);
      });
      for (Node &node : more) accesses.push_back(std::move(node));
    }
    if (!isFilled) continue;
    if (isTaken && !place.variable.empty()) clobber(place.variable, location);
    if (!place.at.variable.empty()) clobber(place.at.variable, location);
    if (isAnything(place)) clobberAddressTaken(location);
  }
  find(Rule::InputOutput, location,
       "a stream does input or output, in order, and stays on the host; so do the loops around it");
  host(HostReason::InputOutput, "stream", std::move(accesses), location);
  if (classOf(expr->getType()) == TypeClass::Integer) return std::optional<Value>(unknownResult(expr, false));
  return std::optional<Value>();
}

} // namespace busfare::frontend
