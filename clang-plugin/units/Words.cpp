//===- clang-plugin/units/Words.cpp - A command line as words ------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Words.h"

using llvm::StringRef;

namespace busfare::frontend {

llvm::Expected<std::vector<std::string>> splitWords(StringRef text) {
  std::vector<std::string> words;
  bool inWord = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (!quote && (c == ' ' || c == '\t' || c == '\n')) {
      inWord = false;
      continue;
    }
    if (!inWord) words.emplace_back();
    inWord = true;
    if (c == quote) quote = 0;
    else if (!quote && (c == '"' || c == '\'')) quote = c;
    else if (c == '\\' && quote != '\'' && i + 1 < text.size()) words.back() += text[++i];
    else words.back() += c;
  }
  if (quote) return llvm::createStringError("a quote (%c) is not closed in: %s", quote, text.str().c_str());
  return words;
}

} // namespace busfare::frontend
