//===- clang-plugin/walk/Updates.h - What a reduction is made of ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A new value as an update of the old one: of `x = a[i] + x - b` it is Add, with others
// a[i] and b.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_WALK_UPDATES_H
#define BUSFARE_CLANG_PLUGIN_WALK_UPDATES_H

#include "skeleton/Skeleton.h"
#include "clang/AST/Expr.h"
#include <vector>

namespace busfare::frontend {

struct UpdateForm {
  struct Other {
    const clang::Expr *expr;
    clang::BinaryOperatorKind kind; ///< What joins it to the rest; BO_Comma: it is compared.
    bool isSkipped = false;         ///< Once x decides the result.
  };
  skeleton::ReductionOp op = skeleton::ReductionOp::None;
  std::vector<Other> others; ///< All that it takes beside the old value.
};

/// What adding up, multiplying, ... by that operator makes; None: the order of its steps counts. `x - e` adds, `e - x`
/// does not.
skeleton::ReductionOp reductionOf(clang::BinaryOperatorKind kind);

/// Is each step's result cut to the target's type? Then the order counts: 1.5 added twice to an int gives 2, not 3.
/// (Integers that are cut to fewer bits add up the same in any order, and floating-point numbers are said to.)
bool cutsSteps(clang::QualType target, clang::QualType computed);

} // namespace busfare::frontend

#endif // BUSFARE_CLANG_PLUGIN_WALK_UPDATES_H
