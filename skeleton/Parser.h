//===- skeleton/Parser.h - The recursive-descent parser -------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One member function per rule of the grammar in Parse.h. The first complaint is
// kept and the rest of the text is then taken to be empty, so every rule returns
// soon and callers need not ask:
//
//   expect("[", "after the array's name");
//   Expr e = expression();      // anything, if something went wrong before
//
// Private to skeleton/.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_SKELETON_PARSER_H
#define BUSFARE_SKELETON_PARSER_H

#include "skeleton/Lexer.h"
#include "skeleton/Skeleton.h"
#include <map>

namespace busfare::skeleton {

class Parser {
public:
  Parser(llvm::StringRef source, llvm::StringRef fileName) : source(source), fileName(fileName) { advance(); }
  /// Words in a file of the user's, from `begin` on, that name things as C and C++ do: `g->nx`, `v.size()`.
  Parser(llvm::StringRef source, llvm::StringRef fileName, size_t begin)
      : source(source), fileName(fileName), isOfSource(true) {
    token.offset = begin;
    advance();
  }

  Program program();
  Expr expression();
  /// Up to the end.
  Hints hintWords();
  /// Complains if anything is left.
  void expectEnd();

  /// The first complaint, with place and caret; empty if all went well.
  std::string complaint;
  std::string sentence; ///< The complaint alone,
  size_t complaintAt = 0; ///< and where.

private:
  llvm::StringRef source, fileName;
  bool isOfSource = false;
  Token token;            ///< The next one.
  std::string file;       ///< Of places that name none.
  unsigned depth = 0;     ///< Of blocks and parentheses around the next token.
  size_t lineStart = 0;   ///< Of the line `line`, the last that here() found.
  unsigned line = 1;
  std::map<uint64_t, SharedBlock> reaches; ///< Of the function, by their numbers.
  bool isInReach = false; ///< An access that names no place has none.

  // Tokens.
  void advance();
  void fail(llvm::StringRef message) { failAt(token.offset, message); }
  void failAt(size_t offset, llvm::StringRef message);
  /// "expected WHAT, found TOKEN".
  void unexpected(llvm::StringRef what);
  bool accept(llvm::StringRef word);
  /// A word with a hyphen, which is three tokens.
  bool acceptHyphenated(llvm::StringRef word);
  void expect(llvm::StringRef word, llvm::StringRef where);
  bool atEnd() const { return token.kind == Token::Kind::End; }
  std::string name(llvm::StringRef what);
  bool isCalled(const Token &before) const;
  std::string string(llvm::StringRef what);
  uint64_t natural(llvm::StringRef what, uint64_t most);
  int64_t integer(llvm::StringRef what);
  double real(llvm::StringRef what);
  std::vector<std::string> names();
  bool enter();
  void leave() { --depth; }
  /// The next token's place in the skeleton text.
  Location here();

  // Expressions and conditions.
  Expr sum();
  Expr product(bool isNegative);
  Expr factor(bool isNegative);
  Expr floorCall();
  Expr extremumCall(bool isMin);
  std::optional<Expr> expressionOrUnknown();
  void bounds(std::optional<Expr> &low, std::optional<Expr> &high);
  Condition condition();
  using Conjunctions = std::vector<std::vector<Expr>>;
  Conjunctions conjunct(bool &isExact, bool &saysNothing);
  void comparison(Conjunctions &alternatives);

  // Declarations.
  /// The place if one is written, else where the statement stands.
  Location place(const Location &otherwise);
  bool acceptPlace(Location &location);
  Constant constantDeclaration();
  Import import();
  Finding finding();
  Function function();
  Parameter formal();
  /// Without a storage word: otherwise if given, else by whether it is a parameter.
  Array array(std::optional<Storage> otherwise, llvm::ArrayRef<Parameter> parameters);
  bool arrayAttribute(Array &array, std::optional<Storage> &storage);
  ElementType elementType();
  std::vector<std::optional<Expr>> extents();
  Hints hints();
  bool hint(Hints &result);
  std::vector<std::string> hintNames(size_t least);
  void checkRules(const std::vector<std::string> &ids, size_t start);
  Directive directive();
  void directiveClauses(Directive &directive);
  ReductionOp reductionOp();

  // Statements.
  Block block();
  Node statement();
  Loop loop();
  Branch branch();
  Access access();
  Operations operations();
  Define define();
  Call call();
  std::variant<ArrayArgument, ValueArgument> argument();
  Allocate allocate();
  Free freeStatement();
  HostStatement hostStatement();
  void reach();
  SharedBlock reached();
  Message message();
  LibraryCall libraryCall();
  Rotate rotate();
  End end();
  std::vector<SteadyElement> steady();
  Subscript subscript();
  Loaded loadedFrom();
};

} // namespace busfare::skeleton

#endif
