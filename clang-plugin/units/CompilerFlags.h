//===- clang-plugin/units/CompilerFlags.h - What Clang is told of a unit -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A build's own command line is meant for its own compiler, often gcc. What only
// concerns the output is left out, and so is what Clang does not know, which it would
// refuse:
//
//   ccache g++ -O2 -fipa-pta -MMD -MF a.d -Wp,-MD,a.d -c a.cpp -o a.o
//     ->  --driver-mode=g++ -O2
//
// So are parts that are for a device (-fopenmp-targets=...): the host's code is what is
// read. What other compilers say in words of their own is translated (VendorFlags.h).
//
// Words that the user gives behind `--` are checked by Clang: a slip is an error.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_UNITS_COMPILER_FLAGS_H
#define BUSFARE_CLANG_PLUGIN_UNITS_COMPILER_FLAGS_H

#include "Inputs.h"
#include "VendorFlags.h"

namespace busfare::frontend {

/// own, with --extra-arg-before and --extra-arg around it, and Clang's own headers where they are.
std::vector<std::string> completeArguments(const Inputs &options, llvm::ArrayRef<std::string> own);

/// The words of a compiler's whole command line, its name first, as Clang takes them: without its name, its sources,
/// what concerns the output, plugins, and what Clang does not know. Of the latter it says which, but for what has no
/// say in how a source is read (-flto, -fsanitize=).
ClangWords clangWords(llvm::ArrayRef<std::string> commandLine);
std::vector<std::string> wordsForClang(llvm::ArrayRef<std::string> commandLine); ///< Its words alone.

} // namespace busfare::frontend

#endif
