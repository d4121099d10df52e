//===- brs/EffectsWalk.h - The walk behind Effects ------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What Effects.cpp (statements, sequences, branches) and EffectsLoop.cpp (loops,
// rotations) share: the sets of a piece of a program while they are Presburger sets.
//
//   ofBlock({ write t[i]; read t[i] })    t: write = read = must = { i }, exposed = {}
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_EFFECTSWALK_H
#define BUSFARE_BRS_EFFECTSWALK_H

#include "brs/Domain.h"
#include "brs/Effects.h"
#include "brs/Owner.h"
#include "brs/Presburger.h"
#include "skeleton/Rotation.h"

namespace busfare::brs::effects {
using namespace skeleton;
using brs::unite;

/// An over-approximation. Always known: at worst everything.
struct May {
  PresburgerSet set;
  bool exact = true;

  May(PresburgerSet candidate, bool exact, unsigned rank) : set(std::move(candidate)), exact(exact) {
    if (!set.isKnown()) {
      set = PresburgerSet::universe(rank);
      this->exact = false;
    }
  }
  explicit May(unsigned rank) : set(PresburgerSet::empty(rank)) {}
  bool isEmpty() const { return set.isEmpty() == Answer::Yes; }
};

/// An under-approximation: what is not known is nothing.
inline PresburgerSet must(PresburgerSet candidate, unsigned rank) {
  return candidate.isKnown() ? candidate : PresburgerSet::empty(rank);
}

inline May unite(const May &a, const May &b, unsigned rank) {
  return May(unite(a.set, b.set), a.exact && b.exact, rank);
}

void addLocations(std::vector<Location> &to, const std::vector<Location> &from);

/// The sets of one array, by a name on entry of the piece.
struct Sets {
  unsigned rank;
  May read, write, exposed;
  PresburgerSet mustWrite;
  PresburgerSet defined; ///< mustWrite, and what fresh memory left without an earlier value.
  bool mustExact = true; ///< mustWrite is all that is written.
  std::vector<Location> readAt, writtenAt, exposedAt;

  explicit Sets(unsigned rank)
      : rank(rank), read(rank), write(rank), exposed(rank), mustWrite(PresburgerSet::empty(rank)),
        defined(PresburgerSet::empty(rank)) {}
};

struct Piece {
  std::map<std::string, Sets> arrays;
  std::map<std::string, std::string> exitNames; ///< As Effects::exitNames.
};

class Walk {
public:
  Walk(const Program &program, const Function &function, const Block &block, const Nest &nest)
      : program(program), function(function), owners(ownerLoops(function)), facts(nest.contextInside()) {
    for (std::vector<std::string> &group : rotatedTogether(block))
      for (const std::string &name : group)
        groups[name] = group;
  }
  Piece ofBlock(const Block &block);

private:
  const Program &program;
  const Function &function;
  std::map<std::string, std::string> owners;
  std::map<std::string, std::vector<std::string>> groups;
  Context facts; ///< What holds where the walk stands.

  unsigned rankOf(const std::string &name) const;
  Piece ofNode(const Node &node);
  Piece ofAccess(const Access &access);
  Piece ofBranch(const Branch &branch);
  Piece ofLoop(const Loop &loop);
  Piece touchingEverything(const Location &location);
  void addWhole(Piece &piece, const std::string &name, bool read, bool write, const Location &location) const;
  void append(Piece &total, const Piece &next) const;
  void addMaybe(Sets &sets, const Sets &next) const;
  void addAfter(Sets &sets, const Sets &next) const;
  void eliminateDefines(Piece &body, const Loop &loop) const;
  Piece turned(const Piece &body, const Loop &loop) const;
  PresburgerSet factsOnProducts(const PresburgerSet &set, const std::string &index) const;
  void overIterations(Sets &sets, const Loop &loop, const Iterations &iterations) const;
};

} // namespace busfare::brs::effects

#endif
