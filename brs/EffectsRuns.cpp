//===- brs/EffectsRuns.cpp - Effects of loops that leave no gaps ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/DenseRuns.h"
#include "brs/EffectsWalk.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::brs::effects {

namespace {
/// The accesses below a loop, by array, if that is all that touches their arrays there.
class DirectAccesses {
public:
  struct One {
    const Access *access;
    std::vector<const Loop *> loops; ///< Outermost first.
    bool isGuarded;
  };
  std::map<std::string, std::vector<One>> byArray;
  std::set<std::string> defined; ///< Symbols that have another value in each iteration.
  bool isComplete = true;        ///< Nothing touches arrays without naming them.

  explicit DirectAccesses(const Loop &loop) { add(loop, false); }

  /// Are the subscript and the loops' bounds made of nothing that an iteration defines?
  bool isSteady(const One &one) const {
    auto isDefined = [&](const Expr &expr) {
      return llvm::any_of(expr.symbols(), [&](const std::string &symbol) { return defined.count(symbol) != 0; });
    };
    bool isSteady = true;
    forEachSubscriptExpr(*one.access, [&](const Expr &expr) { isSteady &= !isDefined(expr); });
    return isSteady &&
           llvm::none_of(one.loops, [&](const Loop *loop) { return isDefined(loop->lower) || isDefined(loop->upper); });
  }

private:
  std::vector<const Loop *> loops;

  void add(const Loop &loop, bool isGuarded) {
    loops.push_back(&loop);
    addAll(loop.body, isGuarded);
    loops.pop_back();
  }
  void addAll(const Block &block, bool isGuarded) {
    for (const Node &node : block) {
      if (const auto *access = std::get_if<Access>(&node.kind)) {
        byArray[access->array].push_back({access, loops, isGuarded});
      } else if (const auto *inner = std::get_if<Loop>(&node.kind)) {
        add(*inner, isGuarded);
      } else if (const auto *branch = std::get_if<Branch>(&node.kind)) {
        addAll(branch->then, true);
        addAll(branch->otherwise, true);
      } else if (const auto *define = std::get_if<Define>(&node.kind)) {
        defined.insert(define->symbol);
      } else {
        isComplete &= std::holds_alternative<Operations>(node.kind);
      }
    }
  }
};
} // namespace

/// Arrays walked flat, whose sets have become too large because strides or extents are symbols: precisely what the
/// loops touch together.
void Walk::closeRuns(Piece &piece, const Loop &loop) const {
  const bool isNest = llvm::any_of(loop.body, [](const Node &node) { return std::holds_alternative<Loop>(node.kind); });
  auto isOpen = [&](const Sets &sets) {
    return (sets.rank > 1 || (sets.rank == 1 && isNest)) && !(sets.read.tight && sets.write.tight);
  };
  const bool seesAll = !side.kernels || (inKernel && side.device);
  if (!seesAll || llvm::none_of(piece.arrays, [&](const auto &one) { return isOpen(one.second); })) return;
  const DirectAccesses direct(loop);
  auto isAlias = [&](const auto &one) {
    std::optional<Number> number = numberOf(one.first);
    return !number || declared.arrays[*number]->storage == Storage::Alias;
  };
  if (!direct.isComplete || llvm::any_of(direct.byArray, isAlias)) return;
  for (auto &[number, sets] : piece.arrays) {
    auto accesses = direct.byArray.find(declared.nameOf(number));
    if (!isOpen(sets) || accesses == direct.byArray.end()) continue;
    const unsigned rank = sets.rank;
    std::optional<PresburgerSet> read = PresburgerSet::empty(rank), written = PresburgerSet::empty(rank);
    for (const DirectAccesses::One &one : accesses->second) {
      const Access &access = *one.access;
      const bool reads = access.kind != AccessKind::Write, writes = access.kind != AccessKind::Read;
      std::optional<PresburgerSet> run;
      const bool isPlain = !access.may && !one.isGuarded && (!writes || overwrites(access));
      if (isPlain && direct.isSteady(one)) run = denseRun(access, *declared.arrays[number], one.loops, facts);
      auto take = [&](std::optional<PresburgerSet> &all) {
        if (all && run) all = unite(*all, *run);
        if (!run || !all->isKnown()) all = std::nullopt;
      };
      if (reads) take(read);
      if (writes) take(written);
    }
    if (read && !sets.read.tight) {
      sets.read = May(*read, true, rank);
      if (sets.writtenAt.empty() && !touchedOnly) sets.exposed = sets.read;
    }
    if (!written || sets.write.tight) continue;
    sets.write = May(*written, true, rank);
    if (!touchedOnly) {
      sets.mustWrite = *written;
      sets.mustExact = true;
      addSurely(sets.defined, *written);
    }
  }
}

} // namespace busfare::brs::effects
