//===- clang-plugin/records/RecordSetters.h - Assignments that set a record's memory -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Assignments to fields of one object that stand behind each other, with nothing between
// them that could look at the object half done, are one change of it:
//
//   A.rows = rows;                     \ one change: behind `values` are `rows` elements
//   double *x = new double[rows];       |  (rows, a local variable, is never set again)
//   A.values = x;                      /
//   use(A);                            the next one begins behind this
//
// A change is judged by what the fields hold at its end. Locals that are set once count by
// their first value. Does not handle: changes spread over branches or calls.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_RECORDS_RECORD_SETTERS_H
#define BUSFARE_CLANG_PLUGIN_RECORDS_RECORD_SETTERS_H

#include "RecordUses.h"
#include "clang-plugin/lower/Types.h"
#include "skeleton/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace busfare::frontend {

using Symbolic = skeleton::Expr;

/// What units call a record among each other: its name and its fields. Empty of those that do not count: unions,
/// unnamed and local ones, those of system headers.
std::string recordKeyOf(const clang::RecordDecl *record, const clang::ASTContext &context);
/// Does the field count elements? An integer of at least 32 bits.
bool isCountField(const clang::FieldDecl *field, const clang::ASTContext &context);
/// Does it lead to elements of a known size?
bool isMemoryField(const clang::FieldDecl *field, const clang::ASTContext &context);
/// The member expression, if it names such a field of a record that counts.
const clang::MemberExpr *countedField(const clang::Expr *expr, const clang::ASTContext &context);
/// Declared by the system, or built in: it knows none of the program's records.
bool isOfSystem(const clang::FunctionDecl *function, const clang::ASTContext &context);

class RecordSetters {
public:
  RecordSetters(clang::ASTContext &context, RecordUses &uses) : context(context), uses(uses) {}

  /// Statements that run one after the other; those of a constructor begin with what it initialises.
  void takeBlock(const clang::CompoundStmt *block, const clang::CXXConstructorDecl *constructor = nullptr);
  /// A record made of a list.
  void takeList(const clang::InitListExpr *list);
  /// An assignment that stands anywhere else.
  void takeAlone(const clang::Expr *write);
  /// Has a block had this assignment, or this field in an exchange?
  bool hasTaken(const clang::Expr *expr) const { return taken.count(expr) != 0; }

private:
  struct Write {
    const clang::FieldDecl *field = nullptr;
    const clang::MemberExpr *target = nullptr; ///< Null: a constructor's initialiser.
    const clang::Expr *value = nullptr;        ///< Null: what it was and `by`, or null if it is exchanged for that.
    std::optional<int64_t> by;
    bool isNulled = false;
  };
  struct Memory {
    enum class Kind { Null, Fresh, Copied, Unknown } kind = Kind::Unknown;
    Symbolic count;   ///< Of Fresh: its elements.
    std::string from; ///< Of Copied: the object.
  };
  /// A change of one object, so far.
  struct Change {
    const clang::RecordDecl *record = nullptr;
    std::string base;                        ///< The object.
    std::set<const clang::Decl *> bases;     ///< What its name is made of.
    bool loadsBase = false;                  ///< Other memory says which object it is.
    bool isBirth = false;                    ///< Its pointers held nothing before.
    bool hasOtherStores = false;             ///< Memory that has no name here has changed on the way.
    std::map<std::string, std::optional<Symbolic>> integers;
    std::map<std::string, Memory> pointers;
    std::set<std::string> freed;
  };
  /// What a statement may do besides.
  struct Effects {
    bool calls = false, jumps = false, storesElsewhere = false;
    std::set<const clang::Decl *> stores;
    std::vector<const clang::MemberExpr *> fields; ///< Fields that count which it assigns.
  };
  using Bound = std::map<const clang::ParmVarDecl *, const clang::Expr *>;

  std::string baseKey(const clang::Expr *expr, Change &change) const;
  bool isSetOnce(const clang::VarDecl *variable) const;
  void addEffects(const clang::Stmt *stmt, Effects &effects, unsigned depth = 0) const;
  bool isQuiet(const clang::FunctionDecl *callee, unsigned depth) const;
  void collectWrites(const clang::Expr *expr, std::vector<Write> &writes) const;
  const clang::MemberExpr *freedField(const clang::Stmt *stmt) const;
  const clang::MemberExpr *emptiedField(const clang::Expr *expr) const;
  std::optional<Symbolic> value(const clang::Expr *expr, const Change &change, const Bound &bound, bool isHere) const;
  std::optional<Symbolic> bytesAllocated(const clang::CallExpr *call, const Change &change, const Bound &bound,
                                         bool isHere) const;
  Memory memory(const clang::Expr *expr, const clang::FieldDecl *field, const Change &change, const Bound &bound,
                bool isHere) const;
  /// Changes that are not over yet, of one block.
  struct Open {
    std::vector<Change> changes;
    bool isNew = false; ///< Nobody but the constructor has seen the object, and its pointers hold nothing.
  };

  void close(Open &open, llvm::function_ref<bool(const Change &)> isOver);
  void take(const Write &write, Open &open, bool isBirth);
  void takeInitializers(const clang::CXXConstructorDecl *constructor, Open &open);
  bool passStatement(const clang::Stmt *stmt, llvm::ArrayRef<Write> writes, Open &open);
  void apply(const Write &write, Change &change);
  Change begin(const Write &write) const;
  void finish(const Change &change);
  std::set<std::string> countsOf(const Change &change, const Symbolic &count) const;

  clang::ASTContext &context;
  RecordUses &uses;
  std::set<const clang::Expr *> taken;
  mutable std::map<const clang::VarDecl *, bool> setOnce;
  mutable std::map<std::string, const clang::Expr *> firstValues; ///< Of locals that are set once, by their symbols.
};

} // namespace busfare::frontend

#endif
