//===- clang-plugin/walk/Places.h - What expressions stand for -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The walk gives each expression a meaning: an integer a formula, a pointer an object and an
// element of it, an lvalue its place, a container or an iterator a place and a size.
//
//   int idx = i * n + j;      Value{i*n + j}
//   double *row = a + i * n;  Pointer{"a", [i*n]}
//   row[j]                    Place{at = {"a", [i*n + j]}, type = double}
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_WALK_PLACES_H
#define BUSFARE_CLANG_PLUGIN_WALK_PLACES_H

#include "clang-plugin/values/NameLists.h"
#include "skeleton/Skeleton.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace busfare::frontend {

using skeleton::Access;
using skeleton::AccessKind;
using skeleton::Array;
using skeleton::Block;
using skeleton::Condition;
using skeleton::HostReason;
using skeleton::Location;
using skeleton::Node;
using skeleton::Operation;
using skeleton::ReductionOp;
using skeleton::Rule;
using skeleton::Storage;
using skeleton::Subscript;
using Symbolic = skeleton::Expr; ///< clang::Expr is the other one.

/// An integer value.
struct Value {
  Symbolic expr;
  bool mayWrap =
      false; ///< Unsigned, and not proved to stay in range: fit for a subscript, not for `/` or a comparison.
  bool operator==(const Value &) const = default;
};

/// What the variable is called that holds how many elements a container has, behind the container's name.
inline constexpr llvm::StringLiteral sizeSuffix = ".size()";

/// Where a pointer points.
struct Pointer {
  std::string object;                           ///< Name of an Object; empty = unknown or null.
  std::vector<std::optional<Symbolic>> index;   ///< Of the element pointed to, one per dimension of the object.
  bool inside = false; ///< Points to a part of the element (a field): steps stay in the element.
  bool flat = false;   ///< Came from `&` or a cast: steps may leave the row, so they are checked.
  bool null = false;
  std::string variable = {}; ///< The address of this pointer variable or container, which has no object of its own.
  std::string path = {}; ///< Of one that points inside: the field of the element it points to, as Place::path.
  bool operator==(const Pointer &) const = default;
};

/// Objects that a pointer of which nothing is known may lead to, as of Array::likely, which gets them at the function's
/// end.
struct Likely {
  NameList shared = nullptr; ///< Of the walk's own NameLists.
  std::vector<std::string> added; ///< To these alone.
  bool contains(llvm::StringRef name) const {
    return (shared && std::ranges::binary_search(*shared, name, {},
                                                 [](const std::string &one) { return llvm::StringRef(one); })) ||
           llvm::is_contained(added, name);
  }
  std::vector<std::string> all() const {
    std::vector<std::string> names = shared ? *shared : std::vector<std::string>();
    names.insert(names.end(), added.begin(), added.end());
    return names;
  }
};

/// Memory that has a name.
struct Object {
  Array array;
  Likely likely; ///< Of an Alias of anything.
  clang::QualType element; ///< Null: memory that no typed pointer has seen yet.
  std::string prefix; ///< Of a single struct: what its fields' names begin with (`g->`, `s.`).
  std::optional<Symbolic> bytes; ///< Of fresh heap memory: its size.
  bool isDeclared = false; ///< The name is more than reserved.
  bool isGlobal = false; ///< Goes to Program::globals.
  bool isUsed = false; ///< Something mentions it.
  bool isAccessed = false; ///< And does more than free it.
  bool isWritten = false;
  bool isFreed = false;
  bool isConstPointee = false;
  bool isLoaded = false; ///< Its address was loaded from a field or a global.
  std::vector<unsigned> arms =
      {}; ///< Of heap memory: the sides of branches in which it was allocated, from outside in.
  unsigned allocations = 0; ///< Likewise: how often the function's text allocates it.
  unsigned activation =
      0; ///< Of heap memory: of which call that is walked in place it is (Walker::InPlace); 0: of none.
  std::string rowsOf; ///< Of flattened rows (Rows.cpp): the object whose elements point to them.
  int origin = -3; ///< As ExtraFormal::position, if callers know it; -3: they do not.
  std::string originPath; ///< As ExtraFormal::suffix.
};

/// Elements of one object, from lower to upper in each dimension, both included.
struct ElementBox {
  std::vector<Symbolic> lower, upper;
};

/// An lvalue.
struct Place {
  Pointer at = {};
  clang::QualType type = {};
  bool partial = false; ///< A part of the element: writing it does not overwrite the element.
  std::string variable = {}; ///< Key in the Environment, if it is an integer or pointer variable.
  skeleton::Part part = {}; ///< Of a part whose place in the element is known.
  std::string path = {}; ///< Of a part that is a field of the element: `.v`; empty if that is not so plain.
  bool bytewise =
      false; ///< Perhaps not as values of the element's type: bytes that are copied, what unseen code reads.
};

/// What an expression of a handle's type (Types.h) stands for.
struct HandleValue {
  Pointer at;
  std::optional<Value> size = {}; ///< In elements, of handles that have one; nothing: not known.
};

/// What a function that is not followed can get at through one argument.
struct Reach {
  Pointer pointer;
  bool isConst = false;
  bool isCopy = false; ///< Only what the pointers in it point to: it was passed by value.
};

/// All that code which is not followed is given.
struct Handover {
  std::vector<Reach> reachable;
  std::vector<std::string> changed; ///< Variables that it may give other values.
  std::vector<Place> pointers; ///< Of those, plain pointers.
};

/// The values of one subscript, both bounds included; nothing: not known.
using SubscriptRange = std::pair<std::optional<Symbolic>, std::optional<Symbolic>>;

/// A buffer that a nonblocking call receives into.
struct Pending {
  std::string object;
  std::vector<SubscriptRange> range; ///< Of its elements; empty: any of them.
  std::string requests; ///< The variable or array that the request was stored in; empty: not known.
};

/// An object whose destructor does something, from its declaration to the end of its scope.
struct Living {
  Place place;
  const clang::Expr *made = nullptr; ///< What it was made from.
  const clang::VarDecl *cleanedUp = nullptr; ///< It has __attribute__((cleanup(f))).
};

/// What a std::function calls: an object of this lambda's class.
struct HeldFunction {
  const clang::CXXRecordDecl *lambda = nullptr;
  std::optional<Pointer> closure = {};
};

/// What a parameter gets in a call that is walked in place.
struct Actual {
  std::optional<Place> place = {}; ///< A variable or element: bound if the parameter is a reference, else read.
  std::optional<Value> value = {};
  std::optional<HandleValue> handle = {}; ///< Of pointers and containers.
  bool isMade = false; ///< The place is an object made for the parameter.
  const clang::Expr *text = nullptr; ///< The argument.
  std::optional<HeldFunction> held = {}; ///< Of a std::function that only calls a lambda.
};

/// Something to call: a lambda, or an object with a call operator.
struct Callable {
  const clang::CXXMethodDecl *method = nullptr;
  std::optional<Pointer> self = {}; ///< The object.
};

/// An object of a lambda's class: what it holds.
struct Closure {
  std::map<const clang::ValueDecl *, Place> captured; ///< Of each variable its place, or that of the copy.
  std::optional<Pointer> self = {}; ///< `this`, or the copy of what it points to.
  bool operator==(const Closure &) const = default;
};

} // namespace busfare::frontend

#endif
