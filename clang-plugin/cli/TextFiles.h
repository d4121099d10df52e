//===- clang-plugin/cli/TextFiles.h - The text of a file -----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For files that busfare made itself, or that may as well not be there.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_CLI_TEXT_FILES_H
#define BUSFARE_CLANG_PLUGIN_CLI_TEXT_FILES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace busfare::frontend {

/// Empty if it cannot be read.
std::string textOfFile(llvm::StringRef path);

} // namespace busfare::frontend

#endif
