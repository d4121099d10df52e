//===- clang-plugin/cli/TextFiles.cpp - The text of a file ---------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TextFiles.h"
#include "llvm/Support/MemoryBuffer.h"

namespace busfare::frontend {

std::string textOfFile(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

} // namespace busfare::frontend
