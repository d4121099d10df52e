//===- brs/PresburgerShared.cpp - Sets of one form are one set ------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Hundreds of arrays are filled by loops over one range, and a function that is called
// from many places is analysed at each: their sets are made anew, in the same way or in
// another, and are the same. Here two sets get one form if they have the same pieces:
//
//   [n, m] -> { [i] : i <= n - 1 and i >= 0 }     { [i] : 0 <= i < n }     form "n: ..."
//
// Parameters that no piece uses, the order of parameters, of pieces and of constraints
// are no part of a form. It says "same" only of what is the same; sets that are equal by
// arithmetic may have several. Sets with divisions in them (strides) have none.
//
//===----------------------------------------------------------------------===//

#include "brs/PresburgerMemo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <isl/mat.h>
#include <isl/set.h>
#include <isl/val.h>

namespace busfare::brs {

namespace {

using Row = llvm::SmallVector<int64_t, 12>; ///< A constraint: constant, parameters, coordinates.
using Rows = llvm::SmallVector<Row, 8>;

struct Piece {
  Rows equalities, inequalities;
};

struct Pieces {
  std::vector<Piece> all;
  bool isPlain = true; ///< No divisions, and no numbers that are too large.
};

Rows rowsOf(isl_mat *matrix, bool &isPlain) {
  constexpr int64_t large = int64_t(1) << 62;
  const isl_size rows = isl_mat_rows(matrix), columns = isl_mat_cols(matrix);
  Rows all(std::max(rows, 0));
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      isl_val *value = isl_mat_get_element_val(matrix, row, column);
      const bool isSmall = value && isl_val_cmp_si(value, large) < 0 && isl_val_cmp_si(value, -large) > 0;
      isPlain &= isSmall;
      all[row].push_back(isSmall ? isl_val_get_num_si(value) : 0);
      isl_val_free(value);
    }
  isPlain &= rows >= 0 && columns >= 0;
  isl_mat_free(matrix);
  return all;
}

isl_stat addPiece(isl_basic_set *piece, void *user) {
  Pieces &to = *static_cast<Pieces *>(user);
  to.isPlain &= isl_basic_set_dim(piece, isl_dim_div) == 0;
  if (to.isPlain) {
    constexpr isl_dim_type first = isl_dim_cst, second = isl_dim_param, third = isl_dim_set, last = isl_dim_div;
    Piece one;
    one.equalities = rowsOf(isl_basic_set_equalities_matrix(piece, first, second, third, last), to.isPlain);
    one.inequalities = rowsOf(isl_basic_set_inequalities_matrix(piece, first, second, third, last), to.isPlain);
    to.all.push_back(std::move(one));
  }
  isl_basic_set_free(piece);
  return to.isPlain ? isl_stat_ok : isl_stat_error;
}

/// The parameters that are used, by name, with their columns.
std::optional<std::vector<std::pair<llvm::StringRef, unsigned>>> usedParameters(isl_set *set, const Pieces &pieces) {
  std::vector<std::pair<llvm::StringRef, unsigned>> used;
  const isl_size count = isl_set_dim(set, isl_dim_param);
  for (unsigned k = 0; int(k) < count; ++k) {
    const unsigned column = k + 1;
    auto uses = [&](const Rows &rows) { return llvm::any_of(rows, [&](const Row &row) { return row[column] != 0; }); };
    if (llvm::none_of(pieces.all, [&](const Piece &one) { return uses(one.equalities) || uses(one.inequalities); }))
      continue;
    const char *name = isl_set_get_dim_name(set, isl_dim_param, k);
    if (!name) return std::nullopt;
    used.push_back({name, column});
  }
  llvm::sort(used);
  return used;
}

} // namespace

std::optional<std::string> form::textOf(isl_set *set) {
  Pieces pieces;
  if (isl_set_foreach_basic_set(set, addPiece, &pieces) != isl_stat_ok) return std::nullopt;
  auto parameters = usedParameters(set, pieces);
  if (!parameters) return std::nullopt;
  const unsigned before = 1 + unsigned(isl_set_dim(set, isl_dim_param)), rank = unsigned(isl_set_dim(set, isl_dim_set));
  auto ordered = [&](const Rows &rows) {
    Rows result;
    for (const Row &row : rows) {
      Row one = {row.front()};
      for (const auto &[name, column] : *parameters) one.push_back(row[column]);
      one.append(row.begin() + before, row.begin() + before + rank);
      result.push_back(std::move(one));
    }
    llvm::sort(result);
    return result;
  };
  std::vector<std::string> texts;
  for (const Piece &piece : pieces.all) {
    std::string text;
    for (const Rows *rows : {&piece.equalities, &piece.inequalities}) {
      for (const Row &row : ordered(*rows))
        text.append(reinterpret_cast<const char *>(row.data()), row.size() * sizeof(int64_t));
      text += '|';
    }
    texts.push_back(std::move(text));
  }
  llvm::sort(texts);
  std::string result = std::to_string(rank);
  for (const auto &[name, column] : *parameters) (result += ' ') += name;
  for (const std::string &text : texts) (result += '\n') += text;
  return result;
}

PresburgerSet form::Memo::shared(PresburgerSet set) {
  constexpr unsigned maxForms = 1 << 14;
  if (!set.isKnown() || set.isPlainlyEmpty() || set.isPlainlyEverything()) return set;
  if (byForm.size() >= maxForms) byForm.clear();
  const std::optional<std::string> form = textOf(set.raw());
  passOver();
  if (!form) return set;
  auto [found, isNew] = byForm.try_emplace(*form);
  if (isNew) found->second = PresburgerSet::take(isl_set_drop_unused_params(isl_set_copy(set.raw())));
  passOver();
  return found->second;
}

PresburgerSet form::taken(isl_set *set) {
  noteIfGivenUp(!set);
  return memo().shared(PresburgerSet::take(set));
}

} // namespace busfare::brs
