//===- brs/ResidencyWalk.h - The walk that plans the copies of some arrays ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Residency.h says what it does. Residency.cpp holds single steps and their copies, ResidencyLoops.cpp how control goes
// through blocks, loops and branches.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_RESIDENCYWALK_H
#define BUSFARE_BRS_RESIDENCYWALK_H

#include "brs/Presburger.h"
#include "brs/Residency.h"

namespace busfare::brs::residency {
using namespace skeleton;

enum class Side { Host, Device };

/// The elements surely current on each side.
struct Validity {
  ElementSet onHost, onDevice;
  ElementSet &on(Side side) { return side == Side::Host ? onHost : onDevice; }
};
using State = std::map<std::string, Validity>;

/// What a plan does where it has a choice.
struct Manner {
  /// Before kernels that write some of a box, or write it under a condition, the device gets the rest of it. Where
  /// elements are current then does not depend on the condition, which no copy asks for.
  bool keepsUnwritten = false;
  /// Where kernels run on one side of a branch and the host on the other, the copies stand on the host's.
  bool sparesDevice = false;
};

class Walk {
public:
  Walk(const ResidencyQuestion &question, const std::vector<std::string> &names, EffortBudget &budget, Manner manner)
      : q(question), names(names), budget(budget), manner(manner), touches(q.touches, q.arrays, q.kernels, names) {}

  ResidencyPlan plan();
  /// Has sparesDevice come into it?
  bool hasSparedDevice() const { return hasSpared; }

private:
  const ResidencyQuestion &q;
  const std::vector<std::string> &names;
  EffortBudget &budget; ///< Of this walk.
  const Manner manner;
  bool hasSpared = false;
  Touches touches;
  std::map<std::string, ElementSet> bringInAtEntry; ///< Boxes a later copy needs whole; grows from round to round.
  std::map<std::string, Location> neededBackAt; ///< Where the first of these copies stands.
  bool grewBringIn = false;
  bool gaveUp = false; ///< A loop was not walked: there is no plan.
  std::set<std::string> unplaceable;
  unsigned silent = 0; ///< > 0 while a loop's fixed point is sought: nothing is recorded.
  std::map<std::string, ArrayCrossings> crossings;
  std::map<std::string, unsigned> lastOrder; ///< Of the copies in crossings.
  bool deviceWrote = false; ///< Some kernel before this point of the walk may have written some array of the group.
  std::set<std::string> writtenInexactly; ///< Some kernel's may-write is only a bound.
  /// Iterations of a loop that are walked on trial.
  struct Trial {
    const Loop *loop;
    Expr fact; ///< >= 0 in all of them.
    bool lacksCopy; ///< Something in them needs what is not there.
  };
  std::vector<Trial> trials;
  /// What walking a loop's body in silence came to. The loops around it walk it again and again, mostly from what they
  /// walked it from before: without this each level of nesting would multiply the walks.
  struct SilentWalk {
    State from, end;
    std::set<std::string> inexactBefore, inexactAfter; ///< writtenInexactly
    bool asked, grew; ///< Did it ask for more at the region's entry (askAtEntry)? For more than had been asked for?
    std::map<std::string, ElementSet> entryBefore, entryAfter; ///< bringInAtEntry, if it asked.
  };
  std::map<const Loop *, std::vector<SilentWalk>> silentWalks;
  bool asked = false; ///< Was askAtEntry called?

  unsigned rank(const std::string &name) const;
  const std::vector<std::optional<Expr>> &extents(const std::string &name) const;
  ElementSet everything(const std::string &name) const { return ElementSet::whole(rank(name)); }
  ElementSet nothing(const std::string &name) const { return ElementSet::empty(rank(name)); }

  const Effects &effects(const Node &node, const Nest &nest);
  /// What one side does below the node. With the other side's writes, `exposedRead` is what this side reads of values
  /// from before the node; without, the writes are this side's own.
  const Effects &effectsOfSide(const Node &node, const Nest &nest, Side side, bool withOthersWrites);

  /// Where a copy would stand.
  struct Place {
    const Nest &nest;
    const Node &node;
    bool after = false;
    Location at = locationOf(node);
  };
  void makeCurrent(Side side, const std::string &name, const ElementSet &need, const Reason &because,
                   const Place &place, State &state);
  bool copy(Side to, const std::string &name, const ElementSet &missing, const Reason &because, const Place &place,
            State &state);
  ElementSet movedBy(const SectionSet &boxes, const std::string &name) const;
  bool isCurrentBetween(const SectionSet &boxes, const std::string &name, const Context &context,
                        const ElementSet &current) const;
  void askAtEntry(const ElementSet &need, const Location &at, const Nest &nest);

  /// What was recorded since is taken back, unless it is kept.
  class Attempt {
  public:
    explicit Attempt(Walk &walk);
    ~Attempt();
    Attempt(const Attempt &) = delete;
    /// More would have to be on the device at the entry, or no copy helps.
    bool isInDoubt() const { return walk.grewBringIn || walk.unplaceable != unplaceable; }
    void keep() { isKept = true; }

  private:
    Walk &walk;
    bool isKept = false;
    const bool grewBringIn, deviceWrote;
    std::map<std::string, ArrayCrossings> crossings;
    std::map<std::string, unsigned> lastOrder;
    std::map<std::string, ElementSet> bringInAtEntry;
    std::set<std::string> unplaceable, writtenInexactly;
  };

  void walkBlock(const Block &block, size_t first, size_t end, const Nest &nest, State &state);
  void walkNode(const Node &node, const Nest &nest, State &state);
  bool copyInside(const Node &node, const Branch &branch, const Nest &nest, State &state);
  bool keepOnDevice(const Block &side, const Nest &nest, State &here, const State &other);
  void step(const Node &node, Side side, const Nest &nest, State &state);
  void leaveSomewhere(const Node &node, const Nest &nest, State &state);
  void walkMixedLoop(const Node &node, const Loop &loop, const Nest &nest, State &state);
  std::optional<State> afterIteration(const Loop &loop, const Nest &nest, const Expr &fact, const State &from);
  void leaveTurns(const Loop &loop, const Nest &nest, State before, State &state);
  Context contextIn(const Nest &nest) const;
  bool isOnlyRead(const Node &node) const;
  void bringInBefore(const Node &node, const Loop &loop, const Nest &nest, State &state);
  State endOfBody(const Loop &loop, const Nest &nest, State state);
  State silentlyOverBody(const Loop &loop, const Nest &nest, State state);
  /// Of what is current at the end of an iteration: what is at the end of each.
  State afterEveryIteration(State end, const Loop &loop, const Nest &nest) const;
  /// Is what is current in `state` current there, too?
  bool holds(const State &state, const State &where) const;
  ElementSet inEveryIteration(const ElementSet &set, const std::string &name, const Loop &loop, const Nest &nest) const;
  void rotate(const Rotate &rotation, State &state) const;
  void meet(State &state, const State &other) const;
};

} // namespace busfare::brs::residency

#endif
