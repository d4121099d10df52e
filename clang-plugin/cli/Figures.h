//===- clang-plugin/cli/Figures.h - Sizes and times on the command line --===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the calculators read from their options:
//
//   --bytes "1 MiB,4096"   1048576 and 4096
//   --kernel 20ms          0.02
//   --streams 4.5          error: --streams wants a whole number from 1 on, not '4.5'
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_CLI_FIGURES_H
#define BUSFARE_CLANG_PLUGIN_CLI_FIGURES_H

#include "Options.h"
#include "projection/Messages.h"

namespace busfare::frontend {

/// What was given for an option; nothing if it was not.
std::optional<std::string> givenFigure(const Options &options, llvm::StringRef name);

/// 4096, -1, 64K, 16Mi: K, M and G are powers of 1000, Ki, Mi and Gi of 1024. Nothing: not a whole number of 64 bits.
std::optional<int64_t> parseWhole(llvm::StringRef text);

/// 0.02, 20ms, 5 us: not negative.
llvm::Expected<double> parseSeconds(llvm::StringRef option, llvm::StringRef text);

/// 1048576, 1e6, 64 kB, 1 MiB, 16Mi: not negative.
llvm::Expected<double> parseBytes(llvm::StringRef option, llvm::StringRef text);
/// Several of these, with a comma between two.
llvm::Expected<std::vector<double>> parseByteList(llvm::StringRef option, llvm::StringRef text);

/// Of --direction.
llvm::Expected<projection::Direction> parseDirection(llvm::StringRef text);
/// --pipelining and --operation, or what stands for them.
llvm::Expected<projection::PipelinedUnit> pipeliningOf(const Options &options);
llvm::Expected<projection::PutOrGet> operationOf(const Options &options, projection::PutOrGet otherwise);

/// The value of an option, if it is given.
llvm::Expected<std::optional<double>> bytesOf(const Options &options, llvm::StringRef name);
llvm::Expected<std::optional<double>> secondsOf(const Options &options, llvm::StringRef name); ///< 0.02, 20ms, 5 us.
llvm::Expected<std::optional<double>> numberOf(const Options &options, llvm::StringRef name);  ///< Not negative.
llvm::Expected<std::optional<double>> countOf(const Options &options, llvm::StringRef name);   ///< Whole, from 1 on.

} // namespace busfare::frontend

#endif
