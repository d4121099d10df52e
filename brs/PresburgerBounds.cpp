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
//   { [x] : x >= i - 1 and x >= 0 ... }         0 if i <= 1, i - 1 if i >= 2          max(0, i - 1)
//   the largest value of 4*i + 3, i < min(n,3)  4*n - 1 if n = 1, 7 if n = 2, else 11  min(11, 4*n - 1)
//
//===----------------------------------------------------------------------===//

#include "brs/PresburgerMemo.h"
#include <algorithm>
#include <isl/constraint.h>

using namespace busfare::skeleton;

namespace busfare::brs {

namespace {

constexpr unsigned maxPieces = 8;

/// value k is right in piece k of the coordinate's smallest or largest value.
struct Piece {
  isl_set *domain;
  isl_aff *value;
};

/// The pieces, freed at the end.
class Pieces {
public:
  explicit Pieces(isl_pw_aff *borrowed) {
    auto add = [](isl_set *domain, isl_aff *value, void *user) {
      static_cast<std::vector<Piece> *>(user)->push_back({domain, value});
      return isl_stat_ok;
    };
    complete = borrowed && isl_pw_aff_foreach_piece(borrowed, add, &list) == isl_stat_ok;
  }
  ~Pieces() {
    for (const Piece &piece : list) {
      isl_set_free(piece.domain);
      isl_aff_free(piece.value);
    }
  }
  Pieces(const Pieces &) = delete;
  Pieces &operator=(const Pieces &) = delete;

  std::vector<Piece> list;
  bool complete = false;
};

/// Is a <= b wherever the domain holds?
bool isAtMost(isl_set *domain, isl_aff *a, isl_aff *b) {
  isl_aff *excess = isl_aff_sub(isl_aff_copy(a), isl_aff_copy(b));
  bool isConstant = isl_aff_is_cst(excess) == isl_bool_true;
  isl_val *constant = isConstant ? isl_aff_get_constant_val(excess) : nullptr;
  isl_aff_free(excess);
  if (isConstant) {
    bool isPositive = !constant || isl_val_is_nonpos(constant) != isl_bool_true;
    isl_val_free(constant);
    return !isPositive;
  }
  if (!form::beginQuestion()) return false;
  isl_set *wrong = isl_set_intersect(isl_set_copy(domain),
                                     isl_set_from_basic_set(isl_aff_gt_basic_set(isl_aff_copy(a), isl_aff_copy(b))));
  isl_bool empty = isl_set_is_empty(wrong);
  form::noteIfGivenUp(empty == isl_bool_error);
  isl_set_free(wrong);
  return empty == isl_bool_true;
}

/// How the values of a bound's pieces compare with the bound, found when asked for.
class Comparisons {
public:
  Comparisons(const std::vector<Piece> &pieces, const std::vector<isl_aff *> &values)
      : pieces(pieces), values(values), known(2 * pieces.size() * values.size()) {}

  /// bound <= value in the piece.
  bool isAbove(size_t piece, size_t value) {
    return look(piece, value, true, [&] { return isAtMost(pieces[piece].domain, pieces[piece].value, values[value]); });
  }
  /// value <= bound in the piece.
  bool isBelow(size_t piece, size_t value) {
    return look(piece, value, false,
                [&] { return isAtMost(pieces[piece].domain, values[value], pieces[piece].value); });
  }
  template <class Holds> bool inAllPieces(Holds holds) const {
    for (size_t piece = 0; piece < pieces.size(); ++piece)
      if (!holds(piece)) return false;
    return true;
  }

private:
  const std::vector<Piece> &pieces;
  const std::vector<isl_aff *> &values;
  std::vector<std::optional<bool>> known;

