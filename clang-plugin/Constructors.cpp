//===- clang-plugin/Constructors.cpp - Objects of classes come to life ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A constructor with a body is a function of this unit, called with the new object as `this`.
// One that the compiler writes sets field by field: `Grid g;` runs the fields' own
// initialisers, `Grid h = g;` copies them, elements of containers included.
//
//===----------------------------------------------------------------------===//
#include "HostOnly.h"
#include "Walk.h"

namespace busfare::frontend {

/// One struct, whose fields have names of their own.
bool Walker::isNamedRecord(const Place &place) {
  return !place.at.object.empty() && !object(place.at.object).prefix.empty() && !place.partial && !place.at.inside;
}

/// Each field of one object from the same field of another.
void Walker::copyRecord(const Place &to, const Place &from, bool isMove, Location location) {
  const auto *record = to.type->getAsRecordDecl();
  if (!record || !record->getDefinition()) return;
  if (const auto *derived = llvm::dyn_cast<clang::CXXRecordDecl>(record->getDefinition()))
    for (const clang::CXXBaseSpecifier &base : derived->bases()) {
      Place toBase = to, fromBase = from;
      toBase.type = fromBase.type = base.getType();
      copyRecord(toBase, fromBase, isMove, location);
    }
  for (const clang::FieldDecl *field : record->getDefinition()->fields()) {
    Place target = member(to, field), source = member(from, field);
    switch (classOf(field->getType())) {
    case TypeClass::Pointer: {
      if (target.variable.empty() || source.variable.empty()) {
        read(source, location);
        write(target, location);
        break;
      }
      HandleValue value = readHandle(source, location);
      bool isOwner = handleOf(source.type) == Handle::Owner;
      assignHandle(target, isOwner && !isMove ? copyElements(value, pointeeOf(source.type), target.variable, location) : value, location);
      if (!isMove || handleOf(source.type) == Handle::None) break;
      HandleValue null;
      null.at.null = true;
      null.size = Value{Symbolic(0)};
      assignHandle(source, null, location);
      break;
    }
    case TypeClass::Integer:
      if (!target.variable.empty() && !source.variable.empty()) {
        assignInteger(target, readInteger(source.variable, source.type, location), location);
        break;
      }
      [[fallthrough]];
    default:
      if (classOf(field->getType()) == TypeClass::Record && !target.at.object.empty() && !target.partial) {
        copyRecord(target, source, isMove, location);
        break;
      }
      if (!source.at.object.empty()) wholeAccess(AccessKind::Read, source.at, std::nullopt, false, location);
      if (!target.at.object.empty()) wholeAccess(AccessKind::Write, target.at, std::nullopt, source.partial, location);
    }
  }
}

/// What the fields with that prefix hold is not known any more.
void Walker::loseFields(const std::string &prefix, Location location) {
  std::set<std::string> fields;
  for (const auto &[name, value] : st.env.integers)
    if (llvm::StringRef(name).starts_with(prefix)) fields.insert(name);
  for (const auto &[name, value] : st.env.pointers)
    if (llvm::StringRef(name).starts_with(prefix)) fields.insert(name);
  for (const auto &[name, origin] : st.fieldOrigins)
    if (llvm::StringRef(name).starts_with(prefix)) fields.insert(name);
  for (const std::string &name : fields) {
    clobber(name, location);
    auto origin = st.fieldOrigins.find(name);
    if (origin == st.fieldOrigins.end()) continue;
    // Callers hear of it.
    if (classOf(origin->second.type) == TypeClass::Integer) storeInteger({{}, origin->second.type, false, name}, readInteger(name, origin->second.type, location));
    if (classOf(origin->second.type) == TypeClass::Pointer)
      assignPointer({{}, origin->second.type, false, name}, unknownPointer(name, pointeeOf(origin->second.type), location), location);
  }
}

/// `a = b`, where the compiler copies: field by field between structs whose fields are followed. Else the fields of the
/// `s = t` of two structs: field by field if both are followed; otherwise what the target's fields hold is lost.
void Walker::assignRecord(const Place &to, const clang::Expr *source, Location location) {
  const clang::Expr *plain = source->IgnoreParenImpCasts();
  std::optional<Place> from;
  if (plain->isGLValue()) from = lvalue(plain);
  else if (llvm::isa<clang::InitListExpr, clang::CXXConstructExpr>(withoutWrappers(source))) from = materialize(source);
  else rvalue(source, true);
  if (from && isNamedRecord(to) && isNamedRecord(*from)) return copyRecord(to, *from, false, location);
  if (from && isNamedRecord(*from)) {
    const std::string prefix = object(from->at.object).prefix;
    for (const auto &[name, pointer] : st.env.pointers)
      if (llvm::StringRef(name).starts_with(prefix) && !pointer.object.empty()) st.escaped.insert(pointer.object);
    for (const auto &[name, pointer] : st.entryPointers)
      if (llvm::StringRef(name).starts_with(prefix)) st.escaped.insert(pointer.object);
  }
  if (from) read(*from, locate(source));
  write(to, location);
  if (isNamedRecord(to)) loseFields(object(to.at.object).prefix, location);
  else if (isAnything(to)) clobberAddressTaken(location);
}

/// std::swap of two structs: field by field.
void Walker::swapRecords(const Place &a, const Place &b, Location location) {
  const auto *record = a.type->getAsCXXRecordDecl();
  if (!record || !record->getDefinition()) return;
  for (const clang::CXXBaseSpecifier &base : record->bases()) {
    Place first = a, second = b;
    first.type = second.type = base.getType();
    swapRecords(first, second, location);
  }
  for (const clang::FieldDecl *field : record->getDefinition()->fields()) {
    Place first = member(a, field), second = member(b, field);
    TypeClass kind = classOf(field->getType());
    bool areVariables = !first.variable.empty() && !second.variable.empty();
    if (kind == TypeClass::Pointer && areVariables) {
      swapHandles(first, second, location);
    } else if (kind == TypeClass::Integer && areVariables) {
      Value one = readInteger(first.variable, first.type, location), other = readInteger(second.variable, second.type, location);
      assignInteger(first, other, location);
      assignInteger(second, one, location);
    } else if (kind == TypeClass::Record && isNamedRecord(first) && isNamedRecord(second)) {
      swapRecords(first, second, location);
    } else {
      for (AccessKind way : {AccessKind::Read, AccessKind::Write})
        for (const Place &one : {first, second})
          if (!one.at.object.empty()) wholeAccess(way, one.at, std::nullopt, false, location);
    }
  }
}

/// What the compiler's own default constructor does.
void Walker::initializeFields(const Place &place, Location location) {
  const auto *record = place.type->getAsCXXRecordDecl();
  if (!record || !record->getDefinition()) return;
  for (const clang::CXXBaseSpecifier &base : record->bases()) {
    Place part = place;
    part.type = base.getType();
    initializeFields(part, location);
  }
  for (const clang::FieldDecl *field : record->getDefinition()->fields()) {
    Place target = member(place, field);
    if (field->hasInClassInitializer() && field->getInClassInitializer()) initialize(target, field->getInClassInitializer());
    else if (handleOf(field->getType()) != Handle::None && !target.variable.empty()) {
      HandleValue null;
      null.at.null = true;
      null.size = Value{Symbolic(0)};
      assignHandle(target, null, location);
    } else if (classOf(field->getType()) == TypeClass::Record && !target.at.object.empty() && !target.partial)
      initializeFields(target, location);
  }
}

/// Makes an object of a class at this place. False if how it is made is not followed.
bool Walker::constructInto(const Place &place, const clang::CXXConstructExpr *expr) {
  const clang::CXXConstructorDecl *constructor = expr->getConstructor();
  Location location = locate(expr);
  if (!isNamedRecord(place)) return false;
  std::vector<const clang::Expr *> arguments(expr->arg_begin(), expr->arg_end());
  if (Summary *known = unit.summaryOf(constructor); known && known->state == Summary::State::Done && !constructor->isDefaulted()) {
    callDefined(expr, constructor, *known, arguments, place.at);
    return true;
  }
  const auto *pair = constructor->getParent();
  if (pair->isInStdNamespace() && pair->getIdentifier() && pair->getName() == "pair" && arguments.size() == 2 &&
      constructor->isUserProvided()) { // std::pair(a, b)
    initialize(member(place, fieldNamed(pair, "first")), arguments[0]);
    initialize(member(place, fieldNamed(pair, "second")), arguments[1]);
    return true;
  }
  if (constructor->isUserProvided()) return false;
  if (constructor->isDefaultConstructor()) {
    if (!constructor->isTrivial()) initializeFields(place, location);
    return true;
  }
  if (constructor->isCopyOrMoveConstructor() && arguments.size() >= 1) {
    const clang::Expr *source = arguments[0]->IgnoreImplicit();
    if (const auto *inner = llvm::dyn_cast<clang::CXXConstructExpr>(source)) return constructInto(place, inner);
    if (!source->isGLValue()) return false;
    Place from = lvalue(source);
    if (!isNamedRecord(from)) return false;
    copyRecord(place, from, constructor->isMoveConstructor() && !source->isLValue(), location);
    return true;
  }
  return false;
}

std::optional<Value> Walker::construct(const clang::CXXConstructExpr *expr, bool data) {
  const clang::CXXConstructorDecl *constructor = expr->getConstructor();
  if (isStdComplex(expr->getType())) {
    for (const clang::Expr *argument : expr->arguments()) {
      if (argument->IgnoreParenImpCasts()->isGLValue() && classOf(argument->getType()) == TypeClass::Data)
        read(lvalue(argument->IgnoreParenImpCasts()), locate(argument));
      else
        rvalue(argument, true);
    }
    return std::nullopt;
  }
  if (handleOf(expr->getType()) != Handle::None) {
    handle(expr);
    return std::nullopt;
  }
  if (constructor->isCopyOrMoveConstructor() && constructor->isTrivial() && expr->getNumArgs() == 1) {
    const clang::Expr *source = expr->getArg(0)->IgnoreParenImpCasts();
    if (source->isGLValue()) read(lvalue(source), locate(expr));
    else rvalue(source, true);
    return std::nullopt;
  }
  if (constructor->isTrivial()) return std::nullopt;
  // A temporary is an object like any other, without a name in the source.
  if (unit.summaryOf(constructor) || constructor->isDefaulted() || !constructor->isUserProvided()) {
    Place place = temporary(expr);
    if (constructInto(place, expr)) {
      if (destructorMatters(place.type)) st.temporaries.push_back({place, expr});
      return std::nullopt;
    }
  }
  std::vector<const clang::Expr *> arguments(expr->arg_begin(), expr->arg_end());
  if (!isSelfContained(constructor))
    find(Rule::OpaqueCall, locate(expr), "the constructor of " + constructor->getNameAsString() + " is not followed; it stays on the host");
  opaqueCall(expr, arguments, constructor, constructor->getNameAsString(), HostReason::OpaqueCall);
  return std::nullopt;
}

} // namespace busfare::frontend
