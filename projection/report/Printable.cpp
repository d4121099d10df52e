//===- projection/report/Printable.cpp - Foreign names in lines of text ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/Printable.h"
#include "llvm/Support/ConvertUTF.h"
#include <algorithm>
#include <cstdio>

using llvm::StringRef;

namespace busfare::projection {

/// Does a terminal or an XML reader take it for anything but a letter to be shown where it stands?
static bool isUnsafe(unsigned c) {
  return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0xad || c == 0x061c || (c >= 0x200b && c <= 0x200f) ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xfff0 && c <= 0xfffb) ||
         (c & 0xfffe) == 0xfffe || (c >= 0xfdd0 && c <= 0xfdef) || (c >= 0xe0000 && c <= 0xe007f);
}

static std::string escaped(unsigned c) {
  if (c == '\n' || c == '\t') return c == '\n' ? "\\n" : "\\t";
  char text[16];
  std::snprintf(text, sizeof text, c <= 0xff ? "\\x%02x" : "\\u%04x", c);
  return text;
}

std::string printable(StringRef text) {
  std::string shown;
  const auto *at = reinterpret_cast<const llvm::UTF8 *>(text.bytes_begin()), *const end = at + text.size();
  while (at != end) {
    const llvm::UTF8 *start = at;
    llvm::UTF32 c = 0;
    if (llvm::convertUTF8Sequence(&at, end, &c, llvm::strictConversion) != llvm::conversionOK) {
      at = start + 1;
      shown += escaped(*start);
    } else if (isUnsafe(c)) {
      shown += escaped(c);
    } else {
      shown.append(start, at);
    }
  }
  return shown;
}

std::string xmlText(StringRef text) {
  std::string marked;
  for (char c : printable(text)) switch (c) {
    case '&': marked += "&amp;"; break;
    case '<': marked += "&lt;"; break;
    case '>': marked += "&gt;"; break;
    case '"': marked += "&quot;"; break;
    case '\'': marked += "&apos;"; break;
    default: marked += c;
    }
  return marked;
}

std::string codeSpan(StringRef text) {
  const std::string shown = printable(text);
  // The fence is longer than any run of its own kind inside.
  size_t longest = 0, run = 0;
  for (char c : shown) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
  const std::string fence(longest + 1, '`');
  const bool needsBlank =
      shown.empty() || shown.front() == '`' || shown.back() == '`' || (shown.front() == ' ' && shown.back() == ' ');
  return fence + (needsBlank ? " " : "") + shown + (needsBlank ? " " : "") + fence;
}

} // namespace busfare::projection
