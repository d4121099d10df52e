//===- clang-plugin/lower/Settings.h - Numbers that a build may set ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Clang's tree has numbers where the source has macros. Who writes into the source
// wants the macros back, where a build may set them: the source is compiled again with
// another value, and what was written has to hold.
//
//   #ifndef GRID
//   #define GRID 512               a setting: -DGRID=64 makes it another number
//   #endif
//   #define CELLS (GRID * GRID)    made of it
//   #define RK 3                   a number that has a name, but that no build sets
//
//   malloc(CELLS * sizeof(float))  ->  4*GRID*GRID
//   float t[GRID][RK];             ->  extents GRID and 3
//
// A setting is defined once, as a positive number, on the command line or where it was
// asked first whether it is defined; no `#if` asks for its value. What else depends on
// one (`sizeof` by way of a template, a shift by it) is a number still: who takes
// the settings for symbols has to find out that nothing changes when they do (port's
// Readings.h reads the source at other values). Types are told by their size, so an
// array type that is written in two ways has a number for its extent.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_LOWER_SETTINGS_H
#define BUSFARE_CLANG_PLUGIN_LOWER_SETTINGS_H

#include "skeleton/Skeleton.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include <map>
#include <set>

namespace clang {
class Preprocessor;
} // namespace clang

namespace busfare::frontend {

/// A macro that is a number.
struct NamedNumber {
  std::string name;
  bool isSetting = false;
  clang::SourceLocation defined;
  skeleton::Location location;
  std::optional<int64_t> value; ///< Known when it was met.
};

class Settings {
public:
  Settings();
  ~Settings();
  /// Before the unit is parsed. Must live as long as the preprocessor.
  void listen(clang::Preprocessor &preprocessor);
  /// After it is parsed. True if there are any numbers with names. decls must live as long.
  bool settle(const clang::ASTContext &context, llvm::ArrayRef<const clang::Decl *> decls);

  /// These settings are numbers from now on.
  void takeAsNumbers(std::set<std::string> names);

  /// Of a constant expression that mentions settings: the value over their symbols; nothing: there are none in it, or
  /// they have a part in it that no formula says. function: where it stands.
  std::optional<skeleton::Expr> valueOf(const clang::Expr *expr, const clang::FunctionDecl *function);
  /// Is a setting written in it?
  bool mentions(const clang::Stmt *part) const;
  /// The extent of an array type, likewise.
  std::optional<skeleton::Expr> extentOf(clang::QualType array) const;
  std::optional<skeleton::Expr> extentOf(clang::QualType array, const clang::FunctionDecl *function);

  /// Those that were met, by name.
  const std::map<std::string, NamedNumber> &numbers() const { return byName; }
  /// Names of those met in a function; null: outside of all.
  const std::map<const clang::FunctionDecl *, std::set<std::string>> &metIn() const { return met; }

private:
  struct Macro {
    NamedNumber *number;
    clang::SourceLocation last; ///< Where its last token is spelled; parentheses around all of it do not count.
  };
  class Listener;
  Listener *listener = nullptr; ///< The preprocessor's.
  const clang::ASTContext *context = nullptr;
  std::map<std::string, NamedNumber> byName;
  std::map<clang::SourceLocation, Macro> byFirstToken;
  struct Extent {
    std::optional<skeleton::Expr> value; ///< Nothing: it is written in several ways.
    std::set<std::string> names;
  };
  std::map<const clang::Type *, Extent> extents;
  std::map<const clang::FunctionDecl *, std::set<std::string>> met;
  const clang::FunctionDecl *asking = nullptr;
  llvm::ArrayRef<const clang::Decl *> decls;
  std::set<std::string> asNumbers;

  void noteTypes();

  NamedNumber *numberOf(const clang::Expr *expr) const;
  std::optional<skeleton::Expr> formula(const clang::Expr *expr);
  std::optional<skeleton::Expr> bytesOf(clang::QualType type);
  const clang::Type *keyOf(clang::QualType array) const;
};

} // namespace busfare::frontend

#endif
