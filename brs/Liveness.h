//===- brs/Liveness.h - Is a value wanted from before, or afterwards? -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The two questions that decide whether each iteration of a loop may have its own
// copy of a variable: does an iteration read what was there before it, and does
// anybody read what the loop left behind?
//
//   for i { t = a[i]; b[i] = t*t }  return t
//     t: not exposed in an iteration, surely written by each, live after the loop
//
// Scalars are followed by a walk over names; arrays, and scalars under guards, by
// their effects (Effects.h). "Exposed" and "live" may be said too often, never too
// seldom; "surely written" the other way round.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_LIVENESS_H
#define BUSFARE_BRS_LIVENESS_H

#include "brs/Alias.h"
#include "brs/Effects.h"
#include "brs/Sites.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace busfare::brs {

class Liveness {
public:
  Liveness(const SiteTable &table, const Aliases &aliases, const Context &context, EffectsMemo &memo);
  ~Liveness();

  /// May one iteration of the loop read a value of the variable from before that iteration?
  bool mayReadOlder(size_t loop, const std::string &name);
  /// Does each iteration that is started surely write the scalar, or every element that the loop may write?
  bool isSurelyWritten(size_t loop, const std::string &name);
  /// May the value be read after the loop, or by the caller?
  bool mayBeLiveAfter(size_t loop, const std::string &name);

private:
  /// Names by their numbers (numberOf): a large function has hundreds, and each position of a block has its flow.
  using Names = llvm::BitVector;
  struct ScalarFlow {
    Names exposed;         ///< Read before they are surely written; arrays whenever read.
    Names must;            ///< Scalars surely written.
    bool anything = false; ///< An unresolved call: may read whatever there is.
    void addExposedBehind(const ScalarFlow &other);
  };
  enum class Next { Read, Overwritten, Untouched };

  const SiteTable &table;
  const Aliases &aliases;
  Context context;
  std::map<const skeleton::Block *, ScalarFlow> flows;
  std::map<const skeleton::Block *, std::map<size_t, ScalarFlow>> rests; ///< Of a block from that node on.
  std::map<const skeleton::Block *, std::unique_ptr<Effects>> effects;
  std::map<std::pair<const skeleton::Block *, size_t>, std::unique_ptr<Effects>> restEffects;
  EffectsMemo &memo;
  llvm::StringMap<unsigned> numbers;
  std::vector<std::string> names;                    ///< By number.
  std::vector<llvm::SmallVector<size_t, 4>> readers; ///< By number: the sites that read it, in order.
  std::vector<unsigned> together;                    ///< Numbers of the names that others may denote, too.
  Names isTogether;                                  ///< The same by number.
  struct Same {
    Names names, asked;
    bool isAlone = false; ///< No other name ever is.
    size_t compared = 0;  ///< How many of `together` sameAs has asked about.
  };
  std::map<unsigned, Same> same[2]; ///< By Where and number: the names asked about so far that may be the same.

  unsigned numberOf(llvm::StringRef name);
  Nest nestOf(llvm::ArrayRef<NestStep> steps) const;
  ScalarFlow flowOf(llvm::ArrayRef<skeleton::Node> nodes, const Nest &nest);
  const ScalarFlow &flowOfBlock(const skeleton::Block &block, const Nest &nest);
  const ScalarFlow &flowOfRest(const skeleton::Block &block, size_t position, const Nest &nest);
  void addNode(ScalarFlow &flow, const skeleton::Node &node, const Nest &nest);
  const ScalarFlow &flowOfBody(size_t loop);
  const Effects &effectsOfBody(const skeleton::Loop &loop, const Nest &nest);
  /// Does a read of `other` count as one of `name`? Inside the loop asked about, names that overlap only if a caller
  /// passes them so do not: the verdict lists that assumption.
  enum class Where { Inside, Outside };
  bool mayBeSame(const std::string &other, const std::string &name, Where where) const;
  Same &sameOf(const std::string &name, Where where);
  /// mayBeSame of the name with this number, asked once.
  bool isSame(unsigned other, const std::string &name, Where where);
  /// The names that it holds of.
  const Names &sameAs(const std::string &name, Where where);
  bool exposes(const ScalarFlow &flow, const std::string &name, Where where);
  bool exposes(const Effects &effects, const std::string &name, Where where);
  bool isReadOutside(size_t loop, size_t first, size_t end, const std::string &name);
  bool mayBeLiveAtEnd(const std::string &name) const;
  Next scalarNext(const LoopSite &loop, size_t level, const std::string &name);
  Next arrayNext(const LoopSite &loop, size_t level, const std::string &name);
  /// May the next turn of a loop around the one asked about read the value? Reads inside the latter do not count: this
  /// is asked only of variables of which its iterations read nothing older.
  bool mayReadAgain(size_t loop, size_t around, const std::string &name);
};

} // namespace busfare::brs

#endif
