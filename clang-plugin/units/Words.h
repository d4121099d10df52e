//===- clang-plugin/units/Words.h - A command line as words --------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_UNITS_WORDS_H
#define BUSFARE_CLANG_PLUGIN_UNITS_WORDS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace busfare::frontend {

/// Words as a shell would split them, with quotes and backslashes; nothing is expanded. Errors: a quote that does not
/// end.
llvm::Expected<std::vector<std::string>> splitWords(llvm::StringRef text);

} // namespace busfare::frontend

#endif
