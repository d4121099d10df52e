//===- clang-plugin/values/Ranges.h - What is known of values while walking -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// While the front end walks a function it knows that inside `for (i = 0; i < n;
// i++)` both `i >= 0` and `n - 1 - i >= 0` hold. These facts decide whether
// `i - 1` of an unsigned type can wrap, whether `/` rounds as floorDiv does, and
// whether `i > 0 ? i - 1 : 0` is `max(i - 1, 0)`.
//
//   Ranges r;  r.assume(i);  r.assume(n - 1 - i);
//   r.isNonNegative(n - 1)     // true: the sum of both facts
//   r.isNonNegative(i - 1)     // false: not proved
//
// The proof adds facts to cancel the terms that could make the Expr negative, a
// few deep; `false` means "not proved". Does not handle: products of facts.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_VALUES_RANGES_H
#define BUSFARE_CLANG_PLUGIN_VALUES_RANGES_H

#include "skeleton/Expr.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace busfare::frontend {

/// The same value in one form: floor((c - x) / d) is -floor((x - c + d - 1) / d), and the one with the smaller
/// coefficient of its first symbol is taken. Two ways to write a rounded quotient become equal.
skeleton::Expr withRisingFloors(const skeleton::Expr &expr);

class Ranges {
public:
  /// From here on fact >= 0, until `forget` is called with the size of before.
  void assume(const skeleton::Expr &fact);
  /// A symbol whose type or origin keeps it from being negative, everywhere.
  void assumeSymbolNonNegative(const std::string &symbol) { nonNegative.insert(symbol); }
  size_t mark() const { return facts.size(); }
  void forget(size_t mark);

  bool isNonNegative(const skeleton::Expr &expr) const { return prove(expr, 3); }
  const std::vector<skeleton::Expr> &assumed() const { return facts; }

private:
  bool prove(const skeleton::Expr &expr, unsigned depth) const;
  bool isFactorNonNegative(const skeleton::Atom &atom) const;
  bool proveWith(const skeleton::Expr &fact, const skeleton::Expr &expr, const skeleton::Term &bad,
                 unsigned depth) const;
  void add(const skeleton::Expr &fact);

  std::vector<skeleton::Expr> facts;
  /// Facts, by place, with a term that is a multiple of the symbol alone; and those with any other: a function has
  /// thousands, of which few speak of one symbol.
  std::map<std::string, std::vector<size_t>, std::less<>> bySymbol;
  std::vector<size_t> ofOthers;
  std::set<std::string> nonNegative;
};

} // namespace busfare::frontend

#endif
