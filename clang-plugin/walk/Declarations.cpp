//===- clang-plugin/walk/Declarations.cpp - Variables and their first values -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A variable comes to life when control passes its declaration: inside a loop a fresh
// one in each iteration.
//
//===----------------------------------------------------------------------===//
#include "HostOnly.h"
#include "Walk.h"
#include "clang/AST/Attr.h"
#include "llvm/Support/SaveAndRestore.h"

namespace busfare::frontend {

void Walker::initialize(Place place, const clang::Expr *init) {
  Location location = locate(init);
  TypeClass kind = classOf(place.type);
  if (kind == TypeClass::Integer || kind == TypeClass::Data) {
    const clang::Expr *plain = init->IgnoreParenCasts();
    if (llvm::isa<clang::CallExpr, clang::AbstractConditionalOperator, clang::ArraySubscriptExpr>(plain))
      nameHint = place.variable;
    if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(init->IgnoreParens()); list && list->getNumInits() == 1)
      init = list->getInit(0);
    std::optional<Value> value = init->isGLValue()        ? load(init, true)
                                 : place.variable.empty() ? rvalue(init, true)
                                                          : integerData(init);
    nameHint.clear();
    if (kind == TypeClass::Integer && !place.variable.empty()) {
      if (!value) value = Value{freshSymbol(place.variable, textOf(init), location, true)};
      if (!context.hasSameUnqualifiedType(init->getType(), place.type))
        *value = convert(*value, init->getType(), place.type, init); // in the library's own code
      assignInteger(place, *value, location);
    } else write(place, location);
    return;
  }
  if (kind == TypeClass::Pointer) {
    const auto *list = llvm::dyn_cast<clang::InitListExpr>(init->IgnoreParens());
    if (list && list->getNumInits() == 1 && handleOf(place.type) == Handle::None) init = list->getInit(0);
    nameHint = place.variable;
    if (handleOf(place.type) != Handle::None) {
      HandleValue value = handle(init);
      nameHint.clear();
      assignHandle(place, value, location);
      return;
    }
    Pointer value = pointer(init);
    nameHint.clear();
    assignPointer(place, value, location);
    return;
  }
  if (const clang::CXXRecordDecl *record = callableClassOf(place.type); record && record->isLambda()) {
    initializeLambda(place, init);
    return;
  }
  const auto *list = llvm::dyn_cast<clang::InitListExpr>(init->IgnoreParenImpCasts());
  if (kind == TypeClass::Record && list && !place.at.object.empty() && !object(place.at.object).prefix.empty()) {
    if (const auto *record = place.type->getAsRecordDecl(); record && record->getDefinition() && !record->isUnion()) {
      unsigned k = 0;
      auto initializePart = [&](const Place &part, const clang::Expr *value) { // what it leaves out stands nowhere
        llvm::SaveAndRestore at(standsFor, value->getBeginLoc().isValid() ? standsFor : std::optional(location));
        initialize(part, value);
      };
      if (const auto *derived = llvm::dyn_cast<clang::CXXRecordDecl>(record))
        for (const clang::CXXBaseSpecifier &base : derived->bases()) {
          if (k >= list->getNumInits()) break;
          Place part = place;
          part.type = base.getType();
          initializePart(part, list->getInit(k++));
        }
      for (const clang::FieldDecl *field : record->getDefinition()->fields()) {
        if (k >= list->getNumInits()) break;
        const clang::Expr *value = list->getInit(k++);
        if (field->getType()->isReferenceType()) bindMember(place, field, lvalue(value));
        else initializePart(member(place, field), value);
      }
      return;
    }
  }
  if (const auto *cast = llvm::dyn_cast<clang::CXXFunctionalCastExpr>(init->IgnoreImplicit());
      cast && kind == TypeClass::Record) {
    initialize(place, cast->getSubExpr());
    return;
  }
  const auto *built = llvm::dyn_cast<clang::CXXConstructExpr>(init->IgnoreImplicit());
  if (built && isStdStream(place.type)) { // the library's own
    for (const clang::Expr *argument : built->arguments()) rvalue(argument, true);
    host(HostReason::InputOutput, "stream", {}, location);
    return;
  }
  if (kind == TypeClass::Record && built && constructInto(place, built)) return;
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(withoutWrappers(init));
      call && kind == TypeClass::Record && isNamedRecord(place) && makesStruct(call))
    return makeStruct(call, place);
  if (built && built->getNumArgs() == 0 && !place.at.object.empty() &&
      handleOf(innermost(place.type, context)) == Handle::Owner) {
    noteFreshTable(place.at.object); // an array of containers, all empty
    setContainers(place.at, location);
    return;
  }
  if (kind == TypeClass::Record && isNamedRecord(place) && init->IgnoreParenImpCasts()->isGLValue()) {
    assignRecord(place, init, location);
    return;
  }
  // A constructor that is not followed knows where the object is from then on. The library's own, of a text, keeps
  // nothing.
  const bool isKept = built && built->getConstructor()->isUserProvided() && !isSelfContained(built->getConstructor());
  if (kind == TypeClass::Record && isKept && !place.at.object.empty()) st.escaped.insert(place.at.object);
  if (const clang::Expr *bound = kind == TypeClass::Record ? boundPlace(init) : nullptr) read(lvalue(bound), location);
  else if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(init->IgnoreParenImpCasts());
           made && made->getNumArgs() == 0 && made->getConstructor()->isTrivial())
    return;
  else rvalue(init, true);
  // All of it is set, one way or another: the initialiser fills what it does not name with zeros.
  if (place.at.object.empty()) return;
  wholeAccess(AccessKind::Write, place.at, std::nullopt, false, location);
  if (list && place.type->isArrayType()) noteElements(place, list);
}

