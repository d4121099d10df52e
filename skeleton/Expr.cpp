//===- skeleton/Expr.cpp - Symbolic integers ------------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The normal form: terms sorted by falling degree, then by their factors, each
// product of factors once, no zero coefficient, the constant last:
//
//   i*n + 2*i - 3
//
// min, max, floorDiv and mod are in ExprAtoms.cpp, the text form in ExprText.cpp.
//
//===----------------------------------------------------------------------===//
#include "skeleton/ExprForm.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace busfare::skeleton;

namespace {

using Wide = __int128;

/// Products of more terms than this are refused: nothing that describes a program is that long.
constexpr size_t maxTerms = 2000;

bool isSymbol(const Atom &atom, llvm::StringRef name) { return atom.kind == Atom::Kind::Symbol && atom.name == name; }

bool mentionsSymbol(const Atom &atom, llvm::StringRef name) {
  if (atom.kind == Atom::Kind::Symbol) return atom.name == name;
  for (const Expr &arg : atom.args)
    if (arg.mentions(name)) return true;
  return false;
}

bool mentionsSymbol(const Term &term, llvm::StringRef name) {
  return llvm::any_of(term.factors, [&](const Atom &atom) { return mentionsSymbol(atom, name); });
}

void collectSymbols(const Expr &expr, std::set<std::string> &out) {
  for (const Term &term : expr.sum())
    for (const Atom &atom : term.factors) {
      if (atom.kind == Atom::Kind::Symbol) out.insert(atom.name);
      for (const Expr &arg : atom.args) collectSymbols(arg, out);
    }
}

/// The order of terms in a sum; terms that compare equal have the same factors.
std::strong_ordering compareFactors(const Term &a, const Term &b) {
  if (auto order = b.factors.size() <=> a.factors.size(); order != 0) return order;
  for (size_t k = 0; k < a.factors.size(); ++k)
    if (auto order = a.factors[k] <=> b.factors[k]; order != 0) return order;
  return std::strong_ordering::equal;
}

bool mentionsAny(const Expr &expr, const Substitution &replacements) {
  return llvm::any_of(expr.sum(), [&](const Term &term) {
    return llvm::any_of(term.factors, [&](const Atom &atom) {
      return atom.kind == Atom::Kind::Symbol
                 ? replacements.find(atom.name) != replacements.end()
                 : llvm::any_of(atom.args, [&](const Expr &arg) { return mentionsAny(arg, replacements); });
    });
  });
}

Expr substituteInAtom(const Atom &atom, const Substitution &replacements) {
  if (atom.kind == Atom::Kind::Symbol) {
    auto found = replacements.find(atom.name);
    return found == replacements.end() ? Expr::symbol(atom.name) : found->second;
  }
  Expr result = atom.args.front().substitute(replacements);
  if (atom.kind == Atom::Kind::FloorDiv) return floorDiv(result, atom.divisor);
  if (atom.kind == Atom::Kind::Mod) return mod(result, atom.divisor);
  for (size_t k = 1; k < atom.args.size(); ++k) {
    Expr arg = atom.args[k].substitute(replacements);
    result = atom.kind == Atom::Kind::Min ? min(result, arg) : max(result, arg);
  }
  return result;
}

std::optional<int64_t> evaluateAtom(const Atom &atom, const Values &values) {
  if (atom.kind == Atom::Kind::Symbol) {
    auto found = values.find(atom.name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<int64_t> result = atom.args.front().evaluate(values);
  if (!result) return std::nullopt;
  if (atom.kind == Atom::Kind::FloorDiv) return floorDivide(*result, atom.divisor);
  if (atom.kind == Atom::Kind::Mod) return floorRemainder(*result, atom.divisor);
  for (size_t k = 1; k < atom.args.size(); ++k) {
    std::optional<int64_t> arg = atom.args[k].evaluate(values);
    if (!arg) return std::nullopt;
    result = atom.kind == Atom::Kind::Min ? std::min(*result, *arg) : std::max(*result, *arg);
  }
  return result;
}

std::optional<double> evaluateRealAtom(const Atom &atom, const RealValues &values) {
  if (atom.kind == Atom::Kind::Symbol) {
    auto found = values.find(atom.name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<double> result = atom.args.front().evaluateReal(values);
  if (!result) return std::nullopt;
  double divisor = double(atom.divisor);
  if (atom.kind == Atom::Kind::FloorDiv) return std::floor(*result / divisor);
  if (atom.kind == Atom::Kind::Mod) return *result - std::floor(*result / divisor) * divisor;
  for (size_t k = 1; k < atom.args.size(); ++k) {
    std::optional<double> arg = atom.args[k].evaluateReal(values);
    if (!arg) return std::nullopt;
    result = atom.kind == Atom::Kind::Min ? std::min(*result, *arg) : std::max(*result, *arg);
  }
  return result;
}

} // namespace

std::strong_ordering busfare::skeleton::operator<=>(const Atom &a, const Atom &b) {
  if (auto order = a.kind <=> b.kind; order != 0) return order;
  if (auto order = a.name <=> b.name; order != 0) return order;
  if (auto order = a.divisor <=> b.divisor; order != 0) return order;
  if (auto order = a.args.size() <=> b.args.size(); order != 0) return order;
  for (size_t k = 0; k < a.args.size(); ++k)
    if (auto order = a.args[k] <=> b.args[k]; order != 0) return order;
  return std::strong_ordering::equal;
}

bool busfare::skeleton::operator==(const Atom &a, const Atom &b) { return (a <=> b) == 0; }

std::strong_ordering busfare::skeleton::operator<=>(const Expr &a, const Expr &b) {
  if (a.terms == b.terms) return std::strong_ordering::equal;
  if (auto order = b.isPoisoned() <=> a.isPoisoned(); order != 0) return order;
  llvm::ArrayRef<Term> left = a.sum(), right = b.sum();
  for (size_t k = 0; k < left.size() && k < right.size(); ++k) {
    const Term &s = left[k], &t = right[k];
    // Lower degree first, unlike inside a sum: constants come first in min and max.
    if (auto order = s.factors.size() <=> t.factors.size(); order != 0) return order;
    if (auto order = compareFactors(s, t); order != 0) return order;
    if (auto order = s.coefficient <=> t.coefficient; order != 0) return order;
  }
  return left.size() <=> right.size();
}

bool busfare::skeleton::operator==(const Expr &a, const Expr &b) { return (a <=> b) == 0; }

const std::vector<Term> Expr::poison;

Expr::Expr(Terms sorted) {
  if (!sorted.empty()) terms = std::make_shared<const Terms>(std::move(sorted));
}

Expr::Expr(int64_t constant) {
  constexpr int64_t least = -2, most = 16;
  // Bounds, steps and coefficients: most constants are one of these. They belong to nobody and are never destroyed.
  static const std::vector<Terms> &small = *[] {
    auto *made = new std::vector<Terms>;
    for (int64_t value = least; value <= most; ++value) made->push_back({{value, {}}});
    return made;
  }();
  if (constant >= least && constant <= most && constant != 0)
    terms = std::shared_ptr<const Terms>(std::shared_ptr<const Terms>(), &small[size_t(constant - least)]);
  else if (constant != 0) terms = std::make_shared<const Terms>(Terms{{constant, {}}});
}

Expr Expr::symbol(llvm::StringRef name) {
  Atom atom;
  atom.name = name.str();
  return exprOf(std::move(atom));
}

Expr Expr::poisoned() {
  Expr result;
  result.terms = std::shared_ptr<const Terms>(std::shared_ptr<const Terms>(), &poison);
  return result;
}

Expr busfare::skeleton::exprOf(Atom atom) {
  std::vector<Term> terms(1);
  terms[0].coefficient = 1;
  terms[0].factors.push_back(std::move(atom));
  return Expr(std::move(terms));
}

std::optional<int64_t> Expr::constant() const {
  if (isZero()) return 0;
  if (isPoisoned() || terms->size() > 1) return std::nullopt;
  const Term &term = terms->front();
  return term.factors.empty() ? std::optional(term.coefficient) : std::nullopt;
}

std::optional<std::string> Expr::asSymbol() const {
  if (sum().size() != 1) return std::nullopt;
  const Term &term = terms->front();
  if (term.coefficient != 1 || term.factors.size() != 1 || term.factors[0].kind != Atom::Kind::Symbol)
    return std::nullopt;
  return term.factors[0].name;
}

std::set<std::string> Expr::symbols() const {
  std::set<std::string> result;
  collectSymbols(*this, result);
  return result;
}

bool Expr::mentions(llvm::StringRef symbol) const {
  return llvm::any_of(sum(), [&](const Term &term) { return mentionsSymbol(term, symbol); });
}

std::optional<Expr> Expr::coefficientOf(llvm::StringRef symbol) const {
  if (isPoisoned()) return std::nullopt;
  Expr result;
  for (const Term &term : sum()) {
    Term rest{term.coefficient, {}};
    size_t occurrences = 0;
    for (const Atom &atom : term.factors) {
      if (isSymbol(atom, symbol)) {
        ++occurrences;
        continue;
      }
      if (mentionsSymbol(atom, symbol)) return std::nullopt;
      rest.factors.push_back(atom);
    }
    if (occurrences > 1) return std::nullopt;
    if (occurrences == 1) result = result + exprOf(std::move(rest));
  }
  return result;
}

Expr Expr::without(llvm::StringRef symbol) const {
  if (isPoisoned()) return *this;
  Terms others;
  for (const Term &term : sum())
    if (!mentionsSymbol(term, symbol)) others.push_back(term);
  return others.size() == sum().size() ? *this : Expr(std::move(others));
}

bool Expr::isAffine() const {
  if (isPoisoned()) return false;
  for (const Term &term : sum())
    if (term.factors.size() > 1 || (term.factors.size() == 1 && term.factors[0].kind != Atom::Kind::Symbol))
      return false;
  return true;
}

Expr Expr::substitute(const Substitution &replacements) const {
  if (isPoisoned() || !mentionsAny(*this, replacements)) return *this;
  Expr result;
  for (const Term &term : sum()) {
    Expr product = term.coefficient;
    for (const Atom &atom : term.factors) product = product * substituteInAtom(atom, replacements);
    result = result + product;
  }
  return result;
}

std::optional<int64_t> Expr::evaluate(const Values &values) const {
  if (isPoisoned()) return std::nullopt;
  Wide total = 0;
  for (const Term &term : sum()) {
    Wide product = term.coefficient;
    for (const Atom &atom : term.factors) {
      std::optional<int64_t> value = evaluateAtom(atom, values);
      if (!value || __builtin_mul_overflow(product, Wide(*value), &product)) return std::nullopt;
    }
    if (__builtin_add_overflow(total, product, &total)) return std::nullopt;
  }
  if (total != Wide(int64_t(total))) return std::nullopt;
  return int64_t(total);
}

std::optional<double> Expr::evaluateReal(const RealValues &values) const {
  if (isPoisoned()) return std::nullopt;
  double total = 0;
  for (const Term &term : sum()) {
    double product = double(term.coefficient);
    for (const Atom &atom : term.factors) {
      std::optional<double> value = evaluateRealAtom(atom, values);
      if (!value) return std::nullopt;
      product *= *value;
    }
    total += product;
  }
  return total;
}

Expr Expr::operator-() const { return Expr(-1) * *this; }

Expr busfare::skeleton::operator+(const Expr &a, const Expr &b) {
  if (a.isPoisoned() || b.isPoisoned()) return Expr::poisoned();
  if (a.isZero() || b.isZero()) return a.isZero() ? b : a;
  llvm::ArrayRef<Term> left = a.sum(), right = b.sum();
  std::vector<Term> result;
  result.reserve(left.size() + right.size());
  auto next = [](llvm::ArrayRef<Term> &terms) -> const Term & {
    const Term &first = terms.front();
    terms = terms.drop_front();
    return first;
  };
  while (!left.empty() || !right.empty()) {
    auto order = left.empty()    ? std::strong_ordering::greater
                 : right.empty() ? std::strong_ordering::less
                                 : compareFactors(left.front(), right.front());
    if (order < 0) {
      result.push_back(next(left));
    } else if (order > 0) {
      result.push_back(next(right));
    } else {
      Term sum = next(left);
      if (__builtin_add_overflow(sum.coefficient, next(right).coefficient, &sum.coefficient)) return Expr::poisoned();
      if (sum.coefficient != 0) result.push_back(std::move(sum));
    }
  }
  return result.size() > maxTerms ? Expr::poisoned() : Expr(std::move(result));
}

Expr busfare::skeleton::operator-(const Expr &a, const Expr &b) { return a + -b; }

std::optional<int64_t> busfare::skeleton::distance(const Expr &a, const Expr &b) {
  if (a.isPoisoned() || b.isPoisoned()) return std::nullopt;
  auto takeConstant = [](llvm::ArrayRef<Term> &terms) {
    if (terms.empty() || !terms.back().factors.empty()) return int64_t(0);
    int64_t constant = terms.back().coefficient;
    terms = terms.drop_back();
    return constant;
  };
  llvm::ArrayRef<Term> left = a.sum(), right = b.sum();
  int64_t first = takeConstant(left), second = takeConstant(right), difference = 0;
  if (left.size() != right.size() || __builtin_sub_overflow(first, second, &difference)) return std::nullopt;
  for (size_t k = 0; k < left.size(); ++k)
    if (left[k].coefficient != right[k].coefficient || compareFactors(left[k], right[k]) != 0) return std::nullopt;
  return difference;
}

Expr busfare::skeleton::operator*(const Expr &a, const Expr &b) {
  if (a.isPoisoned() || b.isPoisoned() || a.sum().size() * b.sum().size() > maxTerms) return Expr::poisoned();
  std::vector<Term> products;
  products.reserve(a.sum().size() * b.sum().size());
  for (const Term &s : a.sum())
    for (const Term &t : b.sum()) {
      Term product;
      if (__builtin_mul_overflow(s.coefficient, t.coefficient, &product.coefficient)) return Expr::poisoned();
      if (s.factors.size() + t.factors.size() > maxDegree) return Expr::poisoned();
      product.factors.reserve(s.factors.size() + t.factors.size());
      std::merge(s.factors.begin(), s.factors.end(), t.factors.begin(), t.factors.end(),
                 std::back_inserter(product.factors), [](const Atom &x, const Atom &y) { return (x <=> y) < 0; });
      products.push_back(std::move(product));
    }
  std::sort(products.begin(), products.end(), [](const Term &s, const Term &t) { return compareFactors(s, t) < 0; });
  std::vector<Term> result;
  for (size_t k = 0; k < products.size();) {
    // Coefficients that cancel must not overflow on the way.
    Wide coefficient = 0;
    size_t first = k;
    for (; k < products.size() && compareFactors(products[first], products[k]) == 0; ++k)
      coefficient += products[k].coefficient;
    if (coefficient != Wide(int64_t(coefficient))) return Expr::poisoned();
    if (coefficient != 0) result.push_back({int64_t(coefficient), std::move(products[first].factors)});
  }
  return Expr(std::move(result));
}
