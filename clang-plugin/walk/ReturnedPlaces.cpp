//===- clang-plugin/walk/ReturnedPlaces.cpp - Functions that return what they got -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A function of several statements whose returns all name one part of its object, or of
// one argument, gives a reference to that:
//
//   struct M { double *p; int n; M &len(int k) { n = k; return *this; } };
//   m.len(9).p = a;                                 m.len(9), then m.p = a
//   int &count(S &s) { s.w++; return s.n; }
//   count(t) = 7;                                   count(t), then t.n = 7
//
// What others return is unknown memory, which may be what they were given.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"

namespace busfare::frontend {

namespace {

/// A part of what a function was given.
struct ReturnedPart {
  const clang::ParmVarDecl *formal = nullptr;    ///< Null: of its object.
  std::vector<const clang::FieldDecl *> fields;  ///< The path to it.
  bool operator==(const ReturnedPart &) const = default;
};

} // namespace

static std::optional<ReturnedPart> returnedPartIn(const clang::Expr *expr) {
  expr = expr->IgnoreParenImpCasts();
  if (const auto *access = llvm::dyn_cast<clang::MemberExpr>(expr)) {
    const auto *field = llvm::dyn_cast<clang::FieldDecl>(access->getMemberDecl());
    bool isOwn = access->isArrow() && llvm::isa<clang::CXXThisExpr>(access->getBase()->IgnoreParenImpCasts());
    if (!field || field->getType()->isReferenceType() || (access->isArrow() && !isOwn)) return std::nullopt;
    std::optional<ReturnedPart> part = isOwn ? ReturnedPart() : returnedPartIn(access->getBase());
    if (part) part->fields.push_back(field);
    return part;
  }
  if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(expr)) {
    bool isSelf =
        op->getOpcode() == clang::UO_Deref && llvm::isa<clang::CXXThisExpr>(op->getSubExpr()->IgnoreParenImpCasts());
    return isSelf ? std::optional(ReturnedPart()) : std::nullopt;
  }
  const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(expr);
  const auto *formal = ref ? llvm::dyn_cast<clang::ParmVarDecl>(ref->getDecl()) : nullptr;
  if (!formal || !formal->getType()->isReferenceType()) return std::nullopt;
  return ReturnedPart{formal, {}};
}

/// The one part that every return names.
static std::optional<ReturnedPart> partReturned(const clang::Stmt *body) {
  std::optional<ReturnedPart> found;
  bool isOne = true;
  std::function<void(const clang::Stmt *)> search = [&](const clang::Stmt *stmt) {
    if (!stmt || llvm::isa<clang::LambdaExpr>(stmt)) return;
    if (const auto *returned = llvm::dyn_cast<clang::ReturnStmt>(stmt)) {
      std::optional<ReturnedPart> part =
          returned->getRetValue() ? returnedPartIn(returned->getRetValue()) : std::nullopt;
      isOne &= part && (!found || *found == *part);
      found = part;
    }
    for (const clang::Stmt *child : partsOf(stmt)) search(child);
  };
  search(body);
  return isOne ? found : std::nullopt;
}

/// What a call gives a reference to, behind the call; nothing, and no call, if that is not plain.
std::optional<Place> Walker::placeReturned(const clang::CallExpr *expr) {
  const clang::FunctionDecl *callee = calleeOf(expr), *definition = bodyThatRuns(callee);
  const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
  bool isSeen = definition && callee->getReturnType()->isReferenceType();
  if (!isSeen || (method && (method->isVirtual() || method->getParent()->isLambda()))) return std::nullopt;
  std::optional<ReturnedPart> part = partReturned(definition->getBody());
  if (!part) return std::nullopt;
  const clang::Expr *given = objectOf(expr);
  if (part->formal) {
    std::vector<const clang::Expr *> arguments = argumentsOf(expr);
    unsigned k = part->formal->getFunctionScopeIndex();
    given = k < arguments.size() ? arguments[k] : nullptr;
  }
  if (!given) return std::nullopt;
  Place place;
  if (isPointerLike(given->getType()) && !part->formal) { // `p->self()`
    if (handleOf(given->getType()) != Handle::None || given->HasSideEffects(context)) return std::nullopt;
    place = dereference(pointer(given), given->getType()->getPointeeType(), given);
    rvalue(expr, true);
  } else {
    given = boundPlace(given);
    if (!given) return std::nullopt;
    place = lvalue(given);
    auto [known, isNew] = st.evaluated.insert({given, place}); // it is not walked again
    bool wasOut = st.escaped.count(place.at.object);
    rvalue(expr, true);
    if (!wasOut) st.escaped.erase(place.at.object); // what comes back is followed
    if (isNew) st.evaluated.erase(given);
  }
  if (const clang::RecordDecl *record = method && !part->formal ? method->getParent() : nullptr;
      record && !part->fields.empty())
    place.type = context.getRecordType(record);
  for (const clang::FieldDecl *field : part->fields) place = member(place, field);
  return place;
}

} // namespace busfare::frontend
