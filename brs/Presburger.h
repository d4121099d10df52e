//===- brs/Presburger.h - Sets of integers, through isl ------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The one place that talks to isl. A PresburgerSet is a set of integer tuples
// (array elements; rank 0 = a mere condition) described by linear constraints over
// named values: sizes, loop indices, all by the name of their symbol.
//
//   s = elementAt({i + 1}) and 0 <= i and i <= n - 1      // { [x] : x = i + 1, 0 <= i < n }
//   s.projectOut("i")                                     // { [x] : 1 <= x <= n }
//
// min, max, floor division and modulo become pieces. A product of symbols enters as
// a named value of its own, `m*n`; what is known of it follows from its factors
// (`conditionOf`). As long as nobody projects out one of the factors that is exact;
// when somebody does, the product goes too and the answer is only an upper bound.
//
// Every question has a limit of isl operations, and a thread a budget of effort
// (EffortBudget). Past either, and on any error, the result is *unknown*: a set
// that is not known stays so through all operations, and every question about it
// answers Unknown. So nothing here is ever "empty" or "equal" by accident.
//
// Sets belong to the thread that made them.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_PRESBURGER_H
#define BUSFARE_BRS_PRESBURGER_H

#include "brs/Bounds.h"
#include "skeleton/Expr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

struct isl_set;

namespace busfare::brs {

class PresburgerSet {
public:
  PresburgerSet() = default; ///< Not known.
  static PresburgerSet universe(unsigned rank);
  static PresburgerSet empty(unsigned rank);
  /// Takes ownership; null = not known.
  static PresburgerSet take(isl_set *set);
  PresburgerSet(const PresburgerSet &other);
  PresburgerSet(PresburgerSet &&other) noexcept
      : form(std::exchange(other.form, Form::Unknown)), plainRank(other.plainRank),
        set(std::exchange(other.set, nullptr)) {}
  PresburgerSet &operator=(PresburgerSet other) noexcept {
    std::swap(form, other.form);
    std::swap(plainRank, other.plainRank);
    std::swap(set, other.set);
    return *this;
  }
  ~PresburgerSet();

  bool isKnown() const { return form != Form::Unknown; }
  unsigned rank() const;
  /// Seen at a glance; isEmpty looks closer.
  bool isPlainlyEmpty() const { return form == Form::Empty; }
  bool isPlainlyEverything() const { return form == Form::Universe; }

  /// Yes: no value of the names gives an element. No: some integer values do.
  Answer isEmpty() const;
  Answer isSubsetOf(const PresburgerSet &other) const;
  Answer isEqualTo(const PresburgerSet &other) const;
  /// Some point: the names' values, and the coordinates as "#0", "#1", ...
  std::optional<skeleton::Values> sample() const;

  PresburgerSet complement() const;
  /// With `from` called `to` (products with it too); `to` must be new.
  PresburgerSet rename(llvm::StringRef from, llvm::StringRef to) const;
  /// The union over all values of the symbol. Products with the symbol go too; then, if `precise` is given, it is
  /// cleared.
  PresburgerSet projectOut(llvm::StringRef symbol, bool *precise = nullptr) const;
  /// The intersection over all values of the symbol for which `range` (rank 0) holds.
  PresburgerSet forAll(llvm::StringRef symbol, const PresburgerSet &range) const;
  /// Only the condition under which there is an element: rank 0.
  PresburgerSet condition() const;
  /// The values that the first coordinate takes: rank 1.
  PresburgerSet firstCoordinate() const;
  /// The elements whose first coordinate is one of the values (rank 1).
  PresburgerSet whereFirstCoordinate(const PresburgerSet &values) const;
  /// The same set with fewer, simpler pieces.
  PresburgerSet coalesce() const;
  /// Simplified by what `context` (rank 0) says; equal to *this where context holds.
  PresburgerSet gist(const PresburgerSet &context) const;
  /// How many pieces it is stored as; 0 if not known.
  unsigned pieceCount() const;
  /// The pieces: convex, up to strides. Nothing if not known.
  std::optional<std::vector<PresburgerSet>> pieces() const;

  bool mentions(llvm::StringRef symbol) const;
  /// At a glance: No means that no product of symbols occurs.
  bool mayHaveProducts() const;
  /// Symbols and products of symbols that occur (or may; unused ones can be among them).
  std::set<skeleton::Expr> names() const;

