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

std::optional<size_t> placeOfGiven(llvm::StringRef array) {
  size_t place = 0;
  return array.consume_front(givenBefore) && !array.getAsInteger(10, place) ? std::optional(place) : std::nullopt;
}

bool isBehindPointer(const Object &object, llvm::StringRef prefix) {
  return object.isLoaded || object.bytes || llvm::StringRef(object.array.name).substr(prefix.size()).contains("->");
}

/// What a stand-in stands for, now that the function has been walked to its end. Code has many, and they are few.
const Walker::StandsFor &Walker::meantBy(const std::string &marker, bool isMessage) {
  auto [known, isNew] = standIns.try_emplace({marker, isMessage});
  if (!isNew) return known->second;
  const std::optional<size_t> isGivenBefore = placeOfGiven(marker);
  const bool isEver = marker == everyEscaped;
  GivenAway out;
  if (isGivenBefore) out = givenAway[*isGivenBefore];
  if (isEver) // a wait says itself what this function's own nonblocking calls receive
    out = {isMessage ? st.escaped : escapedAndPending(true), st.lent, givenAsCopies()};
  // A struct that is known stands for its fields, and for what lies behind them.
  auto prefixesOf = [&](const std::set<std::string> &names) {
    std::vector<std::string> prefixes;
    for (const std::string &name : names)
      if (auto found = st.objects.find(name); found != st.objects.end() && !found->second.prefix.empty())
        prefixes.push_back(found->second.prefix);
    return prefixes;
  };
  const std::vector<std::string> written = prefixesOf(out.written), read = prefixesOf(out.read),
                                 copied = prefixesOf(out.copied);
  auto isPartOf = [](const Object &one, llvm::ArrayRef<std::string> structs, bool onlyBehind = false) {
    return llvm::any_of(structs, [&](const std::string &prefix) {
      return llvm::StringRef(one.array.name).starts_with(prefix) && (!onlyBehind || isBehindPointer(one, prefix));
    });
  };
  std::set<std::string> &all = known->second.all, &lent = known->second.lent;
  for (const std::string &name : st.objectOrder) {
    const Object &one = st.objects[name];
    bool isField = !one.prefix.empty() && one.array.extents.empty();
    if (!one.isUsed || isField) continue;
    if (one.array.storage == Storage::Alias && one.array.mayBe.empty()) { // may be what it reaches
      if (!llvm::StringRef(marker).starts_with(ownFields)) all.insert(name);
      else if (one.isWritten) lent.insert(name);
    }
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
    } else if (isEver || isGivenBefore) {
      if (isReached(name, out.written) || isPartOf(one, written) || isPartOf(one, read, true) ||
          isPartOf(one, copied, true))
        all.insert(name);
      else if (!one.rowsOf.empty() && isReached(name, out.read))
        all.insert(name); // the table is lent, not what it leads to
      else if (out.read.count(name) || isPartOf(one, read)) lent.insert(name);
    } else if (llvm::StringRef prefix = marker; prefix.consume_front(readAndBehind)) {
      if (llvm::StringRef(name).starts_with(prefix)) (isBehindPointer(one, prefix) ? all : lent).insert(name);
    } else if (prefix.consume_front(ownFields)) {
      if (llvm::StringRef(name).starts_with(prefix) && !isBehindPointer(one, prefix)) lent.insert(name);
    } else if (prefix.consume_front(behind) ? llvm::StringRef(name).starts_with(prefix) : isPendingLater(marker, name))
      all.insert(name);
  }
  return known->second;
}

/// Is it one of these objects, or named after one that is a struct?
bool Walker::isPartOfAny(const std::string &name, const std::set<std::string> &objects) const {
  return llvm::any_of(objects, [&](const std::string &whole) {
    if (whole == name) return true;
    auto found = st.objects.find(whole);
    return found != st.objects.end() && !found->second.prefix.empty() &&
           llvm::StringRef(name).starts_with(found->second.prefix);
  });
}

/// Structs of which unseen code has copies by the function's end.
std::set<std::string> Walker::givenAsCopies() const {
  std::set<std::string> all = st.givenByValue;
  for (const std::set<std::string> *names : {&st.givenByValue, &st.lent, &st.escaped})
    for (const std::string &name : *names)
      for (const std::string &source : copiedInto(name)) all.insert(source);
  return all;
}

