//===- clang-plugin/walk/Reach.cpp - What code that is not seen can get at -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Calls of functions nobody has seen stand in the skeleton with stand-ins for all they
// may reach: every global, what lies behind a struct, what got out by the end of the
// function. What that is, is known only when the function has been walked to its end.
//
//   keep(s); ...; other();      other may read and write s->n, and s->a[...]
//
//===----------------------------------------------------------------------===//
#include "StandIns.h"
#include "Walk.h"

namespace busfare::frontend {

/// Memory that a field of the struct with this prefix points to: not const, although the struct may be.
static bool isBehindPointer(const Object &object, llvm::StringRef prefix) {
  return object.isLoaded || object.bytes || llvm::StringRef(object.array.name).substr(prefix.size()).contains("->");
}

/// What a stand-in stands for, now that the function has been walked to its end. Code has many, and they are few.
const Walker::StandsFor &Walker::meantBy(const std::string &marker, bool isMessage) {
  auto [known, isNew] = standIns.try_emplace({marker, isMessage});
  if (!isNew) return known->second;
  // A wait says itself what this function's own nonblocking calls receive.
  const std::set<std::string> escaped = isMessage ? st.escaped : escapedAndPending(true);
  // A struct that is known stands for its fields, and for what lies behind them.
  auto isPartOf = [&](const std::string &name, const Object &one, const std::set<std::string> &structs,
                      bool onlyBehind = false) {
    return llvm::any_of(structs, [&](const std::string &whole) {
      auto found = st.objects.find(whole);
      if (found == st.objects.end() || found->second.prefix.empty() ||
          !llvm::StringRef(name).starts_with(found->second.prefix))
        return false;
      return !onlyBehind || isBehindPointer(one, found->second.prefix);
    });
  };
  std::set<std::string> &all = known->second.all, &lent = known->second.lent;
  for (const std::string &name : st.objectOrder) {
    const Object &one = st.objects[name];
    bool isField = !one.prefix.empty() && one.array.extents.empty();
    if (!one.isUsed || isField) continue;
    if (one.array.storage == Storage::Alias && one.array.mayBe.empty()) all.insert(name); // may be what it reaches
    if (marker == everyGlobal || marker == everyStatic) {
      const std::string root = rootOf(name); // whoever has the table has its rows
      llvm::StringRef base = llvm::StringRef(root).split('.').first;
      auto found = unit.globalNames.find(root);
      if (found == unit.globalNames.end() && !base.contains("->")) found = unit.globalNames.find(base.str());
      const clang::VarDecl *variable = found == unit.globalNames.end() ? nullptr : found->second;
      bool isPointer = variable && classOf(variable->getType()) == TypeClass::Pointer;
      bool isSafe = variable && ((variable->getType().isConstQualified() && !isPointer) ||
                                 (marker == everyGlobal && isOutOfReach(variable)));
      if (st.objects[root].isGlobal && !isSafe) all.insert(name);
    } else if (marker == everyEscaped) {
      if (isReached(name, escaped) || isPartOf(name, one, escaped) || isPartOf(name, one, st.lent, true))
        all.insert(name);
      else if (!one.rowsOf.empty() && isReached(name, st.lent))
        all.insert(name); // the table is lent, not what it leads to
      else if (st.lent.count(name) || isPartOf(name, one, st.lent)) lent.insert(name);
    } else if (llvm::StringRef(marker).starts_with(behind)
                   ? llvm::StringRef(name).starts_with(marker.substr(strlen(behind)))
                   : isPendingLater(marker, name))
      all.insert(name);
  }
  return known->second;
}

/// Replaces the stand-ins in host statements by accesses to the arrays the function turned out to use.
void Walker::expandReach(Block &block) {
  for (Node &node : block) {
    if (auto *loop = std::get_if<skeleton::Loop>(&node.kind)) expandReach(loop->body);
    if (auto *branch = std::get_if<skeleton::Branch>(&node.kind))
      expandReach(branch->then), expandReach(branch->otherwise);
    if (auto *call = std::get_if<skeleton::Call>(&node.kind)) expandExposed(*call);
    auto *host = std::get_if<skeleton::HostStatement>(&node.kind);
    if (!host) continue;
    Block body;
    std::set<std::string> named, wanted, lent;
    for (Node &inner : host->body) {
      auto *access = std::get_if<Access>(&inner.kind);
      bool isMarker = access && llvm::StringRef(access->array).starts_with("?");
      if (!isMarker) {
        if (access && access->kind == AccessKind::Write) named.insert(access->array);
        body.push_back(std::move(inner));
        continue;
      }
      const StandsFor &meant = meantBy(access->array, host->reason == HostReason::Message);
      wanted.insert(meant.all.begin(), meant.all.end());
      lent.insert(meant.lent.begin(), meant.lent.end());
    }
    std::set<std::string> mayWrite = wanted;
    wanted.insert(lent.begin(), lent.end());
    for (const std::string &name : wanted) {
      Object &one = st.objects[name];
      if (named.count(name) || !one.isUsed) continue;
      bool isLent = !mayWrite.count(name);
      for (AccessKind kind : {AccessKind::Read, AccessKind::Write}) {
        if (isLent && kind == AccessKind::Write) continue;
        Access made;
        made.kind = kind;
        made.array = name;
        made.may = true;
        made.subscripts.resize(one.array.extents.size());
        made.location = host->location;
        body.push_back(made);
      }
      one.isWritten |= !isLent;
    }
    host->body = std::move(body);
  }
}

/// What unseen code comes to by an object: itself, what its fields name, rows; and only what the function uses.
const std::vector<Walker::Reached> &Walker::reachedBy(const std::string &name) {
  auto [known, isNew] = reached.try_emplace(name);
  if (!isNew) return known->second;
  const std::string prefix = st.objects[name].prefix;
  for (const std::string &other : st.objectOrder) {
    const Object &one = st.objects[other];
    if (!one.isUsed || !one.prefix.empty()) continue;
    const bool isRow = other != name && !one.rowsOf.empty() && isReached(other, {name});
    if (other != name && !isRow && (prefix.empty() || !llvm::StringRef(other).starts_with(prefix))) continue;
    known->second.push_back({other, !isRow && (other == name || !isBehindPointer(one, prefix))});
  }
  return known->second;
}

void Walker::expandExposed(skeleton::Call &call) {
  std::map<std::string, bool> all; // -> read only
  auto add = [&](const std::string &name, bool isConst) {
    for (const auto &[other, isItself] : reachedBy(name)) {
      const bool isRead = isConst && isItself;
      auto [known, isNew] = all.try_emplace(other, isRead);
      known->second &= isRead;
      if (!isRead) st.objects[other].isWritten = true;
    }
  };
  for (const skeleton::Exposure &one : call.exposed) {
    if (one.array != everyEscaped) {
      add(one.array, one.isConst);
      continue;
    }
    for (const std::string &name : st.lent) add(name, true);
    for (const std::string &name : escapedAndPending(true)) add(name, false);
  }
  call.exposed.clear();
  for (const auto &[name, isConst] : all) call.exposed.push_back({name, isConst});
}

/// For callers: which of what they gave this function unseen code may have kept.
void Walker::noteExposed() {
  auto note = [&](const std::string &name, bool isConst) {
    if (name == "this") summary.exposed.insert({{-1, ""}, isConst});
    for (unsigned k = 0; k < function->getNumParams(); ++k)
      if (nameOf(function->getParamDecl(k)) == name) summary.exposed.insert({{int(k), ""}, isConst});
    if (const Object &one = st.objects[name]; one.origin != -3 && !one.originPath.empty())
      summary.exposed.insert({{one.origin, one.originPath}, isConst});
  };
  for (const std::string &name : st.addressTaken) // of integers
    if (auto origin = st.fieldOrigins.find(name);
        origin != st.fieldOrigins.end() && classOf(origin->second.type) == TypeClass::Integer)
      summary.exposed.insert({{origin->second.position, origin->second.suffix}, false});
  std::set<std::string> escaped = st.escaped;
  for (const Environment &env : returns)
    for (unsigned one : env.inFlight) escaped.insert(st.receives[one].object);
  for (const std::string &name : escaped) {
    note(name, false);
    if (st.objects.count(name) && st.objects[name].isGlobal) unit.pendingGlobals.insert(name);
  }
  for (const std::string &name : st.lent) note(name, true);
}

} // namespace busfare::frontend
