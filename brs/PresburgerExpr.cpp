//===- brs/PresburgerExpr.cpp - Exprs to isl and back --------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Parameters of isl sets are named as Expr prints them: a symbol by itself (in back
// quotes where the text form needs them), a product as `m*n` with sorted factors.
// So names can be read back, and a product is found again whoever made it.
//
//===----------------------------------------------------------------------===//

#include "brs/PresburgerForm.h"
#include "llvm/ADT/StringExtras.h"
#include <isl/id.h>
#include <isl/mat.h>
#include <isl/val.h>

using namespace busfare::skeleton;

namespace busfare::brs::form {

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

namespace {

bool isNameChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
         c == ':' || c == '@' || c == '#';
}

/// The name in back quotes at the start of text, its escapes undone (as quoteName wrote it), and the characters it
/// takes.
std::pair<std::string, size_t> unquote(llvm::StringRef text) {
  std::string name;
  size_t k = 1;
  for (; k < text.size() && text[k] != '`'; ++k) {
    if (text[k] != '\\') {
      name += text[k];
    } else if (text.substr(k + 1).starts_with("x")) {
      name += char(llvm::hexFromNibbles(text[k + 2], text[k + 3]));
      k += 3;
    } else {
      name += text[++k];
    }
  }
  return {name, k + 1};
}

/// Calls onSymbol for each symbol and onOther for the text between, left to right.
template <class OnSymbol, class OnOther> void splitName(llvm::StringRef name, OnSymbol onSymbol, OnOther onOther) {
  for (size_t k = 0; k < name.size();) {
    if (name[k] == '`') {
      auto [symbol, length] = unquote(name.substr(k));
      onSymbol(symbol);
      k += length;
      continue;
    }
    if (!isNameChar(name[k])) {
      onOther(name.substr(k, 1));
      ++k;
      continue;
    }
    size_t end = k;
    while (end < name.size() && isNameChar(name[end])) ++end;
    llvm::StringRef word = name.slice(k, end);
    bool isSymbol = !(word[0] >= '0' && word[0] <= '9') && word != "mod" && !(end < name.size() && name[end] == '(');
    if (isSymbol) onSymbol(word);
    else onOther(word);
    k = end;
  }
}

} // namespace

std::set<std::string> symbolsOfName(llvm::StringRef name) {
  std::set<std::string> result;
  splitName(name, [&](llvm::StringRef symbol) { result.insert(symbol.str()); }, [](llvm::StringRef) {});
  return result;
}

std::optional<Expr> exprOfName(llvm::StringRef name) {
  Expr result = 1;
  bool good = true;
  splitName(
      name, [&](llvm::StringRef symbol) { result = result * Expr::symbol(symbol); },
      [&](llvm::StringRef other) { good = good && other == "*"; });
  if (!good || result.isPoisoned()) return std::nullopt;
  return result;
}

std::string renameInName(llvm::StringRef name, llvm::StringRef from, llvm::StringRef to) {
  if (std::optional<Expr> product = exprOfName(name))
    return toString(product->substitute({{from.str(), Expr::symbol(to)}}));
  std::string result;
  splitName(
      name, [&](llvm::StringRef symbol) { result += quoteName(symbol == from ? to : symbol); },
      [&](llvm::StringRef other) { result += other; });
  return result;
}

//===----------------------------------------------------------------------===//
// Expr to isl
//===----------------------------------------------------------------------===//

