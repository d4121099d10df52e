//===- brs/PresburgerMemo.h - Questions that were asked before ------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An analysis asks isl the same again and again: hundreds of arrays are filled by loops
// over one range, a nest is looked at from inside and from outside, a fixed point is
// sought. Sets are shared, not copied, so the same question about the same sets is
// recognised by their addresses:
//
//   intersect(a, b)     asked before with these very two sets: its answer
//   nonNegative(n - 1)  the set made for this Expr before
//
// so that sets made in the same way are one set, whichever array they are about, and so
// are sets that have the same form (Memo::shared). (Hash consing, Ershov 1958.) What one
// analysis has found out, the next one of the thread knows: the same callee in another
// root, the same plan with other kernels. An answer given because no effort was left is
// not kept; one that was too hard for the limit of isl operations is until the analysis
// ends, and counts as given up again. Private to the Presburger*.cpp files; one for each
// thread.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_PRESBURGERMEMO_H
#define BUSFARE_BRS_PRESBURGERMEMO_H

#include "brs/PresburgerForm.h"
#include "brs/Section.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include <map>

namespace busfare::brs::form {

enum class Operation : unsigned char {
  Unite,
  Intersect,
  Subtract,
  Complement,
  ProjectOut,
  Rename,
  Condition,
  Coalesce,
  Gist,
  IsEmpty,
  IsSubset,
  IsEqual,
  LowerBound,
  UpperBound,
  Stride,
  UniteCoalesced
};

/// What is asked, of which sets.
struct Question {
  Operation operation = Operation::Unite;
  const void *a = nullptr, *b = nullptr; ///< PresburgerSet::identity.
  unsigned first = 0, second = 0;        ///< Symbols' numbers, or a dimension.
  friend bool operator==(const Question &, const Question &) = default;
};

} // namespace busfare::brs::form

namespace llvm {
template <> struct DenseMapInfo<busfare::brs::form::Question> {
  using Question = busfare::brs::form::Question;
  static Question getEmptyKey() { return {{}, DenseMapInfo<const void *>::getEmptyKey(), nullptr, 0, 0}; }
  static Question getTombstoneKey() { return {{}, DenseMapInfo<const void *>::getTombstoneKey(), nullptr, 0, 0}; }
  static unsigned getHashValue(const Question &q) {
    return unsigned(hash_combine(unsigned(q.operation), q.a, q.b, q.first, q.second));
  }
  static bool isEqual(const Question &a, const Question &b) { return a == b; }
};
} // namespace llvm

namespace busfare::brs::form {

/// A set as boxes (ElementSet::toSections), taken for exact.
struct BoxedSet {
  PresburgerSet set; ///< So that no other set gets its address.
  std::vector<std::optional<skeleton::Expr>> extents;
  std::vector<skeleton::Expr> facts;
  SectionSet boxes;
  bool gaveUp = false; ///< A question on the way was too hard.
};

/// Whatever the answer consists of.
struct Answered {
  PresburgerSet set;
  Answer answer = Answer::Unknown;
  std::optional<PresburgerSet::Bound> bound;
  int64_t number = 1;
  bool precise = true;
  bool gaveUp = false; ///< It was too hard.
};

class Memo {
public:
  Memo() { context(); } // isl's context is made first, so it goes after the sets in here.
  unsigned numberOf(llvm::StringRef symbol) { return symbols.try_emplace(symbol, symbols.size() + 1).first->second; }
  /// Null if the question is new. Takes a step.
  const Answered *find(const Question &question);
  void keep(const Question &question, const PresburgerSet &a, const PresburgerSet &b, const Answered &answered);
  /// What was too hard is asked again by the next one; everything else that is known stays so.
  void endAnalysis();
  /// The same set, if one of the same form was seen (PresburgerShared.cpp).
  PresburgerSet shared(PresburgerSet set);

  /// The conditions expr >= 0, and expr = 0.
  std::map<skeleton::Expr, PresburgerSet> nonNegatives, zeros;
  /// Boxes by lower bound, upper bound and step of each dimension.
  using BoxKey = std::vector<std::tuple<std::optional<skeleton::Expr>, std::optional<skeleton::Expr>, int64_t>>;
  std::map<BoxKey, PresburgerSet> boxes;
  /// By PresburgerSet::identity.
  llvm::DenseMap<const void *, std::vector<BoxedSet>> boxed;

private:
  struct Kept {
    Answered answered;
    PresburgerSet a, b; ///< So that no other set gets their addresses.
  };
  /// Forgotten in the order in which they came, not in that of addresses: what isl sets aside for later decides how
  /// many operations it takes.
  llvm::MapVector<Question, Kept> answers;
  llvm::StringMap<unsigned> symbols;
  llvm::StringMap<PresburgerSet> byForm;
};

/// This thread's.
Memo &memo();
/// What tells the set's form from others; nothing: it has none.
std::optional<std::string> textOf(isl_set *set);
/// How many questions of this thread were too hard so far.
uint64_t questionsGivenUp();
/// Notes that a question which had been too hard was asked once more.
void noteGivenUpBefore();

/// The answer to the question: as it was, or what `ask` fills in.
template <class Ask>
Answered remembered(const Question &question, const PresburgerSet &a, const PresburgerSet &b, Ask ask) {
  if (const Answered *known = memo().find(question)) return *known;
  Answered answered;
  if (!beginQuestion()) return answered;
  uint64_t before = questionsGivenUp();
  ask(answered);
  answered.gaveUp = questionsGivenUp() != before;
  if (!effortIsSpent()) // else perhaps it was left unanswered for that
    memo().keep(question, a, b, answered);
  return answered;
}
/// The same for an operation that gives a set.
template <class Ask>
PresburgerSet rememberedSet(Operation operation, const PresburgerSet &a, const PresburgerSet &b, unsigned first,
                            unsigned second, Ask ask) {
  return remembered({operation, a.identity(), b.identity(), first, second}, a, b,
                    [&](Answered &made) { made.set = ask(); })
      .set;
}

} // namespace busfare::brs::form

#endif
