//===- clang-plugin/walk/Handover.cpp - What an argument gives away ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An argument gives more than itself away: a struct the pointers in it, a lambda what it
// captured, the address of a pointer what that points to.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"

namespace busfare::frontend {

/// A lambda that code which is not seen may call, now or later.
void Walker::letGo(const clang::CXXRecordDecl *lambda, const std::optional<Pointer> &closure, Handover &to,
                   Location location) {
  Outside outside = enterLambda(closure);
  for (const clang::LambdaCapture &capture : lambda->captures()) {
    if (capture.capturesThis()) {
      if (auto self = st.env.pointers.find("this"); self != st.env.pointers.end())
        to.reachable.push_back({self->second});
      continue;
    }
    const clang::ValueDecl *variable = capture.capturesVariable() ? capture.getCapturedVar() : nullptr;
    if (!variable) continue;
    bool isCopy = capture.getCaptureKind() == clang::LCK_ByCopy;
    Place place = placeOfVariable(variable, variable->getLocation());
    if (const clang::CXXRecordDecl *inner = callableClassOf(variable->getType()); inner && inner->isLambda()) {
      letGo(inner, place.at, to, location);
      continue;
    }
    if (isCopy && place.variable.empty() && classOf(place.type) == TypeClass::Record)
      to.reachable.push_back({place.at, false, true});
    else if (!isCopy) reachVariable(place, false, to, location);
    else if (classOf(place.type) == TypeClass::Pointer) to.reachable.push_back({readHandle(place, location).at});
    if (!isCopy && !place.variable.empty()) st.addressTaken.insert(place.variable);
  }
  leaveLambda(outside);
}

/// Has the pointer variable a value, perhaps?
bool Walker::isSet(const Place &pointer) const {
  const std::string &name = pointer.variable;
  return st.env.pointers.count(name) || st.entryPointers.count(name) || st.fieldOrigins.count(name) ||
         isChangedAround(name);
}

/// A variable or element that may be read, and set if it is not const.
void Walker::reachVariable(const Place &place, bool isConst, Handover &to, Location location) {
  if (classOf(place.type) != TypeClass::Pointer || place.variable.empty()) {
    to.reachable.push_back({place.at, isConst});
    if (!isConst && !place.variable.empty()) to.changed.push_back(place.variable);
    return;
  }
  // The pointer or container itself, and what it points to. The elements of a const container are const; behind a const
  // pointer they need not be.
  bool isOwner = handleOf(place.type) == Handle::Owner;
  bool isConstElement = pointeeOf(place.type).isConstQualified() || (isConst && isOwner);
  if (handleOf(place.type) != Handle::None || isSet(place))
    to.reachable.push_back({readHandle(place, location).at, isConstElement});
  if (isConst) return;
  to.changed.push_back(place.variable);
  if (handleOf(place.type) == Handle::None) to.pointers.push_back(place);
}

/// Every variable that the expression names, without evaluating it once more.
void Walker::reachNamed(const clang::Stmt *stmt, Handover &to) {
  if (!stmt) return;
  if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(stmt))
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(ref->getDecl())) {
      const clang::CXXRecordDecl *record = callableClassOf(variable->getType());
      Place place = placeOfVariable(variable, ref->getLocation());
      if (record && record->isLambda()) letGo(record, place.at, to, locate(stmt));
      else if (classOf(place.type) != TypeClass::Integer && classOf(place.type) != TypeClass::Data)
        reachVariable(place, false, to, locate(stmt));
    }
  if (llvm::isa<clang::CXXThisExpr>(stmt))
    if (auto self = st.env.pointers.find("this"); self != st.env.pointers.end()) to.reachable.push_back({self->second});
  for (const clang::Stmt *child : partsOf(stmt)) reachNamed(child, to);
}

