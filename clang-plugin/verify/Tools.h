//===- clang-plugin/verify/Tools.h - The programs verify needs -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Everything that must be installed, looked for before anything is built, so that one
// message names all that is missing and its Debian package.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_VERIFY_TOOLS_H
#define BUSFARE_CLANG_PLUGIN_VERIFY_TOOLS_H

#include "llvm/Support/Error.h"
#include <string>

namespace busfare::frontend::verify {

struct Tools {
  std::string clang, clangxx; ///< Of LLVM 19: older or newer ones offload differently.
  std::string gcc, gxx;       ///< gxx may be empty: it is asked for by C++ units alone.
  std::string library;        ///< The folder of libomptarget.so and libomp.so.
  std::string watch;          ///< libbusfare-watch.a
  std::string digits;         ///< libbusfare-digits.a, beside it.
  std::string measure;        ///< libbusfare-measure.a, likewise.
};

/// llvmLibrary: the folder of LLVM's libraries that this program was built with. watch: where the library is, or empty
/// for beside this program (bin/../lib).
llvm::Expected<Tools> findTools(llvm::StringRef llvmLibrary, llvm::StringRef watch);
/// The compilers and libraries that measure needs, which are fewer.
llvm::Expected<Tools> findMeasureTools(llvm::StringRef llvmLibrary);

} // namespace busfare::frontend::verify

#endif
