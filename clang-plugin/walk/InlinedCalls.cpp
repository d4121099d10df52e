//===- clang-plugin/walk/InlinedCalls.cpp - One-line functions, followed in place -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `idx(i, j, n)` and `g.at(i, j)` are what they return, with the arguments in place of
// the parameters.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"

namespace busfare::frontend {

/// Makes the parameters of a one-line function stand for the arguments. False if it cannot be followed in place.
bool Walker::bindInlined(const clang::CallExpr *expr) {
  const clang::FunctionDecl *callee = calleeOf(expr);
  const clang::Expr *result = singleReturn(callee);
  if (!result || callee->isVariadic() || callee->getCanonicalDecl() == function->getCanonicalDecl() ||
      inlining.count(callee->getCanonicalDecl()) || inlining.size() > 8)
    return false;
  if (context.getSourceManager().isInSystemHeader(callee->getLocation())) return false;
  const clang::FunctionDecl *definition = bodyThatRuns(callee);
  std::vector<const clang::Expr *> arguments = argumentsOf(expr);
  if (arguments.size() != definition->getNumParams()) return false;
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  if (method && (method->isVirtual() || (method->getParent()->isLambda() && method->getParent()->capture_size() > 0)))
    return false; // Closures.cpp
  std::function<bool(const clang::Stmt *)> isSimple = [&](const clang::Stmt *stmt) {
    if (!stmt) return true;
    if (llvm::isa<clang::LambdaExpr, clang::StmtExpr>(stmt) || endsObject(stmt)) return false;
    return llvm::all_of(partsOf(stmt), isSimple);
  };
  if (!isSimple(result)) return false;
  // What is written on the way, or by another argument, may be what the formal is a copy of.
  bool needsCopy = llvm::any_of(definition->parameters(), [&](const clang::ParmVarDecl *formal) {
    bool isCopy = classOf(formal->getType()) == TypeClass::Record && !formal->getType()->isReferenceType();
    if (!isCopy) return false;
    const clang::Expr *copied = arguments[formal->getFunctionScopeIndex()];
    const clang::VarDecl *variable = variableOf(withoutWrappers(copied));
    bool isReachable = !variable || unit.addressed.isAddressed(variable);
    bool mayChange = withoutWrappers(copied)->isGLValue() && llvm::any_of(arguments, [&](const clang::Expr *other) {
                       return other != copied && other->HasSideEffects(context, isReachable);
                     });
    return mayChange || !isOnlyRead(formal, result) || endMatters(formal->getType()) || result->HasSideEffects(context);
  });
  if (needsCopy) return false;
  struct Binding {
    const clang::ValueDecl *decl;
    std::optional<Place> place;
    std::optional<Value> value;
    std::optional<Pointer> pointer;
    bool isData;
  };
  std::vector<Binding> bindings;
  std::optional<Pointer> self;
  if (const clang::Expr *object = objectOf(expr)) {
    if (isPointerLike(object->getType())) self = pointer(object);
    else self = lvalue(object).at;
  }
  for (unsigned k = 0; k < arguments.size(); ++k) {
    const clang::ParmVarDecl *formal = definition->getParamDecl(k);
    Binding binding{llvm::cast<clang::ValueDecl>(formal->getCanonicalDecl()), {}, {}, {}, false};
    const clang::Expr *argument = arguments[k];
    TypeClass kind = classOf(formal->getType());
    if (const clang::Expr *bound = formal->getType()->isReferenceType() ? boundPlace(argument) : nullptr)
      binding.place = lvalue(bound);
    else if (kind == TypeClass::Integer) binding.value = integer(argument);
    else if (kind == TypeClass::Pointer) binding.pointer = pointer(argument);
    else if (kind == TypeClass::Data) {
      rvalue(argument, true);
      binding.isData = true;
    } else if (const clang::Expr *copied = boundPlace(
                   formal->getType().isTriviallyCopyableType(context) ? withoutWrappers(argument) : argument))
      binding.place = lvalue(copied);
    else {
      rvalue(argument, true);
      binding.isData = true;
    }
    bindings.push_back(std::move(binding));
  }
  for (Binding &binding : bindings) {
    st.references.erase(binding.decl);
    if (binding.place) {
      st.references[binding.decl] = *binding.place;
      continue;
    }
    if (binding.isData) { // held in a register: no object, no access
      st.references[binding.decl] = Place{{}, binding.decl->getType().getNonReferenceType()};
      continue;
    }
    std::string name = nameOf(binding.decl);
    if (binding.value) st.env.integers[name] = *binding.value;
    if (binding.pointer) st.env.pointers[name] = *binding.pointer;
  }
  if (self) st.env.pointers["this"] = *self;
  believe(callee);
  return true;
}

} // namespace busfare::frontend
