//===- clang-plugin/walk/GivenMemory.cpp - Memory that unseen code gives -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Libraries make arrays and fill structs with pointers to them. What such a pointer leads to is
// an object of its own, of a size that is not known: others know of it as well, so every unseen
// call may read and write it.
//
//   double *a = field_new(n);                  a : f64[?] given
//   struct grid g; grid_make(&g, n);           g.u : f64[?] given
//   solver_vector(s, &x);                      x : f64[?] given
//
// Two things are assumed, and listed. That what one such call gives overlaps neither what another
// gave nor what callers passed (noalias(a,b)), as for two parameters; it may be memory of this
// function that unseen code was given before, so then nothing is known of the pointer. And that
// a later unseen call leaves the pointer where it is (steady(g.u)): `report(&g)`.
//
//===----------------------------------------------------------------------===//
#include "StandIns.h"
#include "Walk.h"
#include "clang-plugin/lower/CallQueries.h"
#include "clang/AST/Attr.h"

namespace busfare::frontend {

/// May elements of this type lie in the object?
bool Walker::mayHold(const Object &object, clang::QualType pointee) const {
  if (object.element.isNull() || pointee->isVoidType()) return true;
  clang::QualType own = innermost(object.element, context).getCanonicalType().getUnqualifiedType();
  clang::QualType wanted = innermost(pointee, context).getCanonicalType().getUnqualifiedType();
  if (own == wanted || (own->isCharType() && object.array.storage == Storage::Heap)) return true;
  std::function<bool(clang::QualType)> holds = [&](clang::QualType type) {
    type = innermost(type, context).getCanonicalType().getUnqualifiedType();
    if (type == wanted) return true;
    const auto *record = type->getAsRecordDecl();
    return record && record->getDefinition() &&
           llvm::any_of(record->getDefinition()->fields(),
                        [&](const clang::FieldDecl *field) { return holds(field->getType()); });
  };
  return holds(own);
}

/// Was unseen code given memory before that it may give back?
bool Walker::mayBeGivenBack(clang::QualType pointee) const {
  auto isIt = [&](const std::string &name) {
    auto found = st.objects.find(name);
    if (found == st.objects.end() || found->second.array.storage == Storage::Given) return false;
    const Array &array = found->second.array;
    if (array.storage == Storage::Alias)
      return llvm::any_of(array.mayBe, [&](const std::string &one) {
        return st.objects.count(one) && mayHold(st.objects.at(one), pointee);
      });
    return mayHold(found->second, pointee);
  };
  for (const std::set<std::string> *names : {&st.escaped, &st.lent})
    for (const std::string &name : *names) {
      if (isIt(name)) return true;
      auto found = st.objects.find(name);
      if (found == st.objects.end()) continue;
      const std::string &prefix = found->second.prefix;
      if (!prefix.empty() && llvm::any_of(beginningWith(st.env.pointers, prefix),
                                          [&](const auto &known) { return isIt(known.second.object); }))
        return true;
      if (llvm::any_of(st.objects, [&](const auto &known) { return known.second.rowsOf == name && isIt(known.first); }))
        return true;
    }
  return false;
}

/// The variable of this name, if it points to one struct and not to an array of them.
bool Walker::pointsToOneStruct(const std::string &variable) const {
  for (const auto &[decl, name] : st.names)
    if (const auto *pointer = llvm::dyn_cast<clang::VarDecl>(decl); pointer && name == variable)
      return !unit.arrayUses.isArrayIn(pointer, function);
  return true;
}

/// An object for it, named as the pointer.
Pointer Walker::givenMemory(const std::string &variable, clang::QualType pointee, Location location) {
  const std::string name = freshObjectName(variable);
  Object &made = declareObject(name, {}, Storage::Given, location);
  made.element = clang::QualType();
  made.array.type = {skeleton::ElementType::Kind::Unsigned, 1};
  made.array.extents = {std::nullopt};
  if (classOf(pointee) == TypeClass::Record && hasFieldNames(pointee) && pointsToOneStruct(variable)) {
    made.element = pointee;
    made.array.type = elementTypeOf(pointee, context);
    made.array.extents.clear();
    made.prefix = name + "->";
    st.madeByUnseen.insert(name);
  } else if (!pointee->isVoidType()) giveShape(made, pointee);
  st.escaped.insert(name);
  Pointer result;
  result.object = name;
  result.index.assign(made.array.extents.size(), Symbolic(0));
  return result;
}

/// What an unseen function returns: `a = alloc_data(n * n, sizeof(double))`. In a loop one name would be many pieces of
/// memory.
std::optional<Pointer> Walker::memoryOfUnseen(const clang::CallExpr *expr, const clang::FunctionDecl *callee,
                                              const std::string &hint) {
  clang::QualType pointee = pointeeOf(expr->getType());
  bool isData = pointee->isVoidType() || bytesOf(innermost(pointee, context), context) != 0;
  if (isInLoop() || callee->isDefined() || callee->getBuiltinID() || callee->isVariadic() || !isData ||
      handleOf(expr->getType()) != Handle::None || callee->hasAttr<clang::ConstAttr>() ||
      callee->hasAttr<clang::PureAttr>())
    return std::nullopt;
  Location location = locate(expr);
  rvalue(expr, true);
  if (mayBeGivenBack(pointee)) return Pointer();
  Pointer result = givenMemory(hint.empty() ? callee->getNameAsString() : hint, pointee, location);
  touchGiven(result, location);
  return result;
}

/// The call that gives it may read and write it: it may have been there before.
void Walker::touchGiven(const Pointer &given, Location location) {
  Block accesses = accessesOf([&] {
    if (touchFields({given}, location)) return;
    for (AccessKind kind : {AccessKind::Read, AccessKind::Write})
      wholeAccess(kind, given, std::nullopt, true, location);
    if (const std::string prefix = object(given.object).prefix; !prefix.empty()) putMarker(behind + prefix, location);
  });
  for (Node &node : llvm::reverse(*out))
    if (auto *host = std::get_if<skeleton::HostStatement>(&node.kind); host && host->location == location) {
      for (Node &one : accesses) host->body.edit().push_back(std::move(one));
      return;
    }
  host(HostReason::OpaqueCall, given.object, std::move(accesses), location);
}

/// Unseen code was given the address of this pointer.
void Walker::takePointerOfUnseen(const Place &variable, Location location) {
  const std::string &name = variable.variable;
  clang::QualType pointee = pointeeOf(variable.type);
  clobberGiven(name, location);
  bool isData = pointee->isVoidType() || bytesOf(innermost(pointee, context), context) != 0;
  if (isInLoop() || !isData || st.fieldOrigins.count(name) || mayBeGivenBack(pointee)) return;
  st.env.pointers[name] = givenMemory(name, pointee, location);
  touchGiven(st.env.pointers[name], location);
}

/// A field of a struct that unseen code has made, which nothing else has set.
std::optional<Pointer> Walker::givenField(const std::string &variable, clang::QualType pointee, Location location) {
  bool isOfUnseen = llvm::any_of(st.madeByUnseen, [&](const std::string &name) {
    return llvm::StringRef(variable).starts_with(object(name).prefix);
  });
  bool isData = !pointee.isNull() && bytesOf(innermost(pointee, context), context) != 0;
  if (!isOfUnseen || !isData || mayBeGivenBack(pointee)) return std::nullopt;
  return givenMemory(variable, pointee, location);
}

/// A plain pointer: unseen code may set it, but most leave it alone. (A container that is handed to others is resized.)
bool Walker::mayBeSteady(const std::string &variable) const {
  if (unit.calledBack.maySet(variable)) return false;
  if (st.env.integers.count(variable + sizeSuffix.str()) || st.entryIntegers.count(variable + sizeSuffix.str()))
    return false;
  auto known = st.env.pointers.find(variable);
  auto isHeld = [&](const Pointer &pointer) {
    auto object = st.objects.find(pointer.object);
    return pointer.variable.empty() && object != st.objects.end() && !object->second.isFreed;
  };
  if (known != st.env.pointers.end()) return isHeld(known->second);
  auto origin = st.fieldOrigins.find(variable);
  auto entry = st.entryPointers.find(variable);
  if (entry != st.entryPointers.end() && (origin == st.fieldOrigins.end() || !isHeld(entry->second)))
    return isHeld(entry->second);
  return origin != st.fieldOrigins.end() && classOf(origin->second.type) == TypeClass::Pointer &&
         handleOf(origin->second.type) == Handle::None;
}

void Walker::assumeSteady(const Pointer &pointer) {
  if (auto found = st.objects.find(pointer.object);
      found != st.objects.end() && found->second.array.storage != Storage::Alias)
    found->second.array.isSteady = true;
}

/// A call of unseen code: integers may have other values behind it, pointers are taken to lead where they did.
void Walker::clobberByUnseen(const std::string &variable, Location location) {
  auto known = st.env.pointers.find(variable);
  if (known == st.env.pointers.end()) {
    clobber(variable, location);
    auto entry = st.entryPointers.find(variable);
    if (entry == st.entryPointers.end()) return;
    if (!mayBeSteady(variable)) {
      st.env.pointers[variable] = unknownPointer(variable, object(entry->second.object).element, location);
      return;
    }
  } else if (known->second.null) { // it is there to be set
    auto entry = st.entryPointers.find(variable);
    auto origin = st.fieldOrigins.find(variable);
    if (entry != st.entryPointers.end())
      known->second = unknownPointer(variable, object(entry->second.object).element, location);
    else if (origin != st.fieldOrigins.end())
      known->second = unknownPointer(variable, pointeeOf(origin->second.type), location);
    else st.env.pointers.erase(known);
    return;
  } else if (known->second.object.empty() && known->second.variable.empty()) {
    return; // as little is known as before
  } else if (!mayBeSteady(variable)) {
    return clobber(variable, location);
  }
  st.doubted.insert(variable);
  if (isInLoop()) assumeSteady(known != st.env.pointers.end() ? known->second : st.entryPointers.at(variable));
}

/// What the pointers in a struct lead to, and those in what that is.
std::set<std::string> Walker::behindStruct(const std::string &name) const {
  std::set<std::string> all;
  std::vector<std::string> open{name};
  while (!open.empty()) {
    auto found = st.objects.find(open.back());
    open.pop_back();
    if (found == st.objects.end() || found->second.prefix.empty()) continue;
    for (const auto *pointers : {&st.env.pointers, &st.entryPointers})
      for (const auto &[variable, pointer] : beginningWith(*pointers, found->second.prefix))
        if (st.objects.count(pointer.object) && all.insert(pointer.object).second) open.push_back(pointer.object);
  }
  return all;
}

/// That is as much within reach as the struct.
void Walker::escapeBehind(const std::string &name) {
  for (const std::string &one : behindStruct(name)) st.escaped.insert(one);
}

bool Walker::isFieldOfEscaped(const std::string &variable) const {
  auto isIt = [&](const std::string &name) {
    auto found = st.objects.find(name);
    return found != st.objects.end() && !found->second.prefix.empty() &&
           llvm::StringRef(variable).starts_with(found->second.prefix);
  };
  return llvm::any_of(st.escaped, isIt) || llvm::any_of(st.lent, isIt);
}

/// The pointers in these tables are taken to stay, too, if some are set.
void Walker::doubtTables(llvm::function_ref<bool(const std::string &name)> isReachedByUnseen) {
  std::vector<std::string> reached;
  for (const auto &[name, one] : st.objects)
    if (one.isDeclared && holdsPointers(one) && isReachedBy(name, isReachedByUnseen)) reached.push_back(name);
  for (const std::string &name : reached) {
    auto isSet = [](const auto &rows) {
      return rows.second.kind != RowState::Kind::Unset && rows.second.kind != RowState::Kind::Filling;
    };
    const auto rowsOfIt = beginningWith(st.env.tables.rows, name + "[]");
    if (st.env.tables.fresh.count(name) && llvm::none_of(rowsOfIt, isSet)) {
      loseTable(name);
      continue;
    }
    st.doubtedTables.insert(name);
    for (auto &[other, one] : st.objects)
      if (one.rowsOf == name) one.array.isSteady = true;
    for (const auto &[rows, state] : rowsOfIt) {
      if (state.first) assumeSteady(*state.first);
      if (state.origin) assumeSteady(*state.origin);
    }
  }
}

} // namespace busfare::frontend
