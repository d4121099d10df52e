//===- clang-plugin/units/VendorFlags.h - Other compilers' words for Clang -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Intel's, NVIDIA's and others' compilers have words that Clang lacks, or, worse, that
// it reads as something else: -xHost is a language called Host to it, -openmp an output
// file called penmp. They go before Clang's own table of options sees them:
//
//   icpx -qopenmp -xHost -fp-model precise -O3    ->  -fopenmp -O3
//   nvc -mp=gpu -gpu=cc80 -Minfo=all -c99 -O2     ->  -fopenmp -std=c99 -O2
//
// A word that no compiler here has, and Clang neither, is left to that table.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_UNITS_VENDOR_FLAGS_H
#define BUSFARE_CLANG_PLUGIN_UNITS_VENDOR_FLAGS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <utility>
#include <vector>

namespace busfare::frontend {

/// Words of a command line as Clang takes them, and what became of the others.
struct ClangWords {
  std::vector<std::string> words;
  std::vector<std::string> leftOut; ///< That Clang does not know, or that are for a device; as written.
  std::vector<std::pair<std::string, std::string>> translated; ///< {"-qopenmp", "-fopenmp"}
};

/// The words behind the compiler's name, those translated or left out that Clang would misread.
ClangWords withoutVendorWords(llvm::StringRef compiler, llvm::ArrayRef<std::string> words);

/// Are .c files C++ to a compiler of this name, without its folder? g++-12, icpx, mpicxx, CC.
bool namesCxx(llvm::StringRef compiler);

/// The target that a cross compiler's name begins with: aarch64-linux-gnu of aarch64-linux-gnu-g++-12. Empty: none.
std::string targetOf(llvm::StringRef compiler);

/// Where Clang finds the headers of a cross compiler that lies in a folder of its own,
/// /opt/arm/bin/aarch64-none-linux-gnu-g++:
/// --gcc-toolchain=/opt/arm and --sysroot=/opt/arm/aarch64-none-linux-gnu/libc, as far as they are there.
std::vector<std::string> toolchainWords(llvm::StringRef compiler);

} // namespace busfare::frontend

#endif
