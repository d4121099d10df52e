//===- clang-plugin/lower/ResourceFolder.h - Where Clang's own headers are -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Clang cannot parse without headers of its own (stddef.h, omp.h), which busfare does
// not bring along. They are where LLVM was when busfare was built; a program that came
// as a package, or was copied, looks where distributions put a Clang 19:
//
//   /usr/lib/llvm-19/lib/clang/19/include/stddef.h   ->  /usr/lib/llvm-19/lib/clang/19
//
// The option -resource-dir behind `--` says it otherwise.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_LOWER_RESOURCE_FOLDER_H
#define BUSFARE_CLANG_PLUGIN_LOWER_RESOURCE_FOLDER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace busfare::frontend {

/// If no usual place has them, the one where they were when busfare was built.
std::string resourceFolder();

/// Clang here looks there by itself.
llvm::StringRef resourceFolderOfBuild();

/// The first of the folders that holds Clang's own headers; empty if none does.
std::string firstWithHeaders(llvm::ArrayRef<llvm::StringRef> folders);

} // namespace busfare::frontend

#endif
