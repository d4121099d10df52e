//===- skeleton/Inline.h - One root with all its calls substituted --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Replaces every call below a root by the callee's body, with arguments for
// parameters, so that what follows needs to know nothing of calls:
//
//   function axpy(param n, array x, array y) { for i = 0 .. n - 1 { read x[i] update y[i] + } }
//   function main() { ... call axpy(100, &a, &b + 8) at 20:3 }
//   ->  for `axpy@20:i` = 0 .. 99 { read a[axpy@20:i] update b[axpy@20:i + 8] }
//
// A callee's own names become `callee@LINE:name` (LINE of the call; `callee@LINE#2:`
// for a second call there). A global that a name of the root hides becomes `::name`.
// A formal with the shape of its actual keeps its subscripts; otherwise they are
// linearised, the actual's too if it has several dimensions (brs/Shape recovers
// them). An actual whose object or offset is not known becomes an Alias array.
//
// Pointers are passed by value: a callee that rotates its formals leaves the
// caller's names as they were. The body inlined here rotates the actuals' names, so
// they are rotated back behind it if the number of turns is known:
//
//   call simulate(&u, &v, n, 3)     for t = 0 .. 2 { ...; rotate u <- v, v <- u }
//                                   rotate u <- v, v <- u
//
// If it is not, the caller's later accesses, and its earlier ones if a loop comes
// round to them, may reach any of the rotated objects (an Alias of whole arrays);
// inside the callee all stays exact. Rotations of globals and of parameters
// `by-reference` stay. Where names cannot be rotated for a callee's formals (two of
// them are one array, at different offsets, of different shape, or one is a global
// that the callee sees too), those formals become aliases of all they may be.
//
// Recursive calls and calls of functions without a skeleton become host
// statements that may read and write whatever they can reach.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_SKELETON_INLINE_H
#define BUSFARE_SKELETON_INLINE_H

#include "skeleton/Skeleton.h"
#include "llvm/Support/Error.h"
#include <map>

namespace busfare::skeleton {

/// What an array's name in a called function stands for in the result.
struct Binding {
  std::string array;          ///< In the result.
  std::optional<Expr> offset; ///< Element 0 of the name is element `offset` of the array, row-major. Nothing = unknown.
  std::vector<std::optional<Expr>> extents; ///< The shape its subscripts speak of, in the result's symbols.
  std::vector<Expr> row = {}; ///< Of a table's rows: the name is this one of them, and the offset counts in it.
};

/// One call that was substituted, or the root itself (which stands for nobody's call).
struct CallPath {
  std::string function; ///< Whose body it is.
  unsigned caller = 0; ///< The path of the call; of the root: 0.
  Location call; ///< Unknown for the root.
  Substitution symbols; ///< The function's symbols in the result's; those not in it are called the same.
  std::map<std::string, Binding> arrays; ///< The function's arrays in the result.
  std::string prefix = {}; ///< Of its own names in the result; empty for the root.
  bool isFolded =
      false; ///< Nothing of its body is left: one statement of a caller says what it reads (InlineOutput.cpp).
};

struct Inlined {
  Function function; ///< The root; no Call is left in it.
  std::vector<Finding> findings;
  std::vector<CallPath> paths; ///< [0] is the root; Node::path indexes it.
};

/// Error: no function of this name.
llvm::Expected<Inlined> substituteCalls(const Program &program, llvm::StringRef root);
/// Of a function that need not be one of the program's.
Inlined substituteCalls(const Program &program, const Function &root);

/// `main` if it is there, else the functions that no other function calls (all of them, if each is called).
std::vector<std::string> roots(const Program &program);

} // namespace busfare::skeleton

#endif
