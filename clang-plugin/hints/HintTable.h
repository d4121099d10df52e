//===- clang-plugin/hints/HintTable.h - Hints of a unit, and what they stand at -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Collects comments `busfare: WORDS` and pragmas of the same words while Clang
// preprocesses a unit, so what #if leaves out is not there, and reads the nearest
// .busfare file. The walk asks for each loop and function which of them are its own:
//
//   // busfare: independent         stands before the next code: the loop below
//   for (int i = 0; ...) {          // busfare: size(n=100)    ends a line of the head: this loop
//
// "Before" allows whatever holds no `;`, `{` or `}` in between: other comments,
// preprocessor lines, labels, attributes, `template <...>`. Of several loops or
// functions that one hint could mean it means the first. Its words are those of
// skeleton/Hints.h; what its names mean is found out where it stands (SourceHints.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_HINTS_HINT_TABLE_H
#define BUSFARE_CLANG_PLUGIN_HINTS_HINT_TABLE_H

#include "HintFile.h"
#include "clang/Basic/SourceLocation.h"
#include <deque>
#include <optional>

namespace clang {
class FunctionDecl;
class LangOptions;
class Preprocessor;
class SourceManager;
class Stmt;
} // namespace clang

namespace busfare::frontend {

struct SourceHint {
  skeleton::Hints words;     ///< Names as spelled.
  HintPlace place;           ///< Of a line of a .busfare file.
  clang::FileID file;        ///< Of a comment or pragma; else not valid.
  unsigned begin = 0;        ///< Where the comment or pragma is in it,
  unsigned next = 0;         ///< and the code behind it; before it, if isTrailing.
  bool isTrailing = false;
  std::optional<unsigned> owner; ///< What it stands at: the raw encoding of where that begins.
  bool isTaken = false;
};

class HintTable {
public:
  HintTable();
  ~HintTable();
  /// Before the unit is parsed. The table must live as long as the preprocessor.
  void listen(clang::Preprocessor &preprocessor);
  /// The nearest .busfare beside the unit's main file or above, up to the top of its repository.
  void readFile(llvm::StringRef mainFile, llvm::vfs::FileSystem &files);
  /// After it is parsed: reads the words.
  void settle(const clang::SourceManager &sources, const clang::LangOptions &language);

  /// The hints of a loop, given the function it stands in, its index's name and its body.
  std::vector<SourceHint *> ofLoop(const clang::Stmt *loop, const clang::Stmt *body, llvm::StringRef index,
                                   const clang::FunctionDecl *function);
  std::vector<SourceHint *> ofFunction(const clang::FunctionDecl *function);

  /// Somebody says what values an array holds: then what is written there is of interest.
  bool asksForValues() const { return hasRanges; }
  /// What cannot be read, and what nothing took. After the walk; defined says which functions the unit has.
  std::vector<skeleton::Finding> complaints(const std::vector<const clang::FunctionDecl *> &defined) const;

private:
  class Listener;
  std::unique_ptr<Listener> listener;
  std::deque<SourceHint> hints;
  std::vector<skeleton::Finding> malformed;
  const clang::SourceManager *sources = nullptr;
  const clang::LangOptions *language = nullptr;
  bool hasRanges = false;

  void add(clang::FileID file, unsigned begin, unsigned wordsBegin, unsigned wordsEnd, unsigned end, bool isPragma);
  void add(skeleton::HintsRead read, SourceHint hint);
  bool isBefore(const SourceHint &hint, clang::FileID file, unsigned offset) const;
  std::vector<SourceHint *> claim(unsigned owner, llvm::function_ref<bool(const SourceHint &)> isMeant);
  unsigned lineOf(clang::FileID file, unsigned offset) const;
  bool isIn(llvm::StringRef wanted, clang::FileID file) const;
};

} // namespace busfare::frontend

#endif
