//===- brs/PresburgerJoin.cpp - Pieces of a set that are one -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/PresburgerMemo.h"
#include <isl/constraint.h>

namespace busfare::brs {

namespace {

/// Does no constraint relate two coordinates?
bool isBoxLike(isl_set *set) {
  auto inPiece = [](isl_basic_set *piece, void *) {
    auto relates = [](isl_constraint *constraint, void *) {
      unsigned involved = 0;
      isl_size rank = isl_constraint_dim(constraint, isl_dim_set);
      for (int d = 0; d < rank; ++d)
        involved += isl_constraint_involves_dims(constraint, isl_dim_set, unsigned(d), 1) != isl_bool_false;
      isl_constraint_free(constraint);
      return involved > 1 ? isl_stat_error : isl_stat_ok;
    };
    isl_stat result = isl_basic_set_foreach_constraint(piece, relates, nullptr);
    isl_basic_set_free(piece);
    return result;
  };
  return isl_set_foreach_basic_set(set, inPiece, nullptr) == isl_stat_ok;
}

/// isl's coalesce; null if it fails or cannot be trusted.
isl_set *checkedCoalesce(isl_set *set) {
  form::beginQuestion();
  isl_set *result = isl_set_coalesce(isl_set_copy(set));
  // isl 0.25 joins { 0, 1 } and { 0, 2, 4 } to 0 .. 5: with strides its result needs a check.
  if (result && isl_set_involves_locals(set) != isl_bool_false) {
    form::beginQuestion();
    if (isl_set_is_equal(set, result) != isl_bool_true) result = isl_set_free(result);
  }
  return result;
}

/// The two pieces as one; not known if they are not one, or only by cutting boxes slantwise: isl makes of a star's five
/// squares two pieces with slanted sides, from which no box is seen any more.
PresburgerSet joined(const PresburgerSet &a, const PresburgerSet &b) {
  PresburgerSet both = unite(a, b);
  if (!both.isKnown()) return {};
  PresburgerSet one = PresburgerSet::take(checkedCoalesce(both.raw()));
  if (!one.isKnown() || isl_set_n_basic_set(one.raw()) > 1) return {};
  bool slanted = !isBoxLike(one.raw()) && isBoxLike(a.raw()) && isBoxLike(b.raw());
  return slanted ? PresburgerSet() : one;
}

/// Pairs of pieces that are one are joined.
PresburgerSet joinedPieces(std::vector<PresburgerSet> parts, unsigned rank) {
  for (size_t a = 0; a < parts.size(); ++a) {
    for (size_t b = a + 1; b < parts.size(); ++b) {
      PresburgerSet one = joined(parts[a], parts[b]);
      if (!one.isKnown()) continue;
      parts[a] = one;
      parts.erase(parts.begin() + long(b));
      b = a; // The larger piece may take in what the smaller did not.
    }
  }
  PresburgerSet result = PresburgerSet::empty(rank);
  for (const PresburgerSet &part : parts) result = unite(result, part);
  return result;
}

} // namespace

PresburgerSet PresburgerSet::coalesce() const {
  constexpr int fewPieces = 10;
  if (form != Form::General || isl_set_n_basic_set(set) < 2) return *this;
  auto ask = [&] {
    std::optional<std::vector<PresburgerSet>> parts;
    if (isl_set_n_basic_set(set) <= fewPieces) parts = pieces();
    PresburgerSet result = parts ? joinedPieces(std::move(*parts), rank()) : take(checkedCoalesce(set));
    form::settle();
    return result;
  };
  PresburgerSet result = form::rememberedSet(form::Operation::Coalesce, *this, {}, 0, 0, ask);
  return result.isKnown() ? result : *this;
}

PresburgerSet uniteCoalesced(const PresburgerSet &a, const PresburgerSet &b) {
  if (a.pieceCount() == 0 || b.pieceCount() == 0 || a.isPlainlyEverything() || b.isPlainlyEverything())
    return unite(a, b);
  auto ask = [&]() -> PresburgerSet {
    std::optional<std::vector<PresburgerSet>> parts = a.pieces(), added = b.pieces();
    if (!parts || !added) return {};
    for (PresburgerSet &part : *added) {
      for (size_t k = 0; k < parts->size(); ++k) {
        PresburgerSet one = joined((*parts)[k], part);
        if (!one.isKnown()) continue;
        part = one;
        parts->erase(parts->begin() + long(k));
        k = size_t(-1); // The larger piece may take in what the smaller did not.
      }
      parts->push_back(part);
    }
    PresburgerSet result = PresburgerSet::empty(a.rank());
    for (const PresburgerSet &part : *parts) result = unite(result, part);
    return result;
  };
  PresburgerSet result = form::rememberedSet(form::Operation::UniteCoalesced, a, b, 0, 0, ask);
  return result.isKnown() ? result : unite(a, b);
}

} // namespace busfare::brs
