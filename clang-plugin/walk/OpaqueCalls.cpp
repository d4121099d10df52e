//===- clang-plugin/walk/OpaqueCalls.cpp - Calls of functions that are not seen -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A function nobody has seen may read and write whatever it can reach: what its
// arguments point to, globals, and every variable whose address is out.
//
//===----------------------------------------------------------------------===//
#include "HostOnly.h"
#include "StandIns.h"
#include "Walk.h"
#include "clang-plugin/library/PlainContainers.h"
#include "llvm/Support/SaveAndRestore.h"

namespace busfare::frontend {

/// Unseen code touches neither the global nor, if it is a pointer, what lies behind it.
bool Walker::isOutOfReach(const clang::VarDecl *global) const {
  const clang::VarDecl *variable = global->getCanonicalDecl();
  if (classOf(variable->getType()) == TypeClass::Pointer) return unit.privateGlobals.behind.count(variable);
  bool isNeverWritten =
      variable->getFormalLinkage() == clang::Linkage::Internal && !unit.writtenGlobals.count(variable);
  return isNeverWritten || unit.privateGlobals.contents.count(variable);
}

/// It may read and write all of that, every global, and every variable whose address is out. Code of this unit that is
/// not followed also gets at the unit's private globals.
void Walker::touchReachable(llvm::ArrayRef<Reach> reachable, HostReason reason, llvm::StringRef name, Location location,
                            bool isOwnCode) {
  std::vector<std::string> given, lent; // it may keep the pointer for a later call
  LateLosses losses;
  Block accesses = accessesOf([&] {
    llvm::SaveAndRestore at(lateLosses, &losses);
    touchAll(reachable, isOwnCode, location, given, lent);
  });
  if (losses.all) forgetTables();
  if (losses.ofCallers) loseTablesOfCallers();
  host(reason, name, std::move(accesses), location);
  st.escaped.insert(given.begin(), given.end());
  st.lent.insert(lent.begin(), lent.end());
  for (const Reach &one : reachable) {
    escapeBehind(one.pointer.object);
    for (const std::string &source : copiedInto(one.pointer.object)) escapeBehind(source);
  }
  summary.doesOpaqueThings = true;
  for (const Reach &one : reachable)
    if (!one.pointer.object.empty() && !one.isCopy) {
      if (one.isConst && object(one.pointer.object).prefix.empty()) continue;
      const Object &target = object(one.pointer.object);
      if (target.array.isScalar() && target.prefix.empty()) clobber(one.pointer.object, location);
      const std::string &prefix = object(one.pointer.object).prefix;
      if (prefix.empty()) continue;
      std::vector<std::string> fields;
      for (auto &[field, value] : beginningWith(st.env.integers, prefix)) fields.push_back(field);
      for (auto &[field, value] : beginningWith(st.env.pointers, prefix)) fields.push_back(field);
      for (const std::string &field : fields) isOwnCode ? clobber(field, location) : clobberByUnseen(field, location);
      // What one of its pointers led to before was met, and may be known by other names since.
      bool isMet = llvm::any_of(beginningWith(st.objects, prefix),
                                [](const auto &known) { return known.second.array.storage == Storage::Alias; });
      if (!isOwnCode && !isInLoop() && !isMet && object(one.pointer.object).array.storage == Storage::Local)
        st.madeByUnseen.insert(one.pointer.object);
    }
  auto isGiven = [&](const std::string &name) {
    return llvm::any_of(reachable, [&](const Reach &one) {
      if (one.isConst || one.pointer.object.empty()) return false;
      const std::string &prefix = object(one.pointer.object).prefix;
      return one.pointer.object == name || (!prefix.empty() && llvm::StringRef(name).starts_with(prefix));
    });
  };
  isOwnCode ? loseTables(isGiven) : doubtTables(isGiven);
  isOwnCode ? clobberAddressTaken(location, true) : clobberAddressTakenByUnseen(location);
}

/// Is it a literal, or a constant of the function's own?
bool Walker::isOwnConstant(const std::string &name) const {
  auto found = st.objects.find(name);
  return found != st.objects.end() && found->second.isConstPointee && found->second.array.storage == Storage::Local &&
         found->second.prefix.empty() && !holdsPointers(found->second);
}

/// A struct whose fields have names is touched as far as the function has named it; what it names later stands behind
/// the marker, and callers hear of the rest (Summary::exposed).
bool Walker::touchFields(const Reach &one, Location location) {
  if (!isFollowedStruct(one.pointer.object)) return false;
  const Object &whole = object(one.pointer.object);
  const std::string prefix = whole.prefix;
  const bool isRead = one.isConst || one.isCopy;
  if (const Storage storage = whole.array.storage; storage != Storage::Local && storage != Storage::Heap) {
    summary.readsMemory = true;
    summary.writesMemory |= !isRead;
  }
  std::vector<std::string> fields;
  for (const auto &[name, field] : beginningWith(st.objects, prefix))
    if (field.isDeclared && field.isUsed && !isFollowedStruct(field) && !isBehindPointer(field, prefix))
      fields.push_back(name);
  const size_t findings = st.findings.size();
  for (const std::string &name : fields) {
    const Pointer all = wholeOf(name);
    wholeAccess(AccessKind::Read, all, std::nullopt, true, location);
    if (!isRead) wholeAccess(AccessKind::Write, all, std::nullopt, true, location);
  }
  st.findings.erase(st.findings.begin() + findings, st.findings.end());
  putMarker((isRead ? readAndBehind : behind) + prefix, location);
  touchSources(one.pointer.object, location);
  return true;
}

/// The structs that were copied into this one, and into those: what is behind their pointers is behind its own.
std::set<std::string> Walker::copiedInto(const std::string &name) const {
  std::set<std::string> sources;
  std::vector<std::string> open{name};
  auto add = [&](const std::set<std::string> &names) {
    for (const std::string &source : names)
      if (sources.insert(source).second) open.push_back(source);
  };
  while (!open.empty() && !st.copiedFrom.empty()) {
    const std::string next = open.back();
    open.pop_back();
    if (auto found = st.copiedFrom.find(next); found != st.copiedFrom.end()) add(found->second);
    if (auto whole = st.objects.find(next); whole != st.objects.end() && !whole->second.prefix.empty())
      for (const auto &[part, from] : beginningWith(st.copiedFrom, whole->second.prefix)) add(from);
  }
  return sources;
}

/// Whoever has the struct has what its sources' pointers lead to.
void Walker::touchSources(const std::string &name, Location location) {
  for (const std::string &source : copiedInto(name)) {
    putMarker(readAndBehind + object(source).prefix, location);
    st.givenByValue.insert(source);
  }
}

/// The accesses of touchReachable, and the objects it is given for good.
void Walker::touchAll(llvm::ArrayRef<Reach> reachable, bool isOwnCode, Location location,
                      std::vector<std::string> &given, std::vector<std::string> &lent) {
  for (const Reach &one : reachable) {
    if (one.pointer.object.empty()) continue;
    if (isOwnConstant(one.pointer.object)) { // nobody can write it, so whoever keeps it is of no interest
      wholeAccess(AccessKind::Read, one.pointer, std::nullopt, true, location);
      continue;
    }
    if (!one.isCopy) (one.isConst ? lent : given).push_back(one.pointer.object);
    else if (isFollowedStruct(one.pointer.object)) st.givenByValue.insert(one.pointer.object);
    if (touchFields(one, location)) continue;
    wholeAccess(AccessKind::Read, one.pointer, std::nullopt, true, location);
    if (!one.isConst) wholeAccess(AccessKind::Write, one.pointer, std::nullopt, true, location);
  }
  // What lies behind globals and behind the structs' own pointers, known so far or met later: see finish().
  auto marker = [&](const std::string &text) { putMarker(text, location); };
  useGlobals(isOwnCode, location);
  marker(isOwnCode ? everyStatic : everyGlobal);
  if (isInLoop()) marker(everyEscaped);
  GivenAway out{escapedAndPending(), st.lent, st.givenByValue};
  for (const Reach &one : reachable) {
    const std::string &object = one.pointer.object;
    if (object.empty()) continue;
    if (holdsPointers(object)) marker(behind + object + "[]"); // rows of a table, those that are met later included
    const std::string prefix = st.objects.at(object).prefix;
    if (prefix.empty()) continue;
    if (!isFollowedStruct(object)) marker(behind + prefix);
    for (const auto &[name, pointer] : beginningWith(st.env.pointers, prefix))
      if (!pointer.object.empty()) out.written.insert(pointer.object);
  }
  touchGivenAway(std::move(out), location);
}

/// Callers may use globals that this function does not name.
void Walker::useGlobals(bool isOwnCode, Location location) {
  const bool isDone = isOwnCode ? st.usesStatics : st.usesGlobals;
  for (const auto &[variable, global] : unit.globals) {
    clang::QualType type = variable->getType();
    bool isPointer = classOf(type) == TypeClass::Pointer;
    if ((isDone && !isPointer) || (!isOwnCode && isOutOfReach(variable))) continue;
    if (type.isConstQualified() && !isPointer) continue;
    Place place = placeOfVariable(variable, variable->getLocation());
    std::vector<Place> parts;
    if (classOf(type) == TypeClass::Record && !place.at.object.empty())
      collectFields(object(place.at.object).prefix, type, parts);
    else if (isPointer) parts.push_back(Place{readPointer(place.variable, type, location)});
    else parts.push_back(place);
    for (const Place &part : parts)
      if (st.objects.count(part.at.object)) object(part.at.object).isUsed = true;
  }
  st.usesGlobals = true;
  st.usesStatics |= isOwnCode;
}

/// What was given away before is touched again. Which objects that are is written down once; what lies behind their
/// pointers, and which of them the function uses, its end tells.
void Walker::touchGivenAway(GivenAway out, Location location) {
  const size_t findings = st.findings.size();
  for (const std::set<std::string> *names : {&out.written, &out.read})
    for (const std::string &name : *names) { // callers know a formal by its place
      auto found = st.objects.find(name);
      const bool isFormal = found != st.objects.end() && found->second.isDeclared &&
                            found->second.array.storage == Storage::Parameter && found->second.originPath.empty() &&
                            found->second.prefix.empty();
      if (isFormal) found->second.isUsed = true;
    }
  for (const std::string &name : out.written) {
    if (!st.isDeclared(name)) continue;
    const Storage storage = object(name).array.storage;
    if (storage != Storage::Local && storage != Storage::Heap) summary.readsMemory = summary.writesMemory = true;
    clobberBehind(name, location);
    if (holdsPointers(name) && !isFollowedStruct(name)) // its rows may lead elsewhere now
      wholeAccess(AccessKind::Write, wholeOf(name), std::nullopt, true, location);
  }
  st.findings.erase(st.findings.begin() + findings, st.findings.end());
  for (const std::string &name : out.read)
    if (st.isDeclared(name)) {
      const Storage storage = object(name).array.storage;
      summary.readsMemory |= storage != Storage::Local && storage != Storage::Heap;
    }
  for (const std::set<std::string> *names : {&out.written, &out.read})
    for (const std::string &name : *names)
      for (const std::string &source : copiedInto(name)) {
        out.copied.insert(source);
        st.givenByValue.insert(source);
      }
  auto known = llvm::find(llvm::reverse(givenAway), out);
  const size_t which = known != givenAway.rend() ? size_t(givenAway.rend() - known) - 1 : givenAway.size();
  if (which == givenAway.size()) givenAway.push_back(std::move(out));
  putMarker(givenBefore + std::to_string(which), location);
}

/// What it is given is all it touches. Arithmetic with times is no more than that.
void Walker::selfContainedCall(const Handover &given, const clang::FunctionDecl *callee, llvm::StringRef name,
                               Location location) {
  bool isClock = isOfChrono(callee) && name == "now", asks = asksPlainRange(callee);
  Block accesses = accessesOf([&] {
    for (const Reach &one : given.reachable) {
      if (one.pointer.object.empty()) continue;
      wholeAccess(AccessKind::Read, one.pointer, std::nullopt, true, location);
      if (!one.isConst && !asks) wholeAccess(AccessKind::Write, one.pointer, std::nullopt, true, location);
    }
  });
  if (isOfChrono(callee) && !isClock) {
    flush();
    for (Node &node : accesses) put(std::move(node));
  } else {
    if (auto why = whyKnownOnHost(name, isInLoop())) find(why->rule, location, why->message);
    host(isClock ? HostReason::Timing : HostReason::Library, name, std::move(accesses),
         location); // not opaque: it reaches nothing that others were lent
  }
  if (asks) return;
  auto isWritable = [](const clang::ParmVarDecl *formal) {
    return formal->getType()->isPointerType() && !formal->getType()->getPointeeType().isConstQualified();
  };
  const bool takesPointers = llvm::any_of(callee->parameters(), isWritable); // an iterator leads into its container
  for (const Reach &one : given.reachable) {
    if (one.isConst || one.isCopy || !st.objects.count(one.pointer.object)) continue;
    if (object(one.pointer.object).array.isScalar() && object(one.pointer.object).prefix.empty())
      clobber(one.pointer.object, location);
    const Object &target = object(one.pointer.object);
    const bool isStored =
        target.isLoaded && (target.isGlobal || !target.originPath.empty()); // behind a pointer that somebody has set
    if (takesPointers && (isStored || isAnything({one.pointer, context.CharTy}))) clobberSomewhere(location);
  }
  for (const std::string &variable : given.changed) clobber(variable, location);
}

std::optional<Value> Walker::opaqueCall(const clang::Expr *expr, llvm::ArrayRef<const clang::Expr *> arguments,
                                        const clang::FunctionDecl *callee, llvm::StringRef name, HostReason reason,
                                        bool isOwnCode) {
  Location location = locate(expr);
  Handover given;
  const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
  const auto *made = llvm::dyn_cast<clang::CallExpr>(expr);
  clang::QualType called = made && !callee ? made->getCallee()->getType() : clang::QualType(); // through a pointer
  if (!called.isNull() && called->isPointerType()) called = called->getPointeeType();
  const auto *prototype = called.isNull() ? nullptr : called->getAs<clang::FunctionProtoType>();
  for (unsigned k = 0; k < arguments.size(); ++k) {
    bool isDeclared = callee && k < callee->getNumParams();
    clang::QualType formal = isDeclared ? callee->getParamDecl(k)->getType() : arguments[k]->getType();
    if (prototype && k < prototype->getNumParams()) formal = prototype->getParamType(k);
    bool isObject = !callee && made && arguments[k] == objectOf(made); // `(s.*f)()`
    if (isObject && !formal->isPointerType()) formal = context.getLValueReferenceType(formal);
    if (method && k == callee->getNumParams()) { // the object, or a pointer to it
      clang::QualType self = method->isConst() ? formal.withConst() : formal;
      if (!formal->isPointerType()) formal = context.getLValueReferenceType(self);
      else if (method->isConst()) formal = context.getPointerType(formal->getPointeeType().withConst());
    }
    reachThrough(arguments[k], formal, given);
  }
  if (callee && isSelfContained(callee)) {
    selfContainedCall(given, callee, name, location);
    return classOf(expr->getType()) == TypeClass::Integer ? std::optional<Value>(unknownResult(expr, true))
                                                          : std::nullopt;
  }
  touchReachable(given.reachable, reason, name, location, isOwnCode || reason == HostReason::Recursion);
  // Code that is in sight, but not followed: it may well set pointers, and so may what a pointer calls.
  const bool isUnseen = callee && !(method && method->isVirtual()) && !callee->isDefined() && !unit.summaryOf(callee);
  if (!isUnseen) clobberSomewhere(location);
  for (const std::string &variable : given.changed) clobberGiven(variable, location);
  if (isUnseen && reason == HostReason::OpaqueCall && !isOwnCode)
    for (const Place &variable : given.pointers) takePointerOfUnseen(variable, location);
  if (classOf(expr->getType()) == TypeClass::Integer) return unknownResult(expr, !given.reachable.empty());
  return std::nullopt;
}

/// What unseen code may have kept pointers to, if it is asked for before a call; in a loop that is known at the end.
std::vector<skeleton::Exposure> Walker::exposedNow() {
  if (isInLoop()) return {{everyEscaped, false}};
  std::vector<skeleton::Exposure> result;
  const std::set<std::string> escaped = escapedAndPending();
  for (const std::string &name : escaped) result.push_back({name, false});
  for (const std::string &name : st.lent)
    if (!escaped.count(name)) result.push_back({name, true});
  return result;
}

/// The object that a callee's summary means by a formal, or by a path from one; empty if that is not known here.
std::string Walker::objectMeant(const std::pair<int, std::string> &key, llvm::ArrayRef<Pointer> arguments,
                                const std::optional<Pointer> &self, const NameOfExtra &nameOfExtra) {
  const auto &[position, suffix] = key;
  if (suffix.empty() && position >= 0) return position < int(arguments.size()) ? arguments[position].object : "";
  if (suffix.empty() && position == -1) return self ? self->object : "";
  std::optional<Place> actual = suffix.empty() ? std::nullopt : nameOfExtra(position, suffix);
  if (!actual) return "";
  if (!actual->variable.empty() && classOf(actual->type) == TypeClass::Integer)
    st.addressTaken.insert(actual->variable);
  auto pointer = st.env.pointers.find(actual->variable);
  return pointer != st.env.pointers.end() ? pointer->second.object : actual->at.object;
}

/// What the function gives to unseen code, as it is called here, with what is behind it: the function names no more of
/// its fields than it uses.
std::map<std::string, Walker::Exposed> Walker::exposedBy(const Summary &known, llvm::ArrayRef<Pointer> arguments,
                                                         const std::optional<Pointer> &self,
                                                         const NameOfExtra &nameOfExtra) {
  std::map<std::string, Exposed> all;
  auto add = [&](const std::string &name, bool isConst, bool isNamed) {
    auto [made, isNew] = all.try_emplace(name, Exposed{isConst, isNamed});
    made->second.isConst &= isConst;
    made->second.isNamed &= isNamed;
  };
  for (const auto &[key, isConst] : known.exposed) {
    const std::string name = objectMeant(key, arguments, self, nameOfExtra);
    if (name.empty() || !st.objects.count(name) || isOwnConstant(name)) continue;
    const bool isFormal = (key.second.empty() && key.first >= 0) || llvm::any_of(known.extras, [&](const auto &extra) {
                            return extra.position == key.first && extra.suffix == key.second &&
                                   extra.parameter.kind == skeleton::Parameter::Kind::Array;
                          });
    add(name, isConst, isFormal && !holdsPointers(name) && !isFollowedStruct(name));
    for (const std::string &one : behindStruct(name)) add(one, false, false);
    for (const std::string &source : copiedInto(name)) {
      add(source, true, false);
      for (const std::string &one : behindStruct(source)) add(one, false, false);
    }
  }
  return all;
}

/// What a called function gave to unseen code is given by its caller. The call says so itself of what the function does
/// not name.
void Walker::takeOverExposed(const std::map<std::string, Exposed> &exposed, skeleton::Call *made) {
  for (const auto &[name, one] : exposed) {
    if (!made) (one.isConst ? st.lent : st.escaped).insert(name);
    else if (!one.isNamed) made->exposed.push_back({name, one.isConst});
  }
}

/// The function copies a struct, of which it names some fields; so callers tell that it reads them all.
void Walker::readCopied(const std::string &name, Location location) {
  if (name.empty() || !st.isDeclared(name)) return;
  if (!isFollowedStruct(name)) return wholeAccess(AccessKind::Read, wholeOf(name), std::nullopt, true, location);
  putMarker(ownFields + object(name).prefix, location);
  if (auto key = keyOf(name)) summary.copied.insert(*key);
}

} // namespace busfare::frontend
