//===- clang-plugin/lower/AstQueries.h - Small questions about Clang's AST -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What can be told from the tree alone, without the walk's state.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_LOWER_AST_QUERIES_H
#define BUSFARE_CLANG_PLUGIN_LOWER_AST_QUERIES_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/StmtOpenMP.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <vector>

namespace busfare::frontend {

/// The variable that the expression names, casts and parentheses aside; null if it is anything else.
const clang::VarDecl *variableOf(const clang::Expr *expr);
/// std::ostream, std::ifstream, ..., or a reference to one.
bool isStdStream(clang::QualType type);
/// What `FILE *` leads to: the C library's own.
bool isFile(clang::QualType type, const clang::ASTContext &context);

/// What a variable outside of functions is called in a skeleton: with its namespaces and classes.
std::string globalNameOf(const clang::VarDecl *variable);

/// What a directive stands before, without the wrappers in between; null if it stands alone.
const clang::Stmt *bodyOf(const clang::OMPExecutableDirective &directive);

/// The statements and expressions that this one is made of; null for those that are left out. Clang's own children()
/// stops at what a directive captures.
llvm::SmallVector<const clang::Stmt *, 8> partsOf(const clang::Stmt *stmt);

/// Identity of a called function, null for calls through pointers.
const clang::FunctionDecl *calleeOf(const clang::CallExpr *expr);

/// Arguments by parameter: the object of a member operator is not among them.
std::vector<const clang::Expr *> argumentsOf(const clang::CallExpr *expr);

/// The object (or the pointer to it) that a member function is called on; null if there is none.
const clang::Expr *objectOf(const clang::CallExpr *expr);

/// `a = b` of structs or classes, of which the compiler makes a copy of the bytes: null, or what is copied.
const clang::Expr *copiedRecord(const clang::Expr *expr);

/// Where a path of fields begins: g of `g->sizes.nx`, `this`, the expression itself if it is none.
const clang::Expr *baseOfPath(const clang::Expr *path);
/// The definition whose body a call of the function runs. Null if none is in sight, or if another may stand in its
/// place when the program is linked or loaded: it is weak (also by `#pragma weak`), one of several for different
/// processors, or of a shared library whose symbols others replace on purpose (-fsemantic-interposition). Which
/// override of a virtual method runs is another question.
const clang::FunctionDecl *bodyThatRuns(const clang::FunctionDecl *callee);
/// May another definition of it stand in the place of this unit's when the program is linked or loaded?
bool isReplaceable(const clang::FunctionDecl *function);
/// May it be one of a shared library (-fPIC) that programs see and could replace? Compilers disagree on whether they
/// may count on its body; ours is taken for the one that runs, and that is said.
bool isInterposable(const clang::FunctionDecl *function);
/// The expression that a function with nothing but a return statement returns, or null: of the body that runs.
const clang::Expr *singleReturn(const clang::FunctionDecl *callee);
/// What a function with this definition returns behind a few expressions without a value, and nothing else: `2 * i` of
/// `{ assert(i < n); return 2 * i; }`. Null of others, and where nothing is before it (singleReturn).
const clang::Expr *resultBehindChecks(const clang::FunctionDecl *definition);
bool holdsLoop(const clang::Stmt *stmt);

/// The object that a reference binds to which the expression initialises, or that it names itself. Null if the
/// expression makes a temporary: `const uint8_t &k = i` refers to a converted copy of i, and whoever asks i for its
/// value gets another one. Only this may be looked through where a value is asked for; what is written
/// (withoutWrappers, Clang's Ignore...) has no value.
const clang::Expr *boundPlace(const clang::Expr *expr);
/// Of `const long &n = i` and `const double &x = y + 1`: the number or pointer that the temporary is made from,
/// conversions included. Null if the reference binds to an object, or to a temporary of another kind.
const clang::Expr *scalarTemporary(const clang::Expr *init);

/// Of a bit field, or a field that is an unnamed struct or union: the first with a name among what it shares memory
/// with (itself if none has). Null of others.
const clang::FieldDecl *sharedFieldOf(const clang::FieldDecl *field);

/// What an object of this class calls the field (FieldNames.cpp): `x`, or `Base::x` behind another x. Empty if neither
/// the class nor a base of it has the field, and it is no field of a class made from this one.
std::string fieldNameIn(const clang::RecordDecl *record, const clang::FieldDecl *field);
/// The field of this name, as fieldNameIn gives it; null if there is none. By the first name in it an unnamed one is
/// found, too.
const clang::FieldDecl *fieldNamed(const clang::RecordDecl *record, llvm::StringRef name);
/// The field at the end of a path (`info.next->n`); null if there is none.
const clang::FieldDecl *fieldAt(const clang::RecordDecl *record, llvm::StringRef path);
/// Is the field that a variable (`s.x`, `p->Base::x`) stands for called so in its class?
bool isFieldCalled(llvm::StringRef variable, llvm::StringRef field);
/// Can each field of an object have a name of its own? Not in a union, nor in a class that has one of its bases twice.
bool hasFieldNames(clang::QualType type);

/// The class of a lambda, or a class with a call operator; null for any other type.
const clang::CXXRecordDecl *callableClassOf(clang::QualType type);

/// Of std::move(x), std::forward<T>(x), std::as_const(x): x. Null of other calls.
const clang::Expr *passedOn(const clang::CallExpr *expr);

/// What was written, without copies, casts and lists of one that only wrap it.
const clang::Expr *withoutWrappers(const clang::Expr *expr);
/// What makes an object of a class, or names it: as withoutWrappers, since nothing but constructors converts such. Of a
/// number or a pointer the expression itself.
const clang::Expr *objectMade(const clang::Expr *expr);
/// What a condition asks to be not zero, before it becomes a truth value.
const clang::Expr *askedBy(const clang::Expr *condition);
/// Does it hold a jump, wherever that leads?
bool mayJump(const clang::Stmt *stmt);

/// Is it in one of the libraries whose loops are known by their names (Kokkos, RAJA, TBB, SYCL)? What their headers do
/// to run them tells nothing.
bool isOfModelledLibrary(const clang::Decl *decl);
/// Is it in a namespace of one of these names?
bool isOfLibrary(const clang::Decl *decl, llvm::ArrayRef<llvm::StringRef> names);

/// A string: a literal, a pointer to characters, std::string.
bool isText(clang::QualType type);

/// Nothing in the body can give the variable another value: each use of it is const.
bool isOnlyRead(const clang::VarDecl *variable, const clang::Stmt *body);

/// `a < b`, also of iterators, and as C++20 rewrites it.
struct Comparison {
  clang::BinaryOperatorKind op;
  const clang::Expr *left, *right;
};
std::optional<Comparison> comparisonOf(const clang::Expr *expr);

/// A product of floating-point values.
bool isMultiplication(const clang::Expr *expr);

} // namespace busfare::frontend

#endif
