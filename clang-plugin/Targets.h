//===- clang-plugin/Targets.h - Calls that can only be of one function -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which function a pointer in a struct or a virtual call runs is known only while the program runs; but
// where all stores into the field, or all classes that override the method, are in sight, it may be that
// there is only one:
//
//   struct Potential { int (*force)(Sim *); };
//   p->force = lj;                        the only store in the program
//   s->pot->force(s);                     is a call of lj
//
//   struct Stream { virtual void triad() = 0; };  struct Serial : Stream { void triad() override; };
//   s->triad();                           is a call of Serial::triad
//
// Each unit tells what it stores and overrides (among what it does to records, RecordUses.h); what all units
// of a whole program agree on comes back, and a unit is read with such calls made direct: in its syntax, so
// that everything that looks at calls sees them. On a device the pointer and the table of methods are the
// host's: the call itself stays on the host, with the loops around it, and the callee's loops are kernels.
//
// Does not handle: functions that the calling unit does not declare, pointers in variables and arrays,
// member pointers, several targets.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_TARGETS_H
#define BUSFARE_CLANG_PLUGIN_TARGETS_H

#include "RecordUses.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/ArrayRef.h"

namespace busfare::frontend {

/// A pointer to a function.
bool isFunctionField(const clang::FieldDecl *field);

/// Adds what the unit stores into such fields, and which methods it overrides.
void addTargetUses(clang::ASTContext &context, RecordUses &uses);

/// Makes the calls direct that can only be of one function, and says which they were.
std::set<const clang::CallExpr *> callOnlyTargets(clang::ASTContext &context, const OnlyTargets &targets);

} // namespace busfare::frontend

#endif
