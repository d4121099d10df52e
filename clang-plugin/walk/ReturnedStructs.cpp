//===- clang-plugin/walk/ReturnedStructs.cpp - Structs that functions return -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A struct with pointers that a function makes and returns is its caller's object: compilers
// pass the place where it is to be made, and so does the skeleton.
//
//   struct grid made(int n) {          function made(param n, array g.u, array g.n) {
//     struct grid g;                     alloc g.u[n]
//     g.n = n;                           write g.n
//     g.u = malloc(n * 8);             }
//     return g;
//   }                                  Summary: position 1, behind the last parameter: "u", "n"
//
// So it is if one variable of the function's outermost block is what each `return` gives, and no
// containers are in it. Where the body is at hand, it is walked in the caller's place instead.
//
//===----------------------------------------------------------------------===//
#include "Interface.h"
#include "Walk.h"
#include "clang-plugin/lower/Lifetimes.h"

namespace busfare::frontend {

bool hasPointerFields(const clang::RecordDecl *record) {
  return record && record->getDefinition() &&
         llvm::any_of(record->getDefinition()->fields(), [](const clang::FieldDecl *field) {
           return classOf(field->getType()) == TypeClass::Pointer ||
                  hasPointerFields(field->getType()->getAsRecordDecl());
         });
}

bool mayLeadToFields(clang::QualType type) {
  if (const auto *record = type->getAsRecordDecl(); record && record->getDefinition())
    return llvm::any_of(record->getDefinition()->fields(), [](const clang::FieldDecl *field) {
      return handleOf(field->getType()) == Handle::None &&
             (field->getType()->isReferenceType() || field->getType()->isPointerType()) &&
             mayLeadToFields(field->getType());
    });
  if (!type->isReferenceType() && !type->isPointerType()) return false;
  TypeClass kind = classOf(type->getPointeeType());
  return kind == TypeClass::Record || kind == TypeClass::Integer || kind == TypeClass::Pointer;
}

/// What a container holds at the start is for its own code to say.
static bool holdsContainers(clang::QualType type) {
  if (handleOf(type) != Handle::None) return true;
  const auto *record = type->getAsRecordDecl();
  if (!record || !record->getDefinition()) return false;
  const auto *derived = llvm::dyn_cast<clang::CXXRecordDecl>(record->getDefinition());
  auto ofBase = [](const clang::CXXBaseSpecifier &base) { return holdsContainers(base.getType()); };
  auto ofField = [](const clang::FieldDecl *field) { return holdsContainers(field->getType()); };
  return llvm::any_of(record->getDefinition()->fields(), ofField) ||
         (derived && llvm::any_of(derived->bases(), ofBase));
}

/// The variable that is the struct which the function makes; null if it makes none.
static const clang::VarDecl *structReturned(const clang::FunctionDecl *definition) {
  const clang::QualType type = definition->getReturnType();
  if (classOf(type) != TypeClass::Record || type->isReferenceType() || !hasFieldNames(type) || isStdComplex(type) ||
      copyingMatters(type, true))
    return nullptr;
  if (const clang::CXXRecordDecl *callable = callableClassOf(type); callable && callable->isLambda()) return nullptr;
  if (!hasPointerFields(type->getAsRecordDecl())) return nullptr;
  const clang::VarDecl *returned = returnedVariable(definition);
  const bool isIt = returned && definition->getASTContext().hasSameUnqualifiedType(returned->getType(), type);
  return isIt ? returned : nullptr;
}

bool Walker::makesObject(const clang::CallExpr *expr) const {
  const clang::FunctionDecl *definition = expr->isGLValue() ? nullptr : walkableCallee(expr);
  return definition && structReturned(definition);
}

/// The callee, if it makes its result in a place that the caller gives it.
static const clang::FunctionDecl *fillingCallee(Unit &unit, const clang::CallExpr *expr) {
  const clang::FunctionDecl *callee = expr->isGLValue() ? nullptr : calleeOf(expr);
  const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
  if (!callee || (method && method->isVirtual())) return nullptr;
  const Summary *known = unit.summaryOf(callee);
  return known && known->state == Summary::State::Done && known->fillsResult ? callee : nullptr;
}

bool Walker::makesStruct(const clang::CallExpr *expr) { return makesObject(expr) || fillingCallee(unit, expr); }

void Walker::makeStruct(const clang::CallExpr *expr, const Place &place) {
  if (makesObject(expr)) {
    Result made{{}, "", place};
    callInPlace(expr, false, &made);
    return;
  }
  const clang::FunctionDecl *callee = fillingCallee(unit, expr);
  callDefined(expr, callee, *unit.summaryOf(callee), place);
}

/// The struct that this function makes and returns becomes its callers'.
void Walker::bindResult() {
  if (isMain || !isCalledByOthers(function) || function->isVariadic()) return;
  const auto *body = llvm::dyn_cast_or_null<clang::CompoundStmt>(function->getBody());
  const clang::VarDecl *returned = body ? structReturned(function) : nullptr;
  auto declaresIt = [&](const clang::Stmt *stmt) {
    const auto *declared = llvm::dyn_cast<clang::DeclStmt>(stmt);
    return declared && llvm::is_contained(declared->decls(), returned);
  };
  if (!returned || holdsContainers(returned->getType()) || llvm::none_of(body->body(), declaresIt)) return;
  const std::string name = nameOf(returned);
  Object &made = declareObject(name, returned->getType(), Storage::Parameter, locate(returned->getLocation()));
  made.prefix = name + ".";
  made.origin = int(function->getNumParams());
  made.array.isRestrict = !unit.addressed.isAddressed(returned);
  resultVariable = returned;
  summary.fillsResult = true;
}

bool Walker::isResultField(const std::string &variable) const {
  auto origin = st.fieldOrigins.find(variable);
  return resultVariable && origin != st.fieldOrigins.end() && origin->second.position == int(function->getNumParams());
}

/// Is it a field of a struct that is this function's own while it runs, given by value or to be returned, and of which
/// nobody else knows? What such a pointer leads to on entry others may know.
bool Walker::isOwnField(const std::string &variable) const {
  auto origin = st.fieldOrigins.find(variable);
  if (origin == st.fieldOrigins.end()) return false;
  const llvm::StringRef path = origin->second.suffix;
  if (path.contains("->") || path.contains("[]") ||
      !(isResultField(variable) || isCopyAt(function, origin->second.position)))
    return false;
  return !st.addressTaken.count(variable) && !isFieldOfEscaped(variable);
}

clang::QualType recordAt(const clang::FunctionDecl *function, int position) {
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  if (position < -1) return {};
  if (position == -1)
    return method && method->isInstance() ? method->getThisType()->getPointeeType() : clang::QualType();
  if (position > int(function->getNumParams())) return {};
  if (position == int(function->getNumParams())) return function->getReturnType();
  const clang::QualType type = function->getParamDecl(position)->getType();
  return isPointerLike(type) || type->isReferenceType() ? type->getPointeeType() : type;
}

bool isCopyAt(const clang::FunctionDecl *function, int position) {
  if (position < 0 || position >= int(function->getNumParams())) return false;
  const clang::QualType type = function->getParamDecl(position)->getType();
  return classOf(type) == TypeClass::Record && !type->isReferenceType();
}

} // namespace busfare::frontend
