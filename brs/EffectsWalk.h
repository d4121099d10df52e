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
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <memory>

namespace busfare::brs::effects {
using namespace skeleton;
using brs::unite;

/// An over-approximation. Always known: at worst everything.
struct May {
  PresburgerSet set;
  bool exact = true;
  bool tight = true; ///< As ElementSet::tight. Kept for reads and writes; whether a read is exposed is exact or not.

  May(PresburgerSet candidate, bool exact, unsigned rank) : May(std::move(candidate), exact, exact, rank) {}
  May(PresburgerSet candidate, bool exact, bool tight, unsigned rank)
      : set(std::move(candidate)), exact(exact), tight(exact || tight) {
    if (!set.isKnown()) {
      set = PresburgerSet::universe(rank);
      this->exact = this->tight = false;
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
  return May(unite(a.set, b.set), a.exact && b.exact, a.tight && b.tight, rank);
}

/// to = unite(to, more): through an unknown pointer all arrays are touched again and again, and most of it adds
/// nothing.
inline void add(May &to, const May &more, unsigned rank) {
  if (more.set.isPlainlyEmpty() || to.set.isPlainlyEverything()) {
    to.exact &= more.exact;
    to.tight &= more.tight;
  } else {
    to = unite(to, more, rank);
  }
}

/// to = unite(to, more), or as much of it as can be told; is it all?
inline bool addSurely(PresburgerSet &to, const PresburgerSet &more) {
  if (more.isPlainlyEmpty()) return true;
  PresburgerSet both = unite(to, more);
  bool isAll = both.isKnown();
  if (isAll) to = std::move(both);
  return isAll;
}

/// Places of nodes, or of the function: they outlive the walk.
using Places = llvm::SmallVector<const Location *, 1>;
void addLocations(Places &to, const Places &from);

/// The sets of one array, by a name on entry of the piece.
struct Sets {
  unsigned rank;
  May read, write, exposed;
  PresburgerSet mustWrite;
  PresburgerSet defined; ///< mustWrite, and what fresh memory left without an earlier value.
  bool mustExact = true; ///< mustWrite is all that is written.
  Places readAt, writtenAt, exposedAt;

  explicit Sets(unsigned rank)
      : rank(rank), read(rank), write(rank), exposed(rank), mustWrite(PresburgerSet::empty(rank)),
        defined(PresburgerSet::empty(rank)) {}
  /// What remains of them without effort: all of what is touched, nothing that is sure.
  void widen() {
    for (May *may : {&read, &write, &exposed})
      if (!may->set.isPlainlyEmpty()) *may = May(PresburgerSet::universe(rank), false, rank);
    mustExact &= writtenAt.empty();
    mustWrite = defined = PresburgerSet::empty(rank);
  }
  bool mention(llvm::StringRef symbol) const {
    return read.set.mentions(symbol) || write.set.mentions(symbol) || exposed.set.mentions(symbol) ||
           mustWrite.mentions(symbol) || defined.mentions(symbol);
  }
};

/// An array's place among those declared: names share long beginnings after Inline, and are slow to compare.
using Number = unsigned;

struct Piece {
  std::map<Number, Sets> arrays;
  std::map<std::string, std::string> exitNames; ///< As Effects::exitNames.
};

/// What of a subtree's accesses the walk sees.
enum class Seen { All, WritesOnly, Nothing };

/// What a function declares.
struct Declarations {
  std::vector<const Array *> arrays; ///< By their numbers.
  llvm::DenseMap<llvm::StringRef, Number> numbers;
  std::vector<bool> asked;                              ///< By their numbers: is anything to be said of them?
  std::vector<Number> objects; ///< All asked ones that an access through an unknown pointer may reach.
  std::map<std::string, std::string> owners; ///< ownerLoops.
  llvm::StringMap<std::vector<Number>> madeInLoop; ///< The same by the loop's index.
  bool typesMix; ///< The program's.
  /// only: these are asked; null: all are.
  Declarations(const Program &program, const Function &function, const std::set<std::string> *only);
  const std::string &nameOf(Number number) const { return arrays[number]->name; }
};

class Walk {
public:
  using Parts = llvm::ArrayRef<llvm::ArrayRef<Node>>;
  Walk(const Program &program, const Function &function, Parts parts, const Nest &nest, EffectsMemo::State &memo,
       const SideOnly &side, bool touchedOnly = false);
  Piece ofSequence(Parts parts);
  std::shared_ptr<const Piece> ofLoop(const Loop &loop);
  Effects publicForm(const Piece &piece) const;

private:
  const Function &function;
  EffectsMemo::State &memo;
  const Declarations &declared;
  SideOnly side;
  bool touchedOnly; ///< Neither what is exposed nor what is surely written is asked for: those sets stay empty.
  bool inKernel = false;
  const HostStatement *in = nullptr; ///< Whose accesses the walk is at.
  const Location *here = nullptr; ///< Where that stands, once its accesses are added to what is around it.
  std::map<std::string, std::vector<std::string>> groups;
  Context facts; ///< What holds where the walk stands.

  /// Accesses of the block so far that need not be looked at again: the same elements, read and written already.
  struct Done {
    struct Entry {
      const Access *access;
      bool reads, writes;
      bool isValue; ///< Of an alias: see isValueRead.
    };
    std::map<Number, std::vector<Entry>> byArray;
    llvm::DenseSet<const Block *> bodies; ///< Of host statements: to come by the same again adds nothing.
  };
  /// A load of one value, which what holds no values of its type cannot be.
  bool isValueRead(const Access &access) const { return !declared.typesMix && !in && readsValue(access); }
  bool isRepeated(const Access &access, Done &done) const;
  void addNodes(Piece &total, llvm::ArrayRef<Node> block, Done &done);
  Piece ofBlock(llvm::ArrayRef<Node> block) { return ofSequence(block); }
  std::shared_ptr<const Piece> ofBody(const HostStatement &host);
  void addHost(Piece &total, const HostStatement &host, Done &done);
  void addPlaces(Places &to, const Places &from) const;
  Piece anythingIn(llvm::ArrayRef<Node> block);
  /// Which kernels stand in a loop or branch, in the order of the text; none if only one side of the bus acts there.
  using KernelsInside = std::vector<const Loop *>;
  /// The piece of this loop or branch, which `make` makes if it is not known.
  std::shared_ptr<const Piece> kept(const void *node, KernelsInside kernels, llvm::function_ref<Piece()> make);
  std::shared_ptr<const Piece> findKept(const void *node, const KernelsInside &kernels) const;
  bool isKept(const Node &node) const;
  KernelsInside kernelsInside(const void *node, llvm::ArrayRef<llvm::ArrayRef<Node>> blocks) const;
  /// Nothing: it is not declared.
  std::optional<Number> numberOf(llvm::StringRef name) const;
  Sets &setsOf(Piece &piece, Number number) const;
  /// For numbers in rising order: `from` is where the one before was found, the piece's begin at first.
  Sets &setsOf(Piece &piece, Number number, std::map<Number, Sets>::iterator &from) const;
  Sets &setsOf(Piece &piece, const std::string &name) const;
  /// Of the accesses that stand here.
  Seen seenHere() const;
  /// What a kept piece depends on besides its node, the facts, and the kernels inside.
  unsigned aspect(const KernelsInside &kernels) const {
    constexpr unsigned sidesMix = 8, isTouchedOnly = 16;
    const unsigned seen = kernels.empty() ? unsigned(seenHere()) : sidesMix + side.device * 2 + side.withOthersWrites;
    return seen + (touchedOnly ? isTouchedOnly : 0);
  }
  Piece overLoop(const Loop &loop);

  std::shared_ptr<const Piece> ofNode(const Node &node);
  Piece ofAccess(const Access &access);
  std::shared_ptr<const Piece> ofBranch(const Branch &branch);
  Piece overBranch(const Branch &branch);
  Piece touchingEverything(const Location &location);
  void addWhole(Piece &piece, Number number, bool read, bool write, const Location &location) const;
  void append(Piece &total, const Piece &next) const;
  void addMaybe(Sets &sets, const Sets &next) const;
  void addAfter(Sets &sets, const Sets &next) const;
  void eliminateDefines(Piece &body, const Loop &loop) const;
  Piece turned(const Piece &body, const Loop &loop) const;
  PresburgerSet factsOnProducts(const PresburgerSet &set, const std::string &index) const;
  void overIterations(Sets &sets, const Loop &loop, const Iterations &iterations) const;
  void closeRuns(Piece &piece, const Loop &loop) const;
};

} // namespace busfare::brs::effects

namespace busfare::brs {

struct EffectsMemo::State {
  struct Kept {
    std::vector<skeleton::Expr> facts; ///< What held around the node.
    std::vector<const skeleton::Loop *> kernels; ///< Walk::KernelsInside
    std::shared_ptr<const effects::Piece> piece;
  };
  /// By Loop or Branch, and Walk::aspect. In the order in which they came (as PresburgerMemo).
  llvm::MapVector<std::pair<const void *, unsigned>, std::vector<Kept>> nodes;
  llvm::DenseMap<const void *, std::vector<const skeleton::Loop *>>
      loopsInside; ///< A Loop or Branch, in the order of the text.
  /// Of host statements' bodies, which several may have in common; and Walk::aspect.
  std::map<std::tuple<const skeleton::Function *, const skeleton::Block *, unsigned>,
           std::shared_ptr<const effects::Piece>>
      bodies;
  std::map<const skeleton::Function *, effects::Declarations> functions;
  std::optional<std::set<std::string>> only; ///< The arrays that are asked about; nothing: all.
  std::vector<std::unique_ptr<EffectsMemo>> narrowed; ///< EffectsMemo::about.

  const effects::Declarations &declared(const skeleton::Program &program, const skeleton::Function &function) {
    return functions.try_emplace(&function, program, function, only ? &*only : nullptr).first->second;
  }
};

} // namespace busfare::brs

#endif
