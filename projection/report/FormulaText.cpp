//===- projection/report/FormulaText.cpp - Formulas as people read them -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/FormulaText.h"
#include "projection/Describe.h"
#include "skeleton/Parse.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace busfare::projection {

/// Up to the next sign or separator outside parentheses.
static StringRef takeFactor(StringRef text) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '`') { // a name, whatever is in it: `*xmax`
      i = std::min(text.find('`', i + 1), text.size() - 1);
      continue;
    }
    if (depth == 0 && StringRef("*+-:,[] )").contains(text[i])) return text.take_front(i);
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
  }
  return text;
}

std::string spokenFormula(StringRef formula) {
  std::string plain = withoutPaths(formula), result;
  for (StringRef rest = plain; !rest.empty();) {
    std::vector<std::pair<StringRef, unsigned>> factors;
    StringRef factor = takeFactor(rest);
    while (!factor.empty()) {
      rest = rest.drop_front(factor.size());
      auto known = llvm::find_if(factors, [&](const auto &one) { return one.first == factor; });
      if (known == factors.end()) factors.emplace_back(factor, 1);
      else ++known->second;
      bool goesOn = rest.starts_with("*") && !takeFactor(rest.drop_front(1)).empty();
      if (!goesOn) break;
      rest = rest.drop_front(1);
      factor = takeFactor(rest);
    }
    for (size_t i = 0; i < factors.size(); ++i) {
      const auto &[name, power] = factors[i];
      result += (i ? "*" : "") + name.str() + (power > 1 ? "^" + std::to_string(power) : "");
    }
    result += rest.take_front(1);
    rest = rest.drop_front(std::min<size_t>(1, rest.size()));
  }
  return result;
}

/// The product of a box's sides, if that is what the formula says with all its products written out, and shorter.
static std::string productOfSides(const CrossingReport &crossing, uint64_t elementBytes) {
  if (crossing.boxes.size() != 1) return "";
  auto expr = [](const std::string &text) -> std::optional<skeleton::Expr> {
    llvm::Expected<skeleton::Expr> parsed = skeleton::parseExpr(text);
    if (!parsed) return llvm::consumeError(parsed.takeError()), std::nullopt;
    return *parsed;
  };
  skeleton::Expr product(int64_t{1});
  int64_t number = int64_t(elementBytes);
  std::string text;
  for (const auto &[low, high, step] : crossing.boxes.front()) {
    std::optional<skeleton::Expr> from = expr(low), to = expr(high);
    if (!from || !to || step != "1") return "";
    skeleton::Expr side = *to - *from + 1;
    product = product * side;
    if (auto known = side.constant()) number *= *known;
    else text += "*" + (side.asSymbol() ? toString(side) : "(" + compact(toString(side)) + ")");
  }
  std::optional<skeleton::Expr> whole = expr(crossing.formula);
  bool isSame = whole && product * skeleton::Expr(int64_t(elementBytes)) == *whole;
  return isSame ? withoutPaths(std::to_string(number) + text) : "";
}

std::string spokenSize(const CrossingReport &crossing, uint64_t elementBytes) {
  std::string formula = spokenFormula(crossing.formula), product = productOfSides(crossing, elementBytes);
  return product.empty() || product.size() >= formula.size() ? formula : product;
}

/// "a, b, c and 4 more".
static std::string listed(llvm::ArrayRef<std::string> names) {
  constexpr size_t most = 12;
  std::string line = llvm::join(names.take_front(most), ", ");
  return names.size() > most ? line + " and " + std::to_string(names.size() - most) + " more" : line;
}

std::vector<std::string> withPairsTogether(llvm::ArrayRef<std::string> assumptions) {
  constexpr size_t few = 3;
  std::vector<std::string> others, pairs, apart;
  for (const std::string &assumption : assumptions) {
    StringRef text = assumption;
    const bool isPair = text.consume_front("noalias(") && text.consume_back(")");
    std::vector<std::string> &kind = isPair ? pairs : others;
    if (llvm::is_contained(kind, assumption)) // of several arrays of one name
      continue;
    kind.push_back(assumption);
    llvm::SmallVector<StringRef> parts;
    if (isPair) text.split(parts, ',');
    for (StringRef part : parts)
      if (!llvm::is_contained(apart, part.trim())) apart.push_back(part.trim().str());
  }
  if (pairs.size() <= few) return assumptions.vec();
  others.push_back(std::to_string(pairs.size()) + " pairs of pointers do not overlap: " + listed(apart) +
                   " (--format json lists the pairs)");
  return others;
}

std::vector<std::string> spokenAssumptions(llvm::ArrayRef<std::string> assumptions) {
  std::vector<std::string> rest, steady, unthrown, rows, uninterposed;
  for (const std::string &assumption : assumptions) {
    StringRef text = assumption;
    if (text.consume_front("steady(") && text.consume_back(")")) steady.push_back(text.str());
    else if (text.consume_front("unthrown(") && text.consume_back(")")) unthrown.push_back(text.str());
    else if (text.consume_front("uninterposed(") && text.consume_back(")")) uninterposed.push_back(text.str());
    else if (text.consume_front("rows(") && text.consume_back(")")) rows.push_back(text.str());
    else rest.push_back(assumption);
  }
  std::vector<std::string> result = withPairsTogether(rest);
  if (!rows.empty())
    result.push_back("rows: those of a table overlap neither each other nor other arrays: " + listed(rows));
  if (!uninterposed.empty())
    result.push_back("uninterposed: no program puts functions of its own in the place of " + listed(uninterposed));
  if (!unthrown.empty()) result.push_back("unthrown: no exception comes to, or from, " + listed(unthrown));
  if (!steady.empty())
    result.push_back("steady: calls of code that is not seen leave these pointers where they lead: " + listed(steady));
  return result;
}

} // namespace busfare::projection
