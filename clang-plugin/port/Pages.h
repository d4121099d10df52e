//===- clang-plugin/port/Pages.h - Arrays on pages of their own ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// While a watched kernel runs the pages of the host's arrays are shut, so an array
// must not share a page with anything else. Heap memory is the watch library's own;
// arrays with a declaration move:
//
//   double t[100];            =>  double *t = (double *)busfare_pages(800, 0);
//   double v[n][m];           =>  double (*v)[m] = (double (*)[m])busfare_pages(sizeof(double[n][m]), 0);
//   static double A[10][20];  =>  its own section, page-aligned, followed by an empty page
//
// One that cannot move (its size or address is asked for, several are declared at
// once in a function, it has an initialiser other than zeros) stays; verify says so.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_PAGES_H
#define BUSFARE_CLANG_PLUGIN_PORT_PAGES_H

#include "clang-plugin/port/Edits.h"
#include "clang-plugin/port/FunctionSource.h"

namespace busfare::frontend::port {

/// Changes of the function that declares it; none if it cannot move.
std::vector<Edit> moveLocal(const clang::VarDecl *array, const FunctionSource &source);

/// Changes of the file that declares it outside functions; none if it cannot move.
std::vector<Edit> moveGlobal(const clang::VarDecl *array, clang::ASTContext &context);

} // namespace busfare::frontend::port

#endif
