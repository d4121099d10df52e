//===- clang-plugin/walk/Interface.h - What callers in other units know --===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A call of a function that another unit defines is followed like one of this unit's,
// by the function's Summary, which comes as JSON from whoever has read that unit:
//
//   {"symbol":"step","name":"step","parameters":[...],"extras":[...],"exit_values":[[[0,"n"],"nx + 2"]],...}
//
// and so is what the pointers in a variable may name from the start, by its own interface:
//
//   {"symbol":"view","set":[".p"]}          struct { double *p; int n; } view = {field + 1, 9};
//
// Names of globals in it that only their unit sees (statics) have the unit's tag behind
// them, `count@solve`, and lose it when they come back to that unit.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_WALK_INTERFACE_H
#define BUSFARE_CLANG_PLUGIN_WALK_INTERFACE_H

#include "Walk.h"
#include "clang-plugin/lower/Symbols.h"
#include "llvm/Support/JSON.h"

namespace busfare::frontend {

/// What the unit defines and uses, its file left open.
skeleton::UnitSymbols symbolsOf(const Unit &unit);

/// Null: it cannot be said without the unit at hand (rows of tables that lead into each other).
llvm::json::Value interfaceOf(const Unit &unit, const clang::FunctionDecl *function, const Summary &summary);

/// Null: other units do not see the variable, or it holds no pointers.
llvm::json::Value interfaceOf(const Unit &unit, const clang::VarDecl *variable);

/// That the unit runs something before or after main; null if it does not.
llvm::json::Value outsideMain(const Unit &unit);

/// What interfaces say of functions and variables that this unit only declares. Words that cannot be read are left out:
/// then such a function is one that nobody has seen.
void takeInterfaces(Unit &unit, const llvm::json::Array &interfaces);

} // namespace busfare::frontend

#endif
