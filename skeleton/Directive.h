//===- skeleton/Directive.h - What OpenMP directives say of loops ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What stands after `#pragma omp`, taken apart into the claims it makes:
//
//   directiveFromText("parallel for private(x, y) reduction(+: s) collapse(2)")
//     // isParallel, privates {x, y}, reductions {{Add, s}}, collapse 2
//
// A loop directive claims independent iterations unless it has `ordered`, or is a
// `simd` alone with `safelen`. Clauses that say nothing of dependences are kept in
// the text only. Does not handle macros: the text is as after preprocessing.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_SKELETON_DIRECTIVE_H
#define BUSFARE_SKELETON_DIRECTIVE_H

#include "skeleton/Skeleton.h"

namespace busfare::skeleton {

Directive directiveFromText(llvm::StringRef text);

/// From here on, what directives say of iterations is taken for true where it is neither proved nor refuted: their
/// loops, and those that they collapse, become LoopHead::isTrusted. Not where iterations take turns (atomic, critical,
/// ordered).
void trustDirectives(Program &program);

} // namespace busfare::skeleton

#endif
