//===- skeleton/Expr.h - Symbolic integers --------------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The value of a subscript, a loop bound or an extent, as a formula over the
// program's sizes and loop indices. An Expr is a polynomial with integer
// coefficients over *atoms*; an atom is a symbol (`n`, `i`, `v.size()`), or
// min, max, floor division or modulo of Exprs:
//
//   Expr i = Expr::symbol("i"), n = Expr::symbol("n");
//   Expr e = i * n + 4;                 // prints as  i*n + 4
//   e.substitute({{"i", n - 1}})        // n^2 - n + 4, printed n*n - n + 4
//   *e.evaluate({{"i", 2}, {"n", 10}})  // 24
//
// Exprs are kept in a normal form, so == is structural equality of that form:
// equal Exprs are equal for all values; different ones may still be equal (the
// order of symbols is proved in brs/Bounds). floorDiv rounds towards minus
// infinity and mod has the sign of its positive divisor, unlike C's `/` and `%`:
// whoever translates C proves the operand non-negative first.
//
// Coefficients are 64-bit and checked. An operation that would overflow yields
// a poisoned Expr (`isPoisoned()`), which stays poisoned through every further
// operation, evaluates to nothing, and must be treated as "not known".
//
// Does not handle: division of two symbols, bit operations, real numbers.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_SKELETON_EXPR_H
#define BUSFARE_SKELETON_EXPR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace busfare::skeleton {

class Expr;
struct Atom;

/// Values of symbols, by name.
using Values = std::map<std::string, int64_t, std::less<>>;
using RealValues = std::map<std::string, double, std::less<>>;
using Substitution = std::map<std::string, Expr, std::less<>>;

/// coefficient * product of factors. Factors are sorted; a square holds its atom twice.
struct Term {
  int64_t coefficient = 0;
  std::vector<Atom> factors;
};

class Expr {
public:
  Expr() = default; ///< Zero.
  Expr(int64_t constant);
  static Expr symbol(llvm::StringRef name);
  static Expr poisoned();

  bool isPoisoned() const { return terms.get() == &poison; }
  /// The value, if the Expr holds no symbol.
  std::optional<int64_t> constant() const;
  bool isZero() const { return !terms; }
  /// The name, if the Expr is exactly one symbol with coefficient 1.
  std::optional<std::string> asSymbol() const;
  /// Sorted, coefficients non-zero; the constant term (no factors) is last.
  llvm::ArrayRef<Term> sum() const { return terms ? llvm::ArrayRef<Term>(*terms) : llvm::ArrayRef<Term>(); }

  /// Every symbol in the Expr, those inside min, max, floorDiv and mod included.
  std::set<std::string> symbols() const;
  bool mentions(llvm::StringRef symbol) const;
  /// c such that *this == c * symbol + rest with neither c nor rest mentioning
  /// symbol; nothing if the symbol occurs otherwise (squared, inside min, ...).
  std::optional<Expr> coefficientOf(llvm::StringRef symbol) const;
  /// The part that does not mention symbol; meaningful when coefficientOf gives a value.
  Expr without(llvm::StringRef symbol) const;
  /// True if every term has at most one factor and that factor is a symbol.
  bool isAffine() const;

  /// Replaces all listed symbols at once.
  Expr substitute(const Substitution &replacements) const;
  /// Nothing if a symbol has no value, the result overflows, or the Expr is poisoned.
  std::optional<int64_t> evaluate(const Values &values) const;
  /// As evaluate, over the reals (floorDiv still rounds down); for averages over iterations.
  std::optional<double> evaluateReal(const RealValues &values) const;

  Expr operator-() const;
  friend Expr operator+(const Expr &a, const Expr &b);
  friend Expr operator-(const Expr &a, const Expr &b);
  friend Expr operator*(const Expr &a, const Expr &b);
  friend bool operator==(const Expr &a, const Expr &b);
  /// A total order for sorting and sets; it says nothing about values.
  friend std::strong_ordering operator<=>(const Expr &a, const Expr &b);

  /// Simplified when both are constant, equal, or differ by a constant.
  friend Expr min(const Expr &a, const Expr &b);
  friend Expr max(const Expr &a, const Expr &b);
  /// Rounds down; divisor > 0. Divides through when every coefficient allows it.
  friend Expr floorDiv(const Expr &dividend, int64_t divisor);
  /// In [0, divisor); divisor > 0.
  friend Expr mod(const Expr &dividend, int64_t divisor);
  friend Expr exprOf(Atom atom); ///< The Expr that is this atom; the atom must be in normal form.

private:
  using Terms = std::vector<Term>;
  explicit Expr(Terms sorted);
  /// Never changed once made, so that copies share it: skeletons and facts are copied all the time. Null: zero.
  std::shared_ptr<const Terms> terms;
  static const Terms poison;
};

Expr operator+(const Expr &a, const Expr &b);
Expr operator-(const Expr &a, const Expr &b);
Expr operator*(const Expr &a, const Expr &b);
bool operator==(const Expr &a, const Expr &b);
std::strong_ordering operator<=>(const Expr &a, const Expr &b);
Expr min(const Expr &a, const Expr &b);
Expr max(const Expr &a, const Expr &b);
Expr floorDiv(const Expr &dividend, int64_t divisor);
Expr mod(const Expr &dividend, int64_t divisor);
Expr exprOf(Atom atom);

/// a - b, if that is a plain number.
std::optional<int64_t> distance(const Expr &a, const Expr &b);

/// One indivisible factor.
struct Atom {
  enum class Kind {
    Symbol,   ///< A named size, loop index or value.
    Min,      ///< Smallest of args (two or more, sorted).
    Max,      ///< Largest of args (two or more, sorted).
    FloorDiv, ///< args[0] / divisor, rounded down.
    Mod,      ///< args[0] modulo divisor, in [0, divisor).
  };
  Kind kind = Kind::Symbol;
  std::string name;       ///< Of a Symbol.
  std::vector<Expr> args; ///< Of everything else.
  int64_t divisor = 0;    ///< Of FloorDiv and Mod; positive.

  friend bool operator==(const Atom &, const Atom &);
  friend std::strong_ordering operator<=>(const Atom &, const Atom &);
};
bool operator==(const Atom &, const Atom &);
std::strong_ordering operator<=>(const Atom &, const Atom &);

/// The text form, which the parser reads back: `4*i*n + max(0, j - 1)`,
/// `floor(n / 2)`, `n mod 32`. Powers are written out (`n*n`). A name that is no
/// plain identifier (letters, digits, `_`, `.`, `:`, `@`, `#`, not starting with
/// a digit) is put in back quotes: `` `v.size()` ``.
std::string toString(const Expr &expr);
/// A name as it is written in skeleton text: itself, or in back quotes.
std::string quoteName(llvm::StringRef name);
/// text between quotes; quotes, backslashes and control characters inside are written as `\"`, `\\`, `\x0a`.
std::string quoteText(llvm::StringRef text, char quote = '"');
/// How many characters at the start of text form a name that needs no quotes; 0 if none does.
/// A dot, `@`, `#` or `::` belongs to it only if the name goes on after it, a single colon only after an `@`.
size_t plainNameLength(llvm::StringRef text);

} // namespace busfare::skeleton

#endif
