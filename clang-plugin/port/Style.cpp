//===- clang-plugin/port/Style.cpp - Changes as the tree's own style has them -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/Style.h"
#include "clang/Format/Format.h"

namespace busfare::frontend::port {
using namespace clang;

std::vector<Edit> inStyleOf(llvm::StringRef file, llvm::StringRef text, std::vector<Edit> edits) {
  // What the file says of options that this version does not know is its own matter.
  auto quiet = [](const llvm::SMDiagnostic &, void *) {};
  llvm::Expected<format::FormatStyle> style = format::getStyle("file", file, "none", text, nullptr, true, quiet);
  if (!style) {
    llvm::consumeError(style.takeError());
    return edits;
  }
  if (style->DisableFormat) return edits;
  tooling::Replacements changes;
  for (const Edit &edit : joined(edits))
    if (llvm::Error error = changes.add({file, edit.offset, edit.length, edit.text})) {
      llvm::consumeError(std::move(error));
      return edits;
    }
  llvm::Expected<tooling::Replacements> formatted = format::formatReplacements(text, changes, *style);
  if (!formatted) {
    llvm::consumeError(formatted.takeError());
    return edits;
  }
  std::vector<Edit> result;
  for (const tooling::Replacement &change : *formatted)
    result.push_back({change.getOffset(), change.getLength(), change.getReplacementText().str()});
  return result;
}

} // namespace busfare::frontend::port
