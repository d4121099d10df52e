//===- clang-plugin/values/AnySymbol.h - A question about a formula's symbols -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Is one of the symbols in it such a one? As for Expr::symbols(), without making the set of them: it is asked for all
// that is known, at the end of each block.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_VALUES_ANY_SYMBOL_H
#define BUSFARE_CLANG_PLUGIN_VALUES_ANY_SYMBOL_H

#include "skeleton/Expr.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::frontend {

inline bool anySymbol(const skeleton::Expr &expr, llvm::function_ref<bool(const std::string &symbol)> isIt) {
  return llvm::any_of(expr.sum(), [&](const skeleton::Term &term) {
    return llvm::any_of(term.factors, [&](const skeleton::Atom &atom) {
      return atom.kind == skeleton::Atom::Kind::Symbol
                 ? isIt(atom.name)
                 : llvm::any_of(atom.args, [&](const skeleton::Expr &arg) { return anySymbol(arg, isIt); });
    });
  });
}

} // namespace busfare::frontend

#endif