/// Reads in place of each stand-in for the fields of a struct that is copied.
void Walker::expandCopied(Block &block) {
  auto isStandIn = [](const Node &node) {
    const auto *access = std::get_if<Access>(&node.kind);
    return access && llvm::StringRef(access->array).starts_with(ownFields);
  };
  if (llvm::none_of(block, isStandIn)) return;
  Block expanded;
  for (Node &node : block) {
    if (!isStandIn(node)) {
      expanded.push_back(std::move(node));
      continue;
    }
    const auto copied = std::get<Access>(node.kind);
    for (const std::string &name : meantBy(copied.array, false).lent) expanded.push_back(wholeOf(name, copied));
  }
  block = std::move(expanded);
}

/// The stand-in is put where the walk is.
void Walker::putMarker(const std::string &text, Location location) {
  Access made;
  made.array = text;
  made.location = location;
  put(made);
}

/// Any element of the object.
Pointer Walker::wholeOf(const std::string &name) const {
  Pointer all;
  all.object = name;
  if (auto found = st.objects.find(name); found != st.objects.end())
    all.index.assign(found->second.array.extents.size(), std::nullopt);
  return all;
}

/// The same access, if to any part of another object.
Node Walker::wholeOf(const std::string &name, Access access) const {
  access.array = name;
  access.may = true;
  access.subscripts.assign(st.objects.at(name).array.extents.size(), Subscript());
  return Node(access);
}

/// Replaces the stand-ins in host statements by accesses to the arrays the function turned out to use.
void Walker::expandReach(Block &block) {
  expandCopied(block);
  for (Node &node : block) {
    if (auto *loop = std::get_if<skeleton::Loop>(&node.kind)) expandReach(loop->body);
    if (auto *branch = std::get_if<skeleton::Branch>(&node.kind))
      expandReach(branch->then), expandReach(branch->otherwise);
    if (auto *call = std::get_if<skeleton::Call>(&node.kind)) expandExposed(*call);
    auto *host = std::get_if<skeleton::HostStatement>(&node.kind);
    if (!host) continue;
    Block body;
    std::set<std::string> named, read, wanted, lent;
    for (Node &inner : host->body.edit()) {
      auto *access = std::get_if<Access>(&inner.kind);
      bool isMarker = access && llvm::StringRef(access->array).starts_with("?");
      if (!isMarker) {
        if (access && access->kind == AccessKind::Write) named.insert(access->array);
        if (access && access->kind == AccessKind::Read && access->may) read.insert(access->array);
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
        const bool isDone = kind == AccessKind::Read && read.count(name);
        if (isDone || (isLent && kind == AccessKind::Write)) continue;
        Access made;
        made.kind = kind;
        made.location = host->location;
        body.push_back(wholeOf(name, made));
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
    for (const std::string &name : givenAsCopies()) add(name, true);
    for (const std::string &name : escapedAndPending(true)) add(name, false);
  }
  call.exposed.clear();
  for (const auto &[name, isConst] : all) call.exposed.push_back({name, isConst});
}

/// What callers know the object by (as ExtraFormal); nothing if they do not.
std::optional<std::pair<int, std::string>> Walker::keyOf(const std::string &name) const {
  if (name == "this") return std::pair(-1, std::string());
  for (unsigned k = 0; k < function->getNumParams(); ++k)
    if (auto named = st.names.find(function->getParamDecl(k)); named != st.names.end() && named->second == name)
      return std::pair(int(k), std::string());
  auto found = st.objects.find(name);
  if (found == st.objects.end() || found->second.origin == -3 || found->second.originPath.empty()) return std::nullopt;
  return std::pair(found->second.origin, found->second.originPath);
}

/// For callers: which of what they gave this function unseen code may have kept.
void Walker::noteExposed() {
  auto note = [&](const std::string &name, bool isConst) {
    if (auto key = keyOf(name)) summary.exposed.insert({*key, isConst});
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
  for (const std::string &name : givenAsCopies()) note(name, true);
}

} // namespace busfare::frontend