/// Evaluates an argument and adds what it gives away to a parameter of this type.
void Walker::reachThrough(const clang::Expr *argument, clang::QualType formal, Handover &to) {
  Location location = locate(argument);
  clang::QualType type = argument->getType();
  const clang::Expr *bound = boundPlace(argument);
  bool isReference = formal->isReferenceType();
  bool isConst = isReference && formal->getPointeeType().isConstQualified();
  if (const clang::CXXRecordDecl *record = callableClassOf(type); record && record->isLambda()) {
    letGo(record, closureAt(argument), to, location);
    return;
  }
  if (handleOf(type) != Handle::None) {
    bool isPlace = bound && handleOf(bound->getType()) != Handle::None;
    Place place = isPlace ? lvalue(bound) : Place();
    if (isPlace && !place.variable.empty() && (isReference || bound == argument)) {
      reachVariable(place, isConst, to, location);
      return;
    }
    HandleValue value = isPlace ? readHandle(place, location) : handle(argument);
    if (isPlace && isReference && !isConst) loseRow(place); // it may get another length, or other memory
    bool isConstElement = pointeeOf(formal).isConstQualified() || (isConst && handleOf(formal) == Handle::Owner);
    to.reachable.push_back({value.at, isConstElement});
    return;
  }
  if (isPointerLike(type) || type->isArrayType()) {
    if (const auto *address = llvm::dyn_cast<clang::UnaryOperator>(argument->IgnoreParenCasts());
        address && address->getOpcode() == clang::UO_AddrOf) {
      const clang::CXXRecordDecl *record = callableClassOf(address->getSubExpr()->getType());
      if (record && record->isLambda()) letGo(record, closureAt(address->getSubExpr()), to, location);
    }
    std::optional<Place> element;
    if (isReference && !type->isArrayType() && bound) {
      Place place = lvalue(bound);
      if (!place.variable.empty()) {
        reachVariable(place, isConst, to, location);
        return;
      }
      if (!isConst) element = place;
    }
    Pointer at = type->isArrayType() ? decay(lvalue(argument)) : pointer(argument);
    if (element) { // of a table: another pointer may lie there behind the call
      read(*element, location);
      write(*element, location);
    }
    if (!at.variable.empty()) {
      Place place;
      place.variable = place.at.object = at.variable;
      place.type = pointeeOf(type);
      reachVariable(place, false, to, location);
      return;
    }
    clang::QualType pointee = isPointerLike(formal) ? pointeeOf(formal) : isReference ? formal->getPointeeType() : type;
    to.reachable.push_back({at, pointee.isConstQualified()});
    return;
  }
  if (classOf(type) == TypeClass::Record && !(isReference && bound)) {
    const auto *copied = llvm::dyn_cast<clang::CXXConstructExpr>(argument->IgnoreImplicit());
    bool isCopy =
        copied && copied->getConstructor()->isCopyOrMoveConstructor() && copied->getConstructor()->isTrivial();
    if (const clang::Expr *source = isCopy ? boundPlace(copied->getArg(0)) : bound) {
      Place place = lvalue(source);
      if (isNamedRecord(place) && isFollowedStruct(place.at.object)) readCopied(place.at.object, location);
      else read(place, location);
      to.reachable.push_back({place.at, false, true});
      return;
    }
    const clang::Expr *made = withoutWrappers(argument);
    if (llvm::isa<clang::CXXConstructExpr, clang::InitListExpr>(made)) {
      to.reachable.push_back({materialize(argument).at, false, true});
      return;
    }
    rvalue(argument, true);
    reachNamed(argument, to);
    return;
  }
  if ((argument->isGLValue() || isReference) && bound) {
    Place place = lvalue(bound);
    if (handleOf(bound->getType()) != Handle::None && !place.variable.empty())
      return reachVariable(place, isConst, to, location);
    to.reachable.push_back({place.at, isConst});
    return;
  }
  rvalue(argument, true);
}

/// It lies in memory that is not followed: whoever reads that finds the pointers in it.
void Walker::noteKept(const Handover &given) {
  for (const Reach &one : given.reachable) {
    if (one.pointer.object.empty()) continue;
    if (!one.isCopy) st.escaped.insert(one.pointer.object);
    const std::string &prefix = object(one.pointer.object).prefix;
    if (prefix.empty()) continue;
    for (const auto &[name, pointer] : beginningWith(st.env.pointers, prefix))
      if (!pointer.object.empty()) st.escaped.insert(pointer.object);
  }
  st.addressTaken.insert(given.changed.begin(), given.changed.end());
}

/// Evaluates what will lie there.
void Walker::storeAway(const clang::Expr *value) {
  bool isPlain = classOf(value->getType()) == TypeClass::Integer || classOf(value->getType()) == TypeClass::Data;
  if (isPlain) {
    rvalue(value, true);
    return;
  }
  Handover given;
  reachThrough(value, value->getType(), given);
  noteKept(given);
}

/// An object without a name in the source, not made yet.
Place Walker::temporary(const clang::Expr *value) {
  Place place;
  place.type = value->getType().getNonReferenceType();
  const auto *record = place.type->getAsRecordDecl();
  const clang::TypedefNameDecl *alias = record ? record->getTypedefNameForAnonDecl() : nullptr;
  place.at.object = freshName((alias    ? alias->getNameAsString()
                               : record ? record->getNameAsString()
                                        : "object") +
                              " (temporary)");
  Object &made = declareObject(place.at.object, place.type, Storage::Local, locate(value));
  if (hasFieldNames(place.type)) made.prefix = place.at.object + ".";
  object(place.at.object).array.perIteration = isInLoop();
  return place;
}

Place Walker::materialize(const clang::Expr *value) {
  Place place = temporary(value);
  initialize(place, value);
  if (destructorMatters(place.type)) st.temporaries.push_back({place, value});
  return place;
}

} // namespace busfare::frontend
