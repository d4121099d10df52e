//===- clang-plugin/port/Order.h - Loops that run in another order -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// "Parallel" says that the iterations may run in any order, each with its own copy of
// the private variables. So let them: the program stays serial, and the watch library
// is asked which iteration comes next.
//
//   for (int i = 0; i < n; i++) { t = a[i]; b[i] = t * t; }          needs: private(t)
//   =>  for k = 0 .. n - 1 { int i = 0 + busfare_order(k, n);
//                            busfare_poison(&t, sizeof t);
//                            { t = a[i]; b[i] = t * t; } }
//
// Lastprivate variables get what iteration n - 1 left, whenever that ran; variables
// that are stepped along with the index (`p++`) are set to what they hold there;
// private arrays are what they were before, behind the loop. OpenMP's directives go.
// Only what asks which of several threads or teams it is stays as it is, with OpenMP.
//
// Left as they are, with a finding: loops called parallel that are no `for` with one
// counted index, that a macro writes, or that leave early.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_ORDER_H
#define BUSFARE_CLANG_PLUGIN_PORT_ORDER_H

#include "clang-plugin/port/Edits.h"
#include "clang-plugin/walk/Points.h"
#include "projection/Root.h"
#include "skeleton/Finding.h"

namespace clang {
class ASTContext;
} // namespace clang

namespace busfare::frontend::port {

struct OrderedUnit {
  std::vector<Edit> edits;
  bool hasThreads = false; ///< Some of it needs OpenMP to do what it does.
  bool reordersSums = false; ///< Floating-point numbers are added or multiplied in another order than the original's.
};

/// The unit's main file with every loop reordered that is parallel wherever one of the roots reaches it.
OrderedUnit orderUnit(const skeleton::Program &program, llvm::ArrayRef<const projection::Root *> roots,
                      const UnitPoints &points, clang::ASTContext &context, std::vector<skeleton::Finding> &findings);

} // namespace busfare::frontend::port

#endif
