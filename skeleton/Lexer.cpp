//===- skeleton/Lexer.cpp - Tokens of skeleton text -----------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Stateless: the parser asks for the token after the one it has used up.
//
//===----------------------------------------------------------------------===//
#include "skeleton/Lexer.h"
#include "skeleton/Expr.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <utility>

using namespace busfare::skeleton;

namespace {

size_t skipBlanks(llvm::StringRef source, size_t offset) {
  while (offset < source.size()) {
    if (source[offset] == '#') offset = std::min(source.find('\n', offset), source.size());
    else if (llvm::isSpace(source[offset])) ++offset;
    else break;
  }
  return offset;
}

Token bad(Token token, llvm::StringRef why) {
  token.kind = Token::Kind::Bad;
  token.value = why.str();
  return token;
}

Token lexQuoted(llvm::StringRef source, Token token) {
  char quote = source[token.offset];
  size_t k = token.offset + 1;
  for (; k < source.size() && source[k] != quote && source[k] != '\n'; ++k) {
    if (source[k] != '\\') {
      token.value += source[k];
      continue;
    }
    ++k;
    if (k >= source.size()) break;
    if (source[k] == 'n') {
      token.value += '\n';
    } else if (source[k] == 't') {
      token.value += '\t';
    } else if (source[k] == 'x') {
      if (k + 2 >= source.size() || !llvm::isHexDigit(source[k + 1]) || !llvm::isHexDigit(source[k + 2]))
        return bad(token, "two hexadecimal digits must follow '\\x'");
      token.value += char(llvm::hexFromNibbles(source[k + 1], source[k + 2]));
      k += 2;
    } else {
      token.value += source[k];
    }
  }
  token.text = source.slice(token.offset, std::min(k + 1, source.size()));
  if (k >= source.size() || source[k] != quote) return bad(token, "the closing quote is missing");
  token.kind = quote == '`' ? Token::Kind::QuotedName : Token::Kind::String;
  return token;
}

Token lexNumber(llvm::StringRef source, Token token) {
  llvm::StringRef rest = source.substr(token.offset);
  auto skipDigits = [&](size_t k) { return std::min(rest.find_if_not(llvm::isDigit, k), rest.size()); };
  size_t length = skipDigits(0);
  bool isReal = false;
  // `0..n` is a range, not the number 0. followed by something.
  if (length + 1 < rest.size() && rest[length] == '.' && llvm::isDigit(rest[length + 1])) {
    length = skipDigits(length + 1);
    isReal = true;
  }
  if (length < rest.size() && (rest[length] == 'e' || rest[length] == 'E')) {
    size_t digits = length + 1;
    if (digits < rest.size() && (rest[digits] == '+' || rest[digits] == '-')) ++digits;
    if (digits < rest.size() && llvm::isDigit(rest[digits])) {
      length = skipDigits(digits);
      isReal = true;
    }
  }
  token.text = rest.substr(0, length);
  if (length < rest.size() && (llvm::isAlpha(rest[length]) || rest[length] == '_'))
    return bad(token, "a letter follows a number; write a product with '*'");
  token.kind = isReal ? Token::Kind::Real : Token::Kind::Integer;
  if (!isReal && token.text.getAsInteger(10, token.integer)) return bad(token, "the number does not fit 64 bits");
  if (token.text.getAsDouble(token.real) || !std::isfinite(token.real)) return bad(token, "the number is out of range");
  return token;
}

} // namespace

Token busfare::skeleton::lex(llvm::StringRef source, size_t offset) {
  Token token;
  token.offset = skipBlanks(source, offset);
  llvm::StringRef rest = source.substr(token.offset);
  token.text = rest.substr(0, 1);
  if (rest.empty()) return token;
  if (rest[0] == '"' || rest[0] == '`') return lexQuoted(source, token);
  if (llvm::isDigit(rest[0])) return lexNumber(source, token);
  if (size_t length = plainNameLength(rest)) {
    token.kind = Token::Kind::Name;
    token.text = rest.substr(0, length);
    token.value = token.text.str();
    return token;
  }
  for (llvm::StringRef pair : {"..", "<-", "<=", ">=", "==", "!=", "&&", "||"})
    if (rest.starts_with(pair)) {
      token.kind = Token::Kind::Punctuation;
      token.text = rest.substr(0, 2);
      return token;
    }
  if (llvm::StringRef("()[]{},:=+-*/?&|^<>").contains(rest[0])) {
    token.kind = Token::Kind::Punctuation;
    return token;
  }
  return bad(token, "this character has no meaning in a skeleton");
}

std::pair<unsigned, unsigned> busfare::skeleton::lineAndColumn(llvm::StringRef source, size_t offset) {
  llvm::StringRef before = source.substr(0, offset);
  size_t lineStart = before.rfind('\n');
  lineStart = lineStart == llvm::StringRef::npos ? 0 : lineStart + 1;
  return {unsigned(before.count('\n') + 1), unsigned(before.size() - lineStart + 1)};
}

std::string busfare::skeleton::locatedMessage(llvm::StringRef source, llvm::StringRef fileName, size_t offset,
                                              llvm::StringRef message) {
  auto [line, column] = lineAndColumn(source, offset);
  size_t lineStart = std::min(offset, source.size()) - (column - 1);
  llvm::StringRef text = source.substr(lineStart).split('\n').first;
  // A line longer than a terminal is cut so that the column stays in view.
  size_t first = column > 100 ? column - 60 : 0;
  std::string shown;
  for (char c : text.substr(first, 120))
    shown += c == '\t' ? ' ' : llvm::isPrint(c) || static_cast<unsigned char>(c) >= 0x80 ? c : '?';
  std::string place = fileName.str() + ":" + std::to_string(line) + ":" + std::to_string(column);
  return place + ": " + message.str() + "\n" + shown + "\n" + std::string(column - 1 - first, ' ') + "^";
}
