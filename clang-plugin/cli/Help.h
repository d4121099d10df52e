//===- clang-plugin/cli/Help.h - What is said of all commands ------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Texts of `busfare help` that the manual pages have, too: paragraphs with a blank line
// between them, and lines that begin with blanks as they are.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_CLI_HELP_H
#define BUSFARE_CLANG_PLUGIN_CLI_HELP_H

#include "llvm/ADT/StringRef.h"

namespace busfare::frontend {

llvm::StringRef exitCodesHelp();
llvm::StringRef hintsHelp(); ///< What comments in the source can say.

} // namespace busfare::frontend

#endif
