//===- clang-plugin/verify/SharedFiles.h - Files that two runs would share -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A program that writes a file and reads it again, run twice at once in one folder,
// finds what the other run has written so far.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_VERIFY_SHAREDFILES_H
#define BUSFARE_CLANG_PLUGIN_VERIFY_SHAREDFILES_H

#include "llvm/ADT/StringRef.h"

namespace busfare::frontend::verify {

/// False if the program (an ELF file) calls nothing that could write a file, or leave something else that its next run
/// finds.
bool mayLeaveFiles(llvm::StringRef program);

} // namespace busfare::frontend::verify

#endif
