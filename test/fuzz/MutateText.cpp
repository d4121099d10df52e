//===- test/fuzz/MutateText.cpp - Changes to skeleton text -----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The text is cut into words, blanks kept before each. A statement begins at one of
// its keywords and ends where the next begins or its block closes.
//
//===----------------------------------------------------------------------===//

#include "MutateText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <random>
#include <vector>

namespace busfare::fuzz {

namespace {

constexpr llvm::StringLiteral openers[] = {"for",   "if",   "read",  "write", "update", "may",   "ops",  "define",
                                           "call",  "alloc", "free", "host",  "rotate", "array", "function"};
/// What a number is likely to break something at.
constexpr const char *numbers[] = {"0", "1", "2", "3", "4", "7", "8", "16", "64", "1000", "4294967296", "9223372036854775807"};
constexpr const char *formulas[] = {"n - 1", "i - 1", "i + 1", "2*i", "n - 1 - i", "i*n + j", "floor(i / 2)", "i mod 3",
                                    "min(i, n - 1)", "max(i - 1, 0)", "?", "0", "n*n - 1", "j", "i"};

struct Range {
  size_t begin = 0, end = 0;
};

class Mutation {
public:
  Mutation(llvm::StringRef text, unsigned seed) : random(seed) { cut(text); }

  std::string run() {
    for (unsigned count = 1 + pick(4); count > 0 && words.size() > 2; --count)
      change();
    std::string text;
    for (const auto &[blanks, word] : words)
      text += blanks + word;
    return text;
  }

private:
  std::mt19937 random;
  std::vector<std::pair<std::string, std::string>> words; ///< Blanks, then the word.

  size_t pick(size_t count) { return random() % count; }

  void cut(llvm::StringRef text) {
    while (!text.empty()) {
      llvm::StringRef blanks = text.take_while(llvm::isSpace);
      text = text.drop_front(blanks.size());
      auto isNameLike = [](char c) { return llvm::isAlnum(c) || c == '_'; };
      llvm::StringRef word = text.take_while(isNameLike);
      if (word.empty())
        word = text.take_front(text.starts_with("..") || text.starts_with("<-") || text.starts_with(">=") ? 2 : 1);
      text = text.drop_front(word.size());
      words.emplace_back(blanks.str(), word.str());
    }
  }

  template <class Test> std::vector<size_t> places(Test test) {
    std::vector<size_t> found;
    for (size_t k = 0; k < words.size(); ++k)
      if (test(llvm::StringRef(words[k].second)))
        found.push_back(k);
    return found;
  }
  template <class Test> size_t oneOf(Test test) {
    std::vector<size_t> found = places(test);
    return found.empty() ? words.size() : found[pick(found.size())];
  }
  static bool isNumber(llvm::StringRef word) { return !word.empty() && llvm::isDigit(word[0]); }
  static bool isName(llvm::StringRef word) { return !word.empty() && (llvm::isAlpha(word[0]) || word[0] == '_'); }
  static bool isOpener(llvm::StringRef word) { return llvm::is_contained(openers, word); }

  /// The bracket that closes the one at `open`, else the last word; behind `open` in any case.
  size_t closing(size_t open) const {
    const std::string &opener = words[open].second, closer = opener == "{" ? "}" : opener == "[" ? "]" : ")";
    int depth = 0;
    for (size_t k = open; k < words.size(); ++k) {
      depth += words[k].second == opener ? 1 : words[k].second == closer ? -1 : 0;
      if (depth == 0)
        return k;
    }
    return std::min(std::max(words.size() - 1, open + 1), words.size());
  }

  Range statement() {
    size_t begin = oneOf(isOpener);
    if (begin == words.size())
      return {};
    size_t end = begin + 1;
    for (; end < words.size(); ++end) {
      const std::string &word = words[end].second;
      if (word == "{") {
        end = std::min(closing(end) + 1, words.size());
        if (end < words.size() && words[end].second == "else")
          continue;
        break;
      }
      if (word == "}" || (isOpener(word) && !(words[end - 1].second == "may" || words[end - 1].second == "(" || words[end - 1].second == ",")))
        break;
    }
    return {begin, end};
  }

  void replace(Range what, const std::vector<std::pair<std::string, std::string>> &with) {
    words.erase(words.begin() + long(what.begin), words.begin() + long(what.end));
    words.insert(words.begin() + long(what.begin), with.begin(), with.end());
  }
  std::vector<std::pair<std::string, std::string>> copy(Range what) const {
    return {words.begin() + long(what.begin), words.begin() + long(what.end)};
  }

  void changeSubscript() {
    size_t open = oneOf([](llvm::StringRef word) { return word == "["; });
    if (open == words.size())
      return;
    Range inside{open + 1, closing(open)};
    if (pick(3) == 0)
      return replace(inside, {{"", formulas[pick(std::size(formulas))]}});
    size_t other = oneOf([](llvm::StringRef word) { return word == "["; });
    replace(inside, copy({other + 1, closing(other)}));
  }

  void change() {
    switch (pick(10)) {
    case 0:
    case 1:
      if (size_t k = oneOf(isNumber); k < words.size())
        words[k].second = pick(3) ? std::to_string(pick(9)) : numbers[pick(std::size(numbers))];
      break;
    case 2:
    case 3: {
      size_t k = oneOf(isName), other = oneOf(isName);
      if (k < words.size() && isOpener(words[k].second) == isOpener(words[other].second))
        words[k].second = words[other].second;
      break;
    }
    case 4:
    case 5:
      changeSubscript();
      break;
    case 6:
    case 7: {
      std::vector<std::pair<std::string, std::string>> copied = copy(statement());
      size_t at = oneOf(isOpener);
      if (at < words.size() && words.size() < 3000)
        replace({at, at}, copied);
      break;
    }
    case 8:
      replace(statement(), {});
      break;
    default:
      wrap();
    }
  }

  void wrap() {
    static constexpr const char *heads[] = {"for k = 0 .. n - 1 {", "if ? {", "if i >= 1 {", "for t = 0 .. 2 time {",
                                            "for k = n - 1 .. 0 step -1 {", "host io \"x\" {"};
    Range inside = statement();
    if (inside.end == inside.begin)
      return;
    words.insert(words.begin() + long(inside.end), {" ", "}"});
    words.insert(words.begin() + long(inside.begin), {" ", heads[pick(std::size(heads))]});
  }
};

} // namespace

std::string mutateText(llvm::StringRef text, unsigned seed) { return Mutation(text, seed).run(); }

} // namespace busfare::fuzz
