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
  for (const Reach &one : reachable) escapeBehind(one.pointer.object);
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

/// The accesses of touchReachable, and the objects it is given for good.
void Walker::touchAll(llvm::ArrayRef<Reach> reachable, bool isOwnCode, Location location,
                      std::vector<std::string> &given, std::vector<std::string> &lent) {
  for (const Reach &one : reachable) {
    if (one.pointer.object.empty()) continue;
    if (!one.isCopy) (one.isConst ? lent : given).push_back(one.pointer.object);
    wholeAccess(AccessKind::Read, one.pointer, std::nullopt, true, location);
    if (!one.isConst) wholeAccess(AccessKind::Write, one.pointer, std::nullopt, true, location);
  }
  // What lies behind globals and behind the structs' own pointers, known so far or met later: see finish().
  auto marker = [&](const std::string &text) {
    Access made;
    made.array = text;
    made.location = location;
    put(made);
  };
  for (const auto &[variable, global] : unit.globals) {
    // Callers may use those that this function does not name.
    clang::QualType type = variable->getType();
    bool isPointer = classOf(type) == TypeClass::Pointer;
    if (!isOwnCode && isOutOfReach(variable)) continue;
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
  marker(isOwnCode ? everyStatic : everyGlobal);
  if (isInLoop()) marker(everyEscaped);
  std::set<std::string> touched = escapedAndPending(), reached;
  for (const Reach &one : reachable) {
    if (one.pointer.object.empty() || object(one.pointer.object).prefix.empty()) continue;
    const std::string prefix = object(one.pointer.object).prefix;
    marker(behind + prefix);
    for (const auto &[name, pointer] : beginningWith(st.env.pointers, prefix))
      if (!pointer.object.empty()) touched.insert(pointer.object);
  }
  // A struct that was given away before: what its pointers lead to.
  std::set<std::string> kept = st.escaped;
  kept.insert(st.lent.begin(), st.lent.end());
  for (const std::string &name : kept)
    if (auto found = st.objects.find(name); found != st.objects.end() && !found->second.prefix.empty())
      marker(behind + found->second.prefix);
  // Rows of tables, those that are met later included.
  for (const Reach &one : reachable)
    if (!one.pointer.object.empty()) reached.insert(one.pointer.object);
  for (const std::set<std::string> *names : {&reached, &st.lent, &st.escaped})
    for (const std::string &name : *names)
      if (holdsPointers(name)) marker(behind + name + "[]");
  const size_t findings = st.findings.size();
  auto touch = [&](const std::string &name, AccessKind kind) {
    if (!st.isDeclared(name)) return;
    Pointer at;
    at.object = name;
    at.index.assign(object(name).array.extents.size(), std::nullopt);
    wholeAccess(kind, at, std::nullopt, true, location);
  };
  for (const std::string &name : touched) {
    touch(name, AccessKind::Read);
    touch(name, AccessKind::Write);
  }
  for (const std::string &name : st.lent)
    if (!touched.count(name)) touch(name, AccessKind::Read);
  st.findings.erase(st.findings.begin() + findings, st.findings.end());
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

/// What a called function gave to unseen code is given by its caller.
void Walker::takeOverExposed(const Summary &known, llvm::ArrayRef<Pointer> arguments,
                             llvm::function_ref<std::optional<Place>(int, const std::string &)> nameOfExtra) {
  for (const auto &[which, isConst] : known.exposed) {
    const auto &[position, suffix] = which;
    std::string name;
    if (suffix.empty()) {
      if (position >= 0 && position < int(arguments.size())) name = arguments[position].object;
    } else if (std::optional<Place> actual = nameOfExtra(position, suffix)) {
      if (!actual->variable.empty() && classOf(actual->type) == TypeClass::Integer)
        st.addressTaken.insert(actual->variable);
      auto pointer = st.env.pointers.find(actual->variable);
      name = pointer != st.env.pointers.end() ? pointer->second.object : actual->at.object;
    }
    if (!name.empty() && st.objects.count(name)) (isConst ? st.lent : st.escaped).insert(name);
  }
}

} // namespace busfare::frontend
