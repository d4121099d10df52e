//===- skeleton/ParseExpr.cpp - Reading formulas and conditions -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Comparisons become Exprs that must not be negative: `i < n` is n - i - 1. A `!=`
// is two alternatives, so a conjunction that holds one becomes two.
//
//===----------------------------------------------------------------------===//
#include "skeleton/Parser.h"
#include "llvm/ADT/STLExtras.h"

using namespace busfare::skeleton;

/// A condition with more alternatives is refused; each `!=` doubles them.
static constexpr size_t maxAlternatives = 64;

Expr Parser::expression() {
  size_t start = token.offset;
  Expr result = sum();
  if (complaint.empty() && result.isPoisoned()) failAt(start, "this formula overflows 64 bits or is too long");
  return result;
}

Expr Parser::sum() {
  bool isNegative = accept("-");
  Expr result = product(isNegative);
  while (token.is("+") || token.is("-")) {
    isNegative = token.is("-");
    advance();
    result = result + product(isNegative);
  }
  return result;
}

Expr Parser::product(bool isNegative) {
  // -a mod 4 is -(a mod 4): the sign belongs to the product. A number takes it at once, for -2^63.
  bool isNumber = token.kind == Token::Kind::Integer;
  bool isSmallest = isNumber && isNegative && token.integer == uint64_t(INT64_MAX) + 1;
  Expr result = factor(isSmallest);
  while (token.is("*") || token.is("mod")) {
    if (accept("*")) {
      result = result * factor(false);
      continue;
    }
    advance();
    size_t start = token.offset;
    uint64_t divisor = natural("a number after 'mod'", INT64_MAX);
    if (complaint.empty() && (divisor == 0 || isSmallest)) failAt(start, "a number above 0 must follow 'mod'");
    result = mod(result, int64_t(divisor));
  }
  return isNegative && !isSmallest ? -result : result;
}

Expr Parser::factor(bool isNegative) {
  if (token.kind == Token::Kind::Integer) {
    int64_t value = isNegative ? INT64_MIN : 0;
    if (!isNegative) value = int64_t(natural("a number", INT64_MAX));
    else advance();
    return value;
  }
  if (token.is("-")) {
    if (!enter()) return 0;
    advance();
    Expr result = -factor(false);
    leave();
    return result;
  }
  if (token.is("(")) {
    if (!enter()) return 0;
    advance();
    Expr result = sum();
    expect(")", "after the formula");
    leave();
    return result;
  }
  Token next = lex(source, token.offset + token.text.size());
  bool isCall = token.kind == Token::Kind::Name && next.is("(") && !(isOfSource && isCalled(next));
  if (isCall && token.is("floor")) return floorCall();
  if (isCall && (token.is("min") || token.is("max"))) return extremumCall(token.is("min"));
  if (isCall) {
    fail("only min, max and floor can be called in a formula, not '" + token.text.str() + "'");
    return 0;
  }
  if (token.is("?")) {
    fail("'?' can only stand alone, not inside a formula");
    return 0;
  }
  return Expr::symbol(name("a number, a name or '('"));
}

Expr Parser::floorCall() {
  if (!enter()) return 0;
  advance();
  expect("(", "after 'floor'");
  size_t start = token.offset;
  bool isNegative = accept("-");
  Expr dividend = product(isNegative);
  if (token.is("+") || token.is("-")) failAt(start, "put the sum before '/' in parentheses");
  expect("/", "in 'floor'");
  start = token.offset;
  uint64_t divisor = natural("a number after '/'", INT64_MAX);
  if (complaint.empty() && divisor == 0) failAt(start, "a number above 0 must follow '/'");
  expect(")", "after the divisor");
  leave();
  return floorDiv(dividend, int64_t(divisor));
}

Expr Parser::extremumCall(bool isMin) {
  if (!enter()) return 0;
  advance();
  expect("(", isMin ? "after 'min'" : "after 'max'");
  Expr result = sum();
  while (accept(",")) {
    Expr next = sum();
    result = isMin ? min(result, next) : max(result, next);
  }
  expect(")", "after the formula");
  leave();
  return result;
}

std::optional<Expr> Parser::expressionOrUnknown() {
  if (accept("?")) return std::nullopt;
  return expression();
}

/// The rest of `in A .. B`.
void Parser::bounds(std::optional<Expr> &low, std::optional<Expr> &high) {
  low = expressionOrUnknown();
  expect("..", "between the bounds");
  high = expressionOrUnknown();
}

Condition Parser::condition() {
  Condition result;
  result.exact = true;
  bool saysNothing = false;
  do {
    Conjunctions alternatives = conjunct(result.exact, saysNothing);
    result.anyOf.insert(result.anyOf.end(), alternatives.begin(), alternatives.end());
    if (result.anyOf.size() > maxAlternatives)
      fail("a condition has at most " + std::to_string(maxAlternatives) + " alternatives");
  } while (accept("or"));
  // One alternative that may always hold: no necessary condition is left.
  if (saysNothing) result.anyOf.clear();
  return result;
}

Parser::Conjunctions Parser::conjunct(bool &isExact, bool &saysNothing) {
  Conjunctions alternatives(1);
  bool hasUnknown = false, hasKnown = false;
  do {
    llvm::StringRef after = lex(source, token.offset + token.text.size()).text;
    if (accept("?")) {
      hasUnknown = true;
    } else if (token.is("true") && (after == "and" || after == "or" || after == "{" || after == "at" ||
                                    after == "probability" || after == "rest")) {
      advance();
      hasKnown = true;
    } else {
      comparison(alternatives);
      hasKnown = true;
    }
  } while (accept("and"));
  isExact &= !hasUnknown;
  saysNothing |= hasUnknown && !hasKnown;
  return alternatives;
}

/// Adds `a < b` or the chain `a <= b < c` to every alternative.
void Parser::comparison(Conjunctions &alternatives) {
  static constexpr llvm::StringRef relations[] = {"<=", ">=", "==", "!=", "<", ">"};
  Expr left = expression();
  bool isFirst = true;
  while (complaint.empty()) {
    const llvm::StringRef *relation = llvm::find_if(relations, [&](llvm::StringRef r) { return token.is(r); });
    if (relation == std::end(relations)) {
      if (isFirst) unexpected("a comparison (>=, <=, <, >, ==, !=)");
      return;
    }
    advance();
    isFirst = false;
    size_t start = token.offset;
    Expr right = expression();
    Expr more = left - right, less = right - left;
    std::vector<std::vector<Expr>> choices; // Each a conjunction.
    if (*relation == ">=") choices = {{more}};
    else if (*relation == "<=") choices = {{less}};
    else if (*relation == ">") choices = {{more - 1}};
    else if (*relation == "<") choices = {{less - 1}};
    else if (*relation == "==") choices = {{more, less}};
    else choices = {{more - 1}, {less - 1}};
    // Also what the negation would need: a condition that is printed is read back.
    auto overflows = [](const Expr &fact) { return (fact - 1).isPoisoned() || (-fact - 1).isPoisoned(); };
    if (llvm::any_of(choices, [&](const auto &facts) { return llvm::any_of(facts, overflows); }))
      failAt(start, "this comparison overflows 64 bits");
    Conjunctions product;
    for (const std::vector<Expr> &alternative : alternatives)
      for (const std::vector<Expr> &choice : choices) {
        product.push_back(alternative);
        product.back().insert(product.back().end(), choice.begin(), choice.end());
      }
    alternatives = std::move(product);
    if (alternatives.size() > maxAlternatives)
      fail("a condition has at most " + std::to_string(maxAlternatives) + " alternatives");
    left = right;
  }
}
