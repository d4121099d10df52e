//===- clang-plugin/cli/ManPage.h - Manual pages from the tables ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// busfare(1), and a page for each command, made of the tables that `busfare help` and
// the parser read, so that no page says what the program does not do. The build asks
// for them:
//
//   busfare print-man                    busfare
//                                        busfare-analyze
//                                        ...
//   busfare print-man busfare-analyze    .TH BUSFARE\-ANALYZE 1 "" "busfare 0.1.0" "busfare"
//                                        .SH NAME
//                                        busfare\-analyze \- sources to a report: ...
//
// In roff a line that begins with a dot or a quote is a request, a backslash begins an
// escape, and a plain - is printed as a hyphen, which no shell takes for an option.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_CLI_MAN_PAGE_H
#define BUSFARE_CLANG_PLUGIN_CLI_MAN_PAGE_H

#include "Commands.h"

namespace busfare::frontend {

/// The command that prints them; it is in no help.
inline constexpr const char *manCommand = "print-man";
Outcome runPrintMan(const Options &options);

/// Text that roff prints as it stands; one line stays one line.
std::string escapedForRoff(llvm::StringRef text);

/// Paragraphs, filled, and lines that begin with blanks, as they are.
std::string paragraphsForRoff(llvm::StringRef text);

} // namespace busfare::frontend

#endif
