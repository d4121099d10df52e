//===- clang-plugin/port/Edits.h - Changes of a file's text --------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A change replaces `length` bytes at `offset`. Insertions at one offset keep their
// order, and stand before what is removed there. The same list gives the new text, a
// unified diff, and the YAML that clang-apply-replacements reads.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_EDITS_H
#define BUSFARE_CLANG_PLUGIN_PORT_EDITS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace busfare::frontend::port {

struct Edit {
  unsigned offset = 0, length = 0;
  std::string text;
};

/// Sorted by place; two that remove the same bytes become one.
std::vector<Edit> inOrder(std::vector<Edit> edits);

/// Lines of inserted texts end as the text's own do: with a carriage return too, if its first one does.
void endLinesAs(llvm::StringRef text, std::vector<Edit> &edits);

/// Changes that touch become one, for whoever gives two at one place no order.
std::vector<Edit> joined(const std::vector<Edit> &edits);

/// The part [begin, end) of the text with its edits.
std::string apply(llvm::StringRef text, const std::vector<Edit> &edits, unsigned begin, unsigned end);
std::string apply(llvm::StringRef text, const std::vector<Edit> &edits);

/// As `diff -u` and `git diff` write it, for `patch -p1`; three lines of context.
std::string unifiedDiff(llvm::StringRef file, llvm::StringRef before, llvm::StringRef after);

struct FileEdits {
  std::string file; ///< Absolute.
  std::vector<Edit> edits;
};

/// For clang-apply-replacements, which reads one document a file: all units are in one.
std::string replacementsYaml(llvm::ArrayRef<FileEdits> files);

} // namespace busfare::frontend::port

#endif
