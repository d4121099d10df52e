//===- clang-plugin/cli/Completion.h - What a shell offers for a half word -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Scripts for bash, zsh and fish, made of the tables that the parser reads. They know
// commands, each command's options, the built-in machines for what wants a machine,
// formats and other values of a few words, and leave files to the shell:
//
//   busfare print-completion bash > /usr/share/bash-completion/completions/busfare
//   busfare an<TAB>                 busfare analyze
//   busfare analyze --mach<TAB>     busfare analyze --machine
//   busfare analyze --machine v<TAB>                          v100-pcie3
//
// Behind `--` everything is the compiler's: files.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_CLI_COMPLETION_H
#define BUSFARE_CLANG_PLUGIN_CLI_COMPLETION_H

#include "Commands.h"

namespace busfare::frontend {

/// The command that prints them; it is in no help.
inline constexpr const char *completionCommand = "print-completion";
Outcome runPrintCompletion(const Options &options);

} // namespace busfare::frontend

#endif
