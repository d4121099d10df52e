//===- projection/report/VisibleText.cpp - Names that may hold anything ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/VisibleText.h"
#include "projection/report/JsonParts.h"
#include "llvm/ADT/StringExtras.h"

namespace busfare::projection {

/// Bytes of the character that begins so, in valid UTF-8.
static size_t widthOf(unsigned char first) { return first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4; }

static uint32_t codeOf(llvm::StringRef character) {
  unsigned char first = character.front();
  uint32_t code = character.size() == 1 ? first : first & (0xFF >> (character.size() + 1));
  for (char next : character.drop_front())
    code = code << 6 | (next & 0x3F);
  return code;
}

/// Controls, marks and overrides of direction, separators of lines, and what has no width.
static bool isInvisible(uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0xAD || code == 0x61C || (code >= 0x200B && code <= 0x200F) ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF;
}

std::string visible(llvm::StringRef text) {
  const std::string valid = readable(text);
  std::string result;
  for (llvm::StringRef rest = valid; !rest.empty();) {
    const llvm::StringRef character = rest.take_front(widthOf(rest.front()));
    rest = rest.drop_front(character.size());
    const uint32_t code = codeOf(character);
    if (!isInvisible(code))
      result += character;
    else if (code == '\n' || code == '\t')
      result += code == '\n' ? "\\n" : "\\t";
    else
      result += (code < 0x100 ? "\\x" : "\\u") + llvm::utohexstr(code, true, code < 0x100 ? 2 : 4);
  }
  return result;
}

} // namespace busfare::projection
