//===- skeleton/ExprText.cpp - Exprs and names as text --------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What Parse reads back: `4*i*n + max(0, j - 1)`, `floor((n + 1) / 2)`,
// `n mod 32`, `2*(n mod 32)`. A poisoned Expr prints as `<overflow>`, which the
// parser refuses.
//
//===----------------------------------------------------------------------===//
#include "skeleton/Expr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace busfare::skeleton;

namespace {

bool isNameStart(char c) { return llvm::isAlpha(c) || c == '_'; }
bool isNameChar(char c) { return llvm::isAlnum(c) || c == '_'; }

/// Whether text can stand where a product is expected without parentheses around it.
bool isProduct(const Expr &expr) { return expr.isZero() || (expr.sum().size() == 1 && expr.sum()[0].coefficient > 0); }

std::string inParentheses(const std::string &text) { return "(" + text + ")"; }

std::string toString(const Atom &atom, bool alone) {
  if (atom.kind == Atom::Kind::Symbol) return quoteName(atom.name);
  const Expr &first = atom.args.front();
  std::string text = toString(first);
  if (atom.kind == Atom::Kind::FloorDiv) {
    bool plain = isProduct(first) && (first.sum().empty() || first.sum()[0].factors.empty() ||
                                      first.sum()[0].factors.back().kind != Atom::Kind::Mod);
    return "floor(" + (plain ? text : inParentheses(text)) + " / " + std::to_string(atom.divisor) + ")";
  }
  if (atom.kind == Atom::Kind::Mod) {
    text = (first.asSymbol() ? text : inParentheses(text)) + " mod " + std::to_string(atom.divisor);
    return alone ? text : inParentheses(text);
  }
  for (size_t k = 1; k < atom.args.size(); ++k) text += ", " + toString(atom.args[k]);
  return (atom.kind == Atom::Kind::Min ? "min(" : "max(") + text + ")";
}

std::string toString(const Term &term, bool isFirst) {
  bool isNegative = term.coefficient < 0;
  // The magnitude of the smallest integer is no int64_t.
  uint64_t magnitude = isNegative ? 0 - uint64_t(term.coefficient) : uint64_t(term.coefficient);
  std::string text = isFirst ? (isNegative ? "-" : "") : (isNegative ? " - " : " + ");
  if (magnitude != 1 || term.factors.empty()) text += std::to_string(magnitude) + (term.factors.empty() ? "" : "*");
  bool alone = term.factors.size() == 1 && term.coefficient == 1;
  for (size_t k = 0; k < term.factors.size(); ++k) text += (k ? "*" : "") + toString(term.factors[k], alone);
  return text;
}

} // namespace

std::string busfare::skeleton::toString(const Expr &expr) {
  if (expr.isPoisoned()) return "<overflow>";
  if (expr.sum().empty()) return "0";
  // A positive term comes first, if there is one: n - i, not -i + n.
  llvm::ArrayRef<Term> sum = expr.sum();
  const Term *first = llvm::find_if(sum, [](const Term &term) { return term.coefficient > 0; });
  if (first == sum.end()) first = sum.begin();
  std::string text = ::toString(*first, true);
  for (const Term &term : sum)
    if (&term != first) text += ::toString(term, false);
  return text;
}

size_t busfare::skeleton::plainNameLength(llvm::StringRef text) {
  if (text.empty() || !isNameStart(text[0])) return 0;
  bool hasPlace = false; // After `@` a single colon may follow: solve@40:tmp.
  size_t k = 1;
  while (k < text.size()) {
    char c = text[k];
    llvm::StringRef rest = text.substr(k + 1);
    if (isNameChar(c)) {
      ++k;
    } else if ((c == '.' || c == '@' || c == '#') && !rest.empty() && isNameChar(rest[0])) {
      hasPlace |= c == '@';
      ++k;
    } else if (c == ':' && hasPlace && !rest.empty() && isNameStart(rest[0])) {
      hasPlace = false;
      ++k;
    } else if (c == ':' && rest.size() >= 2 && rest[0] == ':' && isNameStart(rest[1])) {
      k += 2;
    } else {
      break;
    }
  }
  return k;
}

std::string busfare::skeleton::quoteName(llvm::StringRef name) {
  bool isReserved = name == "min" || name == "max" || name == "floor" || name == "mod" || name == "true";
  if (!isReserved && !name.empty() && plainNameLength(name) == name.size()) return name.str();
  return quoteText(name, '`');
}

std::string busfare::skeleton::quoteText(llvm::StringRef text, char quote) {
  std::string quoted(1, quote);
  for (char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      quoted += "\\x";
      quoted += llvm::hexdigit(static_cast<unsigned char>(c) >> 4, true);
      quoted += llvm::hexdigit(static_cast<unsigned char>(c) & 15, true);
      continue;
    }
    if (c == quote || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + quote;
}