/// Does an object of the type hold what is bound when it is made: a reference, or what a lambda captures?
static bool bindsWhenMade(clang::QualType type) {
  const auto *record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  if (!record || !record->getDefinition() || record->isInStdNamespace()) return false;
  if (record->isLambda()) return record->capture_size() > 0;
  auto binds = [](clang::QualType part) { return part->isReferenceType() || bindsWhenMade(part); };
  return llvm::any_of(record->fields(), [&](const clang::FieldDecl *field) { return binds(field->getType()); }) ||
         llvm::any_of(record->bases(), [&](const clang::CXXBaseSpecifier &base) { return binds(base.getType()); });
}

/// A static local: the first time that its declaration is met, and before the program starts if it is constant. Whether
/// it is the first time is not known: it is as this makes it, or as the last call left it.
void Walker::initializeStatic(const clang::VarDecl *variable) {
  const clang::Expr *init = variable->getInit();
  if (!init || !context.getLangOpts().CPlusPlus || init->isConstantInitializer(context, false)) return;
  const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(init->IgnoreImplicit());
  if (made && made->getNumArgs() == 0 && made->getConstructor()->isTrivial()) return;
  Location location = locate(variable->getLocation());
  Place place = placeOfVariable(variable, variable->getLocation());
  TypeClass kind = classOf(variable->getType());
  const clang::CXXRecordDecl *lambda = callableClassOf(variable->getType());
  branch(
      Condition(), location,
      [&] {
        asOwnExpression(init, [&] {
          if (!bindsWhenMade(variable->getType())) return initialize(place, init);
          // What it is bound to in the first call it keeps, whatever that would be now.
          if (lambda && lambda->isLambda()) return storeAway(lambda, closureAt(init), location);
          find(Rule::OpaqueCall, location,
               "what makes " + variable->getNameAsString() + ", the first time, is not followed; it stays on the host");
          Handover given;
          reachNamed(init, given);
          noteKept(given);
          touchReachable(given.reachable, HostReason::OpaqueCall, variable->getNameAsString(), location, true);
        });
        return Flow();
      },
      [] { return Flow(); });
  if (kind == TypeClass::Integer && !place.variable.empty())
    st.env.integers[place.variable] = Value{freshSymbol(place.variable, place.variable, location, true)};
}

