//===- clang-plugin/cli/NextCommands.h - Commands to run next, complete --===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   report: busfare explain k.c:4     called as: busfare analyze k.c --machine mine.json -- -DN=9
//   ->      busfare explain k.c:4 k.c --machine mine.json -- -DN=9
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_CLI_NEXT_COMMANDS_H
#define BUSFARE_CLANG_PLUGIN_CLI_NEXT_COMMANDS_H

#include "Options.h"

namespace busfare::frontend {

/// As one word of a shell: in quotes, if it needs them.
std::string quoted(llvm::StringRef word);

/// `busfare analyze FILE --param n=4096` with this command line's inputs, options and flags, as far as the command
/// takes them. Empty: it cannot be run on these inputs.
std::string completed(llvm::StringRef command, const Options &options);

} // namespace busfare::frontend

#endif
