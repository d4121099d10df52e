//===- clang-plugin/port/FunctionSource.h - Where code can be put --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One function's text seen as a list of spots: statements before and behind which
// other statements can stand.
//
//   void f(int n) {
//     g();                       spot [g();]
//     if (n) h(n);               spot [if ...], in it spot [h(n);], which is in no block
//     for (...) { a(); b(); }    spot [for ...], in it spots [a();] and [b();]
//   }
//
// A location inside a statement belongs to the innermost spot around it; one in the
// head of a loop or the condition of an `if` to the loop's or the if's own spot.
// Offsets count bytes in the file.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_FUNCTIONSOURCE_H
#define BUSFARE_CLANG_PLUGIN_PORT_FUNCTIONSOURCE_H

#include "skeleton/Location.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include <deque>
#include <map>
#include <set>
#include <vector>

namespace clang {
class OMPExecutableDirective;
} // namespace clang

namespace busfare::frontend {
class Settings;
} // namespace busfare::frontend

namespace busfare::frontend::port {

struct Spot {
  const clang::Stmt *stmt = nullptr;
  bool inBlock = false; ///< Its parent is a block: other statements may stand beside it without braces.
  unsigned begin = 0, end = 0; ///< [begin, end), the semicolon included.
  std::vector<const clang::Stmt *> loops; ///< Around it in this function, outermost first.
  std::vector<const clang::VarDecl *> visible; ///< Locals in scope before it.
  const Spot *next = nullptr; ///< In the same block.
  const Spot *parent = nullptr; ///< The innermost spot around it.
  unsigned blockEnd = 0; ///< Of the closing brace of its block; 0 if it is in none.
};

class FunctionSource {
public:
  FunctionSource(const clang::FunctionDecl *function, clang::ASTContext &context);

  const clang::FunctionDecl *function;
  clang::ASTContext &context;
  clang::FileID file;
  llvm::StringRef text; ///< Of the whole file.
  unsigned begin = 0, end = 0; ///< Of the definition.
  unsigned beginOutsideClasses =
      0; ///< Of the class that the definition stands in, the outermost; the definition's own if it is in none.
  unsigned beginOutsideNamespaces =
      0; ///< Of what it stands in at file scope: a namespace, `extern "C" {`, a class, or itself.
  std::deque<Spot> spots; ///< Outer before inner.
  /// Declared in a header or by a macro, or no plain function: its text cannot be edited or copied.
  std::string whyFixed;
  const Settings *settings = nullptr; ///< Of its unit; null: no macro is a number.
  std::set<std::string> symbols; ///< Those of them that are symbols.

  /// Of a place in this file; nothing: it is in another one.
  std::optional<unsigned> offsetAt(const skeleton::Location &location) const;
  /// In another file, which has a part of the function: no spot is there.
  bool isElsewhere(clang::SourceLocation where) const;
  /// Something of the statement is.
  bool isPartlyElsewhere(const clang::Stmt *stmt) const;
  /// The innermost spot at a place; null if it is in none (another file, the function's head).
  const Spot *spotAt(const skeleton::Location &location) const;
  const Spot *spotOf(const clang::Stmt *stmt) const;
  unsigned offsetOf(clang::SourceLocation where) const;
  /// Past the last token of the range.
  unsigned endOf(clang::SourceRange range) const;
  /// Behind the statement, its semicolon included.
  unsigned endOfStmt(const clang::Stmt *stmt) const;
  std::string textOf(clang::SourceRange range) const {
    return text.slice(offsetOf(range.getBegin()), endOf(range)).str();
  }
  /// Of a directive's text: up to the statement under it, unless something else (`#endif`) stands between the two.
  std::pair<unsigned, unsigned> rangeOf(const clang::OMPExecutableDirective *directive) const;
  /// Lines [begin, end) above a loop's keyword that tell a compiler how to run that loop (`#pragma unroll`, `#pragma
  /// GCC ivdep`): nothing may stand between them and the loop. The nearest first.
  std::vector<std::pair<unsigned, unsigned>> loopHintsAbove(unsigned keyword) const;
  /// The blanks its line begins with.
  std::string indentAt(unsigned offset) const;
  bool isFirstOnLine(unsigned offset) const;
  /// A jump that leaves [from, to) stands in it: return (but of main), goto of a label outside, or break and continue
  /// of a loop around it.
  bool mayLeaveIn(unsigned from, unsigned to) const;

private:
  struct Scope {
    std::vector<const clang::Stmt *> loops;
    std::vector<const clang::VarDecl *> visible;
    const Spot *parent = nullptr;
    unsigned breakHome = 0, continueHome = 0; ///< Where the loop (or switch) begins that such a jump belongs to.
  };
  std::map<const clang::Stmt *, const Spot *> byStmt;
  struct Jump {
    unsigned at, home; ///< Its offset; where the loop or switch begins that it stays in, or the label stands that it
                       ///< goes to; 0 for return.
  };
  std::vector<Jump> leaves;

  void walk(const clang::Stmt *stmt, Scope scope, bool inBlock, unsigned blockEnd);
  void noteJumpsElsewhere(const clang::Stmt *stmt);
  void walkBlock(const clang::CompoundStmt *block, Scope scope);
  void walkInside(const clang::Stmt *stmt, Scope scope);
  Spot &add(const clang::Stmt *stmt, const Scope &scope, bool inBlock, unsigned blockEnd);
};

/// The statement under a directive, or the statement itself.
const clang::Stmt *withoutDirective(const clang::Stmt *stmt);
/// Of a loop of any form; null of what is none.
const clang::Stmt *loopBodyOf(const clang::Stmt *stmt);

} // namespace busfare::frontend::port

#endif
