//===- skeleton/SharedBodies.cpp - One body for host statements that touch the same -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "skeleton/SharedBodies.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <unordered_map>

using namespace busfare::skeleton;

namespace {

/// Shorter ones are easier to read where they stand.
constexpr size_t leastAccesses = 16;

const Access &accessOf(const Node &node) { return std::get<Access>(node.kind); }

bool isBefore(const Node &a, const Node &b) { return isOrderedBefore(accessOf(a), accessOf(b)); }

/// The statement's accesses as others may have them; nothing if their order matters.
std::optional<Block> commonForm(const HostStatement &host) {
  Block first, rest;
  for (const Node &node : host.body) {
    const auto *access = std::get_if<Access>(&node.kind);
    if (!access) return std::nullopt;
    const bool isAny = isOfAnyElement(*access) && access->kind != AccessKind::Update;
    if (!isAny && access->kind != AccessKind::Read) return std::nullopt; // what is behind it may read it
    Node &copy = (isAny ? rest : first).emplace_back(node);
    if (access->location == host.location) std::get<Access>(copy.kind).location = Location();
  }
  llvm::stable_sort(rest, isBefore);
  rest.erase(std::unique(rest.begin(), rest.end()), rest.end());
  llvm::move(rest, std::back_inserter(first));
  return first;
}

size_t hashOf(const Block &body) {
  llvm::hash_code hash = llvm::hash_value(body.size());
  for (const Node &node : body)
    hash = llvm::hash_combine(hash, llvm::StringRef(accessOf(node).array), unsigned(accessOf(node).kind), node.path);
  return hash;
}

/// Statements that touch the same.
struct Alike {
  Block body;
  llvm::SmallVector<HostStatement *, 2> statements;
};

class Sharing {
public:
  void share() {
    for (auto &[hash, alikes] : known)
      for (Alike &alike : alikes) {
        if (alike.statements.size() < 2) continue;
        const SharedBlock body(std::move(alike.body));
        for (HostStatement *host : alike.statements) host->body = body;
      }
  }

  void add(HostStatement &host) {
    if (host.body.size() < leastAccesses) return;
    std::optional<Block> form = commonForm(host);
    if (!form) return;
    std::vector<Alike> &alikes = known[hashOf(*form)];
    auto same = llvm::find_if(alikes, [&](const Alike &alike) { return alike.body == *form; });
    if (same == alikes.end()) same = alikes.insert(alikes.end(), Alike{std::move(*form), {}});
    same->statements.push_back(&host);
  }

private:
  std::unordered_map<size_t, std::vector<Alike>> known;
};

} // namespace

void busfare::skeleton::shareBodies(Function &function) {
  Sharing sharing;
  forEachHostStatement(function.body, [&](HostStatement &host) { sharing.add(host); });
  sharing.share();
}

bool busfare::skeleton::isOrderedBefore(const Access &a, const Access &b) {
  auto keyOf = [](const Access &one) {
    return std::tie(one.array, one.kind, one.bytewise, one.part.offset, one.part.bytes, one.part.isExact, one.location);
  };
  return keyOf(a) < keyOf(b);
}

bool busfare::skeleton::isOfAnyElements(const Block &body) {
  return llvm::all_of(body,
                      [](const Node &node) {
                        const auto *access = std::get_if<Access>(&node.kind);
                        return access && isOfAnyElement(*access) && access->kind != AccessKind::Update;
                      }) &&
         llvm::is_sorted(body, isBefore);
}

Block busfare::skeleton::merged(const Block &a, const Block &b) {
  Block both;
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both), isBefore);
  return both;
}

std::optional<Block> busfare::skeleton::lacking(const Block &part, const Block &whole) {
  Block rest;
  auto next = part.begin();
  for (const Node &node : whole)
    if (next != part.end() && *next == node) ++next;
    else rest.push_back(node);
  return next == part.end() ? std::optional(std::move(rest)) : std::nullopt;
}
