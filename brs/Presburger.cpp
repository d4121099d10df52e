//===- brs/Presburger.cpp - Sets of integers, through isl ----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/PresburgerMemo.h"
#include <algorithm>
#include <cassert>
#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/point.h>
#include <isl/val.h>

using namespace busfare::skeleton;

namespace busfare::brs {

using form::spaceOf;
using form::taken;

namespace {

Answer answerOf(isl_bool value) {
  form::noteIfGivenUp(value == isl_bool_error);
  if (value == isl_bool_true) return Answer::Yes;
  return value == isl_bool_false ? Answer::No : Answer::Unknown;
}

/// Without isl's parse of it: may the parameter's name hold the symbol, as quoteName writes it?
bool maySay(const char *name, llvm::StringRef quoted) { return name && llvm::StringRef(name).contains(quoted); }

/// Is one of the parameters the symbol, or a product with it?
bool hasParameter(isl_set *set, llvm::StringRef symbol) {
  std::string quoted = quoteName(symbol);
  isl_size count = isl_set_dim(set, isl_dim_param);
  for (int k = 0; k < count; ++k)
    if (const char *name = isl_set_get_dim_name(set, isl_dim_param, k);
        maySay(name, quoted) && (quoted == name || form::symbolsOfName(name).count(symbol.str())))
      return true;
  return false;
}

std::vector<std::string> parameterNames(isl_set *set) {
  std::vector<std::string> names;
  isl_size count = isl_set_dim(set, isl_dim_param);
  for (int k = 0; k < count; ++k)
    if (const char *name = isl_set_get_dim_name(set, isl_dim_param, k)) names.push_back(name);
  return names;
}

} // namespace

//===----------------------------------------------------------------------===//
// Sets
//===----------------------------------------------------------------------===//

PresburgerSet PresburgerSet::plain(Form form, unsigned rank) {
  PresburgerSet result;
  result.form = form;
  result.plainRank = rank;
  return result;
}
PresburgerSet PresburgerSet::universe(unsigned rank) { return plain(Form::Universe, rank); }
PresburgerSet PresburgerSet::empty(unsigned rank) { return plain(Form::Empty, rank); }

PresburgerSet PresburgerSet::take(isl_set *set) {
  PresburgerSet result;
  result.set = set;
  if (!set) return result;
  result.plainRank = unsigned(isl_set_dim(set, isl_dim_set));
  result.form = isl_set_plain_is_empty(set) == isl_bool_true      ? Form::Empty
                : isl_set_plain_is_universe(set) == isl_bool_true ? Form::Universe
                                                                  : Form::General;
  return result;
}
PresburgerSet::PresburgerSet(const PresburgerSet &other)
    : form(other.form), plainRank(other.plainRank), set(other.set ? isl_set_copy(other.set) : nullptr) {}
PresburgerSet::~PresburgerSet() {
  if (set) isl_set_free(set);
}

isl_set *PresburgerSet::raw() const {
  if (!set && isPlainlyEmpty()) set = isl_set_empty(spaceOf(plainRank));
  else if (!set && isPlainlyEverything()) set = isl_set_universe(spaceOf(plainRank));
  return set;
}

unsigned PresburgerSet::rank() const { return plainRank; }

const void *PresburgerSet::identity() const {
  // Odd, so no address of a set.
  if (form == Form::Empty || form == Form::Universe)
    return reinterpret_cast<const void *>(uintptr_t(plainRank) * 4 + (form == Form::Empty ? 1 : 3));
  return set;
}

Answer PresburgerSet::isEmpty() const {
  if (form != Form::General)
    return form == Form::Unknown ? Answer::Unknown : form == Form::Empty ? Answer::Yes : Answer::No;
  return form::remembered({form::Operation::IsEmpty, identity()}, *this, {},
                          [&](form::Answered &made) { made.answer = answerOf(isl_set_is_empty(set)); })
      .answer;
}

Answer PresburgerSet::isSubsetOf(const PresburgerSet &other) const {
  if (!isKnown() || !other.isKnown() || rank() != other.rank()) return Answer::Unknown;
  if (isPlainlyEmpty() || other.isPlainlyEverything()) return Answer::Yes;
  if (other.isPlainlyEmpty()) return isEmpty();
  if (identity() == other.identity()) return Answer::Yes;
  return form::remembered({form::Operation::IsSubset, identity(), other.identity()}, *this, other,
                          [&](form::Answered &made) { made.answer = answerOf(isl_set_is_subset(raw(), other.raw())); })
      .answer;
}

Answer PresburgerSet::isEqualTo(const PresburgerSet &other) const {
  if (!isKnown() || !other.isKnown() || rank() != other.rank()) return Answer::Unknown;
  if (identity() == other.identity()) return Answer::Yes;
  return form::remembered({form::Operation::IsEqual, identity(), other.identity()}, *this, other,
                          [&](form::Answered &made) { made.answer = answerOf(isl_set_is_equal(raw(), other.raw())); })
      .answer;
}

std::optional<Values> PresburgerSet::sample() const {
  if (!isKnown() || !form::beginQuestion()) return std::nullopt;
  isl_point *point = isl_set_sample_point(isl_set_copy(raw()));
  form::noteIfGivenUp(!point);
  if (!point || isl_point_is_void(point) != isl_bool_false) {
    isl_point_free(point);
    return std::nullopt;
  }
  Values values;
  bool good = true;
  auto note = [&](const std::string &name, isl_dim_type type, int position) {
    isl_val *value = isl_point_get_coordinate_val(point, type, position);
    if (value && isl_val_is_int(value) == isl_bool_true && isl_val_cmp_si(value, 1L << 62) <= 0 &&
        isl_val_cmp_si(value, -(1L << 62)) >= 0)
      values[name] = isl_val_get_num_si(value);
    else good = false;
    isl_val_free(value);
  };
  // The point's parameters are the set's, in the same order.
  std::vector<std::string> names = parameterNames(set);
  for (size_t k = 0; k < names.size(); ++k) {
    std::optional<Expr> name = form::exprOfName(names[k]);
    std::optional<std::string> symbol = name ? name->asSymbol() : std::nullopt;
    note(symbol ? *symbol : names[k], isl_dim_param, int(k));
  }
  for (unsigned k = 0; k < rank(); ++k) note("#" + std::to_string(k), isl_dim_set, int(k));
  isl_point_free(point);
  return good ? std::optional<Values>(values) : std::nullopt;
}

PresburgerSet PresburgerSet::complement() const {
  if (isPlainlyEmpty() || isPlainlyEverything())
    return plain(isPlainlyEmpty() ? Form::Universe : Form::Empty, plainRank);
  if (!set) return {};
  return form::rememberedSet(form::Operation::Complement, *this, {}, 0, 0,
                             [&] { return taken(isl_set_complement(isl_set_copy(set))); });
}

PresburgerSet PresburgerSet::rename(llvm::StringRef from, llvm::StringRef to) const {
  if (isPlainlyEmpty() || isPlainlyEverything() || !set || !hasParameter(set, from)) return *this;
  auto ask = [&]() -> PresburgerSet {
    isl_set *result = isl_set_copy(set);
    std::vector<std::string> names = parameterNames(set);
    std::set<std::string> taken(names.begin(), names.end());
    for (size_t k = 0; k < names.size() && result; ++k) {
      if (!form::symbolsOfName(names[k]).count(from.str())) continue;
      std::string name = form::renameInName(names[k], from, to);
      if (!taken.insert(name).second) { // Two names must not become one: the caller promised a new name.
        isl_set_free(result);
        return {};
      }
      result =
          isl_set_set_dim_id(result, isl_dim_param, unsigned(k), isl_id_alloc(form::context(), name.c_str(), nullptr));
    }
    return brs::taken(result);
  };
  return form::rememberedSet(form::Operation::Rename, *this, {}, form::memo().numberOf(from), form::memo().numberOf(to),
                             ask);
}

PresburgerSet PresburgerSet::projectOut(llvm::StringRef symbol, bool *precise) const {
  if (isPlainlyEmpty() || isPlainlyEverything() || !set || !hasParameter(set, symbol)) return *this;
  auto ask = [&](form::Answered &made) {
    isl_set *result = isl_set_copy(set);
    std::vector<std::string> names = parameterNames(set);
    std::string own = quoteName(symbol);
    for (size_t k = names.size(); k-- > 0;) {
      if (!form::symbolsOfName(names[k]).count(symbol.str())) continue;
      if (names[k] != own && isl_set_involves_dims(set, isl_dim_param, unsigned(k), 1) != isl_bool_false)
        made.precise = false;
      result = isl_set_project_out(result, isl_dim_param, unsigned(k), 1);
    }
    made.set = taken(result);
  };
  form::Answered answered = form::remembered(
      {form::Operation::ProjectOut, identity(), nullptr, form::memo().numberOf(symbol)}, *this, {}, ask);
  if (precise && !answered.precise) *precise = false;
  return answered.set;
}

PresburgerSet PresburgerSet::forAll(llvm::StringRef symbol, const PresburgerSet &range) const {
  // Not (there is a value in range for which it is not in the set).
  PresburgerSet outside = intersect(complement(), range);
  bool precise = true;
  PresburgerSet some = outside.projectOut(symbol, &precise);
  // Without precision `some` is too large, so its complement too small: still surely in the set.
  return some.complement();
}

PresburgerSet PresburgerSet::condition() const {
  if (isPlainlyEmpty() || isPlainlyEverything()) return plain(form, 0);
  if (!set) return {};
  return form::rememberedSet(form::Operation::Condition, *this, {}, 0, 0,
                             [&] { return taken(isl_set_project_out(isl_set_copy(set), isl_dim_set, 0, rank())); });
}

PresburgerSet PresburgerSet::firstCoordinate() const {
  assert((!isKnown() || rank() > 0) && "a scalar has no coordinates");
  if (isPlainlyEmpty() || isPlainlyEverything()) return plain(form, 1);
  if (!set || !form::beginQuestion()) return {};
  return taken(isl_set_project_out(isl_set_copy(set), isl_dim_set, 1, rank() - 1));
}

PresburgerSet PresburgerSet::whereFirstCoordinate(const PresburgerSet &values) const {
  assert((!isKnown() || rank() > 0) && "a scalar has no coordinates");
  if (!isKnown() || !values.isKnown() || !form::beginQuestion()) return {};
  return intersect(*this, taken(isl_set_insert_dims(isl_set_copy(values.raw()), isl_dim_set, 1, rank() - 1)));
}

PresburgerSet PresburgerSet::gist(const PresburgerSet &context) const {
  if (form != Form::General || !context.isKnown() || context.rank() != 0) return *this;
  auto ask = [&] {
    PresburgerSet result = take(isl_set_gist_params(isl_set_copy(set), isl_set_params(isl_set_copy(context.raw()))));
    form::settle();
    return result;
  };
  PresburgerSet result = form::rememberedSet(form::Operation::Gist, *this, context, 0, 0, ask);
  return result.isKnown() ? result : *this;
}

std::optional<std::vector<PresburgerSet>> PresburgerSet::pieces() const {
  if (!isKnown() || !form::beginQuestion()) return std::nullopt;
  std::vector<PresburgerSet> result;
  auto add = [](isl_basic_set *piece, void *user) {
    static_cast<std::vector<PresburgerSet> *>(user)->push_back(
        take(isl_set_drop_unused_params(isl_set_from_basic_set(piece)))); // those of the other pieces
    return isl_stat_ok;
  };
  bool failed = isl_set_foreach_basic_set(raw(), add, &result) != isl_stat_ok;
  form::noteIfGivenUp(failed);
  if (failed) return std::nullopt;
  return result;
}

unsigned PresburgerSet::pieceCount() const {
  return form != Form::General ? isKnown() && !isPlainlyEmpty() : unsigned(isl_set_n_basic_set(set));
}

bool PresburgerSet::mentions(llvm::StringRef symbol) const {
  if (form != Form::General) return !isKnown();
  std::string quoted = quoteName(symbol);
  isl_size count = isl_set_dim(set, isl_dim_param);
  for (int k = 0; k < count; ++k)
    if (const char *name = isl_set_get_dim_name(set, isl_dim_param, unsigned(k));
        maySay(name, quoted) && form::symbolsOfName(name).count(symbol.str()) &&
        isl_set_involves_dims(set, isl_dim_param, unsigned(k), 1) != isl_bool_false)
      return true;
  return false;
}

bool PresburgerSet::mayHaveProducts() const {
  if (form != Form::General) return !isKnown();
  isl_size count = isl_set_dim(set, isl_dim_param);
  for (int k = 0; k < count; ++k)
    if (const char *name = isl_set_get_dim_name(set, isl_dim_param, unsigned(k));
        name && llvm::StringRef(name).contains('*'))
      return true;
  return false;
}

std::set<Expr> PresburgerSet::names() const {
  std::set<Expr> result;
  if (form != Form::General) return result;
  for (const std::string &name : parameterNames(set))
    if (std::optional<Expr> expr = form::exprOfName(name)) result.insert(*expr);
  return result;
}

int64_t PresburgerSet::stride(unsigned dimension) const {
  if (!isKnown()) return 1;
  auto ask = [&](form::Answered &made) {
    isl_val *value = isl_set_get_stride(raw(), int(dimension));
    form::noteIfGivenUp(!value);
    made.number = 1;
    if (value && isl_val_is_int(value) == isl_bool_true && isl_val_cmp_si(value, 1L << 40) < 0)
      made.number = std::max<int64_t>(isl_val_get_num_si(value), 0);
    isl_val_free(value);
  };
  return form::remembered({form::Operation::Stride, identity(), nullptr, dimension}, *this, {}, ask).number;
}

//===----------------------------------------------------------------------===//
// Two sets
//===----------------------------------------------------------------------===//

PresburgerSet unite(const PresburgerSet &a, const PresburgerSet &b) {
  if (!a.isKnown() || !b.isKnown() || a.rank() != b.rank()) return {};
  if (a.isPlainlyEmpty() || b.isPlainlyEverything()) return b;
  if (b.isPlainlyEmpty() || a.isPlainlyEverything()) return a;
  if (a.identity() == b.identity()) return a;
  return form::rememberedSet(form::Operation::Unite, a, b, 0, 0,
                             [&] { return taken(isl_set_union(isl_set_copy(a.raw()), isl_set_copy(b.raw()))); });
}

PresburgerSet intersect(const PresburgerSet &a, const PresburgerSet &b) {
  if (!a.isKnown() || !b.isKnown() || (a.rank() != b.rank() && a.rank() != 0 && b.rank() != 0)) return {};
  unsigned rank = std::max(a.rank(), b.rank());
  if (a.isPlainlyEmpty() || b.isPlainlyEmpty()) return PresburgerSet::empty(rank);
  // A condition that holds narrows nothing, of whatever rank.
  if (b.isPlainlyEverything() && a.rank() == rank) return a;
  if (a.isPlainlyEverything() && b.rank() == rank) return b;
  if (a.identity() == b.identity()) return a;
  auto ask = [&] {
    if (a.rank() == b.rank()) return taken(isl_set_intersect(isl_set_copy(a.raw()), isl_set_copy(b.raw())));
    const PresburgerSet &condition = a.rank() == 0 ? a : b, &set = a.rank() == 0 ? b : a;
    return taken(isl_set_intersect_params(isl_set_copy(set.raw()), isl_set_params(isl_set_copy(condition.raw()))));
  };
  return form::rememberedSet(form::Operation::Intersect, a, b, 0, 0, ask);
}

PresburgerSet subtract(const PresburgerSet &a, const PresburgerSet &b) {
  if (!a.isKnown() || !b.isKnown() || a.rank() != b.rank()) return {};
  if (a.isPlainlyEmpty() || b.isPlainlyEmpty()) return a;
  if (b.isPlainlyEverything()) return PresburgerSet::empty(a.rank());
  if (a.identity() == b.identity()) return PresburgerSet::empty(a.rank());
  return form::rememberedSet(form::Operation::Subtract, a, b, 0, 0,
                             [&] { return taken(isl_set_subtract(isl_set_copy(a.raw()), isl_set_copy(b.raw()))); });
}

} // namespace busfare::brs