/// A static reference is to what its initialiser led to in the first call, whatever it leads to now.
void Walker::bindStatic(const clang::VarDecl *variable) {
  Location location = locate(variable->getLocation());
  branch(
      Condition(), location,
      [&] {
        asOwnExpression(variable->getInit(), [&] {
          Handover given;
          reachThrough(variable->getInit(), variable->getType(), given);
          noteKept(given);
        });
        return Flow();
      },
      [] { return Flow(); });
  const clang::QualType type = variable->getType().getNonReferenceType();
  Place place;
  place.type = type;
  place.at = unknownPointer(variable->getName(), type, location);
  st.references[llvm::cast<clang::ValueDecl>(variable->getCanonicalDecl())] = place;
}

void Walker::declareVariable(const clang::VarDecl *variable) {
  if (variable->isInvalidDecl()) return;
  bool isTime = variable->hasGlobalStorage();
  const clang::Expr *made = variable->getType()->isReferenceType() && !isTime && variable->getInit()
                                ? scalarTemporary(variable->getInit())
                                : nullptr;
  if (made && handleOf(variable->getType().getNonReferenceType()) != Handle::None) made = nullptr;
  if (variable->getType()->isReferenceType() && variable->getInit() && !made) {
    if (isTime && !variable->getInit()->isConstantInitializer(context, true)) return bindStatic(variable);
    Place place = lvalue(variable->getInit());
    noteAccounted();
    if (!st.scopes.empty())
      for (const clang::Expr *one : temporariesLeft(variable->getInit()))
        st.scopes.back().push_back({Place{{}, one->getType()}, one});
    if (!st.temporaries.empty() && !st.scopes.empty()) { // it lives as long as the reference
      llvm::append_range(st.scopes.back(), st.temporaries);
      st.temporaries.clear();
    }
    st.references[llvm::cast<clang::ValueDecl>(variable->getCanonicalDecl())] = place;
    return;
  }
  if (isTime) return initializeStatic(variable);
  if (declareIndexRange(variable)) return;
  if (inPlace && inPlace->returned == variable) { // the caller's object, made here (copy elision)
    st.references[llvm::cast<clang::ValueDecl>(variable->getCanonicalDecl())] = inPlace->object;
    if (variable->getInit()) initialize(inPlace->object, variable->getInit());
    return;
  }
  Place place = placeOfVariable(variable, variable->getLocation());
  st.env.integers.erase(place.variable);
  st.env.pointers.erase(place.variable);
  st.env.elements.erase(place.at.object);
  bool inLoop = isInLoop();
  if (!place.at.object.empty() && st.isDeclared(place.at.object)) object(place.at.object).array.perIteration = inLoop;
  if (variable->hasAttr<clang::CleanupAttr>() && !st.scopes.empty())
    st.scopes.back().push_back({place, variable->getInit(), variable});
  if (!variable->getInit() || holdFunction(variable)) return;
  if (made) return initialize(place, made); // `const uint8_t &k = i`: a variable of its own, whose name is k
  initialize(place, variable->getInit());
  keepMade(variable->getInit());
  live(place, variable->getInit());
}

/// Structured bindings of a pair or tuple: variables of their own, made from the one without a name.
void Walker::declareHeld(const clang::VarDecl *variable) {
  const auto *split = llvm::dyn_cast<clang::DecompositionDecl>(variable);
  if (!split) return;
  for (const clang::BindingDecl *binding : split->bindings())
    if (const clang::VarDecl *held = binding->getHoldingVar()) declareVariable(held);
}

void Walker::declare(const clang::DeclStmt *stmt) {
  for (const clang::Decl *decl : stmt->decls()) {
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
      // `double (*rows)[f(n)]`: f is called here
      for (clang::QualType type = variable->getType(); type->isVariablyModifiedType() && type->isPointerType();)
        dimensionsOf(type = type->getPointeeType());
      declareVariable(variable);
      declareHeld(variable);
      if (!variable->hasGlobalStorage()) destroyTemporaries(variable->getInit());
    } else if (const auto *alias = llvm::dyn_cast<clang::TypedefNameDecl>(decl))
      dimensionsOf(alias->getUnderlyingType()); // fixes the sizes of variable arrays now
  }
}

} // namespace busfare::frontend