namespace {

Expr exprOfFactors(llvm::ArrayRef<Atom> factors);

Expr exprOfAtom(const Atom &atom) {
  switch (atom.kind) {
  case Atom::Kind::Symbol: return Expr::symbol(atom.name);
  case Atom::Kind::FloorDiv: return floorDiv(atom.args[0], atom.divisor);
  case Atom::Kind::Mod: return mod(atom.args[0], atom.divisor);
  case Atom::Kind::Min:
  case Atom::Kind::Max: break;
  }
  Expr result = atom.args[0];
  for (size_t k = 1; k < atom.args.size(); ++k)
    result = atom.kind == Atom::Kind::Min ? min(result, atom.args[k]) : max(result, atom.args[k]);
  return result;
}

Expr exprOfFactors(llvm::ArrayRef<Atom> factors) {
  Expr result = 1;
  for (const Atom &atom : factors) result = result * exprOfAtom(atom);
  return result;
}

isl_space *emptyParameterSpace() { return isl_space_params_alloc(context(), 0); }

isl_pw_aff *constantForm(int64_t value) {
  isl_aff *zero = isl_aff_zero_on_domain(isl_local_space_from_space(emptyParameterSpace()));
  return isl_pw_aff_from_aff(isl_aff_set_constant_val(zero, isl_val_int_from_si(context(), value)));
}

isl_pw_aff *nameForm(const std::string &name) {
  isl_space *space = isl_space_params_alloc(context(), 1);
  space = isl_space_set_dim_id(space, isl_dim_param, 0, isl_id_alloc(context(), name.c_str(), nullptr));
  return isl_pw_aff_from_aff(isl_aff_var_on_domain(isl_local_space_from_space(space), isl_dim_param, 0));
}

/// expr with every occurrence of the atom as a factor (not inside other atoms) replaced.
Expr replaceFactor(const Expr &expr, const Atom &atom, const Expr &by) {
  Expr result;
  for (const Term &term : expr.sum()) {
    Expr product = term.coefficient;
    for (const Atom &factor : term.factors) product = product * (factor == atom ? by : exprOfAtom(factor));
    result = result + product;
  }
  return result;
}

/// The minimum or maximum in `expr` that is multiplied by something, or null.
const Atom *multipliedChoice(const Expr &expr) {
  for (const Term &term : expr.sum())
    if (term.factors.size() > 1)
      for (const Atom &factor : term.factors)
        if (factor.kind == Atom::Kind::Min || factor.kind == Atom::Kind::Max) return &factor;
  return nullptr;
}

/// Case by case: max(a, b)*n is a*n where a >= b, else b*n.
isl_pw_aff *choiceForm(const Expr &expr, const Atom &choice, unsigned depth) {
  isl_pw_aff *result = nullptr;
  for (size_t k = 0; k < choice.args.size(); ++k) {
    isl_pw_aff *value = affineForm(replaceFactor(expr, choice, choice.args[k]), depth + 1);
    for (size_t other = 0; other < choice.args.size() && value; ++other) {
      if (other == k) continue;
      Expr ahead =
          choice.kind == Atom::Kind::Max ? choice.args[k] - choice.args[other] : choice.args[other] - choice.args[k];
      isl_pw_aff *order = affineForm(other < k ? ahead - 1 : ahead, depth + 1);
      value = order ? isl_pw_aff_intersect_params(value, isl_pw_aff_nonneg_set(order)) : isl_pw_aff_free(value);
    }
    if (!value) {
      isl_pw_aff_free(result);
      return nullptr;
    }
    result = result ? isl_pw_aff_union_add(result, value) : value;
  }
  return result;
}

isl_pw_aff *atomForm(const Atom &atom, unsigned depth) {
  if (atom.kind == Atom::Kind::Symbol) return nameForm(quoteName(atom.name));
  isl_pw_aff *result = affineForm(atom.args[0], depth + 1);
  if (atom.kind == Atom::Kind::FloorDiv)
    return result ? isl_pw_aff_floor(isl_pw_aff_scale_down_val(result, isl_val_int_from_si(context(), atom.divisor)))
                  : nullptr;
  if (atom.kind == Atom::Kind::Mod)
    return result ? isl_pw_aff_mod_val(result, isl_val_int_from_si(context(), atom.divisor)) : nullptr;
  for (size_t k = 1; k < atom.args.size() && result; ++k) {
    isl_pw_aff *next = affineForm(atom.args[k], depth + 1);
    if (!next) return isl_pw_aff_free(result);
    result = atom.kind == Atom::Kind::Min ? isl_pw_aff_min(result, next) : isl_pw_aff_max(result, next);
  }
  return result;
}

} // namespace