  template <class Ask> bool look(size_t piece, size_t value, bool above, Ask ask) {
    std::optional<bool> &answer = known[2 * (piece * values.size() + value) + above];
    if (!answer) answer = ask();
    return *answer;
  }
};

Expr outermost(const std::vector<Expr> &values, bool lower) {
  Expr result = values.front();
  for (const Expr &value : values) result = lower ? min(result, value) : max(result, value);
  return result;
}

/// A tight Expr that the bound never passes: the tightest of the values that are such, or the outermost of as few as
/// will do.
PresburgerSet::Bound safest(Comparisons &compare, const std::vector<Expr> &values, bool lower) {
  auto isSafe = [&](size_t piece, size_t k) { return lower ? compare.isBelow(piece, k) : compare.isAbove(piece, k); };
  auto isReached = [&](size_t piece, size_t k) {
    return lower ? compare.isAbove(piece, k) : compare.isBelow(piece, k);
  };
  std::vector<size_t> safe;
  for (size_t k = 0; k < values.size(); ++k)
    if (compare.inAllPieces([&](size_t piece) { return isSafe(piece, k); })) safe.push_back(k);
  auto isPrecise = [&](const std::vector<size_t> &some) {
    return compare.inAllPieces([&](size_t piece) {
      return std::any_of(some.begin(), some.end(), [&](size_t k) { return isReached(piece, k); });
    });
  };
  if (!safe.empty()) {
    const bool isTight = isPrecise(safe);
    for (size_t k = safe.size(); isTight && safe.size() > 1 && k-- > 0;) {
      std::vector<size_t> fewer = safe;
      fewer.erase(fewer.begin() + long(k));
      if (isPrecise(fewer)) safe = fewer;
    }
    std::vector<Expr> tightest;
    for (size_t k : safe) tightest.push_back(values[k]);
    return {outermost(tightest, !lower), isTight};
  }
  std::vector<bool> isKept(values.size(), true);
  for (size_t left = values.size(); left-- > 0;) {
    isKept[left] = false;
    isKept[left] = !compare.inAllPieces([&](size_t piece) {
      for (size_t k = 0; k < values.size(); ++k)
        if (isKept[k] && isSafe(piece, k)) return true;
      return false;
    });
  }
  std::vector<Expr> kept;
  for (size_t k = 0; k < values.size(); ++k)
    if (isKept[k]) kept.push_back(values[k]);
  return {outermost(kept, lower), false};
}

/// One of the values, their maximum or their minimum, if it is the bound everywhere.
std::optional<Expr> precise(Comparisons &compare, const std::vector<Expr> &values, bool lower) {
  for (size_t k = values.size(); k-- > 0;)
    if (compare.inAllPieces([&](size_t piece) { return compare.isBelow(piece, k) && compare.isAbove(piece, k); }))
      return values[k];
  auto isExtreme = [&](bool largest) {
    return compare.inAllPieces([&](size_t piece) {
      bool all = true, some = false;
      for (size_t k = 0; all && k < values.size(); ++k)
        all = largest ? compare.isBelow(piece, k) : compare.isAbove(piece, k);
      for (size_t k = 0; all && !some && k < values.size(); ++k)
        some = largest ? compare.isAbove(piece, k) : compare.isBelow(piece, k);
      return all && some;
    });
  };
  for (bool largest : {lower, !lower})
    if (isExtreme(largest)) return outermost(values, !largest);
  return std::nullopt;
}

/// The values of a bound's pieces, each once.
struct Values {
  std::vector<Expr> exprs;
  std::vector<isl_aff *> affs; // borrowed from the pieces

