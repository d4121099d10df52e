//===- skeleton/Lexer.h - Tokens of skeleton text -------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Cuts skeleton text into tokens. Line ends mean nothing; a comment runs from `#`
// to the end of its line.
//
//   read u[i - 1] # left      Name read, Name u, [, Name i, -, Integer 1, ]
//
// Private to skeleton/; the grammar is in Parse.h.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_SKELETON_LEXER_H
#define BUSFARE_SKELETON_LEXER_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace busfare::skeleton {

struct Token {
  enum class Kind {
    Name,        ///< Bare: a keyword or a name.
    QuotedName,  ///< In back quotes: never a keyword.
    Integer,
    Real,
    String,
    Punctuation, ///< One of ( ) [ ] { } , : = + - * / ? & | ^ && || .. <- < > <= >= == !=
    End,
    Bad,         ///< No token starts so; `value` says why.
  };
  Kind kind = Kind::End;
  llvm::StringRef text;  ///< As written.
  size_t offset = 0;     ///< Of its first character.
  std::string value;     ///< Of names and strings: without quotes and escapes. Of Bad: the complaint.
  uint64_t integer = 0;  ///< Of an Integer.
  double real = 0;       ///< Of an Integer or a Real.

  bool is(llvm::StringRef punctuationOrKeyword) const {
    return (kind == Kind::Punctuation || kind == Kind::Name) && text == punctuationOrKeyword;
  }
  bool isName() const { return kind == Kind::Name || kind == Kind::QuotedName; }
};

/// The token that starts at or after offset.
Token lex(llvm::StringRef source, size_t offset);

/// `file:line:column: message`, the source line, and a caret under the column; unprintable characters
/// of the line are shown as `?`, a long line is cut around the column.
std::string locatedMessage(llvm::StringRef source, llvm::StringRef fileName, size_t offset, llvm::StringRef message);
/// Line and column, counted from 1.
std::pair<unsigned, unsigned> lineAndColumn(llvm::StringRef source, size_t offset);

} // namespace busfare::skeleton

#endif
