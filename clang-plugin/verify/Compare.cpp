//===- clang-plugin/verify/Compare.cpp - Is this the same output? --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/verify/Compare.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>
#include <limits>

using llvm::StringRef;

namespace busfare::frontend::verify {

static bool isWord(char c) { return llvm::isAlnum(c) || c == '_'; }

static constexpr char exactMark = 0x1f;

/// How many characters of text are a number: [+-] digits [. digits] [e [+-] digits], inf, nan. 0 if it begins with
/// none.
static size_t numberLength(StringRef text, bool &isFloat) {
  size_t i = !text.empty() && (text[0] == '-' || text[0] == '+');
  isFloat = false;
  for (StringRef word : {"nan", "inf", "infinity"})
    if (text.substr(i, word.size()).equals_insensitive(word) &&
        (i + word.size() == text.size() || !isWord(text[i + word.size()]))) {
      isFloat = true;
      return i + word.size();
    }
  auto digits = [&] {
    size_t begin = i;
    while (i < text.size() && llvm::isDigit(text[i])) ++i;
    return i - begin;
  };
  size_t before = digits(), after = 0;
  if (i < text.size() && text[i] == '.' && (before || (i + 1 < text.size() && llvm::isDigit(text[i + 1])))) {
    ++i;
    after = digits();
    isFloat = true;
  }
  if (before + after == 0) return 0;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    size_t mantissa = i++;
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
    if (digits()) isFloat = true;
    else i = mantissa;
  }
  // 0x1f, 3rd, v2: words, not numbers.
  return i < text.size() && isWord(text[i]) ? 0 : i;
}

static double lastPlaceOf(StringRef text) {
  auto [mantissa, exponent] = text.split(text.contains('e') ? 'e' : 'E');
  int power = 0;
  if (exponent.consume_front("+"); exponent.getAsInteger(10, power)) power = 0;
  size_t point = mantissa.find('.');
  int places = point == StringRef::npos ? 0 : int(mantissa.size() - point - 1);
  return std::pow(10.0, power - places);
}

static Token numberToken(StringRef text, unsigned line, bool isFloat) {
  Token token{text, line, true, isFloat};
  StringRef plain = text;
  plain.consume_front("+");
  bool negative = plain.starts_with("-");
  StringRef word = plain.drop_front(negative);
  if (word.starts_with_insensitive("nan")) token.value = std::numeric_limits<double>::quiet_NaN();
  else if (word.starts_with_insensitive("inf"))
    token.value = negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  else token.value = std::strtod(plain.str().c_str(), nullptr), token.lastPlace = lastPlaceOf(word);
  return token;
}

/// The value between two marks at the begin of text, which it is taken off; nothing if there is none.
static std::optional<double> consumeExact(StringRef &text) {
  size_t end = text.starts_with(exactMark) ? text.find(exactMark, 1) : StringRef::npos;
  if (end == StringRef::npos) return std::nullopt;
  double value = std::strtod(text.slice(1, end).str().c_str(), nullptr);
  text = text.drop_front(end + 1);
  return value;
}

std::vector<Token> tokensOf(StringRef text) {
  std::vector<Token> tokens;
  unsigned line = 1;
  for (size_t i = 0; i < text.size();) {
    if (llvm::isSpace(text[i])) {
      line += text[i++] == '\n';
      continue;
    }
    bool isFloat = false;
    if (size_t length = numberLength(text.drop_front(i), isFloat)) {
      tokens.push_back(numberToken(text.substr(i, length), line, isFloat));
      StringRef rest = text.drop_front(i + length);
      tokens.back().exact = consumeExact(rest);
      i = text.size() - rest.size();
      continue;
    }
    // Behind what was no number of its own: v1.50
    if (StringRef rest = text.drop_front(i); consumeExact(rest)) {
      i = text.size() - rest.size();
      continue;
    }
    size_t begin = i++;
    // A word is taken whole; behind other characters a number may begin.
    while (i < text.size() && !llvm::isSpace(text[i]) && text[i] != exactMark &&
           ((isWord(text[i]) && isWord(text[i - 1])) || numberLength(text.drop_front(i), isFloat) == 0))
      ++i;
    tokens.push_back({text.slice(begin, i), line});
  }
  return tokens;
}

/// Values that are printed as neighbours: sums of float in another order differ in the seventh digit.
static constexpr double roundingTolerance = 1e-6;

static bool agree(const Token &expected, const Token &actual, double tolerance) {
  if (!expected.isNumber || !actual.isNumber || (!expected.isFloat && !actual.isFloat))
    return expected.text == actual.text;
  double a = expected.value, b = actual.value;
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (std::isinf(a) || std::isinf(b)) return a == b;
  double size = std::max(std::fabs(a), std::fabs(b)), allowed = tolerance * std::max(size, 1e-5);
  // %g leaves zeros off the end, so the finer of the two counts, and a few digits say nothing of the precision. Half a
  // unit more, as the difference of two printed values is itself rounded.
  double lastPlace = std::min(expected.lastPlace, actual.lastPlace);
  if (lastPlace <= 1e-4 * size) allowed = std::max(allowed, 1.5 * lastPlace);
  if (std::fabs(a - b) <= allowed) return true;
  return expected.exact && actual.exact && std::fabs(a - b) <= 1.5 * lastPlace &&
         std::fabs(*expected.exact - *actual.exact) <= std::max(tolerance, roundingTolerance) * std::max(size, 1e-5);
}

