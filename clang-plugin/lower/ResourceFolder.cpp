//===- clang-plugin/lower/ResourceFolder.cpp - Where Clang's own headers are -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ResourceFolder.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;

namespace busfare::frontend {

std::string firstWithHeaders(llvm::ArrayRef<StringRef> folders) {
  for (StringRef folder : folders) {
    llvm::SmallString<256> header(folder);
    llvm::sys::path::append(header, "include", "stddef.h");
    if (llvm::sys::fs::exists(header)) return folder.str();
  }
  return "";
}

StringRef resourceFolderOfBuild() { return BUSFARE_RESOURCE_DIR; }

std::string resourceFolder() {
  // Debian, Ubuntu and apt.llvm.org; Fedora and Arch; openSUSE; Alpine; Fedora's older versions; built by hand.
  std::string found = firstWithHeaders({BUSFARE_RESOURCE_DIR, "/usr/lib/llvm-19/lib/clang/19", "/usr/lib/clang/19",
                                        "/usr/lib64/clang/19", "/usr/lib/llvm19/lib/clang/19",
                                        "/usr/lib64/llvm19/lib/clang/19", "/usr/local/lib/clang/19"});
  return found.empty() ? BUSFARE_RESOURCE_DIR : found;
}

} // namespace busfare::frontend
