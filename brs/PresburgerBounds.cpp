//===- brs/PresburgerBounds.cpp - The bounds of a coordinate as Exprs ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// isl gives the smallest value of a coordinate as pieces: value v_k where D_k holds.
// One Expr is made of them: a v_k that is right in every piece, else max or min of all
// of them. If none is right, the largest of those v_k that are nowhere above the true
// value is the bound; if there is none, the minimum of as few v_k as are never above it.
//
//   { [x] : x >= i - 1 and x >= 0 ... }   0 if i <= 1, i - 1 if i >= 2   max(0, i - 1)
//
//===----------------------------------------------------------------------===//

#include "brs/PresburgerMemo.h"

using namespace busfare::skeleton;

namespace busfare::brs {

namespace {

constexpr unsigned maxPieces = 8;

struct Pieces {
  std::vector<std::optional<Expr>> values;
};

using Comparison = isl_set *(*)(isl_pw_aff *, isl_pw_aff *);

/// Does the comparison of bound and value hold nowhere where bound is defined and context holds?
bool isNowhere(Comparison comparison, isl_pw_aff *bound, const Expr &value) {
  isl_pw_aff *candidate = form::affineForm(value);
  if (!candidate)
    return false;
  isl_set *wrong = comparison(isl_pw_aff_copy(bound), candidate);
  isl_bool empty = isl_set_is_empty(wrong);
  form::noteIfGivenUp(empty == isl_bool_error);
  isl_set_free(wrong);
  return empty == isl_bool_true;
}

Expr outermost(const std::vector<Expr> &values, bool lower) {
  Expr result = values.front();
  for (const Expr &value : values)
    result = lower ? min(result, value) : max(result, value);
  return result;
}

/// A tight Expr that `bound` never passes: the tightest of the values that are such, or the outermost of as few as will do.
Expr safest(isl_pw_aff *bound, std::vector<Expr> values, bool lower) {
  uint64_t givenUp = form::questionsGivenUp();
  auto neverPasses = [&](const Expr &value) {
    if (form::questionsGivenUp() != givenUp || !form::beginQuestion()) // The outermost of all will do.
      return false;
    return isNowhere(lower ? isl_pw_aff_lt_set : isl_pw_aff_gt_set, bound, value);
  };
  std::optional<Expr> tightest;
  for (const Expr &value : values)
    if (neverPasses(value))
      tightest = !tightest ? value : lower ? max(*tightest, value) : min(*tightest, value);
  if (tightest)
    return *tightest;
  for (size_t k = values.size(); k-- > 0 && values.size() > 1;) {
    std::vector<Expr> fewer = values;
    fewer.erase(fewer.begin() + ptrdiff_t(k));
    if (neverPasses(outermost(fewer, lower)))
      values = fewer;
  }
  return outermost(values, lower);
}

std::vector<Expr> candidatesOf(const std::vector<Expr> &values, bool lower) {
  std::vector<Expr> candidates(values.rbegin(), values.rend());
  candidates.push_back(outermost(values, !lower));
  candidates.push_back(outermost(values, lower));
  return candidates;
}

/// The bound as one Expr; takes ownership.
std::optional<PresburgerSet::Bound> join(isl_pw_aff *bound, const PresburgerSet &context, bool lower) {
  form::noteIfGivenUp(!bound);
  if (!bound)
    return std::nullopt;
  std::optional<PresburgerSet::Bound> result;
  isl_pw_aff *simple = isl_pw_aff_coalesce(isl_pw_aff_gist_params(
      isl_pw_aff_copy(bound), isl_set_params(isl_set_copy(context.raw()))));
  form::noteIfGivenUp(!simple);
  Pieces pieces;
  auto add = [](isl_set *domain, isl_aff *value, void *user) {
    static_cast<Pieces *>(user)->values.push_back(form::exprOf(value));
    isl_set_free(domain);
    isl_aff_free(value);
    return isl_stat_ok;
  };
  if (simple && isl_pw_aff_n_piece(simple) <= int(maxPieces) && isl_pw_aff_foreach_piece(simple, add, &pieces) == isl_stat_ok) {
    std::vector<Expr> values;
    bool readable = !pieces.values.empty();
    for (const std::optional<Expr> &value : pieces.values) {
      readable = readable && value;
      if (value && std::find(values.begin(), values.end(), *value) == values.end())
        values.push_back(*value);
    }
    if (readable && values.size() == 1) {
      result = PresburgerSet::Bound{values.front(), true};
    } else if (readable) {
      std::vector<Expr> candidates = candidatesOf(values, lower);
      for (const Expr &candidate : candidates) {
        form::beginQuestion();
        if (!result && isNowhere(isl_pw_aff_ne_set, bound, candidate))
          result = PresburgerSet::Bound{candidate, true};
      }
      if (!result)
        result = PresburgerSet::Bound{safest(bound, values, lower), false};
    }
  }
  isl_pw_aff_free(simple);
  isl_pw_aff_free(bound);
  form::noteIfGivenUp(false);
  return result;
}

std::optional<PresburgerSet::Bound> boundOf(const PresburgerSet &set, unsigned dimension, const PresburgerSet &context,
                                            bool lower) {
  PresburgerSet inside = intersect(set, context);
  if (!inside.isKnown() || dimension >= inside.rank() || !form::beginQuestion())
    return std::nullopt;
  // Other coordinates only slow the question down.
  isl_set *one = isl_set_copy(inside.raw());
  one = isl_set_project_out(one, isl_dim_set, dimension + 1, inside.rank() - dimension - 1);
  one = isl_set_project_out(one, isl_dim_set, 0, dimension);
  isl_bool bounded = !one ? isl_bool_error
                     : lower ? isl_set_dim_has_lower_bound(one, isl_dim_set, 0)
                             : isl_set_dim_has_upper_bound(one, isl_dim_set, 0);
  if (bounded != isl_bool_true) {
    isl_set_free(one);
    form::noteIfGivenUp(bounded == isl_bool_error);
    return std::nullopt;
  }
  PresburgerSet simple = PresburgerSet::take(one).coalesce();
  form::beginQuestion();
  one = isl_set_copy(simple.raw());
  return join(lower ? isl_set_dim_min(one, 0) : isl_set_dim_max(one, 0), context, lower);
}

} // namespace

std::optional<PresburgerSet::Bound> PresburgerSet::lowerBound(unsigned dimension, const PresburgerSet &context) const {
  return form::remembered({form::Operation::LowerBound, identity(), context.identity(), dimension}, *this, context,
                          [&](form::Answered &made) { made.bound = boundOf(*this, dimension, context, true); }).bound;
}
std::optional<PresburgerSet::Bound> PresburgerSet::upperBound(unsigned dimension, const PresburgerSet &context) const {
  return form::remembered({form::Operation::UpperBound, identity(), context.identity(), dimension}, *this, context,
                          [&](form::Answered &made) { made.bound = boundOf(*this, dimension, context, false); }).bound;
}

} // namespace busfare::brs