  /// False if one cannot be said.
  bool add(const Pieces &pieces) {
    for (const Piece &piece : pieces.list) {
      std::optional<Expr> value = form::exprOf(piece.value);
      if (!value) return false;
      if (std::find(exprs.begin(), exprs.end(), *value) != exprs.end()) continue;
      exprs.push_back(*value);
      affs.push_back(piece.value);
    }
    return pieces.complete;
  }
};

/// The bound as one Expr; takes ownership.
std::optional<PresburgerSet::Bound> join(isl_pw_aff *bound, const PresburgerSet &context, bool lower) {
  form::noteIfGivenUp(!bound);
  if (!bound) return std::nullopt;
  std::optional<PresburgerSet::Bound> result;
  isl_pw_aff *simple =
      isl_pw_aff_coalesce(isl_pw_aff_gist_params(isl_pw_aff_copy(bound), isl_set_params(isl_set_copy(context.raw()))));
  form::noteIfGivenUp(!simple);
  if (simple && isl_pw_aff_n_piece(simple) <= int(maxPieces)) {
    Pieces simplified(simple);
    Values values;
    bool readable = values.add(simplified) && !values.exprs.empty();
    if (readable && values.exprs.size() == 1) {
      result = PresburgerSet::Bound{values.exprs.front(), true};
    } else if (readable) {
      Pieces pieces(bound);
      Comparisons compare(pieces.list, values.affs);
      if (!pieces.complete) {
        result = PresburgerSet::Bound{outermost(values.exprs, lower), false};
      } else if (std::optional<Expr> value = precise(compare, values.exprs, lower)) {
        result = PresburgerSet::Bound{*value, true};
      } else {
        // Simplified, 4*n - 5 where n = 3 is 7, and no longer bounds the other pieces.
        Values unsimplified = values;
        if (pieces.list.size() <= maxPieces && unsimplified.add(pieces)) values = unsimplified;
        Comparisons all(pieces.list, values.affs);
        result = safest(all, values.exprs, lower);
      }
    }
  }
  isl_pw_aff_free(simple);
  isl_pw_aff_free(bound);
  form::noteIfGivenUp(false);
  return result;
}

/// The bounds that the piece states of its coordinate: the largest of the lower ones, or the smallest of the upper
/// ones, is the coordinate's. Nothing if there are strides.
std::vector<Expr> statedBounds(isl_basic_set *piece, bool lower) {
  struct Seen {
    bool lower;
    std::vector<Expr> bounds;
    std::optional<Expr> value;
    bool isPlain = true;
  } seen{lower, {}, {}};
  auto look = [](isl_constraint *constraint, void *user) {
    Seen &seen = *static_cast<Seen *>(user);
    bool isEquality = isl_constraint_is_equality(constraint) == isl_bool_true;
    if (isl_constraint_involves_dims(constraint, isl_dim_div, 0,
                                     unsigned(isl_constraint_dim(constraint, isl_dim_div))) != isl_bool_false)
      seen.isPlain = false;
    bool speaks = isl_constraint_involves_dims(constraint, isl_dim_set, 0, 1) == isl_bool_true;
    bool isBound = speaks && (isEquality || (seen.lower ? isl_constraint_is_lower_bound(constraint, isl_dim_set, 0)
                                                        : isl_constraint_is_upper_bound(constraint, isl_dim_set, 0)) ==
                                                isl_bool_true);
    if (isBound) {
      isl_val *factor = isl_constraint_get_coefficient_val(constraint, isl_dim_set, 0);
      if (isl_val_is_one(factor) != isl_bool_true && isl_val_is_negone(factor) != isl_bool_true) seen.isPlain = false;
      isl_val_free(factor);
      if (seen.isPlain) {
        isl_aff *bound = isl_constraint_get_bound(constraint, isl_dim_set, 0);
        std::optional<Expr> stated = bound ? form::exprOf(bound) : std::nullopt;
        isl_aff_free(bound);
        if (stated && isEquality) seen.value = stated;
        else if (stated) seen.bounds.push_back(*stated);
        else seen.isPlain = false;
      }
    }
    isl_constraint_free(constraint);
    return isl_stat_ok;
  };
  if (isl_basic_set_dim(piece, isl_dim_div) != 0 ||
      isl_basic_set_foreach_constraint(piece, look, &seen) != isl_stat_ok || !seen.isPlain)
    return {};
  return seen.value ? std::vector<Expr>{*seen.value} : seen.bounds;
}

/// The bounds that each piece states.
std::vector<std::vector<Expr>> statedBounds(const PresburgerSet &one, bool lower) {
  std::vector<std::vector<Expr>> stated;
  for (const PresburgerSet &piece : one.pieces().value_or(std::vector<PresburgerSet>())) {
    isl_basic_set_list *parts = isl_set_get_basic_set_list(piece.raw());
    isl_basic_set *part = isl_basic_set_list_get_basic_set(parts, 0);
    stated.push_back(part ? statedBounds(part, lower) : std::vector<Expr>());
    isl_basic_set_free(part);
    isl_basic_set_list_free(parts);
  }
  return stated;
}

/// The bound, if all pieces state the same one and no other, for which nothing needs to be compared.
std::optional<Expr> statedBound(const std::vector<std::vector<Expr>> &stated) {
  for (const std::vector<Expr> &bounds : stated)
    if (bounds.size() != 1 || !(bounds.front() == stated.front().front())) return std::nullopt;
  return stated.empty() ? std::nullopt : std::optional(stated.front().front());
}

std::optional<PresburgerSet::Bound> boundOf(const PresburgerSet &set, unsigned dimension, const PresburgerSet &context,
                                            bool lower) {
  PresburgerSet inside = intersect(set, context);
  if (!inside.isKnown() || dimension >= inside.rank() || !form::beginQuestion()) return std::nullopt;
  // Other coordinates only slow the question down.
  isl_set *one = isl_set_copy(inside.raw());
  one = isl_set_project_out(one, isl_dim_set, dimension + 1, inside.rank() - dimension - 1);
  one = isl_set_project_out(one, isl_dim_set, 0, dimension);
  isl_bool bounded = !one    ? isl_bool_error
                     : lower ? isl_set_dim_has_lower_bound(one, isl_dim_set, 0)
                             : isl_set_dim_has_upper_bound(one, isl_dim_set, 0);
  if (bounded != isl_bool_true) {
    isl_set_free(one);
    form::noteIfGivenUp(bounded == isl_bool_error);
    return std::nullopt;
  }
  PresburgerSet simple = PresburgerSet::take(one).coalesce();
  form::beginQuestion();
  const std::vector<std::vector<Expr>> stated = statedBounds(simple, lower);
  if (std::optional<Expr> bound = statedBound(stated)) return PresburgerSet::Bound{*bound, true};
  one = isl_set_copy(simple.raw());
  std::optional<PresburgerSet::Bound> joined =
      join(lower ? isl_set_dim_min(one, 0) : isl_set_dim_max(one, 0), context, lower);
  // Where a symbol has one value isl's pieces no longer say how the bound depends on it (9 at t = 1, for 4009 -
  // 4000*t); what a single piece states does.
  if (joined && !joined->tight && stated.size() == 1 && !stated.front().empty())
    return PresburgerSet::Bound{outermost(stated.front(), !lower), true};
  return joined;
}

} // namespace

std::optional<PresburgerSet::Bound> PresburgerSet::lowerBound(unsigned dimension, const PresburgerSet &context) const {
  return form::remembered({form::Operation::LowerBound, identity(), context.identity(), dimension}, *this, context,
                          [&](form::Answered &made) { made.bound = boundOf(*this, dimension, context, true); })
      .bound;
}
std::optional<PresburgerSet::Bound> PresburgerSet::upperBound(unsigned dimension, const PresburgerSet &context) const {
  return form::remembered({form::Operation::UpperBound, identity(), context.identity(), dimension}, *this, context,
                          [&](form::Answered &made) { made.bound = boundOf(*this, dimension, context, false); })
      .bound;
}

} // namespace busfare::brs