isl_pw_aff *affineForm(const Expr &expr, unsigned depth) {
  // Deeper nests of choices are no subscripts anybody writes; each level may double the pieces.
  constexpr unsigned maxDepth = 8;
  if (expr.isPoisoned() || depth > maxDepth) return nullptr;
  if (const Atom *choice = multipliedChoice(expr)) return choiceForm(expr, *choice, depth);
  isl_pw_aff *result = constantForm(0);
  for (const Term &term : expr.sum()) {
    isl_pw_aff *value = nullptr;
    if (term.factors.empty()) value = constantForm(1);
    else if (term.factors.size() == 1) value = atomForm(term.factors.front(), depth);
    else value = nameForm(toString(exprOfFactors(term.factors)));
    if (!value) return isl_pw_aff_free(result);
    value = isl_pw_aff_scale_val(value, isl_val_int_from_si(context(), term.coefficient));
    result = isl_pw_aff_add(result, value);
    if (!result) return nullptr;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Plain linear Exprs, all at once
//===----------------------------------------------------------------------===//

std::optional<Linear> linearForm(const Expr &expr) {
  if (expr.isPoisoned()) return std::nullopt;
  Linear result;
  for (const Term &term : expr.sum()) {
    if (term.factors.empty()) {
      result.constant = term.coefficient;
      continue;
    }
    for (const Atom &atom : term.factors)
      if (atom.kind != Atom::Kind::Symbol) return std::nullopt;
    bool isSymbol = term.factors.size() == 1;
    result.terms.emplace_back(isSymbol ? quoteName(term.factors.front().name) : toString(exprOfFactors(term.factors)),
                              term.coefficient);
  }
  return result;
}

isl_set *conjunctionOf(unsigned rank, llvm::ArrayRef<LinearConstraint> constraints) {
  std::vector<const std::string *> names;
  std::map<llvm::StringRef, unsigned> places;
  unsigned equalities = 0;
  for (const LinearConstraint &constraint : constraints) {
    equalities += constraint.isEquality;
    for (const auto &[name, coefficient] : constraint.value.terms)
      if (places.try_emplace(name, unsigned(names.size())).second) names.push_back(&name);
  }
  unsigned columns = 1 + unsigned(names.size()) + rank;
  isl_mat *equal = isl_mat_alloc(context(), equalities, columns);
  isl_mat *atLeast = isl_mat_alloc(context(), unsigned(constraints.size()) - equalities, columns);
  unsigned equalRow = 0, atLeastRow = 0;
  for (const LinearConstraint &constraint : constraints) {
    isl_mat *&matrix = constraint.isEquality ? equal : atLeast;
    int row = int(constraint.isEquality ? equalRow++ : atLeastRow++);
    for (unsigned column = 0; column < columns; ++column) matrix = isl_mat_set_element_si(matrix, row, int(column), 0);
    auto put = [&](unsigned column, int64_t value) {
      matrix = isl_mat_set_element_val(matrix, row, int(column), isl_val_int_from_si(context(), value));
    };
    put(0, constraint.value.constant);
    for (const auto &[name, coefficient] : constraint.value.terms) put(1 + places.at(name), coefficient);
    if (constraint.coordinate) put(1 + unsigned(names.size()) + constraint.dimension, constraint.coordinate);
  }
  isl_space *space = isl_space_set_alloc(context(), unsigned(names.size()), rank);
  for (unsigned k = 0; k < names.size(); ++k)
    space = isl_space_set_dim_id(space, isl_dim_param, k, isl_id_alloc(context(), names[k]->c_str(), nullptr));
  return isl_set_from_basic_set(isl_basic_set_from_constraint_matrices(space, equal, atLeast, isl_dim_cst,
                                                                       isl_dim_param, isl_dim_set, isl_dim_div));
}

//===----------------------------------------------------------------------===//
// isl to Expr
//===----------------------------------------------------------------------===//

namespace {

std::optional<int64_t> integerOf(isl_val *value) {
  std::optional<int64_t> result;
  if (value && isl_val_is_int(value) == isl_bool_true && isl_val_cmp_si(value, 1L << 62) < 0 &&
      isl_val_cmp_si(value, -(1L << 62)) > 0)
    result = isl_val_get_num_si(value);
  isl_val_free(value);
  return result;
}

/// aff * denominator, whose coefficients are all integers.
std::optional<Expr> numerator(isl_aff *aff) {
  std::optional<int64_t> constant = integerOf(isl_aff_get_constant_val(aff));
  if (!constant) return std::nullopt;
  Expr result = *constant;
  isl_size names = isl_aff_dim(aff, isl_dim_param);
  for (int k = 0; k < names; ++k) {
    std::optional<int64_t> coefficient = integerOf(isl_aff_get_coefficient_val(aff, isl_dim_param, k));
    if (!coefficient) return std::nullopt;
    if (*coefficient == 0) continue;
    const char *name = isl_aff_get_dim_name(aff, isl_dim_param, unsigned(k));
    std::optional<Expr> product = name ? exprOfName(name) : std::nullopt;
    if (!product) return std::nullopt;
    result = result + Expr(*coefficient) * *product;
  }
  isl_size divs = isl_aff_dim(aff, isl_dim_div);
  for (int k = 0; k < divs; ++k) {
    std::optional<int64_t> coefficient = integerOf(isl_aff_get_coefficient_val(aff, isl_dim_div, k));
    if (!coefficient) return std::nullopt;
    if (*coefficient == 0) continue;
    isl_aff *div = isl_aff_get_div(aff, k);
    std::optional<int64_t> divisor = div ? integerOf(isl_aff_get_denominator_val(div)) : std::nullopt;
    if (!divisor || *divisor < 1) {
      isl_aff_free(div);
      return std::nullopt;
    }
    div = isl_aff_scale_val(div, isl_val_int_from_si(context(), *divisor));
    std::optional<Expr> dividend = div ? numerator(div) : std::nullopt;
    isl_aff_free(div);
    if (!dividend) return std::nullopt;
    result = result + Expr(*coefficient) * floorDiv(*dividend, *divisor);
  }
  return result;
}

} // namespace

std::optional<Expr> exprOf(isl_aff *borrowed) {
  std::optional<int64_t> denominator = integerOf(isl_aff_get_denominator_val(borrowed));
  if (!denominator || *denominator != 1) return std::nullopt;
  std::optional<Expr> result = numerator(borrowed);
  return result && !result->isPoisoned() ? result : std::nullopt;
}

} // namespace busfare::brs::form