/// With all its digits, where the program tells.
static double valueOf(const Token &token) { return token.exact.value_or(token.value); }

static bool isWithin(double slack, const Token &wanted, const Token &found) {
  if (slack == 0 || std::isinf(slack)) return slack != 0;
  bool haveDigits = wanted.exact && found.exact; // else what is printed is rounded, too
  double printed = haveDigits ? 0 : 1.5 * std::max(wanted.lastPlace, found.lastPlace);
  if (wanted.isNumber && found.isNumber && std::isnan(found.value))
    return std::fabs(valueOf(wanted)) <= slack; // the root of what is 0 but for rounding
  return wanted.isNumber && found.isNumber && std::fabs(valueOf(wanted) - valueOf(found)) <= slack + printed;
}

static std::string shown(StringRef text) { return text.size() <= 40 ? text.str() : text.take_front(37).str() + "..."; }

Comparison compare(const Reference &expected, StringRef actual, double tolerance) {
  std::vector<Token> wanted = tokensOf(expected.text), found = tokensOf(actual);
  for (size_t i = 0; i < std::min(wanted.size(), found.size()); ++i) {
    double slack = i < expected.slack.size() ? expected.slack[i] : 0;
    if (!agree(wanted[i], found[i], tolerance) && !isWithin(slack, wanted[i], found[i]))
      return {false,
              llvm::formatv("line {0}: {1}, expected {2}", found[i].line, shown(found[i].text), shown(wanted[i].text))
                  .str()};
  }
  if (found.size() > wanted.size())
    return {false, llvm::formatv("line {0}: {1}, where nothing is expected", found[wanted.size()].line,
                                 shown(found[wanted.size()].text))
                       .str()};
  if (found.size() < wanted.size())
    return {false,
            llvm::formatv("ends before {0} of line {1}", shown(wanted[found.size()].text), wanted[found.size()].line)
                .str()};
  return {};
}

static bool haveSameDigits(const Token &a, const Token &b, double tolerance) {
  return !a.exact || !b.exact || *a.exact == *b.exact || (std::isnan(*a.exact) && std::isnan(*b.exact)) ||
         std::fabs(*a.exact - *b.exact) <= tolerance * std::max(std::fabs(*a.exact), std::fabs(*b.exact));
}

size_t Reference::leftOut() const {
  return llvm::count_if(slack, [](double by) { return std::isinf(by); });
}

size_t Reference::loosened() const {
  return llvm::count_if(slack, [](double by) { return by > 0 && !std::isinf(by); });
}

/// Calls widen(slack, wanted, found) for each token that this run prints otherwise.
static bool forDifferences(Reference &reference, StringRef other, double tolerance,
                           llvm::function_ref<void(double &, const Token &, const Token &)> widen) {
  std::vector<Token> wanted = tokensOf(reference.text), found = tokensOf(other);
  if (wanted.size() != found.size()) return false;
  std::vector<double> slack = reference.slack;
  slack.resize(wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i)
    if (!agree(wanted[i], found[i], tolerance) || !haveSameDigits(wanted[i], found[i], tolerance))
      widen(slack[i], wanted[i], found[i]);
  if (llvm::all_of(slack, [](double by) { return by == 0; })) slack.clear();
  reference.slack = std::move(slack);
  return true;
}

bool loosen(Reference &reference, StringRef other, double tolerance) {
  // Rounding one way throughout pulls a sum further than another order of its terms does, so a few times that is much.
  constexpr double times = 16;
  return forDifferences(reference, other, tolerance, [](double &slack, const Token &wanted, const Token &found) {
    double difference =
        wanted.isNumber && found.isNumber ? times * std::fabs(valueOf(wanted) - valueOf(found)) : HUGE_VAL;
    slack = std::max(slack, std::isnan(difference) ? HUGE_VAL : difference);
  });
}

void evenOut(Reference &reference) {
  std::vector<double> relative;
  size_t floats = 0;
  const std::vector<Token> tokens = tokensOf(reference.text);
  for (size_t i = 0; i < reference.slack.size(); ++i) {
    floats += tokens[i].isFloat;
    if (double size = std::fabs(valueOf(tokens[i]));
        tokens[i].isFloat && reference.slack[i] > 0 && size > 0 && !std::isinf(reference.slack[i]))
      relative.push_back(reference.slack[i] / size);
  }
  if (2 * relative.size() < floats || relative.empty()) return;
  llvm::sort(relative);
  const double usual = relative[relative.size() / 2];
  for (size_t i = 0; i < reference.slack.size(); ++i)
    if (tokens[i].isFloat) reference.slack[i] = std::max(reference.slack[i], usual * std::fabs(valueOf(tokens[i])));
}

bool leaveOut(Reference &reference, StringRef other, double tolerance) {
  return forDifferences(reference, other, tolerance,
                        [](double &slack, const Token &, const Token &) { slack = HUGE_VAL; });
}

} // namespace busfare::frontend::verify
