//===- brs/PresburgerBuild.cpp - Sets from formulas ----------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/PresburgerMemo.h"
#include <cassert>

using namespace busfare::skeleton;

namespace busfare::brs {

using form::spaceOf;
using form::taken;

/// The set that was made for the key before, or now.
template <class Key, class Ask>
static PresburgerSet madeOnce(std::map<Key, PresburgerSet> &known, const Key &key, Ask ask) {
  constexpr size_t maxSets = 1 << 14;
  if (auto found = known.find(key); found != known.end()) return effortIsSpent(1) ? PresburgerSet() : found->second;
  if (!form::beginQuestion()) return {};
  PresburgerSet made = ask();
  if (known.size() >= maxSets) known.clear();
  if (made.isKnown()) known.emplace(key, made);
  return made;
}

/// expr >= 0, or expr = 0.
static PresburgerSet signCondition(const Expr &expr, bool isEquality) {
  if (std::optional<int64_t> value = expr.constant())
    return (isEquality ? *value == 0 : *value >= 0) ? PresburgerSet::universe(0) : PresburgerSet::empty(0);
  auto ask = [&] {
    if (std::optional<form::Linear> linear = form::linearForm(expr))
      return taken(form::conjunctionOf(0, {{std::move(*linear), 0, 0, isEquality}}));
    isl_pw_aff *value = form::affineForm(expr);
    if (!value) return taken(nullptr);
    return taken(isl_set_from_params(isEquality ? isl_pw_aff_zero_set(value) : isl_pw_aff_nonneg_set(value)));
  };
  return madeOnce(isEquality ? form::memo().zeros : form::memo().nonNegatives, expr, ask);
}

/// min(a, b) + rest >= 0 where both a + rest >= 0 and b + rest >= 0: one convex piece, which isl makes two of, one for
/// each that is the smaller. Likewise of a maximum that is subtracted. Nothing if there is none.
static std::optional<std::vector<Expr>> conjunctionOf(const Expr &expr) {
  if (expr.isPoisoned()) return std::nullopt;
  for (const Term &term : expr.sum()) {
    if (term.factors.size() != 1) continue;
    const Atom &atom = term.factors.front();
    const bool isMin = atom.kind == Atom::Kind::Min && term.coefficient > 0,
               isMax = atom.kind == Atom::Kind::Max && term.coefficient < 0;
    if (!isMin && !isMax) continue;
    Expr extreme = atom.args.front();
    for (const Expr &arg : atom.args) extreme = isMin ? min(extreme, arg) : max(extreme, arg);
    const Expr rest = expr - term.coefficient * extreme;
    std::vector<Expr> parts;
    for (const Expr &arg : atom.args)
      if (parts.push_back(rest + term.coefficient * arg); parts.back().isPoisoned()) return std::nullopt;
    return parts;
  }
  return std::nullopt;
}

PresburgerSet nonNegative(const Expr &expr) {
  std::optional<std::vector<Expr>> parts = conjunctionOf(expr);
  if (!parts) return signCondition(expr, false);
  PresburgerSet all = nonNegative(parts->front());
  for (const Expr &part : llvm::ArrayRef(*parts).drop_front()) all = intersect(all, nonNegative(part));
  return all;
}
PresburgerSet equalZero(const Expr &expr) { return signCondition(expr, true); }

PresburgerSet congruent(const Expr &expr, int64_t divisor, int64_t remainder) {
  assert(divisor > 0 && remainder >= 0 && remainder < divisor && "a remainder lies below its divisor");
  return equalZero(mod(expr - remainder, divisor));
}

PresburgerSet elementAt(llvm::ArrayRef<std::optional<Expr>> subscripts) {
  std::vector<DimensionRange> ranges;
  for (const std::optional<Expr> &subscript : subscripts) ranges.push_back({subscript, subscript, 1});
  return boxOf(ranges);
}

/// One dimension of a box as a set of rank 1; null on failure.
static isl_set *rangeSet(const DimensionRange &range) {
  if (range.lower && range.upper && *range.lower == *range.upper) {
    isl_pw_aff *value = form::affineForm(*range.lower);
    return value ? isl_set_from_pw_aff(value) : nullptr;
  }
  isl_set *result = isl_set_universe(spaceOf(1));
  auto x = [] {
    return isl_pw_aff_from_aff(isl_aff_var_on_domain(isl_local_space_from_space(spaceOf(1)), isl_dim_set, 0));
  };
  // The bound as a value on the same domain as x.
  auto on = [](const Expr &expr) -> isl_pw_aff * {
    isl_pw_aff *value = form::affineForm(expr);
    if (!value) return nullptr;
    value = isl_pw_aff_from_range(value);
    return isl_pw_aff_add_dims(value, isl_dim_in, 1);
  };
  if (range.lower) result = isl_set_intersect(result, isl_pw_aff_ge_set(x(), on(*range.lower)));
  if (range.upper) result = isl_set_intersect(result, isl_pw_aff_le_set(x(), on(*range.upper)));
  if (range.lower && range.step > 1) {
    isl_pw_aff *distance = isl_pw_aff_sub(x(), on(*range.lower));
    distance = isl_pw_aff_mod_val(distance, isl_val_int_from_si(form::context(), range.step));
    result = isl_set_intersect(result, isl_pw_aff_zero_set(distance));
  }
  return result;
}

/// The box as one conjunction; nothing if a bound is not plainly linear or there is a stride.
static std::optional<std::vector<form::LinearConstraint>> linearBox(llvm::ArrayRef<DimensionRange> ranges) {
  std::vector<form::LinearConstraint> result;
  for (unsigned d = 0; d < ranges.size(); ++d) {
    const DimensionRange &range = ranges[d];
    bool isPoint = range.lower && range.upper && *range.lower == *range.upper;
    if (range.lower && range.step > 1 && !isPoint) return std::nullopt;
    auto add = [&](const Expr &value, int coordinate, bool isEquality) {
      std::optional<form::Linear> linear = form::linearForm(value);
      if (linear) result.push_back({std::move(*linear), coordinate, d, isEquality});
      return linear.has_value();
    };
    if (range.lower && !add(-*range.lower, 1, isPoint)) return std::nullopt;
    if (range.upper && !isPoint && !add(*range.upper, -1, false)) return std::nullopt;
  }
  return result;
}

PresburgerSet boxOf(llvm::ArrayRef<DimensionRange> ranges) {
  auto isFree = [](const DimensionRange &range) { return !range.lower && !range.upper; };
  if (std::all_of(ranges.begin(), ranges.end(), isFree)) return PresburgerSet::universe(unsigned(ranges.size()));
  form::Memo::BoxKey key;
  for (const DimensionRange &range : ranges) key.emplace_back(range.lower, range.upper, range.step);
  return madeOnce(form::memo().boxes, key, [&] {
    if (std::optional<std::vector<form::LinearConstraint>> linear = linearBox(ranges))
      return taken(form::conjunctionOf(unsigned(ranges.size()), *linear));
    isl_set *result = isl_set_universe(spaceOf(0));
    for (const DimensionRange &range : ranges) {
      isl_set *one = rangeSet(range);
      result = one ? isl_set_flat_product(result, one) : isl_set_free(result);
      if (!result) break;
    }
    return taken(result);
  });
}

} // namespace busfare::brs
