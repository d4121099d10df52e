//===- clang-plugin/records/Targets.h - Calls of which it is known what they may run -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which function a pointer in a struct or a virtual call runs is known only while the program runs; but
// where all stores into the field, or all classes that override the method, are in sight, it may be that
// there is only one, or a few:
//
//   struct Potential { int (*force)(Sim *); };
//   p->force = lj;                        the only store in the program
//   s->pot->force(s);                     is a call of lj
//   p->force = eam;                       elsewhere
//   s->pot->force(s);                     is a call of lj or of eam
//
//   struct Stream { virtual void triad() = 0; };  struct Serial : Stream { void triad() override; };
//   s->triad();                           is a call of Serial::triad
//
// Each unit tells what it stores and overrides (among what it does to records, RecordUses.h); what all units
// of a whole program agree on comes back. A call of one function is made direct in the unit's syntax, so
// that everything that looks at calls sees it; of several, a call of each is made beside it, and the walk takes
// them as branches of which any may run. On a device the pointer and the table of methods are the
// host's: the call itself stays on the host, with the loops around it, and the callee's loops are kernels.
//
// A std::function in a field or a variable is such a pointer, if what is put into it holds nothing (StdFunctions.h):
//
//   struct Solver { std::function<void(double *, int)> apply; };
//   s.apply = jacobi;  s.apply = [](double *x, int n) { ... };
//   s.apply(x, n);                        is a call of jacobi or of the lambda
//
// Does not handle: methods that the calling unit does not declare, pointers in variables and arrays, member
// pointers, structs and references that one of several functions returns.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_RECORDS_TARGETS_H
#define BUSFARE_CLANG_PLUGIN_RECORDS_TARGETS_H

#include "RecordUses.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/ArrayRef.h"

namespace busfare::frontend {

/// A pointer to a function, or a std::function.
bool isFunctionField(const clang::FieldDecl *field);

/// Adds what the unit stores into such fields, and which methods it overrides.
void addTargetUses(clang::ASTContext &context, RecordUses &uses);

/// What became of the calls whose functions are known.
struct TargetCalls {
  std::set<const clang::CallExpr *> direct; ///< Of one function.
  std::map<const clang::CallExpr *, std::vector<const clang::CallExpr *>> several; ///< As written -> a call of each.
  std::set<const clang::CallExpr *> alternatives;                                  ///< All of those.
};
TargetCalls callKnownTargets(clang::ASTContext &context, const KnownTargets &targets);

} // namespace busfare::frontend

#endif
