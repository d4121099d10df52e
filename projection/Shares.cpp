//===- projection/Shares.cpp - How often a branch is taken ---------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A conjunction of conditions that are linear in a loop's index holds over a range of
// its iterations, one of remainders of the index comes again with a period. So the share
// is counted by ranges and periods, however many iterations there are:
//
//   for i = 0 .. 1e9 { if i >= 10 and i <= 19 }         10 of 1e9 + 1
//   for t = 0 .. 999 { if t mod 100 = 0 or t = 999 }    11 of 1000
//
// Anything else (i*i, i / 2) is asked of the iterations one by one, of the first ones if
// there are many.
//
//===----------------------------------------------------------------------===//
#include "projection/Shares.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

namespace busfare::projection {
using namespace skeleton;

bool mentions(const Condition &condition, llvm::StringRef symbol) {
  return llvm::any_of(condition.anyOf, [&](const std::vector<Expr> &all) {
    return llvm::any_of(all, [&](const Expr &e) { return e.mentions(symbol); });
  });
}

namespace {

/// Iterations that are asked one by one.
constexpr int64_t mostAsked = 20000;

/// Iterations first .. last, counted from 0.
struct IterationRange {
  double first = 0, last = -1;
  double length() const { return std::max(0.0, last - first + 1); }
};

/// The iterations whose index is lower + step * k.
struct Counter {
  double lower, step, trips;
};

/// Where it is at least 0. Nothing: it is not linear in the index.
std::optional<IterationRange> whereNonNegative(const Expr &expr, const Counter &counter, llvm::StringRef index,
                                               const RealValues &values) {
  const IterationRange all{0, counter.trips - 1}, none;
  const std::optional<Expr> coefficient = expr.coefficientOf(index);
  if (!coefficient) return std::nullopt;
  // A value that is not known counts as 0, as shareOf has it of the whole.
  const std::optional<double> factor = coefficient->evaluateReal(values),
                              rest = expr.without(index).evaluateReal(values);
  if (!factor || !rest) return all;
  const double perIteration = *factor * counter.step, atFirst = *rest + *factor * counter.lower;
  if (perIteration == 0) return atFirst >= 0 ? all : none;
  constexpr double rounding = 1e-9, relative = 1e-14; // of quotients that are whole numbers
  const double turn = -atFirst / perIteration;
  const double slack = std::max(rounding, relative * std::abs(turn));
  if (perIteration > 0) return IterationRange{std::max(0.0, std::ceil(turn - slack)), all.last};
  return IterationRange{0, std::min(all.last, std::floor(turn + slack))};
}

/// After how many iterations its value comes again, 1 if it does not depend on the index. Nothing: it has no period
/// that is seen.
std::optional<int64_t> periodOf(const Expr &expr, int64_t step, llvm::StringRef index) {
  int64_t period = 1;
  for (const Term &term : expr.sum())
    for (const Atom &atom : term.factors) {
      if (!exprOf(atom).mentions(index)) continue;
      if (atom.kind != Atom::Kind::Mod) return std::nullopt;
      const std::optional<Expr> coefficient = atom.args.front().coefficientOf(index);
      const std::optional<int64_t> factor = coefficient ? coefficient->constant() : std::nullopt;
      if (!factor) return std::nullopt;
      period = std::lcm(period, atom.divisor / std::gcd(atom.divisor, *factor * step));
      if (period > mostAsked) return std::nullopt;
    }
  return period;
}

/// Holds in those iterations of the range whose number, modulo the pattern's length, the pattern has.
struct Recurring {
  IterationRange where;
  std::vector<char> pattern;
};

/// How many iterations of the range the patterns have, taken together. All are of one length.
double countIn(const IterationRange &range, llvm::ArrayRef<const Recurring *> holding) {
  if (holding.empty() || range.length() <= 0) return 0;
  const size_t period = holding.front()->pattern.size();
  auto isIn = [&](size_t k) { return llvm::any_of(holding, [&](const Recurring *one) { return one->pattern[k]; }); };
  double each = 0, rest = 0;
  for (size_t k = 0; k < period; ++k) each += isIn(k);
  const double turns = std::floor(range.length() / double(period));
  for (double k = range.first + turns * double(period); k <= range.last; ++k)
    rest += isIn(size_t(std::fmod(k, double(period))));
  return turns * each + rest;
}

/// Nothing: some part of the condition is neither linear in the index nor has a period.
std::optional<double> countedShare(const Condition &condition, const Counter &counter, llvm::StringRef index,
                                   RealValues values) {
  const IterationRange all{0, counter.trips - 1};
  int64_t period = 1;
  std::vector<std::pair<IterationRange, std::vector<const Expr *>>> parts; // what recurs in the range
  for (const std::vector<Expr> &conjunction : condition.anyOf) {
    auto &[where, recurring] = parts.emplace_back(all, std::vector<const Expr *>());
    for (const Expr &expr : conjunction) {
      if (const std::optional<IterationRange> one = whereNonNegative(expr, counter, index, values)) {
        where = {std::max(where.first, one->first), std::min(where.last, one->last)};
        continue;
      }
      const std::optional<int64_t> own = periodOf(expr, int64_t(counter.step), index);
      if (!own) return std::nullopt;
      period = std::lcm(period, *own);
      if (period > mostAsked) return std::nullopt;
      recurring.push_back(&expr);
    }
  }
  std::vector<Recurring> conjunctions;
  std::vector<double> cuts = {0, counter.trips}; // between them the same ones hold
  for (const auto &[where, recurring] : parts) {
    if (where.length() <= 0) continue;
    Recurring &one = conjunctions.emplace_back(where, std::vector<char>(size_t(period), true));
    for (int64_t k = 0; k < period && !recurring.empty(); ++k) {
      values[index.str()] = counter.lower + counter.step * double(k);
      one.pattern[size_t(k)] =
          llvm::all_of(recurring, [&](const Expr *expr) { return expr->evaluateReal(values).value_or(0) >= 0; });
    }
    cuts.push_back(where.first);
    cuts.push_back(where.last + 1);
  }
  llvm::sort(cuts);
  double sum = 0;
  for (size_t k = 0; k + 1 < cuts.size(); ++k) {
    std::vector<const Recurring *> holding;
    for (const Recurring &one : conjunctions)
      if (one.where.first <= cuts[k] && one.where.last >= cuts[k]) holding.push_back(&one);
    sum += countIn({cuts[k], cuts[k + 1] - 1}, holding);
  }
  return sum / counter.trips;
}

} // namespace

double shareOf(const Condition &condition, const RealValues &values) {
  bool any = false;
  for (const std::vector<Expr> &conjunction : condition.anyOf)
    any |= llvm::all_of(conjunction, [&](const Expr &e) { return e.evaluateReal(values).value_or(0) >= 0; });
  if (condition.exact) return any ? 1 : 0;
  return condition.anyOf.empty() || any ? condition.probability : 0;
}

double shareOver(llvm::ArrayRef<const Loop *> loops, const Condition &condition, const RealValues &values,
                 const TripOverrides &overrides) {
  for (const Loop *loop : llvm::reverse(loops)) {
    if (!condition.exact || !mentions(condition, loop->index)) continue;
    RealValues here = values;
    for (const Loop *outer : loops) {
      if (outer == loop) break;
      here.try_emplace(outer->index, std::round(outer->lower.evaluateReal(here).value_or(0)));
    }
    const double trips = std::floor(tripsOf(*loop, here, overrides)),
                 lower = std::round(loop->lower.evaluateReal(here).value_or(0));
    if (trips <= 0) return 0;
    if (auto share = countedShare(condition, {lower, double(loop->step), trips}, loop->index, here)) return *share;
    const double asked = std::min(trips, double(mostAsked));
    double sum = 0;
    for (double i = 0; i < asked; ++i) {
      here[loop->index] = lower + double(loop->step) * i;
      sum += shareOf(condition, here);
    }
    return sum / asked;
  }
  return shareOf(condition, values);
}

double shareAtMost(llvm::ArrayRef<brs::Guard> guards, llvm::ArrayRef<const Loop *> loops, const RealValues &values,
                   const TripOverrides &overrides) {
  double share = 1;
  for (const brs::Guard &guard : guards) {
    if (!guard.condition.exact && guard.condition.isMeasured)
      share *= guard.then ? guard.condition.probability : 1 - guard.condition.probability;
    if (!guard.condition.exact ||
        llvm::none_of(loops, [&](const Loop *loop) { return mentions(guard.condition, loop->index); }))
      continue;
    double taken = shareOver(loops, guard.condition, values, overrides);
    share *= guard.then ? taken : 1 - taken;
  }
  return share;
}

double shareOfDecided(llvm::ArrayRef<brs::Guard> guards, const RealValues &values) {
  double share = 1;
  for (const brs::Guard &guard : guards) {
    const double taken = shareOf(guard.condition, values);
    share *= guard.then ? taken : 1 - taken;
  }
  return share;
}

std::vector<brs::Guard> decidedBy(const std::set<std::string> &given, llvm::ArrayRef<brs::Guard> guards) {
  std::vector<brs::Guard> decided;
  auto isGiven = [&](const std::vector<Expr> &facts) {
    return llvm::all_of(facts, [&](const Expr &fact) {
      return llvm::all_of(fact.symbols(), [&](const std::string &symbol) { return given.count(symbol) != 0; });
    });
  };
  for (const brs::Guard &guard : guards)
    if (guard.condition.exact && llvm::all_of(guard.condition.anyOf, isGiven)) decided.push_back(guard);
  return decided;
}

double shareExpected(llvm::ArrayRef<brs::Guard> guards, llvm::ArrayRef<const Loop *> loops, const RealValues &values,
                     const TripOverrides &overrides) {
  double share = shareAtMost(guards, loops, values, overrides);
  for (const brs::Guard &guard : guards) {
    if (guard.condition.exact || guard.condition.isMeasured) continue;
    double runs = guard.then ? guard.condition.probability : 1 - guard.condition.probability;
    share *= runs > 0 ? runs : 1;
  }
  return share;
}

} // namespace busfare::projection
