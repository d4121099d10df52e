//===- clang-plugin/port/AtomicUpdates.h - Sums into arrays, one at a time -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A reduction into an array gives each thread a copy of it. A GPU has hundreds of thousands
// of threads: on an H100, 64 million pixels into 256 bins took 453 ms so. Its memory adds up
// by itself:
//
//   for (...) bins[image[i]]++;     reduction(+: bins[0:256])
//   =>  for (...)
//         #pragma omp atomic update
//         bins[image[i]]++;
//
// Only where every mention of the array is an update that OpenMP can make atomic. A handful of
// elements stays a reduction: all threads would wait for the same ones.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_ATOMICUPDATES_H
#define BUSFARE_CLANG_PLUGIN_PORT_ATOMICUPDATES_H

#include "clang/AST/Expr.h"
#include <optional>
#include <vector>

namespace busfare::frontend::port {

/// The statements in `body` that update elements of the array, if nothing else in it mentions the array: `a[i] op= e`,
/// `a[i]++`, `a[i] = a[i] op e`.
std::optional<std::vector<const clang::Stmt *>> atomicUpdates(const clang::ValueDecl *array, const clang::Stmt *body);

/// Do the two expressions say the same, word for word?
bool areSpelledAlike(const clang::Expr *a, const clang::Expr *b, const clang::ASTContext &context);

} // namespace busfare::frontend::port

#endif
