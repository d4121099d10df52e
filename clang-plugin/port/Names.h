//===- clang-plugin/port/Names.h - What a plan's names are called here ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A plan speaks of the flat root: its sizes are the root's symbols, its arrays the
// root's names. At a place in a function of the source some variables hold those:
//
//   root:  simulate(n, u, v) calls step(src, dst, m) with src = u, dst = v, m = n
//   in step:   size n is `m`, array u is `src`, array v is `dst`
//
// Only what the extraction knows for sure is used: a variable that is in scope and
// holds exactly that value (or the value plus a constant) at that statement.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_NAMES_H
#define BUSFARE_CLANG_PLUGIN_PORT_NAMES_H

#include "clang-plugin/port/CText.h"
#include "clang-plugin/port/FunctionSource.h"
#include "clang-plugin/walk/Points.h"
#include "projection/Root.h"
#include "llvm/Support/Error.h"

namespace busfare::frontend::port {

/// One function on a call path of the root, at one of its spots.
struct Place {
  unsigned path = 0;
  const FunctionSource *source = nullptr;
  const FunctionPoints *points = nullptr;
  const Spot *spot = nullptr;
  bool after = false;
};

/// A variable through which an array of the plan can be reached.
struct ArrayName {
  std::string text;        ///< The variable, `g->u`, ...
  clang::QualType type;    ///< Of the variable, or the field: an array, or a pointer.
  skeleton::Expr offset;   ///< It points to this element of the array, row-major; in the root's symbols.
  std::vector<skeleton::Expr> row; ///< Extents of what it points to, if that is an array: in the root's symbols.
  const clang::ValueDecl *variable = nullptr; ///< Null: a field, or what a container says.
  const clang::ValueDecl *decl = nullptr; ///< That, or the field.
  bool isComputed = false; ///< The text is an expression: clauses need a variable that holds it.
  bool hasWholeRows =
      false; ///< Names elsewhere lead to rows: device memory is made of them, though this one leads to elements.
};

/// A size that no variable holds at a place, kept in a static variable that is set where one does.
struct KeptSize {
  std::string name;
  std::set<unsigned> paths;          ///< It holds in these calls and in what they call,
  std::map<unsigned, unsigned> from; ///< and on these paths from that offset in the source on.
};

class Names {
public:
  Names(const skeleton::Program &program, const projection::Root &root) : program(program), root(root) {}

  /// Texts for all symbols of the Expr; nothing if one has none here.
  std::optional<SymbolTexts> sizes(const skeleton::Expr &expr, const Place &place) const;
  /// A variable that holds the value, or a number more or less, as C; empty: none does.
  std::string holding(const skeleton::Expr &wanted, const Place &place) const;
  /// For messages: the symbol that has none, as in " (it depends on m)"; empty: all have one.
  std::string lacking(const skeleton::Expr &expr, const Place &place) const;
  /// Sizes kept in static variables, by symbol, for places where no variable holds them.
  std::map<std::string, KeptSize> kept;
  /// Globals of other units that the port declares where it needs them, and pointers of files, which functions may name
  /// that have not done so before.
  std::map<std::string, const clang::VarDecl *> declaredGlobals;

  /// Variables that hold a pointer into the array here, the plainest first.
  std::vector<ArrayName> namesOf(const std::string &array, const Place &place) const;
  /// What a variable points to here: the root's array, and how.
  std::optional<std::pair<std::string, ArrayName>> arrayOf(const clang::ValueDecl *variable, const Place &place) const;
  /// The same of a field, as it is spelled (`g->u`).
  std::optional<std::pair<std::string, ArrayName>> arrayOfField(const std::string &key, const Place &place) const;
  /// The root's name of a variable of the function (a scalar); empty if it has none.
  std::string flatName(const clang::ValueDecl *variable, const Place &place) const;
  /// The same of a field of a struct that is a variable.
  std::string flatName(const clang::ValueDecl *owner, const clang::FieldDecl *field, const Place &place) const;

private:
  const skeleton::Program &program;
  const projection::Root &root;

  std::string keyOf(const clang::ValueDecl *variable, const Place &place) const;
  std::string flatName(const std::string &key, const Place &place) const;
  PointFacts factsAt(const Place &place) const;
  std::string holding(const skeleton::Expr &wanted, const Place &place, const PointFacts &facts) const;
  std::vector<std::string> formalsThatHold(const skeleton::Expr &wanted, const Place &place,
                                           const PointFacts &facts) const;
  bool spellSetting(const std::string &symbol, const Place &place, const PointFacts &facts, SymbolTexts &texts) const;
  bool isVisible(const clang::ValueDecl *variable, const Place &place) const;
  bool isUsable(const std::string &key, const Place &place) const;
  bool isKeptFor(const KeptSize &size, const Place &place) const;
  const skeleton::CallPath &path(const Place &place) const { return root.paths[place.path]; }
  std::optional<std::pair<std::string, ArrayName>> resolve(const std::string &key, const PointedAt &at,
                                                           const Place &place,
                                                           const clang::ValueDecl *global = nullptr) const;
  const skeleton::Array *declared(const std::string &object, const Place &place) const;
};

} // namespace busfare::frontend::port

#endif