  /// Tightest bounds of one coordinate as Exprs under context (rank 0): see PresburgerBounds.cpp for how pieces are
  /// joined. `tight`: equal to the bound everywhere, not only on the safe side.
  struct Bound {
    skeleton::Expr value;
    bool tight = true;
  };
  std::optional<Bound> lowerBound(unsigned dimension, const PresburgerSet &context) const;
  std::optional<Bound> upperBound(unsigned dimension, const PresburgerSet &context) const;
  /// The largest s such that the coordinate is always congruent to one value modulo s; 1 if none is seen, 0 if
  /// constant.
  int64_t stride(unsigned dimension) const;

  isl_set *raw() const; ///< Borrowed; null if not known.
  /// The same for copies, and different for sets that were made otherwise while both live. Null if not known.
  const void *identity() const;

private:
  /// Most sets of a program are everything or nothing (a scalar touched, a name untouched): those need no isl.
  enum class Form : unsigned char { Unknown, Empty, Universe, General };
  static PresburgerSet plain(Form form, unsigned rank);
  Form form = Form::Unknown;
  unsigned plainRank = 0;         ///< Of Empty and Universe.
  mutable isl_set *set = nullptr; ///< Of Empty and Universe: made when first asked for.
};

/// Ranks must agree, except that a rank 0 operand of intersect is a condition on the other.
PresburgerSet unite(const PresburgerSet &a, const PresburgerSet &b);
/// The union of two sets with few, simple pieces each (coalesce), as such a set again.
PresburgerSet uniteCoalesced(const PresburgerSet &a, const PresburgerSet &b);
PresburgerSet intersect(const PresburgerSet &a, const PresburgerSet &b);
PresburgerSet subtract(const PresburgerSet &a, const PresburgerSet &b);

/// The condition expr >= 0 (rank 0); not known if the Expr is poisoned.
PresburgerSet nonNegative(const skeleton::Expr &expr);
PresburgerSet equalZero(const skeleton::Expr &expr);
/// expr mod divisor == remainder (0 <= remainder < divisor).
PresburgerSet congruent(const skeleton::Expr &expr, int64_t divisor, int64_t remainder);
/// The one element with these subscripts; a missing one is any integer.
PresburgerSet elementAt(llvm::ArrayRef<std::optional<skeleton::Expr>> subscripts);
/// All elements x with lower <= x[d] <= upper and x[d] - lower divisible by step, for each dimension.
struct DimensionRange {
  std::optional<skeleton::Expr> lower, upper;
  int64_t step = 1;
};
PresburgerSet boxOf(llvm::ArrayRef<DimensionRange> ranges);

/// All facts, as a condition. Products that occur in the facts or in `names` get what follows from their factors.
PresburgerSet conditionOf(const Context &context, const std::set<skeleton::Expr> &names = {});
/// The same of those facts alone that share a symbol with the names, directly or through other facts. It is all there
/// is to know about the names, in few constraints.
PresburgerSet conditionOn(const std::set<skeleton::Expr> &names, const Context &context);

/// While it lives, the analyses of this thread may take so much effort; past it questions answer "unknown" and walks
/// end with what is safe. Effort is counted in steps, so that the same program gets the same answer on any machine;
/// should steps be ten times as slow as they are taken for, processor time ends it as well (not before a second is
/// over). A nested budget can only shorten the outer one.
class EffortBudget {
public:
  /// Of a usual processor of 2020; what is counted are steps. Infinite: whatever there is.
  explicit EffortBudget(double seconds);
  ~EffortBudget();
  EffortBudget(const EffortBudget &) = delete;
  EffortBudget &operator=(const EffortBudget &) = delete;
  /// Has anything under this budget been given up (a question that was too hard, or no effort left)?
  bool wasExceeded() const;

  /// While it lives, effort is taken from around the innermost budget, which must be the given one: for what others
  /// need, too.
  class Outer {
  public:
    explicit Outer(EffortBudget &budget);
    ~Outer();
    Outer(const Outer &) = delete;
    Outer &operator=(const Outer &) = delete;

  private:
    EffortBudget &budget;
    double deadline, begun;
    uint64_t lastStep, firstStep;
  };

private:
  double outerDeadline;
  uint64_t outerLastStep;
  bool outerExceeded;
};

/// Takes so many steps, and says whether the innermost budget is used up. For walks between questions, which must end
/// too; past the budget it counts as something given up.
bool effortIsSpent(unsigned steps = 0);
/// Seconds that the innermost budget has left; infinite without one. Where many questions share a budget, one that gets
/// a part of what is left leaves something for the others.
double effortLeft();
/// For a walk over nodes, at each of them.
inline constexpr unsigned stepsPerNode = 1;
/// Of this thread, ever.
uint64_t stepsSoFar();

} // namespace busfare::brs

#endif
