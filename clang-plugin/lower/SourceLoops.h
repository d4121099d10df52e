//===- clang-plugin/lower/SourceLoops.h - The loops that a unit's source has -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Counted on the syntax tree, not on the skeleton: a loop in code that the front end
// does not follow (a function that it had to leave out), or that never runs, has no
// verdict, and the coverage has to say so.
//
//   for (...) { while (...) ; }     ->  two places, of `for` and of `while`
//
// Loops of system headers, and of templates that nothing instantiates, are none.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_LOWER_SOURCE_LOOPS_H
#define BUSFARE_CLANG_PLUGIN_LOWER_SOURCE_LOOPS_H

#include "skeleton/Location.h"
#include <vector>

namespace clang {
class ASTContext;
} // namespace clang

namespace busfare::frontend {

/// Where each loop's keyword stands (expansion location), sorted, each place once.
std::vector<skeleton::Location> sourceLoops(clang::ASTContext &context);

} // namespace busfare::frontend

#endif
