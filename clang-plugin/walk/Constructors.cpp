//===- clang-plugin/walk/Constructors.cpp - Objects of classes come to life -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A constructor with a body is a function of this unit, called with the new object as `this`.
// One that the compiler writes sets field by field: `Grid g;` runs the fields' own
// initialisers and constructors, `Grid h = g;` copies them, elements of containers included.
// Where many objects come to life at once (`Grid g[9]`, vector<Grid>), what their
// constructors do besides filling them is not followed.
//
//===----------------------------------------------------------------------===//
#include "HostOnly.h"
#include "Walk.h"
#include "llvm/Support/SaveAndRestore.h"

namespace busfare::frontend {

/// One struct, whose fields have names of their own.
bool Walker::isNamedRecord(const Place &place) {
  return !place.at.object.empty() && !object(place.at.object).prefix.empty() && !place.partial && !place.at.inside;
}

/// How the constructor that the compiler wrote makes a field, or a base; null: by copying it, or not at all.
static const clang::CXXCtorInitializer *initializerOf(const clang::CXXConstructorDecl *constructor,
                                                      const clang::FieldDecl *field, clang::QualType base) {
  if (!constructor) return nullptr;
  for (const clang::CXXCtorInitializer *init : constructor->inits()) {
    bool isBase = !field && init->isBaseInitializer() &&
                  init->getBaseClass()->getCanonicalTypeUnqualified() == base->getCanonicalTypeUnqualified();
    if (init->getInit() && (isBase || (field && init->isMemberInitializer() && init->getMember() == field)))
      return init;
  }
  return nullptr;
}

/// What constructs it, or each element of it.
static const clang::CXXConstructExpr *constructionIn(const clang::CXXCtorInitializer *init) {
  const clang::Expr *expr = init ? init->getInit()->IgnoreImplicit() : nullptr;
  while (const auto *all = llvm::dyn_cast_or_null<clang::ArrayInitLoopExpr>(expr))
    expr = all->getSubExpr()->IgnoreImplicit();
  return llvm::dyn_cast_or_null<clang::CXXConstructExpr>(expr);
}

/// A base or a field whose type is a class: as its own constructor copies it, if somebody wrote that.
void Walker::copyPart(const Place &to, const Place &from, bool isMove, const clang::CXXCtorInitializer *init,
                      Location location) {
  if (const clang::CXXRecordDecl *lambda = callableClassOf(to.type); lambda && lambda->isLambda()) {
    auto known = st.closures.find(from.at.object);
    if (known != st.closures.end() && !from.partial && isNamedRecord(to))
      st.closures[to.at.object] = Closure(known->second);
    else st.closures.erase(to.at.object);
    return;
  }
  const clang::CXXConstructExpr *made = constructionIn(init);
  if (!made || !made->getConstructor()->isUserProvided())
    return copyRecord(to, from, isMove, location, made ? made->getConstructor() : nullptr);
  llvm::SaveAndRestore at(standsFor, std::optional(location));
  if (constructInto(to, made)) return;
  bringToLife(to.type, location);
  if (isNamedRecord(to)) loseFields(object(to.at.object).prefix, location);
}

/// A plain field that no code names, of a variable of the function's own: nobody will ask what it holds.
bool Walker::isUnnamedInOwn(const Place &record, const clang::FieldDecl *field) {
  if (!field->getIdentifier() || unit.namedFields.count(field->getName()) || field->isBitField() ||
      field->getType().isVolatileQualified() || handleOf(field->getType()) != Handle::None)
    return false;
  const TypeClass kind = classOf(field->getType());
  if (kind != TypeClass::Integer && kind != TypeClass::Data && kind != TypeClass::Pointer) return false;
  const Object &own = object(record.at.object);
  return own.array.storage == Storage::Local && own.origin == -3 && !own.isGlobal && isFollowedStruct(own);
}

/// Likewise, of a struct that is copied there. Its memory is read where that is done, and what its pointer leads to is
/// behind that struct.
bool Walker::isUnnamedInCopy(const Place &to, const Place &from, const clang::FieldDecl *field) {
  if (!isUnnamedInOwn(to, field)) return false;
  const Object &source = object(from.at.object);
  return source.origin != -2 && !source.isGlobal && isFollowedStruct(source);
}

/// Each field of one object from the same field of another. by: the constructor that does it, if one does.
void Walker::copyRecord(const Place &to, const Place &from, bool isMove, Location location,
                        const clang::CXXConstructorDecl *by) {
  const auto *record = to.type->getAsRecordDecl();
  if (!record || !record->getDefinition()) return;
  if (by && by->getNumParams() > 0)
    st.references[llvm::cast<clang::ValueDecl>(by->getParamDecl(0)->getCanonicalDecl())] = from;
  if (const auto *derived = llvm::dyn_cast<clang::CXXRecordDecl>(record->getDefinition()))
    for (const clang::CXXBaseSpecifier &base : derived->bases()) {
      Place toBase = to, fromBase = from;
      toBase.type = fromBase.type = base.getType();
      copyPart(toBase, fromBase, isMove, initializerOf(by, nullptr, base.getType()), location);
    }
  bool leavesOut = false;
  for (const clang::FieldDecl *field : record->getDefinition()->fields()) {
    if (field->getType()->isReferenceType()) {
      bindMember(to, field, member(from, field));
      continue;
    }
    if (!(by && by->isUserProvided()) && isUnnamedInCopy(to, from, field)) {
      leavesOut = true;
      continue;
    }
    Place target = member(to, field), source = member(from, field);
    const clang::CXXCtorInitializer *init = initializerOf(by, field, {});
    const clang::CXXConstructExpr *made = constructionIn(init);
    if (made && made->getConstructor()->isUserProvided() && handleOf(field->getType()) == Handle::None &&
        classOf(field->getType()) != TypeClass::Record)
      bringToLife(field->getType(), location); // each element of an array
    switch (classOf(field->getType())) {
    case TypeClass::Pointer: {
      if (target.variable.empty() || source.variable.empty()) {
        read(source, location);
        write(target, location);
        break;
      }
      HandleValue value = readHandle(source, location);
      bool isOwner = handleOf(source.type) == Handle::Owner;
      assignHandle(target,
                   isOwner && !isMove ? copyElements(value, pointeeOf(source.type), target.variable, location) : value,
                   location);
      if (!isMove || handleOf(source.type) == Handle::None) break;
      HandleValue null;
      null.at.null = true;
      null.size = Value{Symbolic(0)};
      assignHandle(source, null, location);
      break;
    }
    case TypeClass::Integer:
      if (!target.variable.empty() && !source.variable.empty()) {
        assignInteger(target, loadInteger(source, location), location);
        break;
      }
      [[fallthrough]];
    default:
      if (classOf(field->getType()) == TypeClass::Record && !target.at.object.empty() && !target.partial) {
        copyPart(target, source, isMove, init, location);
        break;
      }
      if (!source.at.object.empty()) wholeAccess(AccessKind::Read, source.at, std::nullopt, false, location);
      if (!target.at.object.empty()) wholeAccess(AccessKind::Write, target.at, std::nullopt, source.partial, location);
    }
  }
  if (!leavesOut) return;
  st.copiedFrom[to.at.object].insert(from.at.object);
  readCopied(from.at.object, location);
}

/// What the fields with that prefix hold is not known any more.
void Walker::loseFields(const std::string &prefix, Location location) {
  std::set<std::string> fields;
  for (const auto &[name, value] : beginningWith(st.env.integers, prefix)) fields.insert(name);
  for (const auto &[name, value] : beginningWith(st.env.pointers, prefix)) fields.insert(name);
  for (const auto &[name, origin] : beginningWith(st.fieldOrigins, prefix)) fields.insert(name);
  for (const std::string &name : fields) {
    clobber(name, location);
    auto origin = st.fieldOrigins.find(name);
    if (origin == st.fieldOrigins.end()) continue;
    // Callers hear of it.
    if (classOf(origin->second.type) == TypeClass::Integer)
      storeInteger({{}, origin->second.type, false, name},
                   Value{freshSymbol(name, name, location, true)}); // not what it was on entry, either
    if (classOf(origin->second.type) == TypeClass::Pointer)
      assignPointer({{}, origin->second.type, false, name},
                    unknownPointer(name, pointeeOf(origin->second.type), location), location);
  }
}

/// `s = a[i]`: what the fields of s hold is not known then, but for pointers to rows.
void Walker::takeElement(const Place &to, const Place &from, Location location) {
  read(from, location);
  write(to, location);
  loseFields(object(to.at.object).prefix, location);
  takeRows(to, from, location);
}

/// After `s = p[i]`, `s.coord` is the row `p[].coord`[i].
void Walker::takeRows(const Place &to, const Place &from, Location location) {
  const auto *record = to.type->getAsRecordDecl();
  if (!record || !record->getDefinition() || record->isUnion()) return;
  for (const clang::FieldDecl *field : record->getDefinition()->fields()) {
    if (handleOf(field->getType()) != Handle::None || field->getType()->isReferenceType()) continue;
    TypeClass kind = classOf(field->getType());
    if (kind != TypeClass::Pointer && kind != TypeClass::Record) continue;
    Place target = member(to, field), source = member(from, field);
    if (kind == TypeClass::Record && isNamedRecord(target)) takeRows(target, source, location);
    if (kind != TypeClass::Pointer || target.variable.empty()) continue;
    if (std::optional<Pointer> row = rowAt(source, location)) assignPointer(target, *row, location);
  }
}

/// Can the call not tell whether its result is made in this place or copied there? (Nor do its arguments mention it.)
bool Walker::isOutOfSight(const Place &place, const clang::CallExpr *call) {
  const std::string &name = place.at.object;
  if (!isNamedRecord(place) || place.partial || st.escaped.count(name) || st.lent.count(name)) return false;
  const Object &target = st.objects.at(name);
  if (target.array.storage != Storage::Local || target.isGlobal) return false;
  std::function<bool(const clang::Stmt *)> mentions = [&](const clang::Stmt *at) {
    if (!at) return false;
    const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(at);
    auto named = ref ? st.names.find(llvm::cast<clang::ValueDecl>(ref->getDecl()->getCanonicalDecl())) : st.names.end();
    if (named != st.names.end() && named->second == name) return true;
    return llvm::isa<clang::LambdaExpr>(at) || llvm::any_of(partsOf(at), mentions);
  };
  auto leadsThere = [&](const auto &pointer) { return pointer.second.object == name; };
  return !mentions(call) && llvm::none_of(st.env.pointers, leadsThere);
}

/// `s = t` of two structs, where the compiler copies: field by field if both are followed; otherwise what the target's
/// fields hold is lost. What a function makes (`s = made(n)`) is made in the target's place.
void Walker::assignRecord(const Place &to, const clang::Expr *source, Location location) {
  const auto *call = llvm::dyn_cast<clang::CallExpr>(withoutWrappers(source));
  if (call && !makesStruct(call)) call = nullptr;
  if (call && isOutOfSight(to, call)) return makeStruct(call, to);
  std::optional<Place> from;
  if (const clang::Expr *bound = boundPlace(source)) from = lvalue(bound);
  else if (call || llvm::isa<clang::InitListExpr, clang::CXXConstructExpr>(withoutWrappers(source)))
    from = materialize(source);
  else rvalue(source, true);
  if (from && isNamedRecord(to) && isNamedRecord(*from)) return copyRecord(to, *from, false, location);
  if (from && isNamedRecord(*from)) {
    const std::string prefix = object(from->at.object).prefix;
    for (const auto &[name, pointer] : beginningWith(st.env.pointers, prefix))
      if (!pointer.object.empty()) st.escaped.insert(pointer.object);
    for (const auto &[name, pointer] : beginningWith(st.entryPointers, prefix)) st.escaped.insert(pointer.object);
  }
  if (from && isNamedRecord(to)) return takeElement(to, *from, location);
  if (from) read(*from, locate(source));
  write(to, location);
  if (isNamedRecord(to)) loseFields(object(to.at.object).prefix, location);
  else if (isAnything(to)) clobberSomewhere(location);
}

/// std::swap of two structs: field by field, unless somebody wrote how they are copied or moved.
void Walker::swapRecords(const Place &a, const Place &b, Location location) {
  const auto *record = a.type->getAsCXXRecordDecl();
  if (!record || !record->getDefinition()) return;
  if (copyingMatters(a.type, true)) {
    Handover given;
    for (const Place &one : {a, b}) reachVariable(one, false, given, location);
    const std::string name = record->getNameAsString();
    find(Rule::OpaqueCall, location,
         "how std::swap moves a " + name + ", which its class says, is not followed; it stays on the host");
    touchReachable(given.reachable, HostReason::OpaqueCall, "swap", location, true);
    for (const Place &one : {a, b})
      if (isNamedRecord(one)) loseFields(object(one.at.object).prefix, location);
    return;
  }
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
      Value one = loadInteger(first, location), other = loadInteger(second, location);
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

/// A field or a base as the constructor makes it, or the whole object by another constructor.
void Walker::runInitializer(const Place &self, const clang::CXXCtorInitializer *init) {
  if (!init->getInit()) return;
  asOwnExpression(init->getInit(), [&] { initializePart(self, init); });
}

void Walker::initializePart(const Place &self, const clang::CXXCtorInitializer *init) {
  if (init->isMemberInitializer() && init->getMember()->getType()->isReferenceType())
    return bindMember(self, init->getMember(), lvalue(init->getInit()));
  Place part = self;
  if (init->isAnyMemberInitializer()) {
    if (init->isMemberInitializer()) part = member(self, init->getMember());
    else // of an unnamed union
      for (const clang::NamedDecl *step : init->getIndirectMember()->chain())
        part = member(part, llvm::cast<clang::FieldDecl>(step));
    return initialize(part, init->getInit());
  }
  const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(init->getInit()->IgnoreImplicit());
  if (init->isBaseInitializer()) part.type = clang::QualType(init->getBaseClass(), 0);
  if (!made || !constructInto(part, made)) rvalue(init->getInit(), true);
}

/// `using Base::Base`: the base is made from the arguments, all else as its initialiser says.
bool Walker::constructInherited(const Place &place, const clang::CXXConstructorDecl *constructor,
                                const clang::Expr *expr, llvm::ArrayRef<const clang::Expr *> arguments) {
  const clang::FunctionDecl *definition = nullptr; // the compiler's own
  if (!isNamedRecord(place) || !constructor->hasBody(definition)) return false;
  for (const clang::CXXCtorInitializer *init : llvm::cast<clang::CXXConstructorDecl>(definition)->inits()) {
    const auto *inherited = llvm::dyn_cast_or_null<clang::CXXInheritedCtorInitExpr>(
        init->getInit() ? init->getInit()->IgnoreImplicit() : nullptr);
    if (!inherited) {
      runInitializer(place, init);
      continue;
    }
    const clang::CXXConstructorDecl *of = inherited->getConstructor();
    Place part = place;
    part.type = context.getRecordType(of->getParent());
    if (of->isInheritingConstructor()) {
      if (!constructInherited(part, of, expr, arguments)) return false;
      continue;
    }
    Summary *known = unit.summaryOf(of);
    if (known && known->state == Summary::State::Done) callDefined(expr, of, *known, arguments, part.at);
    else {
      find(Rule::OpaqueCall, locate(expr),
           "the constructor of " + of->getNameAsString() + " is not followed; it stays on the host");
      Handover given;
      for (const clang::Expr *argument : arguments) reachThrough(argument, argument->getType(), given);
      reachVariable(part, false, given, locate(expr));
      touchReachable(given.reachable, HostReason::OpaqueCall, of->getNameAsString(), locate(expr), true);
      for (const std::string &variable : given.changed) clobber(variable, locate(expr));
    }
  }
  return true;
}

/// Several objects are made, or one of which nobody sees how.
void Walker::bringToLife(clang::QualType element, Location location, llvm::ArrayRef<Reach> reachable) {
  if (!constructorMatters(element)) return;
  std::string name = context.getBaseElementType(element.getNonReferenceType()).getUnqualifiedType().getAsString();
  find(Rule::OpaqueCall, location,
       "what the constructors of " + name + " do here is not followed; it stays on the host");
  touchReachable(reachable, HostReason::OpaqueCall, name, location, true);
}

/// Elements get the values of others, as an operator of their class has it.
void Walker::assignUnseen(clang::QualType element, Location location, llvm::ArrayRef<Reach> reachable) {
  if (element.isNull() || !copyingMatters(element)) return;
  std::string name = context.getBaseElementType(element.getNonReferenceType()).getUnqualifiedType().getAsString();
  find(Rule::OpaqueCall, location,
       "what the assignments of " + name + " do here is not followed; it stays on the host");
  touchReachable(reachable, HostReason::OpaqueCall, name, location, true);
}

/// Makes an object of a class at this place. False if how it is made is not followed.
bool Walker::constructInto(const Place &place, const clang::CXXConstructExpr *expr) {
  const clang::CXXConstructorDecl *constructor = expr->getConstructor();
  Location location = locate(expr);
  if (!isNamedRecord(place)) return false;
  std::vector<const clang::Expr *> arguments(expr->arg_begin(), expr->arg_end());
  if (constructor->isInheritingConstructor()) return constructInherited(place, constructor, expr, arguments);
  if (Summary *known = constructor->isDefaulted() ? nullptr : unit.summaryOf(constructor);
      known && known->state == Summary::State::Done) {
    callDefined(expr, constructor, *known, arguments, place.at);
    return true;
  }
  const auto *pair = constructor->getParent();
  auto isPlain = [&](const clang::Expr *given, llvm::StringRef field) { // else a conversion of its class makes it
    clang::QualType type = given->getType().getNonReferenceType();
    return !type->isRecordType() || context.hasSameUnqualifiedType(type, fieldNamed(pair, field)->getType());
  };
  if (pair->isInStdNamespace() && pair->getIdentifier() && pair->getName() == "pair" && arguments.size() == 2 &&
      constructor->isUserProvided() && isPlain(arguments[0], "first") &&
      isPlain(arguments[1], "second")) { // std::pair(a, b)
    initialize(member(place, fieldNamed(pair, "first")), arguments[0]);
    initialize(member(place, fieldNamed(pair, "second")), arguments[1]);
    return true;
  }
  if (constructor->isUserProvided()) return false;
  if (constructor->isDefaultConstructor()) {
    llvm::SaveAndRestore at(standsFor, std::optional(location));
    if (!constructor->isTrivial())
      for (const clang::CXXCtorInitializer *init : constructor->inits()) runInitializer(place, init);
    return true;
  }
  if (constructor->isCopyOrMoveConstructor() && arguments.size() >= 1) {
    if (const auto *inner = llvm::dyn_cast<clang::CXXConstructExpr>(arguments[0]->IgnoreImplicit()))
      return constructInto(place, inner);
    const clang::Expr *source = boundPlace(arguments[0]);
    if (!source) return false;
    Place from = lvalue(source);
    if (!isNamedRecord(from) && constructor->isTrivial()) {
      takeElement(place, from, location);
      return true;
    }
    if (!isNamedRecord(from)) return false;
    copyRecord(place, from, constructor->isMoveConstructor() && !source->isLValue(), location, constructor);
    return true;
  }
  return false;
}

std::optional<Value> Walker::construct(const clang::CXXConstructExpr *expr, bool data) {
  const clang::CXXConstructorDecl *constructor = expr->getConstructor();
  if (isStdComplex(expr->getType())) {
    for (const clang::Expr *argument : expr->arguments()) {
      if (const clang::Expr *bound = boundPlace(argument); bound && classOf(argument->getType()) == TypeClass::Data)
        read(lvalue(bound), locate(argument));
      else rvalue(argument, true);
    }
    return std::nullopt;
  }
  if (handleOf(expr->getType()) != Handle::None) {
    handle(expr);
    return std::nullopt;
  }
  if (constructor->isCopyOrMoveConstructor() && constructor->isTrivial() && expr->getNumArgs() == 1) {
    if (const clang::Expr *source = boundPlace(expr->getArg(0))) read(lvalue(source), locate(expr));
    else rvalue(expr->getArg(0), true);
    return std::nullopt;
  }
  if (constructor->isTrivial()) return std::nullopt;
  if (expr->getType()->isArrayType() && constructorMatters(expr->getType())) {
    bringToLife(expr->getType(), locate(expr));
    return std::nullopt;
  }
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
    find(Rule::OpaqueCall, locate(expr),
         "the constructor of " + constructor->getNameAsString() + " is not followed; it stays on the host");
  opaqueCall(expr, arguments, constructor, constructor->getNameAsString(), HostReason::OpaqueCall);
  return std::nullopt;
}

} // namespace busfare::frontend
