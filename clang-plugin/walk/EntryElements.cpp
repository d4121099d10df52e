//===- clang-plugin/walk/EntryElements.cpp - Integers behind pointers, on entry -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Fortran gives everything by its address, and so do functions that it calls. Their sizes
// are integers behind pointers, which the function reads before it writes any:
//
//   void step_(int *nx, double *u) { int n = *nx; for (i = 0; i < n; i++) ... }
//
// What is there on entry is one more formal, `*nx`, whose value callers know: it is what
// `step_(&cells, u)` finds in `cells`. So is `dims[1]` of `int dims[3]`, and what a
// reference to a constant integer stands for.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"

namespace busfare::frontend {

/// Can no statement up to the one being walked have written an integer of that size that callers know?
bool Walker::isAsOnEntry(const std::string &object, uint64_t bytes) {
  const auto *body = llvm::dyn_cast_or_null<clang::CompoundStmt>(function->getBody());
  if (!body || !position || hasLabels || st.rotated.count(object) || llvm::isa<clang::CXXConstructorDecl>(function))
    return false;
  auto [first, isNew] = firstWrite.try_emplace(bytes, body->size());
  if (isNew) {
    std::set<const clang::FunctionDecl *> seen;
    const auto writes = llvm::find_if(body->body(), [&](const clang::Stmt *stmt) {
      return mayExchange(stmt) || mayWriteInteger(stmt, object, bytes, seen, true);
    });
    first->second = writes - body->body_begin();
  }
  if (*position != first->second) return *position < first->second;
  // `step(n)`: what a call is given is there before the function runs. (Not if that is being read here, in its caller's
  // place.)
  const auto *call =
      inPlace || !inlining.empty() ? nullptr : llvm::dyn_cast<clang::CallExpr>(body->body_begin()[*position]);
  std::set<const clang::FunctionDecl *> seen;
  return call && llvm::none_of(call->arguments(), [&](const clang::Expr *argument) {
           return mayWriteInteger(argument, object, bytes, seen, true);
         });
}

/// Of an element of what a pointer among the parameters leads to: its value on entry, if it still has that.
std::optional<Value> Walker::elementOnEntry(const Place &place, llvm::StringRef text) {
  if (isMain || place.partial || place.at.inside || !place.variable.empty() || place.type.isVolatileQualified() ||
      place.type->isAtomicType())
    return std::nullopt;
  const std::optional<unsigned> formal = formalNaming(place.at.object);
  if (!formal || object(place.at.object).array.storage != Storage::Parameter || place.at.index.size() != 1)
    return std::nullopt;
  const clang::QualType given = function->getParamDecl(*formal)->getType();
  if (!given->isPointerType() || !context.hasSameUnqualifiedType(given->getPointeeType(), place.type))
    return std::nullopt;
  const std::optional<int64_t> element = place.at.index[0] ? place.at.index[0]->constant() : std::nullopt;
  if (!element || *element < 0 || !isAsOnEntry(place.at.object, bytesOf(place.type, context))) return std::nullopt;
  const std::pair key{place.at.object, *element};
  if (auto known = st.entryElements.find(key); known != st.entryElements.end()) return Value{known->second};
  return Value{st.entryElements
                   .emplace(key, extraFormal(text.size() <= 28 ? text.str()
                                                               : place.at.object + "[" + std::to_string(*element) + "]",
                                             *formal, *element, place.type))
                   .first->second};
}

/// A formal for the value that is there on entry.
Symbolic Walker::extraFormal(llvm::StringRef name, unsigned formal, int64_t element, clang::QualType type) {
  const std::string symbol = freshName(name.str());
  if (type->isUnsignedIntegerOrEnumerationType()) st.ranges.assumeSymbolNonNegative(symbol);
  st.extras.push_back({{skeleton::Parameter::Kind::Value, symbol},
                       int(formal),
                       "[" + std::to_string(element) + "]",
                       type.getUnqualifiedType()});
  return Symbolic::symbol(symbol);
}

/// What the callee knows as an element behind its formal: `n` of `f(&n)`, `size[2]` of `f(size)`.
std::optional<Place> Walker::elementGiven(const Pointer &argument, const Place &reference, clang::QualType formal,
                                          llvm::StringRef suffix, const clang::Expr *text) {
  int64_t element = 0;
  if (!suffix.consume_front("[") || !suffix.consume_back("]") || suffix.getAsInteger(10, element)) return std::nullopt;
  if (formal->isReferenceType()) return reference;
  if (argument.object.empty() || !argument.variable.empty() || argument.inside) return std::nullopt;
  const clang::QualType pointee = formal->getPointeeType();
  Place place = dereference(element == 0 ? argument : step(argument, Symbolic(element), pointee), pointee, text);
  return place.partial || (!place.variable.empty() && element != 0) ? std::nullopt : std::optional(place);
}

} // namespace busfare::frontend
