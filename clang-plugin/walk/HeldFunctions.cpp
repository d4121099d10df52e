//===- clang-plugin/walk/HeldFunctions.cpp - std::function of a lambda in sight -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a std::function calls is known only while the program runs, but for one that is made
// from a lambda where it can be seen, and is used for nothing but calls:
//
//   double timed(const std::function<void()> &run) { t = now(); run(); return now() - t; }
//   timed([&] { for (int i = 0; i < n; i++) a[i] = 0; });       walked here, and so is the lambda
//   std::function<double(int)> at = [&](int i) { return a[i]; };
//
// Not followed: one that is copied, assigned, asked whether it is empty, or named in another
// lambda; a lambda that changes what it holds; results and arguments that are converted.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"
#include "clang-plugin/records/StdFunctions.h"

namespace busfare::frontend {

/// The lambda of `std::function<...>(lambda)`; null if it is made from anything else.
static const clang::Expr *lambdaIn(const clang::Expr *made) {
  const auto *construction = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(made ? withoutWrappers(made) : nullptr);
  if (!construction || !isStdFunction(construction->getType()) || construction->getNumArgs() != 1) return nullptr;
  const clang::Expr *lambda = construction->getArg(0);
  const clang::CXXRecordDecl *record = callableClassOf(lambda->getType());
  return record && record->isLambda() && !keepsState(record) ? lambda : nullptr;
}

/// The variable that a call of a std::function calls; null if the call is another one, or names none.
static const clang::VarDecl *functionCalledBy(const clang::CallExpr *call) {
  const auto *op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call);
  const bool isIt =
      op && op->getOperator() == clang::OO_Call && op->getNumArgs() >= 1 && isStdFunction(op->getArg(0)->getType());
  return isIt ? variableOf(op->getArg(0)->IgnoreParenImpCasts()) : nullptr;
}

/// Is the variable named for nothing but calls?
static bool isOnlyCalled(const clang::VarDecl *variable, const clang::Stmt *in) {
  if (!in) return true;
  if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(in))
    return ref->getDecl()->getCanonicalDecl() != variable->getCanonicalDecl();
  if (const auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(in)) {
    auto captures = [&](const clang::LambdaCapture &capture) {
      return capture.capturesVariable() && capture.getCapturedVar()->getCanonicalDecl() == variable->getCanonicalDecl();
    };
    if (llvm::any_of(lambda->captures(), captures)) return false;
  }
  const auto *call = llvm::dyn_cast<clang::CallExpr>(in);
  const clang::VarDecl *called = call ? functionCalledBy(call) : nullptr;
  if (called && called->getCanonicalDecl() == variable->getCanonicalDecl())
    return llvm::all_of(llvm::drop_begin(call->arguments()),
                        [&](const clang::Expr *argument) { return isOnlyCalled(variable, argument); });
  return llvm::all_of(partsOf(in), [&](const clang::Stmt *part) { return isOnlyCalled(variable, part); });
}

/// Does a call that gives this reach a formal of that type as it is?
static bool passesUnchanged(clang::QualType given, clang::QualType taken) {
  const clang::QualType from = given.getNonReferenceType().getCanonicalType().getUnqualifiedType(),
                        to = taken.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (given->isReferenceType() != taken->isReferenceType()) return false;
  const auto *derived = from->getAsCXXRecordDecl(), *base = to->getAsCXXRecordDecl();
  return from == to ||
         (given->isReferenceType() && derived && base && derived->hasDefinition() && derived->isDerivedFrom(base));
}

/// The lambda's call operator, if what the std::function is given, and gives, needs no conversion on the way.
static const clang::CXXMethodDecl *fittingOperator(const clang::CXXRecordDecl *lambda,
                                                   const clang::FunctionDecl *call) {
  const clang::CXXMethodDecl *method = callOperatorOf(lambda, call->getNumParams());
  if (!method) return nullptr;
  for (unsigned k = 0; k < call->getNumParams(); ++k)
    if (!passesUnchanged(call->getParamDecl(k)->getType(), method->getParamDecl(k)->getType())) return nullptr;
  const clang::QualType gives = call->getReturnType(), makes = method->getReturnType();
  return gives->isVoidType() || (gives->isArithmeticType() && passesUnchanged(makes, gives)) ? method : nullptr;
}

/// A variable `std::function<...> f = lambda;` that is only called.
bool Walker::holdFunction(const clang::VarDecl *variable) {
  if (!isStdFunction(variable->getType()) || variable->getType()->isReferenceType()) return false;
  st.functions.erase(variable->getCanonicalDecl());
  const clang::Expr *lambda = lambdaIn(variable->getInit());
  if (!lambda || variable->hasGlobalStorage() || !isOnlyCalled(variable, function->getBody())) return false;
  st.functions[variable->getCanonicalDecl()] = {callableClassOf(lambda->getType()), closureAt(lambda)};
  return true;
}

/// A formal that is only called, given a lambda: it holds that.
bool Walker::holdArgument(const clang::Expr *argument, const clang::ParmVarDecl *formal, Actual &actual) {
  const auto *callee = llvm::dyn_cast<clang::FunctionDecl>(formal->getDeclContext());
  const clang::Expr *lambda = isStdFunction(formal->getType()) ? lambdaIn(argument) : nullptr;
  if (!lambda || !callee || !isOnlyCalled(formal, callee->getBody())) return false;
  actual.held = HeldFunction{callableClassOf(lambda->getType()), closureAt(lambda)};
  return true;
}

/// A function that is given a lambda as a std::function is walked where it is called, if it does nothing but call it.
bool Walker::takesFunction(const clang::CallExpr *expr) const {
  const clang::FunctionDecl *definition = walkableCallee(expr);
  if (!definition) return false;
  std::vector<const clang::Expr *> arguments = argumentsOf(expr);
  for (unsigned k = 0; k < arguments.size(); ++k) {
    const clang::ParmVarDecl *formal = definition->getParamDecl(k);
    if (isStdFunction(formal->getType()) && lambdaIn(arguments[k]) && isOnlyCalled(formal, definition->getBody()))
      return true;
  }
  return false;
}

/// What a call of a std::function runs, if that is known.
std::optional<Callable> Walker::heldFunction(const clang::CallExpr *expr) const {
  const clang::VarDecl *variable = functionCalledBy(expr);
  auto known = variable ? st.functions.find(variable->getCanonicalDecl()) : st.functions.end();
  if (known == st.functions.end() || !isClosureKnown(known->second.lambda, known->second.closure)) return std::nullopt;
  const clang::CXXMethodDecl *method = fittingOperator(known->second.lambda, calleeOf(expr));
  return method ? std::optional(Callable{method, known->second.closure}) : std::nullopt;
}

std::vector<const clang::CXXMethodDecl *> lambdasHeldBy(const clang::CallExpr *call) {
  std::vector<const clang::CXXMethodDecl *> found;
  auto add = [&](const clang::Expr *made) {
    if (const clang::Expr *lambda = lambdaIn(made))
      llvm::append_range(found, callOperatorsOf(callableClassOf(lambda->getType())));
  };
  for (const clang::Expr *argument : call->arguments()) add(argument);
  const clang::VarDecl *variable = functionCalledBy(call);
  if (variable && !llvm::isa<clang::ParmVarDecl>(variable)) add(variable->getInit());
  return found;
}

} // namespace busfare::frontend
