//===- clang-plugin/port/CText.h - Formulas as C -------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An Expr as a C expression of integer type, given what each symbol is called:
//
//   n*m - 1          (long)n * m - 1
//   max(0, i - 1)    (0 > i - 1 ? 0 : i - 1)
//   floor(n / 2)     busfare's floor: n / 2 - (n % 2 < 0)
//
// Products are taken in long: sizes multiply past 32 bits. What is unsigned in the source comes as `(long)n`: `n - 2 >=
// 0` holds for any unsigned n.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_CTEXT_H
#define BUSFARE_CLANG_PLUGIN_PORT_CTEXT_H

#include "skeleton/Expr.h"
#include "clang/AST/Type.h"
#include <map>
#include <string>

namespace busfare::frontend::port {

/// What a symbol is called in the source. A text that is more than a name, or `(long)` and a name, is in parentheses.
struct SymbolTexts : std::map<std::string, std::string> {
  /// Of a symbol that several variables hold: what the second factor of its square is called, and so on. `row * col`
  /// where both hold n says more of n*n than `row * row`.
  std::map<std::string, std::vector<std::string>> further;
};

/// Every symbol of the Expr must have a text; the Expr is not poisoned.
std::string toC(const skeleton::Expr &expr, const SymbolTexts &texts);

/// The same, fit to stand beside an operator: in parentheses unless it is one name or number.
std::string toOperand(const skeleton::Expr &expr, const SymbolTexts &texts);

/// A name made of one that skeletons use (`step@40:t` -> `step_40_t`).
std::string identifier(llvm::StringRef name);

/// A variable of the port's for something of the program's: `busfare_u` for u. It is none of the names that the port
/// has for what is its own, or that the libraries which watch it have: `busfare_copy_` for copy.
std::string portName(llvm::StringRef what);

/// How a variable of the type is declared: `double`, where that is a word of the language; else as the type of what it
/// is made of, `__typeof__(g->u[0])`, for another name of it may mean something else there.
std::string typeText(clang::QualType type, const clang::ASTContext &context, llvm::StringRef madeOf);

} // namespace busfare::frontend::port

#endif
