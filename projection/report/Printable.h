//===- projection/report/Printable.h - Foreign names in lines of text -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A file or a function may be called anything. In a line of text or of XML its name is
// data: it ends no line, moves no cursor, opens no element, and turns nothing round.
//
//   printable("a\nb\x1b[2J")    a\nb\x1b[2J        one line, nothing for a terminal to obey
//   xmlText("<script>")         &lt;script&gt;
//   codeSpan("a`b")             ``a`b``            Markdown
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_PRINTABLE_H
#define BUSFARE_PROJECTION_REPORT_PRINTABLE_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace busfare::projection {

/// Line breaks and tabs as \n and \t, other control characters and bytes that are no UTF-8 as \x1b, what has no width
/// or steers the direction of text as \u202e, line separators likewise; the rest as it is.
std::string printable(llvm::StringRef text);

/// Printable, with what XML gives a meaning to written as entities; for text and for values between double quotes.
std::string xmlText(llvm::StringRef text);

/// Printable, as code in Markdown: no part of it is a link, a mention or an element.
/// Not for tables, which want their pipes escaped.
std::string codeSpan(llvm::StringRef text);

} // namespace busfare::projection

#endif
